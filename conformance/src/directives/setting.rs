//! Lines about words of the state: registers, masks, depths.

use attila_shader::isa::text::is_whole;
use attila_shader::isa::{Bank, Component, PREDICATES, Pred, Profile, Reg};
use attila_shader::machine::{Fixed, KILL_ALL, LANES, LaneMask, Lanes, SAMPLES};

use super::parse::{Fault, Line, MAX_QUADS, Word};
use super::words::{self, Plain};
use super::{Directives, Setting, Value};

impl<'a> Line<'a> {
    /// `[qN] name[lane] = value`. `kind` is the word before it, which names the kind of register;
    /// after `expect` the name alone says it.
    pub(super) fn setting(
        &mut self,
        kind: Option<Word<'a>>,
        into: &mut Directives,
    ) -> Result<Setting, Fault> {
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
    pub(super) fn vector(&mut self, plain: Plain) -> Result<[u32; 4], Fault> {
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
        let before = self.cursor;
        let word = self.peek().ok_or_else(|| self.missing("a kill mask"))?;
        if let Ok(killed) = digits(word, lane) {
            self.next();
            if self.peek().is_none() {
                return Ok(killed
                    .to_lanes()
                    .map(|killed| if killed { KILL_ALL } else { 0 }));
            }
            self.cursor = before;
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
            let message = format!("`{name}` is not a result of a run");
            let help =
                "o0 to o15, r0 to r31, a0, a1, p0 to p31, kill, depth, sample or accumulator";
            return Err(word.fault(message).with_help(format!("expected {help}")));
        }
    };
    Ok(kind.to_owned())
}

pub(super) fn register(word: Word<'_>, name: &str, bank: Bank) -> Result<Reg, Fault> {
    let index = numbered(
        word,
        name,
        bank.letter(),
        usize::from(bank.size(Profile::Base)),
    )?;
    Ok(Reg::new(bank, index as u16).expect("the number was checked"))
}

/// The number of `name`, which must be `letter` and a number below `size`.
fn numbered(word: Word<'_>, name: &str, letter: char, size: usize) -> Result<usize, Fault> {
    let lower = name.to_ascii_lowercase();
    lower
        .strip_prefix(letter)
        .filter(|digits| is_whole(digits))
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
