//! Images: sizes, levels, mip chains, and refusals.

use std::sync::Arc;

use attila_texture::{
    Decoding, Dimension, Format, Image, ImageError, MAX_SIZE, Sampler, Shape, Size, Srgb, Texture,
    Wrap,
};

fn error(dimension: Dimension, format: Format, size: Size, levels: &[&[u8]]) -> String {
    let image = Image::from_levels(dimension, format, size, levels);
    image.map(|_| ()).unwrap_err().to_string()
}

#[test]
fn levels_are_laid_out_one_after_another() {
    let size = Size::d2(5, 3);
    let bytes: Vec<u8> = (0..).take(5 * 3 * 2).collect();
    let smaller = [100, 101, 102, 103];
    let image = Image::from_levels(Dimension::D2, Format::L8A8, size, &[&bytes, &smaller]);
    let image = image.expect("two levels");
    let [first, second] = image.levels() else {
        panic!("two levels");
    };
    assert_eq!(
        (first.offset, first.row_bytes, first.slice_bytes),
        (0, 10, 30)
    );
    assert_eq!((second.offset, second.size), (30, Size::d2(2, 1)));
    assert_eq!(image.bytes()[30..], smaller);
    assert_eq!(image.texel(0, [4, 2, 0]).unwrap()[0], 28.0 / 255.0);
    assert_eq!(image.texel(1, [1, 0, 0]).unwrap()[3], 103.0 / 255.0);
}

#[test]
fn faces_become_slices_of_their_levels() {
    let face = |n: u8| (vec![n; 4], vec![n + 10; 1]);
    let faces: Vec<_> = (0..6).map(face).collect();
    let levels: Vec<[&[u8]; 2]> = faces.iter().map(|(a, b)| [&a[..], &b[..]]).collect();
    let faces: Vec<&[&[u8]]> = levels.iter().map(|levels| &levels[..]).collect();
    let image = Image::from_faces(Format::L8, 2, &faces).expect("a cube");
    assert_eq!(image.texel(0, [1, 1, 4]).unwrap()[0], 4.0 / 255.0);
    assert_eq!(image.texel(1, [0, 0, 5]).unwrap()[0], 15.0 / 255.0);

    let five = Image::from_faces(Format::L8, 2, &faces[..5]).unwrap_err();
    assert_eq!(five.to_string(), "a cube has 6 faces, not 5");
    assert_eq!(
        Image::from_faces(Format::L8, 2, &[]),
        Err(ImageError::Faces(0))
    );
    let mut uneven = faces.clone();
    uneven[3] = &levels[3][..1];
    let uneven = Image::from_faces(Format::L8, 2, &uneven).unwrap_err();
    assert_eq!(uneven.to_string(), "face 3 has 1 levels, the first one 2");
    let long = [&[0; 5][..], &[0]];
    let mut wrong = faces;
    wrong[2] = &long;
    let wrong = Image::from_faces(Format::L8, 2, &wrong).unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "level 0 of 2x2x1 in format l8 takes 4 bytes, not 5"
    );
}

#[test]
fn bytes_levels_and_sizes_that_do_not_fit_are_refused() {
    use Dimension::{Cube, D1, D2, D3};
    assert_eq!(
        error(D2, Format::Rgba8, Size::d2(4, 4), &[&[0; 63]]),
        "level 0 of 4x4x1 in format rgba8 takes 64 bytes, not 63"
    );
    assert_eq!(
        error(D2, Format::Dxt5, Size::d2(5, 4), &[&[0; 16]]),
        "level 0 of 5x4x1 in format dxt5 takes 32 bytes, not 16"
    );
    assert_eq!(
        error(D3, Format::L8, Size::d3(2, 2, 2), &[&[0; 8], &[0; 2]]),
        "level 1 of 1x1x1 in format l8 takes 1 bytes, not 2"
    );
    assert_eq!(
        error(D2, Format::L8, Size::d2(2, 2), &[&[0; 4], &[0], &[0]]),
        "3 levels, but an image of 2x2x1 has 1 to 2"
    );
    assert_eq!(
        error(D2, Format::L8, Size::d2(2, 2), &[]),
        "0 levels, but an image of 2x2x1 has 1 to 2"
    );
    for size in [
        Size::d2(0, 4),
        Size::d2(4, MAX_SIZE + 1),
        Size::d3(4, 4, u32::MAX),
    ] {
        let message = error(D3, Format::L8, size, &[&[]]);
        assert_eq!(
            message,
            format!("an image of {size} texels: each side has to be from 1 to 16384")
        );
    }
    for (dimension, size) in [
        (D1, Size::d2(4, 2)),
        (D2, Size::d3(4, 2, 2)),
        (Cube, Size::d2(4, 2)),
    ] {
        let message = error(dimension, Format::L8, size, &[&[]]);
        assert_eq!(
            message,
            format!("a size of {size} does not fit a {dimension:?} image")
        );
    }
    // 16384² texels of 16 bytes; nothing is allocated before this is known.
    let huge = Size::d2(MAX_SIZE, MAX_SIZE);
    assert_eq!(
        error(D2, Format::Rgba32F, huge, &[&[]]),
        "the image would take 4294967296 bytes; the limit is 2147483647"
    );
    assert!(
        error(
            D3,
            Format::Rgba32F,
            Size::d3(MAX_SIZE, MAX_SIZE, MAX_SIZE),
            &[&[]]
        )
        .contains("limit")
    );
}

