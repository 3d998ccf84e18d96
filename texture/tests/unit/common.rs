//! Images whose texels can be distinguished, and short ways to sample them.

use std::sync::Arc;

use attila_isa::{Stage, TextureShape, TextureTarget};
use attila_machine::{
    LANES, LaneMask, Lanes, LevelOfDetail, Lookup, TextureQuery, to_floats, to_lanes,
};
use attila_texture::{Dimension, Filter, Format, Image, Sampler, Size, Tap, Texture, Wrap};

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
    for level in 0..dimension.most_levels(size) {
        let [width, height, _] = size.level(level).axes();
        let slices = dimension.slices(size.level(level)) as u32;
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

/// A sampler that takes the nearest texel, at the edge for coordinates outside.
pub(crate) fn edge() -> Sampler {
    Sampler {
        wrap: [Wrap::ClampToEdge; 3],
        ..Sampler::RESET
    }
}

/// As [`edge`], but a linear filter.
pub(crate) fn linear() -> Sampler {
    Sampler {
        mag: Filter::Linear,
        min: Filter::Linear,
        ..edge()
    }
}

/// An image with a sampler that fits it.
pub(crate) fn texture(image: Image, sampler: Sampler) -> Texture {
    Texture::new(Arc::new(image), sampler).expect("the sampler fits the image")
}

/// A query for the coordinates of four lanes.
pub(crate) fn query(level: LevelOfDetail, lanes: Lanes<[f32; 3]>) -> TextureQuery {
    TextureQuery {
        unit: 0,
        target: TextureTarget::Bound,
        lookup: Lookup::sample(
            std::array::from_fn(|axis| lanes.map(|coords| coords[axis])),
            false,
            level,
        ),
        stage: Stage::Fragment,
        active: LaneMask::all(),
    }
}

/// The colour of each lane.
pub(crate) fn sample(texture: &Texture, query: &TextureQuery) -> Lanes<Colour> {
    let components = to_floats(&texture.answer(query));
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

/// A target that names a kind of image.
pub(crate) fn named(shape: TextureShape) -> TextureTarget {
    TextureTarget::Named {
        shape,
        shadow: false,
    }
}

/// A target that names a kind of image whose texels are compared.
pub(crate) fn shadow(shape: TextureShape) -> TextureTarget {
    TextureTarget::Named {
        shape,
        shadow: true,
    }
}

/// The answer to a query of a fragment program, words of each lane.
pub(crate) fn ask(texture: &Texture, target: TextureTarget, lookup: Lookup) -> Lanes<[u32; 4]> {
    let query = TextureQuery {
        unit: 0,
        target,
        lookup,
        stage: Stage::Fragment,
        active: LaneMask::all(),
    };
    let answer = to_lanes(&texture.answer(&query));
    for (answer, taps) in answer.iter().zip(&texture.taps(&query)) {
        check_taps(&lookup, *answer, taps);
    }
    answer
}

/// The texels of a lookup that does not mix them are its answer.
fn check_taps(lookup: &Lookup, answer: [u32; 4], taps: &[Tap]) {
    let colours = taps.iter().map(|tap| tap.colour.map(f32::to_bits));
    match lookup {
        Lookup::Fetch { .. } => {
            let colours: Vec<_> = colours.collect();
            assert!(colours.len() <= 1);
            assert_eq!(answer, colours.first().copied().unwrap_or_default());
        }
        Lookup::Gather { component, .. } => {
            let gathered: Vec<u32> = colours.map(|colour| colour[component.index()]).collect();
            assert!(gathered == answer || gathered.is_empty() && answer == [0; 4]);
        }
        Lookup::Sample { .. } => {}
        Lookup::LevelOfDetail { .. } | Lookup::Size { .. } | Lookup::Samples => {
            assert_eq!(taps, []);
        }
    }
}

/// As [`ask`], floats of each lane.
pub(crate) fn ask_floats(
    texture: &Texture,
    target: TextureTarget,
    lookup: Lookup,
) -> Lanes<Colour> {
    ask(texture, target, lookup).map(|lane| lane.map(f32::from_bits))
}

/// Components of lanes, `[component][lane]`.
pub(crate) fn across<T: Copy, const N: usize>(lanes: Lanes<[T; N]>) -> [Lanes<T>; N] {
    std::array::from_fn(|component| lanes.map(|lane| lane[component]))
}

/// A sample at coordinates of four components with an explicit level of detail of 0.
pub(crate) fn sample_at(coords: Lanes<[f32; 4]>) -> Lookup {
    Lookup::Sample {
        coords: across(coords),
        projected: false,
        level: LevelOfDetail::Explicit([0.0; LANES]),
        reference: None,
        offset: None,
    }
}

/// A fetch of four texels.
pub(crate) fn fetch_at(at: Lanes<[i32; 4]>) -> Lookup {
    Lookup::Fetch {
        at: across(at),
        offset: None,
    }
}
