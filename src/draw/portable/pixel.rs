//! Pixels of every format.

use std::ops::Range;

use attila_isa::{Component, Slots};
use attila_machine::approx::{from_srgb, to_srgb};
use attila_machine::arith::{HostLanes, saturate};
use attila_machine::pipeline::ColourFormat;
use bytemuck::Pod;

use super::half;

/// The NaN that is stored.
const NAN: u32 = 0x7fc0_0000;

/// Clamped to [0, 1], a NaN to 1; nothing becomes -0.
pub(super) fn unit(value: f32) -> f32 {
    // -0 becomes +0.
    saturate(value).abs()
}

/// The colour of a pixel.
pub(in crate::draw) fn load(format: ColourFormat, bytes: &[u8]) -> [f32; 4] {
    match format {
        ColourFormat::Rgba8 => unorm(bytes),
        ColourFormat::Bgra8 => {
            let [blue, green, red, alpha] = unorm(bytes);
            [red, green, blue, alpha]
        }
        ColourFormat::Rgba8Srgb => {
            let [red, green, blue, alpha] = unorm(bytes);
            let [red, green, blue] = from_srgb(&mut HostLanes::<3>, [red, green, blue]);
            [red, green, blue, alpha]
        }
        ColourFormat::Rgba16F => {
            let word = |c: usize| u16::from_le_bytes([bytes[2 * c], bytes[2 * c + 1]]);
            [0, 1, 2, 3].map(|c| half::to_f32(word(c)))
        }
        ColourFormat::Rgba32F => [0, 1, 2, 3].map(|c| float(bytes, c)),
        ColourFormat::R32F => [float(bytes, 0), 0.0, 0.0, 1.0],
    }
}

fn unorm(bytes: &[u8]) -> [f32; 4] {
    [0, 1, 2, 3].map(|c| f32::from(bytes[c]) * (1.0 / 255.0))
}

fn float(bytes: &[u8], component: usize) -> f32 {
    let word = [0, 1, 2, 3].map(|byte| bytes[4 * component + byte]);
    f32::from_le_bytes(word)
}

/// Stores the components of `mask`.
pub(in crate::draw) fn store(
    format: ColourFormat,
    mask: Slots,
    colour: [f32; 4],
    bytes: &mut [u8],
) {
    let pixel = encoded(format, colour);
    if mask.contains(format.components()) {
        bytes.copy_from_slice(&pixel[..format.size()]);
        return;
    }
    for component in (mask & format.components()).components() {
        let place = place(format, component);
        bytes[place.clone()].copy_from_slice(&pixel[place]);
    }
}

/// Where a component is in a pixel.
fn place(format: ColourFormat, component: Component) -> Range<usize> {
    let size = format.size() / format.components().components().count();
    let index = match (format, component) {
        (ColourFormat::Bgra8, Component::X) => 2,
        (ColourFormat::Bgra8, Component::Z) => 0,
        _ => component.index(),
    };
    index * size..(index + 1) * size
}

/// The bytes of a pixel, from the first on.
fn encoded(format: ColourFormat, colour: [f32; 4]) -> [u8; 16] {
    let [x, y, z, w] = colour;
    match format {
        ColourFormat::Rgba8 => padded(colour.map(truncated)),
        ColourFormat::Bgra8 => padded([z, y, x, w].map(truncated)),
        ColourFormat::Rgba8Srgb => {
            let [r, g, b] = [x, y, z].map(to_srgb_byte);
            padded([r, g, b, truncated(w)])
        }
        ColourFormat::Rgba16F => {
            let words = colour.map(|value| half::from_f32(value).to_le_bytes());
            padded(words)
        }
        ColourFormat::Rgba32F | ColourFormat::R32F => {
            let words = colour.map(|value| if value.is_nan() { NAN } else { value.to_bits() });
            padded(words.map(u32::to_le_bytes))
        }
    }
}

/// The words' bytes, and zeros.
fn padded<T: Pod>(words: [T; 4]) -> [u8; 16] {
    let mut pixel = [0; 16];
    let bytes: &[u8] = bytemuck::cast_slice(&words);
    pixel[..bytes.len()].copy_from_slice(bytes);
    pixel
}

/// 255 times a fraction, truncated: as ATTILA's raster operations do it (drawing.md 6).
fn truncated(value: f32) -> u8 {
    (unit(value) * 255.0) as u8
}

/// A fraction as sRGB.
fn to_srgb_byte(value: f32) -> u8 {
    let [encoded] = to_srgb(&mut HostLanes::<1>, [unit(value)]);
    (encoded * 255.0).round_ties_even() as u8
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
            assert_eq!(colour.map(truncated), [255, 127, 0, 255], "{nan:#x}");
        }
        assert_eq!(unit(black_box(-0.0)).to_bits(), 0);
    }
}
