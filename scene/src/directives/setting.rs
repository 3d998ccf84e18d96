//! Lines about words of the state: registers, masks, depths.

use attila_shader::isa::text::is_whole;
use attila_shader::isa::{BUFFERS, Remark, STORAGE_BUFFERS};
use attila_shader::machine::{CONSTANTS, KILL_ALL, LANES, LaneMask, Lanes, StateKind, StateName};

use super::parse::{Line, MAX_QUADS, Word};
use super::words::{self, Plain};
use super::{Directives, Setting};

/// A lane if only one is meant, a name, and the values of its words.
type Target = (Option<usize>, StateName, Vec<Lanes<u32>>);

impl<'a> Line<'a> {
    /// `[qN] name[lane] = value`. `kind` is the word before it, which names the kind of register;
    /// after `expect` the name alone says it.
    pub(super) fn setting(
        &mut self,
        kind: Option<Word<'a>>,
        into: &mut Directives,
    ) -> Result<Setting, Remark> {
        let mut quad = None;
        // `sample`, `kill` and others are kind and name at once.
        let own_name = kind.filter(|word| {
            let (name, _) = word.lane().unwrap_or((word.text, None));
            kind_named(name).is_some_and(is_own_name)
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
        let (lane, name, words) = self.target(kind, target)?;
        Ok(Setting {
            quad,
            lanes: lane.map_or(LaneMask::all(), LaneMask::only),
            name,
            words,
            line: self.number,
        })
    }

    /// The rest of the line from the name on: lane, name and values.
    fn target(&mut self, kind: Option<Word<'a>>, word: Word<'a>) -> Result<Target, Remark> {
        let kind = match kind {
            Some(kind) => kind_named(kind.lane()?.0),
            None => Some(kind_of(word)?),
        };
        let kind = kind.ok_or_else(|| self.missing("a register"))?;
        // After `expect`, `depth` and `accumulator` are followed by what of them is meant.
        let is_kind = word.lower() == kind.word();
        let word = if is_kind && matches!(kind, StateKind::Depth | StateKind::Accumulator) {
            self.expect("what of it")?
        } else {
            word
        };
        let (text, lane) = word.lane()?;
        let name = kind.read(text);
        let name = name.map_err(|error| word.fault(error.to_string()))?;
        self.equals()?;
        let words = match kind {
            StateKind::Input | StateKind::Output | StateKind::Temp => {
                self.vector(Plain::Float)?.map(|word| [word; LANES]).into()
            }
            StateKind::Address => self.vector(Plain::Integer)?.map(|w| [w; LANES]).into(),
            StateKind::Predicate => vec![self.truths(lane)?],
            StateKind::Sample => vec![self.per_lane(lane, Plain::Integer)?],
            StateKind::Depth => vec![self.per_lane(lane, Plain::Float)?],
            StateKind::Kill => vec![self.kill(lane)?],
            StateKind::Accumulator => self.fixed(lane)?.into(),
            StateKind::SampleCount | StateKind::OwnSample => vec![self.sample_numbers(lane)?],
            StateKind::Coverage => vec![self.per_lane(lane, Plain::Integer)?],
            StateKind::Position => vec![self.position()?],
        };
        Ok((lane, name, words))
    }

    /// One number for all four components, or four.
    pub(super) fn vector(&mut self, plain: Plain) -> Result<[u32; 4], Remark> {
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

    /// Four numbers for each vector, or one number for a single vector.
    pub(super) fn vectors(&mut self) -> Result<Vec<[u32; 4]>, Remark> {
        let mut vectors = vec![self.vector(Plain::Float)?];
        while self.peek().is_some() {
            vectors.push([
                self.number(Plain::Float)?,
                self.number(Plain::Float)?,
                self.number(Plain::Float)?,
                self.number(Plain::Float)?,
            ]);
        }
        Ok(vectors)
    }

    /// At least one number.
    pub(super) fn numbers(&mut self) -> Result<Vec<u32>, Remark> {
        let mut numbers = vec![self.number(Plain::Float)?];
        while self.peek().is_some() {
            numbers.push(self.number(Plain::Float)?);
        }
        Ok(numbers)
    }

    /// One number for `lane`, or one for each.
    fn per_lane(&mut self, lane: Option<usize>, plain: Plain) -> Result<Lanes<u32>, Remark> {
        let mut lanes = [0; LANES];
        for word in selected(&mut lanes, lane) {
            *word = self.number(plain)?;
        }
        Ok(lanes)
    }

    fn number(&mut self, plain: Plain) -> Result<u32, Remark> {
        let word = self.expect("a number")?;
        words::parse(word.text, plain).map_err(|message| word.fault(message))
    }

    /// One digit for `lane`, or one for each.
    fn truths(&mut self, lane: Option<usize>) -> Result<Lanes<u32>, Remark> {
        let word = self.expect("a truth value for each lane")?;
        digits(word, lane, u32::MAX)
    }

    fn kill(&mut self, lane: Option<usize>) -> Result<Lanes<u32>, Remark> {
        let before = self.cursor;
        let word = self.peek().ok_or_else(|| self.missing("a kill mask"))?;
        if let Ok(killed) = digits(word, lane, KILL_ALL) {
            self.next();
            if self.peek().is_none() {
                return Ok(killed);
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

    /// Signs, and the upper and lower halves of magnitudes.
    fn fixed(&mut self, lane: Option<usize>) -> Result<[Lanes<u32>; 3], Remark> {
        let mut lanes = [[0; LANES]; 3];
        for lane in (0..LANES).filter(|index| lane.is_none_or(|lane| lane == *index)) {
            let word = self.expect("a sign and magnitude")?;
            let digits = word.text.strip_prefix('-').unwrap_or(word.text);
            let magnitude = match digits.strip_prefix("0x") {
                Some(hex) => u64::from_str_radix(hex, 16),
                None => digits.parse(),
            };
            let magnitude = magnitude
                .map_err(|_| word.fault(format!("`{}` is not a 64-bit number", word.text)))?;
            lanes[0][lane] = word.text.starts_with('-').into();
            lanes[1][lane] = (magnitude >> 32) as u32;
            lanes[2][lane] = magnitude as u32;
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

/// Whether there is one name of the kind, which is its word.
fn is_own_name(kind: StateKind) -> bool {
    match kind {
        StateKind::Sample
        | StateKind::Kill
        | StateKind::SampleCount
        | StateKind::Coverage
        | StateKind::OwnSample => true,
        StateKind::Input
        | StateKind::Output
        | StateKind::Temp
        | StateKind::Address
        | StateKind::Predicate
        | StateKind::Depth
        | StateKind::Accumulator
        | StateKind::Position => false,
    }
}

/// The kind of this name.
pub(super) fn kind_named(text: &str) -> Option<StateKind> {
    let mut kinds = StateKind::ALL.into_iter();
    kinds.find(|kind| text.eq_ignore_ascii_case(kind.word()))
}

/// The kind of state that `word` after `expect` names, as the first word of a line before the run would.
fn kind_of(word: Word<'_>) -> Result<StateKind, Remark> {
    let (name, _) = word.lane()?;
    let registers = [
        StateKind::Kill,
        StateKind::Sample,
        StateKind::Depth,
        StateKind::Accumulator,
    ];
    if let Some(kind) = kind_named(name).filter(|kind| registers.contains(kind)) {
        return Ok(kind);
    }
    match name
        .chars()
        .next()
        .map(|letter| letter.to_ascii_lowercase())
    {
        Some('o') => Ok(StateKind::Output),
        Some('r') => Ok(StateKind::Temp),
        Some('a') => Ok(StateKind::Address),
        Some('p') => Ok(StateKind::Predicate),
        _ => {
            let message = format!("`{name}` is not a result of a run");
            let help =
                "o0 to o63, r0 to r255, a0 to a3, p0 to p31, kill, depth, sample or accumulator";
            Err(word.fault(message).help(format!("expected {help}")))
        }
    }
}

/// The number of a constant buffer.
pub(super) fn buffer(word: Word<'_>) -> Result<usize, Remark> {
    numbered(word, 'b', BUFFERS)
}

/// The number of a storage buffer.
pub(super) fn storage(word: Word<'_>) -> Result<usize, Remark> {
    numbered(word, 'u', STORAGE_BUFFERS)
}

/// The number after `letter`, one of `count`.
fn numbered(word: Word<'_>, letter: char, count: u8) -> Result<usize, Remark> {
    let lower = word.lower();
    let digits = lower.strip_prefix(letter).filter(|digits| is_whole(digits));
    let number = digits.and_then(|digits| digits.parse().ok());
    number
        .filter(|&number| number < usize::from(count))
        .ok_or_else(|| {
            let last = count - 1;
            word.fault(format!(
                "`{}` is not {letter}0 to {letter}{last}",
                word.text
            ))
        })
}

/// The number of a constant.
pub(super) fn constant(word: Word<'_>, name: &str) -> Result<usize, Remark> {
    let lower = name.to_ascii_lowercase();
    let digits = lower.strip_prefix('c').filter(|digits| is_whole(digits));
    let number = digits.and_then(|digits| digits.parse().ok());
    number
        .filter(|&number| number < CONSTANTS)
        .ok_or_else(|| word.fault(format!("`{name}` is not c0 to c{}", CONSTANTS - 1)))
}

/// A digit 0 or 1 for `lane`, or four of them: `one` where it is 1.
fn digits(word: Word<'_>, lane: Option<usize>, one: u32) -> Result<Lanes<u32>, Remark> {
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
    let mut lanes = [0; LANES];
    for (value, digit) in selected(&mut lanes, lane).zip(word.text.bytes()) {
        *value = if digit == b'1' { one } else { 0 };
    }
    Ok(lanes)
}
