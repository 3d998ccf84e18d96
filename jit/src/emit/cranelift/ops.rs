//! Operations without an effect, as the fewest instructions that do exactly what they say.
//!
//! The forms are chosen for what Cranelift makes of them (the tests pin it): its own vector `fmin`
//! and `fmax` take seven instructions on x86 and mean something else.

use attila_machine::Lanes;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F32X4, I8X16, I32, I32X4, I64};
use cranelift_codegen::ir::{self as clif, InstBuilder};
use cranelift_frontend::FunctionBuilder;

use super::memory::vector_type;
use super::shader::Emission;
use crate::ir::{Binary, Op, Shift, Unary, Value};
use crate::runtime::Entry;

/// The sign bit of a lane.
pub(super) const SIGN: u32 = 1 << 31;
/// The bits of the least normal number.
const LEAST_NORMAL: u32 = 1 << 23;
/// The exponent: 0 for zeros and denormals only.
const EXPONENT: u32 = 0x7f80_0000;
/// 2^31: the first f32 that does not fit an i32.
const TWO_TO_31: u32 = 0x4f00_0000;

/// The high half of the unsigned product of two lanes.
fn product_high(builder: &mut FunctionBuilder<'_>, [a, b]: [clif::Value; 2]) -> clif::Value {
    let [a, b] = [a, b].map(|lane| builder.ins().uextend(I64, lane));
    let product = builder.ins().imul(a, b);
    let high = builder.ins().ushr_imm_u(product, 32);
    builder.ins().ireduce(I32, high)
}

impl Emission<'_, '_> {
    pub(super) fn unary(&mut self, op: Unary, [a]: [Value; 1], quad: usize) -> clif::Value {
        let a = self.value(a, quad);
        match op {
            Unary::Fneg if self.native.vectors.memory_operands => {
                let sign = self.literal(SIGN, F32X4);
                self.ins().bxor(a, sign)
            }
            Unary::Fneg => self.ins().fneg(a),
            Unary::Fabs if self.native.vectors.memory_operands => {
                let magnitude = self.literal(!SIGN, F32X4);
                self.ins().band(a, magnitude)
            }
            Unary::Fabs => self.ins().fabs(a),
            Unary::Sqrt => self.ins().sqrt(a),
            Unary::Floor if self.native.round => self.ins().floor(a),
            Unary::Floor => self.call_pure(Entry::Floor, 0, &[a]),
            Unary::Nearest if self.native.round => self.ins().nearest(a),
            Unary::Nearest => self.call_pure(Entry::Nearest, 0, &[a]),
            Unary::Ceil if self.native.round => self.ins().ceil(a),
            Unary::Ceil => self.ceil(a),
            Unary::TowardZero if self.native.round => self.ins().trunc(a),
            Unary::TowardZero => self.toward_zero(a),
            Unary::Flush => self.flush(a),
            Unary::FlushToPlus => self.flush_to_plus(a),
            Unary::OneNan => {
                let is_nan = self.ins().fcmp(FloatCC::Unordered, a, a);
                let is_nan = self.cast(is_nan, F32X4);
                let nan = self.literal(0x7fff_ffff, F32X4);
                self.ins().bitselect(is_nan, nan, a)
            }
            Unary::Trunc => self.trunc(a),
            Unary::ToF32 => self.ins().fcvt_from_sint(F32X4, a),
            Unary::ToBits => self.cast(a, I32X4),
            Unary::FromBits => self.cast(a, F32X4),
            Unary::ToHalf => self.nearest_half(a),
            Unary::FromHalf => self.number_of_half(a),
            Unary::Iabs => self.ins().iabs(a),
            Unary::Not => {
                let all = self.literal(u32::MAX, I32X4);
                self.ins().bxor(a, all)
            }
        }
    }

    /// Clears the magnitudes that are below the least normal number. As integers they compare alike, and
    /// integers are compared and cleared in more places of a processor.
    fn flush(&mut self, a: clif::Value) -> clif::Value {
        let bits = self.cast(a, I32X4);
        let (magnitude, least) = (
            self.literal(!SIGN, I32X4),
            self.literal(LEAST_NORMAL, I32X4),
        );
        let size = self.ins().band(bits, magnitude);
        let is_tiny = self.ins().icmp(IntCC::SignedLessThan, size, least);
        let cleared = self.ins().band(is_tiny, size);
        let flushed = self.ins().bxor(bits, cleared);
        self.cast(flushed, F32X4)
    }

    fn flush_to_plus(&mut self, a: clif::Value) -> clif::Value {
        let bits = self.cast(a, I32X4);
        let (exponents, zero) = (self.literal(EXPONENT, I32X4), self.literal(0, I32X4));
        let exponent = self.ins().band(bits, exponents);
        let is_normal = self.ins().icmp(IntCC::SignedGreaterThan, exponent, zero);
        let flushed = self.ins().band(bits, is_normal);
        self.cast(flushed, F32X4)
    }

