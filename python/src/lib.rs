//! The Python package `attila`: programs, maps over arrays, and pictures that are drawn into arrays.
//!
//! It converts what crosses between Python and the library, and does nothing else. Memory of arrays is borrowed in
//! [`arrays`] only.
//!
//! ```text
//! program ─► shader ─► map     columns
//!                  └─► draw    targets, shapes, state
//!                       both   textures, asked (callables), values, signals
//! ```

mod arrays;
mod asked;
mod draw;
mod errors;
mod map;
mod program;
mod recipe;
mod scene;
mod shader;
mod shapes;
mod signals;
mod state;
mod storage;
mod targets;
mod textures;
mod threads;
mod values;

use pyo3::prelude::*;

/// The compiled part of the package.
#[pymodule(gil_used = false)]
mod _attila {
    #[pymodule_export]
    use crate::draw::PreparedDraw;
    #[pymodule_export]
    use crate::errors::{Diagnostic, ProgramError, Stopped};
    #[pymodule_export]
    use crate::program::{Program, Usage, assemble, check, load, unpickled};
    #[pymodule_export]
    use crate::scene::{Scene, png};
    #[pymodule_export]
    use crate::shader::Shader;
    #[pymodule_export]
    use crate::shapes::{Geometry, Mesh, Quads, Triangles};
    #[pymodule_export]
    use crate::state::State;
    #[pymodule_export]
    use crate::targets::resolve;
    #[pymodule_export]
    use crate::textures::Texture;
}
