//! Recognizes texts in languages that are not read, so that a message can say what they are.
//!
//! A text that is a program is never asked about: these are guesses about what cannot be read.

mod header;
mod kind;

pub use header::{Header, header};
pub use kind::kind_of_text;
