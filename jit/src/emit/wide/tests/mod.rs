//! Tests of the emitter that need no machine with its instructions.

mod codes;
pub(in crate::wide) mod decode;
mod functions;
