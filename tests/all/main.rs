//! Behaviour of programs, textures and draws on every engine.

mod agal;
mod agal_corpora;
mod agal_tests;
mod arb;
mod binaries;
mod cases;
mod citations;
mod common;
mod ctm;
mod custom;
mod debug;
mod differential;
mod draw;
mod draws;
#[cfg(feature = "jit")]
mod embeddings;
mod faults;
#[cfg(feature = "jit")]
mod hostile;
mod long;
mod lookups;
mod maps;
#[cfg(feature = "jit")]
mod order;
mod progress;
mod regressions;
mod samples;
mod semantics;
mod shader_tests;
mod sizes;
mod special;
mod textures;
mod tgsi;
mod tgsi_tests;
mod toy;
mod vectors;
