//! Programs between the two languages: ATTILA's instructions on registers of which there are as
//! many as one likes.

use std::ops::Range;

use attila_isa::{Component, Modifiers, Opcode, OperandKind, Slots, Swizzle};
use smallvec::SmallVec;

use super::super::binding::{Input, Output, Param};
use super::super::program::{Target, TextureUse};

/// A register that can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Register {
    /// A temporary, of any number. What is not written is 0.
    Temp(usize),
    /// An input.
    Input(Input),
    /// A parameter.
    Param(Param),
    /// The constant at `base` plus `offset` plus an address register.
    Element {
        base: u16,
        offset: i16,
        address: usize,
    },
}

/// A source: swizzled, then modified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Operand {
    pub(super) register: Register,
    pub(super) swizzle: Swizzle,
    pub(super) modifiers: Modifiers,
}

impl Operand {
    /// The register as it is.
    pub(super) fn new(register: Register) -> Operand {
        Operand {
            register,
            swizzle: Swizzle::IDENTITY,
            modifiers: Modifiers::default(),
        }
    }

    /// A constant.
    pub(super) fn constant(value: [f32; 4]) -> Operand {
        Operand::new(Register::Param(Param::constant(value)))
    }

    /// The value, if it is a constant of the text.
    pub(super) fn literal(self) -> Option<[f32; 4]> {
        let Register::Param(Param::Constant(bits)) = self.register else {
            return None;
        };
        let value = Component::ALL.map(|slot| bits[self.swizzle.source(slot).index()]);
        Some(value.map(|bits| f32::from_bits(self.modifiers.apply_float(bits))))
    }

    /// The operand with its slots chosen again.
    pub(super) fn swizzled(self, swizzle: [Component; 4]) -> Operand {
        Operand {
            swizzle: Swizzle::new(swizzle.map(|slot| self.swizzle.source(slot))),
            ..self
        }
    }

    /// The same component in all slots.
    pub(super) fn only(self, slot: Component) -> Operand {
        self.swizzled([slot; 4])
    }

    /// The operand with the other sign.
    pub(super) fn negated(mut self) -> Operand {
        self.modifiers.negate = !self.modifiers.negate;
        self
    }

    /// The operand without a sign.
    pub(super) fn absolute(self) -> Operand {
        let modifiers = Modifiers {
            negate: false,
            absolute: true,
        };
        Operand { modifiers, ..self }
    }
}

/// The operands of an instruction.
pub(super) type Operands = SmallVec<[Operand; 3]>;

/// What an instruction writes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// A temporary.
    Temp(usize),
    /// An output.
    Output(Output),
    /// A component of an address register, by number.
    Address(usize),
}

/// An instruction.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Step {
    pub(super) op: Opcode,
    pub(super) saturate: bool,
    /// What is written; KIL and ZXP have none.
    pub(super) result: Option<(Place, Slots)>,
    pub(super) operands: Operands,
    pub(super) texture: Option<TextureUse>,
    /// Where it comes from in the text.
    pub(super) span: Range<usize>,
}

impl Step {
    /// The components that are written.
    pub(super) fn mask(&self) -> Slots {
        self.result.map_or(Slots::empty(), |(_, mask)| mask)
    }

    /// The temporary that is written.
    pub(super) fn written_temp(&self) -> Option<(usize, Slots)> {
        match self.result {
            Some((Place::Temp(temp), mask)) => Some((temp, mask)),
            Some((Place::Output(_) | Place::Address(_), _)) | None => None,
        }
    }

    /// The temporary whose components it writes as they are, to wherever it writes.
    pub(super) fn plain_copy(&self) -> Option<usize> {
        let [operand] = *self.operands.as_slice() else {
            return None;
        };
        let Register::Temp(temp) = operand.register else {
            return None;
        };
        let stays = |component| operand.swizzle.source(component) == component;
        let plain = operand.modifiers == Modifiers::default();
        let plain = plain && self.mask().components().all(stays);
        (self.op == Opcode::Mov && plain).then_some(temp)
    }

    /// The slots of an operand that matter.
    pub(super) fn slots(&self, operand: usize) -> Slots {
        self.slots_of(self.op.operands()[operand])
    }

    fn slots_of(&self, operand: OperandKind) -> Slots {
        let read = match operand {
            OperandKind::Float(reads) | OperandKind::Int(reads) | OperandKind::Raw(reads) => {
                reads.slots(self.mask())
            }
            OperandKind::Bool
            | OperandKind::Unit
            | OperandKind::Attribute
            | OperandKind::Sample
            | OperandKind::Offset
            | OperandKind::Ignored => Slots::empty(),
        };
        match self.texture {
            Some(texture) => read & coordinates(texture),
            None => read,
        }
    }

    /// The operands, with the components of their registers that matter.
    pub(super) fn reads(&self) -> impl Iterator<Item = (Operand, Slots)> {
        let operands = self.operands.iter().zip(self.op.operands());
        operands.map(|(operand, kind)| (*operand, operand.swizzle.sources(self.slots_of(*kind))))
    }

    /// The temporaries that are read.
    pub(super) fn read_temps(&self) -> impl Iterator<Item = (usize, Slots)> {
        self.reads()
            .filter_map(|(operand, components)| match operand.register {
                Register::Temp(temp) => Some((temp, components)),
                Register::Input(_) | Register::Param(_) | Register::Element { .. } => None,
            })
    }

    /// Makes it write no component of its result.
    pub(super) fn cancel(&mut self) {
        if let Some((_, mask)) = &mut self.result {
            *mask = Slots::empty();
        }
    }

    /// Whether it does nothing: it has a result, of which no component is written.
    pub(super) fn is_cancelled(&self) -> bool {
        self.result.is_some_and(|(_, mask)| mask.is_empty())
    }
}

/// What a texture looks at: its coordinates, what it compares with, and w.
fn coordinates(texture: TextureUse) -> Slots {
    let shape = match texture.target {
        Target::OneD => Slots::X,
        Target::TwoD | Target::Rectangle => Slots::X | Slots::Y,
        Target::ThreeD | Target::Cube => Slots::X | Slots::Y | Slots::Z,
    };
    let compared = if texture.shadow {
        Slots::Z
    } else {
        Slots::empty()
    };
    shape | compared | Slots::W
}

/// A program.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Code {
    pub(super) steps: Vec<Step>,
    /// How many temporaries there are.
    pub(super) temps: usize,
}

impl Code {
    /// A new temporary.
    pub(super) fn temp(&mut self) -> usize {
        self.temps += 1;
        self.temps - 1
    }
}
