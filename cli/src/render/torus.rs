//! The demo's mesh: a grid, which a vertex program bends into a torus.

use std::time::Instant;

use crate::picture::Picture;
use attila_scene::setting;
use attila_scene::source::Loaded;
use attila_shader::draw::{
    Cull, DepthImage, DepthState, Draw, DrawError, FrontFace, Interpolation, Mesh, Varying,
    Viewport,
};
use attila_shader::machine::pipeline::{Compare, DepthFormat};
use attila_shader::machine::{VertexAttribute, VertexFormat};
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
    picture: &mut Picture,
) -> Result<Drawn, CliError> {
    let start = Instant::now();
    let vertex_shader = engines::prepare(engine, &vertex.program)?;
    let shader = engines::prepare(engine, &job.scene.loaded.program)?;
    let bindings = setting::bind(&vertex.directives, Bindings::new());
    let (points, triangles) = grid(CELLS);
    let coordinates = VertexAttribute::packed(&points, VertexFormat::Float32, 2);
    let buffers = VertexBuffers::new().with(COORDINATES, coordinates);
    let mesh = Mesh::new(&vertex_shader, &buffers, &triangles)
        .bindings(&bindings)
        .viewport(square(picture));
    let drawn = draw_mesh(&shader, job, &mesh, picture);
    let (prepared, finished) = drawn.map_err(|source| CliError::Render {
        name: job.scene.loaded.name.clone(),
        source,
    })?;
    Ok(Drawn {
        engine: shader.engine(),
        prepare: prepared - start,
        shade: finished - prepared,
        pixels: picture.width() * picture.height(),
    })
}

/// Draws, and says when everything was prepared and when it was drawn.
fn draw_mesh(
    shader: &Shader,
    job: &Job<'_>,
    mesh: &Mesh<'_>,
    picture: &mut Picture,
) -> Result<(Instant, Instant), DrawError> {
    let (width, height) = (picture.width() as u32, picture.height() as u32);
    let mut depth = DepthImage::multisampled(DepthFormat::D32F, width, height, picture.samples());
    depth.fill(1.0_f32);
    let smooth = Varying::vertices(Interpolation::Perspective);
    let draw = Draw::new(shader)
        .target(0, &mut *picture)
        .depth(
            &mut depth,
            DepthState {
                compare: Compare::Less,
                write: true,
            },
        )
        .cull(Cull::Back, FrontFace::CounterClockwise);
    let varyings = OUTPUTS.into_iter();
    let draw = varyings.fold(job.samples.set(draw), |draw, output| {
        draw.varying(output, smooth)
    });
    let mut draw = draw.prepare()?;
    draw.compile_for_triangles(job.bindings)?;
    let prepared = Instant::now();
    let frame = draw.frame(job.bindings).target(0, picture);
    frame.depth(&mut depth).mesh(mesh)?;
    Ok((prepared, Instant::now()))
}

/// The largest square in the middle of a picture.
fn square(picture: &Picture) -> Viewport {
    let (width, height) = (picture.width() as f32, picture.height() as f32);
    let side = width.min(height);
    Viewport::new((width - side) / 2.0, (height - side) / 2.0, side, side)
}

/// Points of the unit square as vertices, and the triangles between them.
fn grid([across, down]: [u32; 2]) -> (Vec<u8>, Vec<[u32; 3]>) {
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    for row in 0..=down {
        for column in 0..=across {
            let point = [column as f32 / across as f32, row as f32 / down as f32];
            points.extend(point.iter().flat_map(|coordinate| coordinate.to_le_bytes()));
            if row < down && column < across {
                let [a, b] = [0, 1].map(|next| row * (across + 1) + column + next);
                let [c, d] = [a, b].map(|above| above + across + 1);
                triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
    }
    (points, triangles)
}
