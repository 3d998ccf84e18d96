//! `attila render`: a fragment program over a rectangle, as a PNG.

mod demo;
pub(crate) mod png;
mod torus;

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::{Duration, Instant};

use crate::picture::{self, Picture};
use attila_scene::Scene;
use attila_scene::setting;
use attila_scene::source::Loaded;
use attila_shader::machine::pipeline::TARGETS;
use attila_shader::{Bindings, DrawError, Engine, Shader};
use thiserror::Error;

use crate::FAULT;
use crate::engines::{self, EngineArg, VectorArgs};
use crate::error::CliError;
use crate::input::{FormArgs, NumberArg, ProgramArgs, expect_fragments};
use crate::number;
use crate::output::Output;
use crate::report::Reporter;
use crate::samples::{SampleArgs, Samples};
use crate::scene::SceneArgs;
use crate::setup;

/// Where a picture goes if nothing else is said.
const DEFAULT_OUTPUT: &str = "attila.png";

/// Draw a fragment program into a PNG
///
/// Every pixel is a fragment. i0 is its position (x+0.5, y+0.5, 0.5, 1), i1 a colour gradient, i6 to
/// i15 are texture coordinates (u, v, 0, 1). Texture units 0 to 5 hold built-in patterns unless they
/// are set. Output o1 is the colour. It is clamped to [0, 1], multiplied by 255 and truncated; NaN
/// counts as 1. Killed fragments keep the background.
///
/// Without a program, both engines draw a demo of several programs into attila-demo.png.
#[derive(clap::Args)]
#[command(after_help = "\
The components of a varying are sums of numbers and multiples of u, v, s and t, such as 3*u + 1. u \
runs from 0 at the left to 1 at the right, v from 0 at the top to 1 at the bottom. s and t are 0 in \
the centre; t is 1 at the top, and s grows to the right at the same scale.

A texture is a PNG, JPEG, TGA, BMP or DDS file, or one of the patterns bumps, checker, gradient, clouds, bricks \
and white. A picture may be another image than a 2D one, and a DDS file says itself what it is:
  1d:FILE              a picture of one row
  3d:FILE*N            a picture of N slices, one below the other
  cube:FILE            a picture of six faces, in strips of 6x1 or 1x6 squares in the order +x, -x, +y, -y, +z, -z
                       or in crosses of 4x3 or 3x4 squares around +z
  cube:FILE,FILE,...   six pictures in that order

Options follow after commas:
  filter=, min=, mag=  nearest or linear [default: linear]
  mips                 generate the smaller levels; patterns have them
  mip=                 none, nearest or linear [default: as min, if it has levels]
  wrap=, wraps=, ...   repeat, clamp, edge, border or mirror [default: repeat; cubes: edge]
  aniso=N              anisotropic filter of up to N samples, 1 to 16
  bias=X, lod=MIN:MAX  the level of detail; border=R:G:B:A
  srgb[=power]         the texels are sRGB
  coords=texels        coordinates count texels instead of running from 0 to 1

A program may set its own scene in comments:
  ;! const c0 = 0.5 0 0 1
  ;! varying i6 = 2*s, 2*t, 0, 1
  ;! texture t0 = clouds nearest
  ;! texture t1 = wall.png, mips, aniso=8     (relative to the program)
  ;! texture t2 = cube                        (needs a --texture)
  ;! sample-shading                           (as --sample-shading)

Examples:
  attila render
  attila render shader.attila -o shader.png --size 1280x720 --set c0=0.2 --set i1=1,0,0,1
  attila render shader.attila --texture t0=wall.jpg,mips,wrap=mirror
  attila render shader.attila --samples 2 --positions=-4,-4:4,4 --sample-shading
  echo 'tex o1, i6, t4' | attila render - --varying 'i6 = 3*u, 3*v, 0, 1'")]
