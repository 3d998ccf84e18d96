//! From lines to [`Directives`].

use std::ops::Range;

use attila_isa::{
    Bank, Component, Fixed, KILL_ALL, LANES, LaneMask, Lanes, MAX_FIXED_BITS, PREDICATES, Pred,
    Reg, SAMPLES, Stage,
};

use super::words::{self, Plain};
use super::{DirectiveError, Directives, Extension, Setting, Value};

/// Quads that a text may name: enough for any test, and no way to ask for all memory.
const MAX_QUADS: usize = 4096;

/// First words of directives, for corrections.
const NAMES: [&str; 14] = [
    "stage",
    "quads",
    "loop-budget",
    "fixed-bits",
    "const",
    "input",
    "output",
    "temp",
    "address",
    "pred",
    "sample",
    "depth",
    "kill",
    "accumulator",
];

pub(super) fn parse(text: &str, extensions: &[&str]) -> Result<Directives, Vec<DirectiveError>> {
    let mut directives = Directives {
        quads: 1,
        ..Directives::default()
    };
    let mut errors = Vec::new();
    let mut start = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        if let Some(body) = line.trim_start().strip_prefix(";!") {
            let offset = start + (line.len() - body.len());
            // What follows another semicolon is a comment.
            let body = body.split(';').next().unwrap_or_default();
            let mut reader = Line::new(body.trim_end(), offset, index + 1);
            if let Err(fault) = reader.directive(&mut directives, extensions) {
                errors.push(fault.locate(text, start, index + 1));
            }
        }
        start += line.len();
    }
    if errors.is_empty() {
        Ok(directives)
    } else {
        Err(errors)
    }
}

/// What is wrong, and where, before lines and columns are known.
struct Fault {
    message: String,
    help: Option<String>,
    span: Range<usize>,
}

impl Fault {
    fn locate(self, text: &str, line_start: usize, line: usize) -> DirectiveError {
        let before = text.get(line_start..self.span.start).unwrap_or_default();
        DirectiveError {
            message: self.message,
            help: self.help,
            column: before.chars().count() + 1,
            span: self.span,
            line,
        }
    }
}

/// A word of the line.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    offset: usize,
}

impl Word<'_> {
    fn fault(self, message: String) -> Fault {
        Fault {
            message,
            help: None,
            span: self.offset..self.offset + self.text.len(),
        }
    }

    fn lower(self) -> String {
        self.text.to_ascii_lowercase()
    }
}

/// The words of a line that are still to be read.
struct Line<'a> {
    body: &'a str,
    offset: usize,
    at: usize,
    number: usize,
}

impl<'a> Line<'a> {
    fn new(body: &'a str, offset: usize, number: usize) -> Line<'a> {
        Line {
            body,
            offset,
            at: 0,
            number,
        }
    }

    fn rest(&self) -> &'a str {
        self.body.get(self.at..).unwrap_or_default()
    }

