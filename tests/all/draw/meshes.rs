//! Meshes: vertex programs, clipping, and the inputs that their outputs become.

use attila_shader::draw::{
    ClipDepth, ColourImage, Cull, Draw, DrawError, FrontFace, Interpolation, Mesh, Varying,
    Viewport,
};
use attila_shader::machine::pipeline::{Blend, ColourFormat};
use attila_shader::machine::{VertexAttribute, VertexFormat};
use attila_shader::{Bindings, Engine, Program, Shader, Stage, VertexBuffers};

use super::common::shaders;

const WIDTH: u32 = 33;
const HEIGHT: u32 = 22;

fn image() -> ColourImage {
    ColourImage::new(ColourFormat::Rgba32F, WIDTH, HEIGHT)
}

/// The vertex and the fragment program, on every engine.
fn pairs(vertex: &str, fragment: &str) -> Vec<(Shader, Shader)> {
    let program = Program::assemble(vertex).unwrap().with_stage(Stage::Vertex);
    let program = program.validate().unwrap();
    let vertex = |engine: Engine| engine.prepare(&program).unwrap();
    let vertices = Engine::all().into_iter().map(vertex);
    vertices.zip(shaders(fragment)).collect()
}

fn bytes<const N: usize>(values: &[[f32; N]]) -> Vec<u8> {
    let flat = values.as_flattened().iter();
    flat.flat_map(|value| value.to_le_bytes()).collect()
}

fn floats(bytes: &[u8], components: usize) -> VertexAttribute<'_> {
    VertexAttribute::packed(bytes, VertexFormat::Float32, components)
}

