//! Reading and writing pixels: from words per component to pixels next to each other, and back.
//!
//! A quad's pixels 0 and 1 lie next to each other, and so do 2 and 3 in the row below.

use super::function::{Emission, at};
use super::locals::Local;
use super::ops::{EVEN, HIGH_HALVES, HIGH_WORDS, LOW_HALVES, LOW_WORDS, ODD};
use crate::abi::Pixels;
use crate::ir::Value;

/// The order of bytes that were narrowed component by component, pixel by pixel.
const INTERLEAVED: [u8; 16] = [0, 8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15];

impl Emission<'_> {
    /// Reads the pixels of the quad.
    pub(super) fn load_pixels(&mut self, whole: Value, pixels: Pixels) {
        let (rows, offset) = self.pixels_of(pixels);
        let [upper, lower] = rows;
        match pixels.bytes {
            1 => self.define_part(whole, 0, |it| {
                it.push(lower);
                it.literal(0);
                it.ins().v128_load16_lane(at(offset), 1);
                let bytes = it.vector();
                it.push(upper);
                it.push(bytes);
                it.ins()
                    .v128_load16_lane(at(offset), 0)
                    .i16x8_extend_low_i8x16_u()
                    .i32x4_extend_low_i16x8_u();
            }),
            4 => self.define_part(whole, 0, |it| {
                it.push(upper);
                it.ins().v128_load64_zero(at(offset));
                let pixels = it.vector();
                it.push(lower);
                it.push(pixels);
                it.ins().v128_load64_lane(at(offset), 1);
            }),
            8 => {
                for (part, words) in [EVEN, ODD].into_iter().enumerate() {
                    self.define_part(whole, part as u8, |it| {
                        for row in rows {
                            it.push(row);
                            it.ins().v128_load(at(offset));
                        }
                        it.shuffle_words(words);
                    });
                }
            }
            16 => {
                let places = [(upper, 0), (upper, 16), (lower, 0), (lower, 16)];
                let rows = places.map(|(row, further)| {
                    self.push(row);
                    self.ins().v128_load(at(offset + further));
                    self.vector()
                });
                let columns = self.transposed(rows);
                self.define_parts(whole, &columns);
            }
            bytes => unreachable!("pixels of {bytes} bytes"),
        }
    }

    /// Defines the parts of `whole`, the columns of these rows.
    pub(super) fn columns_of(&mut self, whole: Value, rows: [Value; 4]) {
        let rows = rows.map(|row| self.local(row));
        let columns = self.transposed(rows);
        self.define_parts(whole, &columns);
    }

    /// Gives the parts of `whole` these vectors.
    pub(super) fn define_parts(&mut self, whole: Value, vectors: &[Local]) {
        for (part, &vector) in vectors.iter().enumerate() {
            self.define_part(whole, part as u8, |it| it.push(vector));
        }
    }

    /// Rows to columns.
    pub(super) fn transposed(&mut self, [a, b, c, d]: [Local; 4]) -> [Local; 4] {
        let pairs = [
            (a, b, LOW_WORDS),
            (c, d, LOW_WORDS),
            (a, b, HIGH_WORDS),
            (c, d, HIGH_WORDS),
        ];
        let [low_ab, low_cd, high_ab, high_cd] = pairs.map(|pair| self.shuffled(pair));
        [
            (low_ab, low_cd, LOW_HALVES),
            (low_ab, low_cd, HIGH_HALVES),
            (high_ab, high_cd, LOW_HALVES),
            (high_ab, high_cd, HIGH_HALVES),
        ]
        .map(|pair| self.shuffled(pair))
    }

    fn shuffled(&mut self, (a, b, words): (Local, Local, [u8; 4])) -> Local {
        self.push(a);
        self.push(b);
        self.shuffle_words(words);
        self.vector()
    }

    /// Writes the pixels of all quads of the iteration.
    pub(super) fn store_pixels(&mut self, pixels: Pixels, of: &[Value]) {
        let joins = pixels.bytes == 4 && self.overlaps();
        let joined = if joins {
            self.quads - self.quads % 2
        } else {
            0
        };
        for quad in (0..joined).step_by(2) {
            self.store_two(pixels, of[0], quad);
        }
        for quad in joined..self.quads {
            self.quad = quad;
            self.store_one(pixels, of);
        }
        self.quad = 0;
    }

    /// Two quads next to each other, 16 bytes a row.
    fn store_two(&mut self, pixels: Pixels, word: Value, quad: usize) {
        let words = [quad, quad + 1].map(|quad| {
            self.quad = quad;
            self.local(word)
        });
        self.quad = quad;
        let (rows, offset) = self.pixels_of(pixels);
        for (row, halves) in rows.into_iter().zip([LOW_HALVES, HIGH_HALVES]) {
            self.push(row);
            words.into_iter().for_each(|word| self.push(word));
            self.shuffle_words(halves);
            self.ins().v128_store(at(offset));
        }
    }

    fn store_one(&mut self, pixels: Pixels, of: &[Value]) {
        let (rows, offset) = self.pixels_of(pixels);
        let words: Vec<Local> = of.iter().map(|&word| self.local(word)).collect();
        let [upper, lower] = rows;
        match *words {
            [bytes] if pixels.bytes == 1 => self.store_bytes(bytes, (rows, offset)),
            [r] => {
                for (row, half) in rows.into_iter().zip(0..) {
                    self.push(row);
                    self.push(r);
                    self.ins().v128_store64_lane(at(offset), half);
                }
            }
            [r, g] => {
                for (row, words) in rows.into_iter().zip([LOW_WORDS, HIGH_WORDS]) {
                    self.push(row);
                    self.push(r);
                    self.push(g);
                    self.shuffle_words(words);
                    self.ins().v128_store(at(offset));
                }
            }
            [r, g, b, a] => {
                let pixels = self.transposed([r, g, b, a]);
                let places = [(upper, 0), (upper, 16), (lower, 0), (lower, 16)];
                for (pixel, (row, further)) in pixels.into_iter().zip(places) {
                    self.push(row);
                    self.push(pixel);
                    self.ins().v128_store(at(offset + further));
                }
            }
            _ => unreachable!("pixels of {} words", words.len()),
        }
    }

    /// The lowest byte of each word.
    fn store_bytes(&mut self, words: Local, (rows, offset): ([Local; 2], usize)) {
        self.push(words);
        self.masked(0xff);
        let low = self.vector();
        self.push(low);
        self.push(low);
        self.ins().i16x8_narrow_i32x4_s();
        let halves = self.vector();
        self.push(halves);
        self.push(halves);
        self.ins().i8x16_narrow_i16x8_u();
        let bytes = self.vector();
        for (row, pair) in rows.into_iter().zip(0..) {
            self.push(row);
            self.push(bytes);
            self.ins().v128_store16_lane(at(offset), pair);
        }
    }

    /// The words of two vectors as halves of words, limited to 16 bits with a sign.
    pub(super) fn narrow(&mut self, of: [Value; 2]) {
        self.both(of, |i| i.i16x8_narrow_i32x4_s());
    }

    /// Words of the bytes of two narrowed vectors, limited to 0..=255.
    pub(super) fn pack(&mut self, of: [Value; 2]) {
        self.both(of, |i| i.i8x16_narrow_i16x8_u());
        let planar = self.vector();
        self.push(planar);
        self.push(planar);
        self.ins().i8x16_shuffle(INTERLEAVED);
    }

    /// The same if the vectors are in the order of pixels.
    pub(super) fn pack_pixels(&mut self, of: [Value; 2]) {
        self.both(of, |i| i.i8x16_narrow_i16x8_u());
    }
}
