//! A mesh through a vertex program and a fragment program, frame after frame, to PNG files.
//!
//! `cargo run --release --example spinning_torus -- frames 48`

use std::error::Error;
use std::f32::consts::TAU;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use attila_shader::draw::{
    ColourImage, Cull, DepthImage, DepthState, Draw, FrontFace, Interpolation, Mesh, Varying,
};
use attila_shader::machine::pipeline::{ColourFormat, DepthFormat};
use attila_shader::texture::{MipMode, Pattern, Sampler, Texture, Textures};
use attila_shader::{Bindings, Engine, Program, Stage, VertexBuffers};

const WIDTH: u32 = 640;
const HEIGHT: u32 = 480;

/// Makes a torus out of points of a plane, and turns it.
const VERTEX: &str = include_str!("../cli/src/demo/torus-vertex.attila");
/// Lights it.
const FRAGMENT: &str = include_str!("../cli/src/demo/torus.attila");

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| "torus".to_owned());
    let frames: u32 = arguments.next().map_or(Ok(24), |frames| frames.parse())?;
    std::fs::create_dir_all(&folder)?;

    let engine = Engine::auto();
    let program = Program::assemble(VERTEX)?.with_stage(Stage::Vertex);
    let vertex = engine.prepare(&program.validate()?)?;
    let fragment = engine.prepare(&Program::assemble(FRAGMENT)?.validate()?)?;

    let (points, triangles) = grid(96, 40);
    let buffers = VertexBuffers::new().with_floats(8, &points);
    let mut textures = Textures::new();
    textures.bind(0, bricks()?)?;
    let bindings = Bindings::new()
        .with_textures(&textures)
        .with_constant(0, [0.45, 0.65, 0.61, 48.0])
        .with_constant(1, [0.22, 0.85, 0.5, 0.0]);

    let mut image = ColourImage::new(ColourFormat::Rgba8, WIDTH, HEIGHT);
    let mut depth = DepthImage::new(DepthFormat::D32F, WIDTH, HEIGHT);
    let smooth = Varying::vertices(Interpolation::Perspective);
    let mut draw = Draw::new(&fragment)
        .varying(6, smooth)
        .varying(7, smooth)
        .varying(8, smooth)
        .target(0, ColourFormat::Rgba8)
        .depth(DepthFormat::D32F, DepthState::default())
        .cull(Cull::Back, FrontFace::CounterClockwise)
        .threads(0)
        .prepare()?;

    for frame in 0..frames {
        image.fill([24_u8, 26, 30, 255]);
        depth.fill(1.0_f32);
        let turned = turned(TAU * frame as f32 / frames as f32);
        let mesh = Mesh::new(&vertex, &buffers, &triangles).bindings(&turned);
        draw.frame(&bindings)
            .target(0, &mut image)
            .depth(&mut depth)
            .mesh(&mesh)?;
        let name = format!("torus-{frame:02}.png");
        write(&Path::new(&folder).join(name), &image)?;
    }
    Ok(())
}

/// Points of the unit square as vertices, and the triangles between them.
fn grid(across: u32, down: u32) -> (Vec<[f32; 2]>, Vec<[u32; 3]>) {
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    for row in 0..=down {
        for column in 0..=across {
            points.push([column as f32 / across as f32, row as f32 / down as f32]);
            if row < down && column < across {
                let [a, b] = [0, 1].map(|next| row * (across + 1) + column + next);
                let [c, d] = [a, b].map(|above| above + across + 1);
                triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
    }
    (points, triangles)
}

/// The constants of the vertex program, for a torus that has turned by an angle.
fn turned(angle: f32) -> Bindings<'static> {
    // About its axis, tilted towards the eye, and three units away from it.
    let ((sin, cos), (up, forward)) = (angle.sin_cos(), 0.9_f32.sin_cos());
    let eye = [
        [cos, 0.0, -sin, 0.0],
        [-up * sin, forward, -up * cos, 0.15],
        [forward * sin, up, forward * cos, -3.0],
    ];
    // The view volume: depth 1 to 10, and 0.55 up at depth 1.
    let (near, far, height) = (1.0, 10.0, 0.55);
    let width = height * WIDTH as f32 / HEIGHT as f32;
    let depth = eye[2].map(|z| z * (near + far) / (near - far));
    let [x, y, z, w] = depth;
    let clip = [
        eye[0].map(|x| x / width),
        eye[1].map(|y| y / height),
        [x, y, z, w + 2.0 * near * far / (near - far)],
        eye[2].map(|z| -z),
    ];
    let sizes = [[TAU, 1.0, 0.42, 1.0], [12.0, 4.0, 0.0, 0.0]];
    let rows = clip.into_iter().chain(eye).enumerate();
    let rows = rows.chain([(9, sizes[0]), (10, sizes[1])]);
    rows.fold(Bindings::new(), |bindings, (index, row)| {
        bindings.with_constant(index, row)
    })
}

/// A wall, with trilinear filtering.
fn bricks() -> Result<Texture, Box<dyn Error>> {
    let sampler = Sampler {
        mip: MipMode::Linear,
        ..Sampler::default()
    };
    Ok(Texture::new(Arc::new(Pattern::Bricks.image()), sampler)?)
}

fn write(path: &Path, image: &ColourImage) -> Result<(), Box<dyn Error>> {
    let mut encoder = png::Encoder::new(File::create(path)?, image.width(), image.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header()?.write_image_data(image.bytes())?;
    Ok(())
}
