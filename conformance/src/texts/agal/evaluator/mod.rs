//! AGAL programs by the rules of their language: on a quad of four lanes, with the set of those that execute each
//! token.
//!
//! Nothing of it is shared with the translation but the checked program and, for `pow`, `log`, `exp`, `sin` and `cos`,
//! the approximations that ATTILA's instructions promise: those are functions of the machine. The walk goes by the
//! tokens of the program, not by jumps.

mod ops;
mod textures;

use std::collections::BTreeMap;

use attila_shader::front::agal::{
    AgalOpcode, AgalProgram, Destination, File, Form, Location, Register, Source, Token,
};
use attila_shader::isa::{Component, Stage};
use attila_shader::texture::Textures;

use super::world::World;
pub(super) use ops::Number;

/// A register in each lane.
pub(super) type Quad = [[Number; 4]; 4];

/// The lanes that execute.
type Mask = [bool; 4];

/// The results of a run.
pub(super) struct Results {
    /// The registers of outputs and varyings that the program writes.
    pub(super) outputs: BTreeMap<Register, Quad>,
    /// The depth, if a token writes it.
    pub(super) depth: Option<[Number; 4]>,
    pub(super) killed: Mask,
    /// Whether lanes have parted at a token that looks at all four: the results say nothing.
    pub(super) undefined: bool,
}

/// Runs a program that has been checked.
pub(super) fn evaluate(program: &AgalProgram, world: World, textures: &Textures) -> Results {
    let mut machine = Machine {
        program,
        world,
        textures,
        constants: world.bank(program),
        registers: BTreeMap::new(),
        mask: [true; 4],
        branches: Vec::new(),
        killed: [false; 4],
        undefined: false,
    };
    program.tokens.iter().for_each(|token| machine.token(token));
    let register = |destination: &Destination| {
        let value = machine.registers.get(&destination.register);
        (destination.register, value.copied().unwrap_or_default())
    };
    let written = program
        .tokens
        .iter()
        .filter_map(|it| it.destination.as_ref());
    let outputs = written
        .clone()
        .filter(|it| matches!(it.register.file, File::Output | File::Varying));
    let mut depths = written
        .filter(|it| it.register.file == File::Depth)
        .filter(|it| it.mask.has(Component::X));
    Results {
        outputs: outputs.map(register).collect(),
        depth: depths.next().map(|it| register(it).1.map(|lane| lane[0])),
        killed: machine.killed,
        undefined: machine.undefined,
    }
}

struct Machine<'a> {
    program: &'a AgalProgram,
    world: World,
    textures: &'a Textures,
    /// The constants that an index reaches.
    constants: u16,
    /// The registers that have been written; all others are 0.
    registers: BTreeMap<Register, Quad>,
    mask: Mask,
    /// For each open branch, the lanes that came to it, and those of them for which its condition holds.
    branches: Vec<(Mask, Mask)>,
    killed: Mask,
    undefined: bool,
}

/// The index that a component is: `None` where no constant can be.
fn index(number: Number) -> Option<i64> {
    let value = f64::from(number.float()).floor();
    (value.abs() < 2f64.powi(31)).then_some(value as i64)
}

