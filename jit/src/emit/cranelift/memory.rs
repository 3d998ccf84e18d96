//! Values in memory: literals, values of the whole run, variables, the quad's record.

use attila_isa::{CONSTANTS, Component};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32X4, F64X2, I16X8, I32, I32X4};
use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData};

use super::shader::Emission;
use crate::abi::{Constant, ContextField, Slot};
use crate::ir::{Op, Rate, Type, Value, Variable};
use crate::runtime::Vector;

/// Memory that exists, is aligned, and does not change during the run.
pub(super) fn table_flags() -> MemFlagsData {
    MemFlagsData::trusted().with_readonly()
}

/// The Cranelift type of a vector.
pub(super) fn vector_type(ty: Type) -> clif::Type {
    match ty {
        Type::F32 | Type::Pixel => F32X4,
        Type::I32 | Type::Mask | Type::PixelI32 => I32X4,
        Type::Halves | Type::PixelHalves => I16X8,
        Type::F64 => F64X2,
        Type::None | Type::Several => unreachable!("{ty:?} is not a vector"),
    }
}

fn table_offset(place: usize) -> i32 {
    (place * Vector::SIZE) as i32
}

impl Emission<'_, '_> {
    /// Whether a use of `value` reads memory.
    pub(super) fn is_in_memory(&mut self, value: Value) -> bool {
        let node = self.function.node(value);
        let is_literal = matches!(node.op, Op::Const(_));
        is_literal || node.rate != Rate::Quad && self.computed(value, 0).is_none()
    }

    /// `value` of one quad of the iteration, by its number from 0.
    pub(super) fn value(&mut self, value: Value, quad: usize) -> clif::Value {
        let ty = vector_type(self.function.node(value).ty);
        self.value_as(value, ty, quad)
    }

    /// The same, its bits as another type. A value in memory is loaded as that type: a conversion
    /// in between would keep the load from becoming an operand.
    pub(super) fn value_as(&mut self, value: Value, ty: clif::Type, quad: usize) -> clif::Value {
        let node = *self.function.node(value);
        if let Op::Const(bits) = node.op {
            return self.literal(bits, ty);
        }
        let computed = match *self.computed(value, quad) {
            None => self.restore(value, quad),
            computed => computed,
        };
        match (computed, self.plan.places.get(&value)) {
            (Some(computed), _) => self.cast(computed, ty),
            (None, Some(&place)) => {
                // Values of a span take the places of those of the span before.
                let flags = if node.rate == Rate::Row {
                    MemFlagsData::trusted()
                } else {
                    table_flags()
                };
                self.table_entry(self.bases.uniforms, flags, ty, place)
            }
            (None, None) => unreachable!("operands are computed before their users"),
        }
    }

    /// The same word in all lanes.
    pub(super) fn literal(&mut self, bits: u32, ty: clif::Type) -> clif::Value {
        let place = self.literals.place(bits);
        self.table_entry(self.bases.literals, table_flags(), ty, place)
    }

    /// A vector of bytes that are known, loaded once for all quads of the iteration.
    pub(super) fn constant_bytes(&mut self, bytes: [u8; 16], ty: clif::Type) -> clif::Value {
        if let Some(&(_, known)) = self.constants.iter().find(|(known, _)| *known == bytes) {
            return self.cast(known, ty);
        }
        let constant = self
            .builder
            .func
            .dfg
            .constants
            .insert(bytes.to_vec().into());
        let value = self.ins().vconst(ty, constant);
        if self.quads > 1 {
            self.constants.push((bytes, value));
        }
        value
    }

    /// Forgets what the node before has loaded.
    pub(super) fn next_node(&mut self) {
        self.loaded.clear();
        self.constants.clear();
    }

    /// A vector of a table, loaded once for all quads of the iteration: a processor loads two
    /// vectors in the time in which it computes four.
    fn table_entry(
        &mut self,
        base: clif::Value,
        flags: MemFlagsData,
        ty: clif::Type,
        place: usize,
    ) -> clif::Value {
        self.load_once(base, flags, ty, table_offset(place))
    }

    /// The same of anything that is at `offset` from an address.
    pub(super) fn load_once(
        &mut self,
        base: clif::Value,
        flags: MemFlagsData,
        ty: clif::Type,
        offset: i32,
    ) -> clif::Value {
        let entry = (base, ty, offset);
        if let Some(&(_, loaded)) = self.loaded.iter().find(|(known, _)| *known == entry) {
            return loaded;
        }
        let loaded = self.ins().load(ty, flags, base, offset);
        if self.quads > 1 {
            self.loaded.push((entry, loaded));
        }
        loaded
    }

