//! Lanes of several quads in SSE registers.
//!
//! Plain arithmetic is there on every x86-64; compiled into functions with AVX2 it is encoded
//! accordingly.

use std::arch::x86_64::*;
use std::array::from_fn;
use std::ops::{Add, Mul, Sub};

/// A component in the lanes of `N` quads.
#[derive(Clone, Copy)]
pub(super) struct Lanes<const N: usize>(pub(super) [__m128; N]);

/// The same, of integers.
#[derive(Clone, Copy)]
pub(super) struct Ints<const N: usize>(pub(super) [__m128i; N]);

/// Methods of one or two operands, quad by quad an SSE2 intrinsic.
macro_rules! methods {
    ($($(#[$doc:meta])* $of:ident::$method:ident($($other:ident)?) -> $to:ident = $intrinsic:path;)+) => {
        $(impl<const N: usize> $of<N> {
            $(#[$doc])*
            #[inline(always)]
            pub(super) fn $method(self $(, $other: $of<N>)?) -> $to<N> {
                // SAFETY: SSE2 is a part of x86-64.
                $to(from_fn(|q| unsafe { $intrinsic(self.0[q] $(, $other.0[q])?) }))
            }
        })+
    };
}

methods! {
    Lanes::plus(other) -> Lanes = _mm_add_ps;
    Lanes::minus(other) -> Lanes = _mm_sub_ps;
    Lanes::times(other) -> Lanes = _mm_mul_ps;
    Lanes::over(other) -> Lanes = _mm_div_ps;
    Lanes::sqrt() -> Lanes = _mm_sqrt_ps;
    /// The minimum; `other` for NaN.
    Lanes::min(other) -> Lanes = _mm_min_ps;
    /// The maximum; `other` for NaN.
    Lanes::max(other) -> Lanes = _mm_max_ps;
    /// A mask of the lanes in which it is less than `other`.
    Lanes::lt(other) -> Lanes = _mm_cmplt_ps;
    /// `other` in the lanes of a mask, 0 elsewhere.
    Lanes::and(other) -> Lanes = _mm_and_ps;
    /// 0 in the lanes of a mask, `other` elsewhere.
    Lanes::and_not(other) -> Lanes = _mm_andnot_ps;
    /// Truncated.
    Lanes::to_ints() -> Ints = _mm_cvttps_epi32;
    Ints::plus(other) -> Ints = _mm_add_epi32;
    Ints::and(other) -> Ints = _mm_and_si128;
    /// The uppermost byte.
    Ints::top_byte() -> Ints = _mm_srli_epi32::<24>;
    Ints::to_floats() -> Lanes = _mm_cvtepi32_ps;
}

impl<const N: usize> Add for Lanes<N> {
    type Output = Lanes<N>;

    #[inline(always)]
    fn add(self, other: Lanes<N>) -> Lanes<N> {
        self.plus(other)
    }
}

impl<const N: usize> Sub for Lanes<N> {
    type Output = Lanes<N>;

    #[inline(always)]
    fn sub(self, other: Lanes<N>) -> Lanes<N> {
        self.minus(other)
    }
}

impl<const N: usize> Mul for Lanes<N> {
    type Output = Lanes<N>;

    #[inline(always)]
    fn mul(self, other: Lanes<N>) -> Lanes<N> {
        self.times(other)
    }
}

impl<const N: usize> Add for Ints<N> {
    type Output = Ints<N>;

    #[inline(always)]
    fn add(self, other: Ints<N>) -> Ints<N> {
        self.plus(other)
    }
}

impl<const N: usize> Lanes<N> {
    #[inline(always)]
    pub(super) fn splat(value: f32) -> Lanes<N> {
        // SAFETY: SSE2 is a part of x86-64.
        Lanes(unsafe { [_mm_set1_ps(value); N] })
    }

    /// `sqrt(1 / |self|)`, both steps rounded.
    #[inline(always)]
    pub(super) fn rsq(self) -> Lanes<N> {
        let magnitude = Lanes::splat(-0.0).and_not(self);
        Lanes::splat(1.0).over(magnitude).sqrt()
    }

    /// `yes` in the lanes of a mask, `no` elsewhere.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn select(self, yes: Lanes<N>, no: Lanes<N>) -> Lanes<N> {
        let mut all = no;
        for q in 0..N {
            all.0[q] = _mm_blendv_ps(no.0[q], yes.0[q], self.0[q]);
        }
        all
    }

    /// `self * factor + sum`, rounded once.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn fma(self, factor: Lanes<N>, sum: Lanes<N>) -> Lanes<N> {
        let mut all = sum;
        for q in 0..N {
            all.0[q] = _mm_fmadd_ps(self.0[q], factor.0[q], sum.0[q]);
        }
        all
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn floor(self) -> Lanes<N> {
        let mut all = self;
        for q in 0..N {
            all.0[q] = _mm_floor_ps(self.0[q]);
        }
        all
    }
}

impl<const N: usize> Ints<N> {
    #[inline(always)]
    pub(super) fn splat(value: i32) -> Ints<N> {
        // SAFETY: SSE2 is a part of x86-64.
        Ints(unsafe { [_mm_set1_epi32(value); N] })
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn mul(self, other: Ints<N>) -> Ints<N> {
        let mut all = self;
        for q in 0..N {
            all.0[q] = _mm_mullo_epi32(self.0[q], other.0[q]);
        }
        all
    }

    /// The minimum, as unsigned numbers.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn min_unsigned(self, other: Ints<N>) -> Ints<N> {
        let mut all = self;
        for q in 0..N {
            all.0[q] = _mm_min_epu32(self.0[q], other.0[q]);
        }
        all
    }
}
