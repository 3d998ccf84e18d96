//! Records: a quad each, one after the other. The number of records is a multiple of an iteration's.

use attila_machine::SAMPLES;
use iced_x86::{Code, Register};

use super::draw::{DRAWING, QUAD};
use super::forms::Form;
use super::gather::Words;
use super::mir::{Arg, Inst, Label, Mem, Vreg};
use super::scalar;
use super::values::Emission;
use crate::abi::{Drawing, RecordLayout, Slot};
use crate::ir::{Type, Value};

impl Emission<'_> {
    /// Where a slot of a copy's first record is.
    fn slot_at(&self, slot: Slot, copy: usize) -> (Register, i32) {
        let offset = self.layout.offset(slot);
        let offset = offset.expect("lowering names only slots that the layout has");
        let first = copy * self.width.quads() * self.layout.size();
        (QUAD, (first + offset) as i32)
    }

    /// Reads a vector of the records.
    pub(super) fn load_slot(&mut self, slot: Slot, ty: Type, copy: usize) -> Vreg {
        let ((base, at), stride) = (self.slot_at(slot, copy), self.layout.size() as i32);
        let result = self.quads_apart(base, at, stride);
        if ty == Type::Mask {
            return self.vector_to_mask(result);
        }
        result
    }

    /// Writes a vector of the records.
    pub(super) fn store_slot(&mut self, slot: Slot, of: Value, copy: usize) {
        let vector = self.lane_words(of, copy);
        let ((base, at), stride) = (self.slot_at(slot, copy), self.layout.size() as i32);
        self.store_quads(vector, (base, at), stride);
    }

    /// Writes 16 bytes for each quad, so many bytes apart.
    pub(super) fn store_quads(&mut self, vector: Vreg, (base, at): (Register, i32), stride: i32) {
        let first = Arg::Mem(Mem::at(base, at));
        self.form(Form::StoreQuad, &[first, Arg::Use(vector)]);
        for quad in 1..self.width.quads() {
            let to = Mem::at(base, at + quad as i32 * stride);
            let args = [Arg::Mem(to), Arg::Use(vector), Arg::Imm(quad as u8)];
            self.form(Form::ExtractQuad, &args);
        }
    }

    /// The position of the sample that each lane names modulo their number.
    pub(super) fn position(&mut self, sample: Value, copy: usize) -> Vreg {
        const { assert!(SAMPLES.is_power_of_two()) };
        let sample = self.value(sample, copy);
        let low = self.literal(SAMPLES as u32 - 1);
        let sample = self.binary_form(Form::And, sample, low);
        match self.layout.positions() {
            None => self.gather_words(Words::by_words(DRAWING, Drawing::POSITIONS as i32), sample),
            Some(positions) => {
                let size = self.layout.size();
                let words = size / size_of::<u32>();
                let records = (0..self.width.lanes()).map(|lane| (lane / 4 * words) as u32);
                let records = self.pattern(&records.collect::<Vec<_>>());
                let index = self.binary_form(Form::Paddd, sample, records);
                let first = copy * self.width.quads() * size + positions;
                self.gather_words(Words::by_words(QUAD, first as i32), index)
            }
        }
    }

    /// On to the next records, to `head` if there are some.
    pub(super) fn next_records(&self, head: Label) -> Vec<Inst> {
        let bytes = self.quads() * self.layout.size();
        vec![
            scalar::add_constant(QUAD, bytes as i32),
            scalar::compare_memory(QUAD, Self::at_frame(self.areas.last)),
            scalar::jump(Code::Jb_rel32_64, head),
        ]
    }

    /// The place of the iteration's first quad, in `rax`.
    pub(super) fn place(&self) -> Vec<Inst> {
        let first = Self::at_frame(self.areas.first);
        match self.layout {
            RecordLayout::Io
            | RecordLayout::ExtendedIo
            | RecordLayout::State
            | RecordLayout::Columns => vec![
                scalar::mov(Register::RAX, QUAD),
                scalar::of_memory(Code::Sub_r64_rm64, Register::RAX, first),
            ],
            RecordLayout::Draw => vec![
                scalar::mov(Register::RAX, super::draw::SPAN),
                scalar::of_memory(Code::Sub_r64_rm64, Register::RAX, first),
                scalar::shift_left(Register::RAX, crate::code::Failure::QUAD_BITS as u8),
                scalar::or(Register::RAX, QUAD),
            ],
        }
    }
}
