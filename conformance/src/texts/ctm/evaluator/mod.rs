//! CTM programs by the rules of their language: line by line, each half for all four pixels of a quad.
//!
//! Nothing of it is shared with the translation but the checked program and, for `ex2`, `ln2`, `sin` and `cos`, the
//! approximations that ATTILA's instructions promise. Quarters of turns are computed here, too.

mod ops;

use std::collections::BTreeMap;

use attila_shader::front::ctm::{
    CtmOpcode, CtmProgram, File, Half, Line, Presubtract, Register, Select, Source, Unit, Value,
};

use super::World;
pub(super) use ops::Number;
use ops::{Arithmetic, result};

/// A component in each lane.
type Lanes = [Number; 4];

/// Registers after a run, or before a line.
#[derive(Clone)]
pub(super) struct Registers<'a> {
    program: &'a CtmProgram,
    world: World,
    /// The temporaries and outputs that have been written, by component; others are 0.
    written: BTreeMap<Register, [Lanes; 4]>,
}

/// Runs a program that has been checked.
pub(super) fn evaluate(program: &CtmProgram, world: World) -> Registers<'_> {
    let mut registers = Registers {
        program,
        world,
        written: BTreeMap::new(),
    };
    for line in &program.lines {
        // Both halves read what was there before.
        let before = registers.clone();
        for half in line.halves() {
            before.half(line, half, &mut registers);
        }
    }
    registers
}

/// A computation: the operation, and its operands for each of r, g, b and a.
struct Computation<'a> {
    opcode: CtmOpcode,
    sources: &'a [Source],
    /// The operands of the fourth product.
    fourth: &'a [Source],
}

