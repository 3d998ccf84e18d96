//! Images and samplers of cases, and their lines in texts.
//!
//! ```text
//! ;! image 0 d2 rgba8 4 4 1 3              dimension, format, width, height, depth, levels
//! ;! texels 0 1 #00ff80                    the bytes of level 1 in base 16; 0 from here on
//! ;! sampler 0 wrap repeat clamp clamp     what differs from the default sampler
//! ```
//!
//! The line of an image stands before the others of its number. Unit n samples image n, and the units
//! after the last image sample the same images again.

use std::fmt::Write;
use std::sync::Arc;

use attila_shader::texture::{Dimension, Format, Image, ImageError, Sampler, Shape, Size, Texture};

use crate::directives::Extension;
use crate::fields;
pub use crate::line::LineError;
use crate::line::{Field, Line, Read, Words, bytes, read_field, write_fields};

/// The names of directives about images, for [`directives::read`](crate::directives::read).
pub const DIRECTIVES: [&str; 3] = ["image", "texels", "sampler"];

/// The limit of sides of images in texts.
const SIDE: u32 = 4096;

/// The limit of bytes of levels in texts.
const BYTES: usize = 1 << 26;

/// An image, before it is made of its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImageBytes {
    /// The dimension, which says what coordinates are.
    pub dimension: Dimension,
    /// The format of the bytes.
    pub format: Format,
    /// The size of level 0.
    pub size: Size,
    /// Each level's bytes, the largest first, as [`Image::from_levels`] takes them.
    pub levels: Vec<Vec<u8>>,
}

impl ImageBytes {
    /// The bytes of a level of an image of these kinds.
    pub fn level_bytes(dimension: Dimension, format: Format, size: Size) -> usize {
        dimension.slices(size) * format.slice_bytes(size.width, size.height)
    }

    /// The image's shape, for a limit of memory.
    pub fn shape(&self) -> Shape {
        Shape {
            dimension: self.dimension,
            format: self.format,
            size: self.size,
            levels: self.levels.len(),
        }
    }

    /// Makes the image.
    ///
    /// # Errors
    ///
    /// A size, a number of levels or a number of bytes that does not fit.
    pub fn image(&self) -> Result<Image, ImageError> {
        let levels: Vec<&[u8]> = self.levels.iter().map(Vec::as_slice).collect();
        Image::from_levels(self.dimension, self.format, self.size, &levels)
    }

    /// The texture; `None` if the sampler cannot sample the image.
    pub fn texture(&self, sampler: Sampler) -> Option<Texture> {
        Texture::new(Arc::new(self.image().ok()?), sampler).ok()
    }
}

/// The lines of an image and its sampler.
pub fn write(out: &mut String, unit: usize, (image, sampler): &(ImageBytes, Sampler)) {
    let (dimension, format) = (image.dimension.words(), image.format.words());
    let [width, height, depth] = image.size.axes();
    let levels = image.levels.len();
    let kind = format!("{dimension} {format} {width} {height} {depth} {levels}");
    // Writing to a string cannot fail.
    let _ = writeln!(out, ";! image {unit} {kind}");
    for (level, bytes) in image.levels.iter().enumerate() {
        let length = bytes
            .iter()
            .rposition(|byte| *byte != 0)
            .map_or(0, |at| at + 1);
        if length > 0 {
            let digits: String = bytes[..length]
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            let _ = writeln!(out, ";! texels {unit} {level} #{digits}");
        }
    }
    let start = format!("sampler {unit}");
    write_fields(out, &start, [sampler, &Sampler::RESET], FIELDS);
}

/// Reads a directive of one of the names [`DIRECTIVES`] into the images of the lines before it.
///
/// # Errors
///
/// The mistake in the line. `into` is as before, or has a part of the line.
pub fn read(directive: &Extension, into: &mut Vec<(ImageBytes, Sampler)>) -> Result<(), LineError> {
    Line::read(directive, |line| read_line(&directive.name, line, into))
}

fn read_line(kind: &str, line: &mut Line<'_>, into: &mut Vec<(ImageBytes, Sampler)>) -> Read<()> {
    let unit = line.count(15)? as usize;
    if kind == "image" {
        if unit != into.len() {
            return Err(format!("the next image is {}", into.len()));
        }
        into.push((image(line)?, Sampler::RESET));
        return Ok(());
    }
    let (image, sampler) = into.get_mut(unit).ok_or("the image has to come before")?;
    if kind == "texels" {
        let level = line.count(u32::MAX)? as usize;
        let bytes = line.word()?.strip_prefix('#').and_then(bytes);
        let bytes = bytes.ok_or("texels are `#` and two digits for each byte")?;
        // A smaller image has no room for the rest.
        for (byte, given) in image.levels.get_mut(level).into_iter().flatten().zip(bytes) {
            *byte = given;
        }
        return Ok(());
    }
    let word = line.word()?;
    match read_field(sampler, word, line, FIELDS)? {
        true => Ok(()),
        false => Err(format!("`{word}` is not part of a sampler")),
    }
}

/// An image of bytes that are 0.
fn image(line: &mut Line<'_>) -> Read<ImageBytes> {
    let (dimension, format) = (Dimension::read(line)?, Format::read(line)?);
    let sides = [line.count(SIDE)?, line.count(SIDE)?, line.count(SIDE)?];
    let [width, height, depth] = sides.map(|side| side.max(1));
    let size = match dimension {
        Dimension::D1 | Dimension::D1Array { .. } | Dimension::Buffer => Size::d1(width),
        Dimension::D2
        | Dimension::Rect
        | Dimension::D2Array { .. }
        | Dimension::D2Ms { .. }
        | Dimension::D2MsArray { .. } => Size::d2(width, height),
        Dimension::D3 => Size::d3(width, height, depth),
        Dimension::Cube | Dimension::CubeArray { .. } => Size::cube(width),
    };
    let count = (line.count(16)? as usize).clamp(1, dimension.most_levels(size));
    let lengths = (0..count).map(|n| ImageBytes::level_bytes(dimension, format, size.level(n)));
    let lengths: Vec<usize> = lengths.collect();
    if lengths.iter().sum::<usize>() > BYTES {
        return Err(format!("the image has more than {BYTES} bytes"));
    }
    Ok(ImageBytes {
        dimension,
        format,
        size,
        levels: lengths.into_iter().map(|length| vec![0; length]).collect(),
    })
}

const FIELDS: &[Field<Sampler>] = fields! {
    mag: mag,
    min: min,
    mip: mip,
    wrap: wrap,
    lod_min: lod_min,
    lod_max: lod_max,
    lod_bias: lod_bias,
    base_level: base_level,
    max_level: max_level,
    max_anisotropy: max_anisotropy,
    border: border,
    compare: compare,
    depth_mode: depth_mode,
    coordinates: coordinates,
    srgb: srgb,
    lod_origin: lod_origin,
    cube_faces: cube_faces,
};
