//! The playground's half that is compiled to WebAssembly: programs, drawn and explained for a page.
//!
//! ```text
//!   page ─► message ─► door ─► Session ─┬─► editor     what is wrong, what stands here
//!                                       ├─► loaded     programs, a mesh, what they are drawn with
//!                                       ├─► drawing    pixels
//!                                       ├─► listing    what the program becomes
//!                                       ├─► recording  a pixel, step by step
//!                                       └─► value      an instruction's result over all pixels
//! ```
//!
//! A message is JSON, and bytes behind it; so is its answer. `page/engine.js` has the other side.
//! There is one [`Session`] for each worker of a page, and nothing here knows of the others.
#![deny(unsafe_code)]

#[cfg(target_arch = "wasm32")]
mod door;
mod drawing;
mod editor;
#[cfg(target_arch = "wasm32")]
mod linker;
mod listing;
mod loaded;
mod message;
mod recording;
mod session;
mod value;

pub use message::Request;
pub use session::{Answer, Session};

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
