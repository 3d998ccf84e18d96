//! `attila render`: a fragment program over a rectangle, as a picture.

mod demo;
pub(crate) mod file;
mod torus;

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::{Duration, Instant};

use attila_scene::Scene;
use attila_scene::picture::{Depth, FileKind, Picture};
use attila_scene::source::Loaded;
use attila_shader::draw::{ColourImage, MAX_PICTURE, MAX_SIZE};
use attila_shader::machine::pipeline::TARGETS;
use attila_shader::{Bindings, DrawError, Engine, Shader};
use clap::error::ErrorKind;
use thiserror::Error;

use crate::FAULT;
use crate::engines::{self, EngineArg, VectorArgs};
use crate::error::CliError;
use crate::input::{FormArgs, NumberArg, ProgramArgs, expect_fragments};
use crate::number;
use crate::output::Output;
use crate::pixel::Pixel;
use crate::progress::Progress;
use crate::report::Reporter;
use crate::run::trace_fragment;
use crate::samples::{SampleArgs, Samples};
use crate::scene::SceneArgs;

/// Where a picture goes if nothing else is said.
const DEFAULT_OUTPUT: &str = "attila.png";

/// Draw a fragment program into a PNG, PPM, PFM, EXR or TIFF file
///
/// Every pixel is a fragment. i0 is its position (x+0.5, y+0.5, 0.5, 1), i1 a colour gradient, i6 to
/// i15 are texture coordinates (u, v, 0, 1). Texture units 0 to 5 hold built-in patterns unless they
/// are set. Output o1 is the colour. Killed fragments keep the background.
///
/// 8 bits are 255 times the colour clamped to [0, 1], truncated. 16 bits are 65,535 times that, rounded to the nearest.
/// NaN counts as 1 in both. 32 bits are the colour itself.
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
  attila render shader.attila -o left.exr --size 2560x1440 --region 0,0,1280,1440
  echo 'tex o1, i6, t4' | attila render - --varying 'i6 = 3*u, 3*v, 0, 1'")]
pub(crate) struct Args {
    /// The program: assembly, an ARB, TGSI, AGAL or CTM program, hexadecimal words or a raw binary; `-` is standard input
    #[arg(value_name = "FILE")]
    program: Option<PathBuf>,
    #[command(flatten)]
    form: FormArgs,
    #[command(flatten)]
    number: NumberArg,
    /// The file to write: .png, .ppm, .pfm, .exr or .tiff; `-` is standard output, as a PNG [default: attila.png, or
    /// attila-demo.png for the demo]
    #[arg(short, long, value_name = "FILE", value_parser = file::path())]
    output: Option<PathBuf>,
    /// The bits of a component: 8 or 16 in PNG and PPM files, 32 in PFM and EXR files, any in TIFF files [default: 8,
    /// or 32 for PFM, EXR and TIFF]
    #[arg(long, value_name = "8|16|32", value_parser = depth, requires = "program", allow_negative_numbers = true)]
    bits: Option<Depth>,
    /// The size of the picture [default: 640x480, or 1200x900 for the demo]
    #[arg(long, value_name = "WxH", value_parser = |text: &str| Size::read(text, MAX_PICTURE), allow_hyphen_values = true)]
    size: Option<Size>,
    /// Draw only this part of the picture: the column and row of its upper left pixel, and its size. `attila join`
    /// puts parts together
    #[arg(
        long,
        value_name = "X,Y,W,H",
        allow_hyphen_values = true,
        requires = "program"
    )]
    region: Option<Region>,
    /// Look at this pixel instead of drawing: print every instruction of its quad, as `attila run --trace` does
    #[arg(
        long,
        value_name = "X,Y",
        requires = "program",
        requires = "trace",
        conflicts_with_all = ["output", "region"]
    )]
    pixel: Option<Pixel>,
    /// Print every instruction of the quad of --pixel
    #[arg(long, requires = "pixel")]
    trace: bool,
    /// The number of threads; no more are used than processors and bands of 64 rows
    #[arg(long, value_name = "N", default_value = "1", value_parser = number::within::<usize>(1, u64::MAX), allow_negative_numbers = true)]
    threads: usize,
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
    pub(crate) width: u32,
    /// Rows.
    pub(crate) height: u32,
}

