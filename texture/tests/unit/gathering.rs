//! Gathers: which four texels, in which order, of which component.

use attila_isa::{Component, TextureShape};
use attila_machine::{LANES, Lookup};
use attila_texture::{
    Compare, DepthMode, Dimension, Format, Image, Sampler, Size, Srgb, Texture, Wrap,
};

use crate::common::{Colour, across, ask, ask_floats, coded_image, edge, named, shadow, texture};

use Component::{W, X, Y, Z};

/// The gathered texels of the first lane.
fn gather(texture: &Texture, component: Component, coords: [f32; 4], offset: [i32; 3]) -> Colour {
    let lookup = Lookup::Gather {
        coords: across([coords; LANES]),
        component,
        reference: None,
        offset: Some(across([offset; LANES])),
    };
    ask_floats(texture, named(texture.image().dimension().kind()), lookup)[0]
}

#[test]
fn the_lower_row_comes_first_and_the_upper_one_backwards() {
    // Between columns 1 and 2 and rows 2 and 3, for both filters.
    let coords = [0.48, 0.72, 0.0, 0.0];
    for filter in [
        attila_texture::Filter::Nearest,
        attila_texture::Filter::Linear,
    ] {
        let sampler = Sampler {
            mag: filter,
            min: filter,
            ..edge()
        };
        let texture = texture(coded_image(Dimension::D2, Size::d2(4, 4)), sampler);
        assert_eq!(gather(&texture, X, coords, [0; 3]), [1.0, 2.0, 2.0, 1.0]);
        assert_eq!(gather(&texture, Y, coords, [0; 3]), [3.0, 3.0, 2.0, 2.0]);
        assert_eq!(gather(&texture, Z, coords, [0; 3]), [0.0; 4]);
        assert_eq!(gather(&texture, W, coords, [0; 3]), [0.0; 4]);
    }
}

#[test]
fn every_lane_gathers_at_its_own_coordinates() {
    let texture = texture(coded_image(Dimension::D2, Size::d2(4, 4)), edge());
    let s = [0.25, 0.5, 0.75, 0.3];
    let lookup = Lookup::Gather {
        coords: across(s.map(|s| [s, 0.5, 0.0, 0.0])),
        component: X,
        reference: None,
        offset: None,
    };
    let gathered = ask_floats(&texture, named(TextureShape::D2), lookup);
    let first = [0.0, 1.0, 2.0, 0.0];
    assert_eq!(gathered, first.map(|i| [i, i + 1.0, i + 1.0, i]));
}

#[test]
fn coordinates_wrap_and_offsets_are_added_before() {
    let repeated = Sampler {
        wrap: [Wrap::Repeat; 3],
        ..edge()
    };
    let repeated = texture(coded_image(Dimension::D2, Size::d2(4, 4)), repeated);
    let coords = [0.02, 0.5, 0.0, 0.0];
    assert_eq!(gather(&repeated, X, coords, [0; 3]), [3.0, 0.0, 0.0, 3.0]);
    assert_eq!(
        gather(&repeated, X, coords, [-2, 0, 0]),
        [1.0, 2.0, 2.0, 1.0]
    );
    assert_eq!(
        gather(&repeated, Y, coords, [0, 5, 0]),
        [3.0, 3.0, 2.0, 2.0]
    );
    let border = Sampler {
        wrap: [Wrap::ClampToBorder; 3],
        border: [9.0, 8.0, 7.0, 6.0],
        ..edge()
    };
    let border = texture(coded_image(Dimension::D2, Size::d2(4, 4)), border);
    assert_eq!(gather(&border, X, coords, [0; 3]), [9.0, 0.0, 0.0, 9.0]);
    assert_eq!(gather(&border, Y, coords, [0; 3]), [8.0, 2.0, 1.0, 8.0]);
    assert_eq!(gather(&border, Y, coords, [0, 99, 0]), [8.0; 4]);
}

