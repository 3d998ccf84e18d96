//! Directives: comments in an assembly text that say what its program runs on, and with what
//! result.
//!
//! ```text
//! ;! stage vertex                    fragment unless said otherwise
//! ;! quads 2                         else as many as are named
//! ;! loop-budget 100                 backward jumps that a lane may take
//! ;! fixed-bits 8                    fraction bits of fixed-point inputs
//! ;! const c3 = 1 2 -inf 0x7fc00000  four components
//! ;! input i0 = 1 2 3 4              all lanes of all quads
//! ;! input i0[2] = 0.5               lane 2; one number stands for all four components
//! ;! input q1 i0[2] = -0 0 5i 1e-3   only in quad 1
//! ;! temp r1 = 1                     registers before the run, where they are visible:
//! ;! address a0 = 3 -1 0 0           whole numbers
//! ;! output o1 = 0 0 0 1
//! ;! pred p3 = 0101                  a digit per lane, lane 0 first
//! ;! sample = 0 1 2 3                the current sample, a number per lane
//! ;! depth s2 = 0 0.5 1 1            the exported depth of a sample, a number per lane
//! ;! kill = 1000                     killed fragments, a digit per lane;
//! ;! kill = 0xffff 0 0x0002 0        or a mask of samples per lane
//! ;! accumulator x = 0x100 -0x1 0 0  sign and magnitude, a number per lane
//! ;! expect o0 = 2 nan 0 inf         after the run: as above, without the first word
//! ;! expect q1 p3[2] = 1
//! ;! expect kill = 1000
//! ```
//!
//! A line is a directive if its first characters other than blanks are `;!`. Words are separated
//! by blanks; upper and lower case are the same. What follows another `;` is a comment. Later lines
//! override earlier ones.
//!
//! A number is
//! * a float: `1`, `-0.5`, `1e-3`, `inf`, `-inf`, `nan`;
//! * an integer of 32 bits: `5i`, `-1i`;
//! * raw bits: `0x` and up to 8 hexadecimal digits.
//!
//! In lines about addresses, samples and the loop budget a number without a suffix is an integer.
//! An expected NaN stands for any NaN.

mod parse;
mod print;
mod words;

use std::collections::BTreeMap;
use std::ops::Range;

use attila_isa::{Bank, Component, Fixed, LANES, LaneMask, Lanes, Pred, QuadState, Reg, Stage};
use thiserror::Error;

pub use print::{constant_line, start_lines};
pub use words::show;

/// What the directives of a text say.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Directives {
    /// What the program shades, if it is said.
    pub stage: Option<Stage>,
    /// Backward jumps that a lane may take, if it is said.
    pub loop_budget: Option<u32>,
    /// Fraction bits of fixed-point inputs, if it is said.
    pub fixed_bits: Option<u32>,
    /// How many quads there are: at least 1, and all that are named.
    pub quads: usize,
    /// Constants as raw words.
    pub constants: BTreeMap<usize, [u32; 4]>,
    /// What holds before the run, in the order of the lines.
    pub starts: Vec<Setting>,
    /// What is to hold after the run, in the order of the lines.
    pub expectations: Vec<Setting>,
    /// Directives of the caller's own.
    pub extensions: Vec<Extension>,
}

/// A line about some words of the state.
#[derive(Clone, PartialEq, Debug)]
pub struct Setting {
    /// The quad; `None`: all.
    pub quad: Option<usize>,
    /// The lanes.
    pub lanes: LaneMask,
    /// What and its value.
    pub value: Value,
    /// The line, from 1.
    pub line: usize,
}

/// Words of the state and their value. Of values per lane only those of the lanes meant count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// An input, output, temporary or address register.
    Register(Reg, [u32; 4]),
    /// A predicate register.
    Predicate(Pred, LaneMask),
    /// The kill mask: samples.
    Kill(Lanes<u32>),
    /// The exported depth of a sample, f32 bits.
    Depth(usize, Lanes<u32>),
    /// The current sample.
    Sample(Lanes<u32>),
    /// A component of the fixed-point accumulator.
    Accumulator(Component, Lanes<Fixed>),
}

/// A directive that the caller of [`parse`] asked for by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extension {
    /// The first word, in lower case.
    pub name: String,
    /// The rest of the line without blanks at its ends.
    pub rest: String,
    /// Where the rest stands, as bytes of the text.
    pub span: Range<usize>,
    /// The line, from 1.
    pub line: usize,
}

/// A directive that is not right.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{line}:{column}: {message}{}", .help.as_ref().map(|h| format!("; {h}")).unwrap_or_default())]
pub struct DirectiveError {
    /// What is wrong.
    pub message: String,
    /// What may be meant.
    pub help: Option<String>,
    /// The words at fault, as bytes of the text.
    pub span: Range<usize>,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

/// Reads the directives of an assembly text. First words in `extensions` are the caller's own.
///
/// # Errors
///
/// Every line that is not right, in order.
pub fn parse(text: &str, extensions: &[&str]) -> Result<Directives, Vec<DirectiveError>> {
    parse::parse(text, extensions)
}

impl Directives {
    /// The quads as they are before the run.
    pub fn start(&self) -> Vec<QuadState> {
        let mut quads = vec![QuadState::default(); self.quads];
        for setting in &self.starts {
            for (index, quad) in quads.iter_mut().enumerate() {
                if setting.is_about(index) {
                    setting.apply(quad);
                }
            }
        }
        quads
    }

