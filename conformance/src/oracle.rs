//! The comparison: does a case end the same on all engines, however they are called?
//!
//! Every word of the state counts, and every question to textures and attributes. Two words are
//! the same if their bits are; where arithmetic may have made a NaN ([`NanFlow`]), any NaN is the
//! same as any other.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;

use attila_shader::isa::Inputs;
use attila_shader::machine::{
    Bindings, ErrorChain, Meaning, QuadIo, QuadState, RunError, StateWord, StatefulExecutable,
    WideQuadIo,
};
use attila_shader::texture::Textures;

use super::case::Case;
use super::images::Counted;
use super::nan_payload::NanFlow;
use super::recorder::Recorder;
pub use super::recorder::Request;
use super::report::summary;
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
        /// The messages; `None` for an engine without one.
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
    /// A word of a storage buffer.
    Storage {
        /// The buffer.
        buffer: usize,
        /// The number of the word.
        index: usize,
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

/// Counts of a case on which all engines agreed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Agreement {
    /// Whether a lane used up its loop budget.
    pub loop_budget: bool,
    /// Questions to textures and attributes that are a formula.
    pub requests: u64,
    /// Lanes whose fragment was killed.
    pub killed: u64,
    /// Samples for a quad that `engines[0]` asked images for: all that there are, if it is the interpreter.
    pub samples: u64,
    /// The most that another engine asked for. It made the rest by code of its own.
    pub called: u64,
}

/// How a case is run: with images only for shading, as it is then that engines sample by themselves.
fn forms(case: &Case) -> &'static [Form] {
    match case.textures.is_empty() {
        true => &Form::ALL,
        false => &[Form::Shading],
    }
}

/// Runs `case` on all engines and compares the first with each of the others in every form.
///
/// # Errors
///
/// The first difference.
pub fn compare(case: &Case, engines: &[Engine]) -> Result<Agreement, Box<Divergence>> {
    let mut agreement = Agreement::default();
    let Some((first, others)) = engines.split_first() else {
        return Ok(agreement);
    };
    let textures = case.bound();
    let prepare = |engine| guard(|| Prepared::new(engine, case, textures.clone()));
    let reference = prepare(first).map(|prepared| {
        let forms = forms(case).iter();
        let runs = forms.map(|&form| (form, prepared.guarded(case, form)));
        runs.collect::<Vec<_>>()
    });
    for other in others {
        let names = [first.name(), other.name()];
        let called = compare_two(case, names, &reference, prepare(other))?;
        agreement.called = agreement.called.max(called);
    }
    for (_, outcomes) in reference.into_iter().flatten() {
        agreement.add(&outcomes.unwrap_or_default());
    }
    Ok(agreement)
}

/// Compares the runs of the first engine with those of another. Returns the samples that the other asked images for.
fn compare_two(
    case: &Case,
    engines: [&'static str; 2],
    runs: &Result<Vec<Run>, String>,
    prepared: Result<Prepared, String>,
) -> Result<u64, Box<Divergence>> {
    let flow = case.nan_flow(Inputs::default());
    let diverge = |form, difference, finals| {
        Box::new(Divergence {
            case: case.clone(),
            engines,
            form,
            difference,
            finals,
        })
    };
    let failed =
        |form, messages| diverge(form, Difference::Failed { messages }, Default::default());
    let (runs, prepared) = match (runs, prepared) {
        (Ok(runs), Ok(prepared)) => (runs, prepared),
        (runs, prepared) => {
            let messages = [runs.as_ref().err().cloned(), prepared.err()];
            return Err(failed(Form::Registers, messages));
        }
    };
    let mut called = 0;
    for (form, expected) in runs {
        match (expected, prepared.guarded(case, *form)) {
            (Ok(a), Ok(b)) => {
                called += b.iter().map(|outcome| outcome.asked).sum::<u64>();
                if let Some(difference) = difference(*form, &flow, a, &b) {
                    let finals = [a, &b].map(|outcomes| final_quads(outcomes));
                    return Err(diverge(*form, difference, finals));
                }
            }
            (a, b) => return Err(failed(*form, [a.as_ref().err().cloned(), b.err()])),
        }
    }
    Ok(called)
}

/// Runs `case` on one engine, all quads in one run: with all registers visible, or for shading if there are images.
///
/// # Errors
///
/// The engine's message, if the run did not come to its end.
pub fn run(case: &Case, engine: &Engine) -> Result<Vec<QuadState>, String> {
    guard(|| {
        let prepared = Prepared::new(engine, case, case.bound())?;
        let outcome = match case.textures.is_empty() {
            true => prepared.registers(case, 0, case.quads.clone()),
            false => prepared.shading(case),
        };
        outcome
            .result
            .map_err(|error| ErrorChain(&error).to_string())?;
        Ok(outcome.quads)
    })
}

/// The first difference in one line.
impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&summary(self))
    }
}

