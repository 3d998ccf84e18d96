//! The words of directives that are not about the state of quads: draws and images.

mod values;

use std::fmt::Debug;
use std::ops::Range;

use attila_shader::isa::INPUTS;
use attila_shader::isa::text::Cursor;
use thiserror::Error;

use crate::directives::{self, Extension, show};

/// A value, or what is wrong with the words for it.
pub type Read<T> = Result<T, String>;

/// A directive about an image or a draw that is not right.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {message}")]
#[non_exhaustive]
pub struct LineError {
    /// The line, from 1.
    pub line: usize,
    /// The mistake.
    pub message: String,
}

/// The words of a directive that have not been read yet.
pub struct Line<'t>(Cursor<'t>);

impl<'t> Line<'t> {
    /// Reads a directive to its end.
    pub fn read<T>(
        extension: &'t Extension,
        read: impl FnOnce(&mut Self) -> Read<T>,
    ) -> Result<T, LineError> {
        let mut line = Line(Cursor::new(&extension.rest, extension.span.start));
        let value = read(&mut line).and_then(|value| match line.0.word("").text {
            "" => Ok(value),
            word => Err(format!("`{word}` is one word too many")),
        });
        value.map_err(|message| LineError {
            line: extension.line,
            message,
        })
    }

    /// The next word.
    ///
    /// # Errors
    ///
    /// The line has no more.
    pub fn word(&mut self) -> Read<&'t str> {
        match self.0.word("").text {
            "" => Err("a word is missing".to_owned()),
            word => Ok(word),
        }
    }

    /// A whole number from 0 to `most`.
    pub fn count(&mut self, most: u32) -> Read<u32> {
        let word = self.word()?;
        let number = word.parse().ok().filter(|number| *number <= most);
        number.ok_or_else(|| format!("`{word}` is not a number from 0 to {most}"))
    }

    /// The number of an input: `i7`.
    ///
    /// # Errors
    ///
    /// The next word is none.
    pub fn input(&mut self) -> Read<usize> {
        let word = self.word()?;
        let number = word
            .strip_prefix('i')
            .and_then(|digits| digits.parse().ok());
        let number = number.filter(|number| *number < INPUTS);
        number.ok_or_else(|| format!("`{word}` is not an input, i0 to i63"))
    }

    /// One of `all` by its name.
    pub fn named<T: Copy + Debug>(&mut self, all: &[T]) -> Read<T> {
        let word = self.word()?.to_ascii_lowercase();
        let found = all.iter().find(|value| name(value) == word);
        found.copied().ok_or_else(|| {
            let names: Vec<String> = all.iter().map(name).collect();
            format!("`{word}` is not one of {}", names.join(", "))
        })
    }
}

/// A value that is one or more words of a directive.
pub trait Words: Sized {
    /// The words.
    fn words(&self) -> String;

    /// Takes the words from a line.
    fn read(line: &mut Line<'_>) -> Read<Self>;
}

impl Words for f32 {
    fn words(&self) -> String {
        show(self.to_bits())
    }

    fn read(line: &mut Line<'_>) -> Read<f32> {
        directives::float_bits(line.word()?).map(f32::from_bits)
    }
}

impl Words for u32 {
    fn words(&self) -> String {
        self.to_string()
    }

    fn read(line: &mut Line<'_>) -> Read<u32> {
        line.count(u32::MAX)
    }
}

/// The number of something, of which there are few.
impl Words for usize {
    fn words(&self) -> String {
        self.to_string()
    }

    fn read(line: &mut Line<'_>) -> Read<usize> {
        Ok(line.count(1024)? as usize)
    }
}

/// A first number, and the last plus one.
impl Words for Range<i64> {
    fn words(&self) -> String {
        format!("{} {}", self.start, self.end)
    }

    fn read(line: &mut Line<'_>) -> Read<Range<i64>> {
        let mut number = || {
            let word = line.word()?;
            let number = word.parse();
            number.map_err(|_| format!("`{word}` is not an integer"))
        };
        Ok(number()?..number()?)
    }
}

/// Where there is nothing, there is no line.
impl<T: Words> Words for Option<T> {
    fn words(&self) -> String {
        self.as_ref().map(T::words).unwrap_or_default()
    }

    fn read(line: &mut Line<'_>) -> Read<Option<T>> {
        T::read(line).map(Some)
    }
}

impl<T: Words, const N: usize> Words for [T; N] {
    fn words(&self) -> String {
        self.each_ref().map(T::words).join(" ")
    }

    fn read(line: &mut Line<'_>) -> Read<[T; N]> {
        let values: Vec<T> = (0..N).map(|_| T::read(line)).collect::<Read<_>>()?;
        values
            .try_into()
            .map_err(|_| "a word is missing".to_owned())
    }
}

/// Values that go by their names.
#[macro_export]
macro_rules! named {
    ($($type:ty: $all:expr;)*) => {$(
        impl $crate::line::Words for $type {
            fn words(&self) -> String {
                $crate::line::name(self)
            }

            fn read(line: &mut $crate::line::Line<'_>) -> $crate::line::Read<$type> {
                line.named($all)
            }
        }
    )*};
}

/// Values that are several values, one after the other.
#[macro_export]
macro_rules! joined {
    ($($type:ident { $($field:ident),* })*) => {$(
        impl $crate::line::Words for $type {
            fn words(&self) -> String {
                [$(self.$field.words()),*].join(" ")
            }

            fn read(line: &mut $crate::line::Line<'_>) -> $crate::line::Read<$type> {
                Ok($type { $($field: Words::read(line)?),* })
            }
        }
    )*};
}

/// A directive that sets a part of a `T`. Its name is followed by the words of the part.
pub struct Field<T> {
    /// Its name in texts.
    pub name: &'static str,
    /// Its words.
    pub words: fn(&T) -> String,
    /// Reads its words from a line.
    pub read: fn(&mut T, &mut Line<'_>) -> Read<()>,
}

/// Parts by their names in texts.
#[macro_export]
macro_rules! fields {
    ($($name:ident: $place:ident),* $(,)?) => {
        &[$($crate::line::Field {
            name: stringify!($name),
            words: |whole| whole.$place.words(),
            read: |whole, line| {
                whole.$place = Words::read(line)?;
                Ok(())
            },
        }),*]
    };
}

/// Writes the lines, which begin with `start`, of what is not as in `plain`.
pub fn write_fields<T>(
    out: &mut String,
    start: &str,
    [whole, plain]: [&T; 2],
    fields: &[Field<T>],
) {
    for Field { name, words, .. } in fields {
        if words(whole) != words(plain) {
            *out += &format!(";! {start} {name} {}\n", words(whole));
        }
    }
}

/// Reads the rest of a line. False if its name is not that of a part.
pub fn read_field<T>(
    whole: &mut T,
    name: &str,
    line: &mut Line<'_>,
    fields: &[Field<T>],
) -> Read<bool> {
    let field = fields.iter().find(|field| field.name == name);
    field.map_or(Ok(false), |field| (field.read)(whole, line).map(|()| true))
}

/// A value's name in lower case.
pub fn name(value: &impl Debug) -> String {
    format!("{value:?}").to_ascii_lowercase()
}

/// Bytes of two hexadecimal digits each.
pub fn bytes(digits: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let byte = |[high, low]: &[u8; 2]| Some((digit(*high)? * 16 + digit(*low)?) as u8);
    let bytes: Option<Vec<u8>> = pairs.iter().map(byte).collect();
    bytes.filter(|_| rest.is_empty())
}
