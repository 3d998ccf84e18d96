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
    /// One word, the bits of red as f32: green and blue are the same, and alpha is 1.
    Red32F,
}

impl Storage {
    /// Words of a texel.
    pub const fn words(self) -> usize {
        match self {
            Storage::Rgba8 | Storage::Red32F => 1,
            Storage::Rgba32F => 4,
        }
    }
}

/// The form of texels of bytes, where code can have either.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decoding {
    /// Floats, unless that were too many for a processor's cache: samples have nothing to convert.
    Floats,
    /// Bytes, a quarter of the memory: samples convert what they read.
    Bytes,
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

/// A level: `slice` texels for each slice, in rows of `axes[0].size` texels and a [`MARGIN`] on either
/// side. Images with one axis have two rows for each slice: the texels, and zeros.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DecodedLevel {
    /// s, t and r. Axes that the image does not have are one texel long.
    pub axes: [DecodedAxis; 3],
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

/// The texels of a texture that can be sampled, decoded.
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
    /// The decoded view, if there is one. Buffers and multisampled images are left to the reference
    /// sampler, and so are images that would be larger than [`MAX_BYTES`] in this form.
    pub(crate) fn new(
        image: &Image,
        sampler: &Sampler,
        conversion: &Conversion,
        axes: &[[Axis; 3]],
        decoding: Decoding,
    ) -> Option<Decoded> {
        let Plan {
            storage,
            form,
            levels,
            words,
        } = Plan::new(image.dimension(), texels(image), conversion, axes, decoding)?;
        let is_mixed = [sampler.mag, sampler.min].contains(&Filter::Linear);
        let mut decoded = Decoded {
            kind: image.dimension().kind(),
            layers: image.dimension().layers(),
            border: conversion.uncompared_border(),
            storage,
            denominators: match storage {
                Storage::Rgba8 => conversion.denominators(),
                Storage::Rgba32F if is_mixed => conversion.denominators(),
                Storage::Rgba32F | Storage::Red32F => None,
            },
            levels,
            // Their final length: code is handed these words, and there are no others past the end.
            words: Vec::with_capacity(words),
        };
        for (index, axes) in axes.iter().enumerate() {
            match form {
                Form::Lines(slices) => (0..slices).for_each(|slice| {
                    decoded.row(image, conversion, (index, &axes[0]), [Some(0), Some(slice)]);
                    let zeros = decoded.levels[index].pitch() as usize * storage.words();
                    decoded.words.resize(decoded.words.len() + zeros, 0);
                }),
                Form::Planes(slices) => (0..slices).for_each(|slice| {
                    decoded.plane(image, conversion, (index, axes), Some(slice));
                }),
                Form::Box => around(&axes[2]).for_each(|layer| {
                    let slice = axes[2].filtered(layer);
                    decoded.plane(image, conversion, (index, axes), slice);
                }),
            }
        }
        decoded.words.resize(words, 0);
        Some(decoded)
    }

    /// Appends the rows of a slice of a level, margins included.
    fn plane(
        &mut self,
        image: &Image,
        conversion: &Conversion,
        (level, [s, t, _]): (usize, &[Axis; 3]),
        slice: Option<u32>,
    ) {
        for row in around(t) {
            let row = t.filtered(row);
            self.row(image, conversion, (level, s), [row, slice]);
        }
    }

    /// Appends the texels of a row, margins included; those of the border if the row or slice is outside.
    fn row(
        &mut self,
        image: &Image,
        conversion: &Conversion,
        (level, s): (usize, &Axis),
        [row, slice]: [Option<u32>; 2],
    ) {
        for column in around(s) {
            let at = (|| Some([s.filtered(column)?, row?, slice?]))();
            let texel = at.map(|at| image.texel_bytes(level, at));
            self.push(texel, conversion);
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
                    (Some(bytes), None) => conversion.uncompared(bytes),
                    (Some(bytes), Some(_)) => conversion.numerators(bytes, None),
                    (None, None) => self.border,
                    (None, Some(_)) => conversion.border_numerators(None),
                };
                self.words.extend(colour.map(f32::to_bits));
            }
            Storage::Red32F => {
                let [red, ..] = texel.map_or(self.border, |bytes| conversion.uncompared(bytes));
                self.words.push(red.to_bits());
            }
        }
    }

    /// The kind of the image: one that can be sampled.
    pub fn kind(&self) -> TextureShape {
        self.kind
    }

    /// Layers, or cubes, of an array; 1 otherwise. The slices of a level are its layers, or the six faces
    /// of each cube. Those of an image with three axes have margins, too.
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

    /// The texels of all levels: [`Storage::words`] for each. If the sampler compares, they are as they are
    /// compared: not yet linear. Padding of zeros follows the last level, as
    /// long as a row of level 0 and one texel more, so that the texels below and to the right of
    /// any texel are here, too. The last texel is the colour outside of the image for fetches.
    pub fn words(&self) -> &[u32] {
        &self.words
    }
}

