//! Sizes, pitches, counts and indices that are 0, or as large as their types allow.

use attila_shader::draw::{
    Buffer, ColourBuffer, ColourImage, DepthImage, DepthState, Draw, DrawError, Frame, Mesh,
    PixelFormat, Quad, Varying, Vertices,
};
use attila_shader::machine::pipeline::{ColourFormat, Compare, DepthFormat};
use attila_shader::machine::{LaneMask, VertexAttribute, VertexFormat};
use attila_shader::{Bindings, Engine, Program, Shader, Stage, VertexBuffers};

use super::common::{plane, shaders};

fn copies() -> Vec<Shader> {
    shaders("mov o1, i6")
}

const CORNERS: [[f32; 4]; 3] = [
    [0.0, 0.0, 0.5, 1.0],
    [9.0, 0.0, 0.5, 1.0],
    [0.0, 9.0, 0.5, 1.0],
];

/// Draws in every way: the results.
fn drawn_in_every_way(
    shader: &Shader,
    targets: impl for<'a> Fn(Frame<'a>, &'a mut [u8], &'a mut [u8]) -> Frame<'a>,
    depth: bool,
) -> Vec<Result<(), DrawError>> {
    let bindings = Bindings::new();
    let quad = Quad {
        x: 0,
        y: 0,
        coverage: LaneMask::all(),
    };
    let mut image = ColourImage::new(ColourFormat::Rgba8, 1, 1);
    let mut depths = DepthImage::new(DepthFormat::D24, 1, 1);
    let mut draw = Draw::new(shader)
        .varying(6, Varying::flat([1.0; 4]))
        .target(0, &mut image)
        .threads(2);
    if depth {
        draw = draw.depth(
            &mut depths,
            DepthState {
                compare: Compare::Always,
                write: true,
            },
        );
    }
    let mut prepared = draw.prepare().unwrap();
    let mut results = Vec::new();
    let mut bytes = [vec![0; 1 << 12], vec![0; 1 << 12]];
    for way in 0..3 {
        let [colours, depths] = &mut bytes;
        let mut frame = targets(prepared.frame(&bindings), colours, depths);
        results.push(match way {
            0 => frame.rect(i64::MIN..i64::MAX, i64::MIN..i64::MAX),
            1 => frame.quads(&[quad]),
            _ => frame.triangles(&Vertices::new(&CORNERS), &[[0, 1, 2]]),
        });
    }
    results
}

fn pitched<F: PixelFormat>(
    format: F,
    [width, height]: [u32; 2],
    pitch: usize,
    bytes: &mut [u8],
) -> Buffer<'_, F> {
    Buffer::new(format, width, height, bytes).with_pitch(pitch)
}

#[test]
fn rows_that_overlap_are_an_error_even_if_there_is_only_one() {
    for shader in copies() {
        for width in [1, 2, 3] {
            let results = drawn_in_every_way(
                &shader,
                |frame, bytes, _| {
                    frame.target(0, pitched(ColourFormat::Rgba8, [width, 1], 0, bytes))
                },
                false,
            );
            for result in results {
                let expected = format!(
                    "rows of colour target 0 have {} bytes, but a pitch of 0 bytes",
                    4 * width
                );
                assert_eq!(result.unwrap_err().to_string(), expected);
            }
            let results = drawn_in_every_way(
                &shader,
                |frame, bytes, others| {
                    frame
                        .target(0, ColourBuffer::new(ColourFormat::Rgba8, width, 1, bytes))
                        .depth(pitched(DepthFormat::D24, [width, 1], 3, others))
                },
                true,
            );
            for result in results {
                let expected = format!(
                    "rows of the depth target have {} bytes, but a pitch of 3 bytes",
                    4 * width
                );
                assert_eq!(result.unwrap_err().to_string(), expected);
            }
        }
    }
}

#[test]
fn rows_that_are_farther_apart_than_memory_reaches_are_an_error() {
    let expected = |pitch: usize| {
        let limit = isize::MAX;
        format!("rows of colour target 0 have a pitch of {pitch} bytes; the limit is {limit}")
    };
    for shader in copies() {
        for size in [[1, 1], [2, 1], [5, 1], [5, 0], [0, 5]] {
            for pitch in [usize::MAX, 1 << 63] {
                let results = drawn_in_every_way(
                    &shader,
                    |frame, bytes, _| {
                        frame.target(0, pitched(ColourFormat::Rgba8, size, pitch, bytes))
                    },
                    false,
                );
                for result in results {
                    assert_eq!(result.unwrap_err().to_string(), expected(pitch));
                }
            }
        }
    }
}

