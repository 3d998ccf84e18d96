//! Every request gets a sample: no request makes a texture unit panic.

use attila_isa::Stage;
use attila_machine::{LevelOfDetail, TextureQuery};
use attila_texture::{
    Compare, Coordinates, CubeFaces, DepthMode, Dimension, Filter, Format, Image, LodOrigin,
    MipMode, Sampler, Size, Srgb, Texture, Wrap,
};

use crate::common::{Random, query};

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

fn image(random: &mut Random) -> Image {
    let sizes = [1, 1, 2, 3, 4, 7, 16, 33];
    let mut side = || random.of(&sizes);
    let (a, b, c) = (side(), side(), side());
    let (dimension, size) = random.of(&[
        (Dimension::D1, Size::d1(a)),
        (Dimension::D2, Size::d2(a, b)),
        (Dimension::D3, Size::d3(a, b, c.min(7))),
        (Dimension::Cube, Size::cube(a)),
    ]);
    let format = random.of(Format::ALL);
    let slices = if dimension == Dimension::Cube {
        6
    } else {
        size.depth as usize
    };
    let length = format.slice_bytes(size.width, size.height) * slices;
    let bytes: Vec<u8> = (0..length).map(|_| random.bits() as u8).collect();
    let image = Image::from_levels(dimension, format, size, &[&bytes]).expect("the bytes fit");
    if random.of(&[true, false]) {
        image.with_mipmaps().expect("a small image")
    } else {
        image
    }
}

#[test]
fn no_request_panics() {
    let mut random = Random(1);
    for _ in 0..1500 {
        let image = image(&mut random);
        let sampler = sampler(&mut random, image.levels().len());
        let texture = Texture::new(image.into(), sampler).expect("the sampler is consistent");
        for _ in 0..20 {
            let operand = std::array::from_fn(|_| coordinate(&mut random));
            let query = TextureQuery {
                stage: random.of(&[Stage::Fragment, Stage::Fragment, Stage::Vertex]),
                ..query(
                    random.of(&[
                        LevelOfDetail::Implicit,
                        LevelOfDetail::Bias(operand),
                        LevelOfDetail::Explicit(operand),
                    ]),
                    std::array::from_fn(|_| std::array::from_fn(|_| coordinate(&mut random))),
                )
            };
            texture.sample(&query);
        }
    }
}
