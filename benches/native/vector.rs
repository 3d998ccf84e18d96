//! The operations of a vector, once for every width.

/// A vector of floats, a pixel in each lane. Two rows of pixels fill it, half of its lanes each.
///
/// The types that implement it are used only on machines that have their instructions, which
/// [`Native::draw`](super::Native::draw) sees to. Every function is inlined into code that is compiled
/// for them.
pub(super) trait Vector: Copy {
    /// An integer for each lane.
    type Ints: Copy;
    /// A bit or a word for each lane.
    type Mask: Copy;

    /// Pixels in each of the two rows.
    const COLUMNS: usize;

    /// The centres of the pixels at the corner: their columns.
    fn columns() -> Self;
    /// Their rows.
    fn rows() -> Self;
    fn splat(value: f32) -> Self;
    fn plus(a: Self, b: Self) -> Self;
    fn minus(a: Self, b: Self) -> Self;
    fn times(a: Self, b: Self) -> Self;
    fn over(a: Self, b: Self) -> Self;
    /// `a * b + c`, rounded once.
    fn fma(a: Self, b: Self, c: Self) -> Self;
    fn sqrt(a: Self) -> Self;
    fn floor(a: Self) -> Self;
    fn magnitude(a: Self) -> Self;
    /// The minimum; `b` for NaN.
    fn min(a: Self, b: Self) -> Self;
    /// The maximum; `b` for NaN.
    fn max(a: Self, b: Self) -> Self;
    fn lt(a: Self, b: Self) -> Self::Mask;
    /// `yes` in the lanes of a mask, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// `a` in the lanes of a mask, 0 elsewhere.
    fn only(mask: Self::Mask, a: Self) -> Self;
    /// Truncated.
    fn to_ints(a: Self) -> Self::Ints;

    fn splat_ints(value: i32) -> Self::Ints;
    fn to_floats(a: Self::Ints) -> Self;
    fn plus_ints(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn times_ints(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn and(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    /// The minimum, as unsigned numbers.
    fn min_unsigned(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    /// Whether they are the same in all lanes.
    fn are_equal(a: Self::Ints, b: Self::Ints) -> bool;
    /// The uppermost byte.
    fn top_byte(a: Self::Ints) -> Self::Ints;

    /// The texels at these places.
    ///
    /// # Safety
    ///
    /// The places must be within the texels.
    unsafe fn gather(texels: &[u32], places: Self::Ints) -> Self::Ints;

    /// The texels at these places, and the ones that follow them.
    ///
    /// # Safety
    ///
    /// Both must be within the texels.
    unsafe fn gather_pairs(texels: &[u32], places: Self::Ints) -> [Self::Ints; 2];

    /// Stores two rows of colours, [`Vector::COLUMNS`] pixels each. Components below 0 become 0.
    fn store(upper: &mut [u8], lower: &mut [u8], colour: [Self::Ints; 4]);
}

/// Functions of vectors that are an intrinsic each.
macro_rules! intrinsics {
    ($($name:ident($($operand:ident: $type:ty),*) -> $result:ty = $value:expr;)+) => {
        $(
            #[inline(always)]
            fn $name($($operand: $type),*) -> $result {
                // SAFETY: vectors are used only on machines that have their instructions.
                unsafe { $value }
            }
        )+
    };
}

pub(super) use intrinsics;
