//! Mistakes of callers: a status, an error object that says what is wrong, and no crash.

use std::ffi::c_void;
use std::ptr::{null, null_mut, without_provenance_mut};

use attila::*;
use expect_test::{Expect, expect};

fn text(text: attila_text) -> String {
    // SAFETY: the library has given it, and its object is still there.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length) };
    String::from_utf8(bytes.to_vec()).expect("it is UTF-8")
}

fn of(text: &str) -> attila_text {
    attila_text {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

/// The status and the message of a call.
fn refused(expected: Expect, call: impl FnOnce(*mut *mut attila_error) -> attila_status) {
    let mut error = null_mut();
    let status = call(&mut error);
    let mut message = of("");
    if !error.is_null() {
        assert_eq!(attila_error_message(error, &mut message), ATTILA_STATUS_OK);
    }
    expected.assert_eq(&format!(
        "{}: {}",
        text(attila_status_text(status)),
        text(message)
    ));
    assert_eq!(attila_error_free(error), ATTILA_STATUS_OK);
}

fn load(source: &str) -> *mut attila_program {
    let mut program = null_mut();
    let source = attila_bytes {
        data: source.as_ptr().cast(),
        length: source.len(),
    };
    assert_eq!(
        attila_program_load(source, null(), &mut program, null_mut()),
        ATTILA_STATUS_OK
    );
    program
}

fn shader(source: &str) -> *mut attila_shader {
    let (program, mut shader) = (load(source), null_mut());
    assert_eq!(
        attila_shader_prepare(program, null(), &mut shader, null_mut()),
        ATTILA_STATUS_OK
    );
    assert_eq!(attila_program_free(program), ATTILA_STATUS_OK);
    shader
}

fn drawing(source: &str, state: &attila_state) -> *mut attila_draw {
    let mut draw = null_mut();
    let shader = shader(source);
    assert_eq!(
        attila_draw_new(shader, state, &mut draw, null_mut()),
        ATTILA_STATUS_OK
    );
    attila_shader_free(shader);
    draw
}

fn image(pixels: &mut [u8]) -> attila_image {
    attila_image {
        pixels: pixels.as_mut_ptr().cast(),
        bytes: pixels.len(),
        width: 4,
        height: 4,
        ..attila_image::default()
    }
}

const ALL: attila_rect = attila_rect {
    x0: 0,
    y0: 0,
    x1: 4,
    y1: 4,
};

#[test]
fn a_broken_program_has_diagnostics() {
    let (mut program, mut error) = (null_mut(), null_mut());
    let source = "mul r0, r1\nfoo r0";
    let bytes = attila_bytes {
        data: source.as_ptr().cast(),
        length: source.len(),
    };
    let options = attila_load_options {
        name: of("a.attila"),
        ..attila_load_options::default()
    };
    assert_eq!(
        attila_program_load(bytes, &options, &mut program, &mut error),
        ATTILA_STATUS_PROGRAM
    );
    assert!(program.is_null());
    let mut lines = Vec::new();
    let mut it = attila_diagnostic::default();
    while attila_error_diagnostic(error, lines.len(), &mut it) == ATTILA_STATUS_OK {
        let place = (it.severity, it.line, it.column, it.offset, it.length);
        lines.push(format!(
            "{place:?} {} | {}",
            text(it.display),
            text(it.help)
        ));
    }
    expect![[r#"
        (1, 1, 11, 10, 0) a.attila:1:11: error: operand 2 of `mul` is missing
          help: usage: mul[_sat] dst, a, b|imm | help: usage: mul[_sat] dst, a, b|imm
        (1, 2, 1, 11, 3) a.attila:2:1: error: unknown instruction `foo` | "#]]
    .assert_eq(&lines.join("\n"));
    let mut status = 0;
    assert_eq!(attila_error_status(error, &mut status), ATTILA_STATUS_OK);
    assert_eq!(status, ATTILA_STATUS_PROGRAM);
    attila_error_free(error);
    assert_eq!(
        attila_error_status(error, &mut status),
        ATTILA_STATUS_HANDLE
    );
}

#[test]
fn null_and_what_is_no_object_is_refused() {
    refused(expect!["a pointer is null: `out` is null"], |error| {
        attila_shader_prepare(null(), null(), null_mut(), error)
    });
    let mut shader = null_mut();
    refused(
        expect!["a pointer is null: null in place of a program"],
        |error| attila_shader_prepare(null(), null(), &mut shader, error),
    );
    refused(
        expect![
            "not an object, or one that has been freed: not a program, or one that has been freed"
        ],
        |error| attila_shader_prepare(without_provenance_mut(4096), null(), &mut shader, error),
    );
    let program = load("mov o1, i6");
    refused(
        expect![
            "not an object, or one that has been freed: not a shader, or one that has been freed"
        ],
        |error| {
            let mut draw = null_mut();
            attila_draw_new(program.cast(), null(), &mut draw, error)
        },
    );
    let bytes = attila_bytes {
        data: null(),
        length: 3,
    };
    refused(expect!["a pointer is null: `source` is null"], |error| {
        let mut program = null_mut();
        attila_program_load(bytes, null(), &mut program, error)
    });
    attila_program_free(program);
    assert_eq!(attila_program_free(program), ATTILA_STATUS_HANDLE);
    assert_eq!(attila_program_free(null_mut()), ATTILA_STATUS_OK);
}

#[test]
fn a_texture_that_was_freed_is_refused_but_stays_where_it_is_bound() {
    let (mut texture, mut bindings) = (null_mut(), null_mut());
    let texel = [255_u8, 0, 128, 255];
    let level = attila_bytes {
        data: texel.as_ptr().cast(),
        length: 4,
    };
    extern "C" fn released(user: *mut c_void) {
        // SAFETY: it is the counter below.
        unsafe { *user.cast::<u32>() += 1 };
    }
    let mut releases = 0_u32;
    let data = attila_image_data {
        levels: &level,
        release: Some(released),
        user: (&raw mut releases).cast(),
        ..attila_image_data::default()
    };
    assert_eq!(
        attila_texture_new(&data, null(), &mut texture, null_mut()),
        ATTILA_STATUS_OK
    );
    assert_eq!(
        attila_bindings_new(null(), &mut bindings, null_mut()),
        ATTILA_STATUS_OK
    );
    assert_eq!(
        attila_bindings_texture(bindings, 3, texture),
        ATTILA_STATUS_OK
    );
    assert_eq!(attila_texture_free(texture), ATTILA_STATUS_OK);
    assert_eq!(
        attila_bindings_texture(bindings, 3, texture),
        ATTILA_STATUS_HANDLE
    );
    let mut pixels = [0; 64];
    let draw = drawing("tex o1, i0, t3", &attila_state::default());
    let image = image(&mut pixels);
    let mut frame = attila_frame {
        bindings,
        ..attila_frame::default()
    };
    frame.colour[0] = &image;
    assert_eq!(
        attila_draw_rect(draw, &frame, ALL, null_mut()),
        ATTILA_STATUS_OK
    );
    assert_eq!((pixels[60..].to_vec(), releases), (texel.to_vec(), 1));
    frame.bindings = null();
    refused(
        expect![
            "what is bound does not suit the program: the program samples texture unit 3, which is not bound"
        ],
        |error| attila_draw_rect(draw, &frame, ALL, error),
    );
    attila_draw_free(draw);
    attila_bindings_free(bindings);
}

#[test]
fn images_that_are_not_right_are_refused() {
    let draw = drawing("mov o1, c0", &attila_state::default());
    let mut pixels = [0; 64];
    let right = image(&mut pixels);
    let with = |change: &dyn Fn(&mut attila_image), expected: Expect| {
        let mut wrong = right;
        change(&mut wrong);
        let mut frame = attila_frame::default();
        frame.colour[0] = &wrong;
        refused(expected, |error| attila_draw_rect(draw, &frame, ALL, error));
    };
    with(
        &|it| it.pitch = 12,
        expect![
            "the memory of an image is not right: rows of colour target 0 have 16 bytes, but a pitch of 12 bytes"
        ],
    );
    with(
        &|it| it.bytes = 63,
        expect!["the memory of an image is not right: colour target 0 needs 64 bytes, but has 63"],
    );
    with(
        &|it| it.pixels = null_mut(),
        expect!["a pointer is null: `frame.colour[0]` is null"],
    );
    with(
        &|it| it.format = 99,
        expect!["a number is out of its range: the format of a colour image is 99; the last is 7"],
    );
    with(
        &|it| it.samples = 3,
        expect!["a number is out of its range: 3 samples; it has to be 1, 2, 4, 8 or 16"],
    );
    with(
        &|it| it.size = 8,
        expect![
            "the size of a struct is not known: `frame.colour[0].size` is 8; attila_image has 56 to 56 bytes here: was it set by its ATTILA_…_INIT?"
        ],
    );
    with(
        &|it| (it.bytes, it.width, it.height) = (0, u32::MAX, u32::MAX),
        expect![
            "a number is out of its range: `frame.colour[0]` has 18446744073709551615 elements, which is more than any memory has"
        ],
    );
    let mut frame = attila_frame::default();
    (frame.colour[0], frame.colour[1]) = (&right, &right);
    refused(
        expect!["memory overlaps: `frame.colour[1]` overlaps `frame.colour[0]`"],
        |error| attila_draw_rect(draw, &frame, ALL, error),
    );
    attila_draw_free(draw);
}

#[test]
fn what_is_written_must_not_overlap_what_is_read() {
    let shader = shader("add o1, i0, i0");
    let mut numbers = [1.0_f32; 12];
    let input = attila_column {
        vectors: numbers.as_ptr(),
        count: 2,
        ..attila_column::default()
    };
    let mut output = attila_output {
        number: 1,
        vectors: numbers[4..].as_mut_ptr(),
        count: 2,
        ..attila_output::default()
    };
    let run = |output: &attila_output, error| {
        let map = attila_map {
            inputs: &input,
            input_count: 1,
            outputs: output,
            output_count: 1,
            ..attila_map::default()
        };
        attila_shader_map(shader, null(), &map, error)
    };
    refused(
        expect!["memory overlaps: `output.vectors` overlaps `input.vectors`"],
        |error| run(&output, error),
    );
    output.vectors = output.vectors.wrapping_byte_add(17);
    refused(
        expect!["a pointer is not aligned: `output.vectors` is not a multiple of 4 bytes"],
        |error| run(&output, error),
    );
    let mut room = [0.0_f32; 8];
    output.vectors = room.as_mut_ptr();
    assert_eq!(run(&output, null_mut()), ATTILA_STATUS_OK);
    assert_eq!(room, [2.0; 8]);
    attila_shader_free(shader);
}

#[test]
fn callbacks_stop_draws_and_may_not_change_what_is_in_use() {
    extern "C" fn halt(_: *mut c_void, _: u64, _: u64) -> i32 {
        1
    }
    extern "C" fn busy(user: *mut c_void, _: *const attila_texture_query, _: *mut [f32; 4]) -> i32 {
        attila_bindings_loop_budget(user.cast(), 1)
    }
    let mut bindings = null_mut();
    assert_eq!(
        attila_bindings_new(null(), &mut bindings, null_mut()),
        ATTILA_STATUS_OK
    );
    let unit = attila_texture_unit {
        answer: Some(busy),
        user: bindings.cast(),
        ..attila_texture_unit::default()
    };
    assert_eq!(
        attila_bindings_texture_unit(bindings, &unit),
        ATTILA_STATUS_OK
    );
    let draw = drawing("tex o1, i0, t3", &attila_state::default());
    let mut pixels = [0; 64];
    let image = image(&mut pixels);
    let mut frame = attila_frame {
        bindings,
        ..attila_frame::default()
    };
    frame.colour[0] = &image;
    for _ in 0..2 {
        refused(
            expect!["stopped by a callback: a texture callback stopped the call"],
            |error| attila_draw_rect(draw, &frame, ALL, error),
        );
    }
    attila_draw_free(draw);
    let draw = drawing("mov o1, c0", &attila_state::default());
    frame.progress = Some(halt);
    refused(
        expect!["stopped by the progress callback: the draw was stopped before its end"],
        |error| attila_draw_rect(draw, &frame, ALL, error),
    );
    attila_draw_free(draw);
    attila_bindings_free(bindings);
}

#[test]
fn names_are_those_of_the_text() {
    let program = load("!!ARBfp1.0\nMUL result.color, fragment.color, program.local[1];\nEND");
    let mut place = attila_register { bank: 9, number: 9 };
    assert_eq!(
        attila_program_register(program, of("fragment.color"), &mut place, null_mut()),
        ATTILA_STATUS_OK
    );
    assert_eq!((place.bank, place.number), (ATTILA_BANK_INPUT, 1));
    let mut bindings = null_mut();
    assert_eq!(
        attila_bindings_new(program, &mut bindings, null_mut()),
        ATTILA_STATUS_OK
    );
    let value = [1.0_f32; 4];
    assert_eq!(
        attila_bindings_set(bindings, of("program.local[1]"), value.as_ptr(), null_mut()),
        ATTILA_STATUS_OK
    );
    refused(
        expect![
            "the program has nothing of that name: the program does not read `program.local[2]`; it reads `fragment.color`, `program.local[1]`"
        ],
        |error| attila_bindings_set(bindings, of("program.local[2]"), value.as_ptr(), error),
    );
    refused(
        expect![
            "the program has nothing of that name: `fragment.color` is an input of draws and maps, not a constant"
        ],
        |error| attila_bindings_set(bindings, of("fragment.color"), value.as_ptr(), error),
    );
    assert_eq!(
        attila_bindings_constants(bindings, 511, value.as_ptr(), 2),
        ATTILA_STATUS_RANGE
    );
    assert_eq!(
        attila_bindings_constants(bindings, usize::MAX, value.as_ptr(), 1),
        ATTILA_STATUS_RANGE
    );
    attila_bindings_free(bindings);
    attila_program_free(program);
}
