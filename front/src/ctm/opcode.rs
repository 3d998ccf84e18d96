//! The operations, one row each.

use std::fmt;

use attila_isa::{OpFlags, Opcode};

use super::program::Unit;

/// The halves of lines that have an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Units {
    /// `rgb` halves.
    Rgb,
    /// `alpha` halves.
    Alpha,
    /// Both.
    Both,
}

impl Units {
    /// Whether halves of this kind are among them.
    pub const fn has(self, unit: Unit) -> bool {
        match self {
            Units::Rgb => matches!(unit, Unit::Rgb),
            Units::Alpha => matches!(unit, Unit::Alpha),
            Units::Both => true,
        }
    }
}

/// The facts about an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CtmOpcodeInfo {
    /// The operation.
    pub opcode: CtmOpcode,
    /// Its name in texts.
    pub name: &'static str,
    /// The halves that have it.
    pub units: Units,
    /// The number of its operands. `dp` has two more beside `dp4`.
    pub operands: usize,
    /// ATTILA's instruction; `None` if the line's other half says which, or if it does nothing.
    pub inst: Option<Opcode>,
    /// The computation.
    pub doc: &'static str,
}

macro_rules! opcodes {
    ($($opcode:ident $name:literal $units:ident $operands:literal $inst:expr, $doc:literal;)*) => {
        /// An operation of a half of a line.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum CtmOpcode {
            $(#[doc = $doc] $opcode,)*
        }

        /// All operations.
        pub const OPCODES: &[CtmOpcodeInfo] = &[
            $(CtmOpcodeInfo {
                opcode: CtmOpcode::$opcode,
                name: $name,
                units: Units::$units,
                operands: $operands,
                inst: $inst,
                doc: $doc,
            },)*
        ];
    };
}

opcodes! {
    Mad "mad" Both 3 Some(Opcode::Mad), "`a * b + c`, rounded twice.";
    Dp3 "dp3" Rgb 2 Some(Opcode::Dp3), "The dot product of r, g and b.";
    Dp4 "dp4" Rgb 2 Some(Opcode::Dp4), "The same, with the product of the operands of the `dp` beside it.";
    D2a "d2a" Rgb 3 Some(Opcode::D2a), "`a.r * b.r + a.g * b.g + c.b`.";
    Dp "dp" Alpha 0 None, "The value of the `dp3`, `dp4` or `d2a` beside it.";
    Min "min" Both 2 Some(Opcode::Min), "`a < b ? a : b`.";
    Max "max" Both 2 Some(Opcode::Maxge), "`a >= b ? a : b`.";
    Cnd "cnd" Both 3 Some(Opcode::Cnd), "`c > 0.5 ? a : b`.";
    Cmp "cmp" Both 3 Some(Opcode::Cmpge), "`c >= 0 ? a : b`.";
    Frc "frc" Both 1 Some(Opcode::Frc), "The distance from the integer below.";
    Sop "sop" Rgb 0 None, "The value of the scalar operation beside it.";
    Ex2 "ex2" Alpha 1 Some(Opcode::Ex2), "2 to the power of a.";
    Ln2 "ln2" Alpha 1 Some(Opcode::Lg2), "The logarithm of a to base 2.";
    Rcp "rcp" Alpha 1 Some(Opcode::Rcp), "1 / a.";
    Rsq "rsq" Alpha 1 Some(Opcode::Rsqt), "1 / sqrt(a); of negative numbers NaN.";
    Sin "sin" Alpha 1 Some(Opcode::Sint), "The sine of a turns.";
    Cos "cos" Alpha 1 Some(Opcode::Cost), "The cosine of a turns.";
    Mdh "mdh" Both 3 Some(Opcode::Mdh), "a of the upper left pixel times b, plus c of the upper right one.";
    Mdv "mdv" Both 3 Some(Opcode::Mdv), "a of the upper left pixel times b, plus c of the lower left one.";
    Nop "nop" Both 0 None, "Nothing.";
}

impl CtmOpcode {
    /// The facts about it.
    pub const fn info(self) -> &'static CtmOpcodeInfo {
        &OPCODES[self as usize]
    }

    /// The operation called `name`.
    pub(super) fn named(name: &str) -> Option<CtmOpcode> {
        let row = OPCODES.iter().find(|row| row.name == name)?;
        Some(row.opcode)
    }

    /// Whether it returns one of its operands, so that it may keep the bits.
    pub fn is_choice(self) -> bool {
        self.info().inst.is_some_and(|op| op.has(OpFlags::CHOICE))
    }

    /// Whether `sop` can take its value: an operation on a single number.
    pub const fn is_scalar(self) -> bool {
        matches!(
            self,
            CtmOpcode::Ex2
                | CtmOpcode::Ln2
                | CtmOpcode::Rcp
                | CtmOpcode::Rsq
                | CtmOpcode::Sin
                | CtmOpcode::Cos
        )
    }

    /// Whether `dp` can take its value.
    pub const fn is_dot_product(self) -> bool {
        matches!(self, CtmOpcode::Dp3 | CtmOpcode::Dp4 | CtmOpcode::D2a)
    }

    /// Whether it reads other pixels of the quad.
    pub const fn is_derivative(self) -> bool {
        matches!(self, CtmOpcode::Mdh | CtmOpcode::Mdv)
    }
}

impl fmt::Display for CtmOpcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.info().name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_operations_and_have_names_of_their_own() {
        for (index, row) in OPCODES.iter().enumerate() {
            assert_eq!(row.opcode as usize, index);
            assert_eq!(CtmOpcode::named(row.name), Some(row.opcode));
        }
    }

    #[test]
    fn operations_have_the_operands_of_their_instructions() {
        for row in OPCODES {
            if let Some(op) = row.inst {
                assert_eq!(op.operands().len(), row.operands, "{}", row.name);
            }
        }
        let choices = OPCODES.iter().filter(|row| row.opcode.is_choice());
        let choices: Vec<&str> = choices.map(|row| row.name).collect();
        assert_eq!(choices, ["min", "max", "cnd", "cmp"]);
    }
}
