//! Texture cases of the original simulator, executed there: 8x8 texels, which say where they are as (column, row, face,
//! level). The crate of the textures has them too. Here the engines sample inline where they can.

use std::sync::Arc;

use attila_shader::texture::{
    Coordinates, CubeFaces, DepthMode, Dimension, Filter, Format, Image, LodOrigin, MipMode,
    Sampler, Size, Srgb, Texture, Textures, Wrap,
};

use crate::common::check_with;

const LINEAR: Sampler = Sampler {
    mag: Filter::Linear,
    ..NEAREST
};

const NEAREST: Sampler = Sampler {
    mag: Filter::Nearest,
    min: Filter::Nearest,
    mip: MipMode::None,
    wrap: [Wrap::Repeat; 3],
    lod_min: 0.0,
    lod_max: 14.0,
    lod_bias: 0.0,
    base_level: 0,
    max_level: 14,
    max_anisotropy: 1,
    border: [-1.0; 4],
    compare: None,
    depth_mode: DepthMode::Components,
    coordinates: Coordinates::Normalised,
    srgb: Srgb::Linear,
    lod_origin: LodOrigin::Level0,
    cube_faces: CubeFaces::PerLane,
};

fn texture(dimension: Dimension, sampler: Sampler) -> Texture {
    let faces = if dimension == Dimension::Cube { 6 } else { 1 };
    let level = |level: u32| {
        let side = 8 >> level;
        let texels = (0..faces * side * side).map(move |n| {
            let [column, row, face] = [n % side, n / side % side, n / (side * side)];
            [column, row, face, level].map(|number| number as f32)
        });
        texels.flatten().flat_map(f32::to_le_bytes).collect()
    };
    let levels: Vec<Vec<u8>> = (0..4).map(level).collect();
    let levels: Vec<&[u8]> = levels.iter().map(Vec::as_slice).collect();
    let image = Image::from_levels(dimension, Format::Rgba32F, Size::d2(8, 8), &levels);
    let image = image.expect("the bytes are as many as they should be");
    Texture::new(Arc::new(image), sampler).expect("the sampler fits the image")
}

/// Checks a program with these textures, t0 first.
fn golden(textures: &[Texture], text: &str) {
    let mut bound = Textures::new();
    for (unit, texture) in textures.iter().enumerate() {
        let bind = bound.bind(unit, texture.clone());
        bind.expect("there are as many units");
    }
    check_with(text, |bindings| bindings.with_textures(&bound));
}

/// 2D textures that are wrapped in these ways.
fn wrapped<const N: usize>(wraps: [Wrap; N], sampler: Sampler) -> [Texture; N] {
    wraps.map(|wrap| {
        let wrap = [wrap; 3];
        texture(Dimension::D2, Sampler { wrap, ..sampler })
    })
}

#[test]
fn nearest_texels_are_those_that_the_wrap_mode_chooses() {
    let wraps = [
        Wrap::Repeat,
        Wrap::Clamp,
        Wrap::ClampToBorder,
        Wrap::MirroredRepeat,
    ];
    // txl o4 is the one decision against the original, which is outside there (T01).
    golden(
        &wrapped(wraps, NEAREST),
        "
        ;! const c0 = -0.3 0.5 0 0
        ;! const c1 = 1 0.5 0 0
        ;! const c2 = 1.3 0.5 0 0
        txl o0, c0, t0
        ;! expect o0 = 5 4 0 0
        txl o1, c1, t0
        ;! expect o1 = 0 4 0 0
        txl o2, c2, t0
        ;! expect o2 = 2 4 0 0
        txl o3, c0, t1
        ;! expect o3 = 0 4 0 0
        txl o4, c1, t1
        ;! expect o4 = 7 4 0 0
        txl o5, c0, t2
        ;! expect o5 = -1 -1 -1 -1
        txl o6, c1, t2
        ;! expect o6 = -1 -1 -1 -1
        txl o7, c0, t3
        ;! expect o7 = 2 4 0 0
        txl o8, c2, t3
        ;! expect o8 = 5 4 0 0",
    );
}