    /// Every expectation that `quads` do not meet, one line of text each.
    pub fn unmet(&self, quads: &[QuadState]) -> Vec<String> {
        let mut unmet = Vec::new();
        for expectation in &self.expectations {
            for (index, quad) in quads.iter().enumerate() {
                if expectation.is_about(index) {
                    expectation.check(index, quad, &mut unmet);
                }
            }
        }
        unmet
    }
}

impl Setting {
    fn is_about(&self, quad: usize) -> bool {
        self.quad.is_none_or(|only| only == quad)
    }

    /// Makes it so.
    fn apply(&self, quad: &mut QuadState) {
        for lane in (0..LANES).filter(|&lane| self.lanes.has(lane)) {
            match self.value {
                Value::Register(reg, words) => {
                    let bank = match reg.bank() {
                        Bank::Input => &mut quad.io.inputs[..],
                        Bank::Output => &mut quad.io.outputs[..],
                        Bank::Temp => &mut quad.regs.temps[..],
                        Bank::Address => &mut quad.regs.addresses[..],
                        Bank::Constant => continue,
                    };
                    for (component, word) in bank[reg.index()].iter_mut().zip(words) {
                        component[lane] = word;
                    }
                }
                Value::Predicate(pred, lanes) => {
                    let word = if lanes.has(lane) { u32::MAX } else { 0 };
                    quad.regs.predicates[pred.index()][lane] = word;
                }
                Value::Kill(masks) => quad.io.kill[lane] = masks[lane],
                Value::Depth(sample, words) => quad.io.depth[sample][lane] = words[lane],
                Value::Sample(words) => quad.regs.sample[lane] = words[lane],
                Value::Accumulator(c, values) => {
                    quad.regs.accumulator[c.index()][lane] = values[lane];
                }
            }
        }
    }

    /// Adds a line to `unmet` for every lane in which it is not so.
    fn check(&self, index: usize, quad: &QuadState, unmet: &mut Vec<String>) {
        let mut met = quad.clone();
        self.apply(&mut met);
        for lane in (0..LANES).filter(|&lane| self.lanes.has(lane)) {
            let (expected, found) = (self.words(&met, lane), self.words(quad, lane));
            let same = expected.iter().zip(&found).all(|(e, f)| self.same(*e, *f));
            if !same {
                unmet.push(format!(
                    "line {}: quad {index} lane {lane}: {} is {}, not {}",
                    self.line,
                    self.value.name(),
                    self.show(&found),
                    self.show(&expected),
                ));
            }
        }
    }

    fn same(&self, expected: u64, found: u64) -> bool {
        let nan = |word: u64| f32::from_bits(word as u32).is_nan();
        let by_class = match self.value {
            Value::Register(reg, _) => reg.bank() != Bank::Address,
            Value::Depth(..) => true,
            Value::Predicate(..) | Value::Kill(_) | Value::Sample(_) | Value::Accumulator(..) => {
                false
            }
        };
        expected == found || (by_class && nan(expected) && nan(found))
    }

    /// The words that it is about, in one lane.
    fn words(&self, quad: &QuadState, lane: usize) -> Vec<u64> {
        let wide = |reg: &[Lanes<u32>; 4]| reg.map(|c| u64::from(c[lane])).to_vec();
        match self.value {
            Value::Register(reg, _) => match reg.bank() {
                Bank::Input => wide(&quad.io.inputs[reg.index()]),
                Bank::Output => wide(&quad.io.outputs[reg.index()]),
                Bank::Temp => wide(&quad.regs.temps[reg.index()]),
                Bank::Address => wide(&quad.regs.addresses[reg.index()]),
                Bank::Constant => Vec::new(),
            },
            Value::Predicate(pred, _) => {
                vec![u64::from(quad.regs.predicates[pred.index()][lane] != 0)]
            }
            Value::Kill(_) => vec![u64::from(quad.io.kill[lane])],
            Value::Depth(sample, _) => vec![u64::from(quad.io.depth[sample][lane])],
            Value::Sample(_) => vec![u64::from(quad.regs.sample[lane])],
            Value::Accumulator(c, _) => {
                let fixed = quad.regs.accumulator[c.index()][lane];
                vec![fixed.negative, fixed.magnitude]
            }
        }
    }

    fn show(&self, words: &[u64]) -> String {
        let float = |word: &u64| show(*word as u32);
        let texts: Vec<String> = match self.value {
            Value::Register(reg, _) if reg.bank() != Bank::Address => {
                words.iter().map(float).collect()
            }
            Value::Depth(..) => words.iter().map(float).collect(),
            Value::Register(..) => {
                let int = |word: &u64| (*word as u32).cast_signed().to_string();
                words.iter().map(int).collect()
            }
            Value::Kill(_) => words.iter().map(|w| format!("{w:#06x}")).collect(),
            Value::Predicate(..) | Value::Sample(_) | Value::Accumulator(..) => {
                words.iter().map(u64::to_string).collect()
            }
        };
        texts.join(" ")
    }
}

impl Value {
    fn name(&self) -> String {
        match self {
            Value::Register(reg, _) => reg.to_string(),
            Value::Predicate(pred, _) => pred.to_string(),
            Value::Kill(_) => "kill".to_owned(),
            Value::Depth(sample, _) => format!("depth s{sample}"),
            Value::Sample(_) => "sample".to_owned(),
            Value::Accumulator(c, _) => format!("accumulator {}", c.letter()),
        }
    }
}
