//! The set-up of triangles: distances from planes, colours of two sides, and components that wrap.

use attila_shader::draw::{
    ColourImage, Cull, Draw, DrawError, FrontFace, Interpolation, Mesh, Unsupported, Varying,
    VertexError, Vertices,
};
use attila_shader::isa::Slots;
use attila_shader::machine::pipeline::{Blend, BlendEquation, BlendFactor, BlendOp, ColourFormat};
use attila_shader::machine::{SampleCount, VertexAttribute, VertexFormat};
use attila_shader::{Engine, Program, Shader, Stage, VertexBuffers};

use super::common::shaders;

const SIZE: u32 = 16;

/// Two triangles over all of the targets, 1/w from 1 at the left to 1/2 at the right.
const CORNERS: [[f32; 4]; 4] = [
    [0.0, 0.0, 0.5, 1.0],
    [16.0, 0.0, 0.5, 0.5],
    [16.0, 16.0, 0.5, 0.5],
    [0.0, 16.0, 0.5, 1.0],
];
const HALVES: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

/// Adds to what is there.
const ADD: Blend = {
    let equation = BlendEquation {
        op: BlendOp::Add,
        src: BlendFactor::One,
        dst: BlendFactor::One,
    };
    Blend {
        colour: equation,
        alpha: equation,
    }
};

fn image() -> ColourImage {
    ColourImage::new(ColourFormat::Rgba32F, SIZE, SIZE)
}

fn red(image: &ColourImage, x: u32, y: u32) -> f32 {
    image.pixel::<[f32; 4]>(x, y).unwrap()[0]
}

/// The same value at all corners in all components.
const fn alike(values: [f32; 4]) -> [[f32; 4]; 4] {
    let [a, b, c, d] = values;
    [[a; 4], [b; 4], [c; 4], [d; 4]]
}

/// Draws ones with these distances as attribute 9.
fn draw_with(distances: &[[f32; 4]; 4], told: impl Fn(Draw<'_>) -> Draw<'_>) -> Vec<ColourImage> {
    let vertices = Vertices::new(&CORNERS).with(9, distances);
    let drawn = shaders("sge o1, i0, i0").into_iter().map(|shader| {
        let mut target = image();
        let draw = told(Draw::new(&shader)).target(0, &mut target);
        draw.blend(0, ADD).triangles(&vertices, &HALVES).unwrap();
        target
    });
    drawn.collect()
}

#[test]
fn triangles_are_cut_where_a_distance_is_0_in_space() {
    // 1 at the left and -1 at the right is 0 where 1/w is 2/3: after two thirds of the way.
    let distances = alike([1.0, -1.0, -1.0, 1.0]);
    for target in draw_with(&distances, |draw| draw.clip_distances(9, Slots::Y)) {
        for x in 0..SIZE {
            let expected = f32::from((f64::from(x) + 0.5) < 32.0 / 3.0);
            assert_eq!(red(&target, x, 7), expected, "{x}");
        }
    }
}

#[test]
fn parts_on_both_sides_of_a_plane_fit_together() {
    let distances = [
        [1.0, -1.0, 0.0, 0.0],
        [-0.25, 0.25, 0.0, 0.0],
        [-3.0, 3.0, 0.0, 0.0],
        [0.5, -0.5, 0.0, 0.0],
    ];
    let vertices = Vertices::new(&CORNERS).with(9, &distances);
    for shader in shaders("sge o1, i0, i0") {
        let mut target = image();
        for side in [Slots::X, Slots::Y] {
            let draw = Draw::new(&shader).target(0, &mut target).blend(0, ADD);
            let drawn = draw.clip_distances(9, side).triangles(&vertices, &HALVES);
            drawn.unwrap();
        }
        for (x, y) in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y))) {
            assert_eq!(red(&target, x, y), 1.0, "({x}, {y})");
        }
    }
}