    /// The next word, without taking it. `=` is a word of its own.
    fn peek(&self) -> Option<Word<'a>> {
        let rest = self.rest();
        let trimmed = rest.trim_start();
        let length = match trimmed.find(|c: char| c.is_whitespace() || c == '=') {
            Some(0) => 1,
            Some(length) => length,
            None => trimmed.len(),
        };
        let text = &trimmed[..length];
        let offset = self.offset + self.at + (rest.len() - trimmed.len());
        (!text.is_empty()).then_some(Word { text, offset })
    }

    fn next(&mut self) -> Option<Word<'a>> {
        let word = self.peek()?;
        self.at = word.offset + word.text.len() - self.offset;
        Some(word)
    }

    /// The next word, which must be there.
    fn expect(&mut self, what: &str) -> Result<Word<'a>, Fault> {
        self.next().ok_or_else(|| self.missing(what))
    }

    fn missing(&self, what: &str) -> Fault {
        let end = self.offset + self.body.len();
        Fault {
            message: format!("{what} is missing"),
            help: None,
            span: end..end,
        }
    }

    fn equals(&mut self) -> Result<(), Fault> {
        let word = self.expect("`=`")?;
        if word.text == "=" {
            Ok(())
        } else {
            Err(word.fault(format!("`{}` stands where `=` belongs", word.text)))
        }
    }

    fn end(&mut self) -> Result<(), Fault> {
        match self.next() {
            None => Ok(()),
            Some(word) => Err(word.fault(format!("`{}` is one word too many", word.text))),
        }
    }

    fn directive(&mut self, into: &mut Directives, extensions: &[&str]) -> Result<(), Fault> {
        let word = self.expect("a directive")?;
        let name = word.lane()?.0.to_ascii_lowercase();
        match name.as_str() {
            "stage" => into.stage = Some(self.stage()?),
            "quads" => {
                let count = self.whole("a number of quads", MAX_QUADS)?;
                into.quads = into.quads.max(count);
            }
            "loop-budget" => {
                let budget = self.whole("a number of jumps", u32::MAX as usize)?;
                into.loop_budget = Some(budget as u32);
            }
            "fixed-bits" => {
                let bits = self.whole("a number of bits", MAX_FIXED_BITS as usize)?;
                into.fixed_bits = Some(bits as u32);
            }
            "const" => {
                let target = self.expect("a constant")?;
                let (name, lane) = target.lane()?;
                let reg = register(target, name, Bank::Constant)?;
                if lane.is_some() {
                    return Err(target.fault("constants are the same in all lanes".to_owned()));
                }
                self.equals()?;
                let vector = self.vector(Plain::Float)?;
                into.constants.insert(reg.index(), vector);
            }
            "expect" => {
                let setting = self.setting(None, into)?;
                into.expectations.push(setting);
            }
            other if NAMES.contains(&other) => {
                let setting = self.setting(Some(word), into)?;
                into.starts.push(setting);
            }
            other if extensions.contains(&other) => return self.extension(other, into),
            other => return Err(unknown(word, other, extensions)),
        }
        self.end()
    }

    fn extension(&mut self, name: &str, into: &mut Directives) -> Result<(), Fault> {
        let rest = self.rest();
        let trimmed = rest.trim_start();
        let start = self.offset + self.at + (rest.len() - trimmed.len());
        into.extensions.push(Extension {
            name: name.to_owned(),
            rest: trimmed.to_owned(),
            span: start..start + trimmed.len(),
            line: self.number,
        });
        Ok(())
    }

    fn stage(&mut self) -> Result<Stage, Fault> {
        let word = self.expect("`vertex` or `fragment`")?;
        match word.lower().as_str() {
            "vertex" => Ok(Stage::Vertex),
            "fragment" => Ok(Stage::Fragment),
            _ => Err(word.fault(format!("`{}` is not `vertex` or `fragment`", word.text))),
        }
    }

    fn whole(&mut self, what: &str, most: usize) -> Result<usize, Fault> {
        let word = self.expect(what)?;
        word.text
            .parse()
            .ok()
            .filter(|&number| number <= most)
            .ok_or_else(|| word.fault(format!("`{}` is not {what} up to {most}", word.text)))
    }

    /// `[qN] name[lane] = value`. `kind` is the word before it, which names the kind of register;
    /// after `expect` the name alone says it.
    fn setting(&mut self, kind: Option<Word<'a>>, into: &mut Directives) -> Result<Setting, Fault> {
        let mut quad = None;
        // `sample` and `kill` are kind and name at once.
        let own_name = kind.filter(|word| {
            let (name, _) = word.lane().unwrap_or((word.text, None));
            matches!(name.to_ascii_lowercase().as_str(), "sample" | "kill")
        });
        if let Some(word) = self.peek()
            && let Some(number) = word.lower().strip_prefix('q')
            && number.starts_with(|c: char| c.is_ascii_digit())
        {
            self.next();
            let number = number.parse().ok().filter(|&n| n < MAX_QUADS);
            let number = number.ok_or_else(|| {
                word.fault(format!(
                    "`{}` is not a quad q0 to q{}",
                    word.text,
                    MAX_QUADS - 1
                ))
            })?;
            into.quads = into.quads.max(number + 1);
            quad = Some(number);
        }
        let target = match own_name {
            Some(word) => word,
            None => self.expect("a register")?,
        };
        let (lane, value) = self.target(kind, target)?;
        Ok(Setting {
            quad,
            lanes: lane.map_or(LaneMask::all(), LaneMask::only),
            value,
            line: self.number,
        })
    }

    /// The rest of the line from the name on.
    fn target(
        &mut self,
        kind: Option<Word<'a>>,
        word: Word<'a>,
    ) -> Result<(Option<usize>, Value), Fault> {
        let kind = match kind {
            Some(kind) => kind.lane()?.0.to_ascii_lowercase(),
            None => kind_of(word)?,
        };
        // After `expect`, `depth` and `accumulator` are followed by what of them is meant.
        let word = if word.lower() == kind && matches!(kind.as_str(), "depth" | "accumulator") {
            self.expect("what of it")?
        } else {
            word
        };
        let (name, lane) = word.lane()?;
        let bank = match kind.as_str() {
            "input" => Bank::Input,
            "output" => Bank::Output,
            "temp" => Bank::Temp,
            "address" => Bank::Address,
            other => return Ok((lane, self.other(other, word, name, lane)?)),
        };
        let reg = register(word, name, bank)?;
        self.equals()?;
        let plain = if bank == Bank::Address {
            Plain::Integer
        } else {
            Plain::Float
        };
        Ok((lane, Value::Register(reg, self.vector(plain)?)))
    }

    fn other(
        &mut self,
        kind: &str,
        word: Word<'a>,
        name: &str,
        lane: Option<usize>,
    ) -> Result<Value, Fault> {
        match kind {
            "pred" => {
                let pred = numbered(word, name, 'p', usize::from(PREDICATES))?;
                let pred = Pred::new(pred as u8).expect("the number was checked");
                self.equals()?;
                Ok(Value::Predicate(pred, self.truths(lane)?))
            }
            "depth" => {
                let sample = numbered(word, name, 's', SAMPLES)?;
                self.equals()?;
                Ok(Value::Depth(sample, self.per_lane(lane, Plain::Float)?))
            }
            "accumulator" => {
                let component = Component::ALL
                    .into_iter()
                    .find(|c| name.eq_ignore_ascii_case(&c.letter().to_string()));
                let component = component.ok_or_else(|| {
                    word.fault(format!("`{name}` is not a component x, y, z or w"))
                })?;
                self.equals()?;
                Ok(Value::Accumulator(component, self.fixed(lane)?))
            }
            "sample" => {
                self.equals()?;
                Ok(Value::Sample(self.per_lane(lane, Plain::Integer)?))
            }
            _ => {
                self.equals()?;
                Ok(Value::Kill(self.kill(lane)?))
            }
        }
    }

    /// One number for all four components, or four.
    fn vector(&mut self, plain: Plain) -> Result<[u32; 4], Fault> {
        let first = self.number(plain)?;
        if self.peek().is_none() {
            return Ok([first; 4]);
        }
        Ok([
            first,
            self.number(plain)?,
            self.number(plain)?,
            self.number(plain)?,
        ])
    }

    /// One number for `lane`, or one for each.
    fn per_lane(&mut self, lane: Option<usize>, plain: Plain) -> Result<Lanes<u32>, Fault> {
        let mut lanes = [0; LANES];
        for word in selected(&mut lanes, lane) {
            *word = self.number(plain)?;
        }
        Ok(lanes)
    }

    fn number(&mut self, plain: Plain) -> Result<u32, Fault> {
        let word = self.expect("a number")?;
        words::parse(word.text, plain).map_err(|message| word.fault(message))
    }

    /// One digit for `lane`, or one for each.
    fn truths(&mut self, lane: Option<usize>) -> Result<LaneMask, Fault> {
        let word = self.expect("a truth value for each lane")?;
        digits(word, lane)
    }

    fn kill(&mut self, lane: Option<usize>) -> Result<Lanes<u32>, Fault> {
        let word = self.peek().ok_or_else(|| self.missing("a kill mask"))?;
        if let Ok(killed) = digits(word, lane) {
            self.next();
            if self.peek().is_none() {
                return Ok(killed
                    .to_lanes()
                    .map(|killed| if killed { KILL_ALL } else { 0 }));
            }
            self.at = word.offset - self.offset;
        }
        let mut lanes = [0; LANES];
        for mask in selected(&mut lanes, lane) {
            let word = self.expect("a mask of samples")?;
            *mask = words::parse(word.text, Plain::Integer).map_err(|m| word.fault(m))?;
            if *mask > KILL_ALL {
                return Err(word.fault(format!("`{}` has more than 16 samples", word.text)));
            }
        }
        Ok(lanes)
    }

    fn fixed(&mut self, lane: Option<usize>) -> Result<Lanes<Fixed>, Fault> {
        let mut lanes = [Fixed::default(); LANES];
        for value in selected(&mut lanes, lane) {
            let word = self.expect("a sign and magnitude")?;
            let digits = word.text.strip_prefix('-').unwrap_or(word.text);
            let magnitude = match digits.strip_prefix("0x") {
                Some(hex) => u64::from_str_radix(hex, 16),
                None => digits.parse(),
            };
            *value = Fixed {
                magnitude: magnitude
                    .map_err(|_| word.fault(format!("`{}` is not a 64-bit number", word.text)))?,
                negative: u64::from(word.text.starts_with('-')),
            };
        }
        Ok(lanes)
    }
}

