//! [`Reads`]: the slots that an operand is read from.

use crate::operand::{Component, Slots};

/// Which of the four slots of a swizzled operand an instruction reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reads {
    /// The slots that the write mask names (component by component).
    Written,
    /// Slot x.
    X,
    /// Slot z.
    Z,
    /// Slot w: the one that scalar operands take.
    W,
    /// Slots y and z.
    YZ,
    /// Slots y and w.
    YW,
    /// Slots x and y.
    XY,
    /// Slots x, y and z.
    XYZ,
    /// Slots x, y and w.
    XYW,
    /// All slots.
    XYZW,
    /// One slot for each pair of components that is written: x for xy, y for zw.
    Halves,
    /// The same in the places of low words: x for xy, z for zw.
    Lows,
    /// Slots x and y for the first component that is written, z and w for the second.
    Pairs,
}

impl Reads {
    /// The slots read by an instruction with the write mask `written`.
    #[inline]
    pub fn slots(self, written: Slots) -> Slots {
        match self {
            Reads::Written => written,
            Reads::X => Slots::X,
            Reads::Z => Slots::Z,
            Reads::W => Slots::W,
            Reads::YZ => Slots::Y | Slots::Z,
            Reads::YW => Slots::Y | Slots::W,
            Reads::XY => Slots::X | Slots::Y,
            Reads::XYZ => Slots::X | Slots::Y | Slots::Z,
            Reads::XYW => Slots::X | Slots::Y | Slots::W,
            Reads::XYZW => Slots::all(),
            Reads::Halves => {
                let second = if written.has(Component::Z) {
                    Slots::Y
                } else {
                    Slots::empty()
                };
                written & Slots::X | second
            }
            Reads::Lows => written & (Slots::X | Slots::Z),
            Reads::Pairs => match written.components().count() {
                0 => Slots::empty(),
                1 => Slots::X | Slots::Y,
                _ => Slots::all(),
            },
        }
    }
}
