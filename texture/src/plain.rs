//! The plain view of a texture: its texels decoded, for code that samples by itself.
//!
//! Generated code cannot know forty formats. It knows two, to which all others are decoded once, by
//! the very conversion that the reference sampler uses: what the code reads is what it would read.

use crate::colour::Conversion;
use crate::image::Image;
use crate::sampler::Sampler;
use crate::shape::{Dimension, MAX_BYTES};
use crate::wrap::Axis;

/// How the texels of a [`Plain`] are stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// A word of four bytes, red the lowest: each channel is its byte divided by 255.
    Rgba8,
    /// Four words, the bits of red, green, blue and alpha as f32.
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
pub struct PlainAxis {
    /// Texels.
    pub size: u32,
    /// A coordinate times this is in units of the level: 1 if coordinates are normalised.
    pub to_level: f32,
    /// Half a texel in these units.
    pub half: f32,
}

/// A level: `slice` texels for each face, rows of `axes[0].size` texels without gaps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlainLevel {
    /// s and t.
    pub axes: [PlainAxis; 2],
    /// The first texel.
    pub offset: u32,
    /// Texels from a face to the next.
    pub slice: u32,
}

/// The texels of a 2D or cube texture, decoded.
#[derive(Clone, PartialEq, Debug)]
pub struct Plain {
    storage: Storage,
    levels: Vec<PlainLevel>,
    words: Vec<u32>,
}

impl Plain {
    /// The plain view, if there is one: not for 1D and 3D images, comparisons and anisotropic
    /// filters, which are left to the reference sampler, and not if it would be larger than
    /// [`MAX_BYTES`].
    pub(crate) fn new(
        image: &Image,
        sampler: &Sampler,
        conversion: &Conversion,
        axes: &[[Axis; 3]],
    ) -> Option<Plain> {
        let flat = match image.dimension() {
            Dimension::D2 | Dimension::Cube => true,
            Dimension::D1 | Dimension::D3 => false,
        };
        if !flat || sampler.compare.is_some() || sampler.max_anisotropy > 1 {
            return None;
        }
        let texel_bytes = usize::from(image.format().layout().bytes);
        let texels = image.bytes().chunks_exact(texel_bytes);
        let storage = conversion.storage();
        let words = texels.len().checked_mul(storage.words())?;
        if words.checked_mul(size_of::<u32>())? > MAX_BYTES {
            return None;
        }
        // As long as they are to be: code is handed these words, and there are none behind the last.
        let mut plain = Vec::with_capacity(words);
        match storage {
            Storage::Rgba8 => plain.extend(texels.filter_map(|texel| conversion.bytes(texel))),
            Storage::Rgba32F => plain
                .extend(texels.flat_map(|texel| conversion.texel(texel, 0.0).map(f32::to_bits))),
        }
        let levels = image.levels().iter().zip(axes);
        let levels = levels.map(|(level, [s, t, _])| PlainLevel {
            axes: [s.plain(), t.plain()],
            offset: (level.offset / texel_bytes) as u32,
            slice: (level.slice_bytes / texel_bytes) as u32,
        });
        Some(Plain {
            storage,
            levels: levels.collect(),
            words: plain,
        })
    }

    /// How texels are stored.
    pub fn storage(&self) -> Storage {
        self.storage
    }

    /// The levels, the largest first; at least one.
    pub fn levels(&self) -> &[PlainLevel] {
        &self.levels
    }

    /// The texels of all levels: [`Storage::words`] for each.
    pub fn words(&self) -> &[u32] {
        &self.words
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::format::Format;
    use attila_isa::pipeline::Compare;

    use crate::sampler::Srgb;
    use crate::shape::Size;
    use crate::texture::Texture;

    fn texture(format: Format, sampler: Sampler) -> Texture {
        let size = Size::cube(4);
        let bytes: Vec<u8> = (0..6 * format.slice_bytes(4, 4))
            .map(|n| (n * 37 + 11) as u8)
            .collect();
        let image = Image::from_levels(Dimension::Cube, format, size, &[&bytes]);
        let image = image.and_then(Image::with_mipmaps).expect("the image fits");
        Texture::new(Arc::new(image), sampler).expect("the sampler fits")
    }

    #[test]
    fn texels_of_every_format_are_those_of_the_image() {
        for &format in Format::ALL {
            let texture = texture(format, Sampler::default());
            let plain = texture.plain().expect("a cube has a plain view");
            for (index, level) in plain.levels().iter().enumerate() {
                let [width, height] = level.axes.map(|axis| axis.size);
                for (face, j, i) in (0..6 * height * width)
                    .map(|n| (n / (height * width), n / width % height, n % width))
                {
                    let at = level.offset + face * level.slice + j * width + i;
                    let words = &plain.words()[at as usize * plain.storage().words()..];
                    let want = texture.image().texel(index, [i, j, face]);
                    let got: [f32; 4] = match plain.storage() {
                        Storage::Rgba8 => {
                            words[0].to_le_bytes().map(|byte| f32::from(byte) / 255.0)
                        }
                        Storage::Rgba32F => std::array::from_fn(|c| f32::from_bits(words[c])),
                    };
                    let same = |c: usize| got[c] == want[c] || got[c].is_nan() && want[c].is_nan();
                    assert!((0..4).all(same), "{format}: {got:?} is not {want:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_a_byte_divided_by_255_is_stored_as_floats() {
        let storage = |format, srgb| {
            let sampler = Sampler {
                srgb,
                ..Sampler::default()
            };
            texture(format, sampler).plain().map(Plain::storage)
        };
        assert_eq!(storage(Format::L8A8, Srgb::Linear), Some(Storage::Rgba8));
        assert_eq!(storage(Format::Dxt5, Srgb::Linear), Some(Storage::Rgba8));
        assert_eq!(storage(Format::Rgba8, Srgb::Power), Some(Storage::Rgba32F));
        assert_eq!(
            storage(Format::Rgb565, Srgb::Linear),
            Some(Storage::Rgba32F)
        );
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
            assert_eq!(texture(Format::Rgba8, sampler).plain(), None);
        }
    }
}
