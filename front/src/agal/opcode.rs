//! The instructions, one row each.

use std::fmt;

use attila_isa::{Slots, Stage};

use super::program::Version;

/// The operands of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A result and so many vectors.
    Vectors(usize),
    /// A result, a vector, and the first of so many rows of a matrix in consecutive registers.
    Matrix(u16),
    /// A result, coordinates and a sampler.
    Sample,
    /// One component.
    Kill,
    /// Two components that are compared.
    Compare,
    /// None: it begins the other branch.
    Else,
    /// None: it ends the branches.
    EndIf,
    /// Unknown here: instructions that are refused by name.
    Refused(&'static str),
}

impl Form {
    /// Whether it has a result.
    pub const fn has_result(self) -> bool {
        match self {
            Form::Vectors(_) | Form::Matrix(_) | Form::Sample => true,
            Form::Kill | Form::Compare | Form::Else | Form::EndIf | Form::Refused(_) => false,
        }
    }

    /// The number of vectors that it reads, without the sampler.
    pub const fn sources(self) -> usize {
        match self {
            Form::Vectors(count) => count,
            Form::Matrix(_) | Form::Compare => 2,
            Form::Sample | Form::Kill => 1,
            Form::Else | Form::EndIf | Form::Refused(_) => 0,
        }
    }

    /// The number of consecutive registers that a source is.
    pub const fn rows(self, source: usize) -> u16 {
        match self {
            Form::Matrix(rows) if source == 1 => rows,
            Form::Vectors(_)
            | Form::Matrix(_)
            | Form::Sample
            | Form::Kill
            | Form::Compare
            | Form::Else
            | Form::EndIf
            | Form::Refused(_) => 1,
        }
    }

    /// Whether its sources are single components: swizzles of one letter.
    pub const fn reads_scalars(self) -> bool {
        matches!(self, Form::Kill | Form::Compare)
    }
}

/// The slots of sources that an instruction reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reads {
    /// The slots that it writes.
    Written,
    /// These.
    Slots(Slots),
    /// The coordinates that the sampler's dimension has.
    Coordinates,
}

/// The stages whose programs have an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stages {
    /// Fragment programs.
    Fragment,
    /// Vertex and fragment programs.
    Both,
}

impl Stages {
    /// Whether `stage` is one of them.
    pub const fn has(self, stage: Stage) -> bool {
        match self {
            Stages::Fragment => matches!(stage, Stage::Fragment),
            Stages::Both => true,
        }
    }
}

/// The facts about an opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AgalOpcodeInfo {
    /// The opcode.
    pub opcode: AgalOpcode,
    /// Its number in byte programs.
    pub code: u32,
    /// Its three letters.
    pub name: &'static str,
    /// The first version that has it.
    pub version: Version,
    /// The stages whose programs have it.
    pub stages: Stages,
    /// Its operands.
    pub form: Form,
    /// The slots of its sources that it reads.
    pub reads: Reads,
    /// The components that its result has.
    pub results: Slots,
    /// The computation.
    pub doc: &'static str,
}

const XYZ: Slots = Slots::X.union(Slots::Y).union(Slots::Z);
const XYZW: Slots = Slots::all();
/// Readings of sources, in the words of the table.
const WRITTEN: Reads = Reads::Written;
const ONE: Reads = Reads::Slots(Slots::X);
const THREE: Reads = Reads::Slots(XYZ);
const FOUR: Reads = Reads::Slots(XYZW);
const PLACE: Reads = Reads::Coordinates;
const NONE: Reads = Reads::Slots(Slots::empty());

macro_rules! opcodes {
    ($($opcode:ident $code:literal $name:literal $version:ident $stages:ident $form:ident $(($argument:literal))? $reads:ident $results:ident $doc:literal;)*) => {
        /// An instruction's opcode.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum AgalOpcode {
            $(#[doc = $doc] $opcode,)*
        }

        /// All opcodes, in the order of [`AgalOpcode`].
        pub const OPCODES: &[AgalOpcodeInfo] = &[
            $(AgalOpcodeInfo {
                opcode: AgalOpcode::$opcode,
                code: $code,
                name: $name,
                version: Version::$version,
                stages: Stages::$stages,
                form: Form::$form $(($argument))?,
                reads: $reads,
                results: $results,
                doc: $doc,
            },)*
        ];
    };
}

