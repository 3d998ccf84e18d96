//! `attila bench`: how fast the engines draw a program.

mod calls;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use attila_scene::Scene;
use attila_scene::source::Loaded;
use attila_shader::draw::{ColourBuffer, ColourImage};
use attila_shader::machine::pipeline::ColourFormat;
use attila_shader::{
    Bindings, CodeInfo, DrawError, Engine, Jit, PrepareError, PreparedDraw, Shader,
};

use crate::engines::{self, EngineArg, PerfArgs, VectorArgs};
use crate::error::CliError;
use crate::input::{FormArgs, NumberArg, ProgramArgs, expect_fragments};
use crate::number;
use crate::progress::Progress;
use crate::render::Size;
use crate::report::Reporter;
use crate::samples::{SampleArgs, Samples};
use crate::scene::SceneArgs;
use calls::{Calls, Watched};
use report::Report;

/// The format of targets.
const FORMAT: ColourFormat = ColourFormat::Rgba8;

/// How often a program is compiled; the fastest time counts.
const COMPILATIONS: usize = 3;

/// How many turns each contender gets to draw. A disturbance of one disturbs the others too.
const TURNS: u32 = 20;

/// Measure how fast a program is drawn
///
/// Draws the program into an RGBA8 target as `attila render` does, in turns with the interpreter and
/// the JIT, on one thread and on several. Targets with several samples are not resolved. Reports the fastest frame of each. The pictures of both
/// engines are compared. A program that the JIT refuses is drawn by the interpreter alone.
#[derive(clap::Args)]
#[command(after_help = "\
Results:
  compile        time to compile the validated program for its textures
  jit code       bytes of machine code, lanes per instruction, and quads per iteration
  jit vectors    bits of a vector, and why there are not more
  texture calls  calls of the texture unit in a frame on one thread, one per quad and sample,
                 and their share of the frame's time, corrected for the cost of measuring.
                 Samples that the JIT inlines are not calls.

Constants, varyings and textures are set as for `attila render`.

Examples:
  attila bench shader.attila
  attila bench shader.attila --size 1920x1080 --threads 8 --json
  attila bench shader.attila --vectors 256
  attila bench shader.attila --samples 4 --sample-shading
  attila bench shader.attila --texture t0=wall.png,mips,aniso=8")]
pub(crate) struct Args {
    /// The program: assembly, an ARB, TGSI, AGAL or CTM program, hexadecimal words or a raw binary; `-` is standard input
    #[arg(value_name = "FILE")]
    program: PathBuf,
    #[command(flatten)]
    form: FormArgs,
    #[command(flatten)]
    number: NumberArg,
    /// The size of the picture
    #[arg(
        long,
        value_name = "WxH",
        default_value = "1024x1024",
        allow_hyphen_values = true
    )]
    size: Size,
    /// The number of threads for the multithreaded runs; no more are used than processors and bands of 64 rows [default: one per processor]
    #[arg(long, value_name = "N", value_parser = number::within::<usize>(1, u64::MAX), allow_negative_numbers = true)]
    threads: Option<usize>,
    /// The time that each engine draws with each number of threads
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds, allow_negative_numbers = true)]
    time: Duration,
    #[command(flatten)]
    samples: SampleArgs,
    #[command(flatten)]
    vectors: VectorArgs,
    #[command(flatten)]
    perf: PerfArgs,
    #[command(flatten)]
    scene: SceneArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The seconds that one can wait for.
const LONGEST: u64 = 3600;

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    let seconds = seconds.filter(|seconds| (0.0..=LONGEST as f64).contains(seconds));
    let wrong = || format!("write a number of seconds, {}", number::bounds(0, LONGEST));
    let seconds = seconds.ok_or_else(wrong)?;
    Ok(Duration::from_secs_f64(seconds))
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let reporter = Reporter::new();
    let samples = args.samples.samples()?;
    let parameters = args.scene.parameters.clone();
    let program = ProgramArgs::new(args.program.clone(), args.form, parameters, args.number);
    let draft = program.read_to_draw(args.size, &reporter)?;
    let scene = args.scene.scene(&reporter, expect_fragments(draft)?)?;
    let watched = Watched::new(&scene.textures);
    let bench = Bench {
        loaded: &scene.loaded,
        scene: &scene,
        size: args.size,
        samples: samples.with_shading(scene.sample_shading),
        vectors: args.vectors.with_perf(args.perf, EngineArg::Both)?,
        bindings: &scene.bindings(),
        watched: &watched,
        watched_bindings: &scene.bindings().with_textures(&watched),
    };
    // 0: one for each processor.
    let report = bench.measure(args.threads.unwrap_or(0), args.time)?;
    report.print(args.json)?;
    Ok(report.exit_code())
}

