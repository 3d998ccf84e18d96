//! What the code of a draw reads and writes besides registers: numbers of the draw, of a span of
//! quads and of its fragments, and the pixels of surfaces.

use std::fmt;

use attila_isa::pipeline::TARGETS;

use super::print::COMPONENTS;

/// What a draw is given, the same in all lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum DrawField {
    /// f32: what alpha is compared with.
    AlphaReference,
    /// f32: a component of the constant colour.
    BlendConstant(u8),
}

/// What is known of a span of quads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum SpanField {
    /// f32: column and row of the primitive's anchor.
    Anchor(u8),
    /// f32: rows from the anchor to the pixels' centres.
    Y,
    /// f32: a number of the primitive's plane.
    Plane(u8, PlaneField),
}

/// A number of a plane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum PlaneField {
    At,
    Dx,
    Dy,
}

/// What a quad of a draw is given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum FragmentField {
    /// f32: columns from the anchor to the pixels' centres.
    X,
    /// Mask: the fragments that are covered.
    Coverage,
    /// f32: a component of an input that comes from an array.
    Input { reg: u8, component: u8 },
}

/// The surfaces of a draw: its colour targets, and its depths.
pub(crate) const SURFACES: usize = TARGETS + 1;

/// The surface that holds depths.
pub(crate) const DEPTH_SURFACE: u8 = TARGETS as u8;

/// Pixels of a surface.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Pixels {
    pub(crate) surface: u8,
    /// Words of a pixel: 1, 2 or 4.
    pub(crate) words: u8,
}

impl fmt::Display for DrawField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DrawField::AlphaReference => f.write_str("alpha reference"),
            DrawField::BlendConstant(component) => {
                write!(f, "constant.{}", COMPONENTS[usize::from(*component)])
            }
        }
    }
}

impl fmt::Display for FragmentField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            FragmentField::X => f.write_str("x"),
            FragmentField::Coverage => f.write_str("coverage"),
            FragmentField::Input { reg, component } => {
                write!(f, "i{reg}.{}", COMPONENTS[usize::from(component)])
            }
        }
    }
}

impl fmt::Display for SpanField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpanField::Anchor(axis) => write!(f, "anchor.{}", COMPONENTS[usize::from(*axis)]),
            SpanField::Y => f.write_str("y"),
            SpanField::Plane(plane, PlaneField::At) => write!(f, "plane{plane}.at"),
            SpanField::Plane(plane, PlaneField::Dx) => write!(f, "plane{plane}.dx"),
            SpanField::Plane(plane, PlaneField::Dy) => write!(f, "plane{plane}.dy"),
        }
    }
}

impl fmt::Display for Pixels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.surface == DEPTH_SURFACE {
            f.write_str("depth pixels")
        } else {
            write!(f, "pixels{}", self.surface)
        }
    }
}
