//! Pixels of surfaces: rows of them next to each other in memory, quads in registers.
//!
//! ```text
//! one word     row: p0 p1 of each quad in turn               vector: p0 p1 p2 p3 of each quad
//! a byte       the same row, whose bytes become words        the same vector
//! two words    row: both words of p0 and of p1, and so on    vectors: both rows' words
//! four words   row: a pixel after the other                  vectors: p0, p1, p2 and p3 of each quad
//! ```
//!
//! At the end of a span only the pixels of quads that are there are touched: under a mask where there
//! are masks. With 256 bits words are read under a vector's signs; bytes, and what is written, go by
//! way of the frame.

use iced_x86::{Code, Register};

use super::allocate::slots::FRAME;
use super::draw::{HERE, QUAD, ROWS};
use super::forms::{Form, Width};
use super::mir::{Arg, Args, Inst, Label, Mem, Under, Vreg};
use super::scalar;
use super::select::{EVEN, ODD};
use super::values::Emission;
use super::words::half_code;
use crate::abi::Pixels;
use crate::ir::Value;

/// The mask register of the pixels that are there, which is not given out.
pub(super) const THERE: Register = Register::K7;

/// Instructions that set the mask of the pixels that are there.
pub(super) const MASK: usize = 9;

/// 64 bits of each quad in two rows of a vector.
const ROWS_TO_QUADS: u8 = 0xd8;

/// A transfer between a part of a row and a vector.
#[derive(Clone, Copy)]
struct Part {
    vreg: Vreg,
    /// Which row.
    row: usize,
    /// Bytes from the beginning of the copy's part of the row.
    offset: i32,
}

