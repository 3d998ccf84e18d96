//! [`Condition`]: what a quad has to be like for somebody to stop there.

use std::fmt;
use std::str::FromStr;

use attila_machine::pipeline::Compare;
use attila_machine::{KILL_ALL, LANES, LaneMask, Lanes, Meaning, StateWord};
use thiserror::Error;

use super::Recording;
use super::place::{Place, PlaceError};
use super::query::Special;

/// A condition on a word: `r0.x > 1`, `o1.w is nan`, `lane 2 killed`.
///
/// Without a lane, one of the four is enough. Numbers are compared as floats, those with an `i` behind as integers, and
/// those that begin with `0x` as bits; words of integers as integers anyway.
#[derive(Clone, PartialEq, Debug)]
pub struct Condition {
    lane: Option<usize>,
    place: Place,
    test: Test,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Test {
    Float(Compare, f32),
    Integer(Compare, i32),
    Is(Special),
    Set,
    Killed,
}

/// A text that is no condition.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ConditionError {
    /// What is compared is no word.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// There is no such lane.
    #[error("`{0}` is not a lane from 0 to 3")]
    Lane(String),
    /// There is no comparison.
    #[error("`{0}` is not a condition; write it like `r0.x > 1`, `o1.w is nan` or `lane 2 killed`")]
    Form(String),
    /// It is not compared with a number.
    #[error("`{0}` is not a number")]
    Number(String),
}

/// Comparisons as they are written, longer ones first.
const COMPARISONS: [(&str, Compare); 6] = [
    ("<=", Compare::LessEqual),
    (">=", Compare::GreaterEqual),
    ("==", Compare::Equal),
    ("!=", Compare::NotEqual),
    ("<", Compare::Less),
    (">", Compare::Greater),
];

/// Words for special numbers.
const SPECIALS: [(&str, Special); 4] = [
    ("nan", Special::Nan),
    ("inf", Special::Infinity),
    ("infinity", Special::Infinity),
    ("denormal", Special::Denormal),
];

impl Condition {
    /// Reads a condition whose words may have other names, such as those of a language: `place` knows them.
    ///
    /// # Errors
    ///
    /// The text is no condition.
    pub fn read(
        text: &str,
        place: impl Fn(&str) -> Result<Place, PlaceError>,
    ) -> Result<Condition, ConditionError> {
        let (lane, rest) = match text.trim().strip_prefix("lane ") {
            Some(rest) => {
                let rest = rest.trim_start();
                let (number, rest) = rest.split_once(' ').unwrap_or((rest, ""));
                let lane = number.parse().ok().filter(|lane| *lane < LANES);
                let lane = lane.ok_or_else(|| ConditionError::Lane(number.to_owned()))?;
                (Some(lane), rest.trim())
            }
            None => (None, text.trim()),
        };
        if rest == "killed" {
            return Ok(Condition {
                lane,
                place: StateWord::KILL.into(),
                test: Test::Killed,
            });
        }
        let (name, test) = Test::read(rest).ok_or_else(|| ConditionError::Form(rest.to_owned()))?;
        let place = place(name.trim())?;
        let test = test.map_err(|number| ConditionError::Number(number.to_owned()))?;
        Ok(Condition {
            lane,
            place,
            test: test.of(place),
        })
    }

    /// The word that it is about.
    pub fn place(&self) -> Place {
        self.place
    }

    /// The lanes in which a word holds the condition.
    pub fn lanes(&self, value: Lanes<u32>) -> LaneMask {
        let asked = |lane: &usize| self.lane.is_none_or(|it| it == *lane);
        let lanes = (0..LANES).filter(asked);
        let holding = lanes.filter(|&lane| self.test.holds(value[lane]));
        holding.map(LaneMask::only).collect()
    }

    fn holds(&self, recording: &Recording, step: usize) -> bool {
        !self.lanes(recording.value_at(step, self.place)).is_empty()
    }
}

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Condition, ConditionError> {
        Condition::read(text, str::parse)
    }
}

impl Test {
    /// The name of a word, and the test, or the text that is no number.
    fn read(text: &str) -> Option<(&str, Result<Test, &str>)> {
        if let Some((name, word)) = text.split_once(" is ") {
            let word = word.trim();
            if word == "true" {
                return Some((name, Ok(Test::Set)));
            }
            let special = SPECIALS.iter().find(|(it, _)| *it == word);
            return special.map(|(_, special)| (name, Ok(Test::Is(*special))));
        }
        let at = |(sign, _): &&(&str, Compare)| text.contains(sign);
        let (sign, compare) = *COMPARISONS.iter().find(at)?;
        let (name, number) = text.split_once(sign)?;
        Some((name, Test::number(compare, number.trim())))
    }

