//! Eight lanes: AVX2.

use std::arch::x86_64::*;

use super::vector::{Vector, intrinsics};

/// Four pixels above four others.
#[derive(Clone, Copy)]
pub(super) struct Eight(__m256);

impl Vector for Eight {
    type Ints = __m256i;
    type Mask = __m256;

    const COLUMNS: usize = 4;

    intrinsics! {
        columns() -> Eight = Eight(_mm256_setr_ps(0.5, 1.5, 2.5, 3.5, 0.5, 1.5, 2.5, 3.5));
        rows() -> Eight = Eight(_mm256_setr_ps(0.5, 0.5, 0.5, 0.5, 1.5, 1.5, 1.5, 1.5));
        splat(value: f32) -> Eight = Eight(_mm256_set1_ps(value));
        plus(a: Eight, b: Eight) -> Eight = Eight(_mm256_add_ps(a.0, b.0));
        minus(a: Eight, b: Eight) -> Eight = Eight(_mm256_sub_ps(a.0, b.0));
        times(a: Eight, b: Eight) -> Eight = Eight(_mm256_mul_ps(a.0, b.0));
        over(a: Eight, b: Eight) -> Eight = Eight(_mm256_div_ps(a.0, b.0));
        fma(a: Eight, b: Eight, c: Eight) -> Eight = Eight(_mm256_fmadd_ps(a.0, b.0, c.0));
        sqrt(a: Eight) -> Eight = Eight(_mm256_sqrt_ps(a.0));
        floor(a: Eight) -> Eight = Eight(_mm256_floor_ps(a.0));
        magnitude(a: Eight) -> Eight = Eight(_mm256_andnot_ps(_mm256_set1_ps(-0.0), a.0));
        min(a: Eight, b: Eight) -> Eight = Eight(_mm256_min_ps(a.0, b.0));
        max(a: Eight, b: Eight) -> Eight = Eight(_mm256_max_ps(a.0, b.0));
        lt(a: Eight, b: Eight) -> __m256 = _mm256_cmp_ps::<_CMP_LT_OQ>(a.0, b.0);
        select(mask: __m256, yes: Eight, no: Eight) -> Eight
            = Eight(_mm256_blendv_ps(no.0, yes.0, mask));
        only(mask: __m256, a: Eight) -> Eight = Eight(_mm256_and_ps(mask, a.0));
        to_ints(a: Eight) -> __m256i = _mm256_cvttps_epi32(a.0);
        splat_ints(value: i32) -> __m256i = _mm256_set1_epi32(value);
        to_floats(a: __m256i) -> Eight = Eight(_mm256_cvtepi32_ps(a));
        plus_ints(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi32(a, b);
        times_ints(a: __m256i, b: __m256i) -> __m256i = _mm256_mullo_epi32(a, b);
        and(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
        min_unsigned(a: __m256i, b: __m256i) -> __m256i = _mm256_min_epu32(a, b);
        are_equal(a: __m256i, b: __m256i) -> bool
            = _mm256_movemask_epi8(_mm256_cmpeq_epi32(a, b)) == -1;
        top_byte(a: __m256i) -> __m256i = _mm256_srli_epi32::<24>(a);
    }

    #[inline(always)]
    unsafe fn gather(texels: &[u32], places: __m256i) -> __m256i {
        // SAFETY: as for the other functions. The places are within the texels.
        unsafe { _mm256_i32gather_epi32::<4>(texels.as_ptr().cast(), places) }
    }

    #[inline(always)]
    unsafe fn gather_pairs(texels: &[u32], places: __m256i) -> [__m256i; 2] {
        // SAFETY: as for the other functions. The places and those that follow are within the texels.
        unsafe {
            let base = texels.as_ptr().cast::<i64>();
            // The first two places of each half, then the other two.
            let places = _mm256_permute4x64_epi64::<0b11_01_10_00>(places);
            let first = _mm256_castsi256_si128(places);
            let first = _mm256_i32gather_epi64::<4>(base, first);
            let second = _mm256_extracti128_si256::<1>(places);
            let second = _mm256_i32gather_epi64::<4>(base, second);
            let (first, second) = (_mm256_castsi256_ps(first), _mm256_castsi256_ps(second));
            let left = _mm256_shuffle_ps::<0b10_00_10_00>(first, second);
            let right = _mm256_shuffle_ps::<0b11_01_11_01>(first, second);
            [_mm256_castps_si256(left), _mm256_castps_si256(right)]
        }
    }

    /// Packing keeps to halves, and so to rows.
    #[inline(always)]
    fn store(upper: &mut [u8], lower: &mut [u8], [r, g, b, a]: [__m256i; 4]) {
        assert!(upper.len() == 16 && lower.len() == 16);
        // SAFETY: as for the other functions. Each row has 16 bytes.
        unsafe {
            let order = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
            let (low, high) = (_mm256_packus_epi32(r, g), _mm256_packus_epi32(b, a));
            let bytes = _mm256_packus_epi16(low, high);
            let pixels = _mm256_shuffle_epi8(bytes, _mm256_broadcastsi128_si256(order));
            _mm_storeu_si128(upper.as_mut_ptr().cast(), _mm256_castsi256_si128(pixels));
            let below = _mm256_extracti128_si256::<1>(pixels);
            _mm_storeu_si128(lower.as_mut_ptr().cast(), below);
        }
    }
}
