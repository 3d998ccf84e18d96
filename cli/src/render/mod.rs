//! `attila render`: a fragment program over a rectangle or a mesh, as a picture.

mod demo;
pub(crate) mod file;
mod frames;
mod job;
mod size;
mod torus;
mod watch;

use std::iter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use attila_scene::picture::{Depth, FileKind};
use attila_scene::source::Loaded;
use attila_shader::draw::MAX_PICTURE;
use attila_shader::machine::pipeline::TARGETS;
use clap::ArgGroup;
use clap::error::ErrorKind;

use crate::FAULT;
use crate::engines::{EngineArg, PerfArgs, VectorArgs};
use crate::error::CliError;
use crate::input::{FormArgs, NumberArg, ProgramArgs, expect_fragments};
use crate::mesh::MeshArgs;
use crate::number;
use crate::output::Output;
use crate::pixel::Pixel;
use crate::report::Reporter;
use crate::run::trace_fragment;
use crate::samples::SampleArgs;
use crate::scene::SceneArgs;
use frames::Time;
use job::Job;
pub(crate) use size::Size;
use size::{Colour, Region, depth};

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
#[command(group(ArgGroup::new("program").args(["file", "fragment"])), after_help = "\
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
  attila render --vertex vertex.attila --fragment shader.attila --mesh model.obj --camera 3,2,5
  attila render shader.attila --frames 3 --time c0=0:1 -o wave.png
  attila render shader.attila -o left.exr --size 2560x1440 --region 0,0,1280,1440
  echo 'tex o1, i6, t4' | attila render - --varying 'i6 = 3*u, 3*v, 0, 1'")]
pub(crate) struct Args {
    /// The program: assembly, an ARB, TGSI, AGAL or CTM program, hexadecimal words or a raw binary; `-` is standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
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
    /// The output that the picture shows
    #[arg(long, value_name = "oN", value_parser = shown, requires = "program", conflicts_with = "pixel")]
    target: Option<usize>,
    /// Write the depths of the mesh, or else those that the program exports, into this file, too: grey, of 32 bits where the
    /// file has them, or else 16. Without a mesh no fragment fails a depth test
    #[arg(
        long,
        value_name = "FILE",
        value_parser = file::path(),
        requires = "program",
        conflicts_with_all = ["pixel", "frames"]
    )]
    depth: Option<PathBuf>,
    /// Draw so many pictures, into files with a number before the dot: out-0000.png, ...
    #[arg(
        long,
        value_name = "N",
        value_parser = number::within::<u32>(1, 1_000_000),
        allow_negative_numbers = true,
        requires_all = ["program", "time"],
        conflicts_with = "pixel"
    )]
    frames: Option<u32>,
    /// The constant or input that tells the frames apart: it runs from the first number in the first frame towards the
    /// second, which the frame after the last would have
    #[arg(
        long,
        value_name = "REG=FROM:TO",
        allow_hyphen_values = true,
        requires = "frames"
    )]
    time: Option<Time>,
    /// Draw again whenever a file of a program or the mesh changes, until the command is stopped
    #[arg(long, requires = "program", conflicts_with = "pixel")]
    watch: bool,
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
    perf: PerfArgs,
    #[command(flatten)]
    samples: SampleArgs,
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    mesh: MeshArgs,
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

/// The output that a picture shows: the first of the colours.
const SHOWN: usize = 1;

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let Some(file) = args.file.as_ref().or(args.mesh.fragment.as_ref()) else {
        return demo::run(args);
    };
    match args.watch {
        true => {
            let files = iter::once(file.as_path()).chain(args.mesh.files());
            watch::run(&files.collect::<Vec<_>>(), || draw(args, file))
        }
        false => draw(args, file),
    }
}

