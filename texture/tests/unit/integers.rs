//! Images of integers: raw words, the nearest texel and the nearest level for every filter.

use attila_isa::TextureShape;
use attila_machine::{LANES, LevelOfDetail, Lookup};
use attila_texture::{
    Compare, Decoding, Dimension, Filter, Format, Image, MipMode, Sampler, Size, Srgb, Texture,
    Wrap,
};

use crate::common::{across, ask, edge, linear, named, sample_at, texture};

/// Unsigned texels 0x7f800001 (a signalling NaN as a float) and its neighbours, and a level of 5s.
fn image() -> Image {
    let level = |texels: &[u32]| -> Vec<u8> {
        texels
            .iter()
            .flat_map(|texel| texel.to_le_bytes())
            .collect()
    };
    let levels = [
        level(&[0x7f80_0001, 0xffff_ffff, 3, 4]),
        level(&[5, 6]),
        level(&[7]),
    ];
    let levels = levels.each_ref().map(Vec::as_slice);
    Image::from_levels(Dimension::D1, Format::R32Uint, Size::d1(4), &levels).unwrap()
}

fn sampled(texture: &Texture, s: [f32; LANES], lod: f32) -> [u32; LANES] {
    let lookup = Lookup::Sample {
        coords: across(s.map(|s| [s, 0.0, 0.0, 0.0])),
        projected: false,
        level: LevelOfDetail::Explicit([lod; LANES]),
        reference: None,
        offset: None,
    };
    let lanes = ask(texture, named(TextureShape::D1), lookup);
    assert!(
        lanes.iter().all(|[_, g, b, a]| [*g, *b, *a] == [0, 0, 1]),
        "{lanes:?}"
    );
    lanes.map(|[red, ..]| red)
}

#[test]
fn words_of_every_value_pass_a_linear_filter_as_they_are() {
    let texture = texture(image(), linear());
    let s = [0.1, 0.3, 0.6, 0.99];
    assert_eq!(sampled(&texture, s, 0.0), [0x7f80_0001, 0xffff_ffff, 3, 4]);
}

#[test]
fn the_nearest_level_is_taken_and_none_are_mixed() {
    let sampler = Sampler {
        mip: MipMode::Linear,
        max_anisotropy: 8,
        ..linear()
    };
    let texture = texture(image(), sampler);
    assert_eq!(sampled(&texture, [0.1; 4], 0.4), [0x7f80_0001; 4]);
    assert_eq!(sampled(&texture, [0.1, 0.9, 0.1, 0.9], 1.4), [5, 6, 5, 6]);
    assert_eq!(sampled(&texture, [0.1; 4], 1.6), [7; 4]);
    let applied = texture.sampler();
    let filters = (
        applied.mag,
        applied.min,
        applied.mip,
        applied.max_anisotropy,
    );
    assert_eq!(
        filters,
        (Filter::Nearest, Filter::Nearest, MipMode::Nearest, 1)
    );
    let decoded = texture
        .decoded(Decoding::Floats)
        .expect("it can be sampled");
    assert_eq!(decoded.denominators(), None);
}

#[test]
fn integers_are_neither_compared_nor_made_linear() {
    let sampler = Sampler {
        compare: Some(Compare::Never),
        srgb: Srgb::Power,
        ..edge()
    };
    let texture = texture(image(), sampler);
    assert_eq!(sampled(&texture, [0.9; 4], 0.0), [4; 4]);
}

#[test]
fn the_border_is_truncated_and_limited() {
    let border = [-1.5, 3.99, 1e30, f32::NAN];
    let sampler = Sampler {
        wrap: [Wrap::ClampToBorder; 3],
        border,
        ..Sampler::RESET
    };
    for (format, want) in [
        (Format::R32Uint, [0, 3, u32::MAX, 0]),
        (Format::Rgba8Sint, [u32::MAX, 3, i32::MAX as u32, 0]),
    ] {
        let image = Image::from_levels(Dimension::D1, format, Size::d1(1), &[&[0; 4]]);
        let texture = texture(image.unwrap(), sampler);
        let outside = sample_at([[-4.0, 0.0, 0.0, 0.0]; LANES]);
        assert_eq!(
            ask(&texture, named(TextureShape::D1), outside),
            [want; LANES]
        );
    }
}

#[test]
fn levels_of_integers_are_averages_rounded_up_at_halves() {
    let reduced = |format, texels: [u8; 2]| {
        let image = Image::from_levels(Dimension::D1, format, Size::d1(2), &[&texels]);
        let image = image.unwrap().with_mipmaps().unwrap();
        let [red, ..] = image.texel_bits(1, [0; 3]).unwrap();
        (red, image.texel(1, [0; 3]).unwrap())
    };
    assert_eq!(
        reduced(Format::R8Uint, [200, 201]),
        (201, [201.0, 0.0, 0.0, 1.0])
    );
    // -3 and -2 make -2.
    assert_eq!(
        reduced(Format::R8Sint, [0xfd, 0xfe]),
        (-2_i32 as u32, [-2.0, 0.0, 0.0, 1.0])
    );
}
