//! [`Subject`]: whatever engines are compared on.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::time::Duration;

use attila_shader::Engine;
use serde::{Deserialize, Serialize};

use crate::census::Shares;
use crate::dice::{Dice, case_rng};
use crate::oracle::Divergence;
use crate::report::report;

/// A case on which engines are compared: programs, draws, texts in a language.
///
/// [`fuzz`](crate::fuzz()) makes cases and checks them, [`shrink`](crate::shrink()) makes a case with a fault as small as
/// it gets, [`store`](crate::store()) keeps it as a file, and [`check_text`](crate::check_text) checks the file again.
pub trait Subject: Clone + Send + Sync {
    /// The choice of cases.
    type Options: Sync;

    /// Makes a case. The same words of the generator give the same case.
    fn make(dice: &mut Dice<'_>, options: &Self::Options) -> Self;

    /// Compares `engines[0]` with each of the others, and counts.
    ///
    /// # Errors
    ///
    /// The first fault.
    fn check(&self, engines: &[Engine], tally: &mut Tally) -> Result<(), Fault>;

    /// Whether the case may be checked: smaller ones may run too long, or have results that are not specified.
    fn is_specified(&self) -> bool;

    /// The part of the case that has the fault, if there are several.
    #[must_use]
    fn at_fault(self, _fault: &Fault) -> Self {
        self
    }

    /// Proposals of smaller cases, the largest steps first. Lines and words of texts are tried anyway.
    fn passes() -> Vec<Pass<Self>>;

    /// The case as a text. The first lines are comments with `note`.
    fn to_text(&self, note: &str) -> String;

    /// Reads such a text. `None` if it is about something else.
    fn read(text: &str) -> Option<Result<Self, String>>;

    /// The end of the name of the case's file: `draw.attila`.
    fn file_name(&self) -> String;

    /// Runs a text beyond the comparison: what the text itself expects.
    ///
    /// # Errors
    ///
    /// The unmet expectations.
    fn check_expectations(_text: &str, _engines: &[Engine]) -> Result<(), String> {
        Ok(())
    }
}

/// Something wrong with a case.
#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    /// The kind. Faults of different kinds have different causes.
    pub kind: &'static str,
    /// The fault in a line.
    pub summary: String,
    /// More than the line and the text of the case show.
    pub details: String,
    /// The engine that is not like `engines[0]`; `None` if the fault is not a difference between engines.
    pub engine: Option<&'static str>,
    /// The difference, if engines differ on a program.
    pub divergence: Option<Box<Divergence>>,
}

impl Fault {
    /// A fault without details.
    pub(crate) fn new(kind: &'static str, summary: impl Into<String>) -> Fault {
        Fault {
            kind,
            summary: summary.into(),
            details: String::new(),
            engine: None,
            divergence: None,
        }
    }

    /// The line and the details.
    pub fn report(&self) -> String {
        let text = match &self.divergence {
            Some(divergence) => report(divergence),
            None => format!("{}\n\n{}", self.summary, self.details),
        };
        text.trim_end().to_owned()
    }
}

impl From<Box<Divergence>> for Fault {
    fn from(divergence: Box<Divergence>) -> Fault {
        Fault {
            engine: Some(divergence.engines[1]),
            divergence: Some(divergence.clone()),
            ..Fault::new("difference", divergence.to_string())
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.summary)
    }
}

/// Makes case `index` of the sequence `seed`.
pub fn case<S: Subject>(seed: u64, index: u64, options: &S::Options) -> S {
    S::make(&mut Dice::new(&mut case_rng(seed, index)), options)
}

/// The parts of a case that a pass leaves out.
type Without<S> = Box<dyn Fn(&S, Range<usize>) -> Option<S>>;

/// The plainer variants of a part of a case.
type Variants<S> = Box<dyn Fn(&S, usize) -> Option<Vec<S>>>;

/// A way to make cases smaller.
pub enum Pass<S> {
    /// Leaves out parts, many at once where possible.
    Parts {
        /// The number of parts.
        count: Box<dyn Fn(&S) -> usize>,
        /// The case without some of them, if that is one.
        without: Without<S>,
    },
    /// Puts plainer variants of part n in its place, as long as there is one; `None` beyond the last part.
    Plainer(Variants<S>),
}

impl<S: 'static> Pass<S> {
    /// [`Pass::Parts`].
    pub fn parts(
        count: impl Fn(&S) -> usize + 'static,
        without: impl Fn(&S, Range<usize>) -> Option<S> + 'static,
    ) -> Pass<S> {
        Pass::Parts {
            count: Box::new(count),
            without: Box::new(without),
        }
    }

    /// [`Pass::Plainer`].
    pub fn plainer(variants: impl Fn(&S, usize) -> Option<Vec<S>> + 'static) -> Pass<S> {
        Pass::Plainer(Box::new(variants))
    }

    /// The pass for cases that contain such a case.
    pub fn within<T: 'static>(
        self,
        get: impl Fn(&T) -> &S + Copy + 'static,
        with: impl Fn(&T, S) -> T + Copy + 'static,
    ) -> Pass<T> {
        match self {
            Pass::Parts { count, without } => Pass::parts(
                move |outer| count(get(outer)),
                move |outer, range| without(get(outer), range).map(|inner| with(outer, inner)),
            ),
            Pass::Plainer(variants) => Pass::plainer(move |outer: &T, part| {
                let inner = variants(get(outer), part)?.into_iter();
                Some(inner.map(|inner| with(outer, inner)).collect())
            }),
        }
    }
}

/// Counts over cases: a generator that has gone to sleep shows here.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Tally {
    /// Cases checked.
    pub cases: u64,
    /// The occurrences of each instruction.
    pub opcodes: BTreeMap<Cow<'static, str>, u64>,
    /// The longest time that reading a text took.
    pub slowest: Duration,
    /// The instructions that engines ran, by the code that ran them.
    pub shares: Shares,
    counts: BTreeMap<Cow<'static, str>, u64>,
}

impl Tally {
    /// Counts `number` more of `what`, a noun in the plural.
    pub fn add(&mut self, what: &'static str, number: u64) {
        *self.counts.entry(what.into()).or_default() += number;
    }

    /// Counts an instruction.
    pub fn add_opcode(&mut self, name: &'static str) {
        *self.opcodes.entry(name.into()).or_default() += 1;
    }

    /// The count of `what`; 0 if nothing was added.
    pub fn count(&self, what: &str) -> u64 {
        self.counts.get(what).copied().unwrap_or(0)
    }

    /// Adds the counts of another thread, or of another run.
    pub fn merge(&mut self, other: Tally) {
        self.cases += other.cases;
        self.slowest = self.slowest.max(other.slowest);
        self.shares.merge(&other.shares);
        for (what, number) in other.counts {
            *self.counts.entry(what).or_default() += number;
        }
        for (name, number) in other.opcodes {
            *self.opcodes.entry(name).or_default() += number;
        }
    }
}

/// As `12 quads, 3 instructions of 2 kinds`.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.counts.iter();
        let mut texts: Vec<String> = counts.map(|(what, n)| format!("{n} {what}")).collect();
        if !self.opcodes.is_empty() {
            let (sum, kinds) = (self.opcodes.values().sum::<u64>(), self.opcodes.len());
            texts.push(format!("{sum} instructions of {kinds} kinds"));
        }
        if self.slowest > Duration::ZERO {
            let slowest = self.slowest.as_secs_f64() * 1e3;
            texts.push(format!("{slowest:.1} ms for the slowest text"));
        }
        f.write_str(&texts.join(", "))
    }
}
