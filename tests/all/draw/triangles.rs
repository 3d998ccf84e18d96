//! Triangles, as every engine draws them.

use std::ops::ControlFlow;
use std::sync::Mutex;

use attila_shader::Shader;
use attila_shader::draw::{
    ColourImage, Cull, DepthImage, DepthState, Draw, DrawError, FrontFace, Interpolation, Varying,
    VertexError, Vertices,
};
use attila_shader::machine::SampleCount;
use attila_shader::machine::pipeline::{ColourFormat, Compare, DepthFormat};

use super::common::{numbered, shaders};

/// The square from (2, 3) to (10, 13), as two triangles with the clock and against it.
const SQUARE: [[f32; 4]; 4] = [
    [2.0, 3.0, 0.25, 1.0],
    [10.0, 3.0, 0.25, 1.0],
    [10.0, 13.0, 0.75, 1.0],
    [2.0, 13.0, 0.75, 1.0],
];
const HALVES: [[u32; 3]; 2] = [[0, 1, 2], [0, 3, 2]];

fn image() -> ColourImage {
    ColourImage::new(ColourFormat::Rgba32F, 17, 19)
}

/// The pixels that are not 0.
fn drawn(image: &ColourImage) -> Vec<(u32, u32, [f32; 4])> {
    let places = (0..19).flat_map(|y| (0..17).map(move |x| (x, y)));
    let pixels = places.map(|(x, y)| (x, y, image.pixel::<[f32; 4]>(x, y).unwrap()));
    pixels.filter(|(.., pixel)| *pixel != [0.0; 4]).collect()
}

#[test]
fn attributes_are_interpolated_as_the_draw_says() {
    let numbers: Vec<[f32; 4]> = SQUARE
        .iter()
        .map(|[x, y, ..]| [*x, *y, 100.0, 1.0])
        .collect();
    for shader in shaders("mov o1.xy, i6 \n mov o1.z, i7.y \n mov o1.w, i8.y") {
        let mut target = image();
        let vertices = Vertices::new(&SQUARE)
            .with(6, &numbers)
            .with(7, &numbers)
            .with(8, &numbers);
        Draw::new(&shader)
            .varying(7, Varying::vertices(Interpolation::Linear))
            .varying(8, Varying::vertices(Interpolation::Flat))
            .target(0, &mut target)
            .triangles(&vertices, &HALVES)
            .unwrap();
        let pixels = drawn(&target);
        assert_eq!(pixels.len(), 80);
        for (x, y, colour) in pixels {
            let (x, y) = (x as f32 + 0.5, y as f32 + 0.5);
            assert_eq!(colour, [x, y, y, 13.0]);
        }
    }
}

#[test]
fn position_depth_and_face_come_from_the_triangle() {
    for shader in shaders("mov o1.xyz, i0 \n mov o1.w, i15.w") {
        let mut target = image();
        Draw::new(&shader)
            .target(0, &mut target)
            .triangles(&Vertices::new(&SQUARE), &HALVES)
            .unwrap();
        let pixels = drawn(&target);
        assert_eq!(pixels.len(), 80);
        for (x, y, [at_x, at_y, depth, area]) in pixels {
            assert_eq!([at_x, at_y], [x as f32 + 0.5, y as f32 + 0.5]);
            let expected = 0.25 + (at_y - 3.0) / 20.0;
            assert!((depth - expected).abs() < 1e-6);
            // The upper right half has its vertices with the clock.
            let upper = (at_x - 2.0) * 10.0 > (at_y - 3.0) * 8.0;
            assert_eq!(area, if upper { -40.0 } else { 40.0 }, "{x} {y}");
        }
    }
}

#[test]
fn perspective_and_w_agree_with_the_plane_of_one_over_w() {
    // Half of the way on the screen is two thirds of that to the near vertices.
    let mut positions = SQUARE;
    positions[2][3] = 2.0;
    positions[3][3] = 2.0;
    let attribute = [[0.0; 4], [0.0; 4], [1.0; 4], [1.0; 4]];
    for shader in shaders("mov o1.x, i6 \n mov o1.y, i0.w") {
        let mut target = image();
        Draw::new(&shader)
            .target(0, &mut target)
            .triangles(&Vertices::new(&positions).with(6, &attribute), &HALVES)
            .unwrap();
        for (_, y, [value, w, ..]) in drawn(&target) {
            let down = (y as f32 - 2.5) / 10.0;
            assert!((w - (1.0 + down)).abs() < 1e-6);
            assert!((value - 2.0 * down / (1.0 + down)).abs() < 1e-6);
        }
    }
}

