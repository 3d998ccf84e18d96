//! Operations on f64, two lanes of each quad to a vector; and divisions of integers, whose quotients f64
//! hold exactly.

use iced_x86::Code;

use super::forms::{Form, Width};
use super::mir::{Arg, Fma, Inst, Under, Vreg};
use super::select::{CEIL, EQ, EVEN, FLOOR, LE, LT, NEAREST, ODD, TOWARD_ZERO, UNORDERED};
use super::values::Emission;
use crate::ir::{Binary, Compare, Compute, DoubleOp, Half, Value, Word};

/// The bits of every NaN that is settled: low word, high word.
const NAN: [u32; 2] = [0, 0x7ff8_0000];
/// The sign bit.
const SIGN: [u32; 2] = [0, 1 << 31];
/// 2^31.
const TWO_TO_31: [u32; 2] = [0, 0x41e0_0000];

impl Emission<'_> {
    /// An operation on f64.
    pub(super) fn double(&mut self, op: DoubleOp, of: &[Value], copy: usize) -> Vreg {
        let of: Vec<Vreg> = of.iter().map(|&value| self.value(value, copy)).collect();
        match op {
            DoubleOp::Compute(op) => self.compute(op, &of),
            DoubleOp::Compare(op) => self.compare_doubles(op, [of[0], of[1]], [of[2], of[3]]),
            DoubleOp::ToF32 => {
                let halves = [of[0], of[1]].map(|half| self.unary_form(Form::Cvtpd2ps, half));
                self.joined(halves[0], halves[1])
            }
            DoubleOp::Word(Word::Low) => self.binary_imm(Form::Shufps, [of[0], of[1]], EVEN),
            DoubleOp::Word(Word::High) => self.binary_imm(Form::Shufps, [of[0], of[1]], ODD),
            DoubleOp::Join(Half::First) => self.binary_form(Form::Unpcklps, of[0], of[1]),
            DoubleOp::Join(Half::Second) => self.binary_form(Form::Unpckhps, of[0], of[1]),
            DoubleOp::OfF32(half) => self.of_half(Form::Cvtps2pd, of[0], half),
            DoubleOp::OfI32(half) => self.of_half(Form::Cvtdq2pd, of[0], half),
        }
    }

    /// Numbers of two lanes of each quad as f64.
    fn of_half(&mut self, form: Form, of: Vreg, half: Half) -> Vreg {
        let first = half.index() as u32;
        let together = match self.width {
            Width::V256 => {
                let order = (first | (first + 2) << 2) as u8;
                self.unary_imm(Form::Permq, of, order)
            }
            Width::V512 => self.permute(of, [0, 2, 4, 6, 0, 2, 4, 6].map(|pair| pair + first)),
        };
        self.unary_form(form, together)
    }

    fn compute(&mut self, op: Compute, of: &[Vreg]) -> Vreg {
        match (op, of) {
            (Compute::Add, &[a, b]) => self.binary_form(Form::Addpd, a, b),
            (Compute::Sub, &[a, b]) => self.binary_form(Form::Subpd, a, b),
            (Compute::Mul, &[a, b]) => self.binary_form(Form::Mulpd, a, b),
            (Compute::Div, &[a, b]) => self.binary_form(Form::Divpd, a, b),
            (Compute::Sqrt, &[a]) => self.unary_form(Form::Sqrtpd, a),
            (Compute::Neg, &[a]) => self.with_pattern(Form::Xor, a, &SIGN),
            (Compute::Abs, &[a]) => self.with_pattern(Form::And, a, &SIGN.map(|word| !word)),
            (Compute::Floor, &[a]) => self.unary_imm(Form::Roundpd, a, FLOOR),
            (Compute::Ceil, &[a]) => self.unary_imm(Form::Roundpd, a, CEIL),
            (Compute::TowardZero, &[a]) => self.unary_imm(Form::Roundpd, a, TOWARD_ZERO),
            (Compute::Nearest, &[a]) => self.unary_imm(Form::Roundpd, a, NEAREST),
            (Compute::Settle, &[a]) => self.settled(a),
            (Compute::Fma, &[a, b, c]) => {
                let result = self.vector();
                self.insts.push(Inst::Fma(Fma {
                    result,
                    of: [a, b, c],
                    negates_product: false,
                    negates_sum: false,
                    double: true,
                }));
                result
            }
            (op, of) => unreachable!("{op:?} of {} operands", of.len()),
        }
    }

    fn with_pattern(&mut self, form: Form, a: Vreg, words: &[u32; 2]) -> Vreg {
        let pattern = self.pattern(words);
        self.binary_form(form, a, pattern)
    }

    /// Every NaN with the same bits.
    fn settled(&mut self, a: Vreg) -> Vreg {
        let is_nan = self.binary_imm(Form::Cmppd, [a, a], UNORDERED);
        let nan = self.pattern(&NAN);
        match self.width {
            Width::V256 => self.choose(is_nan, nan, a),
            Width::V512 => {
                let result = self.vector();
                let args = [Arg::Def(result), Arg::Use(a), Arg::UseWhole(nan)];
                let code = Code::EVEX_Vblendmpd_zmm_k1z_zmm_zmmm512b64;
                self.push_under(code, &args, Under::Mask(is_nan));
                result
            }
        }
    }

    /// A mask for each lane.
    fn compare_doubles(&mut self, op: Compare, a: [Vreg; 2], b: [Vreg; 2]) -> Vreg {
        let how = match op {
            Compare::Lt => LT,
            Compare::Le => LE,
            Compare::Eq => EQ,
        };
        let halves = [0, 1].map(|half| {
            let mask = self.binary_imm(Form::Cmppd, [a[half], b[half]], how);
            if self.width == Width::V256 {
                return mask;
            }
            self.vector_of(Code::EVEX_Vpmovm2q_zmm_kr, [Arg::Use(mask)])
        });
        let words = self.binary_imm(Form::Shufps, halves, EVEN);
        self.vector_to_mask(words)
    }

    /// A division of integers or its remainder. Quotients of integers of 32 bits are further from the next
    /// integer than their f64 is from them, so that its integer part is right.
    pub(super) fn divide(&mut self, op: Binary, a: Vreg, b: Vreg) -> Vreg {
        let is_signed = matches!(op, Binary::Idiv | Binary::Irem);
        let halves = Half::ALL.map(|half| {
            let [x, y] = [a, b].map(|it| self.integer_as_double(it, half, is_signed));
            let quotient = self.binary_form(Form::Divpd, x, y);
            if is_signed {
                // i32::MIN where it does not fit.
                return self.unary_form(Form::Cvttpd2dq, quotient);
            }
            let whole = self.unary_imm(Form::Roundpd, quotient, TOWARD_ZERO);
            let two_to_31 = self.pattern(&TWO_TO_31);
            let shifted = self.binary_form(Form::Subpd, whole, two_to_31);
            self.unary_form(Form::Cvttpd2dq, shifted)
        });
        let mut quotient = self.joined(halves[0], halves[1]);
        if !is_signed {
            quotient = self.with_sign_flipped(quotient);
        }
        let is_division = matches!(op, Binary::Idiv | Binary::Udiv);
        let result = if is_division {
            quotient
        } else {
            let product = self.binary_form(Form::Pmulld, quotient, b);
            self.binary_form(Form::Psubd, a, product)
        };
        let (zero, of_zero) = (
            self.literal(0),
            if op == Binary::Idiv { 0 } else { u32::MAX },
        );
        let by_zero = self.equal(b, zero);
        let of_zero = self.literal(of_zero);
        self.choose(by_zero, of_zero, result)
    }

    fn with_sign_flipped(&mut self, a: Vreg) -> Vreg {
        let sign = self.literal(SIGN[1]);
        self.binary_form(Form::Xor, a, sign)
    }

    /// Integers of half of the lanes as f64.
    fn integer_as_double(&mut self, of: Vreg, half: Half, is_signed: bool) -> Vreg {
        if is_signed {
            return self.of_half(Form::Cvtdq2pd, of, half);
        }
        let shifted = self.with_sign_flipped(of);
        let shifted = self.of_half(Form::Cvtdq2pd, shifted, half);
        let two_to_31 = self.pattern(&TWO_TO_31);
        self.binary_form(Form::Addpd, shifted, two_to_31)
    }
}
