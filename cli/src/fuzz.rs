//! `attila fuzz`: random programs, images, draws, or texts, on all engines.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use attila_conformance::binaries::BinaryCase;
use attila_conformance::draws::{self, DrawCase};
use attila_conformance::texts::agal::BytesCase;
use attila_conformance::texts::{self, TextCase, TextLanguage};
use attila_conformance::textures::Scope;
use attila_conformance::{
    Case, CaseOptions, Failure, Sequence, Subject, Tally, fuzz, generate, store,
};
use attila_shader::isa::{Opcode, Profile};
use attila_shader::{EmitterKind, Engine, Jit};
use clap::CommandFactory;
use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use cpu_time::ProcessTime;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::engines::{EngineArg, VectorArgs, names, of_the_jit};
use crate::error::CliError;
use crate::number;
use crate::{Cli, FAULT};
use checkpoint::Checkpoint;

/// Cases if neither their number nor a time is given.
const DEFAULT_CASES: u64 = 10_000;

/// Compare the engines on random cases
///
/// Cases run on the interpreter, on lane IR, and on the JIT with each width of vectors or with that of `--vectors`, or as WebAssembly. If the JIT is wrong, lane IR tells in which
/// part.
///
/// `programs`: valid random programs with random registers. Every register, kill, exported depth and
/// texture request must be the same. Programs see textures computed by a formula.
///
/// `textures`: random images and samplers, with a few fixed programs; with `--profile extended` images of
/// every kind, with random programs. `textures inlinable` uses only textures that the JIT samples inline.
///
/// `draws`: random programs, inputs, targets, tests and blending. Every byte of the targets must be the
/// same.
///
/// `binaries`: files of programs, most of them damaged. Each must be rejected with positions inside the file,
/// or be a program on which the engines agree.
///
/// `arb`, `tgsi`, `agal`, `ctm`: texts of programs, some of them damaged. Each must be rejected with positions inside
/// the text, or translate to a program on which the engines agree and which computes what the text says.
/// `agal bytes` has byte programs instead of texts.
///
/// The first case with a fault is shrunk and printed as a file, which `--store` keeps.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila fuzz                          10000 programs
  attila fuzz --profile extended       10000 programs of the extended profile
  attila fuzz --time 60 --seed 7       a minute of other programs
  attila fuzz --until 1000000 --checkpoint night.json
                                       a million programs, in as many runs as it takes
  attila fuzz --first 4711 --cases 1   one program again
  attila fuzz textures                 10000 cases with images and samplers
  attila fuzz textures inlinable       only textures that the JIT inlines
  attila fuzz draws                    10000 draws of several frames
  attila fuzz draws --engine wasm      draws by the JIT's code as WebAssembly, in Node.js
  attila fuzz binaries                 10000 files of programs
  attila fuzz arb --cases 100000       texts of ARB programs
  attila fuzz tgsi --time 60           a minute of texts of TGSI programs
  attila fuzz tgsi damaged             damaged texts only
  attila fuzz agal --time 60           a minute of texts of AGAL programs
  attila fuzz agal bytes               damaged byte programs
  attila fuzz ctm --time 60            a minute of texts of CTM programs")]
