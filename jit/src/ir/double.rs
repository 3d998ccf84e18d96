//! [`DoubleOp`]: operations on f64, each of which is two words for each lane.

use super::Type;
use super::types::{Kind, Results};

/// An operation on f64. The low words of an f64 are one operand or result, the high words the next. A
/// NaN that an operation makes has the bits 7ff8000000000000h.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub(crate) enum DoubleOp {
    /// a + b.
    Add,
    /// a - b.
    Sub,
    /// a * b.
    Mul,
    /// a / b.
    Div,
    /// a * b + c, rounded once.
    Fma,
    /// √a.
    Sqrt,
    /// The largest integer not above.
    Floor,
    /// The smallest integer not below.
    Ceil,
    /// The integer part, with the sign of the operand.
    TowardZero,
    /// The nearest integer, ties to even.
    Nearest,
    /// a < b, false with NaN: a mask.
    Lt,
    /// a <= b, false with NaN: a mask.
    Le,
    /// a == b, false with NaN: a mask.
    Eq,
    /// The f64 that is equal to an f32.
    FromF32,
    /// The f64 that is equal to an i32.
    FromI32,
    /// The nearest f32, ties to even.
    ToF32,
}

impl DoubleOp {
    /// All operations, in the order of their numbers.
    pub(crate) const ALL: [DoubleOp; 16] = [
        DoubleOp::Add,
        DoubleOp::Sub,
        DoubleOp::Mul,
        DoubleOp::Div,
        DoubleOp::Fma,
        DoubleOp::Sqrt,
        DoubleOp::Floor,
        DoubleOp::Ceil,
        DoubleOp::TowardZero,
        DoubleOp::Nearest,
        DoubleOp::Lt,
        DoubleOp::Le,
        DoubleOp::Eq,
        DoubleOp::FromF32,
        DoubleOp::FromI32,
        DoubleOp::ToF32,
    ];

    /// The operation in texts.
    pub(super) fn name(self) -> &'static str {
        match self {
            DoubleOp::Add => "add",
            DoubleOp::Sub => "sub",
            DoubleOp::Mul => "mul",
            DoubleOp::Div => "div",
            DoubleOp::Fma => "fma",
            DoubleOp::Sqrt => "sqrt",
            DoubleOp::Floor => "floor",
            DoubleOp::Ceil => "ceil",
            DoubleOp::TowardZero => "toward_zero",
            DoubleOp::Nearest => "nearest",
            DoubleOp::Lt => "lt",
            DoubleOp::Le => "le",
            DoubleOp::Eq => "eq",
            DoubleOp::FromF32 => "from_f32",
            DoubleOp::FromI32 => "from_i32",
            DoubleOp::ToF32 => "to_f32",
        }
    }

    /// How many f64 it takes; 0 for one that takes a word.
    pub(crate) fn doubles(self) -> usize {
        match self {
            DoubleOp::FromF32 | DoubleOp::FromI32 => 0,
            DoubleOp::Sqrt
            | DoubleOp::Floor
            | DoubleOp::Ceil
            | DoubleOp::TowardZero
            | DoubleOp::Nearest
            | DoubleOp::ToF32 => 1,
            DoubleOp::Add
            | DoubleOp::Sub
            | DoubleOp::Mul
            | DoubleOp::Div
            | DoubleOp::Lt
            | DoubleOp::Le
            | DoubleOp::Eq => 2,
            DoubleOp::Fma => 3,
        }
    }

    /// The operands.
    pub(super) fn operands(self) -> &'static [Kind] {
        const I32: Kind = Kind::Is(Type::I32);
        match (self, self.doubles()) {
            (DoubleOp::FromF32, _) => &[Kind::Is(Type::F32)],
            (_, 0) => &[I32],
            (_, 1) => &[I32; 2],
            (_, 2) => &[I32; 4],
            (_, _) => &[I32; 6],
        }
    }

    /// Its result, if that is a word.
    pub(crate) fn word(self) -> Option<Type> {
        match self {
            DoubleOp::Lt | DoubleOp::Le | DoubleOp::Eq => Some(Type::Mask),
            DoubleOp::ToF32 => Some(Type::F32),
            DoubleOp::Add
            | DoubleOp::Sub
            | DoubleOp::Mul
            | DoubleOp::Div
            | DoubleOp::Fma
            | DoubleOp::Sqrt
            | DoubleOp::Floor
            | DoubleOp::Ceil
            | DoubleOp::TowardZero
            | DoubleOp::Nearest
            | DoubleOp::FromF32
            | DoubleOp::FromI32 => None,
        }
    }

    /// The results.
    pub(super) fn results(self) -> Results {
        match self.word() {
            Some(ty) => Results::One(ty),
            None => Results::Several(&[Type::I32; 2]),
        }
    }
}
