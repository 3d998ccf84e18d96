//! Operations on doubles.

use attila_isa::Opcode;

use super::super::super::table::TgsiOpcode as T;
use super::Recipe::{Compared, Doubles, Narrowed, One, Same, Whole};
use super::Row;

pub(super) const ROWS: &[Row] = &[
    (T::Dadd, Doubles(Opcode::Dadd)),
    (T::Dmul, Doubles(Opcode::Dmul)),
    (T::Ddiv, Doubles(Opcode::Ddiv)),
    (T::Dmad, Doubles(Opcode::Dmad)),
    (T::Dfma, Doubles(Opcode::Dfma)),
    (T::Dmin, Doubles(Opcode::Dmin)),
    (T::Dmax, Doubles(Opcode::Dmax)),
    (T::Drcp, Doubles(Opcode::Drcp)),
    (T::Dsqrt, Doubles(Opcode::Dsqrt)),
    (T::Drsq, Doubles(Opcode::Drsq)),
    (T::Dabs, One(|it, operands| it.double_absolute(operands))),
    (T::Dneg, One(|it, operands| it.double_negated(operands))),
    (T::Dssg, Doubles(Opcode::Dssg)),
    (T::Dfrac, Doubles(Opcode::Dfrac)),
    (T::Dflr, Doubles(Opcode::Dflr)),
    (T::Dceil, Doubles(Opcode::Dceil)),
    (T::Dtrunc, Doubles(Opcode::Dtrunc)),
    (T::Dround, Doubles(Opcode::Dround)),
    (T::Dldexp, Doubles(Opcode::Dldexp)),
    (
        T::Dfracexp,
        Whole(|it, instruction| it.split_double(instruction)),
    ),
    (T::Dseq, Compared(Opcode::Dseq)),
    (T::Dsne, Compared(Opcode::Dsne)),
    (T::Dslt, Compared(Opcode::Dslt)),
    (T::Dsge, Compared(Opcode::Dsge)),
    (T::F2d, Same(Opcode::F2d)),
    (T::I2d, Same(Opcode::I2d)),
    (T::U2d, Same(Opcode::U2d)),
    (T::D2f, Narrowed(Opcode::D2f)),
    (T::D2i, Narrowed(Opcode::D2i)),
    (T::D2u, Narrowed(Opcode::D2u)),
];
