//! Instruction selection: the operations that touch nothing but registers.

use attila_machine::Lanes;
use iced_x86::Code;

use super::forms::{Form, Width};
use super::mir::{Arg, Class, Fma, Inst, Under, Vreg};
use super::values::Emission;
use crate::ir::{Binary, Op, Shift, Unary, Value};

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
/// Rounding of VCVTPS2PH: to the nearest, ties to even.
const NEAREST_HALF: u8 = 0;
/// 64 bits each of VPERMQ: those that VPSHUFB leaves in the lower halves of two quads.
const FIRST_AND_THIRD: u8 = 0x08;
pub(super) const FLOOR: u8 = 9;
pub(super) const CEIL: u8 = 10;
pub(super) const TOWARD_ZERO: u8 = 11;

/// Words of both operands of a shuffle: even ones, and odd ones.
pub(super) const EVEN: u8 = 0x88;
pub(super) const ODD: u8 = 0xdd;

/// Tables for VFIXUPIMMPS: the result is the second source, or +0, where that is a zero, and the first elsewhere.
const ZERO_TO_SOURCE: u32 = 0x100;
const ZERO_TO_PLUS: u32 = 0x800;

/// How an operation on lanes is done. `F` does it by several instructions.
enum Way<F> {
    /// By an instruction.
    One(Form),
    /// By one with a constant.
    Constant(Form, u8),
    /// By one with a literal as its second operand.
    Literal(Form, u32),
    Several(F),
}

impl<F> Way<F> {
    fn form(self) -> Option<Form> {
        match self {
            Way::One(form) | Way::Constant(form, _) | Way::Literal(form, _) => Some(form),
            Way::Several(_) => None,
        }
    }
}

impl Unary {
    fn way<'a>(self) -> Way<fn(&mut Emission<'a>, Vreg) -> Vreg> {
        match self {
            Unary::Fneg => Way::Literal(Form::Xor, SIGN),
            Unary::Fabs => Way::Literal(Form::And, !SIGN),
            Unary::Sqrt => Way::One(Form::Sqrtps),
            Unary::Floor => Way::Constant(Form::Roundps, FLOOR),
            Unary::Nearest => Way::Constant(Form::Roundps, NEAREST),
            Unary::Ceil => Way::Constant(Form::Roundps, CEIL),
            Unary::TowardZero => Way::Constant(Form::Roundps, TOWARD_ZERO),
            Unary::Flush => Way::Several(Emission::flush),
            Unary::FlushToPlus => Way::Several(Emission::flush_to_plus),
            Unary::OneNan => Way::Several(Emission::one_nan),
            Unary::Trunc => Way::One(Form::Cvttps2dq),
            Unary::ToF32 => Way::One(Form::Cvtdq2ps),
            Unary::ToHalf => Way::Several(Emission::nearest_half),
            Unary::FromHalf => Way::Several(Emission::number_of_half),
            Unary::ToBits | Unary::FromBits => Way::Several(Emission::mask_to_vector),
            Unary::Iabs => Way::One(Form::Pabsd),
            Unary::Not => Way::Several(Emission::complement),
        }
    }
}

impl Binary {
    fn way<'a>(self) -> Way<fn(&mut Emission<'a>, Vreg, Vreg) -> Vreg> {
        match self {
            Binary::Fadd => Way::One(Form::Addps),
            Binary::Fsub => Way::One(Form::Subps),
            Binary::Fmul => Way::One(Form::Mulps),
            Binary::Fdiv => Way::One(Form::Divps),
            Binary::Fmin => Way::One(Form::Minps),
            Binary::Fmax => Way::One(Form::Maxps),
            Binary::Flt => Way::Constant(Form::Cmpps, LT),
            Binary::Fle => Way::Constant(Form::Cmpps, LE),
            Binary::Feq => Way::Constant(Form::Cmpps, EQ),
            Binary::Iadd => Way::One(Form::Paddd),
            Binary::Isub => Way::One(Form::Psubd),
            Binary::Imul => Way::One(Form::Pmulld),
            Binary::UmulHigh => Way::Several(Emission::product_high),
            Binary::Idiv => Way::Several(|it, a, b| it.divide(Binary::Idiv, a, b)),
            Binary::Udiv => Way::Several(|it, a, b| it.divide(Binary::Udiv, a, b)),
            Binary::Irem => Way::Several(|it, a, b| it.divide(Binary::Irem, a, b)),
            Binary::Urem => Way::Several(|it, a, b| it.divide(Binary::Urem, a, b)),
            Binary::Imin => Way::One(Form::Pminsd),
            Binary::Imax => Way::One(Form::Pmaxsd),
            Binary::Umin => Way::One(Form::Pminud),
            Binary::Umax => Way::One(Form::Pmaxud),
            Binary::LeftBy => Way::Several(|it, a, b| it.shift_by(Form::Psllvd, a, b)),
            Binary::RightUnsignedBy => Way::Several(|it, a, b| it.shift_by(Form::Psrlvd, a, b)),
            Binary::RightSignedBy => Way::Several(|it, a, b| it.shift_by(Form::Psravd, a, b)),
            Binary::And => Way::One(Form::And),
            Binary::Or => Way::One(Form::Or),
            Binary::Xor => Way::One(Form::Xor),
            Binary::Ilt => Way::Several(Emission::less),
            Binary::Ult => Way::Several(Emission::less_unsigned),
            Binary::Ieq => Way::One(Form::Pcmpeqd),
        }
    }
}

