//! DDS files: the formats of Direct3D 9 and 10 that the original's textures have.

use std::borrow::Cow;
use std::fmt;

use attila_shader::texture::{
    CUBE_FACES, Channel, Dimension, Format, Image, ImageError, Shape, Size,
};
use ddsfile::{
    Caps2, D3D10ResourceDimension, D3DFormat, Dds, DxgiFormat, MiscFlag, PixelFormatFlags,
};

use super::file::TextureError;

/// The bytes of the longest header.
const LONGEST_HEADER: usize = 148;

/// A header that has been read.
pub(super) struct Header {
    /// The image, with all the levels that the file has.
    pub(super) shape: Shape,
    /// Whether its texels are sRGB.
    pub(super) srgb: bool,
    /// The first byte of its texels.
    start: usize,
    /// Whether texels have three bytes, without a fourth that would be ignored.
    is_packed: bool,
}

/// Reads the header of a file.
pub(super) fn header(bytes: &[u8]) -> Result<Header, TextureError> {
    // All that follows would be copied.
    let start = &bytes[..bytes.len().min(LONGEST_HEADER)];
    let dds = Dds::read(start).map_err(|error| {
        if matches!(error, ddsfile::Error::Io(_) | ddsfile::Error::ShortFile) {
            TextureError::Truncated
        } else {
            TextureError::Dds(format!("the DDS cannot be read: {error}"))
        }
    })?;
    let masks = Masks::new(&dds, start);
    let (format, srgb) = format(&dds, masks.as_ref())?;
    let dimension = dimension(&dds)?;
    let size = Size {
        width: dds.get_width(),
        height: dds.get_height(),
        depth: if dimension == Dimension::D3 {
            dds.get_depth()
        } else {
            1
        },
    };
    Ok(Header {
        shape: Shape {
            dimension,
            format,
            size,
            levels: dds.get_num_mipmap_levels().max(1) as usize,
        },
        srgb,
        start: start.len() - dds.data.len(),
        is_packed: masks.is_some_and(|masks| masks.bits == 24),
    })
}

/// Reads the image of a file.
pub(super) fn image(header: &Header, bytes: &[u8]) -> Result<Image, TextureError> {
    let Shape {
        dimension,
        format,
        size,
        levels: count,
    } = header.shape;
    let bytes = &bytes[header.start..];
    let bytes = match header.is_packed {
        true => Cow::Owned(unpacked(bytes, header.shape.image_bytes()?)),
        false => Cow::Borrowed(bytes),
    };
    let mut rest = &*bytes;
    let mut face = || levels(&mut rest, format, size, count);
    if dimension != Dimension::Cube {
        return Ok(Image::from_levels(dimension, format, size, &face()?)?);
    }
    let faces = (0..CUBE_FACES)
        .map(|_| face())
        .collect::<Result<Vec<_>, _>>()?;
    let faces: Vec<&[&[u8]]> = faces.iter().map(Vec::as_slice).collect();
    Ok(Image::from_faces(format, size.width, &faces)?)
}

/// Bytes of all texels of an image, each with a fourth byte.
fn unpacked(bytes: &[u8], image_bytes: usize) -> Vec<u8> {
    let (texels, _) = bytes.as_chunks::<3>();
    let texels = texels.iter().take(image_bytes / 4);
    texels.flat_map(|&[b, g, r]| [b, g, r, 0]).collect()
}

/// Takes the levels of a slice or of all slices from the front of `rest`.
fn levels<'a>(
    rest: &mut &'a [u8],
    format: Format,
    size: Size,
    count: usize,
) -> Result<Vec<&'a [u8]>, TextureError> {
    let sizes = (0..count).map(|level| size.level(level));
    let taken = sizes.map(|size| {
        let slice = format.slice_bytes(size.width, size.height);
        let bytes = slice.checked_mul(size.depth as usize);
        let (level, after) = bytes
            .and_then(|bytes| rest.split_at_checked(bytes))
            .ok_or(TextureError::Truncated)?;
        *rest = after;
        Ok(level)
    });
    taken.collect()
}

