//! The opcodes by group. The first functions of a file name the shapes, the rest fill them.

mod export;
mod fixed;
mod predicate;
mod scalar;
mod texture;
mod vector;

pub(super) use scalar::{reciprocal, reciprocal_root};
pub(super) use vector::{Last, fraction};
