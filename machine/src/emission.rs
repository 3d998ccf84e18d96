//! [`VertexSink`]: the vertices that geometry programs make (stages.md 1).

use crate::quad::LaneMask;
use crate::state::QuadReg;

/// Takes the vertices that a geometry program makes of its primitives, one of which each lane has.
///
/// For each `emit` an engine hands the outputs over that the program writes anywhere, one by one in
/// the order of their numbers, then says which lanes the vertex is for. Outputs that are not handed
/// over are 0.
///
/// A panic stops the run and comes out of it, whichever engine runs. An implementation may run shaders
/// itself, which [has a limit](crate::MAX_NESTED_RUNS).
pub trait VertexSink: Sync {
    /// An output register of the next vertex, `[component][lane]`, raw words. Only the lanes count
    /// that the next call of [`VertexSink::emit`] names.
    fn output(&self, register: u8, value: &QuadReg);

    /// Emits the vertex to stream `stream`, 0..4, in the lanes `lanes`.
    fn emit(&self, stream: u8, lanes: LaneMask);

    /// Ends the primitive of stream `stream` in the lanes `lanes`.
    fn end_primitive(&self, stream: u8, lanes: LaneMask);
}
