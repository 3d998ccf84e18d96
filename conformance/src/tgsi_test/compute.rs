//! Tests of compute programs: grids over buffers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use attila_shader::Engine;
use attila_shader::compute::{Compute, ComputeError, Grid};
use attila_shader::front::tgsi::Processor;
use attila_shader::texture::Textures;

use super::TgsiTest;
use super::command::{Command, Line, TargetFormat};
use super::probe::{ProbeResult, probe};
use super::run::{Program, Report, RunError, State, bindings};

/// The buffers of a test, by their numbers.
type Buffers = BTreeMap<u32, Arc<[AtomicU32]>>;

/// Runs the script of a test with a compute program.
///
/// # Errors
///
/// A text that cannot be translated, or a command that cannot be carried out.
pub(super) fn run(test: &TgsiTest, engine: &Engine) -> Result<Report, RunError> {
    let program = Program::new(test, Processor::Compute, engine)?;
    let compute = Compute::new(engine, program.shader.program());
    let compute = compute.map_err(|source| RunError::Compute { line: 0, source })?;
    let words = |list: &Vec<u32>| list.iter().copied().map(AtomicU32::new).collect();
    let buffers: Buffers = test.buffers.iter().map(|(n, it)| (*n, words(it))).collect();
    let textures = test.units();
    let mut state = State::default();
    let mut probes = Vec::new();
    for line in &test.commands {
        let fail = |message| RunError::Command {
            line: line.line,
            message,
        };
        match &line.command {
            Command::Tolerance(tolerance) => state.tolerance = *tolerance,
            Command::Constant(place, words) => {
                state.constants.insert(*place, *words);
            }
            Command::Dispatch(blocks) => {
                let grid = Grid {
                    blocks: *blocks,
                    threads: program.translation.details.properties.block,
                };
                let run = dispatch(&textures, (&program, &compute), &state, (&grid, &buffers));
                run.map_err(|source| RunError::Compute {
                    line: line.line,
                    source,
                })?;
            }
            Command::Expect {
                buffer,
                words,
                is_float,
            } => {
                let found = buffers.get(buffer).ok_or(fail("there is no such buffer"))?;
                probes.push(expect(line, (words, *is_float), found, state.tolerance));
            }
            Command::Target { .. }
            | Command::Clear(_)
            | Command::Draw { .. }
            | Command::Probe { .. } => return Err(fail("compute programs do not draw")),
        }
    }
    Ok(Report {
        probes,
        targets: Vec::new(),
    })
}

fn dispatch(
    textures: &Textures,
    (program, compute): (&Program, &Compute),
    state: &State,
    (grid, storage): (&Grid, &Buffers),
) -> Result<(), ComputeError> {
    let constants = program.buffers(state);
    let mut bindings = bindings(textures, program, state, ([0; 2], &constants));
    for (number, words) in storage {
        bindings = bindings.with_storage(*number as usize, Arc::clone(words));
    }
    compute.run(&bindings, grid)
}

/// Compares the words of a buffer, four at a time, and shows the first that differ.
fn expect(
    line: &Line,
    (expected, is_float): (&[u32], bool),
    buffer: &[AtomicU32],
    tolerance: f32,
) -> ProbeResult {
    let format = match is_float {
        true => TargetFormat::Rgba32F,
        false => TargetFormat::Rgba32Uint,
    };
    let mut found = buffer.iter().map(|word| word.load(Ordering::Relaxed));
    let (mut wanted, mut seen) = ([0; 4], [0; 4]);
    for words in expected.chunks(4) {
        (wanted, seen) = ([0; 4], [0; 4]);
        for (at, word) in words.iter().enumerate() {
            wanted[at] = *word;
            // A word that the buffer does not have is not what was expected.
            seen[at] = found.next().unwrap_or(!word);
        }
        if probe(line, wanted, seen, format, tolerance)
            .mismatch
            .is_some()
        {
            break;
        }
    }
    probe(line, wanted, seen, format, tolerance)
}
