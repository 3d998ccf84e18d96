//! Fetches, sizes and sample counts: every kind of image, and its bounds.

use attila_isa::TextureShape;
use attila_machine::{LANES, Lookup};
use attila_texture::{Dimension, Format, Image, Sampler, Size, Srgb, Texture};

use crate::common::{across, ask, ask_floats, coded_image, edge, fetch_at, named, shadow, texture};

/// A texture whose texels are (column, row, slice, level).
fn coded(dimension: Dimension, size: Size) -> Texture {
    texture(coded_image(dimension, size), edge())
}

/// The texel at a place; (0, 0, 0, 0) is also the answer outside.
fn fetch(texture: &Texture, at: [i32; 4]) -> [f32; 4] {
    let kind = texture.image().dimension().kind();
    ask_floats(texture, named(kind), fetch_at([at; LANES]))[0]
}

/// Kinds of images with a size, the operands of a fetch, and the texel that it reads.
const PLACES: [(Dimension, Size, [i32; 4], [f32; 4]); 11] = [
    (
        Dimension::D1,
        Size::d1(8),
        [3, 99, 99, 1],
        [3.0, 0.0, 0.0, 1.0],
    ),
    (
        Dimension::D2,
        Size::d2(8, 4),
        [6, 2, 99, 0],
        [6.0, 2.0, 0.0, 0.0],
    ),
    (
        Dimension::D3,
        Size::d3(8, 8, 8),
        [1, 2, 3, 1],
        [1.0, 2.0, 3.0, 1.0],
    ),
    (
        Dimension::Cube,
        Size::cube(8),
        [1, 2, 5, 1],
        [1.0, 2.0, 5.0, 1.0],
    ),
    // Rectangles and buffers have no level, whatever stands there.
    (
        Dimension::Rect,
        Size::d2(8, 4),
        [7, 3, 99, 99],
        [7.0, 3.0, 0.0, 0.0],
    ),
    (
        Dimension::Buffer,
        Size::d1(100_000),
        [54_321, 99, 99, -1],
        [54_321.0, 0.0, 0.0, 0.0],
    ),
    (
        Dimension::D1Array { layers: 3 },
        Size::d1(8),
        [3, 2, 99, 1],
        [3.0, 0.0, 2.0, 1.0],
    ),
    (
        Dimension::D2Array { layers: 3 },
        Size::d2(8, 8),
        [3, 1, 2, 1],
        [3.0, 1.0, 2.0, 1.0],
    ),
    (
        Dimension::CubeArray { cubes: 2 },
        Size::cube(8),
        [3, 1, 11, 1],
        [3.0, 1.0, 11.0, 1.0],
    ),
    (
        Dimension::D2Ms { samples: 4 },
        Size::d2(8, 4),
        [7, 3, 99, 2],
        [7.0, 3.0, 2.0, 0.0],
    ),
    (
        Dimension::D2MsArray {
            samples: 4,
            layers: 3,
        },
        Size::d2(8, 4),
        [7, 3, 2, 1],
        [7.0, 3.0, 9.0, 0.0],
    ),
];

#[test]
fn every_kind_of_image_is_fetched_at_its_own_coordinates() {
    for (dimension, size, at, want) in PLACES {
        assert_eq!(fetch(&coded(dimension, size), at), want, "{dimension:?}");
    }
}

#[test]
fn every_lane_fetches_its_own_texel_and_level() {
    let texture = coded(Dimension::D2, Size::d2(8, 8));
    let at = [[7, 0, 0, 0], [3, 1, 0, 1], [0, 0, 0, 3], [1, 1, 0, 2]];
    let want = at.map(|[i, j, _, level]| [i as f32, j as f32, 0.0, level as f32]);
    assert_eq!(
        ask_floats(&texture, named(TextureShape::D2), fetch_at(at)),
        want
    );
}

