//! Instructions on any number of temporaries and predicates.

use std::ops::Range;

use attila_isa::{
    self as isa, Component, Modifiers, OpFlags, Opcode, OperandKind, ResultPath, ScratchArray,
    Slots, Swizzle,
};
use smallvec::SmallVec;

use super::Language;

/// A register that can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Register<L: Language> {
    /// A temporary, by the number that [`Code::temp`](super::Code::temp) gave it. Components that are not written are 0.
    Temp(usize),
    /// A predicate, by the number that [`Code::predicate`](super::Code::predicate) gave it. It is read as a truth value.
    Predicate(usize),
    /// An input.
    Input(L::Input),
    /// A parameter.
    Param(L::Param),
    /// The constant register `base` plus `offset` plus a component of an address register.
    Element {
        /// The constant register of an array's first element.
        base: u16,
        /// A distance that an instruction can hold.
        offset: i16,
        /// The component of the address registers, counted from a0.x.
        address: usize,
    },
    /// Two temporaries in registers that follow each other: derivatives. No other instruction reads them.
    Pair(usize, usize),
    /// None: the operand stands in the instruction as it is here. [`isa::Operand::None`] is one that is
    /// absent; others name memory, attributes and streams.
    AsIs(isa::Operand),
}

/// A source: swizzled, then modified. Only the sign of a predicate counts: it negates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand<L: Language> {
    /// The register.
    pub register: Register<L>,
    /// The component that each slot takes.
    pub swizzle: Swizzle,
    /// Sign modifiers.
    pub modifiers: Modifiers,
}

impl<L: Language> Operand<L> {
    /// The register as it is.
    pub fn new(register: Register<L>) -> Operand<L> {
        Operand {
            register,
            swizzle: Swizzle::IDENTITY,
            modifiers: Modifiers::default(),
        }
    }

    /// A temporary.
    pub fn temp(number: usize) -> Operand<L> {
        Operand::new(Register::Temp(number))
    }

    /// No operand.
    pub fn absent() -> Operand<L> {
        Operand::new(Register::AsIs(isa::Operand::None))
    }

    /// A constant.
    pub fn constant(value: [f32; 4]) -> Operand<L> {
        Operand::new(Register::Param(L::constant(value.map(f32::to_bits))))
    }

    /// The value, if it is a constant of the text.
    pub fn literal(self) -> Option<[f32; 4]> {
        let Register::Param(param) = self.register else {
            return None;
        };
        let bits = L::bits(param)?;
        let value = Component::ALL.map(|slot| bits[self.swizzle.source(slot).index()]);
        Some(value.map(|bits| f32::from_bits(self.modifiers.apply_float(bits))))
    }

    /// The operand with its slots chosen again.
    pub fn swizzled(self, swizzle: [Component; 4]) -> Operand<L> {
        Operand {
            swizzle: Swizzle::new(swizzle.map(|slot| self.swizzle.source(slot))),
            ..self
        }
    }

    /// The same component in all slots.
    pub fn only(self, slot: Component) -> Operand<L> {
        self.swizzled([slot; 4])
    }

    /// The operand with the other sign.
    pub fn negated(mut self) -> Operand<L> {
        self.modifiers.negate = !self.modifiers.negate;
        self
    }

    /// The operand without a sign.
    pub fn absolute(self) -> Operand<L> {
        let modifiers = Modifiers {
            negate: false,
            absolute: true,
        };
        Operand { modifiers, ..self }
    }
}

/// The operands of an instruction.
pub type Operands<L> = SmallVec<[Operand<L>; 3]>;

/// A lookup in a texture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lookup<L: Language> {
    /// The texture.
    pub texture: L::Texture,
    /// The component of the address registers that is added to its unit, counted from a0.x: for
    /// operations that name a target only.
    pub address: Option<usize>,
    /// The component that TG4 gathers.
    pub gather: Component,
    /// Whether XTEX looks at level 0.
    pub level_zero: bool,
}

