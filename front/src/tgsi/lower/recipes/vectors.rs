//! Operations across the components of floats.

use attila_isa::Opcode;

use super::super::super::table::TgsiOpcode as T;
use super::Recipe::{One, Same, Scalar, Three, Two};
use super::Row;

pub(super) const ROWS: &[Row] = &[
    (T::Dp2, Two(|it, operands| it.dp2(operands))),
    (T::Dp2a, Three(|it, operands| it.dp2a(operands))),
    (T::Dp3, Same(Opcode::Dp3)),
    (T::Dp4, Same(Opcode::Dp4)),
    (T::Dph, Same(Opcode::Dph)),
    (T::Lit, One(|it, operands| it.light(operands))),
    (T::Exp, Scalar(Opcode::Exp)),
    (T::Log, Scalar(Opcode::Log)),
    (T::Dst, Same(Opcode::Dst)),
    (T::Xpd, Two(|it, operands| it.cross_product(operands))),
    (T::Nrm, One(|it, operands| it.normal3(operands))),
    (T::Nrm4, One(|it, operands| it.normal4(operands))),
    (T::Scs, One(|it, operands| it.cosine_and_sine(operands))),
    (T::Rfl, Two(|it, operands| it.reflection(operands))),
    (T::X2d, Three(|it, operands| it.transform(operands))),
];
