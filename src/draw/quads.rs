//! [`QuadBuffer`]: quads with as many registers as a program needs.

use attila_isa::Usage;
use attila_machine::{
    Bindings, Executable, ExtendedQuadIo, Lanes, QuadIo, QuadRecord, QuadReg, QuadSamples,
    RunError, SAMPLES,
};

/// Quads that a program runs on. Those of the base profile are smaller, and faster for it.
pub(crate) enum QuadBuffer {
    /// For programs that need the registers of the base profile only.
    Base(Vec<QuadIo>),
    /// For all others.
    Extended(Vec<ExtendedQuadIo>),
}

impl Default for QuadBuffer {
    fn default() -> Self {
        QuadBuffer::Base(Vec::new())
    }
}

/// A quad of any size.
pub(crate) struct QuadView<'a> {
    pub(crate) outputs: &'a [QuadReg],
    pub(crate) depth: &'a [Lanes<u32>; SAMPLES],
    /// Killed samples.
    pub(crate) kill: &'a Lanes<u32>,
}

/// The registers of a quad of any size, and the samples of its pixels.
pub(crate) struct Registers<'a> {
    pub(crate) inputs: &'a mut [QuadReg],
    pub(crate) outputs: &'a mut [QuadReg],
    pub(crate) samples: &'a mut QuadSamples,
}

fn view<const I: usize, const O: usize>(quad: &QuadRecord<I, O>) -> QuadView<'_> {
    QuadView {
        outputs: &quad.outputs,
        depth: &quad.depth,
        kill: &quad.kill,
    }
}

fn registers<const I: usize, const O: usize>(quad: &mut QuadRecord<I, O>) -> Registers<'_> {
    Registers {
        inputs: &mut quad.inputs,
        outputs: &mut quad.outputs,
        samples: &mut quad.samples,
    }
}

impl QuadBuffer {
    /// Has `count` quads for a program, some of which may be those of before.
    pub(crate) fn resize(&mut self, usage: &Usage, count: usize) {
        let is_base = QuadIo::check(usage).is_ok();
        match self {
            QuadBuffer::Base(quads) if is_base => quads.resize_with(count, QuadIo::default),
            QuadBuffer::Extended(quads) if !is_base => {
                quads.resize_with(count, ExtendedQuadIo::default)
            }
            QuadBuffer::Base(_) => {
                *self = QuadBuffer::Extended(vec![ExtendedQuadIo::default(); count])
            }
            QuadBuffer::Extended(_) => *self = QuadBuffer::Base(vec![QuadIo::default(); count]),
        }
    }

    /// A quad's results.
    pub(crate) fn view(&self, quad: usize) -> QuadView<'_> {
        match self {
            QuadBuffer::Base(quads) => view(&quads[quad]),
            QuadBuffer::Extended(quads) => view(&quads[quad]),
        }
    }

    /// A quad's registers.
    pub(crate) fn registers(&mut self, quad: usize) -> Registers<'_> {
        match self {
            QuadBuffer::Base(quads) => registers(&mut quads[quad]),
            QuadBuffer::Extended(quads) => registers(&mut quads[quad]),
        }
    }

    /// A quad of a buffer with all registers, whole.
    pub(crate) fn extended(&self, quad: usize) -> ExtendedQuadIo {
        match self {
            QuadBuffer::Base(quads) => quads[quad].resized(),
            QuadBuffer::Extended(quads) => quads[quad].clone(),
        }
    }

    /// Runs the first `count` quads.
    ///
    /// # Errors
    ///
    /// As [`Executable::run`].
    pub(crate) fn run(
        &mut self,
        executable: &dyn Executable,
        bindings: &Bindings<'_>,
        count: usize,
    ) -> Result<(), RunError> {
        match self {
            QuadBuffer::Base(quads) => executable.run(bindings, &mut quads[..count]),
            QuadBuffer::Extended(quads) => executable.run_extended(bindings, &mut quads[..count]),
        }
    }
}
