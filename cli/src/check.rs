//! `attila check`: everything that can be said about a program without running it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use attila_conformance::columns::Columns;
use attila_scene::source::{self, Loaded, Source, Sources};
use attila_scene::textures::{Unfilled, advice, describe, source_of};
use attila_scene::{Scene, code};
use attila_shader::isa::{Slots, TEXTURE_UNITS, Usage};
use attila_shader::{TextureUnit, ValidProgram};
use codespan_reporting::diagnostic::Severity;
use serde_json::{Value, json};

use crate::FAULT;
use crate::error::CliError;
use crate::files::{self, Found};
use crate::input::{FormArgs, NumberArg, StageChoice, reading};
use crate::parameters::ParameterArgs;
use crate::render::Size;
use crate::report::Reporter;

/// Check programs and summarize what they use
///
/// Reports all errors and warnings at once, with their source lines: in the program, in its `;!`
/// comments, and in the textures that they name. Rejects everything that `attila render` rejects.
/// Lists texture units that still need a --texture. Summarizes a valid program: its size, its control
/// flow, and the registers, units and features that it uses. Every program of a file is checked. `attila explain` explains
/// the codes of messages.
///
/// Several files, or those in a folder, get a line each. Files in folders that are not programs are
/// skipped.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila check shader.attila
  attila check --stage vertex transform.bin
  attila check shader.attila shader.arbfp
  attila check shader.attila --json")]
pub(crate) struct Args {
    /// The programs, or folders of them: assembly, ARB, TGSI, AGAL or CTM programs, hexadecimal words or raw binaries; `-` is standard input
    #[arg(id = "program", value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    form: FormArgs,
    #[command(flatten)]
    parameters: ParameterArgs,
    #[command(flatten)]
    stage: StageChoice,
    #[command(flatten)]
    number: NumberArg,
    /// Print a line of JSON for each program, with all messages about it
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let checked = match &args.files[..] {
        _ if args.json => args.print_json(),
        [file] if !file.is_dir() => args.summarize(file),
        [..] => args.list(),
    };
    let all_right = checked.or_else(|error| match error.code() {
        // Here it is shown with its code.
        Some(_) => {
            Reporter::thorough().stopped(&error);
            Ok(false)
        }
        None => Err(error),
    })?;
    Ok(if all_right {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FAULT)
    })
}

impl Args {
    /// Checks the wanted programs of a file.
    fn check(&self, file: &Path, reporter: &Reporter) -> Result<Vec<Checked>, CliError> {
        let sources = self.sources(file, reporter)?.into_iter();
        let checked = sources.map(|source| self.checked(file, source, reporter));
        Ok(checked.collect())
    }

    fn sources(&self, file: &Path, reporter: &Reporter) -> Result<Vec<Source>, CliError> {
        let choice = self.number.of_stage(self.stage.stage);
        let sources = Sources::read(file, self.form.form(), reporter)?;
        Ok(sources.among(choice, reporter)?)
    }

    fn checked(&self, file: &Path, source: Source, reporter: &Reporter) -> Checked {
        let reading = reading(file, &self.parameters, self.stage, Size::DEFAULT);
        self.parameters.warn(&source, &reading.parameters, reporter);
        let line = source.line();
        let scene = Scene::check(reporter, source.draft(&reading, reporter));
        let scene = scene.map_err(CliError::from);
        Checked { line, scene }
    }

    /// Checks the programs of one file, and says what they use. Whether all are valid.
    fn summarize(&self, file: &Path) -> Result<bool, CliError> {
        let reporter = Reporter::thorough();
        let mut all = self.check(file, &reporter)?;
        if all.len() == 1
            && let Some(only) = all.pop()
        {
            let (scene, unfilled) = only.scene?;
            note_units(&reporter, &scene, &unfilled);
            summary(&scene, &scene.loaded.name)?;
            return Ok(true);
        }
        let mut all_right = true;
        for Checked { line, scene } in all {
            match scene {
                Ok((scene, unfilled)) => {
                    note_units(&reporter, &scene, &unfilled);
                    summary(&scene, &format!("{}:{line}", scene.loaded.name))?;
                }
                Err(error) => {
                    reporter.stopped(&error);
                    all_right = false;
                }
            }
        }
        Ok(all_right)
    }

    /// Whether a file of a folder is not a program.
    fn is_other(&self, Found { path, is_named }: &Found) -> bool {
        if *is_named {
            return false;
        }
        let checked = self.check(path, &Reporter::quiet());
        match checked.as_deref() {
            Ok([only]) => only.scene.as_ref().is_err_and(CliError::is_no_program),
            Ok(_) => false,
            Err(error) => error.is_no_program(),
        }
    }

