//! The primitive lane operations that both engines share.
//!
//! An approximation (`ex2`, `sin`, …) is written once, as a function over [`Arith`], and runs
//! wherever the trait is implemented: on the host's lanes in the interpreter and in the sweeps
//! against f64 ([`HostLanes`]), and as a recording of lane IR in the JIT. Every method is exactly
//! one IEEE-754 binary32 step (round to nearest even, denormals kept) or one integer step, so all
//! implementations agree bit for bit by construction. The one freedom is the payload of a NaN.
//!
//! There is no `min` and no `max`: processors and libraries differ on NaN and on ±0. Say what you
//! mean with [`Arith::lt`] and [`Arith::select`].

/// An approximation's slow path, run lane by lane as ordinary host code.
///
/// Emulating a 160-bit argument reduction in 32-bit lanes would cost more code than everything
/// else together, for arguments that shaders do not have. Both engines call the same function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SlowPath {
    /// [`crate::approx::sin_large`].
    Sin,
    /// [`crate::approx::cos_large`].
    Cos,
}

impl SlowPath {
    /// The slow path's result for one lane.
    pub fn apply(self, x: f32) -> f32 {
        match self {
            SlowPath::Sin => crate::approx::sin_large(x),
            SlowPath::Cos => crate::approx::cos_large(x),
        }
    }
}

/// Primitive operations on lanes of 32-bit values.
///
/// Shifts take a constant amount in `0..32`. Conversions and comparisons are exact as described;
/// nothing is left to the host.
pub trait Arith {
    /// Lanes of f32.
    type F: Copy;
    /// Lanes of i32.
    type I: Copy;
    /// Lanes of truth values.
    type M: Copy;

    /// The same f32 in all lanes; its bits are kept as they are.
    fn f32(&mut self, value: f32) -> Self::F;
    /// The same i32 in all lanes.
    fn i32(&mut self, value: i32) -> Self::I;

    /// `a + b`, rounded once.
    fn add(&mut self, a: Self::F, b: Self::F) -> Self::F;
    /// `a - b`, rounded once.
    fn sub(&mut self, a: Self::F, b: Self::F) -> Self::F;
    /// `a * b`, rounded once.
    fn mul(&mut self, a: Self::F, b: Self::F) -> Self::F;
    /// `a / b`, rounded once.
    fn div(&mut self, a: Self::F, b: Self::F) -> Self::F;
    /// `a * b + c`, rounded once.
    fn fma(&mut self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// `√a`, rounded once.
    fn sqrt(&mut self, a: Self::F) -> Self::F;
    /// The largest integer that is not above `a`; -0, infinities and NaN stay.
    fn floor(&mut self, a: Self::F) -> Self::F;
    /// The nearest integer, ties to even; -0, infinities and NaN stay.
    fn nearest(&mut self, a: Self::F) -> Self::F;
    /// Flips the sign bit.
    fn neg(&mut self, a: Self::F) -> Self::F;
    /// Clears the sign bit.
    fn abs(&mut self, a: Self::F) -> Self::F;

    /// `a < b`; false if either is NaN.
    fn lt(&mut self, a: Self::F, b: Self::F) -> Self::M;
    /// `a <= b`; false if either is NaN.
    fn le(&mut self, a: Self::F, b: Self::F) -> Self::M;
    /// `a == b`; false if either is NaN, +0 equals -0.
    fn eq(&mut self, a: Self::F, b: Self::F) -> Self::M;

    /// The raw bits of `a`.
    fn to_bits(&mut self, a: Self::F) -> Self::I;
    /// The f32 with the bits `a`.
    #[expect(
        clippy::wrong_self_convention,
        reason = "self is where the operation takes place"
    )]
    fn from_bits(&mut self, a: Self::I) -> Self::F;
    /// The i32 nearest to zero of the two around `a` (truncation). NaN and values outside
    /// the range of i32 give `i32::MIN`.
    fn trunc_to_i32(&mut self, a: Self::F) -> Self::I;
    /// `a` as f32, rounded to nearest even.
    fn to_f32(&mut self, a: Self::I) -> Self::F;

    /// Wrapping `a + b`.
    fn iadd(&mut self, a: Self::I, b: Self::I) -> Self::I;
    /// Wrapping `a - b`.
    fn isub(&mut self, a: Self::I, b: Self::I) -> Self::I;
    /// The low 32 bits of `a * b`.
    fn imul(&mut self, a: Self::I, b: Self::I) -> Self::I;
    /// Bitwise and.
    fn iand(&mut self, a: Self::I, b: Self::I) -> Self::I;
    /// Bitwise or.
    fn ior(&mut self, a: Self::I, b: Self::I) -> Self::I;
    /// Bitwise exclusive or.
    fn ixor(&mut self, a: Self::I, b: Self::I) -> Self::I;
    /// `a` shifted left by `n` bits.
    fn shl(&mut self, a: Self::I, n: u32) -> Self::I;
    /// `a` shifted right by `n` bits, zeros coming in.
    fn shr_u(&mut self, a: Self::I, n: u32) -> Self::I;
    /// `a` shifted right by `n` bits, the sign coming in.
    fn shr_s(&mut self, a: Self::I, n: u32) -> Self::I;
    /// `a < b` as signed integers.
    fn ilt(&mut self, a: Self::I, b: Self::I) -> Self::M;
    /// `a == b`.
    fn ieq(&mut self, a: Self::I, b: Self::I) -> Self::M;

    /// Both.
    fn both(&mut self, a: Self::M, b: Self::M) -> Self::M;
    /// At least one.
    fn either(&mut self, a: Self::M, b: Self::M) -> Self::M;
    /// The opposite.
    fn not(&mut self, a: Self::M) -> Self::M;
    /// Per lane `mask ? a : b`, all bits kept.
    fn select(&mut self, mask: Self::M, a: Self::F, b: Self::F) -> Self::F;
    /// Per lane `mask ? a : b`.
    fn iselect(&mut self, mask: Self::M, a: Self::I, b: Self::I) -> Self::I;

    /// Whether it is known, before any lane is, that `a` is no denormal.
    fn is_never_denormal(&self, _a: Self::F) -> bool {
        false
    }

    /// Per lane `mask ? path(x) : fast`. An implementation skips the calls where no lane asks.
    fn slow_path(&mut self, path: SlowPath, mask: Self::M, x: Self::F, fast: Self::F) -> Self::F;
}

