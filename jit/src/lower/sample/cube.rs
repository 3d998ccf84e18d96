//! Faces of a cube.

use attila_machine::arith::Arith;
use attila_texture::CubeFaces;

use super::{Placed, Point, Request, Sample};
use crate::ir::Value;

impl Sample<'_> {
    /// The places of coordinates; the offset is for later.
    pub(super) fn place(&mut self, request: &Request) -> Placed {
        let &Request { coords, offset, .. } = request;
        let reference = self.reference(request.reference);
        let layer = self.layer(coords);
        let [x, y, z, _] = coords;
        let Some(faces) = self.how.faces else {
            return Placed {
                point: Point {
                    coords: [x, y, z],
                    slice: layer,
                    reference,
                    offset,
                },
                derived: [x, y, z],
                directed: None,
            };
        };
        let direction = [x, y, z];
        let own = self.face_of(direction);
        let most = self.face_of_most(own);
        let zero = self.b.f32(0.0);
        let mut on_face = |face: Value| {
            let [s, t] = self.project(face, direction);
            [s, t, zero]
        };
        let derived = on_face(most);
        let (coords, face) = match faces {
            CubeFaces::PerLane => (on_face(own), own),
            CubeFaces::PerQuad => (derived, most),
        };
        let slice = match layer {
            Some(cube) => self.face_of_cube(cube, face),
            None => face,
        };
        Placed {
            point: Point {
                coords,
                slice: Some(slice),
                reference,
                offset,
            },
            derived,
            directed: Some((face, direction)),
        }
    }

    /// The face that a direction points at: +X, -X, +Y, -Y, +Z, -Z from 0.
    fn face_of(&mut self, [x, y, z]: [Value; 3]) -> Value {
        let [rx, ry, rz] = [x, y, z].map(|c| self.b.abs(c));
        let x_not_below_y = self.b.le(ry, rx);
        let x_above_z = self.b.lt(rz, rx);
        let y_not_below_z = self.b.le(rz, ry);
        let is_x = self.b.both(x_not_below_y, x_above_z);
        let y_above_x = self.b.not(x_not_below_y);
        let is_y = self.b.both(y_above_x, y_not_below_z);
        let zero = self.b.f32(0.0);
        let mut side = |c: Value, positive: i32| {
            let (positive, negative) = (self.b.i32(positive), self.b.i32(positive + 1));
            let is_negative = self.b.lt(c, zero);
            self.b.iselect(is_negative, negative, positive)
        };
        let (on_x, on_y, on_z) = (side(x, 0), side(y, 2), side(z, 4));
        let face = self.b.iselect(is_y, on_y, on_z);
        self.b.iselect(is_x, on_x, face)
    }

    /// The face of most lanes, the first among equals, in all lanes.
    fn face_of_most(&mut self, faces: Value) -> Value {
        // A mask is -1 as a number: this counts, below zero, the other lanes with the same face.
        let mut votes = self.b.i32(0);
        for others in [[1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]] {
            let other = self.b.shuffle(faces, others);
            let same = self.b.ieq(faces, other);
            let same = self.b.as_i32(same);
            votes = self.b.iadd(votes, same);
        }
        // The least of -8 votes + face has the most votes, and its low bits are the face.
        let votes = self.b.shl(votes, 3);
        let rank = self.b.iadd(votes, faces);
        let neighbours = self.b.shuffle(rank, [1, 0, 3, 2]);
        let pairs = self.imin(rank, neighbours);
        let other_pair = self.b.shuffle(pairs, [2, 3, 0, 1]);
        let least = self.imin(pairs, other_pair);
        let low = self.b.i32(7);
        self.b.iand(least, low)
    }

    /// Where a direction meets the plane of the face: s and t.
    fn project(&mut self, face: Value, direction: [Value; 3]) -> [Value; 2] {
        let [s, t, axis] = self.on_face(face, direction);
        let axis = self.b.abs(axis);
        [s, t].map(|c| {
            let (one, half) = (self.b.f32(1.0), self.b.f32(0.5));
            let ratio = self.b.div(c, axis);
            let shifted = self.b.add(ratio, one);
            self.b.mul(shifted, half)
        })
    }

    /// The derivatives of s and t on the face where a direction has the derivative `change`:
    /// `(dc - c / a * da) / a * 0.5`, with a negative a and its derivative turned round.
    pub(super) fn derivative(
        &mut self,
        (face, direction): (Value, [Value; 3]),
        change: [Value; 3],
    ) -> [Value; 2] {
        let [s, t, axis] = self.on_face(face, direction);
        let [ds, dt, daxis] = self.on_face(face, change);
        let (zero, half) = (self.b.f32(0.0), self.b.f32(0.5));
        let is_behind = self.b.lt(axis, zero);
        let [length, growth] = [axis, daxis].map(|c| {
            let opposite = self.b.neg(c);
            self.b.select(is_behind, opposite, c)
        });
        [(s, ds), (t, dt)].map(|(c, dc)| {
            let ratio = self.b.div(c, length);
            let passed = self.b.mul(ratio, growth);
            let rest = self.b.sub(dc, passed);
            let rate = self.b.div(rest, length);
            self.b.mul(rate, half)
        })
    }

    /// The components of a direction along s, along t, and through the face.
    fn on_face(&mut self, face: Value, [x, y, z]: [Value; 3]) -> [Value; 3] {
        let [one, two, three, four, five] = [1, 2, 3, 4, 5].map(|n| self.b.i32(n));
        let (on_x, behind_x) = (self.b.ilt(face, two), self.b.ieq(face, one));
        let (before_z, below_y) = (self.b.ilt(face, four), self.b.ieq(face, three));
        let behind_z = self.b.ieq(face, five);
        let on_y = {
            let not_x = self.b.not(on_x);
            self.b.both(not_x, before_z)
        };
        let [minus_x, minus_y, minus_z] = [x, y, z].map(|c| self.b.neg(c));
        let s_on_x = self.b.select(behind_x, z, minus_z);
        let s = self.b.select(behind_z, minus_x, x);
        let s = self.b.select(on_x, s_on_x, s);
        let t_on_y = self.b.select(below_y, minus_z, z);
        let t = self.b.select(on_y, t_on_y, minus_y);
        let axis = self.b.select(on_y, y, z);
        [s, t, self.b.select(on_x, x, axis)]
    }
}