/// A square over all of the view volume.
const SQUARE: [[f32; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
const HALVES: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

fn covered(image: &ColourImage) -> usize {
    let places = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
    let drawn = places.filter(|&(x, y)| image.pixel::<[f32; 4]>(x, y).unwrap() != [0.0; 4]);
    drawn.count()
}

#[test]
fn attributes_come_from_buffers_and_outputs_become_inputs() {
    let positions = bytes(&SQUARE);
    let buffers = VertexBuffers::new()
        .with(0, floats(&positions, 2))
        .with(9, floats(&positions, 2));
    for (vertex, fragment) in pairs("mov o0, i0 \n mov o7.xy, i9", "mov o1, i7") {
        let mut target = image();
        Draw::new(&fragment)
            .target(0, &mut target)
            .mesh(&Mesh::new(&vertex, &buffers, &HALVES))
            .unwrap();
        for (x, y) in [(0, 0), (32, 0), (5, 17), (32, 21)] {
            let [red, green, blue, alpha] = target.pixel::<[f32; 4]>(x, y).unwrap();
            let expected = [
                (x as f32 + 0.5) / 16.5 - 1.0,
                // Upwards.
                1.0 - (y as f32 + 0.5) / 11.0,
            ];
            assert!((red - expected[0]).abs() < 1e-5 && (green - expected[1]).abs() < 1e-5);
            // Not written by the vertex program.
            assert_eq!([blue, alpha], [0.0; 2]);
        }
    }
}

#[test]
fn programs_with_lda_get_the_indices() {
    let positions = bytes(&SQUARE);
    let buffers = VertexBuffers::new().with(3, floats(&positions, 2));
    let text = "lda o0, i0.x, t3 \n mov r0, i0 \n addi r0, r0, r0 \n mov o6, r0";
    let fragment = "setpgt p0, i15.w, 0.0 \n mov o1, i6";
    for (vertex, fragment) in pairs(text, fragment) {
        let mut target = image();
        Draw::new(&fragment)
            .varying(6, Varying::vertices(Interpolation::Flat))
            .target(0, &mut target)
            .mesh(&Mesh::new(&vertex, &buffers, &HALVES).instance(21))
            .unwrap();
        let lower = target.pixel::<[f32; 4]>(30, 20).unwrap().map(f32::to_bits);
        let upper = target.pixel::<[f32; 4]>(2, 1).unwrap().map(f32::to_bits);
        assert_eq!(lower, [4, 42, 0, 0]);
        assert_eq!(upper, [6, 42, 0, 0]);
    }
}

#[test]
fn the_first_colour_is_clamped_and_no_other_output() {
    let positions = bytes(&SQUARE);
    let buffers = VertexBuffers::new().with(0, floats(&positions, 2));
    let vertex = "mov o0, i0 \n sge r0, i0, i0 \n add o1, r0, r0 \n add o2, r0, r0";
    for (vertex, fragment) in pairs(vertex, "mov o1.xy, i1 \n mov o1.zw, i2") {
        let mut target = image();
        Draw::new(&fragment)
            .target(0, &mut target)
            .mesh(&Mesh::new(&vertex, &buffers, &HALVES))
            .unwrap();
        assert_eq!(
            target.pixel::<[f32; 4]>(9, 9).unwrap(),
            [1.0, 1.0, 2.0, 2.0]
        );
    }
}

#[test]
fn the_view_volume_cuts_at_the_near_and_the_far_plane() {
    // z from -2 at the left to 2 at the right.
    let positions = bytes(&SQUARE.map(|[x, y]| [x, y, 2.0 * x]));
    let buffers = VertexBuffers::new().with(0, floats(&positions, 3));
    for (vertex, fragment) in pairs("mov o0, i0", "mov o1, i0") {
        for (depth, columns) in [
            (ClipDepth::MinusOneToOne, 8..=24),
            (ClipDepth::ZeroToOne, 16..=24),
        ] {
            let mut target = image();
            Draw::new(&fragment)
                .target(0, &mut target)
                .mesh(&Mesh::new(&vertex, &buffers, &HALVES).clip_depth(depth))
                .unwrap();
            for x in 0..WIDTH {
                let drawn = target.pixel::<[f32; 4]>(x, 7).unwrap();
                assert_eq!(drawn != [0.0; 4], columns.contains(&x), "{x} {depth:?}");
                assert!((0.0..=1.0).contains(&drawn[2]));
            }
        }
    }
}

#[test]
fn a_floor_through_the_eye_is_seen_up_to_the_horizon() {
    // From z = 9, past the eye, to far away, one unit below it.
    let corners = [[-50.0, 9.0], [50.0, 9.0], [50.0, -1e4], [-50.0, -1e4]];
    let floor = bytes(&corners.map(|[x, z]: [f32; 2]| [x, -1.0, z]));
    let buffers = VertexBuffers::new().with(0, floats(&floor, 3));
    // Near plane at 0.5, and none far away.
    let text = "mov o0.xy, i0 \n add o0.z, -i0, -1.0 \n mov o0.w, -i0.z \n mov o6, i0";
    for (vertex, fragment) in pairs(text, "mov o1, i6") {
        let mut target = image();
        Draw::new(&fragment)
            .target(0, &mut target)
            .mesh(&Mesh::new(&vertex, &buffers, &HALVES))
            .unwrap();
        for y in 0..HEIGHT {
            let [_, height, depth, _] = target.pixel::<[f32; 4]>(16, y).unwrap();
            let down = (y as f32 + 0.5) / 11.0 - 1.0;
            if down < 0.0 {
                assert_eq!(height, 0.0);
            } else {
                assert!((height + 1.0).abs() < 1e-5);
                // The tolerance is that of the horizon's position.
                let off = (depth * down + 1.0) * (11.0 * down);
                assert!(off.abs() < 1.0 / 256.0, "{y}: {depth}");
            }
        }
    }
}

/// Triangles around the eye in all directions, many of which have to be cut.
fn sphere(rings: u32) -> (Vec<u8>, Vec<[u32; 3]>) {
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    for ring in 0..=rings {
        for step in 0..rings {
            let up = std::f32::consts::PI * ring as f32 / rings as f32;
            let around = std::f32::consts::TAU * step as f32 / rings as f32;
            points.push([up.sin() * around.cos(), up.cos(), up.sin() * around.sin()]);
            if ring < rings {
                let next = (step + 1) % rings;
                let [a, b] = [ring * rings + step, ring * rings + next];
                triangles.extend([[a, b, a + rings], [b, b + rings, a + rings]]);
            }
        }
    }
    (bytes(&points), triangles)
}

#[test]
fn cut_meshes_have_no_gaps_and_do_not_meet() {
    let (points, triangles) = sphere(12);
    let buffers = VertexBuffers::new().with(0, floats(&points, 3));
    let one = Blend::ADD;
    // From a point inside, through a near plane close by.
    let text = "add r0, i0, c0 \n dp3 o0.x, r0, c1 \n dp3 o0.y, r0, c2 \n dp3 r1, r0, c3 \n \
                add o0.z, r1, -0.02 \n mov o0.w, r1";
    for (vertex, fragment) in pairs(text, "sge o1, i0, i0") {
        for (eye, size) in [(0.0, 1.0), (0.3, 2.0), (0.6, 0.2)] {
            let bindings = Bindings::new()
                .with_constant(0, [eye, -eye / 2.0, eye / 3.0, 0.0])
                .with_constant(1, [0.8 * size, 0.0, -0.6 * size, 0.0])
                .with_constant(2, [0.0, size, 0.0, 0.0])
                .with_constant(3, [0.6, 0.0, 0.8, 0.0]);
            let mut target = image();
            Draw::new(&fragment)
                .target(0, &mut target)
                .blend(0, one)
                .mesh(&Mesh::new(&vertex, &buffers, &triangles).bindings(&bindings))
                .unwrap();
            for (x, y) in (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))) {
                assert_eq!(
                    target.pixel::<[f32; 4]>(x, y).unwrap(),
                    [1.0; 4],
                    "{x} {y} from {eye}"
                );
            }
        }
    }
}

