//! Vectors of AGAL programs, which have a `version` and a text. Both the bytes and the text run.
//!
//! Registers have the names of the language. All four components of an output are compared, and those
//! that the program does not write are 0.

mod format;
mod player;

use attila_shader::Engine;
use attila_shader::front::agal::{self, Agal, AgalProgram, Options, Translation, Version};
use attila_shader::front::back::Language;
use attila_shader::isa::{INPUTS, OUTPUTS, Reg, Stage};
use attila_shader::machine::{Bindings, QuadState, StateKind};

pub use format::AgalVector;

use super::check::{Rule, Scope, compare};
use super::format::{ByLane, Index, Registers, set};
use super::{VectorError, shade};
use format::Written;
use player::Player;

impl AgalVector {
    /// The name of its group.
    pub(super) fn group(&self) -> &str {
        &self.group
    }

    /// Runs the bytes and the text, and says in what they did not end as expected.
    ///
    /// # Errors
    ///
    /// The bytes or the text are not a program, or the run stopped.
    pub fn run(&self, engine: &Engine) -> Result<Vec<String>, VectorError> {
        let program = agal::decode(&self.program.0, &Options::default())?;
        let translation = agal::compile_bytes(&self.program.0, &Options::default())?;
        let mut differences = self.run_translation(engine, &program, &translation)?;
        let options = Options {
            stage: Some(self.stage.into()),
            version: Version::of(self.version),
            strict: false,
        };
        let text = self.text.join("\n");
        let program = agal::assemble(&text, &options)?;
        if agal::encode(&program) != self.program.0 {
            differences.push("the text assembles to other bytes".to_owned());
        }
        let translation = agal::compile(&text, &options)?;
        let others = self.run_translation(engine, &program, &translation)?;
        differences.extend(others.into_iter().map(|it| format!("text: {it}")));
        Ok(differences)
    }

    fn run_translation(
        &self,
        engine: &Engine,
        source: &AgalProgram,
        translation: &Translation,
    ) -> Result<Vec<String>, VectorError> {
        let rule = Rule::of(self.exact, self.ulp);
        let program = translation.program.clone().validate()?;
        let bindings = self.bindings(translation);
        let start = self.start()?;
        let expected = self.expected(&start)?;
        let mut differences = Vec::new();

        let player = Player::new(self, source, translation);
        let mut quads = [start.clone()];
        let stateful = engine.prepare_stateful(&program)?;
        stateful.run(&bindings.clone().with_textures(&player), &mut quads)?;
        differences.extend(compare(rule, &expected, &quads[0], Scope::Results));
        differences.extend(player.differences());

        let player = Player::new(self, source, translation);
        let mut quads = [start];
        let bindings = bindings.with_textures(&player);
        shade(&engine.prepare(&program)?, &bindings, &mut quads)?;
        let shading = compare(rule, &expected, &quads[0], Scope::Results);
        let shading = shading.into_iter().chain(player.differences());
        differences.extend(shading.map(|it| format!("shading: {it}")));
        Ok(differences)
    }

    /// The constants that the translation has registers for.
    fn bindings(&self, translation: &Translation) -> Bindings<'static> {
        let mut bindings = Bindings::new();
        for &(register, param) in &translation.params {
            let words = match param {
                agal::Param::Constant(number) => {
                    let words = self.constants.get(&number).copied().unwrap_or_default();
                    words.map(|word| word.0)
                }
                agal::Param::Words(words) => words,
            };
            bindings.set_constant_bits(register as usize, words);
        }
        bindings
    }

    /// The quad before the run.
    fn start(&self) -> Result<QuadState, VectorError> {
        let stage: Stage = self.stage.into();
        let input = |number: u16| match stage {
            Stage::Vertex => agal::Input::Attribute(number),
            Stage::Fragment | Stage::Geometry | Stage::Compute => agal::Input::Varying(number),
        };
        let mut inputs: Registers<INPUTS> = ByLane::new();
        for (lane, registers) in &self.inputs {
            for (number, words) in registers {
                let index = index(Agal::input(input(*number), stage))?;
                inputs.entry(*lane).or_default().insert(index, *words);
            }
        }
        let mut quad = QuadState::default();
        set(&mut quad, StateKind::Input, &inputs);
        Ok(quad)
    }

    /// The quad that the vector expects.
    fn expected(&self, start: &QuadState) -> Result<QuadState, VectorError> {
        let stage: Stage = self.stage.into();
        let mut outputs: Registers<OUTPUTS> = ByLane::new();
        let mut quad = start.clone();
        for (lane, registers) in &self.expect.outputs {
            for (register, words) in registers {
                match *register {
                    Written::Output(output) => {
                        let index = index(Agal::output(output, stage))?;
                        outputs.entry(*lane).or_default().insert(index, *words);
                    }
                    Written::Depth => quad.io.depth[0][lane.0] = words[0].0,
                }
            }
        }
        set(&mut quad, StateKind::Output, &outputs);
        quad.io.kill = self.expect.killed.map(|mask| mask.0);
        Ok(quad)
    }

    /// The text, and the instructions that its bytes become.
    pub(super) fn listing(&self) -> String {
        let text = self.text.join("\n");
        match agal::compile_bytes(&self.program.0, &Options::default()) {
            Ok(it) => format!("{text}\n--\n{}", it.program.listing().with_indices()),
            Err(error) => error.to_string(),
        }
    }
}

/// The number of a register as a key.
fn index<const N: usize>(register: Option<Reg>) -> Result<Index<N>, VectorError> {
    let number = register.map(Reg::index);
    let number = number.filter(|number| *number < N);
    number.map(Index).ok_or(VectorError::Register)
}
