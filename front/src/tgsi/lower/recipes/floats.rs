//! Operations on floats: by components, and one result for all of them.

use attila_isa::Opcode;

use super::super::super::table::TgsiOpcode as T;
use super::Recipe::{One, Same, Scalar, Swapped, Three, Two, Whole};
use super::Row;

pub(super) const ROWS: &[Row] = &[
    (T::Mov, Same(Opcode::Mov)),
    (T::Add, Same(Opcode::Add)),
    (T::Sub, Two(|it, operands| it.sub(operands))),
    (T::Mul, Same(Opcode::Mul)),
    (T::Mad, Same(Opcode::Mad)),
    (T::Fma, Same(Opcode::Fma)),
    (T::Div, Same(Opcode::Div)),
    (T::Min, Two(|it, operands| it.min(operands))),
    (T::Max, Two(|it, operands| it.max(operands))),
    (T::Abs, One(|it, operands| it.abs(operands))),
    (T::Ssg, Same(Opcode::Sgn)),
    (T::Frc, Same(Opcode::Frc)),
    (T::Flr, Whole(|it, instruction| it.floor(instruction))),
    (T::Ceil, Same(Opcode::Ceil)),
    (T::Round, One(|it, operands| it.round(operands))),
    (T::Trunc, Same(Opcode::Trunc)),
    (T::Clamp, Three(|it, operands| it.clamp(operands))),
    (T::Cmp, Same(Opcode::Cmp)),
    (T::Cnd, Three(|it, operands| it.condition(operands))),
    (T::Lrp, Three(|it, operands| it.mix(operands))),
    (T::Slt, Same(Opcode::Slt)),
    (T::Sge, Same(Opcode::Sgeo)),
    (T::Seq, Same(Opcode::Seq)),
    (T::Sne, Same(Opcode::Sne)),
    (T::Sgt, Swapped(Opcode::Slt)),
    (T::Sle, Swapped(Opcode::Sgeo)),
    (T::Sfl, Two(|it, _| it.always(0.0))),
    (T::Str, Two(|it, _| it.always(1.0))),
    (T::Ldexp, Same(Opcode::Ldexp)),
    (T::Fseq, Same(Opcode::Fseq)),
    (T::Fsne, Same(Opcode::Fsne)),
    (T::Fslt, Same(Opcode::Fslt)),
    (T::Fsge, Same(Opcode::Fsge)),
    (T::Ucmp, Same(Opcode::Sel)),
    (T::Rcp, Scalar(Opcode::Rcp)),
    (T::Rcc, One(|it, operands| it.clamped_reciprocal(operands))),
    (T::Rsq, One(|it, operands| it.reciprocal_root(operands))),
    (T::Sqrt, Scalar(Opcode::Sqrt)),
    (T::Ex2, Scalar(Opcode::Ex2)),
    (T::Lg2, Scalar(Opcode::Lg2)),
    (T::Pow, Scalar(Opcode::Pow)),
    (T::Sin, Scalar(Opcode::Sin)),
    (T::Cos, Scalar(Opcode::Cos)),
];
