//! Arrays, rectangles, buffers and multisampled images: layers, sizes, and the errors of shapes.

use attila_isa::TextureShape;
use attila_machine::{LANES, LevelOfDetail, Lookup};
use attila_texture::{
    Coordinates, Dimension, Format, Image, ImageError, MAX_BUFFER_TEXELS, MipMode, Sampler,
    SamplerError, Shape, Size, Texture, Wrap,
};

use crate::common::{
    Colour, across, ask, ask_floats, at, coded_image, edge, fetch_at, linear, moving, named,
    sample_at, texture,
};

/// The colours of four samples at the base level.
fn sampled(texture: &Texture, coords: [[f32; 4]; 4]) -> [Colour; 4] {
    let kind = texture.image().dimension().kind();
    ask_floats(texture, named(kind), sample_at(coords))
}

#[test]
fn layers_of_1d_arrays_are_the_nearest_to_t() {
    let image = coded_image(Dimension::D1Array { layers: 3 }, Size::d1(4));
    let texture = texture(image, edge());
    let lane = |s: f32, layer: f32| [s, layer, 7.0, 7.0];
    let colours = sampled(
        &texture,
        [
            lane(0.1, 0.4),
            lane(0.4, 0.6),
            lane(0.6, 9.0),
            lane(0.9, -3.0),
        ],
    );
    let columns_and_layers = colours.map(|[i, _, k, _]| [i, k]);
    assert_eq!(
        columns_and_layers,
        [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 0.0]]
    );
}

#[test]
fn layers_of_2d_arrays_are_the_nearest_to_r_and_never_mixed() {
    let image = coded_image(Dimension::D2Array { layers: 4 }, Size::d2(4, 2));
    let texture = texture(image, linear());
    let lane = |layer: f32| [0.5, 0.5, layer, 7.0];
    let colours = sampled(&texture, [lane(0.49), lane(1.4), lane(2.5), lane(f32::NAN)]);
    // In the middle of a level, the filter mixes columns 1 and 2 and rows 0 and 1.
    assert_eq!(
        colours,
        [0.0, 1.0, 3.0, 0.0].map(|layer| [1.5, 0.5, layer, 0.0])
    );
}

#[test]
fn cubes_of_arrays_are_the_nearest_to_the_fourth_coordinate() {
    let image = coded_image(Dimension::CubeArray { cubes: 3 }, Size::cube(2));
    let texture = texture(image, edge());
    // Directions of the faces -X, +Y, -Z and +X, a quarter right of and below the middle.
    let directions = [
        [-2.0, -1.0, 1.0, 0.0],
        [1.0, 2.0, 1.0, 1.2],
        [-1.0, -1.0, -2.0, 2.0],
        [2.0, -1.0, -1.0, 8.0],
    ];
    let slices = sampled(&texture, directions).map(|[i, j, k, _]| [i, j, k]);
    let want = [1.0, 6.0 + 2.0, 12.0 + 5.0, 12.0].map(|slice| [1.0, 1.0, slice]);
    assert_eq!(slices, want);
}

#[test]
fn base_instructions_sample_arrays_at_three_coordinates() {
    let row = texture(
        coded_image(Dimension::D1Array { layers: 3 }, Size::d1(4)),
        edge(),
    );
    assert_eq!(at(&row, [0.6, 2.0, 0.0]), [2.0, 0.0, 2.0, 0.0]);
    let flat = texture(
        coded_image(Dimension::D2Array { layers: 3 }, Size::d2(4, 4)),
        edge(),
    );
    assert_eq!(at(&flat, [0.1, 0.9, 1.0]), [0.0, 3.0, 1.0, 0.0]);
    let cubes = texture(
        coded_image(Dimension::CubeArray { cubes: 2 }, Size::cube(2)),
        edge(),
    );
    assert_eq!(at(&cubes, [-1.0, 0.1, 0.1])[2], 1.0);
}

#[test]
fn layers_have_no_part_in_the_level_of_detail() {
    let sampler = Sampler {
        mip: MipMode::Nearest,
        ..edge()
    };
    let flat = texture(
        coded_image(Dimension::D2Array { layers: 9 }, Size::d2(16, 16)),
        sampler,
    );
    let colour = moving(&flat, [0.5, 0.5, 2.0], [0.25, 0.0, 3.0], [0.0, 0.0, 5.0]);
    assert_eq!([colour[2], colour[3]], [2.0, 2.0]);
    let row = texture(
        coded_image(Dimension::D1Array { layers: 9 }, Size::d1(16)),
        sampler,
    );
    let colour = moving(&row, [0.5, 2.0, 0.0], [0.125, 3.0, 0.0], [0.0, 5.0, 0.0]);
    assert_eq!([colour[2], colour[3]], [2.0, 1.0]);
}