#[test]
fn positions_that_are_no_place_leave_the_rest() {
    let mut corners = SQUARE.map(|[x, y]| [x, y, 0.0, 1.0]);
    for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for component in 0..4 {
            corners[3][component] = wrong;
            let positions = bytes(&corners);
            let buffers = VertexBuffers::new().with(0, floats(&positions, 4));
            for (vertex, fragment) in pairs("mov o0, i0", "sge o1, i0, i0") {
                let mut target = image();
                Draw::new(&fragment)
                    .target(0, &mut target)
                    .mesh(&Mesh::new(&vertex, &buffers, &HALVES))
                    .unwrap();
                assert_eq!(covered(&target), (WIDTH * HEIGHT / 2) as usize);
            }
        }
    }
}

#[test]
fn viewports_and_culling_go_together() {
    let positions = bytes(&SQUARE);
    let buffers = VertexBuffers::new().with(0, floats(&positions, 2));
    for (vertex, fragment) in pairs("mov o0, i0", "sge o1, i0, i0") {
        for (y_down, shown) in [(false, 40), (true, 0)] {
            let viewport = Viewport {
                y_down,
                ..Viewport::new(4.0, 6.0, 8.0, 5.0)
            };
            let mut target = image();
            Draw::new(&fragment)
                .target(0, &mut target)
                .cull(Cull::Back, FrontFace::CounterClockwise)
                .mesh(&Mesh::new(&vertex, &buffers, &HALVES).viewport(viewport))
                .unwrap();
            assert_eq!(covered(&target), shown);
        }
    }
}

#[test]
fn engines_and_threads_do_not_change_a_byte() {
    // More than one thread sets up at once.
    let (points, triangles) = sphere(60);
    let buffers = VertexBuffers::new().with(0, floats(&points, 3));
    let text = "mul r0, i0, 1.7 \n mul r0.z, r0, 0.1 \n mov r0.w, i0.z \n add o0, r0, 0.3 \n \
                sin o6, i0.x \n mov o7, i0";
    let mut images = Vec::new();
    for (vertex, fragment) in pairs(text, "mul r0, i6, i7 \n mul o1, r0, i15.w") {
        for threads in [1, 2, 3] {
            let mut target = ColourImage::new(ColourFormat::Rgba16F, 131, 117);
            Draw::new(&fragment)
                .target(0, &mut target)
                .threads(threads)
                .mesh(&Mesh::new(&vertex, &buffers, &triangles))
                .unwrap();
            images.push(target.bytes().to_vec());
        }
    }
    assert!(images[0].iter().any(|byte| *byte != 0));
    assert!(images.windows(2).all(|pair| pair[0] == pair[1]));
}

/// A vertex program, a fragment program, the triangles of a square, and the error.
const WRONG_MESHES: [(&str, &str, [[u32; 3]; 2], &str); 5] = [
    (
        "mov o6, i0",
        "mov o1, i6",
        HALVES,
        "the vertex program does not write the position, o0",
    ),
    (
        "mov o0, i0",
        "mov o1, i6",
        HALVES,
        "input i6 is a vertex attribute that the vertices do not have",
    ),
    (
        "mov o0, i0 \n mov o6, i8",
        "mov o1, i6",
        HALVES,
        "the vertex program reads i8, which has no buffer",
    ),
    (
        "mov o0, i0 \n mov o6, i0",
        "mov o1, i6",
        [[0, 1, 2], [0, 7, 3]],
        "primitive 1 uses vertex 7; the mesh has 4",
    ),
    (
        "again: setplt p0, r0.x, 1.0 \n jmp p0, again \n mov o0, i0",
        "mov o1, i0",
        HALVES,
        "the jump at instruction 1 took more than 9 backward jumps \
         in one of the vertices 0, 1, 2, 3",
    ),
];

#[test]
fn errors_of_a_mesh_are_found_before_anything_is_drawn() {
    let positions = bytes(&SQUARE);
    let buffers = VertexBuffers::new().with(0, floats(&positions, 2));
    for (vertex, fragment, triangles, message) in &WRONG_MESHES {
        for (vertex, fragment) in pairs(vertex, fragment) {
            let mut target = image();
            let bindings = Bindings::new().with_loop_budget(9);
            let mesh = Mesh::new(&vertex, &buffers, triangles).bindings(&bindings);
            let varying = Varying::vertices(Default::default());
            let draw = Draw::new(&fragment)
                .varying(6, varying)
                .target(0, &mut target);
            let error = draw.mesh(&mesh).unwrap_err();
            assert!(matches!(error, DrawError::Vertices(_)));
            assert_eq!(&error.to_string(), message);
            assert!(target.bytes().iter().all(|byte| *byte == 0));
        }
    }
}

#[test]
fn fragment_programs_shade_no_vertices() {
    let positions = bytes(&SQUARE);
    let buffers = VertexBuffers::new().with(0, floats(&positions, 2));
    for fragment in shaders("mov o0, i0") {
        let mut target = image();
        let draw = Draw::new(&fragment).target(0, &mut target);
        let error = draw
            .mesh(&Mesh::new(&fragment, &buffers, &HALVES))
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "the vertex program is a fragment program"
        );
    }
}
