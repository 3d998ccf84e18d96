//! Columns: words of elements in memory, a quad after the other.
//!
//! ```text
//! a slice for each component     a vector after the other
//! vectors of four                16 bytes for each quad, transposed
//! others                         gathers, and stores word by word
//! ```

use iced_x86::Register;

use super::draw::{CONTEXT, QUAD};
use super::forms::Form;
use super::gather::Words;
use super::mir::{Arg, Mem, Vreg};
use super::scalar;
use super::values::Emission;
use crate::abi::{Address, Column, ContextField};
use crate::ir::{Operands, Value};

/// Where the words of the iteration's first element are.
const BASE: Register = Register::RSI;

impl Emission<'_> {
    fn begin_column(&mut self, column: Column) {
        let columns = Mem::at(CONTEXT, ContextField::Columns.offset() as i32);
        let place = Address::<u8>::SIZE as i32 * i32::from(column.place);
        self.insts.extend([
            scalar::load(BASE, columns),
            scalar::load(BASE, Mem::at(BASE, place)),
            scalar::times(Register::RAX, QUAD, column.stride as i32),
            scalar::add(BASE, Register::RAX),
        ]);
    }

    /// Reads a column and defines the parts of `whole`.
    pub(super) fn load_column(&mut self, whole: Value, column: Column, copy: usize) {
        self.begin_column(column);
        let (lanes, words) = (self.width.lanes(), usize::from(column.words));
        let first = copy * lanes;
        let vectors = match (column.stride, words) {
            (0, _) => {
                let words =
                    (0..words).map(|word| self.broadcast(Mem::at(BASE, column.offset(0, word))));
                words.collect()
            }
            (1, _) => {
                let from = Mem::at(BASE, column.offset(first, 0));
                vec![self.vector_of(Form::Movups.code(self.width), [Arg::Mem(from)])]
            }
            (_, 4) => {
                let row = |lane| {
                    self.quads_apart(BASE, column.offset(first + lane, 0), column.offset(4, 0))
                };
                let rows = [0, 1, 2, 3].map(row);
                self.transposed(rows).to_vec()
            }
            (stride, _) => {
                let places: Vec<u32> = (0..lanes as u32).map(|lane| lane * stride).collect();
                let places = self.pattern(&places);
                let place = |word| Words::by_words(BASE, column.offset(first, word));
                let words = (0..words).map(|word| self.gather_words(place(word), places));
                words.collect::<Vec<Vreg>>()
            }
        };
        self.define_parts(whole, copy, &vectors);
    }

    /// Writes a column.
    pub(super) fn store_column(&mut self, column: Column, of: &Operands, copy: usize) {
        let vectors: Vec<Vreg> = of.iter().map(|&word| self.lane_words(word, copy)).collect();
        self.begin_column(column);
        let first = copy * self.width.lanes();
        match (column.stride, &vectors[..]) {
            (1, &[vector]) => {
                let to = Mem::at(BASE, column.offset(first, 0));
                self.form(Form::MovupsTo, &[Arg::Mem(to), Arg::Use(vector)]);
            }
            (_, &[x, y, z, w]) => {
                let rows = self.transposed([x, y, z, w]);
                for (lane, row) in rows.into_iter().enumerate() {
                    let to = (BASE, column.offset(first + lane, 0));
                    self.store_quads(row, to, column.offset(4, 0));
                }
            }
            (_, vectors) => {
                for (word, &vector) in vectors.iter().enumerate() {
                    self.scatter_column(column, (first, word), vector);
                }
            }
        }
    }

    fn scatter_column(&mut self, column: Column, (first, word): (usize, usize), vector: Vreg) {
        for (quad, words) in self.quads_of(vector).into_iter().enumerate() {
            for lane in 0..4 {
                let to = Mem::at(BASE, column.offset(first + 4 * quad + lane, word));
                let args = [Arg::Mem(to), Arg::Use(words), Arg::Imm(lane as u8)];
                self.form(Form::ExtractWord, &args);
            }
        }
    }
}
