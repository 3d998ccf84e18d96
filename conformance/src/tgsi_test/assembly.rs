//! From vertices to triangles.

use super::command::Primitive;
use super::vertices::Vertex;

/// The corners of a triangle: the last one gives what is the same everywhere on it.
pub(super) type Triangle = [Vertex; 3];

/// The triangles of a draw's vertices; `None` if the primitive has no area. Points need the size of the
/// target in pixels.
pub(super) fn triangles(
    primitive: Primitive,
    vertices: &[Vertex],
    size: [u32; 2],
) -> Option<Vec<Triangle>> {
    let at = |corners: [usize; 3]| corners.map(|index| vertices[index].clone());
    let later = 2..vertices.len().max(2);
    Some(match primitive {
        Primitive::Lines => return None,
        Primitive::Triangles => {
            let groups = 0..vertices.len() / 3;
            groups.map(|n| at([3 * n, 3 * n + 1, 3 * n + 2])).collect()
        }
        // Every other one is turned round, and its last vertex stays the last.
        Primitive::TriangleStrip => later
            .map(|last| match last % 2 {
                0 => at([last - 2, last - 1, last]),
                _ => at([last - 1, last - 2, last]),
            })
            .collect(),
        Primitive::TriangleFan => later.map(|last| at([0, last - 1, last])).collect(),
        Primitive::Quads => {
            let groups = (0..vertices.len() / 4).map(|n| 4 * n);
            groups
                .flat_map(|n| [at([n, n + 1, n + 3]), at([n + 1, n + 2, n + 3])])
                .collect()
        }
        Primitive::Points => vertices
            .iter()
            .flat_map(|vertex| point(vertex, size))
            .collect(),
    })
}

/// A square around a point.
fn point(vertex: &Vertex, [width, height]: [u32; 2]) -> [Triangle; 2] {
    let [x, y, z, w] = vertex.position();
    let side = vertex.point_size.unwrap_or(1.0);
    let (right, up) = (side * w / width as f32, side * w / height as f32);
    let corner = |column: f32, row: f32| {
        let mut corner = vertex.clone();
        corner.move_to([x + column * right, y + row * up, z, w]);
        corner
    };
    let corners = [
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
        corner(-1.0, 1.0),
        corner(1.0, 1.0),
    ];
    let at = |numbers: [usize; 3]| numbers.map(|number| corners[number].clone());
    [at([0, 1, 2]), at([2, 1, 3])]
}
