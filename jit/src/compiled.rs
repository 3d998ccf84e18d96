//! A program as it runs: its code, and the code made for the textures that it is bound to.

use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use attila_isa::{
    Bindings, Executable, OpFlags, QuadIo, QuadState, RunError, StatefulExecutable, TEXTURE_UNITS,
    ValidProgram,
};

use crate::Jit;
use crate::code::{Code, Record};
use crate::emit::CompileError;
use crate::sampling::{Sampling, bound};

/// The most texture instructions that code samples by itself. More take too long to compile, and
/// the code would outgrow the processor's cache.
const MOST_INLINED: usize = 32;

/// Variants of a program that are kept.
const VARIANTS: usize = 8;

/// A program compiled for records of type `R`.
pub(crate) struct Compiled<R> {
    jit: Jit,
    program: ValidProgram,
    /// Calls the texture unit for every sample.
    general: Code,
    /// The texture units that it samples, bit n = unit n.
    textures: u16,
    /// Whether it may be compiled again, to sample by itself.
    specialises: bool,
    variants: Mutex<Variants>,
    records: PhantomData<fn(&mut [R])>,
}

impl<R: Record> Compiled<R> {
    /// Compiles a program to call the texture unit.
    ///
    /// # Errors
    ///
    /// The program cannot be compiled.
    pub(crate) fn new(jit: &Jit, program: &ValidProgram) -> Result<Compiled<R>, CompileError> {
        let insts = program.program().insts().iter();
        let samples = insts.filter(|inst| inst.op.has(OpFlags::TEXTURE)).count();
        Ok(Compiled {
            jit: jit.clone(),
            general: jit.code(program, R::LAYOUT, &[])?,
            program: program.clone(),
            textures: program.usage().textures,
            specialises: samples <= MOST_INLINED,
            variants: Mutex::default(),
            records: PhantomData,
        })
    }

    fn run(&self, bindings: &Bindings<'_>, quads: &mut [R]) -> Result<(), RunError> {
        let is_bound = |unit| bindings.textures().is_some_and(|t| t.has_unit(unit));
        let mut used = (0..TEXTURE_UNITS).filter(|unit| self.textures >> unit & 1 != 0);
        if let Some(unit) = used.find(|&unit| !is_bound(unit)) {
            return Err(RunError::UnboundTexture { unit });
        }
        if self.textures != 0 && self.specialises && !quads.is_empty() {
            let (samplings, descriptors) = bound(bindings, self.textures);
            if let Some(code) = self.variant(&samplings) {
                return code.run_sampling(bindings, &descriptors, quads);
            }
        }
        self.general.run(bindings, quads)
    }

    /// The code that samples by itself in these ways; `None` if there is nothing that it would.
    fn variant(&self, samplings: &[Sampling]) -> Option<Arc<Code>> {
        if samplings.is_empty() {
            return None;
        }
        let mut variants = self.variants.lock().unwrap_or_else(PoisonError::into_inner);
        variants.get(samplings, || {
            let code = self.jit.code(&self.program, R::LAYOUT, samplings).ok()?;
            self.jit.count_specialisation();
            Some(Arc::new(code))
        })
    }
}

/// Code for several kinds of textures, by how it samples them, the last used at the end. `None` is
/// what could not be compiled.
#[derive(Default)]
struct Variants(Vec<(Vec<Sampling>, Option<Arc<Code>>)>);

impl Variants {
    fn get(
        &mut self,
        samplings: &[Sampling],
        make: impl FnOnce() -> Option<Arc<Code>>,
    ) -> Option<Arc<Code>> {
        let known = self.0.iter().position(|(key, _)| key == samplings);
        let variant = match known {
            Some(index) => self.0.remove(index),
            None => {
                if self.0.len() == VARIANTS {
                    self.0.remove(0);
                }
                (samplings.to_vec(), make())
            }
        };
        let code = variant.1.clone();
        self.0.push(variant);
        code
    }
}

impl Executable for Compiled<QuadIo> {
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadIo]) -> Result<(), RunError> {
        Compiled::run(self, bindings, quads)
    }
}

impl StatefulExecutable for Compiled<QuadState> {
    fn run(&self, bindings: &Bindings<'_>, quads: &mut [QuadState]) -> Result<(), RunError> {
        Compiled::run(self, bindings, quads)
    }
}
