//! The forms of instructions that are used on vectors, for each width.

use iced_x86::Code;

use super::mir::{Arg, Vreg};

/// Bits of a vector, with the instruction set that they come with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Width {
    /// 256, AVX2 with FMA, BMI2 and F16C: masks are vectors.
    V256,
    /// 512, AVX-512 F, BW, DQ and VL: masks have registers of their own.
    V512,
}

impl Width {
    /// Bytes.
    pub(super) fn bytes(self) -> usize {
        match self {
            Width::V256 => 32,
            Width::V512 => 64,
        }
    }

    /// Quads.
    pub(super) fn quads(self) -> usize {
        self.bytes() / 16
    }

    /// Lanes.
    pub(crate) fn lanes(self) -> usize {
        self.bytes() / 4
    }

    /// How many vector registers there are.
    pub(super) fn vectors(self) -> u8 {
        match self {
            Width::V256 => 16,
            Width::V512 => 32,
        }
    }

    /// Whether masks have registers of their own.
    pub(super) fn has_masks(self) -> bool {
        self == Width::V512
    }
}

/// The result of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gives {
    /// A word for each lane. It may be written under a mask, so that a choice is a part of the instruction.
    Words,
    /// A mask.
    Mask,
    /// Anything else.
    Other,
}

macro_rules! forms {
    ($($(#[$doc:meta])* $Form:ident = $avx2:ident, $avx512:ident, $last:ident -> $gives:ident
        $(, $of_masks:ident)?;)*) => {
        /// An instruction on vectors of either width.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum Form { $($(#[$doc])* $Form,)* }

        impl Form {
            /// All of them.
            #[cfg(test)]
            pub(super) const ALL: &[Form] = &[$(Form::$Form,)*];

            /// The form for a width.
            pub(super) fn code(self, width: Width) -> Code {
                match (width, self) {
                    $((Width::V256, Form::$Form) => Code::$avx2,
                    (Width::V512, Form::$Form) => Code::$avx512,)*
                }
            }

            /// The form for masks that are in registers of their own.
            pub(super) fn of_masks(self) -> Option<Code> {
                match self { $(Form::$Form => forms!(of_masks $($of_masks)?),)* }
            }

            /// The last vector that it reads, as an operand that may be in memory where that is possible with every width.
            pub(super) fn last(self, vreg: Vreg) -> Arg {
                match self { $(Form::$Form => Arg::$last(vreg),)* }
            }

            /// Its result.
            pub(super) fn gives(self) -> Gives {
                match self { $(Form::$Form => Gives::$gives,)* }
            }
        }
    };
    (of_masks) => { None };
    (of_masks $code:ident) => { Some(Code::$code) };
}

// The forms for both widths, the last operand and the result, and the form for masks.
forms! {
    /// Sums of f32.
    Addps = VEX_Vaddps_ymm_ymm_ymmm256, EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er, UseMem -> Words;
    /// Differences.
    Subps = VEX_Vsubps_ymm_ymm_ymmm256, EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er, UseMem -> Words;
    /// Products.
    Mulps = VEX_Vmulps_ymm_ymm_ymmm256, EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er, UseMem -> Words;
    /// Quotients.
    Divps = VEX_Vdivps_ymm_ymm_ymmm256, EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er, UseMem -> Words;
    /// `(a < b) ? a : b`.
    Minps = VEX_Vminps_ymm_ymm_ymmm256, EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae, UseMem -> Words;
    /// `(a > b) ? a : b`.
    Maxps = VEX_Vmaxps_ymm_ymm_ymmm256, EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae, UseMem -> Words;
    /// Square roots.
    Sqrtps = VEX_Vsqrtps_ymm_ymmm256, EVEX_Vsqrtps_zmm_k1z_zmmm512b32_er, UseMem -> Words;
    /// Rounding.
    Roundps = VEX_Vroundps_ymm_ymmm256_imm8, EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae, UseMem -> Words;
    /// Truncation.
    Cvttps2dq = VEX_Vcvttps2dq_ymm_ymmm256, EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae, UseMem -> Words;
    /// f32 to binary16 in the lower half.
    Cvtps2ph = VEX_Vcvtps2ph_xmmm128_ymm_imm8, EVEX_Vcvtps2ph_ymmm256_k1z_zmm_imm8_sae, Use -> Other;
    /// Binary16 of the lower half of a vector to f32.
    Cvtph2ps = VEX_Vcvtph2ps_ymm_xmmm128, EVEX_Vcvtph2ps_zmm_k1z_ymmm256_sae, Use -> Other;
    /// i32 to f32.
    Cvtdq2ps = VEX_Vcvtdq2ps_ymm_ymmm256, EVEX_Vcvtdq2ps_zmm_k1z_zmmm512b32_er, UseMem -> Words;
    /// Comparisons of f32.
    Cmpps = VEX_Vcmpps_ymm_ymm_ymmm256_imm8, EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae, UseMem -> Mask;
    /// Bitwise and.
    And = VEX_Vpand_ymm_ymm_ymmm256, EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, UseMem -> Words, VEX_Kandw_kr_kr_kr;
    /// Bitwise or.
    Or = VEX_Vpor_ymm_ymm_ymmm256, EVEX_Vpord_zmm_k1z_zmm_zmmm512b32, UseMem -> Words, VEX_Korw_kr_kr_kr;
    /// Bitwise exclusive or.
    Xor = VEX_Vpxor_ymm_ymm_ymmm256, EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, UseMem -> Words, VEX_Kxorw_kr_kr_kr;
    /// Sums of i32.
    Paddd = VEX_Vpaddd_ymm_ymm_ymmm256, EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, UseMem -> Words;
    /// Differences.
    Psubd = VEX_Vpsubd_ymm_ymm_ymmm256, EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32, UseMem -> Words;
    /// Low halves of products.
    Pmulld = VEX_Vpmulld_ymm_ymm_ymmm256, EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32, UseMem -> Words;
    /// Products of the even lanes, unsigned, 64 bits.
    Pmuludq = VEX_Vpmuludq_ymm_ymm_ymmm256, EVEX_Vpmuludq_zmm_k1z_zmm_zmmm512b64, UseWhole -> Other;
    /// Minima and maxima.
    Pminsd = VEX_Vpminsd_ymm_ymm_ymmm256, EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32, UseMem -> Words;
    /// Signed maxima.
    Pmaxsd = VEX_Vpmaxsd_ymm_ymm_ymmm256, EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32, UseMem -> Words;
    /// Unsigned minima.
    Pminud = VEX_Vpminud_ymm_ymm_ymmm256, EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32, UseMem -> Words;
    /// Unsigned maxima.
    Pmaxud = VEX_Vpmaxud_ymm_ymm_ymmm256, EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32, UseMem -> Words;
    /// Magnitudes of i32.
    Pabsd = VEX_Vpabsd_ymm_ymmm256, EVEX_Vpabsd_zmm_k1z_zmmm512b32, UseMem -> Words;
    /// Signed a > b.
    Pcmpgtd = VEX_Vpcmpgtd_ymm_ymm_ymmm256, EVEX_Vpcmpgtd_kr_k1_zmm_zmmm512b32, UseMem -> Mask;
    /// a == b.
    Pcmpeqd = VEX_Vpcmpeqd_ymm_ymm_ymmm256, EVEX_Vpcmpeqd_kr_k1_zmm_zmmm512b32, UseMem -> Mask;
    /// Shifts by a constant, to the left.
    Pslld = VEX_Vpslld_ymm_ymm_imm8, EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8, Use -> Words;
    /// To the right, zeros coming in.
    Psrld = VEX_Vpsrld_ymm_ymm_imm8, EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8, Use -> Words;
    /// To the right, the sign coming in.
    Psrad = VEX_Vpsrad_ymm_ymm_imm8, EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8, Use -> Words;
    /// The same of 64 bits, zeros coming in.
    Psrlq = VEX_Vpsrlq_ymm_ymm_imm8, EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8, Use -> Other;
    /// Shifts by lanes, to the left.
    Psllvd = VEX_Vpsllvd_ymm_ymm_ymmm256, EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32, UseMem -> Words;
    /// To the right, zeros coming in.
    Psrlvd = VEX_Vpsrlvd_ymm_ymm_ymmm256, EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32, UseMem -> Words;
    /// To the right, the sign coming in.
    Psravd = VEX_Vpsravd_ymm_ymm_ymmm256, EVEX_Vpsravd_zmm_k1z_zmm_zmmm512b32, UseMem -> Words;
    /// Words of each quad in another order.
    Permilps = VEX_Vpermilps_ymm_ymmm256_imm8, EVEX_Vpermilps_zmm_k1z_zmmm512b32_imm8, UseMem -> Words;
    /// Two words of each operand, quad by quad.
    Shufps = VEX_Vshufps_ymm_ymm_ymmm256_imm8, EVEX_Vshufps_zmm_k1z_zmm_zmmm512b32_imm8, UseMem -> Words;
    /// Words of the lower halves in turn.
    Unpcklps = VEX_Vunpcklps_ymm_ymm_ymmm256, EVEX_Vunpcklps_zmm_k1z_zmm_zmmm512b32, UseMem -> Words;
    /// Words of the upper halves in turn.
    Unpckhps = VEX_Vunpckhps_ymm_ymm_ymmm256, EVEX_Vunpckhps_zmm_k1z_zmm_zmmm512b32, UseMem -> Words;
    /// The lower halves.
    Unpcklpd = VEX_Vunpcklpd_ymm_ymm_ymmm256, EVEX_Vunpcklpd_zmm_k1z_zmm_zmmm512b64, UseWhole -> Other;
    /// The upper halves.
    Unpckhpd = VEX_Vunpckhpd_ymm_ymm_ymmm256, EVEX_Vunpckhpd_zmm_k1z_zmm_zmmm512b64, UseWhole -> Other;
    /// Words to 16 bits with a sign.
    Packssdw = VEX_Vpackssdw_ymm_ymm_ymmm256, EVEX_Vpackssdw_zmm_k1z_zmm_zmmm512b32, UseMem -> Other;
    /// 16 bits to bytes without one.
    Packuswb = VEX_Vpackuswb_ymm_ymm_ymmm256, EVEX_Vpackuswb_zmm_k1z_zmm_zmmm512, UseWhole -> Other;
    /// Bytes of each quad in another order.
    Pshufb = VEX_Vpshufb_ymm_ymm_ymmm256, EVEX_Vpshufb_zmm_k1z_zmm_zmmm512, UseWhole -> Other;
    /// Copies.
    Movaps = VEX_Vmovaps_ymm_ymmm256, EVEX_Vmovaps_zmm_k1z_zmmm512, UseWhole -> Words;
    /// Stores to memory that is aligned.
    MovapsTo = VEX_Vmovaps_ymmm256_ymm, EVEX_Vmovaps_zmmm512_k1z_zmm, Use -> Other;
    /// Loads of memory that need not be.
    Movups = VEX_Vmovups_ymm_ymmm256, EVEX_Vmovups_zmm_k1z_zmmm512, Use -> Other;
    /// Stores to it.
    MovupsTo = VEX_Vmovups_ymmm256_ymm, EVEX_Vmovups_zmmm512_k1z_zmm, Use -> Other;
    /// A word of memory in all lanes.
    Broadcastss = VEX_Vbroadcastss_ymm_m32, EVEX_Vbroadcastss_zmm_k1z_xmmm32, Use -> Other;
    /// The first lane in all lanes.
    BroadcastssOf = VEX_Vbroadcastss_ymm_xmm, EVEX_Vbroadcastss_zmm_k1z_xmmm32, Use -> Other;
    /// 16 bytes of memory for one quad.
    InsertQuad = VEX_Vinsertf128_ymm_ymm_xmmm128_imm8, EVEX_Vinsertf32x4_zmm_k1z_zmm_xmmm128_imm8, Use -> Other;
    /// One quad to memory.
    ExtractQuad = VEX_Vextractf128_xmmm128_ymm_imm8, EVEX_Vextractf32x4_xmmm128_k1z_zmm_imm8, Use -> Other;
    /// 64 bits each in another order.
    Permq = VEX_Vpermq_ymm_ymmm256_imm8, EVEX_Vpermq_zmm_k1z_zmmm512b64_imm8, UseWhole -> Other;
    /// 16 bits without a sign to 32.
    Pmovzxwd = VEX_Vpmovzxwd_ymm_xmmm128, EVEX_Vpmovzxwd_zmm_k1z_ymmm256, Use -> Other;
    /// Sums of f64.
    Addpd = VEX_Vaddpd_ymm_ymm_ymmm256, EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er, UseWhole -> Other;
    /// Differences.
    Subpd = VEX_Vsubpd_ymm_ymm_ymmm256, EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er, UseWhole -> Other;
    /// Products.
    Mulpd = VEX_Vmulpd_ymm_ymm_ymmm256, EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er, UseWhole -> Other;
    /// Quotients.
    Divpd = VEX_Vdivpd_ymm_ymm_ymmm256, EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er, UseWhole -> Other;
    /// Square roots.
    Sqrtpd = VEX_Vsqrtpd_ymm_ymmm256, EVEX_Vsqrtpd_zmm_k1z_zmmm512b64_er, UseWhole -> Other;
    /// Rounding.
    Roundpd = VEX_Vroundpd_ymm_ymmm256_imm8, EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae, UseWhole -> Other;
    /// Comparisons.
    Cmppd = VEX_Vcmppd_ymm_ymm_ymmm256_imm8, EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae, UseWhole -> Mask;
    /// f32 of the lower half of a vector to f64.
    Cvtps2pd = VEX_Vcvtps2pd_ymm_xmmm128, EVEX_Vcvtps2pd_zmm_k1z_ymmm256b32_sae, Use -> Other;
    /// i32 of the lower half to f64.
    Cvtdq2pd = VEX_Vcvtdq2pd_ymm_xmmm128, EVEX_Vcvtdq2pd_zmm_k1z_ymmm256b32_er, Use -> Other;
    /// f64 to f32 in the lower half.
    Cvtpd2ps = VEX_Vcvtpd2ps_xmm_ymmm256, EVEX_Vcvtpd2ps_ymm_k1z_zmmm512b64_er, UseWhole -> Other;
    /// f64 to i32 in the lower half, truncated.
    Cvttpd2dq = VEX_Vcvttpd2dq_xmm_ymmm256, EVEX_Vcvttpd2dq_ymm_k1z_zmmm512b64_sae, UseWhole -> Other;
    /// The first word to a general register.
    FirstWord = VEX_Vmovd_rm32_xmm, EVEX_Vmovd_rm32_xmm, Use -> Other;
    /// The first two words to a general register.
    FirstPair = VEX_Vmovq_rm64_xmm, EVEX_Vmovq_rm64_xmm, Use -> Other;
    /// The next two.
    SecondPair = VEX_Vpextrq_rm64_xmm_imm8, EVEX_Vpextrq_rm64_xmm_imm8, Use -> Other;
    /// A word of the first quad to memory.
    ExtractWord = VEX_Vpextrd_rm32_xmm_imm8, EVEX_Vpextrd_rm32_xmm_imm8, Use -> Other;
    /// A word of memory to the first lane.
    LoadWord = VEX_Vmovd_xmm_rm32, EVEX_Vmovd_xmm_rm32, Use -> Other;
    /// A word of memory to another lane of the first quad.
    InsertWord = VEX_Vpinsrd_xmm_xmm_rm32_imm8, EVEX_Vpinsrd_xmm_xmm_rm32_imm8, Use -> Other;
    /// Two words of memory to the first two lanes.
    LoadPair = VEX_Vmovq_xmm_xmmm64, EVEX_Vmovq_xmm_xmmm64, Use -> Other;
    /// Two words of memory to the next two.
    InsertPair = VEX_Vmovhps_xmm_xmm_m64, EVEX_Vmovhps_xmm_xmm_m64, Use -> Other;
    /// 16 bytes of memory to the first quad.
    LoadQuad = VEX_Vmovups_xmm_xmmm128, EVEX_Vmovups_xmm_k1z_xmmm128, Use -> Other;
    /// The first quad to memory.
    StoreQuad = VEX_Vmovups_xmmm128_xmm, EVEX_Vmovups_xmmm128_k1z_xmm, Use -> Other;
    /// Flags: "not equal" if any lane of a mask is set. Both operands are the mask.
    Test = VEX_Vtestps_ymm_ymmm256, VEX_Kortestw_kr_kr, Use -> Other;
    /// Gathers of words.
    Pgatherdd = VEX_Vpgatherdd_ymm_vm32y_ymm, EVEX_Vpgatherdd_zmm_k1_vm32z, Use -> Other;
}
