//! Texture units that draw.

use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use attila_shader::draw::{ColourImage, Draw, DrawError, Interpolation, Mesh, Varying};
use attila_shader::machine::pipeline::{ColourFormat, SpanError};
use attila_shader::machine::{
    MAX_NESTED_RUNS, QuadReg, TextureQuery, VertexAttribute, VertexFormat, from_floats,
};
use attila_shader::{
    Bindings, Engine, Program, RunError, Shader, Stage, TextureUnit, ValidProgram, VertexBuffers,
};

use super::common::shaders;

/// Draws a picture for every sample, and samples that picture, as deep as runs may be nested. A sample
/// is the number of draws below it.
struct Drawing<'s> {
    shader: &'s Shader,
    error: Mutex<Option<String>>,
}

impl Drawing<'_> {
    fn draw(&self) -> Result<f32, DrawError> {
        let bindings = Bindings::new().with_textures(self);
        let mut image = ColourImage::new(ColourFormat::R32F, 2, 2);
        Draw::new(self.shader)
            .varying(6, Varying::flat([0.5; 4]))
            .bindings(&bindings)
            .target(0, &mut image)
            .rect(0..2, 0..2)?;
        Ok(image.pixel::<f32>(1, 1).unwrap())
    }
}

impl TextureUnit for Drawing<'_> {
    fn has_unit(&self, _: u8) -> bool {
        true
    }

    fn answer(&self, _: &TextureQuery) -> QuadReg {
        let deeper = self.draw().map(|deeper| deeper + 1.0);
        let deeper = deeper.unwrap_or_else(|error| {
            let expected = SpanError::Run(RunError::Nested {
                limit: MAX_NESTED_RUNS,
            });
            assert!(matches!(&error, DrawError::Span(span) if *span == expected));
            *self.error.lock().unwrap() = Some(error.to_string());
            0.0
        });
        from_floats([[deeper; 4]; 4])
    }
}

#[test]
fn draws_within_draws_have_a_limit() {
    for shader in shaders("tex o1, i6, t0") {
        let unit = Drawing {
            shader: &shader,
            error: Mutex::default(),
        };
        for _ in 0..2 {
            let levels = unit.draw().unwrap();
            assert_eq!(levels, (MAX_NESTED_RUNS - 1) as f32, "{shader:?}");
            let error = unit.error.lock().unwrap().take();
            let expected = format!(
                "the run is nested in {MAX_NESTED_RUNS} others; the limit is {MAX_NESTED_RUNS}"
            );
            assert_eq!(error, Some(expected));
        }
    }
}

/// Several bands high.
const SIZE: [u32; 2] = [2, 130];

/// More than are shaded together.
const VERTICES: usize = 70;

thread_local! {
    /// Answers that are under way on a thread.
    static ANSWERS: Cell<u32> = const { Cell::new(0) };
}

/// Draws a rectangle and a mesh into the same picture for every sample, on several threads, while it
/// holds the picture's lock.
struct Scratch {
    fragments: Shader,
    vertices: Shader,
    picture: Mutex<ColourImage>,
    deepest: AtomicU32,
}

impl Scratch {
    fn new(engine: &Engine) -> Scratch {
        let vertices = Program::assemble("mov o0, i0\nmov o6, i0").unwrap();
        let vertices = vertices.with_stage(Stage::Vertex).validate().unwrap();
        Scratch {
            fragments: engine.prepare(&valid("mov o1, i6")).unwrap(),
            vertices: engine.prepare(&vertices).unwrap(),
            picture: Mutex::new(ColourImage::new(ColourFormat::R32F, SIZE[0], SIZE[1])),
            deepest: AtomicU32::new(0),
        }
    }

    fn draw(&self) {
        // Poisoned by another test's failure only.
        let mut picture = self.picture.lock().unwrap();
        Draw::new(&self.fragments)
            .varying(6, Varying::flat([1.0; 4]))
            .target(0, &mut *picture)
            .threads(0)
            .rect(0..SIZE[0], 0..SIZE[1])
            .unwrap();
        let corners = [[-1.0_f32, -1.0], [3.0, -1.0], [-1.0, 3.0]];
        let places = (0..VERTICES).flat_map(|vertex| corners[vertex % 3]);
        let places: Vec<u8> = places.flat_map(f32::to_le_bytes).collect();
        let places = VertexAttribute::packed(&places, VertexFormat::Float32, 2);
        let buffers = VertexBuffers::new().with(0, places);
        let triangles: Vec<[u32; 3]> = (0..VERTICES as u32).map(|n| [0, n, n]).collect();
        Draw::new(&self.fragments)
            .varying(6, Varying::vertices(Interpolation::Flat))
            .target(0, &mut *picture)
            .threads(0)
            .mesh(&Mesh::new(&self.vertices, &buffers, &triangles))
            .unwrap();
    }
}

impl TextureUnit for Scratch {
    fn has_unit(&self, _: u8) -> bool {
        true
    }

    fn answer(&self, _: &TextureQuery) -> QuadReg {
        let depth = ANSWERS.get() + 1;
        ANSWERS.set(depth);
        self.deepest.fetch_max(depth, Ordering::Relaxed);
        self.draw();
        ANSWERS.set(depth - 1);
        QuadReg::default()
    }
}

fn valid(text: &str) -> ValidProgram {
    Program::assemble(text).unwrap().validate().unwrap()
}

/// Has so many threads draw with a unit that draws while it holds a lock, each so often.
///
/// # Panics
///
/// A unit is asked while it answers on the same thread, or nothing happens for a minute.
fn draw_under_a_lock(engine: &Engine, users: usize, rounds: usize) {
    let (done, wait) = mpsc::channel();
    let engine = engine.clone();
    let drawing = std::thread::spawn(move || {
        let unit = Scratch::new(&engine);
        let outer = engine.prepare(&valid("tex o1, i6, t0")).unwrap();
        let bindings = Bindings::new().with_textures(&unit);
        std::thread::scope(|scope| {
            for _ in 0..users {
                scope.spawn(|| {
                    for _ in 0..rounds {
                        let mut image = ColourImage::new(ColourFormat::Rgba8, SIZE[0], SIZE[1]);
                        Draw::new(&outer)
                            .bindings(&bindings)
                            .varying(6, Varying::flat([1.0; 4]))
                            .target(0, &mut image)
                            .threads(0)
                            .rect(0..SIZE[0], 0..SIZE[1])
                            .unwrap();
                        let _ = done.send(());
                    }
                });
            }
        });
        unit.deepest.into_inner()
    });
    for round in 0..users * rounds {
        let waited = wait.recv_timeout(Duration::from_secs(60));
        assert_ne!(
            waited,
            Err(mpsc::RecvTimeoutError::Timeout),
            "{users} threads stop after {round} draws"
        );
    }
    assert_eq!(drawing.join().unwrap(), 1, "{users} threads");
}

#[test]
fn a_unit_that_draws_under_a_lock_is_not_asked_meanwhile_on_the_same_thread() {
    for engine in Engine::all() {
        for users in [1, 2, 16] {
            draw_under_a_lock(&engine, users, 48 / users);
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn a_thousand_draws_with_a_unit_that_draws_under_a_lock_end() {
    let engine = Engine::auto();
    for users in [1, 2, 16] {
        draw_under_a_lock(&engine, users, 1000 / users);
    }
}