#[test]
fn layers_of_mip_chains_are_reduced_one_by_one() {
    let texels = [1.0_f32, 3.0, 10.0, 30.0].map(|red| [red; 4]);
    let image = Image::from_rgba32f(Dimension::D1Array { layers: 2 }, Size::d1(2), &texels);
    let image = image.unwrap().with_mipmaps().unwrap();
    assert_eq!(image.levels().len(), 2);
    assert_eq!(image.texel(1, [0, 0, 0]), Some([2.0; 4]));
    assert_eq!(image.texel(1, [0, 0, 1]), Some([20.0; 4]));
    assert_eq!(image.texel(1, [0, 0, 2]), None);
}

#[test]
fn rectangles_have_coordinates_in_texels_for_every_sampler() {
    let image = coded_image(Dimension::Rect, Size::d2(10, 7));
    assert_eq!(image.levels().len(), 1);
    assert_eq!(image.with_mipmaps().unwrap().levels().len(), 1);
    let image = || coded_image(Dimension::Rect, Size::d2(10, 7));
    let nearest = texture(image(), edge());
    assert_eq!(nearest.sampler().coordinates, Coordinates::Texels);
    let lanes = [[0.9, 6.1], [9.99, 3.0], [-5.0, 99.0], [4.0, 5.5]];
    let lanes = lanes.map(|[s, t]| [s, t, 0.0, 0.0]);
    let want = [[0.0, 6.0], [9.0, 3.0], [0.0, 6.0], [4.0, 5.0]];
    assert_eq!(sampled(&nearest, lanes).map(|[i, j, ..]| [i, j]), want);
    let linear = texture(image(), linear());
    let mixed = sampled(&linear, [[3.0, 2.25, 0.0, 0.0]; 4])[0];
    assert_eq!([mixed[0], mixed[1]], [2.5, 1.75]);
}

#[test]
fn rectangles_cannot_be_repeated() {
    for (axis, name) in [(0, 's'), (1, 't')] {
        for wrap in [Wrap::Repeat, Wrap::MirroredRepeat] {
            let mut sampler = edge();
            sampler.wrap[axis] = wrap;
            let image = coded_image(Dimension::Rect, Size::d2(3, 3));
            let error = Texture::new(image, sampler).unwrap_err();
            assert_eq!(error, SamplerError::RepeatedRect { axis: name });
        }
    }
    let mut sampler = edge();
    sampler.wrap[2] = Wrap::Repeat;
    let image = coded_image(Dimension::Rect, Size::d2(3, 3));
    assert!(Texture::new(image, sampler).is_ok());
}

#[test]
fn buffers_and_multisampled_images_are_fetched_and_not_sampled() {
    let lookups = |coords: [[f32; 4]; 4]| {
        let coords = across(coords);
        [
            sample_at([[0.5; 4]; 4]),
            Lookup::Sample {
                coords,
                projected: false,
                level: LevelOfDetail::Implicit,
                reference: None,
                offset: None,
            },
            Lookup::Gather {
                coords,
                component: attila_isa::Component::X,
                reference: None,
                offset: None,
            },
            Lookup::LevelOfDetail { coords },
        ]
    };
    for dimension in [
        Dimension::Buffer,
        Dimension::D2Ms { samples: 2 },
        Dimension::D2MsArray {
            samples: 2,
            layers: 2,
        },
    ] {
        let size = if dimension == Dimension::Buffer {
            Size::d1(4)
        } else {
            Size::d2(4, 4)
        };
        let slices = dimension.slices(size);
        let texels = vec![[1.0; 4]; (size.width * size.height) as usize * slices];
        let image = Image::from_rgba32f(dimension, size, &texels).unwrap();
        let texture = texture(image, edge());
        let target = named(dimension.kind());
        for lookup in lookups([[0.5; 4]; 4]) {
            assert_eq!(ask(&texture, target, lookup), [[0; 4]; 4], "{lookup:?}");
        }
        let fetched = ask_floats(&texture, target, fetch_at([[1, 0, 0, 1]; 4]));
        assert_eq!(fetched, [[1.0; 4]; 4], "{dimension:?}");
    }
}

