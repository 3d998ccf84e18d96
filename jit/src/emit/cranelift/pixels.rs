//! Reading and writing pixels: from words per component to pixels next to each other, and back.
//!
//! A quad's pixels 0 and 1 lie next to each other, and so do 2 and 3 in the row below.

use cranelift_codegen::ir::types::{F32X4, F64, F64X2, I8X16, I32, I32X4};
use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData};

use super::memory::vector_type;
use super::shader::Emission;
use crate::abi::Pixels;
use crate::ir::Value;

/// Which words of two vectors a shuffle takes: 0 to 3 of the first, 4 to 7 of the second.
pub(super) type Words = [u8; 4];

/// The lower halves of both, word by word.
pub(super) const LOW_WORDS: Words = [0, 4, 1, 5];
/// The upper halves of both, word by word.
pub(super) const HIGH_WORDS: Words = [2, 6, 3, 7];
/// The lower halves of both, one after the other.
pub(super) const LOW_HALVES: Words = [0, 1, 4, 5];
/// The upper halves of both, one after the other.
const HIGH_HALVES: Words = [2, 3, 6, 7];
/// Every other word, from the first on.
pub(super) const EVEN: Words = [0, 2, 4, 6];
/// The others.
pub(super) const ODD: Words = [1, 3, 5, 7];

/// Bytes of the lower halves of two vectors in turn.
const BYTE_PAIRS: [u8; 16] = [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23];
/// The same, two bytes at a time.
const HALF_PAIRS: [u8; 16] = [0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23];

/// Memory that exists, but of whose alignment nothing is known.
pub(super) fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

impl Emission<'_, '_> {
    /// Words of two vectors, as bytes.
    pub(super) fn words(&mut self, a: clif::Value, b: clif::Value, words: Words) -> clif::Value {
        let bytes: Vec<u8> = words
            .iter()
            .flat_map(|word| (0..4).map(move |byte| word * 4 + byte))
            .collect();
        let pattern = self.builder.func.dfg.immediates.push(bytes.into());
        let (a, b) = (self.cast(a, I8X16), self.cast(b, I8X16));
        self.ins().shuffle(a, b, pattern)
    }

    /// A lane of a vector in all lanes of one of f32.
    pub(super) fn lane(&mut self, vector: clif::Value, lane: u8) -> clif::Value {
        let everywhere = self.words(vector, vector, [lane; 4]);
        self.cast(everywhere, F32X4)
    }

    /// The addresses of a quad's upper and lower pixels.
    fn pixels_of(&mut self, pixels: Pixels, quad: usize) -> [clif::Value; 2] {
        let span = self.at_span();
        let rows = span.rows[&(pixels.surface, pixels.sample)];
        let index = span.indices[quad];
        let bytes = 2 * pixels.size();
        let within = self
            .ins()
            .ishl_imm_u(index, i64::from(bytes.trailing_zeros()));
        rows.map(|row| self.ins().iadd(row, within))
    }

    /// Reads the pixels of a quad and defines the parts of `whole`.
    pub(super) fn load_pixels(
        &mut self,
        whole: Value,
        pixels: Pixels,
        quad: usize,
    ) -> Option<clif::Value> {
        let rows = self.pixels_of(pixels, quad);
        let words = match pixels.bytes {
            1 => {
                let [upper, lower] = rows.map(|row| self.ins().uload16(I32, flags(), row, 0));
                let lower = self.ins().ishl_imm_u(lower, 16);
                let bytes = self.ins().bor(upper, lower);
                let bytes = self.ins().scalar_to_vector(I32X4, bytes);
                let bytes = self.cast(bytes, I8X16);
                let halves = self.ins().uwiden_low(bytes);
                vec![self.ins().uwiden_low(halves)]
            }
            4 => {
                let [upper, lower] = rows.map(|row| self.ins().load(F64, flags(), row, 0));
                let upper = self.ins().scalar_to_vector(F64X2, upper);
                let both = self.ins().insertlane(upper, lower, 1);
                vec![self.cast(both, I32X4)]
            }
            8 => {
                let [upper, lower] = rows.map(|row| self.ins().load(I32X4, flags(), row, 0));
                [EVEN, ODD]
                    .map(|words| self.words(upper, lower, words))
                    .to_vec()
            }
            16 => {
                let [[p0, p1], [p2, p3]] =
                    rows.map(|row| [0, 16].map(|at| self.ins().load(I32X4, flags(), row, at)));
                self.transpose([p0, p1, p2, p3]).to_vec()
            }
            bytes => unreachable!("pixels of {bytes} bytes"),
        };
        self.define_parts(whole, quad, &words);
        None
    }

    /// Defines the parts of `whole`, the columns of these rows.
    pub(super) fn columns(
        &mut self,
        whole: Value,
        rows: [Value; 4],
        quad: usize,
    ) -> Option<clif::Value> {
        let rows = rows.map(|row| self.value(row, quad));
        let columns = self.transpose(rows);
        self.define_parts(whole, quad, &columns);
        None
    }

    /// Defines the several results of `whole`.
    pub(super) fn define_parts(&mut self, whole: Value, quad: usize, words: &[clif::Value]) {
        for (word, &vector) in words.iter().enumerate() {
            let parts = self.plan.parts.get(&(whole, word as u8)).cloned();
            for part in parts.unwrap_or_default() {
                let ty = vector_type(self.function.node(part).ty);
                let of_part = self.cast(vector, ty);
                self.define(part, quad, of_part);
            }
        }
    }

