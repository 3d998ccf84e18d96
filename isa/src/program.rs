//! [`Program`]: a decoded program, not yet checked as a whole.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use crate::inst::Inst;
use crate::inst_error::InstError;
use crate::profile::Profile;

/// The elements that a program shades.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Stage {
    /// Four independent vertices at a time; there are no derivatives.
    Vertex,
    /// The four fragments of a 2x2 quad.
    #[default]
    Fragment,
    /// Four independent primitives at a time, each of which may emit vertices.
    Geometry,
    /// Four independent threads of a grid at a time.
    Compute,
}

impl Stage {
    /// All stages, in the order of their codes in files.
    pub const ALL: [Stage; 4] = [
        Stage::Vertex,
        Stage::Fragment,
        Stage::Geometry,
        Stage::Compute,
    ];

    /// The stage's number in files of the extended profile, from 1 on.
    pub const fn code(self) -> u8 {
        match self {
            Stage::Vertex => 1,
            Stage::Fragment => 2,
            Stage::Geometry => 3,
            Stage::Compute => 4,
        }
    }

    /// The stage with the number `code`.
    pub fn from_code(code: u8) -> Option<Stage> {
        Stage::ALL.into_iter().find(|stage| stage.code() == code)
    }

    /// The stage called `name`, in any case.
    pub fn from_name(name: &str) -> Option<Stage> {
        let named = |stage: &Stage| stage.name().eq_ignore_ascii_case(name);
        Stage::ALL.into_iter().find(named)
    }

    /// The name in texts.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Vertex => "vertex",
            Stage::Fragment => "fragment",
            Stage::Geometry => "geometry",
            Stage::Compute => "compute",
        }
    }

    /// Whether lanes are neighbours in a raster, so that there are derivatives.
    pub const fn has_neighbours(self) -> bool {
        match self {
            Stage::Fragment => true,
            Stage::Vertex | Stage::Geometry | Stage::Compute => false,
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Instructions in order, each of which fits its opcode. [`Program::validate`] checks the rest.
///
/// Two programs are equal if their profiles, stages, scratch memories and instructions are; where
/// they came from in a text, its labels and its hints do not count.
#[derive(Clone, Default, Debug)]
pub struct Program {
    profile: Profile,
    /// `None` if nothing has named one.
    stage: Option<Stage>,
    scratch: u32,
    insts: Vec<Inst>,
    spans: Vec<Range<usize>>,
    /// By the indices of the instructions after them.
    labels: Vec<(usize, String)>,
    /// Hints for scheduling, by the indices of their instructions.
    hints: Vec<(usize, String)>,
}

impl PartialEq for Program {
    fn eq(&self, other: &Program) -> bool {
        self.profile == other.profile
            && self.stage() == other.stage()
            && self.scratch == other.scratch
            && self.insts == other.insts
    }
}

impl Eq for Program {}

impl Hash for Program {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.profile.hash(state);
        self.stage().hash(state);
        self.scratch.hash(state);
        self.insts.hash(state);
    }
}

impl Program {
    /// The program of the base profile with these instructions, for the fragment stage.
    ///
    /// # Errors
    ///
    /// The index of the first instruction that does not fit its opcode or the profile, and why.
    pub fn new(insts: Vec<Inst>) -> Result<Program, (usize, InstError)> {
        Program::in_profile(Profile::Base, insts)
    }

    /// The program of a profile with these instructions, for the fragment stage, without scratch
    /// memory.
    ///
    /// # Errors
    ///
    /// As [`Program::new`].
    pub fn in_profile(profile: Profile, insts: Vec<Inst>) -> Result<Program, (usize, InstError)> {
        for (index, inst) in insts.iter().enumerate() {
            inst.check(profile).map_err(|error| (index, error))?;
        }
        Ok(Program {
            profile,
            insts,
            ..Program::default()
        })
    }

    /// A program of the base profile if that has all that it needs, otherwise of `profile`.
    ///
    /// # Errors
    ///
    /// As [`Program::new`].
    pub fn in_smallest_profile(
        profile: Profile,
        insts: Vec<Inst>,
    ) -> Result<Program, (usize, InstError)> {
        let is_base = insts.len() <= Profile::Base.instructions()
            && insts.iter().all(|inst| inst.profile() == Profile::Base);
        if !is_base {
            return Program::in_profile(profile, insts);
        }
        Ok(Program {
            profile: Profile::Base,
            insts,
            ..Program::default()
        })
    }

    /// The same program with other instructions: profile, stage and scratch memory stay.
    ///
    /// # Errors
    ///
    /// As [`Program::new`].
    pub fn with_insts(&self, insts: Vec<Inst>) -> Result<Program, (usize, InstError)> {
        let program = Program::in_profile(self.profile, insts)?;
        Ok(Program {
            stage: self.stage,
            scratch: self.scratch,
            ..program
        })
    }

    /// The program with `vectors` of scratch memory for each lane; validation knows the limit.
    #[must_use]
    pub fn with_scratch(mut self, vectors: u32) -> Program {
        self.scratch = vectors;
        self
    }

    /// The program with the source position of every instruction, as a byte range of the text.
    ///
    /// # Panics
    ///
    /// If there are not as many positions as instructions.
    #[must_use]
    pub fn with_spans(mut self, spans: Vec<Range<usize>>) -> Program {
        assert_eq!(
            spans.len(),
            self.insts.len(),
            "one position per instruction"
        );
        self.spans = spans;
        self
    }

    /// The program with names of instructions, by their indices and in the order of these.
    #[must_use]
    pub(crate) fn with_labels(mut self, labels: Vec<(usize, String)>) -> Program {
        self.labels = labels;
        self
    }

    /// The program with hints for the scheduling of instructions, by their indices and in the order of these. They
    /// have no effect and no place in words; listings in the long spelling show them.
    #[must_use]
    pub fn with_hints(mut self, hints: Vec<(usize, String)>) -> Program {
        self.hints = hints;
        self
    }

    /// The same instructions for another stage.
    #[must_use]
    pub fn with_stage(mut self, stage: Stage) -> Program {
        self.stage = Some(stage);
        self
    }

    /// The profile that the program is written in: what it may name, not what it does name.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The elements that the program shades: fragments if nothing names a stage.
    pub fn stage(&self) -> Stage {
        self.stage.unwrap_or_default()
    }

    /// The stage, if something has named one.
    pub(crate) fn named_stage(&self) -> Option<Stage> {
        self.stage
    }

    /// Scratch vectors for each lane.
    pub fn scratch(&self) -> u32 {
        self.scratch
    }

    /// The instructions in order.
    pub fn insts(&self) -> &[Inst] {
        &self.insts
    }

    /// Where instruction `index` stands in the text that the program was assembled from.
    pub fn span(&self, index: usize) -> Option<Range<usize>> {
        self.spans.get(index).cloned()
    }

    /// The labels in front of instruction `index` in the text that the program was assembled from.
    pub fn labels(&self, index: usize) -> impl Iterator<Item = &str> {
        let first = self.labels.partition_point(|(at, _)| *at < index);
        let labels = self.labels[first..].iter();
        let here = labels.take_while(move |(at, _)| *at == index);
        here.map(|(_, label)| label.as_str())
    }

    /// The hints for the scheduling of instruction `index`, as in `&req={0,1} ?W4`; empty if there are none.
    pub fn hints(&self, index: usize) -> &str {
        let found = self.hints.binary_search_by_key(&index, |(at, _)| *at);
        found.map_or("", |found| &self.hints[found].1)
    }
}