#[test]
fn linear_filters_mix_the_texels_that_the_wrap_mode_chooses() {
    let wraps = [
        Wrap::Repeat,
        Wrap::Clamp,
        Wrap::ClampToEdge,
        Wrap::ClampToBorder,
    ];
    let border = [0.0, 0.0, 0.0, 8.0];
    golden(
        &wrapped(wraps, Sampler { border, ..LINEAR }),
        "
        ;! const c0 = -0.3 0.5 0 0
        ;! const c1 = 1 0.5 0 0
        ;! const c2 = 1.3 0.5 0 0
        ;! const c3 = 0 0.5 0 0
        txl o0, c3, t0
        ;! expect o0 = 3.5 3.5 0 0
        txl o1, c0, t0
        ;! expect o1 = 5.1 3.5 0 0
        txl o2, c3, t1
        ;! expect o2 = 0 1.75 0 4
        txl o3, c1, t1
        ;! expect o3 = 3.5 1.75 0 4
        txl o4, c3, t2
        ;! expect o4 = 0 3.5 0 0
        txl o5, c1, t2
        ;! expect o5 = 7 3.5 0 0
        txl o6, c2, t3
        ;! expect o6 = 0 0 0 8",
    );
}

#[test]
fn the_lod_chooses_the_level_or_the_two_that_are_mixed() {
    let textures = [MipMode::Nearest, MipMode::Linear].map(|mip| {
        let sampler = Sampler { mip, ..NEAREST };
        texture(Dimension::D2, sampler)
    });
    golden(
        &textures,
        "
        ;! const c0 = 0.5 0.5 0 0.3
        ;! const c1 = 0.5 0.5 0 0.5
        ;! const c2 = 0.5 0.5 0 0.51
        ;! const c3 = 0.5 0.5 0 1.5
        ;! const c4 = 0.5 0.5 0 1.51
        ;! const c5 = 0.5 0.5 0 9
        ;! const c6 = 0.5 0.5 0 1.25
        ;! const c7 = 0.5 0.5 0 2
        ;! const c8 = 0.5 0.5 0 3.5
        txl o0, c0, t0
        ;! expect o0 = 4 4 0 0
        txl o1, c1, t0
        ;! expect o1 = 4 4 0 0
        txl o2, c2, t0
        ;! expect o2 = 2 2 0 1
        txl o3, c3, t0
        ;! expect o3 = 2 2 0 1
        txl o4, c4, t0
        ;! expect o4 = 1 1 0 2
        txl o5, c5, t0
        ;! expect o5 = 0 0 0 3
        txl o6, c6, t1
        ;! expect o6 = 1.75 1.75 0 1.25
        txl o7, c7, t1
        ;! expect o7 = 1 1 0 2
        txl o8, c8, t1
        ;! expect o8 = 0 0 0 3",
    );
}

#[test]
fn a_derivative_of_0_gives_the_least_lod_and_nan_the_greatest() {
    let sampler = Sampler {
        mip: MipMode::Nearest,
        lod_min: 1.0,
        lod_max: 2.0,
        ..NEAREST
    };
    golden(
        &[texture(Dimension::D2, sampler)],
        "
        ;! const c0 = 0.5 0.5 0 0
        ;! const c1 = nan 0.5 0 0
        tex o0, c0, t0
        ;! expect o0 = 2 2 0 1
        tex o1, c1, t0
        ;! expect o1 = 0 1 0 2",
    );
}

#[test]
fn the_longest_component_of_a_direction_chooses_the_face() {
    let sampler = Sampler {
        wrap: [Wrap::ClampToEdge; 3],
        ..NEAREST
    };
    golden(
        &[texture(Dimension::Cube, sampler)],
        "
        ;! const c0 = 1 1 0 0
        ;! const c1 = 1 0 1 0
        ;! const c2 = 0 1 1 0
        ;! const c3 = 1 1 1 0
        ;! const c4 = -1 -1 -1 0
        ;! const c5 = 0.9 0.2 -0.4 0
        txl o0, c0, t0
        ;! expect o0 = 4 0 0 0
        txl o1, c1, t0
        ;! expect o1 = 7 4 4 0
        txl o2, c2, t0
        ;! expect o2 = 4 7 2 0
        txl o3, c3, t0
        ;! expect o3 = 7 0 4 0
        txl o4, c4, t0
        ;! expect o4 = 7 7 5 0
        txl o5, c5, t0
        ;! expect o5 = 5 3 0 0",
    );
}
