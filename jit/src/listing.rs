//! Listings of a program: texts of its stages, lane IR after each pass, modules of WebAssembly.

use std::fmt;

use attila_isa::ValidProgram;
use attila_machine::pipeline::Pipeline;
use attila_machine::{Bindings, PrepareError};

use crate::constants::Terms;
use crate::emit::CompileError;
use crate::ir::pass::{LaneIr, Trace};
use crate::lower::Domain;
use crate::sampling::{Asks, bound};
use crate::specialisation::Specialisation;
use crate::{EmitStage, Jit, Lowered, guard, prepare_error};

/// A form of a program as a text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Listing {
    /// Its lines.
    pub text: String,
    /// The instruction of the program that each line is there for, if there is one.
    pub instructions: Vec<Option<usize>>,
}

impl Listing {
    /// A line behind the others.
    pub(crate) fn push(&mut self, line: &str, instruction: Option<usize>) {
        self.text.push_str(line);
        self.text.push('\n');
        self.instructions.push(instruction);
    }
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A module of WebAssembly.
#[cfg(target_arch = "wasm32")]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WasmModule {
    /// The module.
    pub bytes: Vec<u8>,
    /// Bytes from which on the code is there for an instruction, or for none.
    pub origins: Vec<(usize, Option<usize>)>,
}

impl Jit {
    /// The program for shading, in the form that it has at `stage`. Textures are called for.
    ///
    /// # Errors
    ///
    /// The program cannot be compiled.
    pub fn emit_text(
        &self,
        program: &ValidProgram,
        stage: EmitStage,
    ) -> Result<Listing, PrepareError> {
        self.emit_text_bound(program, &Bindings::new(), stage)
    }

    /// The same for the textures that it is bound to: the code samples them inline where it can.
    ///
    /// # Errors
    ///
    /// The program cannot be compiled.
    pub fn emit_text_bound(
        &self,
        program: &ValidProgram,
        bindings: &Bindings<'_>,
        stage: EmitStage,
    ) -> Result<Listing, PrepareError> {
        self.text(program, Domain::in_memory(program), bindings, stage)
    }

    /// The same within the pipeline of a draw.
    ///
    /// # Errors
    ///
    /// The program cannot be compiled.
    pub fn emit_text_within(
        &self,
        program: &ValidProgram,
        pipeline: &Pipeline,
        bindings: &Bindings<'_>,
        stage: EmitStage,
    ) -> Result<Listing, PrepareError> {
        self.text(program, Domain::Draw(pipeline), bindings, stage)
    }

    /// Lane IR within the pipeline of a draw after each pass that changes it. The last is what code is made of.
    ///
    /// # Errors
    ///
    /// The program cannot be compiled.
    pub fn passes_within(
        &self,
        program: &ValidProgram,
        pipeline: &Pipeline,
        bindings: &Bindings<'_>,
    ) -> Result<Vec<LaneIr>, PrepareError> {
        self.passes(program, Domain::Draw(pipeline), bindings)
    }

    /// The same for shading, as [`Jit::emit_text_bound`] has it.
    ///
    /// # Errors
    ///
    /// The program cannot be compiled.
    pub fn passes_bound(
        &self,
        program: &ValidProgram,
        bindings: &Bindings<'_>,
    ) -> Result<Vec<LaneIr>, PrepareError> {
        self.passes(program, Domain::in_memory(program), bindings)
    }

    /// The module of WebAssembly within the pipeline of a draw.
    ///
    /// # Errors
    ///
    /// The program cannot be compiled.
    #[cfg(target_arch = "wasm32")]
    pub fn module_within(
        &self,
        program: &ValidProgram,
        pipeline: &Pipeline,
        bindings: &Bindings<'_>,
    ) -> Result<WasmModule, PrepareError> {
        let domain = Domain::Draw(pipeline);
        self.lowered(program, domain, bindings, |lowered| {
            let fused = lowered.emitter.vectors().fma;
            let (made, _) = crate::emit::wasm::Wasm { fused }.module(&lowered.source(domain));
            let origins = made.origins.iter();
            Ok(WasmModule {
                origins: origins.map(|(at, origin)| (*at, origin.pc())).collect(),
                bytes: made.bytes,
            })
        })
    }

    fn passes(
        &self,
        program: &ValidProgram,
        domain: Domain<'_>,
        bindings: &Bindings<'_>,
    ) -> Result<Vec<LaneIr>, PrepareError> {
        let trace = Trace::kept();
        let jit = Jit {
            trace: trace.clone(),
            ..self.clone()
        };
        jit.lowered(program, domain, bindings, |_| Ok(()))?;
        Ok(trace.take())
    }

    fn text(
        &self,
        program: &ValidProgram,
        domain: Domain<'_>,
        bindings: &Bindings<'_>,
        stage: EmitStage,
    ) -> Result<Listing, PrepareError> {
        self.lowered(program, domain, bindings, |lowered| {
            lowered.emitter.text(&lowered.source(domain), stage)
        })
    }

    /// The result of a function on the program in lane IR, with the textures that it is bound to.
    fn lowered<T>(
        &self,
        program: &ValidProgram,
        domain: Domain<'_>,
        bindings: &Bindings<'_>,
        f: impl FnOnce(&Lowered<'_>) -> Result<T, CompileError>,
    ) -> Result<T, PrepareError> {
        let samplings = bound(bindings, Asks::of(program), self.decodings());
        let terms = Terms::of(program);
        let known = Specialisation::of(program, bindings, &samplings, &terms);
        let made = guard(|| f(&self.lower(program, domain, known)?));
        made.map_err(prepare_error)
    }
}