opcodes! {
    Mov 0x00 "mov" V1 Both Vectors(1) WRITTEN XYZW "The source, bit for bit.";
    Add 0x01 "add" V1 Both Vectors(2) WRITTEN XYZW "The sum.";
    Sub 0x02 "sub" V1 Both Vectors(2) WRITTEN XYZW "The difference.";
    Mul 0x03 "mul" V1 Both Vectors(2) WRITTEN XYZW "The product.";
    Div 0x04 "div" V1 Both Vectors(2) WRITTEN XYZW "The quotient, rounded once.";
    Rcp 0x05 "rcp" V1 Both Vectors(1) WRITTEN XYZW "The reciprocal, rounded once.";
    Min 0x06 "min" V1 Both Vectors(2) WRITTEN XYZW "The smaller one; the second for a NaN and for equal zeros.";
    Max 0x07 "max" V1 Both Vectors(2) WRITTEN XYZW "The larger one; the second for a NaN and for equal zeros.";
    Frc 0x08 "frc" V1 Both Vectors(1) WRITTEN XYZW "What is above the largest whole number below.";
    Sqt 0x09 "sqt" V1 Both Vectors(1) WRITTEN XYZW "The square root; NaN below 0.";
    Rsq 0x0a "rsq" V1 Both Vectors(1) WRITTEN XYZW "The reciprocal of the square root, rounded twice; NaN below 0.";
    Pow 0x0b "pow" V1 Both Vectors(2) WRITTEN XYZW "The first source to the power of the second; NaN below 0.";
    Log 0x0c "log" V1 Both Vectors(1) WRITTEN XYZW "The logarithm to base 2.";
    Exp 0x0d "exp" V1 Both Vectors(1) WRITTEN XYZW "Two to the power of the source.";
    Nrm 0x0e "nrm" V1 Both Vectors(1) THREE XYZ "The vector of three components at length 1.";
    Sin 0x0f "sin" V1 Both Vectors(1) WRITTEN XYZW "The sine of radians.";
    Cos 0x10 "cos" V1 Both Vectors(1) WRITTEN XYZW "The cosine of radians.";
    Crs 0x11 "crs" V1 Both Vectors(2) THREE XYZ "The cross product.";
    Dp3 0x12 "dp3" V1 Both Vectors(2) THREE XYZW "The dot product of three components.";
    Dp4 0x13 "dp4" V1 Both Vectors(2) FOUR XYZW "The dot product of four components.";
    Abs 0x14 "abs" V1 Both Vectors(1) WRITTEN XYZW "The source without its sign.";
    Neg 0x15 "neg" V1 Both Vectors(1) WRITTEN XYZW "The source with the other sign.";
    Sat 0x16 "sat" V1 Both Vectors(1) WRITTEN XYZW "The source between 0 and 1; 1 for NaN.";
    M33 0x17 "m33" V1 Both Matrix(3) THREE XYZ "Dot products of three components with three rows.";
    M44 0x18 "m44" V1 Both Matrix(4) FOUR XYZW "Dot products of four components with four rows.";
    M34 0x19 "m34" V1 Both Matrix(3) FOUR XYZ "Dot products of four components with three rows.";
    Ddx 0x1a "ddx" V2 Fragment Vectors(1) WRITTEN XYZW "The difference to the pixel on the right.";
    Ddy 0x1b "ddy" V2 Fragment Vectors(1) WRITTEN XYZW "The difference to the pixel below.";
    Ife 0x1c "ife" V2 Both Compare ONE XYZW "Begins a branch for lanes whose components are equal.";
    Ine 0x1d "ine" V2 Both Compare ONE XYZW "Begins a branch for lanes whose components are not equal.";
    Ifg 0x1e "ifg" V2 Both Compare ONE XYZW "Begins a branch for lanes whose first component is larger.";
    Ifl 0x1f "ifl" V2 Both Compare ONE XYZW "Begins a branch for lanes whose first component is smaller.";
    Els 0x20 "els" V2 Both Else NONE XYZW "Begins the branch for the other lanes.";
    Eif 0x21 "eif" V2 Both EndIf NONE XYZW "Ends the branch.";
    Ted 0x26 "ted" V3 Fragment Refused("texture fetches with derivatives") NONE XYZW "A texel, with derivatives.";
    Kil 0x27 "kil" V1 Fragment Kill ONE XYZW "Drops the fragment if the component is below 0.";
    Tex 0x28 "tex" V1 Fragment Sample PLACE XYZW "The texture at the coordinates.";
    Sge 0x29 "sge" V1 Both Vectors(2) WRITTEN XYZW "1 where the first is not below the second, else 0; 0 for NaN.";
    Slt 0x2a "slt" V1 Both Vectors(2) WRITTEN XYZW "1 where the first is below the second, else 0.";
    Sgn 0x2b "sgn" V1 Both Vectors(1) WRITTEN XYZW "1, 0 or -1: the sign; 0 for NaN.";
    Seq 0x2c "seq" V1 Both Vectors(2) WRITTEN XYZW "1 where both are equal, else 0.";
    Sne 0x2d "sne" V1 Both Vectors(2) WRITTEN XYZW "0 where both are equal, else 1.";
    Tld 0x2e "tld" V3 Both Refused("texture fetches in vertex programs") NONE XYZW "A texel, in vertex programs.";
}

impl AgalOpcode {
    /// The facts about it.
    pub fn info(self) -> &'static AgalOpcodeInfo {
        &OPCODES[self as usize]
    }

    /// The opcode with a number in byte programs.
    pub fn of_code(code: u32) -> Option<AgalOpcode> {
        let mut rows = OPCODES.iter();
        rows.find(|row| row.code == code).map(|row| row.opcode)
    }

    /// The opcode with a name.
    pub fn named(name: &str) -> Option<AgalOpcode> {
        let mut rows = OPCODES.iter();
        rows.find(|row| row.name == name).map(|row| row.opcode)
    }
}

impl fmt::Display for AgalOpcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_their_codes() {
        for (number, row) in OPCODES.iter().enumerate() {
            assert_eq!(row.opcode as usize, number, "{}", row.name);
            assert_eq!(AgalOpcode::of_code(row.code), Some(row.opcode));
            assert_eq!(AgalOpcode::named(row.name), Some(row.opcode));
        }
        assert!(OPCODES.is_sorted_by_key(|row| row.code));
        assert_eq!(AgalOpcode::of_code(0x22), None);
    }
}