#[test]
fn the_nearer_triangle_is_seen_whatever_the_order() {
    let behind = SQUARE.map(|[x, y, _, w]| [x + 2.0, y, 0.5, w]);
    for shader in shaders("mov o1, i6") {
        let mut targets = [(); 2].map(|()| image());
        for (turn, target) in targets.iter_mut().enumerate() {
            let mut depth = DepthImage::new(DepthFormat::D32F, 17, 19);
            depth.fill(1.0_f32);
            let mut both = [(SQUARE, [1.0; 4]), (behind, [2.0; 4])];
            both.rotate_left(turn);
            for (positions, colour) in both {
                Draw::new(&shader)
                    .varying(6, Varying::flat(colour))
                    .target(0, &mut *target)
                    .depth(&mut depth, DepthState::default())
                    .triangles(&Vertices::new(&positions), &HALVES)
                    .unwrap();
            }
        }
        assert_eq!(targets[0].bytes(), targets[1].bytes());
        assert_eq!(targets[0].pixel::<[f32; 4]>(8, 4).unwrap(), [1.0; 4]);
        assert_eq!(targets[0].pixel::<[f32; 4]>(8, 11).unwrap(), [2.0; 4]);
    }
}

#[test]
fn scissor_and_culling_leave_the_rest_alone() {
    for shader in shaders("mov o1, i6") {
        let mut target = image();
        Draw::new(&shader)
            .varying(6, numbered())
            .target(0, &mut target)
            .scissor(5..9, 0..7)
            .cull(Cull::Front, FrontFace::Clockwise)
            .triangles(&Vertices::new(&SQUARE), &HALVES)
            .unwrap();
        for (x, y, colour) in drawn(&target) {
            assert!((5..9).contains(&x) && y < 7 && x - 2 <= y - 3, "{x} {y}");
            let (x, y) = (x as f32 + 0.5, y as f32 + 0.5);
            assert_eq!(colour, [x, y, 100.0 * y + x, 1.0]);
        }
    }
}

/// Many triangles all over an image, some of them thin, large or far away.
fn scattered(count: u32) -> (Vec<[f32; 4]>, Vec<[f32; 4]>) {
    let mut state = 1_u64;
    let mut random = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 40) as f32 / (1 << 24) as f32
    };
    let mut positions = Vec::new();
    let mut colours = Vec::new();
    for index in 0..3 * count {
        let reach = if index % 31 == 0 { 1e7 } else { 150.0 };
        let [x, y] = [random(), random()].map(|it| (it - 0.1) * reach);
        positions.push([x, y, random(), random() + 0.01]);
        colours.push([(); 4].map(|()| random()));
    }
    (positions, colours)
}

#[test]
fn engines_and_threads_do_not_change_a_byte() {
    let (positions, colours) = scattered(300);
    let triangles: Vec<_> = (0..300).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]).collect();
    let vertices = Vertices::new(&positions)
        .with(6, &colours)
        .with(7, &colours);
    let mut images = Vec::new();
    for shader in shaders("mul r0, i6, i7 \n kil r0.x \n add o1, r0, i0.z") {
        for threads in [1, 2, 3] {
            let mut target = ColourImage::new(ColourFormat::Rgba16F, 131, 117);
            let mut depth = DepthImage::new(DepthFormat::D24, 131, 117);
            Draw::new(&shader)
                .varying(7, Varying::vertices(Interpolation::Linear))
                .target(0, &mut target)
                .depth(
                    &mut depth,
                    DepthState {
                        compare: Compare::GreaterEqual,
                        write: true,
                    },
                )
                .threads(threads)
                .triangles(&vertices, &triangles)
                .unwrap();
            images.push((target.bytes().to_vec(), depth.bytes().to_vec()));
        }
    }
    assert!(images[0].0.iter().any(|byte| *byte != 0));
    assert!(images.windows(2).all(|pair| pair[0] == pair[1]));
}

/// Pixels of a picture with an attribute of vertices.
fn interpolated(
    shader: &Shader,
    interpolation: Interpolation,
    threads: usize,
    (positions, colours): (&[[f32; 4]], &[[f32; 4]]),
    triangles: &[[u32; 3]],
) -> Vec<[f32; 4]> {
    let mut target = ColourImage::new(ColourFormat::Rgba32F, 131, 117);
    Draw::new(shader)
        .varying(6, Varying::vertices(interpolation))
        .target(0, &mut target)
        .threads(threads)
        .triangles(&Vertices::new(positions).with(6, colours), triangles)
        .unwrap();
    let places = (0..117).flat_map(|y| (0..131).map(move |x| (x, y)));
    let pixels = places.map(|(x, y)| target.pixel(x, y).unwrap());
    pixels.collect()
}

