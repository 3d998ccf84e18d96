//! Tests of the emitter that need no machine with its instructions.

mod codes;
pub(in crate::emit::wide) mod decode;
mod functions;
