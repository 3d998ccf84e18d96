//! Words as people read them.

use std::fmt;
use std::str::FromStr;

use attila_shader::machine::Meaning;

/// How words are shown.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Kind {
    /// As floats; words of integers, truths and samples as these.
    #[default]
    Own,
    /// As floats.
    Float,
    /// As signed integers.
    Integer,
    /// In hexadecimal.
    Bits,
    /// A register as a colour.
    Colour,
}

impl Kind {
    /// All kinds, with their names.
    pub const ALL: [(&'static str, Kind); 5] = [
        ("own", Kind::Own),
        ("float", Kind::Float),
        ("int", Kind::Integer),
        ("bits", Kind::Bits),
        ("colour", Kind::Colour),
    ];

    /// The next one, in turn.
    pub fn next(self) -> Kind {
        let place = Kind::ALL.iter().position(|(_, kind)| *kind == self);
        Kind::ALL[(place.unwrap_or(0) + 1) % Kind::ALL.len()].1
    }

    /// Its name.
    pub fn word(self) -> &'static str {
        let found = Kind::ALL.iter().find(|(_, kind)| *kind == self);
        found.map_or("", |(word, _)| word)
    }
}

impl FromStr for Kind {
    type Err = ();

    fn from_str(text: &str) -> Result<Kind, ()> {
        let found = Kind::ALL.iter().find(|(word, _)| *word == text);
        found.map(|(_, kind)| *kind).ok_or(())
    }
}

/// A word, with the meaning that its register has.
#[derive(Clone, Copy)]
pub struct Word {
    /// The bits.
    pub bits: u32,
    /// How it is shown.
    pub kind: Kind,
    /// The type of the register's words.
    pub meaning: Meaning,
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Word {
            bits,
            kind,
            meaning,
        } = *self;
        let text = match (kind, meaning) {
            (Kind::Bits, _) | (Kind::Own, Meaning::Samples | Meaning::Fixed) => {
                format!("{bits:#010x}")
            }
            (Kind::Integer, _) | (Kind::Own, Meaning::Integer | Meaning::Offset) => {
                bits.cast_signed().to_string()
            }
            (Kind::Own, Meaning::Truth) => (bits != 0).to_string(),
            (Kind::Own | Kind::Float | Kind::Colour, _) => float(bits),
        };
        f.pad(&text)
    }
}

/// A float in few characters, and all of its digits if they are needed.
pub fn float(bits: u32) -> String {
    let value = f32::from_bits(bits);
    match value {
        _ if value.is_nan() => "nan".to_owned(),
        _ if value != 0.0 && !(1e-4..1e7).contains(&value.abs()) && value.is_finite() => {
            format!("{value:e}")
        }
        _ => value.to_string(),
    }
}
