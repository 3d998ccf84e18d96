//! `attila sweep`: measures the approximations against f64, and moves all patterns of 32 bits.

mod raw_moves;

use std::fmt::Debug;
use std::io::{self, Write};
use std::process::ExitCode;

use attila_conformance::columns::Columns;
use attila_shader::machine::sweep::{Function, SweepReport, sweep, sweep_pow, sweep_power};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde_json::json;

use crate::error::CliError;
use crate::number;

/// The error that the numeric contract allows.
const ALLOWED_ULP: f64 = 2.0;

/// Inputs that one thread evaluates at a time.
const CHUNK: u64 = 1 << 22;

/// How many bit patterns an f32 has.
const ALL_INPUTS: u64 = 1 << 32;

/// Measure the approximations against exact values
///
/// Evaluates EX2, LG2, SIN, COS, SINT and COST on every f32, and LIT's power and POW on random pairs, and
/// compares them with the host's f64 functions. Prints the worst error in units in the last place and its
/// input. An error above 2 is a failure. `raw-moves` moves every pattern of 32 bits with each of the raw moves, on each
/// engine, and all must stay as they are.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila sweep                       everything; takes minutes
  attila sweep sin --stride 1009     a quick look at sin
  attila sweep power --pairs 1000000
  attila sweep raw-moves --stride 1009")]
pub(crate) struct Args {
    /// The functions to measure [default: all]
    #[arg(value_enum)]
    functions: Vec<FunctionArg>,
    /// Evaluate only every N-th input
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::within::<u64>(1, ALL_INPUTS), allow_negative_numbers = true)]
    stride: u64,
    /// The number of random pairs for each power
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000, value_parser = number::within::<u64>(1, u64::MAX), allow_negative_numbers = true)]
    pairs: u64,
    /// The seed of the random pairs
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::within::<u64>(0, u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    /// Print a line of JSON for each function
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum FunctionArg {
    /// 2^x
    Ex2,
    /// Logarithm to the base 2
    Lg2,
    /// Sine
    Sin,
    /// Cosine
    Cos,
    /// Sine of turns
    Sint,
    /// Cosine of turns
    Cost,
    /// The power in LIT
    Power,
    /// The power in POW
    Pow,
    /// MIN, MAX, MAXGE, CND and CMPGE with the same operand twice and `_raw`
    RawMoves,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let all = FunctionArg::value_variants();
    let functions = if args.functions.is_empty() {
        all
    } else {
        &args.functions
    };
    let mut within = true;
    for function in functions {
        within &= match function {
            FunctionArg::Ex2 => measure(Function::Ex2, args)?,
            FunctionArg::Lg2 => measure(Function::Lg2, args)?,
            FunctionArg::Sin => measure(Function::Sin, args)?,
            FunctionArg::Cos => measure(Function::Cos, args)?,
            FunctionArg::Sint => measure(Function::SinTurns, args)?,
            FunctionArg::Cost => measure(Function::CosTurns, args)?,
            FunctionArg::Power => measure_power("power", args, |seed, pairs, told| {
                sweep_power(seed, pairs, told)
            })?,
            FunctionArg::Pow => measure_power("pow", args, |seed, pairs, told| {
                sweep_pow(seed, pairs, told)
            })?,
            FunctionArg::RawMoves => raw_moves::measure(args)?,
        };
    }
    Ok(if within {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn measure(function: Function, args: &Args) -> Result<bool, CliError> {
    let inputs = ALL_INPUTS.div_ceil(args.stride);
    let report = in_parallel(function.name(), inputs, |first, progress| {
        let start = first * args.stride;
        let end = ALL_INPUTS.min(start + CHUNK * args.stride);
        sweep(function, start..end, args.stride, |done| progress.inc(done))
    });
    let input = report
        .worst_input
        .map(|x| format!("{x:?} ({:#010x})", x.to_bits()));
    show((function.name(), args.json), &report, input)
}

/// Evaluates a power for a seed and a number of pairs, and tells how many more are done.
type PowerSweep = fn(u64, u64, &mut dyn FnMut(u64)) -> SweepReport<[f32; 2]>;

fn measure_power(name: &'static str, args: &Args, sweep: PowerSweep) -> Result<bool, CliError> {
    let report = in_parallel(name, args.pairs, |first, progress| {
        let pairs = CHUNK.min(args.pairs - first);
        // Chunks differ in their seeds, so that the result does not depend on the threads.
        let seed = args.seed.wrapping_add(first);
        sweep(seed, pairs, &mut |done| progress.inc(done))
    });
    let input = report
        .worst_input
        .map(|[y, w]| format!("{y:?}^{w:?} ({:#010x}, {:#010x})", y.to_bits(), w.to_bits()));
    show((name, args.json), &report, input)
}

/// Runs `work` on chunks of `count` inputs; it is told the number of its first.
fn in_parallel<I: Copy + Send>(
    name: &'static str,
    count: u64,
    work: impl Fn(u64, &ProgressBar) -> SweepReport<I> + Sync,
) -> SweepReport<I> {
    let style = "{msg:>6} {wide_bar} {percent:>3} % {eta:>4} left";
    let style = ProgressStyle::with_template(style).expect("the template is well formed");
    let progress = ProgressBar::new(count).with_style(style).with_message(name);
    let report = (0..count.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| work(chunk * CHUNK, &progress))
        .reduce(|| SweepReport::EMPTY, SweepReport::merge);
    progress.finish_and_clear();
    report
}

fn show<I: Copy + Debug>(
    (name, as_json): (&str, bool),
    report: &SweepReport<I>,
    input: Option<String>,
) -> Result<bool, CliError> {
    let mut out = io::stdout().lock();
    let within = report.worst_ulp <= ALLOWED_ULP;
    if as_json {
        let value = json!({
            "function": name,
            "inputs": report.count,
            "worst_ulp": report.worst_ulp,
            "input": input,
            "result": report.result,
            "exact": report.exact,
            "ok": within,
        });
        writeln!(out, "{value}")?;
        return Ok(within);
    }
    let verdict = if within { "ok" } else { "TOO LARGE" };
    let mut worst = format!("worst error {:.4} ulp", report.worst_ulp);
    if let Some(input) = input {
        let (result, exact) = (report.result, report.exact);
        worst += &format!(" at {input}: {result:?} instead of {exact:?}");
    }
    let count = format!("{} inputs", report.count);
    let columns = Columns::default().left(6).right(17).left(0).left(0);
    let cells = [name, &count, &worst, verdict];
    writeln!(out, "{}", columns.line(&cells))?;
    Ok(within)
}
