//! Operations on doubles, all of which need rows of the opcode table.

use super::super::super::table::TgsiOpcode as T;
use super::super::missing::Missing::Doubles;
use super::Recipe::Missing;
use super::Row;

pub(super) const ROWS: &[Row] = &[
    (T::Dadd, Missing(Doubles)),
    (T::Dmul, Missing(Doubles)),
    (T::Ddiv, Missing(Doubles)),
    (T::Dmad, Missing(Doubles)),
    (T::Dfma, Missing(Doubles)),
    (T::Dmin, Missing(Doubles)),
    (T::Dmax, Missing(Doubles)),
    (T::Drcp, Missing(Doubles)),
    (T::Dsqrt, Missing(Doubles)),
    (T::Drsq, Missing(Doubles)),
    (T::Dabs, Missing(Doubles)),
    (T::Dneg, Missing(Doubles)),
    (T::Dssg, Missing(Doubles)),
    (T::Dfrac, Missing(Doubles)),
    (T::Dflr, Missing(Doubles)),
    (T::Dceil, Missing(Doubles)),
    (T::Dtrunc, Missing(Doubles)),
    (T::Dround, Missing(Doubles)),
    (T::Dldexp, Missing(Doubles)),
    (T::Dfracexp, Missing(Doubles)),
    (T::Dseq, Missing(Doubles)),
    (T::Dsne, Missing(Doubles)),
    (T::Dslt, Missing(Doubles)),
    (T::Dsge, Missing(Doubles)),
    (T::F2d, Missing(Doubles)),
    (T::I2d, Missing(Doubles)),
    (T::U2d, Missing(Doubles)),
    (T::D2f, Missing(Doubles)),
    (T::D2i, Missing(Doubles)),
    (T::D2u, Missing(Doubles)),
];
