//! The comparison: does a case end the same on two engines, however they are called?
//!
//! Every word of the state counts, and every question to textures and attributes. Two words are
//! the same if their bits are; where arithmetic may have made a NaN ([`NanFlow`]), any NaN is the
//! same as any other.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use attila_shader::machine::{
    ErrorChain, Meaning, QuadIo, QuadState, RunError, StateWord, StatefulExecutable,
};

use super::case::Case;
use super::payload::NanFlow;
use super::units::Recorder;
pub use super::units::Request;
use attila_shader::{Engine, Shader};

/// A way in which an engine is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// All quads in one run with all registers visible.
    Registers,
    /// The same quad by quad; the order of questions to textures and attributes counts, too.
    OneByOne,
    /// All quads in one run for shading: registers start at 0, only results are visible.
    Shading,
}

impl Form {
    /// All forms.
    pub const ALL: [Form; 3] = [Form::Registers, Form::OneByOne, Form::Shading];
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Form::Registers => "all quads in one run, registers visible",
            Form::OneByOne => "quad by quad, registers visible",
            Form::Shading => "all quads in one run, shading",
        })
    }
}

/// The first thing that is not the same. Pairs are in the order of the engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// An engine could not prepare the program, or panicked.
    Failed {
        /// What it said; `None` for an engine that was content.
        messages: [Option<String>; 2],
    },
    /// The runs ended differently.
    End {
        /// The first quad of the run: not 0 if quads were run one by one.
        quad: usize,
        /// How they ended.
        results: [Result<(), RunError>; 2],
    },
    /// A word of the final state.
    Word {
        /// The quad.
        quad: usize,
        /// The lane.
        lane: usize,
        /// The word.
        word: StateWord,
        /// The words.
        words: [u32; 2],
    },
    /// A question to textures or attributes.
    Request {
        /// Its number within the run.
        number: usize,
        /// The questions; `None` for an engine that asked no more.
        requests: [Option<Request>; 2],
    },
}

/// A case that does not end the same on two engines.
#[derive(Clone, PartialEq, Debug)]
pub struct Divergence {
    /// The case.
    pub case: Case,
    /// The names of the engines.
    pub engines: [&'static str; 2],
    /// How they were called when they first differed.
    pub form: Form,
    /// In what they first differed.
    pub difference: Difference,
    /// The final states; empty if an engine failed. After a run for shading, registers are 0.
    pub finals: [Vec<QuadState>; 2],
}

/// What a case did when all engines agreed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Agreement {
    /// Whether a lane used up its loop budget.
    pub loop_budget: bool,
    /// Questions to textures and attributes.
    pub requests: usize,
    /// Lanes whose fragment was killed.
    pub killed: usize,
}

/// Runs `case` on both engines and compares them in every form.
///
/// # Errors
///
/// The first difference.
pub fn compare(case: &Case, engines: [&Engine; 2]) -> Result<Agreement, Box<Divergence>> {
    let diverge = |form, difference, finals| {
        Box::new(Divergence {
            case: case.clone(),
            engines: engines.map(Engine::name),
            form,
            difference,
            finals,
        })
    };
    let flow = NanFlow::new(case.program.program());
    let failed = |messages| Difference::Failed { messages };
    let [first, second] = engines.map(|engine| guard(|| Prepared::new(engine, case)));
    let (first, second) = match (first, second) {
        (Ok(first), Ok(second)) => (first, second),
        (first, second) => {
            let messages = [first.err(), second.err()];
            return Err(diverge(
                Form::Registers,
                failed(messages),
                Default::default(),
            ));
        }
    };
    let mut agreement = Agreement::default();
    for form in Form::ALL {
        let run = |prepared: &Prepared| guard(|| Ok(prepared.run(case, form)));
        match (run(&first), run(&second)) {
            (Ok(a), Ok(b)) => {
                if let Some(difference) = difference(form, &flow, &a, &b) {
                    let finals = [a, b].map(final_quads);
                    return Err(diverge(form, difference, finals));
                }
                agreement.add(&a);
            }
            (a, b) => {
                let messages = [a.err(), b.err()];
                return Err(diverge(form, failed(messages), Default::default()));
            }
        }
    }
    Ok(agreement)
}

/// Runs `case` on one engine, all quads in one run with all registers visible.
///
/// # Errors
///
/// What the engine said, if the run did not come to its end.
pub fn run(case: &Case, engine: &Engine) -> Result<Vec<QuadState>, String> {
    guard(|| {
        let prepared = Prepared::new(engine, case)?;
        let outcome = prepared.registers(case, 0, case.quads.clone());
        outcome
            .result
            .map_err(|error| ErrorChain(&error).to_string())?;
        Ok(outcome.quads)
    })
}

impl Agreement {
    fn add(&mut self, outcomes: &[Outcome]) {
        for outcome in outcomes {
            self.loop_budget |= outcome.result.is_err();
            self.requests += outcome.requests.len();
            let killed = outcome.quads.iter().map(|quad| quad.io.killed().bits());
            self.killed += killed.map(|mask| mask.count_ones() as usize).sum::<usize>();
        }
    }
}

/// Calls into an engine; an error or a panic becomes its message.
pub(super) fn guard<T>(call: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("panic: {}", text.unwrap_or("without a message")))
    })
}

