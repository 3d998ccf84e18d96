//! The row of AGAL programs: random texts for both stages and all versions (`generate`), damaged ones (`mutate`), an
//! evaluator of programs (`evaluator`), and [`BytesCase`], damaged byte programs.
//!
//! A text does not say its stage and its version: it is assembled for the stage whose registers it names, and for the
//! first version that has everything in it.

mod bytes;
mod evaluator;
mod forms;
mod generate;
mod mutate;
mod world;

use attila_shader::Engine;
use attila_shader::front::SourceError;
use attila_shader::front::agal::{
    self, AgalProgram, File, Input, Options, Output, Register, Translation,
};
use attila_shader::isa::{Opcode, Program, Stage, ValidProgram};
use attila_shader::machine::{Bindings, ExtendedQuadIo, from_lanes};

use super::{Refused, TextLanguage, Translated, compare, run};
use evaluator::Results;
use mutate::damaged;
use world::World;

pub use bytes::BytesCase;
pub use generate::program;
pub use mutate::{PIECES, PROGRAMS};

/// AGAL programs.
pub(super) const LANGUAGE: TextLanguage = TextLanguage {
    name: "AGAL",
    word: "agal",
    valid: 50,
    generate: program,
    damage: damaged,
    compile: |text| Ok(Box::new(Compiled::new(text)?)),
};

/// How texts are assembled.
const OPTIONS: Options = Options {
    stage: None,
    version: None,
    strict: false,
};

/// A program, and its translation.
struct Compiled {
    program: AgalProgram,
    translation: Translation,
    /// The mistakes of a text by Flash's limits.
    strict: Option<SourceError>,
}

impl Compiled {
    /// Reads and translates a text. One that keeps Flash's limits is always a program.
    fn new(text: &str) -> Result<Compiled, Refused> {
        let limits = Options {
            strict: true,
            ..OPTIONS
        };
        let strict = agal::assemble(text, &limits).err();
        let program = agal::assemble(text, &OPTIONS).map_err(|error| Refused {
            error,
            wrongly: strict.is_none().then_some("a program by Flash's limits"),
        })?;
        let translation = agal::compile(text, &OPTIONS).map_err(|error| Refused {
            error,
            wrongly: None,
        })?;
        Ok(Compiled {
            program,
            translation,
            strict,
        })
    }

    /// The quad before the run.
    fn quad(&self, world: World) -> ExtendedQuadIo {
        let mut quad = ExtendedQuadIo::default();
        for &(input, register) in &self.translation.inputs {
            let value = |lane| match input {
                Input::Attribute(number) => {
                    world.register(Register::new(File::Attribute, number), lane)
                }
                Input::Varying(number) => {
                    world.register(Register::new(File::Varying, number), lane)
                }
                // Only the first component is the number.
                Input::Instance => [world.instance(lane), 1, 2, 3],
            };
            quad.inputs[usize::from(register)] = from_lanes([0, 1, 2, 3].map(value));
        }
        quad
    }

    /// The result of a lane that is not as the evaluator says.
    fn difference(&self, quad: &ExtendedQuadIo, lane: usize, expected: &Results) -> Option<String> {
        for (&register, value) in &expected.outputs {
            let output = self.output(register);
            let mut outputs = self.translation.outputs.iter();
            let found = outputs.find(|(known, _)| *known == output);
            // Outputs to which nothing is written are 0.
            let words: [u32; 4] = std::array::from_fn(|n| {
                found.map_or(0, |(_, it)| quad.outputs[usize::from(*it)][n][lane])
            });
            if words
                .iter()
                .zip(value[lane])
                .any(|(word, it)| !it.is(*word))
            {
                let expected = value[lane].map(|it| it.bits());
                return Some(format!("{output} is {words:08x?}, not {expected:08x?}"));
            }
        }
        if let Some(depth) = expected.depth {
            let found = quad.depth[0][lane];
            if !depth[lane].is(found) {
                let depth = depth[lane].bits();
                return Some(format!("the depth is {found:08x}, not {depth:08x}"));
            }
        }
        let mut exports = self.program().insts().iter();
        if expected.depth.is_none() && exports.any(|it| it.op == Opcode::Zxp) {
            return Some("a depth is exported".to_owned());
        }
        let killed = quad.killed().has(lane);
        (killed != expected.killed[lane]).then(|| format!("killed is {killed}"))
    }

    fn output(&self, register: Register) -> Output {
        match (register.file, self.program.stage) {
            (File::Varying, _) => Output::Varying(register.number),
            (_, Stage::Fragment) => Output::Color(register.number),
            (_, Stage::Vertex | Stage::Geometry | Stage::Compute) => Output::Position,
        }
    }
}

impl Translated for Compiled {
    fn program(&self) -> &Program {
        &self.translation.program
    }

    fn strict_error(&self) -> Option<&SourceError> {
        self.strict.as_ref()
    }

    fn opcodes(&self) -> Vec<&'static str> {
        let tokens = self.program.tokens.iter();
        tokens.map(|token| token.opcode.info().name).collect()
    }

    fn inputs(&self) -> Vec<(String, usize)> {
        let inputs = self.translation.inputs.iter();
        let named = inputs.map(|(input, register)| (input.to_string(), usize::from(*register)));
        named.collect()
    }

    fn constants(&self, value: &dyn Fn(&str) -> [f32; 4]) -> Vec<(usize, [f32; 4])> {
        let constants = self
            .translation
            .constants(|param| value(&format!("{param:?}")));
        constants.collect()
    }

    fn check_forms(&self) -> Result<(), String> {
        forms::check(&self.program, &self.translation)
    }

    fn evaluate(
        &self,
        program: &ValidProgram,
        engines: &[Engine],
        seed: u32,
    ) -> Result<usize, String> {
        let world = World { seed };
        let Some(textures) = world::textures(&self.translation.textures, world) else {
            return Ok(0);
        };
        let expected = evaluator::evaluate(&self.program, world, &textures);
        if expected.undefined {
            return Ok(0);
        }
        let mut bindings = Bindings::new().with_textures(&textures);
        for (index, value) in self.translation.constants(|param| world.param(param)) {
            bindings.set_constant(index, value);
        }
        let run = |shader: &_| run(shader, &bindings, self.quad(world));
        let difference = |quad: &_, lane| self.difference(quad, lane, &expected);
        compare(program, engines, run, difference)?;
        Ok(4)
    }
}
