//! Formats: where the channels of a texel are, and what their bits mean.
//!
//! A texel is a little-endian word of 1 to 16 bytes. Each of its four channels is a constant or a
//! field of that word, so a row of the table defines a format completely: decoding here,
//! encoding the levels of a mip chain, and code generated for a format derive from it.
//!
//! The formats up to `Depth24`, but for `R8`, `Rg8` and those that name Direct3D, and the compressed
//! ones are those of ATTILA. Where it got one
//! wrong (a luminance that is not replicated, a divisor that does not fit the field) the row says
//! what the format means.

use std::fmt;

use crate::channel::{Channel, Layout};

/// Texels along a side of a block of a compressed format.
pub(crate) const BLOCK_SIDE: u32 = 4;

/// The content of a compressed block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Block {
    /// Two colours and an index for each texel, which may choose black; `transparent` then.
    Dxt1 { transparent: bool },
    /// Four bits of alpha for each texel, then a colour block.
    Dxt3,
    /// A ramp of alpha, then a colour block.
    Dxt5,
    /// A ramp of luminance, and one of alpha if `alpha`.
    Latc { alpha: bool, signed: bool },
}

/// The rows of the table become the enum [`Format`] and what is known about each.
macro_rules! formats {
    (
        texels { $($(#[$doc:meta])* $name:ident = $text:literal, $bytes:literal, $channels:expr;)* }
        blocks { $($(#[$bdoc:meta])* $bname:ident = $btext:literal, $bbytes:literal, $block:expr, $stored:ident;)* }
    ) => {
        /// A format of texels or of compressed blocks of 4x4 texels.
        ///
        /// Channels that share a word are named from its high bits to its low ones, as in
        /// [`Format::Rgb565`]; channels of whole bytes are named in the order of their addresses, as
        /// in [`Format::Rgba8`].
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Format {
            $($(#[$doc])* $name,)*
            $($(#[$bdoc])* $bname,)*
        }

        impl Format {
            /// All formats.
            pub const ALL: &[Format] = &[$(Format::$name,)* $(Format::$bname,)*];

            /// The format's name in options and messages.
            pub const fn name(self) -> &'static str {
                match self { $(Format::$name => $text,)* $(Format::$bname => $btext,)* }
            }

            /// How a texel is made up. The texels of a compressed format are those of
            /// [`Format::stored`].
            pub const fn layout(self) -> Layout {
                match self {
                    $(Format::$name => Layout { bytes: $bytes, channels: $channels },)*
                    $(Format::$bname => Format::$stored.layout(),)*
                }
            }

            /// The format in which texels are kept: this one, or what its blocks are decoded to.
            pub const fn stored(self) -> Format {
                match self { $(Format::$name => self,)* $(Format::$bname => Format::$stored,)* }
            }

            /// The content of a block and its size in bytes, if the format has blocks.
            pub(crate) const fn block(self) -> Option<(Block, usize)> {
                match self {
                    $(Format::$name => None,)*
                    $(Format::$bname => Some(($block, $bbytes)),)*
                }
            }
        }
    };
}

use Channel::{IntegerOne, One, Zero};

/// An unsigned field.
const fn u(shift: u8, bits: u8) -> Channel {
    Channel::Unorm { shift, bits }
}
/// A signed byte.
const fn s(shift: u8) -> Channel {
    Channel::Snorm { shift }
}
/// A binary16.
const fn h(shift: u8) -> Channel {
    Channel::Half { shift }
}
/// A binary32.
const fn f(shift: u8) -> Channel {
    Channel::Float { shift }
}
/// An unsigned integer.
const fn ui(shift: u8, bits: u8) -> Channel {
    Channel::Uint { shift, bits }
}
/// A signed integer.
const fn si(shift: u8, bits: u8) -> Channel {
    Channel::Sint { shift, bits }
}
/// Red and green, and the other two as integers.
const fn rg(red: Channel, green: Channel) -> [Channel; 4] {
    [red, green, Zero, IntegerOne]
}
/// A luminance, replicated, and alpha.
const fn la(luminance: Channel, alpha: Channel) -> [Channel; 4] {
    [luminance, luminance, luminance, alpha]
}

formats! {
    texels {
        /// Alpha, 8 bits.
        A8 = "a8", 1, la(Zero, u(0, 8));
        /// Alpha, the low 12 of 16 bits.
        A12 = "a12", 2, la(Zero, u(0, 12));
        /// Alpha, 16 bits.
        A16 = "a16", 2, la(Zero, u(0, 16));
        /// Luminance, 8 bits.
        L8 = "l8", 1, la(u(0, 8), One);
        /// Luminance, a signed byte.
        L8Snorm = "l8-snorm", 1, la(s(0), One);
        /// Luminance, the low 12 of 16 bits.
        L12 = "l12", 2, la(u(0, 12), One);
        /// Luminance, 16 bits.
        L16 = "l16", 2, la(u(0, 16), One);
        /// Luminance and alpha, 4 bits each.
        L4A4 = "l4a4", 1, la(u(4, 4), u(0, 4));
        /// Alpha and luminance, 4 bits each: A4L4 of Direct3D.
        A4L4 = "a4l4", 1, la(u(0, 4), u(4, 4));
        /// Luminance of 6 and alpha of 2 bits.
        L6A2 = "l6a2", 1, la(u(2, 6), u(0, 2));
        /// Luminance and alpha, a byte each, luminance first.
        L8A8 = "l8a8", 2, la(u(0, 8), u(8, 8));
        /// Luminance and alpha, a signed byte each, luminance first.
        L8A8Snorm = "l8a8-snorm", 2, la(s(0), s(8));
        /// Luminance of 12 and alpha of 4 bits.
        L12A4 = "l12a4", 2, la(u(4, 12), u(0, 4));
        /// Luminance in bits 12 to 23, alpha in bits 0 to 11 of 32.
        L12A12 = "l12a12", 4, la(u(12, 12), u(0, 12));
        /// Luminance and alpha, 16 bits each, luminance first.
        L16A16 = "l16a16", 4, la(u(0, 16), u(16, 16));
        /// Intensity, that is the same in all channels, 8 bits.
        I8 = "i8", 1, la(u(0, 8), u(0, 8));
        /// Intensity, the low 12 of 16 bits.
        I12 = "i12", 2, la(u(0, 12), u(0, 12));
        /// Intensity, 16 bits.
        I16 = "i16", 2, la(u(0, 16), u(0, 16));
        /// Red and green of 3 bits, blue of 2.
        Rgb332 = "rgb332", 1, [u(5, 3), u(2, 3), u(0, 2), One];
        /// 4 bits each, in the low 12 of 16.
        Rgb444 = "rgb444", 2, [u(8, 4), u(4, 4), u(0, 4), One];
        /// 5 bits each, in the low 15 of 16.
        Rgb555 = "rgb555", 2, [u(10, 5), u(5, 5), u(0, 5), One];
        /// Red and blue of 5 bits, green of 6.
        Rgb565 = "rgb565", 2, [u(11, 5), u(5, 6), u(0, 5), One];
        /// A byte each, and a fourth that is ignored.
        Rgb888 = "rgb888", 4, [u(0, 8), u(8, 8), u(16, 8), One];
        /// A byte each, blue first, and a fourth that is ignored: X8R8G8B8 of Direct3D.
        Bgr888 = "bgr888", 4, [u(16, 8), u(8, 8), u(0, 8), One];
        /// 10 bits each, in the low 30 of 32.
        Rgb101010 = "rgb101010", 4, [u(20, 10), u(10, 10), u(0, 10), One];
        /// Green and blue of 12 bits; 32 bits leave 8 for red.
        Rgb121212 = "rgb121212", 4, [u(24, 8), u(12, 12), u(0, 12), One];
        /// 2 bits each.
        Rgba2222 = "rgba2222", 1, [u(6, 2), u(4, 2), u(2, 2), u(0, 2)];
        /// 4 bits each: red in the high and green in the low half of the first byte, blue and alpha
        /// likewise in the second.
        Rgba4444 = "rgba4444", 2, [u(4, 4), u(0, 4), u(12, 4), u(8, 4)];
        /// 4 bits each, alpha in the highest: A4R4G4B4 of Direct3D.
        Argb4444 = "argb4444", 2, [u(8, 4), u(4, 4), u(0, 4), u(12, 4)];
        /// Alpha in the highest bit, and 5 bits each: A1R5G5B5 of Direct3D.
        Argb1555 = "argb1555", 2, [u(10, 5), u(5, 5), u(0, 5), u(15, 1)];
        /// 5 bits each and one of alpha.
        Rgba5551 = "rgba5551", 2, [u(11, 5), u(6, 5), u(1, 5), u(0, 1)];
        /// 10 bits each and two of alpha.
        Rgba1010102 = "rgba1010102", 4, [u(22, 10), u(12, 10), u(2, 10), u(0, 2)];
        /// A byte each.
        Rgba8 = "rgba8", 4, [u(0, 8), u(8, 8), u(16, 8), u(24, 8)];
        /// A byte each, blue first.
        Bgra8 = "bgra8", 4, [u(16, 8), u(8, 8), u(0, 8), u(24, 8)];
        /// Red, 8 bits.
        R8 = "r8", 1, [u(0, 8), Zero, Zero, One];
        /// Red and green, a byte each.
        Rg8 = "rg8", 2, [u(0, 8), u(8, 8), Zero, One];
        /// Red, 16 bits.
        R16 = "r16", 2, [u(0, 16), Zero, Zero, One];
        /// Red and green, 16 bits each.
        Rg16 = "rg16", 4, [u(0, 16), u(16, 16), Zero, One];
        /// 16 bits each.
        Rgba16 = "rgba16", 8, [u(0, 16), u(16, 16), u(32, 16), u(48, 16)];
        /// Red, binary16.
        R16F = "r16f", 2, [h(0), Zero, Zero, One];
        /// Red and green, binary16.
        Rg16F = "rg16f", 4, [h(0), h(16), Zero, One];
        /// Binary16 each.
        Rgba16F = "rgba16f", 8, [h(0), h(16), h(32), h(48)];
        /// Red, binary32.
        R32F = "r32f", 4, [f(0), Zero, Zero, One];
        /// Red and green, binary32.
        Rg32F = "rg32f", 8, [f(0), f(32), Zero, One];
        /// Binary32 each.
        Rgba32F = "rgba32f", 16, [f(0), f(32), f(64), f(96)];
        /// Depth, replicated: the low 24 of 32 bits.
        Depth24 = "depth24", 4, la(u(0, 24), One);
        /// Depth, replicated, 16 bits.
        Depth16 = "depth16", 2, la(u(0, 16), One);
        /// Depth, replicated, binary32.
        Depth32F = "depth32f", 4, la(f(0), One);
        /// Red, an unsigned integer of 8 bits.
        R8Uint = "r8-uint", 1, rg(ui(0, 8), Zero);
        /// Red and green, unsigned integers of 8 bits.
        Rg8Uint = "rg8-uint", 2, rg(ui(0, 8), ui(8, 8));
        /// Unsigned integers of 8 bits.
        Rgba8Uint = "rgba8-uint", 4, [ui(0, 8), ui(8, 8), ui(16, 8), ui(24, 8)];
        /// Red, a signed integer of 8 bits.
        R8Sint = "r8-sint", 1, rg(si(0, 8), Zero);
        /// Red and green, signed integers of 8 bits.
        Rg8Sint = "rg8-sint", 2, rg(si(0, 8), si(8, 8));
        /// Signed integers of 8 bits.
        Rgba8Sint = "rgba8-sint", 4, [si(0, 8), si(8, 8), si(16, 8), si(24, 8)];
        /// Red, an unsigned integer of 16 bits.
        R16Uint = "r16-uint", 2, rg(ui(0, 16), Zero);
        /// Red and green, unsigned integers of 16 bits.
        Rg16Uint = "rg16-uint", 4, rg(ui(0, 16), ui(16, 16));
        /// Unsigned integers of 16 bits.
        Rgba16Uint = "rgba16-uint", 8, [ui(0, 16), ui(16, 16), ui(32, 16), ui(48, 16)];
        /// Red, a signed integer of 16 bits.
        R16Sint = "r16-sint", 2, rg(si(0, 16), Zero);
        /// Red and green, signed integers of 16 bits.
        Rg16Sint = "rg16-sint", 4, rg(si(0, 16), si(16, 16));
        /// Signed integers of 16 bits.
        Rgba16Sint = "rgba16-sint", 8, [si(0, 16), si(16, 16), si(32, 16), si(48, 16)];
        /// Red, an unsigned integer of 32 bits.
        R32Uint = "r32-uint", 4, rg(ui(0, 32), Zero);
        /// Red and green, unsigned integers of 32 bits.
        Rg32Uint = "rg32-uint", 8, rg(ui(0, 32), ui(32, 32));
        /// Unsigned integers of 32 bits.
        Rgba32Uint = "rgba32-uint", 16, [ui(0, 32), ui(32, 32), ui(64, 32), ui(96, 32)];
        /// Red, a signed integer of 32 bits.
        R32Sint = "r32-sint", 4, rg(si(0, 32), Zero);
        /// Red and green, signed integers of 32 bits.
        Rg32Sint = "rg32-sint", 8, rg(si(0, 32), si(32, 32));
        /// Signed integers of 32 bits.
        Rgba32Sint = "rgba32-sint", 16, [si(0, 32), si(32, 32), si(64, 32), si(96, 32)];
    }
    blocks {
        /// Blocks of 8 bytes (BC1); alpha is always 1.
        Dxt1Rgb = "dxt1-rgb", 8, Block::Dxt1 { transparent: false }, Rgba8;
        /// Blocks of 8 bytes (BC1); black may be transparent.
        Dxt1Rgba = "dxt1-rgba", 8, Block::Dxt1 { transparent: true }, Rgba8;
        /// Blocks of 16 bytes (BC2).
        Dxt3 = "dxt3", 16, Block::Dxt3, Rgba8;
        /// Blocks of 16 bytes (BC3).
        Dxt5 = "dxt5", 16, Block::Dxt5, Rgba8;
        /// Blocks of 8 bytes: those of BC4, as luminance.
        Latc1 = "latc1", 8, Block::Latc { alpha: false, signed: false }, L8;
        /// Blocks of 8 bytes: those of signed BC4, as luminance.
        Latc1Snorm = "latc1-snorm", 8, Block::Latc { alpha: false, signed: true }, L8Snorm;
        /// Blocks of 16 bytes: those of BC5, as luminance and alpha.
        Latc2 = "latc2", 16, Block::Latc { alpha: true, signed: false }, L8A8;
        /// Blocks of 16 bytes: those of signed BC5, as luminance and alpha.
        Latc2Snorm = "latc2-snorm", 16, Block::Latc { alpha: true, signed: true }, L8A8Snorm;
    }
}

impl Format {
    /// Whether texels are integers, which are sampled as raw words and never filtered.
    pub const fn is_integer(self) -> bool {
        self.layout().is_integer()
    }

    /// Whether texels are depths.
    pub const fn is_depth(self) -> bool {
        matches!(self, Format::Depth16 | Format::Depth24 | Format::Depth32F)
    }

    /// Whether texels come in blocks of 4x4.
    pub const fn is_compressed(self) -> bool {
        self.block().is_some()
    }

    /// Bytes of a slice of `width` x `height` texels, `usize::MAX` if that is too many. A block that
    /// is only partly covered counts whole.
    pub const fn slice_bytes(self, width: u32, height: u32) -> usize {
        let (columns, rows, bytes) = match self.block() {
            Some((_, bytes)) => (
                width.div_ceil(BLOCK_SIDE),
                height.div_ceil(BLOCK_SIDE),
                bytes,
            ),
            None => (width, height, self.layout().bytes as usize),
        };
        (columns as usize)
            .saturating_mul(rows as usize)
            .saturating_mul(bytes)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
