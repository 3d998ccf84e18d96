//! The shapes that are drawn.

use std::ops::Range;

use attila_shader::geometry::GeometryInput;

/// A kind of shapes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Primitive {
    /// Three vertices each.
    Triangles,
    /// Each vertex from the third on, with the two before it.
    TriangleStrip,
    /// Each vertex from the third on, with the one before it and the first.
    TriangleFan,
    /// Four vertices each, in their order around.
    Quads,
    /// A square around each vertex, PSIZE pixels wide, or one pixel.
    Points,
    /// Two vertices each.
    Lines,
}

impl Primitive {
    /// The corners of the triangles between vertices.
    pub(super) fn triangles(self, vertices: &Range<u32>) -> Vec<[u32; 3]> {
        let Range { start, end } = *vertices;
        let later = start.saturating_add(2)..end;
        let groups = |size: u32| (0..(end - start) / size).map(move |n| start + size * n);
        match self {
            Primitive::Points | Primitive::Lines => Vec::new(),
            Primitive::Triangles => groups(3).map(|n| [n, n + 1, n + 2]).collect(),
            // Every other one is turned round, and its last vertex stays the last.
            Primitive::TriangleStrip => later
                .map(|last| match (last - start) % 2 {
                    0 => [last - 2, last - 1, last],
                    _ => [last - 1, last - 2, last],
                })
                .collect(),
            Primitive::TriangleFan => later.map(|last| [start, last - 1, last]).collect(),
            Primitive::Quads => groups(4)
                .flat_map(|n| [[n, n + 1, n + 3], [n + 1, n + 2, n + 3]])
                .collect(),
        }
    }

    /// The vertices that a geometry program takes: those of the triangles, or one by one.
    pub(super) fn input<'i>(
        self,
        triangles: &'i [[u32; 3]],
        vertices: &'i [u32],
    ) -> GeometryInput<'i> {
        match self {
            Primitive::Points => GeometryInput::Points(vertices),
            Primitive::Lines => GeometryInput::Lines(vertices.as_chunks().0),
            Primitive::Triangles
            | Primitive::TriangleStrip
            | Primitive::TriangleFan
            | Primitive::Quads => GeometryInput::Triangles(triangles),
        }
    }
}
