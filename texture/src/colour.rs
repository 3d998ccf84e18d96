//! From a texel's word to a colour (machine.md 5.7): conversion, comparison, sRGB.

use std::array::from_fn;

use crate::channel::{Channel, Layout, load};
use crate::decoded::{Decoding, Storage};
use crate::format::Format;
use attila_isa::Component;
use attila_machine::pipeline::Compare;

use crate::sampler::{DepthMode, Sampler, Srgb};
use crate::scalar::power;

/// How texels of a texture become colours.
#[derive(Clone, Debug)]
pub(crate) struct Conversion {
    layout: Layout,
    srgb: Srgb,
    compare: Option<Compare>,
    depth_mode: DepthMode,
    /// Whether texels are depths.
    is_depth: bool,
    /// Whether texels above 1 can be compared.
    exceeds_one: bool,
    /// As a texel: the words of integers, if texels are integers.
    border: [f32; 4],
    bytes: Option<Box<ByteTables>>,
    fractions: Option<Fractions>,
}

/// The divisors of a normalised format's texels: a linear filter mixes what they divide, and multiplies
/// the sum by the units (T12).
#[derive(Clone, Copy, Debug)]
struct Fractions {
    denominators: [f32; 4],
    /// 1 divided by the denominators.
    units: [f32; 4],
    /// The border's colour times the denominators.
    border: [f32; 4],
}

impl Fractions {
    /// Those of texels that neither a curve nor a comparison changes.
    fn new(layout: &Layout, sampler: &Sampler, border: [f32; 4]) -> Option<Fractions> {
        if sampler.srgb != Srgb::Linear || sampler.compare.is_some() {
            return None;
        }
        let denominators = layout.denominators()?;
        Some(Fractions {
            denominators,
            units: denominators.map(|denominator| 1.0 / denominator),
            border: from_fn(|c| border[c] * denominators[c]),
        })
    }
}

/// The colours of a format of nothing but bytes, curve included, so that the curve need not be
/// computed again and again.
#[derive(Clone, Debug)]
struct ByteTables {
    fields: [ByteField; 4],
    /// The values of red, green and blue, for each byte.
    colour: [f32; 256],
    /// The values of alpha, for each byte.
    alpha: [f32; 256],
}

/// `bytes[at] & and | or` is a channel's byte: constants have theirs in `or`.
#[derive(Clone, Copy, Debug)]
struct ByteField {
    at: u8,
    and: u8,
    or: u8,
}

impl ByteField {
    /// The byte of a channel that is one or can be written as one.
    fn of(channel: Channel) -> Option<ByteField> {
        match channel {
            Channel::Zero => Some(ByteField {
                at: 0,
                and: 0,
                or: 0,
            }),
            Channel::One => Some(ByteField {
                at: 0,
                and: 0,
                or: u8::MAX,
            }),
            Channel::Unorm { shift, bits: 8 } => Some(ByteField {
                at: shift / 8,
                and: u8::MAX,
                or: 0,
            }),
            Channel::Unorm { .. }
            | Channel::Snorm { .. }
            | Channel::Half { .. }
            | Channel::Float { .. }
            | Channel::IntegerOne
            | Channel::Uint { .. }
            | Channel::Sint { .. } => None,
        }
    }

    #[inline]
    fn index(self, bytes: &[u8]) -> usize {
        usize::from(bytes[usize::from(self.at)] & self.and | self.or)
    }
}

impl ByteTables {
    fn new(layout: &Layout, srgb: Srgb) -> Option<Box<ByteTables>> {
        let [Some(r), Some(g), Some(b), Some(a)] = layout.channels.map(ByteField::of) else {
            return None;
        };
        let alpha: [f32; 256] = std::array::from_fn(|byte| byte as f32 / 255.0);
        let colour = alpha.map(|value| linear(srgb, value));
        Some(Box::new(ByteTables {
            fields: [r, g, b, a],
            colour,
            alpha,
        }))
    }

