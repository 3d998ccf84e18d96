//! From colours to pixels and back.

use attila_isa::Slots;
use attila_machine::approx::{from_srgb, to_srgb};
use attila_machine::arith::Arith;
use attila_machine::pipeline::ColourFormat;

use super::clamp;
use crate::abi::Pixels;
use crate::ir::{Binary, Builder, Op, Value};
use crate::lower::half::{from_half, to_half};

/// A NaN of a binary32 target.
const NAN: i32 = 0x7fc0_0000;

/// A target's pixels of a quad.
pub(super) struct TargetPixels {
    format: ColourFormat,
    pixels: Pixels,
    /// The stored words, once they have been read.
    words: Option<Vec<Value>>,
}

impl TargetPixels {
    pub(super) fn new(surface: u8, sample: u8, format: ColourFormat) -> TargetPixels {
        let words = (format.size() / size_of::<u32>()) as u8;
        TargetPixels {
            format,
            pixels: Pixels {
                surface,
                sample,
                words,
            },
            words: None,
        }
    }

    /// The words that are stored.
    fn words(&mut self, b: &mut Builder) -> Vec<Value> {
        let pixels = self.pixels;
        let words = self.words.get_or_insert_with(|| {
            let whole = b.push(Op::LoadPixels(pixels), []);
            (0..pixels.words)
                .map(|word| b.extract(whole, word))
                .collect()
        });
        words.clone()
    }

    /// The colours that are stored; of components that the format does not have, 0 and alpha 1.
    pub(super) fn colour(&mut self, b: &mut Builder) -> [Value; 4] {
        let words = self.words(b);
        match self.format {
            ColourFormat::Rgba8 => bytes(b, words[0]),
            ColourFormat::Bgra8 => {
                let [blue, green, red, alpha] = bytes(b, words[0]);
                [red, green, blue, alpha]
            }
            ColourFormat::Rgba8Srgb => {
                let [red, green, blue, alpha] = bytes(b, words[0]);
                let [red, green, blue] = [red, green, blue].map(|value| from_srgb(b, value));
                [red, green, blue, alpha]
            }
            ColourFormat::Rgba16F => {
                let halves = [(0, 0), (0, 16), (1, 0), (1, 16)];
                halves.map(|(word, shift)| from_half(b, words[word], shift))
            }
            ColourFormat::Rgba32F => std::array::from_fn(|c| b.as_f32(words[c])),
            ColourFormat::R32F => {
                let (zero, one) = (b.f32(0.0), b.f32(1.0));
                [b.as_f32(words[0]), zero, zero, one]
            }
        }
    }

    /// Stores the components `mask` of [a colour's words](packed) for the fragments `alive`, all of them
    /// if that is `None`.
    pub(super) fn store(
        &mut self,
        b: &mut Builder,
        mut words: Vec<Value>,
        mask: Slots,
        alive: Option<Value>,
    ) {
        let kept = kept_bits(self.format, mask);
        if alive.is_some() || kept.iter().any(|&bits| bits != 0) {
            let stored = self.words(b);
            for ((word, stored), kept) in words.iter_mut().zip(stored).zip(kept) {
                *word = merged(b, *word, stored, kept);
                if let Some(alive) = alive {
                    *word = b.choose(alive, *word, stored);
                }
            }
        }
        b.push(Op::StorePixels(self.pixels), words.as_slice());
    }
}

/// `stored` with the bits of `word` that are not to be kept.
fn merged(b: &mut Builder, word: Value, stored: Value, kept: u32) -> Value {
    match kept {
        0 => word,
        u32::MAX => stored,
        _ => {
            let (new, old) = (b.i32(!kept as i32), b.i32(kept as i32));
            let (new, old) = (b.iand(word, new), b.iand(stored, old));
            b.ior(new, old)
        }
    }
}

