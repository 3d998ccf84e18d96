//! [`Debugger`]: where somebody is in a recording, and what they have asked for.

use std::cell::RefCell;
use std::num::NonZero;
use std::rc::Rc;

use attila_shader::debug::{Condition, Parting, Place, PlaceError, Recording, Source, Special};
use attila_shader::machine::{LANES, LaneMask, Lanes, Meaning, StateName};

use crate::number::{Kind, Word};
use crate::subject::Subject;

/// A place in a recording.
#[derive(Debug)]
pub struct Debugger {
    /// The recorded quad.
    pub subject: Subject,
    /// The step that comes next; the number of steps at the end.
    pub step: usize,
    /// Where runs stop.
    pub breakpoints: Vec<Breakpoint>,
    /// Registers that are shown at every stop.
    pub watches: Vec<Watched>,
    /// The text's registers, and the step before which they are there.
    variables: RefCell<Option<(usize, Variables)>>,
}

/// Names, and where their values are.
pub type Variables = Rc<[(String, Place)]>;

/// A place or condition at which a run stops.
#[derive(Clone, Debug)]
pub struct Breakpoint {
    /// Where it is.
    pub at: At,
    /// A condition that has to hold, too.
    pub condition: Option<Condition>,
    /// Of the steps at which all of this holds, those that count, from 1.
    pub hits: Hits,
}

/// Some of the numbers from 1.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Hits {
    /// All of them.
    #[default]
    All,
    /// From a number on.
    From(usize),
    /// Just one.
    Only(usize),
    /// Each that a number divides.
    Every(NonZero<usize>),
}

impl Hits {
    fn has(self, number: usize) -> bool {
        match self {
            Hits::All => true,
            Hits::From(first) => number >= first,
            Hits::Only(only) => number == only,
            Hits::Every(period) => number.is_multiple_of(period.get()),
        }
    }
}

/// The place of a breakpoint.
#[derive(Clone, Debug)]
pub enum At {
    /// The first instruction of a line.
    Line(usize),
    /// An instruction.
    Instruction(usize),
    /// A condition that begins to hold.
    Value(Condition),
    /// A word that has changed.
    Change(Place),
    /// A number of this kind that has been made.
    Special(Special),
    /// Lanes that part.
    Parting,
    /// A lane that has been killed.
    Kill,
}

/// A register that is always shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Watched {
    /// Its name in the text, or its own.
    pub name: String,
    /// Its words.
    pub places: Vec<Place>,
    /// How they are shown.
    pub kind: Kind,
}

/// Which way to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// To later steps.
    Forwards,
    /// To earlier steps.
    Backwards,
}

impl Debugger {
    /// A debugger at the first step.
    pub fn new(subject: Subject) -> Debugger {
        Debugger {
            subject,
            step: 0,
            breakpoints: Vec::new(),
            watches: Vec::new(),
            variables: RefCell::default(),
        }
    }

    /// The recording.
    pub fn recording(&self) -> &Recording {
        &self.subject.recording
    }

    /// The text.
    pub fn source(&self) -> &Source {
        &self.subject.source
    }

    /// The number of steps: that of the last place.
    pub fn last(&self) -> usize {
        self.recording().len()
    }

    /// The line of the step that comes next.
    pub fn line(&self) -> Option<usize> {
        self.line_of(self.step)
    }

    /// The line of a step, unless it is the end.
    pub fn line_of(&self, step: usize) -> Option<usize> {
        let pc = self.recording().step(step)?.pc;
        self.source().line_of(pc)
    }

    /// Goes to a step, at most to the end.
    pub fn go(&mut self, step: usize) {
        self.step = step.min(self.last());
    }

    /// Steps forwards or backwards.
    pub fn step_by(&mut self, count: usize, way: Way) {
        self.step = match way {
            Way::Forwards => self.step.saturating_add(count).min(self.last()),
            Way::Backwards => self.step.saturating_sub(count),
        };
    }

    /// The steps from here that way, the nearest first, and the end.
    pub fn steps(&self, way: Way) -> Box<dyn Iterator<Item = usize>> {
        match way {
            Way::Forwards => Box::new(self.step + 1..self.last() + 1),
            Way::Backwards => Box::new((0..self.step).rev()),
        }
    }

    /// Goes to the next step at which another line's instructions begin.
    pub fn next_line(&mut self, way: Way) {
        let here = self.line();
        let found = self.steps(way).find(|step| self.line_of(*step) != here);
        let end = if way == Way::Forwards { self.last() } else { 0 };
        self.step = found.unwrap_or(end);
        if way == Way::Backwards {
            // Its first step.
            let line = self.line();
            while self.step > 0 && self.line_of(self.step - 1) == line {
                self.step -= 1;
            }
        }
    }

    /// Goes to the next step of a line. Returns whether there is one.
    pub fn go_to_line(&mut self, line: usize, way: Way) -> bool {
        let Some(pc) = self.source().instructions_at(line).first().copied() else {
            return false;
        };
        let found = self.nearest(self.recording().steps_of(pc), way);
        self.step = found.unwrap_or(self.step);
        found.is_some()
    }

