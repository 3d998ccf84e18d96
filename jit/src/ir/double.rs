//! [`DoubleOp`]: operations on f64. The four f64 of a quad are two values, one for lanes 0 and 1 and one
//! for lanes 2 and 3, or two words for each lane.

use super::Type;
use super::types::{Kind, Results};

/// An operation on f64, or between f64 and words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum DoubleOp {
    /// Operands and result are f64 of the same two lanes.
    Compute(Compute),
    /// Operands: the halves of a, those of b. A mask, false with NaN.
    Compare(Compare),
    /// Operands: both halves. The nearest f32, ties to even.
    ToF32,
    /// Operands: both halves. A word of each f64.
    Word(Word),
    /// Operands: low words, high words. The f64 of a half.
    Join(Half),
    /// The f64 of a half that are equal to f32.
    OfF32(Half),
    /// The f64 of a half that are equal to i32.
    OfI32(Half),
}

/// An operation from f64 to f64. The payload of a NaN that it makes is unspecified, until
/// [`Compute::Settle`] gives it one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub(crate) enum Compute {
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
    /// Flips the sign bit.
    Neg,
    /// Clears the sign bit.
    Abs,
    /// The same number; a NaN has the bits 7ff8000000000000h.
    Settle,
}

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Compare {
    /// a < b.
    Lt,
    /// a <= b.
    Le,
    /// a == b.
    Eq,
}

/// A word of an f64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Word {
    /// The low one.
    Low,
    /// The high one.
    High,
}

/// A half of a quad.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Half {
    /// Lanes 0 and 1.
    First,
    /// Lanes 2 and 3.
    Second,
}

impl Half {
    /// Both.
    pub(crate) const ALL: [Half; 2] = [Half::First, Half::Second];

    /// Its number.
    pub(crate) fn index(self) -> usize {
        self as usize
    }

    /// Its lanes.
    pub(crate) fn lanes(self) -> [u8; 2] {
        match self {
            Half::First => [0, 1],
            Half::Second => [2, 3],
        }
    }
}

impl Compute {
    /// All of them, in the order of their numbers.
    pub(crate) const ALL: [Compute; 13] = [
        Compute::Add,
        Compute::Sub,
        Compute::Mul,
        Compute::Div,
        Compute::Fma,
        Compute::Sqrt,
        Compute::Floor,
        Compute::Ceil,
        Compute::TowardZero,
        Compute::Nearest,
        Compute::Neg,
        Compute::Abs,
        Compute::Settle,
    ];

    fn name(self) -> &'static str {
        match self {
            Compute::Add => "add",
            Compute::Sub => "sub",
            Compute::Mul => "mul",
            Compute::Div => "div",
            Compute::Fma => "fma",
            Compute::Sqrt => "sqrt",
            Compute::Floor => "floor",
            Compute::Ceil => "ceil",
            Compute::TowardZero => "toward_zero",
            Compute::Nearest => "nearest",
            Compute::Neg => "neg",
            Compute::Abs => "abs",
            Compute::Settle => "settle",
        }
    }

    fn operands(self) -> usize {
        match self {
            Compute::Sqrt
            | Compute::Floor
            | Compute::Ceil
            | Compute::TowardZero
            | Compute::Nearest
            | Compute::Neg
            | Compute::Abs
            | Compute::Settle => 1,
            Compute::Add | Compute::Sub | Compute::Mul | Compute::Div => 2,
            Compute::Fma => 3,
        }
    }
}

impl DoubleOp {
    /// All operations.
    #[cfg(test)]
    pub(super) fn all() -> Vec<DoubleOp> {
        let of_half = |op: fn(Half) -> DoubleOp| Half::ALL.map(op);
        let compares = [Compare::Lt, Compare::Le, Compare::Eq];
        let words = [Word::Low, Word::High];
        let mut all: Vec<_> = Compute::ALL.map(DoubleOp::Compute).into();
        all.extend(compares.map(DoubleOp::Compare));
        all.push(DoubleOp::ToF32);
        all.extend(words.map(DoubleOp::Word));
        let halves = [DoubleOp::Join, DoubleOp::OfF32, DoubleOp::OfI32];
        all.extend(halves.into_iter().flat_map(of_half));
        all
    }

    /// The operation in texts.
    pub(super) fn name(self) -> &'static str {
        match self {
            DoubleOp::Compute(op) => op.name(),
            DoubleOp::Compare(Compare::Lt) => "lt",
            DoubleOp::Compare(Compare::Le) => "le",
            DoubleOp::Compare(Compare::Eq) => "eq",
            DoubleOp::ToF32 => "to_f32",
            DoubleOp::Word(Word::Low) => "low",
            DoubleOp::Word(Word::High) => "high",
            DoubleOp::Join(Half::First) => "first",
            DoubleOp::Join(Half::Second) => "second",
            DoubleOp::OfF32(Half::First) => "first_of_f32",
            DoubleOp::OfF32(Half::Second) => "second_of_f32",
            DoubleOp::OfI32(Half::First) => "first_of_i32",
            DoubleOp::OfI32(Half::Second) => "second_of_i32",
        }
    }

    /// The operands.
    pub(super) fn operands(self) -> &'static [Kind] {
        const F64: Kind = Kind::Is(Type::F64);
        match self {
            DoubleOp::Compute(op) => &[F64; 3][..op.operands()],
            DoubleOp::Compare(_) => &[F64; 4],
            DoubleOp::ToF32 | DoubleOp::Word(_) => &[F64; 2],
            DoubleOp::Join(_) => &[Kind::Is(Type::I32); 2],
            DoubleOp::OfF32(_) => &[Kind::Is(Type::F32)],
            DoubleOp::OfI32(_) => &[Kind::Is(Type::I32)],
        }
    }

    /// The result.
    pub(super) fn results(self) -> Results {
        Results::One(match self {
            DoubleOp::Compare(_) => Type::Mask,
            DoubleOp::ToF32 => Type::F32,
            DoubleOp::Word(_) => Type::I32,
            DoubleOp::Compute(_) | DoubleOp::Join(_) | DoubleOp::OfF32(_) | DoubleOp::OfI32(_) => {
                Type::F64
            }
        })
    }

    /// The operation that gives the same where the operands are the same in all lanes: both halves
    /// have one value.
    pub(super) fn of_uniform(self) -> DoubleOp {
        match self {
            DoubleOp::Join(_) => DoubleOp::Join(Half::First),
            DoubleOp::OfF32(_) => DoubleOp::OfF32(Half::First),
            DoubleOp::OfI32(_) => DoubleOp::OfI32(Half::First),
            DoubleOp::Compute(_) | DoubleOp::Compare(_) | DoubleOp::ToF32 | DoubleOp::Word(_) => {
                self
            }
        }
    }
}