pub(crate) struct Args {
    /// The kind of cases
    #[arg(default_value = PROGRAMS, value_parser = PossibleValuesParser::new(subjects()))]
    subject: String,
    /// The textures of `textures` [default: all]; `damaged` for texts that are all damaged; `bytes` for byte
    /// programs of `agal`
    #[arg(value_name = "WHICH", value_parser = [ALL, INLINABLE, DAMAGED, BYTES])]
    which: Option<String>,
    /// The profile of `programs`, `textures` and `binaries`
    #[arg(long, value_enum, default_value_t = ProfileArg::Base)]
    profile: ProfileArg,
    /// The number of cases [default: 10000, or unlimited with --time]
    #[arg(long, value_name = "N", value_parser = number::within::<u64>(1, u64::MAX), allow_negative_numbers = true)]
    cases: Option<u64>,
    /// The number of cases of all runs together, with --checkpoint
    #[arg(long, value_name = "CASES", conflicts_with = "cases", value_parser = number::within::<u64>(1, u64::MAX), allow_negative_numbers = true)]
    until: Option<u64>,
    /// A file that says how far the comparison is: written every few seconds, and where it goes on if it is there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// The time limit
    #[arg(long, value_name = "SECONDS", value_parser = number::within::<u64>(1, u64::MAX), allow_negative_numbers = true)]
    time: Option<u64>,
    /// The seed of the sequence of cases
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::within::<u64>(0, u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    /// The first case of the sequence
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::within::<u64>(0, u64::MAX), allow_negative_numbers = true)]
    first: u64,
    /// The number of cases that run at the same time [default: one per processor]. They do not change a result
    #[arg(long = "jobs", alias = "threads", value_name = "N", value_parser = number::within::<u32>(1, 256), allow_negative_numbers = true)]
    jobs: Option<u32>,
    #[command(flatten)]
    vectors: VectorArgs,
    /// The engine that is compared with the interpreter and lane IR
    #[arg(long, value_enum, default_value_t, conflicts_with = "vectors")]
    engine: Compared,
    /// Store the first case with a fault in this folder
    #[arg(long, value_name = "FOLDER")]
    store: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Options that have become words.
    #[arg(long, hide = true, num_args = 0..=1, default_missing_value = ALL)]
    textures: Option<String>,
    #[arg(long, hide = true)]
    draws: bool,
    #[arg(long, hide = true)]
    arb: bool,
}

/// An engine that is compared with the interpreter and lane IR.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, clap::ValueEnum)]
enum Compared {
    /// The JIT with each width of vectors, or with that of `--vectors`
    #[default]
    Jit,
    /// The JIT's code as WebAssembly, which Node.js runs
    Wasm,
}

impl Compared {
    /// The words that choose it, with a space before them.
    fn words(self) -> &'static str {
        match self {
            Compared::Jit => "",
            Compared::Wasm => " --engine wasm",
        }
    }

    /// The interpreter, lane IR, and the engine.
    fn engines(self, args: &Args) -> Result<Vec<Engine>, CliError> {
        if self == Compared::Wasm {
            let engines = [EngineArg::Interp, EngineArg::Ir, EngineArg::Wasm];
            let engines: Result<Vec<_>, _> = engines.map(EngineArg::engines).into_iter().collect();
            return Ok(engines?.concat());
        }
        let mut engines = EngineArg::All.engines_with(args.vectors)?;
        if args.subject == DRAWS {
            let jit = Jit::with_options(&args.vectors.options()).map_err(of_the_jit)?;
            engines.push(draws::portable(Arc::new(jit)));
        }
        Ok(engines)
    }
}

/// A set of opcodes and registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum ProfileArg {
    /// The machine of the original documentation
    Base,
    /// More opcodes, registers and modifiers
    Extended,
}

impl ProfileArg {
    fn options(self) -> generate::Options {
        match self {
            ProfileArg::Base => generate::Options::DEFAULT,
            ProfileArg::Extended => generate::Options::EXTENDED,
        }
    }

    /// The words that choose it, with a space before them.
    fn words(self) -> &'static str {
        match self {
            ProfileArg::Base => "",
            ProfileArg::Extended => " --profile extended",
        }
    }
}

const PROGRAMS: &str = "programs";
const TEXTURES: &str = "textures";
const DRAWS: &str = "draws";
const BINARIES: &str = "binaries";
const ALL: &str = "all";
const INLINABLE: &str = "inlinable";
const DAMAGED: &str = "damaged";
const BYTES: &str = "bytes";
/// The language that has byte programs.
const AGAL: &str = "agal";

/// The words for subjects: languages go by their names.
fn subjects() -> Vec<&'static str> {
    let languages = texts::LANGUAGES.iter().map(|language| language.word);
    [PROGRAMS, TEXTURES, DRAWS, BINARIES]
        .into_iter()
        .chain(languages)
        .collect()
}

