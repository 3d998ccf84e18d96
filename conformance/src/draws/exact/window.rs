//! Triangles in the window: those of a frame, or what clipping and distances leave (drawing.md 8 and 9).

use attila_shader::draw::ClipDepth;
use attila_shader::isa::{INPUTS, Inputs, Slots};

use super::super::case::{FrameCase, ShapeCase};
use super::super::set_up::SetUpCase;
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

    /// A component of an attribute at the corners, which is linear in the window or in space, and may go round a cylinder.
    pub(super) fn values(
        &self,
        attribute: &[[f32; 4]],
        component: usize,
        (in_window, goes_round): (bool, bool),
    ) -> [f64; 3] {
        let of = self
            .vertices
            .map(|vertex| f64::from(attribute[vertex][component]));
        let [x, y, z] = if goes_round { shorter_way(of) } else { of };
        std::array::from_fn(|corner| match self.corners[corner].shares {
            None => [x, y, z][corner],
            Some(shares) => {
                let [a, b, c] = shares[usize::from(in_window)];
                f64::from((x * a + y * b + z * c) as f32)
            }
        })
    }

    /// A component that the whole triangle has from its last vertex.
    pub(super) fn flat(&self, attribute: &[[f32; 4]], component: usize) -> f32 {
        attribute[self.vertices[2]][component]
    }
}

/// Values with whole numbers added, as near to the greatest as these bring them, and below it where two are equally near.
fn shorter_way(values: [f64; 3]) -> [f64; 3] {
    let greatest = values.into_iter().fold(f64::NEG_INFINITY, f64::max);
    values.map(|value| {
        // Not further than half a turn.
        let turns = ((greatest - value) - 0.5).ceil();
        if turns.is_finite() {
            value + turns
        } else {
            value
        }
    })
}

/// The triangles of a frame in their order. `None` if a vertex or an attribute does not exist, which a draw refuses.
pub(super) fn triangles(set_up: &SetUpCase, frame: &FrameCase) -> Option<Vec<Triangle>> {
    let ShapeCase::Triangles(positions, triangles) = &frame.shape else {
        return Some(Vec::new());
    };
    let [clip, cull] = [&set_up.clip, &set_up.cull].map(|slots| components(slots, frame));
    let (clip, cull) = (clip?, cull?);
    let mut all = Vec::new();
    for (number, vertices) in (0..).zip(triangles) {
        let vertices = vertices.map(|vertex| vertex as usize);
        let [a, b, c] = vertices.map(|vertex| positions.get(vertex).copied());
        let places = [a?, b?, c?];
        let [clip, cull] = [&clip, &cull].map(|of| distances(of, vertices));
        let (clip, cull) = (clip?, cull?);
        let is_outside = |distances: &[f64; 3]| distances.iter().all(|it| *it < 0.0);
        if clip.iter().chain(&cull).any(is_outside) {
            continue;
        }
        let cuts = clip
            .into_iter()
            .filter(|it| it.iter().any(|distance| *distance < 0.0));
        let corners = corners(frame.view.as_ref(), places, cuts.collect());
        // A fan about the first corner.
        for last in 2..corners.len() {
            all.push(Triangle {
                number,
                vertices,
                corners: [corners[0], corners[last - 1], corners[last]],
            });
        }
    }
    Some(all)
}

/// Attributes of the vertices, and a component of each.
type Components<'a> = Vec<(&'a [[f32; 4]], usize)>;

/// `None` if there is no such attribute.
fn components<'a>(slots: &Inputs<Slots>, frame: &'a FrameCase) -> Option<Components<'a>> {
    let named = (0..INPUTS).filter(|register| !slots[*register].is_empty());
    let mut all = Vec::new();
    for register in named {
        let attribute = frame.attributes.get(&register)?;
        let components = slots[register].components();
        all.extend(components.map(|component| (&attribute[..], component.index())));
    }
    Some(all)
}

