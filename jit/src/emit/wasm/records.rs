//! The loop over records, or over quads of columns.

use attila_machine::SAMPLES;
use wasm_encoder::BlockType;

use super::function::{COUNT, Emission, FIRST};
use super::locals::Local;
use crate::abi::{Drawing, RecordLayout};
use crate::ir::Value;

impl Emission<'_> {
    /// The loop over all records.
    pub(super) fn all_records(&mut self) {
        let size = self.layout.size() as i32;
        let [quad, end, last] = [(); 3].map(|()| self.number());
        self.ins()
            .local_get(FIRST.0)
            .local_tee(quad.0)
            .local_get(COUNT.0)
            .i32_const(size)
            .i32_mul()
            .i32_add()
            .local_tee(end.0)
            .i32_const(size)
            .i32_sub()
            .local_set(last.0)
            .loop_(BlockType::Empty);
        self.choose_records(quad, last);
        self.clear_accumulator();
        self.clear_scratch();
        self.blocks();
        let stride = self.quads as i32 * size;
        self.ins()
            .local_get(quad.0)
            .i32_const(stride)
            .i32_add()
            .local_tee(quad.0)
            .local_get(end.0)
            .i32_lt_u()
            .br_if(0)
            .end();
    }

    /// The records from `first` on. Past the end it is the last one again and again: the same operations side by side on
    /// the same record give the same results.
    fn choose_records(&mut self, first: Local, last: Local) {
        self.records = vec![first];
        for quad in 1..self.quads {
            let record = self.number();
            let offset = (quad * self.layout.size()) as i32;
            self.ins()
                .local_get(first.0)
                .i32_const(offset)
                .i32_add()
                .local_set(record.0);
            self.limit(record, last);
            self.records.push(record);
        }
    }

    /// The lesser of both numbers in the first local.
    pub(super) fn limit(&mut self, number: Local, most: Local) {
        self.ins()
            .local_get(number.0)
            .local_get(most.0)
            .local_get(number.0)
            .local_get(most.0)
            .i32_lt_u()
            .select()
            .local_set(number.0);
    }

    /// The record of the current quad.
    pub(super) fn record(&self) -> Local {
        self.records[self.quad]
    }

    /// The place of the current quad, for a [`Failure`](crate::code::Failure).
    pub(super) fn place(&mut self) {
        match self.layout {
            RecordLayout::Io
            | RecordLayout::ExtendedIo
            | RecordLayout::State
            | RecordLayout::Columns => {
                let quad = self.records[0];
                self.ins()
                    .local_get(quad.0)
                    .local_get(FIRST.0)
                    .i32_sub()
                    .i64_extend_i32_u();
            }
            RecordLayout::Draw => self.place_in_span(),
        }
    }

    /// The position of the sample that each lane names modulo their number: nothing else is read.
    pub(super) fn sample_position(&mut self, [sample]: [Value; 1]) {
        const { assert!(SAMPLES.is_power_of_two()) };
        self.get(sample);
        self.masked(SAMPLES as u32 - 1);
        let shift = size_of::<u32>().trailing_zeros();
        self.ins().i32_const(shift as i32).i32x4_shl();
        // Records have their own, those of a draw are the same for all quads.
        let (base, positions) = match self.layout.positions() {
            Some(positions) => (self.record(), positions),
            None => (self.bases.drawing, Drawing::POSITIONS),
        };
        self.add_address(base);
        self.gather(positions);
    }
}