impl Args {
    /// The cases of this run, after so many in earlier ones; `None` if only time limits them.
    fn limit(&self, before: u64) -> Option<u64> {
        match (self.until, self.cases, self.time) {
            (Some(all), ..) => Some(all.saturating_sub(before)),
            (None, Some(cases), _) => Some(cases),
            (None, None, Some(_)) => None,
            (None, None, None) => Some(DEFAULT_CASES),
        }
    }

    /// The cases after so many others.
    fn sequence(&self, done: u64, cases: u64, time: Option<Duration>) -> Sequence {
        let jobs = self.jobs.map(|n| n as usize);
        Sequence {
            seed: self.seed,
            first: self.first.wrapping_add(done),
            cases,
            time,
            threads: jobs.unwrap_or_else(rayon::current_num_threads),
        }
    }

    /// The words and options that decide which cases run on which engines.
    fn choice(&self, engines: &[Engine]) -> String {
        let words = self.words() + self.profile.words();
        let (seed, first, engines) = (self.seed, self.first, names(engines));
        format!("{words} --seed {seed} --first {first} on {engines}")
    }

    /// The opcodes that a long comparison runs often.
    fn expected(&self, tally: &Tally) -> Vec<Opcode> {
        let profile = match (self.subject.as_str(), self.profile) {
            (PROGRAMS | BINARIES, ProfileArg::Extended) => Profile::Extended,
            (PROGRAMS | BINARIES | DRAWS, _) => Profile::Base,
            _ => return tally.shares.opcodes(),
        };
        profile.opcodes().collect()
    }

    /// The words for the kind of cases.
    fn words(&self) -> String {
        let words = [Some(&self.subject), self.which.as_ref()];
        let words: Vec<&str> = words.into_iter().flatten().map(String::as_str).collect();
        words.join(" ")
    }