    /// Lane 0 of an i32 vector.
    pub(super) fn first_lane(&mut self, value: Value, quad: usize) -> clif::Value {
        match self.plan.places.get(&value) {
            Some(&place) if self.function.node(value).rate == Rate::Uniform => {
                let base = self.bases.uniforms;
                self.load_once(base, table_flags(), I32, table_offset(place))
            }
            _ => {
                let vector = self.value(value, quad);
                self.ins().extractlane(vector, 0)
            }
        }
    }

    /// Writes a value to its place in the table.
    pub(super) fn keep(&mut self, computed: clif::Value, place: usize) {
        let base = self.bases.uniforms;
        let flags = MemFlagsData::trusted();
        self.ins().store(flags, computed, base, table_offset(place));
    }

    /// Reads a variable.
    pub(super) fn recall(&mut self, variable: Variable, ty: Type) -> clif::Value {
        let (base, offset) = (
            self.bases.uniforms,
            table_offset(self.plan.place_of(variable)),
        );
        let flags = MemFlagsData::trusted();
        self.ins().load(vector_type(ty), flags, base, offset)
    }

    /// Writes a variable.
    pub(super) fn keep_variable(
        &mut self,
        variable: Variable,
        [value]: [Value; 1],
        quad: usize,
    ) -> Option<clif::Value> {
        let kept = self.value(value, quad);
        self.keep(kept, self.plan.place_of(variable));
        None
    }

    /// Component of a constant, in all lanes.
    pub(super) fn constant(&mut self, constant: Constant, ty: Type) -> clif::Value {
        let ty = vector_type(ty);
        let offset = constant.offset() as i32;
        let base = self.bases.constants;
        let word = self.ins().load(ty.lane_type(), table_flags(), base, offset);
        self.ins().splat(ty, word)
    }

    /// Component of the constant that each lane names; 0 where it names none.
    ///
    /// The low bits of an index always name one of the constants: for any index of a lane, nothing
    /// else is read.
    pub(super) fn indexed(
        &mut self,
        [index]: [Value; 1],
        component: Component,
        ty: Type,
        quad: usize,
    ) -> clif::Value {
        let index = self.value(index, quad);
        const { assert!(CONSTANTS.is_power_of_two()) };
        let low = self.literal(CONSTANTS as u32 - 1, I32X4);
        let masked = self.ins().band(index, low);
        let inside = self.ins().icmp(IntCC::Equal, masked, index);
        let offsets = self.ins().ishl_imm_u(masked, i64::from(Constant::SHIFT));
        let first = Constant {
            index: 0,
            component: component as u8,
        };
        let gathered = self.gather(self.bases.constants, offsets, first.offset() as i32);
        let bits = self.ins().band(gathered, inside);
        self.cast(bits, vector_type(ty))
    }

    /// Reads a vector of the record.
    pub(super) fn load_slot(&mut self, slot: Slot, ty: Type, quad: usize) -> clif::Value {
        let (base, offset) = (self.records[quad], self.slot_offset(slot));
        let flags = MemFlagsData::trusted();
        self.ins().load(vector_type(ty), flags, base, offset)
    }

    /// Writes a vector of the record.
    pub(super) fn store_slot(
        &mut self,
        slot: Slot,
        [value]: [Value; 1],
        quad: usize,
    ) -> Option<clif::Value> {
        let value = self.value(value, quad);
        let (base, offset) = (self.records[quad], self.slot_offset(slot));
        self.ins()
            .store(MemFlagsData::trusted(), value, base, offset);
        None
    }

    pub(super) fn slot_offset(&self, slot: Slot) -> i32 {
        let offset = self.layout.offset(slot);
        offset.expect("lowering names only slots that the layout has") as i32
    }

    /// The backward jumps that a lane may take, in all lanes.
    pub(super) fn loop_budget(&mut self) -> clif::Value {
        let offset = ContextField::LoopBudget.offset() as i32;
        let base = self.bases.context;
        let budget = self.ins().load(I32, table_flags(), base, offset);
        self.ins().splat(I32X4, budget)
    }

    /// The same bits as another type of vector.
    pub(super) fn cast(&mut self, value: clif::Value, ty: clif::Type) -> clif::Value {
        if self.builder.func.dfg.value_type(value) == ty {
            return value;
        }
        let flags = MemFlagsData::new().with_endianness(clif::Endianness::Little);
        self.ins().bitcast(ty, flags, value)
    }
}
