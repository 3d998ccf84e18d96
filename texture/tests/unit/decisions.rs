//! Decisions where the original is wrong or silent: at least one test for each of T01 to T11.

use attila_machine::LevelOfDetail;
use attila_texture::{
    Compare, Coordinates, CubeFaces, DepthMode, Dimension, Filter, Format, Image, LodOrigin,
    MipMode, Sampler, Size, Srgb, Wrap,
};

use crate::common::{at, at_lod, coded_image, moving, query, sample, texture};

/// Nearest texels of the nearest level, so that the fourth component is the level.
const LEVELS: Sampler = Sampler {
    mip: MipMode::Nearest,
    ..DEFAULT
};

const DEFAULT: Sampler = Sampler {
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
    border: [0.0; 4],
    compare: None,
    depth_mode: DepthMode::Components,
    coordinates: Coordinates::Normalised,
    srgb: Srgb::Linear,
    lod_origin: LodOrigin::Level0,
    cube_faces: CubeFaces::PerLane,
};

#[test]
fn t01_outside_is_the_border_colour_and_rounding_does_not_lead_there() {
    let bordered = |wrap, mag| {
        let border = [0.25, 0.5, 0.75, 1.0];
        let sampler = Sampler {
            wrap: [wrap; 3],
            mag,
            border,
            ..DEFAULT
        };
        texture(coded_image(Dimension::D2, Size::d2(8, 8)), sampler)
    };
    let outside = bordered(Wrap::ClampToBorder, Filter::Nearest);
    assert_eq!(at(&outside, [-0.3, 0.5, 0.0]), [0.25, 0.5, 0.75, 1.0]);
    // At the very end, a linear filter takes half of its mix from the border.
    let half = bordered(Wrap::Clamp, Filter::Linear);
    assert_eq!(at(&half, [0.0, 0.5, 0.0])[2..], [0.375, 0.5]);
    let end = bordered(Wrap::Clamp, Filter::Nearest);
    assert_eq!(at(&end, [1.0, 1.0, 0.0]), [7.0, 7.0, 0.0, 0.0]);
    // -1e-9 - floor(-1e-9) rounds to 1.
    let around = bordered(Wrap::Repeat, Filter::Nearest);
    assert_eq!(at(&around, [-1e-9, -1e-9, 0.0]), [0.0; 4]);
}

#[test]
fn t02_the_scale_of_1d_images_has_no_sign() {
    let texture = texture(coded_image(Dimension::D1, Size::d1(64)), LEVELS);
    for step in [4.0 / 64.0, -4.0 / 64.0] {
        let level = |dx, dy| moving(&texture, [0.5, 0.0, 0.0], dx, dy)[3];
        let step = [step, 0.0, 0.0];
        assert_eq!(level(step, [0.0; 3]), 2.0, "{step:?} to the right");
        assert_eq!(level([0.0; 3], step), 2.0, "{step:?} down");
    }
}

