//! The four programs.
//!
//! Functions that need AVX2 hand no closures to the standard library. Its functions are not compiled for
//! AVX2, so they could not inline the closures and would call them.

use std::arch::x86_64::*;
use std::ops::{Add, Mul, Sub};

use attila_shader::machine::pipeline::Plane;

use super::lanes::{Ints, Lanes};
use super::rows::{Colour, shade};
use super::{Native, Scene, Texels};

/// Draws with `N` quads side by side.
#[target_feature(enable = "avx2,fma")]
pub(super) fn draw<const N: usize>(
    program: Native,
    scene: &Scene<'_>,
    target: &mut [u8],
    width: usize,
) {
    match program {
        Native::Passthrough => passthrough::<N>(scene, target, width),
        Native::BlinnPhong => blinn_phong::<N>(scene, target, width),
        Native::Julia => julia::<N>(scene, target, width),
        Native::Bilinear => bilinear::<N>(scene, target, width),
    }
}

fn planes<const P: usize>(scene: &Scene<'_>) -> [Plane; P] {
    let planes = scene.planes.first_chunk();
    *planes.expect("a plane for each component")
}

#[inline(never)]
#[target_feature(enable = "avx2,fma")]
fn passthrough<const N: usize>(scene: &Scene<'_>, target: &mut [u8], width: usize) {
    shade::<N, 4>(planes(scene), target, width, |colour| colour);
}

#[inline(never)]
#[target_feature(enable = "avx2,fma")]
fn blinn_phong<const N: usize>(scene: &Scene<'_>, target: &mut [u8], width: usize) {
    let constants: &[[f32; 4]; 5] = scene.constants.first_chunk().expect("five constants");
    let [light, light_colour, ambient, diffuse, eye] = constants.map(xyz);
    let zero = Lanes::<N>::splat(0.0);
    shade::<N, 6>(planes(scene), target, width, |[x, y, z, nx, ny, nz]| {
        let normal = normalised([nx, ny, nz]);
        let to_light = normalised(zip(Sub::sub, light, [x, y, z]));
        let to_eye = normalised(zip(Sub::sub, eye, [x, y, z]));
        let half = normalised(zip(Add::add, to_eye, to_light));
        let lit = dot(normal, to_light).max(zero);
        let mut shine = dot(normal, half).max(zero);
        for _ in 0..5 {
            shine = shine * shine;
        }
        let base = zip(Mul::mul, zip(Mul::mul, diffuse, [lit; 3]), light_colour);
        let base = zip(Add::add, base, ambient);
        let [r, g, b] = zip(Add::add, zip(Mul::mul, light_colour, [shine; 3]), base);
        [r, g, b, Lanes::splat(1.0)]
    });
}

/// A vector.
type Xyz<const N: usize> = [Lanes<N>; 3];

#[inline(always)]
fn xyz<const N: usize>([x, y, z, _]: [f32; 4]) -> Xyz<N> {
    [x, y, z].map(Lanes::splat)
}

#[inline(always)]
fn zip<const N: usize>(f: impl Fn(Lanes<N>, Lanes<N>) -> Lanes<N>, a: Xyz<N>, b: Xyz<N>) -> Xyz<N> {
    [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2])]
}

#[inline(always)]
fn dot<const N: usize>(a: Xyz<N>, b: Xyz<N>) -> Lanes<N> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn normalised<const N: usize>(vector: Xyz<N>) -> Xyz<N> {
    zip(Mul::mul, vector, [dot(vector, vector).rsq(); 3])
}

#[inline(never)]
#[target_feature(enable = "avx2,fma")]
fn julia<const N: usize>(scene: &Scene<'_>, target: &mut [u8], width: usize) {
    let [cx, cy, bailout, sixteenth] = scene.constants[0].map(Lanes::<N>::splat);
    let [zero, half, one] = [0.0, 0.5, 1.0].map(Lanes::splat);
    shade::<N, 2>(planes(scene), target, width, |[mut x, mut y]| {
        let mut steps = zero;
        for _ in 0..16 {
            let (xx, xy, yy) = (x * x, x * y, y * y);
            let inside = (xx + yy - bailout).lt(zero);
            x = inside.select(xx - yy + cx, x);
            y = inside.select(xy + xy + cy, y);
            steps = steps + inside.and(one);
        }
        let red = steps * sixteenth;
        let green = red * red;
        let blue = green * red;
        let size = (y * y + x * x).max(zero).min(one);
        [one - red, green, blue, size * half + half]
    });
}

