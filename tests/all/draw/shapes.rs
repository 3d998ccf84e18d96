//! Which pixels rectangles and lists of quads cover.

use std::ops::Range;

use attila_shader::Shader;
use attila_shader::draw::{ColourBuffer, Draw, Quad};
use attila_shader::machine::LaneMask;
use attila_shader::machine::pipeline::ColourFormat;

use super::common::{numbered, shaders};

/// The value of pixels that were not drawn.
const UNTOUCHED: f32 = -1.0;

/// A target whose pixels are their numbers where they were drawn, with padding after each row.
struct Numbers {
    width: u32,
    height: u32,
    pitch: usize,
    pixels: Vec<f32>,
}

impl Numbers {
    fn new(width: u32, height: u32) -> Numbers {
        let pitch = width as usize + 3;
        Numbers {
            width,
            height,
            pitch,
            // The last row has no padding.
            pixels: vec![UNTOUCHED; (pitch * height as usize).saturating_sub(3)],
        }
    }

    fn draw<'a>(&'a mut self, shader: &Shader) -> Draw<'a> {
        let Numbers { width, height, .. } = *self;
        let buffer = ColourBuffer::new(ColourFormat::R32F, width, height, &mut self.pixels);
        Draw::new(shader)
            .varying(6, numbered())
            .target(0, buffer.with_pitch(4 * self.pitch))
    }

    /// Panics unless exactly those pixels are drawn for which `is_inside` is true.
    fn check(&self, is_inside: impl Fn(u32, u32) -> bool, what: &str) {
        for (index, &number) in self.pixels.iter().enumerate() {
            let (x, y) = ((index % self.pitch) as u32, (index / self.pitch) as u32);
            let drawn = x < self.width && is_inside(x, y);
            let centre = (y as f32 + 0.5) * 100.0 + (x as f32 + 0.5);
            let expected = if drawn { centre } else { UNTOUCHED };
            assert_eq!(number, expected, "({x}, {y}) of {what}");
        }
    }
}

fn numbers() -> Vec<Shader> {
    shaders("mov o1.x, i6.z")
}

#[test]
fn rectangles_cover_their_pixels_and_no_others_whatever_the_target() {
    let edges = [-3, 0, 1, 2, 4, 5, 6, 7, 40];
    for shader in numbers() {
        for (width, height) in [(1, 1), (2, 1), (1, 2), (6, 4), (7, 5), (5, 35), (300, 3)] {
            for columns in pairs(&edges) {
                for rows in pairs(&edges) {
                    let mut target = Numbers::new(width, height);
                    let draw = target.draw(&shader);
                    draw.rect(columns.clone(), rows.clone()).unwrap();
                    let is_inside =
                        |x, y| columns.contains(&(x as i32)) && rows.contains(&(y as i32));
                    let what = format!("{columns:?} {rows:?} in {width}x{height}");
                    target.check(is_inside, &what);
                }
            }
        }
    }
}

/// Every range between two of the edges, those that are the wrong way round, too.
fn pairs(edges: &[i32]) -> impl Iterator<Item = Range<i32>> + '_ {
    let starts = edges.iter().copied();
    starts.flat_map(|start| edges.iter().map(move |&end| start..end))
}

#[test]
fn scissors_cut_rectangles_and_quads() {
    for shader in numbers() {
        let mut target = Numbers::new(9, 9);
        let draw = target.draw(&shader).scissor(3..8, 1..6);
        draw.rect(0..5, -7..100).unwrap();
        target.check(|x, y| (3..5).contains(&x) && (1..6).contains(&y), "a rect");

        let mut target = Numbers::new(9, 9);
        let quads = list(0..8, 0..4, LaneMask::all());
        let draw = target.draw(&shader).scissor(3..8, 1..6);
        draw.quads(&quads).unwrap();
        target.check(|x, y| (3..8).contains(&x) && (1..4).contains(&y), "quads");
    }
}

/// All quads of an area with even edges.
fn list(columns: Range<u32>, rows: Range<u32>, coverage: LaneMask) -> Vec<Quad> {
    let rows = rows.step_by(2);
    rows.flat_map(|y| {
        let columns = columns.clone().step_by(2);
        columns.map(move |x| Quad { x, y, coverage })
    })
    .collect()
}

#[test]
fn quads_cover_the_lanes_that_are_asked_for() {
    for shader in numbers() {
        let coverage = LaneMask::LANE1 | LaneMask::LANE2;
        let mut quads = list(0..80, 0..90, coverage);
        // In no order.
        quads.sort_by_key(|quad| (quad.x * 7 + quad.y * 13) % 31);
        // Quads without coverage, past the target's edges.
        quads.extend(list(78..90, 88..100, LaneMask::empty()));
        let mut target = Numbers::new(75, 71);
        target.draw(&shader).quads(&quads).unwrap();
        target.check(|x, y| x % 2 != y % 2, "a checkerboard");
    }
}

#[test]
fn wide_targets_are_covered_too() {
    for shader in numbers() {
        for (width, height) in [(1037, 67), (1036, 66)] {
            let mut target = Numbers::new(width, height);
            target.draw(&shader).rect(0..width, 0..height).unwrap();
            target.check(|_, _| true, "a wide rect");
            let mut target = Numbers::new(width, height);
            target.draw(&shader).rect(1..width - 2, 1..height).unwrap();
            target.check(|x, y| x > 0 && x < width - 2 && y > 0, "most of it");
        }
    }
}