pub(crate) struct Args {
    /// The program: assembly, an ARB, TGSI, AGAL or CTM program, hexadecimal words or a raw binary; `-` is standard input
    #[arg(value_name = "FILE")]
    program: Option<PathBuf>,
    #[command(flatten)]
    form: FormArgs,
    #[command(flatten)]
    number: NumberArg,
    /// The PNG file to write; `-` is standard output [default: attila.png, or attila-demo.png for the
    /// demo]
    #[arg(short, long, value_name = "FILE", value_parser = png::path())]
    output: Option<PathBuf>,
    /// The size of the picture [default: 640x480, or 1200x900 for the demo]
    #[arg(long, value_name = "WxH", allow_hyphen_values = true)]
    size: Option<Size>,
    /// The engine that draws [default: auto, or both for the demo]
    #[arg(long, value_enum)]
    engine: Option<EngineArg>,
    #[command(flatten)]
    vectors: VectorArgs,
    #[command(flatten)]
    samples: SampleArgs,
    #[command(flatten)]
    scene: SceneArgs,
    /// The background colour
    #[arg(
        long,
        value_name = "RRGGBB",
        default_value = "000000",
        allow_hyphen_values = true
    )]
    background: Colour,
    /// Write the program's alpha instead of an opaque picture
    #[arg(long)]
    alpha: bool,
}

/// The size of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Size {
    /// Pixels in a row.
    pub(crate) width: usize,
    /// Rows.
    pub(crate) height: usize,
}

impl Size {
    /// The size if no option gives one.
    pub(crate) const DEFAULT: Size = Size {
        width: 640,
        height: 480,
    };

    /// The window that ARB programs see.
    pub(crate) fn window(self) -> [u32; 2] {
        [self.width as u32, self.height as u32]
    }
}

/// The output that a picture shows: the first of the colours.
const SHOWN: usize = 1;

/// The longest side of a picture.
const MAX_SIDE: usize = 8192;

/// Why a text is no size.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("write it like 640x480, each side {}", number::bounds(1, MAX_SIDE as u64))]
pub(crate) struct SizeError;

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Size, SizeError> {
        let side = |text: &str| {
            let side = text.parse().ok();
            side.filter(|side| (1..=MAX_SIDE).contains(side))
                .ok_or(SizeError)
        };
        let (width, height) = text.split_once(['x', 'X']).ok_or(SizeError)?;
        Ok(Size {
            width: side(width)?,
            height: side(height)?,
        })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// An opaque colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Colour([u8; 4]);

/// Why a text is no colour.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("write six hexadecimal digits, like ff8000")]
struct ColourError;

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

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let Some(file) = &args.program else {
        return demo::run(args);
    };
    let reporter = Reporter::new();
    let parameters = args.scene.parameters.clone();
    let program = ProgramArgs::new(file.clone(), args.form, parameters, args.number);
    let size = args.size.unwrap_or(Size::DEFAULT);
    let samples = args.samples.of(size)?;
    let draft = program.read_to_draw(size, &reporter)?;
    let scene = args.scene.scene(&reporter, expect_fragments(draft)?)?;
    let directives = setup::collect(
        &reporter,
        &scene.loaded,
        None,
        None,
        &args.scene.constants(),
    )?;
    let bindings = setting::bind(&directives, Bindings::new().with_textures(&scene.textures));
    let job = Job {
        bindings: &bindings,
        scene: &scene,
        samples: samples.with_shading(scene.sample_shading),
    };
    warn_unseen(&scene.loaded, &reporter);
    job.draw_all(args, size)
}

/// Warns of colours that the picture does not show.
fn warn_unseen(loaded: &Loaded, reporter: &Reporter) {
    let written = &loaded.program.usage().outputs;
    let unseen = (SHOWN + 1..SHOWN + TARGETS).filter(|output| !written[*output].is_empty());
    for output in unseen {
        let name = &loaded.name;
        reporter.warning(&format!(
            "{name}: o{output} is not in the picture, which shows o{SHOWN}"
        ));
    }
}

/// A program and what it is drawn with.
struct Job<'a> {
    bindings: &'a Bindings<'a>,
    scene: &'a Scene,
    samples: Samples,
}

