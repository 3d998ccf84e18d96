//! The decoded view is the image: of every kind, format and sampler.

use std::sync::Arc;

use super::*;
use crate::format::Format;
use attila_machine::pipeline::Compare;

use crate::sampler::{Srgb, Wrap};
use crate::shape::Size;
use crate::texture::Texture;

/// A cube with sides of so many texels.
fn texture(format: Format, sampler: Sampler, side: u32) -> Texture {
    let size = Size::cube(side);
    let bytes: Vec<u8> = (0..6 * format.slice_bytes(side, side))
        .map(|n| (n * 37 + 11) as u8)
        .collect();
    let image = Image::from_levels(Dimension::Cube, format, size, &[&bytes]);
    let image = image.and_then(Image::with_mipmaps).expect("the image fits");
    Texture::new(Arc::new(image), sampler).expect("the sampler fits")
}

#[test]
fn texels_of_every_format_are_those_of_the_image() {
    for &format in Format::ALL {
        let texture = texture(format, Sampler::RESET, 4);
        let decoded = texture
            .decoded(Decoding::Floats)
            .expect("a cube has a decoded view");
        for (index, level) in decoded.levels().iter().enumerate() {
            let [width, height, _] = level.axes.map(|axis| axis.size);
            for (face, j, i) in (0..6 * height * width)
                .map(|n| (n / (height * width), n / width % height, n % width))
            {
                let at = level.offset + face * level.slice + j * level.pitch() + i;
                let words = &decoded.words()[at as usize * decoded.storage().words()..];
                let want = texture.image().texel_bits(index, [i, j, face]).unwrap();
                let want = want.map(f32::from_bits);
                let got: [f32; 4] = match decoded.storage() {
                    Storage::Rgba8 => words[0].to_le_bytes().map(|byte| f32::from(byte) / 255.0),
                    Storage::Rgba32F => std::array::from_fn(|c| f32::from_bits(words[c])),
                    Storage::Red32F => panic!("nothing is compared"),
                };
                let bits = |c: usize| got[c].to_bits() == want[c].to_bits();
                let same = |c: usize| {
                    bits(c) || !format.is_integer() && got[c].is_nan() && want[c].is_nan()
                };
                assert!((0..4).all(same), "{format}: {got:?} is not {want:?}");
            }
        }
    }
}

#[test]
fn images_with_two_axes_have_a_decoded_view_of_all_their_slices() {
    let size = Size::cube(2);
    for (dimension, slices) in [
        (Dimension::D2, 1),
        (Dimension::Rect, 1),
        (Dimension::D2Array { layers: 3 }, 3),
        (Dimension::Cube, 6),
        (Dimension::CubeArray { cubes: 2 }, 12),
    ] {
        let bytes: Vec<u8> = (0..slices * 4).collect();
        let image = Image::from_levels(dimension, Format::L8, size, &[&bytes]);
        let image = image.expect("the image fits");
        let texture = Texture::new(Arc::new(image), Sampler::RESET);
        let texture = texture.expect("the sampler fits");
        let decoded = texture
            .decoded(Decoding::Floats)
            .expect("there is a decoded view");
        assert_eq!(decoded.kind(), dimension.kind());
        assert_eq!(decoded.layers(), dimension.layers());
        let [level] = decoded.levels() else {
            panic!("there is one level")
        };
        let red = |slice: u32, j: u32, i: u32| {
            let at = level.offset + slice * level.slice + j * level.pitch() + i;
            f32::from_bits(decoded.words()[4 * at as usize]) * 255.0
        };
        let places = (0..u32::from(slices) * 4).map(|n| [n / 4, n / 2 % 2, n % 2]);
        let texels: Vec<u8> = places.map(|[k, j, i]| red(k, j, i) as u8).collect();
        assert_eq!(texels, bytes, "{dimension:?}");
    }
}

#[test]
fn images_with_one_axis_have_a_row_of_zeros_below_each_of_theirs() {
    let texture = plain(Dimension::D1Array { layers: 2 }, Size::d1(3), 6);
    let decoded = texture
        .decoded(Decoding::Floats)
        .expect("there is a decoded view");
    let [level] = decoded.levels() else {
        panic!("there is one level")
    };
    assert_eq!((level.pitch(), level.slice, level.offset), (7, 14, MARGIN));
    let red = decoded
        .words()
        .chunks(4)
        .map(|texel| f32::from_bits(texel[0]));
    let red: Vec<u8> = red.map(|red| (red * 255.0) as u8).collect();
    let rows = [[0, 0, 1, 2, 3, 0, 0], [0; 7], [0, 0, 4, 5, 6, 0, 0], [0; 7]];
    assert_eq!(red[..28], *rows.as_flattened());
}

