//! The row of CTM programs: random texts (`generate`), damaged ones (`mutate`), and an evaluator of programs
//! (`evaluator`).

mod evaluator;
mod generate;
mod mutate;

use std::collections::BTreeSet;

use attila_shader::Engine;
use attila_shader::front::ctm::{self, CtmProgram, File, Param, Register, Translation};
use attila_shader::isa::{Program, ValidProgram};
use attila_shader::machine::{Bindings, ExtendedQuadIo, from_lanes};

use super::{Refused, TextLanguage, Translated, compare, run};
use crate::dice::Dice;
use crate::recorder::SplitMix;
use crate::values;
use evaluator::evaluate;
use mutate::damaged;

pub use generate::program;
pub use mutate::{PIECES, PROGRAMS};

/// CTM programs.
pub(super) const LANGUAGE: TextLanguage = TextLanguage {
    name: "CTM",
    word: "ctm",
    valid: 50,
    generate: program,
    damage: damaged,
    compile: |text| Ok(Box::new(Compiled::new(text)?)),
};

/// The values of a quad and of the constants.
#[derive(Clone, Copy)]
struct World {
    seed: u32,
}

impl World {
    /// A register that comes in, in a lane. Constants are the same in all.
    fn register(self, register: Register, lane: usize) -> [u32; 4] {
        let lane = match register.file {
            File::Constant => 0,
            File::Temporary | File::Input | File::Output => lane,
        };
        let mut rng = SplitMix::named(self.seed, &format!("{register} {lane}"));
        let mut dice = Dice::new(&mut rng);
        std::array::from_fn(|_| match dice.below(8) {
            // Where sines, cosines and choices are exact.
            0 => (dice.between(-16, 16) as f32 * 0.25).to_bits(),
            1 => extreme(&mut dice),
            2 => values::denormal(&mut dice),
            _ => values::float(&mut dice),
        })
    }
}

/// A number of which a factor makes an infinity or a denormal, or nearly so.
fn extreme(dice: &mut Dice<'_>) -> u32 {
    let exponent = match dice.percent(50) {
        true => dice.below(5),
        false => 254 - dice.below(5),
    };
    (exponent as u32) << 23 | dice.word() & 0x807f_ffff
}

/// A program, and its translation.
struct Compiled {
    program: CtmProgram,
    translation: Translation,
}

impl Compiled {
    fn new(text: &str) -> Result<Compiled, Refused> {
        let refused = |error| Refused {
            error,
            wrongly: None,
        };
        Ok(Compiled {
            program: ctm::parse(text).map_err(refused)?,
            translation: ctm::compile(text).map_err(refused)?,
        })
    }

    /// The outputs that the text writes.
    fn outputs(&self) -> BTreeSet<Register> {
        let halves = self.program.lines.iter().flat_map(|line| line.halves());
        let written = halves.flat_map(|half| &half.destination);
        let written = written.map(|destination| destination.register);
        let outputs = written.filter(|register| register.file == File::Output);
        outputs.collect()
    }

    /// The quad before the run.
    fn quad(&self, world: World) -> ExtendedQuadIo {
        let mut quad = ExtendedQuadIo::default();
        for &(input, number) in &self.translation.inputs {
            let register = Register {
                file: File::Input,
                number: input.0.into(),
            };
            let lanes = [0, 1, 2, 3].map(|lane| world.register(register, lane));
            quad.inputs[usize::from(number)] = from_lanes(lanes);
        }
        quad
    }
}

impl Translated for Compiled {
    fn program(&self) -> &Program {
        &self.translation.program
    }

    fn opcodes(&self) -> Vec<&'static str> {
        let halves = self.program.lines.iter().flat_map(|line| line.halves());
        halves.map(|half| half.opcode.info().name).collect()
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

    fn evaluate(
        &self,
        program: &ValidProgram,
        engines: &[Engine],
        seed: u32,
    ) -> Result<usize, String> {
        let world = World { seed };
        let expected = evaluate(&self.program, world);
        let mut bindings = Bindings::new();
        for &(register, param) in &self.translation.params {
            let words = match param {
                Param::Constant(number) => {
                    let file = File::Constant;
                    world.register(Register { file, number }, 0)
                }
                Param::Words(words) => words,
            };
            bindings.set_constant_bits(register as usize, words);
        }
        let run = |shader: &_| run(shader, &bindings, self.quad(world));
        compare(program, engines, run, |quad, lane| {
            self.outputs().into_iter().find_map(|output| {
                let found = &quad.outputs[usize::from(output.number)];
                let found = [0, 1, 2, 3].map(|n| found[n][lane]);
                let expected = expected.register(output, lane);
                let is_right = expected.iter().zip(found).all(|(it, word)| it.is(word));
                let expected = expected.map(|it| it.bits);
                (!is_right).then(|| format!("{output} is {found:08x?}, not {expected:08x?}"))
            })
        })?;
        Ok(4)
    }
}

#[cfg(test)]
mod tests {
    use attila_shader::front::ctm::{Select, Value};

    use super::*;
    use crate::dice::case_rng;

    #[test]
    fn a_tenth_of_the_inputs_and_constants_that_halves_read_are_denormals() {
        let (mut read, mut denormal) = (0, 0);
        for index in 0..300 {
            let mut rng = case_rng(1, index);
            let mut dice = Dice::new(&mut rng);
            let program = ctm::parse(&program(&mut dice)).expect("it keeps all rules");
            let registers = evaluate(&program, World { seed: dice.word() });
            let halves = program.lines.iter().flat_map(|line| line.halves());
            for source in halves.flat_map(|half| &half.sources) {
                let Value::Register(register) = source.value else {
                    continue;
                };
                if !matches!(register.file, File::Input | File::Constant) {
                    continue;
                }
                for select in source.select {
                    let Select::Component(component) = select else {
                        continue;
                    };
                    let number = registers.register(register, 0)[component.index()];
                    read += 1;
                    denormal += usize::from(f32::from_bits(number.bits).is_subnormal());
                }
            }
        }
        assert!(
            read > 3000 && denormal * 10 > read,
            "{denormal} of {read} operands"
        );
    }
}
