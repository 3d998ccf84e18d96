//! Programs whose colours are halves of words. No target keeps all words, as floats lose those of NaNs; but a program
//! that is drawn with twice gives its lower and its upper halves to two targets of floats.

use std::sync::Arc;

use attila_shader::machine::pipeline::TARGETS;
use attila_shader::machine::{
    Backend, Bindings, Executable, ExtendedQuadIo, PrepareError, QuadIo, QuadReg, RunError,
};
use attila_shader::{Engine, Shader, ValidProgram};

use crate::script_test::picture::Half;

/// A fragment program that writes these halves of the words that `shader` does.
pub(super) fn halves(shader: &Shader, half: Half) -> Result<Shader, PrepareError> {
    let halved = Halved {
        shader: shader.clone(),
        half,
    };
    Engine::custom(Arc::new(halved)).prepare(shader.program())
}

/// An engine for one program, which another engine runs.
#[derive(Clone)]
struct Halved {
    shader: Shader,
    half: Half,
}

impl Backend for Halved {
    fn name(&self) -> &'static str {
        "halves"
    }

    fn prepare(&self, _: &ValidProgram) -> Result<Arc<dyn Executable>, PrepareError> {
        Ok(Arc::new(self.clone()))
    }
}

impl Executable for Halved {
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadIo]) -> Result<(), RunError> {
        self.shader.run(bindings, quads)?;
        quads
            .iter_mut()
            .for_each(|it| self.halve(&mut it.outputs[..]));
        Ok(())
    }

    fn run_extended(
        &self,
        bindings: &Bindings<'_>,
        quads: &mut [ExtendedQuadIo],
    ) -> Result<(), RunError> {
        self.shader.run_extended(bindings, quads)?;
        quads
            .iter_mut()
            .for_each(|it| self.halve(&mut it.outputs[..]));
        Ok(())
    }
}

impl Halved {
    fn halve(&self, outputs: &mut [QuadReg]) {
        for word in outputs[1..=TARGETS].as_flattened_mut().as_flattened_mut() {
            *word = self.half.of(*word);
        }
    }
}
