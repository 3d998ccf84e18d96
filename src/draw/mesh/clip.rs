//! Triangles that reach out of the view volume, cut where they leave it.

use super::viewport::{ClipPosition, Outside, PLANES, Transform};

/// Corners of a triangle cut by all planes.
const CORNERS: usize = 3 + PLANES;

/// A corner of what is left of a triangle.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Corner {
    pub(super) position: ClipPosition,
    /// The weight of each of the triangle's vertices in attributes here.
    pub(super) weights: [f64; 3],
}

/// The part of a triangle that clipping leaves.
pub(super) struct Polygon {
    corners: [Corner; CORNERS],
    count: usize,
}

impl Polygon {
    /// The part of a triangle inside the planes that `outside` has a bit for; no vertex is outside
    /// of the others.
    ///
    /// Where an edge is cut depends on nothing but its ends, so that triangles that share it still
    /// do.
    pub(super) fn cut(
        triangle: [ClipPosition; 3],
        outside: Outside,
        transform: &Transform,
    ) -> Polygon {
        let mut polygon = Polygon {
            corners: [Corner::default(); CORNERS],
            count: 3,
        };
        for (vertex, position) in triangle.into_iter().enumerate() {
            let corner = &mut polygon.corners[vertex];
            corner.position = position;
            corner.weights[vertex] = 1.0;
        }
        for plane in (0..PLANES).filter(|plane| outside >> plane & 1 != 0) {
            polygon = polygon.cut_by(|corner| transform.inside(plane, corner.position));
        }
        polygon
    }

    /// The part where `inside` is not negative.
    fn cut_by(&self, inside: impl Fn(&Corner) -> f64) -> Polygon {
        let mut kept = Polygon {
            corners: [Corner::default(); CORNERS],
            count: 0,
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

    /// Its corners, in order. Less than three are nothing.
    pub(super) fn corners(&self) -> &[Corner] {
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
    use super::super::viewport::{CUT, ClipDepth, Viewport};
    use super::*;

    fn cut(triangle: [ClipPosition; 3]) -> Polygon {
        let transform = Transform::new(&Viewport::all([64, 64]), ClipDepth::MinusOneToOne);
        Polygon::cut(triangle, CUT, &transform)
    }

    #[test]
    fn what_is_behind_the_near_plane_is_cut_off() {
        let polygon = cut([
            [0.0, 0.0, 0.0, 1.0],
            [0.4, 0.0, -3.0, 1.0],
            [0.0, 0.4, 0.0, 1.0],
        ]);
        let corners = polygon.corners();
        assert_eq!(corners.len(), 4);
        assert!(
            corners
                .iter()
                .all(|corner| corner.position[2] >= -1.0 - 1e-12)
        );
        let third = 1.0 / 3.0;
        assert!((corners[1].weights[1] - third).abs() < 1e-12);
        assert!((corners[1].position[0] - 0.4 * third).abs() < 1e-12);
    }

    #[test]
    fn what_is_behind_the_eye_never_comes_to_the_front() {
        let polygon = cut([
            [0.0, 0.0, 0.0, 1.0],
            [5.0, 1.0, 0.0, -2.0],
            [1.0, 5.0, 0.0, -3.0],
        ]);
        assert!(polygon.corners().len() >= 3);
        assert!(
            polygon
                .corners()
                .iter()
                .all(|corner| corner.position[3] > 0.0)
        );
        let behind = cut([
            [0.0, 0.0, 0.0, -1.0],
            [5.0, 1.0, 0.0, -2.0],
            [1.0, 5.0, 0.0, -3.0],
        ]);
        assert!(behind.corners().is_empty());
    }

    #[test]
    fn weights_are_those_of_the_position() {
        let triangle = [
            [-90.0, 3.0, 4.0, 1.0],
            [80.0, 70.0, -9.0, 2.0],
            [1.0, -95.0, 0.5, 0.5],
        ];
        let polygon = cut(triangle);
        assert!(polygon.corners().len() > 3);
        for corner in polygon.corners() {
            for (component, position) in corner.position.iter().enumerate() {
                let mixed: f64 = (0..3)
                    .map(|v| corner.weights[v] * triangle[v][component])
                    .sum();
                assert!((mixed - position).abs() < 1e-9);
            }
        }
    }
}
