//! Numbers that conversions from and to binary16 are made of, where there is no instruction for them.

/// The sign of a binary16.
pub(crate) const HALF_SIGN: u32 = 0x8000;
/// The other bits.
pub(crate) const HALF_MAGNITUDE: u32 = 0x7fff;
/// The NaN that every NaN becomes.
pub(crate) const HALF_NAN: u32 = 0x7e00;
/// Infinity as a binary16.
pub(crate) const HALF_INFINITY: u32 = 0x7c00;
/// The smallest binary16 that is not denormal: 2^-14.
pub(crate) const LEAST_NORMAL: u32 = 0x3880_0000;
/// Its own bits.
pub(crate) const HALF_LEAST_NORMAL: u32 = 0x400;
/// The bits of 65520, which and above which numbers round to infinity.
pub(crate) const OVERFLOW: u32 = 0x477f_f000;
/// The difference between the exponents of a binary32 and a binary16, in place.
pub(crate) const BIAS: u32 = (127 - 15) << 23;
/// The bits of 1/2: its last place is that of denormal binary16.
pub(crate) const HALF: u32 = 0x3f00_0000;
/// The bits of 2^-24, the last place of a denormal binary16.
pub(crate) const LAST_PLACE: u32 = 0x3380_0000;
