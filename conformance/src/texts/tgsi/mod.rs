//! The row of TGSI programs: random texts in the three dialects (`generate`), damaged ones (`mutate`), and an
//! evaluator of texts (`evaluator`), which shares nothing with the translation but the checked program.

mod evaluator;
mod generate;
mod mutate;
mod nan;
mod samples;
mod world;

use attila_shader::Engine;
use attila_shader::front::SourceError;
use attila_shader::front::tgsi::{
    self, Options, Processor, Semantic, SemanticName, TgsiProgram, Translation,
};
use attila_shader::isa::{Program, Slots, ValidProgram};
use attila_shader::machine::{Bindings, ExtendedQuadIo};

use super::{Refused, TextLanguage, Translated, compare, run};
use evaluator::Results;
use nan::Nans;
use samples::Places;
use world::{Units, World};

pub use generate::program;
pub use mutate::{PIECES, PROGRAMS, damaged, damaged_text};

/// TGSI programs.
pub(super) const LANGUAGE: TextLanguage = TextLanguage {
    name: "TGSI",
    word: "tgsi",
    valid: 50,
    generate: program,
    damage: damaged,
    compile: |text| Ok(Box::new(Compiled::new(text)?)),
};

/// A text that is a program, and its translation.
struct Compiled {
    program: TgsiProgram,
    translation: Translation,
}

impl Compiled {
    fn new(text: &str) -> Result<Compiled, Refused> {
        let refused = |error: SourceError| Refused {
            error,
            wrongly: None,
        };
        let program = tgsi::parse(text, &Options::default()).map_err(refused)?;
        let translation = tgsi::translate(&program, text).map_err(refused)?;
        Ok(Compiled {
            program,
            translation,
        })
    }

    /// The quad before the run.
    fn quad(&self, world: World) -> ExtendedQuadIo {
        let mut quad = ExtendedQuadIo {
            samples: world.samples(),
            ..ExtendedQuadIo::default()
        };
        for &(input, register) in &self.translation.inputs {
            let lanes = std::array::from_fn(|lane| world.input(input, lane));
            quad.inputs[usize::from(register)] = attila_shader::machine::from_lanes(lanes);
        }
        quad
    }

    /// The result of a lane that is not as the evaluator says.
    fn difference(&self, quad: &ExtendedQuadIo, lane: usize, expected: &Results) -> Option<String> {
        if expected.undefined[lane] {
            return None;
        }
        let nans = Nans::new(&self.program);
        for output in &self.program.outputs {
            let Some(semantic) = output.semantic else {
                continue;
            };
            // No text says which of two outputs with one semantic counts.
            let others = self.program.outputs.iter();
            let mut others = others.filter(|it| it.register != output.register);
            if others.any(|it| it.semantic == Some(semantic)) {
                continue;
            }
            let value = expected.outputs[&output.register][lane];
            // Components that no declaration names keep what they are before the program.
            let mut parts = self.program.outputs.iter();
            let is_split = parts.any(|it| it.register == output.register && it.mask != output.mask);
            let compared = if is_split { output.mask } else { Slots::all() };
            for component in compared.components() {
                let n = component.index();
                let Some(found) = self.found(quad, semantic, n) else {
                    continue;
                };
                let (found, value) = (found[lane], value[n]);
                let is_nan = |word| f32::from_bits(word).is_nan();
                let may_be_nan = nans.output(output.register, component);
                if found != value && !(may_be_nan && is_nan(found) && is_nan(value)) {
                    let letter = component.letter();
                    return Some(format!(
                        "{semantic}.{letter} is {found:08x}, not {value:08x}"
                    ));
                }
            }
        }
        let (killed, all) = (
            quad.kill[lane],
            expected.kills(&self.program, &quad.samples, lane),
        );
        (killed != all).then(|| format!("killed samples are {killed:04x}, not {all:04x}"))
    }

    /// The words of a component of an output; `None` if no register has them.
    fn found(&self, quad: &ExtendedQuadIo, semantic: Semantic, n: usize) -> Option<[u32; 4]> {
        let is_fragment = self.program.processor == Processor::Fragment;
        if is_fragment && semantic.name == SemanticName::Position {
            return (n == 2).then_some(quad.depth[0]);
        }
        if is_fragment && semantic.name == SemanticName::SampleMask {
            return None;
        }
        let mut outputs = self.translation.outputs.iter();
        let register = outputs.find(|(known, _)| *known == semantic);
        // Outputs that no instruction writes are 0.
        Some(register.map_or([0; 4], |(_, register)| {
            quad.outputs[usize::from(*register)][n]
        }))
    }

    /// The buffers that are not in constant registers, with their numbers.
    fn buffers(&self, world: World) -> Vec<(usize, Vec<[u32; 4]>)> {
        let details = &self.translation.details;
        let loaded = details.constants.iter();
        let loaded = loaded.filter(|it| details.loaded.contains(&it.buffer));
        let filled = loaded.map(|it| {
            let vectors = (0..it.size).map(|register| world.constant(it.buffer, register));
            (it.buffer as usize, vectors.collect())
        });
        filled.collect()
    }
}

impl Translated for Compiled {
    fn program(&self) -> &Program {
        &self.translation.program
    }

    fn opcodes(&self) -> Vec<&'static str> {
        let instructions = self.program.instructions.iter();
        instructions.map(|it| it.opcode.info().name).collect()
    }

    fn inputs(&self) -> Vec<(String, usize)> {
        let inputs = self.translation.inputs.iter();
        let named = inputs.map(|(input, register)| (input.to_string(), usize::from(*register)));
        named.collect()
    }

    fn constants(&self, value: &dyn Fn(&str) -> [f32; 4]) -> Vec<(usize, [f32; 4])> {
        let constants = self
            .translation
            .constants(|param| value(&param.to_string()));
        constants.collect()
    }

    fn is_specified(&self) -> bool {
        !Nans::new(&self.program).has_dependent()
    }

    fn evaluate(
        &self,
        program: &ValidProgram,
        engines: &[Engine],
        seed: u32,
    ) -> Result<usize, String> {
        let world = World { seed };
        let uses = &self.translation.textures;
        let Some(units) = Units::new(&self.program, uses, world) else {
            return Ok(0);
        };
        let Some(expected) = evaluator::evaluate(&self.program, &world, &units) else {
            return Ok(0);
        };
        let buffers = self.buffers(world);
        let places = Places {
            world,
            inputs: &self.translation.inputs,
        };
        let mut bindings = Bindings::new()
            .with_textures(&units.textures)
            .with_inputs(&places);
        for (number, vectors) in &buffers {
            bindings = bindings.with_buffer(*number, vectors);
        }
        for (index, value) in self.translation.constants(|param| world.param(param)) {
            bindings.set_constant(index, value);
        }
        let run = |shader: &_| run(shader, &bindings, self.quad(world));
        let difference = |quad: &_, lane| self.difference(quad, lane, &expected);
        compare(program, engines, run, difference)?;
        Ok(expected.undefined.iter().filter(|lane| !**lane).count())
    }
}
