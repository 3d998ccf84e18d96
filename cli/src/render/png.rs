//! Pictures as PNG files.

use std::io;
use std::path::PathBuf;

use crate::picture::Picture;
use clap::builder::{PathBufValueParser, TypedValueParser};
use png::{BitDepth, ColorType, Encoder};

use crate::error::CliError;
use crate::output::Output;

/// The parser of options that say where a picture goes.
pub(crate) fn path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(check_suffix)
}

/// Refuses the name of a file of another kind.
fn check_suffix(path: PathBuf) -> Result<PathBuf, String> {
    match path.extension() {
        Some(suffix) if !suffix.eq_ignore_ascii_case("png") => Err(format!(
            "pictures are written as PNG; name it `{}`",
            path.with_extension("png").display()
        )),
        Some(_) | None => Ok(path),
    }
}

/// Writes a picture, with its alpha or opaque.
pub(crate) fn write(output: &Output, picture: &Picture, alpha: bool) -> Result<(), CliError> {
    let bytes = encode(picture, alpha).map_err(|source| output.failed(source))?;
    output.write(&bytes)
}

fn encode(picture: &Picture, alpha: bool) -> io::Result<Vec<u8>> {
    let mut file = Vec::new();
    let (width, height) = (picture.width() as u32, picture.height() as u32);
    let mut encoder = Encoder::new(&mut file, width, height);
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
    writer.finish()?;
    Ok(file)
}
