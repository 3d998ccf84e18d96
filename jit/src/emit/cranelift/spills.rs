//! Stores and loads of values for which [`Registers`] finds no register.

use cranelift_codegen::ir::{self as clif, InstBuilder};

use super::memory::vector_type;
use super::shader::Emission;
use crate::emit::registers::{Leaving, Registers};
use crate::ir::{Origin, Value};
use crate::runtime::Vector;

impl Emission<'_, '_> {
    /// From here on it is decided here which values are in registers.
    pub(super) fn choose_registers(&mut self) {
        let registers = self.native.vectors.registers;
        self.registers = Some(Registers::new(self.function, &self.plan, registers));
        self.spill_slots.clear();
    }

    /// From here on another block is emitted.
    pub(super) fn begin_block(&mut self) {
        if let Some(registers) = &mut self.registers {
            registers.begin_block();
        }
    }

    /// Begins the block's end, after `nodes` nodes.
    pub(super) fn begin_end(&mut self, nodes: usize) {
        self.set_origin(Origin::default());
        if let Some(registers) = &mut self.registers {
            registers.begin_end(nodes);
        }
    }

    /// From here on `value`, which is node number `place` of the block, is computed.
    pub(super) fn begin_node(&mut self, place: usize, value: Value) {
        self.set_origin(self.function.node(value).origin);
        if let Some(registers) = &mut self.registers {
            let leaving = registers.begin_node(self.function, place, value);
            self.spill(leaving);
        }
    }

    /// From here on it is computed for this quad of the iteration.
    pub(super) fn begin_quad(&mut self, quad: usize) {
        if let Some(registers) = &mut self.registers {
            registers.begin_quad(quad);
        }
    }

    /// Takes note of a value in a register.
    pub(super) fn reside(&mut self, value: Value, quad: usize) {
        if let Some(registers) = &mut self.registers {
            let leaving = registers.reside(value, quad);
            self.spill(leaving);
        }
    }

    /// Reads a value that is in memory.
    pub(super) fn restore(&mut self, value: Value, quad: usize) -> Option<clif::Value> {
        let reload = self.registers.as_mut()?.reload(value, quad)?;
        let ty = vector_type(self.function.node(value).ty);
        let (pointer, slot) = (self.pointer, self.spill_slots[reload.slot.0]);
        let loaded = self.ins().stack_load(pointer, ty, slot, 0);
        *self.computed(value, quad) = Some(loaded);
        if reload.stays {
            self.reside(value, quad);
        }
        Some(loaded)
    }

    /// Writes values to memory that give up their registers.
    fn spill(&mut self, leaving: Vec<Leaving>) {
        for Leaving { value, quad, store } in leaving {
            let computed = self.computed(value, quad).take();
            let Some(slot) = store else {
                continue;
            };
            if slot.0 == self.spill_slots.len() {
                let slot = self.stack_slot(Vector::SIZE);
                self.spill_slots.push(slot);
            }
            let computed = computed.expect("it was in a register");
            let (pointer, slot) = (self.pointer, self.spill_slots[slot.0]);
            self.ins().stack_store(pointer, computed, slot, 0);
        }
    }
}