impl Registers<'_> {
    /// The components of a register in a lane.
    pub(super) fn register(&self, register: Register, lane: usize) -> [Number; 4] {
        std::array::from_fn(|component| self.component(register, component)[lane])
    }

    fn component(&self, register: Register, component: usize) -> Lanes {
        match register.file {
            File::Temporary | File::Output => {
                let written = self.written.get(&register);
                written.map_or([Number::default(); 4], |it| it[component])
            }
            File::Constant | File::Input => std::array::from_fn(|lane| {
                let given = self.program.constants.get(&register.number);
                let bits = match given.filter(|_| register.file == File::Constant) {
                    Some(bits) => bits[component],
                    None => self.world.register(register, lane)[component],
                };
                Number::moved(bits)
            }),
        }
    }

    /// A component of a sum or difference.
    fn presubtract(&self, value: Presubtract, component: usize) -> Lanes {
        let of = |register| self.component(register, component);
        let zip = |p: Register, q: Register, f: fn(f32, f32) -> f32| {
            let (p, q) = (of(p), of(q));
            std::array::from_fn(|lane| Number::made(f(p[lane].float(), q[lane].float())))
        };
        match value {
            Presubtract::Bias(s) => of(s).map(|s| {
                let double = 2.0 * s.float();
                Number::made(1.0 - double)
            }),
            Presubtract::Inv(s) => of(s).map(|s| Number::made(1.0 - s.float())),
            Presubtract::Add(p, q) => zip(p, q, |p, q| p + q),
            Presubtract::Sub(p, q) => zip(p, q, |p, q| p - q),
        }
    }

    /// An operand for one of r, g and b; for a, which has one selector, any number will do.
    fn source(&self, source: &Source, index: usize) -> Lanes {
        let select = source.select[index];
        let value = match (select, source.value) {
            (Select::Zero, _) => [Number::moved(0); 4],
            (Select::Half, _) => [Number::moved(0x3f00_0000); 4],
            (Select::One, _) => [Number::moved(0x3f80_0000); 4],
            (Select::Component(it), Value::Register(register)) => {
                self.component(register, it.index())
            }
            (Select::Component(it), Value::Presubtract(value)) => {
                self.presubtract(value, it.index())
            }
            (Select::Component(_), Value::Literal) => [Number::default(); 4],
        };
        let signed = |number: Number| {
            let number = match source.absolute {
                true => number.with(number.bits & !ops::SIGN),
                false => number,
            };
            match source.negate {
                true => number.with(number.bits ^ ops::SIGN),
                false => number,
            }
        };
        value.map(signed)
    }

    fn half(&self, line: &Line, half: &Half, after: &mut Registers<'_>) {
        let Some(destination) = &half.destination else {
            return;
        };
        let Some(computation) = computation(line, half) else {
            return;
        };
        let register = after.written.entry(destination.register).or_default();
        for slot in destination.mask.components() {
            let index = match half.unit {
                Unit::Rgb => slot.index(),
                Unit::Alpha => 0,
            };
            let lanes = self.compute(&computation, index);
            register[slot.index()] = lanes.map(|it| result(it, half.modifier, half.saturate));
        }
    }

    fn compute(&self, computation: &Computation<'_>, index: usize) -> Lanes {
        let arithmetic = Arithmetic {
            zero_wins: self.program.zero_wins,
        };
        let sources = computation.sources;
        let vectors: Vec<[Lanes; 4]> = sources
            .iter()
            .enumerate()
            .map(|(number, source)| {
                let fourth = computation.fourth.get(number);
                let fourth = fourth.map_or([Number::default(); 4], |it| self.source(it, 0));
                let [r, g, b] = [0, 1, 2].map(|index| self.source(source, index));
                [r, g, b, fourth]
            })
            .collect();
        std::array::from_fn(|lane| {
            let vectors: Vec<[Number; 4]> = vectors
                .iter()
                .map(|vector| vector.map(|lanes| lanes[lane]))
                .collect();
            if let Some(value) = arithmetic.dot(computation.opcode, &vectors) {
                return value;
            }
            // The other pixel whose operand it is.
            let other = |source: &Source, other: usize| self.source(source, index)[other];
            let [a, b, c] = [0, 1, 2].map(|number| match sources.get(number) {
                Some(source) => self.source(source, index)[lane],
                None => Number::default(),
            });
            match (computation.opcode, sources) {
                (CtmOpcode::Mdh, [first, _, last]) => {
                    arithmetic.mad(other(first, 0), b, other(last, 1))
                }
                (CtmOpcode::Mdv, [first, _, last]) => {
                    arithmetic.mad(other(first, 0), b, other(last, 2))
                }
                (opcode, _) => arithmetic.scalar(opcode, [a, b, c]),
            }
        })
    }
}

/// The computation of a half: `sop` and `dp` are computed by the other one.
fn computation<'a>(line: &'a Line, half: &'a Half) -> Option<Computation<'a>> {
    let half = match half.opcode {
        CtmOpcode::Sop => line.alpha.as_ref()?,
        CtmOpcode::Dp => line.rgb.as_ref()?,
        CtmOpcode::Nop => return None,
        CtmOpcode::Mad
        | CtmOpcode::Dp3
        | CtmOpcode::Dp4
        | CtmOpcode::D2a
        | CtmOpcode::Min
        | CtmOpcode::Max
        | CtmOpcode::Cnd
        | CtmOpcode::Cmp
        | CtmOpcode::Frc
        | CtmOpcode::Ex2
        | CtmOpcode::Ln2
        | CtmOpcode::Rcp
        | CtmOpcode::Rsq
        | CtmOpcode::Sin
        | CtmOpcode::Cos
        | CtmOpcode::Mdh
        | CtmOpcode::Mdv => half,
    };
    let fourth = line.alpha.as_ref();
    let fourth = fourth.filter(|_| half.opcode == CtmOpcode::Dp4);
    Some(Computation {
        opcode: half.opcode,
        sources: &half.sources,
        fourth: fourth.map_or(&[], |alpha| &alpha.sources),
    })
}
