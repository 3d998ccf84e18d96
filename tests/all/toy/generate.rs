//! Random toy programs.

use attila_shader::isa::{Component, Slots};

use super::language::{Comparison, From, Operation, Param, Program, Source, Statement, Test, To};

const VARIABLES: usize = 5;

/// Operations and how many sources they have.
const OPERATIONS: [(Operation, usize); 14] = [
    (Operation::Mov, 1),
    (Operation::Mov, 1),
    (Operation::Add, 2),
    (Operation::Mul, 2),
    (Operation::Mad, 3),
    (Operation::Max, 2),
    (Operation::Min, 2),
    (Operation::Slt, 2),
    (Operation::Sge, 2),
    (Operation::Frc, 1),
    (Operation::Flr, 1),
    (Operation::Cmp, 3),
    (Operation::Dp3, 2),
    (Operation::Rcp, 1),
];

/// Numbers that follow from a seed (SplitMix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.word() % end as u64) as usize
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub(crate) fn number(&mut self) -> f32 {
        const NUMBERS: [f32; 9] = [
            0.0,
            -0.0,
            0.5,
            1.0,
            -1.0,
            2.0,
            -1.5,
            f32::INFINITY,
            f32::NAN,
        ];
        match self.below(24) {
            place if place < NUMBERS.len() => NUMBERS[place],
            place => (place as f32 - 16.0) * 0.3,
        }
    }
}

/// The statements around the one that is made.
#[derive(Clone, Copy)]
struct Around {
    depth: usize,
    in_loop: bool,
    procedure: usize,
    procedures: usize,
}

pub(crate) fn program(dice: &mut Dice) -> Program {
    let procedures = 1 + dice.below(3);
    let bodies = (0..procedures).map(|procedure| {
        let around = Around {
            depth: 0,
            in_loop: false,
            procedure,
            procedures,
        };
        let mut body = dice.body(around);
        if procedure == 0 {
            // Few statements should be dead code.
            body.extend((0..VARIABLES).map(|number| Statement::Set {
                op: Operation::Mov,
                to: To::Output((number % 2) as u8),
                mask: dice.mask(),
                saturate: false,
                sources: vec![plain(From::Variable(number))],
            }));
        }
        body
    });
    Program {
        variables: VARIABLES,
        procedures: bodies.collect(),
    }
}

fn plain(from: From) -> Source {
    Source {
        from,
        swizzle: Component::ALL,
        negate: false,
        absolute: false,
    }
}

impl Dice {
    fn body(&mut self, around: Around) -> Vec<Statement> {
        let most = if around.depth == 0 { 8 } else { 5 };
        let count = self.below(most) + usize::from(around.depth == 0);
        (0..count).map(|_| self.statement(around)).collect()
    }

    fn statement(&mut self, around: Around) -> Statement {
        let inner = Around {
            depth: around.depth + 1,
            ..around
        };
        let later = around.procedures - around.procedure - 1;
        match self.below(24) {
            0..=3 if around.depth < 3 => {
                let (test, yes) = (self.test(), self.body(inner));
                let no = self.percent(50).then(|| self.body(inner));
                Statement::If(test, yes, no)
            }
            4..=5 if around.depth < 2 => {
                let inner = Around {
                    in_loop: true,
                    ..inner
                };
                Statement::Loop(1 + self.below(3) as u8, self.body(inner))
            }
            6 if around.in_loop => Statement::Break(self.chance()),
            7 if around.in_loop => Statement::Continue(self.chance()),
            8 => Statement::Return(self.chance()),
            9..=10 if later > 0 && around.depth < 2 => {
                Statement::Call(around.procedure + 1 + self.below(later))
            }
            11 => Statement::Look {
                to: self.to(),
                mask: self.mask(),
                index: self.source(),
            },
            12 if self.percent(30) => Statement::Kill(self.source()),
            13..=14 => {
                let op = [Operation::Ddx, Operation::Ddy][self.below(2)];
                self.set(op, 1)
            }
            _ => {
                let (op, sources) = OPERATIONS[self.below(OPERATIONS.len())];
                self.set(op, sources)
            }
        }
    }

    fn set(&mut self, op: Operation, sources: usize) -> Statement {
        Statement::Set {
            op,
            to: self.to(),
            mask: self.mask(),
            saturate: self.percent(15),
            sources: (0..sources).map(|_| self.source()).collect(),
        }
    }

    fn to(&mut self) -> To {
        match self.percent(80) {
            true => To::Variable(self.below(VARIABLES)),
            false => To::Output(self.below(2) as u8),
        }
    }

    fn mask(&mut self) -> Slots {
        match self.percent(40) {
            true => Slots::all(),
            false => Slots::from_bits_truncate(1 + self.below(15) as u8),
        }
    }

    fn source(&mut self) -> Source {
        let from = match self.below(10) {
            0..=5 => From::Variable(self.below(VARIABLES)),
            6..=7 => From::Input(self.below(3) as u8),
            8 => From::Param(Param::Uniform(self.below(2) as u8)),
            _ => {
                let number = self.number().to_bits();
                let other = self.number().to_bits();
                From::Param(Param::Constant([number, other, number, number]))
            }
        };
        let mut source = plain(from);
        if self.percent(40) {
            source.swizzle = [(); 4].map(|()| Component::from_bits(self.below(4) as u8));
        }
        source.negate = self.percent(20);
        source.absolute = self.percent(10);
        source
    }

    fn test(&mut self) -> Test {
        const OPS: [Comparison; 3] = [Comparison::Equal, Comparison::Above, Comparison::Below];
        Test {
            op: OPS[self.below(3)],
            sources: [self.source(), self.source()],
            invert: self.percent(30),
        }
    }

    fn chance(&mut self) -> Option<Test> {
        self.percent(85).then(|| self.test())
    }
}
