//! How colours and depths are stored.

use attila_isa::Slots;

/// How a pixel is stored, its bytes in the order of their addresses, words little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ColourFormat {
    /// Red, green, blue, alpha: a byte each. 255 times the component clamped to [0, 1] (a NaN to
    /// 1), *truncated*, as ATTILA's raster operations do it (drawing.md 6). Read as byte/255.
    Rgba8,
    /// The same, as blue, green, red, alpha.
    Bgra8,
    /// As [`Rgba8`](ColourFormat::Rgba8), but red, green and blue are encoded as sRGB
    /// ([`to_srgb`](crate::approx::to_srgb)) and rounded to the nearest. Alpha is truncated.
    Rgba8Srgb,
    /// Four binary16, rounded to nearest even; a NaN is 0x7e00.
    Rgba16F,
    /// Four binary32; a NaN is 0x7fc00000.
    Rgba32F,
    /// Red alone, as binary32; a NaN is 0x7fc00000.
    R32F,
}

impl ColourFormat {
    /// All of them.
    pub const ALL: [ColourFormat; 6] = [
        ColourFormat::Rgba8,
        ColourFormat::Bgra8,
        ColourFormat::Rgba8Srgb,
        ColourFormat::Rgba16F,
        ColourFormat::Rgba32F,
        ColourFormat::R32F,
    ];

    /// Bytes of a pixel.
    pub const fn size(self) -> usize {
        match self {
            ColourFormat::Rgba8
            | ColourFormat::Bgra8
            | ColourFormat::Rgba8Srgb
            | ColourFormat::R32F => 4,
            ColourFormat::Rgba16F => 8,
            ColourFormat::Rgba32F => 16,
        }
    }

    /// The components that it has.
    pub const fn components(self) -> Slots {
        match self {
            ColourFormat::Rgba8
            | ColourFormat::Bgra8
            | ColourFormat::Rgba8Srgb
            | ColourFormat::Rgba16F
            | ColourFormat::Rgba32F => Slots::all(),
            ColourFormat::R32F => Slots::X,
        }
    }

    /// Whether components are fractions: blending takes the program's colours and the constant
    /// colour clamped to [0, 1], a NaN as 1.
    pub const fn is_normalised(self) -> bool {
        match self {
            ColourFormat::Rgba8 | ColourFormat::Bgra8 | ColourFormat::Rgba8Srgb => true,
            ColourFormat::Rgba16F | ColourFormat::Rgba32F | ColourFormat::R32F => false,
        }
    }
}

/// How a depth is stored: a little-endian word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DepthFormat {
    /// Depths are stored as binary32, and compared as such.
    D32F,
    /// 2^24 - 1 times the depth, rounded to nearest even, and compared as an integer. The word's
    /// upper byte is not looked at, and stored as 0.
    D24,
}

impl DepthFormat {
    /// Bytes of a pixel.
    pub const fn size(self) -> usize {
        4
    }
}

/// The largest depth of [`DepthFormat::D24`].
pub const D24_ONE: u32 = (1 << 24) - 1;
