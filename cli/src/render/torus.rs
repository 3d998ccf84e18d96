//! The demo's mesh: a grid, which a vertex program bends into a torus.

use std::time::Instant;

use attila_scene::setting;
use attila_scene::source::Loaded;
use attila_shader::draw::{
    ColourImage, Cull, DepthImage, DepthState, DrawError, FrontFace, Interpolation, Mesh, Varying,
    Viewport,
};
use attila_shader::machine::pipeline::DepthFormat;
use attila_shader::{Bindings, Engine, Shader, VertexBuffers};

use super::{Drawn, Job};
use crate::engines;
use crate::error::CliError;

/// The vertex program's input that says where in the grid a vertex is.
const COORDINATES: usize = 8;

/// The outputs that the fragment program takes from it.
const OUTPUTS: [usize; 3] = [6, 7, 8];

/// Cells of the grid, around the ring and around its tube.
const CELLS: [u32; 2] = [96, 40];

/// Draws it into the middle of the picture.
pub(super) fn draw(
    vertex: &Loaded,
    job: &Job<'_>,
    engine: &Engine,
    image: &mut ColourImage,
) -> Result<Drawn, CliError> {
    let start = Instant::now();
    let vertex_shader = engines::prepare(engine, &vertex.program)?;
    let shader = engines::prepare(engine, &job.scene.loaded.program)?;
    let bindings = setting::bind(&vertex.directives, Bindings::new());
    let (points, triangles) = grid(CELLS);
    let buffers = VertexBuffers::new().with_floats(COORDINATES, &points);
    let mesh = Mesh::new(&vertex_shader, &buffers, &triangles)
        .bindings(&bindings)
        .viewport(square(image));
    let drawn = draw_mesh(&shader, job, &mesh, image);
    let (prepared, finished) = drawn.map_err(|source| CliError::Render {
        name: job.scene.loaded.name.clone(),
        source,
    })?;
    Ok(Drawn {
        engine: shader.engine(),
        prepare: prepared - start,
        shade: finished - prepared,
        pixels: job.picture.pixels(),
    })
}

/// Draws, and says when everything was prepared and when it was drawn.
fn draw_mesh(
    shader: &Shader,
    job: &Job<'_>,
    mesh: &Mesh<'_>,
    image: &mut ColourImage,
) -> Result<(Instant, Instant), DrawError> {
    let (width, height) = (image.width(), image.height());
    let mut depth = DepthImage::multisampled(DepthFormat::D32F, width, height, image.samples());
    depth.fill(1.0_f32);
    let smooth = Varying::vertices(Interpolation::Perspective);
    let draw = job
        .samples
        .draw(job.scene, shader, job.picture)
        .threads(job.threads)
        .target(0, &mut *image)
        .depth(&mut depth, DepthState::default())
        .cull(Cull::Back, FrontFace::CounterClockwise);
    let varyings = OUTPUTS.into_iter();
    let draw = varyings.fold(draw, |draw, output| draw.varying(output, smooth));
    let mut draw = draw.prepare()?;
    draw.compile_for_triangles(job.bindings)?;
    let prepared = Instant::now();
    let frame = draw.frame(job.bindings).target(0, image);
    frame.depth(&mut depth).mesh(mesh)?;
    Ok((prepared, Instant::now()))
}

/// The largest square in the middle of a picture.
fn square(image: &ColourImage) -> Viewport {
    let (width, height) = (image.width() as f32, image.height() as f32);
    let side = width.min(height);
    Viewport::new((width - side) / 2.0, (height - side) / 2.0, side, side)
}

/// Points of the unit square as vertices, and the triangles between them.
fn grid([across, down]: [u32; 2]) -> (Vec<[f32; 2]>, Vec<[u32; 3]>) {
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