#[test]
fn t03_texel_coordinates_are_their_own_derivatives() {
    let sampler = Sampler {
        coordinates: Coordinates::Texels,
        ..LEVELS
    };
    let texture = texture(coded_image(Dimension::D2, Size::d2(64, 32)), sampler);
    let colour = moving(
        &texture,
        [20.0, 20.0, 0.0],
        [4.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
    );
    assert_eq!(colour, [5.0, 5.0, 0.0, 2.0]);
}

#[test]
fn t04_images_are_magnified_up_to_a_lod_of_0_whatever_the_filters() {
    let sampler = Sampler {
        mag: Filter::Linear,
        ..LEVELS
    };
    let texture = texture(coded_image(Dimension::D2, Size::d2(8, 8)), sampler);
    let column = |lod| at_lod(&texture, [4.0 / 8.0, 0.5, 0.0], lod)[0];
    assert_eq!([-1.0, 0.0].map(column), [3.5; 2]);
    assert_eq!([1e-6, 0.3, 0.5].map(column), [4.0; 3]);
}

#[test]
fn t05_the_base_level_is_added_to_the_lod_of_level_0() {
    let level = |lod_origin| {
        let sampler = Sampler {
            base_level: 1,
            lod_origin,
            ..LEVELS
        };
        let texture = texture(coded_image(Dimension::D2, Size::d2(64, 64)), sampler);
        let step = 4.0 / 64.0;
        moving(
            &texture,
            [0.5, 0.5, 0.0],
            [step, 0.0, 0.0],
            [0.0, step, 0.0],
        )[3]
    };
    assert_eq!(level(LodOrigin::Level0), 3.0);
    assert_eq!(level(LodOrigin::Base), 2.0);
}

#[test]
fn t06_lanes_sample_the_face_they_point_at() {
    let directions = [
        [1.0, 0.1, 0.1],
        [1.0, 0.1, 0.2],
        [0.9, 0.1, 1.0],
        [1.0, 0.2, 0.2],
    ];
    let faces = |cube_faces| {
        let sampler = Sampler {
            cube_faces,
            wrap: [Wrap::ClampToEdge; 3],
            ..DEFAULT
        };
        let texture = texture(coded_image(Dimension::Cube, Size::cube(8)), sampler);
        sample(&texture, &query(LevelOfDetail::Implicit, directions)).map(|colour| colour[2])
    };
    assert_eq!(faces(CubeFaces::PerLane), [0.0, 0.0, 4.0, 0.0]);
    assert_eq!(faces(CubeFaces::PerQuad), [0.0; 4]);
}

#[test]
fn t06_derivatives_of_cubes_are_those_on_the_face_of_most_lanes() {
    let texture = texture(coded_image(Dimension::Cube, Size::cube(64)), LEVELS);
    // On +X, s = (1 - z/x)/2: two steps of 1/8 in z/x are 4 texels each. Lane 3 is on +Z.
    let directions = [
        [1.0, 0.0, 0.0],
        [1.0, 0.0, 0.125],
        [1.0, 0.125, 0.0],
        [0.1, 0.0, 1.0],
    ];
    let colours = sample(&texture, &query(LevelOfDetail::Implicit, directions));
    assert_eq!(colours.map(|colour| colour[3]), [2.0; 4]);
    assert_eq!(colours.map(|colour| colour[2]), [0.0, 0.0, 0.0, 4.0]);
}

/// The only texel of an image.
fn texel(format: Format, bytes: &[u8]) -> [f32; 4] {
    let image = Image::from_levels(Dimension::D2, format, Size::d2(1, 1), &[bytes]);
    image.expect("one texel").texel(0, [0, 0, 0]).unwrap()
}

#[test]
fn t07_luminance_is_replicated_and_divisors_fit_their_fields() {
    assert_eq!(texel(Format::L12, &[0xff, 0x0f]), [1.0; 4]);
    assert_eq!(texel(Format::L16, &[0xff, 0xff]), [1.0; 4]);
    assert_eq!(texel(Format::L4A4, &[0xf0]), [1.0, 1.0, 1.0, 0.0]);
    assert_eq!(
        texel(Format::L16A16, &[0xff, 0xff, 0, 0]),
        [1.0, 1.0, 1.0, 0.0]
    );
    assert_eq!(texel(Format::Rgb565, &[0xff, 0xff]), [1.0; 4]);
    assert_eq!(texel(Format::Rgb121212, &[0xff; 4]), [1.0; 4]);
    assert_eq!(texel(Format::Rgb332, &[0b0001_1100]), [0.0, 1.0, 0.0, 1.0]);
}

#[test]
fn t08_the_texel_stands_on_the_left_of_a_comparison() {
    use Compare::{Always, Equal, Greater, GreaterEqual, Less, LessEqual, Never, NotEqual};
    let compared = |compare, reference| {
        let sampler = Sampler {
            compare: Some(compare),
            ..DEFAULT
        };
        let image = Image::from_rgba32f(Dimension::D2, Size::d2(1, 1), &[[0.25, 0.5, 0.75, 1.0]]);
        at(
            &texture(image.expect("one texel"), sampler),
            [0.5, 0.5, reference],
        )
    };
    for (compare, expected) in [
        (Never, [0.0, 0.0, 0.0, 0.0]),
        (Less, [1.0, 0.0, 0.0, 0.0]),
        (Equal, [0.0, 1.0, 0.0, 0.0]),
        (LessEqual, [1.0, 1.0, 0.0, 0.0]),
        (Greater, [0.0, 0.0, 1.0, 1.0]),
        (NotEqual, [1.0, 0.0, 1.0, 1.0]),
        (GreaterEqual, [0.0, 1.0, 1.0, 1.0]),
        (Always, [1.0, 1.0, 1.0, 1.0]),
    ] {
        assert_eq!(compared(compare, 0.5), expected, "{compare:?}");
    }
    assert_eq!(compared(LessEqual, f32::NAN), [0.0; 4]);
    assert_eq!(compared(NotEqual, f32::NAN), [1.0; 4]);
}

#[test]
fn t08_texels_are_compared_before_they_are_filtered_and_so_is_the_border() {
    let sampler = Sampler {
        compare: Some(Compare::LessEqual),
        mag: Filter::Linear,
        wrap: [Wrap::ClampToBorder; 3],
        border: [0.3; 4],
        ..DEFAULT
    };
    let texels = [[0.0; 4], [1.0; 4]];
    let image = Image::from_rgba32f(Dimension::D1, Size::d1(2), &texels).expect("two texels");
    let texture = texture(image, sampler);
    assert_eq!(at(&texture, [0.5, 0.0, 0.4]), [0.5; 4]);
    assert_eq!(at(&texture, [-1.0, 0.0, 0.4]), [1.0; 4]);
    assert_eq!(at(&texture, [-1.0, 0.0, 0.2]), [0.0; 4]);
}

#[test]
fn depth_modes_compare_red_with_a_clamped_reference() {
    let sample = |depth_mode, compare, reference| {
        let sampler = Sampler {
            compare: Some(compare),
            depth_mode,
            ..DEFAULT
        };
        let texels = [[1.0, 0.0, 0.0, 0.5]];
        let image = Image::from_rgba32f(Dimension::D2, Size::d2(1, 1), &texels);
        at(
            &texture(image.expect("one texel"), sampler),
            [0.5, 0.5, reference],
        )
    };
    for (depth_mode, holds, fails) in [
        (DepthMode::Luminance, [1.0; 4], [0.0, 0.0, 0.0, 1.0]),
        (DepthMode::Intensity, [1.0; 4], [0.0; 4]),
        (DepthMode::Alpha, [0.0, 0.0, 0.0, 1.0], [0.0; 4]),
    ] {
        assert_eq!(sample(depth_mode, Compare::Greater, 0.7), holds);
        assert_eq!(sample(depth_mode, Compare::Less, 0.7), fails);
        // 5 counts as 1.
        assert_eq!(sample(depth_mode, Compare::Equal, 5.0), holds);
        assert_eq!(sample(depth_mode, Compare::Less, 5.0), fails);
    }
}

#[test]
fn t08_cubes_compare_with_the_third_component_of_the_direction() {
    let sampler = Sampler {
        compare: Some(Compare::Equal),
        ..DEFAULT
    };
    let texels = [0.0, 0.0, 0.0, 0.0, 4.0, 5.0].map(|depth| [depth; 4]);
    let image = Image::from_rgba32f(Dimension::Cube, Size::cube(1), &texels).expect("six texels");
    let texture = texture(image, sampler);
    assert_eq!(at(&texture, [1.0, 0.0, 4.0]), [1.0; 4]);
    assert_eq!(at(&texture, [1.0, 0.0, 3.0]), [0.0; 4]);
}

#[test]
fn t09_srgb_is_a_power_of_2_2_or_the_standard_curve_but_not_for_alpha() {
    let standard = |v: f64| {
        if v <= 0.040_45 {
            v / 12.92
        } else {
            ((v + 0.055) / 1.055).powf(2.4)
        }
    };
    for format in [Format::Rgba8, Format::Rgba32F] {
        for byte in 0..=255_u8 {
            let value = f32::from(byte) / 255.0;
            let bytes = if format == Format::Rgba8 {
                vec![byte; 4]
            } else {
                [value.to_le_bytes(); 4].concat()
            };
            let sampled = |srgb| {
                let size = Size::d2(1, 1);
                let image = Image::from_levels(Dimension::D2, format, size, &[&bytes]);
                let sampler = Sampler { srgb, ..DEFAULT };
                at(&texture(image.expect("one texel"), sampler), [0.5; 3])
            };
            for (srgb, want) in [
                (Srgb::Linear, f64::from(value)),
                (Srgb::Power, f64::from(value).powf(f64::from(2.2_f32))),
                (Srgb::Standard, standard(f64::from(value))),
            ] {
                let [r, g, b, a] = sampled(srgb);
                let error = (f64::from(r) - want).abs();
                assert!(
                    error <= 4e-7 * want.max(1e-9),
                    "{format} {srgb:?} of {byte}: {r}, {want}"
                );
                assert_eq!([g, b, a], [r, r, value]);
            }
        }
    }
}

#[test]
fn t09_texels_are_made_linear_before_they_are_filtered() {
    let sampler = Sampler {
        srgb: Srgb::Power,
        mag: Filter::Linear,
        ..DEFAULT
    };
    let image = Image::from_rgba8(2, 1, &[0, 0, 0, 0, 255, 255, 255, 255]).expect("two texels");
    assert_eq!(at(&texture(image, sampler), [0.5, 0.5, 0.0]), [0.5; 4]);
}

#[test]
fn t10_compressed_texels_have_8_bits_unless_exact_ones_are_asked_for() {
    // Indices 0 1 2 3 in the first row; the colours are black, white, their middle and black.
    let block = [0, 0, 0xff, 0xff, 0b1110_0100, 0, 0, 0];
    let size = Size::d2(4, 4);
    let reds = |image: Image| [0, 1, 2, 3].map(|i| image.texel(0, [i, 0, 0]).unwrap()[0]);
    let truncated = Image::from_levels(Dimension::D2, Format::Dxt1Rgb, size, &[&block]);
    assert_eq!(
        reds(truncated.expect("one block")),
        [0.0, 1.0, 127.0 / 255.0, 0.0]
    );
    let exact = Image::from_levels_exact(Dimension::D2, Format::Dxt1Rgb, size, &[&block]);
    let exact = exact.expect("one block");
    assert_eq!(exact.format(), Format::Rgba32F);
    assert_eq!(reds(exact), [0.0, 1.0, 0.5, 0.0]);
}

#[test]
fn t10_no_block_stands_for_white() {
    let block = [0xfe, 0xca, 0xad, 0xde, 0, 0, 0, 0];
    let size = Size::d2(4, 4);
    let image = Image::from_levels(Dimension::D2, Format::Dxt1Rgb, size, &[&block]);
    // Fields of 25, 23 and 30, in 5, 6 and 5 bits.
    let colour = [205.0, 93.0, 246.0, 255.0].map(|byte: f32| byte / 255.0);
    assert_eq!(
        image.expect("one block").texel(0, [0, 0, 0]).unwrap(),
        colour
    );
}

/// A border colour that no texel has.
const NOWHERE: [f32; 4] = [-1.0; 4];

#[test]
fn t11_coordinates_that_are_no_numbers_count_as_0_once_wrapped() {
    for wrap in [Wrap::Repeat, Wrap::MirroredRepeat] {
        let sampler = Sampler {
            wrap: [wrap; 3],
            border: NOWHERE,
            ..DEFAULT
        };
        let texture = texture(coded_image(Dimension::D2, Size::d2(8, 8)), sampler);
        for wild in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(at(&texture, [wild, wild, 0.0]), [0.0; 4], "{wrap:?}");
        }
    }
    for wrap in [Wrap::Clamp, Wrap::ClampToEdge, Wrap::ClampToBorder] {
        let sampler = Sampler {
            wrap: [wrap; 3],
            border: NOWHERE,
            ..DEFAULT
        };
        let texture = texture(coded_image(Dimension::D2, Size::d2(8, 8)), sampler);
        assert_eq!(at(&texture, [f32::NAN, 0.0, 0.0]), [0.0; 4], "{wrap:?}");
    }
    let linear = Sampler {
        mag: Filter::Linear,
        ..DEFAULT
    };
    let texture = texture(coded_image(Dimension::D2, Size::d2(8, 8)), linear);
    // Half of the last texel and half of the first, as at 0.
    assert_eq!(at(&texture, [f32::NAN, f32::INFINITY, 0.0])[..2], [3.5; 2]);
}
