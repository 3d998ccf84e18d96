//! Programs in files, with all that they are drawn with.
#![forbid(unsafe_code)]

pub mod directives;
pub mod images;
pub mod line;
