//! Numbers with 16 bits, binary16, by operations on words.

use super::function::Emission;
use super::locals::Local;
use super::ops::SIGN;
use crate::emit::half::{
    BIAS, HALF, HALF_INFINITY, HALF_LEAST_NORMAL, HALF_MAGNITUDE, HALF_NAN, HALF_SIGN, LAST_PLACE,
    LEAST_NORMAL, OVERFLOW,
};

impl Emission<'_> {
    /// The nearest binary16 to a vector of f32 on the stack.
    pub(super) fn nearest_half(&mut self) {
        let a = self.vector();
        self.push(a);
        self.masked(!SIGN);
        let bits = self.vector();
        self.literal(HALF_NAN);
        // Adding 1/2 rounds a denormal to its last place.
        self.push(bits);
        self.literal(HALF);
        self.ins().f32x4_add();
        self.literal(HALF);
        self.ins().i32x4_sub();
        self.nearest_normal_half(bits);
        self.is_below(bits, LEAST_NORMAL);
        self.ins().v128_bitselect();
        self.literal(HALF_INFINITY);
        self.is_below(bits, OVERFLOW);
        self.ins().v128_bitselect();
        self.push(a);
        self.ins().i32_const(16).i32x4_shr_u();
        self.masked(HALF_SIGN);
        self.ins().v128_or();
        self.if_nan(a);
        self.ins().v128_bitselect();
    }

    /// The bits of a normal binary16, of those of a binary32 without sign.
    fn nearest_normal_half(&mut self, bits: Local) {
        // Half of the last place minus one, and one more if the last place is odd.
        self.push(bits);
        self.literal(0xfff_u32.wrapping_sub(BIAS));
        self.ins().i32x4_add();
        self.push(bits);
        self.ins().i32_const(13).i32x4_shr_u();
        self.masked(1);
        self.ins().i32x4_add().i32_const(13).i32x4_shr_u();
    }

    /// The number that is the binary16 in the lower half of each word on the stack.
    pub(super) fn number_of_half(&mut self) {
        let word = self.vector();
        self.push(word);
        self.masked(HALF_MAGNITUDE);
        let magnitude = self.vector();
        self.push(magnitude);
        self.ins().f32x4_convert_i32x4_s();
        self.literal(LAST_PLACE);
        self.ins().f32x4_mul();
        self.push(magnitude);
        self.ins().i32_const(13).i32x4_shl();
        self.literal(BIAS);
        self.ins().i32x4_add();
        let normal = self.vector();
        self.push(normal);
        self.push(normal);
        self.literal(BIAS);
        self.ins().i32x4_add();
        self.is_below(magnitude, HALF_INFINITY);
        self.ins().v128_bitselect();
        self.is_below(magnitude, HALF_LEAST_NORMAL);
        self.ins().v128_bitselect();
        self.push(word);
        self.masked(HALF_SIGN);
        self.ins().i32_const(16).i32x4_shl().v128_or();
    }

    /// The bits of a mask of what is on the stack.
    pub(super) fn masked(&mut self, mask: u32) {
        self.literal(mask);
        self.ins().v128_and();
    }

    fn is_below(&mut self, word: Local, limit: u32) {
        self.push(word);
        self.literal(limit);
        self.ins().i32x4_lt_s();
    }
}