impl Emission<'_> {
    /// The registers with the addresses of the span's first pixels in both rows, and what puts them there.
    fn row_bases(&self, pixels: Pixels) -> (Vec<Inst>, [Register; 2]) {
        let surfaces = &self.plan.surfaces;
        let place = surfaces.iter().position(|it| *it == pixels);
        match place.expect("the plan has all surfaces") {
            0 => (Vec::new(), ROWS),
            place => {
                let at = self.areas.rows + 16 * place as i32;
                let load = |register, at| scalar::load(register, Self::at_frame(at));
                let loads = vec![load(Register::RAX, at), load(Register::RCX, at + 8)];
                (loads, [Register::RAX, Register::RCX])
            }
        }
    }

    /// Places so many bytes after the iteration's first pixels in both rows, by way of `rax`, `rcx` and `rdx`.
    pub(super) fn after_quads(&mut self, pixels: Pixels, bytes: usize) -> [Mem; 2] {
        let size = 2 * pixels.size() as i32;
        let (loads, bases) = self.row_bases(pixels);
        self.insts.extend(loads);
        let (index, scale) = if size > 8 {
            let within = scalar::times(Register::RDX, QUAD, size);
            self.insts.push(within);
            (Register::RDX, 1)
        } else {
            (QUAD, size as u8)
        };
        bases.map(|base| Mem::at(base, bytes as i32).plus(index, scale))
    }

    /// Puts the addresses of a copy's pixels in both rows into `rax` and `rcx`.
    fn rows_of(&mut self, pixels: Pixels, copy: usize) {
        let first = copy * self.width.quads() * 2 * pixels.size();
        let [upper, lower] = self.after_quads(pixels, first);
        for (into, at) in [(Register::RAX, upper), (Register::RCX, lower)] {
            self.insts.push(scalar::lea(into, at));
        }
    }

    /// The vectors of both rows of a copy.
    fn parts(&mut self, pixels: Pixels) -> Vec<Part> {
        let bytes = self.width.bytes() as i32;
        let vectors = if pixels.words() == 4 { 2 } else { 1 };
        let mut parts = Vec::new();
        for row in 0..2 {
            for vector in 0..vectors {
                let vreg = self.vector();
                let offset = vector * bytes;
                parts.push(Part { vreg, row, offset });
            }
        }
        parts
    }

    /// Where a part is in the frame at the end of a span.
    fn in_buffer(&self, part: &Part) -> Mem {
        Self::at_frame(self.areas.buffer + 128 * part.row as i32 + part.offset)
    }

    /// Reads the pixels of a copy's quads and defines the parts of `whole`.
    pub(super) fn load_pixels(&mut self, whole: Value, pixels: Pixels, copy: usize) {
        self.rows_of(pixels, copy);
        let parts = self.parts(pixels);
        let pins: Args = parts.iter().map(|part| Arg::DefEarly(part.vreg)).collect();
        let of_rows = [Register::RAX, Register::RCX];
        let code = row_code(self.width, pixels.bytes, Direction::Load);
        let load = |part: &Part, from: Mem, under| Inst::Op {
            code,
            args: Args::from_slice(&[Arg::Def(part.vreg), Arg::Mem(from)]),
            under,
        };
        let in_row = |part: &Part| Mem::at(of_rows[part.row], part.offset);
        let hot = parts
            .iter()
            .map(|part| load(part, in_row(part), Under::All));
        let hot: Vec<Inst> = hot.collect();
        let cold = match self.width {
            Width::V512 => {
                let load = |part: &Part| load(part, in_row(part), Under::Fixed(THERE));
                masked(pixels, copy, &parts, load)
            }
            Width::V256 if pixels.bytes == 1 => {
                let mut cold = self.by_frame(pixels, copy, Direction::Load);
                let from_frame = |part| load(part, self.in_buffer(part), Under::All);
                cold.extend(parts.iter().map(from_frame));
                cold
            }
            Width::V256 => {
                let load = |part| self.load_there(pixels, copy, part, in_row(part));
                parts.iter().flat_map(load).collect()
            }
        };
        self.split_at_end(copy, pins, hot, cold);
        let rows: Vec<Vreg> = parts.iter().map(|part| part.vreg).collect();
        let words = self.words_of(pixels.bytes, &rows);
        self.define_parts(whole, copy, &words);
    }

    /// Reads the words that are there of a part of a row: those whose number in it is less than their number.
    fn load_there(&mut self, pixels: Pixels, copy: usize, part: &Part, from: Mem) -> [Inst; 8] {
        let numbers = self.pattern(&[0, 1, 2, 3, 4, 5, 6, 7]);
        let numbers = self.vregs.home(numbers).expect("a pattern has a home");
        let (count, words) = (Register::RSI, 2 * pixels.words() as i32);
        let code = match pixels.bytes {
            4 => Code::VEX_Vmaskmovps_xmm_xmm_m128,
            _ => Code::VEX_Vmaskmovps_ymm_ymm_m256,
        };
        let (into, mask) = (Arg::Def(part.vreg), Arg::Use(part.vreg));
        [
            scalar::mov(count, HERE),
            scalar::sub_constant(count, (copy * self.width.quads()) as i32),
            scalar::times(count, count, words),
            scalar::sub_constant(count, part.offset / 4),
            Inst::op(Code::VEX_Vmovd_xmm_rm32, &[into, Arg::Fixed(Register::ESI)]),
            Inst::op(Code::VEX_Vpbroadcastd_ymm_xmmm32, &[into, mask]),
            Inst::op(
                Code::VEX_Vpcmpgtd_ymm_ymm_ymmm256,
                &[into, mask, Arg::Mem(numbers.mem())],
            ),
            Inst::op(code, &[into, mask, Arg::Mem(from)]),
        ]
    }

    /// The words of quads, from rows of pixels of so many bytes.
    fn words_of(&mut self, bytes: u8, rows: &[Vreg]) -> Vec<Vreg> {
        match (bytes, rows) {
            (1 | 4, &[upper, lower]) => vec![self.joined(upper, lower)],
            (8, &[upper, lower]) => [EVEN, ODD]
                .map(|words| self.binary_imm(Form::Shufps, [upper, lower], words))
                .to_vec(),
            (16, &[a, b, c, d]) => {
                let [p0, p1] = self.pixels_apart(a, b);
                let [p2, p3] = self.pixels_apart(c, d);
                self.transposed([p0, p1, p2, p3]).to_vec()
            }
            _ => unreachable!("pixels of {bytes} bytes"),
        }
    }

    /// Pixels 0 and 1 of each quad beside pixels 2 and 3.
    pub(super) fn joined(&mut self, upper: Vreg, lower: Vreg) -> Vreg {
        match self.width {
            Width::V256 => {
                let both = self.insert_quad(Some(upper), Arg::Use(lower), 1);
                self.rows_from_quads(both)
            }
            Width::V512 => {
                let order = [0, 8, 1, 9, 2, 10, 3, 11];
                self.permute2(upper, lower, order)
            }
        }
    }

    /// Rows of a vector's two quads one behind the other, or such rows quad by quad.
    pub(super) fn rows_from_quads(&mut self, quads: Vreg) -> Vreg {
        self.unary_imm(Form::Permq, quads, ROWS_TO_QUADS)
    }

    /// 64 bits each of two vectors, in any order.
    pub(super) fn permute2(&mut self, a: Vreg, b: Vreg, order: [u32; 8]) -> Vreg {
        let order = self.pattern(order.map(|word| [word, 0]).as_flattened());
        let result = self.vector();
        let args = [Arg::Tied(result, a), Arg::Use(order), Arg::UseWhole(b)];
        self.push(Code::EVEX_Vpermt2q_zmm_k1z_zmm_zmmm512b64, &args);
        result
    }

    /// Pixels next to each other: the first of each quad, and the second.
    pub(super) fn pixels_apart(&mut self, a: Vreg, b: Vreg) -> [Vreg; 2] {
        match self.width {
            Width::V256 => [0x20, 0x31].map(|halves| self.halves([a, b], halves)),
            Width::V512 => [EVEN, ODD].map(|quads| {
                let args = [Arg::Use(a), Arg::Use(b), Arg::Imm(quads)];
                self.vector_of(Code::EVEX_Vshuff32x4_zmm_k1z_zmm_zmmm512b32_imm8, args)
            }),
        }
    }

    /// The opposite.
    fn pixels_beside(&mut self, a: Vreg, b: Vreg) -> [Vreg; 2] {
        match self.width {
            Width::V256 => [0x20, 0x31].map(|halves| self.halves([a, b], halves)),
            Width::V512 => [[0, 1, 8, 9, 2, 3, 10, 11], [4, 5, 12, 13, 6, 7, 14, 15]]
                .map(|order| self.permute2(a, b, order)),
        }
    }

    fn halves(&mut self, [a, b]: [Vreg; 2], halves: u8) -> Vreg {
        let args = [Arg::Use(a), Arg::Use(b), Arg::Imm(halves)];
        self.vector_of(Code::VEX_Vperm2f128_ymm_ymm_ymmm256_imm8, args)
    }

    /// Writes the pixels of a copy's quads, of a byte or of several words each.
    pub(super) fn store_pixels(&mut self, pixels: Pixels, words: &[Value], copy: usize) {
        let words: Vec<Vreg> = words.iter().map(|&word| self.value(word, copy)).collect();
        let rows = self.rows_of_words(&words);
        self.rows_of(pixels, copy);
        self.store_rows(pixels, &rows, copy);
    }

    /// Rows of pixels.
    fn rows_of_words(&mut self, words: &[Vreg]) -> Vec<Vreg> {
        match *words {
            [word] => self.rows_of_bytes(word).to_vec(),
            [r, g] => vec![
                self.binary_form(Form::Unpcklps, r, g),
                self.binary_form(Form::Unpckhps, r, g),
            ],
            [r, g, b, a] => {
                let [p0, p1, p2, p3] = self.transposed([r, g, b, a]);
                let (upper, lower) = (self.pixels_beside(p0, p1), self.pixels_beside(p2, p3));
                [upper, lower].concat()
            }
            _ => unreachable!("pixels of {} words", words.len()),
        }
    }

    /// Rows of the lowest bytes of words. Where there are masks, storing leaves the other bytes out.
    fn rows_of_bytes(&mut self, words: Vreg) -> [Vreg; 2] {
        let words = self.rows_beside(words);
        let both = match self.width {
            Width::V256 => {
                let lowest = self.byte_pattern(&[0, 4, 8, 12]);
                self.binary_form(Form::Pshufb, words, lowest)
            }
            Width::V512 => words,
        };
        let lower = self.vector_of(half_code(self.width), [Arg::Use(both), Arg::Imm(1)]);
        [both, lower]
    }

    /// Writes vectors to two rows.
    fn store_rows(&mut self, pixels: Pixels, rows: &[Vreg], copy: usize) {
        let bytes = self.width.bytes() as i32;
        let of_row = rows.len() / 2;
        let parts: Vec<Part> = (0..)
            .zip(rows)
            .map(|(place, &vreg): (usize, _)| Part {
                vreg,
                row: place / of_row,
                offset: (place % of_row) as i32 * bytes,
            })
            .collect();
        let pins: Args = rows.iter().map(|&vreg| Arg::Use(vreg)).collect();
        let code = row_code(self.width, pixels.bytes, Direction::Store);
        let store = |part: &Part, at: Mem, under| Inst::Op {
            code,
            args: Args::from_slice(&[Arg::Mem(at), Arg::Use(part.vreg)]),
            under,
        };
        let of_rows = [Register::RAX, Register::RCX];
        let in_row = |part: &Part| Mem::at(of_rows[part.row], part.offset);
        let hot = parts
            .iter()
            .map(|part| store(part, in_row(part), Under::All));
        let hot = hot.collect();
        let cold = match self.width {
            Width::V512 => {
                let store = |part: &Part| store(part, in_row(part), Under::Fixed(THERE));
                masked(pixels, copy, &parts, store)
            }
            Width::V256 => {
                let to_frame = |part| store(part, self.in_buffer(part), Under::All);
                let mut cold: Vec<Inst> = parts.iter().map(to_frame).collect();
                cold.extend(self.by_frame(pixels, copy, Direction::Store));
                cold
            }
        };
        self.split_at_end(copy, pins, hot, cold);
    }

    /// Copies the pixels that are there between the rows at `rax` and `rcx` and the frame.
    pub(super) fn by_frame(
        &mut self,
        pixels: Pixels,
        copy: usize,
        direction: Direction,
    ) -> Vec<Inst> {
        let done = self.label();
        // Those of a quad in a row, or as many as a register has.
        let step = (2 * pixels.size() as i32).min(8);
        let mut insts = vec![
            scalar::mov(Register::RDX, HERE),
            scalar::sub_constant(Register::RDX, (copy * self.width.quads()) as i32),
            scalar::jump(Code::Jbe_rel32_64, done),
            scalar::times(Register::RDX, Register::RDX, 2 * pixels.size() as i32),
        ];
        for (row, register) in [Register::RAX, Register::RCX].into_iter().enumerate() {
            let head: Label = self.label();
            let frame = Mem::at(FRAME, self.areas.buffer + 128 * row as i32 - step);
            let frame = frame.plus(Register::RSI, 1);
            let pixel = Mem::at(register, -step).plus(Register::RSI, 1);
            let (from, to) = match direction {
                Direction::Load => (pixel, frame),
                Direction::Store => (frame, pixel),
            };
            let [load, store] = match step {
                2 => [
                    scalar::load16(Register::EDI, from),
                    scalar::store16(to, Register::DI),
                ],
                _ => [
                    scalar::load(Register::RDI, from),
                    scalar::store(to, Register::RDI),
                ],
            };
            insts.extend([
                scalar::mov(Register::RSI, Register::RDX),
                Inst::Label(head),
                load,
                store,
                scalar::sub_constant(Register::RSI, step),
                scalar::jump(Code::Jne_rel32_64, head),
            ]);
        }
        insts.push(Inst::Label(done));
        insts
    }
}

