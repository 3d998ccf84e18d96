//! Writes pixels of one word: those of all vectors side by side at once.
//!
//! ```text
//! words of two vectors    a0 a1 a2 a3   b0 b1 b2 b3      64 bits each: a row of a quad
//! rows                    a0 a2 b0 b2   a1 a3 b1 b3
//! ```
//!
//! A row is written by whole vectors, and one question is enough about the end of the span. Where a
//! vector is left over, its halves are the rows.

use iced_x86::{Code, Register};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::covered::Covered;
use super::draw::HERE;
use super::forms::{Form, Width};
use super::mir::{Arg, Args, Inst, Mem, Under, Vreg};
use super::pixels::{Direction, MASK, THERE, row_code, there};
use super::scalar;
use super::values::Emission;
use crate::abi::Pixels;
use crate::ir::Value;

/// The fragments of a mask that are in the upper and in the lower row.
const OF_ROWS: [u32; 2] = [0x3333_3333, 0xcccc_cccc];

/// Bytes of a quad's pixels in a row.
const QUAD_BYTES: u8 = 8;

/// The rows of words that a block has written.
#[derive(Default)]
pub(super) struct WrittenRows(FxHashMap<Value, Vec<Part>>);

/// The rows of pixels of one copy's quads, or of two copies'.
#[derive(Clone, Copy)]
struct Part {
    rows: Rows,
    /// The first copy.
    copy: usize,
    /// Bytes to it in a row.
    offset: i32,
}

/// Both rows.
#[derive(Clone, Copy)]
enum Rows {
    /// The upper and the lower one.
    Apart([Vreg; 2]),
    /// The same in the halves of a vector.
    Halves(Vreg),
}

impl Emission<'_> {
    /// Writes the words of all copies' quads. Samples of a pixel often have the same words.
    pub(super) fn store_words(&mut self, pixels: Pixels, word: Value) {
        let parts = self.parts_of_rows(word);
        let rows = self.after_quads(pixels, 0);
        let mut pins: Args = parts.iter().flat_map(|part| part.rows.vregs()).collect();
        let at = |part: &Part| rows.map(|row| row.after(part.offset));
        let store = |part: &Part| part.rows.store(self.width, at(part), Under::All);
        let hot = parts.iter().flat_map(store).collect();
        let cold = match self.width {
            Width::V256 => self.rows_by_frame(&parts, pixels, rows),
            Width::V512 => {
                let half = self.vector();
                pins.push(Arg::DefEarly(half));
                let mut cold = Vec::with_capacity(parts.len() * (MASK + 3));
                for part in &parts {
                    cold.extend(there(pixels, 0, part.copy));
                    part.rows.store_masked(at(part), half, &mut cold);
                }
                cold
            }
        };
        self.split_at_end(self.copies - 1, pins, hot, cold);
    }

    /// Writes words where a mask has the fragment: it becomes a mask of each row.
    pub(super) fn store_covered(&mut self, pixels: Pixels, Covered { mask, word }: Covered) {
        let parts = self.parts_of_rows(word);
        let rows = self.after_quads(pixels, 0);
        for part in &parts {
            let [upper, lower] = match part.rows {
                Rows::Apart(rows) => rows,
                Rows::Halves(both) => {
                    let half = self.vector();
                    let halves = [Arg::Def(half), Arg::Use(both), Arg::Imm(1)];
                    self.insts.push(Inst::op(half_code(self.width), &halves));
                    [both, half]
                }
            };
            let code = match part.rows {
                Rows::Apart(_) => Form::MovupsTo.code(self.width),
                Rows::Halves(_) => row_code(self.width, 4, Direction::Store),
            };
            self.count_pixels(part.copy);
            for ((row, place), of_row) in [upper, lower].into_iter().zip(rows).zip(OF_ROWS) {
                self.mask_of_row(part, mask, of_row);
                let (place, under) = (place.after(part.offset), Under::Fixed(THERE));
                self.insts.push(store(code, place, &[Arg::Use(row)], under));
            }
        }
    }

    /// Puts the number of pixels into `rsi` that are there in a row from a copy on.
    fn count_pixels(&mut self, copy: usize) {
        let (count, zero) = (Register::RSI, Register::RDI);
        self.insts.push(scalar::mov(count, HERE));
        if copy > 0 {
            let before = (copy * self.width.quads()) as i32;
            self.insts.extend([
                scalar::zero(Register::EDI),
                scalar::sub_constant(count, before),
                scalar::if_below(count, zero),
            ]);
        }
        self.insts.push(scalar::add(count, count));
    }

    /// Sets the mask of the pixels of a row that are there, as far as a mask of fragments has them.
    fn mask_of_row(&mut self, part: &Part, mask: Value, of_row: u32) {
        let fragments = match part.rows {
            Rows::Halves(_) => {
                let mask = self.value(mask, part.copy);
                let args = [Arg::Fixed(Register::EDI), Arg::Use(mask)];
                Inst::op(Code::VEX_Kmovw_r32_kr, &args)
            }
            Rows::Apart(_) => {
                let [low, high] = [0, 1].map(|next| self.value(mask, part.copy + next));
                let both = [Arg::Fixed(THERE), Arg::Use(high), Arg::Use(low)];
                self.insts
                    .push(Inst::op(Code::VEX_Kunpckwd_kr_kr_kr, &both));
                scalar::raw2(Code::VEX_Kmovd_r32_kr, Register::EDI, THERE)
            }
        };
        let of_row = self.literal(of_row);
        let of_row = self.vregs.home(of_row).expect("a literal has a home").mem();
        let edi = Arg::Fixed(Register::EDI);
        self.insts.extend([
            fragments,
            Inst::op(Code::VEX_Pext_r32_r32_rm32, &[edi, edi, Arg::Mem(of_row)]),
            scalar::low_bits(Register::RDI, Register::RDI, Register::RSI),
            scalar::raw2(Code::VEX_Kmovw_kr_r32, THERE, Register::EDI),
        ]);
    }

    /// The rows of all copies, which are made once in a block.
    fn parts_of_rows(&mut self, word: Value) -> Vec<Part> {
        if let Some(known) = self.rows.0.get(&word) {
            return known.clone();
        }
        let copies: Vec<usize> = (0..self.copies).collect();
        let part = |copies: &[usize]| Part {
            rows: match *copies {
                [a, b] => Rows::Apart(self.rows_apart(word, [a, b])),
                _ => {
                    let words = self.value(word, copies[0]);
                    Rows::Halves(self.rows_beside(words))
                }
            },
            copy: copies[0],
            offset: (copies[0] * self.width.quads()) as i32 * i32::from(QUAD_BYTES),
        };
        let parts: Vec<Part> = copies.chunks(2).map(part).collect();
        self.rows.0.insert(word, parts.clone());
        parts
    }

    /// The upper row of two copies' quads, and the lower one.
    fn rows_apart(&mut self, word: Value, copies: [usize; 2]) -> [Vreg; 2] {
        let [a, b] = copies.map(|copy| self.value(word, copy));
        match self.width {
            Width::V256 => [Form::Unpcklpd, Form::Unpckhpd].map(|row| {
                let row = self.binary_form(row, a, b);
                self.rows_from_quads(row)
            }),
            Width::V512 => [0, 1].map(|row| {
                let order = [0, 1, 2, 3, 4, 5, 6, 7].map(|place| 2 * place + row);
                self.permute2(a, b, order)
            }),
        }
    }

    /// Both rows of words of a copy's quads, one behind the other.
    pub(super) fn rows_beside(&mut self, words: Vreg) -> Vreg {
        match self.width {
            Width::V256 => self.rows_from_quads(words),
            Width::V512 => self.permute(words, [0, 2, 4, 6, 1, 3, 5, 7]),
        }
    }

    /// 64 bits each of a vector, in any order.
    pub(super) fn permute(&mut self, of: Vreg, order: [u32; 8]) -> Vreg {
        let order = self.pattern(order.map(|pair| [pair, 0]).as_flattened());
        let args = [Arg::Use(order), Arg::Use(of)];
        self.vector_of(Code::EVEX_Vpermq_zmm_k1z_zmm_zmmm512b64, args)
    }

    /// Writes the quads that are there, by way of the frame.
    fn rows_by_frame(&mut self, parts: &[Part], pixels: Pixels, places: [Mem; 2]) -> Vec<Inst> {
        let mut insts = Vec::new();
        for part in parts {
            let rows = [0, 128].map(|row| self.areas.buffer + row + part.offset);
            insts.extend(
                part.rows
                    .store(self.width, rows.map(Self::at_frame), Under::All),
            );
        }
        for (into, place) in [Register::RAX, Register::RCX].into_iter().zip(places) {
            insts.push(scalar::lea(into, place));
        }
        insts.extend(self.by_frame(pixels, 0, Direction::Store));
        insts
    }
}

