//! Quads: what directives say that they start with, and whether they are what is expected.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use attila_shader::isa::{Bank, Component, Pred, Reg};
use attila_shader::machine::{LANES, Lanes, QuadState};

use super::words::show;
use super::{Directives, Setting, Value};

/// The most expectations that are said to be unmet.
const MOST_UNMET: usize = 100;

/// Words of a quad.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Register(Reg),
    Predicate(Pred),
    Kill,
    Depth(usize),
    Sample,
    Accumulator(Component),
}

impl Value {
    fn place(&self) -> Place {
        match *self {
            Value::Register(reg, _) => Place::Register(reg),
            Value::Predicate(pred, _) => Place::Predicate(pred),
            Value::Kill(_) => Place::Kill,
            Value::Depth(sample, _) => Place::Depth(sample),
            Value::Sample(_) => Place::Sample,
            Value::Accumulator(component, _) => Place::Accumulator(component),
        }
    }
}

impl Directives {
    /// The quads as they are before the run.
    pub fn start(&self) -> Vec<QuadState> {
        let mut quads = vec![QuadState::default(); self.quads];
        for setting in lasting(&self.starts) {
            for quad in &mut quads[setting.quads(self.quads)] {
                setting.apply(quad);
            }
        }
        quads
    }

    /// The expectations that `quads` do not meet, one line of text each: at most 100, and a line that
    /// says that there are more.
    pub fn unmet(&self, quads: &[QuadState]) -> Vec<String> {
        let mut unmet = Vec::new();
        // What all quads have been found to meet: a text may say the same very often.
        let mut met = BTreeMap::new();
        for expectation in &self.expectations {
            let (key, expected) = (expectation.key(), expectation.expected());
            let known = met.get(&key);
            if known.is_some_and(|known| expectation.agrees(known, &expected)) {
                continue;
            }
            let before = unmet.len();
            for index in expectation.quads(quads.len()) {
                expectation.check(index, &quads[index], &expected, &mut unmet);
                if unmet.len() > MOST_UNMET {
                    unmet.truncate(MOST_UNMET);
                    let message = "more expectations are not met; these are the first";
                    unmet.push(format!("{message} {MOST_UNMET}"));
                    return unmet;
                }
            }
            if expectation.quad.is_none() && unmet.len() == before {
                met.insert(key, expected);
            }
        }
        unmet
    }
}

/// The settings in their order, but for those of all quads that a later one overrides: a text may
/// have very many of both.
fn lasting(settings: &[Setting]) -> Vec<&Setting> {
    let mut later = BTreeSet::new();
    let last = |setting: &&Setting| setting.quad.is_some() || later.insert(setting.key());
    let mut list: Vec<&Setting> = settings.iter().rev().filter(last).collect();
    list.reverse();
    list
}

impl Setting {
    /// The quads, of `count`, that it is about.
    fn quads(&self, count: usize) -> Range<usize> {
        match self.quad {
            Some(only) => only.min(count)..(only + 1).min(count),
            None => 0..count,
        }
    }

    /// The words that it is about, and their quads.
    fn key(&self) -> (Option<usize>, Place, u8) {
        (self.quad, self.value.place(), self.lanes.bits())
    }

    /// The words that it stands for, lane by lane.
    fn expected(&self) -> Lanes<Vec<u64>> {
        let mut quad = QuadState::default();
        self.apply(&mut quad);
        std::array::from_fn(|lane| self.words(&quad, lane))
    }

    /// Whether two expectations of the same words are met by the same quads.
    fn agrees(&self, one: &Lanes<Vec<u64>>, other: &Lanes<Vec<u64>>) -> bool {
        one.iter().zip(other).all(|(a, b)| self.same(a, b))
    }

