//! Resolving, as a plain sum of the samples (numerics.md 14).

use attila_shader::machine::pipeline::{ColourFormat, DepthFormat};

/// The bytes that the samples of a pixel may be resolved to: mostly one value for each component.
pub(super) fn colour(format: ColourFormat, samples: &[&[u8]], result: &[u8]) -> bool {
    if let [only] = samples {
        return *only == result;
    }
    let bytes =
        |component: usize| -> Vec<u8> { samples.iter().map(|sample| sample[component]).collect() };
    match format {
        ColourFormat::Rgba8 | ColourFormat::Bgra8 | ColourFormat::R8 => (0..result.len())
            .all(|component| u32::from(result[component]) == mean(bytes(component))),
        ColourFormat::Rgba8Srgb => {
            let colours = (0..3).all(|component| is_light(&bytes(component), result[component]));
            colours && u32::from(result[3]) == mean(bytes(3))
        }
        ColourFormat::Rgba16F => (0..4).all(|component| {
            let halves = samples.iter().map(|sample| half(word(sample, component)));
            stored_half(sum(halves) / samples.len() as f32) == word(result, component)
        }),
        ColourFormat::Rgba32F | ColourFormat::R32F => (0..result.len() / 4).all(|component| {
            let float = |pixel: &[u8]| f32::from_bits(long(pixel, component));
            let value = sum(samples.iter().map(|sample| float(sample))) / samples.len() as f32;
            let bits = if value.is_nan() {
                0x7fc0_0000
            } else {
                value.to_bits()
            };
            bits == float(result).to_bits()
        }),
        ColourFormat::Rgb10A2 => {
            let fields = [(0, 0x3ff), (10, 0x3ff), (20, 0x3ff), (30, 3)];
            fields.iter().all(|(shift, greatest)| {
                let number = |pixel: &[u8]| long(pixel, 0) >> shift & greatest;
                number(result) == mean(samples.iter().map(|sample| number(sample)).collect())
            })
        }
    }
}

/// The same for depths.
pub(super) fn depth(_: DepthFormat, samples: &[&[u8]], result: &[u8]) -> bool {
    samples[0] == result
}

/// A half is rounded up.
fn mean<T: Into<u32>>(numbers: Vec<T>) -> u32 {
    let count = numbers.len() as u32;
    let sum: u32 = numbers.into_iter().map(T::into).sum();
    (2 * sum + count) / (2 * count)
}

/// One after another, from the first on. Dividing by their number is exact, or rounds as multiplying does.
fn sum(values: impl Iterator<Item = f32>) -> f32 {
    values.reduce(|sum, value| sum + value).unwrap_or_default()
}

/// Whether a byte is the mean of sRGB bytes as light, within what drawing.md 6 allows.
fn is_light(bytes: &[u8], result: u8) -> bool {
    let light = |byte: u8| {
        let value = f64::from(byte) / 255.0;
        match value <= 0.04045 {
            true => value / 12.92,
            false => ((value + 0.055) / 1.055).powf(2.4),
        }
    };
    let mean = bytes.iter().map(|byte| light(*byte)).sum::<f64>() / bytes.len() as f64;
    let encoded = match mean <= 0.003_130_8 {
        true => 12.92 * mean,
        false => 1.055 * mean.powf(1.0 / 2.4) - 0.055,
    };
    // The curve, and a few roundings to f32 of light near 0, where it is steepest.
    (255.0 * encoded - f64::from(result)).abs() <= 0.5 + 255.0 * 3e-6
}

fn word(bytes: &[u8], component: usize) -> u16 {
    u16::from_le_bytes([bytes[2 * component], bytes[2 * component + 1]])
}

/// A word of 32 bits.
fn long(bytes: &[u8], number: usize) -> u32 {
    let bytes = bytes[4 * number..].first_chunk();
    u32::from_le_bytes(bytes.copied().unwrap_or_default())
}

/// The value of a binary16.
fn half(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction * 2_f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1024.0 + fraction) * 2_f32.powi(exponent - 25),
    }
}

/// The nearest binary16.
fn stored_half(value: f32) -> u16 {
    if value.is_nan() {
        return 0x7e00;
    }
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let size = f64::from(value.abs());
    // Steps of the last place, which are those of the least normal number at least.
    let exponent = size.log2().floor().max(-14.0) as i32;
    let exponent = exponent - i32::from(2_f64.powi(exponent) > size && exponent > -14);
    let steps = (size / 2_f64.powi(exponent - 10)).round_ties_even();
    let magnitude = match size >= 65520.0 {
        true => 0x7c00,
        false => (exponent + 14) as u32 * 1024 + steps as u32,
    };
    sign | magnitude as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_stored_as_what_they_are_read_as() {
        for bits in (0..=0x7c00).chain(0x8000..=0xfc00) {
            assert_eq!(stored_half(half(bits)), bits, "{bits:#x}");
        }
        assert_eq!(stored_half(65519.996), 0x7bff);
        assert_eq!(stored_half(65520.0), 0x7c00);
        assert_eq!(stored_half(2_f32.powi(-25)), 0);
        assert_eq!(stored_half(1.5 * 2_f32.powi(-25)), 1);
    }
}
