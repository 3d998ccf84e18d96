//! Columns: words of elements in memory, a quad after the other.

use cranelift_codegen::ir::types::{F32, F32X4};
use cranelift_codegen::ir::{self as clif, InstBuilder};

use super::memory::table_flags;
use super::pixels::flags;
use super::shader::Emission;
use crate::abi::{Address, Column, ContextField};
use crate::ir::{Operands, Value};

impl Emission<'_, '_> {
    /// Where the words of a quad's first element are.
    fn column(&mut self, column: Column, quad: usize) -> clif::Value {
        let (context, pointer) = (self.bases.context, self.pointer);
        let columns = ContextField::Columns.offset() as i32;
        let columns = self.ins().load(pointer, table_flags(), context, columns);
        let place = i32::from(column.place) * Address::<u8>::SIZE as i32;
        let first = self.ins().load(pointer, table_flags(), columns, place);
        let quad = self.records[quad];
        let within = self.ins().imul_imm_u(quad, i64::from(column.stride));
        self.ins().iadd(first, within)
    }

    /// Reads a column and defines the parts of `whole`.
    pub(super) fn load_column(
        &mut self,
        whole: Value,
        column: Column,
        quad: usize,
    ) -> Option<clif::Value> {
        let from = self.column(column, quad);
        let words = usize::from(column.words);
        let mut load = |ty, offset| self.ins().load(ty, flags(), from, offset);
        let vectors: Vec<clif::Value> = match (column.stride, words) {
            (0, _) => {
                let words: Vec<_> = (0..words)
                    .map(|word| load(F32, column.offset(0, word)))
                    .collect();
                let words = words.into_iter();
                words.map(|word| self.ins().splat(F32X4, word)).collect()
            }
            (1, _) => vec![load(F32X4, 0)],
            (_, 4) => {
                let rows = [0, 1, 2, 3].map(|lane| load(F32X4, column.offset(lane, 0)));
                self.transpose(rows).to_vec()
            }
            _ => (0..words)
                .map(|word| self.gather_column(column, word, from))
                .collect(),
        };
        self.define_parts(whole, quad, &vectors);
        None
    }

    fn gather_column(&mut self, column: Column, word: usize, from: clif::Value) -> clif::Value {
        let first = self.ins().load(F32, flags(), from, column.offset(0, word));
        let mut vector = self.ins().scalar_to_vector(F32X4, first);
        for lane in 1..4 {
            let number = self
                .ins()
                .load(F32, flags(), from, column.offset(lane, word));
            vector = self.ins().insertlane(vector, number, lane as u8);
        }
        vector
    }

    /// Writes a column.
    pub(super) fn store_column(
        &mut self,
        column: Column,
        of: &Operands,
        quad: usize,
    ) -> Option<clif::Value> {
        let to = self.column(column, quad);
        let vectors: Vec<clif::Value> = of.iter().map(|&word| self.value(word, quad)).collect();
        match (column.stride, &vectors[..]) {
            (1, &[vector]) => {
                self.ins().store(flags(), vector, to, 0);
            }
            (_, &[x, y, z, w]) => {
                let rows = self.transpose([x, y, z, w]);
                for (lane, row) in rows.into_iter().enumerate() {
                    self.ins().store(flags(), row, to, column.offset(lane, 0));
                }
            }
            (_, vectors) => {
                for (word, &vector) in vectors.iter().enumerate() {
                    for lane in 0..4 {
                        let number = self.ins().extractlane(vector, lane as u8);
                        self.ins()
                            .store(flags(), number, to, column.offset(lane, word));
                    }
                }
            }
        }
        None
    }
}
