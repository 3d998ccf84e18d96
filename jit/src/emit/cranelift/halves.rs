//! Numbers with 16 bits, binary16: Cranelift has no instructions for vectors of them.

use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F32X4, I32X4};

use super::ops::SIGN;
use super::shader::Emission;
use crate::emit::half::{
    BIAS, HALF, HALF_INFINITY, HALF_LEAST_NORMAL, HALF_MAGNITUDE, HALF_NAN, HALF_SIGN, LAST_PLACE,
    LEAST_NORMAL, OVERFLOW,
};

impl Emission<'_, '_> {
    /// The nearest binary16 to a vector of f32.
    pub(super) fn nearest_half(&mut self, a: clif::Value) -> clif::Value {
        let word = self.cast(a, I32X4);
        let bits = self.masked(word, !SIGN);
        let normal = self.nearest_normal_half(bits);
        // Adding 1/2 rounds a denormal to its last place.
        let magnitude = self.cast(bits, F32X4);
        let half = self.literal(HALF, F32X4);
        let denormal = self.ins().fadd(magnitude, half);
        let denormal = self.cast(denormal, I32X4);
        let half = self.literal(HALF, I32X4);
        let denormal = self.ins().isub(denormal, half);
        let is_denormal = self.is_below(bits, LEAST_NORMAL);
        let rounded = self.ins().bitselect(is_denormal, denormal, normal);
        let (fits, infinity) = (self.is_below(bits, OVERFLOW), HALF_INFINITY);
        let infinity = self.literal(infinity, I32X4);
        let rounded = self.ins().bitselect(fits, rounded, infinity);
        let sign = self.ins().ushr_imm_u(word, 16);
        let sign = self.masked(sign, HALF_SIGN);
        let signed = self.ins().bor(rounded, sign);
        let is_nan = self.ins().fcmp(FloatCC::Unordered, a, a);
        let nan = self.literal(HALF_NAN, I32X4);
        self.ins().bitselect(is_nan, nan, signed)
    }

    /// The bits of a normal binary16, of those of a binary32 without sign.
    fn nearest_normal_half(&mut self, bits: clif::Value) -> clif::Value {
        // Half of the last place minus one, and one more if the last place is odd.
        let last = self.ins().ushr_imm_u(bits, 13);
        let odd = self.masked(last, 1);
        let below_half = self.literal(0xfff_u32.wrapping_sub(BIAS), I32X4);
        let rounded = self.ins().iadd(bits, below_half);
        let rounded = self.ins().iadd(rounded, odd);
        self.ins().ushr_imm_u(rounded, 13)
    }

    /// The number that is the binary16 in the lower half of each word.
    pub(super) fn number_of_half(&mut self, word: clif::Value) -> clif::Value {
        let magnitude = self.masked(word, HALF_MAGNITUDE);
        let bits = self.ins().ishl_imm_u(magnitude, 13);
        let bias = self.literal(BIAS, I32X4);
        let normal = self.ins().iadd(bits, bias);
        let special = self.ins().iadd(normal, bias);
        let is_number = self.is_below(magnitude, HALF_INFINITY);
        let normal = self.ins().bitselect(is_number, normal, special);
        let denormal = self.ins().fcvt_from_sint(F32X4, magnitude);
        let last_place = self.literal(LAST_PLACE, F32X4);
        let denormal = self.ins().fmul(denormal, last_place);
        let denormal = self.cast(denormal, I32X4);
        let is_denormal = self.is_below(magnitude, HALF_LEAST_NORMAL);
        let bits = self.ins().bitselect(is_denormal, denormal, normal);
        let sign = self.masked(word, HALF_SIGN);
        let sign = self.ins().ishl_imm_u(sign, 16);
        let bits = self.ins().bor(bits, sign);
        self.cast(bits, F32X4)
    }

    fn masked(&mut self, word: clif::Value, mask: u32) -> clif::Value {
        let mask = self.literal(mask, I32X4);
        self.ins().band(word, mask)
    }

    fn is_below(&mut self, word: clif::Value, limit: u32) -> clif::Value {
        let limit = self.literal(limit, I32X4);
        self.ins().icmp(IntCC::SignedLessThan, word, limit)
    }
}
