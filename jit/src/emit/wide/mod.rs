//! From lane IR to machine code for x86-64 with vectors of 256 or 512 bits: two or four quads in each.
//!
//! ```text
//! select      lane IR ─► instructions over virtual registers       `function.rs` and what it calls
//! allocate    ─► over registers, with loads and stores            `allocate/`
//! assemble    ─► bytes                                             `instructions.rs`, `assemble.rs`
//! ```
//!
//! A vector has the same lane of its quads in the same places as vectors of 128 bits, one quad after the
//! other, so that operations within a quad are the same instruction. With 512 bits, masks are in
//! registers of their own.

mod allocate;
mod asks;
mod assemble;
mod blend;
mod calls;
mod clusters;
mod columns;
mod covered;
mod doubles;
mod draw;
mod forms;
mod frame;
mod function;
mod gather;
mod instructions;
mod measured;
mod merge;
mod mir;
mod operations;
mod pixels;
mod prefetch;
mod records;
mod scalar;
mod scratch;
mod select;
mod slow;
#[cfg(test)]
mod tests;
mod texels;
mod turns;
mod values;
mod variables;
mod words;

use attila_machine::CodeKind;
use attila_texture::Decoding;

use crate::abi::Named;
use crate::code::{self, MachineCode};
use crate::emit::eval::Evaluator;
use crate::emit::plan::{Literals, Plan, Shape};
use crate::emit::several::Several;
use crate::emit::{Code, CodeSize, CompileError, Emitter, Made, Source, disassembly};
use crate::ir::{Function, Terminator};
use crate::pages;
use crate::sampling::Decodings;
use crate::target::VectorTarget;
use crate::{EmitStage, Listing};
pub(crate) use forms::Width;
use operations::takes;
use values::Emission;

/// The emitter for wide vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wide {
    width: Width,
    processor: Processor,
}

/// Differences between processors with the same vectors.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Processor {
    /// Whether a gather takes longer than a load for each lane.
    pub(crate) slow_gathers: bool,
}

impl Width {
    /// The width's vectors, as lowering and the passes see them.
    pub(crate) fn vectors_target(self) -> VectorTarget {
        VectorTarget {
            lanes: self.lanes(),
            registers: usize::from(self.vectors()),
            fma: true,
            memory_operands: true,
            blends_components: true,
        }
    }
}

impl Wide {
    pub(crate) fn new(width: Width, processor: Processor) -> Wide {
        Wide { width, processor }
    }

    /// The forms of texels that are sampled fastest. Bytes are a word for each lane, which is converted; floats are
    /// loaded texel by texel and transposed.
    ///
    /// Measured with linear filters, floats against bytes, in `benches/lookups.rs` and programs of one to nine lookups:
    /// 1.1 to 1.25 times as fast with both widths where loads take the place of gathers (AMD EPYC, family 26, model 2),
    /// 1.25 to 1.35 times with 256 bits (family 25, model 1); bytes gained 1.15 to 1.25 with 512 bits in a prototype
    /// where gathers are fast (Intel).
    pub(crate) fn decodings(self) -> Decodings {
        let linear = match self.width {
            Width::V512 if !self.processor.slow_gathers => Decoding::Bytes,
            Width::V256 | Width::V512 => Decoding::Floats,
        };
        Decodings {
            nearest: Decoding::Bytes,
            linear,
        }
    }

    /// The kind of code.
    pub(crate) fn kind(self) -> CodeKind {
        match self.width {
            Width::V256 => CodeKind::V256,
            Width::V512 => CodeKind::V512,
        }
    }

    /// Boxes it as an [`Emitter`].
    pub(crate) fn emitter(self) -> Box<dyn Emitter> {
        Box::new(self)
    }

    /// The emitters for all processors.
    #[cfg(test)]
    pub(crate) fn variants(self) -> [Wide; 2] {
        [false, true].map(|slow_gathers| Wide::new(self.width, Processor { slow_gathers }))
    }

    fn made(&self, source: &Source<'_>) -> Result<(Made, Plan), CompileError> {
        let vectors = self.vectors();
        let plan = Plan::new(source.function, &vectors);
        let copies = source.quads.div_ceil(vectors.quads());
        let emission = Emission::new(*self, source.function, &plan, source.layout, copies);
        let made = emission.emit();
        let made = made.map_err(|error| CompileError::Codegen(Box::new(error)))?;
        Ok((made, plan))
    }
}

impl Emitter for Wide {
    fn vectors(&self) -> VectorTarget {
        self.width.vectors_target()
    }

    fn takes(&self, function: &Function, any_order: bool) -> bool {
        takes(function, any_order)
    }

    fn emit(&self, source: &Source<'_>) -> Result<Box<dyn Code>, CompileError> {
        let (Made { bytes, .. }, plan) = self.made(source)?;
        let pages = pages::executable(&bytes);
        let pages = pages.map_err(|error| CompileError::Codegen(Box::new(error)))?;
        let quads = source.quads.next_multiple_of(self.vectors().quads());
        let shape = Shape::new(&plan, source.layout, Literals::default());
        let evaluator = Evaluator {
            vectors: self.vectors(),
        };
        let repeats = may_fail(source.function);
        let one_by_one = repeats.then(|| evaluator.emit(source)).transpose()?;
        let named = Named::of(source.function.slots());
        let several = Several::new(quads, one_by_one, named);
        Ok(Box::new(MachineCode::paged(
            pages,
            self.kind(),
            shape,
            several,
        )))
    }

    fn text(&self, source: &Source<'_>, stage: EmitStage) -> Result<Listing, CompileError> {
        match stage {
            EmitStage::Ir => Ok(source.function.listing()),
            EmitStage::Clif => {
                let bits = 8 * self.width.bytes();
                Err(CompileError::NoStage { stage, bits })
            }
            EmitStage::Asm => {
                let (made, _) = self.made(source)?;
                Ok(disassembly::x86(&made, &[]))
            }
        }
    }

    fn size(&self, source: &Source<'_>) -> Result<CodeSize, CompileError> {
        let bytes = self.made(source)?.0.bytes.len();
        let repeats = may_fail(source.function);
        let evaluated = repeats.then(|| source.function.memory());
        Ok(CodeSize {
            bytes,
            memory: code::memory(bytes, 0) + evaluated.unwrap_or(0),
        })
    }
}

/// Whether a lane may use up its loop budget.
fn may_fail(function: &Function) -> bool {
    let mut ends = function.blocks.iter().map(|block| &block.end);
    ends.any(|end| matches!(end, Terminator::Fail { .. }))
}
