//! Doubles are two components: x and y, or z and w.

use std::ops::Range;

use attila_isa::{Component, Slots, Swizzle};

use super::super::program::Register;
use super::super::table::Reads;
use super::super::words::File;
use super::{Checked, wrong};

const LOW: Slots = Slots::X.union(Slots::Y);
const HIGH: Slots = Slots::Z.union(Slots::W);

/// Checks that a mask writes no half of a double.
pub(super) fn check_mask(mask: Slots, span: Range<usize>) -> Checked<()> {
    let is_whole = |pair: Slots| !mask.intersects(pair) || mask.contains(pair);
    if is_whole(LOW) && is_whole(HIGH) {
        return Ok(());
    }
    let letters: String = mask.components().map(Component::letter).collect();
    wrong(
        span,
        format!("`.{letters}` is half a double: doubles are written to xy, zw or both"),
    )
}

/// The pairs of slots of a source that are read where `mask` is written.
fn pairs(reads: Reads, mask: Slots) -> [bool; 2] {
    match reads {
        Reads::Pairs => {
            let count = mask.components().count();
            [count > 0, count > 1]
        }
        Reads::Written | Reads::Halves | Reads::Firsts => {
            [mask.intersects(LOW), mask.intersects(HIGH)]
        }
        Reads::Slots(slots) | Reads::Coordinates(slots) => {
            [slots.intersects(LOW), slots.intersects(HIGH)]
        }
    }
}

/// Checks that a swizzle takes both halves of a double from one. Immediates are words, which any
/// swizzle may put together: Mesa writes doubles so.
pub(super) fn check_swizzle(
    register: &Register,
    swizzle: Swizzle,
    reads: Reads,
    mask: Slots,
    span: Range<usize>,
) -> Checked<()> {
    if matches!(register.file, File::Immediate | File::ImmediateArray) {
        return Ok(());
    }
    let slots = [[Component::X, Component::Y], [Component::Z, Component::W]];
    for ([low, high], read) in slots.into_iter().zip(pairs(reads, mask)) {
        let halves = (swizzle.source(low), swizzle.source(high));
        let is_one = matches!(
            halves,
            (Component::X, Component::Y) | (Component::Z, Component::W)
        );
        if read && !is_one {
            let (low, high) = (halves.0.letter(), halves.1.letter());
            let message = format!("`{low}{high}` is not a double: those are xy and zw");
            return wrong(span, message);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_written_as_a_whole() {
        for mask in [LOW, HIGH, LOW | HIGH] {
            assert_eq!(check_mask(mask, 0..1), Ok(()));
        }
        for mask in [Slots::X, Slots::Y | Slots::Z, LOW | Slots::Z] {
            assert!(check_mask(mask, 0..1).is_err(), "{mask:?}");
        }
    }

    #[test]
    fn the_second_pair_is_read_where_it_is_written_or_two_results_are() {
        assert_eq!(pairs(Reads::Written, LOW), [true, false]);
        assert_eq!(pairs(Reads::Written, HIGH), [false, true]);
        assert_eq!(pairs(Reads::Pairs, Slots::W), [true, false]);
        assert_eq!(pairs(Reads::Pairs, Slots::X | Slots::W), [true, true]);
    }
}
