//! Instruction selection: the operations that touch nothing but registers.

use attila_machine::Lanes;
use iced_x86::Code;

use super::forms::{Form, Width};
use super::mir::{Arg, Fma, Inst, Under, Vreg};
use super::values::Emission;
use crate::ir::{Binary, Op, Shift, Type, Unary, Value};

/// The sign bit.
const SIGN: u32 = 1 << 31;
/// The least normal number.
const LEAST_NORMAL: u32 = 1 << 23;
/// The exponent: 0 for zeros and denormals only.
const EXPONENT: u32 = 0x7f80_0000;

/// Comparisons, as numbers of instructions: false with NaN.
pub(super) const LT: u8 = 1;
pub(super) const LE: u8 = 2;
pub(super) const EQ: u8 = 0;
pub(super) const UNORDERED: u8 = 3;

/// Rounding, without exceptions.
pub(super) const NEAREST: u8 = 8;
pub(super) const FLOOR: u8 = 9;
pub(super) const CEIL: u8 = 10;
pub(super) const TOWARD_ZERO: u8 = 11;

/// Words of both operands of a shuffle: even ones, and odd ones.
pub(super) const EVEN: u8 = 0x88;
pub(super) const ODD: u8 = 0xdd;

/// Tables for VFIXUPIMMPS: the result is the second source, or +0, where that is a zero, and the first elsewhere.
const ZERO_TO_SOURCE: u32 = 0x100;
const ZERO_TO_PLUS: u32 = 0x800;

