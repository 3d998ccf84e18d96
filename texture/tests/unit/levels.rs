//! Levels of detail: explicit gradients, offsets, and the query.

use attila_isa::{Stage, TextureShape};
use attila_machine::{Gradients, LANES, LaneMask, LevelOfDetail, Lookup, TextureQuery, to_lanes};
use attila_texture::{Coordinates, Dimension, Filter, MipMode, Sampler, Size, Texture, Wrap};

use crate::common::{Colour, across, ask_floats, coded_image, edge, linear, named, texture};

/// A sampler that takes the nearest of all levels.
fn mipped() -> Sampler {
    Sampler {
        mip: MipMode::Nearest,
        ..edge()
    }
}

fn sample(coords: [[f32; 4]; LANES], level: LevelOfDetail, offset: Option<[i32; 3]>) -> Lookup {
    Lookup::Sample {
        coords: across(coords),
        projected: false,
        level,
        reference: None,
        offset: offset.map(|offset| offset.map(|texels| [texels; LANES])),
    }
}

/// Samples with derivatives for each lane.
fn with_gradients(
    texture: &Texture,
    coords: [f32; 4],
    steps: [[[f32; 3]; 2]; LANES],
) -> [Colour; LANES] {
    let gradients = Gradients {
        dx: across(steps.map(|[dx, _]| dx)),
        dy: across(steps.map(|[_, dy]| dy)),
    };
    let level = LevelOfDetail::Gradients(gradients);
    let kind = texture.image().dimension().kind();
    ask_floats(texture, named(kind), sample([coords; LANES], level, None))
}

/// The levels that four lanes sample whose coordinates move by these texels of level 0 along x.
fn levels_of(dimension: Dimension, size: Size, axis: usize, texels: [f32; LANES]) -> [f32; LANES] {
    let texture = texture(coded_image(dimension, size), mipped());
    let steps = texels.map(|texels| {
        let mut dx = [0.0; 3];
        dx[axis] = texels / size.axes()[axis] as f32;
        [dx, [0.0; 3]]
    });
    with_gradients(&texture, [0.5, 0.5, 0.5, 0.0], steps).map(|colour| colour[3])
}

#[test]
fn every_lane_has_the_level_of_its_own_gradients() {
    let texels = [1.0, 2.0, 4.0, 8.0];
    let want = [0.0, 1.0, 2.0, 3.0];
    assert_eq!(levels_of(Dimension::D1, Size::d1(16), 0, texels), want);
    for axis in 0..2 {
        let flat = levels_of(Dimension::D2, Size::d2(16, 32), axis, texels);
        assert_eq!(flat, want);
        let layers = Dimension::D2Array { layers: 3 };
        assert_eq!(levels_of(layers, Size::d2(16, 16), axis, texels), want);
    }
    for axis in 0..3 {
        let deep = levels_of(Dimension::D3, Size::d3(16, 16, 16), axis, texels);
        assert_eq!(deep, want);
    }
    let rows = Dimension::D1Array { layers: 3 };
    assert_eq!(levels_of(rows, Size::d1(16), 0, texels), want);
    // The gradient along an axis that is a layer has no effect.
    assert_eq!(
        levels_of(
            Dimension::D2Array { layers: 9 },
            Size::d2(16, 16),
            2,
            [9.0; 4]
        ),
        [0.0; 4]
    );
}

#[test]
fn gradients_replace_the_differences_between_lanes() {
    let texture = texture(coded_image(Dimension::D2, Size::d2(16, 16)), mipped());
    let apart = [[0.0; 4], [0.5; 4], [0.9; 4], [0.1; 4]];
    let still = LevelOfDetail::Gradients(Gradients {
        dx: [[0.0; LANES]; 3],
        dy: [[0.0; LANES]; 3],
    });
    let target = named(TextureShape::D2);
    let levels = ask_floats(&texture, target, sample(apart, still, None)).map(|colour| colour[3]);
    assert_eq!(levels, [0.0; LANES]);
    let derived = LevelOfDetail::Implicit;
    let levels = ask_floats(&texture, target, sample(apart, derived, None)).map(|colour| colour[3]);
    assert_eq!(levels, [4.0; LANES]);
}

#[test]
fn gradients_count_in_vertex_programs_too() {
    let texture = texture(coded_image(Dimension::D1, Size::d1(16)), mipped());
    let level = LevelOfDetail::Gradients(Gradients {
        dx: [[0.25; LANES], [0.0; LANES], [0.0; LANES]],
        dy: [[0.0; LANES]; 3],
    });
    let query = TextureQuery {
        unit: 0,
        target: named(TextureShape::D1),
        lookup: sample([[0.5; 4]; LANES], level, None),
        stage: Stage::Vertex,
        active: LaneMask::all(),
    };
    let colours = to_lanes(&texture.answer(&query));
    assert_eq!(
        colours.map(|colour| f32::from_bits(colour[3])),
        [2.0; LANES]
    );
    assert_eq!(texture.levels(&query), Some([2.0; LANES]));
}