/// Kinds of images with a size, the operands of a fetch on the image, and the last number on the image
/// for each operand; 99 where the operand does not matter.
const ENDS: [(Dimension, Size, [i32; 4], [i32; 4]); 11] = [
    (Dimension::D1, Size::d1(8), [1, 0, 0, 0], [7, 99, 99, 3]),
    (Dimension::D2, Size::d2(8, 4), [1, 1, 0, 0], [7, 3, 99, 3]),
    (Dimension::D3, Size::d3(8, 4, 2), [1, 1, 1, 0], [7, 3, 1, 3]),
    (Dimension::Cube, Size::cube(4), [1, 1, 1, 0], [3, 3, 5, 2]),
    (
        Dimension::Rect,
        Size::d2(8, 4),
        [1, 1, 0, 0],
        [7, 3, 99, 99],
    ),
    (
        Dimension::Buffer,
        Size::d1(9),
        [1, 0, 0, 0],
        [8, 99, 99, 99],
    ),
    (
        Dimension::D1Array { layers: 3 },
        Size::d1(8),
        [1, 1, 0, 0],
        [7, 2, 99, 3],
    ),
    (
        Dimension::D2Array { layers: 3 },
        Size::d2(8, 4),
        [1, 1, 1, 0],
        [7, 3, 2, 3],
    ),
    (
        Dimension::CubeArray { cubes: 2 },
        Size::cube(4),
        [1, 1, 1, 0],
        [3, 3, 11, 2],
    ),
    (
        Dimension::D2Ms { samples: 4 },
        Size::d2(8, 4),
        [1, 1, 0, 1],
        [7, 3, 99, 3],
    ),
    (
        Dimension::D2MsArray {
            samples: 4,
            layers: 3,
        },
        Size::d2(8, 4),
        [1, 1, 1, 1],
        [7, 3, 2, 3],
    ),
];

#[test]
fn texels_levels_layers_and_samples_outside_are_0() {
    for (dimension, size, inside, last) in ENDS {
        let slices = dimension.slices(size);
        let texels = vec![[1.0; 4]; (size.width * size.height) as usize * slices];
        let image = Image::from_rgba32f(dimension, size, &texels).unwrap();
        let texture = texture(image.with_mipmaps().unwrap(), edge());
        assert_eq!(fetch(&texture, inside), [1.0; 4], "{dimension:?}");
        for (axis, &last) in last.iter().enumerate() {
            let moved = |to: i32| {
                let mut at = if axis == 3 { [0; 4] } else { inside };
                at[axis] = to;
                fetch(&texture, at)
            };
            assert_eq!(moved(last), [1.0; 4], "{dimension:?}, component {axis}");
            if last == 99 {
                assert_eq!(moved(-1), [1.0; 4], "{dimension:?} has no component {axis}");
                continue;
            }
            for outside in [-1, last + 1, i32::MAX, i32::MIN] {
                assert_eq!(
                    moved(outside),
                    [0.0; 4],
                    "{dimension:?}, {outside} at {axis}"
                );
            }
        }
    }
}

#[test]
fn offsets_of_fetches_are_added_along_the_axes_and_not_to_layers() {
    let fetch = |texture: &Texture, at: [i32; 4], offset: [i32; 3]| {
        let lookup = Lookup::Fetch {
            at: across([at; LANES]),
            offset: Some(across([offset; LANES])),
        };
        ask_floats(texture, named(texture.image().dimension().kind()), lookup)[0]
    };
    let flat = coded(Dimension::D2, Size::d2(8, 8));
    assert_eq!(
        fetch(&flat, [3, 3, 0, 1], [-2, 0, 99]),
        [1.0, 3.0, 0.0, 1.0]
    );
    assert_eq!(
        fetch(&flat, [9, -1, 0, 0], [-2, 5, 0]),
        [7.0, 4.0, 0.0, 0.0]
    );
    assert_eq!(fetch(&flat, [7, 1, 0, 0], [1, 0, 0]), [0.0; 4]);
    assert_eq!(fetch(&flat, [i32::MAX, 1, 0, 0], [1, 0, 0]), [0.0; 4]);
    let deep = coded(Dimension::D3, Size::d3(4, 4, 4));
    assert_eq!(fetch(&deep, [1, 1, 1, 0], [1, 2, -1]), [2.0, 3.0, 0.0, 0.0]);
    let layered = coded(Dimension::D2Array { layers: 4 }, Size::d2(8, 8));
    assert_eq!(
        fetch(&layered, [1, 1, 1, 0], [1, 2, 1]),
        [2.0, 3.0, 1.0, 0.0]
    );
    let rows = coded(Dimension::D1Array { layers: 4 }, Size::d1(8));
    assert_eq!(fetch(&rows, [1, 1, 0, 0], [1, 2, 1]), [2.0, 0.0, 1.0, 0.0]);
}

#[test]
fn fetches_take_levels_from_the_base_level_to_the_last() {
    let sampler = Sampler {
        base_level: 1,
        max_level: 2,
        ..edge()
    };
    let texture = texture(coded_image(Dimension::D2, Size::d2(16, 16)), sampler);
    assert_eq!(fetch(&texture, [7, 7, 0, 0]), [7.0, 7.0, 0.0, 1.0]);
    assert_eq!(fetch(&texture, [3, 3, 0, 1]), [3.0, 3.0, 0.0, 2.0]);
    assert_eq!(fetch(&texture, [0, 1, 0, 2]), [0.0; 4]);
}

