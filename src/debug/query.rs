//! Questions to a recording: which step wrote a word, where numbers go wrong, where lanes part.

use attila_isa::Component;
use attila_machine::{LANES, LaneMask};

use super::place::{self, Place};
use super::{Recording, Step};

/// Steps by their instructions, and changes by their places.
#[derive(Debug)]
pub(super) struct Index {
    /// The steps that executed each instruction, ascending.
    of_pc: Vec<Vec<u32>>,
    /// The changes of each place, ascending.
    of_place: Vec<Vec<u32>>,
    /// The instructions that may write each place.
    writers: Vec<Vec<u32>>,
}

/// A number that is seldom meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Special {
    /// Not a number.
    Nan,
    /// Infinity of either sign.
    Infinity,
    /// A denormal number.
    Denormal,
}

impl Special {
    /// What is special about a float; `None` if nothing is.
    pub fn of(bits: u32) -> Option<Special> {
        let value = f32::from_bits(bits);
        match value {
            _ if value.is_nan() => Some(Special::Nan),
            _ if value.is_infinite() => Some(Special::Infinity),
            _ if value.is_subnormal() => Some(Special::Denormal),
            _ => None,
        }
    }
}

/// What lanes do between two steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Parting {
    /// Some go another way: other lanes execute the step than the one before.
    Part,
    /// Others join them.
    Meet,
}

impl Recording {
    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let count = self.program.program().insts().len();
            let mut index = Index {
                of_pc: vec![Vec::new(); count],
                of_place: vec![Vec::new(); self.places.len()],
                writers: vec![Vec::new(); self.places.len()],
            };
            for (number, step) in (0..).zip(&self.steps) {
                index.of_pc[step.pc as usize].push(number);
            }
            for (number, change) in (0..).zip(&self.changes) {
                index.of_place[change.place as usize].push(number);
            }
            for pc in 0..count {
                for &place in self.places.of_inst(pc) {
                    index.writers[place as usize].push(pc as u32);
                }
            }
            index
        })
    }

    /// The number of the last change of a place before a step.
    pub(super) fn last_change(&self, place: Place, step: usize) -> Option<usize> {
        let number = self.places.find(place)? as usize;
        let end = self.changes_of(step.min(self.len())).start;
        let changes = &self.index().of_place[number];
        let before = changes.partition_point(|change| (*change as usize) < end);
        changes[..before].last().map(|change| *change as usize)
    }

    /// The step that made a change.
    fn step_of(&self, change: usize) -> usize {
        let ends = |step: &super::StepRecord| step.changes as usize <= change;
        self.steps.partition_point(ends)
    }

    /// The last step before `before` that wrote a word in a lane, whether it changed or not. `None` if it is as it
    /// started.
    ///
    /// Of scratch memory and exported depths it is the last step that changed it.
    pub fn last_write(&self, place: Place, lane: usize, before: usize) -> Option<usize> {
        let number = self.places.find(place)? as usize;
        let index = self.index();
        let insts = self.program.program().insts();
        let writers = &index.writers[number];
        let chooses = |pc: &u32| place::chooses(&insts[*pc as usize]);
        if writers.is_empty() || writers.iter().any(chooses) {
            return self.last_changed(place, lane, before);
        }
        let last = |pc: &u32| {
            let steps = &index.of_pc[*pc as usize];
            let end = steps.partition_point(|step| (*step as usize) < before);
            let mut steps = steps[..end].iter().rev().map(|step| *step as usize);
            steps.find(|step| self.steps[*step].effective.has(lane))
        };
        writers.iter().filter_map(last).max()
    }

    /// The last step before `before` that changed a word in a lane.
    fn last_changed(&self, place: Place, lane: usize, before: usize) -> Option<usize> {
        let mut before = before.min(self.len());
        loop {
            let step = self.step_of(self.last_change(place, before)?);
            let [old, new] = [step, step + 1].map(|at| self.value_at(at, place)[lane]);
            if old != new {
                return Some(step);
            }
            before = step;
        }
    }

    /// The steps that changed a word in any lane, ascending.
    pub fn changes_to(&self, place: Place) -> impl DoubleEndedIterator<Item = usize> {
        let number = self.places.find(place);
        let changes = number.map_or(&[][..], |it| &self.index().of_place[it as usize]);
        changes.iter().map(|change| self.step_of(*change as usize))
    }

    /// The steps that executed an instruction, ascending.
    pub fn steps_of(&self, pc: usize) -> impl DoubleEndedIterator<Item = usize> {
        let steps = self.index().of_pc.get(pc);
        let steps = steps.map_or(&[][..], Vec::as_slice);
        steps.iter().map(|step| *step as usize)
    }

    /// The words that a step made special: of float results, in the lanes in which it took effect.
    pub fn specials(&self, step: usize) -> Vec<(Place, usize, Special)> {
        let Some(at) = self
            .step(step)
            .filter(|it| it.inst.op.info().results.is_float())
        else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (place, value) in self.changes(step) {
            let is_register = matches!(place, Place::Word(word) if word.register().is_some());
            for lane in (0..LANES).filter(|&lane| is_register && at.effective.has(lane)) {
                found.extend(Special::of(value[lane]).map(|special| (place, lane, special)));
            }
        }
        found
    }

    /// The first step from `from` on that made a NaN or an infinity.
    pub fn first_special(&self, from: usize) -> Option<usize> {
        self.first_of(&[Special::Nan, Special::Infinity], from)
    }

    /// The first step from `from` on that made such a number.
    pub fn first_of(&self, kinds: &[Special], from: usize) -> Option<usize> {
        let is_one = |step: &usize| {
            let specials = self.specials(*step);
            specials
                .iter()
                .any(|(_, _, special)| kinds.contains(special))
        };
        (from..self.len()).find(is_one)
    }

    /// The next step after `from` before which lanes part or meet.
    pub fn next_parting(&self, from: usize) -> Option<(usize, Parting)> {
        let mut steps = from + 1..self.len();
        steps.find_map(|step| Some((step, self.parting(step)?)))
    }

    /// The last step before `from` before which lanes part or meet.
    pub fn previous_parting(&self, from: usize) -> Option<(usize, Parting)> {
        let mut steps = (1..from.min(self.len())).rev();
        steps.find_map(|step| Some((step, self.parting(step)?)))
    }

    fn parting(&self, step: usize) -> Option<Parting> {
        let before: LaneMask = self.steps[step - 1].active;
        let now = self.steps[step].active;
        match () {
            () if now == before => None,
            () if now.contains(before) => Some(Parting::Meet),
            () => Some(Parting::Part),
        }
    }

    /// The last step that is not inside of a loop that `step` goes round: the next one in program order, or the end.
    /// What stepping over an iteration stops at.
    pub fn after_iteration(&self, step: usize) -> usize {
        let Some(at) = self.step(step) else {
            return self.len();
        };
        let back = |it: &Step<'_>| it.pc <= at.pc && it.active.intersects(at.active);
        let mut later = (step + 1..self.len()).filter_map(|step| self.step(step));
        later.find(back).map_or(self.len(), |it| it.number)
    }
}

/// The components of a place's register, for messages about all of it.
pub(super) fn component_of(place: Place) -> Option<Component> {
    match place {
        Place::Word(word) => word.register().map(|(_, component)| component),
        Place::Scratch { component, .. } => Some(component),
    }
}
