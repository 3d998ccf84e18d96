//! [`Varying`]: where an input of a draw comes from.

use attila_isa::Slots;
use attila_machine::QuadReg;
use attila_machine::pipeline::{InputKind, Location, Plane};

/// An input register of a draw: where each of its components comes from.
///
/// Planes start from the draw's [anchor](super::Draw::anchor), by default the upper left corner of the targets.
/// They are evaluated at the centres of pixels, as [`InputKind`] says, or [at other places](Varying::at).
#[derive(Clone, Copy, Debug)]
pub struct Varying<'a> {
    /// The source of each component.
    pub kinds: [InputKind; 4],
    /// The planes of the components that come from planes.
    pub planes: [Plane; 4],
    /// One register per quad, for the components that come from arrays.
    pub array: &'a [QuadReg],
    /// Whether the planes are those of a vertex attribute, set up for each triangle.
    pub from_vertices: bool,
    /// Where in a pixel planes are evaluated.
    pub location: Location,
    /// Components of a vertex attribute that go the [shorter way round](Varying::cylindrical).
    pub wraps: Slots,
}

/// How an attribute of vertices is spread over a triangle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Interpolation {
    /// Perspective-correct interpolation; costs one division per pixel. If 1/w is 1 at every vertex (2D
    /// drawing), result and speed are those of `Linear`.
    #[default]
    Perspective,
    /// Linearly in the window.
    Linear,
    /// The last vertex has it for all.
    Flat,
}

/// A value that is the same everywhere.
const fn constant(at: f32) -> Plane {
    Plane {
        at,
        dx: 0.0,
        dy: 0.0,
    }
}

/// An input that comes from nowhere.
const UNUSED: Varying<'static> = Varying {
    kinds: [InputKind::Unused; 4],
    planes: [constant(0.0); 4],
    array: &[],
    from_vertices: false,
    location: Location::Centre,
    wraps: Slots::empty(),
};

impl<'a> Varying<'a> {
    /// The same everywhere.
    pub const fn flat([x, y, z, w]: [f32; 4]) -> Varying<'a> {
        Varying {
            kinds: [InputKind::Flat; 4],
            planes: [constant(x), constant(y), constant(z), constant(w)],
            ..UNUSED
        }
    }

    /// A plane for each component: a value at the anchor, and how much it grows per pixel to the
    /// right and per row.
    pub const fn linear(planes: [Plane; 4]) -> Varying<'a> {
        Varying {
            kinds: [InputKind::Linear; 4],
            planes,
            ..UNUSED
        }
    }

    /// Planes of the components divided by w. The draw multiplies by w again, which is the
    /// reciprocal of `i0.w`: see [`Varying::position`].
    pub const fn perspective(planes: [Plane; 4]) -> Varying<'a> {
        Varying {
            kinds: [InputKind::Perspective; 4],
            planes,
            ..UNUSED
        }
    }

    /// The attribute of that number of the vertices of triangles.
    pub const fn vertices(interpolation: Interpolation) -> Varying<'a> {
        let kind = match interpolation {
            Interpolation::Perspective => InputKind::Perspective,
            Interpolation::Linear => InputKind::Linear,
            Interpolation::Flat => InputKind::Flat,
        };
        Varying {
            kinds: [kind; 4],
            from_vertices: true,
            ..UNUSED
        }
    }

    /// One register per quad, for [`Draw::quads`](super::Draw::quads).
    pub const fn quads(array: &'a [QuadReg]) -> Varying<'a> {
        Varying {
            kinds: [InputKind::Array; 4],
            array,
            ..UNUSED
        }
    }

    /// The window position, with planes for depth and 1/w. It is the default of `i0`, with 0.5 and 1.
    pub const fn position(depth: Plane, one_over_w: Plane) -> Varying<'a> {
        Varying {
            kinds: [
                InputKind::Position,
                InputKind::Position,
                InputKind::Linear,
                InputKind::Linear,
            ],
            planes: [constant(0.0), constant(0.0), depth, one_over_w],
            ..UNUSED
        }
    }

    /// Component x of `x`, y of `y` and so on. An array may be among them, one only.
    pub const fn join(x: Varying<'a>, y: Varying<'a>, z: Varying<'a>, w: Varying<'a>) -> Self {
        let array = match (x.array, y.array, z.array, w.array) {
            ([], [], [], array) | ([], [], array, _) | ([], array, _, _) | (array, _, _, _) => {
                array
            }
        };
        Varying {
            kinds: [x.kinds[0], y.kinds[1], z.kinds[2], w.kinds[3]],
            planes: [x.planes[0], y.planes[1], z.planes[2], w.planes[3]],
            array,
            ..UNUSED
        }
    }

    /// The same, evaluated at another place of pixels. A pixel with one sample has no other, unless [the
    /// draw](super::Draw::sample_positions) moves that.
    #[must_use]
    pub const fn at(mut self, location: Location) -> Self {
        self.location = location;
        self
    }

    /// The same, with components of a vertex attribute for which 0 and 1 are the same place, as on a cylinder. In
    /// each triangle whole numbers are added to their values at the vertices, so that each comes as near as it can
    /// to the greatest of the three.
    #[must_use]
    pub const fn cylindrical(mut self, components: Slots) -> Self {
        self.wraps = components;
        self
    }

    /// Before [`Draw`](super::Draw) is told otherwise: the position for `i0`, and nothing else.
    pub(crate) const fn default_position() -> Varying<'a> {
        let mut varying = Varying::position(constant(0.5), constant(1.0));
        varying.kinds[2] = InputKind::Flat;
        varying.kinds[3] = InputKind::Flat;
        varying
    }

    /// `i15` of a primitive that is seen from its front: only w is given.
    pub(crate) const fn default_face() -> Varying<'a> {
        let mut varying = Varying::flat([0.0, 0.0, 0.0, 1.0]);
        varying.kinds = [
            InputKind::Unused,
            InputKind::Unused,
            InputKind::Unused,
            InputKind::Flat,
        ];
        varying
    }
}
