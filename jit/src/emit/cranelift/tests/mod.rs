//! The code that Cranelift makes: its forms, and for machines other than this one.

mod draws;
mod forms;
mod targets;
