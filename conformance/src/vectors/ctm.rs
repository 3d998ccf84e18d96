//! Vectors of CTM programs: a text, registers by lane, and the outputs; or a text and whether it is a program.
//!
//! Registers have the names of the language. All four components of an output are compared, and those that the
//! program does not write are 0. A NaN that arithmetic made is 7fffffff after the next operation; where a vector
//! says that one may have been moved before that, any NaN is as good as another.

use std::collections::BTreeMap;

use attila_shader::Engine;
use attila_shader::front::ctm::{self, Param, Translation};
use attila_shader::isa::{INPUTS, OUTPUTS};
use attila_shader::machine::{Bindings, QuadState, StateKind};
use serde::Deserialize;

use super::check::{Rule, Scope, compare};
use super::format::{ByLane, Index, Registers, Word, set};
use super::{VectorError, shade};

/// The groups of texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(super) enum Group {
    /// Programs.
    #[serde(rename = "text")]
    Text,
    /// Texts that may be wrong.
    #[serde(rename = "text-error")]
    Error,
}

/// A vector of a CTM text.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct CtmVector {
    /// Its name.
    pub id: String,
    group: Group,
    /// Whether small errors grow in it.
    #[serde(default)]
    pub sensitive: bool,
    /// Whether any NaN equals any other.
    #[serde(default)]
    loose_nan: bool,
    /// How far a result may be off, in units in the last place.
    #[serde(default)]
    ulp: u32,
    text: String,
    #[serde(default)]
    inputs: Registers<INPUTS>,
    #[serde(default)]
    constants: BTreeMap<u16, [Word; 4]>,
    expect: Expect,
}

/// What comes of it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Expect {
    /// The text is refused.
    Refuse,
    /// The text is a program.
    Ok,
    /// The outputs.
    Outputs(ByLane<BTreeMap<Output, [Word; 4]>>),
}

/// An output as a key: `o3`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(try_from = "String")]
struct Output(usize);

impl TryFrom<String> for Output {
    type Error = String;

    fn try_from(name: String) -> Result<Output, String> {
        let number = name.strip_prefix('o').and_then(|it| it.parse().ok());
        let number = number.filter(|number| *number < OUTPUTS);
        let number = number.ok_or_else(|| format!("`{name}` is not an output"));
        number.map(Output)
    }
}

impl CtmVector {
    /// The name of its group.
    pub(super) fn group(&self) -> &'static str {
        match self.group {
            Group::Text => "text",
            Group::Error => "text-error",
        }
    }

    /// Compiles the text, runs it, and says in what it did not end as expected.
    ///
    /// # Errors
    ///
    /// A text that should be a program is refused, or the run stopped.
    pub fn run(&self, engine: &Engine) -> Result<Vec<String>, VectorError> {
        let compiled = ctm::compile(&self.text);
        let outputs = match (&self.expect, compiled) {
            (Expect::Refuse, Err(_)) => return Ok(Vec::new()),
            (Expect::Refuse, Ok(_)) => return Ok(vec!["it is taken".to_owned()]),
            (Expect::Ok, Err(error)) => return Ok(vec![format!("it is refused: {error}")]),
            (Expect::Ok, Ok(translation)) => {
                engine.prepare(&translation.program.validate()?)?;
                return Ok(Vec::new());
            }
            (Expect::Outputs(outputs), compiled) => (outputs, compiled?),
        };
        self.run_translation(engine, outputs.0, &outputs.1)
    }

    fn run_translation(
        &self,
        engine: &Engine,
        outputs: &ByLane<BTreeMap<Output, [Word; 4]>>,
        translation: &Translation,
    ) -> Result<Vec<String>, VectorError> {
        let program = translation.program.clone().validate()?;
        let mut bindings = Bindings::new();
        for &(register, param) in &translation.params {
            let words = match param {
                Param::Constant(number) => {
                    let words = self.constants.get(&number).copied().unwrap_or_default();
                    words.map(|word| word.0)
                }
                Param::Words(words) => words,
            };
            bindings.set_constant_bits(register as usize, words);
        }
        let mut start = QuadState::default();
        set(&mut start, StateKind::Input, &self.inputs);
        let mut expected = start.clone();
        let outputs: Registers<OUTPUTS> = outputs
            .iter()
            .map(|(lane, registers)| {
                let registers = registers.iter();
                (
                    *lane,
                    registers.map(|(it, words)| (Index(it.0), *words)).collect(),
                )
            })
            .collect();
        set(&mut expected, StateKind::Output, &outputs);
        let rule = Rule::of(self.ulp == 0 && !self.loose_nan, self.ulp);

        let mut stateful = [start.clone()];
        engine
            .prepare_stateful(&program)?
            .run(&bindings, &mut stateful)?;
        let mut differences = compare(rule, &expected, &stateful[0], Scope::Results);
        let mut shaded = [start];
        shade(&engine.prepare(&program)?, &bindings, &mut shaded)?;
        let others = compare(rule, &expected, &shaded[0], Scope::Results);
        differences.extend(others.into_iter().map(|it| format!("shading: {it}")));
        Ok(differences)
    }

    /// The text, and the instructions that it becomes.
    pub(super) fn listing(&self) -> String {
        match ctm::compile(&self.text) {
            Ok(it) => format!("{}--\n{}", self.text, it.program.listing().with_indices()),
            Err(error) => format!("{}--\n{error}", self.text),
        }
    }
}