/// How the texels of a level are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// So many slices of one row, each followed by a row of zeros: what a filter of two rows adds nothing
    /// for.
    Lines(u32),
    /// So many slices with margins on all sides.
    Planes(u32),
    /// Slices with margins on all sides, also before the first and after the last one.
    Box,
}

impl Form {
    /// The form of images of a kind, if they can be sampled.
    fn of(dimension: Dimension) -> Option<Form> {
        Some(match dimension {
            Dimension::D1 => Form::Lines(1),
            Dimension::D1Array { layers } => Form::Lines(layers),
            Dimension::D2 | Dimension::Rect => Form::Planes(1),
            Dimension::D2Array { layers } => Form::Planes(layers),
            Dimension::Cube => Form::Planes(CUBE_FACES as u32),
            Dimension::CubeArray { cubes } => Form::Planes(cubes * CUBE_FACES as u32),
            Dimension::D3 => Form::Box,
            Dimension::Buffer | Dimension::D2Ms { .. } | Dimension::D2MsArray { .. } => {
                return None;
            }
        })
    }

    /// The axes that texels are filtered along.
    fn axes(self) -> usize {
        match self {
            Form::Lines(_) => 1,
            Form::Planes(_) => 2,
            Form::Box => 3,
        }
    }
}

/// A decoded view before its texels are decoded.
pub(crate) struct Plan {
    storage: Storage,
    form: Form,
    levels: Vec<DecodedLevel>,
    words: usize,
}

impl Plan {
    /// The plan of an image of so many texels in all its levels, if it has a decoded view.
    pub(crate) fn new(
        dimension: Dimension,
        texels: usize,
        conversion: &Conversion,
        axes: &[[Axis; 3]],
        decoding: Decoding,
    ) -> Option<Plan> {
        let form = Form::of(dimension)?;
        let storage = storage(form, texels, conversion, axes, decoding);
        let LevelLayout { levels, texels } = layout(axes, form)?;
        let words = texels.checked_mul(storage.words())?;
        let plan = Plan {
            storage,
            form,
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

/// How so many texels in all levels of an image are stored.
fn storage(
    form: Form,
    texels: usize,
    conversion: &Conversion,
    axes: &[[Axis; 3]],
    decoding: Decoding,
) -> Storage {
    let mut used = axes.iter().flat_map(|axes| &axes[..form.axes()]);
    conversion.storage(texels, used.any(Axis::has_border), decoding)
}

/// Whether an image's decoded views differ.
pub(crate) fn has_two_forms(image: &Image, conversion: &Conversion, axes: &[[Axis; 3]]) -> bool {
    let Some(form) = Form::of(image.dimension()) else {
        return false;
    };
    let texels = texels(image);
    let storage = |decoding| storage(form, texels, conversion, axes, decoding);
    storage(Decoding::Floats) != storage(Decoding::Bytes)
}

/// The texels of all levels.
fn texels(image: &Image) -> usize {
    image.bytes().len() / usize::from(image.format().layout().bytes)
}

/// Where levels are.
struct LevelLayout {
    levels: Vec<DecodedLevel>,
    /// The texels of all levels and of the padding.
    texels: usize,
}

/// Lays levels out one after another. `None` if they have more texels than a u32 counts.
fn layout(axes: &[[Axis; 3]], form: Form) -> Option<LevelLayout> {
    let mut levels: Vec<DecodedLevel> = Vec::with_capacity(axes.len());
    let mut end = 0u32;
    for axes in axes {
        let mut level = DecodedLevel {
            axes: axes.each_ref().map(Axis::decoded),
            offset: 0,
            slice: 0,
        };
        let [_, height, depth] = level.axes.map(|axis| axis.size + 2 * MARGIN);
        let (rows, slices) = match form {
            Form::Lines(slices) => (2, slices),
            Form::Planes(slices) => (height, slices),
            Form::Box => (height, depth),
        };
        level.slice = level.pitch().checked_mul(rows)?;
        let before = match form {
            Form::Lines(_) => 0,
            Form::Planes(_) => MARGIN * level.pitch(),
            Form::Box => (MARGIN * level.pitch()).checked_add(level.slice.checked_mul(MARGIN)?)?,
        };
        level.offset = end.checked_add(before)?.checked_add(MARGIN)?;
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
mod tests;
