//! Behaviour of draws, on every engine.

mod anchors;
mod common;
mod depth;
mod examples;
mod extremes;
mod faults;
mod formats;
mod inputs;
mod memory;
mod meshes;
mod nested;
mod panics;
mod prepared;
mod samples;
mod set_up;
mod shapes;
mod threads;
mod tiles;
mod triangles;
