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
                let run = dispatch(test, (&program, &compute), &state, (&grid, &buffers));
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
    test: &TgsiTest,
    (program, compute): (&Program, &Compute),
    state: &State,
    (grid, storage): (&Grid, &Buffers),
) -> Result<(), ComputeError> {
    let mut textures = Textures::new();
    for (unit, texture) in &test.textures {
        let bound = textures.bind(*unit as usize, texture.clone());
        bound.expect("numbers of units have been checked");
    }
    let constants = program.buffers(state);
    let mut bindings = bindings(&textures, program, state, ([0; 2], &constants));
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
    let four = |first: usize, word: &dyn Fn(usize) -> u32| [0, 1, 2, 3].map(|n| word(first + n));
    let wanted = |at: usize| expected.get(at).copied().unwrap_or_default();
    // Words that the script does not name are as they are.
    let seen = |at: usize| match (at < expected.len(), buffer.get(at)) {
        (true, Some(word)) => word.load(Ordering::Relaxed),
        (true, None) => !wanted(at),
        (false, _) => 0,
    };
    let mut results = (0..expected.len()).step_by(4).map(|first| {
        let (expected, seen) = (four(first, &wanted), four(first, &seen));
        probe(line, expected, seen, format, tolerance)
    });
    let differs = results.find(|result| result.mismatch.is_some());
    differs.unwrap_or_else(|| probe(line, [0; 4], [0; 4], format, tolerance))
}
