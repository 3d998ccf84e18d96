//! Textures and attributes whose answers are a pure function of the question, and which remember
//! what they were asked.

use std::sync::Mutex;

use attila_shader::machine::{
    AttributeSource, LANES, LaneMask, Lanes, Lookup, TextureQuery, TextureUnit,
};

use super::dice::Dice;
use super::values;

/// A question to the texture units or the attributes, with NaNs made alike, so that two engines
/// that differ only in unspecified bits ask the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Request {
    /// A texture instruction.
    Texture {
        /// Which one.
        op: &'static str,
        /// The unit.
        unit: u8,
        /// s, t, r of all lanes, then the parameter, as f32 bits.
        words: [Lanes<u32>; 4],
        /// The lanes that execute it.
        active: u8,
    },
    /// LDA.
    Attribute {
        /// The attribute.
        attribute: u8,
        /// The indices; 0 in the lanes that do not count.
        index: Lanes<u32>,
        /// The lanes that count.
        wanted: u8,
    },
}

/// What is sampled and fetched in a comparison.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    requests: Mutex<Vec<Request>>,
}

impl Recorder {
    /// What was asked since the last call, in order.
    pub(crate) fn take(&self) -> Vec<Request> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Request>> {
        self.requests
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl TextureUnit for Recorder {
    fn has_unit(&self, _unit: u8) -> bool {
        true
    }

    fn sample(&self, query: &TextureQuery) -> [Lanes<f32>; 4] {
        let words = words(query);
        self.lock().push(Request::Texture {
            op: query.mnemonic(),
            unit: query.unit,
            words,
            active: query.active.bits(),
        });
        Answers.sample(query)
    }
}

/// s, t, r and the level of detail's operand, as far as bits are specified.
fn words(query: &TextureQuery) -> [Lanes<u32>; 4] {
    let Lookup::Sample { coords, level, .. } = query.lookup;
    let [s, t, r] = coords;
    [s, t, r, level.given().unwrap_or_default()].map(canonical)
}

/// What [`Recorder`] answers, without the memory.
pub(super) struct Answers;

impl TextureUnit for Answers {
    fn has_unit(&self, _unit: u8) -> bool {
        true
    }

    fn sample(&self, query: &TextureQuery) -> [Lanes<f32>; 4] {
        let op = OPS.iter().position(|op| *op == query.mnemonic());
        let kind = op.unwrap_or_default() as u64 * 16 + u64::from(query.unit);
        let words = words(query);
        answer(|lane| {
            let seen = words.map(|word| word[lane]);
            seen.iter().fold(mix(kind), |h, w| mix(h ^ u64::from(*w)))
        })
    }
}

impl AttributeSource for Answers {
    fn fetch(&self, attribute: u8, index: Lanes<u32>, _wanted: LaneMask) -> [Lanes<f32>; 4] {
        answer(|lane| mix(mix(u64::from(attribute) + 1000) ^ u64::from(index[lane])))
    }
}

impl AttributeSource for Recorder {
    fn fetch(&self, attribute: u8, index: Lanes<u32>, wanted: LaneMask) -> [Lanes<f32>; 4] {
        let counted = |lane: usize| if wanted.has(lane) { index[lane] } else { 0 };
        self.lock().push(Request::Attribute {
            attribute,
            index: std::array::from_fn(counted),
            wanted: wanted.bits(),
        });
        Answers.fetch(attribute, index, wanted)
    }
}

/// The texture instructions. Answers depend on their order.
const OPS: [&str; 4] = ["tex", "txb", "txl", "txp"];

fn canonical(lanes: Lanes<f32>) -> Lanes<u32> {
    lanes.map(|f| if f.is_nan() { f32::NAN } else { f }.to_bits())
}

/// Biased values that follow from the question of each lane.
fn answer(question: impl Fn(usize) -> u64) -> [Lanes<f32>; 4] {
    let mut out = [[0.0; LANES]; 4];
    for lane in 0..LANES {
        let mut rng = SplitMix(question(lane));
        let mut dice = Dice::new(&mut rng);
        for component in &mut out {
            component[lane] = f32::from_bits(values::float(&mut dice));
        }
    }
    out
}

/// Spreads the bits of a word over all of it (the finalizer of splitmix64).
pub(super) fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// The smallest generator that will do.
pub(super) struct SplitMix(pub(super) u64);

impl rand::TryRng for SplitMix {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        self.try_next_u64().map(|word| (word >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.0 = mix(self.0);
        Ok(self.0)
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        for byte in out {
            *byte = self.try_next_u64()? as u8;
        }
        Ok(())
    }
}
