//! The registers that a program names, and what stands for them.

use std::collections::{BTreeMap, BTreeSet};

use attila_isa::{Component, RelAddr, Slots, Stage};

use super::super::language::{Input, Output, Param};
use super::super::program::{
    AgalProgram, Destination, File, Location, Register as Name, Source, Token,
};
use super::{Lowering, Operand, Place, Register};
use crate::back::CONSTANTS;

/// The registers that a program names. Numbers may have gaps, so that temporaries are counted anew.
#[derive(Default)]
pub(super) struct Names {
    /// The number of each temporary among the first ones of the code.
    temporaries: BTreeMap<u16, usize>,
    /// The varyings that a vertex program reads, with their temporaries and what it writes of them.
    varyings: BTreeMap<u16, (usize, Slots)>,
    /// The components of attributes that are read.
    pub(super) attributes: BTreeMap<u16, Slots>,
    /// The constants that are read.
    pub(super) constants: BTreeSet<u16>,
    /// Whether constants are computed.
    pub(super) computes_constants: bool,
    /// Whether the number of the instance is read.
    pub(super) reads_instance: bool,
    /// Whether the depth, which is one component, is written.
    pub(super) writes_depth: bool,
}

/// The registers that `program` names.
pub(super) fn names(program: &AgalProgram) -> Names {
    let mut names = Names::default();
    for token in &program.tokens {
        let slots = token.slots();
        for (index, source) in token.sources.iter().enumerate() {
            names.source(
                source,
                token.opcode.info().form.rows(index),
                slots,
                program.stage,
            );
        }
        if let Some(it) = &token.destination {
            names.destination(it);
        }
    }
    let first = names.temporaries.len();
    for (index, (temp, _)) in names.varyings.values_mut().enumerate() {
        *temp = first + index;
    }
    for it in program
        .tokens
        .iter()
        .filter_map(|token| token.destination.as_ref())
    {
        if it.register.file == File::Varying
            && let Some((_, mask)) = names.varyings.get_mut(&it.register.number)
        {
            *mask |= it.mask;
        }
    }
    names
}

impl Names {
    fn destination(&mut self, it: &Destination) {
        match it.register.file {
            File::Temporary => self.temporary(it.register.number),
            File::Depth => self.writes_depth |= it.mask.has(Component::X),
            File::Attribute
            | File::Constant
            | File::Output
            | File::Varying
            | File::Sampler
            | File::Instance => {}
        }
    }

    fn temporary(&mut self, number: u16) {
        let next = self.temporaries.len();
        self.temporaries.entry(number).or_insert(next);
    }

    fn source(&mut self, source: &Source, rows: u16, slots: Slots, stage: Stage) {
        match source.location {
            Location::Direct(register) => {
                for row in 0..rows {
                    let number = register.number.saturating_add(row);
                    let read = source.swizzle.sources(slots);
                    self.register(Name { number, ..register }, read, stage);
                }
            }
            Location::Indirect {
                index, component, ..
            } => {
                self.computes_constants = true;
                self.register(index, Slots::only(component), stage);
            }
        }
    }

    fn register(&mut self, register: Name, read: Slots, stage: Stage) {
        let number = register.number;
        match register.file {
            File::Attribute => *self.attributes.entry(number).or_insert(Slots::empty()) |= read,
            File::Constant => {
                self.constants.insert(number);
            }
            File::Temporary => self.temporary(number),
            File::Varying if stage == Stage::Vertex => {
                self.varyings.insert(number, (0, Slots::empty()));
            }
            File::Instance => self.reads_instance = true,
            File::Varying | File::Output | File::Sampler | File::Depth => {}
        }
    }

    /// The number of temporaries.
    pub(super) fn count(&self) -> usize {
        self.temporaries.len() + self.varyings.len()
    }

    /// The varyings that a vertex program reads, the temporaries that stand for them, and what it writes.
    pub(super) fn read_varyings(&self) -> Vec<(u16, usize, Slots)> {
        let rows = self.varyings.iter();
        rows.map(|(number, (temp, mask))| (*number, *temp, *mask))
            .collect()
    }
}

impl Lowering {
    /// The place of a result. The depth is the first component of its register.
    pub(super) fn place(&mut self, it: &Destination) -> (Place, Slots) {
        let Name { file, number } = it.register;
        let place = match (file, self.stage) {
            (File::Temporary, _) => Place::Temp(self.names.temporaries[&number]),
            (File::Varying, _) => match self.names.varyings.get(&number) {
                Some((temp, _)) => Place::Temp(*temp),
                None => Place::Output(Output::Varying(number)),
            },
            (File::Depth, _) => {
                let code = &mut self.code;
                let depth = *self.depth.get_or_insert_with(|| code.temp());
                Place::Temp(depth)
            }
            (File::Output, Stage::Vertex) => Place::Output(Output::Position),
            (
                File::Output | File::Attribute | File::Constant | File::Sampler | File::Instance,
                _,
            ) => Place::Output(Output::Color(number)),
        };
        (place, it.mask)
    }

    /// A source. `row` is added to the number of its register.
    pub(super) fn operand(&mut self, source: &Source, row: u16) -> Operand {
        let register = match source.location {
            Location::Direct(Name { file, number }) => self.register(Name {
                file,
                number: number.saturating_add(row),
            }),
            Location::Indirect {
                index,
                component,
                offset,
                ..
            } => {
                let index = Operand::new(self.register(index)).only(component);
                let address = self.code.address(index, self.current.span.clone());
                // The base takes the part of a distance that an instruction cannot hold.
                let offset = i16::from(offset) + row.cast_signed();
                let held = offset.min(*RelAddr::OFFSETS.end());
                Register::Element {
                    base: (offset - held).cast_unsigned().min(CONSTANTS - 1),
                    offset: held,
                    address,
                }
            }
        };
        let mut operand = Operand::new(register);
        operand.swizzle = source.swizzle;
        operand
    }

    fn register(&self, register: Name) -> Register {
        let number = register.number;
        match (register.file, self.instance) {
            (File::Attribute, _) => Register::Input(Input::Attribute(number)),
            (File::Constant, _) => Register::Param(Param::Constant(number)),
            (File::Temporary, _) => Register::Temp(self.names.temporaries[&number]),
            (File::Varying, _) => match self.names.varyings.get(&number) {
                Some((temp, _)) => Register::Temp(*temp),
                None => Register::Input(Input::Varying(number)),
            },
            (File::Instance, Some(temp)) => Register::Temp(temp),
            (File::Instance | File::Output | File::Sampler | File::Depth, _) => {
                Register::Input(Input::Instance)
            }
        }
    }

    /// Whether writing `mask` of the result changes what `token` reads.
    pub(super) fn overwrites_source(&self, token: &Token) -> bool {
        let Some(it) = &token.destination else {
            return false;
        };
        let is_it = |register: Name| register == it.register;
        let mut sources = token.sources.iter().enumerate();
        sources.any(|(index, source)| match source.location {
            Location::Direct(Name { file, number }) => {
                let rows = 0..token.opcode.info().form.rows(index);
                let mut names = rows.map(|row| Name {
                    file,
                    number: number.saturating_add(row),
                });
                names.any(is_it)
            }
            Location::Indirect { index, .. } => is_it(index),
        })
    }
}
