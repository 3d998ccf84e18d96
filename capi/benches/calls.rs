//! Time of a call of the C interface above the same call of the Rust library: a prepared draw of 2x2 pixels, and the check
//! of a handle. The least of many rounds, in turns.
#![expect(clippy::print_stdout, reason = "a benchmark")]

use std::hint::black_box;
use std::ptr::{null, null_mut};
use std::time::Instant;

use ::attila_shader::draw::Buffer;
use ::attila_shader::{Bindings, ColourFormat, Draw, Engine, Program};
use attila::*;

const CALLS: u32 = 20_000;

/// Nanoseconds for each of many calls.
fn time(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..CALLS).for_each(|_| call());
    start.elapsed().as_nanos() as f64 / f64::from(CALLS)
}

fn main() {
    let text = "mov o1, c0";
    let program = Program::assemble(text).expect("it assembles");
    let program = program.validate().expect("it is valid");
    let rust_shader = Engine::auto().prepare(&program).expect("it compiles");
    let rust_bindings = Bindings::new();
    let format = ColourFormat::Rgba8;
    let rust_draw = Draw::new(&rust_shader).target(0, format).prepare();
    let mut rust_draw = rust_draw.expect("it can be drawn");

    let (mut program, mut shader, mut bindings, mut draw) =
        (null_mut(), null_mut(), null_mut(), null_mut());
    let source = attila_bytes {
        data: text.as_ptr().cast(),
        length: text.len(),
    };
    let mut status = attila_program_load(source, null(), &mut program, null_mut());
    status |= attila_shader_prepare(program, null(), &mut shader, null_mut());
    status |= attila_bindings_new(program, &mut bindings, null_mut());
    status |= attila_draw_new(shader, null(), &mut draw, null_mut());
    assert_eq!(status, ATTILA_STATUS_OK);

    let mut pixels = [0_u8; 16];
    let [mut rust, mut c, mut handle] = [f64::MAX; 3];
    for _ in 0..30 {
        rust = rust.min(time(|| {
            let buffer = Buffer::new(format, 2, 2, black_box(&mut pixels));
            let drawn = rust_draw
                .frame(&rust_bindings)
                .target(0, buffer)
                .rect(0..2, 0..2);
            drawn.expect("it draws");
        }));
        c = c.min(time(|| {
            let image = attila_image {
                pixels: black_box(&mut pixels).as_mut_ptr().cast(),
                bytes: 16,
                width: 2,
                height: 2,
                ..attila_image::default()
            };
            let mut frame = attila_frame {
                bindings,
                ..attila_frame::default()
            };
            frame.colour[0] = &image;
            let area = attila_rect {
                x0: 0,
                y0: 0,
                x1: 2,
                y1: 2,
            };
            let mut error = null_mut();
            assert_eq!(
                attila_draw_rect(draw, &frame, area, &mut error),
                ATTILA_STATUS_OK
            );
        }));
        let mut name = attila_text::default();
        // The whole call: the boundary, the handle, the lock, and the text.
        handle = handle.min(time(|| {
            black_box(attila_shader_engine(black_box(shader), &mut name));
        }));
    }
    println!(
        "a prepared draw of 2x2 pixels: Rust {rust:.1} ns, C {c:.1} ns, {:.1} ns more",
        c - rust
    );
    println!("a call that only looks at an object: {handle:.1} ns");
}
