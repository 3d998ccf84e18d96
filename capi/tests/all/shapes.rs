//! Triangles, meshes and lists of quads, and maps: what the Rust library makes of them.

use std::ptr::null_mut;

use ::attila_shader::draw::{ColourImage, Draw, Mesh, Plane, SampleQuad, Varying, Vertices};
use ::attila_shader::machine::QuadReg;
use ::attila_shader::{Bindings, ColourFormat, Engine, Program, Shader, VertexBuffers};
use attila::*;

use crate::tools::{ok, prepared};

const SIZE: u32 = 32;
const FRAGMENTS: &str = "mov_sat o1, i6";
const VERTICES: &str = "mad o0, i0, c0, c1\nmov o6, i6";

/// Positions in the window.
const POSITIONS: [[f32; 4]; 4] = [
    [1.0, 2.0, 0.5, 1.0],
    [30.0, 4.0, 0.5, 0.5],
    [3.0, 31.0, 0.25, 1.0],
    [29.0, 28.0, 0.5, 0.25],
];
const COLOURS: [[f32; 4]; 4] = [
    [1.0, 0.0, 0.0, 1.0],
    [0.0, 1.0, 0.0, 1.0],
    [0.0, 0.0, 1.0, 1.0],
    [1.0, 1.0, 1.0, 0.5],
];
const INDICES: [[u32; 3]; 2] = [[0, 1, 2], [2, 1, 3]];

fn rust_shader(text: &str, stage: ::attila_shader::Stage) -> Shader {
    let program = Program::assemble(text)
        .expect("it assembles")
        .with_stage(stage);
    let program = program.validate().expect("it is valid");
    Engine::auto().prepare(&program).expect("it compiles")
}

fn c_shader(text: &str, stage: attila_stage) -> *mut attila_shader {
    let options = attila_load_options {
        stage,
        ..attila_load_options::default()
    };
    let (program, shader) = prepared(text.as_bytes(), &options, std::ptr::null());
    ok(attila_program_free(program));
    shader
}

