//! The samples of records, and inputs that users evaluate.

use cranelift_codegen::ir::types::{I32, I32X4};
use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData};

use attila_machine::SAMPLES;

use super::shader::Emission;
use crate::abi::Drawing;
use crate::ir::Value;
use crate::runtime::Entry;

impl Emission<'_, '_> {
    /// The position of the sample that each lane names modulo their number: nothing else is read.
    pub(super) fn position(&mut self, [sample]: [Value; 1], quad: usize) -> clif::Value {
        const { assert!(SAMPLES.is_power_of_two()) };
        let sample = self.value(sample, quad);
        let low = self.literal(SAMPLES as u32 - 1, I32X4);
        let sample = self.ins().band(sample, low);
        let shift = size_of::<u32>().trailing_zeros();
        let within = self.ins().ishl_imm_u(sample, i64::from(shift));
        // Records have their own, those of a draw are the same for all quads.
        let (record, positions) = match self.layout.positions() {
            Some(positions) => (self.records[quad], positions),
            None => (self.bases.drawing, Drawing::POSITIONS),
        };
        let addresses = self
            .offsets(within)
            .map(|within| self.ins().iadd(record, within));
        self.gathered_with(MemFlagsData::trusted(), addresses, positions as i32)
    }

    /// Calls the entry that evaluates an input, and hands it the number of the quad.
    pub(super) fn evaluate(
        &mut self,
        whole: Value,
        register: u8,
        operands: &[Value],
    ) -> Option<clif::Value> {
        let mut operands: Vec<_> = operands.iter().map(|&a| self.value(a, 0)).collect();
        let (place, size) = (self.place(), self.layout.size() as i64);
        let number = self.ins().udiv_imm_u(place, size);
        let number = self.ins().ireduce(I32, number);
        operands.push(self.ins().splat(I32X4, number));
        self.ask_users(whole, Entry::Evaluate, register.into(), &operands)
    }
}