    /// The bytes of red, green, blue and alpha.
    #[inline]
    fn numerators(&self, bytes: &[u8]) -> [f32; 4] {
        self.fields.map(|field| field.index(bytes) as f32)
    }

    #[inline]
    fn texel(&self, bytes: &[u8]) -> [f32; 4] {
        let index = |channel: usize| self.fields[channel].index(bytes);
        [
            self.colour[index(0)],
            self.colour[index(1)],
            self.colour[index(2)],
            self.alpha[index(3)],
        ]
    }
}

/// The most texels of bytes that are stored as floats where that is wanted: as many, 2 MB, stay in a processor's
/// cache.
const MOST_DECODED: usize = 1 << 17;

impl Conversion {
    pub(crate) fn new(format: Format, sampler: &Sampler) -> Conversion {
        let &Sampler {
            srgb,
            compare,
            depth_mode,
            border,
            ..
        } = sampler;
        let is_depth = format.is_depth();
        let mut layout = format.layout();
        let mut border = border;
        if is_depth && compare.is_none() {
            let [red, ..] = layout.channels;
            let channels = depth_mode.colour(red, Channel::Zero, Channel::One);
            layout.channels = channels.unwrap_or(layout.channels);
            border = depth_mode.colour(border[0], 0.0, 1.0).unwrap_or(border);
        }
        // The curve is not applied to values that are compared.
        let bytes = if compare.is_none() {
            ByteTables::new(&layout, srgb)
        } else {
            None
        };
        let border = if format.is_integer() {
            let [red, ..] = layout.channels;
            border.map(|number| f32::from_bits(red.integer_word(number)))
        } else {
            border
        };
        Conversion {
            layout,
            srgb,
            compare,
            depth_mode,
            is_depth,
            exceeds_one: format == Format::Depth32F,
            border,
            bytes,
            fractions: Fractions::new(&layout, sampler, border),
        }
    }

    /// The numbers that divide what a linear filter mixes, if the format is normalised.
    pub(crate) fn denominators(&self) -> Option<[f32; 4]> {
        self.fractions.map(|fractions| fractions.denominators)
    }

    /// The storage of this many texels that does not change their colours. The colour of a border need not
    /// be made of bytes.
    pub(crate) fn storage(&self, texels: usize, has_border: bool, decoding: Decoding) -> Storage {
        if self.compare.is_some() {
            return match self.layout.is_luminance() {
                true => Storage::Red32F,
                false => Storage::Rgba32F,
            };
        }
        let as_bytes = match decoding {
            Decoding::Floats => texels > MOST_DECODED,
            Decoding::Bytes => true,
        };
        match (&self.bytes, self.srgb) {
            (Some(_), Srgb::Linear) if as_bytes && !has_border => Storage::Rgba8,
            (Some(_) | None, Srgb::Linear | Srgb::Power | Srgb::Standard) => Storage::Rgba32F,
        }
    }

    /// The bytes of a texel's channels in one word, red the lowest, if it is made of bytes.
    pub(crate) fn bytes(&self, texel: &[u8]) -> Option<u32> {
        let tables = self.bytes.as_ref()?;
        let bytes = tables.fields.map(|field| field.index(texel) as u8);
        Some(u32::from_le_bytes(bytes))
    }

    /// The colour of a texel. Where the sampler compares, the texel is compared with `reference`, if
    /// there is one.
    #[inline]
    pub(crate) fn texel(&self, bytes: &[u8], reference: Option<f32>) -> [f32; 4] {
        if let Some(tables) = &self.bytes {
            return tables.texel(bytes);
        }
        let mut colour = self.compared(self.layout.decode(load(bytes)), reference);
        // The results of comparisons, 0 and 1, stay the same.
        if self.srgb != Srgb::Linear {
            let [r, g, b, a] = colour;
            let [r, g, b] = [r, g, b].map(|value| linear(self.srgb, value));
            colour = [r, g, b, a];
        }
        colour
    }