    /// Makes it so.
    fn apply(&self, quad: &mut QuadState) {
        for lane in (0..LANES).filter(|&lane| self.lanes.has(lane)) {
            match self.value {
                Value::Register(reg, words) => {
                    let bank = match reg.bank() {
                        Bank::Input => &mut quad.io.inputs[..],
                        Bank::Output => &mut quad.io.outputs[..],
                        Bank::Temp => &mut quad.regs.temps[..],
                        Bank::Address => &mut quad.regs.addresses[..],
                        Bank::Constant => continue,
                    };
                    for (component, word) in bank[reg.index()].iter_mut().zip(words) {
                        component[lane] = word;
                    }
                }
                Value::Predicate(pred, lanes) => {
                    let word = if lanes.has(lane) { u32::MAX } else { 0 };
                    quad.regs.predicates[pred.index()][lane] = word;
                }
                Value::Kill(masks) => quad.io.kill[lane] = masks[lane],
                Value::Depth(sample, words) => quad.io.depth[sample][lane] = words[lane],
                Value::Sample(words) => quad.regs.sample[lane] = words[lane],
                Value::Accumulator(c, values) => {
                    quad.regs.accumulator[c.index()][lane] = values[lane];
                }
            }
        }
    }

    /// Adds a line to `unmet` for every lane in which it is not so.
    fn check(
        &self,
        index: usize,
        quad: &QuadState,
        expected: &Lanes<Vec<u64>>,
        unmet: &mut Vec<String>,
    ) {
        for lane in (0..LANES).filter(|&lane| self.lanes.has(lane)) {
            let found = self.words(quad, lane);
            if !self.same(&expected[lane], &found) {
                unmet.push(format!(
                    "line {}: quad {index} lane {lane}: {} is {}, not {}",
                    self.line,
                    self.value.name(),
                    self.show(&found),
                    self.show(&expected[lane]),
                ));
            }
        }
    }

    fn same(&self, expected: &[u64], found: &[u64]) -> bool {
        let nan = |word: u64| f32::from_bits(word as u32).is_nan();
        let by_class = match self.value {
            Value::Register(reg, _) => reg.bank() != Bank::Address,
            Value::Depth(..) => true,
            Value::Predicate(..) | Value::Kill(_) | Value::Sample(_) | Value::Accumulator(..) => {
                false
            }
        };
        let mut pairs = expected.iter().zip(found);
        pairs.all(|(&expected, &found)| {
            expected == found || (by_class && nan(expected) && nan(found))
        })
    }

    /// The words that it is about, in one lane.
    fn words(&self, quad: &QuadState, lane: usize) -> Vec<u64> {
        let wide = |reg: &[Lanes<u32>; 4]| reg.map(|c| u64::from(c[lane])).to_vec();
        match self.value {
            Value::Register(reg, _) => match reg.bank() {
                Bank::Input => wide(&quad.io.inputs[reg.index()]),
                Bank::Output => wide(&quad.io.outputs[reg.index()]),
                Bank::Temp => wide(&quad.regs.temps[reg.index()]),
                Bank::Address => wide(&quad.regs.addresses[reg.index()]),
                Bank::Constant => Vec::new(),
            },
            Value::Predicate(pred, _) => {
                vec![u64::from(quad.regs.predicates[pred.index()][lane] != 0)]
            }
            Value::Kill(_) => vec![u64::from(quad.io.kill[lane])],
            Value::Depth(sample, _) => vec![u64::from(quad.io.depth[sample][lane])],
            Value::Sample(_) => vec![u64::from(quad.regs.sample[lane])],
            Value::Accumulator(c, _) => {
                let fixed = quad.regs.accumulator[c.index()][lane];
                vec![fixed.negative, fixed.magnitude]
            }
        }
    }