impl<L: Language> Lookup<L> {
    /// A lookup without further details.
    pub fn new(texture: L::Texture) -> Lookup<L> {
        Lookup {
            texture,
            address: None,
            gather: Component::X,
            level_zero: false,
        }
    }
}

/// A place that an instruction writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place<L: Language> {
    /// A temporary.
    Temp(usize),
    /// A predicate; its mask is [`Slots::X`].
    Predicate(usize),
    /// An output.
    Output(L::Output),
    /// A component of the address registers, counted from a0.x.
    Address(usize),
    /// The vector of an array that the first operand of STT chooses.
    Scratch(ScratchArray),
    /// Words of the storage buffer among the operands.
    Storage,
}

/// A predicate, or its opposite, as a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// The predicate's number.
    pub predicate: usize,
    /// Whether its opposite is meant.
    pub negate: bool,
}

impl Condition {
    /// The opposite condition.
    pub fn negated(self) -> Condition {
        Condition {
            negate: !self.negate,
            ..self
        }
    }
}

/// An instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct Step<L: Language> {
    /// Its operation: not a jump, nor an end.
    pub op: Opcode,
    /// The condition under which it takes effect.
    pub guard: Option<Condition>,
    /// How a float result is changed on its way; a path that is not plain inverts a predicate.
    pub path: ResultPath,
    /// Products with a factor 0 are 0, whatever the other factor is: operations with
    /// [`OpFlags::PRODUCT`] only.
    pub zero_wins: bool,
    /// The place and components that are written; KIL and ZXP have none.
    pub result: Option<(Place<L>, Slots)>,
    /// Its operands without the texture unit.
    pub operands: Operands<L>,
    /// The lookup of TEX and its relatives.
    pub texture: Option<Lookup<L>>,
    /// Its place in the text, in bytes.
    pub span: Range<usize>,
}

impl<L: Language> Step<L> {
    /// An instruction without guard, clamp and texture.
    pub fn new(
        op: Opcode,
        result: Option<(Place<L>, Slots)>,
        operands: &[Operand<L>],
        span: Range<usize>,
    ) -> Step<L> {
        Step {
            op,
            guard: None,
            path: ResultPath::Plain,
            zero_wins: false,
            result,
            operands: Operands::from_slice(operands),
            texture: None,
            span,
        }
    }

    /// The components that are written.
    pub(super) fn mask(&self) -> Slots {
        self.result.map_or(Slots::empty(), |(_, mask)| mask)
    }

    /// The temporary that is written.
    pub(super) fn written_temp(&self) -> Option<(usize, Slots)> {
        match self.result {
            Some((Place::Temp(temp), mask)) => Some((temp, mask)),
            Some((
                Place::Predicate(_)
                | Place::Output(_)
                | Place::Address(_)
                | Place::Scratch(_)
                | Place::Storage,
                _,
            ))
            | None => None,
        }
    }

    /// The temporary or predicate that is written.
    pub(super) fn written_value(&self) -> Option<(usize, Slots)> {
        match self.result {
            Some((Place::Temp(value) | Place::Predicate(value), mask)) => Some((value, mask)),
            Some((
                Place::Output(_) | Place::Address(_) | Place::Scratch(_) | Place::Storage,
                _,
            ))
            | None => None,
        }
    }

    /// The temporary whose components it writes as they are, to any place.
    pub(super) fn plain_copy(&self) -> Option<usize> {
        let [operand] = *self.operands.as_slice() else {
            return None;
        };
        let Register::Temp(temp) = operand.register else {
            return None;
        };
        let stays = |component| operand.swizzle.source(component) == component;
        let plain = operand.modifiers == Modifiers::default() && self.guard.is_none();
        let plain = plain && self.mask().components().all(stays);
        (self.op == Opcode::Mov && plain).then_some(temp)
    }

    /// Whether an operand is f64, which are pairs of components.
    pub(super) fn reads_doubles(&self, operand: usize) -> bool {
        matches!(self.op.operands()[operand], OperandKind::Double(_))
    }

    /// The slots of an operand that matter.
    pub(super) fn slots(&self, operand: usize) -> Slots {
        self.slots_of(operand, self.op.operands()[operand], self.mask())
    }

