//! `attila fuzz`: random programs, textures, draws, or ARB texts, on every engine.

mod arb;
mod draws;
mod programs;
mod textures;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use attila_conformance::Sequence;
use attila_shader::{EmitterKind, Engine, Jit};
use indicatif::{ProgressBar, ProgressStyle};

use crate::FAULT;
use crate::engines::{EngineArg, names};
use crate::error::CliError;

/// Cases if neither their number nor a time is given.
const DEFAULT_CASES: u64 = 10_000;

/// Compare the engines on random programs
///
/// Every case is a valid random program with random registers. It runs on the interpreter, on lane
/// IR and on the JIT, and every register, kill, exported depth and texture request must be the same.
/// The first case that differs is shrunk and printed, ready for `attila run`, with the part of the
/// JIT that is wrong.
///
/// Programs see textures computed by a formula. --textures uses random images and samplers instead,
/// with a few fixed programs. `--textures inlinable` uses only textures that the JIT samples inline.
///
/// --draws draws with random programs, inputs, targets, tests and blending. Every byte of the targets
/// must be the same.
///
/// --arb generates texts of ARB programs, and damages some of them. Each must be rejected with
/// positions inside the text, or translate to a program on which the engines agree.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila fuzz                          10000 cases
  attila fuzz --time 60 --seed 7       a minute of other cases
  attila fuzz --first 4711 --cases 1   one case again
  attila fuzz --textures               10000 cases with images and samplers
  attila fuzz --textures inlinable     only textures that the JIT inlines
  attila fuzz --draws                  10000 draws of several frames
  attila fuzz --arb --cases 100000     texts of ARB programs")]
pub(crate) struct Args {
    /// The number of cases [default: 10000, or unlimited with --time]
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// The time limit
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// The seed of the sequence of cases
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The first case of the sequence
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,
    /// The number of threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,
    /// Compare the engines on random images and samplers
    #[arg(long, value_name = "WHICH", num_args = 0..=1, default_missing_value = "all")]
    textures: Option<textures::Which>,
    /// Compare the engines on random draws
    #[arg(long, conflicts_with = "textures")]
    draws: bool,
    /// Translate random texts of ARB programs, and compare the engines on the results
    #[arg(long, conflicts_with_all = ["textures", "draws"])]
    arb: bool,
    /// Store the first differing case in this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "textures")]
    store: Option<PathBuf>,
}

impl Args {
    fn cases(&self) -> u64 {
        match (self.cases, self.time) {
            (Some(cases), _) => cases,
            (None, Some(_)) => u64::MAX,
            (None, None) => DEFAULT_CASES,
        }
    }

