//! Channels: where the components of a texel are in its word, and what their bits mean.

use attila_machine::half;

/// The content of a channel of a texel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Channel {
    /// Always 0.
    Zero,
    /// Always 1.
    One,
    /// An unsigned field, divided by the largest value it has.
    Unorm {
        /// Place of its lowest bit in the word.
        shift: u8,
        /// Its width, at most 24.
        bits: u8,
    },
    /// A signed byte, divided by 127; -128 is therefore a little below -1.
    Snorm {
        /// Place of its lowest bit in the word.
        shift: u8,
    },
    /// An IEEE binary16.
    Half {
        /// Place of its lowest bit in the word.
        shift: u8,
    },
    /// An IEEE binary32.
    Float {
        /// Place of its lowest bit in the word.
        shift: u8,
    },
    /// Always the integer 1.
    IntegerOne,
    /// An unsigned integer.
    Uint {
        /// Place of its lowest bit in the word.
        shift: u8,
        /// Its width, at most 32.
        bits: u8,
    },
    /// A signed integer.
    Sint {
        /// Place of its lowest bit in the word.
        shift: u8,
        /// Its width, at most 32.
        bits: u8,
    },
}

impl Channel {
    /// The channel's value in the texel `word`: one IEEE division at most. Integers are bits of a
    /// number, with which nothing may be computed.
    #[inline]
    pub(crate) fn decode(self, word: u128) -> f32 {
        match self {
            Channel::Zero => 0.0,
            Channel::One => 1.0,
            Channel::Unorm { shift, bits } => {
                unsigned(word, shift, bits) as f32 / largest(bits) as f32
            }
            Channel::Snorm { shift } => f32::from((word >> shift) as i8) / 127.0,
            Channel::Half { shift } => half::to_f32((word >> shift) as u16),
            Channel::Float { shift } => f32::from_bits((word >> shift) as u32),
            Channel::IntegerOne => f32::from_bits(1),
            Channel::Uint { shift, bits } => f32::from_bits(unsigned(word, shift, bits)),
            Channel::Sint { shift, bits } => {
                f32::from_bits(signed(word, shift, bits).cast_unsigned())
            }
        }
    }

    /// The number that the field is divided by, if it is normalised.
    const fn denominator(self) -> Option<f32> {
        match self {
            Channel::Unorm { bits, .. } => Some(largest(bits) as f32),
            Channel::Snorm { .. } => Some(127.0),
            Channel::Zero
            | Channel::One
            | Channel::Half { .. }
            | Channel::Float { .. }
            | Channel::IntegerOne
            | Channel::Uint { .. }
            | Channel::Sint { .. } => None,
        }
    }

    /// The field before its division by `denominator`, exact: the integer that it holds, or the value of a
    /// constant times the denominator.
    #[inline]
    fn numerator(self, word: u128, denominator: f32) -> f32 {
        match self {
            Channel::One => denominator,
            Channel::Unorm { shift, bits } => unsigned(word, shift, bits) as f32,
            Channel::Snorm { shift } => f32::from((word >> shift) as i8),
            Channel::Zero
            | Channel::Half { .. }
            | Channel::Float { .. }
            | Channel::IntegerOne
            | Channel::Uint { .. }
            | Channel::Sint { .. } => self.decode(word),
        }
    }

    /// The channel's value as a number, also if it is an integer.
    pub(crate) fn value(self, word: u128) -> f32 {
        match self {
            Channel::IntegerOne => 1.0,
            Channel::Uint { shift, bits } => unsigned(word, shift, bits) as f32,
            Channel::Sint { shift, bits } => signed(word, shift, bits) as f32,
            Channel::Zero
            | Channel::One
            | Channel::Unorm { .. }
            | Channel::Snorm { .. }
            | Channel::Half { .. }
            | Channel::Float { .. } => self.decode(word),
        }
    }

    /// Whether it is a field of integers.
    pub(crate) const fn is_integer(self) -> bool {
        match self {
            Channel::Uint { .. } | Channel::Sint { .. } => true,
            Channel::Zero
            | Channel::One
            | Channel::IntegerOne
            | Channel::Unorm { .. }
            | Channel::Snorm { .. }
            | Channel::Half { .. }
            | Channel::Float { .. } => false,
        }
    }

    /// The integer nearest to `number` towards 0 that words of this channel hold, as a word: the
    /// colour outside of an image.
    pub(crate) fn integer_word(self, number: f32) -> u32 {
        match self {
            Channel::Sint { .. } => (number as i32).cast_unsigned(),
            Channel::Zero
            | Channel::One
            | Channel::IntegerOne
            | Channel::Uint { .. }
            | Channel::Unorm { .. }
            | Channel::Snorm { .. }
            | Channel::Half { .. }
            | Channel::Float { .. } => number as u32,
        }
    }

