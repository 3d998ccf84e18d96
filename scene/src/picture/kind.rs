//! [`FileKind`]: the kinds of files that pictures are written to.

use std::error::Error as _;
use std::path::Path;

use attila_shader::machine::pipeline::ColourFormat;
use image::{ImageError, ImageFormat};
use thiserror::Error;

use super::PictureError;

/// The bits of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// 8 bits, a fraction.
    Eight,
    /// 16 bits, a fraction.
    Sixteen,
    /// A binary32, which is not clamped.
    Float,
}

impl Depth {
    /// All of them.
    pub const ALL: [Depth; 3] = [Depth::Eight, Depth::Sixteen, Depth::Float];

    /// Their number.
    pub const fn bits(self) -> u32 {
        match self {
            Depth::Eight => 8,
            Depth::Sixteen => 16,
            Depth::Float => 32,
        }
    }

    /// The format of the target that such a picture is drawn to.
    pub const fn target(self) -> ColourFormat {
        match self {
            Depth::Eight => ColourFormat::Rgba8,
            Depth::Sixteen | Depth::Float => ColourFormat::Rgba32F,
        }
    }
}

/// A kind of file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FileKind {
    /// Portable Network Graphics.
    Png,
    /// A portable pixel map in bytes, without alpha.
    Ppm,
    /// A portable float map, without alpha.
    Pfm,
    /// OpenEXR.
    Exr,
    /// Tagged Image File Format.
    Tiff,
}

/// Why the name of a file does not say what kind it is to have.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("pictures are files whose names end in .png, .ppm, .pfm, .exr or .tiff")]
pub struct UnknownKind;

impl FileKind {
    /// All of them.
    pub const ALL: [FileKind; 5] = [
        FileKind::Png,
        FileKind::Ppm,
        FileKind::Pfm,
        FileKind::Exr,
        FileKind::Tiff,
    ];

    /// The kind that a file's suffix says. A file without one is a PNG.
    ///
    /// # Errors
    ///
    /// The suffix is that of something else.
    pub fn of(path: &Path) -> Result<FileKind, UnknownKind> {
        let Some(suffix) = path.extension() else {
            return Ok(FileKind::Png);
        };
        let is_tif = suffix.eq_ignore_ascii_case("tif");
        let is = |kind: &FileKind| suffix.eq_ignore_ascii_case(kind.suffix());
        let mut kinds = FileKind::ALL.into_iter();
        let kind = kinds.find(|kind| is(kind) || is_tif && *kind == FileKind::Tiff);
        kind.ok_or(UnknownKind)
    }

    /// Its name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            FileKind::Png => "PNG",
            FileKind::Ppm => "PPM",
            FileKind::Pfm => "PFM",
            FileKind::Exr => "EXR",
            FileKind::Tiff => "TIFF",
        }
    }

    /// The end of its files' names, and the name of the cargo feature.
    pub const fn suffix(self) -> &'static str {
        match self {
            FileKind::Png => "png",
            FileKind::Ppm => "ppm",
            FileKind::Pfm => "pfm",
            FileKind::Exr => "exr",
            FileKind::Tiff => "tiff",
        }
    }

    /// The depths that its components may have, the usual one first.
    pub const fn depths(self) -> &'static [Depth] {
        match self {
            FileKind::Png | FileKind::Ppm => &[Depth::Eight, Depth::Sixteen],
            FileKind::Pfm | FileKind::Exr => &[Depth::Float],
            FileKind::Tiff => &[Depth::Float, Depth::Sixteen, Depth::Eight],
        }
    }

    /// `8 or 16`.
    pub(super) fn depths_in_words(self) -> String {
        let bits = self.depths().iter().map(|depth| depth.bits().to_string());
        bits.collect::<Vec<_>>().join(" or ")
    }

    pub(super) const fn is_netpbm(self) -> bool {
        matches!(self, FileKind::Ppm | FileKind::Pfm)
    }

    pub(super) const fn format(self) -> ImageFormat {
        match self {
            FileKind::Png => ImageFormat::Png,
            FileKind::Ppm | FileKind::Pfm => ImageFormat::Pnm,
            FileKind::Exr => ImageFormat::OpenExr,
            FileKind::Tiff => ImageFormat::Tiff,
        }
    }

    pub(super) fn check_built_in(self) -> Result<(), PictureError> {
        let is_built_in = match self {
            FileKind::Png => cfg!(feature = "png"),
            FileKind::Ppm => cfg!(feature = "ppm"),
            FileKind::Pfm => cfg!(feature = "pfm"),
            FileKind::Exr => cfg!(feature = "exr"),
            FileKind::Tiff => cfg!(feature = "tiff"),
        };
        match is_built_in {
            true => Ok(()),
            false => Err(PictureError::NotBuiltIn(self)),
        }
    }

    /// Checks that the kind is built in, and holds such pixels.
    ///
    /// # Errors
    ///
    /// It does not.
    pub fn check(self, depth: Depth, has_alpha: bool) -> Result<(), PictureError> {
        self.check_built_in()?;
        if !self.depths().contains(&depth) {
            return Err(PictureError::Depth { kind: self, depth });
        }
        match has_alpha && self.is_netpbm() {
            true => Err(PictureError::Alpha(self)),
            false => Ok(()),
        }
    }

    pub(super) fn failed(self, doing: &'static str, error: &ImageError) -> PictureError {
        let reason = error
            .source()
            .map_or(error.to_string(), ToString::to_string);
        PictureError::File {
            kind: self,
            doing,
            reason,
        }
    }
}