#[test]
fn triangles_without_perspective_are_the_same_beside_one_with_it() {
    let (positions, colours) = scattered(300);
    let affine = positions.iter().map(|&[x, y, z, _]| [x, y, z, 1.0]);
    // A single pixel in perspective, which is drawn first, and over which another is drawn.
    let tiny = [
        [0.0, 0.0, 0.5, 1.0],
        [0.0, 1.4, 0.5, 1.0],
        [1.4, 0.0, 0.5, 0.5],
    ];
    let all: Vec<_> = affine.chain(tiny).collect();
    let colours = [&colours[..], &[[1.0; 4]; 3]].concat();
    let triangles: Vec<_> = (0..300).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]).collect();
    let beside = [&[[900, 901, 902]], &triangles[..]].concat();
    for shader in shaders("mov o1, i6") {
        let draw = |positions: &[[f32; 4]], kind, triangles: &[[u32; 3]]| {
            interpolated(&shader, kind, 1, (positions, &colours), triangles)
        };
        let perspective = draw(&all, Interpolation::Perspective, &beside);
        let alone = draw(&all, Interpolation::Perspective, &triangles);
        let linear = draw(&all, Interpolation::Linear, &triangles);
        assert_eq!(perspective, alone);
        assert_eq!(linear, alone);
        let first = draw(&all, Interpolation::Perspective, &beside[..1]);
        assert_eq!(first.iter().filter(|pixel| **pixel != [0.0; 4]).count(), 1);
        let other = draw(&positions, Interpolation::Perspective, &triangles);
        assert_ne!(other, alone);
    }
}

#[test]
fn one_triangle_in_perspective_among_thousands_without_is_drawn_so() {
    let whole = [[0.0, 0.0], [300.0, 0.0], [0.0, 300.0]];
    let scaled = |by: f32, one_over_w: [f32; 3]| {
        [0, 1, 2].map(|v| [whole[v][0] * by, whole[v][1] * by, 0.5, one_over_w[v]])
    };
    // Triangles without perspective cover a few pixels.
    let positions = [scaled(0.01, [1.0; 3]), scaled(1.0, [1.0, 1.0, 0.5])].concat();
    let colours = [0.0, 1.0, 2.0, 0.0, 1.0, 2.0].map(|value| [value; 4]);
    // So many that threads set them up in parts.
    let mut triangles = vec![[0, 1, 2]; 10_000];
    triangles.push([3, 4, 5]);
    for shader in shaders("mov o1, i6") {
        let draw = |threads, triangles: &[[u32; 3]]| {
            let attributes = (&positions[..], &colours[..]);
            let kind = Interpolation::Perspective;
            interpolated(&shader, kind, threads, attributes, triangles)
        };
        let alone = draw(1, &triangles[10_000..]);
        assert_ne!(alone, draw(1, &triangles[..1]));
        for threads in [1, 2] {
            assert_eq!(draw(threads, &triangles), alone);
        }
    }
}

#[test]
fn large_triangles_are_drawn_in_their_order() {
    // The inside of each is drawn apart from its edges, and is at the edges of others. Slivers lie across.
    let large = |from: f32| [[from, from], [190.0, from + 5.0], [from + 3.0, 170.0]];
    let sliver = |y: f32| [[5.0, y], [185.0, y + 30.0], [20.0, y + 4.0]];
    let corners = [
        large(0.0),
        sliver(9.0),
        large(23.0),
        sliver(31.0),
        large(4.0),
    ];
    let corners = corners.as_flattened().iter();
    let positions: Vec<_> = corners.map(|&[x, y]| [x, y, 0.5, 1.0]).collect();
    let number = |index: usize| [1000.0 * (index / 3) as f32; 4];
    let numbers: Vec<_> = (0..positions.len()).map(number).collect();
    let vertices = Vertices::new(&positions).with(6, &numbers);
    let triangles: Vec<[u32; 3]> = (0..5).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]).collect();
    let format = ColourFormat::Rgba32F;
    // No quad sticks out of a target with even sides.
    let odd = [[197, 181]; 2].into_iter();
    let targets = odd.zip([SampleCount::One, SampleCount::Four]);
    for ([width, height], samples) in targets.chain([([196, 180], SampleCount::One)]) {
        let mut images = Vec::new();
        for shader in shaders("add o1, i6, i0.x") {
            // Two pairs of rows have no inside that is large enough.
            for rows in [height as usize, 4] {
                let mut target = ColourImage::multisampled(format, width, height, samples);
                for row in (0..height).step_by(rows) {
                    Draw::new(&shader)
                        .target(0, &mut target)
                        .scissor(0..width, row..row + rows as u32)
                        .triangles(&vertices, &triangles)
                        .unwrap();
                }
                images.push(target.bytes().to_vec());
            }
        }
        assert!(images.windows(2).all(|pair| pair[0] == pair[1]));
    }
}