impl<'a> Word<'a> {
    /// The name and the lane of `name[lane]`.
    fn lane(self) -> Result<(&'a str, Option<usize>), Fault> {
        let Some((name, rest)) = self.text.split_once('[') else {
            return Ok((self.text, None));
        };
        let lane = rest.strip_suffix(']').and_then(|lane| lane.parse().ok());
        match lane.filter(|&lane: &usize| lane < LANES) {
            Some(lane) => Ok((name, Some(lane))),
            None => Err(self.fault(format!("`[{rest}` is not a lane [0] to [3]"))),
        }
    }
}

/// The lanes that a line is about.
fn selected<T>(lanes: &mut Lanes<T>, lane: Option<usize>) -> impl Iterator<Item = &mut T> {
    let all = lanes.iter_mut().enumerate();
    all.filter(move |(index, _)| lane.is_none_or(|lane| lane == *index))
        .map(|(_, value)| value)
}

/// What `word` after `expect` is about, as the first word of a line before the run would say it.
fn kind_of(word: Word<'_>) -> Result<String, Fault> {
    let (name, _) = word.lane()?;
    let lower = name.to_ascii_lowercase();
    if matches!(lower.as_str(), "kill" | "sample" | "depth" | "accumulator") {
        return Ok(lower);
    }
    let kind = match lower.chars().next() {
        Some('o') => "output",
        Some('r') => "temp",
        Some('a') => "address",
        Some('p') => "pred",
        _ => {
            let message = format!("`{name}` is not something that a run changes");
            let help =
                "o0 to o15, r0 to r31, a0, a1, p0 to p31, kill, depth, sample or accumulator";
            return Err(Fault {
                help: Some(format!("expected {help}")),
                ..word.fault(message)
            });
        }
    };
    Ok(kind.to_owned())
}

