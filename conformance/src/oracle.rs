//! The comparison: does a case end the same on all engines, however they are called?
//!
//! Every word of the state counts, and every question to textures and attributes. Two words are
//! the same if their bits are; where arithmetic may have made a NaN ([`NanFlow`](crate::NanFlow)), any NaN is the
//! same as any other.

mod difference;
mod mapped;
mod player;

use std::fmt;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use attila_shader::machine::{Bindings, ExtendedQuadIo, QuadIo, QuadState, RunError, StateWord};

use super::case::Case;
use super::dice::Dice;
use super::generate::Named;
pub use super::recorder::Request;
use super::recorder::{SplitMix, mix};
use super::report::summary;
use attila_shader::isa::Inputs;
use attila_shader::{Engine, Shader};
pub(crate) use difference::same;
use player::{Player, Ready};

/// A way in which an engine is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// All quads in one run with all registers visible.
    Registers,
    /// The same quad by quad; the order of questions to textures and attributes counts, too.
    OneByOne,
    /// All quads in one run for shading: registers start at 0, only results are visible.
    Shading,
    /// All lanes as elements of columns. A program that maps refuse is not run.
    Columns,
}

impl Form {
    /// All forms.
    pub const ALL: [Form; 4] = [
        Form::Registers,
        Form::OneByOne,
        Form::Shading,
        Form::Columns,
    ];

    /// Whether all registers are visible.
    const fn is_stateful(self) -> bool {
        match self {
            Form::Registers | Form::OneByOne => true,
            Form::Shading | Form::Columns => false,
        }
    }
}

/// The forms in which a case is run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Forms {
    /// All.
    #[default]
    All,
    /// Cases with all registers visible. Each engine compiles one form of the program.
    Visible,
    /// The one for shading. Each engine compiles one form of the program.
    Shading,
}

/// More sets of registers that a case is run on: the program is compiled once for all of them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Rounds {
    /// How many.
    pub count: u32,
    /// The seed of their values.
    pub seed: u32,
    /// The registers that have other values.
    pub fill: Fill,
}

/// Registers that have other values in each round.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Fill {
    /// All that the program names, and what has no name.
    #[default]
    Registers,
    /// Inputs: the others start as 0, as in a run for shading.
    Inputs,
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Form::Registers => "all quads in one run, registers visible",
            Form::OneByOne => "quad by quad, registers visible",
            Form::Shading => "all quads in one run, shading",
            Form::Columns => "all lanes as elements of columns",
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
    /// Quads of all rounds.
    pub quads: u64,
}

/// How a case is run: with images only for shading, as it is then that engines sample by themselves.
fn forms(case: &Case) -> &'static [Form] {
    let with_columns = case.rounds.count == 0 || case.rounds.seed % WITH_COLUMNS == 1;
    match (case.forms, case.textures.is_empty()) {
        (Forms::All, true) if with_columns => &Form::ALL,
        (Forms::All, true) => &[Form::Registers, Form::OneByOne, Form::Shading],
        (Forms::Visible, true) => &[Form::Registers, Form::OneByOne],
        (Forms::Shading, _) | (_, false) if with_columns => &[Form::Shading, Form::Columns],
        (Forms::Shading, _) | (_, false) => &[Form::Shading],
    }
}

/// Among so many cases with several rounds, one runs over columns, too, for which engines compile the program once more.
/// An odd seed shades.
const WITH_COLUMNS: u32 = 8;

/// Runs `case` on all engines, and compares the first with each of the others in every form.
///
/// # Errors
///
/// The first difference.
pub fn compare(case: &Case, engines: &[Engine]) -> Result<Agreement, Box<Divergence>> {
    if engines.is_empty() {
        return Ok(Agreement::default());
    }
    let textures = case.bound();
    let ready = engines
        .iter()
        .map(|engine| guard(|| Ready::new(engine, case, textures.clone())));
    let mut comparison = Comparison::new(case, engines);
    let mut players = comparison.players(ready.collect())?;
    comparison.first_round(&mut players)?;
    comparison.more_rounds(&mut players)?;
    Ok(comparison.agreement)
}

