//! Faces of a cube (machine.md 5.2).

use attila_machine::Lanes;

/// A face of a cube.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Face {
    PositiveX,
    NegativeX,
    PositiveY,
    NegativeY,
    PositiveZ,
    NegativeZ,
}

use Face::{NegativeX, NegativeY, NegativeZ, PositiveX, PositiveY, PositiveZ};

impl Face {
    /// In the order of their slices.
    pub(crate) const ALL: [Face; 6] = [
        PositiveX, NegativeX, PositiveY, NegativeY, PositiveZ, NegativeZ,
    ];

    /// The slice of the face.
    pub(crate) const fn slice(self) -> u32 {
        self as u32
    }

    /// The face that a direction points at. Where two components are of the same magnitude, x comes
    /// before y, z before x and y before z, and z wins if all three are.
    pub(crate) fn of([x, y, z]: [f32; 3]) -> Face {
        let (rx, ry, rz) = (x.abs(), y.abs(), z.abs());
        let side = |c: f32, positive: Face, negative: Face| {
            if c < 0.0 { negative } else { positive }
        };
        if rx >= ry {
            if rx > rz {
                return side(x, PositiveX, NegativeX);
            }
        } else if ry >= rz {
            return side(y, PositiveY, NegativeY);
        }
        side(z, PositiveZ, NegativeZ)
    }

    /// The face of most of these; the first of [`Face::ALL`] among equals.
    pub(crate) fn of_most(faces: Lanes<Face>) -> Face {
        let votes = |face: Face| faces.iter().filter(|&&other| other == face).count();
        let more = |best: Face, face: Face| {
            if votes(face) > votes(best) {
                face
            } else {
                best
            }
        };
        Face::ALL.into_iter().fold(PositiveX, more)
    }

    /// Where a direction meets the plane of the face: s and t, from 0 to 1 on the face itself.
    pub(crate) fn project(self, direction: [f32; 3]) -> [f32; 2] {
        let [s, t, axis] = self.turned(direction);
        let axis = axis.abs();
        [(s / axis + 1.0) * 0.5, (t / axis + 1.0) * 0.5]
    }

    /// The derivatives of s and t where a direction has the derivative `change`.
    pub(crate) fn derivative(self, direction: [f32; 3], change: [f32; 3]) -> [f32; 2] {
        let ([s, t, axis], [ds, dt, daxis]) = (self.turned(direction), self.turned(change));
        let (length, growth) = if axis < 0.0 {
            (-axis, -daxis)
        } else {
            (axis, daxis)
        };
        [(s, ds), (t, dt)].map(|(c, dc)| (dc - c / length * growth) / length * 0.5)
    }

    /// The components of a direction along s, along t, and through the face.
    fn turned(self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        match self {
            PositiveX => [-z, -y, x],
            NegativeX => [z, -y, x],
            PositiveY => [x, z, y],
            NegativeY => [x, -z, y],
            PositiveZ => [x, -y, z],
            NegativeZ => [-x, -y, z],
        }
    }
}

/// One direction per lane.
pub(crate) fn directions(coords: &[Lanes<f32>; 3]) -> Lanes<[f32; 3]> {
    std::array::from_fn(|lane| coords.map(|component| component[lane]))
}

/// The direction of a lane.
pub(crate) fn direction(coords: &[Lanes<f32>; 3], lane: usize) -> [f32; 3] {
    coords.map(|component| component[lane])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_component_chooses_the_face() {
        for (direction, face) in [
            ([3.0, 1.0, -2.0], PositiveX),
            ([-3.0, 1.0, -2.0], NegativeX),
            ([1.0, 3.0, -2.0], PositiveY),
            ([1.0, -3.0, -2.0], NegativeY),
            ([1.0, -2.0, 3.0], PositiveZ),
            ([1.0, -2.0, -3.0], NegativeZ),
        ] {
            assert_eq!(Face::of(direction), face);
        }
    }

    #[test]
    fn ties_and_zeros_choose_as_the_original_does() {
        for (direction, face) in [
            ([1.0, 1.0, 0.0], PositiveX),
            ([1.0, 0.0, 1.0], PositiveZ),
            ([0.0, 1.0, 1.0], PositiveY),
            ([1.0, 1.0, 1.0], PositiveZ),
            ([-1.0, -1.0, -1.0], NegativeZ),
            ([0.0, 0.0, -0.0], PositiveZ),
        ] {
            assert_eq!(Face::of(direction), face, "{direction:?}");
        }
    }

    #[test]
    fn most_lanes_choose_and_the_first_face_wins_a_tie() {
        let of_most = Face::of_most;
        assert_eq!(
            of_most([PositiveZ, NegativeX, NegativeX, PositiveX]),
            NegativeX
        );
        assert_eq!(
            of_most([PositiveZ, NegativeX, PositiveZ, NegativeX]),
            NegativeX
        );
        assert_eq!(
            of_most([NegativeZ, PositiveZ, NegativeY, PositiveY]),
            PositiveY
        );
    }

    #[test]
    fn faces_are_projected_the_way_cube_maps_are_drawn() {
        // One direction for each face, a quarter of its side right of and below the middle.
        for (direction, face) in [
            ([2.0, -1.0, -1.0], PositiveX),
            ([-2.0, -1.0, 1.0], NegativeX),
            ([1.0, 2.0, 1.0], PositiveY),
            ([1.0, -2.0, -1.0], NegativeY),
            ([1.0, -1.0, 2.0], PositiveZ),
            ([-1.0, -1.0, -2.0], NegativeZ),
        ] {
            assert_eq!(Face::of(direction), face);
            assert_eq!(face.project(direction), [0.75, 0.75], "{face:?}");
        }
    }

    #[test]
    fn derivatives_are_the_limits_of_differences_on_the_face() {
        let (direction, change) = ([0.5, -2.0, 0.75], [0.25, 0.5, -0.125]);
        for face in Face::ALL {
            let step = 1.0 / 1024.0;
            let moved: [f32; 3] = std::array::from_fn(|axis| direction[axis] + step * change[axis]);
            let (from, to) = (face.project(direction), face.project(moved));
            let derivative = face.derivative(direction, change);
            for axis in 0..2 {
                let difference = (to[axis] - from[axis]) / step;
                let error = (derivative[axis] - difference).abs();
                assert!(error < 0.01, "{face:?}: {derivative:?} is not {difference}");
            }
        }
    }
}