#[test]
fn even_sizes_are_halved_and_halves_round_up() {
    let texels = [[10, 20], [11, 22], [10, 20], [11, 21]]
        .map(|[l, a]| [l, l, l, a])
        .concat();
    let image = Image::from_rgba8(2, 2, &texels).and_then(Image::with_mipmaps);
    let image = image.expect("a picture of four texels");
    assert_eq!(image.levels().len(), 2);
    // 10.5 becomes 11, 20.75 becomes 21.
    assert_eq!(image.bytes()[16..], [11, 11, 11, 21]);
}

#[test]
fn odd_sizes_share_texels_by_what_is_covered() {
    // 5 texels become 2 of 2.5 each: 1, 1 and a half of the third, and the other half, 1 and 1.
    let texels = [0.0, 10.0, 20.0, 30.0, 40.0].map(|v: f32| [v; 4]);
    let image = Image::from_rgba32f(Dimension::D1, Size::d1(5), &texels);
    let image = image.and_then(Image::with_mipmaps).expect("five texels");
    assert_eq!(image.levels().len(), 3);
    let value = |level, i| image.texel(level, [i, 0, 0]).unwrap()[0];
    assert_eq!([value(1, 0), value(1, 1)], [8.0, 32.0]);
    assert_eq!(value(2, 0), 20.0);
}

#[test]
fn chains_keep_a_constant_colour_in_every_format_dimension_and_size() {
    for &format in Format::ALL.iter().filter(|format| !format.is_compressed()) {
        for (dimension, size, slices) in [
            (Dimension::D1, Size::d1(13), 1),
            (Dimension::D2, Size::d2(9, 6), 1),
            (Dimension::D3, Size::d3(5, 3, 7), 7),
            (Dimension::Cube, Size::cube(7), 6),
        ] {
            // 0x3c.. is a reasonable value as a binary16 and as a binary32 too.
            let bytes = vec![0x3c; format.slice_bytes(size.width, size.height) * slices];
            let image = Image::from_levels(dimension, format, size, &[&bytes]);
            let image = image.and_then(Image::with_mipmaps).expect("a small image");
            assert_eq!(image.levels().len(), size.levels());
            let first = image.texel(0, [0, 0, 0]).unwrap();
            for (level, info) in image.levels().iter().enumerate() {
                let [i, j, k] = info.size.axes().map(|n| n - 1);
                for at in [[0, 0, 0], [i, j, k]] {
                    assert_eq!(
                        image.texel(level, at).unwrap(),
                        first,
                        "{format} {dimension:?} {level}"
                    );
                }
            }
            if dimension == Dimension::Cube {
                let last = size.levels() - 1;
                assert!((0..6).all(|face| image.texel(last, [0, 0, face]).unwrap() == first));
            }
        }
    }
}

