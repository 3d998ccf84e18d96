//! Differences: the first step at which two recordings, or a recording and an engine, do not agree.

use std::fmt;

use attila_isa::{Inst, Opcode, ValidProgram};
use attila_machine::{
    Bindings, LANES, LaneMask, Lanes, PrepareError, QuadState, RunError, StateWord,
};
use thiserror::Error;

use super::cone::Number;
use super::place::Place;
use super::{End, Limits, Recording};
use crate::Engine;

/// Where two ways through a program differ for the first time.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Difference {
    /// Another instruction comes, or other lanes execute it.
    Way {
        /// The step.
        step: usize,
    },
    /// A step makes another value.
    Value {
        /// The step.
        step: usize,
        /// The word.
        place: Place,
        /// The first lane in which it differs.
        lane: usize,
        /// Both words.
        values: [u32; 2],
    },
    /// One has ended before a step that the other has, or another way.
    End {
        /// The number of steps that both have.
        step: usize,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Way { step } => write!(f, "step {step}: they go different ways"),
            Difference::Value {
                step,
                place,
                lane,
                values: [a, b],
            } => {
                let (a, b) = (Number(*a), Number(*b));
                write!(f, "step {step}: {place}[{lane}] is {a} and {b}")
            }
            Difference::End { step } => write!(f, "one ends after step {step}"),
        }
    }
}

/// The first difference of two recordings: of two programs, or of two quads. NaNs are all the same.
pub fn difference(a: &Recording, b: &Recording) -> Option<Difference> {
    let common = a.len().min(b.len());
    for step in 0..common {
        let [one, other] = [a.step(step)?, b.step(step)?];
        if (one.pc, one.active) != (other.pc, other.active) {
            return Some(Difference::Way { step });
        }
        let changed = a.changes(step).chain(b.changes(step));
        for (place, _) in changed {
            let values = [a, b].map(|it| it.value_at(step + 1, place));
            if let Some(lane) = differing(values, one.active) {
                return Some(Difference::Value {
                    step,
                    place,
                    lane,
                    values: values.map(|value| value[lane]),
                });
            }
        }
    }
    let same_end = a.len() == b.len() && a.end() == b.end();
    (!same_end).then_some(Difference::End { step: common })
}

/// The first of some lanes in which two words differ.
fn differing([a, b]: [Lanes<u32>; 2], lanes: LaneMask) -> Option<usize> {
    let is_nan = |word: u32| f32::from_bits(word).is_nan();
    let differs = |lane: &usize| {
        let (a, b) = (a[*lane], b[*lane]);
        lanes.has(*lane) && a != b && !(is_nan(a) && is_nan(b))
    };
    (0..LANES).find(differs)
}

/// Why an engine could not be compared.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The engine cannot run the program with its registers visible.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// The run stopped.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// The first step after which an engine has another quad than a recording; `None` if it ends with the same one.
///
/// Engines do not stop between steps. While all lanes go the same way, the steps so far are a program of their own, and
/// the engine runs that: the first one that is too long to agree is the step. Where lanes part, each step's instruction
/// is run alone, on the recorded quad before it; a fault that needs more than one instruction is then not found, and the
/// difference is at the end.
///
/// # Errors
///
/// The engine cannot run the program, or stops.
pub fn engine_difference(
    recording: &Recording,
    engine: &Engine,
    bindings: &Bindings<'_>,
) -> Result<Option<Difference>, CompareError> {
    let engine = Compared {
        recording,
        engine,
        bindings,
    };
    let whole = engine.run(recording.program(), recording.state_at(0));
    let whole = match (whole, recording.end()) {
        (Err(CompareError::Run(error)), End::Stopped(same)) if error == *same => return Ok(None),
        (whole, _) => whole?,
    };
    let count = recording.len();
    let Some(found) = engine.differs(count, &whole, LaneMask::all()) else {
        return Ok(None);
    };
    let straight = recording.steps().all(|step| step.active == LaneMask::all());
    let earlier = match straight {
        true => engine.bisect()?,
        false => engine.one_by_one()?,
    };
    Ok(Some(earlier.unwrap_or(found)))
}

struct Compared<'a> {
    recording: &'a Recording,
    engine: &'a Engine,
    bindings: &'a Bindings<'a>,
}

impl Compared<'_> {
    fn run(&self, program: &ValidProgram, quad: QuadState) -> Result<QuadState, CompareError> {
        let mut quads = [quad];
        let executable = self.engine.prepare_stateful(program)?;
        executable.run(self.bindings, &mut quads)?;
        let [quad] = quads;
        Ok(quad)
    }

    /// The difference of a quad from the recorded one after `count` steps.
    fn differs(&self, count: usize, quad: &QuadState, lanes: LaneMask) -> Option<Difference> {
        let recorded = self.recording.state_at(count);
        StateWord::changed().find_map(|word| {
            let values = [word.get(&recorded), word.get(quad)];
            let lane = differing(values, lanes)?;
            Some(Difference::Value {
                step: count.saturating_sub(1),
                place: word.into(),
                lane,
                values: values.map(|value| value[lane]),
            })
        })
    }

    /// The first step after which the steps so far, as a program, give another quad.
    fn bisect(&self) -> Result<Option<Difference>, CompareError> {
        let (mut same, mut other) = (0, self.recording.len());
        let mut found = None;
        while same < other {
            let middle = same + (other - same) / 2;
            match self.after(middle + 1)? {
                Some(difference) => (other, found) = (middle, Some(difference)),
                None => same = middle + 1,
            }
        }
        Ok(found)
    }

    /// The difference after so many steps that are a program.
    fn after(&self, count: usize) -> Result<Option<Difference>, CompareError> {
        let steps = self.recording.steps().take(count);
        let steps = steps.filter(|step| step.inst.op != Opcode::Jmp);
        let Some(program) = self.with_insts(steps.map(|step| *step.inst).collect()) else {
            return Ok(None);
        };
        let quad = self.run(&program, self.recording.state_at(0))?;
        Ok(self.differs(count, &quad, LaneMask::all()))
    }

    /// A program of these instructions, one after the other.
    fn with_insts(&self, mut insts: Vec<Inst>) -> Option<ValidProgram> {
        for inst in &mut insts {
            inst.end = false;
            if inst.op == Opcode::End {
                *inst = Inst::new(Opcode::Nop);
            }
        }
        insts.last_mut()?.end = true;
        let program = self.recording.program().program().with_insts(insts).ok()?;
        program.validate().ok()
    }

    /// The first step whose instruction alone gives another quad.
    fn one_by_one(&self) -> Result<Option<Difference>, CompareError> {
        for step in self.recording.steps() {
            let has_memory = step.inst.scratch().is_some() || step.inst.storage().is_some();
            let Some(program) = self.with_insts(vec![*step.inst]) else {
                continue;
            };
            if step.inst.op == Opcode::Jmp || has_memory {
                continue;
            }
            let quad = self.run(&program, self.recording.state_at(step.number))?;
            let found = self.differs(step.number + 1, &quad, step.active);
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

impl Recording {
    /// A recording of the same quad with other bindings or another program.
    ///
    /// # Errors
    ///
    /// As [`Recording::of`].
    pub fn again(
        &self,
        program: &ValidProgram,
        bindings: &Bindings<'_>,
    ) -> Result<Recording, RunError> {
        Recording::of(program, bindings, &self.start, Limits::default())
    }
}
