//! Looking at pixels.

use std::fmt;

use super::command::{Line, TargetFormat};

/// A probe, and what it saw.
pub type ProbeResult = crate::script::ProbeResult<Mismatch>;

/// Words that are not the expected ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The words of the script.
    pub expected: [u32; 4],
    /// The words of the target.
    pub seen: [u32; 4],
    /// Whether they are integers.
    pub is_integer: bool,
}

/// As `expected 1 0 0 1, seen 1 0.502 0 1`, integers in hexadecimal.
impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |words: [u32; 4]| {
            let words = words.map(|word| match self.is_integer {
                true => format!("0x{word:08x}"),
                false => f32::from_bits(word).to_string(),
            });
            words.join(" ")
        };
        write!(
            f,
            "expected {}, seen {}",
            show(self.expected),
            show(self.seen)
        )
    }
}

/// Compares the words of a pixel.
pub(super) fn probe(
    line: &Line,
    expected: [u32; 4],
    seen: [u32; 4],
    format: TargetFormat,
    tolerance: f32,
) -> ProbeResult {
    let is_integer = format.is_integer();
    let fits = expected
        .iter()
        .zip(seen)
        .all(|(expected, seen)| match is_integer {
            true => *expected == seen,
            false => is_near(f32::from_bits(*expected), f32::from_bits(seen), tolerance),
        });
    line.probed((!fits).then_some(Mismatch {
        expected,
        seen,
        is_integer,
    }))
}

/// Whether a number is as near as the tolerance says: in parts of the expected one, or of 1.
fn is_near(expected: f32, seen: f32, tolerance: f32) -> bool {
    if !expected.is_finite() {
        return expected == seen || expected.is_nan() && seen.is_nan();
    }
    let [expected, seen] = [expected, seen].map(f64::from);
    expected == seen || (seen - expected).abs() <= f64::from(tolerance) * expected.abs().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_near_in_parts_of_themselves_or_of_1() {
        let inf = f32::INFINITY;
        for (expected, seen, near) in [
            (1000.0, 1000.9, true),
            (1000.0, 1001.1, false),
            (0.0, 0.0009, true),
            (0.0, -0.0011, false),
            (inf, inf, true),
            (inf, -inf, false),
            (1.0, f32::NAN, false),
            (f32::NAN, f32::NAN, true),
            (f32::NAN, 1.0, false),
        ] {
            assert_eq!(is_near(expected, seen, 0.001), near, "{expected} {seen}");
        }
    }
}