/// What a draw of the Rust library makes of an empty picture.
fn rust(draw: impl FnOnce(Draw<'_>)) -> Vec<u8> {
    let shader = rust_shader(FRAGMENTS, ::attila_shader::Stage::Fragment);
    let mut image = ColourImage::new(ColourFormat::Rgba8, SIZE, SIZE);
    draw(Draw::new(&shader).target(0, &mut image));
    image.bytes().to_vec()
}

/// The same of the C interface.
fn c(
    input: Option<attila_varying>,
    shape: impl FnOnce(*mut attila_draw, *const attila_frame) -> attila_status,
) -> Vec<u8> {
    let mut pixels = vec![0; (SIZE * SIZE * 4) as usize];
    let (shader, mut draw) = (c_shader(FRAGMENTS, ATTILA_STAGE_FRAGMENT), null_mut());
    ok(attila_draw_new(
        shader,
        std::ptr::null(),
        &mut draw,
        null_mut(),
    ));
    if let Some(input) = &input {
        ok(attila_draw_input(draw, 6, input));
    }
    let image = attila_image {
        pixels: pixels.as_mut_ptr().cast(),
        width: SIZE,
        height: SIZE,
        ..attila_image::default()
    };
    let mut frame = attila_frame::default();
    frame.colour[0] = &image;
    ok(shape(draw, &frame));
    ok(attila_draw_free(draw));
    ok(attila_shader_free(shader));
    assert!(pixels.iter().any(|byte| *byte != 0), "nothing is drawn");
    pixels
}

#[test]
fn triangles_are_those_of_the_library() {
    let expected = rust(|draw| {
        let vertices = Vertices::new(&POSITIONS).with(6, &COLOURS);
        draw.triangles(&vertices, &INDICES).expect("they are drawn");
    });
    let drawn = c(None, |draw, frame| {
        let attribute = attila_array {
            input: 6,
            numbers: COLOURS[0].as_ptr(),
            count: 4,
            ..attila_array::default()
        };
        let indices = INDICES.as_flattened();
        let triangles = attila_triangles {
            positions: POSITIONS[0].as_ptr(),
            count: 4,
            attributes: &attribute,
            attribute_count: 1,
            indices: indices.as_ptr().cast(),
            index_count: 6,
            ..attila_triangles::default()
        };
        attila_draw_triangles(draw, frame, &triangles, null_mut())
    });
    assert!(drawn == expected);
}

#[test]
fn meshes_are_those_of_the_library_with_indices_of_both_sizes() {
    let (scale, shift) = ([0.06, 0.06, 1.0, 1.0], [-1.0, -1.0, 0.0, 0.0]);
    let expected = rust(|draw| {
        let shader = rust_shader(VERTICES, ::attila_shader::Stage::Vertex);
        let buffers = VertexBuffers::new()
            .with_floats(0, &POSITIONS)
            .with_floats(6, &COLOURS);
        let bindings = Bindings::new()
            .with_constant(0, scale)
            .with_constant(1, shift);
        let mesh = Mesh::new(&shader, &buffers, &INDICES).bindings(&bindings);
        draw.mesh(&mesh).expect("it is drawn");
    });
    let shader = c_shader(VERTICES, ATTILA_STAGE_VERTEX);
    let mut bindings = null_mut();
    ok(attila_bindings_new(
        std::ptr::null(),
        &mut bindings,
        null_mut(),
    ));
    ok(attila_bindings_constants(bindings, 0, scale.as_ptr(), 1));
    ok(attila_bindings_constants(bindings, 1, shift.as_ptr(), 1));
    let attribute = |number, values: &[[f32; 4]]| attila_attribute {
        number,
        stride: 16,
        buffer: attila_bytes {
            data: values.as_ptr().cast(),
            length: size_of_val(values),
        },
        ..attila_attribute::default()
    };
    let attributes = [attribute(0, &POSITIONS), attribute(6, &COLOURS)];
    let short: Vec<u16> = INDICES
        .as_flattened()
        .iter()
        .map(|index| *index as u16)
        .collect();
    for (index_bits, indices) in [(32, INDICES.as_ptr().cast()), (16, short.as_ptr().cast())] {
        let drawn = c(None, |draw, frame| {
            let mesh = attila_mesh {
                shader,
                bindings,
                attributes: attributes.as_ptr(),
                attribute_count: 2,
                indices,
                index_count: 6,
                index_bits,
                ..attila_mesh::default()
            };
            attila_draw_mesh(draw, frame, &mesh, null_mut())
        });
        assert!(drawn == expected, "{index_bits} bits");
    }
    ok(attila_bindings_free(bindings));
    ok(attila_shader_free(shader));
}

#[test]
fn lists_of_quads_have_arrays() {
    let register = |at: usize| [[0.25, 0.5, 0.75, 1.0].map(|c: f32| (c / at as f32).to_bits()); 4];
    let registers: [QuadReg; 2] = [register(1), register(2)];
    let quads = [(2, 4, [1, 1, 0, 1]), (8, 30, [0, 1, 1, 1])];
    let expected = rust(|draw| {
        let list = quads.map(|(x, y, coverage)| SampleQuad { x, y, coverage });
        draw.varying(6, Varying::quads(&registers))
            .sample_quads(&list)
            .expect("they are drawn");
    });
    let input = attila_varying {
        kind: ATTILA_INPUT_ARRAY,
        ..attila_varying::default()
    };
    let drawn = c(Some(input), |draw, frame| {
        let list = quads.map(|(x, y, coverage)| attila_quad { x, y, coverage });
        let array = attila_array {
            input: 6,
            numbers: registers.as_ptr().cast(),
            count: 2,
            ..attila_array::default()
        };
        attila_draw_quads(draw, frame, list.as_ptr(), 2, &array, 1, null_mut())
    });
    assert!(drawn == expected);
}

/// New values of the same kind count without a new preparation, and so does another kind.
#[test]
fn inputs_change_between_draws() {
    let all = attila_rect {
        x0: 0,
        y0: 0,
        x1: SIZE.into(),
        y1: SIZE.into(),
    };
    let linear = |dx: f32| attila_varying {
        kind: ATTILA_INPUT_LINEAR,
        planes: [attila_plane {
            at: 0.1,
            dx,
            dy: 0.01,
        }; 4],
        ..attila_varying::default()
    };
    for (dx, flat) in [(0.02, false), (0.0, true)] {
        let expected = rust(|draw| {
            let plane = Plane {
                at: 0.1,
                dx,
                dy: 0.01,
            };
            let varying = if flat {
                Varying::flat([0.1; 4])
            } else {
                Varying::linear([plane; 4])
            };
            draw.varying(6, varying)
                .rect(0..SIZE, 0..SIZE)
                .expect("it is drawn");
        });
        let drawn = c(Some(linear(0.5)), |draw, frame| {
            ok(attila_draw_rect(draw, frame, all, null_mut()));
            let mut input = linear(dx);
            if flat {
                input.kind = ATTILA_INPUT_FLAT;
            }
            ok(attila_draw_input(draw, 6, &input));
            attila_draw_rect(draw, frame, all, null_mut())
        });
        assert!(drawn == expected);
    }
}

#[test]
fn maps_take_vectors_slices_and_values() {
    let shader = c_shader("mad o1, i0, i1, i2", ATTILA_STAGE_FRAGMENT);
    let vectors: Vec<f32> = (0..50).map(|n| n as f32).collect();
    let slices: [Vec<f32>; 2] = [vec![2.0; 10], vec![3.0; 10]];
    let column = attila_column {
        count: 10,
        ..attila_column::default()
    };
    let inputs = [
        attila_column {
            components: 3,
            vectors: vectors.as_ptr(),
            stride: 5,
            ..column
        },
        attila_column {
            number: 1,
            components: 2,
            slices: [
                slices[0].as_ptr(),
                slices[1].as_ptr(),
                std::ptr::null(),
                std::ptr::null(),
            ],
            ..column
        },
        attila_column {
            number: 2,
            value: [0.5, 0.25, 0.0, 1.0],
            ..column
        },
    ];
    let mut out = vec![9.0_f32; 30];
    let output = attila_output {
        number: 1,
        components: 2,
        count: 10,
        vectors: out.as_mut_ptr(),
        stride: 3,
        ..attila_output::default()
    };
    let map = attila_map {
        inputs: inputs.as_ptr(),
        input_count: 3,
        outputs: &output,
        output_count: 1,
        ..attila_map::default()
    };
    ok(attila_shader_map(
        shader,
        std::ptr::null(),
        &map,
        null_mut(),
    ));
    for (n, element) in out.chunks(3).enumerate() {
        let at = (5 * n) as f32;
        assert_eq!(element, [at * 2.0 + 0.5, (at + 1.0) * 3.0 + 0.25, 9.0]);
    }
    ok(attila_shader_free(shader));
}

/// Attributes that a callback fetches are those of buffers.
#[test]
fn vertex_programs_fetch_from_callbacks() {
    extern "C" fn fetch(
        user: *mut std::ffi::c_void,
        attribute: u32,
        vertices: *const u32,
        _: u32,
        out: *mut [f32; 4],
    ) -> i32 {
        for lane in 0..4 {
            // SAFETY: the library gives four vertices, and room for four components of four lanes.
            unsafe {
                let values = &*user.cast::<[[[f32; 4]; 4]; 2]>();
                let value = values[attribute as usize][*vertices.add(lane) as usize % 4];
                (0..4).for_each(|component| (*out.add(component))[lane] = value[component]);
            }
        }
        0
    }
    let mut values = [
        POSITIONS.map(|[x, y, ..]| [x / 16.0 - 1.0, y / 16.0 - 1.0, 0.0, 1.0]),
        COLOURS,
    ];
    let text = "lda o0, i0.x, 0\nlda o6, i0.x, 1";
    let expected = rust(|draw| {
        let shader = rust_shader(text, ::attila_shader::Stage::Vertex);
        let buffers = VertexBuffers::new()
            .with_floats(0, &values[0])
            .with_floats(1, &values[1]);
        draw.mesh(&Mesh::new(&shader, &buffers, &INDICES))
            .expect("it is drawn");
    });
    let (shader, mut bindings) = (c_shader(text, ATTILA_STAGE_VERTEX), null_mut());
    let source = attila_attribute_source {
        fetch: Some(fetch),
        user: (&raw mut values).cast(),
        ..attila_attribute_source::default()
    };
    ok(attila_bindings_new(
        std::ptr::null(),
        &mut bindings,
        null_mut(),
    ));
    ok(attila_bindings_attribute_source(bindings, &source));
    let drawn = c(None, |draw, frame| {
        let mesh = attila_mesh {
            shader,
            bindings,
            indices: INDICES.as_ptr().cast(),
            index_count: 6,
            ..attila_mesh::default()
        };
        attila_draw_mesh(draw, frame, &mesh, null_mut())
    });
    assert!(drawn == expected);
    ok(attila_bindings_free(bindings));
    ok(attila_shader_free(shader));
}
