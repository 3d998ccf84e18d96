//! The forms of instructions that are used on vectors, for each width.

use iced_x86::Code;

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

macro_rules! forms {
    ($($(#[$doc:meta])* $Form:ident = $avx2:ident, $avx512:ident;)*) => {
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
        }
    };
}

forms! {
    /// Sums of f32.
    Addps = VEX_Vaddps_ymm_ymm_ymmm256, EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er;
    /// Differences.
    Subps = VEX_Vsubps_ymm_ymm_ymmm256, EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er;
    /// Products.
    Mulps = VEX_Vmulps_ymm_ymm_ymmm256, EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er;
    /// Quotients.
    Divps = VEX_Vdivps_ymm_ymm_ymmm256, EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er;
    /// `(a < b) ? a : b`.
    Minps = VEX_Vminps_ymm_ymm_ymmm256, EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae;
    /// `(a > b) ? a : b`.
    Maxps = VEX_Vmaxps_ymm_ymm_ymmm256, EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae;
    /// Square roots.
    Sqrtps = VEX_Vsqrtps_ymm_ymmm256, EVEX_Vsqrtps_zmm_k1z_zmmm512b32_er;
    /// Rounding.
    Roundps = VEX_Vroundps_ymm_ymmm256_imm8, EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae;
    /// Truncation.
    Cvttps2dq = VEX_Vcvttps2dq_ymm_ymmm256, EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae;
    /// f32 to binary16 in the lower half.
    Cvtps2ph = VEX_Vcvtps2ph_xmmm128_ymm_imm8, EVEX_Vcvtps2ph_ymmm256_k1z_zmm_imm8_sae;
    /// Binary16 of the lower half of a vector to f32.
    Cvtph2ps = VEX_Vcvtph2ps_ymm_xmmm128, EVEX_Vcvtph2ps_zmm_k1z_ymmm256_sae;
    /// i32 to f32.
    Cvtdq2ps = VEX_Vcvtdq2ps_ymm_ymmm256, EVEX_Vcvtdq2ps_zmm_k1z_zmmm512b32_er;
    /// Comparisons of f32.
    Cmpps = VEX_Vcmpps_ymm_ymm_ymmm256_imm8, EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae;
    /// Bitwise and.
    And = VEX_Vpand_ymm_ymm_ymmm256, EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32;
    /// Bitwise or.
    Or = VEX_Vpor_ymm_ymm_ymmm256, EVEX_Vpord_zmm_k1z_zmm_zmmm512b32;
    /// Bitwise exclusive or.
    Xor = VEX_Vpxor_ymm_ymm_ymmm256, EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32;
    /// Sums of i32.
    Paddd = VEX_Vpaddd_ymm_ymm_ymmm256, EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32;
    /// Differences.
    Psubd = VEX_Vpsubd_ymm_ymm_ymmm256, EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32;
    /// Low halves of products.
    Pmulld = VEX_Vpmulld_ymm_ymm_ymmm256, EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32;
    /// Products of the even lanes, unsigned, 64 bits.
    Pmuludq = VEX_Vpmuludq_ymm_ymm_ymmm256, EVEX_Vpmuludq_zmm_k1z_zmm_zmmm512b64;
    /// Minima and maxima.
    Pminsd = VEX_Vpminsd_ymm_ymm_ymmm256, EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32;
    /// Signed maxima.
    Pmaxsd = VEX_Vpmaxsd_ymm_ymm_ymmm256, EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32;
    /// Unsigned minima.
    Pminud = VEX_Vpminud_ymm_ymm_ymmm256, EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32;
    /// Unsigned maxima.
    Pmaxud = VEX_Vpmaxud_ymm_ymm_ymmm256, EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32;
    /// Magnitudes of i32.
    Pabsd = VEX_Vpabsd_ymm_ymmm256, EVEX_Vpabsd_zmm_k1z_zmmm512b32;
    /// Signed a > b.
    Pcmpgtd = VEX_Vpcmpgtd_ymm_ymm_ymmm256, EVEX_Vpcmpgtd_kr_k1_zmm_zmmm512b32;
    /// a == b.
    Pcmpeqd = VEX_Vpcmpeqd_ymm_ymm_ymmm256, EVEX_Vpcmpeqd_kr_k1_zmm_zmmm512b32;
    /// Shifts by a constant, to the left.
    Pslld = VEX_Vpslld_ymm_ymm_imm8, EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8;
    /// To the right, zeros coming in.
    Psrld = VEX_Vpsrld_ymm_ymm_imm8, EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8;
    /// To the right, the sign coming in.
    Psrad = VEX_Vpsrad_ymm_ymm_imm8, EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8;
    /// The same of 64 bits, zeros coming in.
    Psrlq = VEX_Vpsrlq_ymm_ymm_imm8, EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8;
    /// Shifts by lanes, to the left.
    Psllvd = VEX_Vpsllvd_ymm_ymm_ymmm256, EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32;
    /// To the right, zeros coming in.
    Psrlvd = VEX_Vpsrlvd_ymm_ymm_ymmm256, EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32;
    /// To the right, the sign coming in.
    Psravd = VEX_Vpsravd_ymm_ymm_ymmm256, EVEX_Vpsravd_zmm_k1z_zmm_zmmm512b32;
    /// Words of each quad in another order.
    Permilps = VEX_Vpermilps_ymm_ymmm256_imm8, EVEX_Vpermilps_zmm_k1z_zmmm512b32_imm8;
    /// Two words of each operand, quad by quad.
    Shufps = VEX_Vshufps_ymm_ymm_ymmm256_imm8, EVEX_Vshufps_zmm_k1z_zmm_zmmm512b32_imm8;
    /// Words of the lower halves in turn.
    Unpcklps = VEX_Vunpcklps_ymm_ymm_ymmm256, EVEX_Vunpcklps_zmm_k1z_zmm_zmmm512b32;
    /// Words of the upper halves in turn.
    Unpckhps = VEX_Vunpckhps_ymm_ymm_ymmm256, EVEX_Vunpckhps_zmm_k1z_zmm_zmmm512b32;
    /// The lower halves.
    Unpcklpd = VEX_Vunpcklpd_ymm_ymm_ymmm256, EVEX_Vunpcklpd_zmm_k1z_zmm_zmmm512b64;
    /// The upper halves.
    Unpckhpd = VEX_Vunpckhpd_ymm_ymm_ymmm256, EVEX_Vunpckhpd_zmm_k1z_zmm_zmmm512b64;
    /// Words to 16 bits with a sign.
    Packssdw = VEX_Vpackssdw_ymm_ymm_ymmm256, EVEX_Vpackssdw_zmm_k1z_zmm_zmmm512b32;
    /// 16 bits to bytes without one.
    Packuswb = VEX_Vpackuswb_ymm_ymm_ymmm256, EVEX_Vpackuswb_zmm_k1z_zmm_zmmm512;
    /// Bytes of each quad in another order.
    Pshufb = VEX_Vpshufb_ymm_ymm_ymmm256, EVEX_Vpshufb_zmm_k1z_zmm_zmmm512;
    /// Copies.
    Movaps = VEX_Vmovaps_ymm_ymmm256, EVEX_Vmovaps_zmm_k1z_zmmm512;
    /// Stores to memory that is aligned.
    MovapsTo = VEX_Vmovaps_ymmm256_ymm, EVEX_Vmovaps_zmmm512_k1z_zmm;
    /// Loads of memory that need not be.
    Movups = VEX_Vmovups_ymm_ymmm256, EVEX_Vmovups_zmm_k1z_zmmm512;
    /// Stores to it.
    MovupsTo = VEX_Vmovups_ymmm256_ymm, EVEX_Vmovups_zmmm512_k1z_zmm;
    /// A word of memory in all lanes.
    Broadcastss = VEX_Vbroadcastss_ymm_m32, EVEX_Vbroadcastss_zmm_k1z_xmmm32;
    /// The first lane in all lanes.
    BroadcastssOf = VEX_Vbroadcastss_ymm_xmm, EVEX_Vbroadcastss_zmm_k1z_xmmm32;
    /// 16 bytes of memory for one quad.
    InsertQuad = VEX_Vinsertf128_ymm_ymm_xmmm128_imm8, EVEX_Vinsertf32x4_zmm_k1z_zmm_xmmm128_imm8;
    /// One quad to memory.
    ExtractQuad = VEX_Vextractf128_xmmm128_ymm_imm8, EVEX_Vextractf32x4_xmmm128_k1z_zmm_imm8;
    /// 64 bits each in another order.
    Permq = VEX_Vpermq_ymm_ymmm256_imm8, EVEX_Vpermq_zmm_k1z_zmmm512b64_imm8;
    /// 16 bits without a sign to 32.
    Pmovzxwd = VEX_Vpmovzxwd_ymm_xmmm128, EVEX_Vpmovzxwd_zmm_k1z_ymmm256;
    /// Sums of f64.
    Addpd = VEX_Vaddpd_ymm_ymm_ymmm256, EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er;
    /// Differences.
    Subpd = VEX_Vsubpd_ymm_ymm_ymmm256, EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er;
    /// Products.
    Mulpd = VEX_Vmulpd_ymm_ymm_ymmm256, EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er;
    /// Quotients.
    Divpd = VEX_Vdivpd_ymm_ymm_ymmm256, EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er;
    /// Square roots.
    Sqrtpd = VEX_Vsqrtpd_ymm_ymmm256, EVEX_Vsqrtpd_zmm_k1z_zmmm512b64_er;
    /// Rounding.
    Roundpd = VEX_Vroundpd_ymm_ymmm256_imm8, EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae;
    /// Comparisons.
    Cmppd = VEX_Vcmppd_ymm_ymm_ymmm256_imm8, EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae;
    /// f32 of the lower half of a vector to f64.
    Cvtps2pd = VEX_Vcvtps2pd_ymm_xmmm128, EVEX_Vcvtps2pd_zmm_k1z_ymmm256b32_sae;
    /// i32 of the lower half to f64.
    Cvtdq2pd = VEX_Vcvtdq2pd_ymm_xmmm128, EVEX_Vcvtdq2pd_zmm_k1z_ymmm256b32_er;
    /// f64 to f32 in the lower half.
    Cvtpd2ps = VEX_Vcvtpd2ps_xmm_ymmm256, EVEX_Vcvtpd2ps_ymm_k1z_zmmm512b64_er;
    /// f64 to i32 in the lower half, truncated.
    Cvttpd2dq = VEX_Vcvttpd2dq_xmm_ymmm256, EVEX_Vcvttpd2dq_ymm_k1z_zmmm512b64_sae;
    /// The first word to a general register.
    FirstWord = VEX_Vmovd_rm32_xmm, EVEX_Vmovd_rm32_xmm;
    /// The first two words to a general register.
    FirstPair = VEX_Vmovq_rm64_xmm, EVEX_Vmovq_rm64_xmm;
    /// The next two.
    SecondPair = VEX_Vpextrq_rm64_xmm_imm8, EVEX_Vpextrq_rm64_xmm_imm8;
    /// A word of the first quad to memory.
    ExtractWord = VEX_Vpextrd_rm32_xmm_imm8, EVEX_Vpextrd_rm32_xmm_imm8;
    /// A word of memory to the first lane.
    LoadWord = VEX_Vmovd_xmm_rm32, EVEX_Vmovd_xmm_rm32;
    /// A word of memory to another lane of the first quad.
    InsertWord = VEX_Vpinsrd_xmm_xmm_rm32_imm8, EVEX_Vpinsrd_xmm_xmm_rm32_imm8;
    /// Two words of memory to the first two lanes.
    LoadPair = VEX_Vmovq_xmm_xmmm64, EVEX_Vmovq_xmm_xmmm64;
    /// Two words of memory to the next two.
    InsertPair = VEX_Vmovhps_xmm_xmm_m64, EVEX_Vmovhps_xmm_xmm_m64;
    /// 16 bytes of memory to the first quad.
    LoadQuad = VEX_Vmovups_xmm_xmmm128, EVEX_Vmovups_xmm_k1z_xmmm128;
    /// The first quad to memory.
    StoreQuad = VEX_Vmovups_xmmm128_xmm, EVEX_Vmovups_xmmm128_k1z_xmm;
    /// Flags: "not equal" if any lane of a mask is set. Both operands are the mask.
    Test = VEX_Vtestps_ymm_ymmm256, VEX_Kortestw_kr_kr;
    /// Gathers of words.
    Pgatherdd = VEX_Vpgatherdd_ymm_vm32y_ymm, EVEX_Vpgatherdd_zmm_k1_vm32z;
}