#[test]
fn gradients_of_directions_count_on_the_face() {
    let texture = texture(coded_image(Dimension::Cube, Size::cube(16)), mipped());
    let level = |direction: [f32; 3], dx: [f32; 3]| {
        let [x, y, z] = direction;
        with_gradients(&texture, [x, y, z, 0.0], [[dx, [0.0; 3]]; LANES])[0][3]
    };
    // On +X, s = (1 - z/x)/2: a step of z by -0.5 is a quarter of the side, 4 texels.
    assert_eq!(level([1.0, 0.0, 0.0], [0.0, 0.0, -0.5]), 2.0);
    // Twice as far away it is half as much.
    assert_eq!(level([2.0, 0.0, 0.0], [0.0, 0.0, -0.5]), 1.0);
    // A step along the axis moves nothing in the middle of the face, and the edge by as much.
    assert_eq!(level([1.0, 0.0, 0.0], [0.5, 0.0, 0.0]), 0.0);
    assert_eq!(level([1.0, 0.0, 0.9], [0.5, 0.0, 0.0]), 2.0);
    // So on -Y, where t = (1 + z/y)/2.
    assert_eq!(level([0.0, -1.0, 0.0], [0.0, 0.0, 0.5]), 2.0);
    assert_eq!(level([0.0, -1.0, 0.9], [0.0, -0.5, 0.0]), 2.0);
}

#[test]
fn gradients_make_an_anisotropic_footprint_for_each_lane() {
    let sampler = Sampler {
        max_anisotropy: 4,
        mip: MipMode::Nearest,
        ..linear()
    };
    let texture = texture(coded_image(Dimension::D2, Size::d2(64, 64)), sampler);
    let texel = 1.0 / 64.0;
    let wide = [[8.0 * texel, 0.0, 0.0], [0.0, 2.0 * texel, 0.0]];
    let round = [[2.0 * texel, 0.0, 0.0], [0.0, 2.0 * texel, 0.0]];
    let steps = [wide, round, wide, round];
    let colours = with_gradients(&texture, [0.5, 0.5, 0.0, 0.0], steps);
    // Four samples of level 1 along x, not one of level 3; their average is the middle.
    assert_eq!(colours.map(|colour| colour[3]), [1.0; LANES]);
    assert!(colours.iter().all(|colour| (colour[0] - 15.5).abs() < 1e-4));
}

#[test]
fn offsets_are_texels_of_the_level_and_are_added_before_wrapping() {
    let at = |texture: &Texture, coords: [f32; 4], lod: f32, offset: [i32; 3]| {
        let level = LevelOfDetail::Explicit([lod; LANES]);
        let kind = texture.image().dimension().kind();
        ask_floats(
            texture,
            named(kind),
            sample([coords; LANES], level, Some(offset)),
        )[0]
    };
    let repeated = Sampler {
        wrap: [Wrap::Repeat, Wrap::ClampToEdge, Wrap::Repeat],
        ..mipped()
    };
    let flat = texture(coded_image(Dimension::D2, Size::d2(8, 8)), repeated);
    let middle = [0.5625, 0.5625, 0.0, 0.0];
    assert_eq!(at(&flat, middle, 0.0, [1, -2, 0]), [5.0, 2.0, 0.0, 0.0]);
    assert_eq!(at(&flat, middle, 0.0, [5, 5, 0]), [1.0, 7.0, 0.0, 0.0]);
    assert_eq!(at(&flat, middle, 1.0, [1, -2, 0]), [3.0, 0.0, 0.0, 1.0]);
    assert_eq!(at(&flat, middle, 0.0, [0, 0, 5]), [4.0, 4.0, 0.0, 0.0]);
    let deep = texture(coded_image(Dimension::D3, Size::d3(8, 8, 8)), repeated);
    assert_eq!(at(&deep, [0.5625; 4], 0.0, [0, 1, 6]), [4.0, 5.0, 2.0, 0.0]);
    // An odd size, where 1/n is not exact.
    let odd = texture(coded_image(Dimension::D1, Size::d1(7)), edge());
    for (column, offset) in [(0, 3), (6, -6), (3, 2), (5, 1)] {
        let s = (column as f32 + 0.5) / 7.0;
        let red = at(&odd, [s, 0.0, 0.0, 0.0], 0.0, [offset, 0, 0])[0];
        assert_eq!(red, (column + offset) as f32);
    }
    let mixed = texture(coded_image(Dimension::D1, Size::d1(8)), linear());
    assert_eq!(at(&mixed, [0.5, 0.0, 0.0, 0.0], 0.0, [2, 0, 0])[0], 5.5);
    let rect = texture(coded_image(Dimension::Rect, Size::d2(8, 8)), edge());
    assert_eq!(
        at(&rect, [2.5, 2.5, 0.0, 0.0], 0.0, [3, -1, 0]),
        [5.0, 1.0, 0.0, 0.0]
    );
    let rows = texture(
        coded_image(Dimension::D1Array { layers: 3 }, Size::d1(8)),
        edge(),
    );
    assert_eq!(
        at(&rows, [0.5625, 1.0, 0.0, 0.0], 0.0, [1, 1, 1]),
        [5.0, 0.0, 1.0, 0.0]
    );
}