#[test]
fn samples_are_cut_as_pixels_are() {
    // 0 in the middle of a pixel, of which two samples are on each side.
    let distances = alike([7.5, -8.5, -8.5, 7.5]);
    let flat = CORNERS.map(|[x, y, z, _]| [x, y, z, 1.0]);
    let vertices = Vertices::new(&flat).with(9, &distances);
    for shader in shaders("sge o1, i0, i0") {
        let mut target = ColourImage::multisampled(ColourFormat::Rgba32F, 15, 4, SampleCount::Four);
        let draw = Draw::new(&shader).target(0, &mut target);
        draw.clip_distances(9, Slots::X)
            .triangles(&vertices, &HALVES)
            .unwrap();
        let mut resolved = ColourImage::new(ColourFormat::Rgba32F, 15, 4);
        target.resolve_to(&mut resolved).unwrap();
        let row = [6, 7, 8].map(|x| resolved.pixel::<[f32; 4]>(x, 1).unwrap()[0]);
        assert_eq!(row, [1.0, 0.5, 0.0]);
    }
}

#[test]
fn distances_that_are_infinite_or_nan_cut_too() {
    let (most, nan) = (f32::INFINITY, f32::NAN);
    let inside = alike([0.0, -0.0, most, 0.0]);
    for target in draw_with(&inside, |draw| draw.clip_distances(9, Slots::X)) {
        assert_eq!(red(&target, 15, 8), 1.0);
    }
    for outside in [alike([-most; 4]), alike([nan; 4]), alike([-1e-30; 4])] {
        for target in draw_with(&outside, |draw| draw.clip_distances(9, Slots::X)) {
            assert_eq!(target.pixel::<[f32; 4]>(3, 3), Some([0.0; 4]));
        }
    }
    for target in draw_with(&alike([most, nan, nan, most]), |draw| {
        draw.clip_distances(9, Slots::X)
    }) {
        assert_eq!(red(&target, 1, 8), 1.0);
        assert_eq!(red(&target, 15, 8), 0.0);
    }
}

#[test]
fn several_distances_leave_what_all_of_them_do() {
    let distances = [
        [1.0, 1.0, 1.0, 1.0],
        [-1.0, 1.0, 1.0, 1.0],
        [-1.0, -1.0, 1.0, 1.0],
        [1.0, -1.0, 1.0, 1.0],
    ];
    for target in draw_with(&distances, |draw| draw.clip_distances(9, Slots::all())) {
        assert_eq!(red(&target, 1, 1), 1.0);
        assert_eq!(red(&target, 14, 1), 0.0);
        assert_eq!(red(&target, 1, 14), 0.0);
        assert_eq!(red(&target, 14, 14), 0.0);
    }
}

#[test]
fn a_triangle_is_left_out_if_a_cull_distance_is_outside_at_all_its_vertices() {
    // The second triangle has vertices 0, 2 and 3.
    let distances = alike([-1.0, 0.0, f32::NAN, -f32::INFINITY]);
    for target in draw_with(&distances, |draw| draw.cull_distances(9, Slots::Z)) {
        assert_eq!(red(&target, 14, 2), 1.0);
        assert_eq!(red(&target, 2, 14), 0.0);
    }
}

#[test]
fn distances_that_no_vertex_has_or_that_are_too_many_are_errors() {
    let shader = &shaders("sge o1, i0, i0")[0];
    let vertices = Vertices::new(&CORNERS);
    let mut target = image();
    let error = |draw: Draw<'_>, target: &mut ColourImage| {
        let drawn = draw.target(0, target).triangles(&vertices, &HALVES);
        drawn.unwrap_err()
    };
    let draw = Draw::new(shader).clip_distances(9, Slots::X);
    let missing = error(draw, &mut target);
    let expected = VertexError::MissingAttribute(9);
    assert!(matches!(missing, DrawError::Vertices(it) if it == expected));
    let all = Slots::all();
    let draw = Draw::new(shader).clip_distances(9, all);
    let draw = draw.clip_distances(10, all).clip_distances(11, Slots::X);
    assert!(matches!(error(draw, &mut target), DrawError::Distances));
    let draw = Draw::new(shader).cull_distances(64, Slots::X);
    assert!(matches!(
        error(draw, &mut target),
        DrawError::InputIndex(64)
    ));
    let draw = Draw::new(shader)
        .cull_distances(9, Slots::X)
        .target(0, &mut target);
    let error = draw.rect(0..4, 0..4).unwrap_err();
    let expected = Unsupported::DistanceWithoutVertices(9);
    assert!(matches!(error, DrawError::Unsupported(it) if it == expected));
}

