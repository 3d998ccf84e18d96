//! Plays the samples of a vector to an AGAL program and notes what it asks.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use attila_shader::front::agal::{AgalProgram, Form, Sampler, Translation};
use attila_shader::isa::Opcode;
use attila_shader::machine::{
    LANES, LevelOfDetail, Lookup, QuadReg, TextureQuery, TextureUnit, from_floats,
};

use super::super::check::Rule;
use super::super::format::Index;
use super::super::player::same_word;
use super::format::{AgalVector, Request};

/// The most requests that are described. A program can make thousands.
const DESCRIBED: usize = 100;

/// Answers requests in their order.
pub(super) struct Player<'v> {
    vector: &'v AgalVector,
    /// The numbers of the requests that the translation should make.
    expected: Vec<usize>,
    /// The samplers of the translation.
    samplers: &'v [Sampler],
    log: Mutex<Log>,
}

#[derive(Default)]
struct Log {
    /// How many requests have been made.
    made: usize,
    /// In what they were not as expected.
    differences: Vec<String>,
}

/// The numbers of the requests in a vector that a translation should make. It does not make those whose
/// results nobody reads.
fn expected(vector: &AgalVector, program: &AgalProgram, translation: &Translation) -> Vec<usize> {
    let all = 0..vector.expect.texture_requests.len();
    let mut tokens = program.tokens.iter();
    if tokens.any(|token| token.opcode.info().form == Form::Compare) {
        // Requests may be of any instruction.
        return all.collect();
    }
    let insts = translation.program.insts().iter().enumerate();
    let lookups = insts.filter(|(_, inst)| matches!(inst.op, Opcode::Tex | Opcode::Txb));
    let kept: BTreeSet<usize> = lookups
        .filter_map(|(index, _)| Some(translation.program.span(index)?.start))
        .collect();
    let tokens = program.tokens.iter().filter(|it| it.sampler.is_some());
    let removed: BTreeSet<usize> = tokens
        .enumerate()
        .filter(|(_, token)| !kept.contains(&token.span.start))
        .map(|(number, _)| number)
        .collect();
    all.filter(|number| !removed.contains(number)).collect()
}

impl<'v> Player<'v> {
    pub(super) fn new(
        vector: &'v AgalVector,
        program: &AgalProgram,
        translation: &'v Translation,
    ) -> Player<'v> {
        Player {
            vector,
            expected: expected(vector, program, translation),
            samplers: &translation.textures,
            log: Mutex::default(),
        }
    }

    /// In what the requests were not as expected; requests that were not made among them.
    pub(super) fn differences(&self) -> Vec<String> {
        let log = self.log();
        let missing = self.expected.iter().skip(log.made);
        let missing = missing.map(|number| format!("request {number} was not made"));
        log.differences.iter().cloned().chain(missing).collect()
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks that a query is a request.
    fn check(&self, request: &Request, query: &TextureQuery) -> Result<(), String> {
        if request.unit != u16::from(query.unit) {
            return Err(format!(
                "is for unit {}, expected {}",
                query.unit, request.unit
            ));
        }
        let sampler = request.sampler();
        if !self.samplers.contains(&sampler) {
            let options = sampler.to_string();
            return Err(format!("has another sampler; expected <{options}>"));
        }
        let Lookup::Sample { coords, level, .. } = query.lookup else {
            return Err("is not a sample".to_owned());
        };
        let bias = match level {
            LevelOfDetail::Implicit => [0.0; LANES],
            LevelOfDetail::Bias(bias) => bias,
            LevelOfDetail::Explicit(_) | LevelOfDetail::Gradients(_) => {
                return Err("has a level of its own".to_owned());
            }
        };
        if bias != [sampler.level_bias(); LANES] {
            let expected = sampler.level_bias();
            return Err(format!("has the bias {}, expected {expected}", bias[0]));
        }
        for (Index(lane), expected) in &request.coords {
            let found = coords.map(|lanes| lanes[*lane].to_bits());
            let names = ["s", "t", "r"].into_iter().zip(found);
            for ((name, found), expected) in names.zip(expected) {
                same_word(self.rule(), name, *expected, found)
                    .map_err(|error| format!("{error} in lane {lane}"))?;
            }
        }
        Ok(())
    }

    fn rule(&self) -> Rule {
        Rule::of(self.vector.exact, self.vector.ulp)
    }
}

impl TextureUnit for Player<'_> {
    fn has_unit(&self, _unit: u8) -> bool {
        true
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        let mut log = self.log();
        let number = self.expected.get(log.made).copied();
        log.made += 1;
        let mut answer = [[0.0; LANES]; 4];
        let checked = match number {
            Some(number) => {
                let samples = self.vector.samples.get(number);
                for (Index(lane), words) in samples.into_iter().flatten() {
                    for (component, word) in answer.iter_mut().zip(words) {
                        component[*lane] = f32::from_bits(word.0);
                    }
                }
                let checked = self.check(&self.vector.expect.texture_requests[number], query);
                checked.map_err(|why| format!("request {number} {why}"))
            }
            None => Err(format!("request {} is one too many", log.made - 1)),
        };
        if let Err(difference) = checked
            && log.differences.len() < DESCRIBED
        {
            log.differences.push(difference);
        }
        from_floats(answer)
    }
}