    pub(super) fn binary(&mut self, op: Binary, [a, b]: [Value; 2], quad: usize) -> clif::Value {
        // The second operand is the one that instructions can take from memory.
        let swap = op.commutes() && self.is_in_memory(a) && !self.is_in_memory(b);
        let (a, b) = if swap { (b, a) } else { (a, b) };
        let (a, b) = (self.value(a, quad), self.value(b, quad));
        match op {
            Binary::Fadd => self.ins().fadd(a, b),
            Binary::Fsub => self.ins().fsub(a, b),
            Binary::Fmul => self.ins().fmul(a, b),
            Binary::Fdiv => self.ins().fdiv(a, b),
            // In this form, and for the maximum with "less than" too, x86 has one instruction.
            Binary::Fmin => {
                let less = self.ins().fcmp(FloatCC::LessThan, a, b);
                self.bitselect(less, a, b)
            }
            Binary::Fmax => {
                let less = self.ins().fcmp(FloatCC::LessThan, b, a);
                self.bitselect(less, a, b)
            }
            Binary::Flt => self.ins().fcmp(FloatCC::LessThan, a, b),
            Binary::Fle => self.ins().fcmp(FloatCC::LessThanOrEqual, a, b),
            Binary::Feq => self.ins().fcmp(FloatCC::Equal, a, b),
            Binary::Iadd => self.ins().iadd(a, b),
            Binary::Isub => self.ins().isub(a, b),
            Binary::Imul => self.ins().imul(a, b),
            Binary::UmulHigh => self.lane_by_lane([a, b], product_high),
            Binary::Idiv => self.divide(true, 0, [a, b], |f, [a, b]| f.ins().sdiv(a, b)),
            Binary::Udiv => self.divide(false, u32::MAX, [a, b], |f, [a, b]| f.ins().udiv(a, b)),
            Binary::Irem => self.divide(true, u32::MAX, [a, b], |f, [a, b]| f.ins().srem(a, b)),
            Binary::Urem => self.divide(false, u32::MAX, [a, b], |f, [a, b]| f.ins().urem(a, b)),
            Binary::Imin => self.ins().smin(a, b),
            Binary::Imax => self.ins().smax(a, b),
            Binary::Umin => self.ins().umin(a, b),
            Binary::Umax => self.ins().umax(a, b),
            Binary::LeftBy => self.lane_by_lane([a, b], |f, [a, b]| f.ins().ishl(a, b)),
            Binary::RightUnsignedBy => self.lane_by_lane([a, b], |f, [a, b]| f.ins().ushr(a, b)),
            Binary::RightSignedBy => self.lane_by_lane([a, b], |f, [a, b]| f.ins().sshr(a, b)),
            Binary::And => self.ins().band(a, b),
            Binary::Or => self.ins().bor(a, b),
            Binary::Xor => self.ins().bxor(a, b),
            Binary::Ilt => self.ins().icmp(IntCC::SignedLessThan, a, b),
            Binary::Ult => self.ins().icmp(IntCC::UnsignedLessThan, a, b),
            Binary::Ieq => self.ins().icmp(IntCC::Equal, a, b),
        }
    }

    pub(super) fn shift(
        &mut self,
        op: Shift,
        [a]: [Value; 1],
        bits: u8,
        quad: usize,
    ) -> clif::Value {
        let a = self.value(a, quad);
        let bits = i64::from(bits);
        match op {
            Shift::Left => self.ins().ishl_imm_u(a, bits),
            Shift::RightUnsigned => self.ins().ushr_imm_u(a, bits),
            Shift::RightSigned => self.ins().sshr_imm_u(a, bits),
        }
    }

    /// a * b + c. A negation of an operand becomes part of the instruction.
    pub(super) fn fma(&mut self, operands: [Value; 3], quad: usize) -> clif::Value {
        let operands = operands.map(|operand| {
            if let Some(&negated) = self.plan.absorbed.get(&operand) {
                let negated = self.value(negated, quad);
                return self.ins().fneg(negated);
            }
            self.value(operand, quad)
        });
        self.fused(operands)
    }

    /// a * b + c of vectors, rounded once.
    pub(super) fn fused(&mut self, operands: [clif::Value; 3]) -> clif::Value {
        if !self.native.vectors.fma {
            return self.call_pure(Entry::Fma, 0, &operands);
        }
        let [a, b, c] = operands;
        self.ins().fma(a, b, c)
    }

    /// Per lane `mask ? a : b`.
    pub(super) fn select(&mut self, [mask, a, b]: [Value; 3], quad: usize) -> clif::Value {
        let ty = vector_type(self.function.node(a).ty);
        if self.function.node(b).op == Op::Const(0) {
            let (mask, a) = (self.value(mask, quad), self.value_as(a, I32X4, quad));
            let chosen = self.ins().band(a, mask);
            return self.cast(chosen, ty);
        }
        // Cranelift has `blendv` for integers only.
        let of = if self.native.blendv { I32X4 } else { ty };
        let mask = self.value(mask, quad);
        let (a, b) = (self.value_as(a, of, quad), self.value_as(b, of, quad));
        let chosen = if self.native.blendv {
            self.ins().blendv(mask, a, b)
        } else {
            self.bitselect(mask, a, b)
        };
        self.cast(chosen, ty)
    }

