//! Scratch memory and constant buffers: for any index of a lane, nothing else is read or written.

use attila_isa::{Component, ScratchArray};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, F32X4, I32, I32X4};
use cranelift_codegen::ir::{self as clif, BlockArg, InstBuilder, MemFlagsData};

use super::memory::table_flags;
use super::shader::Emission;
use crate::abi::{BufferRecord, ContextField, Scratch};
use crate::ir::{Op, Value};
use crate::runtime::Vector;

/// Where each lane's word lies in a vector: bytes, as words.
const LANE_OFFSETS: [u8; 16] = [0, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0, 12, 0, 0, 0];

/// The place of a component in the memory of a quad.
enum Place {
    /// All lanes name the same vector of the array, so many bytes from the beginning.
    Known(i32),
    /// All lanes name something outside of the array.
    Nowhere,
    /// Each lane names its own.
    Each {
        /// The words, or some word of the array's component.
        addresses: [clif::Value; 4],
        /// The lanes whose index is within the array.
        within: clif::Value,
    },
}

impl Emission<'_, '_> {
    /// Component of the constant buffer's vector that each lane names; 0 where there is none.
    pub(super) fn buffer(
        &mut self,
        (buffer, component): (u8, Component),
        [index]: [Value; 1],
        quad: usize,
    ) -> clif::Value {
        let (context, pointer) = (self.bases.context, self.pointer);
        let records = ContextField::Buffers.offset() as i32;
        let records = self.load_once(context, table_flags(), pointer, records);
        let vectors = BufferRecord::vectors_of(buffer) as i32;
        let vectors = self.load_once(records, table_flags(), pointer, vectors);
        let last = BufferRecord::last_of(buffer) as i32;
        let last = self.load_once(records, table_flags(), I32, last);
        let last = self.ins().splat(I32X4, last);
        let index = self.value(index, quad);
        let limited = self.ins().umin(index, last);
        let within = self.ins().icmp(IntCC::Equal, limited, index);
        let shift = size_of::<[u32; 4]>().trailing_zeros();
        let offsets = self.ins().ishl_imm_u(limited, i64::from(shift));
        let offset = BufferRecord::component(component) as i32;
        let words = self.gather(vectors, offsets, offset);
        let words = self.ins().band(words, within);
        self.cast(words, F32X4)
    }

    /// Component of the scratch vector that each lane names; 0 outside of the array.
    pub(super) fn load_scratch(
        &mut self,
        (array, component): (ScratchArray, Component),
        [index]: [Value; 1],
    ) -> clif::Value {
        let flags = MemFlagsData::trusted();
        match self.scratch_place(array, component, index) {
            Place::Known(offset) => {
                let base = self.scratch_base();
                self.ins().load(F32X4, flags, base, offset)
            }
            Place::Nowhere => self.literal(0, F32X4),
            Place::Each { addresses, within } => {
                let words = self.gathered_with(flags, addresses, 0);
                let words = self.ins().band(words, within);
                self.cast(words, F32X4)
            }
        }
    }

    /// Writes a component of the scratch vector that each lane names, in the lanes of the mask.
    ///
    /// Lanes have words of their own, so that the others can be written with what is there.
    pub(super) fn store_scratch(
        &mut self,
        (array, component): (ScratchArray, Component),
        [index, value, mask]: [Value; 3],
    ) -> Option<clif::Value> {
        let flags = MemFlagsData::trusted();
        let place = self.scratch_place(array, component, index);
        let value = self.value_as(value, I32X4, 0);
        let all = self.function.node(mask).op == Op::Const(u32::MAX);
        let mask = self.value(mask, 0);
        match place {
            Place::Known(offset) => {
                let base = self.scratch_base();
                let stored = if all {
                    value
                } else {
                    let before = self.ins().load(I32X4, flags, base, offset);
                    self.ins().bitselect(mask, value, before)
                };
                self.ins().store(flags, stored, base, offset);
            }
            Place::Nowhere => {}
            Place::Each { addresses, within } => {
                let before = self.gathered_with(flags, addresses, 0);
                let mask = self.ins().band(mask, within);
                let stored = self.ins().bitselect(mask, value, before);
                let stored = self.cast(stored, F32X4);
                for (lane, address) in (0..).zip(addresses) {
                    let word = self.ins().extractlane(stored, lane);
                    debug_assert_eq!(self.builder.func.dfg.value_type(word), F32);
                    self.ins().store(flags, word, address, 0);
                }
            }
        }
        None
    }

    fn scratch_place(&mut self, array: ScratchArray, component: Component, index: Value) -> Place {
        if let Op::Const(index) = self.function.node(index).op {
            let place = Scratch::place(array, index, component);
            return place.map_or(Place::Nowhere, |offset| Place::Known(offset as i32));
        }
        let ScratchArray { base, size } = array;
        let index = self.value(index, 0);
        let last = self.literal(u32::from(size) - 1, I32X4);
        let limited = self.ins().umin(index, last);
        let within = self.ins().icmp(IntCC::Equal, limited, index);
        let vectors = self.ins().ishl_imm_u(limited, i64::from(Scratch::SHIFT));
        let lanes = self.constant_bytes(LANE_OFFSETS, I32X4);
        let offsets = self.ins().iadd(vectors, lanes);
        let first = Scratch::offset(u32::from(base), component) as i64;
        let memory = self.scratch_base();
        let memory = self.ins().iadd_imm_s(memory, first);
        let addresses = self.offsets(offsets);
        let addresses = addresses.map(|offset| self.ins().iadd(memory, offset));
        Place::Each { addresses, within }
    }

    /// The address of the quad's scratch memory.
    fn scratch_base(&mut self) -> clif::Value {
        let (context, pointer) = (self.bases.context, self.pointer);
        let offset = ContextField::Scratch.offset() as i32;
        self.load_once(context, table_flags(), pointer, offset)
    }

    /// At the start of a quad: its scratch memory is 0.
    pub(super) fn clear_scratch(&mut self) {
        let scratch = self.plan.scratch;
        if scratch == 0 {
            return;
        }
        self.next_node();
        let memory = self.scratch_base();
        let pointer = self.pointer;
        let end = Scratch::vectors(scratch) * Vector::SIZE;
        let end = self.ins().iadd_imm_s(memory, end as i64);
        let (head, next) = (self.builder.create_block(), self.builder.create_block());
        let place = self.builder.append_block_param(head, pointer);
        self.ins().jump(head, &[BlockArg::Value(memory)]);
        self.builder.switch_to_block(head);
        let (zero, flags) = (self.literal(0, I32X4), MemFlagsData::trusted());
        for vector in 0..Scratch::vectors(1) {
            let offset = (vector * Vector::SIZE) as i32;
            self.ins().store(flags, zero, place, offset);
        }
        let following = self.ins().iadd_imm_s(place, 1 << Scratch::SHIFT);
        let more = self.ins().icmp(IntCC::UnsignedLessThan, following, end);
        let following = [BlockArg::Value(following)];
        self.ins().brif(more, head, &following, next, &[]);
        self.builder.switch_to_block(next);
        self.next_node();
    }
}
