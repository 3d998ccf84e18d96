//! Operations on doubles.

use attila_isa::Opcode;

use super::super::super::table::TgsiOpcode as T;
use super::Recipe::{Doubles, One, Same, Two, Whole};
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
    (
        T::Dseq,
        Two(|it, operands| it.compare_doubles(Opcode::Dseq, operands)),
    ),
    (
        T::Dsne,
        Two(|it, operands| it.compare_doubles(Opcode::Dsne, operands)),
    ),
    (
        T::Dslt,
        Two(|it, operands| it.compare_doubles(Opcode::Dslt, operands)),
    ),
    (
        T::Dsge,
        Two(|it, operands| it.compare_doubles(Opcode::Dsge, operands)),
    ),
    (T::F2d, Same(Opcode::F2d)),
    (T::I2d, Same(Opcode::I2d)),
    (T::U2d, Same(Opcode::U2d)),
    (T::D2f, One(|it, operands| it.narrow(Opcode::D2f, operands))),
    (T::D2i, One(|it, operands| it.narrow(Opcode::D2i, operands))),
    (T::D2u, One(|it, operands| it.narrow(Opcode::D2u, operands))),
];