/// The instruction that moves a part of a row of pixels of so many bytes.
pub(super) fn row_code(width: Width, bytes: u8, direction: Direction) -> Code {
    match (width, bytes, direction) {
        (Width::V256, 1, Direction::Load) => Code::VEX_Vpmovzxbd_xmm_xmmm32,
        (Width::V256, 1, Direction::Store) => Code::VEX_Vmovd_rm32_xmm,
        (Width::V512, 1, Direction::Load) => Code::EVEX_Vpmovzxbd_ymm_k1z_xmmm64,
        (Width::V512, 1, Direction::Store) => Code::EVEX_Vpmovdb_xmmm64_k1z_ymm,
        (Width::V256, 4, Direction::Load) => Code::VEX_Vmovups_xmm_xmmm128,
        (Width::V256, 4, Direction::Store) => Code::VEX_Vmovups_xmmm128_xmm,
        (Width::V512, 4, Direction::Load) => Code::EVEX_Vmovups_ymm_k1z_ymmm256,
        (Width::V512, 4, Direction::Store) => Code::EVEX_Vmovups_ymmm256_k1z_ymm,
        (_, _, Direction::Load) => Form::Movups.code(width),
        (_, _, Direction::Store) => Form::MovupsTo.code(width),
    }
}

/// Reading or writing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Load,
    Store,
}

