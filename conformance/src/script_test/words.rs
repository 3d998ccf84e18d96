//! A line of a script, word by word.

use std::ops::Range;

use attila_shader::isa::text::{Cursor, hexadecimal, is_whole};
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

    /// Takes the name of a command, and says what `commands` has for it. Names that others begin with come after
    /// those.
    pub(super) fn command<T: Copy>(&mut self, commands: &[(&str, T)]) -> Result<T, Remark> {
        if let Some((_, command)) = commands.iter().find(|(name, _)| self.take(name)) {
            return Ok(*command);
        }
        let (first, span) = self.ahead();
        let names = || commands.iter().map(|(name, _)| *name);
        let longer = names().filter(|name| name.split(' ').next() == Some(first));
        let longer: Vec<&str> = longer.collect();
        if !longer.is_empty() {
            let message = format!("expected another word after `{first}`");
            let help = format!("the commands are `{}`", longer.join("`, `"));
            return Err(Remark::new(span, message).help(help));
        }
        let remark = Remark::new(span, format!("there is no command `{first}`"));
        let firsts = names().filter_map(|name| name.split(' ').next());
        Err(match nearest(first, firsts) {
            Some(near) => remark.help(format!("did you mean `{near}`?")),
            None => remark,
        })
    }

    fn expect(&mut self, what: &str) -> Result<(), Remark> {
        let (word, span) = self.next();
        if word == what {
            return Ok(());
        }
        Err(unexpected(word, span, &format!("`{what}`")))
    }

    /// Checks that the line ends here, but for a semicolon.
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

    /// A number in brackets after a name, as in `SAMP[2]`.
    pub(super) fn indexed(&mut self, name: &str, range: Range<u32>) -> Result<u32, Remark> {
        let (word, span) = self.next();
        let digits = word
            .strip_prefix(name)
            .and_then(|rest| rest.strip_prefix('['))
            .and_then(|rest| rest.strip_suffix(']'))
            .filter(|digits| is_whole(digits));
        let Some(digits) = digits else {
            return Err(unexpected(word, span, &format!("`{name}[...]`")));
        };
        match digits.parse() {
            Ok(index) if range.contains(&index) => Ok(index),
            _ => {
                let (first, last) = (range.start, range.end - 1);
                let message = format!("{name} {digits} is not from {first} to {last}");
                Err(Remark::new(span, message))
            }
        }
    }

    /// Three sides of at most `most` each, as in `8x8x1`.
    pub(super) fn sides(&mut self, most: u32) -> Result<[u32; 3], Remark> {
        let (word, span) = self.next();
        let sides: Vec<u32> = word
            .split('x')
            .filter(|side| is_whole(side))
            .filter_map(|side| side.parse().ok())
            .filter(|side| (1..=most).contains(side))
            .collect();
        match <[u32; 3]>::try_from(sides) {
            Ok(sides) if word.split('x').count() == 3 => Ok(sides),
            _ => {
                let expected = format!("three sides from 1 to {most}, as in `8x8x1`");
                Err(unexpected(word, span, &expected))
            }
        }
    }

    /// A word: in hexadecimal after `0x`, or an integer.
    pub(super) fn integer_bits(&mut self) -> Result<u32, Remark> {
        let (word, span) = self.next();
        let integer = match word.strip_prefix("0x") {
            Some(digits) => hexadecimal(digits).map(i64::from),
            None => word.parse().ok(),
        };
        match integer {
            Some(integer @ 0..=0xffff_ffff) => Ok(integer as u32),
            Some(integer @ -0x8000_0000..0) => Ok(integer as i32 as u32),
            Some(_) | None => Err(unexpected(word, span, "an integer of 32 bits")),
        }
    }

    /// A word: in hexadecimal after `0x`, or the bits of a floating-point number.
    pub(super) fn float_bits(&mut self) -> Result<u32, Remark> {
        match self.ahead().0.starts_with("0x") {
            true => self.integer_bits(),
            false => self.number().map(f32::to_bits),
        }
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

    /// Values with blanks between them.
    pub(super) fn list<T: Copy + Default, const N: usize>(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Result<T, Remark>,
    ) -> Result<[T; N], Remark> {
        let mut values = [T::default(); N];
        for value in &mut values {
            *value = one(self)?;
        }
        Ok(values)
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
