//! [`Player`]: a program prepared by an engine, and the memory in which it runs.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use attila_shader::machine::{
    Bindings, ErrorChain, ExtendedQuadIo, PrepareError, QuadIo, QuadState, RunError,
    StatefulExecutable,
};
use attila_shader::texture::Textures;
use attila_shader::{Engine, Shader};

use super::{Form, Request, forms, guard, mapped};
use crate::case::Case;
use crate::counted::Counted;
use crate::generate::Named;
use crate::recorder::Recorder;

/// A program prepared in the ways in which it is run.
pub(super) struct Ready {
    shader: Option<Shader>,
    stateful: Option<Box<dyn StatefulExecutable>>,
    textures: Option<Textures>,
}

impl Ready {
    pub(super) fn new(
        engine: &Engine,
        case: &Case,
        textures: Option<Textures>,
    ) -> Result<Ready, String> {
        let forms = forms(case);
        let is_visible = forms.iter().any(|form| form.is_stateful());
        let is_shaded = forms.contains(&Form::Shading);
        let prepare = || {
            let shader = is_shaded.then(|| engine.prepare(&case.program));
            let stateful = is_visible.then(|| engine.prepare_stateful(&case.program));
            Ok::<_, PrepareError>(Ready {
                shader: shader.transpose()?,
                stateful: stateful.transpose()?,
                textures,
            })
        };
        prepare().map_err(|error| ErrorChain(&error).to_string())
    }
}

/// The smallest records that have a program's registers.
enum Records {
    Base(Vec<QuadIo>),
    Extended(Vec<ExtendedQuadIo>),
}

/// Memory for states, which are large, for the next case of the thread.
#[derive(Default)]
struct Spare(Vec<Vec<QuadState>>);

thread_local! {
    static SPARE: RefCell<Spare> = RefCell::default();
}

/// A program prepared by an engine, its memory, and what became of the last run.
pub(super) struct Player {
    ready: Ready,
    images: Option<Counted>,
    states: Vec<QuadState>,
    /// Whether a run did not come to its end, so that any word of a state may have changed.
    is_stale: bool,
    records: Records,
    /// How the run ended.
    pub(super) result: Result<(), RunError>,
    /// The words of each storage buffer.
    pub(super) storage: Vec<(usize, Vec<u32>)>,
    pub(super) requests: Vec<Request>,
    /// Samples that images were asked for in all runs.
    pub(super) asked: u64,
}

impl Player {
    pub(super) fn new(case: &Case, mut ready: Ready, start: &[QuadState]) -> Player {
        let mut states = SPARE.with_borrow_mut(|spare| spare.0.pop().unwrap_or_default());
        states.clear();
        if ready.stateful.is_some() {
            states.extend_from_slice(start);
        }
        let records = match QuadIo::check(case.program.usage()) {
            Ok(()) => Records::Base(Vec::new()),
            Err(_) => Records::Extended(Vec::new()),
        };
        Player {
            images: ready.textures.take().map(Counted::new),
            ready,
            states,
            is_stale: false,
            records,
            result: Ok(()),
            storage: Vec::new(),
            requests: Vec::new(),
            asked: 0,
        }
    }

    /// Runs some of the quads from the state of `start`.
    ///
    /// # Errors
    ///
    /// The message of a panic.
    pub(super) fn play(
        &mut self,
        case: &Case,
        named: &Named,
        form: Form,
        (start, quads): (&[QuadState], Range<usize>),
    ) -> Result<(), String> {
        match form.is_stateful() {
            true => self.begin(named, start, quads.clone()),
            false => self.records.begin(start),
        }
        let played = guard(|| {
            self.run(case, form, quads);
            Ok(())
        });
        self.is_stale |= played.is_err() || self.result.is_err();
        played
    }

    fn begin(&mut self, named: &Named, start: &[QuadState], quads: Range<usize>) {
        if std::mem::take(&mut self.is_stale) {
            self.states.clear();
            self.states.extend_from_slice(start);
            return;
        }
        for (state, start) in self.states[quads.clone()].iter_mut().zip(&start[quads]) {
            named.copy(start, state);
        }
    }

