//! Triangles to spans: which fragments each covers, and the planes of its inputs.
//!
//! ```text
//! window positions ─► snap ─► cull ─► Bins: spans, outlines ─► a band's spans, in submission order
//!                              └────► planes, for each primitive once
//! ```
//!
//! Positions are in pixels, x to the right and y down the rows; the centre of pixel (x, y) is at
//! (x + 0.5, y + 0.5). They are snapped to the nearest multiple of 1/256, a tie to the even one,
//! and everything about coverage is exact from there on: a fragment is covered if its centre is
//! inside the triangle, or on a left edge, or on a horizontal edge with the inside below
//! (top-left rule). Triangles that share an edge neither leave gaps along it nor meet.
//!
//! With several samples in a pixel, each is covered by the same rule, at its place instead of the
//! centre. Places are multiples of 1/16, so that this is as exact.
//!
//! A triangle is convex, so that in each row it covers an interval, and its ends are where two of
//! its edges cross the row of centres. No pixel is tested: intervals of two rows make a row of
//! quads, and all quads between their later start and their earlier end are covered as a whole. Only of
//! triangles of a few pixels every centre or sample is tested, which is faster there.
//!
//! Most triangles are set up side by side ([`many`]), with the same bits as one by one, which is left to others.

mod bins;
mod cylinder;
mod distances;
mod guard;
mod many;
mod outline;
mod planes;
mod polygon;
mod primitives;
mod samples;
mod set_up;
mod small;
mod spans;
#[cfg(test)]
mod tests;
mod triangles;
mod walk;

pub(crate) use bins::Bin;
pub(crate) use distances::{Distances, MAX_DISTANCES};
pub(crate) use outline::Outline;
pub(crate) use planes::{FRONT_COLOURS, PlaneLayout, TO_BACK};
pub(crate) use polygon::{Homogeneous, Polygon};
pub(crate) use primitives::{Primitives, Rules, Vertex};
pub(crate) use set_up::Corners;
pub(crate) use spans::Spans;
pub(crate) use triangles::Triangles;

use std::ops::Range;

/// Sub-pixel positions per pixel.
const SUB: i32 = 256;

/// Pixels that may be drawn to. Bounds are at most 2^16.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Area {
    /// Columns of pixels.
    pub(crate) columns: Range<i32>,
    /// Rows of pixels.
    pub(crate) rows: Range<i32>,
}

/// Which triangles are left out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Cull {
    /// None.
    #[default]
    None,
    /// Triangles that show their front.
    Front,
    /// Triangles that show their back.
    Back,
}

/// The order of a triangle's vertices that makes it show its front, as seen with the first row at
/// the top.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum FrontFace {
    /// Against the clock.
    #[default]
    CounterClockwise,
    /// With the clock.
    Clockwise,
}
