//! Executable memory: owning it, calling into it, giving it back.
//!
//! This is the only place of the crate that does what the compiler cannot check.
#![allow(
    unsafe_code,
    reason = "calling generated code is what this file is for"
)]

use std::fmt;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::sync::Mutex;

use attila_isa::{Bindings, QuadIo, QuadState, RunError};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::FuncId;

use crate::layout::Layout;
use crate::runtime::{Context, Vector};
use crate::sampling::Descriptor;

/// A Cranelift module whose memory is freed with it, which Cranelift leaves to its user.
pub(crate) struct Module(ManuallyDrop<JITModule>);

impl Module {
    /// An empty module.
    pub(crate) fn new(builder: JITBuilder) -> Module {
        Module(ManuallyDrop::new(JITModule::new(builder)))
    }
}

impl Deref for Module {
    type Target = JITModule;

    fn deref(&self) -> &JITModule {
        &self.0
    }
}

impl DerefMut for Module {
    fn deref_mut(&mut self) -> &mut JITModule {
        &mut self.0
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: nothing uses the field again, this being its owner's end.
        let module = unsafe { ManuallyDrop::take(&mut self.0) };
        // SAFETY: no code of the module is running and none will. Addresses of its code are only
        // ever kept in a `Code`, beside the module itself: they go at the same time, and a call
        // borrows the `Code`.
        unsafe { module.free_memory() };
    }
}

/// Runs quads: how many there are, from where on. 0 on success, else as [`Failure`] says.
type Shader = extern "C" fn(&Context<'_>, quads: *mut u8, count: usize) -> u64;

/// What a compiled shader returns when a lane has used up its loop budget: one more than
///
/// ```text
/// bits 63..16   offset of the quad, in bytes from the first
/// bits 15..0    index of the jump
/// ```
pub(crate) struct Failure {
    /// Byte offset of the quad.
    pub(crate) offset: usize,
    /// The jump.
    pub(crate) pc: usize,
}

impl Failure {
    /// Bits of the jump's index: enough for `MAX_INSTRUCTIONS`.
    pub(crate) const PC_BITS: i64 = 16;

    fn from_status(status: u64) -> Option<Failure> {
        let packed = status.checked_sub(1)?;
        Some(Failure {
            offset: (packed >> Failure::PC_BITS) as usize,
            pc: (packed & 0xffff) as usize,
        })
    }
}

/// What emission found out about a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    /// The records that it works on.
    pub(crate) layout: Layout,
    /// The literals that it reads, one word each.
    pub(crate) literals: Vec<u32>,
    /// How many vectors it keeps for the run.
    pub(crate) uniforms: usize,
    /// How many textures it samples by itself.
    pub(crate) textures: usize,
}

/// A compiled shader.
pub(crate) struct Code {
    shader: Shader,
    layout: Layout,
    literals: Box<[Vector]>,
    uniforms: usize,
    /// Textures that it samples by itself.
    textures: usize,
    /// Keeps the memory of `shader`. Locked by nobody: the mutex only says that threads which
    /// share the code do not share the module.
    _module: Mutex<Module>,
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code")
            .field("layout", &self.layout)
            .finish_non_exhaustive()
    }
}

/// A record that a shader can be compiled for.
pub(crate) trait Record {
    /// Its layout.
    const LAYOUT: Layout;
}

impl Record for QuadIo {
    const LAYOUT: Layout = Layout::Io;
}

impl Record for QuadState {
    const LAYOUT: Layout = Layout::State;
}

/// Uniform tables of up to this many vectors need no allocation.
const SMALL_TABLE: usize = 64;

impl Code {
    /// The function `shader` of `module`, which emission has made to be called as [`Shader`], in
    /// the way that `shape` says.
    pub(crate) fn new(module: Module, shader: FuncId, shape: Shape) -> Code {
        let address = module.get_finalized_function(shader);
        // SAFETY: the address is that of a finished function for this machine, emitted with this
        // signature and the default calling convention. It stays valid as long as `_module`.
        let shader = unsafe { std::mem::transmute::<*const u8, Shader>(address) };
        Code {
            shader,
            layout: shape.layout,
            literals: shape.literals.into_iter().map(Vector::splat).collect(),
            uniforms: shape.uniforms,
            textures: shape.textures,
            _module: Mutex::new(module),
        }
    }

    /// Runs `quads` with code that samples no texture by itself.
    ///
    /// # Errors
    ///
    /// A lane used up its loop budget.
    ///
    /// # Panics
    ///
    /// If the code was compiled for other records, or does sample.
    pub(crate) fn run<R: Record>(
        &self,
        bindings: &Bindings<'_>,
        quads: &mut [R],
    ) -> Result<(), RunError> {
        self.run_sampling(bindings, &[], quads)
    }

    /// Runs `quads`. `textures` are those that the code samples by itself.
    ///
    /// # Errors
    ///
    /// A lane used up its loop budget.
    ///
    /// # Panics
    ///
    /// If the code was compiled for other records, or samples more textures than are given.
    pub(crate) fn run_sampling<R: Record>(
        &self,
        bindings: &Bindings<'_>,
        textures: &[Descriptor],
        quads: &mut [R],
    ) -> Result<(), RunError> {
        assert_eq!(R::LAYOUT, self.layout, "the code is for other records");
        assert!(self.textures <= textures.len(), "textures are missing");
        if quads.is_empty() {
            return Ok(());
        }
        let mut small = [Vector::default(); SMALL_TABLE];
        let mut large = Vec::new();
        let uniforms = if self.uniforms <= SMALL_TABLE {
            &mut small[..]
        } else {
            large.resize(self.uniforms, Vector::default());
            &mut large[..]
        };
        let context = Context {
            literals: self.literals.as_ptr(),
            uniforms: uniforms.as_mut_ptr(),
            constants: bindings.constants().as_ptr(),
            textures: textures.as_ptr(),
            loop_budget: bindings.loop_budget(),
            bindings,
        };
        // The code stays within these records, the context's tables and its own stack frame: every
        // offset is a constant of the layout, indices into the constants and levels are masked, and
        // those of texels are limited by the number of words that `textures` point to, which the
        // bindings keep alive.
        let status = (self.shader)(&context, quads.as_mut_ptr().cast(), quads.len());
        match Failure::from_status(status) {
            None => Ok(()),
            Some(failure) => Err(RunError::LoopBudget {
                pc: failure.pc,
                quad: failure.offset / self.layout.size(),
                budget: bindings.loop_budget(),
            }),
        }
    }
}