    fn run(&mut self, case: &Case, form: Form, quads: Range<usize>) {
        let recorder = Recorder::new(case.order);
        let bindings = case.bindings().with_attributes(&recorder);
        // For shading, inputs are as they stand.
        let bindings = match form.is_stateful() {
            true => bindings.with_inputs(&recorder),
            false => bindings,
        };
        let bindings = bindings.with_vertices(&recorder);
        let bindings = match &self.images {
            Some(images) => bindings.with_textures(images),
            None => bindings.with_textures(&recorder),
        };
        let Ready {
            shader, stateful, ..
        } = &self.ready;
        self.result = match (form.is_stateful(), shader, stateful) {
            (true, _, Some(stateful)) => stateful.run(&bindings, &mut self.states[quads]),
            (false, Some(shader), _) => self.records.run(form, shader, &bindings),
            (true, _, None) | (false, None, _) => Ok(()),
        };
        self.storage = contents(case, &bindings);
        self.requests = recorder.take();
        self.asked = self.images.as_ref().map_or(0, Counted::asked);
    }

    /// How the last run ended, in words.
    pub(super) fn ended(&self) -> Result<(), String> {
        let result = self.result.as_ref();
        result
            .copied()
            .map_err(|error| ErrorChain(error).to_string())
    }

    pub(super) fn state(&self, quad: usize) -> &QuadState {
        &self.states[quad]
    }

    /// The difference that `base` or `extended` finds between a record of this player and that of another.
    pub(super) fn record<T>(
        &self,
        other: &Player,
        quad: usize,
        base: impl Fn(&QuadIo, &QuadIo) -> Option<T>,
        extended: impl Fn(&ExtendedQuadIo, &ExtendedQuadIo) -> Option<T>,
    ) -> Option<T> {
        match (&self.records, &other.records) {
            (Records::Base(a), Records::Base(b)) => base(&a[quad], &b[quad]),
            (Records::Extended(a), Records::Extended(b)) => extended(&a[quad], &b[quad]),
            (Records::Base(_), Records::Extended(_)) | (Records::Extended(_), Records::Base(_)) => {
                unreachable!("the program decides on records")
            }
        }
    }

    /// Lanes whose fragment was killed.
    pub(super) fn killed(&self, form: Form, quads: Range<usize>) -> u64 {
        let count = |mask: attila_shader::machine::LaneMask| u64::from(mask.bits().count_ones());
        match (form.is_stateful(), &self.records) {
            (true, _) => {
                let states = self.states[quads].iter();
                states.map(|state| count(state.io.killed())).sum()
            }
            (false, Records::Base(quads)) => quads.iter().map(|quad| count(quad.killed())).sum(),
            (false, Records::Extended(quads)) => {
                quads.iter().map(|quad| count(quad.killed())).sum()
            }
        }
    }

    /// All quads as they are. After a run for shading, registers are 0.
    pub(super) fn finals(&self, form: Form) -> Vec<QuadState> {
        let shaded = |io| QuadState {
            io,
            ..QuadState::default()
        };
        match (form.is_stateful(), &self.records) {
            (true, _) => self.states.clone(),
            (false, Records::Base(quads)) => {
                quads.iter().map(|quad| shaded(quad.resized())).collect()
            }
            (false, Records::Extended(quads)) => quads.iter().cloned().map(shaded).collect(),
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let states = std::mem::take(&mut self.states);
        SPARE.with_borrow_mut(|spare| spare.0.push(states));
    }
}

impl Records {
    fn begin(&mut self, start: &[QuadState]) {
        match self {
            Records::Base(quads) => {
                quads.clear();
                quads.extend(start.iter().map(|quad| quad.io.resized()));
            }
            Records::Extended(quads) => {
                quads.clear();
                quads.extend(start.iter().map(|quad| quad.io.clone()));
            }
        }
    }

    fn run(
        &mut self,
        form: Form,
        shader: &Shader,
        bindings: &Bindings<'_>,
    ) -> Result<(), RunError> {
        match (form, self) {
            (Form::Columns, Records::Base(quads)) => mapped::run(shader, bindings, quads),
            (Form::Columns, Records::Extended(quads)) => mapped::run(shader, bindings, quads),
            (_, Records::Base(quads)) => shader.run(bindings, quads),
            (_, Records::Extended(quads)) => shader.run_extended(bindings, quads),
        }
    }
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