    fn sequence(&self) -> Sequence {
        let threads = self.threads.map(|n| n as usize);
        Sequence {
            seed: self.seed,
            first: self.first,
            cases: self.cases(),
            time: self.time.map(Duration::from_secs),
            threads: threads.unwrap_or_else(rayon::current_num_threads),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let mut engines = EngineArg::All.engines()?;
    if args.draws {
        let jit = Jit::new().map_err(|source| CliError::Prepare {
            engine: "jit",
            source,
        })?;
        engines.push(attila_conformance::draws::portable(Arc::new(jit)));
    }
    let agree = compare(args, &engines, &mut io::stdout())?;
    Ok(ExitCode::from(exit_code(agree)))
}

fn exit_code(agree: bool) -> u8 {
    if agree { 0 } else { FAULT }
}

/// Whether the engines do the same in every case. If not, says where they differ.
fn compare(args: &Args, engines: &[Engine], out: &mut dyn Write) -> Result<bool, CliError> {
    match args.textures {
        None if args.draws => draws::compare(args, engines, out),
        None if args.arb => arb::compare(args, engines, out),
        None => programs::compare(args, engines, out),
        Some(which) => textures::compare(args, which, engines, out),
    }
}

/// A bar if the number of cases is known, a count of them if only the time is.
fn progress_bar(args: &Args) -> ProgressBar {
    let (bar, style) = match args.cases.or(args.time.is_none().then_some(DEFAULT_CASES)) {
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

/// Says which part of the JIT is wrong, if lane IR was compared before the engine that differs, or is
/// that engine.
fn report_side(out: &mut dyn Write, engines: &[Engine], differs: &str) -> io::Result<()> {
    let [ir, jit] = [EmitterKind::Evaluator, EmitterKind::Cranelift].map(EmitterKind::name);
    let is_compared = engines.iter().any(|engine| engine.name() == ir);
    // Draws say how many threads drew.
    match differs.split(' ').next() {
        Some(engine) if engine == ir => writeln!(
            out,
            "\nlane IR differs from the interpreter: lowering or a pass is wrong"
        ),
        Some(engine) if engine == jit && is_compared => writeln!(
            out,
            "\nlane IR agrees with the interpreter: code generation is wrong"
        ),
        Some(_) | None => Ok(()),
    }
}

/// Says where a failure was stored.
fn report_stored(
    out: &mut dyn Write,
    folder: &Path,
    stored: io::Result<PathBuf>,
) -> Result<(), CliError> {
    let path = stored.map_err(|source| CliError::Write {
        name: folder.display().to_string(),
        source,
    })?;
    Ok(writeln!(out, "stored as {}", path.display())?)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use attila_shader::isa::Opcode;
    use attila_shader::machine::{Backend, Executable, StatefulExecutable};
    use attila_shader::{Interp, PrepareError, Program, ValidProgram};
    use clap::Parser;

    use super::*;
    use crate::{Cli, Command};

    /// The interpreter under a name, but TEX samples with a bias.
    struct Biased(&'static str);

    fn spoil(program: &ValidProgram) -> ValidProgram {
        let program = program.program();
        let mut insts = program.insts().to_vec();
        for inst in insts.iter_mut().filter(|inst| inst.op == Opcode::Tex) {
            inst.op = Opcode::Txb;
        }
        let spoiled = Program::new(insts).expect("the operands are the same");
        let spoiled = spoiled.with_stage(program.stage()).validate();
        spoiled.expect("the rest is what it was")
    }

    impl Backend for Biased {
        fn name(&self) -> &'static str {
            self.0
        }

        fn prepare(&self, program: &ValidProgram) -> Result<Arc<dyn Executable>, PrepareError> {
            Interp.prepare(&spoil(program))
        }

        fn prepare_stateful(
            &self,
            program: &ValidProgram,
        ) -> Result<Box<dyn StatefulExecutable>, PrepareError> {
            Interp.prepare_stateful(&spoil(program))
        }
    }

    /// The exit code and the output of `attila fuzz` if the second engine were wrong.
    fn fuzz_biased(options: &str) -> (u8, String) {
        let words = ["attila", "fuzz"].into_iter();
        let cli = Cli::try_parse_from(words.chain(options.split_whitespace()));
        let Ok(Cli {
            command: Command::Fuzz(args),
            ..
        }) = cli
        else {
            panic!("{options} are no options of fuzz");
        };
        let engines = [Engine::interp(), Engine::custom(Arc::new(Biased("biased")))];
        let mut out = Vec::new();
        let agree = compare(&args, &engines, &mut out).expect("it can be written");
        let text = String::from_utf8(out).expect("it is text");
        (exit_code(agree), text)
    }

    /// Runs the command at the end of a report, which has to find the same.
    fn check_repetition(text: &str) {
        let again = text.lines().last().expect("there is a text");
        let options = again
            .strip_prefix("again: attila fuzz ")
            .expect("a command");
        let (code, repeated) = fuzz_biased(options);
        assert_eq!(code, 1, "{repeated}");
        let case = |text: &str| text.split_once("\n").map(|(_, case)| case.to_owned());
        assert_eq!(case(&repeated), case(text));
    }

    #[test]
    fn a_difference_in_samples_is_printed_as_plain_as_possible_and_the_exit_code_is_1() {
        let (code, text) = fuzz_biased("--textures --cases 500 --seed 5 --threads 2");
        assert_eq!(code, 1, "{text}");
        assert!(
            text.contains("interp and biased differ in quad 0."),
            "{text}"
        );
        assert!(text.contains("  tex o0, i0, t0\n  end\n"), "{text}");
        assert!(
            text.contains("levels: ") && text.contains("  * o0."),
            "{text}"
        );
        check_repetition(&text);
    }

    #[test]
    fn a_difference_between_draws_is_printed_as_a_file_and_the_exit_code_is_1() {
        let (code, text) = fuzz_biased("--draws --cases 500 --seed 3 --threads 2");
        assert_eq!(code, 1, "{text}");
        assert!(
            text.contains("interp and biased differ after frame 0: "),
            "{text}"
        );
        assert!(text.contains("as a file:\n\n; interp and biased"), "{text}");
        check_repetition(&text);
    }

    #[test]
    fn a_difference_between_translations_is_printed_as_short_as_possible_and_the_exit_code_is_1() {
        let (code, text) = fuzz_biased("--arb --cases 500 --seed 3 --threads 2");
        assert_eq!(code, 1, "{text}");
        assert!(text.contains("interp and biased differ ("), "{text}");
        let (arb, attila) = text.split_once("program (fragment)").expect("two programs");
        assert_eq!(arb.matches("TEX ").count(), 1, "{text}");
        assert!(arb.matches(';').count() <= 4, "{text}");
        assert!(attila.contains("as a file:\n\n; quad 0 lane "), "{text}");
        check_repetition(&text);
    }

    #[test]
    fn a_difference_between_programs_is_printed_as_small_as_possible_and_the_exit_code_is_1() {
        let (code, text) = fuzz_biased("--cases 5000 --seed 3 --threads 2");
        assert_eq!(code, 1, "{text}");
        assert!(text.contains("interp and biased differ"), "{text}");
        assert!(text.contains("as a file:\n"), "{text}");
        assert!(
            text.contains("\nagain: attila fuzz --seed 3 --first "),
            "{text}"
        );
    }

    #[test]
    fn a_difference_names_the_part_of_the_jit_that_is_wrong() {
        let compare = |options: &str, engines: [Engine; 3]| {
            let words = ["attila", "fuzz", "--cases", "500"].into_iter();
            let Command::Fuzz(args) = Cli::parse_from(words.chain(options.split(' '))).command
            else {
                panic!("{options} are no options of fuzz");
            };
            let mut out = Vec::new();
            let agree = compare(&args, &engines, &mut out).expect("it can be written");
            assert!(!agree, "{options}");
            String::from_utf8(out).expect("it is text")
        };
        let biased = |name| Engine::custom(Arc::new(Biased(name)));
        for options in [
            "--threads 2 --seed 3",
            "--textures --seed 5",
            "--draws --seed 3",
        ] {
            let engines = [Engine::interp(), biased("ir"), biased("jit")];
            let text = compare(options, engines);
            assert!(text.contains("on interp, ir and jit in "), "{text}");
            assert!(text.contains("lowering or a pass is wrong"), "{text}");
            let ir = Engine::ir().expect("this machine is known");
            let text = compare(options, [Engine::interp(), ir, biased("jit")]);
            assert!(text.contains("code generation is wrong"), "{text}");
        }
    }
}
