//! DDS files: the formats of Direct3D 9 and 10 that the original's textures have.

use attila_shader::texture::{CUBE_FACES, Dimension, Format, Image, ImageError, Shape, Size};
use ddsfile::{Caps2, D3D10ResourceDimension, D3DFormat, Dds, DxgiFormat, MiscFlag};

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
    let (format, srgb) = format(&dds)?;
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
    let mut rest = &bytes[header.start..];
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
fn format(dds: &Dds) -> Result<(Format, bool), TextureError> {
    let d3d = dds.get_d3d_format();
    // The four letters do not say that texels are sRGB, even if the crate says so.
    let known = match (&dds.header10, d3d) {
        (None, Some(d3d)) => row(&D3D, d3d).map(|format| (format, false)),
        (header, _) => dds
            .get_dxgi_format()
            .and_then(|dxgi| row(&DXGI, dxgi))
            .map(|(format, srgb)| (format, srgb && header.is_some())),
    };
    known.ok_or_else(|| {
        let name = match (d3d, dds.get_dxgi_format()) {
            (Some(d3d), _) => format!("{d3d:?}"),
            (None, Some(dxgi)) => format!("{dxgi:?}"),
            (None, None) => "of these channels".to_owned(),
        };
        TextureError::Dds(format!(
            "the texels are in the format {name}, which is not supported"
        ))
    })
}

/// The value that a table has for a format.
fn row<K: PartialEq, V: Copy>(table: &[(K, V)], format: K) -> Option<V> {
    let found = table.iter().find(|(known, _)| *known == format);
    found.map(|(_, value)| *value)
}

/// The formats of Direct3D 9.
const D3D: [(D3DFormat, Format); 24] = [
    (D3DFormat::DXT1, Format::Dxt1Rgba),
    (D3DFormat::DXT2, Format::Dxt3),
    (D3DFormat::DXT3, Format::Dxt3),
    (D3DFormat::DXT4, Format::Dxt5),
    (D3DFormat::DXT5, Format::Dxt5),
    (D3DFormat::A8, Format::A8),
    (D3DFormat::L8, Format::L8),
    (D3DFormat::L16, Format::L16),
    (D3DFormat::A8L8, Format::L8A8),
    (D3DFormat::A4L4, Format::L4A4),
    (D3DFormat::R5G6B5, Format::Rgb565),
    (D3DFormat::X1R5G5B5, Format::Rgb555),
    (D3DFormat::X4R4G4B4, Format::Rgb444),
    (D3DFormat::A8R8G8B8, Format::Bgra8),
    (D3DFormat::A8B8G8R8, Format::Rgba8),
    (D3DFormat::X8B8G8R8, Format::Rgb888),
    (D3DFormat::G16R16, Format::Rg16),
    (D3DFormat::A16B16G16R16, Format::Rgba16),
    (D3DFormat::R16F, Format::R16F),
    (D3DFormat::G16R16F, Format::Rg16F),
    (D3DFormat::A16B16G16R16F, Format::Rgba16F),
    (D3DFormat::R32F, Format::R32F),
    (D3DFormat::G32R32F, Format::Rg32F),
    (D3DFormat::A32B32G32R32F, Format::Rgba32F),
];

/// The formats of Direct3D 10, and whether they are sRGB.
const DXGI: [(DxgiFormat, (Format, bool)); 25] = [
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
