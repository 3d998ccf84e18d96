//! Quads: what directives say that they start with, and whether they are what is expected.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use attila_shader::machine::{LANES, Lanes, Meaning, QuadState, StateName};

use super::words::show;
use super::{Directives, Setting};

/// The most expectations that are said to be unmet.
const MOST_UNMET: usize = 100;

impl Directives {
    /// The quads as they are before the run.
    pub fn start(&self) -> Vec<QuadState> {
        let mut quads = vec![QuadState::default(); self.quads];
        for setting in lasting(&self.starts) {
            for quad in &mut quads[setting.quads(self.quads)] {
                setting.apply(quad);
            }
        }
        self.place_samples(&mut quads);
        quads
    }

    /// The expectations that `quads` do not meet, one line of text each: at most 100, and a line that
    /// says that there are more.
    pub fn unmet(&self, quads: &[QuadState]) -> Vec<String> {
        let mut unmet = Vec::new();
        // Expectations that all quads have been found to meet: a text may repeat them very often.
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
    fn key(&self) -> (Option<usize>, StateName, u8) {
        (self.quad, self.name, self.lanes.bits())
    }

    /// The words that it stands for, lane by lane.
    fn expected(&self) -> Lanes<Vec<u32>> {
        let mut quad = QuadState::default();
        self.apply(&mut quad);
        std::array::from_fn(|lane| self.words(&quad, lane))
    }

    /// Whether two expectations of the same words are met by the same quads.
    fn agrees(&self, one: &Lanes<Vec<u32>>, other: &Lanes<Vec<u32>>) -> bool {
        one.iter().zip(other).all(|(a, b)| self.same(a, b))
    }

    /// Makes it so.
    fn apply(&self, quad: &mut QuadState) {
        for (word, values) in self.name.words().zip(&self.words) {
            for lane in (0..LANES).filter(|&lane| self.lanes.has(lane)) {
                word.set_lane(quad, lane, values[lane]);
            }
        }
    }

    /// Adds a line to `unmet` for every lane in which it is not so.
    fn check(
        &self,
        index: usize,
        quad: &QuadState,
        expected: &Lanes<Vec<u32>>,
        unmet: &mut Vec<String>,
    ) {
        for lane in (0..LANES).filter(|&lane| self.lanes.has(lane)) {
            let found = self.words(quad, lane);
            if !self.same(&expected[lane], &found) {
                unmet.push(format!(
                    "line {}: quad {index} lane {lane}: {} is {}, not {}",
                    self.line,
                    self.name,
                    self.show(&found),
                    self.show(&expected[lane]),
                ));
            }
        }
    }

    fn same(&self, expected: &[u32], found: &[u32]) -> bool {
        let nan = |word: u32| f32::from_bits(word).is_nan();
        let by_class = self.name.meaning() == Meaning::Float;
        let mut pairs = expected.iter().zip(found);
        pairs.all(|(&expected, &found)| {
            expected == found || (by_class && nan(expected) && nan(found))
        })
    }

    /// The words that it is about, in one lane; 1 for any true predicate.
    fn words(&self, quad: &QuadState, lane: usize) -> Vec<u32> {
        let mut values = self.name.values(quad, lane);
        if self.name.meaning() == Meaning::Truth {
            values.iter_mut().for_each(|word| *word = (*word).min(1));
        }
        values
    }

    fn show(&self, words: &[u32]) -> String {
        let text = |word: &u32| match self.name.meaning() {
            Meaning::Float => show(*word),
            Meaning::Integer if self.name != StateName::Sample => word.cast_signed().to_string(),
            Meaning::Samples => format!("{word:#06x}"),
            Meaning::Offset => format!("{word:#010x}"),
            Meaning::Integer | Meaning::Truth | Meaning::Fixed => word.to_string(),
        };
        if let [sign, high, low] = words {
            return format!("{sign} {}", u64::from(*high) << 32 | u64::from(*low));
        }
        words.iter().map(text).collect::<Vec<_>>().join(" ")
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
