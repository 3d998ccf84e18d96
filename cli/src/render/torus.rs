//! The demo's mesh: a grid, which a vertex program bends into a torus.

use attila_scene::Scene;
use attila_scene::mesh::{MeshScene, Model};
use attila_shader::draw::{Cull, Viewport};

use super::Size;

/// Cells of the grid, around the ring and around its tube.
const CELLS: [u32; 2] = [96, 40];

/// The mesh, in the middle of a picture.
pub(super) fn mesh(vertex: Scene, picture: Size) -> MeshScene {
    let mut mesh = MeshScene::new(vertex, grid(CELLS));
    mesh.cull = Cull::Back;
    mesh.viewport = Some(square(picture));
    mesh
}

/// The largest square in the middle of a picture.
fn square(picture: Size) -> Viewport {
    let [width, height] = picture.sides().map(|side| side as f32);
    let side = width.min(height);
    Viewport::new((width - side) / 2.0, (height - side) / 2.0, side, side)
}

/// Points of the unit square as texture coordinates, and the triangles between them.
fn grid([across, down]: [u32; 2]) -> Model {
    let mut model = Model::default();
    for row in 0..=down {
        for column in 0..=across {
            let [u, v] = [column as f32 / across as f32, row as f32 / down as f32];
            model.coordinates.push([u, v, 0.0, 1.0]);
            if row < down && column < across {
                let [a, b] = [0, 1].map(|next| row * (across + 1) + column + next);
                let [c, d] = [a, b].map(|above| above + across + 1);
                model.triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
    }
    model
}
