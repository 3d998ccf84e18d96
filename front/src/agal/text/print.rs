//! Programs as text that assembles to the same bytes.

use attila_isa::{Component, Slots, Stage, Swizzle};

use super::super::program::{AgalProgram, Destination, Location, Register, Source, Token};
use super::operand::NOTHING;

/// The program as the mini-assembler reads it, a line for each instruction. The stage and the version
/// do not stand in it.
pub fn disassemble(program: &AgalProgram) -> String {
    let lines = program
        .tokens
        .iter()
        .map(|token| line(token, program.stage) + "\n");
    lines.collect()
}

fn line(token: &Token, stage: Stage) -> String {
    let result = token.destination.iter().map(|it| destination(it, stage));
    let sources = token.sources.iter().map(|it| source(it, stage));
    let sampler = token.sampler.iter().map(|(sampler, _)| {
        let unit = Register::new(super::File::Sampler, sampler.unit).name(stage);
        format!("{unit} <{sampler}>")
    });
    let operands: Vec<String> = result.chain(sources).chain(sampler).collect();
    let line = format!("{} {}", token.opcode, operands.join(", "));
    line.trim_end().to_owned()
}

fn destination(it: &Destination, stage: Stage) -> String {
    let register = it.register.name(stage);
    match it.mask {
        mask if mask == Slots::all() => register,
        mask if mask.is_empty() => format!("{register}.{NOTHING}"),
        mask => {
            let letters = mask.components().map(Component::letter);
            format!("{register}.{}", letters.collect::<String>())
        }
    }
}

fn source(it: &Source, stage: Stage) -> String {
    let register = match it.location {
        Location::Direct(register) => register.name(stage),
        Location::Indirect {
            file,
            index,
            component,
            offset,
        } => {
            let name = Register::new(file, 0).name(stage);
            let name = name.trim_end_matches('0');
            let letter = component.letter();
            format!("{name}[{}.{letter}+{offset}]", index.name(stage))
        }
    };
    if it.swizzle == Swizzle::IDENTITY {
        return register;
    }
    let mut letters: Vec<char> = Component::ALL
        .map(|slot| it.swizzle.source(slot).letter())
        .to_vec();
    // The last letter is repeated.
    while letters.len() > 1 && letters[letters.len() - 1] == letters[letters.len() - 2] {
        letters.pop();
    }
    format!("{register}.{}", letters.into_iter().collect::<String>())
}
