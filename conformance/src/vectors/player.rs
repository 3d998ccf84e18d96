//! Plays the samples of a vector to a program and notes what it asks.

use std::sync::{Mutex, MutexGuard, PoisonError};

use attila_shader::isa::Stage;
use attila_shader::machine::{
    AttributeSource, LANES, LaneMask, Lanes, Lookup, QuadReg, TextureQuery, TextureUnit,
    from_floats,
};

use super::check::{Rule, accepts};
use super::format::{ExpectedRequest, Index, Vector, Word};

/// The most requests that are described. A program in a loop makes millions.
const DESCRIBED: usize = 100;

/// Answers the k-th request of a lane with the k-th sample.
pub(super) struct Player<'v> {
    vector: &'v Vector,
    log: Mutex<Log>,
}

#[derive(Default)]
struct Log {
    /// How many requests each lane has made.
    made: Lanes<usize>,
    /// Requests that differ from the expected ones.
    differences: Vec<String>,
    /// The number of requests, counted by lane, that were not compared, as there were enough
    /// differences.
    unchecked: usize,
}

impl Log {
    /// Notes what `check` says of a query, unless enough has been noted.
    fn compare(&mut self, lane: usize, number: usize, check: impl Fn() -> Result<(), String>) {
        if self.differences.len() == DESCRIBED {
            self.unchecked += 1;
        } else if let Err(what) = check() {
            let text = format!("lane {lane}: request {number} {what}");
            self.differences.push(text);
        }
    }
}

impl<'v> Player<'v> {
    pub(super) fn new(vector: &'v Vector) -> Player<'v> {
        Player {
            vector,
            log: Mutex::default(),
        }
    }

    /// In what the requests were not as expected; requests that were not made among them.
    pub(super) fn differences(&self) -> Vec<String> {
        let log = self.log();
        let mut list = log.differences.clone();
        if log.unchecked > 0 {
            list.push(format!("{} more requests were not compared", log.unchecked));
        }
        for (number, expected) in self.vector.expect.texture_requests.iter().enumerate() {
            let lanes = expected.coords.keys().chain(expected.index.keys());
            for lane in lanes.filter(|lane| log.made[lane.0] <= number) {
                let (op, lane) = (&expected.op, lane.0);
                list.push(format!("lane {lane}: request {number} ({op}) was not made"));
            }
        }
        list
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request of `lanes` and checks it with `check`, which compares one lane. Answers.
    fn play(
        &self,
        lanes: LaneMask,
        check: impl Fn(&ExpectedRequest, usize) -> Result<(), String>,
    ) -> [Lanes<f32>; 4] {
        let mut log = self.log();
        let mut answer = [[0.0; LANES]; 4];
        for lane in (0..LANES).filter(|&lane| lanes.has(lane)) {
            let number = log.made[lane];
            log.made[lane] += 1;
            log.compare(lane, number, || {
                match self.vector.expect.texture_requests.get(number) {
                    Some(expected) => check(expected, lane),
                    None => Err("is one too many".to_owned()),
                }
            });
            let sample = self.vector.samples.get(number);
            if let Some(words) = sample.and_then(|sample| sample.get(&Index(lane))) {
                for (component, word) in answer.iter_mut().zip(words) {
                    component[lane] = f32::from_bits(word.0);
                }
            }
        }
        answer
    }

    /// The lanes that a texture request belongs to. Fragments always ask together.
    fn asking(&self, active: LaneMask) -> LaneMask {
        match Stage::from(self.vector.stage).has_neighbours() {
            true => LaneMask::all(),
            false => active,
        }
    }
}

impl TextureUnit for Player<'_> {
    fn has_unit(&self, _unit: u8) -> bool {
        true
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        let rule = self.vector.rule();
        let answer = self.play(self.asking(query.active), |expected, lane| {
            same_kind(expected, query.mnemonic(), query.unit)?;
            let Lookup::Sample { coords, level, .. } = query.lookup else {
                return Err("is not a sample".to_owned());
            };
            let found = coords.map(|lanes| lanes[lane].to_bits());
            let names = ["s", "t", "r"].into_iter().zip(found);
            let coords = expected.coords.get(&Index(lane)).copied();
            for ((name, found), expected) in names.zip(coords.unwrap_or_default()) {
                same_word(rule, name, expected, found)?;
            }
            let Some(operand) = level.given() else {
                return Ok(());
            };
            let param = expected.param.get(&Index(lane)).copied();
            let found = operand[lane].to_bits();
            same_word(rule, "parameter", param.unwrap_or_default(), found)
        });
        from_floats(answer)
    }
}

impl AttributeSource for Player<'_> {
    /// A vector lists the lanes whose guard is true; the others take a sample all the same.
    fn fetch(&self, attribute: u8, index: Lanes<u32>, wanted: LaneMask) -> [Lanes<f32>; 4] {
        self.play(LaneMask::all(), |expected, lane| {
            same_kind(expected, "lda", attribute)?;
            match (wanted.has(lane), expected.index.get(&Index(lane))) {
                (true, Some(expected)) => same_word(Rule::Bits, "index", *expected, index[lane]),
                (true, None) => Err("is not expected in this lane".to_owned()),
                (false, Some(_)) => Err("does not want this lane".to_owned()),
                (false, None) => Ok(()),
            }
        })
    }
}

fn same_kind(expected: &ExpectedRequest, op: &str, unit: u8) -> Result<(), String> {
    if expected.op.eq_ignore_ascii_case(op) && expected.unit == unit {
        Ok(())
    } else {
        let (want, of) = (expected.op.to_lowercase(), expected.unit);
        Err(format!("is {op} t{unit}, expected {want} t{of}"))
    }
}

pub(super) fn same_word(rule: Rule, name: &str, expected: Word, found: u32) -> Result<(), String> {
    if accepts(rule, expected.0, found) {
        Ok(())
    } else {
        let (want, float) = (expected.0, f32::from_bits);
        Err(format!(
            "has {name} {found:08x} ({}), expected {want:08x} ({})",
            float(found),
            float(want)
        ))
    }
}