impl Size {
    /// The size if no option gives one.
    pub(crate) const DEFAULT: Size = Size {
        width: 640,
        height: 480,
    };

    /// Columns and rows.
    pub(crate) fn sides(self) -> [u32; 2] {
        [self.width, self.height]
    }

    pub(crate) fn pixels(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Reads one whose sides are at most that long.
    fn read(text: &str, most: u32) -> Result<Size, SizeError> {
        let side = |text: &str| {
            let side = text.parse().ok();
            side.filter(|side| (1..=most).contains(side))
                .ok_or(SizeError(most))
        };
        let (width, height) = text.split_once(['x', 'X']).ok_or(SizeError(most))?;
        Ok(Size {
            width: side(width)?,
            height: side(height)?,
        })
    }
}

/// The output that a picture shows: the first of the colours.
const SHOWN: usize = 1;

/// Why a text is no size.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("write it like 640x480, each side {}", number::bounds(1, u64::from(*.0)))]
pub(crate) struct SizeError(u32);

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Size, SizeError> {
        Size::read(text, MAX_SIZE)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// A part of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Region {
    /// Column and row of its upper left pixel.
    at: [u32; 2],
    size: Size,
}

/// Why a text is no region.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("write it like 640,0,640,480: a column, a row, and a size of at least 1x1")]
struct RegionError;

impl FromStr for Region {
    type Err = RegionError;

    fn from_str(text: &str) -> Result<Region, RegionError> {
        let numbers: Result<Vec<u32>, _> = text.split(',').map(str::parse).collect();
        match numbers.as_deref() {
            Ok(&[x, y, width, height]) if width > 0 && height > 0 => Ok(Region {
                at: [x, y],
                size: Size { width, height },
            }),
            Ok(_) | Err(_) => Err(RegionError),
        }
    }
}

impl Region {
    /// The whole of a picture.
    fn whole(size: Size) -> Region {
        let at = [0, 0];
        Region { at, size }
    }

