//! Answers of an editor's kind about programs in any language: what is wrong, what stands here, which names there are.
//!
//! ```text
//!   text ─► Document ─┬─► problems, with fixes
//!                     ├─► hover, completion, signature: at a byte of the text
//!                     ├─► symbols, occurrences, rename
//!                     └─► folds, hints, formatting
//! ```
//!
//! A text may hold several programs, each a [`Part`] with its [`Dialect`]. Places are bytes of the text; [`Lines`]
//! converts them to lines and UTF-16 units, which editors count. Nothing here reads or writes: the costs of
//! instructions, which only a compiler knows, come from the caller's [`Costs`].
#![forbid(unsafe_code)]

mod answer;
mod complete;
mod constants;
mod dialect;
mod document;
mod fold;
mod format;
mod hints;
mod hover;
mod lines;
mod names;
mod operation;
mod problems;
mod rename;
mod signature;
mod statement;
mod tokens;

pub use answer::{
    Completion, CompletionKind, Edit, Hint, Hover, Occurrence, Problem, Role, Signature, Symbol,
    SymbolKind, apply,
};
pub use attila_shader::isa::{Fix, Severity};
pub use dialect::Dialect;
pub use document::{Document, MAX_PROGRAMS, Part};
pub use hover::{Cost, Costs, NoCosts};
pub use lines::{Lines, Position};
pub use operation::{Operation, operations};
pub use rename::RenameError;

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
