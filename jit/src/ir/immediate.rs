//! Immediates: the parts of an operation that are fixed when code is made. Each is one word in texts.

use std::fmt;

use attila_isa::{Component, ScratchArray, Stage};
use attila_machine::Lanes;
use attila_machine::arith::SlowPath;
use attila_texture::Storage;

use super::{DoubleOp, Type, Variable};
use crate::abi::{
    COMPONENTS, Column, Constant, DrawField, FragmentField, LevelField, LevelPart, Pixels,
    Question, SampleKind, Slot, SpanField, StorageAccess, TextureField,
};

/// Something that can be an immediate.
pub(super) trait Immediate {
    /// Writes it as a word. `ty` is the type of the node.
    fn write(&self, ty: Type, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// A constant as a person would write it.
impl Immediate for u32 {
    fn write(&self, ty: Type, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bits, float) = (*self, f32::from_bits(*self));
        match ty {
            Type::F32 if !float.is_nan() => write!(f, "{float:?}"),
            Type::Mask if bits == 0 => f.write_str("false"),
            Type::Mask if bits == u32::MAX => f.write_str("true"),
            Type::I32 if bits.cast_signed().unsigned_abs() < 0x1_0000 => {
                write!(f, "{}", bits.cast_signed())
            }
            Type::F32
            | Type::I32
            | Type::Mask
            | Type::None
            | Type::F64
            | Type::Halves
            | Type::Pixel
            | Type::PixelI32
            | Type::PixelHalves
            | Type::Several => write!(f, "{bits:#010x}"),
        }
    }
}

impl Immediate for Lanes<u8> {
    fn write(&self, _: Type, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|lane| write!(f, "{lane}"))
    }
}

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x{}", self.0)
    }
}

/// Immediates that display themselves.
macro_rules! displayed {
    ($($Type:ty),+) => {$(
        impl Immediate for $Type {
            fn write(&self, _: Type, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{self}")
            }
        }
    )+};
}

displayed!(
    u8,
    Column,
    Constant,
    ScratchArray,
    Slot,
    Variable,
    DrawField,
    SpanField,
    FragmentField,
    Pixels,
    TextureField,
    LevelField,
    Question,
    StorageAccess
);

/// Immediates that are one of a few, each with its word.
macro_rules! words {
    ($($Type:ident { $($variant:ident = $word:expr),+ })+) => {$(
        impl Immediate for $Type {
            fn write(&self, _: Type, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $($Type::$variant => write!(f, "{}", $word),)+
                }
            }
        }

        #[cfg(test)]
        impl read::Read for $Type {
            fn all() -> Vec<$Type> {
                vec![$($Type::$variant),+]
            }
        }
    )+};
}

words! {
    Component { X = COMPONENTS[0], Y = COMPONENTS[1], Z = COMPONENTS[2], W = COMPONENTS[3] }
    SlowPath { Sin = "sin", Cos = "cos" }
    Storage { Rgba8 = "rgba8", Rgba32F = "rgba32f", Red32F = "red32f" }
    LevelPart { Texels = "texels", Scale = "scale", Depth = "depth" }
    SampleKind { Tex = "tex", Txb = "txb", Txl = "txl", Txp = "txp" }
    Stage {
        Fragment = "fragment", Vertex = "vertex", Geometry = "geometry", Compute = "compute"
    }
}

impl Immediate for DoubleOp {
    fn write(&self, _: Type, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether all lanes name the same level.
impl Immediate for bool {
    fn write(&self, _: Type, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self { "alike" } else { "each" })
    }
}

#[cfg(test)]
mod read;
#[cfg(test)]
pub(super) use read::{Read, Words, text};
