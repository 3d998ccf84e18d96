//! Images whose texels can be distinguished, and short ways to sample them.

use std::sync::Arc;

use attila_isa::Stage;
use attila_machine::{LANES, LaneMask, Lanes, LevelOfDetail, Lookup, TextureQuery};
use attila_texture::{Dimension, Format, Image, Sampler, Size, Texture};

/// A colour.
pub(crate) type Colour = [f32; 4];

/// A small random generator (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 up to 1.
    pub(crate) fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1 << 24) as f32
    }

    /// A number from `low` to `high`.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// One of these.
    pub(crate) fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.bits() as usize % choices.len()]
    }
}

/// An image of random floats from 0 to 1, with all levels; they are unrelated to each other.
pub(crate) fn random_image(random: &mut Random, dimension: Dimension, size: Size) -> Image {
    image_of(dimension, size, |_, _| {
        std::array::from_fn(|_| random.unit())
    })
}

/// An image with all levels whose texels have the colours (column, row, layer or face, level).
pub(crate) fn coded_image(dimension: Dimension, size: Size) -> Image {
    image_of(dimension, size, |level, at| {
        let [i, j, k] = at.map(|n| n as f32);
        [i, j, k, level as f32]
    })
}

fn image_of(
    dimension: Dimension,
    size: Size,
    mut colour: impl FnMut(usize, [u32; 3]) -> Colour,
) -> Image {
    let mut levels = Vec::new();
    for level in 0..size.levels() {
        let [width, height, depth] = size.level(level).axes();
        let slices = if dimension == Dimension::Cube {
            6
        } else {
            depth
        };
        let mut bytes = Vec::new();
        for k in 0..slices {
            for j in 0..height {
                for i in 0..width {
                    let colour = colour(level, [i, j, k]);
                    bytes.extend(colour.iter().flat_map(|c| c.to_le_bytes()));
                }
            }
        }
        levels.push(bytes);
    }
    let levels: Vec<&[u8]> = levels.iter().map(Vec::as_slice).collect();
    Image::from_levels(dimension, Format::Rgba32F, size, &levels)
        .expect("the bytes are as many as they should be")
}

/// An image with a sampler that fits it.
pub(crate) fn texture(image: Image, sampler: Sampler) -> Texture {
    Texture::new(Arc::new(image), sampler).expect("the sampler fits the image")
}

/// A query for the coordinates of four lanes.
pub(crate) fn query(level: LevelOfDetail, lanes: Lanes<[f32; 3]>) -> TextureQuery {
    TextureQuery {
        unit: 0,
        lookup: Lookup::Sample {
            coords: std::array::from_fn(|axis| lanes.map(|coords| coords[axis])),
            projected: false,
            level,
        },
        stage: Stage::Fragment,
        active: LaneMask::all(),
    }
}

/// The colour of each lane.
pub(crate) fn sample(texture: &Texture, query: &TextureQuery) -> Lanes<Colour> {
    let components = texture.sample(query);
    std::array::from_fn(|lane| components.map(|component| component[lane]))
}

/// The result of TXL at a point.
pub(crate) fn at_lod(texture: &Texture, coords: [f32; 3], lod: f32) -> Colour {
    sample(
        texture,
        &query(LevelOfDetail::Explicit([lod; LANES]), [coords; LANES]),
    )[0]
}

/// The result of TXL at a point of the base level, with the magnification filter.
pub(crate) fn at(texture: &Texture, coords: [f32; 3]) -> Colour {
    at_lod(texture, coords, 0.0)
}

/// The result of TEX in lane 0, where a step to the right moves by `dx` and a step down by `dy`.
pub(crate) fn moving(texture: &Texture, at: [f32; 3], dx: [f32; 3], dy: [f32; 3]) -> Colour {
    let add = |a: [f32; 3], b: [f32; 3]| std::array::from_fn(|axis| a[axis] + b[axis]);
    let lanes = [at, add(at, dx), add(at, dy), add(add(at, dx), dy)];
    sample(texture, &query(LevelOfDetail::Implicit, lanes))[0]
}
