//! The decoded view of a texture: its texels, for code that samples inline.
//!
//! Generated code cannot know forty formats. It knows two, to which all others are decoded once, by
//! the very conversion that the reference sampler uses: what the code reads is what it would read.

use attila_isa::TextureShape;

use crate::colour::Conversion;
use crate::dimension::{CUBE_FACES, Dimension};
use crate::image::Image;
use crate::sampler::{Filter, Sampler};
use crate::shape::MAX_BYTES;
use crate::wrap::Axis;

/// How the texels of a [`Decoded`] are stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// A word of four bytes, red the lowest.
    Rgba8,
    /// Four words, the bits of red, green, blue and alpha as f32, or integers.
    Rgba32F,
}

impl Storage {
    /// Words of a texel.
    pub const fn words(self) -> usize {
        match self {
            Storage::Rgba8 => 1,
            Storage::Rgba32F => 4,
        }
    }
}

/// An axis of a level.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DecodedAxis {
    /// Texels.
    pub size: u32,
    /// A coordinate times this is in units of the level: 1 if coordinates are normalised.
    pub to_level: f32,
    /// Half a texel in these units.
    pub half: f32,
}

/// Texels on every side of each slice of each level that repeat what is there, by the wrap mode: what
/// a linear filter takes for texels outside of the image. With them, the four texels that a filter
/// mixes are side by side wherever they are. Coordinates are wrapped before they are filtered, which
/// leaves them within half a texel of the image, and rounding within two. Only texel coordinates that
/// repeat may be anywhere.
pub const MARGIN: u32 = 2;

/// A level: `slice` texels for each layer or face, rows of `axes[0].size` texels and a [`MARGIN`] on either
/// side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DecodedLevel {
    /// s and t.
    pub axes: [DecodedAxis; 2],
    /// The first texel, after the margins.
    pub offset: u32,
    /// Texels from a slice to the next.
    pub slice: u32,
}

impl DecodedLevel {
    /// Texels from a row to the next.
    pub const fn pitch(&self) -> u32 {
        self.axes[0].size + 2 * MARGIN
    }
}

/// The texels of a texture with two axes, decoded: 2D, rectangle, cube, or an array of 2D images or
/// cubes.
#[derive(Clone, PartialEq, Debug)]
pub struct Decoded {
    kind: TextureShape,
    layers: u32,
    border: [f32; 4],
    storage: Storage,
    denominators: Option<[f32; 4]>,
    levels: Vec<DecodedLevel>,
    words: Vec<u32>,
}

impl Decoded {
    /// The decoded view, if there is one. Images with one or three axes, buffers, multisampled images,
    /// comparisons and anisotropic filters are left to the reference sampler, and so are images that would
    /// be larger than [`MAX_BYTES`] in this form.
    pub(crate) fn new(
        image: &Image,
        sampler: &Sampler,
        conversion: &Conversion,
        axes: &[[Axis; 3]],
    ) -> Option<Decoded> {
        let count = image.bytes().len() / usize::from(image.format().layout().bytes);
        let Plan {
            storage,
            slices,
            levels,
            words,
        } = Plan::new(image.dimension(), count, sampler, conversion, axes)?;
        let is_mixed = [sampler.mag, sampler.min].contains(&Filter::Linear);
        let mut decoded = Decoded {
            kind: image.dimension().kind(),
            layers: image.dimension().layers(),
            border: conversion.border(None),
            storage,
            denominators: match storage {
                Storage::Rgba8 => conversion.denominators(),
                Storage::Rgba32F if is_mixed => conversion.denominators(),
                Storage::Rgba32F => None,
            },
            levels,
            // Their final length: code is handed these words, and there are no others past the end.
            words: Vec::with_capacity(words),
        };
        for (index, axes) in axes.iter().enumerate() {
            let slices = 0..slices;
            slices.for_each(|slice| decoded.fill(image, conversion, (index, slice, axes)));
        }
        decoded.words.resize(words, 0);
        Some(decoded)
    }

    /// Appends the texels of a slice of a level, margins included.
    fn fill(
        &mut self,
        image: &Image,
        conversion: &Conversion,
        (index, slice, [s, t, _]): (usize, u32, &[Axis; 3]),
    ) {
        let (columns, rows) = (around(s), around(t));
        for row in rows {
            for column in columns.clone() {
                let texel = s.filtered(column).zip(t.filtered(row));
                let texel = texel.map(|(i, j)| image.texel_bytes(index, [i, j, slice]));
                self.push(texel, conversion);
            }
        }
    }

