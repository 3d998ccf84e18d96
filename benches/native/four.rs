//! Four lanes: SSE registers, with the encodings of AVX2.

use std::arch::x86_64::*;

use super::vector::{Vector, intrinsics};

/// A quad.
#[derive(Clone, Copy)]
pub(super) struct Four(__m128);

impl Vector for Four {
    type Ints = __m128i;
    type Mask = __m128;

    const COLUMNS: usize = 2;

    intrinsics! {
        columns() -> Four = Four(_mm_setr_ps(0.5, 1.5, 0.5, 1.5));
        rows() -> Four = Four(_mm_setr_ps(0.5, 0.5, 1.5, 1.5));
        splat(value: f32) -> Four = Four(_mm_set1_ps(value));
        plus(a: Four, b: Four) -> Four = Four(_mm_add_ps(a.0, b.0));
        minus(a: Four, b: Four) -> Four = Four(_mm_sub_ps(a.0, b.0));
        times(a: Four, b: Four) -> Four = Four(_mm_mul_ps(a.0, b.0));
        over(a: Four, b: Four) -> Four = Four(_mm_div_ps(a.0, b.0));
        fma(a: Four, b: Four, c: Four) -> Four = Four(_mm_fmadd_ps(a.0, b.0, c.0));
        sqrt(a: Four) -> Four = Four(_mm_sqrt_ps(a.0));
        floor(a: Four) -> Four = Four(_mm_floor_ps(a.0));
        magnitude(a: Four) -> Four = Four(_mm_andnot_ps(_mm_set1_ps(-0.0), a.0));
        min(a: Four, b: Four) -> Four = Four(_mm_min_ps(a.0, b.0));
        max(a: Four, b: Four) -> Four = Four(_mm_max_ps(a.0, b.0));
        lt(a: Four, b: Four) -> __m128 = _mm_cmplt_ps(a.0, b.0);
        select(mask: __m128, yes: Four, no: Four) -> Four = Four(_mm_blendv_ps(no.0, yes.0, mask));
        only(mask: __m128, a: Four) -> Four = Four(_mm_and_ps(mask, a.0));
        to_ints(a: Four) -> __m128i = _mm_cvttps_epi32(a.0);
        splat_ints(value: i32) -> __m128i = _mm_set1_epi32(value);
        to_floats(a: __m128i) -> Four = Four(_mm_cvtepi32_ps(a));
        plus_ints(a: __m128i, b: __m128i) -> __m128i = _mm_add_epi32(a, b);
        times_ints(a: __m128i, b: __m128i) -> __m128i = _mm_mullo_epi32(a, b);
        and(a: __m128i, b: __m128i) -> __m128i = _mm_and_si128(a, b);
        min_unsigned(a: __m128i, b: __m128i) -> __m128i = _mm_min_epu32(a, b);
        are_equal(a: __m128i, b: __m128i) -> bool
            = _mm_movemask_epi8(_mm_cmpeq_epi32(a, b)) == 0xffff;
        top_byte(a: __m128i) -> __m128i = _mm_srli_epi32::<24>(a);
    }

    /// Faster than the processor's own gathering.
    #[inline(always)]
    unsafe fn gather(texels: &[u32], places: __m128i) -> __m128i {
        // SAFETY: the places are within the texels.
        let at = |place: i64| unsafe { *texels.get_unchecked(place as u32 as usize) as i32 };
        // SAFETY: as for the other functions.
        unsafe {
            let low = _mm_cvtsi128_si64(places);
            let high = _mm_extract_epi64::<1>(places);
            _mm_setr_epi32(at(low), at(low >> 32), at(high), at(high >> 32))
        }
    }

    #[inline(always)]
    unsafe fn gather_pairs(texels: &[u32], places: __m128i) -> [__m128i; 2] {
        // SAFETY: as for the other functions. The places and those that follow are within the texels.
        unsafe {
            let at = |place: i64| texels.as_ptr().add(place as u32 as usize).cast::<i64>();
            let low = _mm_cvtsi128_si64(places);
            let high = _mm_extract_epi64::<1>(places);
            let pairs = |first: i64| {
                let words = [first, first >> 32].map(|place| at(place).read_unaligned());
                _mm_castsi128_ps(_mm_set_epi64x(words[1], words[0]))
            };
            let (first, second) = (pairs(low), pairs(high));
            let left = _mm_shuffle_ps::<0b10_00_10_00>(first, second);
            let right = _mm_shuffle_ps::<0b11_01_11_01>(first, second);
            [left, right].map(|words| _mm_castps_si128(words))
        }
    }

    #[inline(always)]
    fn store(upper: &mut [u8], lower: &mut [u8], [r, g, b, a]: [__m128i; 4]) {
        assert!(upper.len() == 8 && lower.len() == 8);
        // SAFETY: as for the other functions. Each row has 8 bytes.
        unsafe {
            let order = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
            let bytes = _mm_packus_epi16(_mm_packus_epi32(r, g), _mm_packus_epi32(b, a));
            let pixels = _mm_shuffle_epi8(bytes, order);
            let words = [_mm_cvtsi128_si64(pixels), _mm_extract_epi64::<1>(pixels)];
            upper.as_mut_ptr().cast::<i64>().write_unaligned(words[0]);
            lower.as_mut_ptr().cast::<i64>().write_unaligned(words[1]);
        }
    }
}