    /// The colour of a texel, or the texel as it is compared where the sampler compares.
    pub(crate) fn uncompared(&self, bytes: &[u8]) -> [f32; 4] {
        match self.compare {
            Some(_) => self.layout.decode(load(bytes)),
            None => self.texel(bytes, None),
        }
    }

    /// The colour outside of the image as [`Conversion::uncompared`] has texels.
    pub(crate) fn uncompared_border(&self) -> [f32; 4] {
        self.border
    }

    /// The texel as a linear filter mixes it: before its division, if the format is normalised, and its
    /// colour otherwise.
    #[inline]
    pub(crate) fn numerators(&self, bytes: &[u8], reference: Option<f32>) -> [f32; 4] {
        match (&self.fractions, &self.bytes) {
            (None, _) => self.texel(bytes, reference),
            (Some(_), Some(tables)) => tables.numerators(bytes),
            (Some(fractions), None) => self.layout.numerators(load(bytes), &fractions.denominators),
        }
    }

    /// The border as a linear filter mixes it.
    #[inline]
    pub(crate) fn border_numerators(&self, reference: Option<f32>) -> [f32; 4] {
        match &self.fractions {
            Some(fractions) => fractions.border,
            None => self.border(reference),
        }
    }

    /// The colour that a linear filter has mixed: its last product.
    #[inline]
    pub(crate) fn mixed(&self, numerators: [f32; 4]) -> [f32; 4] {
        match &self.fractions {
            Some(fractions) => from_fn(|c| numerators[c] * fractions.units[c]),
            None => numerators,
        }
    }

    /// The colour outside of the image: compared like a texel, and linear already.
    pub(crate) fn border(&self, reference: Option<f32>) -> [f32; 4] {
        self.compared(self.border, reference)
    }

    /// One component of a texel, or of the border if there is no texel. A comparison has the same
    /// result in all of them: that of red.
    pub(crate) fn component(
        &self,
        texel: Option<&[u8]>,
        component: Component,
        reference: Option<f32>,
    ) -> f32 {
        if let (Some(compare), Some(reference)) = (self.compare, reference) {
            let colour = texel.map_or(self.border, |bytes| self.layout.decode(load(bytes)));
            return self.holds(compare, colour[0], reference);
        }
        let colour = texel.map_or_else(|| self.border(None), |bytes| self.texel(bytes, None));
        colour[component.index()]
    }

    fn compared(&self, colour: [f32; 4], reference: Option<f32>) -> [f32; 4] {
        let spread = |colour: [f32; 4]| {
            let spread = self.depth_mode.colour(colour[0], 0.0, 1.0);
            spread.unwrap_or(colour)
        };
        match (self.compare, reference) {
            (Some(compare), Some(reference)) => {
                spread(colour.map(|texel| self.holds(compare, texel, reference)))
            }
            // Without a comparison the layout has done it.
            (Some(_), None) if self.is_depth => spread(colour),
            (Some(_) | None, _) => colour,
        }
    }

    /// 1 if `texel OP reference`, 0 if not.
    fn holds(&self, compare: Compare, texel: f32, reference: f32) -> f32 {
        let reference = match self.depth_mode {
            DepthMode::Components => reference,
            DepthMode::Luminance | DepthMode::Intensity | DepthMode::Alpha if self.exceeds_one => {
                reference
            }
            DepthMode::Luminance | DepthMode::Intensity | DepthMode::Alpha => {
                reference.clamp(0.0, 1.0)
            }
        };
        f32::from(u8::from(compare.holds(texel, reference)))
    }
}

/// A colour component made linear. By the power, negative values are NaN.
fn linear(srgb: Srgb, value: f32) -> f32 {
    match srgb {
        Srgb::Linear => value,
        Srgb::Power => power(value, 2.2),
        Srgb::Standard if value <= 0.040_45 => value / 12.92,
        Srgb::Standard => power((value + 0.055) / 1.055, 2.4),
    }
}