/// A program, and what it is drawn with.
struct Bench<'a> {
    loaded: &'a Loaded,
    scene: &'a Scene,
    size: Size,
    samples: Samples,
    vectors: VectorArgs,
    bindings: &'a Bindings<'a>,
    watched: &'a Watched<'a>,
    /// The same as `bindings`, with the calls watched.
    watched_bindings: &'a Bindings<'a>,
}

/// The program as the engines have compiled it.
struct Compiled {
    /// The program as they run it, the interpreter first, and how long it took at best.
    shaders: Vec<(Shader, Duration)>,
    /// Why the JIT is not among them.
    refused: Option<PrepareError>,
}

/// The measurements of an engine.
struct Measured {
    engine: &'static str,
    compile: Duration,
    /// The fastest frame for each number of threads.
    frames: Vec<(usize, Duration)>,
    /// If the program samples.
    calls: Option<Calls>,
}

/// Somebody who draws.
struct Contender {
    /// Its engine's place.
    engine: usize,
    threads: usize,
    draw: PreparedDraw,
    picture: ColourImage,
    /// The fastest frame.
    best: Duration,
    /// All frames.
    spent: Duration,
}

impl Bench<'_> {
    fn measure(&self, threads: usize, time: Duration) -> Result<Report, CliError> {
        let engines = EngineArg::Both.engines_with(self.vectors)?;
        let interp = engines::prepare(&engines[0], &self.loaded.program)?;
        let draw = self.named(self.draw(&interp, threads))?;
        let counts = match draw.threads(self.size.height) {
            1 => vec![1],
            threads => vec![1, threads],
        };
        let drawing = counts.len() as u64 * u64::from(1 + TURNS);
        let progress = Progress::new(engines.len() as u64 * (1 + drawing));
        let Compiled { shaders, refused } = self.compiled(&engines, &progress)?;
        progress.skip((engines.len() - shaders.len()) as u64 * drawing);
        let unmeasured = |(shader, compile): &(Shader, Duration)| Measured {
            engine: shader.engine(),
            compile: *compile,
            frames: Vec::new(),
            calls: None,
        };
        let mut measured: Vec<Measured> = shaders.iter().map(unmeasured).collect();
        let mut contenders = Vec::new();
        for (engine, (shader, _)) in shaders.iter().enumerate() {
            for &threads in &counts {
                contenders.push(self.contender(engine, shader, threads)?);
                progress.step();
            }
        }
        let pictures = contenders.iter().map(|contender| &contender.picture);
        let identical = pictures
            .clone()
            .all(|picture| *picture == contenders[0].picture);
        self.named(self.race(&mut contenders, time, &progress))?;
        for contender in &mut contenders {
            let measured = &mut measured[contender.engine];
            measured.frames.push((contender.threads, contender.best));
            if contender.threads == 1 && self.loaded.program.usage().textures != 0 {
                measured.calls = Some(self.named(self.calls(contender))?);
            }
        }
        Ok(Report {
            name: self.loaded.name.clone(),
            instructions: self.loaded.program.program().insts().len(),
            size: self.size,
            samples: self.samples,
            code: match refused {
                None => Ok(self.code(&contenders[0].draw)?),
                Some(error) => Err(error),
            },
            measured,
            late_depth: {
                let usage = self.loaded.program.usage();
                contenders[0].draw.pipeline().late_depth(usage)
            },
            identical,
        })
    }

    /// Has the engines compile the program.
    fn compiled(&self, engines: &[Engine], progress: &Progress) -> Result<Compiled, CliError> {
        let (mut shaders, mut refused) = (Vec::new(), None);
        for engine in engines {
            match self.compile(engine) {
                Ok(shader) => shaders.push(shader),
                Err(
                    CliError::Prepare { source, .. }
                    | CliError::Render {
                        source: DrawError::Prepare(source),
                        ..
                    },
                ) => refused = Some(source),
                Err(error) => return Err(error),
            }
            progress.step();
        }
        Ok(Compiled { shaders, refused })
    }

    fn named<T>(&self, result: Result<T, DrawError>) -> Result<T, CliError> {
        result.map_err(|source| CliError::Render {
            name: self.loaded.name.clone(),
            source,
        })
    }

    fn draw(&self, shader: &Shader, threads: usize) -> Result<PreparedDraw, DrawError> {
        let target = ColourBuffer::from(FORMAT).with_samples(self.samples.count());
        let draw = self.samples.draw(self.scene, shader, self.size);
        draw.threads(threads).target(0, target).prepare()
    }

    /// The program as the engine runs it, and how long it took to compile at best.
    fn compile(&self, engine: &Engine) -> Result<(Shader, Duration), CliError> {
        let (shader, mut best) = self.compile_once(engine)?;
        for _ in 1..COMPILATIONS {
            best = best.min(self.compile_once(engine)?.1);
        }
        Ok((shader, best))
    }

    fn compile_once(&self, engine: &Engine) -> Result<(Shader, Duration), CliError> {
        let start = Instant::now();
        let shader = engines::prepare(engine, &self.loaded.program)?;
        let mut draw = self.named(self.draw(&shader, 1))?;
        self.named(draw.compile_for_rectangles(self.bindings))?;
        let time = start.elapsed();
        drop(draw);
        Ok((shader, time))
    }

    /// Somebody who has drawn once.
    fn contender(
        &self,
        engine: usize,
        shader: &Shader,
        threads: usize,
    ) -> Result<Contender, CliError> {
        let mut contender = Contender {
            engine,
            threads,
            draw: self.named(self.draw(shader, threads))?,
            picture: self.samples.image(FORMAT, self.size)?,
            best: Duration::MAX,
            spent: Duration::ZERO,
        };
        self.named(contender.frame(self.bindings))?;
        Ok(contender)
    }

    /// Lets everybody draw in turns, for `time` each.
    fn race(
        &self,
        contenders: &mut [Contender],
        time: Duration,
        progress: &Progress,
    ) -> Result<(), DrawError> {
        for turn in 1..=TURNS {
            for contender in contenders.iter_mut() {
                contender.draw_until(self.bindings, time * turn / TURNS)?;
                progress.step();
            }
        }
        Ok(())
    }

    /// The share of a contender's time that its calls of the texture unit take.
    fn calls(&self, contender: &mut Contender) -> Result<Calls, DrawError> {
        let frame = contender.best;
        self.watched.reset();
        contender.frame(self.watched_bindings)?;
        Ok(self.watched.calls(frame))
    }

    /// The figures of the JIT's code.
    fn code(&self, draw: &PreparedDraw) -> Result<CodeInfo, CliError> {
        let jit = Jit::with_options(&self.vectors.options()).map_err(engines::of_the_jit)?;
        let info = jit.code_info(&self.loaded.program, draw.pipeline(), self.bindings);
        info.map_err(engines::of_the_jit)
    }
}

impl Contender {
    /// Draws a frame, and says how long it took.
    fn frame(&mut self, bindings: &Bindings<'_>) -> Result<Duration, DrawError> {
        let (width, height) = (self.picture.width(), self.picture.height());
        let start = Instant::now();
        let mut frame = self.draw.frame(bindings).target(0, &mut self.picture);
        frame.rect(0..width, 0..height)?;
        Ok(start.elapsed())
    }

    /// Draws frames until it has spent that much time.
    fn draw_until(&mut self, bindings: &Bindings<'_>, time: Duration) -> Result<(), DrawError> {
        while self.spent < time || self.best == Duration::MAX {
            let frame = self.frame(bindings)?;
            self.best = self.best.min(frame);
            self.spent += frame;
        }
        Ok(())
    }
}
