//! Recordings: a quad's way through its program, to be looked at step by step, forwards and backwards.
//!
//! [`Recording::of`] runs a program on a quad with the interpreter, which agrees with the JIT bit for bit, and keeps of
//! each step the instruction, the lanes that executed it, the words that it changed, and what it asked of textures,
//! attributes and memory. [`Recording::state_at`] is the quad before any step. Queries go from a value to where it comes
//! from: [`Recording::last_write`], and the [`Cone`] of all that it is made of.
//!
//! ```
//! use attila_shader::debug::{Limits, Place, Recording};
//! use attila_shader::machine::QuadState;
//! use attila_shader::{Bindings, Program};
//!
//! let program = Program::assemble("add r0.x, i1.x, c0.x \n rcp r0.y, r0.x \n mov o1, r0.y")?.validate()?;
//! let bindings = Bindings::new();
//! let recording = Recording::of(&program, &bindings, &QuadState::default(), Limits::default())?;
//! let red: Place = "o1.x".parse()?;
//! assert_eq!(recording.value_at(3, red), [f32::INFINITY.to_bits(); 4]);
//! assert_eq!(recording.first_special(0), Some(1)); // 1/0
//! println!("{}", recording.cone(red, 0, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The quad of a pixel comes from a [history](crate::draw::Watch).

mod condition;
mod cone;
mod difference;
mod event;
mod place;
mod query;
mod reads;
mod record;
mod replay;
mod source;

use attila_isa::{CONSTANTS, Inst, ValidProgram};
use attila_machine::{LaneMask, Lanes, QuadState, RunError};
use attila_texture::Textures;

pub use condition::{Condition, ConditionError};
pub use cone::{Cone, Node, Origin};
pub use difference::{Difference, difference, engine_difference};
pub use event::{Event, TextureRequest};
pub use place::{Place, PlaceError};
pub use query::{Parting, Special};
pub use source::{Position, Source};

use place::Places;
use query::Index;

/// Steps between two snapshots.
const SNAPSHOT: usize = 256;

/// How much is recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Steps.
    pub steps: usize,
    /// Bytes of the recording, roughly.
    pub bytes: usize,
}

/// A million steps, and 256 MiB.
impl Default for Limits {
    fn default() -> Self {
        Limits {
            steps: 1 << 20,
            bytes: 256 << 20,
        }
    }
}

/// How a recording ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// All lanes have ended.
    Finished,
    /// The last step was one too many, such as a backward jump beyond the loop budget.
    Stopped(RunError),
    /// There are more steps than [`Limits::steps`]: the rest was not run.
    Steps,
    /// They take more than [`Limits::bytes`]: the rest was not run.
    Bytes,
}

/// A quad's way through its program.
#[derive(Debug)]
pub struct Recording {
    program: ValidProgram,
    start: Box<QuadState>,
    constants: Box<[[u32; 4]; CONSTANTS]>,
    textures: Option<Textures>,
    /// Whether inputs were evaluated at other places than the pixels' centres.
    evaluates: bool,
    fixed_bits: u32,
    places: Places,
    steps: Vec<StepRecord>,
    changes: Vec<Change>,
    events: Vec<Event>,
    /// The values of all places before every 256th step.
    snapshots: Vec<Vec<Lanes<u32>>>,
    end: End,
    index: std::sync::OnceLock<Index>,
}

/// A step as it is kept.
#[derive(Clone, Copy, Debug)]
struct StepRecord {
    pc: u32,
    active: LaneMask,
    effective: LaneMask,
    /// Where its changes and events end.
    changes: u32,
    events: u32,
}

/// A word that a step changed.
#[derive(Clone, Copy, Debug)]
struct Change {
    /// Its place, by number.
    place: u32,
    value: Lanes<u32>,
}

/// A step of a recording.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Step<'a> {
    /// Its number, from 0.
    pub number: usize,
    /// The index of its instruction.
    pub pc: usize,
    /// The instruction.
    pub inst: &'a Inst,
    /// The lanes that executed it.
    pub active: LaneMask,
    /// Those of them in which it took effect, as its guard lets it.
    pub effective: LaneMask,
}