/// The distances of three vertices; `None` if there is no such vertex.
fn distances(of: &Components<'_>, vertices: [usize; 3]) -> Option<Vec<[f64; 3]>> {
    let each = of.iter().map(|(attribute, component)| {
        let distance = |vertex: usize| {
            let distance = attribute.get(vertex)?[*component];
            Some(f64::from(match distance.is_nan() {
                true => f32::MIN,
                false => distance.clamp(f32::MIN, f32::MAX),
            }))
        };
        let [a, b, c] = vertices.map(distance);
        Some([a?, b?, c?])
    });
    each.collect()
}

/// The corners of what is left of a triangle, cut where distances change their signs.
fn corners(view: Option<&ViewCase>, places: [[f32; 4]; 3], cuts: Vec<[f64; 3]>) -> Vec<Corner> {
    let view = view.map(View::new);
    let mut polygon = match &view {
        None if cuts.is_empty() => {
            let corner = |window| Corner {
                window,
                shares: None,
            };
            return places.map(corner).to_vec();
        }
        None => Polygon::whole(places.map(|place| {
            let [x, y, z, reciprocal] = place.map(f64::from);
            let w = 1.0 / reciprocal;
            [x * w, y * w, z * w, w]
        })),
        Some(view) => view.clipped(places),
    };
    for distances in cuts {
        polygon.cut(|corner| (0..3).map(|v| corner.weights[v] * distances[v]).sum());
    }
    polygon.corners(|position| match &view {
        None => {
            let [x, y, z, w] = position;
            [x / w, y / w, z / w, 1.0 / w].map(|component| component as f32)
        }
        Some(view) => view.window(position),
    })
}

/// A position in clip space.
type Position = [f64; 4];

/// A corner before it comes to the window.
#[derive(Clone, Copy)]
struct Cut {
    position: Position,
    weights: [f64; 3],
}

/// What is left of a triangle.
struct Polygon {
    corners: Vec<Cut>,
    /// w of the vertices.
    ws: [f64; 3],
    is_cut: bool,
}

impl Polygon {
    fn whole(positions: [Position; 3]) -> Polygon {
        let corner = |vertex: usize| Cut {
            position: positions[vertex],
            weights: std::array::from_fn(|other| f64::from(u8::from(other == vertex))),
        };
        Polygon {
            corners: [0, 1, 2].map(corner).to_vec(),
            ws: positions.map(|position| position[3]),
            is_cut: false,
        }
    }

    /// Leaves the part that is not outside of a plane.
    fn cut(&mut self, inside: impl Fn(&Cut) -> f64) {
        self.corners = cut(&self.corners, inside);
        self.is_cut = true;
    }

    /// The corners, which `window` brings to the window.
    fn corners(&self, window: impl Fn(Position) -> [f32; 4]) -> Vec<Corner> {
        let corner = |corner: &Cut| {
            let w = corner.position[3];
            let in_window = std::array::from_fn(|v| corner.weights[v] * self.ws[v] / w);
            Corner {
                window: window(corner.position),
                shares: self.is_cut.then_some([corner.weights, in_window]),
            }
        };
        self.corners.iter().map(corner).collect()
    }
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

    /// What is left of a triangle, nothing if it is not drawn.
    fn clipped(&self, triangle: [[f32; 4]; 3]) -> Polygon {
        let positions = triangle.map(|position| position.map(f64::from));
        let mut polygon = Polygon::whole(positions);
        // The sides of the view volume leave out what is beyond one of them as a whole.
        let sides = |[x, y, _, w]: Position| [w + x, w - x, w + y, w - y];
        let beyond = |of: &dyn Fn(Position) -> Vec<f64>| {
            let all = positions.map(of);
            (0..all[0].len()).any(|plane| all.iter().all(|distances| distances[plane] < 0.0))
        };
        let are_finite = triangle.as_flattened().iter().all(|c| c.is_finite());
        if !are_finite
            || beyond(&|position| self.distances(position).to_vec())
            || beyond(&|position| sides(position).to_vec())
        {
            polygon.corners.clear();
            return polygon;
        }
        for plane in 0..6 {
            if positions.iter().any(|it| self.distances(*it)[plane] < 0.0) {
                polygon.cut(|corner| self.distances(corner.position)[plane]);
            }
        }
        polygon
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
