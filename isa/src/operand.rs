//! Operands: swizzles, write masks, modifiers, guards.

use std::fmt;

use crate::bank::{Bank, Pred, Reg};
use crate::target::TextureTarget;

bitflags::bitflags! {
    /// A set of the four components x, y, z, w; a write mask when it says what is written.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
    pub struct Slots: u8 {
        /// Component 0.
        const X = 1;
        /// Component 1.
        const Y = 2;
        /// Component 2.
        const Z = 4;
        /// Component 3.
        const W = 8;
    }
}

impl Slots {
    /// The set with just component `c`.
    pub const fn only(c: Component) -> Slots {
        Slots::from_bits_truncate(1 << c as u8)
    }

    /// Whether component `c` is in the set.
    pub const fn has(self, c: Component) -> bool {
        self.contains(Slots::only(c))
    }

    /// Whether the set has both components of a pair, xy or zw, or none.
    pub const fn is_of_pairs(self) -> bool {
        (self.bits() ^ self.bits() >> 1) & 0b101 == 0
    }

    /// The components of the set, in the order x, y, z, w.
    pub fn components(self) -> impl Iterator<Item = Component> {
        Component::ALL.into_iter().filter(move |c| self.has(*c))
    }
}

/// One of the four components of a register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Component {
    /// Component 0.
    X = 0,
    /// Component 1.
    Y = 1,
    /// Component 2.
    Z = 2,
    /// Component 3.
    W = 3,
}

impl Component {
    /// x, y, z, w.
    pub const ALL: [Component; 4] = [Component::X, Component::Y, Component::Z, Component::W];

    /// The component with the number `bits & 3`.
    pub const fn from_bits(bits: u8) -> Component {
        Component::ALL[(bits & 3) as usize]
    }

    /// 0 for x … 3 for w.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `x`, `y`, `z` or `w`.
    pub const fn letter(self) -> char {
        ['x', 'y', 'z', 'w'][self.index()]
    }
}

/// Slots of a swizzle that take components x and y.
const XY: u8 = 0b00_01;
/// Slots of a swizzle that take components z and w.
const ZW: u8 = 0b10_11;

/// Which component of a register each slot of an operand takes; bits 7-6 for slot x, … 1-0 for w.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Swizzle(u8);

impl Swizzle {
    /// `.xyzw`: every slot takes its own component.
    pub const IDENTITY: Swizzle = Swizzle(0x1b);

    /// The swizzle with the given sources for slots x, y, z, w.
    pub const fn new(slots: [Component; 4]) -> Swizzle {
        Swizzle(
            (slots[0] as u8) << 6 | (slots[1] as u8) << 4 | (slots[2] as u8) << 2 | slots[3] as u8,
        )
    }

    /// The same component in every slot.
    pub const fn broadcast(c: Component) -> Swizzle {
        Swizzle::new([c; 4])
    }

    /// The swizzle coded as `bits` in an instruction word.
    pub const fn from_bits(bits: u8) -> Swizzle {
        Swizzle(bits)
    }

    /// The code in an instruction word.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The component that slot `slot` takes.
    pub const fn source(self, slot: Component) -> Component {
        Component::from_bits(self.0 >> (6 - 2 * slot as u8))
    }

    /// The components that the given slots take.
    #[inline]
    pub fn sources(self, slots: Slots) -> Slots {
        let taken = |all, slot| {
            let source = Slots::only(self.source(slot));
            if slots.has(slot) { all | source } else { all }
        };
        Component::ALL.into_iter().fold(Slots::empty(), taken)
    }

    /// Whether slots xy take a pair of components, xy or zw, and slots zw the other or the same pair:
    /// xyxy, zwzw, xyzw and zwxy.
    pub const fn keeps_pairs(self) -> bool {
        let (xy, zw) = (self.0 >> 4, self.0 & 0xf);
        matches!(xy, XY | ZW) && matches!(zw, XY | ZW)
    }

    /// The component of all four slots, if they agree.
    pub fn as_broadcast(self) -> Option<Component> {
        let w = self.source(Component::W);
        (self == Swizzle::broadcast(w)).then_some(w)
    }
}

impl Default for Swizzle {
    fn default() -> Self {
        Swizzle::IDENTITY
    }
}

/// Changes to a value after it has been swizzled: first absolute, then negate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Modifiers {
    /// Flips the sign.
    pub negate: bool,
    /// Clears the sign, before `negate`.
    pub absolute: bool,
}