    /// Appends a texel, or the border where there is none.
    fn push(&mut self, texel: Option<&[u8]>, conversion: &Conversion) {
        match self.storage {
            Storage::Rgba8 => self
                .words
                .extend(texel.and_then(|bytes| conversion.bytes(bytes))),
            Storage::Rgba32F => {
                let colour = match (texel, self.denominators) {
                    (Some(bytes), None) => conversion.texel(bytes, None),
                    (Some(bytes), Some(_)) => conversion.numerators(bytes, None),
                    (None, None) => self.border,
                    (None, Some(_)) => conversion.border_numerators(None),
                };
                self.words.extend(colour.map(f32::to_bits));
            }
        }
    }

    /// The kind of the image: one with two axes that can be sampled.
    pub fn kind(&self) -> TextureShape {
        self.kind
    }

    /// Layers, or cubes, of an array; 1 otherwise. The slices of a level are its layers, or the six faces
    /// of each cube.
    pub fn layers(&self) -> u32 {
        self.layers
    }

    /// The colour outside of the image, as samples have it: words of integers, if texels are integers.
    pub fn border(&self) -> [f32; 4] {
        self.border
    }

    /// How texels are stored.
    pub fn storage(&self) -> Storage {
        self.storage
    }

    /// The numbers that the words of red, green, blue and alpha are divided by to become colours: those of
    /// a normalised format, if a linear filter may mix its texels. `None` if they are colours.
    pub fn denominators(&self) -> Option<[f32; 4]> {
        self.denominators
    }

    /// The levels, the largest first; at least one.
    pub fn levels(&self) -> &[DecodedLevel] {
        &self.levels
    }

    /// The texels of all levels: [`Storage::words`] for each. Padding of zeros follows the last level, as
    /// long as a row of level 0 and one texel more, so that the texels below and to the right of
    /// any texel are here, too. The last texel is the colour outside of the image for fetches.
    pub fn words(&self) -> &[u32] {
        &self.words
    }
}

/// A decoded view before its texels are decoded.
pub(crate) struct Plan {
    storage: Storage,
    slices: u32,
    levels: Vec<DecodedLevel>,
    words: usize,
}

impl Plan {
    /// The plan of an image of so many texels in all its levels, if it has a decoded view.
    pub(crate) fn new(
        dimension: Dimension,
        texels: usize,
        sampler: &Sampler,
        conversion: &Conversion,
        axes: &[[Axis; 3]],
    ) -> Option<Plan> {
        let slices = match dimension {
            Dimension::D2 | Dimension::Rect => 1,
            Dimension::D2Array { layers } => layers,
            Dimension::Cube => CUBE_FACES as u32,
            Dimension::CubeArray { cubes } => cubes * CUBE_FACES as u32,
            Dimension::D1
            | Dimension::D3
            | Dimension::Buffer
            | Dimension::D1Array { .. }
            | Dimension::D2Ms { .. }
            | Dimension::D2MsArray { .. } => return None,
        };
        if sampler.compare.is_some() || sampler.max_anisotropy > 1 {
            return None;
        }
        let border = axes.iter().flatten().take(2).any(Axis::has_border);
        let storage = conversion.storage(texels, border);
        let LevelLayout { levels, texels } = layout(axes, slices)?;
        let words = texels.checked_mul(storage.words())?;
        let plan = Plan {
            storage,
            slices,
            levels,
            words,
        };
        (words.checked_mul(size_of::<u32>())? <= MAX_BYTES).then_some(plan)
    }

    /// The bytes that it is going to take.
    pub(crate) fn bytes(&self) -> usize {
        self.words * size_of::<u32>()
    }
}

/// Where levels are.
struct LevelLayout {
    levels: Vec<DecodedLevel>,
    /// The texels of all levels and of the padding.
    texels: usize,
}

/// Lays levels out one after another. `None` if they have more texels than a u32 counts.
fn layout(axes: &[[Axis; 3]], slices: u32) -> Option<LevelLayout> {
    let mut levels: Vec<DecodedLevel> = Vec::with_capacity(axes.len());
    let mut end = 0u32;
    for [s, t, _] in axes {
        let mut level = DecodedLevel {
            axes: [s.decoded(), t.decoded()],
            offset: 0,
            slice: 0,
        };
        level.offset = end.checked_add(MARGIN * level.pitch() + MARGIN)?;
        level.slice = level.pitch().checked_mul(level.axes[1].size + 2 * MARGIN)?;
        end = end.checked_add(level.slice.checked_mul(slices)?)?;
        levels.push(level);
    }
    let behind = levels.first()?.pitch() + 1;
    let texels = end.checked_add(behind)? as usize;
    Some(LevelLayout { levels, texels })
}