/// [`Arith`] on the host: `N` lanes in plain arrays, which compilers turn into SIMD.
#[derive(Clone, Copy, Default, Debug)]
pub struct HostLanes<const N: usize>;

/// Applies `f` lane by lane.
fn map<const N: usize, A: Copy, R>(a: [A; N], f: impl Fn(A) -> R) -> [R; N] {
    std::array::from_fn(|lane| f(a[lane]))
}

/// Applies `f` lane by lane to two values.
fn zip<const N: usize, A: Copy, B: Copy, R>(a: [A; N], b: [B; N], f: impl Fn(A, B) -> R) -> [R; N] {
    std::array::from_fn(|lane| f(a[lane], b[lane]))
}

/// Truncation to i32 with x86's answer, `i32::MIN`, for NaN and everything out of range.
#[inline]
pub fn trunc_to_i32(a: f32) -> i32 {
    // -2^31 is representable and converts to i32::MIN either way; 2^31 is the first that does not fit.
    if (-2_147_483_648.0..2_147_483_648.0).contains(&a) {
        a as i32
    } else {
        i32::MIN
    }
}

/// The bits of -0.
const MINUS_ZERO: u32 = 1 << 31;
/// The bits of infinity and of -infinity; those of NaN are larger.
const INFINITY: u32 = f32::INFINITY.to_bits();
const MINUS_INFINITY: u32 = f32::NEG_INFINITY.to_bits();

// The next functions look at bits. Compilers make a minimum or a maximum of a comparison and a
// selection, or of comparisons with the same value. On aarch64 these return a NaN for a signalling
// NaN and a number, where the number is the answer.

/// Whether `a` is below 0; -0 and NaN are not.
#[inline]
pub fn is_below_zero(a: f32) -> bool {
    (MINUS_ZERO + 1..=MINUS_INFINITY).contains(&a.to_bits())
}

/// `a`, or `other` where `a` is NaN.
#[inline]
pub fn number_or(a: f32, other: f32) -> f32 {
    let is_nan = a.to_bits() & !MINUS_ZERO > INFINITY;
    if is_nan { other } else { a }
}

/// `a` limited to [0, 1]; -0 stays, NaN gives 1.
#[inline]
pub fn saturate(a: f32) -> f32 {
    const ONE: u32 = 1.0f32.to_bits();
    match a.to_bits() {
        0..=ONE | MINUS_ZERO => a,
        MINUS_ZERO..=MINUS_INFINITY => 0.0,
        _ => 1.0,
    }
}

