//! Tests of a texture unit: the original's results, decisions where it was wrong, formats, and a
//! sampler in f64 as a third opinion.

mod arrays;
mod common;
mod components;
mod decisions;
mod fetching;
mod filtering;
mod formats;
mod gathering;
mod golden;
mod images;
mod integers;
mod levels;
mod order;
mod robustness;
mod shadows;
mod third_opinion;