/// A triangle over all of the targets, and the same turned over.
const SIDES: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 1]];
const LARGE: [[f32; 4]; 3] = [
    [0.0, 0.0, 0.5, 1.0],
    [0.0, 32.0, 0.5, 1.0],
    [32.0, 0.0, 0.5, 1.0],
];

#[test]
fn colours_of_backs_take_the_place_of_those_of_fronts_where_vertices_have_them() {
    let (front, second, back) = ([[1.0; 4]; 3], [[2.0; 4]; 3], [[3.0; 4]; 3]);
    let vertices = Vertices::new(&LARGE)
        .with(1, &front)
        .with(2, &second)
        .with(3, &back)
        .with(6, &second);
    for kind in [
        Interpolation::Perspective,
        Interpolation::Linear,
        Interpolation::Flat,
    ] {
        for shader in shaders("mov o1.x, i1 \n mov o1.y, i2 \n mov o1.z, i6 \n mov o1.w, i15") {
            for (two_sided, clockwise, expected) in [
                (true, false, [[1.0, 2.0, 2.0], [3.0, 2.0, 2.0]]),
                (true, true, [[3.0, 2.0, 2.0], [1.0, 2.0, 2.0]]),
                (false, false, [[1.0, 2.0, 2.0]; 2]),
            ] {
                for (triangle, expected) in SIDES.into_iter().zip(expected) {
                    let face = match clockwise {
                        true => FrontFace::Clockwise,
                        false => FrontFace::CounterClockwise,
                    };
                    let mut target = image();
                    Draw::new(&shader)
                        .target(0, &mut target)
                        .varying(1, Varying::vertices(kind))
                        .two_sided(two_sided)
                        .cull(Cull::None, face)
                        .triangles(&vertices, &[triangle])
                        .unwrap();
                    let [x, y, z, area] = target.pixel::<[f32; 4]>(9, 9).unwrap();
                    assert_eq!([x, y, z], expected);
                    assert_eq!(area > 0.0, (triangle == SIDES[0]) != clockwise);
                }
            }
        }
    }
}

fn pairs(vertex: &str, fragment: &str) -> Vec<(Shader, Shader)> {
    let program = Program::assemble(vertex).unwrap().with_stage(Stage::Vertex);
    let program = program.validate().unwrap();
    let vertex = |engine: Engine| engine.prepare(&program).unwrap();
    let vertices = Engine::all().into_iter().map(vertex);
    vertices.zip(shaders(fragment)).collect()
}

#[test]
fn meshes_have_distances_and_two_sides_and_clamp_the_colour_that_is_seen() {
    let corners: [[f32; 2]; 3] = [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]];
    let corners = corners.as_flattened().iter();
    let corners: Vec<u8> = corners.flat_map(|value| value.to_le_bytes()).collect();
    let corners = VertexAttribute::packed(&corners, VertexFormat::Float32, 2);
    let buffers = VertexBuffers::new().with(0, corners);
    let vertex = "mov o0, i0 \n mov o1, c0 \n mov o3, c1 \n mov o9, i0";
    for (vertex, fragment) in pairs(vertex, "mov o1, i1") {
        for (triangle, clamps, expected) in [
            ([0, 1, 2], true, 1.0),
            ([0, 2, 1], true, 1.0),
            ([0, 1, 2], false, 2.0),
            ([0, 2, 1], false, 3.0),
        ] {
            let bindings = attila_shader::Bindings::new()
                .with_constant(0, [2.0; 4])
                .with_constant(1, [3.0, -1.0, 0.5, 1.0]);
            let mut target = image();
            let triangles = [triangle];
            let mesh = Mesh::new(&vertex, &buffers, &triangles).bindings(&bindings);
            Draw::new(&fragment)
                .target(0, &mut target)
                .two_sided(true)
                .clip_distances(9, Slots::X)
                .mesh(&mesh.clamp_colour(clamps))
                .unwrap();
            assert_eq!(red(&target, 12, 3), expected);
            assert_eq!(red(&target, 3, 3), 0.0);
        }
    }
}