/// The number of an output that a picture can show.
fn shown(text: &str) -> Result<usize, String> {
    let number = text.strip_prefix(['o', 'O']).and_then(|it| it.parse().ok());
    let number = number.filter(|number| (SHOWN..SHOWN + TARGETS).contains(number));
    number.ok_or_else(|| format!("pictures show o{SHOWN} to o{}", SHOWN + TARGETS - 1))
}

/// Draws a program.
fn draw(args: &Args, file: &Path) -> Result<ExitCode, CliError> {
    let reporter = Reporter::new();
    let parameters = args.scene.parameters.clone();
    let program = ProgramArgs::new(file.to_owned(), args.form, parameters, args.number);
    let size = args.size.unwrap_or(Size::DEFAULT);
    let region = args.region.unwrap_or(Region::whole(size)).check(size)?;
    let path = args.output.as_deref().unwrap_or(Path::new(DEFAULT_OUTPUT));
    let depth = args.depth(file::kind(path))?;
    let samples = args.samples.samples()?;
    let draft = program.read_to_draw(size, &reporter)?;
    let mut scene = args.scene.scene(&reporter, expect_fragments(draft)?)?;
    let mesh = args.mesh.mesh(size, (&scene, &args.scene), &reporter)?;
    if let Some(pixel) = args.pixel {
        let samples = samples.with_shading(scene.sample_shading);
        let history = pixel.check(size)?.history(
            (&scene, mesh.as_ref()),
            samples,
            &scene.bindings(),
            size,
        )?;
        for fragment in &history.fragments {
            trace_fragment(&scene, fragment)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    args.check_outputs(&scene.loaded, &reporter)?;
    let mut all_right = true;
    let frames = args.frames.map_or(0..1, |frames| 0..frames);
    for frame in frames {
        let path = match (&args.time, args.frames) {
            (Some(time), Some(frames)) => {
                time.set(&mut scene, [frame, frames], &reporter)?;
                &frames::path(path, frame, frames)?
            }
            (None, _) | (_, None) => path,
        };
        let job = Job {
            bindings: &scene.bindings(),
            scene: &scene,
            mesh: mesh.as_ref(),
            samples: samples.with_shading(scene.sample_shading),
            picture: size,
            region,
            threads: args.threads,
            output: args.target.unwrap_or(SHOWN),
        };
        all_right &= job.draw_all(args, depth, &Output::open(path)?)?;
    }
    Ok(match all_right {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(FAULT),
    })
}

impl Args {
    /// The bits of components in a file of a kind, which has to hold them.
    fn depth(&self, kind: FileKind) -> Result<Depth, CliError> {
        let depth = self.bits.unwrap_or(kind.depths()[0]);
        let checked = kind.check(depth, self.alpha);
        checked.map_err(|error| CliError::usage(ErrorKind::ValueValidation, error))?;
        Ok(depth)
    }

    /// Warns of colours that the picture does not show, and refuses to show what the program does not write.
    fn check_outputs(&self, loaded: &Loaded, reporter: &Reporter) -> Result<(), CliError> {
        let usage = loaded.program.usage();
        let refuse = |option, reason: String| {
            let name = loaded.name.clone();
            Err(CliError::NoEffect {
                name,
                option,
                reason,
            })
        };
        if let Some(output) = self.target
            && usage.outputs[output].is_empty()
        {
            return refuse("--target", format!("the program does not write o{output}"));
        }
        if self.depth.is_some() && self.mesh.mesh.is_none() && !usage.exports_depth {
            return refuse("--depth", "the program exports no depth".to_owned());
        }
        let shown = self.target.unwrap_or(SHOWN);
        let others = (SHOWN..SHOWN + TARGETS).filter(|output| *output != shown);
        // The first is there even if nothing writes it.
        let unseen = others.filter(|output| !usage.outputs[*output].is_empty());
        for output in unseen {
            let name = &loaded.name;
            reporter.warning(&format!(
                "{name}: o{output} is not in the picture, which shows o{shown}"
            ));
        }
        Ok(())
    }
}