    /// The nearest of some steps that way.
    fn nearest(&self, steps: impl DoubleEndedIterator<Item = usize>, way: Way) -> Option<usize> {
        match way {
            Way::Forwards => steps.into_iter().find(|step| *step > self.step),
            Way::Backwards => steps.rev().find(|step| *step < self.step),
        }
    }

    /// Goes to the next breakpoint, or to the end. Returns its number.
    pub fn run(&mut self, way: Way) -> Option<usize> {
        let stops = self.breakpoints.iter().enumerate();
        let stops = stops.filter_map(|(number, it)| Some((self.stop(it, way)?, number)));
        let found = match way {
            Way::Forwards => stops.min(),
            Way::Backwards => stops.max_by_key(|(step, number)| (*step, usize::MAX - number)),
        };
        let end = if way == Way::Forwards { self.last() } else { 0 };
        self.step = found.map_or(end, |(step, _)| step);
        found.map(|(_, number)| number)
    }

    /// The next step that way at which a breakpoint stops.
    fn stop(&self, breakpoint: &Breakpoint, way: Way) -> Option<usize> {
        let held = (1..).zip(self.held(breakpoint));
        let mut stops = held
            .filter(|(number, _)| breakpoint.hits.has(*number))
            .map(|(_, step)| step);
        match way {
            Way::Forwards => stops.find(|step| *step > self.step),
            Way::Backwards => stops.take_while(|step| *step < self.step).last(),
        }
    }

    /// The steps at which a breakpoint's condition holds, ascending.
    fn held<'a>(&'a self, breakpoint: &'a Breakpoint) -> impl Iterator<Item = usize> + 'a {
        let condition = breakpoint.condition.as_ref();
        let holds = move |step: &usize| condition.is_none_or(|it| self.holds(it, *step));
        self.steps_at(&breakpoint.at).filter(holds)
    }

    /// The steps that a breakpoint is about, ascending, whatever its condition.
    fn steps_at<'a>(&'a self, at: &'a At) -> Box<dyn Iterator<Item = usize> + 'a> {
        let recording = self.recording();
        let changes = |place| recording.changes_to(place).map(|step| step + 1);
        match at {
            At::Line(line) => {
                let first = self.source().instructions_at(*line).first().copied();
                Box::new(first.into_iter().flat_map(|pc| recording.steps_of(pc)))
            }
            At::Instruction(pc) => Box::new(recording.steps_of(*pc)),
            At::Value(condition) => {
                let holds = |step: &usize| self.holds(condition, *step);
                let begins = move |step: &usize| holds(step) && !holds(&(step - 1));
                let first = Some(0).filter(holds);
                let later = changes(condition.place()).filter(begins);
                Box::new(first.into_iter().chain(later))
            }
            At::Change(place) => Box::new(changes(*place)),
            At::Special(special) => {
                let made = |step: &usize| recording.specials(*step);
                let is_made = move |step: &usize| made(step).iter().any(|(_, _, it)| it == special);
                let steps = (0..self.last()).filter(is_made);
                Box::new(steps.map(|step| step + 1))
            }
            At::Parting => {
                let next = |(from, _): &(usize, Parting)| recording.next_parting(*from);
                let all = std::iter::successors(recording.next_parting(0), next);
                let parts = all.filter(|(_, parting)| *parting == Parting::Part);
                Box::new(parts.map(|(step, _)| step))
            }
            At::Kill => {
                let words = StateName::Kill.words().map(Place::from);
                Box::new(words.flat_map(changes))
            }
        }
    }

    fn holds(&self, condition: &Condition, step: usize) -> bool {
        let value = self.recording().value_at(step, condition.place());
        !condition.lanes(value).is_empty()
    }

    /// How often a breakpoint has been reached up to here, and how often it is in all.
    pub fn hits(&self, breakpoint: &Breakpoint) -> [usize; 2] {
        let mut hits = [0; 2];
        for step in self.held(breakpoint) {
            hits[1] += 1;
            hits[0] += usize::from(step <= self.step);
        }
        hits
    }

    /// Goes to the next step that makes a NaN or an infinity: it has been executed then. Returns whether there is one.
    pub fn go_to_special(&mut self, way: Way) -> bool {
        let is_special = |step: &usize| *step > 0 && !self.made(*step - 1).is_empty();
        let found = self.steps(way).find(is_special);
        self.step = found.unwrap_or(self.step);
        found.is_some()
    }

    /// The words of a step that became NaN or infinite.
    pub fn made(&self, step: usize) -> Vec<(Place, usize)> {
        let specials = self.recording().specials(step).into_iter();
        let specials = specials.filter(|(_, _, it)| *it != Special::Denormal);
        specials.map(|(place, lane, _)| (place, lane)).collect()
    }

