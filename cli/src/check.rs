//! `attila check`: everything that can be said about a program without running it.

use std::io::{self, Write};
use std::process::ExitCode;

use attila_shader::isa::{Slots, TEXTURE_UNITS, Usage};
use attila_shader::{TextureUnit, ValidProgram};
use codespan_reporting::diagnostic::Severity;

use crate::error::CliError;
use crate::input::{Loaded, ProgramArgs};
use crate::report::Reporter;
use crate::scene::Scene;
use crate::scene::textures::{Unfilled, advice, describe, source_of};

/// Check a program and summarize what it uses
///
/// Reports all errors and warnings at once, with their source lines: in the program, in its `;!`
/// comments, and in the textures that they name. Rejects everything that `attila render` rejects.
/// Lists texture units that still need a --texture. Summarizes a valid program: its size, its control
/// flow, and the registers, units and features that it uses.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  attila check shader.attila
  attila check --stage vertex transform.bin")]
pub(crate) struct Args {
    #[command(flatten)]
    program: ProgramArgs,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let reporter = Reporter::new();
    let (scene, unfilled) = Scene::check(&reporter, args.program.read(&reporter)?)?;
    note_units(&reporter, &scene, &unfilled);
    let loaded = &scene.loaded;
    let program = &loaded.program;
    let mut out = io::stdout().lock();
    let stage = program.program().stage();
    writeln!(out, "{}: a valid {stage} program", loaded.name)?;
    for (what, value) in summary(program) {
        if !value.is_empty() {
            writeln!(out, "  {what:<14}{value}")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Notes the units that a program samples and does not fill.
fn note_units(reporter: &Reporter, scene: &Scene, unfilled: &[Unfilled]) {
    let Usage { textures, .. } = scene.loaded.program.usage();
    for unit in (0..TEXTURE_UNITS).filter(|unit| textures >> unit & 1 != 0) {
        let wanted = unfilled.iter().find(|one| one.unit == usize::from(unit));
        let (what, source, place) = match wanted {
            Some(Unfilled { wanted, place, .. }) => {
                (describe(*wanted), source_of(*wanted), place.clone())
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
        reporter.remark(Severity::Note, name, text, &message, place);
    }
}

fn summary(program: &ValidProgram) -> Vec<(&'static str, String)> {
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
