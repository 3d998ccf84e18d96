//! Shared by the tests of draws.

use attila_shader::draw::{Plane, Varying};
use attila_shader::{Engine, Program, Shader};

/// The program, on every engine that works on this machine.
pub(crate) fn shaders(text: &str) -> Vec<Shader> {
    let program = Program::assemble(text).expect("it assembles");
    let program = program.validate().expect("it is valid");
    let engines = Engine::all().into_iter();
    engines
        .map(|engine| engine.prepare(&program).expect("the engine compiles it"))
        .collect()
}

/// A plane that starts from the upper left corner.
pub(crate) const fn plane(at: f32, dx: f32, dy: f32) -> Plane {
    Plane { at, dx, dy }
}

/// A different value at every pixel of small targets: (x, y, 100 y + x, 1), of their centres.
pub(crate) fn numbered() -> Varying<'static> {
    Varying::linear([
        plane(0.0, 1.0, 0.0),
        plane(0.0, 0.0, 1.0),
        plane(0.0, 1.0, 100.0),
        plane(1.0, 0.0, 0.0),
    ])
}
