//! Levels, filters between them, anisotropy, and differences by instruction and stage.

use attila_isa::Stage;
use attila_machine::{LANES, LevelOfDetail, TextureQuery, TextureUnit, to_floats};
use attila_texture::{
    Dimension, Filter, Format, Image, MipMode, Sampler, SamplerError, Size, Texture, Textures, Wrap,
};

use crate::common::{at_lod, coded_image, moving, query, sample, texture};

fn levels(mip: MipMode) -> Sampler {
    Sampler {
        mip,
        wrap: [Wrap::Repeat; 3],
        ..Sampler::RESET
    }
}

/// The level, or the mix of levels, at an explicit level of detail.
fn level(sampler: Sampler, lod: f32) -> f32 {
    let texture = texture(coded_image(Dimension::D2, Size::d2(16, 16)), sampler);
    let at = [0.5, 0.5, 0.0];
    let sampled = at_lod(&texture, at, lod)[3];
    let query = query(LevelOfDetail::Explicit([lod; LANES]), [at; LANES]);
    assert_eq!(texture.levels(&query), Some([sampled; LANES]));
    sampled
}

#[test]
fn the_range_of_levels_and_lods_bounds_what_is_sampled() {
    let bounded = |mip| Sampler {
        base_level: 1,
        max_level: 3,
        ..levels(mip)
    };
    for lod in [-3.0, 0.0, 0.5] {
        assert_eq!(level(bounded(MipMode::Nearest), lod), 1.0);
    }
    assert_eq!(level(bounded(MipMode::Nearest), 1.4), 2.0);
    assert_eq!(level(bounded(MipMode::Nearest), 9.0), 3.0);
    assert_eq!(level(bounded(MipMode::Linear), 0.5), 1.5);
    assert_eq!(level(bounded(MipMode::Linear), 9.5), 3.0);
    assert_eq!(level(bounded(MipMode::None), 9.5), 1.0);
    let lods = Sampler {
        lod_min: 0.75,
        lod_max: 2.25,
        lod_bias: 1.0,
        ..levels(MipMode::Linear)
    };
    assert_eq!(
        [-7.0, 0.5, 7.0].map(|lod| level(lods, lod)),
        [0.75, 1.5, 2.25]
    );
}

#[test]
fn biases_are_added_and_limited() {
    let biased = |lod_bias| Sampler {
        lod_bias,
        ..levels(MipMode::Linear)
    };
    assert_eq!(level(biased(-0.5), 2.0), 1.5);
    assert_eq!(level(biased(2000.0), -1001.0), 4.0);
    assert_eq!(level(biased(0.0), f32::NEG_INFINITY), 0.0);
    assert_eq!(level(biased(0.0), f32::NAN), 4.0);
}

#[test]
fn txb_adds_the_bias_of_each_lane_to_the_lod_of_the_quad() {
    let texture = texture(
        coded_image(Dimension::D2, Size::d2(16, 16)),
        levels(MipMode::Linear),
    );
    let lanes = [[0.5; 3], [0.5 + 2.0 / 16.0, 0.5, 0.0], [0.5; 3], [0.5; 3]];
    let bias = LevelOfDetail::Bias([0.0, 1.0, -0.75, f32::NAN]);
    let query = query(bias, lanes);
    let levels = sample(&texture, &query).map(|colour| colour[3]);
    assert_eq!(levels, [1.0, 2.0, 0.25, 4.0]);
    assert_eq!(texture.levels(&query), Some(levels));
}

#[test]
fn the_lane_across_has_no_say_in_the_derivatives() {
    let texture = texture(
        coded_image(Dimension::D2, Size::d2(16, 16)),
        levels(MipMode::Linear),
    );
    let lanes = [[0.5; 3], [0.5; 3], [0.5; 3], [f32::NAN, 700.0, 0.0]];
    let levels = sample(&texture, &query(LevelOfDetail::Implicit, lanes)).map(|colour| colour[3]);
    assert_eq!(levels, [0.0; 4]);
}

#[test]
fn vertices_have_no_derivatives() {
    let sampler = Sampler {
        lod_min: 1.0,
        ..levels(MipMode::Nearest)
    };
    let texture = texture(coded_image(Dimension::D2, Size::d2(16, 16)), sampler);
    let lanes = [[0.1; 3], [0.9; 3], [0.7; 3], [0.2; 3]];
    for level in [LevelOfDetail::Implicit, LevelOfDetail::Bias([0.0; LANES])] {
        let query = TextureQuery {
            stage: Stage::Vertex,
            ..query(level, lanes)
        };
        assert_eq!(sample(&texture, &query).map(|colour| colour[3]), [1.0; 4]);
    }
}

#[test]
fn the_scale_of_3d_images_has_three_axes() {
    let texture = texture(
        coded_image(Dimension::D3, Size::d3(16, 16, 16)),
        levels(MipMode::Nearest),
    );
    let step = 4.0 / 16.0;
    let colour = moving(&texture, [0.5; 3], [0.0, 0.0, step], [0.0; 3]);
    assert_eq!(colour[3], 2.0);
    // sqrt(2² + 3² + 6²) = 7, and its logarithm 2.8.
    let steps = [2.0 / 16.0, 3.0 / 16.0, 6.0 / 16.0];
    assert_eq!(moving(&texture, [0.5; 3], steps, [0.0; 3])[3], 3.0);
}

