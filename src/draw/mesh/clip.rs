//! Triangles that reach out of the view volume, cut where they leave it.

use super::viewport::{ClipPosition, Outside, PLANES, Transform};
use crate::draw::raster::Polygon;

/// The part of a triangle inside the planes that `outside` has a bit for; no vertex is outside of the
/// others.
pub(super) fn cut(triangle: [ClipPosition; 3], outside: Outside, transform: &Transform) -> Polygon {
    let planes = (0..PLANES).filter(|plane| outside >> plane & 1 != 0);
    planes.fold(Polygon::whole(triangle), |polygon, plane| {
        polygon.cut_by(|corner| transform.inside(plane, corner.position))
    })
}

#[cfg(test)]
mod tests {
    use super::super::viewport::{CUT, ClipDepth, Viewport};
    use super::*;

    fn cut(triangle: [ClipPosition; 3]) -> Polygon {
        let transform = Transform::new(&Viewport::all([64, 64]), ClipDepth::MinusOneToOne);
        super::cut(triangle, CUT, &transform)
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