#[test]
fn layers_faces_and_rectangles_are_gathered() {
    let array = texture(
        coded_image(Dimension::D2Array { layers: 3 }, Size::d2(4, 4)),
        edge(),
    );
    assert_eq!(gather(&array, Z, [0.5, 0.5, 1.8, 0.0], [0; 3]), [2.0; 4]);
    // The face -X of the second cube, around its middle.
    let cubes = texture(
        coded_image(Dimension::CubeArray { cubes: 2 }, Size::cube(4)),
        edge(),
    );
    let middle = [-1.0, 0.0, 0.0, 1.0];
    assert_eq!(gather(&cubes, Z, middle, [0; 3]), [7.0; 4]);
    assert_eq!(gather(&cubes, X, middle, [0; 3]), [1.0, 2.0, 2.0, 1.0]);
    let cube = texture(coded_image(Dimension::Cube, Size::cube(4)), edge());
    assert_eq!(gather(&cube, Z, middle, [0; 3]), [1.0; 4]);
    let rect = texture(coded_image(Dimension::Rect, Size::d2(9, 5)), edge());
    let around = gather(&rect, X, [6.4, 2.0, 0.0, 0.0], [0; 3]);
    assert_eq!(around, [5.0, 6.0, 6.0, 5.0]);
}

#[test]
fn the_base_level_is_gathered() {
    let sampler = Sampler {
        base_level: 1,
        ..edge()
    };
    let texture = texture(coded_image(Dimension::D2, Size::d2(8, 8)), sampler);
    let coords = [0.48, 0.72, 0.0, 0.0];
    assert_eq!(gather(&texture, W, coords, [0; 3]), [1.0; 4]);
    assert_eq!(gather(&texture, X, coords, [0; 3]), [1.0, 2.0, 2.0, 1.0]);
}

#[test]
fn images_with_one_axis_or_three_cannot_be_gathered() {
    for (dimension, size) in [
        (Dimension::D1, Size::d1(4)),
        (Dimension::D1Array { layers: 2 }, Size::d1(4)),
        (Dimension::D3, Size::d3(4, 4, 4)),
    ] {
        let texture = texture(coded_image(dimension, size), edge());
        assert_eq!(
            gather(&texture, X, [0.6; 4], [0; 3]),
            [0.0; 4],
            "{dimension:?}"
        );
    }
}

#[test]
fn comparisons_are_gathered_for_every_component_and_depth_mode() {
    let depths = [0.1_f32, 0.2, 0.3, 0.4].map(|depth| [depth, 0.0, 0.0, 1.0]);
    for depth_mode in [
        DepthMode::Components,
        DepthMode::Luminance,
        DepthMode::Intensity,
        DepthMode::Alpha,
    ] {
        let sampler = Sampler {
            compare: Some(Compare::GreaterEqual),
            depth_mode,
            ..edge()
        };
        let image = Image::from_rgba32f(Dimension::D2, Size::d2(2, 2), &depths).unwrap();
        let texture = texture(image, sampler);
        for component in [X, Y, W] {
            let gather = |target, reference| {
                let lookup = Lookup::Gather {
                    coords: across([[0.5, 0.5, 0.25, 0.0]; LANES]),
                    component,
                    reference,
                    offset: None,
                };
                ask_floats(&texture, target, lookup)[0]
            };
            let compared = shadow(TextureShape::D2);
            assert_eq!(gather(compared, None), [1.0, 1.0, 0.0, 0.0]);
            assert_eq!(gather(compared, Some([0.35; LANES])), [0.0, 1.0, 0.0, 0.0]);
        }
        let plain = gather(&texture, X, [0.5, 0.5, 0.25, 0.0], [0; 3]);
        assert_eq!(plain, [0.3, 0.4, 0.2, 0.1]);
    }
}

#[test]
fn gathered_texels_are_linear_and_integers_raw() {
    let image = Image::from_rgba8(1, 1, &[128, 0, 0, 128]).unwrap();
    let sampler = Sampler {
        srgb: Srgb::Standard,
        ..edge()
    };
    let srgb = texture(image, sampler);
    let red = gather(&srgb, X, [0.5; 4], [0; 3]);
    assert!(
        red.iter().all(|red| (red - 0.215_86).abs() < 1e-5),
        "{red:?}"
    );
    assert_eq!(gather(&srgb, W, [0.5; 4], [0; 3]), [128.0 / 255.0; 4]);
    let bytes = [1, 2, 3, 4].map(|red: u8| [red, 0x80]).concat();
    let image = Image::from_levels(Dimension::D2, Format::Rg8Sint, Size::d2(2, 2), &[&bytes]);
    let integers = texture(image.unwrap(), edge());
    let words = |component| {
        let lookup = Lookup::Gather {
            coords: across([[0.5; 4]; LANES]),
            component,
            reference: None,
            offset: None,
        };
        ask(&integers, named(TextureShape::D2), lookup)[0]
    };
    assert_eq!(words(X), [3, 4, 2, 1]);
    assert_eq!(words(Y), [-128_i32 as u32; 4]);
    assert_eq!((words(Z), words(W)), ([0; 4], [1; 4]));
}
