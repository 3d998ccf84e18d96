//! A star with one sample per pixel and with eight, side by side, to a PNG file.
//!
//! `cargo run --release --example smooth_edges -- star.png`

use std::error::Error;
use std::f32::consts::TAU;
use std::fs::File;
use std::path::Path;

use attila_shader::draw::{ColourImage, Draw, Vertices};
use attila_shader::machine::SampleCount;
use attila_shader::machine::pipeline::ColourFormat;
use attila_shader::{Engine, Program, Shader};

/// Columns and rows of a star.
const SIZE: u32 = 64;
/// Columns and rows of the PNG file for a pixel.
const SCALE: u32 = 5;
/// Points of the star.
const POINTS: u32 = 7;

/// Takes the colours of vertices.
const FRAGMENT: &str = "mov o1, i6";

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1);
    let path = path.unwrap_or_else(|| "smooth-edges.png".to_owned());
    let shader = Engine::auto().prepare(&Program::assemble(FRAGMENT)?.validate()?)?;
    let rough = star(&shader, SampleCount::One)?;
    let smooth = star(&shader, SampleCount::Eight)?;
    write(Path::new(&path), [&rough, &smooth])
}

/// Draws the star, and makes one sample of several.
pub(crate) fn star(shader: &Shader, samples: SampleCount) -> Result<ColourImage, Box<dyn Error>> {
    let mut image = ColourImage::multisampled(ColourFormat::Rgba8, SIZE, SIZE, samples);
    image.fill([24_u8, 26, 30, 255]);
    let (positions, colours, triangles) = mesh();
    let vertices = Vertices::new(&positions).with(6, &colours);
    Draw::new(shader)
        .target(0, &mut image)
        .triangles(&vertices, &triangles)?;
    Ok(image.resolved())
}

type Mesh = (Vec<[f32; 4]>, Vec<[f32; 4]>, Vec<[u32; 3]>);

/// Positions and colours of vertices, and a triangle between the middle and each edge.
fn mesh() -> Mesh {
    let middle = SIZE as f32 / 2.0;
    let mut positions = vec![[middle, middle, 0.5, 1.0]];
    let mut colours = vec![[1.0, 0.9, 0.5, 1.0]];
    let mut triangles = Vec::new();
    for corner in 0..2 * POINTS {
        let (radius, red) = match corner % 2 {
            0 => (30.0, 1.0),
            _ => (11.0, 0.9),
        };
        let (y, x) = (TAU * corner as f32 / (2 * POINTS) as f32 + 0.2).sin_cos();
        positions.push([middle + radius * x, middle + radius * y, 0.5, 1.0]);
        colours.push([red, red - 0.5, 0.1, 1.0]);
        triangles.push([0, 1 + corner, 1 + (corner + 1) % (2 * POINTS)]);
    }
    (positions, colours, triangles)
}

/// Writes images next to each other, with large pixels.
fn write(path: &Path, images: [&ColourImage; 2]) -> Result<(), Box<dyn Error>> {
    let mut bytes = Vec::new();
    for y in 0..SIZE * SCALE {
        for image in images {
            for x in 0..SIZE * SCALE {
                let pixel: Option<[u8; 4]> = image.pixel(x / SCALE, y / SCALE);
                bytes.extend(pixel.unwrap_or_default());
            }
        }
    }
    let (width, height) = (2 * SIZE * SCALE, SIZE * SCALE);
    let mut encoder = png::Encoder::new(File::create(path)?, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header()?.write_image_data(&bytes)?;
    Ok(())
}