    /// Goes to the next step before which lanes part or meet. Returns whether there is one.
    pub fn go_to_parting(&mut self, way: Way) -> bool {
        let found = match way {
            Way::Forwards => self.recording().next_parting(self.step),
            Way::Backwards => self.recording().previous_parting(self.step),
        };
        self.step = found.map_or(self.step, |(step, _)| step);
        found.is_some()
    }

    /// Goes to the next step at which a condition holds. Returns whether there is one.
    pub fn go_to_condition(&mut self, condition: &Condition, way: Way) -> bool {
        let found = match way {
            Way::Forwards => self.recording().next_where(condition, self.step),
            Way::Backwards => self.recording().previous_where(condition, self.step),
        };
        self.step = found.unwrap_or(self.step);
        found.is_some()
    }

    /// Goes back to the step that last wrote a word in a lane. Returns whether there is one.
    pub fn go_to_write(&mut self, place: Place, lane: usize) -> bool {
        let found = self.recording().last_write(place, lane, self.step);
        self.step = found.unwrap_or(self.step);
        found.is_some()
    }

    /// The value of a word here.
    pub fn value(&self, place: Place) -> Lanes<u32> {
        self.recording().value_at(self.step, place)
    }

    /// Whether the step before changed a word.
    pub fn is_changed(&self, place: Place) -> bool {
        let before = self.step.checked_sub(1);
        before.is_some_and(|step| self.recording().changes(step).any(|(it, _)| it == place))
    }

    /// A word for people.
    pub fn word(&self, place: Place, kind: Kind, lane: usize) -> Word {
        Word {
            bits: self.value(place)[lane],
            kind,
            meaning: meaning(place),
        }
    }

    /// The place that a text names: of a register of the text, where its value is now.
    pub fn place(&self, text: &str) -> Result<Place, PlaceError> {
        let variables = self.variables();
        let wanted = Place::split(text.trim());
        let is_wanted = |name: &str| wanted.is_some() && Place::split(name) == wanted;
        let found = variables.iter().find(|(name, _)| is_wanted(name));
        found.map_or_else(|| self.source().place(text), |(_, place)| Ok(*place))
    }

    /// The registers of the text here.
    pub fn variables(&self) -> Variables {
        let mut known = self.variables.borrow_mut();
        match &*known {
            Some((step, variables)) if *step == self.step => Rc::clone(variables),
            Some(_) | None => {
                let found = self.source().variables(self.recording(), self.step);
                let variables = Variables::from(found);
                *known = Some((self.step, Rc::clone(&variables)));
                variables
            }
        }
    }

    /// The name of a place in the text, or its own.
    pub fn name(&self, place: Place) -> String {
        let own = || {
            let variables = self.variables();
            let found = variables.iter().find(|(_, it)| *it == place);
            found.map(|(name, _)| name.clone())
        };
        let name = self.source().name(place).or_else(own);
        name.unwrap_or_else(|| place.to_string())
    }

    /// The places that a text names: a word, or all of a register.
    pub fn places(&self, text: &str) -> Result<Vec<Place>, PlaceError> {
        if let Ok(place) = self.place(text) {
            return Ok(vec![place]);
        }
        let place = |name: &str, letter: char| self.place(&format!("{name}.{letter}"));
        if let Some((name, letters)) = text.rsplit_once('.')
            && !letters.is_empty()
            && let Ok(places) = letters.chars().map(|letter| place(name, letter)).collect()
        {
            return Ok(places);
        }
        // Registers of the text may have some of their components.
        let places = "xyzw".chars().filter_map(|letter| place(text, letter).ok());
        let places: Vec<Place> = places.collect();
        match places[..] {
            [] => Err(PlaceError(text.to_owned())),
            [..] => Ok(places),
        }
    }

    /// The registers that the program writes or reads, in the order in which it names them.
    pub fn registers(&self) -> Vec<(String, Vec<Place>)> {
        let insts = self.recording().program().program().insts();
        let mut names: Vec<StateName> = Vec::new();
        for inst in insts {
            let registers = inst.registers().map(StateName::Register);
            let predicates = inst.dst.pred.map(StateName::Predicate);
            for name in registers.chain(predicates) {
                if name.kind().is_some() && !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        if self.recording().program().usage().kills {
            names.push(StateName::Kill);
        }
        let register = |name: StateName| {
            let words: Vec<Place> = name.words().map(Place::from).collect();
            (name.to_string(), words)
        };
        names.into_iter().map(register).collect()
    }
}

/// The type of a word's bits.
pub fn meaning(place: Place) -> Meaning {
    match place {
        Place::Word(word) => word.name().meaning(),
        Place::Scratch { .. } => Meaning::Float,
    }
}

/// A digit for each lane of a set, and a dash for each other one.
pub fn lanes(mask: LaneMask) -> String {
    let digit = |lane: usize| match mask.has(lane) {
        true => char::from(b'0' + lane as u8),
        false => '-',
    };
    (0..LANES).map(digit).collect()
}