#[test]
fn fetches_are_linear_and_not_compared() {
    let image = Image::from_rgba8(1, 1, &[255, 0, 128, 128]).unwrap();
    let sampler = Sampler {
        srgb: Srgb::Standard,
        compare: Some(attila_texture::Compare::Never),
        ..edge()
    };
    let texture = texture(image, sampler);
    for target in [named(TextureShape::D2), shadow(TextureShape::D2)] {
        let [r, g, b, a] = ask_floats(&texture, target, fetch_at([[0; 4]; 4]))[0];
        assert_eq!([r, g, a], [1.0, 0.0, 128.0 / 255.0]);
        assert!((b - 0.215_86).abs() < 1e-5, "{b}");
    }
}

#[test]
fn sizes_are_those_of_the_level_and_layers_come_after_them() {
    let layers = 5;
    for (dimension, size, level, want) in [
        (Dimension::D1, Size::d1(20), 1, [10, 0, 0, 5]),
        (Dimension::D2, Size::d2(20, 9), 2, [5, 2, 0, 5]),
        (Dimension::D3, Size::d3(8, 4, 2), 1, [4, 2, 1, 4]),
        (Dimension::Cube, Size::cube(8), 3, [1, 1, 0, 4]),
        (Dimension::Rect, Size::d2(10, 7), 0, [10, 7, 0, 1]),
        (Dimension::Buffer, Size::d1(77), 0, [77, 0, 0, 1]),
        (Dimension::D1Array { layers }, Size::d1(16), 1, [8, 5, 0, 5]),
        (
            Dimension::D2Array { layers },
            Size::d2(8, 4),
            3,
            [1, 1, 5, 4],
        ),
        (
            Dimension::CubeArray { cubes: 3 },
            Size::cube(4),
            1,
            [2, 2, 3, 3],
        ),
        (
            Dimension::D2Ms { samples: 4 },
            Size::d2(8, 4),
            0,
            [8, 4, 0, 1],
        ),
        (
            Dimension::D2MsArray { samples: 4, layers },
            Size::d2(8, 4),
            0,
            [8, 4, 5, 1],
        ),
    ] {
        let texture = coded(dimension, size);
        let lookup = Lookup::Size {
            level: [level; LANES],
        };
        for target in [named(dimension.kind()), shadow(dimension.kind())] {
            assert_eq!(
                ask(&texture, target, lookup),
                [want; LANES],
                "{dimension:?}"
            );
        }
    }
}

#[test]
fn a_level_that_is_not_there_has_the_size_0() {
    let target = named(TextureShape::D2);
    let level = [0, 3, 4, -1];
    let flat = coded(Dimension::D2, Size::d2(8, 8));
    let sizes = ask(&flat, target, Lookup::Size { level });
    assert_eq!(sizes, [[8, 8, 0, 4], [1, 1, 0, 4], [0; 4], [0; 4]]);
    let sampler = Sampler {
        base_level: 1,
        max_level: 2,
        ..edge()
    };
    let partial = texture(coded_image(Dimension::D2, Size::d2(8, 8)), sampler);
    let level = [0, 1, 2, 3];
    let sizes = ask(&partial, target, Lookup::Size { level });
    assert_eq!(sizes, [[4, 4, 0, 2], [2, 2, 0, 2], [0; 4], [0; 4]]);
}

#[test]
fn samples_are_counted() {
    for (dimension, want) in [
        (Dimension::D2Ms { samples: 1 }, 1),
        (Dimension::D2Ms { samples: 16 }, 16),
        (
            Dimension::D2MsArray {
                samples: 8,
                layers: 2,
            },
            8,
        ),
        (Dimension::D2, 1),
    ] {
        let texture = coded(dimension, Size::d2(2, 2));
        let counts = ask(&texture, named(dimension.kind()), Lookup::Samples);
        assert_eq!(counts, [[want, 0, 0, 0]; LANES]);
    }
}

#[test]
fn a_large_buffer_is_kept_and_not_copied() {
    let mut texels = vec![0; 1 << 20];
    texels[(1 << 20) - 4..].copy_from_slice(&7.5_f32.to_le_bytes());
    let size = Size::d1(1 << 18);
    let image = Image::from_texels(Dimension::Buffer, Format::R32F, size, texels).unwrap();
    let texture = texture(image, edge());
    assert_eq!(
        fetch(&texture, [(1 << 18) - 1, 0, 0, 0]),
        [7.5, 0.0, 0.0, 1.0]
    );
    assert_eq!(fetch(&texture, [1 << 18, 0, 0, 0]), [0.0; 4]);
}