    /// Checks the programs of all files, each of which gets a line of JSON. Whether all are valid.
    fn print_json(&self) -> Result<bool, CliError> {
        let reporter = Reporter::keeping();
        let files = files::found(&self.files, |_| true)?;
        let (mut all_right, mut is_empty) = (true, true);
        for file in files.iter().filter(|file| !self.is_other(file)) {
            let name = source::name_of(&file.path);
            let print = |line: Option<usize>, scene: Result<_, CliError>| {
                let is_valid = scene.is_ok();
                let value = as_json(&reporter, &name, line, scene);
                writeln!(io::stdout(), "{value}").map(|()| is_valid)
            };
            is_empty = false;
            match self.sources(&file.path, &reporter) {
                Ok(sources) => {
                    for source in sources {
                        let Checked { line, scene } = self.checked(&file.path, source, &reporter);
                        all_right &= print(Some(line), scene)?;
                    }
                }
                Err(error) => all_right &= print(None, Err(error))?,
            }
        }
        match is_empty {
            true => Err(files::none("programs", &self.files)),
            false => Ok(all_right),
        }
    }

    /// Checks the programs of many files, each of which gets a line. Whether all are valid.
    fn list(&self) -> Result<bool, CliError> {
        let reporter = Reporter::thorough();
        let files = files::found(&self.files, |_| true)?;
        let (mut valid, mut skipped) = (0, 0);
        for file @ Found { path, .. } in &files {
            let name = source::name_of(path);
            let line = if self.is_other(file) {
                skipped += 1;
                "skipped: not a program".to_owned()
            } else {
                let checked = self.check(path, &reporter);
                let verdict = checked.map(|checked| Verdict::of(&reporter, &checked));
                let verdict = verdict.unwrap_or_else(|error| {
                    reporter.stopped(&error);
                    Verdict::not_valid()
                });
                valid += usize::from(verdict.is_valid);
                verdict.words
            };
            writeln!(io::stdout(), "{name}: {line}")?;
        }
        if skipped == files.len() {
            return Err(files::none("programs", &self.files));
        }
        let wrong = files.len() - valid - skipped;
        let counts = [(wrong, "not valid"), (skipped, "skipped")];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: String = counts
            .map(|(count, what)| format!(", {count} {what}"))
            .collect();
        writeln!(io::stdout(), "{} files: {valid} valid{counts}", files.len())?;
        Ok(wrong == 0)
    }
}

/// A program of a file.
struct Checked {
    /// The line that it begins on.
    line: usize,
    scene: Result<(Scene, Vec<Unfilled>), CliError>,
}

/// A line about a file.
struct Verdict {
    words: String,
    is_valid: bool,
}

impl Verdict {
    fn not_valid() -> Verdict {
        Verdict {
            words: "not valid".to_owned(),
            is_valid: false,
        }
    }

    /// The verdict on the programs of a file. Reports why they are not valid, as far as that is not reported.
    fn of(reporter: &Reporter, checked: &[Checked]) -> Verdict {
        let errors = checked.iter().filter_map(|it| it.scene.as_ref().err());
        errors.for_each(|error| reporter.stopped(error));
        let valid = checked.iter().filter(|it| it.scene.is_ok()).count();
        match checked {
            [
                Checked {
                    scene: Ok((scene, _)),
                    ..
                },
            ] => {
                let stage = scene.loaded.program.program().stage();
                Verdict {
                    words: format!("a valid {stage} program"),
                    is_valid: true,
                }
            }
            [_] => Verdict::not_valid(),
            [..] => {
                let count = checked.len();
                let wrong = match count - valid {
                    0 => String::new(),
                    wrong => format!(", {wrong} not valid"),
                };
                Verdict {
                    words: format!("{count} programs: {valid} valid{wrong}"),
                    is_valid: valid == count,
                }
            }
        }
    }
}

/// A program and what is said about it, as docs/json.md describes it.
fn as_json(
    reporter: &Reporter,
    name: &str,
    line: Option<usize>,
    scene: Result<(Scene, Vec<Unfilled>), CliError>,
) -> Value {
    let mut value = json!({ "file": name, "line": line, "valid": scene.is_ok() });
    match &scene {
        Ok((scene, unfilled)) => {
            note_units(reporter, scene, unfilled);
            let program = &scene.loaded.program;
            let used = uses(program).into_iter().filter(|(_, it)| !it.is_empty());
            let used = used.map(|(what, words)| (what.to_owned(), Value::from(words)));
            value["stage"] = program.program().stage().to_string().into();
            value["uses"] = Value::Object(used.collect());
        }
        Err(error) => reporter.stopped(error),
    }
    value["messages"] = reporter.take().into();
    value
}

