//! Numbers that were chosen by measuring. Each has its unit, and what was measured where as far as that was written down.

/// Records from one that is shaded to the one that is prefetched for it: what programs touch of so many fits the first
/// cache. A million lanes of 100 instructions take 1.6 times as long without, with vectors of 256 bits, and 1.4 times with
/// those of 512; with 8, 1.06 and 1.4 times; with 64, as long (`cargo bench --bench shading`, AMD EPYC, family 25, model 17).
pub(super) const AHEAD: usize = 32;

/// The operations before a blend by which the first copy is ahead of the others. A filter between levels has 100: it takes
/// 0.96 to 1.00 of its time with 16 to 48 of them, and 1.1 with all (`attila bench`, AMD EPYC, family 26, model 2).
pub(super) const LEAD: usize = 32;

/// The most operations from one blend to the next that a copy goes on with. With 29 it takes 0.97 to 0.99 of the time of
/// taking turns, with 33 to 37 1.00 to 1.06, with 61 1.2; behind filters with three axes, 37 take 0.92 to 0.96 (`attila
/// bench`, AMD EPYC, family 26, model 2).
pub(super) const LONGEST: usize = 36;
