//! Threads change nothing but the time that a draw takes.

use std::sync::Arc;

use attila_shader::draw::{ColourImage, DepthImage, DepthState, Draw, Quad, Varying};
use attila_shader::machine::LaneMask;
use attila_shader::machine::pipeline::{Blend, ColourFormat, Compare, DepthFormat};
use attila_shader::{Bindings, Engine, Jit, JitOptions, Program, Shader};

use super::common::{plane, shaders};

const WIDTH: u32 = 101;
const HEIGHT: u32 = 205;

/// The colours, the depths and the error of a draw with blending and a depth test.
fn drawn(shader: &Shader, threads: usize, listed: bool) -> (Vec<u8>, Vec<u8>, Option<String>) {
    let mut image = ColourImage::new(ColourFormat::Rgba8Srgb, WIDTH, HEIGHT);
    image.fill([40_u8, 50, 60, 70]);
    let mut depths = DepthImage::new(DepthFormat::D24, WIDTH, HEIGHT);
    depths.fill(0x0080_0000_u32.to_le());
    let bindings = Bindings::new().with_loop_budget(50);
    let depth = plane(0.4, 0.0, 0.001);
    let draw = Draw::new(shader)
        .bindings(&bindings)
        .varying(0, Varying::position(depth, plane(1.0, 0.0, 0.0)))
        .varying(6, Varying::linear([plane(0.0, 0.01, 0.005); 4]))
        .target(0, &mut image)
        .blend(0, Blend::OVER)
        .depth(&mut depths, DepthState::default())
        .threads(threads);
    let result = if listed {
        let quads: Vec<Quad> = (0..5000_u32)
            .map(|index| Quad {
                x: index * 7919 % 51 * 2,
                y: index * 104_729 % 103 * 2,
                coverage: LaneMask::from_bits_truncate(index as u8),
            })
            .collect();
        draw.quads(&quads)
    } else {
        draw.rect(3..100, 1..204)
    };
    let error = result.err().map(|error| error.to_string());
    (image.bytes().to_vec(), depths.bytes().to_vec(), error)
}

/// Loops as often as the row says, and never ends where both `i6.x` is above `c1.x`.
const LOOPS: &str = "
again:
    add     r1.x, r1.x, 8.0
    setplt  p0, r1.x, i0.y
    jmp     p0, again
    mul     o1, i6, 0.7";

#[test]
fn pixels_do_not_depend_on_the_number_of_threads() {
    for text in [LOOPS, "add r0, i6, -0.3\nkil r0.x\nmov o1, i6"] {
        for shader in shaders(text) {
            for listed in [false, true] {
                let one = drawn(&shader, 1, listed);
                assert_eq!(one.2, None);
                for threads in [0, 2, 3, 7] {
                    assert!(drawn(&shader, threads, listed) == one, "{threads} threads");
                }
            }
        }
    }
}

#[test]
fn of_errors_that_of_the_topmost_band_is_reported() {
    // From row 70 on, in the third band.
    let text = "again: setpgt p0, i0.y, 70.0\njmp p0, again\nmov o1, i6";
    for shader in shaders(text) {
        for listed in [false, true] {
            let one = drawn(&shader, 1, listed);
            let message = one.2.clone().unwrap();
            let row = message.rsplit(", ").next().unwrap();
            let row = row.trim_end_matches(')').parse::<u32>().unwrap();
            assert!((70..96).contains(&row), "{message}");
            for threads in [0, 2, 3, 7] {
                assert!(drawn(&shader, threads, listed) == one, "{threads} threads");
            }
        }
    }
}

#[test]
fn engines_agree() {
    for text in [LOOPS, "add r0, i6, -0.3\nkil r0.x\nmov o1, i6"] {
        for listed in [false, true] {
            let mut all = shaders(text)
                .into_iter()
                .map(|shader| drawn(&shader, 2, listed));
            let first = all.next().unwrap();
            assert!(all.all(|other| other == first), "{text}");
        }
    }
}

/// Pixels of a small draw in one of 16 pipelines.
fn in_pipeline(shader: &Shader, number: usize) -> Vec<u8> {
    let format = [ColourFormat::Rgba8, ColourFormat::R32F][number / 8 % 2];
    let mut image = ColourImage::new(format, 8, 6);
    Draw::new(shader)
        .varying(6, Varying::linear([plane(0.0, 0.125, 0.01); 4]))
        .target(0, &mut image)
        .alpha_test(Compare::ALL[number % 8], 0.525)
        .threads(1)
        .rect(0..8, 0..6)
        .expect("the draw is right");
    image.bytes().to_vec()
}

/// Has four threads draw in 16 pipelines, each in another order; the number of times that code was made.
fn made(code_memory: usize) -> usize {
    let options = JitOptions {
        code_memory,
        ..JitOptions::default()
    };
    let jit = Arc::new(Jit::with_options(&options).expect("the JIT knows this machine"));
    let program = Program::assemble("add o1, i6, 0.25").expect("it assembles");
    let program = program.validate().expect("it is valid");
    let prepare = |engine: Engine| engine.prepare(&program).expect("it compiles");
    let (shader, reference) = (
        prepare(Engine::custom(Arc::clone(&jit) as _)),
        prepare(Engine::interp()),
    );
    let expected: Vec<_> = (0..16)
        .map(|number| in_pipeline(&reference, number))
        .collect();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (shader, expected) = (&shader, &expected);
            scope.spawn(move || {
                for round in 0..48 {
                    let number = (2 * thread + 1) * round % 16;
                    assert!(in_pipeline(shader, number) == expected[number], "{number}");
                }
            });
        }
    });
    jit.specialisations()
}

#[test]
fn code_that_is_given_up_is_made_again_and_draws_the_same() {
    assert_eq!(made(JitOptions::CODE_MEMORY), 16);
    let few = made(5 * 4096);
    assert!(few > 32, "{few}");
}