/// `a` limited to [-1, 1]; -0 stays, NaN gives +0.
#[inline]
pub fn saturate_signed(a: f32) -> f32 {
    const ONE: u32 = 1.0f32.to_bits();
    const MINUS_ONE: u32 = ONE | MINUS_ZERO;
    match a.to_bits() {
        0..=ONE | MINUS_ZERO..=MINUS_ONE => a,
        bits if bits & !MINUS_ZERO > INFINITY => 0.0,
        bits if bits & MINUS_ZERO == 0 => 1.0,
        _ => -1.0,
    }
}

/// Whether `mul_add` is an instruction, and no call of the C library.
///
/// Not every library rounds once: MinGW's does not.
const HAS_FMA: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));

/// `a * b + c`, rounded once on every host.
pub fn fma(a: f32, b: f32, c: f32) -> f32 {
    let [result] = fused([a], [b], [c]);
    result
}

/// `a * b + c`, rounded once on every host.
pub fn fma64(a: f64, b: f64, c: f64) -> f64 {
    if HAS_FMA {
        #[allow(clippy::disallowed_methods, reason = "an instruction")]
        return a.mul_add(b, c);
    }
    libm::fma(a, b, c)
}

/// `a * b + c`, rounded once.
///
/// Going through f64 is some two and a half times faster than a library call for each of four lanes: the
/// product of two f32 is exact there, and rounding the sum to f64 first does no harm but in rare cases.
fn fused<const N: usize>(a: [f32; N], b: [f32; N], c: [f32; N]) -> [f32; N] {
    if HAS_FMA {
        #[allow(clippy::disallowed_methods, reason = "an instruction")]
        return std::array::from_fn(|lane| a[lane].mul_add(b[lane], c[lane]));
    }
    fused_by_f64(a, b, c)
}

/// `fused` without a fused instruction.
fn fused_by_f64<const N: usize>(a: [f32; N], b: [f32; N], c: [f32; N]) -> [f32; N] {
    let sums: [f64; N] =
        std::array::from_fn(|lane| f64::from(a[lane]) * f64::from(b[lane]) + f64::from(c[lane]));
    let mut rare = false;
    for sum in sums {
        // In the middle between two f32: which way to round depends on what the f64 has lost.
        rare |= sum.to_bits() as u32 & 0x1fff_ffff == 0x1000_0000;
        // A denormal result has other middles.
        rare |= (sum.abs() < f64::from(f32::MIN_POSITIVE)) & (sum != 0.0);
    }
    if rare {
        return std::array::from_fn(|lane| fused_carefully(a[lane], b[lane], c[lane]));
    }
    sums.map(|sum| sum as f32)
}

/// `a * b + c`, rounded once, for every case.
///
/// The f64 sum is rounded to odd: of the two f64 around an inexact sum, the one with the odd last bit.
/// The bit then tells the rounding to f32 that the exact sum has more bits.
#[cold]
fn fused_carefully(a: f32, b: f32, c: f32) -> f32 {
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    // The part that the sum has lost, exactly (Knuth's TwoSum). NaN if the sum is infinite or NaN.
    let c_part = sum - product;
    let error = (product - (sum - c_part)) + (c - c_part);
    let bits = sum.to_bits();
    let inexact = error.abs() > 0.0;
    let odd = match (inexact && bits & 1 == 0, (error > 0.0) == (sum > 0.0)) {
        (true, true) => bits + 1,
        (true, false) => bits - 1,
        (false, _) => bits,
    };
    f64::from_bits(odd) as f32
}

impl<const N: usize> Arith for HostLanes<N> {
    type F = [f32; N];
    type I = [i32; N];
    type M = [bool; N];