fn dimension(dds: &Dds) -> Result<Dimension, TextureError> {
    let caps = dds.header.caps2;
    let (dimension, images) = match &dds.header10 {
        Some(header) if header.misc_flag.contains(MiscFlag::TEXTURECUBE) => {
            (Dimension::Cube, header.array_size)
        }
        Some(header) => {
            let dimension = match header.resource_dimension {
                D3D10ResourceDimension::Texture1D => Dimension::D1,
                D3D10ResourceDimension::Texture3D => Dimension::D3,
                D3D10ResourceDimension::Texture2D
                | D3D10ResourceDimension::Buffer
                | D3D10ResourceDimension::Unknown => Dimension::D2,
            };
            (dimension, header.array_size)
        }
        None if caps.contains(Caps2::CUBEMAP) => {
            let faces = (caps & Caps2::CUBEMAP_ALLFACES).bits().count_ones() as usize;
            if faces != CUBE_FACES {
                return Err(ImageError::Faces(faces).into());
            }
            (Dimension::Cube, 1)
        }
        None if caps.contains(Caps2::VOLUME) => (Dimension::D3, 1),
        None => (Dimension::D2, 1),
    };
    if images > 1 {
        let message =
            format!("the file holds an array of {images} images; the command reads single images");
        return Err(TextureError::Dds(message));
    }
    Ok(dimension)
}

/// The format, and whether its texels are sRGB.
fn format(dds: &Dds, masks: Option<&Masks>) -> Result<(Format, bool), TextureError> {
    let d3d = dds.get_d3d_format();
    let dxgi = dds.get_dxgi_format();
    // The four letters do not say that texels are sRGB, even if the crate says so.
    let known = match (&dds.header10, masks, d3d, dxgi) {
        (Some(_), _, _, Some(dxgi)) => row(&DXGI, dxgi),
        (None, Some(masks), ..) => masks.format().map(|format| (format, false)),
        (None, None, Some(d3d), _) => row(&D3D, d3d).map(|format| (format, false)),
        (None, None, None, Some(dxgi)) => row(&DXGI, dxgi).map(|(format, _)| (format, false)),
        (_, _, _, None) => None,
    };
    known.ok_or_else(|| {
        let name = match (masks, d3d, dxgi) {
            (Some(masks), ..) => masks.to_string(),
            (None, Some(d3d), _) => format!("the format {d3d:?}"),
            (None, None, Some(dxgi)) => format!("the format {dxgi:?}"),
            (None, None, None) => "an unknown format".to_owned(),
        };
        TextureError::Dds(format!("the texels are in {name}, which is not supported"))
    })
}

/// Where the channels of a texel are, in files without letters of a format.
struct Masks {
    /// The bits of a texel.
    bits: u32,
    /// Red, green, blue and alpha. Red is luminance if all three are the same.
    channels: [u32; 4],
}

/// The offsets of the masks and of the number of bits before them.
const MASKS: usize = 88;

impl Masks {
    /// The masks of a header, if it has no letters. The crate leaves out some of them.
    fn new(dds: &Dds, header: &[u8]) -> Option<Masks> {
        let word = |index: usize| {
            let bytes = header.get(MASKS + 4 * index..)?.first_chunk()?;
            Some(u32::from_le_bytes(*bytes))
        };
        let flags = dds.header.spf.flags;
        if flags.intersects(PixelFormatFlags::FOURCC | PixelFormatFlags::YUV) {
            return None;
        }
        let has_alpha = flags.intersects(PixelFormatFlags::ALPHA_PIXELS | PixelFormatFlags::ALPHA);
        let [red, green, blue, alpha] = [word(1)?, word(2)?, word(3)?, word(4)?];
        let colours = if flags.contains(PixelFormatFlags::LUMINANCE) {
            [red; 3]
        } else if flags.contains(PixelFormatFlags::RGB) {
            [red, green, blue]
        } else {
            [0; 3]
        };
        let [red, green, blue] = colours;
        Some(Masks {
            bits: word(0)?,
            channels: [red, green, blue, if has_alpha { alpha } else { 0 }],
        })
    }

    /// The format whose channels are under the masks.
    fn format(&self) -> Option<Format> {
        let [red, green, blue, alpha] = self.channels;
        let channel = |mask: u32, absent| match mask {
            0 => absent,
            mask => Channel::Unorm {
                shift: mask.trailing_zeros() as u8,
                bits: mask.count_ones() as u8,
            },
        };
        let [red, green, blue] = [red, green, blue].map(|mask| channel(mask, Channel::Zero));
        let channels = [red, green, blue, channel(alpha, Channel::One)];
        let has_gaps = self.channels.into_iter().any(|mask| {
            let field = mask.checked_shr(mask.trailing_zeros()).unwrap_or(0);
            field & field.wrapping_add(1) != 0
        });
        let bits = if self.bits == 24 { 32 } else { self.bits };
        let fits = |format: &&Format| {
            let layout = format.layout();
            u32::from(layout.bytes) * 8 == bits
                && layout.channels == channels
                && !format.is_compressed()
        };
        let format = Format::ALL.iter().find(fits).copied();
        format.filter(|_| !has_gaps)
    }
}

