//! Sixteen lanes: AVX-512 F, BW, DQ and VL.

use std::arch::x86_64::*;

use super::vector::{Vector, intrinsics};

/// Eight pixels above eight others.
#[derive(Clone, Copy)]
pub(super) struct Sixteen(__m512);

impl Vector for Sixteen {
    type Ints = __m512i;
    type Mask = __mmask16;

    const COLUMNS: usize = 8;

    intrinsics! {
        columns() -> Sixteen = Sixteen(_mm512_setr_ps(
            0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5,
        ));
        rows() -> Sixteen = Sixteen(_mm512_setr_ps(
            0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5,
        ));
        splat(value: f32) -> Sixteen = Sixteen(_mm512_set1_ps(value));
        plus(a: Sixteen, b: Sixteen) -> Sixteen = Sixteen(_mm512_add_ps(a.0, b.0));
        minus(a: Sixteen, b: Sixteen) -> Sixteen = Sixteen(_mm512_sub_ps(a.0, b.0));
        times(a: Sixteen, b: Sixteen) -> Sixteen = Sixteen(_mm512_mul_ps(a.0, b.0));
        over(a: Sixteen, b: Sixteen) -> Sixteen = Sixteen(_mm512_div_ps(a.0, b.0));
        fma(a: Sixteen, b: Sixteen, c: Sixteen) -> Sixteen
            = Sixteen(_mm512_fmadd_ps(a.0, b.0, c.0));
        sqrt(a: Sixteen) -> Sixteen = Sixteen(_mm512_sqrt_ps(a.0));
        floor(a: Sixteen) -> Sixteen
            = Sixteen(_mm512_roundscale_ps::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(a.0));
        magnitude(a: Sixteen) -> Sixteen = Sixteen(_mm512_abs_ps(a.0));
        min(a: Sixteen, b: Sixteen) -> Sixteen = Sixteen(_mm512_min_ps(a.0, b.0));
        max(a: Sixteen, b: Sixteen) -> Sixteen = Sixteen(_mm512_max_ps(a.0, b.0));
        lt(a: Sixteen, b: Sixteen) -> __mmask16 = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a.0, b.0);
        select(mask: __mmask16, yes: Sixteen, no: Sixteen) -> Sixteen
            = Sixteen(_mm512_mask_blend_ps(mask, no.0, yes.0));
        only(mask: __mmask16, a: Sixteen) -> Sixteen = Sixteen(_mm512_maskz_mov_ps(mask, a.0));
        to_ints(a: Sixteen) -> __m512i = _mm512_cvttps_epi32(a.0);
        splat_ints(value: i32) -> __m512i = _mm512_set1_epi32(value);
        to_floats(a: __m512i) -> Sixteen = Sixteen(_mm512_cvtepi32_ps(a));
        plus_ints(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi32(a, b);
        times_ints(a: __m512i, b: __m512i) -> __m512i = _mm512_mullo_epi32(a, b);
        and(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
        min_unsigned(a: __m512i, b: __m512i) -> __m512i = _mm512_min_epu32(a, b);
        are_equal(a: __m512i, b: __m512i) -> bool = _mm512_cmpeq_epi32_mask(a, b) == 0xffff;
        top_byte(a: __m512i) -> __m512i = _mm512_srli_epi32::<24>(a);
    }

    #[inline(always)]
    unsafe fn gather(texels: &[u32], places: __m512i) -> __m512i {
        // SAFETY: as for the other functions. The places are within the texels.
        unsafe { _mm512_i32gather_epi32::<4>(places, texels.as_ptr().cast()) }
    }

    #[inline(always)]
    unsafe fn gather_pairs(texels: &[u32], places: __m512i) -> [__m512i; 2] {
        // SAFETY: as for the other functions. The places and those that follow are within the texels.
        unsafe {
            let base = texels.as_ptr().cast();
            // The first two places of each quarter, then the other two.
            let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
            let places = _mm512_permutexvar_epi64(order, places);
            let first = _mm512_castsi512_si256(places);
            let first = _mm512_i32gather_epi64::<4>(first, base);
            let second = _mm512_extracti64x4_epi64::<1>(places);
            let second = _mm512_i32gather_epi64::<4>(second, base);
            let (first, second) = (_mm512_castsi512_ps(first), _mm512_castsi512_ps(second));
            let left = _mm512_shuffle_ps::<0b10_00_10_00>(first, second);
            let right = _mm512_shuffle_ps::<0b11_01_11_01>(first, second);
            [_mm512_castps_si512(left), _mm512_castps_si512(right)]
        }
    }

    /// Packing keeps to quarters, and so to rows.
    #[inline(always)]
    fn store(upper: &mut [u8], lower: &mut [u8], [r, g, b, a]: [__m512i; 4]) {
        assert!(upper.len() == 32 && lower.len() == 32);
        // SAFETY: as for the other functions. Each row has 32 bytes.
        unsafe {
            let order = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
            let (low, high) = (_mm512_packus_epi32(r, g), _mm512_packus_epi32(b, a));
            let bytes = _mm512_packus_epi16(low, high);
            let pixels = _mm512_shuffle_epi8(bytes, _mm512_broadcast_i32x4(order));
            _mm256_storeu_si256(upper.as_mut_ptr().cast(), _mm512_castsi512_si256(pixels));
            let below = _mm512_extracti64x4_epi64::<1>(pixels);
            _mm256_storeu_si256(lower.as_mut_ptr().cast(), below);
        }
    }
}
