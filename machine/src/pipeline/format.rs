//! How colours and depths are stored.
//!
//! A pixel is a little-endian word of 1 to 16 bytes. Each component that it has is a field of that word, so a row of
//! the table defines a format completely: the portable code, the code that the JIT generates, and resolving derive
//! from it.

use attila_isa::{Component, Slots};

/// What a component of a colour is stored as.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// The field's greatest number times the component clamped to [0, 1] (a NaN to 1), *truncated*, as ATTILA's raster
    /// operations do it (drawing.md 6).
    Truncated,
    /// The same, rounded to nearest even, of a format that ATTILA's raster operations do not have. OpenGL prefers the
    /// nearest number, and Direct3D asks for it.
    Nearest,
    /// The component encoded as sRGB ([`to_srgb`](crate::approx::to_srgb)), times the greatest number, rounded to
    /// nearest even.
    Srgb,
    /// A binary16, rounded to nearest even; a NaN is 0x7e00.
    Half,
    /// A binary32; a NaN is 0x7fc00000.
    Float,
}

/// The bits of a pixel in which a component is stored. They are within one of its words of 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ColourField {
    /// What they mean.
    pub encoding: Encoding,
    /// The word.
    pub word: usize,
    /// The lowest bit in the word.
    pub shift: u32,
    /// Bits.
    pub bits: u32,
}

impl ColourField {
    /// A field from a bit of the pixel on.
    const fn new(encoding: Encoding, shift: u32, bits: u32) -> ColourField {
        let (word, shift) = (shift as usize / 32, shift % 32);
        assert!(shift + bits <= 32, "a field is within a word");
        ColourField {
            encoding,
            word,
            shift,
            bits,
        }
    }

    /// The greatest number that the field can store.
    pub const fn greatest(self) -> u32 {
        u32::MAX >> (32 - self.bits)
    }

    /// Its bits in the word.
    pub const fn mask(self) -> u32 {
        self.greatest() << self.shift
    }
}

/// The rows of the table become the enum [`ColourFormat`] and what is known about each.
macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident = $bytes:literal, $fields:expr;)*) => {
        /// How a pixel is stored, its bytes in the order of their addresses, words little-endian.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum ColourFormat {
            $($(#[$doc])* $name,)*
        }

        impl ColourFormat {
            /// All of them.
            pub const ALL: [ColourFormat; [$($bytes),*].len()] = [$(ColourFormat::$name),*];

            /// Bytes of a pixel.
            pub const fn size(self) -> usize {
                match self { $(ColourFormat::$name => $bytes,)* }
            }

            /// The fields of its components, from red on.
            pub const fn fields(self) -> &'static [ColourField] {
                match self { $(ColourFormat::$name => const { &$fields },)* }
            }
        }
    };
}

/// A fraction, truncated.
const fn t(shift: u32, bits: u32) -> ColourField {
    ColourField::new(Encoding::Truncated, shift, bits)
}
/// A fraction, rounded.
const fn n(shift: u32, bits: u32) -> ColourField {
    ColourField::new(Encoding::Nearest, shift, bits)
}
/// A byte of sRGB.
const fn s(shift: u32) -> ColourField {
    ColourField::new(Encoding::Srgb, shift, 8)
}
/// A binary16.
const fn h(shift: u32) -> ColourField {
    ColourField::new(Encoding::Half, shift, 16)
}
/// A binary32.
const fn f(shift: u32) -> ColourField {
    ColourField::new(Encoding::Float, shift, 32)
}

formats! {
    /// Red, green, blue, alpha: a byte each, truncated as ATTILA does it.
    Rgba8 = 4, [t(0, 8), t(8, 8), t(16, 8), t(24, 8)];
    /// The same, as blue, green, red, alpha.
    Bgra8 = 4, [t(16, 8), t(8, 8), t(0, 8), t(24, 8)];
    /// As [`Rgba8`](ColourFormat::Rgba8), but red, green and blue are encoded as sRGB and rounded to the nearest.
    Rgba8Srgb = 4, [s(0), s(8), s(16), t(24, 8)];
    /// Four binary16.
    Rgba16F = 8, [h(0), h(16), h(32), h(48)];
    /// Four binary32.
    Rgba32F = 16, [f(0), f(32), f(64), f(96)];
    /// Red alone, as binary32.
    R32F = 4, [f(0)];
    /// Red in the lowest 10 bits of a word, green, blue, and alpha in the highest 2, rounded: R10G10B10A2 of Direct3D.
    Rgb10A2 = 4, [n(0, 10), n(10, 10), n(20, 10), n(30, 2)];
    /// Red alone, a byte, truncated as in [`Rgba8`](ColourFormat::Rgba8).
    R8 = 1, [t(0, 8)];
}

impl ColourFormat {
    /// The components that it has.
    pub const fn components(self) -> Slots {
        Slots::from_bits_truncate((1 << self.fields().len()) - 1)
    }

    /// Whether components are fractions: blending takes the program's colours and the constant
    /// colour clamped to [0, 1], a NaN as 1.
    pub const fn is_normalised(self) -> bool {
        match self.fields()[0].encoding {
            Encoding::Truncated | Encoding::Nearest | Encoding::Srgb => true,
            Encoding::Half | Encoding::Float => false,
        }
    }

    /// The components of a mask that it has, with their fields.
    pub fn stored(self, mask: Slots) -> impl Iterator<Item = (Component, ColourField)> {
        let components = (mask & self.components()).components();
        components.map(move |component| (component, self.fields()[component.index()]))
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
