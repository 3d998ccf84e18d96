//! The smallest engine: it runs one program, and refuses all others.
//!
//! `cargo run -p attila-machine --example smallest`

use std::error::Error;
use std::sync::Arc;

use attila_isa::{Program, ValidProgram};
use attila_machine::{
    Backend, Bindings, Executable, ExtendedQuadIo, LANES, PrepareError, QuadIo, QuadRecord,
    RunError,
};

/// Runs `mov o1, i1`.
pub struct Mover;

impl Backend for Mover {
    fn name(&self) -> &'static str {
        "mover"
    }

    fn prepare(&self, program: &ValidProgram) -> Result<Arc<dyn Executable>, PrepareError> {
        let known = Program::assemble("mov o1, i1").map_err(PrepareError::new)?;
        match program.program().insts() == known.insts() {
            true => Ok(Arc::new(Mover)),
            false => Err(PrepareError::new("it is not `mov o1, i1`")),
        }
    }
}

impl Executable for Mover {
    fn run(&self, _: &Bindings<'_>, quads: &mut [QuadIo]) -> Result<(), RunError> {
        shade(quads);
        Ok(())
    }

    fn run_extended(&self, _: &Bindings<'_>, quads: &mut [ExtendedQuadIo]) -> Result<(), RunError> {
        shade(quads);
        Ok(())
    }
}

fn shade<const I: usize, const O: usize>(quads: &mut [QuadRecord<I, O>]) {
    for quad in quads {
        quad.outputs[1] = quad.inputs[1];
        quad.kill = [0; LANES]; // no sample of any lane
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let program = Program::assemble("mov o1, i1")?.validate()?;
    let shader = Mover.prepare(&program)?;
    let mut quads = [QuadIo::default()];
    quads[0].set_input(1, [[1.0, 2.0, 3.0, 4.0]; 4]);
    shader.run(&Bindings::new(), &mut quads)?;
    assert_eq!(quads[0].output(1)[3], [1.0, 2.0, 3.0, 4.0]);
    Ok(())
}