#[test]
fn components_go_the_shorter_way_round_a_cylinder() {
    let coordinates = [
        [0.875, 0.875, 0.125, 0.5],
        [0.125, 0.125, 0.875, 0.5],
        [0.125, 0.125, 0.875, 0.5],
        [0.875, 0.875, 0.125, 0.5],
    ];
    let flat = CORNERS.map(|[x, y, z, _]| [x, y, z, 1.0]);
    for (corners, middle) in [(&flat, 0.5), (&CORNERS, 1.0 / 3.0)] {
        let vertices = Vertices::new(corners).with(6, &coordinates);
        for shader in shaders("mov o1, i6") {
            let varying = Varying::vertices(Interpolation::Perspective);
            let mut target = image();
            Draw::new(&shader)
                .target(0, &mut target)
                .varying(6, varying.cylindrical(Slots::X | Slots::Z))
                .triangles(&vertices, &HALVES)
                .unwrap();
            let [a, b] = [7, 8].map(|x| target.pixel::<[f32; 4]>(x, 3).unwrap());
            let mean: Vec<f32> = a.iter().zip(b).map(|(a, b)| (a + b) / 2.0).collect();
            let expected = [
                0.875 + 0.25 * middle,
                0.875 - 0.75 * middle,
                1.125 - 0.25 * middle,
                0.5,
            ];
            for (mean, expected) in mean.iter().zip(expected) {
                assert!((mean - expected).abs() < 0.002, "{mean} for {expected}");
            }
        }
    }
}

#[test]
fn parts_of_a_triangle_wrap_as_the_triangle_does() {
    // Parts alone would wrap otherwise: the corners of some have values more than a half apart.
    let coordinates = alike([0.0, 0.45, 0.45, 0.0]).map(|it| it.map(|value| 2.0 * value - 0.45));
    let distances = alike([1.0, -1.0, 1.0, 1.0]);
    let whole = Vertices::new(&CORNERS).with(6, &coordinates);
    let cut = whole.with(9, &distances);
    for shader in shaders("mov o1, i6") {
        let [mut all, mut part] = [image(), image()];
        let varying = Varying::vertices(Interpolation::Linear).cylindrical(Slots::all());
        let draw = || Draw::new(&shader).varying(6, varying);
        let drawn = draw().target(0, &mut all).triangles(&whole, &HALVES);
        drawn.unwrap();
        let draw = draw().clip_distances(9, Slots::X).target(0, &mut part);
        draw.triangles(&cut, &HALVES).unwrap();
        for (x, y) in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y))) {
            let (all, part) = (red(&all, x, y), red(&part, x, y));
            assert!(
                part == 0.0 || (all - part).abs() < 1e-4,
                "({x}, {y}): {part} of {all}"
            );
        }
    }
}

#[test]
fn only_attributes_of_vertices_go_round_a_cylinder() {
    let shader = &shaders("mov o1, i6")[0];
    let mut target = image();
    let varying = Varying::flat([0.0; 4]).cylindrical(Slots::X);
    let draw = Draw::new(shader).target(0, &mut target).varying(6, varying);
    let error = draw.rect(0..4, 0..4).unwrap_err();
    let expected = Unsupported::WrapWithoutVertices(6);
    assert!(matches!(error, DrawError::Unsupported(it) if it == expected));
}
