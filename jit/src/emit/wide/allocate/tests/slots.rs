//! Places in the frame.

use std::ops::Range;

use super::regions::Random;
use super::{TAKEN, WIDTHS};
use crate::emit::wide::allocate::slots::Slots;
use crate::emit::wide::forms::Width;
use crate::emit::wide::mir::{Class, Home, Vreg};

/// A value with a place: computed by an instruction, needed up to another.
struct Kept {
    class: Class,
    home: Home,
    from: u32,
    to: u32,
}

/// Asserts that values which are needed at the same time are at different places of the frame.
fn assert_apart(width: Width, all: &[Kept], frame: Range<usize>) {
    let bytes = |class| match class {
        Class::Vector => width.bytes() as i32,
        Class::Mask => 2,
    };
    for (n, a) in all.iter().enumerate() {
        let end = a.home.displacement + bytes(a.class);
        assert!(a.home.displacement >= frame.start as i32 && end <= frame.end as i32);
        assert_eq!(a.home.displacement % bytes(a.class), 0);
        for b in &all[..n] {
            let at_once = a.from < b.to && b.from < a.to;
            let shared = a.home.displacement < b.home.displacement + bytes(b.class)
                && b.home.displacement < end;
            assert!(!(at_once && shared), "{:?} {:?}", a.home, b.home);
        }
    }
}

#[test]
fn places_of_values_that_are_needed_at_the_same_time_do_not_overlap() {
    for (width, seed) in WIDTHS
        .into_iter()
        .flat_map(|width| (0..50).map(move |n| (width, n)))
    {
        let mut random = Random::new(seed);
        let mut slots = Slots::new(TAKEN);
        let mut all: Vec<Kept> = Vec::new();
        let count = 200;
        slots.begin_region(count);
        let mut open: Vec<usize> = Vec::new();
        for now in 0..count as u32 {
            // A place is asked for after the value was computed, when its register is needed.
            let from = now.saturating_sub(random.below(12) as u32);
            let class = [Class::Vector, Class::Mask][random.below(2)];
            let vreg = Vreg(now);
            let home = match random.below(8) {
                0 => slots.give_for_good(vreg, class, width),
                _ => slots.give(vreg, class, width, from),
            };
            assert_eq!(slots.get(vreg), Some(home));
            open.push(all.len());
            let to = u32::MAX;
            all.push(Kept {
                class,
                home,
                from,
                to,
            });
            if random.below(3) > 0 {
                let value = open.swap_remove(random.below(open.len()));
                slots.release(Vreg(value as u32), now);
                if !slots.has(Vreg(value as u32)) {
                    all[value].to = now;
                }
            }
        }
        assert_apart(width, &all, TAKEN..slots.size());
        assert!(
            slots.size() < TAKEN + count * width.bytes() / 2,
            "few are given again"
        );
    }
}