impl Recording {
    /// The program.
    pub fn program(&self) -> &ValidProgram {
        &self.program
    }

    /// The number of steps. There is a state before each, and one after the last.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether nothing was recorded, as limits of 0 have it.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// How it ends.
    pub fn end(&self) -> &End {
        &self.end
    }

    /// Bytes that it takes, roughly.
    pub fn bytes(&self) -> usize {
        let events: usize = self.events.iter().map(Event::bytes).sum();
        let snapshots = self.snapshots.iter().map(|it| size_of_val(&it[..]));
        size_of_val(&self.steps[..])
            + size_of_val(&self.changes[..])
            + snapshots.sum::<usize>()
            + events
    }

    /// A step; `None` from [`Recording::len`] on.
    pub fn step(&self, number: usize) -> Option<Step<'_>> {
        let record = self.steps.get(number)?;
        let pc = record.pc as usize;
        Some(Step {
            number,
            pc,
            inst: &self.program.program().insts()[pc],
            active: record.active,
            effective: record.effective,
        })
    }

    /// All steps.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = Step<'_>> {
        (0..self.len()).filter_map(|number| self.step(number))
    }

    /// The words that a step changed, and what they became.
    pub fn changes(&self, step: usize) -> impl Iterator<Item = (Place, Lanes<u32>)> {
        let changes = self.changes[self.changes_of(step)].iter();
        changes.map(|change| (self.places.place(change.place), change.value))
    }

    /// What a step asked of textures, attributes and memory, and what it handed out.
    pub fn events(&self, step: usize) -> &[Event] {
        &self.events[self.part(step, |record| record.events)]
    }

    fn changes_of(&self, step: usize) -> std::ops::Range<usize> {
        self.part(step, |record| record.changes)
    }

    /// The part of a list that belongs to a step: nothing past the last.
    fn part(&self, step: usize, end: impl Fn(&StepRecord) -> u32) -> std::ops::Range<usize> {
        let ends = |step: usize| self.steps.get(step).map(|record| end(record) as usize);
        let start = match step.checked_sub(1) {
            None => Some(0),
            Some(before) => ends(before),
        };
        let start = start.unwrap_or(0);
        start..ends(step).unwrap_or(start)
    }

    /// The quad before a step; after the last one for [`Recording::len`] and everything beyond. Scratch memory is not
    /// part of it: [`Recording::value_at`] has that.
    pub fn state_at(&self, step: usize) -> QuadState {
        let mut state = QuadState::clone(&self.start);
        for (place, value) in self.places.all().zip(self.values_at(step)) {
            if let Place::Word(word) = place {
                word.set(&mut state, value);
            }
        }
        state
    }

    /// The values of all places that the program writes.
    fn values_at(&self, step: usize) -> Vec<Lanes<u32>> {
        let step = step.min(self.len());
        let snapshot = (step / SNAPSHOT).min(self.snapshots.len().saturating_sub(1));
        let mut values = self.snapshots.get(snapshot).cloned().unwrap_or_default();
        values.resize(self.places.len(), [0; 4]);
        let first = self.changes_of(snapshot * SNAPSHOT).start;
        let end = self.changes_of(step).start.max(first);
        let end = if step == self.len() {
            self.changes.len()
        } else {
            end
        };
        for change in &self.changes[first..end] {
            values[change.place as usize] = change.value;
        }
        values
    }

    /// The value of a place before a step.
    pub fn value_at(&self, step: usize, place: Place) -> Lanes<u32> {
        let changed = self.last_change(place, step);
        changed.map_or_else(|| self.at_start(place), |change| self.changes[change].value)
    }

    /// The value with which a place starts.
    fn at_start(&self, place: Place) -> Lanes<u32> {
        match place {
            Place::Word(word) => word.get(&self.start),
            Place::Scratch { .. } => [0; 4],
        }
    }

    /// A constant register, as raw words; zeros past the last.
    pub fn constant(&self, register: usize) -> [u32; 4] {
        self.constants.get(register).copied().unwrap_or_default()
    }

    /// The textures that were bound, if they were [`Textures`]: what a request's levels and texels are found in.
    pub fn textures(&self) -> Option<&Textures> {
        self.textures.as_ref()
    }
}
