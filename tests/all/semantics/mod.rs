//! Behaviour of programs on every engine: the opcodes, guards, masks, jumps, kills and requests, as
//! machine.md 2 and 3, numerics.md 1 to 10 and the decisions D01 to D45 have them.
//!
//! A test is a program with its start and its expectations. Programs that only run are files, in
//! `tests/cases/`; these tests do more. They know the right results; random programs compare the
//! engines with each other.

mod bindings;
mod compute;
mod control;
mod extended;
mod geometry;
mod golden_textures;
mod idioms;
mod kill;
mod nested;
mod panics;
mod runs;
mod textures;
mod transcendental;