#[test]
fn chains_of_3d_images_average_over_layers_and_those_of_cubes_do_not() {
    let texels: Vec<[f32; 4]> = (0..8).map(|n| [n as f32; 4]).collect();
    let image = Image::from_rgba32f(Dimension::D3, Size::d3(2, 2, 2), &texels);
    let image = image.and_then(Image::with_mipmaps).expect("eight texels");
    assert_eq!(image.texel(1, [0, 0, 0]).unwrap(), [3.5; 4]);
    let texels: Vec<[f32; 4]> = (0..24).map(|n| [(n / 4) as f32; 4]).collect();
    let image = Image::from_rgba32f(Dimension::Cube, Size::cube(2), &texels);
    let image = image.and_then(Image::with_mipmaps).expect("six faces");
    let faces = [0, 1, 2, 3, 4, 5].map(|face| image.texel(1, [0, 0, face]).unwrap()[0]);
    assert_eq!(faces, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
}

#[test]
fn a_chain_replaces_the_levels_that_were_there() {
    let first = [8_u8; 16];
    let second = [200; 4];
    let levels: [&[u8]; 2] = [&first, &second];
    let image = Image::from_levels(Dimension::D2, Format::L8, Size::d2(4, 4), &levels);
    let image = image.and_then(Image::with_mipmaps).expect("two levels");
    assert_eq!(image.bytes(), [8; 16 + 4 + 1]);
}

#[test]
fn texels_that_are_given_away_are_kept_where_they_are() {
    let size = Size::d2(3, 2);
    let texels: Vec<u8> = (0..24).collect();
    let place = texels.as_ptr();
    let expected = Image::from_levels(Dimension::D2, Format::Rgba8, size, &[&texels]);
    let image = Image::from_texels(Dimension::D2, Format::Rgba8, size, texels);
    assert_eq!(image, expected);
    assert_eq!(image.expect("six texels").bytes().as_ptr(), place);

    let blocks: Vec<u8> = (0..16).collect();
    let size = Size::d2(8, 4);
    let expected = Image::from_levels(Dimension::D2, Format::Dxt1Rgba, size, &[&blocks]);
    let image = Image::from_texels(Dimension::D2, Format::Dxt1Rgba, size, blocks);
    assert_eq!(image, expected);

    let short = Image::from_texels(Dimension::Cube, Format::L8, Size::cube(2), vec![0; 23]);
    assert_eq!(
        short.map(|_| ()).unwrap_err().to_string(),
        "level 0 of 2x2x1 in format l8 takes 24 bytes, not 23"
    );
}

#[test]
fn what_a_texture_takes_is_known_before_its_texels_are() {
    let samplers = [
        Sampler::RESET,
        Sampler {
            srgb: Srgb::Standard,
            ..Sampler::RESET
        },
        Sampler {
            wrap: [Wrap::ClampToBorder; 3],
            ..Sampler::RESET
        },
        Sampler {
            max_anisotropy: 4,
            ..Sampler::RESET
        },
    ];
    for &format in Format::ALL {
        for (dimension, size, slices) in [
            (Dimension::D1, Size::d1(13), 1),
            (Dimension::D2, Size::d2(9, 6), 1),
            (Dimension::D2, Size::d2(400, 300), 1),
            (Dimension::D3, Size::d3(5, 3, 7), 7),
            (Dimension::Cube, Size::cube(6), 6),
        ] {
            let bytes = vec![0; format.slice_bytes(size.width, size.height) * slices];
            let image = Image::from_levels(dimension, format, size, &[&bytes]);
            let image = image.and_then(Image::with_mipmaps).expect("a small image");
            let shape = Shape {
                dimension,
                format,
                size,
                levels: size.levels(),
            };
            assert_eq!(shape.image_bytes(), Ok(image.bytes().len()), "{shape:?}");
            let image = Arc::new(image);
            for sampler in samplers {
                let texture = Texture::new(Arc::clone(&image), sampler).expect("it fits");
                let decoded = texture
                    .decoded(Decoding::Floats)
                    .map_or(0, |decoded| size_of_val(decoded.words()));
                let taken = image.bytes().len() + decoded;
                assert_eq!(Texture::bytes(&shape, &sampler), Ok(taken), "{shape:?}");
            }
        }
    }
    let shape = Shape {
        dimension: Dimension::Cube,
        format: Format::Dxt1Rgb,
        size: Size::cube(MAX_SIZE),
        levels: 1,
    };
    let error = Texture::bytes(&shape, &Sampler::RESET).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the image would take 6442450944 bytes; the limit is 2147483647"
    );
}
