//! Columns: words of elements in memory, a quad after the other.

use super::function::{Emission, at};
use super::locals::Local;
use crate::abi::{Address, Column, ContextField};
use crate::ir::Value;

impl Emission<'_> {
    /// Where the words of the quad's first element are.
    fn column(&mut self, column: Column) -> Local {
        let quad = self.record();
        self.context_address(ContextField::Columns);
        self.ins()
            .i32_load(at(usize::from(column.place) * Address::<u8>::SIZE))
            .local_get(quad.0)
            .i32_const(column.stride as i32)
            .i32_mul()
            .i32_add();
        self.address()
    }

    /// Reads a column.
    pub(super) fn load_column(&mut self, whole: Value, column: Column) {
        let from = self.column(column);
        let words = column.words;
        match (column.stride, words) {
            (0, _) => {
                for word in 0..words {
                    self.define_part(whole, word, |it| it.splat_word(from, 4 * usize::from(word)));
                }
            }
            (1, _) => self.define_part(whole, 0, |it| {
                it.push(from);
                it.ins().v128_load(at(0));
            }),
            (_, 4) => {
                let rows = [0, 1, 2, 3].map(|lane| {
                    self.push(from);
                    self.ins().v128_load(at(column.offset(lane, 0) as usize));
                    self.vector()
                });
                let columns = self.transposed(rows);
                self.define_parts(whole, &columns);
            }
            _ => {
                for word in 0..words {
                    self.define_part(whole, word, |it| it.gather_column(column, word, from));
                }
            }
        }
    }

    fn gather_column(&mut self, column: Column, word: u8, from: Local) {
        let offset = |lane: u8| column.offset(lane.into(), word.into()) as usize;
        self.push(from);
        self.ins().v128_load32_zero(at(offset(0)));
        let vector = self.vector();
        for lane in 1..4 {
            self.push(from);
            self.push(vector);
            self.ins()
                .v128_load32_lane(at(offset(lane)), lane)
                .local_set(vector.0);
        }
        self.push(vector);
    }

    /// Writes a column.
    pub(super) fn store_column(&mut self, column: Column, of: &[Value]) {
        let to = self.column(column);
        let vectors: Vec<Local> = of.iter().map(|&word| self.local(word)).collect();
        match (column.stride, &vectors[..]) {
            (1, &[vector]) => {
                self.push(to);
                self.push(vector);
                self.ins().v128_store(at(0));
            }
            (_, &[x, y, z, w]) => {
                for (lane, row) in self.transposed([x, y, z, w]).into_iter().enumerate() {
                    self.push(to);
                    self.push(row);
                    self.ins().v128_store(at(column.offset(lane, 0) as usize));
                }
            }
            (_, vectors) => {
                for (word, &vector) in vectors.iter().enumerate() {
                    for lane in 0..4 {
                        self.push(to);
                        self.push(vector);
                        let offset = column.offset(lane.into(), word) as usize;
                        self.ins().v128_store32_lane(at(offset), lane);
                    }
                }
            }
        }
    }
}
