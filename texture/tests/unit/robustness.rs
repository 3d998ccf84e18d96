//! Every request gets a sample: no request makes a texture unit panic.

use attila_isa::{Component, Stage, TextureShape, TextureTarget};
use attila_machine::{Gradients, LANES, LaneMask, LevelOfDetail, Lookup, TextureQuery};
use attila_texture::{
    Compare, Coordinates, CubeFaces, DepthMode, Dimension, Filter, Format, Image, LodOrigin,
    MipMode, Sampler, Size, Srgb, Texture, Wrap,
};

use crate::common::{Random, named, shadow};

/// Coordinates that are hard on arithmetic, and ordinary ones.
fn coordinate(random: &mut Random) -> f32 {
    match random.bits() % 4 {
        0 => f32::from_bits(random.bits() as u32),
        1 => {
            let sign = random.of(&[1.0, -1.0]);
            sign * random.of(&[
                0.0,
                1.0,
                f32::NAN,
                f32::INFINITY,
                f32::MAX,
                1e30,
                1e-40,
                16_777_216.0,
            ])
        }
        _ => random.between(-3.0, 3.0),
    }
}

pub(crate) fn sampler(random: &mut Random, levels: usize) -> Sampler {
    let wraps = [
        Wrap::Repeat,
        Wrap::Clamp,
        Wrap::ClampToEdge,
        Wrap::ClampToBorder,
        Wrap::MirroredRepeat,
    ];
    let filters = [Filter::Nearest, Filter::Linear];
    let base_level = random.bits() as usize % levels;
    let lod_min = random.between(-2.0, 2.0);
    Sampler {
        mag: random.of(&filters),
        min: random.of(&filters),
        mip: random.of(&[MipMode::None, MipMode::Nearest, MipMode::Linear]),
        wrap: std::array::from_fn(|_| random.of(&wraps)),
        lod_min,
        lod_max: lod_min + random.of(&[0.0, 1.5, 14.0, 1e30]),
        lod_bias: random.between(-2.0, 2.0),
        base_level,
        max_level: base_level + random.bits() as usize % 5,
        max_anisotropy: random.of(&[1, 1, 2, 16]),
        border: [0.1, 0.2, 0.3, 0.4],
        compare: random.of(&[
            None,
            None,
            Some(Compare::LessEqual),
            Some(Compare::NotEqual),
        ]),
        depth_mode: random.of(&[
            DepthMode::Components,
            DepthMode::Luminance,
            DepthMode::Intensity,
            DepthMode::Alpha,
        ]),
        coordinates: random.of(&[
            Coordinates::Normalised,
            Coordinates::Normalised,
            Coordinates::Texels,
        ]),
        srgb: random.of(&[Srgb::Linear, Srgb::Linear, Srgb::Power, Srgb::Standard]),
        lod_origin: random.of(&[LodOrigin::Level0, LodOrigin::Base]),
        cube_faces: random.of(&[CubeFaces::PerLane, CubeFaces::PerQuad]),
    }
}

/// A random dimension and a size that fits it.
fn shape(random: &mut Random) -> (Dimension, Size) {
    let sizes = [1, 1, 2, 3, 4, 7, 16, 33];
    let mut side = || random.of(&sizes);
    let (a, b, c) = (side(), side(), side());
    let (layers, samples) = (random.of(&[1, 2, 5]), random.of(&[1, 3, 16]));
    random.of(&[
        (Dimension::D1, Size::d1(a)),
        (Dimension::D2, Size::d2(a, b)),
        (Dimension::D3, Size::d3(a, b, c.min(7))),
        (Dimension::Cube, Size::cube(a)),
        (Dimension::Rect, Size::d2(a, b)),
        (Dimension::Buffer, Size::d1(a)),
        (Dimension::D1Array { layers }, Size::d1(a)),
        (Dimension::D2Array { layers }, Size::d2(a, b)),
        (Dimension::CubeArray { cubes: layers }, Size::cube(a)),
        (Dimension::D2Ms { samples }, Size::d2(a, b)),
        (Dimension::D2MsArray { samples, layers }, Size::d2(a, b)),
    ])
}

fn image(random: &mut Random) -> Image {
    let (dimension, size) = shape(random);
    let format = random.of(Format::ALL);
    let format = match dimension.kind().is_sampled() {
        true => format,
        false => format.stored(),
    };
    let length = format.slice_bytes(size.width, size.height) * dimension.slices(size);
    let bytes: Vec<u8> = (0..length).map(|_| random.bits() as u8).collect();
    let image = Image::from_levels(dimension, format, size, &[&bytes]).expect("the bytes fit");
    if random.of(&[true, false]) {
        image.with_mipmaps().expect("a small image")
    } else {
        image
    }
}

/// Small integers, and those that overflow.
fn integer(random: &mut Random) -> i32 {
    match random.bits() % 4 {
        0 => random.bits() as i32,
        1 => random.of(&[i32::MIN, i32::MAX]),
        _ => random.bits() as i32 % 40,
    }
}

fn lookup(random: &mut Random) -> Lookup {
    let coords = floats(random);
    let [operand, ..] = floats::<1>(random);
    let integers: [[i32; LANES]; 4] =
        std::array::from_fn(|_| std::array::from_fn(|_| integer(random)));
    let [s, t, r, level] = integers;
    let offset = random.of(&[None, Some([s, t, r])]);
    let reference = random.of(&[None, Some(operand)]);
    let gradients = Gradients {
        dx: floats(random),
        dy: floats(random),
    };
    match random.bits() % 9 {
        0 => Lookup::Gather {
            coords,
            component: random.of(&Component::ALL),
            reference,
            offset,
        },
        1 => Lookup::LevelOfDetail { coords },
        2 => Lookup::Fetch {
            at: integers,
            offset,
        },
        3 => Lookup::Size { level },
        4 => Lookup::Samples,
        _ => Lookup::Sample {
            coords,
            projected: false,
            level: random.of(&[
                LevelOfDetail::Implicit,
                LevelOfDetail::Bias(operand),
                LevelOfDetail::Explicit(operand),
                LevelOfDetail::Gradients(gradients),
            ]),
            reference,
            offset,
        },
    }
}

/// Operands that are hard on arithmetic.
fn floats<const N: usize>(random: &mut Random) -> [[f32; LANES]; N] {
    std::array::from_fn(|_| std::array::from_fn(|_| coordinate(random)))
}

#[test]
fn no_request_panics() {
    let mut random = Random(1);
    for _ in 0..3000 {
        let image = image(&mut random);
        let kind = image.dimension().kind();
        let mut sampler = sampler(&mut random, image.levels().len());
        if kind == TextureShape::Rect {
            sampler.wrap = [Wrap::ClampToBorder; 3];
        }
        let texture = Texture::new(image, sampler).expect("the sampler is consistent");
        for _ in 0..20 {
            let query = TextureQuery {
                unit: 0,
                target: random.of(&[
                    TextureTarget::Bound,
                    named(kind),
                    shadow(kind),
                    named(TextureShape::D2),
                ]),
                lookup: lookup(&mut random),
                stage: random.of(&[Stage::Fragment, Stage::Fragment, Stage::Vertex]),
                active: LaneMask::all(),
            };
            texture.answer(&query);
            texture.levels(&query);
        }
    }
}
