//! Triangles in the window: those of a frame, or what clipping leaves of a mesh (drawing.md 9).

use attila_shader::draw::ClipDepth;

use super::super::case::{FrameCase, ShapeCase};
use super::super::view::ViewCase;

/// A corner of a triangle.
#[derive(Clone, Copy)]
struct Corner {
    /// Column, row, depth and 1/w.
    window: [f32; 4],
    /// The share of each vertex, unless it is one of them: in what is linear in space, and in the window.
    shares: Option<[[f64; 3]; 2]>,
}

/// A triangle, or a part of one that clipping cuts.
pub(super) struct Triangle {
    /// Its number in the frame.
    pub(super) number: u32,
    vertices: [usize; 3],
    corners: [Corner; 3],
}

impl Triangle {
    /// Column, row, depth and 1/w of the corners.
    pub(super) fn windows(&self) -> [[f32; 4]; 3] {
        self.corners.map(|corner| corner.window)
    }

    /// A component of an attribute at the corners, which is linear in the window or in space.
    pub(super) fn values(
        &self,
        attribute: &[[f32; 4]],
        component: usize,
        in_window: bool,
    ) -> [f32; 3] {
        let of = self.vertices.map(|vertex| attribute[vertex][component]);
        std::array::from_fn(|corner| match self.corners[corner].shares {
            None => of[corner],
            Some(shares) => {
                let [a, b, c] = shares[usize::from(in_window)];
                let [x, y, z] = of.map(f64::from);
                (x * a + y * b + z * c) as f32
            }
        })
    }

    /// A component that the whole triangle has from its last vertex.
    pub(super) fn flat(&self, attribute: &[[f32; 4]], component: usize) -> f32 {
        attribute[self.vertices[2]][component]
    }
}

/// The triangles of a frame in their order. `None` if a vertex does not exist, which a draw refuses.
pub(super) fn triangles(frame: &FrameCase) -> Option<Vec<Triangle>> {
    let ShapeCase::Triangles(positions, triangles) = &frame.shape else {
        return Some(Vec::new());
    };
    let mut all = Vec::new();
    for (number, vertices) in (0..).zip(triangles) {
        let vertices = vertices.map(|vertex| vertex as usize);
        let [a, b, c] = vertices.map(|vertex| positions.get(vertex).copied());
        let places = [a?, b?, c?];
        match frame.view {
            None => all.push(Triangle {
                number,
                vertices,
                corners: places.map(|window| Corner {
                    window,
                    shares: None,
                }),
            }),
            Some(view) => {
                let corners = View::new(&view).clipped(places);
                // A fan about the first corner.
                for last in 2..corners.len() {
                    all.push(Triangle {
                        number,
                        vertices,
                        corners: [corners[0], corners[last - 1], corners[last]],
                    });
                }
            }
        }
    }
    Some(all)
}

/// A position in clip space.
type Position = [f64; 4];

/// A corner before it comes to the window.
#[derive(Clone, Copy)]
struct Cut {
    position: Position,
    weights: [f64; 3],
}

/// The viewport's numbers.
struct View {
    centre: [f64; 3],
    scale: [f64; 3],
    clip_depth: ClipDepth,
}

impl View {
    fn new(view: &ViewCase) -> View {
        let [x, y, width, height] = view.rectangle.map(f64::from);
        let [near, far] = view.depth.map(f64::from);
        let upwards = if view.y_down { 1.0 } else { -1.0 };
        let depth = match view.clip_depth {
            ClipDepth::MinusOneToOne => [(near + far) / 2.0, (far - near) / 2.0],
            ClipDepth::ZeroToOne => [near, far - near],
        };
        View {
            centre: [x + width / 2.0, y + height / 2.0, depth[0]],
            scale: [width / 2.0, upwards * (height / 2.0), depth[1]],
            clip_depth: view.clip_depth,
        }
    }

    /// How far a position is inside of each plane that triangles are cut at, in their order.
    fn distances(&self, [x, y, z, w]: Position) -> [f64; 6] {
        let near = match self.clip_depth {
            ClipDepth::MinusOneToOne => w + z,
            ClipDepth::ZeroToOne => z,
        };
        let wide = 32.0 * w;
        [near, w - z, wide + x, wide - x, wide + y, wide - y]
    }

    /// The corners that are left of a triangle, none if it is not drawn.
    fn clipped(&self, triangle: [[f32; 4]; 3]) -> Vec<Corner> {
        if !triangle.as_flattened().iter().all(|c| c.is_finite()) {
            return Vec::new();
        }
        let positions = triangle.map(|position| position.map(f64::from));
        // The sides of the view volume leave out what is beyond one of them as a whole.
        let sides = |[x, y, _, w]: Position| [w + x, w - x, w + y, w - y];
        let beyond = |of: &dyn Fn(Position) -> Vec<f64>| {
            let all = positions.map(of);
            (0..all[0].len()).any(|plane| all.iter().all(|distances| distances[plane] < 0.0))
        };
        if beyond(&|position| self.distances(position).to_vec())
            || beyond(&|position| sides(position).to_vec())
        {
            return Vec::new();
        }
        let mut corners: Vec<Cut> = (0..3)
            .map(|vertex| Cut {
                position: positions[vertex],
                weights: std::array::from_fn(|other| f64::from(u8::from(other == vertex))),
            })
            .collect();
        let mut is_cut = false;
        for plane in 0..6 {
            let inside = |corner: &Cut| self.distances(corner.position)[plane];
            if positions.iter().any(|it| self.distances(*it)[plane] < 0.0) {
                corners = cut(&corners, inside);
                is_cut = true;
            }
        }
        let corner = |corner: &Cut| {
            let w = corner.position[3];
            let in_window = std::array::from_fn(|v| corner.weights[v] * positions[v][3] / w);
            Corner {
                window: self.window(corner.position),
                shares: is_cut.then_some([corner.weights, in_window]),
            }
        };
        corners.iter().map(corner).collect()
    }

    /// Column, row, depth and 1/w.
    fn window(&self, position: Position) -> [f32; 4] {
        let reciprocal = 1.0 / position[3];
        let axis = |axis: usize| {
            (self.centre[axis] + self.scale[axis] * (position[axis] * reciprocal)) as f32
        };
        [axis(0), axis(1), axis(2), reciprocal as f32]
    }
}

/// The part of a polygon that is not outside of a plane.
fn cut(corners: &[Cut], inside: impl Fn(&Cut) -> f64) -> Vec<Cut> {
    let mut kept = Vec::new();
    let next = corners.iter().cycle().skip(1);
    for (here, there) in corners.iter().zip(next) {
        let distances = [inside(here), inside(there)];
        if distances[0] >= 0.0 {
            kept.push(*here);
        }
        if (distances[0] >= 0.0) != (distances[1] >= 0.0) {
            // The same point from both sides of an edge: always from the end that is inside.
            let [(from, d), (to, e)] = match distances[0] >= 0.0 {
                true => [(here, distances[0]), (there, distances[1])],
                false => [(there, distances[1]), (here, distances[0])],
            };
            let part = d / (d - e);
            let between = |a: f64, b: f64| a + part * (b - a);
            kept.push(Cut {
                position: std::array::from_fn(|c| between(from.position[c], to.position[c])),
                weights: std::array::from_fn(|v| between(from.weights[v], to.weights[v])),
            });
        }
    }
    kept
}
