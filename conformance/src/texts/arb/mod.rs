//! The row of ARB programs: random texts by the rules of the language (`generate`), damaged ones (`mutate`), and an
//! evaluator of texts (`evaluator`), which shares nothing with the translation but the parsed program.

mod evaluator;
mod generate;
mod mutate;
mod world;

use attila_shader::front::SourceError;
use attila_shader::front::arb::{self, ArbProgram, Profile, Translation};
use attila_shader::isa::{Program, ValidProgram};
use attila_shader::machine::{Bindings, Lanes, QuadIo};
use attila_shader::{Engine, Shader};

use super::{Refused, TextLanguage, Translated, compare};
use evaluator::World;
use world::Lane;
pub use world::Units;

pub use generate::program;
pub use mutate::{PIECES, PROGRAMS, damaged};

/// ARB programs.
pub(super) const LANGUAGE: TextLanguage = TextLanguage {
    name: "ARB",
    word: "arb",
    valid: 50,
    generate: program,
    damage: damaged,
    compile: |text| Ok(Box::new(Compiled::new(text)?)),
};

/// Compares what a text computes on each engine with what it says, bit for bit, on values that follow from `seed`. Returns
/// the number of lanes of whose results the text says something.
///
/// # Errors
///
/// The text is not a program, or a result is not as it says.
pub fn evaluate(text: &str, seed: u32, engines: &[Engine]) -> Result<usize, String> {
    let compiled = Compiled::new(text).map_err(|refused| refused.error.to_string())?;
    let program = compiled.program().clone().validate();
    let program = program.map_err(|error| error.to_string())?;
    compiled.evaluate(&program, engines, seed)
}

/// A text that is a program, and its translation.
struct Compiled {
    program: ArbProgram,
    translation: Translation,
    /// The mistakes by the smallest limits.
    strict: Option<SourceError>,
}

impl Compiled {
    /// Reads and translates a text. One that keeps the smallest limits keeps the largest, too.
    fn new(text: &str) -> Result<Compiled, Refused> {
        let strict = arb::parse(text, &Profile::MINIMUM).err();
        let program = arb::parse(text, &Profile::default()).map_err(|error| Refused {
            error,
            wrongly: strict.is_none().then_some("a program by stricter limits"),
        })?;
        let translation = arb::translate(&program, text);
        let translation = translation.map_err(|error| Refused {
            error,
            wrongly: None,
        })?;
        Ok(Compiled {
            program,
            translation,
            strict,
        })
    }

    /// The quads before the run: four lanes, each with its own world.
    fn quad(&self, worlds: &Lanes<Lane>) -> QuadIo {
        let mut quad = QuadIo::default();
        for &(input, register) in &self.translation.inputs {
            let lanes = std::array::from_fn(|lane| worlds[lane].input(input));
            quad.set_input(register.into(), lanes);
        }
        quad
    }

    /// The result of a lane that is not as the evaluator says.
    fn difference(
        &self,
        quad: &QuadIo,
        lane: usize,
        expected: &evaluator::Results,
    ) -> Option<String> {
        if expected.undefined {
            return None;
        }
        for (&output, value) in &expected.outputs {
            let mut outputs = self.translation.outputs.iter();
            let register = outputs.find(|(known, _)| *known == output);
            let found = register.map_or([0.0; 4], |(_, r)| quad.output(usize::from(*r))[lane]);
            if found.iter().zip(value).any(|(a, b)| !same(*a, *b)) {
                return Some(format!("{output:?} is {found:?}, not {value:?}"));
            }
        }
        if let Some(depth) = expected.depth {
            let found = f32::from_bits(quad.depth[0][lane]);
            if !same(found, depth) {
                return Some(format!("depth is {found:?}, not {depth:?}"));
            }
        }
        let killed = quad.killed().has(lane);
        (killed != expected.killed).then(|| format!("killed is {killed}"))
    }
}

fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

impl Translated for Compiled {
    fn program(&self) -> &Program {
        &self.translation.program
    }

    fn strict_error(&self) -> Option<&SourceError> {
        self.strict.as_ref()
    }

    fn opcodes(&self) -> Vec<&'static str> {
        let instructions = self.program.instructions.iter();
        instructions.map(|it| it.opcode.info().name).collect()
    }

    fn inputs(&self) -> Vec<(String, usize)> {
        let inputs = self.translation.inputs.iter();
        let named = inputs.map(|(input, register)| (format!("{input:?}"), usize::from(*register)));
        named.collect()
    }

    fn constants(&self, value: &dyn Fn(&str) -> [f32; 4]) -> Vec<(usize, [f32; 4])> {
        let constants = self
            .translation
            .constants(|param| value(&format!("{param:?}")));
        constants.collect()
    }

    fn evaluate(
        &self,
        program: &ValidProgram,
        engines: &[Engine],
        seed: u32,
    ) -> Result<usize, String> {
        let worlds: Lanes<Lane> = std::array::from_fn(|lane| Lane {
            seed: seed.into(),
            lane,
        });
        let units = Units(self.translation.textures.clone());
        let mut bindings = Bindings::new().with_textures(&units);
        for (index, value) in self.translation.constants(|param| worlds[0].param(param)) {
            bindings.set_constant(index, value);
        }
        let expected = worlds
            .each_ref()
            .map(|world| evaluator::evaluate(&self.program, world));
        let run = |shader: &Shader| {
            let mut quad = self.quad(&worlds);
            shader.run(&bindings, std::slice::from_mut(&mut quad))?;
            Ok(quad)
        };
        compare(program, engines, run, |quad, lane| {
            self.difference(quad, lane, &expected[lane])
        })?;
        Ok(expected.iter().filter(|results| !results.undefined).count())
    }
}
