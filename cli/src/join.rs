//! `attila join`: puts the parts of a picture together.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use attila_scene::picture::{FileKind, Part, Picture, UnknownKind, join};
use attila_scene::source;
use thiserror::Error;

use crate::error::CliError;
use crate::output::Output;
use crate::render::file;
use crate::report::Reporter;

/// Put the parts of a picture together
///
/// Parts are files that `attila render --region` has written, each with its place. They have to cover the whole picture
/// without overlaps, and to have equally many bits, all with alpha or all without. Every bit of a pixel stays.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila join -o wide.exr 0,0:left.exr 1280,0:right.exr")]
pub(crate) struct Args {
    /// The file to write: .png, .ppm, .pfm, .exr or .tiff; `-` is standard output, as a PNG
    #[arg(short, long, value_name = "FILE", value_parser = file::path())]
    output: PathBuf,
    /// The column and the row of a part's upper left pixel, and its file
    #[arg(value_name = "X,Y:FILE", required = true, allow_hyphen_values = true)]
    parts: Vec<Place>,
}

/// Where a part is.
#[derive(Clone, Debug)]
struct Place {
    at: [u32; 2],
    file: PathBuf,
    kind: FileKind,
}

/// Why a text is no part.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
enum PlaceError {
    /// There are no two numbers, or no file.
    #[error("write it like 640,0:right.png: a column, a row and a file")]
    Form,
    /// The name of the file does not say what kind it is.
    #[error(transparent)]
    Kind(#[from] UnknownKind),
}

impl FromStr for Place {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Place, PlaceError> {
        let (place, file) = text.split_once(':').ok_or(PlaceError::Form)?;
        let (x, y) = place.split_once(',').ok_or(PlaceError::Form)?;
        let number = |text: &str| text.parse().map_err(|_| PlaceError::Form);
        let (at, file) = ([number(x)?, number(y)?], PathBuf::from(file));
        let kind = FileKind::of(&file)?;
        match file.as_os_str().is_empty() {
            true => Err(PlaceError::Form),
            false => Ok(Place { at, file, kind }),
        }
    }
}

impl Place {
    fn read(&self, reporter: &Reporter) -> Result<Part, CliError> {
        let name = source::name_of(&self.file);
        let bytes = source::read(&self.file, u64::MAX - 1, reporter)?;
        match Picture::from_file(self.kind, &bytes) {
            Ok(picture) => Ok(Part {
                name,
                at: self.at,
                picture,
            }),
            Err(source) => Err(CliError::Picture { name, source }),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let output = Output::open(&args.output)?;
    let reporter = Reporter::new();
    let parts = args.parts.iter().map(|place| place.read(&reporter));
    let whole = join(&parts.collect::<Result<Vec<_>, _>>()?)?;
    file::write(&output, &whole)?;
    let [width, height] = whole.size();
    writeln!(output.messages(), "wrote {output} ({width}x{height})")?;
    Ok(ExitCode::SUCCESS)
}