#[test]
fn offsets_are_texels_of_smaller_levels_where_coordinates_are_texels_of_level_0() {
    let sampler = Sampler {
        coordinates: Coordinates::Texels,
        ..mipped()
    };
    let texture = texture(coded_image(Dimension::D2, Size::d2(8, 8)), sampler);
    let level = LevelOfDetail::Explicit([1.0; LANES]);
    let lookup = sample([[2.5, 4.5, 0.0, 0.0]; LANES], level, Some([2, -1, 0]));
    let colours = ask_floats(&texture, named(TextureShape::D2), lookup);
    assert_eq!(colours, [[3.0, 1.0, 0.0, 1.0]; LANES]);
}

/// The level and the level of detail of a quad whose right lane is so many texels away.
fn queried(sampler: Sampler, texels: f32, stage: Stage) -> [f32; 2] {
    let texture = texture(coded_image(Dimension::D2, Size::d2(64, 64)), sampler);
    let right = 0.5 + texels / 64.0;
    let query = TextureQuery {
        unit: 0,
        target: named(TextureShape::D2),
        lookup: Lookup::LevelOfDetail {
            coords: across([0.5, right, 0.5, right].map(|s| [s, 0.5, 0.0, 0.0])),
        },
        stage,
        active: LaneMask::all(),
    };
    let lanes = to_lanes(&texture.answer(&query)).map(|lane| lane.map(f32::from_bits));
    assert!(
        lanes
            .iter()
            .all(|lane| *lane == lanes[0] && lane[2..] == [0.0; 2])
    );
    [lanes[0][0], lanes[0][1]]
}

#[test]
fn the_query_gives_the_level_after_limits_and_the_level_of_detail_before() {
    let fragment = |sampler, texels| queried(sampler, texels, Stage::Fragment);
    let trilinear = Sampler {
        mip: MipMode::Linear,
        ..linear()
    };
    assert_eq!(fragment(trilinear, 8.0), [3.0, 3.0]);
    assert_eq!(fragment(trilinear, 0.25), [0.0, -2.0]);
    assert_eq!(fragment(trilinear, 1024.0), [6.0, 10.0]);
    let [level, lod] = fragment(trilinear, 6.0);
    assert!(level == lod && (lod - 6.0_f32.log2()).abs() < 1e-6);
    // The nearest level is whole.
    assert_eq!(fragment(mipped(), 6.0)[0], 3.0);
    assert_eq!(fragment(mipped(), 5.0)[0], 2.0);
    // Without levels, and without any need of a level of detail.
    assert_eq!(fragment(edge(), 8.0), [0.0, 3.0]);
    // The bias counts, and levels are counted from the base level.
    let limited = Sampler {
        lod_bias: 0.5,
        lod_min: 1.0,
        lod_max: 2.25,
        ..trilinear
    };
    assert_eq!(fragment(limited, 8.0), [2.25, 3.5]);
    assert_eq!(fragment(limited, 1.0), [1.0, 0.5]);
    let based = Sampler {
        base_level: 2,
        max_level: 4,
        ..trilinear
    };
    assert_eq!(fragment(based, 2.0), [1.0, 1.0]);
    assert_eq!(fragment(based, 1024.0), [2.0, 10.0]);
}

#[test]
fn the_query_of_a_quad_that_does_not_move_is_infinite_and_0_without_neighbours() {
    let trilinear = Sampler {
        mip: MipMode::Linear,
        min: Filter::Linear,
        ..edge()
    };
    let still = [0.0, f32::NEG_INFINITY];
    assert_eq!(queried(trilinear, 0.0, Stage::Fragment), still);
    assert_eq!(queried(trilinear, 8.0, Stage::Vertex), [0.0, 0.0]);
}
