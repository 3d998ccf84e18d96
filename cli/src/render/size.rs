//! Sizes, parts and colours of pictures, as options.

use std::fmt;
use std::str::FromStr;

use attila_scene::picture::Depth;
use attila_shader::draw::{ColourImage, MAX_SIZE};
use clap::error::ErrorKind;
use thiserror::Error;

use crate::error::CliError;
use crate::number;

/// The size of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Size {
    /// Pixels in a row.
    pub(crate) width: u32,
    /// Rows.
    pub(crate) height: u32,
}

impl Size {
    /// The size if no option gives one.
    pub(crate) const DEFAULT: Size = Size {
        width: 640,
        height: 480,
    };

    /// Columns and rows.
    pub(crate) fn sides(self) -> [u32; 2] {
        [self.width, self.height]
    }

    pub(crate) fn pixels(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Reads one whose sides are at most that long.
    pub(super) fn read(text: &str, most: u32) -> Result<Size, SizeError> {
        let side = |text: &str| {
            let side = text.parse().ok();
            side.filter(|side| (1..=most).contains(side))
                .ok_or(SizeError(most))
        };
        let (width, height) = text.split_once(['x', 'X']).ok_or(SizeError(most))?;
        Ok(Size {
            width: side(width)?,
            height: side(height)?,
        })
    }
}

/// Why a text is no size.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("write it like 640x480, each side {}", number::bounds(1, u64::from(*.0)))]
pub(crate) struct SizeError(u32);

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Size, SizeError> {
        Size::read(text, MAX_SIZE)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// A part of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Region {
    /// Column and row of its upper left pixel.
    pub(super) at: [u32; 2],
    pub(super) size: Size,
}

/// Why a text is no region.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("write it like 640,0,640,480: a column, a row, and a size of at least 1x1")]
pub(crate) struct RegionError;

impl FromStr for Region {
    type Err = RegionError;

    fn from_str(text: &str) -> Result<Region, RegionError> {
        let numbers: Result<Vec<u32>, _> = text.split(',').map(str::parse).collect();
        match numbers.as_deref() {
            Ok(&[x, y, width, height]) if width > 0 && height > 0 => Ok(Region {
                at: [x, y],
                size: Size { width, height },
            }),
            Ok(_) | Err(_) => Err(RegionError),
        }
    }
}

impl Region {
    /// The whole of a picture.
    pub(super) fn whole(size: Size) -> Region {
        let at = [0, 0];
        Region { at, size }
    }

    /// Refuses one that is not within a picture, or larger than a target.
    pub(super) fn check(self, picture: Size) -> Result<Region, CliError> {
        let Region { at, size } = self;
        let is_inside = |(axis, side): (usize, u32)| {
            at[axis]
                .checked_add(size.sides()[axis])
                .is_some_and(|end| end <= side)
        };
        let [x, y] = at;
        let message = if !picture.sides().into_iter().enumerate().all(is_inside) {
            format!("the region of {size} pixels at {x},{y} is not within the picture of {picture}")
        } else if size.sides().into_iter().any(|side| side > MAX_SIZE) {
            format!("a region of {size} pixels is too large; no side may be longer than {MAX_SIZE}")
        } else {
            return Ok(self);
        };
        Err(CliError::usage(ErrorKind::ValueValidation, message))
    }
}

/// The depth with a number of bits.
pub(super) fn depth(bits: &str) -> Result<Depth, String> {
    let depth = Depth::ALL
        .into_iter()
        .find(|depth| depth.bits().to_string() == bits);
    depth.ok_or_else(|| "components have 8, 16 or 32 bits".to_owned())
}

/// An opaque colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Colour([u8; 4]);

impl Colour {
    /// Makes all pixels of an image for a picture the colour.
    pub(super) fn fill(self, image: &mut ColourImage, depth: Depth) {
        let Colour(bytes) = self;
        match depth {
            Depth::Eight => image.fill(bytes),
            Depth::Sixteen | Depth::Float => {
                image.fill(bytes.map(|byte| (f32::from(byte) / 255.0).to_bits().to_le()));
            }
        }
    }
}

/// Why a text is no colour.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("write six hexadecimal digits, like ff8000")]
pub(crate) struct ColourError;

impl FromStr for Colour {
    type Err = ColourError;

    fn from_str(text: &str) -> Result<Colour, ColourError> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        let all_digits = digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit());
        let value = u32::from_str_radix(digits, 16).map_err(|_| ColourError)?;
        let [_, r, g, b] = value.to_be_bytes();
        if all_digits {
            Ok(Colour([r, g, b, 255]))
        } else {
            Err(ColourError)
        }
    }
}