    /// The slots that matter of an operand of a kind where `mask` is written.
    fn slots_of(&self, operand: usize, kind: OperandKind, mask: Slots) -> Slots {
        let read = kind.reads(mask).unwrap_or_default();
        match self.texture {
            Some(lookup) if operand == 0 => read & L::coordinates(lookup.texture),
            Some(_) | None => read,
        }
    }

    /// The temporaries that are read, with their components.
    pub(super) fn read_temps(&self) -> impl Iterator<Item = (usize, Slots)> {
        let operands = self.operands.iter().zip(self.op.operands()).enumerate();
        operands.flat_map(|(index, (operand, kind))| {
            let slots = self.slots_of(index, *kind, self.mask());
            let read = operand.swizzle.sources(slots);
            let temps = match operand.register {
                Register::Temp(temp) => [Some((temp, read)), None],
                Register::Pair(first, second) => [Some((first, read)), Some((second, read))],
                Register::Predicate(_)
                | Register::Input(_)
                | Register::Param(_)
                | Register::Element { .. }
                | Register::AsIs(_) => [None, None],
            };
            temps.into_iter().flatten()
        })
    }

    /// The address components that are read.
    pub(super) fn read_addresses(&self) -> impl Iterator<Item = usize> {
        let lookup = self.texture.and_then(|lookup| lookup.address);
        let operands = self
            .operands
            .iter()
            .filter_map(|operand| match operand.register {
                Register::Element { address, .. } => Some(address),
                Register::Temp(_)
                | Register::Predicate(_)
                | Register::Input(_)
                | Register::Param(_)
                | Register::Pair(..)
                | Register::AsIs(_) => None,
            });
        operands.chain(lookup)
    }

    /// Calls `read` with the components of temporaries and predicates that are read where `mask` is
    /// written.
    #[inline]
    pub(super) fn for_each_read(&self, mask: Slots, mut read: impl FnMut(usize, Slots)) {
        for (index, (operand, kind)) in self.operands.iter().zip(self.op.operands()).enumerate() {
            match operand.register {
                Register::Temp(temp) => {
                    let slots = self.slots_of(index, *kind, mask);
                    read(temp, operand.swizzle.sources(slots));
                }
                Register::Pair(first, second) => {
                    let slots = self.slots_of(index, *kind, mask);
                    read(first, operand.swizzle.sources(slots));
                    read(second, operand.swizzle.sources(slots));
                }
                Register::Predicate(predicate) => read(predicate, Slots::X),
                Register::Input(_)
                | Register::Param(_)
                | Register::Element { .. }
                | Register::AsIs(_) => {}
            }
        }
        if let Some(guard) = self.guard {
            read(guard.predicate, Slots::X);
        }
    }

    /// The values that it reads, to be changed.
    pub(super) fn values_mut(&mut self) -> impl Iterator<Item = &mut usize> {
        let operands = self.operands.iter_mut();
        let operands = operands.flat_map(|operand| {
            let values = match &mut operand.register {
                Register::Temp(value) | Register::Predicate(value) => [Some(value), None],
                Register::Pair(first, second) => [Some(first), Some(second)],
                Register::Input(_)
                | Register::Param(_)
                | Register::Element { .. }
                | Register::AsIs(_) => [None, None],
            };
            values.into_iter().flatten()
        });
        let guard = self.guard.iter_mut().map(|guard| &mut guard.predicate);
        operands.chain(guard)
    }

    /// Whether it takes the outputs as they are, as EMIT does.
    pub(super) fn reads_outputs(&self) -> bool {
        self.op.has(OpFlags::EMIT)
    }

    /// Whether lanes read each other's registers in it.
    pub(super) fn reads_neighbours(&self) -> bool {
        self.op.has(OpFlags::QUAD)
    }

    /// Whether all constants of the instruction would be relative to the address of `operand`.
    pub(super) fn is_relative(operand: &Operand<L>) -> bool {
        matches!(operand.register, Register::Element { .. })
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
