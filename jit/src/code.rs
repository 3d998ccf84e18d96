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

use attila_machine::pipeline::{Batch, Pipeline, Span, SpanError, Surfaces};
use attila_machine::{Bindings, QuadIo, QuadState, RunError};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::FuncId;
use smallvec::SmallVec;

use crate::abi::{Descriptor, Drawing, Layout};
use crate::emit::plan::Shape;
use crate::lower::Frame;
use crate::runtime::{Context, Stop, Vector};

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
/// bits 63..16   place of the quad: of a record, its offset in bytes from the first; in a draw
///                   bits 63..40   offset of the span, in bytes from the first
///                   bits 39..16   the quad's number in the span
/// bits 15..0    index of the jump
/// ```
pub(crate) struct Failure {
    /// Place of the quad.
    pub(crate) place: usize,
    /// The jump.
    pub(crate) pc: usize,
}

impl Failure {
    /// Bits of the jump's index: enough for `MAX_INSTRUCTIONS`.
    pub(crate) const PC_BITS: i64 = 16;

    /// Bits of a quad's number in its span.
    pub(crate) const QUAD_BITS: i64 = Span::MOST_QUADS.count_ones() as i64;

    /// The most spans whose offsets fit.
    const MOST_SPANS: usize = (1 << 24) / size_of::<Span>();

    fn from_status(status: u64) -> Option<Failure> {
        let packed = status.checked_sub(1)?;
        Some(Failure {
            place: (packed >> Failure::PC_BITS) as usize,
            pc: (packed & 0xffff) as usize,
        })
    }

    fn in_spans(&self, spans: &[Span], budget: u32) -> SpanError {
        let span = &spans[(self.place >> Failure::QUAD_BITS) / size_of::<Span>()];
        let quad = self.place as u32 & ((1 << Failure::QUAD_BITS) - 1);
        SpanError::LoopBudget {
            pc: self.pc,
            budget,
            x: span.x + 2 * quad,
            y: span.y,
        }
    }
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
    /// The frame in which it runs.
    const FRAME: Frame<'static>;
}

impl Record for QuadIo {
    const FRAME: Frame<'static> = Frame::Io;
}

impl Record for QuadState {
    const FRAME: Frame<'static> = Frame::State;
}

/// Tables of up to this many vectors need no allocation.
const SMALL_TABLE: usize = 1024;

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
        assert_eq!(
            R::FRAME.layout(),
            self.layout,
            "the code is for other records"
        );
        if quads.is_empty() {
            return Ok(());
        }
        // The code stays within these records: every offset is a constant of the layout.
        let first = quads.as_mut_ptr().cast();
        let status = self.call(bindings, textures, std::ptr::null(), (first, quads.len()));
        match Failure::from_status(status) {
            None => Ok(()),
            Some(failure) => Err(RunError::LoopBudget {
                pc: failure.pc,
                quad: failure.place / self.layout.size(),
                budget: bindings.loop_budget(),
            }),
        }
    }

    /// Shades the spans of `batch`.
    ///
    /// # Errors
    ///
    /// Something is missing that `pipeline`, for which the code was compiled, asks for, or a lane
    /// used up its loop budget.
    ///
    /// # Panics
    ///
    /// If the code was not compiled for a draw, or samples more textures than are given.
    pub(crate) fn draw(
        &self,
        pipeline: &Pipeline,
        bindings: &Bindings<'_>,
        textures: &[Descriptor],
        batch: &Batch<'_>,
        surfaces: &mut Surfaces<'_>,
    ) -> Result<(), SpanError> {
        assert_eq!(self.layout, Layout::Draw, "the code is for records");
        batch.check(pipeline, surfaces)?;
        for spans in batch.spans.chunks(Failure::MOST_SPANS) {
            let part = Batch { spans, ..*batch };
            // The code stays within what has been checked.
            let drawing = Drawing::new(pipeline, &part, surfaces);
            let first = spans.as_ptr().cast_mut().cast();
            let status = self.call(bindings, textures, &raw const drawing, (first, spans.len()));
            if let Some(failure) = Failure::from_status(status) {
                return Err(failure.in_spans(spans, bindings.loop_budget()));
            }
        }
        Ok(())
    }

    /// Calls the code for `count` records or spans, the first of which is at `first`.
    ///
    /// # Panics
    ///
    /// If a texture unit or attribute source did, which the code called.
    fn call(
        &self,
        bindings: &Bindings<'_>,
        textures: &[Descriptor],
        drawing: *const Drawing,
        (first, count): (*mut u8, usize),
    ) -> u64 {
        assert!(self.textures <= textures.len(), "textures are missing");
        let mut uniforms: SmallVec<[Vector; SMALL_TABLE]> =
            SmallVec::from_elem(Vector::default(), self.uniforms);
        let context = Context {
            literals: self.literals.as_ptr(),
            uniforms: uniforms.as_mut_ptr(),
            constants: bindings.constants().as_ptr(),
            textures: textures.as_ptr(),
            loop_budget: bindings.loop_budget(),
            drawing,
            bindings,
            stop: Stop::default(),
        };
        // Besides records, or spans and what belongs to them, the code stays within the context's
        // tables and its own stack frame: indices into the constants and levels are masked, and
        // those of texels are limited by the number of words that `textures` point to, which the
        // bindings keep alive.
        let status = (self.shader)(&context, first, count);
        context.stop.resume();
        status
    }
}
