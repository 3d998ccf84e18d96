//! [`Shape`]: models that need no file.
//!
//! Each is a surface over the unit square of texture coordinates. Points of circles come from square roots alone, which are
//! the same numbers on every machine; sines are not.

use super::Model;

/// Points of a circle, a power of two.
const ROUND: usize = 64;

/// The radius of a torus's tube; that of the ring in its middle is 1.
const TUBE: f64 = 0.4;

/// A model with a name, around the middle of its space.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// A cube with an edge of 2. Each face has the whole unit square.
    Cube,
    /// A sphere with a radius of 1.
    Sphere,
    /// A ring around the y axis with a radius of 1, whose tube has a radius of 0.4.
    Torus,
}

impl Shape {
    /// All of them.
    pub const ALL: [Shape; 3] = [Shape::Cube, Shape::Sphere, Shape::Torus];

    /// Its name in texts.
    pub const fn name(self) -> &'static str {
        match self {
            Shape::Cube => "cube",
            Shape::Sphere => "sphere",
            Shape::Torus => "torus",
        }
    }

    /// The shape of a name.
    pub fn named(name: &str) -> Option<Shape> {
        Shape::ALL.into_iter().find(|shape| shape.name() == name)
    }

    /// Its vertices and triangles.
    pub fn model(self) -> Model {
        match self {
            Shape::Cube => cube(),
            Shape::Sphere => sphere(),
            Shape::Torus => torus(),
        }
    }
}

/// Cosines and sines of angles that divide a circle evenly, the first of which is 0.
fn circle() -> Vec<[f64; 2]> {
    let mut points: Vec<[f64; 2]> = vec![[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    while points.len() < ROUND {
        let next = points.iter().cycle().skip(1);
        let halved = points.iter().zip(next).flat_map(|(a, b)| {
            let [x, y] = [a[0] + b[0], a[1] + b[1]];
            let length = (x * x + y * y).sqrt();
            [*a, [x / length, y / length]]
        });
        points = halved.collect();
    }
    points
}

/// A point of a surface, and the direction that is outwards there.
type Point = [[f64; 3]; 2];

impl Model {
    /// A surface over the unit square, cut into so many cells across and down. It is seen from its front if its points go to
    /// the right with the columns and down with the rows.
    fn add_surface(&mut self, [across, down]: [usize; 2], point: impl Fn(usize, usize) -> Point) {
        let first = self.positions.len() as u32;
        let four = |[x, y, z]: [f64; 3], w| [x as f32, y as f32, z as f32, w];
        for row in 0..=down {
            for column in 0..=across {
                let [position, normal] = point(column, row);
                self.positions.push(four(position, 1.0));
                self.normals.push(four(normal, 0.0));
                self.colours.push([1.0; 4]);
                let [u, v] = [(column, across), (row, down)].map(|(at, of)| at as f32 / of as f32);
                self.coordinates.push([u, v, 0.0, 1.0]);
            }
        }
        let [across, down] = [across, down].map(|cells| cells as u32);
        for (row, column) in (0..down).flat_map(|row| (0..across).map(move |column| (row, column)))
        {
            let a = first + row * (across + 1) + column;
            let c = a + across + 1;
            self.triangles.extend([[a, c, a + 1], [a + 1, c, c + 1]]);
        }
    }
}

fn sphere() -> Model {
    let circle = circle();
    let mut model = Model::default();
    model.add_surface([ROUND, ROUND / 2], |column, row| {
        let ([forward, right], [up, out]) = (circle[column % ROUND], circle[row]);
        let outwards = [right * out, up, forward * out];
        [outwards, outwards]
    });
    model
}

fn torus() -> Model {
    let circle = circle();
    let mut model = Model::default();
    model.add_surface([ROUND, ROUND / 2], |column, row| {
        let ([forward, right], [out, down]) = (circle[column % ROUND], circle[2 * row % ROUND]);
        let radius = 1.0 + TUBE * out;
        let position = [right * radius, -down * TUBE, forward * radius];
        [position, [right * out, -down, forward * out]]
    });
    model
}

fn cube() -> Model {
    // Outwards and to the right, seen from there with the head up.
    const FACES: [[[f64; 3]; 3]; 6] = [
        [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
        [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, -1.0, 0.0]],
        [[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
        [[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]],
        [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]],
    ];
    let mut model = Model::default();
    for [outwards, right, down] in FACES {
        model.add_surface([1, 1], |column, row| {
            let [u, v] = [column, row].map(|at| 2.0 * at as f64 - 1.0);
            let position = [0, 1, 2].map(|c| outwards[c] + u * right[c] + v * down[c]);
            [position, outwards]
        });
    }
    model
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minus(a: [f32; 4], b: [f32; 4]) -> [f32; 3] {
        [0, 1, 2].map(|c| a[c] - b[c])
    }

    fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
        [[1, 2], [2, 0], [0, 1]].map(|[x, y]| a[x] * b[y] - a[y] * b[x])
    }

    #[test]
    fn fronts_of_triangles_are_where_their_normals_point() {
        for shape in Shape::ALL {
            let model = shape.model();
            for corners in &model.triangles {
                let [a, b, c] = corners.map(|corner| model.positions[corner as usize]);
                let front = cross(minus(b, a), minus(c, a));
                // Triangles at the poles of a sphere have no area.
                let has_area = dot(front, front) > 1e-12;
                for corner in corners {
                    let [x, y, z, _] = model.normals[*corner as usize];
                    let along = dot(front, [x, y, z]);
                    assert!(along > 0.0 || !has_area, "{shape:?} {corners:?}");
                }
            }
        }
    }

    #[test]
    fn surfaces_lie_where_they_should_and_normals_have_a_length_of_1() {
        for shape in Shape::ALL {
            let model = shape.model();
            assert_eq!(Shape::named(shape.name()), Some(shape));
            for (position, normal) in model.positions.iter().zip(&model.normals) {
                let [[x, y, z], n] = [position, normal].map(|it| [it[0], it[1], it[2]]);
                let away = match shape {
                    Shape::Cube => x.abs().max(y.abs()).max(z.abs()) - 1.0,
                    Shape::Sphere => dot([x, y, z], [x, y, z]) - 1.0,
                    Shape::Torus => (x.hypot(z) - 1.0).hypot(y) - TUBE as f32,
                };
                assert!(away.abs() < 1e-6, "{shape:?} {position:?}");
                assert!((dot(n, n) - 1.0).abs() < 1e-6, "{shape:?} {normal:?}");
            }
        }
    }
}