impl Modifiers {
    /// Applied to f32 bits.
    pub const fn apply_float(self, bits: u32) -> u32 {
        let bits = if self.absolute {
            bits & 0x7fff_ffff
        } else {
            bits
        };
        if self.negate {
            bits ^ 0x8000_0000
        } else {
            bits
        }
    }

    /// Applied to an i32, wrapping (D12).
    pub const fn apply_int(self, bits: u32) -> u32 {
        let value = bits.cast_signed();
        let value = if self.absolute {
            value.wrapping_abs()
        } else {
            value
        };
        (if self.negate {
            value.wrapping_neg()
        } else {
            value
        })
        .cast_unsigned()
    }
}

/// A register as a source: swizzled, then modified.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Src {
    /// The register; the base of the index where [`Inst::relative`](crate::Inst::relative) is set
    /// and the bank is [`Bank::Constant`].
    pub reg: Reg,
    /// Which components the slots take.
    pub swizzle: Swizzle,
    /// Sign modifiers.
    pub modifiers: Modifiers,
}

impl Src {
    /// The register as it is.
    pub const fn new(reg: Reg) -> Src {
        Src {
            reg,
            swizzle: Swizzle::IDENTITY,
            modifiers: Modifiers {
                negate: false,
                absolute: false,
            },
        }
    }
}

/// An immediate: 32 bits for all four slots, modified like a register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Imm {
    /// The bits in the word: f32 or i32 by the instruction.
    pub bits: u32,
    /// Sign modifiers; the canonical form of -0.5 is 0.5 negated.
    pub modifiers: Modifiers,
}

/// A truth value as a source (ANDP, JMP).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoolSrc {
    /// `true` or `false`.
    Literal(bool),
    /// A predicate register.
    Pred {
        /// The register.
        pred: Pred,
        /// Whether its value is negated.
        negate: bool,
    },
    /// A component of a constant, true if its raw word is not 0 (D41).
    Constant {
        /// The constant, relative like any other.
        reg: Reg,
        /// The component; the word has it in slot w of the swizzle.
        component: Component,
        /// Whether its value is negated.
        negate: bool,
    },
}

/// A source operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// No operand at this place.
    None,
    /// A register.
    Reg(Src),
    /// An immediate.
    Imm(Imm),
    /// A truth value.
    Bool(BoolSrc),
    /// A texture unit.
    Unit {
        /// Its number.
        unit: u8,
        /// The kind of image that it is read as.
        target: TextureTarget,
    },
    /// A vertex attribute.
    Attribute(u8),
    /// A stream of emitted vertices.
    Stream(u8),
    /// A sample of the fragment, or a number past the last one.
    Sample(u8),
    /// An array of scratch memory.
    Scratch(ScratchArray),
    /// A constant buffer.
    Buffer(u8),
    /// A storage buffer.
    Storage(u8),
    /// A number that is added to an index: the word's eight bits.
    Number(u8),
    /// A jump distance in instructions.
    Offset(i32),
}

impl Operand {
    /// The value that lanes read. `None`: it names something else.
    pub fn value(&self) -> Option<OperandValue> {
        match *self {
            Operand::Reg(src) => Some(OperandValue::Reg(src)),
            Operand::Imm(imm) => Some(OperandValue::Imm(imm)),
            Operand::Bool(truth) => Some(OperandValue::Bool(truth)),
            Operand::None
            | Operand::Unit { .. }
            | Operand::Attribute(_)
            | Operand::Stream(_)
            | Operand::Sample(_)
            | Operand::Scratch(_)
            | Operand::Buffer(_)
            | Operand::Storage(_)
            | Operand::Number(_)
            | Operand::Offset(_) => None,
        }
    }

    /// The register that it reads, whether as numbers or as a truth value.
    pub fn register(&self) -> Option<Reg> {
        match self.value()? {
            OperandValue::Reg(src) => Some(src.reg),
            OperandValue::Bool(BoolSrc::Constant { reg, .. }) => Some(reg),
            OperandValue::Bool(BoolSrc::Literal(_) | BoolSrc::Pred { .. })
            | OperandValue::Imm(_) => None,
        }
    }

    /// Whether it is a constant register.
    pub fn is_constant(&self) -> bool {
        self.register()
            .is_some_and(|reg| reg.bank() == Bank::Constant)
    }
}

