//! Random decisions.

use std::convert::Infallible;

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng, TryRng};

/// Makes random decisions out of a generator's words, with arithmetic of its own: the same words
/// give the same decisions whatever the version of `rand`.
pub struct Dice<'a>(&'a mut dyn Rng);

impl<'a> Dice<'a> {
    /// Decisions that follow from the words of `rng`.
    pub fn new(rng: &'a mut dyn Rng) -> Dice<'a> {
        Dice(rng)
    }

    /// 32 random bits.
    pub fn word(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// A number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.word()) * n as u64) >> 32) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as usize) as i32
    }

    /// True in `percent` of 100 cases.
    pub fn percent(&mut self, percent: u8) -> bool {
        self.below(100) < usize::from(percent)
    }

    /// A number from 0 up to 1.
    pub fn unit(&mut self) -> f32 {
        (self.word() >> 8) as f32 / (1 << 24) as f32
    }

    /// A number from `low` to `high`.
    pub fn within(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// One of `choices`.
    ///
    /// # Panics
    ///
    /// If there are none.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// One of `choices`, each as often as its weight says.
    ///
    /// # Panics
    ///
    /// If all weights are 0.
    pub fn weighted<T: Copy>(&mut self, choices: &[(u8, T)]) -> T {
        let total: usize = choices.iter().map(|(weight, _)| usize::from(*weight)).sum();
        let mut left = self.below(total);
        for &(weight, choice) in choices {
            if left < usize::from(weight) {
                return choice;
            }
            left -= usize::from(weight);
        }
        unreachable!("the weights add up to {total}")
    }
}

/// The generator of case `index` of the sequence that `seed` starts. Cases do not depend on each
/// other, so that any one of them can be made again alone.
pub(crate) fn case_rng(seed: u64, index: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(index);
    rng
}

/// A generator that hands out given bytes and then zeros, for fuzzers that mutate bytes.
#[derive(Clone, Debug)]
pub struct ByteRng<'a> {
    bytes: &'a [u8],
}

impl<'a> ByteRng<'a> {
    /// Hands out `bytes`.
    pub fn new(bytes: &'a [u8]) -> ByteRng<'a> {
        ByteRng { bytes }
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        let mut out = [0; N];
        let length = N.min(self.bytes.len());
        let (head, rest) = self.bytes.split_at(length);
        out[..length].copy_from_slice(head);
        self.bytes = rest;
        out
    }
}

impl TryRng for ByteRng<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes(self.take()))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes(self.take()))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for byte in out {
            let [next] = self.take();
            *byte = next;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_the_same_whenever_it_is_made() {
        let draw = |seed, index| case_rng(seed, index).next_u64();
        assert_eq!(draw(7, 3), draw(7, 3));
        assert_ne!(draw(7, 3), draw(7, 4));
        assert_ne!(draw(7, 3), draw(8, 3));
    }

    #[test]
    fn weights_decide_how_often() {
        let mut rng = case_rng(1, 1);
        let mut dice = Dice::new(&mut rng);
        let mut counts = [0; 3];
        for _ in 0..1000 {
            counts[dice.weighted(&[(0, 0), (1, 1), (3, 2)])] += 1;
        }
        assert_eq!(counts[0], 0);
        assert!((600..900).contains(&counts[2]), "{counts:?}");
    }

    #[test]
    fn bytes_run_out_into_zeros() {
        let mut rng = ByteRng::new(&[1, 2, 3, 4, 5]);
        assert_eq!(rng.next_u32(), 0x0403_0201);
        assert_eq!(rng.next_u32(), 5);
        assert_eq!(rng.next_u64(), 0);
    }
}