#[inline(never)]
#[target_feature(enable = "avx2,fma")]
fn bilinear<const N: usize>(scene: &Scene<'_>, target: &mut [u8], width: usize) {
    let Texels {
        texels,
        width: columns,
        height: rows,
    } = scene.texture;
    assert!((1..=MOST_TEXELS).contains(&columns) && (1..=MOST_TEXELS).contains(&rows));
    assert_eq!(texels.len(), columns * rows);
    let (columns, rows) = (columns as i32, rows as i32);
    let one = Lanes::<N>::splat(1.0);
    shade::<N, 2>(planes(scene), target, width, |[s, t]| {
        let (i, a) = repeat(s, columns);
        let (j, b) = repeat(t, rows);
        let (rest_a, rest_b) = (one - a, one - b);
        let columns = Ints::splat(columns);
        let j = [j[0].mul(columns), j[1].mul(columns)];
        let at = |i, j| {
            // SAFETY: the places along both axes are below their sizes.
            colour(unsafe { gather(texels, i + j) })
        };
        let (t00, t10) = (at(i[0], j[0]), at(i[1], j[0]));
        let (t01, t11) = (at(i[0], j[1]), at(i[1], j[1]));
        let mut mixed = t00;
        for c in 0..4 {
            let upper = t00[c] * rest_a * rest_b + t10[c] * a * rest_b;
            mixed[c] = upper + t01[c] * rest_a * b + t11[c] * a * b;
        }
        mixed
    });
}

/// The limit of texels along an axis. Up to it, half a texel is not rounded off.
const MOST_TEXELS: usize = 1 << 14;

/// The texels on either side of a coordinate along an axis of `size`, and the weight of the second.
/// For every coordinate they are from 0 to `size` - 1, if `size` is at most [`MOST_TEXELS`].
#[inline]
#[target_feature(enable = "avx2,fma")]
fn repeat<const N: usize>(coordinate: Lanes<N>, size: i32) -> ([Ints<N>; 2], Lanes<N>) {
    // From 0 to 1, and 0 for NaN.
    let wrapped = (coordinate - coordinate.floor()).max(Lanes::splat(0.0));
    let place = wrapped * Lanes::splat(size as f32) - Lanes::splat(0.5);
    let whole = place.floor();
    // From -1 to `size` - 1. Outside texels are large numbers without a sign.
    let first = whole.to_ints();
    let second = first + Ints::splat(1);
    let first = first.min_unsigned(first + Ints::splat(size));
    let second = second.min_unsigned(second + Ints::splat(-size));
    ([first, second], place - whole)
}

/// The texels at these places. Faster than the processor's own gathering.
///
/// # Safety
///
/// The places must be within the texels.
#[inline]
#[target_feature(enable = "avx2,fma")]
unsafe fn gather<const N: usize>(texels: &[u32], places: Ints<N>) -> Ints<N> {
    // SAFETY: the places are within the texels.
    let at = |place: i64| unsafe { *texels.get_unchecked(place as u32 as usize) as i32 };
    let mut all = places;
    for q in 0..N {
        let low = _mm_cvtsi128_si64(places.0[q]);
        let high = _mm_extract_epi64::<1>(places.0[q]);
        all.0[q] = _mm_setr_epi32(at(low), at(low >> 32), at(high), at(high >> 32));
    }
    all
}

/// A texel's bytes divided by 255.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn colour<const N: usize>(texel: Ints<N>) -> Colour<N> {
    let byte = |place: u32| by_255(texel.and(Ints::splat(0xff << place)).to_floats(), place);
    [
        byte(0),
        byte(8),
        byte(16),
        by_255(texel.top_byte().to_floats(), 0),
    ]
}

/// A byte divided by 255; `number` is the byte shifted to the left by `place`.
///
/// 1/255 in two parts. The product with the first is exact, and the rounding of the other product
/// does not change the result for any byte.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn by_255<const N: usize>(number: Lanes<N>, place: u32) -> Lanes<N> {
    let unit = 1.0 / (1 << place) as f32;
    let upper = Lanes::splat(f32::from_bits(0x3b80_8000) * unit);
    let lower = Lanes::splat(f32::from_bits(0x3380_8081) * unit);
    number.fma(upper, number * lower)
}
