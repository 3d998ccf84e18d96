//! Values of a quad, slot by slot and lane by lane.

use std::array::from_fn;

use attila_machine::{LANES, Lanes};

/// A register as f32, `[slot][lane]`.
pub(crate) type Floats = [Lanes<f32>; 4];

/// A truth value per lane: all bits set for true, 0 for false.
pub(crate) type Words = Lanes<u32>;

/// A truth value in all lanes.
pub(crate) const fn splat(value: bool) -> Words {
    [if value { u32::MAX } else { 0 }; LANES]
}

/// Truth values lane by lane.
#[inline]
pub(crate) fn words(value: Lanes<bool>) -> Words {
    each(value, |lane| if lane { u32::MAX } else { 0 })
}

/// Where both hold.
#[inline]
pub(crate) fn both(a: Words, b: Words) -> Words {
    from_fn(|lane| a[lane] & b[lane])
}

/// `mask ? new : old`, lane by lane.
#[inline]
pub(crate) fn blend(mask: Words, new: Lanes<u32>, old: Lanes<u32>) -> Lanes<u32> {
    from_fn(|lane| new[lane] & mask[lane] | old[lane] & !mask[lane])
}

/// Applies `f` to the four slots of a register, or to the four lanes of a slot.
///
/// `array::map` would be a call, and its values would go through memory.
#[inline(always)]
pub(crate) fn each<T: Copy, R>(a: [T; 4], f: impl Fn(T) -> R) -> [R; 4] {
    [f(a[0]), f(a[1]), f(a[2]), f(a[3])]
}
