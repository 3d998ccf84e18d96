//! The command line.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use attila_shader::Vectors;
use attila_shader::machine::SampleCount;
use clap::{Parser, ValueEnum};

use crate::gl::Sampling;
use crate::race::{Clock, Pace};
use crate::scenes::Kind;

/// Measure attila-shader side by side with Mesa's llvmpipe
///
/// Both draw ARB fragment programs into an RGBA8 target, in turns, with the same inputs, parameters and
/// textures. On one thread times are processor times, on several those of a clock. Pictures are compared. If Mesa or its EGL is not
/// installed, a message says so and the exit code is 0.
#[derive(Clone, Parser)]
#[command(name = "peers")]
pub(crate) struct Options {
    /// ARB fragment programs, and folders of them [default: those that come with this]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The size of the picture
    #[arg(long, value_name = "WxH", default_value = "1024x1024")]
    pub(crate) size: PictureSize,
    /// The number of turns of each of the two
    #[arg(long, value_name = "N", default_value = "41")]
    rounds: usize,
    /// The approximate length of a turn
    #[arg(long, value_name = "MILLISECONDS", default_value = "12")]
    turn: u64,
    /// The number of times that a program is compiled; the median counts
    #[arg(long, value_name = "N", default_value = "5")]
    pub(crate) compilations: usize,
    /// The filter of textures
    #[arg(long, value_enum, default_value = "bilinear")]
    pub(crate) filter: Filter,
    /// The wrap mode at the edges of textures
    #[arg(long, value_enum, default_value = "repeat")]
    wrap: Wrap,
    /// Repetitions of textures along each side of the picture
    #[arg(long, value_name = "FACTOR", default_value = "1")]
    pub(crate) scale: f32,
    /// The number of quads that our code shades side by side [default: as many as it finds best]
    #[arg(long, value_name = "1..16", value_parser = quads)]
    pub(crate) quads: Option<usize>,
    /// The bits of our code's vectors [default: as many as the machine has]
    #[arg(long, value_name = "128, 256 or 512", value_parser = vectors, default_value = "auto", hide_default_value = true)]
    pub(crate) vectors: Vectors,
    /// Have llvmpipe filter with floats, as we do, and compare textured pictures as closely as others
    #[arg(long)]
    pub(crate) float_filter: bool,
    /// Draw the TGSI form of each program, too: DIR/NAME.tgsi, with the constants in
    /// DIR/NAME.constants
    #[arg(long, value_name = "DIR")]
    tgsi: Option<PathBuf>,
    /// Draw two triangles over the picture, and 2000 triangles of 20 pixels, into targets with as many
    /// samples for each pixel: llvmpipe has 4. Compares sample by sample
    #[arg(long, value_name = "N", value_parser = samples, conflicts_with = "tgsi")]
    pub(crate) samples: Option<SampleCount>,
    /// The number of threads of each of the two
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) threads: u8,
    /// Take a Mesa that is unpacked in a folder instead of the system's
    #[arg(long, value_name = "DIR")]
    pub(crate) mesa: Option<PathBuf>,
    /// Measure with three filters and three sizes of pictures, and print the geometric means
    #[arg(long, conflicts_with_all = ["tgsi", "samples", "filter", "size", "scale"])]
    pub(crate) sweep: bool,
    /// Draw scenes of these kinds instead of programs, with vertex programs, depths, blending and such
    #[arg(long, value_name = "KIND,KIND", value_enum, value_delimiter = ',', conflicts_with_all = ["files", "tgsi", "samples", "sweep", "size"])]
    scenes: Vec<Kind>,
    /// Draw scenes of all kinds
    #[arg(long, conflicts_with_all = ["scenes", "files", "tgsi", "samples", "sweep", "size"])]
    all: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The tolerance of a channel of pictures, in steps of 255.
pub(crate) const TOLERANCE: u8 = 2;

/// The tolerance where llvmpipe filters with 8 bits: weights and colours are rounded to 8 bits, and
/// programs may enlarge the error.
const FILTERED_TOLERANCE: u8 = 4;

/// The tolerance where levels of an image are mixed: llvmpipe's level of detail is approximate.
const MIPMAPPED_TOLERANCE: u8 = 8;