/// Transfers under masks: `transfer` is that of a part whose mask is set.
fn masked(
    pixels: Pixels,
    copy: usize,
    parts: &[Part],
    transfer: impl Fn(&Part) -> Inst,
) -> Vec<Inst> {
    let mut insts = Vec::with_capacity(parts.len() * (MASK + 1));
    for part in parts {
        insts.extend(there(pixels, part.offset, copy));
        insts.push(transfer(part));
    }
    insts
}

/// Sets the mask of the pixels that are there, of a part of a row that begins after `offset` bytes.
pub(super) fn there(pixels: Pixels, offset: i32, copy: usize) -> [Inst; MASK] {
    // Words of two pixels.
    let of_quad = 2 * pixels.words() as i32;
    let (count, zero) = (Register::RSI, Register::RDI);
    [
        scalar::zero(Register::EDI),
        scalar::mov(count, HERE),
        scalar::sub_constant(count, 4 * copy as i32),
        scalar::if_below(count, zero),
        scalar::times(count, count, of_quad),
        scalar::constant64(zero, u64::MAX),
        scalar::low_bits(zero, zero, count),
        scalar::shift_right(zero, (offset / 4) as u8),
        scalar::raw2(Code::VEX_Kmovw_kr_r32, THERE, Register::EDI),
    ]
}
