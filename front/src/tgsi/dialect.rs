//! The dialects of TGSI, and every point at which programs of different dialects compute something
//! else: [`Rules`], one line each.

use std::fmt;

/// A state of the language. Texts name none; see [`super::Options`] for how it is found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dialect {
    /// The language of the document, and of Mesa 7: 2009 to 2011.
    T7,
    /// The language of Mesa 10: 2013 and 2014.
    T10,
    /// The language of Mesa 23 and of virglrenderer: since 2018.
    T23,
}

impl Dialect {
    /// All dialects, the oldest first.
    pub const ALL: [Dialect; 3] = [Dialect::T7, Dialect::T10, Dialect::T23];

    /// Its name, as options write it.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::T7 => "T7",
            Dialect::T10 => "T10",
            Dialect::T23 => "T23",
        }
    }

    /// The dialect of this name, in letters of either case.
    pub fn find(name: &str) -> Option<Dialect> {
        let is = |dialect: &Dialect| dialect.name().eq_ignore_ascii_case(name);
        Dialect::ALL.into_iter().find(is)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The word that IF tests in component x.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IfTest {
    /// Holds if any bit is set: -0.0 counts.
    Bits,
    /// Holds if the number is not 0.0: NaN counts, -0.0 does not.
    Float,
}

/// RSQ of numbers below 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SquareRoot {
    /// The root is taken of the absolute value.
    Absolute,
    /// The result is NaN.
    Signed,
}

/// ROUND of numbers halfway between two whole ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Halves {
    /// The floor of the number plus 0.5.
    Up,
    /// The even neighbour.
    Even,
}

/// MAX and MIN of NaN and a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extremes {
    /// The second operand, as `a > b ? a : b` gives it.
    Second,
    /// The number.
    Number,
}

/// `_SAT` of NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SaturatedNan {
    /// NaN.
    Nan,
    /// 0.
    Zero,
}

/// LIT of NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lighting {
    /// By the selections of [`Extremes::Second`] and of CLAMP: NaN is 0 in x and y, and stays in the exponent.
    Selected,
    /// As ATTILA's: NaN stays in x and y, and an exponent that is NaN is the greatest.
    Machine,
}

/// The results of comparisons of doubles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DoubleTests {
    /// The doubles 1 and 0, in the pairs that are written.
    Numbers,
    /// All bits or none, for the first pair in the first component that is written, for the second in the second.
    Masks,
}

/// The exponents that DFRACEXP writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Exponents {
    /// In both components of the pair of their double.
    Pairs,
    /// The first one in the first component that is written, the second one in the second.
    InTurn,
}

/// The components of a vertex's colours and position that no instruction writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unwritten {
    /// The components of (0, 0, 0, 1).
    Point,
    /// 0.
    Zero,
}

/// The fragments that DDX and DDY compare.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Differences {
    /// Each row or column of a quad has its own difference.
    Fine,
    /// All of a quad have one: its lower right minus its lower left fragment, or its lower left minus
    /// its upper left one.
    Coarse,
}

/// The formula of LRP.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mix {
    /// `a*b + (1 - a)*c`.
    Weighted,
    /// `a*(b - c) + c`.
    Difference,
}

macro_rules! points {
    ($($(#[$doc:meta])* $point:ident: $kind:ident = $t7:ident, $t10:ident, $t23:ident;)*) => {
        /// The points at which dialects differ.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct Rules {
            $($(#[$doc])* pub $point: $kind,)*
        }

        impl Dialect {
            /// Its rules.
            pub const fn rules(self) -> Rules {
                match self {
                    Dialect::T7 => Rules { $($point: $kind::$t7,)* },
                    Dialect::T10 => Rules { $($point: $kind::$t10,)* },
                    Dialect::T23 => Rules { $($point: $kind::$t23,)* },
                }
            }
        }
    };
}

// T7 is the document where that says something, and Mesa 7.10's interpreter elsewhere; T10 is the
// interpreter of Mesa 10.1; T23 was measured with softpipe of Mesa 22.3.6 and virglrenderer 0.10.4.
points! {
    /// IF's test. Mesa 10 has UIF for bits.
    if_test: IfTest = Bits, Float, Float;
    /// RSQ below 0. The document takes the absolute value.
    rsq: SquareRoot = Absolute, Signed, Signed;
    /// ROUND between two whole numbers. Only Mesa 23's interpreter rounds to even.
    round: Halves = Up, Up, Even;
    /// MAX and MIN with NaN. The document defines them as selections; measured for T23.
    extremes: Extremes = Second, Second, Number;
    /// `_SAT` of NaN. Measured for T23; the others have the same, as programs rely on results in 0..1.
    saturated_nan: SaturatedNan = Zero, Zero, Zero;
    /// LIT of NaN. The document has selections; the others are ATTILA's.
    lighting: Lighting = Selected, Machine, Machine;
    /// DSEQ, DSLT and their relatives. The document has numbers; measured for T23.
    double_tests: DoubleTests = Numbers, Masks, Masks;
    /// DFRACEXP. The document has an exponent beside each mantissa; later writers name one component.
    exponents: Exponents = Pairs, InTurn, InTurn;
    /// COLOR, BCOLOR and POSITION of vertices. The document has defaults; measured for T23.
    unwritten: Unwritten = Point, Zero, Zero;
    /// DDX and DDY. The document leaves the fragments open, so T7 has ATTILA's; measured for T23.
    differences: Differences = Fine, Coarse, Coarse;
    /// LRP. The document weighs both; the interpreters add a part of the difference.
    mix: Mix = Weighted, Difference, Difference;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dialects_are_found_by_their_names() {
        for dialect in Dialect::ALL {
            assert_eq!(Dialect::find(dialect.name()), Some(dialect));
        }
        assert_eq!(Dialect::find("t10"), Some(Dialect::T10));
        assert_eq!(Dialect::find("T9"), None);
    }

    #[test]
    fn each_dialect_has_rules_of_its_own() {
        let [t7, t10, t23] = Dialect::ALL.map(Dialect::rules);
        assert_eq!(t7.if_test, IfTest::Bits);
        assert_eq!(t10.if_test, IfTest::Float);
        assert_eq!(t10.round, Halves::Up);
        assert_eq!(t23.round, Halves::Even);
        assert!(t7 != t10 && t10 != t23);
    }
}
