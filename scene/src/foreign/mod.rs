//! Recognizes files that are no programs, so that one message can say what they are: by their bytes and
//! by their shape. [`attila_shader::front::foreign`] knows texts in other languages.
//!
//! A file that is a program is never asked about: these are guesses about what cannot be read.

mod bytes;
mod shape;

pub(crate) use bytes::{accident, is_stray, is_utf16, kind_of_bytes, stray_byte};
pub(crate) use shape::Shape;

/// The help that says what is read.
pub(crate) const UNDERSTOOD: &str = "programs are ATTILA assembly, ARB programs (`!!ARBvp1.0`, `!!ARBfp1.0`), TGSI \
     (`VERT`, `FRAG`, `GEOM`, `COMP`), AGAL, CTM, hexadecimal words or raw binaries";
