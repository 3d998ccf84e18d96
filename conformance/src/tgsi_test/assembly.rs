//! From vertices to triangles.

use super::command::Primitive;
use super::vertices::Vertex;

/// The corners of a triangle: the last one gives what is the same everywhere on it.
pub(super) type Triangle = [Vertex; 3];

/// The numbers of the corners of a draw's triangles; `None` if the primitive is not made of triangles.
pub(super) fn corners(primitive: Primitive, count: usize) -> Option<Vec<[usize; 3]>> {
    let later = 2..count.max(2);
    Some(match primitive {
        Primitive::Lines | Primitive::Points => return None,
        Primitive::Triangles => {
            let groups = 0..count / 3;
            groups.map(|n| [3 * n, 3 * n + 1, 3 * n + 2]).collect()
        }
        // Every other one is turned round, and its last vertex stays the last.
        Primitive::TriangleStrip => later
            .map(|last| match last % 2 {
                0 => [last - 2, last - 1, last],
                _ => [last - 1, last - 2, last],
            })
            .collect(),
        Primitive::TriangleFan => later.map(|last| [0, last - 1, last]).collect(),
        Primitive::Quads => {
            let groups = (0..count / 4).map(|n| 4 * n);
            groups
                .flat_map(|n| [[n, n + 1, n + 3], [n + 1, n + 2, n + 3]])
                .collect()
        }
    })
}

/// The triangles of a draw's vertices; `None` if the primitive has no area. Points need the size of the
/// target in pixels.
pub(super) fn triangles(
    primitive: Primitive,
    vertices: &[Vertex],
    size: [u32; 2],
) -> Option<Vec<Triangle>> {
    if primitive == Primitive::Points {
        let points = vertices.iter().flat_map(|vertex| point(vertex, size));
        return Some(points.collect());
    }
    let corners = corners(primitive, vertices.len())?;
    let corners = corners.into_iter();
    Some(
        corners
            .map(|it| it.map(|index| vertices[index].clone()))
            .collect(),
    )
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