fn register(word: Word<'_>, name: &str, bank: Bank) -> Result<Reg, Fault> {
    let index = numbered(word, name, bank.letter(), usize::from(bank.size()))?;
    Ok(Reg::new(bank, index as u16).expect("the number was checked"))
}

/// The number of `name`, which must be `letter` and a number below `size`.
fn numbered(word: Word<'_>, name: &str, letter: char, size: usize) -> Result<usize, Fault> {
    let lower = name.to_ascii_lowercase();
    lower
        .strip_prefix(letter)
        .filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()))
        .and_then(|digits| digits.parse().ok())
        .filter(|&number| number < size)
        .ok_or_else(|| word.fault(format!("`{name}` is not {letter}0 to {letter}{}", size - 1)))
}

/// A digit 0 or 1 for `lane`, or four of them.
fn digits(word: Word<'_>, lane: Option<usize>) -> Result<LaneMask, Fault> {
    let count = if lane.is_some() { 1 } else { LANES };
    let fits = word.text.len() == count && word.text.bytes().all(|b| matches!(b, b'0' | b'1'));
    if !fits {
        let what = if count == 1 {
            "0 or 1"
        } else {
            "four digits 0 or 1, lane 0 first"
        };
        return Err(word.fault(format!("`{}` is not {what}", word.text)));
    }
    let mut lanes = [false; LANES];
    for (value, digit) in selected(&mut lanes, lane).zip(word.text.bytes()) {
        *value = digit == b'1';
    }
    Ok(LaneMask::from_lanes(lanes))
}

fn unknown(word: Word<'_>, name: &str, extensions: &[&str]) -> Fault {
    let known = NAMES.iter().chain(&["expect"]).chain(extensions);
    let nearest = known
        .map(|known| (distance(name, known), known))
        .filter(|(distance, known)| *distance <= 1 + known.len() / 4)
        .min();
    Fault {
        help: nearest.map(|(_, known)| format!("did you mean `{known}`?")),
        ..word.fault(format!("there is no directive `{}`", word.text))
    }
}

/// The number of characters to insert, remove or replace to make `a` of `b`.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.chars().enumerate() {
            let replace = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.chars().count()]
}