/// Widths of vectors that the JIT knows.
fn vectors(text: &str) -> Result<Vectors, &'static str> {
    match text {
        "auto" => Ok(Vectors::Auto),
        "128" => Ok(Vectors::V128),
        "256" => Ok(Vectors::V256),
        "512" => Ok(Vectors::V512),
        _ => Err("write 128, 256, 512 or auto"),
    }
}

/// Numbers of quads that the JIT knows.
fn quads(text: &str) -> Result<usize, &'static str> {
    let quads = text.parse().ok();
    let quads = quads.filter(|quads| (1..=16).contains(quads));
    quads.ok_or("write a number from 1 to 16")
}

/// Numbers of samples that llvmpipe has.
fn samples(text: &str) -> Result<SampleCount, &'static str> {
    match text {
        "4" => Ok(SampleCount::Four),
        _ => Err("llvmpipe has 4"),
    }
}

/// Columns and rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PictureSize(pub(crate) [u32; 2]);

impl FromStr for PictureSize {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<PictureSize, &'static str> {
        let side = |text: &str| text.parse().ok().filter(|side| (16..=8192).contains(side));
        let sides = text.split_once('x');
        let size = sides.and_then(|(width, height)| Some([side(width)?, side(height)?]));
        size.map(PictureSize)
            .ok_or("write WxH, each from 16 to 8192")
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Filter {
    Nearest,
    Bilinear,
    Trilinear,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Wrap {
    Repeat,
    Clamp,
}

impl Options {
    pub(crate) fn sampling(&self) -> Sampling {
        Sampling {
            linear: self.filter != Filter::Nearest,
            mipmaps: self.filter == Filter::Trilinear,
            repeat: self.wrap == Wrap::Repeat,
        }
    }

    /// The kinds of scenes to draw.
    pub(crate) fn kinds(&self) -> Vec<Kind> {
        match self.all {
            true => Kind::value_variants().to_vec(),
            false => self.scenes.clone(),
        }
    }

    pub(crate) fn pace(&self) -> Pace {
        Pace {
            rounds: self.rounds,
            turn: Duration::from_millis(self.turn),
            clock: match self.threads {
                1 => Clock::Processor,
                _ => Clock::Wall,
            },
        }
    }

    /// The tolerance of channels.
    pub(crate) fn tolerance(&self, is_textured: bool) -> u8 {
        match self.filter {
            Filter::Trilinear if is_textured => MIPMAPPED_TOLERANCE,
            Filter::Bilinear if is_textured && !self.float_filter => FILTERED_TOLERANCE,
            Filter::Nearest | Filter::Bilinear | Filter::Trilinear => TOLERANCE,
        }
    }

    /// The texts to draw.
    pub(crate) fn texts(&self) -> Result<Vec<Text>, NoTexts> {
        let mut texts = match self.files.is_empty() {
            true => Text::own(),
            false => Vec::new(),
        };
        for path in &self.files {
            for path in programs(path)? {
                texts.push(Text::read(&path)?);
            }
        }
        if let Some(folder) = &self.tgsi {
            for text in &mut texts {
                text.twin = Twin::read(folder, &text.name)?;
            }
        }
        if texts.is_empty() {
            return Err(NoTexts::None);
        }
        Ok(texts)
    }
}

/// A fragment program.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) name: String,
    pub(crate) text: String,
    /// The same in TGSI.
    pub(crate) twin: Option<Twin>,
}

/// The TGSI form of a program.
#[derive(Clone, Debug)]
pub(crate) struct Twin {
    pub(crate) text: String,
    /// `CONST[0]`, by register.
    pub(crate) constants: BTreeMap<u32, [f32; 4]>,
}

/// Errors of finding programs to draw.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoTexts {
    /// A file that is not there, or is no text.
    #[error("{}", path.display())]
    NotRead { path: PathBuf, source: io::Error },
    /// A line of a file of constants that is not `CONST[0][n]` with four numbers.
    #[error("{}:{line}: expected CONST[0][n] and four numbers", path.display())]
    NotConstant { path: PathBuf, line: usize },
    #[error("there are no files that end with .arbfp")]
    None,
}

