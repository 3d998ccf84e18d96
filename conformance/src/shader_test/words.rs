//! A line of a script, word by word.

use std::ops::Range;

use attila_shader::isa::text::{Cursor, is_whole};
use attila_shader::isa::{Remark, nearest};

/// Characters that are words of their own.
const MARKS: &str = "(),;";

/// The words that are left of a line. Brackets, commas and semicolons are words of their own.
#[derive(Clone)]
pub(super) struct Words<'a>(Cursor<'a>);

impl<'a> Words<'a> {
    /// The words of a line, which is at byte `start` of the text.
    pub(super) fn new(start: usize, line: &'a str) -> Words<'a> {
        Words(Cursor::new(line, start))
    }

    fn next(&mut self) -> (&'a str, Range<usize>) {
        let word = self.0.word(MARKS);
        (word.text, word.span())
    }

    /// The next word, which is empty at the end of the line, and where it is in the text.
    pub(super) fn ahead(&self) -> (&'a str, Range<usize>) {
        let word = self.0.peek(MARKS);
        (word.text, word.span())
    }

    /// Takes these words, if they are the next ones.
    pub(super) fn take(&mut self, words: &str) -> bool {
        let mut ahead = self.clone();
        let found = words.split(' ').all(|word| ahead.next().0 == word);
        if found {
            *self = ahead;
        }
        found
    }

    fn expect(&mut self, what: &str) -> Result<(), Remark> {
        let (word, span) = self.next();
        if word == what {
            return Ok(());
        }
        Err(unexpected(word, span, &format!("`{what}`")))
    }

    /// That the line ends here, but for a semicolon.
    pub(super) fn end(&mut self) -> Result<(), Remark> {
        self.take(";");
        let (word, span) = self.next();
        if word.is_empty() {
            return Ok(());
        }
        Err(unexpected(word, span, "the end of the line"))
    }

    /// Whether the line ends here.
    pub(super) fn at_end(&self) -> bool {
        matches!(self.ahead().0, "" | ";")
    }

    /// A floating-point number; it may be `INF`, `-INF` or `NAN`.
    pub(super) fn number(&mut self) -> Result<f32, Remark> {
        let (word, span) = self.next();
        let unsigned = word.strip_prefix(['-', '+']).unwrap_or(word);
        // Rust also reads `infinity`.
        let numeric = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            || ["inf", "nan"]
                .iter()
                .any(|name| unsigned.eq_ignore_ascii_case(name));
        match word.parse() {
            Ok(number) if numeric => Ok(number),
            _ => Err(unexpected(word, span, "a number")),
        }
    }

    /// A number that is not infinite or NaN.
    pub(super) fn finite(&mut self) -> Result<f32, Remark> {
        let (word, span) = self.ahead();
        let number = self.number()?;
        if number.is_finite() {
            return Ok(number);
        }
        Err(unexpected(word, span, "a finite number"))
    }

    /// Numbers with blanks between them.
    pub(super) fn numbers<const N: usize>(
        &mut self,
        one: fn(&mut Self) -> Result<f32, Remark>,
    ) -> Result<[f32; N], Remark> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = one(self)?;
        }
        Ok(numbers)
    }

    /// `(`, values with commas between them, `)`.
    pub(super) fn tuple<T: Copy + Default, const N: usize>(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Result<T, Remark>,
    ) -> Result<[T; N], Remark> {
        let mut values = [T::default(); N];
        for (index, value) in values.iter_mut().enumerate() {
            self.expect(if index == 0 { "(" } else { "," })?;
            *value = one(self)?;
        }
        self.expect(")")?;
        Ok(values)
    }

    /// A whole number within a range; `what` says of what, as in `unit 9`.
    pub(super) fn index(&mut self, what: &str, range: Range<u32>) -> Result<u32, Remark> {
        let (word, span) = self.next();
        if !is_whole(word) {
            return Err(unexpected(word, span, "an integer"));
        }
        match word.parse() {
            Ok(index) if range.contains(&index) => Ok(index),
            _ => {
                let (first, last) = (range.start, range.end - 1);
                let message = format!("{what} {word} is not from {first} to {last}");
                Err(Remark::new(span, message))
            }
        }
    }

    /// One of several words, and what it stands for.
    pub(super) fn choice<T: Copy>(&mut self, choices: &[(&str, T)]) -> Result<T, Remark> {
        let (word, span) = self.next();
        if let Some((_, value)) = choices.iter().find(|(name, _)| *name == word) {
            return Ok(*value);
        }
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let expected = format!("one of `{}`", names.join("`, `"));
        let remark = unexpected(word, span, &expected);
        Err(match nearest(word, names) {
            Some(near) if !word.is_empty() => remark.help(format!("did you mean `{near}`?")),
            _ => remark,
        })
    }
}

fn unexpected(word: &str, span: Range<usize>, expected: &str) -> Remark {
    let found = if word.is_empty() {
        "the end of the line".to_owned()
    } else {
        format!("`{word}`")
    };
    Remark::new(span, format!("expected {expected}, found {found}"))
}
