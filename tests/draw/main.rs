//! What draws do, on every engine.

mod common;
mod shapes;
