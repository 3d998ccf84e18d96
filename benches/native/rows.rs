//! Rows of quads: inputs from planes, colours to RGBA8.

use std::arch::x86_64::*;

use attila_shader::machine::pipeline::Plane;

use super::lanes::{Ints, Lanes};

/// A colour: red, green, blue, alpha.
pub(super) type Colour<const N: usize> = [Lanes<N>; 4];

/// Shades a rectangle from the corner of the window: `colour` makes a colour of the planes' values.
///
/// Quads that do not fill up a group of `N` at the end of a row are left out.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) fn shade<const N: usize, const P: usize>(
    planes: [Plane; P],
    target: &mut [u8],
    width: usize,
    colour: impl Fn([Lanes<N>; P]) -> Colour<N>,
) {
    // Centres of the left column's pixels, and those of the quads beside each other.
    let right = _mm_setr_ps(0.5, 1.5, 0.5, 1.5);
    let down = _mm_setr_ps(0.5, 0.5, 1.5, 1.5);
    let mut start = Lanes([right; N]);
    for q in 0..N {
        start.0[q] = _mm_add_ps(right, _mm_set1_ps(2.0 * q as f32));
    }
    let step = Lanes::splat(2.0 * N as f32);
    for (row, pixels) in target.chunks_exact_mut(2 * 4 * width).enumerate() {
        let y = _mm_add_ps(down, _mm_set1_ps(2.0 * row as f32));
        let mut begin = [Lanes::splat(0.0); P];
        for p in 0..P {
            let (dy, at) = (_mm_set1_ps(planes[p].dy), _mm_set1_ps(planes[p].at));
            begin[p] = Lanes([_mm_fmadd_ps(y, dy, at); N]);
        }
        let mut x = start;
        let (upper, lower) = pixels.split_at_mut(4 * width);
        let groups = upper.chunks_exact_mut(8 * N);
        for (upper, lower) in groups.zip(lower.chunks_exact_mut(8 * N)) {
            let mut inputs = begin;
            for p in 0..P {
                inputs[p] = x.fma(Lanes::splat(planes[p].dx), begin[p]);
            }
            store(upper, lower, colour(inputs));
            x = x + step;
        }
    }
}

/// Stores the two rows of some quads.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn store<const N: usize>(upper: &mut [u8], lower: &mut [u8], colour: Colour<N>) {
    let [r, g, b, a] = colour.map(to_bytes);
    let order = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    let mut quads = r;
    for q in 0..N {
        let words = [
            _mm_packus_epi32(r.0[q], g.0[q]),
            _mm_packus_epi32(b.0[q], a.0[q]),
        ];
        quads.0[q] = _mm_shuffle_epi8(_mm_packus_epi16(words[0], words[1]), order);
    }
    let (upper, _) = upper.as_chunks_mut::<8>();
    let (lower, _) = lower.as_chunks_mut::<8>();
    for q in 0..N {
        upper[q] = _mm_cvtsi128_si64(quads.0[q]).to_le_bytes();
        lower[q] = _mm_extract_epi64::<1>(quads.0[q]).to_le_bytes();
    }
}

/// 255 times a component, truncated. Packing clamps values below 0.
#[inline(always)]
fn to_bytes<const N: usize>(component: Lanes<N>) -> Ints<N> {
    // A NaN becomes 1.
    let clamped = component.min(Lanes::splat(1.0));
    (clamped * Lanes::splat(255.0)).to_ints()
}