#[test]
fn images_with_three_axes_have_margins_on_all_sides() {
    let texture = plain(Dimension::D3, Size::d3(2, 1, 2), 4);
    let decoded = texture
        .decoded(Decoding::Floats)
        .expect("there is a decoded view");
    let [level] = decoded.levels() else {
        panic!("there is one level")
    };
    assert_eq!((level.pitch(), level.slice), (6, 30));
    assert_eq!(level.offset, 2 * 30 + 2 * 6 + 2);
    let red = decoded
        .words()
        .chunks(4)
        .map(|texel| f32::from_bits(texel[0]));
    let places = red.enumerate().filter(|&(_, red)| red > 0.0);
    let places: Vec<u32> = places.map(|(place, _)| place as u32).collect();
    let first = level.offset;
    assert_eq!(places, [first, first + 1, first + 30, first + 31]);
}

/// A texture of luminances 1, 2, 3 and so on.
fn plain(dimension: Dimension, size: Size, texels: u8) -> Texture {
    let bytes: Vec<u8> = (1..=texels).collect();
    let image = Image::from_levels(dimension, Format::L8, size, &[&bytes]);
    let image = image.expect("the image fits");
    Texture::new(Arc::new(image), Sampler::RESET).expect("the sampler fits")
}

#[test]
fn images_that_are_only_fetched_have_none() {
    let (row, flat) = (Size::d1(2), Size::d2(2, 2));
    for (dimension, size) in [
        (Dimension::Buffer, row),
        (Dimension::D2Ms { samples: 2 }, flat),
        (
            Dimension::D2MsArray {
                samples: 2,
                layers: 2,
            },
            flat,
        ),
    ] {
        let [width, height, _] = size.axes();
        let bytes = vec![1; dimension.slices(size) * (width * height) as usize];
        let image = Image::from_levels(dimension, Format::L8, size, &[&bytes]);
        let image = image.expect("the image fits");
        let texture = Texture::new(Arc::new(image), Sampler::RESET);
        let texture = texture.expect("the sampler fits");
        assert_eq!(texture.decoded(Decoding::Floats), None, "{dimension:?}");
    }
}

#[test]
fn texels_of_bytes_divided_by_255_stay_bytes_if_that_is_wanted_or_they_are_many() {
    let stored = |format, srgb, wrap, side, decoding| {
        let sampler = Sampler {
            srgb,
            wrap: [Wrap::Repeat, wrap, Wrap::Repeat],
            ..Sampler::RESET
        };
        let texture = texture(format, sampler, side);
        texture.decoded(decoding).map(Decoded::storage)
    };
    let storage = |format, srgb, wrap, side| stored(format, srgb, wrap, side, Decoding::Floats);
    let large = |format, srgb, wrap| storage(format, srgb, wrap, 160);
    let (edge, border) = (Wrap::ClampToEdge, Wrap::ClampToBorder);
    let (bytes, floats) = (Some(Storage::Rgba8), Some(Storage::Rgba32F));
    assert_eq!(large(Format::L8A8, Srgb::Linear, edge), bytes);
    assert_eq!(large(Format::Dxt5, Srgb::Linear, edge), bytes);
    assert_eq!(large(Format::L8A8, Srgb::Linear, border), floats);
    assert_eq!(large(Format::Rgba8, Srgb::Power, edge), floats);
    assert_eq!(large(Format::Rgb565, Srgb::Linear, edge), floats);
    assert_eq!(storage(Format::L8A8, Srgb::Linear, edge, 16), floats);

    let few = |format, srgb, wrap| stored(format, srgb, wrap, 16, Decoding::Bytes);
    assert_eq!(few(Format::L8A8, Srgb::Linear, edge), bytes);
    assert_eq!(few(Format::L8A8, Srgb::Linear, border), floats);
    assert_eq!(few(Format::Rgba8, Srgb::Power, edge), floats);
    assert_eq!(few(Format::Rgb565, Srgb::Linear, edge), floats);
}