    fn number(compare: Compare, text: &str) -> Result<Test, &str> {
        let hex = text
            .strip_prefix("0x")
            .map(|digits| u32::from_str_radix(digits, 16));
        if let Some(bits) = hex {
            let bits = bits.map_err(|_| text)?;
            return Ok(Test::Integer(compare, bits.cast_signed()));
        }
        if let Some(digits) = text.strip_suffix('i') {
            let number = digits.parse().map_err(|_| text)?;
            return Ok(Test::Integer(compare, number));
        }
        text.parse()
            .map(|number| Test::Float(compare, number))
            .map_err(|_| text)
    }

    /// The test as words of a place take it.
    fn of(self, place: Place) -> Test {
        let is_integer = match place {
            Place::Word(word) => match word.name().meaning() {
                Meaning::Integer | Meaning::Samples | Meaning::Truth | Meaning::Offset => true,
                Meaning::Float | Meaning::Fixed => false,
            },
            Place::Scratch { .. } => false,
        };
        match self {
            Test::Float(compare, number) if is_integer => Test::Integer(compare, number as i32),
            Test::Float(..) | Test::Integer(..) | Test::Is(_) | Test::Set | Test::Killed => self,
        }
    }

    fn holds(self, word: u32) -> bool {
        match self {
            Test::Float(compare, number) => compare.holds(f32::from_bits(word), number),
            Test::Integer(compare, number) => compare.holds(word.cast_signed(), number),
            Test::Is(special) => Special::of(word) == Some(special),
            Test::Set => word != 0,
            Test::Killed => word == KILL_ALL,
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(lane) = self.lane {
            write!(f, "lane {lane} ")?;
        }
        let sign = |compare: Compare| {
            let known = COMPARISONS.iter().find(|(_, it)| *it == compare);
            known.map_or("", |(sign, _)| sign)
        };
        match self.test {
            Test::Float(compare, number) => write!(f, "{} {} {number}", self.place, sign(compare)),
            Test::Integer(compare, number) => {
                write!(f, "{} {} {number}i", self.place, sign(compare))
            }
            Test::Is(special) => {
                let word = SPECIALS.iter().find(|(_, it)| *it == special);
                write!(f, "{} is {}", self.place, word.map_or("", |(word, _)| word))
            }
            Test::Set => write!(f, "{} is true", self.place),
            Test::Killed => f.write_str("killed"),
        }
    }
}

impl Recording {
    /// The next step after `from` before which a condition holds; [`Recording::len`] is the end.
    pub fn next_where(&self, condition: &Condition, from: usize) -> Option<usize> {
        let next = from + 1;
        if next > self.len() {
            return None;
        }
        let changes = self.changes_to(condition.place);
        let after = changes.map(|step| step + 1).filter(|step| *step > next);
        std::iter::once(next)
            .chain(after)
            .find(|step| condition.holds(self, *step))
    }

    /// The last step before `from` before which it holds.
    pub fn previous_where(&self, condition: &Condition, from: usize) -> Option<usize> {
        let last = from.min(self.len() + 1).checked_sub(1)?;
        let changes = self.changes_to(condition.place).rev();
        let before = changes.filter(|step| *step < last);
        std::iter::once(last)
            .chain(before)
            .find(|step| condition.holds(self, *step))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_and_printed() {
        for text in [
            "r0.x > 1",
            "o1.w is nan",
            "lane 2 killed",
            "lane 0 r1.y <= -0.5",
            "a0.x == 7i",
            "p1 is true",
        ] {
            let condition: Condition = text.parse().expect("it is one");
            assert_eq!(condition.to_string(), text);
        }
        for (text, message) in [
            ("r0.x", "`r0.x` is not a condition"),
            ("lane 4 killed", "`4` is not a lane"),
            ("r0 > 1", "`r0` is not a word"),
            ("r0.x > one", "`one` is not a number"),
            ("r0.x is odd", "`r0.x is odd` is not a condition"),
        ] {
            let error = text.parse::<Condition>().expect_err("it is none");
            assert!(error.to_string().starts_with(message), "{error}");
        }
    }

    #[test]
    fn integers_and_bits_are_not_compared_as_floats() {
        let lanes = |text: &str, word: u32| {
            let condition: Condition = text.parse().expect("it is one");
            condition.lanes([0, word, 0, 0])
        };
        assert_eq!(lanes("a0.x > 3", 4), LaneMask::LANE1);
        assert_eq!(lanes("r0.x == 0x7fc00000", 0x7fc0_0000), LaneMask::LANE1);
        assert_eq!(lanes("r0.x == 5i", 5), LaneMask::LANE1);
        assert_eq!(lanes("r0.x > 0", 1.5f32.to_bits()), LaneMask::LANE1);
        assert_eq!(lanes("lane 2 killed", KILL_ALL), LaneMask::empty());
    }
}