    fn f32(&mut self, value: f32) -> [f32; N] {
        [value; N]
    }
    fn i32(&mut self, value: i32) -> [i32; N] {
        [value; N]
    }
    fn add(&mut self, a: [f32; N], b: [f32; N]) -> [f32; N] {
        zip(a, b, |a, b| a + b)
    }
    fn sub(&mut self, a: [f32; N], b: [f32; N]) -> [f32; N] {
        zip(a, b, |a, b| a - b)
    }
    fn mul(&mut self, a: [f32; N], b: [f32; N]) -> [f32; N] {
        zip(a, b, |a, b| a * b)
    }
    fn div(&mut self, a: [f32; N], b: [f32; N]) -> [f32; N] {
        zip(a, b, |a, b| a / b)
    }
    fn fma(&mut self, a: [f32; N], b: [f32; N], c: [f32; N]) -> [f32; N] {
        fused(a, b, c)
    }
    fn sqrt(&mut self, a: [f32; N]) -> [f32; N] {
        map(a, f32::sqrt)
    }
    fn floor(&mut self, a: [f32; N]) -> [f32; N] {
        map(a, f32::floor)
    }
    fn nearest(&mut self, a: [f32; N]) -> [f32; N] {
        map(a, f32::round_ties_even)
    }
    fn neg(&mut self, a: [f32; N]) -> [f32; N] {
        map(a, |a| -a)
    }
    fn abs(&mut self, a: [f32; N]) -> [f32; N] {
        map(a, f32::abs)
    }
    fn lt(&mut self, a: [f32; N], b: [f32; N]) -> [bool; N] {
        zip(a, b, |a, b| a < b)
    }
    fn le(&mut self, a: [f32; N], b: [f32; N]) -> [bool; N] {
        zip(a, b, |a, b| a <= b)
    }
    fn eq(&mut self, a: [f32; N], b: [f32; N]) -> [bool; N] {
        zip(a, b, |a, b| a == b)
    }
    fn to_bits(&mut self, a: [f32; N]) -> [i32; N] {
        map(a, |a| a.to_bits().cast_signed())
    }
    fn from_bits(&mut self, a: [i32; N]) -> [f32; N] {
        map(a, |a| f32::from_bits(a.cast_unsigned()))
    }
    fn trunc_to_i32(&mut self, a: [f32; N]) -> [i32; N] {
        map(a, trunc_to_i32)
    }
    fn to_f32(&mut self, a: [i32; N]) -> [f32; N] {
        map(a, |a| a as f32)
    }
    fn iadd(&mut self, a: [i32; N], b: [i32; N]) -> [i32; N] {
        zip(a, b, i32::wrapping_add)
    }
    fn isub(&mut self, a: [i32; N], b: [i32; N]) -> [i32; N] {
        zip(a, b, i32::wrapping_sub)
    }
    fn imul(&mut self, a: [i32; N], b: [i32; N]) -> [i32; N] {
        zip(a, b, i32::wrapping_mul)
    }
    fn iand(&mut self, a: [i32; N], b: [i32; N]) -> [i32; N] {
        zip(a, b, |a, b| a & b)
    }
    fn ior(&mut self, a: [i32; N], b: [i32; N]) -> [i32; N] {
        zip(a, b, |a, b| a | b)
    }
    fn ixor(&mut self, a: [i32; N], b: [i32; N]) -> [i32; N] {
        zip(a, b, |a, b| a ^ b)
    }
    fn shl(&mut self, a: [i32; N], n: u32) -> [i32; N] {
        map(a, |a| a << n)
    }
    fn shr_u(&mut self, a: [i32; N], n: u32) -> [i32; N] {
        map(a, |a| (a.cast_unsigned() >> n).cast_signed())
    }
    fn shr_s(&mut self, a: [i32; N], n: u32) -> [i32; N] {
        map(a, |a| a >> n)
    }
    fn ilt(&mut self, a: [i32; N], b: [i32; N]) -> [bool; N] {
        zip(a, b, |a, b| a < b)
    }
    fn ieq(&mut self, a: [i32; N], b: [i32; N]) -> [bool; N] {
        zip(a, b, |a, b| a == b)
    }
    fn both(&mut self, a: [bool; N], b: [bool; N]) -> [bool; N] {
        zip(a, b, |a, b| a & b)
    }
    fn either(&mut self, a: [bool; N], b: [bool; N]) -> [bool; N] {
        zip(a, b, |a, b| a | b)
    }
    fn not(&mut self, a: [bool; N]) -> [bool; N] {
        map(a, |a| !a)
    }
    fn select(&mut self, mask: [bool; N], a: [f32; N], b: [f32; N]) -> [f32; N] {
        std::array::from_fn(|lane| if mask[lane] { a[lane] } else { b[lane] })
    }
    fn iselect(&mut self, mask: [bool; N], a: [i32; N], b: [i32; N]) -> [i32; N] {
        std::array::from_fn(|lane| if mask[lane] { a[lane] } else { b[lane] })
    }
    fn slow_path(
        &mut self,
        path: SlowPath,
        mask: [bool; N],
        x: [f32; N],
        fast: [f32; N],
    ) -> [f32; N] {
        std::array::from_fn(|lane| {
            if mask[lane] {
                path.apply(x[lane])
            } else {
                fast[lane]
            }
        })
    }
}

#[cfg(test)]
mod tests;
