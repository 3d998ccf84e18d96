//! Whether raw moves keep all patterns of 32 bits, on each engine.

use std::io::{self, Write};

use attila_shader::isa::{BASE_INPUTS, Program};
use attila_shader::machine::LANES;
use attila_shader::{Bindings, Engine, QuadIo, Shader};
use rayon::prelude::*;
use serde_json::json;

use super::{ALL_INPUTS, Args};
use crate::engines::EngineArg;
use crate::error::CliError;

/// The moves: operations that choose one of their operands, and have the same one twice.
const MOVES: [(&str, &str); 5] = [
    ("min", ""),
    ("max", ""),
    ("maxge", ""),
    ("cnd", ", c0.x"),
    ("cmpge", ", c0.x"),
];

/// Words of a quad: each input has four components in each lane.
const WORDS: u64 = (BASE_INPUTS * 4 * LANES) as u64;

/// Quads that one thread runs at a time.
const QUADS: u64 = 256;

/// Moves every `stride`-th pattern with each move on each engine. Says whether all have been kept.
pub(super) fn measure(args: &Args) -> Result<bool, CliError> {
    let mut kept = true;
    for (mnemonic, third) in MOVES {
        // Lane IR, evaluated, would take an hour.
        for engine in EngineArg::Both.engines()? {
            let shader = prepare(&engine, mnemonic, third)?;
            let changed = first_changed(&shader, args.stride);
            let words = ALL_INPUTS.div_ceil(args.stride);
            if args.json {
                let value = json!({
                    "move": format!("{mnemonic}_raw"),
                    "engine": engine.name(),
                    "inputs": words,
                    "changed": changed,
                    "ok": changed.is_none(),
                });
                writeln!(io::stdout(), "{value}")?;
                kept &= changed.is_none();
                continue;
            }
            let verdict = match changed {
                None => "all kept  ok".to_owned(),
                Some((word, moved)) => format!("{word:08x} becomes {moved:08x}  CHANGED"),
            };
            let (mut out, name) = (io::stdout().lock(), engine.name());
            writeln!(out, "{mnemonic}_raw on {name}: {words} patterns  {verdict}")?;
            kept &= changed.is_none();
        }
    }
    Ok(kept)
}

/// The program that moves all inputs to the outputs.
fn prepare(engine: &Engine, mnemonic: &str, third: &str) -> Result<Shader, CliError> {
    let moves = (0..BASE_INPUTS).map(|n| format!("{mnemonic}_raw o{n}, i{n}, i{n}{third}\n"));
    let text = format!(".extended fragment\n{}end", moves.collect::<String>());
    let program = Program::assemble(&text).expect("the moves are instructions");
    let program = program.validate().expect("the program is valid");
    let engine_name = engine.name();
    engine
        .prepare(&program)
        .map_err(|source| CliError::Prepare {
            engine: engine_name,
            source,
        })
}

/// The first pattern that does not stay as it is, and what becomes of it. 0 is in c0.
fn first_changed(shader: &Shader, stride: u64) -> Option<(u32, u32)> {
    let count = ALL_INPUTS.div_ceil(stride);
    let chunks = count.div_ceil(WORDS * QUADS);
    let changed = (0..chunks).into_par_iter().filter_map(|chunk| {
        let pattern = |quad: u64, word: usize| {
            let number = (chunk * QUADS + quad) * WORDS + word as u64;
            // The last quad has some patterns again.
            (number.wrapping_mul(stride) & (ALL_INPUTS - 1)) as u32
        };
        let mut quads = vec![QuadIo::default(); QUADS as usize];
        for (number, quad) in (0..).zip(&mut quads) {
            let words = quad.inputs.iter_mut().flatten().flatten();
            for (index, word) in words.enumerate() {
                *word = pattern(number, index);
            }
        }
        shader
            .run(&Bindings::new(), &mut quads)
            .expect("a program without jumps and textures runs");
        (0..).zip(&quads).find_map(|(number, quad)| {
            let words = quad.outputs.iter().flatten().flatten().enumerate();
            let mut pairs = words.map(|(index, word)| (pattern(number, index), *word));
            pairs.find(|(word, moved)| word != moved)
        })
    });
    changed.min()
}
