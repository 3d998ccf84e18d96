//! Tests of a texture unit: the original's results, decisions where it was wrong, formats, and a
//! sampler in f64 as a third opinion.

mod common;
mod decisions;
mod filtering;
mod formats;
mod golden;
mod images;
mod robustness;
mod third_opinion;
