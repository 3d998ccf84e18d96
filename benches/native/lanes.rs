//! Several vectors side by side.

use std::ops::{Add, Mul, Sub};

use super::vector::Vector;

/// A component in the lanes of `N` vectors.
#[derive(Clone, Copy)]
pub(super) struct Lanes<V, const N: usize>(pub(super) [V; N]);

/// The same, of integers.
#[derive(Clone, Copy)]
pub(super) struct Ints<V: Vector, const N: usize>(pub(super) [V::Ints; N]);

/// Some of the lanes.
#[derive(Clone, Copy)]
pub(super) struct Mask<V: Vector, const N: usize>([V::Mask; N]);

/// Every element of an array that has `N` of them. A loop, as functions of the standard library are not
/// compiled for wide vectors, and would call those that are.
macro_rules! each {
    ($n:ident: $value:expr) => {{
        let mut all = {
            let $n = 0;
            [$value; N]
        };
        for $n in 1..N {
            all[$n] = $value;
        }
        all
    }};
}

/// Methods that are a function of vectors.
macro_rules! methods {
    ($($of:ident::$method:ident($($operand:ident: $type:ident),*) -> $to:ident = $function:ident;)+) => {
        $(impl<V: Vector, const N: usize> $of<V, N> {
            #[inline(always)]
            pub(super) fn $method(self $(, $operand: $type<V, N>)*) -> $to<V, N> {
                $to(each!(n: V::$function(self.0[n] $(, $operand.0[n])*)))
            }
        })+
    };
}

/// Operators that are a function of vectors.
macro_rules! operators {
    ($($operator:ident::$method:ident of $of:ident = $function:ident;)+) => {
        $(impl<V: Vector, const N: usize> $operator for $of<V, N> {
            type Output = $of<V, N>;

            #[inline(always)]
            fn $method(self, other: $of<V, N>) -> $of<V, N> {
                $of(each!(n: V::$function(self.0[n], other.0[n])))
            }
        })+
    };
}

operators! {
    Add::add of Lanes = plus;
    Sub::sub of Lanes = minus;
    Mul::mul of Lanes = times;
    Add::add of Ints = plus_ints;
    Mul::mul of Ints = times_ints;
}

methods! {
    Lanes::over(other: Lanes) -> Lanes = over;
    Lanes::fma(factor: Lanes, sum: Lanes) -> Lanes = fma;
    Lanes::sqrt() -> Lanes = sqrt;
    Lanes::floor() -> Lanes = floor;
    Lanes::magnitude() -> Lanes = magnitude;
    Lanes::min(other: Lanes) -> Lanes = min;
    Lanes::max(other: Lanes) -> Lanes = max;
    Lanes::lt(other: Lanes) -> Mask = lt;
    Lanes::to_ints() -> Ints = to_ints;
    Mask::select(yes: Lanes, no: Lanes) -> Lanes = select;
    Mask::only(value: Lanes) -> Lanes = only;
    Ints::to_floats() -> Lanes = to_floats;
    Ints::and(other: Ints) -> Ints = and;
    Ints::min_unsigned(other: Ints) -> Ints = min_unsigned;
    Ints::top_byte() -> Ints = top_byte;
}

impl<V: Vector, const N: usize> Lanes<V, N> {
    #[inline(always)]
    pub(super) fn splat(value: f32) -> Lanes<V, N> {
        Lanes([V::splat(value); N])
    }

    /// `sqrt(1 / |self|)`, both steps rounded.
    #[inline(always)]
    pub(super) fn rsq(self) -> Lanes<V, N> {
        Lanes::splat(1.0).over(self.magnitude()).sqrt()
    }
}

impl<V: Vector, const N: usize> Ints<V, N> {
    #[inline(always)]
    pub(super) fn splat(value: i32) -> Ints<V, N> {
        Ints([V::splat_ints(value); N])
    }

    /// Whether they are the same in all lanes.
    #[inline(always)]
    pub(super) fn are_equal(self, other: Ints<V, N>) -> bool {
        let mut all = true;
        for n in 0..N {
            all &= V::are_equal(self.0[n], other.0[n]);
        }
        all
    }

    /// The texels at these places, and the ones that follow them.
    ///
    /// # Safety
    ///
    /// Both must be within the texels.
    #[inline(always)]
    pub(super) unsafe fn gather_pairs(self, texels: &[u32]) -> [Ints<V, N>; 2] {
        let mut pairs = [self; 2];
        for n in 0..N {
            // SAFETY: the places are within the texels.
            let [left, right] = unsafe { V::gather_pairs(texels, self.0[n]) };
            (pairs[0].0[n], pairs[1].0[n]) = (left, right);
        }
        pairs
    }

    /// The texels at these places.
    ///
    /// # Safety
    ///
    /// The places must be within the texels.
    #[inline(always)]
    pub(super) unsafe fn gather(self, texels: &[u32]) -> Ints<V, N> {
        // SAFETY: the places are within the texels.
        Ints(each!(n: unsafe { V::gather(texels, self.0[n]) }))
    }
}
