//! Inputs of draws

use ::attila_shader::Plane;
use ::attila_shader::draw::{Interpolation, Location, Varying};
use ::attila_shader::isa::Slots;

use crate::basics::one_of;
use crate::failure::{Failure, Outcome};

/// A value that changes by the same amount from pixel to pixel. It starts from the upper left corner of the image, or
/// from the `anchor` of the state.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct attila_plane {
    /// The value there.
    pub at: f32,
    /// The increase per column.
    pub dx: f32,
    /// The increase per row.
    pub dy: f32,
}

/// Where an input comes from.
pub type attila_input_kind = u32;

/// `at` of the planes.
pub const ATTILA_INPUT_FLAT: attila_input_kind = 0;
/// The planes.
pub const ATTILA_INPUT_LINEAR: attila_input_kind = 1;
/// The planes of values that are divided by w, as attributes in perspective are. The plane of 1/w is that of i0.w.
pub const ATTILA_INPUT_PERSPECTIVE: attila_input_kind = 2;
/// For i0: the position in x and y, and the planes of depth and of 1/w in z and w.
pub const ATTILA_INPUT_POSITION: attila_input_kind = 3;
/// An attribute of vertices, in perspective.
pub const ATTILA_INPUT_VERTICES: attila_input_kind = 4;
/// An attribute of vertices, linear in the window.
pub const ATTILA_INPUT_VERTICES_LINEAR: attila_input_kind = 5;
/// The attribute of the last vertex.
pub const ATTILA_INPUT_VERTICES_FLAT: attila_input_kind = 6;
/// An array with a register for each quad, which attila_draw_quads is given.
pub const ATTILA_INPUT_ARRAY: attila_input_kind = 7;

/// The point of a pixel at which an input is evaluated.
pub type attila_location = u32;

pub const ATTILA_LOCATION_CENTRE: attila_location = 0;
/// The centre if all samples are covered, else one that is.
pub const ATTILA_LOCATION_CENTROID: attila_location = 1;
/// The sample, for each of which the program runs then.
pub const ATTILA_LOCATION_SAMPLE: attila_location = 2;

/// An input of a draw.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct attila_varying {
    pub size: usize,
    pub kind: attila_input_kind,
    pub location: attila_location,
    /// One for each component.
    pub planes: [attila_plane; 4],
    /// Components, bit 0 = x, of an attribute of vertices that go the shorter way round a cylinder.
    pub wraps: u32,
    pub reserved: u32,
}

impl Default for attila_varying {
    fn default() -> attila_varying {
        attila_varying {
            size: size_of::<attila_varying>(),
            kind: ATTILA_INPUT_FLAT,
            location: ATTILA_LOCATION_CENTRE,
            planes: [attila_plane::default(); 4],
            wraps: 0,
            reserved: 0,
        }
    }
}

pub(super) fn varying(given: &attila_varying) -> Outcome<Varying<'static>> {
    let planes = given
        .planes
        .map(|attila_plane { at, dx, dy }| Plane { at, dx, dy });
    let varying = match given.kind {
        ATTILA_INPUT_FLAT => Varying::flat(planes.map(|plane| plane.at)),
        ATTILA_INPUT_LINEAR => Varying::linear(planes),
        ATTILA_INPUT_PERSPECTIVE => Varying::perspective(planes),
        ATTILA_INPUT_POSITION => Varying::position(planes[2], planes[3]),
        ATTILA_INPUT_VERTICES => Varying::vertices(Interpolation::Perspective),
        ATTILA_INPUT_VERTICES_LINEAR => Varying::vertices(Interpolation::Linear),
        ATTILA_INPUT_VERTICES_FLAT => Varying::vertices(Interpolation::Flat),
        ATTILA_INPUT_ARRAY => Varying::quads(&[]),
        other => {
            return Err(Failure::range(format!(
                "there is no kind {other} of inputs"
            )));
        }
    };
    let locations = [Location::Centre, Location::Centroid, Location::Sample];
    let location = one_of("`input.location`", given.location, &locations)?;
    let wraps = u8::try_from(given.wraps).ok().and_then(Slots::from_bits);
    let wraps =
        wraps.ok_or_else(|| Failure::range("`input.wraps` has more than four components"))?;
    Ok(varying.at(location).cylindrical(wraps))
}

/// Whether code for one of them is code for the other.
pub(super) fn same_kind(a: &Varying<'_>, b: &Varying<'_>) -> bool {
    (a.kinds, a.from_vertices, a.location, a.wraps)
        == (b.kinds, b.from_vertices, b.location, b.wraps)
}
