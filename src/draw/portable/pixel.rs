//! Pixels of every format.

use attila_isa::approx::{from_srgb, to_srgb};
use attila_isa::arith::HostLanes;
use attila_isa::pipeline::ColourFormat;
use attila_isa::{Component, Slots};

use super::half;

/// The NaN that is stored.
const NAN: u32 = 0x7fc0_0000;

/// Clamped to [0, 1], a NaN to 1.
pub(super) fn unit(value: f32) -> f32 {
    // Written so that a NaN fails the first comparison.
    let value = if value < 1.0 { value } else { 1.0 };
    if value > 0.0 { value } else { 0.0 }
}

/// The colour of a pixel.
pub(super) fn load(format: ColourFormat, bytes: &[u8]) -> [f32; 4] {
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
pub(super) fn store(format: ColourFormat, mask: Slots, colour: [f32; 4], bytes: &mut [u8]) {
    for component in (mask & format.components()).components() {
        let value = colour[component.index()];
        let c = component.index();
        match (format, component) {
            (ColourFormat::Rgba8, _) | (ColourFormat::Rgba8Srgb, Component::W) => {
                bytes[c] = truncated(value);
            }
            (ColourFormat::Bgra8, Component::X | Component::Y | Component::Z) => {
                bytes[2 - c] = truncated(value);
            }
            (ColourFormat::Bgra8, Component::W) => bytes[3] = truncated(value),
            (ColourFormat::Rgba8Srgb, Component::X | Component::Y | Component::Z) => {
                bytes[c] = encoded(value);
            }
            (ColourFormat::Rgba16F, _) => {
                bytes[2 * c..2 * c + 2].copy_from_slice(&half::from_f32(value).to_le_bytes());
            }
            (ColourFormat::Rgba32F | ColourFormat::R32F, _) => {
                let bits = if value.is_nan() { NAN } else { value.to_bits() };
                bytes[4 * c..4 * c + 4].copy_from_slice(&bits.to_le_bytes());
            }
        }
    }
}

/// 255 times a fraction, truncated: as the original's raster operations do it (isa.md 2.4).
fn truncated(value: f32) -> u8 {
    (unit(value) * 255.0) as u8
}

/// A fraction as sRGB.
fn encoded(value: f32) -> u8 {
    let [encoded] = to_srgb(&mut HostLanes::<1>, [unit(value)]);
    (encoded * 255.0).round_ties_even() as u8
}