    fn show(&self, words: &[u64]) -> String {
        let float = |word: &u64| show(*word as u32);
        let texts: Vec<String> = match self.value {
            Value::Register(reg, _) if reg.bank() != Bank::Address => {
                words.iter().map(float).collect()
            }
            Value::Depth(..) => words.iter().map(float).collect(),
            Value::Register(..) => {
                let int = |word: &u64| (*word as u32).cast_signed().to_string();
                words.iter().map(int).collect()
            }
            Value::Kill(_) => words.iter().map(|w| format!("{w:#06x}")).collect(),
            Value::Predicate(..) | Value::Sample(_) | Value::Accumulator(..) => {
                words.iter().map(u64::to_string).collect()
            }
        };
        texts.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::directives::{MAX_QUADS, parse};

    fn read(text: &str) -> Directives {
        parse(text, &[]).expect("the text is right")
    }

    #[test]
    fn later_lines_override_earlier_ones_whatever_they_are_about() {
        let quads = read(
            ";! input i0 = 1\n;! input i0[2] = 2\n;! input q1 i0 = 3\n;! input q1 i0[2] = 4\n\
             ;! input i0[3] = 5\n;! temp r0 = 6\n;! temp q2 r0 = 7\n;! temp r0 = 8\n;! temp q0 r0 = 9",
        )
        .start();
        let x = |quad: usize| quads[quad].io.inputs[0][0].map(f32::from_bits);
        assert_eq!(x(0), [1.0, 1.0, 2.0, 5.0]);
        assert_eq!(x(1), [3.0, 3.0, 4.0, 5.0]);
        assert_eq!(x(2), [1.0, 1.0, 2.0, 5.0]);
        let r0 = [0, 1, 2].map(|quad| f32::from_bits(quads[quad].regs.temps[0][0][0]));
        assert_eq!(r0, [9.0, 8.0, 8.0]);
    }

    #[test]
    fn what_is_said_of_all_quads_again_and_again_is_set_once() {
        let lines = ";! input i0 = 1\n;! kill = 0000\n;! input q3 i1 = 2\n".repeat(100);
        let directives = read(&lines);
        assert_eq!(directives.starts.len(), 300);
        let lasting = lasting(&directives.starts);
        let of_all = lasting.iter().filter(|setting| setting.quad.is_none());
        assert_eq!(
            of_all.map(|setting| setting.line).collect::<Vec<_>>(),
            [298, 299]
        );
        assert_eq!(lasting.len(), 102);
    }

    #[test]
    fn the_first_hundred_unmet_expectations_are_listed() {
        let lines = ";! expect o0 = 0\n;! expect o1 = 7\n".repeat(1000);
        let directives = read(&format!(";! quads {MAX_QUADS}\n{lines}"));
        let unmet = directives.unmet(&directives.start());
        assert_eq!(unmet.len(), 101);
        expect!["line 3: quad 24 lane 3: o1 is 0 0 0 0, not 7 7 7 7"].assert_eq(&unmet[99]);
        expect!["more expectations are not met; these are the first 100"].assert_eq(&unmet[100]);
        // As many as are listed are not more.
        let directives = read(";! quads 25\n;! expect o1 = 7");
        assert_eq!(directives.unmet(&directives.start()).len(), 100);
    }

    #[test]
    fn an_expectation_that_was_met_may_be_followed_by_another_of_the_same_words() {
        let directives = read(
            ";! expect o0 = nan\n;! expect o0 = 0x7fc00001\n;! expect o0 = 1\n\
             ;! expect o0[2] = 2\n;! expect q0 o0 = nan\n;! expect q7 o0 = 1",
        );
        let mut quad = QuadState::default();
        quad.io.outputs[0] = [[0xffff_ffff; 4]; 4];
        let unmet = directives.unmet(&[quad.clone(), quad]);
        let lines: Vec<&str> = unmet
            .iter()
            .filter_map(|line| line.split(':').next())
            .collect();
        assert_eq!(lines.len(), 10);
        assert_eq!(lines[..8], ["line 3"; 8]);
        assert_eq!(lines[8..], ["line 4"; 2]);
    }

    #[test]
    fn unmet_expectations_name_the_line_and_the_lane() {
        let directives = read(
            ";! expect o0 = nan 1 1 1\n;! expect a0[1] = 5\n;! expect p2 = 0001\n;! expect kill = 0100\n\
             ;! expect depth s1[3] = -0\n;! expect sample[0] = 0",
        );
        let mut quad = QuadState::default();
        quad.io.outputs[0] = [
            [0xffff_ffff; 4],
            [0x3f80_0000; 4],
            [0x3f80_0000; 4],
            [0x3f80_0000; 4],
        ];
        quad.io.outputs[0][1][2] = 0x4000_0000;
        expect![[r#"
            line 1: quad 0 lane 2: o0 is -1i 2 1 1, not nan 1 1 1
            line 2: quad 0 lane 1: a0 is 0 0 0 0, not 5 5 5 5
            line 3: quad 0 lane 3: p2 is 0, not 1
            line 4: quad 0 lane 1: kill is 0x0000, not 0xffff
            line 5: quad 0 lane 3: depth s1 is 0, not -0"#]]
        .assert_eq(&directives.unmet(&[quad]).join("\n"));
    }
}
