//! Lanes: the four fragments of a 2x2 quad, or four vertices.
//!
//! ```text
//!   0 1      x to the right,
//!   2 3      y in the raster's direction
//! ```

/// One value per lane.
pub type Lanes<T> = [T; LANES];

/// Lanes of a quad.
pub const LANES: usize = 4;

bitflags::bitflags! {
    /// A set of lanes.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
    pub struct LaneMask: u8 {
        /// Upper left.
        const LANE0 = 1;
        /// Upper right.
        const LANE1 = 2;
        /// Lower left.
        const LANE2 = 4;
        /// Lower right.
        const LANE3 = 8;
    }
}

impl LaneMask {
    /// The set with just `lane`.
    pub const fn only(lane: usize) -> LaneMask {
        LaneMask::from_bits_truncate(1 << lane)
    }

    /// Whether `lane` is in the set.
    pub const fn has(self, lane: usize) -> bool {
        self.bits() >> lane & 1 != 0
    }

    /// The lanes whose value is true.
    pub fn from_lanes(lanes: Lanes<bool>) -> LaneMask {
        (0..LANES)
            .filter(|&lane| lanes[lane])
            .map(LaneMask::only)
            .collect()
    }

    /// One truth value per lane.
    pub fn to_lanes(self) -> Lanes<bool> {
        std::array::from_fn(|lane| self.has(lane))
    }
}

/// The lanes `(left, right)` whose difference DDX gives to each lane.
pub const DDX_LANES: Lanes<(usize, usize)> = [(0, 1), (0, 1), (2, 3), (2, 3)];
/// The lanes `(upper, lower)` whose difference DDY gives to each lane.
pub const DDY_LANES: Lanes<(usize, usize)> = [(0, 2), (1, 3), (0, 2), (1, 3)];
