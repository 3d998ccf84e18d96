//! Pixels with several samples.

mod coverage;
mod faults;
mod fragments;
mod inputs;

use attila_shader::draw::{ColourImage, Draw, Varying, Vertices};
use attila_shader::machine::SampleCount;
use attila_shader::machine::pipeline::{Blend, BlendEquation, BlendFactor, BlendOp, ColourFormat};
use rand::{Rng, RngExt};

/// Adds colours.
const SUM: BlendEquation = BlendEquation {
    op: BlendOp::Add,
    src: BlendFactor::One,
    dst: BlendFactor::One,
};

/// A target of floats, one for each sample.
fn floats([width, height]: [u32; 2], count: SampleCount) -> ColourImage {
    ColourImage::multisampled(ColourFormat::R32F, width, height, count)
}

/// The numbers of a sample, row by row.
fn numbers(image: &ColourImage, sample: usize) -> Vec<f32> {
    let words = image.sample(sample).bytes().chunks_exact(4);
    let numbers = words.map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    numbers.collect()
}

/// A draw that adds 1 to every sample that it covers.
fn counting<'a>(draw: Draw<'a>, image: &'a mut ColourImage) -> Draw<'a> {
    draw.varying(6, Varying::flat([1.0; 4]))
        .target(0, image)
        .blend(0, Blend::all(SUM))
}

/// Positions of vertices in 1/256 pixel as [`Vertices`] have them.
fn corners(points: &[[i32; 2]]) -> Vec<[f32; 4]> {
    let corner = |[x, y]: &[i32; 2]| [*x as f32 / 256.0, *y as f32 / 256.0, 0.5, 1.0];
    points.iter().map(corner).collect()
}

/// Positions of samples, anywhere in the pixel.
fn anywhere(dice: &mut impl Rng, count: SampleCount) -> Vec<[i8; 2]> {
    let position = |_| [(); 2].map(|()| dice.random_range(-8..=7));
    (0..count.count()).map(position).collect()
}

/// Draws triangles between points in 1/256 pixel.
fn triangles(draw: Draw<'_>, points: &[[i32; 2]], indices: &[[u32; 3]]) {
    let positions = corners(points);
    let drawn = draw.triangles(&Vertices::new(&positions), indices);
    drawn.expect("the draw is right");
}