/// The indices along an axis, margins included.
fn around(axis: &Axis) -> std::ops::Range<i32> {
    let margin = MARGIN as i32;
    -margin..axis.decoded().size as i32 + margin
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::format::Format;
    use attila_machine::pipeline::Compare;

    use crate::sampler::{Srgb, Wrap};
    use crate::shape::Size;
    use crate::texture::Texture;

    /// A cube with sides of so many texels.
    fn texture(format: Format, sampler: Sampler, side: u32) -> Texture {
        let size = Size::cube(side);
        let bytes: Vec<u8> = (0..6 * format.slice_bytes(side, side))
            .map(|n| (n * 37 + 11) as u8)
            .collect();
        let image = Image::from_levels(Dimension::Cube, format, size, &[&bytes]);
        let image = image.and_then(Image::with_mipmaps).expect("the image fits");
        Texture::new(Arc::new(image), sampler).expect("the sampler fits")
    }

    #[test]
    fn texels_of_every_format_are_those_of_the_image() {
        for &format in Format::ALL {
            let texture = texture(format, Sampler::default(), 4);
            let decoded = texture.decoded().expect("a cube has a decoded view");
            for (index, level) in decoded.levels().iter().enumerate() {
                let [width, height] = level.axes.map(|axis| axis.size);
                for (face, j, i) in (0..6 * height * width)
                    .map(|n| (n / (height * width), n / width % height, n % width))
                {
                    let at = level.offset + face * level.slice + j * level.pitch() + i;
                    let words = &decoded.words()[at as usize * decoded.storage().words()..];
                    let want = texture.image().texel_bits(index, [i, j, face]).unwrap();
                    let want = want.map(f32::from_bits);
                    let got: [f32; 4] = match decoded.storage() {
                        Storage::Rgba8 => {
                            words[0].to_le_bytes().map(|byte| f32::from(byte) / 255.0)
                        }
                        Storage::Rgba32F => std::array::from_fn(|c| f32::from_bits(words[c])),
                    };
                    let bits = |c: usize| got[c].to_bits() == want[c].to_bits();
                    let same = |c: usize| {
                        bits(c) || !format.is_integer() && got[c].is_nan() && want[c].is_nan()
                    };
                    assert!((0..4).all(same), "{format}: {got:?} is not {want:?}");
                }
            }
        }
    }

    #[test]
    fn images_with_two_axes_have_a_decoded_view_of_all_their_slices() {
        let size = Size::cube(2);
        for (dimension, slices) in [
            (Dimension::D2, 1),
            (Dimension::Rect, 1),
            (Dimension::D2Array { layers: 3 }, 3),
            (Dimension::Cube, 6),
            (Dimension::CubeArray { cubes: 2 }, 12),
        ] {
            let bytes: Vec<u8> = (0..slices * 4).collect();
            let image = Image::from_levels(dimension, Format::L8, size, &[&bytes]);
            let image = image.expect("the image fits");
            let texture = Texture::new(Arc::new(image), Sampler::default());
            let texture = texture.expect("the sampler fits");
            let decoded = texture.decoded().expect("there is a decoded view");
            assert_eq!(decoded.kind(), dimension.kind());
            assert_eq!(decoded.layers(), dimension.layers());
            let [level] = decoded.levels() else {
                panic!("there is one level")
            };
            let red = |slice: u32, j: u32, i: u32| {
                let at = level.offset + slice * level.slice + j * level.pitch() + i;
                f32::from_bits(decoded.words()[4 * at as usize]) * 255.0
            };
            let places = (0..u32::from(slices) * 4).map(|n| [n / 4, n / 2 % 2, n % 2]);
            let texels: Vec<u8> = places.map(|[k, j, i]| red(k, j, i) as u8).collect();
            assert_eq!(texels, bytes, "{dimension:?}");
        }
    }

    #[test]
    fn images_with_one_or_three_axes_and_those_that_are_only_fetched_have_none() {
        let (row, flat) = (Size::d1(2), Size::d2(2, 2));
        for (dimension, size) in [
            (Dimension::D1, row),
            (Dimension::D1Array { layers: 2 }, row),
            (Dimension::D3, Size::d3(2, 2, 2)),
            (Dimension::Buffer, row),
            (Dimension::D2Ms { samples: 2 }, flat),
            (
                Dimension::D2MsArray {
                    samples: 2,
                    layers: 2,
                },
                flat,
            ),
        ] {
            let [width, height, _] = size.axes();
            let bytes = vec![1; dimension.slices(size) * (width * height) as usize];
            let image = Image::from_levels(dimension, Format::L8, size, &[&bytes]);
            let image = image.expect("the image fits");
            let texture = Texture::new(Arc::new(image), Sampler::default());
            let texture = texture.expect("the sampler fits");
            assert_eq!(texture.decoded(), None, "{dimension:?}");
        }
    }

    #[test]
    fn many_texels_of_bytes_divided_by_255_stay_bytes_and_all_others_become_floats() {
        let storage = |format, srgb, wrap, side| {
            let sampler = Sampler {
                srgb,
                wrap: [Wrap::Repeat, wrap, Wrap::Repeat],
                ..Sampler::default()
            };
            texture(format, sampler, side)
                .decoded()
                .map(Decoded::storage)
        };
        let large = |format, srgb, wrap| storage(format, srgb, wrap, 160);
        let (edge, border) = (Wrap::ClampToEdge, Wrap::ClampToBorder);
        let (bytes, floats) = (Some(Storage::Rgba8), Some(Storage::Rgba32F));
        assert_eq!(large(Format::L8A8, Srgb::Linear, edge), bytes);
        assert_eq!(large(Format::Dxt5, Srgb::Linear, edge), bytes);
        assert_eq!(large(Format::L8A8, Srgb::Linear, border), floats);
        assert_eq!(large(Format::Rgba8, Srgb::Power, edge), floats);
        assert_eq!(large(Format::Rgb565, Srgb::Linear, edge), floats);
        assert_eq!(storage(Format::L8A8, Srgb::Linear, edge, 16), floats);
    }

    #[test]
    fn texels_that_a_linear_filter_may_mix_are_not_yet_divided() {
        let mixed = Sampler {
            min: Filter::Linear,
            wrap: [Wrap::ClampToBorder; 3],
            border: [0.5; 4],
            ..Sampler::default()
        };
        for (format, divisors, red) in [
            (Format::L8, Some([255.0; 4]), 127.5),
            (Format::Rgb565, Some([31.0, 63.0, 31.0, 31.0]), 15.5),
            (Format::Rgba32F, None, 0.5),
        ] {
            let texture = texture(format, mixed, 4);
            let decoded = texture.decoded().expect("a cube has a decoded view");
            assert_eq!(decoded.denominators(), divisors, "{format}");
            assert_eq!(f32::from_bits(decoded.words()[0]), red, "{format}");
            assert_eq!(decoded.border(), [0.5; 4]);
        }
        for plain in [
            Sampler {
                min: Filter::Nearest,
                ..mixed
            },
            Sampler {
                srgb: Srgb::Power,
                ..mixed
            },
        ] {
            let texture = texture(Format::L8, plain, 4);
            let decoded = texture.decoded().expect("a cube has a decoded view");
            assert_eq!(decoded.denominators(), None);
        }
    }

    #[test]
    fn margins_are_what_a_linear_filter_takes_for_texels_outside() {
        let row = |wrap| {
            let sampler = Sampler {
                wrap: [wrap, Wrap::ClampToEdge, Wrap::Repeat],
                border: [7.0; 4],
                ..Sampler::default()
            };
            let texels = [1.0f32, 2.0, 3.0].map(|red| [red; 4]);
            let image = Image::from_rgba32f(Dimension::D2, Size::d2(3, 1), &texels)
                .expect("the image fits");
            let texture = Texture::new(Arc::new(image), sampler).expect("the sampler fits");
            let decoded = texture.decoded().expect("it is flat");
            let [level] = decoded.levels() else {
                panic!("there is one level")
            };
            assert_eq!((level.pitch(), level.slice), (7, 35));
            let margin = MARGIN as usize;
            let words = decoded.words().chunks_exact(4);
            let rows = words.map(|texel| f32::from_bits(texel[0]) as u8);
            let rows: Vec<u8> = rows.collect();
            let first = level.offset as usize - margin;
            assert_eq!(rows[first..first + 7], rows[first + 7..first + 14]);
            rows[first..first + 7].to_vec()
        };
        assert_eq!(row(Wrap::Repeat), [2, 3, 1, 2, 3, 1, 2]);
        assert_eq!(row(Wrap::ClampToEdge), [1, 1, 1, 2, 3, 3, 3]);
        assert_eq!(row(Wrap::MirroredRepeat), [1, 1, 1, 2, 3, 3, 3]);
        assert_eq!(row(Wrap::Clamp), [7, 7, 1, 2, 3, 7, 7]);
        assert_eq!(row(Wrap::ClampToBorder), [7, 7, 1, 2, 3, 7, 7]);
    }

    #[test]
    fn comparisons_and_anisotropic_filters_have_no_plain_view() {
        for sampler in [
            Sampler {
                compare: Some(Compare::Less),
                ..Sampler::default()
            },
            Sampler {
                max_anisotropy: 2,
                ..Sampler::default()
            },
        ] {
            assert_eq!(texture(Format::Rgba8, sampler, 4).decoded(), None);
        }
    }
}
