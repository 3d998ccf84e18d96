//! Numbers that were chosen by measuring. Each has its unit, and what was measured where as far as that was written down.

/// Records from one that is shaded to the one that is prefetched for it. Eight are too few to hide the time that
/// memory takes; what programs touch of so many fits the first cache.
pub(super) const AHEAD: usize = 32;

/// The operations before a blend by which the first copy is ahead of the others. A filter between levels has 100: it takes
/// 0.96 to 1.00 of its time with 16 to 48 of them, and 1.1 with all (`attila bench`, AMD EPYC, family 26, model 2).
pub(super) const LEAD: usize = 32;

/// The most operations from one blend to the next that a copy goes on with. With 29 it takes 0.97 to 0.99 of the time of
/// taking turns, with 33 to 37 1.00 to 1.06, with 61 1.2; behind filters with three axes, 37 take 0.92 to 0.96 (`attila
/// bench`, AMD EPYC, family 26, model 2).
pub(super) const LONGEST: usize = 36;

/// Instructions that the next use of a value in memory counts as further away: it has to be loaded, but not to be stored.
pub(super) const IN_MEMORY: u32 = 4;

/// A value in memory moves to a register if it is used again within so many instructions, and there is room.
pub(super) const SOON: u32 = 12;

/// Instructions that an operation takes, in the mean of almost all functions. Where there are more, they are copied.
pub(super) const INSTRUCTIONS: usize = 3;

/// Bytes that an instruction takes, in the mean.
pub(super) const BYTES: usize = 8;

/// Instructions of the values that quads share, in most functions.
pub(super) const SECTION: usize = 64;
