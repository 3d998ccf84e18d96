//! Draws that tell how far they are, and that are stopped.

use std::ops::ControlFlow::{Break, Continue};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use attila_shader::draw::{ColourImage, Draw, Vertices};
use attila_shader::machine::pipeline::ColourFormat;
use attila_shader::machine::{QuadReg, TextureQuery, TextureUnit};
use attila_shader::{Bindings, DrawError, Engine, Program, Shader};

const SIDE: u32 = 300;

fn shader(engine: &Engine, text: &str) -> Shader {
    let program = Program::assemble(text).expect("it is assembly");
    let program = program.validate().expect("it is valid");
    engine.prepare(&program).expect("the engine runs it")
}

fn image() -> ColourImage {
    ColourImage::new(ColourFormat::Rgba8, SIDE, SIDE)
}

#[test]
fn progress_goes_forward_to_the_end_and_changes_no_pixel() {
    for engine in Engine::all() {
        let shader = shader(&engine, "mul_sat o1, i0, 0.003");
        let mut plain = image();
        let draw = Draw::new(&shader).target(0, &mut plain);
        draw.rect(3..297, 5..299).expect("it is drawn");
        for threads in [1, 4] {
            let heard = Mutex::new(Vec::new());
            let listener = |done, all| {
                heard.lock().expect("nobody panics").push((done, all));
                Continue(())
            };
            let mut watched = image();
            let draw = Draw::new(&shader).target(0, &mut watched);
            let draw = draw.threads(threads).progress(&listener);
            draw.rect(3..297, 5..299).expect("it is drawn");
            assert_eq!(watched, plain, "{}", engine.name());
            let heard = heard.into_inner().expect("nobody panics");
            let all = 294 * 294;
            assert!(heard.len() > 5 && heard.is_sorted(), "{heard:?}");
            assert!(heard.iter().all(|(_, of)| *of == all), "{heard:?}");
            assert_eq!(heard.last(), Some(&(all, all)));
        }
    }
}

#[test]
fn triangles_tell_the_pixels_that_they_may_cover() {
    let shader = shader(&Engine::interp(), "mov o1, i0");
    let corners = [[0.0, 0.0], [300.0, 0.0], [0.0, 300.0]];
    let corners = corners.map(|[x, y]| [x, y, 0.5, 1.0]);
    let vertices = Vertices::new(&corners);
    let last = Mutex::new((0, 0));
    let listener = |done, all| {
        *last.lock().expect("nobody panics") = (done, all);
        Continue(())
    };
    let mut image = image();
    let draw = Draw::new(&shader).target(0, &mut image).progress(&listener);
    let drawn = draw.triangles(&vertices, &[[0, 1, 2]; 3]);
    drawn.expect("they are drawn");
    assert_eq!(*last.lock().expect("nobody panics"), (90_000, 90_000));
}

#[test]
fn a_stopped_draw_keeps_what_it_has_drawn_and_stores_nothing_else() {
    for engine in Engine::all() {
        let shader = shader(&engine, "mul_sat o1, i0, 0.003");
        let mut whole = image();
        let draw = Draw::new(&shader).target(0, &mut whole);
        draw.rect(0..SIDE, 0..SIDE).expect("it is drawn");
        for threads in [1, 4] {
            let listener = |done, all| match 3 * done > all {
                true => Break(()),
                false => Continue(()),
            };
            let mut stopped = image();
            stopped.fill([9_u8; 4]);
            let bindings = Bindings::new();
            let draw = Draw::new(&shader).target(0, &mut stopped).threads(threads);
            let mut draw = draw.prepare().expect("it can be drawn");
            let frame = draw.frame(&bindings).target(0, &mut stopped);
            let error = frame.progress(&listener).rect(0..SIDE, 0..SIDE);
            assert!(matches!(error, Err(DrawError::Stopped)), "{error:?}");
            let pixels = |image: &ColourImage| image.bytes().as_chunks::<4>().0.to_vec();
            let both = pixels(&stopped).into_iter().zip(pixels(&whole));
            let drawn = both.clone().filter(|(pixel, of)| pixel == of).count();
            let kept = both.filter(|(pixel, _)| *pixel == [9; 4]).count();
            assert_eq!(drawn + kept, 90_000, "{} {threads}", engine.name());
            assert!(drawn >= 30_000 && kept > 0, "{drawn} {kept}");
        }
    }
}

/// Takes a millisecond and more for each quad.
struct Costly;

impl TextureUnit for Costly {
    fn has_unit(&self, _: u8) -> bool {
        true
    }

    fn answer(&self, _: &TextureQuery) -> QuadReg {
        thread::sleep(Duration::from_millis(2));
        QuadReg::default()
    }
}

#[test]
fn costly_quads_are_told_of_one_by_one() {
    let bindings = Bindings::new().with_textures(&Costly);
    for engine in Engine::all() {
        let shader = shader(&engine, "tex o1, i0, t0");
        let told = AtomicUsize::new(0);
        let listener = |_, _| {
            told.fetch_add(1, Relaxed);
            Continue(())
        };
        let mut image = ColourImage::new(ColourFormat::Rgba8, 64, 8);
        let draw = Draw::new(&shader).bindings(&bindings);
        let draw = draw.target(0, &mut image).progress(&listener);
        draw.rect(0..64, 0..8).expect("it is drawn");
        // The first 64 of 128 quads are one step.
        assert!(told.into_inner() > 64, "{}", engine.name());
    }
}
