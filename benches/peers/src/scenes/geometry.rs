//! Triangles and rectangles of scenes, in pixels from the lower left corner of the picture.

use std::ops::Range;

use super::Shape;
use crate::contract::{Inputs, Mesh};

/// Vertices and triangles of a scene, the same for both engines.
pub(crate) struct Geometry {
    /// Places, colours and texture coordinates of the vertices, four floats each.
    pub(crate) attributes: [Vec<u8>; 3],
    pub(crate) triangles: Vec<[u32; 3]>,
    /// The rectangles that the triangles are pairs of; none if they are a mesh.
    pub(crate) rectangles: Vec<[Range<u32>; 2]>,
}

impl Geometry {
    pub(crate) fn new(shape: Shape, inputs: &Inputs, size: [u32; 2]) -> Geometry {
        let rectangles = rectangles(shape, size);
        let (points, triangles) = match shape {
            Shape::Grid { triangles, area } => grid(triangles, area, size),
            Shape::Soup => apart(&Mesh::small(size).triangles),
            Shape::Layers(_) | Shape::Small { .. } => {
                let halves: Vec<_> = rectangles.iter().flat_map(halves).collect();
                apart(&halves)
            }
        };
        // A rectangle has one depth, a mesh is a slope.
        let slant = if rectangles.is_empty() { 0.5 } else { 0.0 };
        let vertices: Vec<[[f32; 4]; 3]> = points
            .iter()
            .map(|&[x, y]| {
                let (u, v) = (x / size[0] as f32, y / size[1] as f32);
                let [colour, coordinates] =
                    [inputs.colour, inputs.coordinates[0]].map(|it| it.map(|it| it.value(u, v)));
                [[x, y, slant * (u - v), 1.0], colour, coordinates]
            })
            .collect();
        let bytes = |attribute: usize| {
            let floats = vertices.iter().flat_map(|vertex| vertex[attribute]);
            floats.flat_map(f32::to_le_bytes).collect()
        };
        Geometry {
            attributes: [0, 1, 2].map(bytes),
            triangles,
            rectangles,
        }
    }
}

type Points = (Vec<[f32; 2]>, Vec<[u32; 3]>);

/// Triangles of `area` pixels, two to a cell of a grid in the lower left corner. It is a square if there is room, and
/// when it is full, the next begin there again.
fn grid(count: usize, area: f32, size: [u32; 2]) -> Points {
    let side = (2.0 * area).sqrt();
    let room = (size[0].min(size[1]) as f32 / side) as u32;
    let cells = ((count as f32 / 2.0).sqrt().round() as u32).clamp(1, room);
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    while triangles.len() < count {
        let first = points.len() as u32;
        for (row, column) in (0..=cells).flat_map(|row| (0..=cells).map(move |it| (row, it))) {
            // Multiples of 1/256, so that nobody rounds them.
            points.push([column, row].map(|it| (256.0 * side * it as f32).round() / 256.0));
            if row < cells && column < cells {
                let a = first + row * (cells + 1) + column;
                let b = a + cells + 1;
                triangles.extend([[a, a + 1, b + 1], [a, b + 1, b]]);
            }
        }
    }
    triangles.truncate(count);
    (points, triangles)
}

/// Triangles that share no vertices.
fn apart(triangles: &[[[f32; 2]; 3]]) -> Points {
    let corners = |triangle: u32| [0, 1, 2].map(|corner| 3 * triangle + corner);
    let triangles_of_points = (0..triangles.len() as u32).map(corners).collect();
    (triangles.as_flattened().to_vec(), triangles_of_points)
}

/// The two triangles of a rectangle.
fn halves([columns, rows]: &[Range<u32>; 2]) -> [[[f32; 2]; 3]; 2] {
    let [left, right, bottom, top] =
        [columns.start, columns.end, rows.start, rows.end].map(|it| it as f32);
    [
        [[left, bottom], [right, bottom], [right, top]],
        [[left, bottom], [right, top], [left, top]],
    ]
}

/// Columns and rows of a shape's rectangles.
fn rectangles(shape: Shape, [width, height]: [u32; 2]) -> Vec<[Range<u32>; 2]> {
    match shape {
        Shape::Grid { .. } | Shape::Soup => Vec::new(),
        Shape::Layers(count) => vec![[0..width, 0..height]; count],
        Shape::Small { count, side } => {
            let (across, up) = (width / side, height / side);
            let rectangle = |index: u32| {
                let (x, y) = (index % across * side, index / across % up * side);
                [x..x + side, y..y + side]
            };
            (0..count).map(rectangle).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [u32; 2] = [1024, 1024];

    #[test]
    fn grids_have_the_triangles_that_are_said_and_stay_in_the_picture() {
        for (count, area) in [(1000, 1.0), (10_000, 10.0), (100_000, 100.0)] {
            let (points, triangles) = grid(count, area, SIZE);
            assert_eq!(triangles.len(), count);
            assert!(
                points
                    .as_flattened()
                    .iter()
                    .all(|it| (0.0..=1024.0).contains(it))
            );
            let [a, b, c] = triangles[count / 2].map(|index| points[index as usize]);
            let twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            assert!((twice / 2.0 / area - 1.0).abs() < 0.01, "{twice}");
        }
    }

    #[test]
    fn rectangles_that_find_no_room_begin_again() {
        let all = rectangles(
            Shape::Small {
                count: 5,
                side: 512,
            },
            SIZE,
        );
        assert_eq!(all[1], [512..1024, 0..512]);
        assert_eq!(all[3], [512..1024, 512..1024]);
        assert_eq!(all[4], all[0]);
    }
}
