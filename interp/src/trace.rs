//! The step hook: who wants to see a program run, instruction by instruction.

use attila_isa::{Inst, LaneMask, QuadState};

use crate::machine::Machine;

/// A moment of a traced run.
#[derive(Clone, Copy, Debug)]
pub struct TracePoint<'a> {
    /// Index of the quad within the run.
    pub quad: usize,
    /// Index of the instruction.
    pub pc: usize,
    /// The instruction.
    pub inst: &'a Inst,
    /// The lanes that execute it, whatever its guard.
    pub active: LaneMask,
    /// All registers of the quad.
    pub state: &'a QuadState,
}

/// Looks on while programs run.
pub trait Tracer {
    /// The lanes `at.active` are about to execute `at.inst`.
    fn before(&mut self, at: TracePoint<'_>);

    /// They have executed it.
    fn after(&mut self, at: TracePoint<'_>);
}

/// What the run loop calls; compiled away where nobody looks on.
pub(crate) trait Hook {
    fn before(&mut self, quad: usize, pc: usize, machine: &Machine<'_>);
    fn after(&mut self, quad: usize, pc: usize, machine: &Machine<'_>);
}

/// Nobody looks on.
pub(crate) struct Untraced;

impl Hook for Untraced {
    fn before(&mut self, _quad: usize, _pc: usize, _machine: &Machine<'_>) {}
    fn after(&mut self, _quad: usize, _pc: usize, _machine: &Machine<'_>) {}
}

/// A [`Tracer`] looks on.
pub(crate) struct Tracing<'a> {
    pub(crate) insts: &'a [Inst],
    pub(crate) tracer: &'a mut dyn Tracer,
}

fn point<'a>(
    insts: &'a [Inst],
    quad: usize,
    pc: usize,
    machine: &'a Machine<'_>,
) -> TracePoint<'a> {
    TracePoint {
        quad,
        pc,
        inst: &insts[pc],
        active: machine.active_lanes(),
        state: machine.state,
    }
}

impl Hook for Tracing<'_> {
    fn before(&mut self, quad: usize, pc: usize, machine: &Machine<'_>) {
        self.tracer.before(point(self.insts, quad, pc, machine));
    }

    fn after(&mut self, quad: usize, pc: usize, machine: &Machine<'_>) {
        self.tracer.after(point(self.insts, quad, pc, machine));
    }
}
