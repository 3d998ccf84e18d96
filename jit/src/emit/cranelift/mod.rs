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
//! them and take no register. In straight code and in long code values move to memory
//! and back where [`Registers`](crate::emit::registers::Registers) says, and Cranelift's register allocator has little left to move.

mod calls;
mod memory;
mod ops;
mod pixels;
mod records;
mod shader;
mod spans;
mod spills;
mod texels;

#[cfg(test)]
mod tests;

use crate::abi::Layout;
use crate::code::{MachineCode, Module};
use crate::emit::plan::Shape;
use crate::emit::{Code, CompileError, Emitter};
use crate::ir::Function;
use crate::runtime::Entry;
use crate::target::Target;
use cranelift_codegen::control::ControlPlane;
use cranelift_jit::JITBuilder;
use cranelift_module::{Linkage, Module as _, ModuleError};

impl From<ModuleError> for CompileError {
    fn from(error: ModuleError) -> Self {
        CompileError::Codegen(Box::new(error))
    }
}

/// The emitter for the vectors of 128 bits that Cranelift has.
pub(crate) struct Cranelift<'a> {
    pub(crate) target: &'a Target,
}

impl Emitter for Cranelift<'_> {
    fn emit(
        &self,
        function: &Function,
        layout: Layout,
        quads: usize,
    ) -> Result<Box<dyn Code>, CompileError> {
        let mut module = self.module();
        let (mut context, shape) = self.build(&mut module, function, layout, quads);
        let id = module.declare_function("shader", Linkage::Local, &context.func.signature)?;
        module.define_function(id, &mut context)?;
        module.finalize_definitions()?;
        Ok(Box::new(MachineCode::new(module, id, shape)))
    }
}

impl Cranelift<'_> {
    /// The function as Cranelift is given it.
    pub(crate) fn clif(&self, function: &Function, layout: Layout, quads: usize) -> String {
        let (context, _) = self.build(&mut self.module(), function, layout, quads);
        context.func.display().to_string()
    }

    /// The instructions that Cranelift makes of it.
    pub(crate) fn asm(
        &self,
        function: &Function,
        layout: Layout,
        quads: usize,
    ) -> Result<String, CompileError> {
        let (mut context, _) = self.build(&mut self.module(), function, layout, quads);
        context.set_disasm(true);
        let compiled = context
            .compile(&*self.target.isa, &mut ControlPlane::default())
            .map_err(ModuleError::from)?;
        Ok(compiled.vcode.clone().unwrap_or_default())
    }

    /// The bytes of its code.
    pub(crate) fn size(
        &self,
        function: &Function,
        layout: Layout,
        quads: usize,
    ) -> Result<usize, CompileError> {
        let (mut context, _) = self.build(&mut self.module(), function, layout, quads);
        let compiled = context
            .compile(&*self.target.isa, &mut ControlPlane::default())
            .map_err(ModuleError::from)?;
        Ok(compiled.code_info().total_size as usize)
    }

    /// A module that knows the runtime's entries and nothing else.
    fn module(&self) -> Module {
        let no_library = Box::new(|call| format!("{call:?}"));
        let mut builder = JITBuilder::with_isa(self.target.isa.clone(), no_library);
        for entry in Entry::ALL {
            builder.symbol(entry.name(), entry.address());
        }
        // Asked before the symbols of the process are, and never without an answer: panicking is
        // caught, calling whatever has the same name would not be.
        builder.symbol_lookup_fn(Box::new(|name| panic!("`{name}` is not a runtime entry")));
        Module::new(builder)
    }

    fn build(
        &self,
        module: &mut Module,
        function: &Function,
        layout: Layout,
        quads: usize,
    ) -> (cranelift_codegen::Context, Shape) {
        let mut context = module.make_context();
        let source = shader::Source {
            function,
            layout,
            quads,
        };
        let shape = shader::build(&mut context.func, module, self.target.native, &source);
        (context, shape)
    }
}
