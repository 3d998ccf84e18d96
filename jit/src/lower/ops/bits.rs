//! Operations on the bits of integers.

use attila_isa::{BitsOp, Inst};
use attila_machine::arith::Arith;

use crate::ir::{Binary, Builder, Value};
use crate::lower::Lower;

impl Lower<'_> {
    /// Lowers an instruction of this section.
    pub(super) fn bits_op(&mut self, op: BitsOp, inst: &Inst) {
        match op {
            BitsOp::And => self.integers(inst, |b, x, y| b.iand(x, y)),
            BitsOp::Or => self.integers(inst, |b, x, y| b.ior(x, y)),
            BitsOp::Xor => self.integers(inst, |b, x, y| b.ixor(x, y)),
            BitsOp::Not => self.integer(inst, complement),
            BitsOp::Shl => self.integers(inst, |b, x, y| b.binary(Binary::LeftBy, x, y)),
            BitsOp::Ishr => self.integers(inst, |b, x, y| b.binary(Binary::RightSignedBy, x, y)),
            BitsOp::Ibfe => self.field(inst, Binary::RightSignedBy),
            BitsOp::Ubfe => self.field(inst, Binary::RightUnsignedBy),
            BitsOp::Bfm => self.integers(inst, field_mask),
            BitsOp::Bsel => self.bsel(inst),
            BitsOp::Popc => self.integer(inst, count),
            BitsOp::Brev => self.integer(inst, reversed),
            BitsOp::Lsb => self.integer(inst, lowest),
            BitsOp::Imsb => self.integer(inst, highest_but_sign),
            BitsOp::Umsb => self.integer(inst, highest),
            BitsOp::Ushr => {
                self.integers(inst, |b, x, y| b.binary(Binary::RightUnsignedBy, x, y));
            }
        }
    }

    /// A field of the first operand, which `right` shifts to its place.
    fn field(&mut self, inst: &Inst, right: Binary) {
        self.write(inst, |l, c| {
            let a = l.int(inst, 0, c);
            let (offset, width) = (l.int(inst, 1, c), l.int(inst, 2, c));
            field(&mut l.b, right, [a, offset, width])
        });
    }

    /// Bits of the second operand where the first has them set, else of the third.
    fn bsel(&mut self, inst: &Inst) {
        self.write(inst, |l, c| {
            let mask = l.int(inst, 0, c);
            let (x, y) = (l.int(inst, 1, c), l.int(inst, 2, c));
            let difference = l.b.ixor(x, y);
            let chosen = l.b.iand(mask, difference);
            l.b.ixor(chosen, y)
        });
    }
}

/// The field of `a` that begins at bit `offset`. It is shifted to the word's upper end and back; if it
/// ends beyond, only back.
fn field(b: &mut Builder, right: Binary, [a, offset, width]: [Value; 3]) -> Value {
    let (low, bits, zero) = (b.i32(31), b.i32(32), b.i32(0));
    let is_32 = b.ieq(width, bits);
    let (offset, width) = (b.iand(offset, low), b.iand(width, low));
    let end = b.iadd(offset, width);
    let (above, rest) = (b.isub(bits, end), b.isub(bits, width));
    let upper = b.binary(Binary::LeftBy, a, above);
    let inside = b.binary(right, upper, rest);
    let cut = b.binary(right, a, offset);
    let is_inside = b.ilt(end, bits);
    let field = b.iselect(is_inside, inside, cut);
    let (is_empty, at_start) = (b.ieq(width, zero), b.ieq(offset, zero));
    let field = b.iselect(is_empty, zero, field);
    let is_all = b.both(is_32, at_start);
    b.iselect(is_all, a, field)
}

/// A mask of `width` bits from bit `offset` on. All bits for 32.
fn field_mask(b: &mut Builder, width: Value, offset: Value) -> Value {
    let (one, bits, all) = (b.i32(1), b.i32(32), b.i32(-1));
    let end = b.binary(Binary::LeftBy, one, width);
    let ones = b.isub(end, one);
    let mask = b.binary(Binary::LeftBy, ones, offset);
    let is_32 = b.ieq(width, bits);
    b.iselect(is_32, all, mask)
}

/// The number of bits that are set: sums of 2, 4 and 8 bits, then of all bytes.
fn count(b: &mut Builder, a: Value) -> Value {
    let (pairs, fours, bytes) = (b.i32(0x5555_5555), b.i32(0x3333_3333), b.i32(0x0f0f_0f0f));
    let odd = b.shr_u(a, 1);
    let odd = b.iand(odd, pairs);
    let twos = b.isub(a, odd);
    let odd = b.shr_u(twos, 2);
    let (odd, even) = (b.iand(odd, fours), b.iand(twos, fours));
    let sums = b.iadd(odd, even);
    let odd = b.shr_u(sums, 4);
    let sums = b.iadd(sums, odd);
    let sums = b.iand(sums, bytes);
    let all_bytes = b.i32(0x0101_0101);
    let sum = b.imul(sums, all_bytes);
    b.shr_u(sum, 24)
}

/// Neighbours change places: bits, pairs, and so on up to halves.
fn reversed(b: &mut Builder, a: Value) -> Value {
    let steps = [
        (1, 0x5555_5555),
        (2, 0x3333_3333),
        (4, 0x0f0f_0f0f),
        (8, 0x00ff_00ff),
        (16, 0x0000_ffff),
    ];
    steps.into_iter().fold(a, |bits, (by, lower)| {
        let lower = b.i32(lower);
        let upper = b.shr_u(bits, by);
        let (upper, lower) = (b.iand(upper, lower), b.iand(bits, lower));
        let lower = b.shl(lower, by);
        b.ior(upper, lower)
    })
}

/// The number of the lowest bit that is set: of the bits below. -1 for 0.
pub(super) fn lowest(b: &mut Builder, a: Value) -> Value {
    let (zero, one, none) = (b.i32(0), b.i32(1), b.i32(-1));
    let negated = b.isub(zero, a);
    let bit = b.iand(a, negated);
    let below = b.isub(bit, one);
    let number = count(b, below);
    let is_zero = b.ieq(a, zero);
    b.iselect(is_zero, none, number)
}

/// The number of the highest bit that is set, -1 for 0: all bits below it are set and counted.
fn highest(b: &mut Builder, a: Value) -> Value {
    let filled = [1, 2, 4, 8, 16].into_iter().fold(a, |bits, by| {
        let below = b.shr_u(bits, by);
        b.ior(bits, below)
    });
    let (count, one) = (count(b, filled), b.i32(1));
    b.isub(count, one)
}

/// The same of a number's complement if it is negative.
fn highest_but_sign(b: &mut Builder, a: Value) -> Value {
    let sign = b.shr_s(a, 31);
    let bits = b.ixor(a, sign);
    highest(b, bits)
}

/// `~a`.
fn complement(b: &mut Builder, a: Value) -> Value {
    let all = b.i32(-1);
    b.ixor(a, all)
}
