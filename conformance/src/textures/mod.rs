//! Random images, samplers and coordinates, with few programs: do engines sample alike?
//!
//! [`generate`](crate::generate) answers texture requests by a formula. Cases made here bind real images, which an
//! engine may sample by its own code.

mod generate;

pub use generate::{INLINED_FORMATS, INLINED_KINDS};
pub(crate) use generate::{case, coordinates, of_kind, texture};

/// The choice of textures.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Scope {
    /// Everything that can be sampled.
    #[default]
    All,
    /// The textures that the JIT samples inline: images of [`INLINED_KINDS`] in the formats of
    /// [`INLINED_FORMATS`].
    Inlinable,
}