/// How a picture was drawn.
#[derive(Clone, Copy, Default)]
struct Drawn {
    engine: &'static str,
    /// Making the program ready.
    prepare: Duration,
    /// Shading all pixels.
    shade: Duration,
    pixels: usize,
}

impl Job<'_> {
    /// Draws with every engine that is asked for, compares, and writes the picture.
    fn draw_all(&self, args: &Args, size: Size) -> Result<ExitCode, CliError> {
        let output = Output::open(args.output.as_deref().unwrap_or(Path::new(DEFAULT_OUTPUT)))?;
        let mut out = output.messages();
        let mut pictures = Vec::new();
        let engines = args.engine.unwrap_or(EngineArg::Auto);
        for engine in engines.engines_with(args.vectors)? {
            let mut picture = self.picture(size, args.background.0);
            let drawn = self.draw(&engine, &mut picture)?;
            writeln!(out, "{} {size} {drawn}", self.scene.loaded.name)?;
            pictures.push(picture);
        }
        let identical = pictures.windows(2).all(|pair| pair[0] == pair[1]);
        let picture = self.resolved(pictures.swap_remove(0))?;
        png::write(&output, &picture, args.alpha)?;
        writeln!(out, "wrote {output}")?;
        if identical {
            return Ok(ExitCode::SUCCESS);
        }
        Reporter::new().error("the engines' pictures differ");
        Ok(ExitCode::from(FAULT))
    }

    /// A picture whose pixels have as many samples as the job says.
    fn picture(&self, size: Size, colour: [u8; 4]) -> Picture {
        Picture::multisampled(size.width, size.height, self.samples.count(), colour)
    }

    /// The picture with one sample for each pixel.
    fn resolved(&self, picture: Picture) -> Result<Picture, CliError> {
        picture.resolved().map_err(|source| CliError::Resolve {
            name: self.scene.loaded.name.clone(),
            source,
        })
    }

    fn draw(&self, engine: &Engine, picture: &mut Picture) -> Result<Drawn, CliError> {
        let start = Instant::now();
        let shader = engines::prepare(engine, &self.scene.loaded.program)?;
        let drawn = self.draw_with(&shader, picture);
        let (prepared, finished) = drawn.map_err(|source| CliError::Render {
            name: self.scene.loaded.name.clone(),
            source,
        })?;
        Ok(Drawn {
            engine: shader.engine(),
            prepare: prepared - start,
            shade: finished - prepared,
            pixels: picture.width() * picture.height(),
        })
    }

    /// Draws, and says when everything was prepared and when it was drawn.
    fn draw_with(
        &self,
        shader: &Shader,
        picture: &mut Picture,
    ) -> Result<(Instant, Instant), DrawError> {
        let (width, height) = (picture.width() as u32, picture.height() as u32);
        let varyings = &self.scene.varyings;
        let draw = picture::draw(shader, self.bindings, varyings, &self.samples, picture);
        let mut draw = draw.prepare()?;
        draw.compile_for_rectangles(self.bindings)?;
        let prepared = Instant::now();
        let mut frame = draw.frame(self.bindings).target(0, picture);
        frame.rect(0..width, 0..height)?;
        Ok((prepared, Instant::now()))
    }
}

impl Drawn {
    fn megapixels_per_second(&self) -> f64 {
        self.pixels as f64 / self.shade.as_secs_f64().max(1e-9) / 1e6
    }

    /// Adds what the same engine drew besides.
    fn add(&mut self, other: &Drawn) {
        self.engine = other.engine;
        self.prepare += other.prepare;
        self.shade += other.shade;
        self.pixels += other.pixels;
    }
}

impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = |duration: Duration| duration.as_secs_f64() * 1e3;
        write!(
            f,
            "{}: {:.1} ms, {:.1} Mpixel/s, prepared in {:.2} ms",
            self.engine,
            milliseconds(self.shade),
            self.megapixels_per_second(),
            milliseconds(self.prepare)
        )
    }
}