/// The comparison of a case.
struct Comparison<'a> {
    case: &'a Case,
    names: Vec<&'static str>,
    flow: super::nan_payload::NanFlow,
    named: Named,
    /// The quads before the run of the current round.
    start: Vec<QuadState>,
    agreement: Agreement,
}

/// How the states of quads are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Every word.
    All,
    /// The registers that the program names, and what has no name. Others stay what they are from round to round, so that
    /// a change shows in the last.
    Named,
}

impl<'a> Comparison<'a> {
    fn new(case: &'a Case, engines: &[Engine]) -> Comparison<'a> {
        Comparison {
            case,
            names: engines.iter().map(Engine::name).collect(),
            flow: case.nan_flow(Inputs::default()),
            named: Named::new(&case.program),
            start: case.quads.clone(),
            agreement: Agreement {
                quads: case.quads.len() as u64,
                ..Agreement::default()
            },
        }
    }

    /// The engines with the program prepared, if all could.
    fn players(&self, ready: Vec<Result<Ready, String>>) -> Result<Vec<Player>, Box<Divergence>> {
        let error = |number: usize| ready[number].as_ref().err().cloned();
        let failed = |number: &usize| error(0).is_some() || error(*number).is_some();
        if let Some(number) = (1..ready.len()).find(failed) {
            let messages = [error(0), error(number)];
            return Err(self.failed(number, forms(self.case)[0], messages));
        }
        let ready = ready.into_iter().flatten();
        Ok(ready
            .map(|ready| Player::new(self.case, ready, &self.start))
            .collect())
    }

    /// The quads of the case, in every form.
    fn first_round(&mut self, players: &mut [Player]) -> Result<(), Box<Divergence>> {
        let all = 0..self.start.len();
        for &form in forms(self.case) {
            match form {
                Form::Registers | Form::Shading | Form::Columns => {
                    self.step(players, form, all.clone(), Extent::All)?;
                }
                Form::OneByOne => {
                    for quad in all.clone() {
                        self.step(players, form, quad..quad + 1, Extent::All)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Other quads, all in one run.
    fn more_rounds(&mut self, players: &mut [Player]) -> Result<(), Box<Divergence>> {
        let rounds = self.case.rounds;
        for round in 0..rounds.count {
            let mut rng = SplitMix(mix(u64::from(rounds.seed) << 32 | u64::from(round)));
            let dice = &mut Dice::new(&mut rng);
            self.case.refill(&self.named, dice, &mut self.start);
            let extent = match round + 1 == rounds.count {
                true => Extent::All,
                false => Extent::Named,
            };
            let all = 0..self.start.len();
            for form in [Form::Registers, Form::Shading, Form::Columns] {
                if forms(self.case).contains(&form) {
                    self.step(players, form, all.clone(), extent)?;
                }
            }
            self.agreement.quads += self.start.len() as u64;
        }
        Ok(())
    }

    /// Runs some of the quads in a form on every engine.
    fn step(
        &mut self,
        players: &mut [Player],
        form: Form,
        quads: Range<usize>,
        extent: Extent,
    ) -> Result<(), Box<Divergence>> {
        let Some((first, others)) = players.split_first_mut() else {
            return Ok(());
        };
        let expected = first.play(self.case, &self.named, form, (&self.start, quads.clone()));
        self.agreement.add(first, form, quads.clone());
        for (number, other) in (1..).zip(others) {
            let got = other.play(self.case, &self.named, form, (&self.start, quads.clone()));
            if expected.is_err() || got.is_err() {
                let messages = [expected.clone().err(), got.err()];
                return Err(self.failed(number, form, messages));
            }
            self.agreement.called = self.agreement.called.max(other.asked);
            let pair = [&*first, &*other];
            let compared = difference::Compared {
                flow: &self.flow,
                named: &self.named,
                order: self.case.order,
                form,
                quads: quads.clone(),
                extent,
            };
            if let Some(difference) = compared.find(pair) {
                let finals = pair.map(|player| player.finals(form));
                return Err(self.diverge(number, form, difference, finals));
            }
        }
        Ok(())
    }

    fn failed(&self, number: usize, form: Form, messages: [Option<String>; 2]) -> Box<Divergence> {
        let difference = Difference::Failed { messages };
        self.diverge(number, form, difference, Default::default())
    }

    /// The difference between the first engine and another, on the quads of the current round.
    fn diverge(
        &self,
        number: usize,
        form: Form,
        difference: Difference,
        finals: [Vec<QuadState>; 2],
    ) -> Box<Divergence> {
        let case = Case {
            quads: self.start.clone(),
            rounds: Rounds::default(),
            forms: Forms::All,
            ..self.case.clone()
        };
        Box::new(Divergence {
            case,
            engines: [self.names[0], self.names[number]],
            form,
            difference,
            finals,
        })
    }
}

/// Runs `case` on one engine, all quads in one run: with all registers visible, or for shading if there are images.
///
/// # Errors
///
/// The engine's message, if the run did not come to its end.
pub fn run(case: &Case, engine: &Engine) -> Result<Vec<QuadState>, String> {
    let ready = guard(|| Ready::new(engine, case, case.bound()))?;
    let mut player = Player::new(case, ready, &case.quads);
    let form = match case.textures.is_empty() {
        true => Form::Registers,
        false => Form::Shading,
    };
    let (named, all) = (Named::new(&case.program), 0..case.quads.len());
    player.play(case, &named, form, (&case.quads, all))?;
    player.ended()?;
    Ok(player.finals(form))
}

/// The first difference in one line.
impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&summary(self))
    }
}

impl Agreement {
    /// Counts a run of the first engine.
    fn add(&mut self, player: &Player, form: Form, quads: Range<usize>) {
        self.loop_budget |= player.result.is_err();
        self.requests += player.requests.len() as u64;
        self.samples = player.asked;
        self.killed += player.killed(form, quads);
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

/// Shades quads in the smallest records that have the program's registers. Only their inputs and
/// results are left.
pub(crate) fn shade(
    shader: &Shader,
    bindings: &Bindings<'_>,
    quads: &mut [QuadState],
) -> Result<(), RunError> {
    let mut extended: Vec<ExtendedQuadIo> = quads.iter().map(|quad| quad.io.clone()).collect();
    let result = if QuadIo::check(shader.program().usage()).is_ok() {
        let mut base: Vec<QuadIo> = extended.iter().map(ExtendedQuadIo::resized).collect();
        let result = shader.run(bindings, &mut base);
        extended = base.iter().map(QuadIo::resized).collect();
        result
    } else {
        shader.run_extended(bindings, &mut extended)
    };
    for (quad, io) in quads.iter_mut().zip(extended) {
        *quad = QuadState {
            io,
            ..QuadState::default()
        };
    }
    result
}

#[cfg(test)]
mod tests {
    use attila_shader::isa::{Opcode, Program};
    use attila_shader::{Interp, ValidProgram};

    use super::*;
    use crate::altered::{self, altered};

    fn program(text: &str) -> ValidProgram {
        let program = Program::assemble(text).expect("it is a program");
        program.validate().expect("it is valid")
    }

    #[test]
    fn rounds_show_what_the_quads_of_a_case_do_not() {
        let fault = altered::Fault::Insts(|inst| {
            if inst.op == Opcode::Max {
                inst.op = Opcode::Min;
            }
        });
        let engines = [Engine::interp(), altered(Interp, fault)];
        let case = Case::new(program("max o1, i0, i1"));
        assert!(compare(&case, &engines).is_ok(), "all registers are 0");
        for seed in 0..2 {
            for fill in [Fill::Registers, Fill::Inputs] {
                let repeated = case.clone().repeated(seed, fill);
                let found = compare(&repeated, &engines).expect_err("they differ");
                assert_ne!(found.case.quads, case.quads);
                assert_eq!(found.case.rounds, Rounds::default());
                assert!(compare(&found.case, &engines).is_err());
            }
        }
    }

    #[test]
    fn a_run_that_does_not_end_leaves_the_next_round_its_start() {
        let text = "mov r0, i0\nloop: setpgt p0, i0.x, 0\njmp p0, loop\nmov o0, r0\nend";
        let case = Case {
            loop_budget: 3,
            ..Case::new(program(text))
        };
        for seed in 0..20 {
            let agreement = compare(
                &case.clone().repeated(seed, Fill::Registers),
                &Engine::all(),
            );
            assert_eq!(agreement.expect("they agree").quads, 4);
        }
    }
}
