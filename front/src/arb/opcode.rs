//! The instructions of both languages, one row each.

use crate::arb::ArbStage;

use std::fmt;

/// The kinds of programs that something belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stages {
    /// Vertex programs.
    Vertex,
    /// Fragment programs.
    Fragment,
    /// Both.
    Both,
}

impl Stages {
    /// Whether `stage` is one of them.
    pub const fn has(self, stage: ArbStage) -> bool {
        match self {
            Stages::Vertex => matches!(stage, ArbStage::Vertex),
            Stages::Fragment => matches!(stage, ArbStage::Fragment),
            Stages::Both => true,
        }
    }
}

/// The operands after an opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A result and so many vectors.
    Vectors(usize),
    /// A result and so many selected components.
    Scalars(usize),
    /// A result, a vector, and four selectors.
    Selectors,
    /// A result, coordinates, a texture unit and its target.
    Sample,
    /// A vector.
    Kill,
    /// An address register and a selected component.
    Address,
}

/// The facts about an opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ArbOpcodeInfo {
    /// The opcode.
    pub opcode: ArbOpcode,
    /// Its name, in upper case.
    pub name: &'static str,
    /// Which programs have it.
    pub stages: Stages,
    /// The operands after it.
    pub form: Form,
    /// The computation.
    pub doc: &'static str,
}

macro_rules! opcodes {
    ($($opcode:ident $name:literal $stages:ident $form:ident $(($count:literal))? $doc:literal;)*) => {
        /// An instruction's opcode.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum ArbOpcode {
            $(#[doc = $doc] $opcode,)*
        }

        /// All opcodes, in the order of [`ArbOpcode`].
        pub const OPCODES: &[ArbOpcodeInfo] = &[
            $(ArbOpcodeInfo {
                opcode: ArbOpcode::$opcode,
                name: $name,
                stages: Stages::$stages,
                form: Form::$form $(($count))?,
                doc: $doc,
            },)*
        ];

        /// The opcode with this name, in whichever programs.
        fn named(name: &str) -> Option<ArbOpcode> {
            match name {
                $($name => Some(ArbOpcode::$opcode),)*
                _ => None,
            }
        }
    };
}

opcodes! {
    Abs "ABS" Both Vectors(1) "The absolute value.";
    Add "ADD" Both Vectors(2) "The sum.";
    Arl "ARL" Vertex Address "The largest whole number that is not above the source, as an address.";
    Cmp "CMP" Fragment Vectors(3) "The second source where the first is below 0, else the third.";
    Cos "COS" Fragment Scalars(1) "The cosine, of any angle.";
    Dp3 "DP3" Both Vectors(2) "The dot product of three components.";
    Dp4 "DP4" Both Vectors(2) "The dot product of four components.";
    Dph "DPH" Both Vectors(2) "The dot product of three components, plus the second source's w.";
    Dst "DST" Both Vectors(2) "A distance vector: 1, the product of y, the first z, the second w.";
    Ex2 "EX2" Both Scalars(1) "Two to the power of the source.";
    Exp "EXP" Vertex Scalars(1) "2^floor, the fraction, and an approximation of 2 to the source.";
    Flr "FLR" Both Vectors(1) "The largest whole number that is not above the source.";
    Frc "FRC" Both Vectors(1) "What is above the largest whole number below.";
    Kil "KIL" Fragment Kill "Drops the fragment if a component is below 0.";
    Lg2 "LG2" Both Scalars(1) "The logarithm to base 2.";
    Lit "LIT" Both Vectors(1) "Lighting factors: 1, diffuse, specular, 1.";
    Log "LOG" Vertex Scalars(1) "Exponent, mantissa, and an approximation of the logarithm.";
    Lrp "LRP" Fragment Vectors(3) "The second and third source mixed by the first.";
    Mad "MAD" Both Vectors(3) "The product of two, plus the third.";
    Max "MAX" Both Vectors(2) "The larger one.";
    Min "MIN" Both Vectors(2) "The smaller one.";
    Mov "MOV" Both Vectors(1) "The source.";
    Mul "MUL" Both Vectors(2) "The product.";
    Pow "POW" Both Scalars(2) "The first source to the power of the second.";
    Rcp "RCP" Both Scalars(1) "The reciprocal.";
    Rsq "RSQ" Both Scalars(1) "The reciprocal of the square root of the absolute value.";
    Scs "SCS" Fragment Scalars(1) "Cosine and sine of an angle from -pi to pi.";
    Sge "SGE" Both Vectors(2) "1 where the first is not below the second, else 0.";
    Sin "SIN" Fragment Scalars(1) "The sine, of any angle.";
    Slt "SLT" Both Vectors(2) "1 where the first is below the second, else 0.";
    Sub "SUB" Both Vectors(2) "The difference.";
    Swz "SWZ" Both Selectors "Components, zeros and ones, each with its own sign.";
    Tex "TEX" Fragment Sample "A texture's value at the coordinates.";
    Txb "TXB" Fragment Sample "The same, with w added to the level of detail.";
    Txp "TXP" Fragment Sample "The same, at the coordinates divided by w.";
    Xpd "XPD" Both Vectors(2) "The cross product.";
}

impl ArbOpcode {
    /// Its row of [`OPCODES`].
    pub const fn info(self) -> &'static ArbOpcodeInfo {
        &OPCODES[self as usize]
    }

    /// Finds an opcode of programs of `stage` by its name without `_SAT`.
    pub fn find(name: &str, stage: ArbStage) -> Option<ArbOpcode> {
        named(name).filter(|opcode| opcode.info().stages.has(stage))
    }

    /// Whether its result may be clamped with `_SAT` in fragment programs.
    pub fn has_saturated_form(self) -> bool {
        !matches!(self.info().form, Form::Kill | Form::Address)
    }
}

/// As in a program.
impl fmt::Display for ArbOpcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.info().name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_stands_where_its_opcode_looks_for_it() {
        for (index, row) in OPCODES.iter().enumerate() {
            assert_eq!(row.opcode as usize, index);
            assert_eq!(row.opcode.info(), row);
        }
    }

    #[test]
    fn each_language_has_its_own_opcodes() {
        assert_eq!(
            ArbOpcode::find("ARL", ArbStage::Vertex),
            Some(ArbOpcode::Arl)
        );
        assert_eq!(ArbOpcode::find("ARL", ArbStage::Fragment), None);
        assert_eq!(ArbOpcode::find("mov", ArbStage::Vertex), None);
        let count = |stage| OPCODES.iter().filter(|row| row.stages.has(stage)).count();
        assert_eq!(
            (count(ArbStage::Vertex), count(ArbStage::Fragment)),
            (27, 33)
        );
    }
}