#[test]
fn a_prepared_draw_draws_triangles_and_rectangles() {
    for shader in shaders("mov o1, i0.z") {
        let mut target = image();
        let bindings = attila_shader::Bindings::new();
        let mut prepared = Draw::new(&shader).target(0, &mut target).prepare().unwrap();
        for _ in 0..2 {
            let mut frame = prepared.frame(&bindings).target(0, &mut target);
            frame.rect(0..17, 0..19).unwrap();
            frame.triangles(&Vertices::new(&SQUARE), &HALVES).unwrap();
        }
        assert_eq!(target.pixel::<[f32; 4]>(0, 0).unwrap(), [0.5; 4]);
        assert!(target.pixel::<[f32; 4]>(4, 4).unwrap()[0] < 0.4);
    }
}

#[test]
fn what_is_wrong_with_vertices_is_found_before_anything_is_drawn() {
    for shader in shaders("mov o1, i6") {
        let short = [[0.0; 4]; 3];
        let whole = [[0.0; 4]; 4];
        let mut target = image();
        let mut error = |vertices: &Vertices<'_>, triangles: &[[u32; 3]]| {
            let draw = Draw::new(&shader)
                .varying(6, Varying::vertices(Interpolation::Perspective))
                .target(0, &mut target);
            let error = draw.triangles(vertices, triangles).unwrap_err();
            if let DrawError::Vertices(error) = error {
                return error;
            }
            panic!("{error}")
        };
        let vertices = Vertices::new(&SQUARE);
        let missing = error(&vertices, &HALVES);
        assert_eq!(missing, VertexError::MissingAttribute(6));
        assert_eq!(
            error(&vertices.with(6, &short), &HALVES).to_string(),
            "attribute i6 has 3 values for 4 vertices"
        );
        assert_eq!(
            error(&vertices.with(6, &whole), &[[0, 1, 2], [1, 4, 9]]).to_string(),
            "primitive 1 uses vertex 4; the mesh has 4"
        );
        let no_triangles = Draw::new(&shader)
            .varying(6, Varying::vertices(Interpolation::Perspective))
            .target(0, &mut target)
            .rect(0..17, 0..19);
        assert_eq!(
            no_triangles.unwrap_err().to_string(),
            "input i6 is a vertex attribute, but the draw has no triangles"
        );
        assert!(target.bytes().iter().all(|byte| *byte == 0));
    }
}

#[test]
fn triangles_that_are_not_in_memory_at_once_are_drawn_in_their_order_under_their_numbers() {
    const PASS: u32 = 1 << 18;
    let mut triangles = vec![[0; 3]; PASS as usize];
    triangles[0] = HALVES[0];
    triangles.extend([HALVES[1], HALVES[0], HALVES[1]]);
    for shader in shaders(".extended\nmov o1, i55.x") {
        for threads in [1, 3] {
            let (mut target, told) = (image(), Mutex::new(Vec::new()));
            let listener = |done, of| {
                told.lock().unwrap().push([done, of]);
                ControlFlow::Continue(())
            };
            Draw::new(&shader)
                .target(0, &mut target)
                .threads(threads)
                .progress(&listener)
                .triangles(&Vertices::new(&SQUARE), &triangles)
                .unwrap();
            let mut counts = [0; 4];
            for pixel in target.bytes().chunks_exact(16).map(|it| it[..4].try_into()) {
                let number = u32::from_le_bytes(pixel.unwrap());
                if number != 0 {
                    counts[(number - PASS) as usize] += 1;
                }
            }
            assert_eq!(counts, [0, 40, 40, 0]);
            let told = told.into_inner().unwrap();
            assert!(told.is_sorted() && told.iter().all(|[_, of]| *of == 17 * 19));
            assert_eq!(told.last(), Some(&[17 * 19, 17 * 19]));
        }
    }
}
