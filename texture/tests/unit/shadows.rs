//! Comparisons: where each target has its reference, and what is compared with it.

use attila_isa::{TextureShape, TextureTarget};
use attila_machine::{LANES, LevelOfDetail, Lookup};
use attila_texture::{
    Compare, DepthMode, Dimension, Filter, Format, Image, Sampler, Size, Texture,
};

use crate::common::{across, ask_floats, at, edge, named, shadow, texture};

/// An image of one texel in each slice, 0.5, whose sampler compares `texel > reference`.
fn half(dimension: Dimension, depth_mode: DepthMode) -> Texture {
    let sampler = Sampler {
        compare: Some(Compare::Greater),
        depth_mode,
        ..edge()
    };
    let size = Size::d2(1, 1);
    let texels = vec![[0.5, 0.5, 0.5, 1.0]; dimension.slices(size)];
    texture(
        Image::from_rgba32f(dimension, size, &texels).unwrap(),
        sampler,
    )
}

fn lookup(coords: [f32; 4], reference: Option<f32>) -> Lookup {
    Lookup::Sample {
        coords: across([coords; LANES]),
        projected: false,
        level: LevelOfDetail::Explicit([0.0; LANES]),
        reference: reference.map(|value| [value; LANES]),
        offset: None,
    }
}

#[test]
fn every_target_has_its_reference_in_its_own_component() {
    // Coordinates and layers are 0.9 and would fail; the reference is 0.1.
    for (dimension, at) in [
        (Dimension::D1, 2),
        (Dimension::D2, 2),
        (Dimension::Rect, 2),
        (Dimension::D1Array { layers: 1 }, 2),
        (Dimension::D2Array { layers: 1 }, 3),
        (Dimension::Cube, 3),
    ] {
        let texture = half(dimension, DepthMode::Luminance);
        let target = shadow(dimension.kind());
        let mut coords = [0.9; 4];
        assert_eq!(
            ask_floats(&texture, target, lookup(coords, None))[0][0],
            0.0
        );
        coords[at] = 0.1;
        let below = ask_floats(&texture, target, lookup(coords, None));
        assert_eq!(below, [[1.0; 4]; LANES], "{dimension:?}");
    }
}

#[test]
fn a_reference_that_is_given_replaces_the_coordinate() {
    for dimension in [
        Dimension::D1,
        Dimension::D2,
        Dimension::Rect,
        Dimension::Cube,
        Dimension::D1Array { layers: 1 },
        Dimension::D2Array { layers: 1 },
        Dimension::CubeArray { cubes: 1 },
    ] {
        let texture = half(dimension, DepthMode::Luminance);
        let target = shadow(dimension.kind());
        let red = |coords, reference| {
            let colours = ask_floats(&texture, target, lookup(coords, Some(reference)));
            colours[0][0]
        };
        assert_eq!(red([0.9; 4], 0.1), 1.0, "{dimension:?}");
        assert_eq!(red([0.1; 4], 0.9), 0.0, "{dimension:?}");
    }
}

#[test]
fn arrays_of_cubes_compare_with_0_without_a_given_reference() {
    let texture = half(Dimension::CubeArray { cubes: 1 }, DepthMode::Luminance);
    let target = shadow(TextureShape::CubeArray);
    assert_eq!(
        ask_floats(&texture, target, lookup([0.9; 4], None)),
        [[1.0; 4]; LANES]
    );
}

#[test]
fn nothing_is_compared_unless_target_and_sampler_both_say_so() {
    let texture = half(Dimension::D2, DepthMode::Luminance);
    let plain = ask_floats(
        &texture,
        named(TextureShape::D2),
        lookup([0.1; 4], Some(0.1)),
    );
    assert_eq!(plain, [[0.5, 0.5, 0.5, 1.0]; LANES]);
    let uncompared = crate::common::texture(
        Image::from_rgba32f(Dimension::D2, Size::d2(1, 1), &[[0.5; 4]]).unwrap(),
        edge(),
    );
    let read = ask_floats(
        &uncompared,
        shadow(TextureShape::D2),
        lookup([0.1; 4], None),
    );
    assert_eq!(read, [[0.5; 4]; LANES]);
}

#[test]
fn base_instructions_compare_with_the_third_coordinate_of_every_kind() {
    for dimension in [
        Dimension::D1,
        Dimension::D2,
        Dimension::Cube,
        Dimension::Rect,
        Dimension::D1Array { layers: 1 },
    ] {
        let texture = half(dimension, DepthMode::Components);
        assert_eq!(at(&texture, [0.9, 0.9, 0.1])[0], 1.0, "{dimension:?}");
        assert_eq!(at(&texture, [0.1, 0.1, 0.9])[0], 0.0, "{dimension:?}");
    }
}

#[test]
fn comparisons_are_filtered_after_they_are_made() {
    let depths = [0.1_f32, 0.3].map(|depth| depth.to_le_bytes()).concat();
    let image = Image::from_levels(Dimension::D1, Format::Depth32F, Size::d1(2), &[&depths]);
    let sampler = Sampler {
        compare: Some(Compare::Greater),
        depth_mode: DepthMode::Luminance,
        mag: Filter::Linear,
        ..edge()
    };
    let texture = texture(image.unwrap(), sampler);
    let target = shadow(TextureShape::D1);
    // A quarter of the way from the first texel's centre to the second's.
    let value = |reference| {
        let coords = [0.375, 0.0, reference, 0.0];
        ask_floats(&texture, target, lookup(coords, None))[0]
    };
    assert_eq!(value(0.2), [0.25, 0.25, 0.25, 1.0]);
    assert_eq!(value(0.0), [1.0; 4]);
    assert_eq!(value(0.4), [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn references_are_limited_to_fractions_unless_depths_are_floats() {
    let compared = |format, bytes: &[u8], reference| {
        let image = Image::from_levels(Dimension::D2, format, Size::d2(1, 1), &[bytes]);
        let sampler = Sampler {
            compare: Some(Compare::GreaterEqual),
            depth_mode: DepthMode::Luminance,
            ..edge()
        };
        let texture = texture(image.unwrap(), sampler);
        let target: TextureTarget = shadow(TextureShape::D2);
        ask_floats(&texture, target, lookup([0.5, 0.5, reference, 0.0], None))[0][0]
    };
    assert_eq!(compared(Format::Depth16, &[0xff; 2], 3.0), 1.0);
    assert_eq!(compared(Format::Depth24, &[0xff; 4], 3.0), 1.0);
    let one = 1.0_f32.to_le_bytes();
    assert_eq!(compared(Format::R32F, &one, 3.0), 1.0);
    assert_eq!(compared(Format::Depth32F, &one, 3.0), 0.0);
    assert_eq!(compared(Format::Depth32F, &4.0_f32.to_le_bytes(), 3.0), 1.0);
}