/// A program prepared in both ways.
struct Prepared {
    shader: Shader,
    stateful: Box<dyn StatefulExecutable>,
}

/// How a run ended.
struct Outcome {
    first_quad: usize,
    result: Result<(), RunError>,
    quads: Vec<QuadState>,
    requests: Vec<Request>,
}

impl Prepared {
    fn new(engine: &Engine, case: &Case) -> Result<Prepared, String> {
        let prepare = || {
            Ok::<_, attila_shader::machine::PrepareError>(Prepared {
                shader: engine.prepare(&case.program)?,
                stateful: engine.prepare_stateful(&case.program)?,
            })
        };
        prepare().map_err(|error| ErrorChain(&error).to_string())
    }

    /// Runs the case in the given form: one outcome, or one for each quad.
    fn run(&self, case: &Case, form: Form) -> Vec<Outcome> {
        match form {
            Form::Registers => vec![self.registers(case, 0, case.quads.clone())],
            Form::OneByOne => {
                let quads = case.quads.iter().enumerate();
                quads
                    .map(|(index, quad)| self.registers(case, index, vec![quad.clone()]))
                    .collect()
            }
            Form::Shading => vec![self.shading(case)],
        }
    }

    fn registers(&self, case: &Case, first_quad: usize, mut quads: Vec<QuadState>) -> Outcome {
        let recorder = Recorder::default();
        let bindings = case.bindings();
        let bindings = bindings.with_textures(&recorder).with_attributes(&recorder);
        let result = self.stateful.run(&bindings, &mut quads);
        Outcome {
            first_quad,
            result,
            quads,
            requests: recorder.take(),
        }
    }

    fn shading(&self, case: &Case) -> Outcome {
        let recorder = Recorder::default();
        let bindings = case.bindings();
        let bindings = bindings.with_textures(&recorder).with_attributes(&recorder);
        let mut quads: Vec<QuadIo> = case.quads.iter().map(|quad| quad.io.clone()).collect();
        let result = self.shader.run(&bindings, &mut quads);
        let with_registers = |io| QuadState {
            io,
            ..QuadState::default()
        };
        Outcome {
            first_quad: 0,
            result,
            quads: quads.into_iter().map(with_registers).collect(),
            requests: recorder.take(),
        }
    }
}

fn final_quads(outcomes: Vec<Outcome>) -> Vec<QuadState> {
    outcomes
        .into_iter()
        .flat_map(|outcome| outcome.quads)
        .collect()
}

fn difference(form: Form, flow: &NanFlow, a: &[Outcome], b: &[Outcome]) -> Option<Difference> {
    a.iter()
        .zip(b)
        .find_map(|(a, b)| outcome_difference(form, flow, a, b))
}

fn outcome_difference(form: Form, flow: &NanFlow, a: &Outcome, b: &Outcome) -> Option<Difference> {
    if a.result != b.result {
        return Some(Difference::End {
            quad: a.first_quad,
            results: [a.result.clone(), b.result.clone()],
        });
    }
    let complete = match &a.result {
        Ok(()) => a.quads.len(),
        Err(RunError::LoopBudget { quad, .. }) => *quad,
        // Nothing ran: what was there must still be there.
        Err(_) => a.quads.len(),
    };
    let quads = a.quads.iter().zip(&b.quads).take(complete).enumerate();
    for (index, (one, other)) in quads {
        if let Some((word, lane, words)) = word_difference(flow, one, other) {
            return Some(Difference::Word {
                quad: a.first_quad + index,
                lane,
                word,
                words,
            });
        }
    }
    if a.result.is_err() {
        // How far the quads after the failing one came is unspecified.
        return None;
    }
    request_difference(form, &a.requests, &b.requests)
}

/// Quads that run together may ask in any order among each other.
fn request_difference(form: Form, a: &[Request], b: &[Request]) -> Option<Difference> {
    let in_order = |requests: &[Request]| {
        let mut requests = requests.to_vec();
        match form {
            Form::OneByOne => {}
            Form::Registers | Form::Shading => requests.sort_unstable(),
        }
        requests
    };
    let (a, b) = (in_order(a), in_order(b));
    let number = (0..a.len().max(b.len())).find(|&n| a.get(n) != b.get(n))?;
    Some(Difference::Request {
        number,
        requests: [a.get(number).copied(), b.get(number).copied()],
    })
}

fn word_difference(
    flow: &NanFlow,
    a: &QuadState,
    b: &QuadState,
) -> Option<(StateWord, usize, [u32; 2])> {
    if a == b {
        return None;
    }
    StateWord::changed().find_map(|word| {
        let (a, b) = (word.get(a), word.get(b));
        let lane = (0..a.len()).find(|&lane| !same(flow, word, a[lane], b[lane]))?;
        Some((word, lane, [a[lane], b[lane]]))
    })
}

/// Whether two values of a word count as the same.
pub(crate) fn same(flow: &NanFlow, word: StateWord, a: u32, b: u32) -> bool {
    let by_class = match word.register() {
        Some((reg, c)) => flow.components(reg).has(c),
        None => word.name().meaning() == Meaning::Float,
    };
    a == b || (by_class && f32::from_bits(a).is_nan() && f32::from_bits(b).is_nan())
}