    /// Refuses one that is not within a picture, or larger than a target.
    fn check(self, picture: Size) -> Result<Region, CliError> {
        let Region { at, size } = self;
        let is_inside = |(axis, side): (usize, u32)| {
            at[axis]
                .checked_add(size.sides()[axis])
                .is_some_and(|end| end <= side)
        };
        let [x, y] = at;
        let message = if !picture.sides().into_iter().enumerate().all(is_inside) {
            format!("the region of {size} pixels at {x},{y} is not within the picture of {picture}")
        } else if size.sides().into_iter().any(|side| side > MAX_SIZE) {
            format!("a region of {size} pixels is too large; no side may be longer than {MAX_SIZE}")
        } else {
            return Ok(self);
        };
        Err(CliError::usage(ErrorKind::ValueValidation, message))
    }
}

/// The depth with a number of bits.
fn depth(bits: &str) -> Result<Depth, String> {
    let depth = Depth::ALL
        .into_iter()
        .find(|depth| depth.bits().to_string() == bits);
    depth.ok_or_else(|| "components have 8, 16 or 32 bits".to_owned())
}

/// An opaque colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Colour([u8; 4]);

impl Colour {
    /// Makes all pixels of an image for a picture the colour.
    fn fill(self, image: &mut ColourImage, depth: Depth) {
        let Colour(bytes) = self;
        match depth {
            Depth::Eight => image.fill(bytes),
            Depth::Sixteen | Depth::Float => {
                image.fill(bytes.map(|byte| (f32::from(byte) / 255.0).to_bits().to_le()));
            }
        }
    }
}

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
    let region = args.region.unwrap_or(Region::whole(size)).check(size)?;
    let path = args.output.as_deref().unwrap_or(Path::new(DEFAULT_OUTPUT));
    let depth = args.depth(file::kind(path))?;
    let samples = args.samples.samples()?;
    let draft = program.read_to_draw(size, &reporter)?;
    let scene = args.scene.scene(&reporter, expect_fragments(draft)?)?;
    if let Some(pixel) = args.pixel {
        let samples = samples.with_shading(scene.sample_shading);
        let history = pixel
            .check(size)?
            .history(&scene, samples, &scene.bindings(), size)?;
        for fragment in &history.fragments {
            trace_fragment(&scene, fragment)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let job = Job {
        bindings: &scene.bindings(),
        scene: &scene,
        samples: samples.with_shading(scene.sample_shading),
        picture: size,
        region,
        threads: args.threads,
    };
    warn_unseen(&scene.loaded, &reporter);
    job.draw_all(args, depth, &Output::open(path)?)
}

impl Args {
    /// The bits of components in a file of a kind, which has to hold them.
    fn depth(&self, kind: FileKind) -> Result<Depth, CliError> {
        let depth = self.bits.unwrap_or(kind.depths()[0]);
        let checked = kind.check(depth, self.alpha);
        checked.map_err(|error| CliError::usage(ErrorKind::ValueValidation, error))?;
        Ok(depth)
    }
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
    /// The size of the whole picture.
    picture: Size,
    /// The part of it that is drawn.
    region: Region,
    threads: usize,
}

/// How a picture was drawn.
#[derive(Clone, Copy, Default)]
struct Drawn {
    engine: &'static str,
    /// Making the program ready.
    prepare: Duration,
    /// Shading all pixels.
    shade: Duration,
    pixels: u64,
}

impl Job<'_> {
    /// Draws with every engine that is asked for, compares, and writes the picture.
    fn draw_all(&self, args: &Args, depth: Depth, output: &Output) -> Result<ExitCode, CliError> {
        let mut out = output.messages();
        let (mut first, mut identical) = (None, true);
        let engines = args.engine.unwrap_or(EngineArg::Auto);
        for engine in engines.engines_with(args.vectors)? {
            let mut image = self.samples.image(depth.target(), self.region.size)?;
            args.background.fill(&mut image, depth);
            let drawn = self.draw(&engine, &mut image)?;
            let size = self.region.size;
            writeln!(out, "{} {size} {drawn}", self.scene.loaded.name)?;
            identical &= first.as_ref().is_none_or(|first| *first == image);
            first.get_or_insert(image);
        }
        if let Some(image) = first {
            let picture = Picture::new(image.resolved(), depth);
            let picture = match args.alpha {
                true => picture,
                false => picture.opaque(),
            };
            file::write(output, &picture)?;
        }
        writeln!(out, "wrote {output}")?;
        if identical {
            return Ok(ExitCode::SUCCESS);
        }
        Reporter::new().error("the engines' pictures differ");
        Ok(ExitCode::from(FAULT))
    }

    fn draw(&self, engine: &Engine, image: &mut ColourImage) -> Result<Drawn, CliError> {
        let start = Instant::now();
        let shader = engines::prepare(engine, &self.scene.loaded.program)?;
        let drawn = self.draw_with(&shader, image);
        let (prepared, finished) = drawn.map_err(|source| CliError::Render {
            name: self.scene.loaded.name.clone(),
            source,
        })?;
        Ok(Drawn {
            engine: shader.engine(),
            prepare: prepared - start,
            shade: finished - prepared,
            pixels: self.region.size.pixels(),
        })
    }

    /// Draws, and says when everything was prepared and when it was drawn.
    fn draw_with(
        &self,
        shader: &Shader,
        image: &mut ColourImage,
    ) -> Result<(Instant, Instant), DrawError> {
        let draw = self.samples.draw(self.scene, shader, self.picture);
        let draw = draw.threads(self.threads).target(0, &mut *image);
        let mut draw = draw.prepare()?;
        draw.compile_for_rectangles(self.bindings)?;
        let prepared = Instant::now();
        let progress = Progress::new(0);
        let listener = |done, all| progress.set(done, all);
        let [width, height] = self.picture.sides();
        let frame = draw.frame(self.bindings).target(0, image);
        let frame = frame.origin(self.region.at.map(|at| at as i32), [width, height]);
        frame.progress(&listener).rect(0..width, 0..height)?;
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
