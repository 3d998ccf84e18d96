//! Components that texels do not have: a test for each row of the table of the TGSI document, sampled
//! and fetched.

use attila_isa::TextureShape;
use attila_texture::{Compare, DepthMode, Dimension, Filter, Format, Image, Sampler, Size, Wrap};

use crate::common::{ask, fetch_at, named, sample_at, texture};

const ONE: u32 = 0x3f80_0000;
const HALF: u32 = 0x3f00_0000;

/// Checks that a texel of these bytes is read as these words.
fn check(format: Format, bytes: &[u8], want: [u32; 4]) {
    let image = Image::from_levels(Dimension::D2, format, Size::d2(1, 1), &[bytes]);
    let texture = texture(image.expect("one texel"), Sampler::RESET);
    let target = named(TextureShape::D2);
    let sampled = ask(&texture, target, sample_at([[0.5; 4]; 4]));
    assert_eq!(sampled, [want; 4], "{format}, sampled");
    let fetched = ask(&texture, target, fetch_at([[0; 4]; 4]));
    assert_eq!(fetched, [want; 4], "{format}, fetched");
    assert_eq!(texture.image().texel_bits(0, [0; 3]), Some(want));
}

/// A value in bytes of texels and as an answer.
type Value = (&'static [u8], u32);

const UNORM8: Value = (&[0xff], ONE);
const UNORM16: Value = (&[0xff, 0xff], ONE);
const F16: Value = (&[0x00, 0x38], HALF);
const F32: Value = (&[0x00, 0x00, 0x00, 0x3f], HALF);
const U8: Value = (&[200], 200);
const I8: Value = (&[200], -56_i32 as u32);
const U16: Value = (&[0xfe, 0xff], 0xfffe);
const I16: Value = (&[0xfe, 0xff], -2_i32 as u32);
const U32: Value = (&[1, 0, 0, 0xff], 0xff00_0001);

/// The value `count` times.
fn repeated((bytes, _): Value, count: usize) -> Vec<u8> {
    bytes.repeat(count)
}

#[test]
fn red_is_followed_by_0_0_1() {
    for (format, value, one) in [
        (Format::R8, UNORM8, ONE),
        (Format::R16, UNORM16, ONE),
        (Format::R16F, F16, ONE),
        (Format::R32F, F32, ONE),
        (Format::R8Uint, U8, 1),
        (Format::R8Sint, I8, 1),
        (Format::R16Uint, U16, 1),
        (Format::R16Sint, I16, 1),
        (Format::R32Uint, U32, 1),
        (Format::R32Sint, U32, 1),
    ] {
        check(format, value.0, [value.1, 0, 0, one]);
    }
}

#[test]
fn red_and_green_are_followed_by_0_1() {
    for (format, value, one) in [
        (Format::Rg8, UNORM8, ONE),
        (Format::Rg16, UNORM16, ONE),
        (Format::Rg16F, F16, ONE),
        (Format::Rg32F, F32, ONE),
        (Format::Rg8Uint, U8, 1),
        (Format::Rg8Sint, I8, 1),
        (Format::Rg16Uint, U16, 1),
        (Format::Rg16Sint, I16, 1),
        (Format::Rg32Uint, U32, 1),
        (Format::Rg32Sint, U32, 1),
    ] {
        check(format, &repeated(value, 2), [value.1, value.1, 0, one]);
        // Green is the second field.
        let zero = [0].repeat(value.0.len());
        check(format, &[value.0, &zero].concat(), [value.1, 0, 0, one]);
    }
}

#[test]
fn red_green_and_blue_are_followed_by_1() {
    check(Format::Rgb888, &[255, 0, 255, 7], [ONE, 0, ONE, ONE]);
    check(Format::Rgb565, &[0x1f, 0xf8], [ONE, 0, ONE, ONE]);
    check(Format::Rgb332, &[0b1110_0011], [ONE, 0, ONE, ONE]);
}

#[test]
fn red_green_blue_and_alpha_are_complete() {
    for (format, value) in [
        (Format::Rgba16, UNORM16),
        (Format::Rgba16F, F16),
        (Format::Rgba32F, F32),
        (Format::Rgba8Uint, U8),
        (Format::Rgba8Sint, I8),
        (Format::Rgba16Uint, U16),
        (Format::Rgba16Sint, I16),
        (Format::Rgba32Uint, U32),
        (Format::Rgba32Sint, U32),
    ] {
        check(format, &repeated(value, 4), [value.1; 4]);
        let zero = [0].repeat(value.0.len() * 3);
        check(format, &[&zero, value.0].concat(), [0, 0, 0, value.1]);
    }
}

#[test]
fn alpha_follows_0_0_0() {
    check(Format::A8, &[255], [0, 0, 0, ONE]);
    check(Format::A12, &[0xff, 0x0f], [0, 0, 0, ONE]);
    check(Format::A16, &[0xff, 0xff], [0, 0, 0, ONE]);
}

#[test]
fn luminance_is_red_green_and_blue_and_followed_by_1() {
    check(Format::L8, &[0], [0, 0, 0, ONE]);
    check(
        Format::L8Snorm,
        &[0x81],
        [0xbf80_0000, 0xbf80_0000, 0xbf80_0000, ONE],
    );
    check(Format::L12, &[0xff, 0x0f], [ONE; 4]);
    check(Format::L16, &[0, 0], [0, 0, 0, ONE]);
}

#[test]
fn luminance_and_alpha_are_three_times_luminance_and_alpha() {
    check(Format::L8A8, &[255, 0], [ONE, ONE, ONE, 0]);
    check(Format::L8A8Snorm, &[0, 127], [0, 0, 0, ONE]);
    check(Format::L4A4, &[0xf0], [ONE, ONE, ONE, 0]);
    check(Format::L16A16, &[0xff, 0xff, 0, 0], [ONE, ONE, ONE, 0]);
}

#[test]
fn intensity_is_all_components() {
    check(Format::I8, &[255], [ONE; 4]);
    check(Format::I12, &[0, 0xf0], [0; 4]);
    check(Format::I16, &[0xff, 0xff], [ONE; 4]);
}

#[test]
fn depth_is_red_green_and_blue_and_followed_by_1() {
    check(Format::Depth16, &[0, 0], [0, 0, 0, ONE]);
    check(Format::Depth16, &[0xff, 0xff], [ONE; 4]);
    check(Format::Depth24, &[0, 0, 0, 0xff], [0, 0, 0, ONE]);
    check(Format::Depth32F, F32.0, [HALF, HALF, HALF, ONE]);
    let two = 2.0_f32.to_bits();
    check(
        Format::Depth32F,
        &2.0_f32.to_le_bytes(),
        [two, two, two, ONE],
    );
}

#[test]
fn the_mode_of_a_depth_texture_acts_where_nothing_is_compared() {
    let half = 0x8000 as f32 / 65535.0;
    let image = |format| {
        let bytes: &[u8] = &[0x00, 0x80];
        let image = Image::from_levels(Dimension::D2, format, Size::d2(1, 1), &[bytes]);
        image.expect("one texel")
    };
    for (depth_mode, want, outside) in [
        (
            DepthMode::Components,
            [half, half, half, 1.0],
            [0.25, 0.5, 0.75, 2.0],
        ),
        (
            DepthMode::Luminance,
            [half, half, half, 1.0],
            [0.25, 0.25, 0.25, 1.0],
        ),
        (DepthMode::Intensity, [half; 4], [0.25; 4]),
        (
            DepthMode::Alpha,
            [0.0, 0.0, 0.0, half],
            [0.0, 0.0, 0.0, 0.25],
        ),
    ] {
        for compare in [None, Some(Compare::Less)] {
            for filter in [Filter::Nearest, Filter::Linear] {
                let sampler = Sampler {
                    compare,
                    depth_mode,
                    mag: filter,
                    min: filter,
                    wrap: [Wrap::ClampToBorder; 3],
                    border: [0.25, 0.5, 0.75, 2.0],
                    ..Sampler::RESET
                };
                let depth = texture(image(Format::Depth16), sampler);
                let target = named(TextureShape::D2);
                for (at, want) in [(0.5, want), (3.0, outside)] {
                    let sampled = ask(&depth, target, sample_at([[at; 4]; 4]));
                    let sampled = sampled[0].map(f32::from_bits);
                    let near = sampled.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-6);
                    assert!(near, "{sampled:?} for {want:?}: {sampler:?}");
                }
                let fetched = ask(&depth, target, fetch_at([[0; 4]; 4]));
                assert_eq!(fetched[0].map(f32::from_bits), want);
                // Colours stay as they are.
                let colour = texture(image(Format::L16), sampler);
                let fetched = ask(&colour, target, fetch_at([[0; 4]; 4]));
                assert_eq!(fetched[0].map(f32::from_bits), [half, half, half, 1.0]);
            }
        }
    }
}
