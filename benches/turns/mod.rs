//! Programs that draw the same picture in turns, so that a disturbance hits all of them. The best of many
//! rounds counts.

use std::time::Instant;

use attila_shader::draw::{ColourBuffer, ColourImage, Draw, Varying};
use attila_shader::machine::pipeline::{ColourFormat, Plane};
use attila_shader::{Bindings, Shader};

/// Pixels along each side of the picture.
pub(crate) const SIDE: u32 = 1024;

/// Draws the picture into its pixels.
type Drawing<'a> = Box<dyn FnMut(&mut [u8]) + 'a>;

/// A program on an engine.
pub(crate) struct Contender<'a> {
    draw: Drawing<'a>,
    /// Rounds from one of its draws to the next.
    every: usize,
    /// Seconds of its fastest draw.
    best: f64,
}

impl<'a> Contender<'a> {
    /// A shader that draws on one thread, in every so many rounds. Its varyings are planes.
    pub(crate) fn new(
        shader: &Shader,
        bindings: &'a Bindings<'a>,
        varyings: &[(usize, [Plane; 4])],
        every: usize,
    ) -> Contender<'a> {
        let format = ColourFormat::Rgba8;
        let mut image = ColourImage::new(format, SIDE, SIDE);
        let mut draw = Draw::new(shader).target(0, &mut image).threads(1);
        for (register, planes) in varyings {
            draw = draw.varying(*register, Varying::linear(*planes));
        }
        let mut prepared = draw.prepare().expect("the draw is right");
        Contender {
            draw: Box::new(move |pixels| {
                let target = ColourBuffer::new(format, SIDE, SIDE, pixels);
                let mut frame = prepared.frame(bindings).target(0, target);
                frame.rect(0..SIDE, 0..SIDE).expect("the draw is right");
            }),
            every,
            best: f64::INFINITY,
        }
    }

    /// The pixels of the picture.
    pub(crate) fn picture(&mut self) -> Vec<u8> {
        let mut pixels = vec![0; (4 * SIDE * SIDE) as usize];
        (self.draw)(&mut pixels);
        pixels
    }

    /// Millions of pixels in a second.
    pub(crate) fn speed(&self) -> f64 {
        f64::from(SIDE * SIDE) / self.best / 1e6
    }
}

/// Lets every contender draw, in turn.
pub(crate) fn race(contenders: &mut [Contender<'_>], rounds: usize) {
    let mut pixels = vec![0; (4 * SIDE * SIDE) as usize];
    for round in 0..rounds {
        for contender in contenders.iter_mut().filter(|it| round % it.every == 0) {
            let start = Instant::now();
            (contender.draw)(&mut pixels);
            contender.best = contender.best.min(start.elapsed().as_secs_f64());
        }
    }
}

/// The planes of the place in the picture: u and v from 0 to `end`, then 0 and 1.
pub(crate) fn place(end: f32) -> [Plane; 4] {
    let plane = |at, dx, dy| Plane { at, dx, dy };
    let step = end / SIDE as f32;
    [
        plane(0.0, step, 0.0),
        plane(0.0, 0.0, step),
        plane(0.0, 0.0, 0.0),
        plane(1.0, 0.0, 0.0),
    ]
}
