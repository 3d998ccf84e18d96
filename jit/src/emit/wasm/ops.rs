//! Operations without an effect, on vectors of 128 bits.

use attila_machine::Lanes;
use wasm_encoder::InstructionSink;

use super::function::Emission;
use super::locals::Local;
use crate::ir::{Binary, Op, Shift, Unary, Value};

/// The sign bit of a lane.
pub(super) const SIGN: u32 = 1 << 31;
/// The bits of the least normal number.
const LEAST_NORMAL: u32 = 1 << 23;
/// The exponent: 0 for zeros and denormals only.
const EXPONENT: u32 = 0x7f80_0000;
/// 2^31: the first f32 that does not fit an i32.
const TWO_TO_31: u32 = 0x4f00_0000;
/// The NaN of [`Unary::OneNan`].
const ONE_NAN: u32 = 0x7fff_ffff;

/// An instruction on what is on the stack.
pub(super) type Instruction =
    for<'s, 'c> fn(&'s mut InstructionSink<'c>) -> &'s mut InstructionSink<'c>;

/// A division of integers.
struct Division {
    instruction: Instruction,
    /// Whether i32::MIN / -1 traps.
    overflows: bool,
    /// The result where the divisor is 0.
    of_zero: u32,
}

impl Emission<'_> {
    pub(super) fn unary(&mut self, op: Unary, [a]: [Value; 1]) {
        self.get(a);
        let is_bounded =
            op == Unary::Trunc && self.most(a, 3).is_some_and(|most| most < 2_f32.powi(31));
        match op {
            Unary::Fneg => self.then(|i| i.f32x4_neg()),
            Unary::Fabs => self.then(|i| i.f32x4_abs()),
            Unary::Sqrt => self.then(|i| i.f32x4_sqrt()),
            Unary::Floor => self.then(|i| i.f32x4_floor()),
            Unary::Nearest => self.then(|i| i.f32x4_nearest()),
            Unary::Ceil => self.then(|i| i.f32x4_ceil()),
            Unary::TowardZero => self.then(|i| i.f32x4_trunc()),
            Unary::Flush => self.flush(),
            Unary::FlushToPlus => self.flush_to_plus(),
            Unary::OneNan => self.one_nan(),
            Unary::Trunc => self.trunc(is_bounded),
            Unary::ToF32 => self.then(|i| i.f32x4_convert_i32x4_s()),
            Unary::ToBits | Unary::FromBits => {}
            Unary::ToHalf => self.nearest_half(),
            Unary::FromHalf => self.number_of_half(),
            Unary::Iabs => self.then(|i| i.i32x4_abs()),
            Unary::Not => self.then(|i| i.v128_not()),
        }
    }

    /// Clears the magnitudes that are below the least normal number.
    fn flush(&mut self) {
        let bits = self.vector();
        self.push(bits);
        self.literal(!SIGN);
        self.ins().v128_and();
        let size = self.vector();
        self.push(bits);
        self.push(size);
        self.literal(LEAST_NORMAL);
        self.ins().i32x4_lt_s();
        self.push(size);
        self.ins().v128_and().v128_xor();
    }

    fn flush_to_plus(&mut self) {
        let bits = self.vector();
        self.push(bits);
        self.push(bits);
        self.literal(EXPONENT);
        self.ins().v128_and();
        self.literal(0);
        self.ins().i32x4_gt_s().v128_and();
    }

    fn one_nan(&mut self) {
        let a = self.vector();
        self.literal(ONE_NAN);
        self.push(a);
        self.if_nan(a);
        self.ins().v128_bitselect();
    }

    /// Pushes the mask of the lanes that are NaN.
    pub(super) fn if_nan(&mut self, a: Local) {
        self.ins().local_get(a.0).local_get(a.0).f32x4_ne();
    }

    /// Truncation, `i32::MIN` for NaN and everything out of range. `is_bounded`: only below the range is possible, where
    /// saturating and relaxed instructions give that, too.
    fn trunc(&mut self, is_bounded: bool) {
        let instruction: Instruction = match self.options.fused {
            true => |i| i.i32x4_relaxed_trunc_f32x4_s(),
            false => |i| i.i32x4_trunc_sat_f32x4_s(),
        };
        if is_bounded {
            return self.then(instruction);
        }
        let a = self.vector();
        self.push(a);
        self.then(instruction);
        self.literal(SIGN);
        self.push(a);
        self.literal(TWO_TO_31);
        self.ins().f32x4_lt().v128_bitselect();
    }

    /// A number that none of a value's lanes is above, if none can be NaN: of a minimum with a literal, which so many
    /// operations may have scaled or moved.
    fn most(&self, value: Value, operations: usize) -> Option<f32> {
        let literal = |value| self.function.constant(value).map(f32::from_bits);
        if let Some(literal) = literal(value) {
            return (!literal.is_nan()).then_some(literal);
        }
        let node = self.function.node(value);
        let (Op::Binary(op), &[a, b]) = (node.op, &*node.operands) else {
            return None;
        };
        let operations = operations.checked_sub(1)?;
        if op == Binary::Fmin {
            // `a < b ? a : b`
            return self.most(b, operations);
        }
        // An infinity stays one.
        let literal = literal(b).filter(|it| it.is_finite() && *it > 0.0)?;
        match (op == Binary::Fmul, op == Binary::Fadd) {
            (true, _) => Some(self.most(a, operations)? * literal),
            (_, true) => Some(self.most(a, operations)? + literal),
            (_, _) => None,
        }
    }

    pub(super) fn binary(&mut self, op: Binary, of: [Value; 2]) {
        let division = |instruction, overflows, of_zero| Division {
            instruction,
            overflows,
            of_zero,
        };
        match op {
            Binary::Fadd => self.both(of, |i| i.f32x4_add()),
            Binary::Fsub => self.both(of, |i| i.f32x4_sub()),
            Binary::Fmul => self.both(of, |i| i.f32x4_mul()),
            Binary::Fdiv => self.both(of, |i| i.f32x4_div()),
            // `pmin` is `b < a ? b : a`, `pmax` is `a < b ? b : a`.
            Binary::Fmin => self.both([of[1], of[0]], |i| i.f32x4_pmin()),
            Binary::Fmax => self.both([of[1], of[0]], |i| i.f32x4_pmax()),
            Binary::Flt => self.both(of, |i| i.f32x4_lt()),
            Binary::Fle => self.both(of, |i| i.f32x4_le()),
            Binary::Feq => self.both(of, |i| i.f32x4_eq()),
            Binary::Iadd => self.both(of, |i| i.i32x4_add()),
            Binary::Isub => self.both(of, |i| i.i32x4_sub()),
            Binary::Imul => self.both(of, |i| i.i32x4_mul()),
            Binary::UmulHigh => self.product_high(of),
            Binary::Idiv => self.divide(of, &division(|i| i.i32_div_s(), true, 0)),
            Binary::Udiv => self.divide(of, &division(|i| i.i32_div_u(), false, u32::MAX)),
            Binary::Irem => self.divide(of, &division(|i| i.i32_rem_s(), false, u32::MAX)),
            Binary::Urem => self.divide(of, &division(|i| i.i32_rem_u(), false, u32::MAX)),
            Binary::Imin => self.both(of, |i| i.i32x4_min_s()),
            Binary::Imax => self.both(of, |i| i.i32x4_max_s()),
            Binary::Umin => self.both(of, |i| i.i32x4_min_u()),
            Binary::Umax => self.both(of, |i| i.i32x4_max_u()),
            Binary::LeftBy => self.lane_by_lane(of, |i| i.i32_shl()),
            Binary::RightUnsignedBy => self.lane_by_lane(of, |i| i.i32_shr_u()),
            Binary::RightSignedBy => self.lane_by_lane(of, |i| i.i32_shr_s()),
            Binary::And => self.both(of, |i| i.v128_and()),
            Binary::Or => self.both(of, |i| i.v128_or()),
            Binary::Xor => self.both(of, |i| i.v128_xor()),
            Binary::Ilt => self.both(of, |i| i.i32x4_lt_s()),
            Binary::Ult => self.both(of, |i| i.i32x4_lt_u()),
            Binary::Ieq => self.both(of, |i| i.i32x4_eq()),
        }
    }

    /// An instruction on two values.
    pub(super) fn both(&mut self, [a, b]: [Value; 2], instruction: Instruction) {
        self.get(a);
        self.get(b);
        instruction(&mut self.ins());
    }

    /// An instruction on what is on the stack.
    pub(super) fn then(&mut self, instruction: Instruction) {
        instruction(&mut self.ins());
    }

    /// The high halves of the unsigned products of lanes.
    fn product_high(&mut self, of: [Value; 2]) {
        self.both(of, |i| i.i64x2_extmul_low_i32x4_u());
        self.both(of, |i| i.i64x2_extmul_high_i32x4_u());
        self.shuffle_words(ODD);
    }

    /// An instruction on each lane of two values, for which there is none on vectors.
    fn lane_by_lane(&mut self, [a, b]: [Value; 2], instruction: Instruction) {
        let (a, b) = (self.local(a), self.local(b));
        self.lanes_of([a, b], instruction);
    }

    fn lanes_of(&mut self, [a, b]: [Local; 2], instruction: Instruction) {
        self.push(a);
        for lane in 0..4 {
            self.push(a);
            self.ins().i32x4_extract_lane(lane);
            self.push(b);
            self.ins().i32x4_extract_lane(lane);
            self.then(instruction);
            self.ins().i32x4_replace_lane(lane);
        }
    }

    /// Instructions for divisions trap for 0 and for i32::MIN / -1. Both are divided by 1 instead, which for the latter
    /// gives the right result.
    fn divide(&mut self, [a, b]: [Value; 2], division: &Division) {
        let (a, b) = (self.local(a), self.local(b));
        self.push(b);
        self.literal(0);
        self.ins().i32x4_eq();
        let by_zero = self.vector();
        self.literal(1);
        self.push(b);
        self.push(by_zero);
        if division.overflows {
            self.push(a);
            self.literal(SIGN);
            self.ins().i32x4_eq();
            self.push(b);
            self.literal(u32::MAX);
            self.ins().i32x4_eq().v128_and().v128_or();
        }
        self.ins().v128_bitselect();
        let divisor = self.vector();
        self.literal(division.of_zero);
        self.lanes_of([a, divisor], division.instruction);
        self.push(by_zero);
        self.ins().v128_bitselect();
    }

    pub(super) fn shift(&mut self, op: Shift, [a]: [Value; 1], bits: u8) {
        self.get(a);
        self.ins().i32_const(bits.into());
        match op {
            Shift::Left => self.then(|i| i.i32x4_shl()),
            Shift::RightUnsigned => self.then(|i| i.i32x4_shr_u()),
            Shift::RightSigned => self.then(|i| i.i32x4_shr_s()),
        }
    }

    /// Per lane `mask ? a : b`.
    pub(super) fn select(&mut self, [mask, a, b]: [Value; 3]) {
        self.get(a);
        if self.function.node(b).op == Op::Const(0) {
            self.get(mask);
            self.ins().v128_and();
            return;
        }
        self.get(b);
        self.get(mask);
        self.ins().v128_bitselect();
    }

    /// Lane n of the result is lane `lanes[n]` of `a`.
    pub(super) fn shuffle(&mut self, [a]: [Value; 1], lanes: Lanes<u8>) {
        self.both([a, a], |i| i);
        self.shuffle_words(lanes);
    }

    /// Words of two vectors on the stack: 0 to 3 of the first, 4 to 7 of the second.
    pub(super) fn shuffle_words(&mut self, words: [u8; 4]) {
        let bytes = words.map(|word| [0, 1, 2, 3].map(|byte| 4 * word + byte));
        let bytes = bytes.as_flattened().try_into().expect("four words");
        self.ins().i8x16_shuffle(bytes);
    }
}

/// The lower halves of two vectors, word by word.
pub(super) const LOW_WORDS: [u8; 4] = [0, 4, 1, 5];
/// The upper halves, word by word.
pub(super) const HIGH_WORDS: [u8; 4] = [2, 6, 3, 7];
/// The lower halves, one after the other.
pub(super) const LOW_HALVES: [u8; 4] = [0, 1, 4, 5];
/// The upper halves, one after the other.
pub(super) const HIGH_HALVES: [u8; 4] = [2, 3, 6, 7];
/// Every other word, from the first on.
pub(super) const EVEN: [u8; 4] = [0, 2, 4, 6];
/// The others.
pub(super) const ODD: [u8; 4] = [1, 3, 5, 7];
