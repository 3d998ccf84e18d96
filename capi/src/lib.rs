//! The C interface of `attila-shader`. `include/attila.h` is its documentation, and is made of this source.
//!
//! ```text
//! C ─► exported function ─► Call: memory   ─► attila-shader, attila-scene
//!      panic boundary       Table: handles
//! ```
//!
//! An exported function converts what crosses it, and no more. Pointers are read in `memory.rs`, which has all `unsafe`
//! code. Objects stay in tables (`handle.rs`); C has their places with a generation, never their addresses.
#![expect(
    missing_docs,
    reason = "documentation is for the header, where names may say enough"
)]
#![expect(
    non_camel_case_types,
    reason = "exported types have the names that C has for them"
)]

mod basics;
mod bindings;
mod callback;
mod draw;
mod error;
mod failure;
mod handle;
mod image;
mod map;
mod memory;
mod program;
mod shader;
mod status;
mod texture;

pub use basics::*;
pub use bindings::*;
pub use callback::*;
pub use draw::*;
pub use error::*;
pub use image::*;
pub use map::*;
pub use program::*;
pub use shader::*;
pub use status::*;
pub use texture::*;
