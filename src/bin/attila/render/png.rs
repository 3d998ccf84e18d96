//! Pictures as PNG files.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use attila_shader::Picture;
use png::{BitDepth, ColorType, Encoder};

use crate::error::CliError;

/// Writes a picture, with its alpha or opaque; `-` is standard output.
pub(crate) fn write(path: &Path, picture: &Picture, alpha: bool) -> Result<(), CliError> {
    let written = if path == Path::new("-") {
        encode(io::stdout().lock(), picture, alpha)
    } else {
        File::create(path).and_then(|file| encode(BufWriter::new(file), picture, alpha))
    };
    written.map_err(|source| CliError::Write {
        name: path.display().to_string(),
        source,
    })
}

fn encode(out: impl Write, picture: &Picture, alpha: bool) -> io::Result<()> {
    let mut encoder = Encoder::new(out, picture.width() as u32, picture.height() as u32);
    encoder.set_depth(BitDepth::Eight);
    let bytes = if alpha {
        encoder.set_color(ColorType::Rgba);
        picture.pixels().as_flattened().to_vec()
    } else {
        encoder.set_color(ColorType::Rgb);
        let pixels = picture.pixels().iter();
        pixels.flat_map(|[r, g, b, _]| [*r, *g, *b]).collect()
    };
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes)?;
    Ok(writer.finish()?)
}