impl Shift {
    fn form(self) -> Form {
        match self {
            Shift::Left => Form::Pslld,
            Shift::RightUnsigned => Form::Psrld,
            Shift::RightSigned => Form::Psrad,
        }
    }
}

impl Op {
    /// The one instruction that does an operation on lanes, if one does.
    pub(super) fn form(&self) -> Option<Form> {
        if let Op::Unary(op) = self {
            op.way().form()
        } else if let Op::Binary(op) = self {
            op.way().form()
        } else if let Op::Shift(op, _) = self {
            Some(op.form())
        } else {
            None
        }
    }
}

impl Emission<'_> {
    pub(super) fn unary(&mut self, op: Unary, of: Value, copy: usize) -> Vreg {
        let a = self.value(of, copy);
        match op.way() {
            Way::One(form) => self.unary_form(form, a),
            Way::Constant(form, imm) => self.unary_imm(form, a, imm),
            Way::Literal(form, word) => self.with_literal(form, a, word),
            Way::Several(instructions) => instructions(self, a),
        }
    }

    fn complement(&mut self, mask: Vreg) -> Vreg {
        match self.width {
            Width::V256 => self.with_literal(Form::Xor, mask, u32::MAX),
            Width::V512 => self.mask_of(Code::VEX_Knotw_kr_kr, [Arg::Use(mask)]),
        }
    }

    fn with_literal(&mut self, form: Form, a: Vreg, word: u32) -> Vreg {
        let literal = self.literal(word);
        self.binary_form(form, a, literal)
    }

    /// The vector of a value, with a word for each lane: all bits or none where the value is a mask.
    pub(super) fn lane_words(&mut self, value: Value, copy: usize) -> Vreg {
        let value = self.value(value, copy);
        self.mask_to_vector(value)
    }

    /// The same of a register.
    fn mask_to_vector(&mut self, of: Vreg) -> Vreg {
        match self.vregs.class(of) {
            Class::Vector => of,
            Class::Mask => self.vector_of(Code::EVEX_Vpmovm2d_zmm_kr, [Arg::Use(of)]),
        }
    }

    /// The lanes whose sign bit is set.
    pub(super) fn vector_to_mask(&mut self, vector: Vreg) -> Vreg {
        match self.width {
            Width::V256 => vector,
            Width::V512 => self.mask_of(Code::EVEX_Vpmovd2m_kr_zmm, [Arg::Use(vector)]),
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
                let args = [Arg::Use(a), Arg::UseMem(exponent)];
                self.vector_of(Code::VEX_Vpsignd_ymm_ymm_ymmm256, args)
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
        let is_nan = self.binary_imm(Form::Cmpps, [a, a], UNORDERED);
        let nan = self.literal(0x7fff_ffff);
        self.choose(is_nan, nan, a)
    }

    fn nearest_half(&mut self, a: Vreg) -> Vreg {
        let is_nan = self.binary_imm(Form::Cmpps, [a, a], UNORDERED);
        // Its upper bits are those of the binary16.
        let nan = self.literal(f32::NAN.to_bits());
        let numbers = self.choose(is_nan, nan, a);
        let halves = self.unary_imm(Form::Cvtps2ph, numbers, NEAREST_HALF);
        self.unary_form(Form::Pmovzxwd, halves)
    }

    fn number_of_half(&mut self, a: Vreg) -> Vreg {
        let halves = match self.width {
            Width::V256 => {
                let lower = self.byte_pattern(&[0, 1, 4, 5, 8, 9, 12, 13]);
                let halves = self.binary_form(Form::Pshufb, a, lower);
                self.unary_imm(Form::Permq, halves, FIRST_AND_THIRD)
            }
            Width::V512 => self.vector_of(Code::EVEX_Vpmovdw_ymmm256_k1z_zmm, [Arg::Use(a)]),
        };
        self.unary_form(Form::Cvtph2ps, halves)
    }

    pub(super) fn binary(&mut self, op: Binary, of: [Value; 2], copy: usize) -> Vreg {
        let [x, y] = of.map(|value| self.value(value, copy));
        // Memory has to come second.
        let is_home = |vreg| self.vregs.home(vreg).is_some();
        let swaps = op.commutes() && is_home(x) && !is_home(y);
        let (a, b) = if swaps { (y, x) } else { (x, y) };
        match op.way() {
            Way::One(form) => self.binary_form(form, a, b),
            Way::Constant(form, imm) => self.binary_imm(form, [a, b], imm),
            Way::Literal(..) => unreachable!("{op:?} has two operands"),
            Way::Several(instructions) => instructions(self, a, b),
        }
    }

    pub(super) fn masks(&mut self, code: Code, a: Vreg, b: Vreg) -> Vreg {
        self.mask_of(code, [Arg::Use(a), Arg::Use(b)])
    }

    fn less(&mut self, a: Vreg, b: Vreg) -> Vreg {
        match self.width {
            Width::V256 => self.binary_form(Form::Pcmpgtd, b, a),
            Width::V512 => self.less_by(Code::EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8, a, b),
        }
    }

    fn less_by(&mut self, code: Code, a: Vreg, b: Vreg) -> Vreg {
        self.mask_of(code, [Arg::Use(a), Arg::UseMem(b), Arg::Imm(LT)])
    }

    fn less_unsigned(&mut self, a: Vreg, b: Vreg) -> Vreg {
        match self.width {
            Width::V256 => {
                let [a, b] = [a, b].map(|it| self.with_literal(Form::Xor, it, SIGN));
                self.binary_form(Form::Pcmpgtd, b, a)
            }
            Width::V512 => self.less_by(Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8, a, b),
        }
    }

    pub(super) fn equal(&mut self, a: Vreg, b: Vreg) -> Vreg {
        self.binary_form(Form::Pcmpeqd, a, b)
    }

    /// Shifts by each lane's number modulo 32.
    fn shift_by(&mut self, form: Form, a: Vreg, by: Vreg) -> Vreg {
        let by = self.with_literal(Form::And, by, 31);
        self.binary_form(form, a, by)
    }

    /// The high halves of unsigned products: those of even lanes, and those of odd ones.
    fn product_high(&mut self, a: Vreg, b: Vreg) -> Vreg {
        let even = self.binary_form(Form::Pmuludq, a, b);
        let even = self.unary_imm(Form::Psrlq, even, 32);
        let [a, b] = [a, b].map(|it| self.unary_imm(Form::Psrlq, it, 32));
        let odd = self.binary_form(Form::Pmuludq, a, b);
        let upper = self.pattern(&[0, u32::MAX]);
        let odd = self.binary_form(Form::And, odd, upper);
        self.binary_form(Form::Or, odd, even)
    }

    pub(super) fn shift(&mut self, op: Shift, of: Value, bits: u8, copy: usize) -> Vreg {
        let a = self.value(of, copy);
        self.unary_imm(op.form(), a, bits)
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
        let is_zero = self.function.node(b).op == Op::Const(0);
        if self.merged.contains(a) {
            let m = self.value(mask, copy);
            let old = (!is_zero).then(|| self.value(b, copy));
            return self.merge(m, a, old, copy);
        }
        let [m, x, y] = [mask, a, b].map(|value| self.value(value, copy));
        if self.vregs.class(x) == Class::Mask {
            let then = self.binary_form(Form::And, m, x);
            let other = self.masks(Code::VEX_Kandnw_kr_kr_kr, m, y);
            return self.binary_form(Form::Or, then, other);
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
        if self.vregs.class(a) == Class::Mask {
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
        self.binary_form(Form::Pshufb, planar, order)
    }

    pub(super) fn pack_pixels(&mut self, [a, b]: [Value; 2], copy: usize) -> Vreg {
        let [a, b] = [a, b].map(|value| self.value(value, copy));
        self.binary_form(Form::Packuswb, a, b)
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
            self.binary_form(Form::Unpcklpd, low[0], low[1]),
            self.binary_form(Form::Unpckhpd, low[0], low[1]),
            self.binary_form(Form::Unpcklpd, high[0], high[1]),
            self.binary_form(Form::Unpckhpd, high[0], high[1]),
        ]
    }
}