impl Rows {
    /// Writes them.
    fn store(self, width: Width, [upper, lower]: [Mem; 2], under: Under) -> [Inst; 2] {
        match self {
            Rows::Apart([a, b]) => {
                let code = Form::MovupsTo.code(width);
                [
                    store(code, upper, &[Arg::Use(a)], under),
                    store(code, lower, &[Arg::Use(b)], under),
                ]
            }
            Rows::Halves(both) => {
                let first = row_code(width, 4, Direction::Store);
                let (second, both) = (half_code(width), Arg::Use(both));
                [
                    store(first, upper, &[both], under),
                    store(second, lower, &[both, Arg::Imm(1)], under),
                ]
            }
        }
    }

    /// Writes the pixels of the mask. The lower of two halves goes through a register, `half`: an extraction
    /// faults on memory that its mask excludes.
    fn store_masked(self, at: [Mem; 2], half: Vreg, into: &mut Vec<Inst>) {
        let under = Under::Fixed(THERE);
        let Rows::Halves(both) = self else {
            return into.extend(self.store(Width::V512, at, under));
        };
        let code = row_code(Width::V512, 4, Direction::Store);
        let lower = [Arg::Def(half), Arg::Use(both), Arg::Imm(1)];
        let extract = Inst::op(half_code(Width::V512), &lower);
        let [upper, lower] = at;
        into.extend([
            store(code, upper, &[Arg::Use(both)], under),
            extract,
            store(code, lower, &[Arg::Use(half)], under),
        ]);
    }

    fn vregs(self) -> SmallVec<[Arg; 2]> {
        match self {
            Rows::Apart(rows) => rows.map(Arg::Use).into(),
            Rows::Halves(both) => [Arg::Use(both)].as_slice().into(),
        }
    }
}

/// The extraction of a half of a vector.
pub(super) fn half_code(width: Width) -> Code {
    match width {
        Width::V256 => Code::VEX_Vextractf128_xmmm128_ymm_imm8,
        Width::V512 => Code::EVEX_Vextractf32x8_ymmm256_k1z_zmm_imm8,
    }
}

/// A store of what `of` says.
fn store(code: Code, to: Mem, of: &[Arg], under: Under) -> Inst {
    let mut args = Args::from_slice(&[Arg::Mem(to)]);
    args.extend_from_slice(of);
    Inst::Op { code, args, under }
}
