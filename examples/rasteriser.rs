//! An OBJ file with a texture, depth and four samples for each pixel, into rasteriser.png.
//!
//! `cargo run --release --example rasteriser [MESH.OBJ]`

use std::error::Error;

use attila_scene::Loader;
use attila_scene::picture::{Depth, Picture};
use attila_shader::draw::{self, ColourImage, DepthImage, Draw, Mesh};
use attila_shader::{Bindings, Engine, VertexBuffers};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1);
    let file = file.unwrap_or(format!("{FOLDER}/cube.obj"));
    let (models, _) = tobj::load_obj(file, &tobj::GPU_LOAD_OPTIONS)?;
    let mesh = &models.first().ok_or("the file has no triangles")?.mesh;
    let buffers = VertexBuffers::new()
        .with_floats::<3>(0, mesh.positions.as_chunks().0)
        .with_floats::<3>(1, mesh.normals.as_chunks().0)
        .with_floats::<2>(2, mesh.texcoords.as_chunks().0);

    let engine = Engine::auto();
    let vertex = Loader::new().open(format!("{FOLDER}/rasteriser-vertex.attila"))?;
    let vertex = vertex.shader(&engine)?;
    let fragment = Loader::new().open(format!("{FOLDER}/rasteriser.attila"))?;

    // Projection times a view from 4 units away, turned by 0.45 about the x axis.
    let [width, height] = [800, 600];
    let (near, far, top) = (0.5, 20.0, 0.35);
    let (sin, cos) = (0.434_965_52, 0.900_447_1);
    let (x, y) = (near / (top * width as f32 / height as f32), near / top);
    let (z, w) = ((far + near) / (near - far), 2.0 * far * near / (near - far));
    let transform = Bindings::new()
        .with_constant(0, [x, 0.0, 0.0, 0.0])
        .with_constant(1, [0.0, y * cos, y * -sin, 0.0])
        .with_constant(2, [0.0, z * sin, z * cos, z * -4.0 + w])
        .with_constant(3, [0.0, -sin, -cos, 4.0]);

    let (samples, depths) = (
        attila_shader::SampleCount::Four,
        attila_shader::DepthFormat::D32F,
    );
    let mut colour = ColourImage::multisampled(Depth::Eight.target(), width, height, samples);
    let mut depth = DepthImage::multisampled(depths, width, height, samples);
    colour.fill([40_u8, 50, 70, 255]);
    depth.fill(1.0_f32);
    Draw::new(&fragment.shader(&engine)?)
        .bindings(&fragment.bindings())
        .target(0, &mut colour)
        .depth(&mut depth, draw::DepthState::default())
        .cull(draw::Cull::Back, draw::FrontFace::CounterClockwise)
        .threads(0)
        .mesh(&Mesh::new(&vertex, &buffers, mesh.indices.as_chunks().0).bindings(&transform))?;
    Picture::new(colour.resolved(), Depth::Eight).save("rasteriser.png")?;
    Ok(())
}