    /// The field as a number: the integer that it holds, not yet divided, or its float value. 0 for
    /// constants.
    #[inline]
    pub(crate) fn number(self, word: u128) -> f64 {
        match self {
            Channel::Zero | Channel::One | Channel::IntegerOne => 0.0,
            Channel::Unorm { shift, bits } | Channel::Uint { shift, bits } => {
                f64::from(unsigned(word, shift, bits))
            }
            Channel::Snorm { shift } => f64::from((word >> shift) as i8),
            Channel::Sint { shift, bits } => f64::from(signed(word, shift, bits)),
            Channel::Half { .. } | Channel::Float { .. } => f64::from(self.decode(word)),
        }
    }

    /// A word that is 0 but for this field, which holds the value nearest to `number`. Ties go up in integers, to even in
    /// floats.
    #[inline]
    pub(crate) fn encode(self, number: f64) -> u128 {
        let rounded = (number + 0.5).floor();
        match self {
            Channel::Zero | Channel::One | Channel::IntegerOne => 0,
            Channel::Unorm { shift, .. } | Channel::Uint { shift, .. } => {
                u128::from(rounded as u32) << shift
            }
            Channel::Sint { shift, bits } => {
                u128::from((rounded as i32).cast_unsigned() & largest(bits)) << shift
            }
            Channel::Snorm { shift } => u128::from((rounded as i8).cast_unsigned()) << shift,
            Channel::Half { shift } => u128::from(half::from_f32(number as f32)) << shift,
            Channel::Float { shift } => u128::from((number as f32).to_bits()) << shift,
        }
    }
}

/// The largest value of an unsigned field of at most 32 bits.
const fn largest(bits: u8) -> u32 {
    u32::MAX >> (32 - bits)
}

/// An unsigned field.
#[inline]
fn unsigned(word: u128, shift: u8, bits: u8) -> u32 {
    (word >> shift) as u32 & largest(bits)
}

/// A signed field.
#[inline]
fn signed(word: u128, shift: u8, bits: u8) -> i32 {
    let unused = 32 - bits;
    (((word >> shift) as u32) << unused).cast_signed() >> unused
}

/// How a texel is made up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    /// Size of a texel: 1, 2, 4, 8 or 16.
    pub bytes: u8,
    /// Red, green, blue and alpha.
    pub channels: [Channel; 4],
}

impl Layout {
    /// Red, green, blue and alpha of the texel `word`.
    #[inline]
    pub(crate) fn decode(&self, word: u128) -> [f32; 4] {
        self.channels.map(|channel| channel.decode(word))
    }

    /// The numbers that normalised channels are divided by. A constant counts as a field like the first
    /// one. `None` if no channel is normalised.
    pub(crate) fn denominators(&self) -> Option<[f32; 4]> {
        let mut channels = self.channels.into_iter();
        let first = channels.find_map(Channel::denominator)?;
        Some(self.channels.map(|channel| match channel {
            Channel::Zero | Channel::One => first,
            Channel::Unorm { .. }
            | Channel::Snorm { .. }
            | Channel::Half { .. }
            | Channel::Float { .. }
            | Channel::IntegerOne
            | Channel::Uint { .. }
            | Channel::Sint { .. } => channel.denominator().unwrap_or(1.0),
        }))
    }

    /// Red, green, blue and alpha of the texel `word` before their division by `denominators`.
    #[inline]
    pub(crate) fn numerators(&self, word: u128, denominators: &[f32; 4]) -> [f32; 4] {
        std::array::from_fn(|c| self.channels[c].numerator(word, denominators[c]))
    }

    /// Whether green and blue are red, and alpha is 1.
    pub(crate) fn is_luminance(&self) -> bool {
        let [red, green, blue, alpha] = self.channels;
        red == green && red == blue && alpha == Channel::One
    }

    /// Whether texels are integers.
    pub const fn is_integer(&self) -> bool {
        let [red, ..] = self.channels;
        red.is_integer()
    }
}

/// Reads the little-endian word of 1, 2, 4, 8 or 16 bytes.
#[inline]
pub(crate) fn load(bytes: &[u8]) -> u128 {
    match *bytes {
        [a] => u128::from(a),
        [a, b] => u128::from(u16::from_le_bytes([a, b])),
        [a, b, c, d] => u128::from(u32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => u128::from(u64::from_le_bytes([a, b, c, d, e, f, g, h])),
        _ => bytes.try_into().map_or(0, u128::from_le_bytes),
    }
}