    /// Rows to columns, which are bytes.
    pub(super) fn transpose(&mut self, rows: [clif::Value; 4]) -> [clif::Value; 4] {
        let [a, b, c, d] = rows.map(|row| self.cast(row, I8X16));
        let (low_ab, low_cd) = (self.words(a, b, LOW_WORDS), self.words(c, d, LOW_WORDS));
        let (high_ab, high_cd) = (self.words(a, b, HIGH_WORDS), self.words(c, d, HIGH_WORDS));
        [
            self.words(low_ab, low_cd, LOW_HALVES),
            self.words(low_ab, low_cd, HIGH_HALVES),
            self.words(high_ab, high_cd, LOW_HALVES),
            self.words(high_ab, high_cd, HIGH_HALVES),
        ]
    }

    /// Writes the pixels of all quads of the iteration.
    pub(super) fn store_pixels(&mut self, pixels: Pixels, words: &[Value]) {
        let joins = pixels.bytes == 4 && self.overlaps();
        let joined = if joins {
            self.quads - self.quads % 2
        } else {
            0
        };
        for quad in (0..joined).step_by(2) {
            self.store_two(pixels, words[0], quad);
        }
        for quad in joined..self.quads {
            let rows = self.pixels_of(pixels, quad);
            let of_quad: Vec<_> = words.iter().map(|&word| self.value(word, quad)).collect();
            match *of_quad {
                [byte] if pixels.bytes == 1 => self.store_bytes(byte, rows),
                _ => self.store_one(&of_quad, rows),
            }
        }
    }

    /// Two quads next to each other, 16 bytes a row.
    fn store_two(&mut self, pixels: Pixels, word: Value, quad: usize) {
        let rows = self.pixels_of(pixels, quad);
        let [left, right] = [quad, quad + 1].map(|quad| self.value(word, quad));
        for (row, words) in rows.into_iter().zip([LOW_HALVES, HIGH_HALVES]) {
            let pixels = self.words(left, right, words);
            self.ins().store(flags(), pixels, row, 0);
        }
    }

    /// The lowest byte of each word.
    fn store_bytes(&mut self, words: clif::Value, rows: [clif::Value; 2]) {
        let low = self.literal(0xff, I32X4);
        let words = self.ins().band(words, low);
        let halves = self.ins().snarrow(words, words);
        let bytes = self.ins().unarrow(halves, halves);
        let bytes = self.cast(bytes, I32X4);
        let upper = self.ins().extractlane(bytes, 0);
        let lower = self.ins().ushr_imm_u(upper, 16);
        for (bytes, row) in [upper, lower].into_iter().zip(rows) {
            self.ins().istore16(flags(), bytes, row, 0);
        }
    }

    fn store_one(&mut self, words: &[clif::Value], [upper, lower]: [clif::Value; 2]) {
        let stores = match *words {
            [r] => {
                let halves = self.cast(r, F64X2);
                let [first, second] = [0, 1].map(|lane| self.ins().extractlane(halves, lane));
                vec![(first, upper, 0), (second, lower, 0)]
            }
            [r, g] => {
                let [first, second] = [LOW_WORDS, HIGH_WORDS].map(|words| self.words(r, g, words));
                vec![(first, upper, 0), (second, lower, 0)]
            }
            [r, g, b, a] => {
                let [p0, p1, p2, p3] = self.transpose([r, g, b, a]);
                vec![
                    (p0, upper, 0),
                    (p1, upper, 16),
                    (p2, lower, 0),
                    (p3, lower, 16),
                ]
            }
            _ => unreachable!("pixels of {} words", words.len()),
        };
        for (pixels, row, offset) in stores {
            self.ins().store(flags(), pixels, row, offset);
        }
    }

    /// The words of two vectors as halves of words, limited to 16 bits with a sign.
    pub(super) fn narrow(&mut self, [a, b]: [Value; 2], quad: usize) -> clif::Value {
        let (a, b) = (self.value(a, quad), self.value(b, quad));
        self.ins().snarrow(a, b)
    }

    /// Words of the bytes of two narrowed vectors, limited to 0..=255.
    pub(super) fn pack(&mut self, [even, odd]: [Value; 2], quad: usize) -> clif::Value {
        let (even, odd) = (self.value(even, quad), self.value(odd, quad));
        let planar = self.ins().unarrow(even, odd);
        let pixels = if self.native.blendv {
            let order = [0, 8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15];
            let order = self.constant_bytes(order, I8X16);
            self.ins().x86_pshufb(planar, order)
        } else {
            self.interleaved(planar)
        };
        self.cast(pixels, I32X4)
    }

    /// The same if the vectors are in the order of pixels.
    pub(super) fn pack_pixels(&mut self, [upper, lower]: [Value; 2], quad: usize) -> clif::Value {
        let (upper, lower) = (self.value(upper, quad), self.value(lower, quad));
        let pixels = self.ins().unarrow(upper, lower);
        self.cast(pixels, I32X4)
    }

    /// The same order without an instruction that takes bytes from anywhere: pairs of bytes are put
    /// together, and then pairs of pairs.
    fn interleaved(&mut self, planar: clif::Value) -> clif::Value {
        let mut bytes = planar;
        for pairs in [BYTE_PAIRS, HALF_PAIRS] {
            let upper = self.words(bytes, bytes, [2, 3, 2, 3]);
            let pattern = self.builder.func.dfg.immediates.push(pairs.to_vec().into());
            bytes = self.ins().shuffle(bytes, upper, pattern);
        }
        bytes
    }
}
