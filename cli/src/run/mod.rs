//! `attila run`: a program on quads whose registers are given, and what comes out.

mod print;
mod requests;
mod source;
mod trace;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use attila_scene::directives::Directives;
use attila_scene::setting::{self, RegisterSetting};
use attila_scene::source::Loaded;
use attila_scene::{ByName, Scene};
use attila_shader::draw::Fragment;
use attila_shader::machine::QuadState;
use attila_shader::{Bindings, Engine, Interp, RunError};
use clap::error::ErrorKind;

use crate::FAULT;
use crate::engines::{EngineArg, VectorArgs, names};
use crate::error::CliError;
use crate::input::{ProgramArgs, expect_fragments};
use crate::number;
use crate::pixel::Pixel;
use crate::render::Size;
use crate::report::{Reporter, say};
use crate::samples::Samples;
use crate::scene::TextureArgs;
use crate::setup;
use print::Shown;
use requests::Requests;
use trace::Printer;

/// Run a program on one or more quads and print the results
///
/// A quad is four lanes: 0 and 1 above, 2 and 3 below. Registers start at 0 unless they are set.
/// Texture units 0 to 5 hold built-in patterns unless they are set. A file that `attila fuzz` has
/// stored runs with its images.
#[derive(clap::Args)]
#[command(after_help = "\
A register is i0, r3, c12, a0 or p1. i0[2] is lane 2 of i0; lanes are numbered across all quads. A \
value is one number for all components, or four numbers: 0.5, 1e-3, inf, nan, 7i for an integer, \
0x3f800000 for raw bits. A predicate is true or false.

A trace has a line for each instruction that a quad executes, with its active lanes. Below it are \
the results per lane: the register that is written and, for textures, the coordinates and the \
level. Level 0 is the largest image.

A state file is JSON:
  {\"quads\": 2, \"i0\": [1, 2, 3, 4], \"i0[5]\": [0, 0, \"nan\", 1], \"c0\": 0.5, \"p0\": true}

Examples:
  attila run shader.attila --set i0=1,2,3,4 --set c0=0.5
  attila run shader.attila --state state.json --engine both --json
  attila run shader.attila --pixel 320,240 --all
  echo 'mul o1, i0, i0' | attila run - -s i0=3 --trace")]
pub(crate) struct Args {
    #[command(flatten)]
    program: ProgramArgs,
    /// Preset a register, or what the text calls so, such as `fc0`, `program.local[0]` or a name that it declares; may be repeated
    #[arg(
        short,
        long,
        value_name = "REG=VALUES",
        visible_aliases = ["input", "const"],
        allow_hyphen_values = true
    )]
    set: Vec<ByName<RegisterSetting>>,
    /// Preset registers from a JSON file; --set takes precedence
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// The number of quads to run [default: 1]
    #[arg(long, value_name = "N", value_parser = number::within::<u32>(1, setting::MOST_QUADS as u64), allow_negative_numbers = true)]
    quads: Option<u32>,
    /// Run the quad of this pixel of the picture that `attila render` draws
    #[arg(long, value_name = "X,Y", conflicts_with_all = ["quads", "state"])]
    pixel: Option<Pixel>,
    /// The size of that picture [default: 640x480]
    #[arg(long, value_name = "WxH", requires = "pixel")]
    size: Option<Size>,
    #[command(flatten)]
    textures: TextureArgs,
    /// The engine that runs the program
    #[arg(long, value_enum, default_value_t = EngineArg::Auto)]
    engine: EngineArg,
    #[command(flatten)]
    vectors: VectorArgs,
    /// The limit of backward jumps per lane
    #[arg(long, value_name = "N", value_parser = number::within::<u32>(0, u32::MAX.into()), allow_negative_numbers = true)]
    budget: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print all registers that are not 0, not just the results
    #[arg(long)]
    all: bool,
    /// Print raw hexadecimal words instead of numbers
    #[arg(long)]
    hex: bool,
    /// Print every instruction with its line, texture samples and results; uses the interpreter
    #[arg(long, conflicts_with_all = ["json", "engine", "vectors"])]
    trace: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let reporter = Reporter::new();
    let size = args.size.unwrap_or(Size::DEFAULT);
    let draft = match args.pixel {
        Some(_) => expect_fragments(args.program.read_to_draw(size, &reporter)?)?,
        None => args.program.read(&reporter)?,
    };
    let mut scene = Scene::load(&reporter, draft, &args.textures.options())?;
    let set = args.set.iter().map(|setting| scene.named(setting));
    let set = set.collect::<Result<Vec<RegisterSetting>, _>>()?;
    let state = args.state.as_deref();
    let directives = setup::collect(&reporter, &scene.loaded, state, args.quads, &set)?;
    for setting in &set {
        setting.warn_unread(&scene.loaded, &reporter);
    }
    let fragment = match args.pixel {
        Some(pixel) => {
            refuse_inputs(&set)?;
            scene.loaded.directives = directives.clone();
            Some(args.fragment(&scene, pixel, size)?)
        }
        None => None,
    };
    let Scene {
        loaded, textures, ..
    } = scene;
    let requests = Requests::new(&textures);
    let bindings = match args.trace {
        true => Bindings::new().with_textures(&requests),
        false => Bindings::new().with_textures(&textures),
    };
    let mut bindings = setup::with_budget(setting::bind(&directives, bindings), args.budget);
    if let Some(fragment) = &fragment {
        bindings = bindings.with_inputs(fragment);
    }
    let job = Job {
        loaded: &loaded,
        directives: &directives,
        start: match &fragment {
            Some(fragment) => vec![QuadState::clone(&fragment.start)],
            None => directives.start(),
        },
        is_pixel: fragment.is_some(),
        bindings: &bindings,
        shown: Shown {
            usage: loaded.program.usage(),
            all: args.all,
            hex: args.hex,
        },
    };
    if args.trace {
        job.run_traced(&requests)
    } else {
        job.run_engines(&args.engine.engines_with(args.vectors)?, args.json)
    }
}

