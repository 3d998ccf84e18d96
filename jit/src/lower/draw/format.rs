//! From colours to pixels and back.

use attila_isa::Slots;
use attila_machine::approx::{from_srgb, to_srgb};
use attila_machine::arith::Arith;
use attila_machine::pipeline::{ColourField, ColourFormat, Encoding};

use super::clamp;
use crate::abi::Pixels;
use crate::ir::{Binary, Builder, Op, Unary, Value};

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
        TargetPixels {
            format,
            pixels: Pixels {
                surface,
                sample,
                bytes: format.size() as u8,
            },
            words: None,
        }
    }

    /// The words that are stored.
    fn words(&mut self, b: &mut Builder) -> Vec<Value> {
        let pixels = self.pixels;
        let words = self.words.get_or_insert_with(|| {
            let whole = b.push(Op::LoadPixels(pixels), []);
            (0..pixels.words() as u8)
                .map(|word| b.extract(whole, word))
                .collect()
        });
        words.clone()
    }

    /// The colours that are stored; of components that the format does not have, 0 and alpha 1.
    pub(super) fn colour(&mut self, b: &mut Builder) -> [Value; 4] {
        let words = self.words(b);
        std::array::from_fn(|c| match self.format.fields().get(c) {
            Some(field) => decoded(b, *field, words[field.word]),
            None => b.f32(if c == 3 { 1.0 } else { 0.0 }),
        })
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
        let mut kept = vec![0; words.len()];
        for (_, field) in self.format.stored(!mask) {
            kept[field.word] |= field.mask();
        }
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

/// A colour as words.
pub(super) fn packed(b: &mut Builder, format: ColourFormat, colour: [Value; 4]) -> Vec<Value> {
    let fields = format.fields();
    let are_bytes = fields.len() == 4 && fields.iter().all(|field| field.bits == 8);
    let mut numbers = Vec::new();
    for (field, value) in fields.iter().zip(colour) {
        numbers.push(encoded(b, *field, value, are_bytes));
    }
    if are_bytes {
        let bytes = [0, 8, 16, 24].map(|shift| {
            let place = fields.iter().position(|field| field.shift == shift);
            numbers[place.expect("every byte is a component")]
        });
        return vec![bytes_packed(b, bytes)];
    }
    let mut words: Vec<Value> = Vec::new();
    for (field, number) in fields.iter().zip(numbers) {
        let number = b.shl(number, field.shift);
        match words.get_mut(field.word) {
            Some(word) => *word = b.ior(*word, number),
            None => words.push(number),
        }
    }
    words
}

/// Four i32 as the bytes of a word, the first as the lowest, each limited to 0..=255.
fn bytes_packed(b: &mut Builder, [first, second, third, fourth]: [Value; 4]) -> Value {
    let [even, odd] =
        [(first, third), (second, fourth)].map(|(low, high)| b.push(Op::Narrow, [low, high]));
    b.push(Op::Pack, [even, odd])
}

/// The number that a component is stored as. If it `is_packed`, packing limits it from below.
fn encoded(b: &mut Builder, field: ColourField, value: Value, is_packed: bool) -> Value {
    match field.encoding {
        Encoding::Truncated => {
            let one = b.f32(1.0);
            let value = match is_packed {
                true => b.binary(Binary::Fmin, value, one),
                false => clamp(b, value),
            };
            let value = scaled(b, field, value);
            b.trunc_to_i32(value)
        }
        Encoding::Nearest => {
            let value = clamp(b, value);
            rounded(b, field, value)
        }
        Encoding::Srgb => {
            let value = clamp(b, value);
            let value = to_srgb(b, value);
            rounded(b, field, value)
        }
        Encoding::Half => b.unary(Unary::ToHalf, value),
        Encoding::Float => canonical(b, value),
    }
}

/// The nearest number to a fraction.
fn rounded(b: &mut Builder, field: ColourField, fraction: Value) -> Value {
    let value = scaled(b, field, fraction);
    let value = b.nearest(value);
    b.trunc_to_i32(value)
}

/// A fraction times the greatest number of a field.
fn scaled(b: &mut Builder, field: ColourField, fraction: Value) -> Value {
    let greatest = b.f32(field.greatest() as f32);
    b.mul(fraction, greatest)
}

/// The component in a field of a word.
fn decoded(b: &mut Builder, field: ColourField, word: Value) -> Value {
    match field.encoding {
        Encoding::Truncated | Encoding::Nearest => fraction(b, field, word),
        Encoding::Srgb => {
            let value = fraction(b, field, word);
            from_srgb(b, value)
        }
        Encoding::Half => {
            let half = b.shr_u(word, field.shift);
            b.unary(Unary::FromHalf, half)
        }
        Encoding::Float => b.as_f32(word),
    }
}

/// The number in a field as a fraction.
fn fraction(b: &mut Builder, field: ColourField, word: Value) -> Value {
    let greatest = field.greatest();
    let (low, scale) = (b.i32(greatest as i32), b.f32(1.0 / greatest as f32));
    let number = b.shr_u(word, field.shift);
    let number = match field.shift + field.bits {
        u32::BITS => number,
        _ => b.iand(number, low),
    };
    let number = b.to_f32(number);
    b.mul(number, scale)
}

/// The bits of a component, those of one NaN for all NaN.
fn canonical(b: &mut Builder, value: Value) -> Value {
    let (bits, nan) = (b.to_bits(value), b.i32(NAN));
    let is_number = b.eq(value, value);
    b.iselect(is_number, bits, nan)
}