/// Says what a valid program uses.
fn summary(scene: &Scene, name: &str) -> io::Result<()> {
    let program = &scene.loaded.program;
    let mut out = io::stdout().lock();
    let stage = program.program().stage();
    writeln!(out, "{name}: a valid {stage} program")?;
    let rows = uses(program).into_iter().filter(|(_, it)| !it.is_empty());
    let rows = rows.map(|(what, value)| vec![String::new(), what.to_owned(), value]);
    let columns = Columns::default().left(0).left(12).left(0);
    out.write_all(columns.table(&rows.collect::<Vec<_>>()).as_bytes())
}

/// Notes the units that a program samples and does not fill.
fn note_units(reporter: &Reporter, scene: &Scene, unfilled: &[Unfilled]) {
    let Usage { textures, .. } = scene.loaded.program.usage();
    for unit in (0..TEXTURE_UNITS).filter(|unit| textures >> unit & 1 != 0) {
        let wanted = unfilled.iter().find(|one| one.unit == usize::from(unit));
        let (what, source, place) = match wanted {
            Some(Unfilled { wanted, place, .. }) => {
                (describe(*wanted), source_of(*wanted)[0], place.clone())
            }
            None if scene.textures.has_unit(unit) => continue,
            None => ("an image", "FILE", None),
        };
        let mut message = format!(
            "nothing is bound to t{unit}; `run` and `render` need {what} for it: `--texture t{unit}={source}`"
        );
        if let Some(unfilled) = wanted {
            message += &format!(", where {}", advice(unfilled.wanted));
        }
        let Loaded { name, text, .. } = &scene.loaded;
        reporter.remark(Severity::Note, name, text, &message, place, &code::UNIT);
    }
}

fn uses(program: &ValidProgram) -> Vec<(&'static str, String)> {
    let usage = program.usage();
    let length = program.program().insts().len();
    vec![
        ("instructions", format!("{length} ({} bytes)", 16 * length)),
        ("control flow", flow(program)),
        ("inputs", registers('i', &usage.inputs)),
        ("outputs", registers('o', &usage.outputs)),
        ("temporaries", registers('r', &temporaries(usage))),
        ("constants", constants(usage)),
        ("textures", units('t', usage.textures.into())),
        ("attributes", units('t', usage.attributes)),
        ("also", facilities(usage)),
    ]
}

fn flow(program: &ValidProgram) -> String {
    let insts = program.program().insts();
    let offsets = || insts.iter().filter_map(|inst| inst.jump_offset());
    let jumps = offsets().count();
    if jumps == 0 {
        return "none".to_owned();
    }
    let backward = offsets().filter(|offset| *offset <= 0).count();
    let blocks = program.cfg().blocks().len();
    format!("{blocks} blocks, {jumps} jumps, {backward} of them backward")
}

/// The registers that are used, with their components unless all are.
fn registers(letter: char, components: &[Slots]) -> String {
    let used = components.iter().enumerate().filter(|(_, c)| !c.is_empty());
    let names = used.map(|(index, components)| {
        if components.is_all() {
            format!("{letter}{index}")
        } else {
            let letters: String = components.components().map(|c| c.letter()).collect();
            format!("{letter}{index}.{letters}")
        }
    });
    names.collect::<Vec<_>>().join(" ")
}

fn temporaries(usage: &Usage) -> Vec<Slots> {
    let both = usage.temps_read.iter().zip(&usage.temps_written);
    both.map(|(read, written)| *read | *written).collect()
}

/// The constants, runs of them shortened.
fn constants(usage: &Usage) -> String {
    let runs = usage.constants.chunk_by(|a, b| a + 1 == *b);
    let mut names: Vec<String> = runs
        .map(|run| match run {
            [] => String::new(),
            [only] => format!("c{only}"),
            [first, .., last] => format!("c{first}-c{last}"),
        })
        .collect();
    if usage.relative_constants {
        names.push("any, by relative addressing".to_owned());
    }
    names.join(" ")
}

fn units(letter: char, units: u64) -> String {
    let used = (0..u64::BITS).filter(|unit| units >> unit & 1 != 0);
    let names = used.map(|unit| format!("{letter}{unit}"));
    names.collect::<Vec<_>>().join(" ")
}

fn facilities(usage: &Usage) -> String {
    let all = [
        (usage.kills, "kills fragments or samples"),
        (usage.exports_depth, "exports depth"),
        (usage.derivatives, "looks at neighbouring lanes"),
        (usage.accumulator, "uses the fixed-point accumulator"),
    ];
    let used = all.iter().filter(|(used, _)| *used).map(|(_, what)| *what);
    used.collect::<Vec<_>>().join(", ")
}
