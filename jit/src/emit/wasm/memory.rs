//! Values in memory: constants, variables, the quad's record, buffers and scratch memory. For any index of a lane,
//! nothing else is read or written.

use attila_isa::{CONSTANTS, Component, ScratchArray};
use wasm_encoder::BlockType;

use super::function::{Emission, at};
use super::locals::Local;
use crate::abi::{BufferRecord, Constant, ContextField, Scratch, Slot};
use crate::ir::{Op, Value, Variable};
use crate::runtime::Vector;

/// Where each lane's word lies in a vector, in bytes.
const LANE_OFFSETS: [u32; 4] = [0, 4, 8, 12];

/// The place of a component in the scratch memory of a quad.
enum Place {
    /// All lanes name the same vector of the array, so many bytes from the beginning.
    Known(usize),
    /// All lanes name something outside of the array.
    Nowhere,
    /// Each lane names its own.
    Each {
        /// The words, or some word of the array's component.
        addresses: Local,
        /// The lanes whose index is within the array.
        within: Local,
    },
}

impl Emission<'_> {
    /// Component of a constant, in all lanes.
    pub(super) fn constant(&mut self, constant: Constant) {
        let base = self.bases.constants;
        self.splat_word(base, constant.offset());
    }

    /// The word at an offset from an address, in all lanes.
    pub(super) fn splat_word(&mut self, base: Local, offset: usize) {
        self.push(base);
        self.ins().v128_load32_splat(at(offset));
    }

    /// Component of the constant that each lane names; 0 where it names none. The low bits of an index always name one.
    pub(super) fn indexed(&mut self, [index]: [Value; 1], component: Component) {
        const { assert!(CONSTANTS.is_power_of_two()) };
        let index = self.local(index);
        self.push(index);
        self.masked(CONSTANTS as u32 - 1);
        let masked = self.vector();
        self.push(masked);
        self.ins().i32_const(Constant::SHIFT as i32).i32x4_shl();
        let base = self.bases.constants;
        self.add_address(base);
        let first = Constant {
            index: 0,
            component: component as u8,
        };
        self.gather(first.offset());
        self.and_equal(masked, index);
    }

    /// Clears what is on the stack in lanes in which two vectors differ.
    fn and_equal(&mut self, a: Local, b: Local) {
        self.push(a);
        self.push(b);
        self.ins().i32x4_eq().v128_and();
    }

    /// Offsets on the stack from an address as addresses.
    pub(super) fn add_address(&mut self, base: Local) {
        self.push(base);
        self.ins().i32x4_splat().i32x4_add();
    }

    /// The words at the addresses on the stack plus `offset`.
    pub(super) fn gather(&mut self, offset: usize) {
        let addresses = self.vector();
        self.gather_at(addresses, offset);
    }

    /// The words at addresses plus `offset`.
    pub(super) fn gather_at(&mut self, addresses: Local, offset: usize) {
        self.lane_address(addresses, 0);
        self.ins().v128_load32_zero(at(offset));
        let all = self.vector();
        for lane in 1..4 {
            self.lane_address(addresses, lane);
            self.push(all);
            self.ins()
                .v128_load32_lane(at(offset), lane)
                .local_set(all.0);
        }
        self.push(all);
    }

    /// A lane's address.
    pub(super) fn lane_address(&mut self, addresses: Local, lane: u8) {
        self.push(addresses);
        self.ins().i32x4_extract_lane(lane);
    }

    /// Component of the constant buffer's vector that each lane names; 0 where there is none.
    pub(super) fn buffer(&mut self, (buffer, component): (u8, Component), [index]: [Value; 1]) {
        self.context_address(ContextField::Buffers);
        let records = self.address();
        let index = self.local(index);
        self.push(index);
        self.splat_word(records, BufferRecord::last_of(buffer));
        self.ins().i32x4_min_u();
        let limited = self.vector();
        self.push(limited);
        let shift = size_of::<[u32; 4]>().trailing_zeros();
        self.ins().i32_const(shift as i32).i32x4_shl();
        self.splat_word(records, BufferRecord::vectors_of(buffer));
        self.ins().i32x4_add();
        self.gather(BufferRecord::component(component));
        self.and_equal(limited, index);
    }

    /// Reads a vector of the record.
    pub(super) fn load_slot(&mut self, slot: Slot) {
        let (record, offset) = (self.record(), self.slot_offset(slot));
        self.push(record);
        self.ins().v128_load(at(offset));
    }

    /// Writes a vector of the record.
    pub(super) fn store_slot(&mut self, slot: Slot, [value]: [Value; 1]) {
        let (record, offset) = (self.record(), self.slot_offset(slot));
        self.push(record);
        self.get(value);
        self.ins().v128_store(at(offset));
    }

    fn slot_offset(&self, slot: Slot) -> usize {
        let offset = self.layout.offset(slot);
        offset.expect("lowering names only slots that the layout has")
    }

    /// Reads a variable. They are in memory, as engines take long for locals that many blocks change.
    pub(super) fn recall(&mut self, variable: Variable) {
        let place = self.plan.place_of(variable) * Vector::SIZE;
        let base = self.bases.uniforms;
        self.push(base);
        self.ins().v128_load(at(place));
    }

    /// Writes a variable.
    pub(super) fn keep_variable(&mut self, variable: Variable, [value]: [Value; 1]) {
        let place = self.plan.place_of(variable) * Vector::SIZE;
        let base = self.bases.uniforms;
        self.push(base);
        self.get(value);
        self.ins().v128_store(at(place));
    }

    /// The backward jumps that a lane may take, in all lanes.
    pub(super) fn loop_budget(&mut self) {
        let context = self.bases.context;
        self.splat_word(context, ContextField::LoopBudget.offset());
    }

    /// Component of the scratch vector that each lane names; 0 outside of the array.
    pub(super) fn load_scratch(
        &mut self,
        (array, component): (ScratchArray, Component),
        [index]: [Value; 1],
    ) {
        match self.scratch_place(array, component, index) {
            Place::Known(offset) => {
                self.context_address(ContextField::Scratch);
                self.ins().v128_load(at(offset));
            }
            Place::Nowhere => self.literal(0),
            Place::Each { addresses, within } => {
                self.gather_at(addresses, 0);
                self.push(within);
                self.ins().v128_and();
            }
        }
    }

    /// Writes a component of the scratch vector that each lane names, in the lanes of the mask. Lanes have words of their
    /// own, so that the others can be written with what is there.
    pub(super) fn store_scratch(
        &mut self,
        (array, component): (ScratchArray, Component),
        [index, value, mask]: [Value; 3],
    ) {
        match self.scratch_place(array, component, index) {
            Place::Known(offset) => {
                self.context_address(ContextField::Scratch);
                let base = self.address();
                self.push(base);
                self.get(value);
                self.push(base);
                self.ins().v128_load(at(offset));
                self.get(mask);
                self.ins().v128_bitselect().v128_store(at(offset));
            }
            Place::Nowhere => {}
            Place::Each { addresses, within } => {
                self.get(value);
                self.gather_at(addresses, 0);
                self.get(mask);
                self.push(within);
                self.ins().v128_and().v128_bitselect();
                let stored = self.vector();
                for lane in 0..4 {
                    self.lane_address(addresses, lane);
                    self.push(stored);
                    self.ins().v128_store32_lane(at(0), lane);
                }
            }
        }
    }

    fn scratch_place(&mut self, array: ScratchArray, component: Component, index: Value) -> Place {
        if let Op::Const(index) = self.function.node(index).op {
            let place = Scratch::place(array, index, component);
            return place.map_or(Place::Nowhere, Place::Known);
        }
        let ScratchArray { base, size } = array;
        let index = self.local(index);
        self.push(index);
        self.literal(u32::from(size) - 1);
        self.ins().i32x4_min_u();
        let limited = self.vector();
        self.push(limited);
        self.push(index);
        self.ins().i32x4_eq();
        let within = self.vector();
        self.push(limited);
        self.ins().i32_const(Scratch::SHIFT as i32).i32x4_shl();
        let first = Scratch::offset(u32::from(base), component) as u32;
        self.words(LANE_OFFSETS.map(|lane| first + lane));
        self.ins().i32x4_add();
        self.context_address(ContextField::Scratch);
        self.ins().i32x4_splat().i32x4_add();
        let addresses = self.vector();
        Place::Each { addresses, within }
    }

    /// At the start of a quad: its scratch memory is 0.
    pub(super) fn clear_scratch(&mut self) {
        if self.plan.scratch == 0 {
            return;
        }
        let end = Scratch::vectors(self.plan.scratch) * Vector::SIZE;
        self.ins().i32_const(end as i32);
        let left = self.address();
        self.context_address(ContextField::Scratch);
        let base = self.address();
        self.ins().loop_(BlockType::Empty);
        self.push(left);
        self.ins()
            .i32_const(Vector::SIZE as i32)
            .i32_sub()
            .local_tee(left.0)
            .local_get(base.0)
            .i32_add();
        self.literal(0);
        self.ins().v128_store(at(0));
        self.push(left);
        self.ins().br_if(0).end();
        self.locals.end_node();
    }
}