#[test]
fn one_row_may_have_any_other_pitch() {
    for shader in copies() {
        for size in [[1, 1], [2, 1], [5, 1], [0, 5], [5, 0]] {
            for pitch in [20, 4099, 1 << 58, isize::MAX as usize] {
                let results = drawn_in_every_way(
                    &shader,
                    |frame, bytes, others| {
                        frame
                            .target(0, pitched(ColourFormat::Rgba8, size, pitch, bytes))
                            .depth(pitched(DepthFormat::D24, size, pitch, others))
                    },
                    true,
                );
                for result in results {
                    result.unwrap();
                }
            }
        }
    }
}

#[test]
fn pixels_that_are_missing_are_an_error_whatever_the_sizes() {
    let most = u32::MAX;
    for shader in copies() {
        for (size, pitch, expected) in [
            (
                [2, 2],
                1 << 62,
                format!(
                    "colour target 0 needs {} bytes, but has 4096",
                    (1_u64 << 62) + 8
                ),
            ),
            (
                [32_768, 32_768],
                isize::MAX as usize,
                format!("colour target 0 needs {} bytes, but has 4096", usize::MAX),
            ),
            (
                [most, most],
                20,
                format!(
                    "colour target 0 has {most}x{most} pixels; no side may be longer than 32768"
                ),
            ),
            (
                [0, most],
                20,
                format!("colour target 0 has 0x{most} pixels; no side may be longer than 32768"),
            ),
        ] {
            let results = drawn_in_every_way(
                &shader,
                |frame, bytes, _| frame.target(0, pitched(ColourFormat::Rgba8, size, pitch, bytes)),
                false,
            );
            for result in results {
                assert_eq!(result.unwrap_err().to_string(), expected);
            }
        }
    }
}

#[test]
fn images_that_no_draw_takes_have_no_pixels() {
    let most = u32::MAX;
    for shader in copies() {
        for (width, height) in [(most, most), (1 << 31, 1 << 31), (32_769, 1), (1, most)] {
            let expected = |name| {
                format!("{name} has {width}x{height} pixels; no side may be longer than 32768")
            };
            let mut image = ColourImage::new(ColourFormat::Rgba32F, width, height);
            image.fill([1.0_f32; 4]);
            assert!(image.bytes().is_empty());
            let draw = Draw::new(&shader).varying(6, Varying::flat([1.0; 4]));
            let error = draw.target(0, &mut image).rect(0..9, 0..9).unwrap_err();
            assert_eq!(error.to_string(), expected("colour target 0"));
            let mut depths = DepthImage::new(DepthFormat::D32F, width, height);
            let draw = Draw::new(&shader).varying(6, Varying::flat([1.0; 4]));
            let draw = draw.depth(&mut depths, DepthState::default());
            let error = draw.quads(&[]).unwrap_err();
            assert_eq!(error.to_string(), expected("the depth target"));
        }
    }
}

#[test]
fn as_many_threads_as_one_likes_are_no_more_than_are_of_use() {
    let corners = [CORNERS[0], [90.0, 0.0, 0.5, 1.0], [0.0, 90.0, 0.5, 1.0]];
    let drawn = |shader: &Shader, threads: usize, way: u32| {
        let mut image = ColourImage::new(ColourFormat::R32F, 77, 131);
        let draw = Draw::new(shader)
            .varying(6, Varying::linear([plane(0.5, 0.25, 3.0); 4]))
            .target(0, &mut image)
            .threads(threads);
        let result = match way {
            0 => draw.rect(0..77, 0..131),
            _ => draw.triangles(&Vertices::new(&corners), &[[0, 1, 2]]),
        };
        result.unwrap();
        image
    };
    for shader in copies() {
        for way in [0, 1] {
            let one = drawn(&shader, 1, way);
            for threads in [1000, 1 << 32, usize::MAX] {
                assert!(drawn(&shader, threads, way) == one, "{threads} threads");
            }
        }
    }
}

#[test]
fn indices_of_a_mesh_may_be_far_apart() {
    // Every vertex is at the same corner, or where its index says.
    let position = [0.0_f32, 0.0, 0.0, 1.0].map(f32::to_le_bytes);
    let attribute = VertexAttribute {
        stride: 0,
        ..VertexAttribute::packed(position.as_flattened(), VertexFormat::Float32, 4)
    };
    let most = u32::MAX;
    let triangles = [[most, most - 1, 0], [0, 1 << 31, most], [7, most, 7]];
    for text in ["mov o0, i0", "lda o0, i0.x, t0"] {
        let program = Program::assemble(text).unwrap().with_stage(Stage::Vertex);
        let program = program.validate().unwrap();
        for (engine, fragment) in Engine::all().into_iter().zip(shaders("mov o1, i15.w")) {
            let vertex = engine.prepare(&program).unwrap();
            let buffers = VertexBuffers::new().with(0, attribute);
            let mesh = Mesh::new(&vertex, &buffers, &triangles);
            let mut image = ColourImage::new(ColourFormat::Rgba8, 4, 4);
            let draw = Draw::new(&fragment).target(0, &mut image);
            draw.mesh(&mesh).unwrap();
            assert!(image.bytes().iter().all(|byte| *byte == 0));
        }
    }
}