    /// A mistake in the words and options, if there is one.
    fn mistake(&self) -> Option<(ErrorKind, String)> {
        let old = [
            (self.textures.is_some(), TEXTURES),
            (self.draws, DRAWS),
            (self.arb, "arb"),
        ];
        if let Some((_, word)) = old.into_iter().find(|(is_given, _)| *is_given) {
            let message = format!("`--{word}` is a word now: attila fuzz {word}");
            return Some((ErrorKind::UnknownArgument, message));
        }
        let is_extended = [PROGRAMS, TEXTURES, BINARIES].contains(&self.subject.as_str());
        let is_base = !is_extended || self.which.as_deref() == Some(INLINABLE);
        if self.profile != ProfileArg::Base && is_base {
            let words = self.words();
            let message = format!("`{words}` has programs of the base profile only");
            return Some((ErrorKind::ArgumentConflict, message));
        }
        let is_damaged = self.which.as_deref() == Some(DAMAGED);
        let has_bytes = self.subject == AGAL && self.which.as_deref() == Some(BYTES);
        let is_spare = match TextLanguage::find(&self.subject) {
            Some(_) => self.which.is_some() && !is_damaged && !has_bytes,
            None if self.which.as_deref() == Some(BYTES) => true,
            None => is_damaged || self.which.is_some() && self.subject != TEXTURES,
        };
        is_spare.then(|| {
            let message = match (self.subject == TEXTURES, self.which.as_deref()) {
                (_, Some(BYTES)) => format!("`{}` has no byte programs", self.subject),
                (true, _) => "the cases of `textures` are not damaged".to_owned(),
                (false, _) => format!("`{}` has only one kind of cases", self.subject),
            };
            (ErrorKind::ArgumentConflict, message)
        })
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    if let Some((kind, message)) = args.mistake() {
        return Err(CliError::Usage(Cli::command().error(kind, message)));
    }
    let engines = args.engine.engines(args)?;
    let agree = compare(args, &engines, &mut io::stdout())?;
    Ok(ExitCode::from(exit_code(agree)))
}

fn exit_code(agree: bool) -> u8 {
    if agree { 0 } else { FAULT }
}

/// Whether the engines do the same in every case. If not, says where they differ.
fn compare(args: &Args, engines: &[Engine], out: &mut dyn Write) -> Result<bool, CliError> {
    let programs = CaseOptions::Programs(args.profile.options());
    match (args.subject.as_str(), args.which.as_deref()) {
        (TEXTURES, Some(INLINABLE)) => {
            let options = CaseOptions::Textures(Scope::Inlinable);
            compare_on::<Case>(args, &options, engines, out)
        }
        (TEXTURES, _) => {
            let options = match args.profile {
                ProfileArg::Base => CaseOptions::Textures(Scope::All),
                ProfileArg::Extended => CaseOptions::Programs(generate::Options::TEXTURES),
            };
            compare_on::<Case>(args, &options, engines, out)
        }
        (DRAWS, _) => compare_on::<DrawCase>(args, &(), engines, out),
        (BINARIES, _) => {
            let options = args.profile.options();
            compare_on::<BinaryCase>(args, &options, engines, out)
        }
        (AGAL, Some(BYTES)) => compare_on::<BytesCase>(args, &(), engines, out),
        (word, which) => match TextLanguage::find(word) {
            Some(language) => {
                let only = which.and_then(|_| language.damaged());
                compare_on::<TextCase>(args, &only.unwrap_or(language), engines, out)
            }
            None => compare_on::<Case>(args, &programs, engines, out),
        },
    }
}

fn compare_on<S: Subject + 'static>(
    args: &Args,
    options: &S::Options,
    engines: &[Engine],
    out: &mut dyn Write,
) -> Result<bool, CliError> {
    let start = Instant::now();
    let mut done = Checkpoint::begin(args.checkpoint.as_deref(), args.choice(engines))?;
    let bar = progress_bar(args.limit(done.cases()));
    let failure = run_cases::<S>(args, options, engines, (&mut done, &bar))?;
    bar.finish_and_clear();
    if args.json {
        let seconds = start.elapsed().as_secs_f64();
        let shares = &done.tally.shares;
        let again = failure.as_ref().map(|failure| as_json(failure, args));
        let value = json!({
            "subject": args.words(),
            "cases": done.cases(),
            "engines": engines.iter().map(Engine::name).collect::<Vec<_>>(),
            "seconds": seconds,
            "summary": done.tally.to_string(),
            "warnings": shares.warnings(&args.expected(&done.tally)),
            "fault": again.transpose()?,
        });
        writeln!(out, "{value}")?;
        return Ok(failure.is_none());
    }
    writeln!(
        out,
        "{} cases of {} on {} in {:.1} s: {}",
        done.cases(),
        args.subject,
        names(engines),
        start.elapsed().as_secs_f64(),
        done.tally,
    )?;
    writeln!(out, "{}", done.rates())?;
    for line in done.tally.shares.lines() {
        writeln!(out, "{line}")?;
    }
    let expected = args.expected(&done.tally);
    for line in done.tally.shares.warnings(&expected) {
        writeln!(out, "warning: {line}")?;
    }
    if let Some(failure) = &failure {
        show_failure(out, failure, engines, args)?;
    }
    Ok(failure.is_none())
}

/// Runs the cases that are left, part by part if there is a file to keep what is done.
fn run_cases<S: Subject + 'static>(
    args: &Args,
    options: &S::Options,
    engines: &[Engine],
    (done, bar): (&mut Checkpoint, &ProgressBar),
) -> Result<Option<Failure<S>>, CliError> {
    let (start, before) = (Instant::now(), done.cases());
    let limit = args.limit(before).unwrap_or(u64::MAX);
    let time = args.time.map(Duration::from_secs);
    loop {
        let ran = done.cases() - before;
        let left = time.map(|time| time.saturating_sub(start.elapsed()));
        if ran >= limit || left == Some(Duration::ZERO) {
            return Ok(None);
        }
        let part = args.checkpoint.as_ref().map(|_| PART);
        let part = [left, part].into_iter().flatten().min();
        let sequence = args.sequence(done.cases(), limit - ran, part);
        let processor = ProcessTime::now();
        let report = fuzz::<S>(&sequence, options, engines, &|progress| {
            bar.set_position(ran + progress.cases);
        });
        done.add(report.tally, processor.elapsed());
        if report.failure.is_some() {
            // The file stays what it was, so that the case comes up again.
            return Ok(report.failure);
        }
        done.save(args.checkpoint.as_deref())?;
    }
}