/// The samples along x of a footprint of `dx` by `dy` texels: each has its own column.
fn anisotropic(dx: f32, dy: f32, max_anisotropy: u32) -> (f32, f32) {
    let sampler = Sampler {
        max_anisotropy,
        ..levels(MipMode::Nearest)
    };
    let texture = texture(coded_image(Dimension::D2, Size::d2(64, 64)), sampler);
    let (dx, dy) = ([dx / 64.0, 0.0, 0.0], [0.0, dy / 64.0, 0.0]);
    let [column, _, _, level] = moving(&texture, [32.5 / 64.0, 0.5, 0.0], dx, dy);
    (column, level)
}

#[test]
fn footprints_are_sampled_along_their_longer_side() {
    // 4:1 are 4 samples of level 0, 4/5 of a texel apart: columns 31, 32, 32, 33.
    assert_eq!(anisotropic(4.0, 1.0, 16), (32.0, 0.0));
    // 5:2 are 3 samples of level 1 (ratio 2.5), 5/4 of a texel of level 0 apart, around column 16.25
    // of level 1: columns 15, 16, 16.
    assert_eq!(anisotropic(5.0, 2.0, 16), ((15.0 + 16.0 + 16.0) / 3.0, 1.0));
    // Limited to a ratio of 2: level 2 of two samples 8/3 texels apart, columns 31.2 and 33.8 of level 0.
    assert_eq!(anisotropic(8.0, 1.0, 2), ((7.0 + 8.0) / 2.0, 2.0));
    // The other axis.
    assert_eq!(anisotropic(1.0, 4.0, 16), (32.0, 0.0));
}

#[test]
fn explicit_lods_and_images_of_one_or_three_axes_are_sampled_once() {
    for (dimension, size) in [
        (Dimension::D1, Size::d1(64)),
        (Dimension::D3, Size::d3(64, 4, 4)),
    ] {
        let anisotropic = Sampler {
            max_anisotropy: 16,
            ..levels(MipMode::Nearest)
        };
        let plain = texture(coded_image(dimension, size), levels(MipMode::Nearest));
        let other = texture(coded_image(dimension, size), anisotropic);
        let step = [8.0 / 64.0, 0.0, 0.0];
        let of = |texture: &Texture| moving(texture, [0.3; 3], step, [0.0; 3]);
        assert_eq!(of(&plain), of(&other));
    }
    let sampler = Sampler {
        max_anisotropy: 16,
        ..levels(MipMode::Nearest)
    };
    let texture = texture(coded_image(Dimension::D2, Size::d2(64, 64)), sampler);
    let lanes = [[0.5; 3], [0.9; 3], [0.5; 3], [0.9; 3]];
    let colours = sample(
        &texture,
        &query(LevelOfDetail::Explicit([1.0; LANES]), lanes),
    );
    assert_eq!(colours[0], [16.0, 16.0, 0.0, 1.0]);
}

#[test]
fn a_weight_of_0_leaves_the_second_level_alone() {
    let texels = [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, f32::INFINITY];
    let bytes: Vec<u8> = texels.iter().flat_map(|c: &f32| c.to_le_bytes()).collect();
    let levels: [&[u8]; 3] = [&bytes[..16], &bytes[16..24], &bytes[24..]];
    let image = Image::from_levels(Dimension::D1, Format::R32F, Size::d1(4), &levels);
    let texture = texture(image.expect("seven texels"), self::levels(MipMode::Linear));
    let red = |lod| at_lod(&texture, [0.5; 3], lod)[0];
    assert_eq!(
        [0.0, 0.5, 1.0, 1.5].map(red),
        [1.0, 1.5, 2.0, f32::INFINITY]
    );
}

#[test]
fn samplers_that_contradict_themselves_are_refused() {
    let check = |sampler: Sampler| {
        let image = coded_image(Dimension::D2, Size::d2(8, 8));
        Texture::new(image, sampler)
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    let default = Sampler::RESET;
    assert_eq!(
        check(Sampler {
            lod_bias: f32::NAN,
            ..default
        }),
        "the bias of the level of detail is NaN, which is not a finite number"
    );
    assert_eq!(
        check(Sampler {
            lod_min: 3.0,
            lod_max: 2.0,
            ..default
        }),
        "the least level of detail, 3, is above the greatest, 2"
    );
    assert_eq!(
        check(Sampler {
            base_level: 4,
            ..default
        }),
        "the base level is 4, but the image's last level is 3"
    );
    assert_eq!(
        check(Sampler {
            base_level: 2,
            max_level: 1,
            ..default
        }),
        "the last level to use, 1, is below the base level, 2"
    );
    assert_eq!(
        check(Sampler {
            max_anisotropy: 17,
            ..default
        }),
        SamplerError::Anisotropy(17).to_string()
    );
}

#[test]
fn units_are_independent_and_there_are_32() {
    let constant = |level: u8| {
        let image = Image::from_rgba8(1, 1, &[level; 4]).expect("one texel");
        texture(
            image,
            Sampler {
                mag: Filter::Linear,
                wrap: [Wrap::Repeat; 3],
                ..Sampler::RESET
            },
        )
    };
    let mut textures = Textures::new();
    textures.bind(0, constant(0)).expect("unit 0 exists");
    textures.bind(31, constant(255)).expect("unit 31 exists");
    let error = textures.bind(32, constant(0)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no texture unit 32; there are 32"
    );
    assert!([0, 31].into_iter().all(|unit| textures.has_unit(unit)));
    assert!(
        [1, 30, 32, 255]
            .into_iter()
            .all(|unit| !textures.has_unit(unit))
    );
    let sampled = |unit| {
        to_floats(&textures.answer(&TextureQuery {
            unit,
            ..query(LevelOfDetail::Implicit, [[0.5; 3]; LANES])
        }))
    };
    assert_eq!(sampled(31), [[1.0; LANES]; 4]);
    assert_eq!(sampled(1), [[0.0; LANES]; 4]);
}
