//! Whether a quad ended as a vector expects.

use attila_shader::machine::{KILL_ALL, LANES, Meaning, QuadState, StateKind, StateName};

use super::format::{Vector, set, set_predicates};

/// How closely words are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// All bits.
    Bits,
    /// Any NaN is the same; so are floats with at most so many others between them, plus one.
    Float {
        /// Units in the last place.
        ulp: u32,
    },
}

/// The registers that are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// All registers.
    Everything,
    /// Outputs, kill masks and depths.
    Results,
}

impl Rule {
    /// The rule of a vector with these fields.
    pub(super) fn of(exact: bool, ulp: u32) -> Rule {
        match exact {
            true => Rule::Bits,
            false => Rule::Float { ulp },
        }
    }
}

impl Vector {
    /// How its floats are compared.
    pub(super) fn rule(&self) -> Rule {
        Rule::of(self.exact, self.ulp)
    }
}

/// Whether `found` will do for `expected`.
pub(super) fn accepts(rule: Rule, expected: u32, found: u32) -> bool {
    let nan = |word: u32| f32::from_bits(word).is_nan();
    expected == found
        || match rule {
            Rule::Bits => false,
            Rule::Float { .. } if nan(expected) || nan(found) => nan(expected) && nan(found),
            // At 0 units, the two zeros differ.
            Rule::Float { ulp: 0 } => false,
            Rule::Float { ulp } => ordered(expected).abs_diff(ordered(found)) <= u64::from(ulp),
        }
}

/// The word as a sign and magnitude, so that neighbours differ by 1 and both zeros are the same.
fn ordered(word: u32) -> i64 {
    let magnitude = i64::from(word & 0x7fff_ffff);
    if word >> 31 == 0 {
        magnitude
    } else {
        -magnitude
    }
}

/// The quad that the vector expects.
fn expected(vector: &Vector) -> QuadState {
    let mut quad = vector.start();
    set(&mut quad, StateKind::Output, &vector.expect.outputs);
    set(&mut quad, StateKind::Temp, &vector.expect.temps);
    set(&mut quad, StateKind::Address, &vector.expect.addresses);
    set_predicates(&mut quad, &vector.expect.predicates);
    quad.io.kill = vector.expect.killed.map(|mask| mask.0);
    for (lane, depths) in &vector.expect.z {
        for (sample, word) in depths {
            quad.io.depth[sample.0][lane.0] = word.0;
        }
    }
    quad
}

/// Everything in which `found` is not as expected.
pub(super) fn differences(vector: &Vector, found: &QuadState, scope: Scope) -> Vec<String> {
    compare(vector.rule(), &expected(vector), found, scope)
}

/// Everything in which `found` is not as `expected`.
pub(super) fn compare(
    rule: Rule,
    expected: &QuadState,
    found: &QuadState,
    scope: Scope,
) -> Vec<String> {
    let mut list = Vec::new();
    for lane in 0..LANES {
        let (want, have) = (expected.io.kill[lane], found.io.kill[lane]);
        if want != have {
            list.push(format!(
                "lane {lane}: killed {have:04x}, expected {want:04x}"
            ));
        }
        if want != KILL_ALL {
            let mut check = Check {
                rule,
                lane,
                list: &mut list,
            };
            check.kinds(&RESULTS, expected, found);
            if scope == Scope::Everything {
                check.kinds(&REGISTERS, expected, found);
            }
        }
    }
    list
}

const RESULTS: [StateKind; 2] = [StateKind::Output, StateKind::Depth];
const REGISTERS: [StateKind; 3] = [StateKind::Temp, StateKind::Address, StateKind::Predicate];

struct Check<'a> {
    rule: Rule,
    lane: usize,
    list: &'a mut Vec<String>,
}

impl Check<'_> {
    /// Compares the words of these kinds.
    fn kinds(&mut self, kinds: &[StateKind], expected: &QuadState, found: &QuadState) {
        let names = kinds.iter().flat_map(|kind| kind.names());
        for word in names.flat_map(StateName::words) {
            let rule = match word.name().meaning() {
                Meaning::Float => self.rule,
                Meaning::Integer
                | Meaning::Truth
                | Meaning::Samples
                | Meaning::Fixed
                | Meaning::Offset => Rule::Bits,
            };
            let words = [expected, found].map(|state| word.get(state)[self.lane]);
            self.word(rule, words, || match word.name() {
                StateName::Depth(sample) => format!("z of sample {sample}"),
                StateName::Register(_)
                | StateName::Predicate(_)
                | StateName::Kill
                | StateName::Sample
                | StateName::Accumulator(_)
                | StateName::SampleCount
                | StateName::Coverage
                | StateName::OwnSample
                | StateName::Position(_) => word.to_string(),
            });
        }
    }

    /// `words` are what is expected and what was found.
    fn word(&mut self, rule: Rule, words: [u32; 2], name: impl Fn() -> String) {
        let [want, have] = words;
        if !accepts(rule, want, have) {
            let lane = self.lane;
            let float = f32::from_bits;
            self.list.push(format!(
                "lane {lane}: {} is {have:08x} ({}), expected {want:08x} ({})",
                name(),
                float(have),
                float(want),
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_counted_across_zero() {
        let ulp2 = Rule::Float { ulp: 2 };
        assert!(accepts(ulp2, 0x3f80_0000, 0x3f80_0002));
        assert!(!accepts(ulp2, 0x3f80_0000, 0x3f80_0003));
        assert!(accepts(ulp2, 0x0000_0001, 0x8000_0001));
        assert!(!accepts(ulp2, 0x0000_0001, 0x8000_0002));
        assert!(accepts(ulp2, 0, 0x8000_0000));
    }

    #[test]
    fn exact_vectors_compare_bits_and_others_take_any_nan() {
        let (quiet, other) = (0x7fc0_0000, 0xffc0_0001);
        assert!(accepts(Rule::Float { ulp: 0 }, quiet, other));
        assert!(!accepts(Rule::Bits, quiet, other));
        assert!(!accepts(Rule::Float { ulp: 0 }, 0, 0x8000_0000));
        assert!(!accepts(Rule::Float { ulp: 2 }, quiet, 0x7f80_0000));
    }
}
