//! Stepping through a recorded run, forwards and backwards.
//!
//! ```text
//! Recording, Source ─► Subject ─► Debugger ◄─ execute: a command in words
//! ```
//!
//! Nothing here reads or prints: [`execute`] gives the lines that a command has as its answer.
#![forbid(unsafe_code)]

mod commands;
mod debugger;
mod lane;
mod number;
mod subject;

pub use commands::{
    Answer, HELP, breaks, end, execute, fate, history, place_line, requests, shown,
};
pub use debugger::{At, Breakpoint, Debugger, Hits, Variables, Watched, Way, lanes, meaning};
pub use number::{Kind, Word, float};
pub use subject::{Small, Subject, fragment};

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
