//! `attila vectors`: programs whose results are known.

use std::io::{self, Cursor, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use attila_conformance::census::Census;
use attila_conformance::columns::Columns;
use attila_conformance::vectors::{self, Count, Summary};
use attila_scene::source;
use attila_shader::Engine;
use serde_json::{Map, Value, json};

use crate::FAULT;
use crate::engines::EngineArg;
use crate::error::CliError;
use crate::progress::Progress;
use crate::report::Reporter;

/// The largest file that is read, in bytes.
const LIMIT: u64 = 1 << 28;

/// Run test vectors and count which pass
///
/// A vector is a line of JSON: a program, the registers of a quad before and after, and the texture
/// requests in between. Vectors with a `version` hold AGAL programs; their bytes and their texts run. Those of the groups
/// `text` and `text-error` hold CTM texts. Others are single operations on many scalars, lines of assembly with their
/// words, or queries for the samples of a pixel.
/// Sensitive vectors magnify the last bit of an approximation. They are counted
/// separately, and may fail.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila vectors vectors/*.jsonl.gz
  attila vectors --engine interp ops.jsonl")]
pub(crate) struct Args {
    /// JSON lines, optionally compressed with gzip; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The engine that runs the vectors
    #[arg(long, value_enum, default_value_t = EngineArg::Both)]
    engine: EngineArg,
    /// Print a line of JSON for each engine
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let reporter = Reporter::new();
    // Read once, because every engine needs it, and standard input gives it only once.
    let read = |path: &PathBuf| {
        Ok((
            source::name_of(path),
            source::read(path, LIMIT, &reporter)?.into(),
        ))
    };
    let files = args.files.iter().map(read);
    let files: Vec<(String, Arc<[u8]>)> = files.collect::<Result<_, CliError>>()?;
    let size = files.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    let mut passed = true;
    for engine in args.engine.engines()? {
        let census = Census::default();
        let engine = census.watch(&engine);
        let mut all = Summary::default();
        let progress = Progress::new(size);
        for (name, bytes) in &files {
            let lines = vectors::reader(progress.reader(Cursor::new(bytes.clone())));
            let summary = vectors::run_vectors(&engine, lines);
            all.merge(summary.map_err(|source| CliError::Vectors {
                name: name.clone(),
                source,
            })?);
        }
        drop(progress);
        let out = &mut io::stdout().lock();
        if args.json {
            writeln!(out, "{}", as_json(&engine, &all))?;
        } else {
            show(out, &engine, &all)?;
            for line in census.take().lines() {
                writeln!(out, "{line}")?;
            }
        }
        passed &= all.total().fail == 0;
    }
    Ok(if passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAULT)
    })
}

/// Results as docs/json.md describes them.
fn as_json(engine: &Engine, summary: &Summary) -> Value {
    let group = |count: &Count| {
        json!({
            "pass": count.pass,
            "fail": count.fail,
            "sensitive_pass": count.sensitive_pass,
            "sensitive_fail": count.sensitive_fail,
        })
    };
    let groups = summary.groups.iter();
    let groups = groups.map(|(name, count)| (name.clone(), group(count)));
    let failures = summary.failures.iter().map(|failure| {
        json!({
            "id": failure.id,
            "group": failure.group,
            "line": failure.line,
            "program": failure.program,
            "differences": failure.differences,
        })
    });
    json!({
        "engine": engine.name(),
        "groups": groups.collect::<Map<_, _>>(),
        "failures": failures.collect::<Vec<_>>(),
    })
}

fn show(out: &mut dyn Write, engine: &Engine, summary: &Summary) -> io::Result<()> {
    let head = [engine.name(), "pass", "fail", "sensitive: pass/fail"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(summary.groups.iter().map(|(group, it)| row(group, it)));
    rows.push(row("total", &summary.total()));
    let columns = Columns::default().left(16).right(6).right(6).right(22);
    out.write_all(columns.table(&rows).as_bytes())?;
    for failure in &summary.failures {
        writeln!(out, "\n{failure}")?;
    }
    Ok(())
}

fn row(name: &str, count: &Count) -> Vec<String> {
    let Count {
        pass,
        fail,
        sensitive_pass,
        sensitive_fail,
    } = count;
    let mut cells = vec![name.to_owned(), pass.to_string(), fail.to_string()];
    if sensitive_pass + sensitive_fail > 0 {
        cells.push(format!("{sensitive_pass}/{sensitive_fail}"));
    }
    cells
}