#[test]
fn attributes_of_vertices_have_16_numbers() {
    for shader in copies() {
        for register in [64, 65, usize::MAX] {
            let vertices = Vertices::new(&CORNERS)
                .with(6, &CORNERS)
                .with(register, &CORNERS)
                .with(99, &CORNERS);
            let mut image = ColourImage::new(ColourFormat::Rgba8, 4, 4);
            let draw = Draw::new(&shader).target(0, &mut image);
            let error = draw.triangles(&vertices, &[[0, 1, 2]]).unwrap_err();
            let expected = format!("attribute i{register} does not exist; the last is i63");
            assert_eq!(error.to_string(), expected);
            assert!(image.bytes().iter().all(|byte| *byte == 0));
        }
    }
}

#[test]
fn ranges_and_quads_beyond_the_targets_are_left_out() {
    let most = u32::MAX;
    let everywhere = [0, 2, 6, 1 << 31, most - 1];
    let quads: Vec<Quad> = everywhere
        .into_iter()
        .flat_map(|y| everywhere.map(|x| [x, y]))
        .map(|[x, y]| Quad {
            x,
            y,
            coverage: LaneMask::all(),
        })
        .collect();
    for shader in copies() {
        let mut image = ColourImage::new(ColourFormat::Rgba8, 5, 5);
        let rectangle = |image: &mut ColourImage, columns, rows| {
            let draw = Draw::new(&shader).varying(6, Varying::flat([1.0; 4]));
            draw.target(0, image).rect::<i64>(columns, rows).unwrap();
        };
        #[expect(clippy::reversed_empty_ranges, reason = "that is the point")]
        for range in [5..i64::MAX, i64::MIN..0, 4..1, i64::MAX..i64::MIN, 3..3] {
            rectangle(&mut image, range.clone(), 0..5);
            rectangle(&mut image, 0..5, range.clone());
            let draw = Draw::new(&shader).varying(6, Varying::flat([1.0; 4]));
            let draw = draw.target(0, &mut image).scissor(range, 0..5);
            draw.quads(&quads).unwrap();
        }
        assert!(image.bytes().iter().all(|byte| *byte == 0));
        let draw = Draw::new(&shader).varying(6, Varying::flat([1.0; 4]));
        draw.target(0, &mut image).quads(&quads).unwrap();
        assert_eq!(image.pixel::<[u8; 4]>(3, 3).unwrap(), [255; 4]);
        assert_eq!(image.pixel::<[u8; 4]>(4, 4).unwrap(), [0; 4]);
    }
}

#[test]
fn positions_and_viewports_may_be_any_numbers() {
    let wild = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        -0.0,
        1e-45,
        2.5,
    ];
    let positions: Vec<[f32; 4]> = (0..wild.len() * 4)
        .map(|n| [0, 1, 2, 3].map(|c| wild[(n * (2 * c + 1) + c * c) % wild.len()]))
        .collect();
    let count = positions.len() as u32;
    let triangles: Vec<[u32; 3]> = (0..count * 8)
        .map(|n| [n, n * 5 + 1, n * 7 + 3].map(|index| index % count))
        .collect();
    let bytes: Vec<u8> = positions
        .as_flattened()
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    let buffers =
        VertexBuffers::new().with(0, VertexAttribute::packed(&bytes, VertexFormat::Float32, 4));
    let program = Program::assemble("mov o0, i0\nmov o6, i0").unwrap();
    let program = program.with_stage(Stage::Vertex).validate().unwrap();
    for (engine, fragment) in Engine::all().into_iter().zip(copies()) {
        let vertex = engine.prepare(&program).unwrap();
        let mut image = ColourImage::new(ColourFormat::Rgba8, 9, 9);
        let draw = Draw::new(&fragment).target(0, &mut image);
        let vertices = Vertices::new(&positions).with(6, &positions);
        draw.triangles(&vertices, &triangles).unwrap();
        for (n, &number) in wild.iter().enumerate() {
            let next = wild[(n + 1) % wild.len()];
            let mut viewport = attila_shader::draw::Viewport::new(number, next, number, -next);
            viewport.depth = [next, number];
            let mesh = Mesh::new(&vertex, &buffers, &triangles).viewport(viewport);
            let draw = Draw::new(&fragment).target(0, &mut image);
            draw.mesh(&mesh).unwrap();
        }
    }
}
