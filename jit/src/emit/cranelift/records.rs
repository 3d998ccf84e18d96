//! The loop over records.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, BlockArg, InstBuilder};

use super::shader::Emission;
use crate::abi::RecordLayout;

impl Emission<'_, '_> {
    /// The loop over `count` records, the first at `first`.
    pub(super) fn records(&mut self, first: clif::Value, count: clif::Value) {
        let (pointer, size) = (self.pointer, self.layout.size() as i64);
        let bytes = self.ins().imul_imm_u(count, size);
        let end = self.ins().iadd(first, bytes);
        let last = self.ins().iadd_imm_s(end, -size);
        let head = self.builder.create_block();
        let next = self.builder.create_block();
        let quad = self.builder.append_block_param(head, pointer);
        self.ins().jump(head, &[BlockArg::Value(first)]);

        self.builder.switch_to_block(head);
        self.choose_records(quad, last);
        self.clear_accumulator();
        self.clear_scratch();
        self.blocks(next);

        self.builder.switch_to_block(next);
        let exit = self.builder.create_block();
        let stride = self.quads as i64 * size;
        let following = self.ins().iadd_imm_s(quad, stride);
        let more = self.ins().icmp(IntCC::UnsignedLessThan, following, end);
        let following = [BlockArg::Value(following)];
        self.ins().brif(more, head, &following, exit, &[]);
        self.builder.switch_to_block(exit);
        self.succeed();
    }

    /// The records from `first` on. Past the end it is the last one again and again: the same
    /// operations side by side on the same record give the same results.
    fn choose_records(&mut self, first: clif::Value, last: clif::Value) {
        self.records = vec![first];
        for quad in 1..self.quads {
            let offset = (quad * self.layout.size()) as i64;
            let following = self.ins().iadd_imm_s(first, offset);
            let record = self.ins().umin(following, last);
            self.records.push(record);
        }
    }

    /// The place of the current quad, for a [`Failure`](crate::code::Failure).
    pub(super) fn place(&mut self) -> clif::Value {
        match self.layout {
            RecordLayout::Io
            | RecordLayout::ExtendedIo
            | RecordLayout::State
            | RecordLayout::Columns => {
                let (quad, first) = (self.records[0], self.first);
                self.ins().isub(quad, first)
            }
            RecordLayout::Draw => self.place_in_span(),
        }
    }
}
