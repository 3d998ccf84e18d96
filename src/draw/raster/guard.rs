//! Triangles that reach far beyond any window, cut off where coordinates still fit.

use super::outline::{LIMIT, Point};

/// A position in sub-pixels, however far away.
pub(super) type Position = [f64; 2];

/// Corners of a triangle cut by four lines.
const CORNERS: usize = 7;

/// The corners of a convex polygon.
pub(super) struct Polygon {
    corners: [Position; CORNERS],
    count: usize,
}

impl Polygon {
    /// The part of a triangle within [`LIMIT`].
    ///
    /// Where an edge is cut depends on nothing but its ends, so that triangles that share it
    /// still do.
    pub(super) fn within_limit(triangle: [Position; 3]) -> Polygon {
        let mut polygon = Polygon {
            corners: [Position::default(); CORNERS],
            count: 3,
        };
        polygon.corners[..3].copy_from_slice(&triangle);
        for axis in [0, 1] {
            for side in [-1.0, 1.0] {
                polygon = polygon.cut(axis, side * f64::from(LIMIT));
            }
        }
        polygon
    }

    /// The part on the near side of where the coordinate of `axis` is `limit`.
    fn cut(&self, axis: usize, limit: f64) -> Polygon {
        let mut kept = Polygon {
            corners: [Position::default(); CORNERS],
            count: 0,
        };
        let inside = |corner: Position| corner[axis] / limit <= 1.0;
        let corners = &self.corners[..self.count];
        for (index, &corner) in corners.iter().enumerate() {
            let next = corners[(index + 1) % corners.len()];
            if inside(corner) {
                kept.push(corner);
            }
            // From the inside out, whichever way round the edge is.
            match (inside(corner), inside(next)) {
                (true, false) => kept.push(crossing(axis, limit, corner, next)),
                (false, true) => kept.push(crossing(axis, limit, next, corner)),
                (true, true) | (false, false) => {}
            }
        }
        kept
    }

    fn push(&mut self, corner: Position) {
        // Rounding could make a polygon that is not quite convex; what is too much is left out.
        if self.count < CORNERS {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    /// The triangles of a fan about the first corner.
    pub(super) fn fan(&self) -> impl Iterator<Item = [Point; 3]> + '_ {
        let corner = |index: usize| {
            let [x, y] = self.corners[index].map(|coordinate| snapped(coordinate) as i32);
            Point {
                x: x.clamp(-LIMIT, LIMIT),
                y: y.clamp(-LIMIT, LIMIT),
            }
        };
        (2..self.count).map(move |last| [corner(0), corner(last - 1), corner(last)])
    }
}

/// Where the edge from `inner` to `outer` comes to the limit.
fn crossing(axis: usize, limit: f64, inner: Position, outer: Position) -> Position {
    let share = (limit - inner[axis]) / (outer[axis] - inner[axis]);
    let other = 1 - axis;
    let mut crossing = [limit; 2];
    crossing[other] = inner[other] + share * (outer[other] - inner[other]);
    crossing
}

/// The nearest whole number, a tie to the even one, of what is less than 2^51; other values as they
/// are.
pub(super) fn snapped(coordinate: f64) -> f64 {
    // Between 2^52 and 2^53 numbers are whole.
    const WHOLE: f64 = 1.5 * (1_u64 << 52) as f64;
    if coordinate.abs() < (1_u64 << 51) as f64 {
        (coordinate + WHOLE) - WHOLE
    } else {
        coordinate
    }
}
