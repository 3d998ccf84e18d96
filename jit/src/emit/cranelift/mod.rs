//! From lane IR to executable code, through Cranelift.
//!
//! ```text
//! prologue         values of the whole run ─► uniform table
//! quad ◄──────┐    n quads, each operation n times in a row
//! IR blocks   │
//! next ───────┘    n quads further on
//! ```
//!
//! One IR value is one 128-bit vector per quad. Literals and uniform values are vectors in
//! memory, loaded at each use, so that on x86 they become operands of the instructions that use
//! them and take no register. In straight code and in long code values move to memory and back where
//! [`Registers`](crate::emit::registers::Registers) says, and Cranelift's register allocator has little
//! left to move.

mod calls;
mod columns;
mod doubles;
mod halves;
mod listing;
mod measured;
mod memory;
mod ops;
mod pixels;
mod records;
mod samples;
mod scratch;
mod shader;
mod spans;
mod spills;
mod storage;
mod texels;

#[cfg(test)]
mod tests;

use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::{CompiledCode, Context};
use cranelift_jit::JITBuilder;
use cranelift_module::{Linkage, Module as _, ModuleError};

use crate::code::{self, MachineCode, Module};
use crate::emit::plan::Shape;
use crate::emit::{Code, CodeSize, CompileError, Emitter, Source};
use crate::runtime::Entry;
use crate::target::{CompileTarget, VectorTarget};
use crate::{EmitStage, Listing};

impl From<ModuleError> for CompileError {
    fn from(error: ModuleError) -> Self {
        CompileError::Codegen(Box::new(error))
    }
}

/// The emitter for the vectors of 128 bits that Cranelift has.
pub(crate) struct Cranelift<'a> {
    pub(crate) target: &'a CompileTarget,
}

impl Emitter for Cranelift<'_> {
    fn vectors(&self) -> VectorTarget {
        self.target.native.vectors
    }

    fn emit(&self, source: &Source<'_>) -> Result<Box<dyn Code>, CompileError> {
        let mut module = self.module();
        let (mut context, shape) = self.build(&mut module, source);
        let id = module.declare_function("shader", Linkage::Local, &context.func.signature)?;
        module.define_function(id, &mut context)?;
        module.finalize_definitions()?;
        let compiled = context.compiled_code();
        let bytes = compiled.map_or(0, |code| code.code_info().total_size as usize);
        Ok(Box::new(MachineCode::new(module, id, shape, bytes)))
    }

    fn text(&self, source: &Source<'_>, stage: EmitStage) -> Result<Listing, CompileError> {
        match stage {
            EmitStage::Ir => Ok(source.function.listing()),
            EmitStage::Clif => {
                let (context, _) = self.build(&mut self.module(), source);
                Ok(listing::clif(&context.func))
            }
            EmitStage::Asm => {
                let mut module = self.module();
                let (mut context, _) = self.build(&mut module, source);
                context.set_disasm(true);
                self.compiled(&mut context)?;
                let triple = self.target.isa.triple();
                Ok(listing::assembly(&context, &module, triple))
            }
        }
    }

    fn size(&self, source: &Source<'_>) -> Result<CodeSize, CompileError> {
        let (mut context, shape) = self.build(&mut self.module(), source);
        let compiled = self.compiled(&mut context)?;
        let bytes = compiled.code_info().total_size as usize;
        Ok(CodeSize {
            bytes,
            memory: code::memory(bytes, shape.literals.len()),
        })
    }
}

impl Cranelift<'_> {
    /// Code that is looked at, and belongs to no module.
    fn compiled<'c>(&self, context: &'c mut Context) -> Result<&'c CompiledCode, CompileError> {
        let compiled = context.compile(&*self.target.isa, &mut ControlPlane::default());
        Ok(compiled.map_err(ModuleError::from)?)
    }

    /// A module that knows the runtime's entries and nothing else.
    fn module(&self) -> Module {
        let no_library = Box::new(|call| format!("{call:?}"));
        let mut builder = JITBuilder::with_isa(self.target.isa.clone(), no_library);
        #[cfg(target_arch = "x86_64")]
        builder.memory_provider(Box::<crate::pages::ModuleMemory>::default());
        for entry in Entry::ALL {
            builder.symbol(entry.name(), entry.address());
        }
        // Asked before the symbols of the process are, and never without an answer: a panic is
        // caught, but a call of another function of the same name would not be.
        builder.symbol_lookup_fn(Box::new(|name| panic!("`{name}` is not a runtime entry")));
        Module::new(builder)
    }

    fn build(&self, module: &mut Module, source: &Source<'_>) -> (Context, Shape) {
        let mut context = module.make_context();
        let shape = shader::build(&mut context.func, module, self.target.native, source);
        (context, shape)
    }
}