impl Emission<'_> {
    pub(super) fn unary(&mut self, op: Unary, of: Value, copy: usize) -> Vreg {
        let a = self.value(of, copy);
        match op {
            Unary::Fneg => self.with_literal(Form::Xor, a, SIGN),
            Unary::Fabs => self.with_literal(Form::And, a, !SIGN),
            Unary::Sqrt => self.unary_form(Form::Sqrtps, a),
            Unary::Floor => self.unary_imm(Form::Roundps, a, FLOOR),
            Unary::Nearest => self.unary_imm(Form::Roundps, a, NEAREST),
            Unary::Ceil => self.unary_imm(Form::Roundps, a, CEIL),
            Unary::TowardZero => self.unary_imm(Form::Roundps, a, TOWARD_ZERO),
            Unary::Flush => self.flush(a),
            Unary::FlushToPlus => self.flush_to_plus(a),
            Unary::OneNan => self.one_nan(a),
            Unary::Trunc => self.unary_form(Form::Cvttps2dq, a),
            Unary::ToF32 => self.unary_form(Form::Cvtdq2ps, a),
            Unary::ToBits | Unary::FromBits => self.lane_words(of, copy),
            Unary::Iabs => self.unary_form(Form::Pabsd, a),
            Unary::Not => match self.width {
                Width::V256 => self.with_literal(Form::Xor, a, u32::MAX),
                Width::V512 => {
                    let result = self.mask();
                    self.push(Code::VEX_Knotw_kr_kr, &[Arg::Def(result), Arg::Use(a)]);
                    result
                }
            },
        }
    }

    fn with_literal(&mut self, form: Form, a: Vreg, word: u32) -> Vreg {
        let literal = self.literal(word);
        self.binary_form(form, a, literal)
    }

    /// The vector of a value, with a word for each lane: all bits or none where the value is a mask.
    pub(super) fn lane_words(&mut self, value: Value, copy: usize) -> Vreg {
        let vector = self.value(value, copy);
        if self.function.node(value).ty == Type::Mask {
            return self.mask_to_vector(vector);
        }
        vector
    }

    /// All bits of the lanes of a mask.
    pub(super) fn mask_to_vector(&mut self, mask: Vreg) -> Vreg {
        match self.width {
            Width::V256 => mask,
            Width::V512 => {
                let result = self.vector();
                let args = [Arg::Def(result), Arg::Use(mask)];
                self.push(Code::EVEX_Vpmovm2d_zmm_kr, &args);
                result
            }
        }
    }

    /// The lanes whose sign bit is set.
    pub(super) fn vector_to_mask(&mut self, vector: Vreg) -> Vreg {
        match self.width {
            Width::V256 => vector,
            Width::V512 => {
                let result = self.mask();
                let args = [Arg::Def(result), Arg::Use(vector)];
                self.push(Code::EVEX_Vpmovd2m_kr_zmm, &args);
                result
            }
        }
    }

    /// Denormals become zeros of their sign.
    fn flush(&mut self, a: Vreg) -> Vreg {
        match self.width {
            Width::V256 => {
                let size = self.with_literal(Form::And, a, !SIGN);
                let least = self.literal(LEAST_NORMAL);
                let is_tiny = self.binary_form(Form::Pcmpgtd, least, size);
                let cleared = self.binary_form(Form::And, is_tiny, size);
                self.binary_form(Form::Xor, a, cleared)
            }
            Width::V512 => self.with_zeros(a, ZERO_TO_SOURCE),
        }
    }

    /// Denormals become +0, and so does -0.
    fn flush_to_plus(&mut self, a: Vreg) -> Vreg {
        match self.width {
            // An element takes the sign of an exponent, which is above 0, or is 0 where that is.
            Width::V256 => {
                let exponent = self.with_literal(Form::And, a, EXPONENT);
                let result = self.vector();
                let args = [Arg::Def(result), Arg::Use(a), Arg::UseMem(exponent)];
                self.push(Code::VEX_Vpsignd_ymm_ymm_ymmm256, &args);
                result
            }
            Width::V512 => self.with_zeros(a, ZERO_TO_PLUS),
        }
    }

    /// A number, or what a table of VFIXUPIMMPS has in place of denormals and zeros: without their fraction, these are
    /// zero. No denormal is looked at, so the processor's mode for them does not matter.
    fn with_zeros(&mut self, a: Vreg, table: u32) -> Vreg {
        let power = self.with_literal(Form::And, a, SIGN | EXPONENT);
        let table = self.literal(table);
        let result = self.vector();
        let args = [
            Arg::Tied(result, a),
            Arg::Use(power),
            Arg::UseMem(table),
            Arg::Imm(0),
        ];
        self.push(
            Code::EVEX_Vfixupimmps_zmm_k1z_zmm_zmmm512b32_imm8_sae,
            &args,
        );
        result
    }

    fn one_nan(&mut self, a: Vreg) -> Vreg {
        let is_nan = self.compare(Form::Cmpps.code(self.width), [a, a], UNORDERED);
        let nan = self.literal(0x7fff_ffff);
        self.choose(is_nan, nan, a)
    }

    pub(super) fn binary(&mut self, op: Binary, [a, b]: [Value; 2], copy: usize) -> Vreg {
        let is_mask = self.function.node(a).ty == Type::Mask;
        let [x, y] = [a, b].map(|value| self.value(value, copy));
        // Memory has to come second.
        let is_home = |vreg| self.vregs.home(vreg).is_some();
        let swaps = op.commutes() && is_home(x) && !is_home(y);
        let (a, b) = if swaps { (y, x) } else { (x, y) };
        if is_mask && self.width.has_masks() {
            return self.mask_binary(op, [a, b]);
        }
        let form = match op {
            Binary::Fadd => Form::Addps,
            Binary::Fsub => Form::Subps,
            Binary::Fmul => Form::Mulps,
            Binary::Fdiv => Form::Divps,
            Binary::Fmin => Form::Minps,
            Binary::Fmax => Form::Maxps,
            Binary::Flt => return self.compare(Form::Cmpps.code(self.width), [a, b], LT),
            Binary::Fle => return self.compare(Form::Cmpps.code(self.width), [a, b], LE),
            Binary::Feq => return self.compare(Form::Cmpps.code(self.width), [a, b], EQ),
            Binary::Iadd => Form::Paddd,
            Binary::Isub => Form::Psubd,
            Binary::Imul => Form::Pmulld,
            Binary::UmulHigh => return self.product_high(a, b),
            Binary::Idiv | Binary::Udiv | Binary::Irem | Binary::Urem => {
                return self.divide(op, a, b);
            }
            Binary::Imin => Form::Pminsd,
            Binary::Imax => Form::Pmaxsd,
            Binary::Umin => Form::Pminud,
            Binary::Umax => Form::Pmaxud,
            Binary::LeftBy => return self.shift_by(Form::Psllvd, a, b),
            Binary::RightUnsignedBy => return self.shift_by(Form::Psrlvd, a, b),
            Binary::RightSignedBy => return self.shift_by(Form::Psravd, a, b),
            Binary::And => Form::And,
            Binary::Or => Form::Or,
            Binary::Xor => Form::Xor,
            Binary::Ilt => return self.less(a, b),
            Binary::Ult => return self.less_unsigned(a, b),
            Binary::Ieq => return self.equal(a, b),
        };
        self.binary_form(form, a, b)
    }

    fn mask_binary(&mut self, op: Binary, [a, b]: [Vreg; 2]) -> Vreg {
        let code = match op {
            Binary::And => Code::VEX_Kandw_kr_kr_kr,
            Binary::Or => Code::VEX_Korw_kr_kr_kr,
            Binary::Xor => Code::VEX_Kxorw_kr_kr_kr,
            Binary::Fadd
            | Binary::Fsub
            | Binary::Fmul
            | Binary::Fdiv
            | Binary::Fmin
            | Binary::Fmax
            | Binary::Flt
            | Binary::Fle
            | Binary::Feq
            | Binary::Iadd
            | Binary::Isub
            | Binary::Imul
            | Binary::UmulHigh
            | Binary::Idiv
            | Binary::Udiv
            | Binary::Irem
            | Binary::Urem
            | Binary::Imin
            | Binary::Imax
            | Binary::Umin
            | Binary::Umax
            | Binary::LeftBy
            | Binary::RightUnsignedBy
            | Binary::RightSignedBy
            | Binary::Ilt
            | Binary::Ult
            | Binary::Ieq => unreachable!("{op:?} does not take masks"),
        };
        self.masks(code, a, b)
    }

    pub(super) fn masks(&mut self, code: Code, a: Vreg, b: Vreg) -> Vreg {
        let result = self.mask();
        self.push(code, &[Arg::Def(result), Arg::Use(a), Arg::Use(b)]);
        result
    }

    fn less(&mut self, a: Vreg, b: Vreg) -> Vreg {
        match self.width {
            Width::V256 => self.binary_form(Form::Pcmpgtd, b, a),
            Width::V512 => self.compare(Code::EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8, [a, b], LT),
        }
    }

    fn less_unsigned(&mut self, a: Vreg, b: Vreg) -> Vreg {
        match self.width {
            Width::V256 => {
                let [a, b] = [a, b].map(|it| self.with_literal(Form::Xor, it, SIGN));
                self.binary_form(Form::Pcmpgtd, b, a)
            }
            Width::V512 => self.compare(Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8, [a, b], LT),
        }
    }

    pub(super) fn equal(&mut self, a: Vreg, b: Vreg) -> Vreg {
        let result = self.mask();
        self.form(
            Form::Pcmpeqd,
            &[Arg::Def(result), Arg::Use(a), Arg::UseMem(b)],
        );
        result
    }

    /// Shifts by each lane's number modulo 32.
    fn shift_by(&mut self, form: Form, a: Vreg, by: Vreg) -> Vreg {
        let by = self.with_literal(Form::And, by, 31);
        self.binary_form(form, a, by)
    }

    /// The high halves of unsigned products: those of even lanes, and those of odd ones.
    fn product_high(&mut self, a: Vreg, b: Vreg) -> Vreg {
        let even = self.binary_whole(Form::Pmuludq, a, b);
        let even = self.shift_form(Form::Psrlq, even, 32);
        let [a, b] = [a, b].map(|it| self.shift_form(Form::Psrlq, it, 32));
        let odd = self.binary_whole(Form::Pmuludq, a, b);
        let upper = self.pattern(&[0, u32::MAX]);
        let odd = self.binary_whole(Form::And, odd, upper);
        self.binary_whole(Form::Or, odd, even)
    }

    pub(super) fn shift(&mut self, op: Shift, of: Value, bits: u8, copy: usize) -> Vreg {
        let a = self.value(of, copy);
        let form = match op {
            Shift::Left => Form::Pslld,
            Shift::RightUnsigned => Form::Psrld,
            Shift::RightSigned => Form::Psrad,
        };
        self.shift_form(form, a, bits)
    }

    /// a * b + c. Negations of operands become part of the instruction.
    pub(super) fn fma(&mut self, of: [Value; 3], copy: usize) -> Vreg {
        let mut negated = [false; 3];
        let mut operands = of.map(|value| (value, false));
        for (operand, negated) in operands.iter_mut().zip(&mut negated) {
            if let Some(&of) = self.plan.absorbed.get(&operand.0) {
                (*operand, *negated) = ((of, true), true);
            }
        }
        let of = operands.map(|(value, _)| self.value(value, copy));
        let result = self.vector();
        self.insts.push(Inst::Fma(Fma {
            result,
            of,
            negates_product: negated[0] != negated[1],
            negates_sum: negated[2],
            double: false,
        }));
        result
    }

    /// Per lane `mask ? a : b`.
    pub(super) fn select(&mut self, [mask, a, b]: [Value; 3], copy: usize) -> Vreg {
        let is_mask = self.function.node(a).ty == Type::Mask;
        let is_zero = self.function.node(b).op == Op::Const(0);
        if self.merged.contains(a) {
            let m = self.value(mask, copy);
            let old = (!is_zero).then(|| self.value(b, copy));
            return self.merge(m, a, old, copy);
        }
        let [m, x, y] = [mask, a, b].map(|value| self.value(value, copy));
        if is_mask && self.width.has_masks() {
            let then = self.masks(Code::VEX_Kandw_kr_kr_kr, m, x);
            let other = self.masks(Code::VEX_Kandnw_kr_kr_kr, m, y);
            return self.masks(Code::VEX_Korw_kr_kr_kr, then, other);
        }
        if is_zero {
            return self.or_zero(m, x);
        }
        self.choose(m, x, y)
    }

    /// Per lane `mask ? a : 0`.
    pub(super) fn or_zero(&mut self, mask: Vreg, a: Vreg) -> Vreg {
        match self.width {
            Width::V256 => self.binary_form(Form::And, a, mask),
            Width::V512 => {
                let result = self.vector();
                let args = [Arg::Def(result), Arg::UseWhole(a)];
                let code = Form::Movaps.code(self.width);
                self.push_under(code, &args, Under::Zeroing(mask));
                result
            }
        }
    }

    pub(super) fn choose(&mut self, mask: Vreg, a: Vreg, b: Vreg) -> Vreg {
        let result = self.vector();
        match self.width {
            Width::V256 => {
                let args = [
                    Arg::Def(result),
                    Arg::Use(b),
                    Arg::UseMem(a),
                    Arg::Use(mask),
                ];
                self.push(Code::VEX_Vblendvps_ymm_ymm_ymmm256_ymm, &args);
            }
            Width::V512 => {
                let args = [Arg::Def(result), Arg::Use(b), Arg::UseMem(a)];
                let code = Code::EVEX_Vblendmps_zmm_k1z_zmm_zmmm512b32;
                self.push_under(code, &args, Under::Mask(mask));
            }
        }
        result
    }

    /// Lane n of the result is lane `lanes[n]` of the operand's quad.
    pub(super) fn shuffle(&mut self, of: Value, lanes: Lanes<u8>, copy: usize) -> Vreg {
        let imm = (0..4).map(|lane| lanes[lane] << (2 * lane)).sum();
        let a = self.value(of, copy);
        if self.function.node(of).ty == Type::Mask && self.width.has_masks() {
            let lanes = self.mask_to_vector(a);
            let shuffled = self.unary_imm(Form::Permilps, lanes, imm);
            return self.vector_to_mask(shuffled);
        }
        self.unary_imm(Form::Permilps, a, imm)
    }

    pub(super) fn pack(&mut self, [even, odd]: [Value; 2], copy: usize) -> Vreg {
        let planar = self.pack_pixels([even, odd], copy);
        let order = [0, 8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15];
        let order = self.byte_pattern(&order);
        self.binary_whole(Form::Pshufb, planar, order)
    }

    pub(super) fn pack_pixels(&mut self, [a, b]: [Value; 2], copy: usize) -> Vreg {
        let [a, b] = [a, b].map(|value| self.value(value, copy));
        self.binary_whole(Form::Packuswb, a, b)
    }

    pub(super) fn narrow(&mut self, [a, b]: [Value; 2], copy: usize) -> Vreg {
        let [a, b] = [a, b].map(|value| self.value(value, copy));
        self.binary_form(Form::Packssdw, a, b)
    }

    /// Columns of four vectors, quad by quad.
    pub(super) fn transposed(&mut self, [a, b, c, d]: [Vreg; 4]) -> [Vreg; 4] {
        let low = [(a, b), (c, d)].map(|(x, y)| self.binary_form(Form::Unpcklps, x, y));
        let high = [(a, b), (c, d)].map(|(x, y)| self.binary_form(Form::Unpckhps, x, y));
        [
            self.binary_whole(Form::Unpcklpd, low[0], low[1]),
            self.binary_whole(Form::Unpckhpd, low[0], low[1]),
            self.binary_whole(Form::Unpcklpd, high[0], high[1]),
            self.binary_whole(Form::Unpckhpd, high[0], high[1]),
        ]
    }
}