/// The bits of each word that belong to components which are not written.
fn kept_bits(format: ColourFormat, mask: Slots) -> Vec<u32> {
    let keep = |bits: [u32; 4]| {
        let unwritten = (!mask).components();
        unwritten.fold(0, |kept, component| kept | bits[component.index()])
    };
    let (red, blue) = (0x0000_00ff, 0x00ff_0000);
    let (green, alpha) = (0x0000_ff00, 0xff00_0000);
    let all = u32::MAX;
    match format {
        ColourFormat::Rgba8 | ColourFormat::Rgba8Srgb => vec![keep([red, green, blue, alpha])],
        ColourFormat::Bgra8 => vec![keep([blue, green, red, alpha])],
        ColourFormat::Rgba16F => vec![
            keep([0xffff, 0xffff_0000, 0, 0]),
            keep([0, 0, 0xffff, 0xffff_0000]),
        ],
        ColourFormat::Rgba32F => (0..4)
            .map(|c| {
                keep(std::array::from_fn(
                    |other| if other == c { all } else { 0 },
                ))
            })
            .collect(),
        ColourFormat::R32F => vec![keep([all, 0, 0, 0])],
    }
}

/// A colour as words.
pub(super) fn packed(b: &mut Builder, format: ColourFormat, colour: [Value; 4]) -> Vec<Value> {
    match format {
        ColourFormat::Rgba8 => {
            let bytes = colour.map(|value| truncated(b, value));
            vec![bytes_packed(b, bytes)]
        }
        ColourFormat::Bgra8 => {
            let [red, green, blue, alpha] = colour.map(|value| truncated(b, value));
            vec![bytes_packed(b, [blue, green, red, alpha])]
        }
        ColourFormat::Rgba8Srgb => {
            let [red, green, blue, alpha] = colour;
            let [red, green, blue] = [red, green, blue].map(|value| encoded(b, value));
            let alpha = truncated(b, alpha);
            vec![bytes_packed(b, [red, green, blue, alpha])]
        }
        ColourFormat::Rgba16F => {
            let [red, green, blue, alpha] = colour.map(|value| to_half(b, value));
            [(red, green), (blue, alpha)]
                .map(|(low, high)| {
                    let high = b.shl(high, 16);
                    b.ior(low, high)
                })
                .to_vec()
        }
        ColourFormat::Rgba32F => colour.map(|value| canonical(b, value)).to_vec(),
        ColourFormat::R32F => vec![canonical(b, colour[0])],
    }
}

/// Four i32 as the bytes of a word, the first as the lowest, each limited to 0..=255.
fn bytes_packed(b: &mut Builder, [first, second, third, fourth]: [Value; 4]) -> Value {
    let [even, odd] =
        [(first, third), (second, fourth)].map(|(low, high)| b.push(Op::Narrow, [low, high]));
    b.push(Op::Pack, [even, odd])
}

/// 255 times the component, truncated. Packing limits it from below.
fn truncated(b: &mut Builder, value: Value) -> Value {
    let (one, scale) = (b.f32(1.0), b.f32(255.0));
    let value = b.binary(Binary::Fmin, value, one);
    let value = b.mul(value, scale);
    b.trunc_to_i32(value)
}

/// 255 times the encoded component, rounded to the nearest.
fn encoded(b: &mut Builder, value: Value) -> Value {
    let value = clamp(b, value);
    let value = to_srgb(b, value);
    let scale = b.f32(255.0);
    let value = b.mul(value, scale);
    let value = b.nearest(value);
    b.trunc_to_i32(value)
}

/// The bytes of a word as fractions.
fn bytes(b: &mut Builder, word: Value) -> [Value; 4] {
    [0, 8, 16, 24].map(|shift| {
        let (low, scale) = (b.i32(0xff), b.f32(1.0 / 255.0));
        let byte = b.shr_u(word, shift);
        let byte = if shift == 24 { byte } else { b.iand(byte, low) };
        let byte = b.to_f32(byte);
        b.mul(byte, scale)
    })
}

/// The bits of a component, those of one NaN for all NaN.
fn canonical(b: &mut Builder, value: Value) -> Value {
    let (bits, nan) = (b.to_bits(value), b.i32(NAN));
    let is_number = b.eq(value, value);
    b.iselect(is_number, bits, nan)
}
