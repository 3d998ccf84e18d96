//! The opcodes, in one file for each section of the opcode table. The first functions of a file name
//! the shapes, the rest fill them.

mod bits;
mod convert;
mod double;
mod export;
mod fixed;
mod geometry;
mod integer;
mod lookup;
mod mask;
mod memory;
mod predicate;
mod query;
mod samples;
mod scalar;
mod scale;
mod storage;
mod texture;
mod vector;

use attila_isa::{FlowOp, Inst, Section};

use super::Lower;

impl Lower<'_> {
    /// Lowers one instruction. A jump does nothing here: it ends its block.
    pub(super) fn instruction(&mut self, inst: &Inst) {
        self.guard = self.guard_mask(inst);
        match inst.op.section() {
            Section::Vector(op) => self.vector_op(op, inst),
            Section::Scalar(op) => self.scalar_op(op, inst),
            Section::Integer(op) => self.integer_op(op, inst),
            Section::Mask(op) => self.mask_op(op, inst),
            Section::Bits(op) => self.bits_op(op, inst),
            Section::Convert(op) => self.convert_op(op, inst),
            Section::Predicate(op) => self.predicate_op(op, inst),
            Section::Texture(op) => self.texture_op(op, inst),
            Section::Memory(op) => self.memory_op(op, inst),
            Section::Storage(op) => self.storage_op(op, inst),
            Section::Double(op) => self.double_op(op, inst),
            Section::Samples(op) => self.samples_op(op, inst),
            Section::Export(op) => self.export_op(op, inst),
            Section::Geometry(op) => self.geometry_op(op, inst),
            Section::Flow(FlowOp::Nop | FlowOp::Jmp | FlowOp::End) => {}
            Section::Fixed(op) => self.fixed_op(op, inst),
        }
    }
}
