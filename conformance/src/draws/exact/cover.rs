//! The samples that a triangle covers (drawing.md 2).

use std::ops::Range;

/// Steps of a pixel that vertices are snapped to.
pub(super) const STEPS: i64 = 256;

/// Vertices beyond this, in steps, have their triangle cut: 2^20 pixels.
const FAR: f64 = (1_u64 << 28) as f64;

/// A place in steps. Places of vertices may be very far away.
pub(super) type Place = [f64; 2];

/// A triangle whose vertices are snapped.
pub(super) struct Outline {
    pub(super) places: [Place; 3],
    /// Twice the area in steps, positive with the clock as seen with the first row at the top. Not 0.
    pub(super) twice: f64,
    /// Whether its vertices are where integers say all.
    pub(super) is_near: bool,
    /// One triangle, or what is left within the reach of integers, each with the clock.
    pieces: Vec<[[i64; 2]; 3]>,
}

impl Outline {
    /// `None` of what covers nothing.
    pub(super) fn new(windows: [[f32; 4]; 3]) -> Option<Outline> {
        let snapped = |at: f32| -> f64 { (f64::from(at) * STEPS as f64).round_ties_even() };
        let places = windows.map(|[x, y, ..]| [x, y].map(snapped));
        if !places.as_flattened().iter().all(|at| at.is_finite()) {
            return None;
        }
        let is_near = places.as_flattened().iter().all(|at| at.abs() <= FAR);
        let [a, b, c] = places;
        let twice = match is_near {
            true => turn(whole(places)) as f64,
            false => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]),
        };
        if !twice.is_finite() || twice == 0.0 {
            return None;
        }
        let corners = match is_near {
            true => places.to_vec(),
            false => within_reach(places.to_vec()),
        };
        let fan = (2..corners.len()).map(|last| [corners[0], corners[last - 1], corners[last]]);
        let with_clock = |[a, b, c]: [[i64; 2]; 3]| match twice > 0.0 {
            true => [a, b, c],
            false => [a, c, b],
        };
        // Snapping may turn a part over, which is left out.
        let pieces = fan.map(whole).map(with_clock).filter(|it| turn(*it) > 0);
        Some(Outline {
            places,
            twice,
            is_near,
            pieces: pieces.collect(),
        })
    }

    /// The parts that it is drawn as, one after another.
    pub(super) fn pieces(&self) -> impl Iterator<Item = Piece> {
        self.pieces.iter().copied().map(Piece)
    }

    /// The pixels, along an axis, with a point that may be covered.
    pub(super) fn around(&self, axis: usize, within: &Range<i64>) -> Range<i64> {
        let along = || self.pieces.iter().flatten().map(|place| place[axis]);
        let first = along().min().unwrap_or_default().div_euclid(STEPS);
        let last = along().max().unwrap_or_default().div_euclid(STEPS) + 1;
        first.max(within.start)..last.min(within.end).max(first.max(within.start))
    }
}

/// A triangle with the clock.
pub(super) struct Piece([[i64; 2]; 3]);

impl Piece {
    /// Whether it covers a point, in steps.
    pub(super) fn covers(&self, point: [i64; 2]) -> bool {
        is_inside(self.0, point)
    }
}

/// The nearest place in whole steps.
fn whole(places: [Place; 3]) -> [[i64; 2]; 3] {
    places.map(|place| place.map(|at| (at.round_ties_even() as i64).clamp(-(1 << 28), 1 << 28)))
}

/// Twice the area.
fn turn([a, b, c]: [[i64; 2]; 3]) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The rule of left and upper edges, for a triangle with the clock.
fn is_inside(piece: [[i64; 2]; 3], point: [i64; 2]) -> bool {
    (0..3).all(|edge| {
        let (from, to) = (piece[edge], piece[(edge + 1) % 3]);
        let distance = turn([from, to, point]);
        let goes_up = to[1] < from[1];
        let goes_right_along_the_top = to[1] == from[1] && to[0] > from[0];
        distance > 0 || distance == 0 && (goes_up || goes_right_along_the_top)
    })
}

/// The part of a polygon that is at most [`FAR`] away along either axis.
fn within_reach(mut corners: Vec<Place>) -> Vec<Place> {
    for (axis, limit) in [(0, -FAR), (0, FAR), (1, -FAR), (1, FAR)] {
        let is_inside = |place: &Place| match limit > 0.0 {
            true => place[axis] <= limit,
            false => place[axis] >= limit,
        };
        let mut kept = Vec::new();
        for (index, here) in corners.iter().enumerate() {
            let there = &corners[(index + 1) % corners.len()];
            if is_inside(here) {
                kept.push(*here);
            }
            if is_inside(here) != is_inside(there) {
                let (from, to) = if is_inside(here) {
                    (here, there)
                } else {
                    (there, here)
                };
                let part = (limit - from[axis]) / (to[axis] - from[axis]);
                let mut place = [limit; 2];
                place[1 - axis] = from[1 - axis] + part * (to[1 - axis] - from[1 - axis]);
                kept.push(place);
            }
        }
        corners = kept;
    }
    corners
}