#[test]
fn a_target_of_another_kind_reads_0() {
    let image = coded_image(Dimension::D2, Size::d2(4, 4));
    let texture = texture(image, edge());
    for shape in TextureShape::ALL {
        let texel = ask_floats(&texture, named(shape), fetch_at([[3, 2, 0, 1]; 4]));
        let sample = ask_floats(&texture, named(shape), sample_at([[0.9, 0.6, 0.0, 0.0]; 4]));
        let (want_texel, want_sample) = match shape == TextureShape::D2 {
            // Level 1 has two columns.
            true => ([0.0; 4], [3.0, 2.0, 0.0, 0.0]),
            false => ([0.0; 4], [0.0; 4]),
        };
        assert_eq!(
            (texel, sample),
            ([want_texel; LANES], [want_sample; LANES]),
            "{shape}"
        );
    }
}

#[test]
fn shapes_that_no_image_has_are_errors() {
    let bytes = |dimension, size, levels, format| {
        let shape = Shape {
            dimension,
            format,
            size,
            levels,
        };
        shape.image_bytes()
    };
    let rgba8 = |dimension, size| bytes(dimension, size, 1, Format::Rgba8);
    let error = |result: Result<usize, ImageError>| result.unwrap_err().to_string();
    assert_eq!(
        error(rgba8(Dimension::D2Array { layers: 0 }, Size::d2(4, 4))),
        "an array of 0 layers; it has to have from 1 to 2048"
    );
    assert_eq!(
        error(rgba8(Dimension::CubeArray { cubes: 2049 }, Size::cube(1))),
        "an array of 2049 layers; it has to have from 1 to 2048"
    );
    assert_eq!(
        error(rgba8(Dimension::D2Ms { samples: 17 }, Size::d2(1, 1))),
        "texels of 17 samples; they have to have from 1 to 16"
    );
    assert_eq!(
        error(rgba8(Dimension::Buffer, Size::d1(MAX_BUFFER_TEXELS + 1))),
        "a buffer of 134217729 texels; it has to have from 1 to 134217728"
    );
    for (dimension, size) in [
        (Dimension::D1Array { layers: 2 }, Size::d2(4, 2)),
        (Dimension::D2Array { layers: 2 }, Size::d3(4, 2, 2)),
        (Dimension::CubeArray { cubes: 2 }, Size::d2(4, 2)),
        (Dimension::Rect, Size::d3(4, 2, 2)),
        (Dimension::Buffer, Size::d2(4, 2)),
        (Dimension::D2Ms { samples: 2 }, Size::d3(4, 2, 2)),
    ] {
        let expected = Err(ImageError::Shape { dimension, size });
        assert_eq!(rgba8(dimension, size), expected);
    }
    let levels = |dimension, size| bytes(dimension, size, 2, Format::Rgba8);
    for dimension in [Dimension::Rect, Dimension::D2Ms { samples: 4 }] {
        let size = Size::d2(4, 4);
        let (given, most) = (2, 1);
        assert_eq!(
            levels(dimension, size),
            Err(ImageError::Levels { given, size, most })
        );
    }
    let format = Format::Dxt1Rgb;
    for dimension in [Dimension::Buffer, Dimension::D2Ms { samples: 1 }] {
        let expected = Err(ImageError::Compressed { dimension, format });
        assert_eq!(bytes(dimension, Size::d1(4), 1, format), expected);
    }
    assert_eq!(
        rgba8(Dimension::Buffer, Size::d1(MAX_BUFFER_TEXELS)),
        Ok(1 << 29)
    );
    let array = Dimension::D2Array { layers: 3 };
    assert_eq!(bytes(array, Size::d2(8, 8), 1, format), Ok(3 * 8 * 8 * 4));
}

#[test]
fn compressed_arrays_are_decoded_layer_by_layer() {
    // Red and blue blocks of BC1: both end points alike, all indices 0.
    let block = |colour: u16| [&colour.to_le_bytes()[..], &colour.to_le_bytes(), &[0; 4]].concat();
    let bytes = [block(0xf800), block(0x001f)].concat();
    let (array, size) = (Dimension::D2Array { layers: 2 }, Size::d2(4, 4));
    let image = Image::from_levels(array, Format::Dxt1Rgb, size, &[&bytes]).unwrap();
    assert_eq!(image.texel(0, [3, 3, 0]), Some([1.0, 0.0, 0.0, 1.0]));
    assert_eq!(image.texel(0, [0, 0, 1]), Some([0.0, 0.0, 1.0, 1.0]));
}
