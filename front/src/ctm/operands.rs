//! Reads operands and registers.

use attila_isa::{Remark, code};

use super::lexer::TokenKind;
use super::parser::{Parsed, Parser, quote};
use super::program::{File, Presubtract, Register, Select, Source, Unit, Value};

/// The operands that are numbers.
const LITERALS: [(&str, Select); 3] = [
    ("0", Select::Zero),
    ("half", Select::Half),
    ("1", Select::One),
];

/// The function that clears signs.
const ABSOLUTE: &str = "abs";

impl Parser<'_> {
    /// An operand.
    pub(super) fn source(&mut self, unit: Unit) -> Parsed<Source> {
        let start = self.lexer.token.start;
        let negate = self.accept('-');
        let absolute = self.lexer.token.text == ABSOLUTE;
        if absolute {
            self.lexer.advance();
            self.expect('(')?;
        }
        let (value, select) = self.value(unit)?;
        if absolute {
            self.expect(')')?;
        }
        Ok(Source {
            negate,
            absolute,
            value,
            select,
            span: start..self.lexer.last_end,
        })
    }

    fn value(&mut self, unit: Unit) -> Parsed<(Value, [Select; 3])> {
        let word = self.lexer.token;
        if let Some((_, select)) = LITERALS.iter().find(|(name, _)| *name == word.text) {
            self.lexer.advance();
            return Ok((Value::Literal, [*select; 3]));
        }
        let mut presubtracts = Presubtract::WORDS.iter();
        let value = match presubtracts.find(|(name, _)| *name == word.text) {
            Some((name, count)) => self.presubtract(name, *count)?,
            None => Value::Register(self.readable()?),
        };
        let select = match (self.accept('.'), unit) {
            (true, _) => self.select(unit)?,
            (false, Unit::Rgb) => Select::RGB,
            (false, Unit::Alpha) => [Select::ALL[3]; 3],
        };
        Ok((value, select))
    }

    /// The registers of a sum or difference, in parentheses.
    fn presubtract(&mut self, name: &str, count: usize) -> Parsed<Value> {
        let start = self.lexer.token.start;
        self.lexer.advance();
        self.expect('(')?;
        let mut registers = vec![self.readable()?];
        while self.accept(',') {
            registers.push(self.readable()?);
        }
        self.expect(')')?;
        let span = start..self.lexer.last_end;
        let value = match (name, &registers[..]) {
            ("bias", &[register]) => Presubtract::Bias(register),
            ("inv", &[register]) => Presubtract::Inv(register),
            ("add", &[first, second]) => Presubtract::Add(first, second),
            ("sub", &[first, second]) => Presubtract::Sub(first, second),
            (_, found) => {
                let s = if count == 1 { "" } else { "s" };
                let found = found.len();
                let message = format!("`{name}` has {count} register{s}; here are {found}");
                return Err(Remark::new(span, message).code(&code::text::OPERANDS));
            }
        };
        Ok(Value::Presubtract(value))
    }

    /// A register that can be read.
    fn readable(&mut self) -> Parsed<Register> {
        let token = self.lexer.token;
        let register = self.register()?;
        match register.file {
            File::Temporary | File::Constant | File::Input => Ok(register),
            File::Output => {
                let message = format!("`{register}` is an output, which cannot be read");
                Err(Remark::new(token.span(), message).code(&code::text::OPERANDS))
            }
        }
    }

    /// A register of any kind.
    pub(super) fn register(&mut self) -> Parsed<Register> {
        let token = self.lexer.token;
        if token.kind != TokenKind::Word {
            return Err(self.unexpected("a register"));
        }
        let file = File::ALL.into_iter().find_map(|file| {
            let digits = token.text.strip_prefix(file.letter())?;
            attila_isa::text::is_whole(digits).then_some((file, digits))
        });
        let Some((file, digits)) = file else {
            let message = format!("{} is not a register", quote(token.text));
            let help = "registers are t0 to t27, c0 to c255, i0 to i15 and o0 to o15";
            return Err(Remark::new(token.span(), message)
                .code(&code::text::NAME)
                .help(help));
        };
        let number = digits.parse().ok().filter(|number| *number < file.size());
        let Some(number) = number else {
            let (letter, last) = (file.letter(), file.size() - 1);
            let message = format!(
                "there is no {}; the last one is `{letter}{last}`",
                quote(token.text)
            );
            return Err(Remark::new(token.span(), message).code(&code::text::NAME));
        };
        self.lexer.advance();
        Ok(Register { file, number })
    }

    /// The letters after the dot: three, or one.
    fn select(&mut self, unit: Unit) -> Parsed<[Select; 3]> {
        let select = |letter| Select::ALL.into_iter().find(|it| it.letter() == letter);
        let letters: Option<Vec<Select>> = self.lexer.token.text.chars().map(select).collect();
        let select = match (unit, letters.as_deref()) {
            (Unit::Rgb, Some(&[first, second, third])) => [first, second, third],
            (Unit::Alpha, Some(&[only])) => [only; 3],
            (Unit::Rgb, _) => {
                let remark = self.unexpected("the components of an `rgb` operand");
                return Err(remark.help("three of r, g, b, a, 0, h and 1"));
            }
            (Unit::Alpha, _) => {
                let remark = self.unexpected("the component of an `alpha` operand");
                return Err(remark.help("one of r, g, b, a, 0, h and 1"));
            }
        };
        self.lexer.advance();
        Ok(select)
    }
}