impl Machine<'_> {
    fn token(&mut self, token: &Token) {
        match token.opcode.info().form {
            Form::Compare => self.compare(token),
            Form::Else => {
                if let Some((came, holds)) = self.branches.last() {
                    self.mask = std::array::from_fn(|lane| came[lane] && !holds[lane]);
                }
            }
            Form::EndIf => {
                if let Some((came, _)) = self.branches.pop() {
                    self.mask = came;
                }
            }
            Form::Kill => {
                let value = self.source(&token.sources[0], 0);
                self.killed = std::array::from_fn(|lane| {
                    self.killed[lane] || self.mask[lane] && value[lane][0].float() < 0.0
                });
            }
            Form::Vectors(_) | Form::Matrix(_) | Form::Sample => self.compute(token),
            // No checked program has one.
            Form::Refused(_) => self.undefined = true,
        }
    }

    fn compare(&mut self, token: &Token) {
        let [a, b] = [0, 1].map(|n| self.source(&token.sources[n], 0));
        let came = self.mask;
        let holds = std::array::from_fn(|lane| {
            let [a, b] = [a, b].map(|quad| quad[lane][0].float());
            came[lane] && ops::holds(token.opcode, a, b)
        });
        self.branches.push((came, holds));
        self.mask = holds;
    }

    /// Executes a token that has a result.
    fn compute(&mut self, token: &Token) {
        let Some(destination) = token.destination.as_ref().filter(|it| !it.mask.is_empty()) else {
            return;
        };
        let value = match token.opcode.info().form {
            Form::Matrix(_) => self.matrix(token),
            Form::Sample => self.sample(token),
            Form::Vectors(_)
            | Form::Kill
            | Form::Compare
            | Form::Else
            | Form::EndIf
            | Form::Refused(_) => self.vector(token),
        };
        self.store(destination, &value);
    }

    fn vector(&mut self, token: &Token) -> Quad {
        let sources: Vec<Quad> = token.sources.iter().map(|it| self.source(it, 0)).collect();
        let a = sources[0];
        if token.opcode == AgalOpcode::Ddx {
            self.derivative(&a, 1)
        } else if token.opcode == AgalOpcode::Ddy {
            self.derivative(&a, 2)
        } else {
            let b = sources.get(1).copied().unwrap_or_default();
            let result = |lane: usize| ops::compute(token.opcode, a[lane], b[lane]);
            std::array::from_fn(|lane| result(lane).unwrap_or_default())
        }
    }

    /// The difference to the lane whose number differs in one bit: 0 and 1 stand above 2 and 3.
    fn derivative(&mut self, a: &Quad, bit: usize) -> Quad {
        self.needs_all();
        std::array::from_fn(|lane| {
            let (to, from) = (lane | bit, lane & !bit);
            std::array::from_fn(|n| Number::of(a[to][n].float() - a[from][n].float()))
        })
    }

    /// Operations on all lanes are defined where all take part.
    fn needs_all(&mut self) {
        self.undefined |= self.mask != [true; 4];
    }

    /// The product of a matrix and a vector: each row is a register.
    fn matrix(&mut self, token: &Token) -> Quad {
        let (rows, length) = if token.opcode == AgalOpcode::M33 {
            (3, 3)
        } else if token.opcode == AgalOpcode::M34 {
            (3, 4)
        } else {
            (4, 4)
        };
        let vector = self.source(&token.sources[0], 0);
        let mut result = Quad::default();
        for row in 0..rows {
            let other = self.source(&token.sources[1], row);
            for lane in 0..4 {
                let product = ops::dot(vector[lane], other[lane], length);
                result[lane][usize::from(row)] = Number::of(product);
            }
        }
        result
    }

    /// A source, or the register so many after it.
    fn source(&self, source: &Source, row: u16) -> Quad {
        let quad = match source.location {
            Location::Direct(Register { file, number }) => {
                self.register(Register::new(file, number + row))
            }
            Location::Indirect {
                index: register,
                component,
                offset,
                ..
            } => {
                let indices = self.register(register);
                std::array::from_fn(|lane| {
                    let index = index(indices[lane][component.index()]);
                    let number = index.map(|it| it + i64::from(offset) + i64::from(row));
                    let number = number.and_then(|it| u16::try_from(it).ok());
                    match number.filter(|it| *it < self.constants) {
                        Some(number) => self.register(Register::new(File::Constant, number))[lane],
                        None => Default::default(),
                    }
                })
            }
        };
        let taken = Component::ALL.map(|slot| source.swizzle.source(slot).index());
        quad.map(|lane| taken.map(|component| lane[component]))
    }

    fn register(&self, register: Register) -> Quad {
        let is_vertex = self.program.stage == Stage::Vertex;
        let comes_in = match register.file {
            File::Attribute | File::Constant | File::Instance => true,
            File::Varying => !is_vertex,
            File::Temporary | File::Output | File::Sampler | File::Depth => false,
        };
        match comes_in {
            true => std::array::from_fn(|lane| {
                let value = self.world.register(register, lane);
                value.map(Number::moved)
            }),
            false => self.registers.get(&register).copied().unwrap_or_default(),
        }
    }

    fn store(&mut self, destination: &Destination, value: &Quad) {
        let register = self.registers.entry(destination.register).or_default();
        for lane in (0..4).filter(|lane| self.mask[*lane]) {
            for component in destination.mask.components() {
                register[lane][component.index()] = value[lane][component.index()];
            }
        }
    }
}