impl Text {
    fn own() -> Vec<Text> {
        macro_rules! own {
            ($($name:literal),*) => {
                [$(($name, include_str!(concat!("../shaders/", $name, ".arbfp")))),*]
            };
        }
        let own = own![
            "gradient",
            "spheres",
            "lit",
            "plasma",
            "cartoon",
            "mandelbrot",
            "wood",
            "ripple",
            "sharpen",
            "dissolve"
        ];
        let text = |(name, text): (&str, &str)| Text {
            name: name.to_owned(),
            text: text.to_owned(),
            twin: None,
        };
        own.map(text).into()
    }

    fn read(path: &Path) -> Result<Text, NoTexts> {
        let name = path.file_stem().unwrap_or(path.as_os_str());
        let text = std::fs::read_to_string(path);
        Ok(Text {
            name: name.to_string_lossy().into_owned(),
            text: text.map_err(not_read(path))?,
            twin: None,
        })
    }
}

impl Twin {
    /// The TGSI form of a program of that name; `None` if the folder has none.
    fn read(folder: &Path, name: &str) -> Result<Option<Twin>, NoTexts> {
        let path = folder.join(format!("{name}.tgsi"));
        if !path.exists() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(&path).map_err(not_read(&path))?;
        let path = folder.join(format!("{name}.constants"));
        let lines = match path.exists() {
            true => std::fs::read_to_string(&path).map_err(not_read(&path))?,
            false => String::new(),
        };
        let mut constants = BTreeMap::new();
        for (index, line) in lines.lines().enumerate() {
            let (register, value) = constant(line).ok_or(NoTexts::NotConstant {
                path: path.clone(),
                line: index + 1,
            })?;
            constants.insert(register, value);
        }
        Ok(Some(Twin { text, constants }))
    }
}

/// A register and its value, as in `CONST[0][2] 0.5 1 2.5 1`.
fn constant(line: &str) -> Option<(u32, [f32; 4])> {
    let (register, numbers) = line.strip_prefix("CONST[0][")?.split_once(']')?;
    let mut numbers = numbers.split_whitespace().map(str::parse);
    let mut value = [0.0; 4];
    for component in &mut value {
        *component = numbers.next()?.ok()?;
    }
    let is_whole = numbers.next().is_none();
    is_whole.then_some((register.parse().ok()?, value))
}

fn not_read(path: &Path) -> impl FnOnce(io::Error) -> NoTexts {
    let path = path.to_owned();
    move |source| NoTexts::NotRead { path, source }
}

/// The file, or the programs of the folder, in the order of their names.
fn programs(path: &Path) -> Result<Vec<PathBuf>, NoTexts> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path).and_then(|entries| {
        entries
            .map(|entry| Ok(entry?.path()))
            .collect::<io::Result<Vec<PathBuf>>>()
    });
    let mut entries = entries.map_err(not_read(path))?;
    entries.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "arbfp")
    });
    entries.sort();
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use attila_shader::front::arb::{self, Profile};

    use super::*;

    #[test]
    fn sizes_are_within_bounds() {
        let size = |text: &str| text.parse().ok().map(|PictureSize(size)| size);
        assert_eq!(size("640x480"), Some([640, 480]));
        for text in ["640", "640x", "8x640", "10000x640", "640 x 480"] {
            assert_eq!(size(text), None, "{text}");
        }
    }

    #[test]
    fn constants_are_a_register_and_four_numbers() {
        let value = constant("CONST[0][2] 0.5 -1 2.5e3 1.0");
        assert_eq!(value, Some((2, [0.5, -1.0, 2500.0, 1.0])));
        for line in [
            "CONST[0][2] 1 2 3",
            "CONST[0][2] 1 2 3 4 5",
            "CONST[1][2] 1 2 3 4",
            "x",
        ] {
            assert_eq!(constant(line), None, "{line}");
        }
    }

    #[test]
    fn programs_that_come_with_it_are_right() {
        for Text { name, text, .. } in Text::own() {
            let translated = arb::compile(&text, &Profile::default());
            assert!(translated.is_ok(), "{name}: {}", translated.unwrap_err());
        }
    }
}