impl fmt::Display for Masks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue, alpha] = self.channels;
        write!(
            f,
            "{} bits with red at {red:x}, green at {green:x}, blue at {blue:x} and alpha at {alpha:x}",
            self.bits
        )
    }
}

/// The value that a table has for a format.
fn row<K: PartialEq, V: Copy>(table: &[(K, V)], format: K) -> Option<V> {
    let found = table.iter().find(|(known, _)| *known == format);
    found.map(|(_, value)| *value)
}

/// The formats of Direct3D 9 that have letters or numbers.
const D3D: [(D3DFormat, Format); 12] = [
    (D3DFormat::DXT1, Format::Dxt1Rgba),
    (D3DFormat::DXT2, Format::Dxt3),
    (D3DFormat::DXT3, Format::Dxt3),
    (D3DFormat::DXT4, Format::Dxt5),
    (D3DFormat::DXT5, Format::Dxt5),
    (D3DFormat::A16B16G16R16, Format::Rgba16),
    (D3DFormat::R16F, Format::R16F),
    (D3DFormat::G16R16F, Format::Rg16F),
    (D3DFormat::A16B16G16R16F, Format::Rgba16F),
    (D3DFormat::R32F, Format::R32F),
    (D3DFormat::G32R32F, Format::Rg32F),
    (D3DFormat::A32B32G32R32F, Format::Rgba32F),
];

/// The formats of Direct3D 10, and whether they are sRGB.
const DXGI: [(DxgiFormat, (Format, bool)); 31] = [
    (DxgiFormat::BC1_UNorm, (Format::Dxt1Rgba, false)),
    (DxgiFormat::BC1_UNorm_sRGB, (Format::Dxt1Rgba, true)),
    (DxgiFormat::BC2_UNorm, (Format::Dxt3, false)),
    (DxgiFormat::BC2_UNorm_sRGB, (Format::Dxt3, true)),
    (DxgiFormat::BC3_UNorm, (Format::Dxt5, false)),
    (DxgiFormat::BC3_UNorm_sRGB, (Format::Dxt5, true)),
    (DxgiFormat::BC4_UNorm, (Format::Latc1, false)),
    (DxgiFormat::BC4_SNorm, (Format::Latc1Snorm, false)),
    (DxgiFormat::BC5_UNorm, (Format::Latc2, false)),
    (DxgiFormat::BC5_SNorm, (Format::Latc2Snorm, false)),
    (DxgiFormat::A8_UNorm, (Format::A8, false)),
    (DxgiFormat::B5G6R5_UNorm, (Format::Rgb565, false)),
    (DxgiFormat::B5G5R5A1_UNorm, (Format::Argb1555, false)),
    (DxgiFormat::B4G4R4A4_UNorm, (Format::Argb4444, false)),
    (DxgiFormat::R8_UNorm, (Format::R8, false)),
    (DxgiFormat::R8G8_UNorm, (Format::Rg8, false)),
    (DxgiFormat::B8G8R8X8_UNorm, (Format::Bgr888, false)),
    (DxgiFormat::B8G8R8X8_UNorm_sRGB, (Format::Bgr888, true)),
    (DxgiFormat::R8G8B8A8_UNorm, (Format::Rgba8, false)),
    (DxgiFormat::R8G8B8A8_UNorm_sRGB, (Format::Rgba8, true)),
    (DxgiFormat::B8G8R8A8_UNorm, (Format::Bgra8, false)),
    (DxgiFormat::B8G8R8A8_UNorm_sRGB, (Format::Bgra8, true)),
    (DxgiFormat::R16_UNorm, (Format::R16, false)),
    (DxgiFormat::R16G16_UNorm, (Format::Rg16, false)),
    (DxgiFormat::R16G16B16A16_UNorm, (Format::Rgba16, false)),
    (DxgiFormat::R16_Float, (Format::R16F, false)),
    (DxgiFormat::R16G16_Float, (Format::Rg16F, false)),
    (DxgiFormat::R16G16B16A16_Float, (Format::Rgba16F, false)),
    (DxgiFormat::R32_Float, (Format::R32F, false)),
    (DxgiFormat::R32G32_Float, (Format::Rg32F, false)),
    (DxgiFormat::R32G32B32A32_Float, (Format::Rgba32F, false)),
];
