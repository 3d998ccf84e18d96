//! The `attila` command.

fn main() {}