/// How often what is done is kept.
const PART: Duration = Duration::from_secs(5);

fn show_failure<S: Subject + 'static>(
    out: &mut dyn Write,
    failure: &Failure<S>,
    engines: &[Engine],
    args: &Args,
) -> Result<(), CliError> {
    let (seed, index) = (failure.seed, failure.index);
    writeln!(out, "\ncase {index} of seed {seed}, after shrinking:\n")?;
    writeln!(out, "{}", failure.report())?;
    if let Some(side) = failure
        .fault
        .engine
        .and_then(|differs| wrong_side(engines, differs))
    {
        writeln!(out, "\n{side}")?;
    }
    writeln!(out, "again: {}", again(failure, args))?;
    if let Some(path) = stored(failure, args)? {
        writeln!(out, "stored as {}", path.display())?;
    }
    Ok(())
}

/// The command that runs a case again.
fn again<S: Subject>(failure: &Failure<S>, args: &Args) -> String {
    let words = args.words() + args.profile.words() + args.engine.words();
    let (seed, index) = (failure.seed, failure.index);
    format!("attila fuzz {words} --seed {seed} --first {index} --cases 1")
}

/// Stores a case if there is a folder for it.
fn stored<S: Subject + 'static>(
    failure: &Failure<S>,
    args: &Args,
) -> Result<Option<PathBuf>, CliError> {
    let Some(folder) = &args.store else {
        return Ok(None);
    };
    let (text, name) = failure.file();
    let path = store(folder, &text, &name).map_err(|source| CliError::Write {
        name: folder.display().to_string(),
        source,
    })?;
    Ok(Some(path))
}

/// A case with a fault, as docs/json.md describes it.
fn as_json<S: Subject + 'static>(failure: &Failure<S>, args: &Args) -> Result<Value, CliError> {
    let path = stored(failure, args)?;
    Ok(json!({
        "seed": failure.seed,
        "case": failure.index,
        "engine": failure.fault.engine,
        "report": failure.report(),
        "file": failure.file().0,
        "again": again(failure, args),
        "stored": path.map(|path| path.display().to_string()),
    }))
}

/// Which part of the JIT is wrong, if lane IR was compared before the engine that differs, or is that
/// engine.
fn wrong_side(engines: &[Engine], differs: &str) -> Option<&'static str> {
    let [ir, jit, wasm] = [
        EmitterKind::Evaluator,
        EmitterKind::MachineCode,
        EmitterKind::WebAssembly,
    ]
    .map(EmitterKind::name);
    let is_compared = engines.iter().any(|engine| engine.name() == ir);
    if differs == ir {
        Some("lane IR differs from the interpreter: lowering or a pass is wrong")
    } else if (differs.starts_with(jit) || differs == wasm) && is_compared {
        Some("lane IR agrees with the interpreter: code generation is wrong")
    } else {
        None
    }
}

/// A bar if the number of cases is known, a count of them if only the time is.
fn progress_bar(cases: Option<u64>) -> ProgressBar {
    let (bar, style) = match cases {
        Some(cases) => (
            ProgressBar::new(cases),
            "{wide_bar} {pos}/{len} cases, {per_sec}, {eta} left",
        ),
        None => (
            ProgressBar::no_length(),
            "{spinner} {pos} cases, {per_sec}, {elapsed}",
        ),
    };
    bar.with_style(ProgressStyle::with_template(style).expect("the template is well formed"))
}

mod checkpoint;
#[cfg(test)]
mod tests;