#[test]
fn texels_that_a_linear_filter_may_mix_are_not_yet_divided() {
    let mixed = Sampler {
        min: Filter::Linear,
        wrap: [Wrap::ClampToBorder; 3],
        border: [0.5; 4],
        ..Sampler::RESET
    };
    for (format, divisors, red) in [
        (Format::L8, Some([255.0; 4]), 127.5),
        (Format::Rgb565, Some([31.0, 63.0, 31.0, 31.0]), 15.5),
        (Format::Rgba32F, None, 0.5),
    ] {
        let texture = texture(format, mixed, 4);
        let decoded = texture
            .decoded(Decoding::Floats)
            .expect("a cube has a decoded view");
        assert_eq!(decoded.denominators(), divisors, "{format}");
        assert_eq!(f32::from_bits(decoded.words()[0]), red, "{format}");
        assert_eq!(decoded.border(), [0.5; 4]);
    }
    for plain in [
        Sampler {
            min: Filter::Nearest,
            ..mixed
        },
        Sampler {
            srgb: Srgb::Power,
            ..mixed
        },
    ] {
        let texture = texture(Format::L8, plain, 4);
        let decoded = texture
            .decoded(Decoding::Floats)
            .expect("a cube has a decoded view");
        assert_eq!(decoded.denominators(), None);
    }
}

#[test]
fn margins_are_what_a_linear_filter_takes_for_texels_outside() {
    let row = |wrap| {
        let sampler = Sampler {
            wrap: [wrap, Wrap::ClampToEdge, Wrap::Repeat],
            border: [7.0; 4],
            ..Sampler::RESET
        };
        let texels = [1.0f32, 2.0, 3.0].map(|red| [red; 4]);
        let image =
            Image::from_rgba32f(Dimension::D2, Size::d2(3, 1), &texels).expect("the image fits");
        let texture = Texture::new(Arc::new(image), sampler).expect("the sampler fits");
        let decoded = texture.decoded(Decoding::Floats).expect("it is flat");
        let [level] = decoded.levels() else {
            panic!("there is one level")
        };
        assert_eq!((level.pitch(), level.slice), (7, 35));
        let margin = MARGIN as usize;
        let words = decoded.words().chunks_exact(4);
        let rows = words.map(|texel| f32::from_bits(texel[0]) as u8);
        let rows: Vec<u8> = rows.collect();
        let first = level.offset as usize - margin;
        assert_eq!(rows[first..first + 7], rows[first + 7..first + 14]);
        rows[first..first + 7].to_vec()
    };
    assert_eq!(row(Wrap::Repeat), [2, 3, 1, 2, 3, 1, 2]);
    assert_eq!(row(Wrap::ClampToEdge), [1, 1, 1, 2, 3, 3, 3]);
    assert_eq!(row(Wrap::MirroredRepeat), [1, 1, 1, 2, 3, 3, 3]);
    assert_eq!(row(Wrap::Clamp), [7, 7, 1, 2, 3, 7, 7]);
    assert_eq!(row(Wrap::ClampToBorder), [7, 7, 1, 2, 3, 7, 7]);
}

#[test]
fn texels_that_are_compared_are_kept_as_they_are_compared() {
    let sampler = Sampler {
        mag: Filter::Linear,
        compare: Some(Compare::Less),
        srgb: Srgb::Power,
        ..Sampler::RESET
    };
    for (format, storage) in [
        (Format::Depth16, Storage::Red32F),
        (Format::L8, Storage::Red32F),
        (Format::Rgba8, Storage::Rgba32F),
    ] {
        let texture = texture(format, sampler, 4);
        let decoded = texture
            .decoded(Decoding::Floats)
            .expect("a cube has a decoded view");
        assert_eq!((decoded.storage(), decoded.denominators()), (storage, None));
        let [level, ..] = decoded.levels() else {
            panic!("there are levels")
        };
        let first = decoded.words()[level.offset as usize * storage.words()];
        let word = texture.image().texel_bytes(0, [0; 3]);
        let [red, ..] = format.layout().decode(crate::channel::load(word));
        assert_eq!(f32::from_bits(first), red, "{format}");
    }
}

#[test]
fn curves_keep_the_results_of_comparisons() {
    for srgb in [Srgb::Power, Srgb::Standard] {
        let sampler = Sampler {
            srgb,
            compare: Some(Compare::Less),
            ..Sampler::RESET
        };
        let image = Image::from_rgba32f(Dimension::D2, Size::d2(1, 1), &[[0.5; 4]]);
        let texture = Texture::new(Arc::new(image.expect("a texel")), sampler);
        let texture = texture.expect("the sampler fits");
        let bytes = texture.image().texel_bytes(0, [0; 3]);
        let compared = |reference| texture.conversion().texel(bytes, Some(reference));
        assert_eq!([0.25, 0.75].map(compared), [[0.0; 4], [1.0; 4]]);
    }
}