impl Agreement {
    fn add(&mut self, outcomes: &[Outcome]) {
        for outcome in outcomes {
            self.loop_budget |= outcome.result.is_err();
            self.requests += outcome.requests.len() as u64;
            self.samples += outcome.asked;
            let killed = outcome.quads.iter().map(|quad| quad.io.killed().bits());
            self.killed += killed.map(|mask| u64::from(mask.count_ones())).sum::<u64>();
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

/// A program prepared in the ways in which it is run.
struct Prepared {
    shader: Shader,
    stateful: Option<Box<dyn StatefulExecutable>>,
    textures: Option<Textures>,
}

/// A form, and how its runs ended.
type Run = (Form, Result<Vec<Outcome>, String>);

/// How a run ended.
struct Outcome {
    first_quad: usize,
    result: Result<(), RunError>,
    quads: Vec<QuadState>,
    /// The words of each storage buffer.
    storage: Vec<(usize, Vec<u32>)>,
    requests: Vec<Request>,
    /// Samples that images were asked for.
    asked: u64,
}

impl Prepared {
    fn new(engine: &Engine, case: &Case, textures: Option<Textures>) -> Result<Prepared, String> {
        let is_stateful = forms(case).contains(&Form::Registers);
        let prepare = || {
            let stateful = is_stateful.then(|| engine.prepare_stateful(&case.program));
            Ok::<_, attila_shader::machine::PrepareError>(Prepared {
                shader: engine.prepare(&case.program)?,
                stateful: stateful.transpose()?,
                textures,
            })
        };
        prepare().map_err(|error| ErrorChain(&error).to_string())
    }

    /// As [`Prepared::run`]; a panic becomes its message.
    fn guarded(&self, case: &Case, form: Form) -> Result<Vec<Outcome>, String> {
        guard(|| Ok(self.run(case, form)))
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

    fn registers(&self, case: &Case, first_quad: usize, quads: Vec<QuadState>) -> Outcome {
        self.outcome(
            case,
            first_quad,
            quads,
            true,
            |bindings, quads| match &self.stateful {
                Some(stateful) => stateful.run(bindings, quads),
                None => Ok(()),
            },
        )
    }

    fn shading(&self, case: &Case) -> Outcome {
        // Inputs are as they stand.
        self.outcome(case, 0, case.quads.clone(), false, |bindings, quads| {
            shade(&self.shader, bindings, quads)
        })
    }

    /// Runs `quads` with everything bound, at times without what evaluates inputs.
    fn outcome(
        &self,
        case: &Case,
        first_quad: usize,
        mut quads: Vec<QuadState>,
        evaluates: bool,
        run: impl Fn(&Bindings<'_>, &mut [QuadState]) -> Result<(), RunError>,
    ) -> Outcome {
        let recorder = Recorder::default();
        let images = self.textures.clone().map(Counted::new);
        let bindings = case.bindings().with_attributes(&recorder);
        let bindings = match evaluates {
            true => bindings.with_inputs(&recorder),
            false => bindings,
        };
        let bindings = bindings.with_vertices(&recorder);
        let bindings = match &images {
            Some(images) => bindings.with_textures(images),
            None => bindings.with_textures(&recorder),
        };
        Outcome {
            first_quad,
            result: run(&bindings, &mut quads),
            quads,
            storage: contents(case, &bindings),
            requests: recorder.take(),
            asked: images.as_ref().map_or(0, Counted::asked),
        }
    }
}

/// Shades quads in the smallest records that have the program's registers. Only their inputs and
/// results are left.
pub(crate) fn shade(
    shader: &Shader,
    bindings: &Bindings<'_>,
    quads: &mut [QuadState],
) -> Result<(), RunError> {
    let mut wide: Vec<WideQuadIo> = quads.iter().map(|quad| quad.io.clone()).collect();
    let result = if QuadIo::check(shader.program().usage()).is_ok() {
        let mut narrow: Vec<QuadIo> = wide.iter().map(WideQuadIo::resized).collect();
        let result = shader.run(bindings, &mut narrow);
        wide = narrow.iter().map(QuadIo::resized).collect();
        result
    } else {
        shader.run_wide(bindings, &mut wide)
    };
    for (quad, io) in quads.iter_mut().zip(wide) {
        *quad = QuadState {
            io,
            ..QuadState::default()
        };
    }
    result
}

fn final_quads(outcomes: &[Outcome]) -> Vec<QuadState> {
    let quads = outcomes.iter().flat_map(|outcome| &outcome.quads);
    quads.cloned().collect()
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
    storage_difference(a, b).or_else(|| request_difference(form, &a.requests, &b.requests))
}

/// The words of the case's storage buffers after a run.
fn contents(case: &Case, bindings: &Bindings<'_>) -> Vec<(usize, Vec<u32>)> {
    let words = |buffer| {
        let words = bindings.storage(buffer).iter();
        words.map(|word| word.load(Relaxed)).collect()
    };
    let buffers = case.storage.keys();
    buffers.map(|&buffer| (buffer, words(buffer))).collect()
}

fn storage_difference(a: &Outcome, b: &Outcome) -> Option<Difference> {
    let mut buffers = a.storage.iter().zip(&b.storage);
    buffers.find_map(|((buffer, a), (_, b))| {
        let index = (0..a.len()).find(|&index| a[index] != b[index])?;
        Some(Difference::Storage {
            buffer: *buffer,
            index,
            words: [a[index], b[index]],
        })
    })
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
        requests: [a.get(number).cloned(), b.get(number).cloned()],
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
