//! Pixels of every format.

use std::sync::LazyLock;

use attila_isa::Slots;
use attila_machine::approx::{from_srgb, to_srgb};
use attila_machine::arith::{HostLanes, saturate};
use attila_machine::half;
use attila_machine::pipeline::{ColourField, ColourFormat, Encoding};

/// The NaN that is stored.
const NAN: u32 = 0x7fc0_0000;

/// What the bytes of sRGB mean. To compute one takes as long as a hundred additions.
static LIGHTS: LazyLock<[f32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|byte| {
        let [light] = from_srgb(&mut HostLanes::<1>, [byte as f32 * (1.0 / 255.0)]);
        light
    })
});

/// Clamped to [0, 1], a NaN to 1; nothing becomes -0.
pub(super) fn unit(value: f32) -> f32 {
    // -0 becomes +0.
    saturate(value).abs()
}

/// The colour of a pixel; of components that the format does not have, 0 and alpha 1.
pub(in crate::draw) fn load(format: ColourFormat, bytes: &[u8]) -> [f32; 4] {
    let (words, mut colour) = (words(bytes), [0.0, 0.0, 0.0, 1.0]);
    for (component, field) in format.stored(Slots::all()) {
        colour[component.index()] = decoded(field, number(field, words[field.word]));
    }
    colour
}

/// Stores the components of `mask`.
pub(super) fn store(format: ColourFormat, mask: Slots, colour: [f32; 4], bytes: &mut [u8]) {
    let mut words = words(bytes);
    for (component, field) in format.stored(mask) {
        let word = &mut words[field.word];
        let number = encoded(field, colour[component.index()]);
        *word = *word & !field.mask() | number << field.shift;
    }
    let words = words.map(u32::to_le_bytes);
    bytes.copy_from_slice(&words.as_flattened()[..bytes.len()]);
}

/// The words of a pixel, and zeros.
pub(in crate::draw) fn words(bytes: &[u8]) -> [u32; 4] {
    let (whole, rest) = bytes.as_chunks();
    // There are either whole words or a part of one.
    let part = |word, byte: &u8| word << 8 | u32::from(*byte);
    let mut words = [rest.iter().rfold(0, part), 0, 0, 0];
    for (word, bytes) in words.iter_mut().zip(whole) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

/// The number in a field of a word.
pub(in crate::draw) fn number(field: ColourField, word: u32) -> u32 {
    word >> field.shift & field.greatest()
}

/// What a field's number means.
pub(in crate::draw) fn decoded(field: ColourField, number: u32) -> f32 {
    match field.encoding {
        Encoding::Truncated | Encoding::Nearest => number as f32 * (1.0 / field.greatest() as f32),
        Encoding::Srgb => LIGHTS[number as usize],
        Encoding::Half => half::to_f32(number as u16),
        Encoding::Float => f32::from_bits(number),
    }
}

/// The number that a component is stored as.
pub(in crate::draw) fn encoded(field: ColourField, value: f32) -> u32 {
    let greatest = field.greatest() as f32;
    let rounded = |fraction: f32| (fraction * greatest).round_ties_even() as u32;
    match field.encoding {
        Encoding::Truncated => (unit(value) * greatest) as u32,
        Encoding::Nearest => rounded(unit(value)),
        Encoding::Srgb => {
            let [curve] = to_srgb(&mut HostLanes::<1>, [unit(value)]);
            rounded(curve)
        }
        Encoding::Half => half::from_f32(value).into(),
        Encoding::Float if value.is_nan() => NAN,
        Encoding::Float => value.to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn every_nan_is_1_and_everything_else_the_nearest_in_0_to_1() {
        for nan in [0x7fc0_0000, 0x7f80_0001, 0xffc0_0000, 0xff80_0001] {
            let colour = black_box([f32::from_bits(nan), 0.5, -2.0, 2.0]);
            assert_eq!(colour.map(unit), [1.0, 0.5, 0.0, 1.0], "{nan:#x}");
            let mut bytes = [9; 4];
            store(ColourFormat::Rgba8, Slots::all(), colour, &mut bytes);
            assert_eq!(bytes, [255, 127, 0, 255], "{nan:#x}");
        }
        assert_eq!(unit(black_box(-0.0)).to_bits(), 0);
    }
}
