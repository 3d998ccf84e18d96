//! Triangles that are cut by planes: convex polygons whose corners know what they are made of.

use super::MAX_DISTANCES;

/// A position in any space in which attributes are linear, with w.
pub(crate) type Homogeneous = [f64; 4];

/// The planes that a view volume cuts triangles at.
const VOLUME: usize = 6;

/// Corners of a triangle cut by all planes.
const CORNERS: usize = 3 + VOLUME + MAX_DISTANCES;

/// A corner of what is left of a triangle.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Corner {
    pub(crate) position: Homogeneous,
    /// The weight of each of the triangle's vertices in attributes here.
    pub(crate) weights: [f64; 3],
}

/// The part of a triangle that clipping leaves.
pub(crate) struct Polygon {
    corners: [Corner; CORNERS],
    count: usize,
    /// w of the triangle's vertices.
    ws: [f64; 3],
}

impl Polygon {
    /// A triangle of which nothing has been cut off.
    pub(crate) fn whole(triangle: [Homogeneous; 3]) -> Polygon {
        let mut polygon = Polygon {
            corners: [Corner::default(); CORNERS],
            count: 3,
            ws: triangle.map(|[.., w]| w),
        };
        for (vertex, position) in triangle.into_iter().enumerate() {
            let corner = &mut polygon.corners[vertex];
            corner.position = position;
            corner.weights[vertex] = 1.0;
        }
        polygon
    }

    /// The part where `inside`, which is linear, is not negative.
    ///
    /// Where an edge is cut depends on nothing but its ends, so that triangles that share it still
    /// do.
    pub(crate) fn cut_by(&self, inside: impl Fn(&Corner) -> f64) -> Polygon {
        let mut kept = Polygon {
            corners: [Corner::default(); CORNERS],
            count: 0,
            ws: self.ws,
        };
        let corners = self.corners();
        for (index, corner) in corners.iter().enumerate() {
            let next = &corners[(index + 1) % corners.len()];
            let (here, there) = (inside(corner), inside(next));
            if here >= 0.0 {
                kept.push(*corner);
            }
            // From the inside out, whichever way round the edge is.
            match (here >= 0.0, there >= 0.0) {
                (true, false) => kept.push(corner.towards(next, here / (here - there))),
                (false, true) => kept.push(next.towards(corner, there / (there - here))),
                (true, true) | (false, false) => {}
            }
        }
        kept
    }

    fn push(&mut self, corner: Corner) {
        // Rounding could make a polygon that is not quite convex; what is too much is left out.
        if self.count < CORNERS {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    /// The weights of a corner in what is linear in the window.
    pub(super) fn linear_weights(&self, corner: &Corner) -> [f64; 3] {
        let [.., w] = corner.position;
        std::array::from_fn(|v| corner.weights[v] * self.ws[v] / w)
    }

    /// Its corners, in order. Less than three are nothing.
    pub(crate) fn corners(&self) -> &[Corner] {
        &self.corners[..self.count]
    }
}

impl Corner {
    /// The corner on the way to another, after that part of it.
    fn towards(&self, other: &Corner, part: f64) -> Corner {
        let mix = |from: f64, to: f64| from + part * (to - from);
        Corner {
            position: std::array::from_fn(|c| mix(self.position[c], other.position[c])),
            weights: std::array::from_fn(|v| mix(self.weights[v], other.weights[v])),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

    use super::*;

    #[test]
    fn an_edge_is_cut_in_one_place_whichever_way_round_its_triangle_is() {
        let mut dice = ChaCha8Rng::seed_from_u64(1);
        let mut cut = 0;
        for _ in 0..1000 {
            let mut vertex =
                || -> Homogeneous { [0.0; 4].map(|_: f64| dice.random_range(-2.0..2.0)) };
            let [a, b, c, d] = std::array::from_fn(|_| vertex());
            // The corner between the first two vertices.
            let between = |triangle| {
                let part = Polygon::whole(triangle).cut_by(|corner| corner.position[2]);
                let corners = part.corners().iter();
                let is_between = |corner: &&Corner| corner.weights[..2].iter().all(|it| *it != 0.0);
                let mut found = corners.filter(is_between).filter(|it| it.weights[2] == 0.0);
                found.next().map(|corner| corner.position.map(f64::to_bits))
            };
            let corner = between([a, b, c]);
            assert_eq!(corner, between([b, a, d]));
            cut += usize::from(corner.is_some());
        }
        assert!(cut > 300, "{cut}");
    }
}