impl Args {
    /// The pixel's last fragment.
    fn fragment(&self, scene: &Scene, pixel: Pixel, size: Size) -> Result<Fragment, CliError> {
        let samples = Samples::default().with_shading(scene.sample_shading);
        let bindings = setup::with_budget(scene.bindings(), self.budget);
        let history = pixel
            .check(size)?
            .history((scene, None), samples, &bindings, size)?;
        let last = history.fragments.last();
        last.cloned().ok_or(CliError::Uncovered { pixel: pixel.0 })
    }
}

/// Refuses settings of registers that a fragment starts with.
fn refuse_inputs(set: &[RegisterSetting]) -> Result<(), CliError> {
    let mut starts = set.iter().flat_map(|setting| setting.directives().starts);
    match starts.next() {
        None => Ok(()),
        Some(start) => {
            let message = format!(
                "--set {}=... has no effect on the quad of --pixel; `;! varying` gives the picture another input",
                start.name
            );
            Err(CliError::usage(ErrorKind::ArgumentConflict, message))
        }
    }
}

/// Prints every instruction of the quad of a pixel's fragment, and its results.
pub(crate) fn trace_fragment(scene: &Scene, fragment: &Fragment) -> Result<(), CliError> {
    let requests = Requests::new(&scene.textures);
    let bindings = Bindings::new()
        .with_textures(&requests)
        .with_inputs(fragment);
    let loaded = &scene.loaded;
    let bindings = setting::bind(&loaded.directives, bindings);
    let job = Job {
        loaded,
        directives: &loaded.directives,
        start: Vec::new(),
        is_pixel: true,
        bindings: &bindings,
        shown: Shown {
            usage: loaded.program.usage(),
            all: false,
            hex: false,
        },
    };
    job.trace(&requests, &mut [QuadState::clone(&fragment.start)])
}

/// A program, what it runs on, and what of it is shown.
struct Job<'a> {
    loaded: &'a Loaded,
    directives: &'a Directives,
    /// The quads that run.
    start: Vec<QuadState>,
    /// Whether they are a pixel's, about which the program expects nothing.
    is_pixel: bool,
    bindings: &'a Bindings<'a>,
    shown: Shown<'a>,
}

impl Job<'_> {
    fn run_traced(&self, requests: &Requests<'_>) -> Result<ExitCode, CliError> {
        let mut quads = self.start.clone();
        self.trace(requests, &mut quads)?;
        Ok(self.verdict(&quads, &[]))
    }

    fn trace(&self, requests: &Requests<'_>, quads: &mut [QuadState]) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        let (loaded, hex) = (self.loaded, self.shown.hex);
        let mut printer = Printer::new(&mut out, loaded, requests, hex, quads.len());
        let program = &self.loaded.program;
        let result = Interp.run_traced(program, self.bindings, quads, &mut printer);
        printer.finish()?;
        result.map_err(|source| self.failed(source))?;
        writeln!(out)?;
        Ok(self.shown.table(&mut out, quads)?)
    }

    fn run_engines(&self, engines: &[Engine], json: bool) -> Result<ExitCode, CliError> {
        let mut differences = Vec::new();
        let mut first: Option<(&str, Vec<QuadState>)> = None;
        for engine in engines {
            let quads = self.run_on(engine)?;
            match &first {
                None => first = Some((engine.name(), quads)),
                Some((name, expected)) => {
                    let found = print::differences([expected, &quads]);
                    let between = format!("{name} and {}: ", engine.name());
                    differences.extend(found.iter().map(|line| format!("{between}{line}")));
                }
            }
        }
        let (name, quads) = first.unwrap_or_default();
        let mut out = io::stdout().lock();
        if json {
            self.shown.json(&mut out, name, &quads)?;
        } else {
            self.shown.table(&mut out, &quads)?;
        }
        if engines.len() > 1 && differences.is_empty() {
            let names = names(engines);
            say(format_args!("{names} agree in every register"));
        }
        Ok(self.verdict(&quads, &differences))
    }

    fn run_on(&self, engine: &Engine) -> Result<Vec<QuadState>, CliError> {
        let executable = engine.prepare_stateful(&self.loaded.program);
        let executable = executable.map_err(|source| CliError::Prepare {
            engine: engine.name(),
            source,
        })?;
        let mut quads = self.start.clone();
        // The engine before has written to its buffers.
        let bindings = setting::bind_storage(self.directives, self.bindings.clone());
        let result = executable.run(&bindings, &mut quads);
        result.map_err(|source| self.failed(source))?;
        Ok(quads)
    }

    fn failed(&self, source: RunError) -> CliError {
        CliError::Run {
            name: self.loaded.name.clone(),
            source,
        }
    }

    /// Reports in what engines differ, and the program's expectations that do not hold.
    fn verdict(&self, quads: &[QuadState], differences: &[String]) -> ExitCode {
        let unmet = match self.is_pixel {
            true => Vec::new(),
            false => self.directives.unmet(quads),
        };
        let reporter = Reporter::new();
        for line in differences {
            reporter.error(line);
        }
        for line in &unmet {
            reporter.error(&format!("{}: {line}", self.loaded.name));
        }
        if differences.is_empty() && unmet.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(FAULT)
        }
    }
}