/// An operand that has a value in each lane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OperandValue {
    /// A register.
    Reg(Src),
    /// An immediate.
    Imm(Imm),
    /// A truth value.
    Bool(BoolSrc),
}

/// The destinations of an instruction: one for each result of its row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Dst {
    /// Components of a register.
    pub reg: Option<DstReg>,
    /// A predicate register.
    pub pred: Option<Pred>,
    /// Components of a scratch vector, which the first operand names.
    pub scratch: Option<DstScratch>,
    /// Words of the storage buffer that is operand 2: x at the address, the others after it.
    pub storage: Option<Slots>,
}

/// A part of the scratch memory, the same in all lanes. Lanes have vectors of their own there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ScratchArray {
    /// The first vector.
    pub base: u16,
    /// How many there are, at most [`ScratchArray::MOST`].
    pub size: u16,
}

impl ScratchArray {
    /// The longest array that an instruction word can hold.
    pub const MOST: u16 = (1 << 14) - 1;

    /// One more than its last vector.
    pub const fn end(self) -> u32 {
        self.base as u32 + self.size as u32
    }
}

/// As `s16[8]`: base, then size.
impl fmt::Display for ScratchArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}[{}]", self.base, self.size)
    }
}

/// Components of a scratch vector that is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DstScratch {
    /// The array that has the vector.
    pub array: ScratchArray,
    /// The components. An empty mask writes nothing.
    pub mask: Slots,
}

/// Components of a register that is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DstReg {
    /// The register.
    pub reg: Reg,
    /// The components. An empty mask writes nothing.
    pub mask: Slots,
}

impl Dst {
    /// Nothing.
    pub const NONE: Dst = Dst {
        reg: None,
        pred: None,
        scratch: None,
        storage: None,
    };

    /// The components `mask` of a register.
    pub const fn reg(reg: Reg, mask: Slots) -> Dst {
        Dst {
            reg: Some(DstReg { reg, mask }),
            ..Dst::NONE
        }
    }

    /// A predicate register.
    pub const fn pred(pred: Pred) -> Dst {
        Dst {
            pred: Some(pred),
            ..Dst::NONE
        }
    }

    /// The words `mask` of a storage buffer.
    pub const fn storage(mask: Slots) -> Dst {
        Dst {
            storage: Some(mask),
            ..Dst::NONE
        }
    }

    /// The components `mask` of a vector of an array.
    pub const fn scratch(array: ScratchArray, mask: Slots) -> Dst {
        Dst {
            scratch: Some(DstScratch { array, mask }),
            ..Dst::NONE
        }
    }
}

/// The address of every constant of an instruction: `c[base + a.component + offset]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RelAddr {
    /// The address register, a0 or a1.
    pub reg: Reg,
    /// Its component.
    pub component: Component,
    /// Added to it, -256..=255.
    pub offset: i16,
}

impl RelAddr {
    /// The offsets that a word can hold.
    pub const OFFSETS: std::ops::RangeInclusive<i16> = -256..=255;
}

/// The predicate that decides, lane by lane, whether an instruction takes effect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Guard {
    /// The register.
    pub pred: Pred,
    /// Whether its opposite decides.
    pub negate: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swizzle_bits_are_as_in_the_reference() {
        use Component::{W, X, Y, Z};
        assert_eq!(Swizzle::IDENTITY.bits(), 0x1b);
        assert_eq!(Swizzle::broadcast(Y).bits(), 0x55);
        assert_eq!(Swizzle::new([W, Z, Y, X]).bits(), 0xe4);
        assert_eq!(Swizzle::new([W, Z, Y, X]).source(X), W);
        assert_eq!(Swizzle::broadcast(Z).as_broadcast(), Some(Z));
        assert_eq!(Swizzle::IDENTITY.as_broadcast(), None);
        assert_eq!(
            Swizzle::new([X, X, Z, W]).sources(Slots::X | Slots::Y),
            Slots::X
        );
    }

    #[test]
    fn modifiers_take_the_absolute_value_before_the_sign() {
        let both = Modifiers {
            negate: true,
            absolute: true,
        };
        assert_eq!(both.apply_float(1.0f32.to_bits()), (-1.0f32).to_bits());
        assert_eq!(both.apply_float((-1.0f32).to_bits()), (-1.0f32).to_bits());
        assert_eq!(both.apply_int(5), (-5i32).cast_unsigned());
        assert_eq!(both.apply_int(0x8000_0000), 0x8000_0000);
    }
}