    fn bitselect(&mut self, mask: clif::Value, a: clif::Value, b: clif::Value) -> clif::Value {
        let ty = self.builder.func.dfg.value_type(a);
        let mask = self.cast(mask, ty);
        self.ins().bitselect(mask, a, b)
    }

    /// The smallest integer not below, where there is no instruction for it.
    fn ceil(&mut self, a: clif::Value) -> clif::Value {
        let sign = self.literal(SIGN, F32X4);
        let negated = self.ins().bxor(a, sign);
        let floor = self.call_pure(Entry::Floor, 0, &[negated]);
        let sign = self.literal(SIGN, F32X4);
        self.ins().bxor(floor, sign)
    }

    /// The integer part, where there is no instruction for it.
    fn toward_zero(&mut self, a: clif::Value) -> clif::Value {
        let magnitude = self.literal(!SIGN, F32X4);
        let magnitude = self.ins().band(a, magnitude);
        let floor = self.call_pure(Entry::Floor, 0, &[magnitude]);
        let sign = self.literal(SIGN, F32X4);
        let sign = self.ins().band(a, sign);
        self.ins().bor(floor, sign)
    }

    /// `f`, a division of one lane, for all lanes. Where the divisor is 0 the result is `of_zero`.
    ///
    /// Instructions for divisions trap for that, and for i32::MIN / -1. Both are divided by 1 instead,
    /// which for the latter gives the right result.
    fn divide(
        &mut self,
        is_signed: bool,
        of_zero: u32,
        [a, b]: [clif::Value; 2],
        f: impl Fn(&mut FunctionBuilder<'_>, [clif::Value; 2]) -> clif::Value,
    ) -> clif::Value {
        let (zero, one) = (self.literal(0, I32X4), self.literal(1, I32X4));
        let by_zero = self.ins().icmp(IntCC::Equal, b, zero);
        let mut traps = by_zero;
        if is_signed {
            let (least, minus_one) = (self.literal(SIGN, I32X4), self.literal(u32::MAX, I32X4));
            let is_least = self.ins().icmp(IntCC::Equal, a, least);
            let by_minus_one = self.ins().icmp(IntCC::Equal, b, minus_one);
            let overflows = self.ins().band(is_least, by_minus_one);
            traps = self.ins().bor(traps, overflows);
        }
        let divisor = self.ins().bitselect(traps, one, b);
        let result = self.lane_by_lane([a, divisor], f);
        let of_zero = self.literal(of_zero, I32X4);
        self.ins().bitselect(by_zero, of_zero, result)
    }

    /// `f` of each lane of integers, for which the code generator has no vector instruction.
    fn lane_by_lane<const N: usize>(
        &mut self,
        operands: [clif::Value; N],
        f: impl Fn(&mut FunctionBuilder<'_>, [clif::Value; N]) -> clif::Value,
    ) -> clif::Value {
        let mut result = operands[0];
        for lane in 0..4 {
            let of_lane = operands.map(|operand| self.ins().extractlane(operand, lane));
            let value = f(&mut self.builder, of_lane);
            result = self.ins().insertlane(result, value, lane);
        }
        result
    }

    /// Truncation, `i32::MIN` for NaN and everything out of range, as x86 has it.
    fn trunc(&mut self, a: clif::Value) -> clif::Value {
        if self.native.x86 {
            return self.ins().x86_cvtt2dq(I32X4, a);
        }
        // Saturates: below the range that is the right answer already.
        let saturated = self.ins().fcvt_to_sint_sat(I32X4, a);
        let limit = self.literal(TWO_TO_31, F32X4);
        let fits = self.ins().fcmp(FloatCC::LessThan, a, limit);
        let min = self.literal(SIGN, I32X4);
        self.ins().bitselect(fits, saturated, min)
    }

    /// Lane n of the result is lane `lanes[n]` of `a`.
    pub(super) fn shuffle(
        &mut self,
        [a]: [Value; 1],
        lanes: Lanes<u8>,
        quad: usize,
    ) -> clif::Value {
        let a = self.value(a, quad);
        let ty = self.builder.func.dfg.value_type(a);
        let bytes: Vec<u8> = lanes
            .iter()
            .flat_map(|lane| (0..4).map(move |byte| lane * 4 + byte))
            .collect();
        let pattern = self.builder.func.dfg.immediates.push(bytes.into());
        let a = self.cast(a, I8X16);
        let shuffled = self.ins().shuffle(a, a, pattern);
        self.cast(shuffled, ty)
    }

    /// A scalar that is not 0 if any lane of the mask is set.
    pub(super) fn any_lane(&mut self, mask: clif::Value) -> clif::Value {
        if self.native.x86 {
            self.ins().vhigh_bits(I32, mask)
        } else {
            self.ins().vany_true(mask)
        }
    }
}
