//! Watching the calls of texture units.

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use attila_shader::TextureUnit;
use attila_shader::isa::TextureShape;
use attila_shader::machine::{QuadReg, TextureQuery};
use attila_shader::texture::Textures;

/// Empty calls that are measured to know what measuring takes.
const EMPTY_CALLS: usize = 10_000;

/// Texture units whose calls are counted and measured. The JIT samples by its own code what it would
/// of the units themselves.
pub(super) struct Watched<'a> {
    units: &'a Textures,
    calls: AtomicU64,
    nanoseconds: AtomicU64,
}

/// The calls of texture units in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calls {
    pub(super) count: u64,
    /// The part of the frame's time that they take, 0 to 1.
    pub(super) share: f64,
}

impl<'a> Watched<'a> {
    pub(super) fn new(units: &'a Textures) -> Watched<'a> {
        Watched {
            units,
            calls: AtomicU64::new(0),
            nanoseconds: AtomicU64::new(0),
        }
    }

    /// Forgets what was counted and measured.
    pub(super) fn reset(&self) {
        self.calls.store(0, Ordering::Relaxed);
        self.nanoseconds.store(0, Ordering::Relaxed);
    }

    /// The calls since then. `frame` is how long as many take together with everything around them,
    /// if nobody watches.
    pub(super) fn calls(&self, frame: Duration) -> Calls {
        let count = self.calls.load(Ordering::Relaxed);
        let measured = self.nanoseconds.load(Ordering::Relaxed) as f64 / 1e9;
        let within = measured - count as f64 * of_an_empty_call();
        Calls {
            count,
            share: (within / frame.as_secs_f64().max(1e-9)).clamp(0.0, 1.0),
        }
    }
}

/// The seconds that an empty call seems to take.
fn of_an_empty_call() -> f64 {
    let measured = (0..EMPTY_CALLS).map(|_| Instant::now().elapsed());
    measured.sum::<Duration>().as_secs_f64() / EMPTY_CALLS as f64
}

impl TextureUnit for Watched<'_> {
    fn has_unit(&self, unit: u8) -> bool {
        self.units.has_unit(unit)
    }

    fn kind(&self, unit: u8) -> Option<TextureShape> {
        self.units.kind(unit)
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        let start = Instant::now();
        let answer = self.units.answer(query);
        let time = start.elapsed().as_nanos() as u64;
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.nanoseconds.fetch_add(time, Ordering::Relaxed);
        answer
    }

    fn as_any(&self) -> Option<&dyn Any> {
        self.units.as_any()
    }

    fn in_any_order(&self) -> bool {
        self.units.in_any_order()
    }
}

#[cfg(test)]
mod tests {
    use attila_shader::texture::{Image, Sampler, Texture};
    use attila_shader::{Bindings, Engine, Program, QuadIo};

    use super::*;

    #[test]
    fn calls_are_counted_and_take_a_part_of_the_time() {
        let image = Image::from_rgba8(1, 1, &[255, 0, 0, 255]).unwrap();
        let texture = Texture::new(image, Sampler::RESET).unwrap();
        let mut textures = Textures::new();
        textures.bind(0, texture).unwrap();
        let watched = Watched::new(&textures);
        let bindings = Bindings::new().with_textures(&watched);
        let program = Program::assemble("tex o1, i6, t0\ntex o2, i7, t0").unwrap();
        let shader = Engine::interp().prepare(&program.validate().unwrap());
        let mut quads = vec![QuadIo::default(); 100];
        shader.unwrap().run(&bindings, &mut quads).unwrap();
        assert_eq!(quads[99].output(1), [[1.0, 0.0, 0.0, 1.0]; 4]);
        assert_eq!(watched.calls(Duration::from_secs(1)).count, 200);
        assert!(watched.calls(Duration::from_secs(1000)).share < 1.0);
        assert!((0.0..=1.0).contains(&watched.calls(Duration::ZERO).share));
        watched.reset();
        assert_eq!(watched.calls(Duration::from_secs(1)).count, 0);
    }
}
