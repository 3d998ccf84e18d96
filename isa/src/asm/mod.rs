//! Assembly language (isa.md): text to programs and back.
//!
//! ```text
//! loop:                                   # a label
//!     (!p0) mad_sat r0.xyz, -|r1.zyxw|, c3[a0.x + 5], r2.w <- wait
//!     setpgt p1, r0.x, 0.5                ; an immediate
//!     jmp p1, loop                        // or a distance: jmp p1, -2
//!     mov o1, r0 <- end
//! ```
//!
//! One instruction stands on a line. Names are read in any case, labels are not. The last
//! instruction gets an end flag unless the program has one already or that instruction says
//! `<- noend`. A line with a mistake is reported and left out, and reading goes on with the next.
//! The effort is linear in the length of the text, for any content.
//!
//! The printer is the opposite: see [`Listing`].

mod annotations;
mod diagnostic;
mod doubles;
mod header;
mod lexer;
mod literals;
mod long;
mod mnemonic;
mod numbered;
mod operands;
mod parser;
mod printer;
mod samples;
mod scratch;
mod spare;
mod suggest;
mod texture;

use crate::code;
use std::collections::BTreeMap;
use std::mem::take;
use std::ops::Range;

pub use diagnostic::{AsmError, Diagnostic, Diagnostics, Fix, Remark};
use header::Header;
use lexer::Token;
pub use long::scheduling_hints;
use parser::{Parser, Statement, quote};
pub use printer::Listing;
use spare::SpareConstants;
pub use suggest::nearest;

use crate::opcode::Opcode;
use crate::operand::Operand;
use crate::profile::Profile;
use crate::program::Program;

/// How many labels are considered as what a misspelled one may have been meant to be.
const LABELS_COMPARED: usize = 1000;

/// The most instructions that a text may have, so that a program's memory has a bound: those of the
/// longest valid program of any profile.
pub const MAX_STATEMENTS: usize = Profile::Extended.instructions();

/// The result of assembling a text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Assembly {
    /// The program, unless there are errors. It shades fragments until told otherwise.
    pub program: Option<Program>,
    /// Errors and warnings in the order of the text: at most 100 of each, then a count.
    pub diagnostics: Vec<Diagnostic>,
}

/// Assembles `text`, warnings included.
pub fn assemble(text: &str) -> Assembly {
    let mut assembler = Assembler::new(text);
    let mut start = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if assembler.statements.len() > MAX_STATEMENTS {
            break;
        }
        assembler.line(line, start, number + 1);
        start += line.len();
    }
    match assembler.statements.get(MAX_STATEMENTS) {
        Some(beyond) => {
            let message = format!("a text has at most {MAX_STATEMENTS} instructions");
            let remark = Remark::new(beyond.span.clone(), message).code(&code::text::LIMIT);
            assembler.diagnostics.error(remark);
        }
        None => assembler.resolve_labels(),
    }
    let program = assembler.program();
    Assembly {
        program,
        diagnostics: assembler.diagnostics.finish(text),
    }
}

impl Program {
    /// Assembles `text`, for the fragment stage. Warnings are dropped: see [`assemble`].
    ///
    /// # Errors
    ///
    /// All that is wrong with the text, with positions.
    ///
    /// ```
    /// use attila_isa::Program;
    ///
    /// let program = Program::assemble("add r0, i1, c5\nmov o1, r0")?;
    /// assert_eq!(program.to_string(), "add r0, i1, c5\nmov o1, r0 <- end\n");
    ///
    /// let error = Program::assemble("mvo o1, r0").unwrap_err();
    /// assert_eq!(error.to_string(), "1:1: error: unknown instruction `mvo` (did you mean `mov`?)");
    /// # Ok::<(), attila_isa::AsmError>(())
    /// ```
    pub fn assemble(text: &str) -> Result<Program, AsmError> {
        let Assembly {
            program,
            diagnostics,
        } = assemble(text);
        program.ok_or(AsmError { diagnostics })
    }
}

/// Where a label is defined.
struct Label {
    /// The index of the instruction after it.
    index: usize,
    /// Its line, from 1.
    line: usize,
    /// Its first byte.
    start: usize,
}

struct Assembler<'a> {
    header: Header,
    statements: Vec<Statement<'a>>,
    labels: BTreeMap<&'a str, Label>,
    diagnostics: Diagnostics,
    spare: SpareConstants<'a>,
}

impl<'a> Assembler<'a> {
    fn new(text: &'a str) -> Assembler<'a> {
        Assembler {
            header: Header::default(),
            statements: Vec::new(),
            labels: BTreeMap::new(),
            diagnostics: Diagnostics::default(),
            spare: SpareConstants::new(text),
        }
    }

    /// Reads the line `number`, which begins at byte `start`.
    fn line(&mut self, line: &'a str, start: usize, number: usize) {
        let profile = self.header.profile;
        let (spare, diagnostics) = (&mut self.spare, &mut self.diagnostics);
        let mut parser = Parser::new(line, start, profile, spare, diagnostics);
        if parser.at_header() {
            let header = parser.header();
            self.open(header, start..start + line.trim_end().len());
            return;
        }
        let statement = parser.statement();
        for label in parser.into_labels() {
            self.define(label, number);
        }
        match statement {
            Ok(statement) => self.statements.extend(statement),
            Err(remark) => self.diagnostics.error(remark),
        }
    }

    /// Takes over a header, which has to be the first line that says anything.
    fn open(&mut self, header: Result<Header, Remark>, span: Range<usize>) {
        let first = self.statements.is_empty()
            && self.labels.is_empty()
            && self.header.profile == Profile::Base;
        match header {
            Ok(header) if first => self.header = header,
            Ok(_) => {
                let message = "`.extended` stands once, before labels and instructions";
                self.diagnostics
                    .error(Remark::new(span, message).code(&code::text::TWICE));
            }
            Err(remark) => self.diagnostics.error(remark),
        }
    }

    fn define(&mut self, label: Token<'a>, line: usize) {
        let index = self.statements.len();
        if let Some(first) = self.labels.get(label.text) {
            let message = format!("label {} is defined twice", quote(label.text));
            let help = format!("it is already on line {}", first.line);
            self.diagnostics.error(
                Remark::new(label.span(), message)
                    .code(&code::text::TWICE)
                    .help(help),
            );
        } else {
            let start = label.start;
            self.labels.insert(label.text, Label { index, line, start });
        }
    }

    fn resolve_labels(&mut self) {
        let mut statements = take(&mut self.statements);
        let count = statements.len();
        for (index, statement) in statements.iter_mut().enumerate() {
            let Some(label) = statement.target else {
                continue;
            };
            match self.distance(index, label, count) {
                Ok(distance) => statement.inst.operands[1] = Operand::Offset(distance),
                Err(remark) => self.diagnostics.error(remark),
            }
        }
        self.statements = statements;
    }

    /// How far instruction `index` of `count` has to jump to reach `label`.
    fn distance(&self, index: usize, label: Token<'a>, count: usize) -> Result<i32, Remark> {
        let name = quote(label.text);
        let Some(&Label { index: target, .. }) = self.labels.get(label.text) else {
            let remark = Remark::new(label.span(), format!("label {name} is not defined"))
                .code(&code::text::FLOW);
            return Err(self.with_nearest_label(remark, label.text));
        };
        if target == count {
            let message = format!("no instruction comes after label {name}");
            return Err(Remark::new(label.span(), message)
                .code(&code::text::FLOW)
                .help("put an `end` there"));
        }
        i32::try_from(target as i64 - index as i64).map_err(|_| {
            Remark::new(label.span(), format!("label {name} is too far away"))
                .code(&code::text::FLOW)
        })
    }

    fn with_nearest_label(&self, remark: Remark, name: &str) -> Remark {
        let candidates = self.labels.keys().copied().take(LABELS_COMPARED);
        let has_room = self.diagnostics.has_room();
        match has_room.then(|| nearest(name, candidates)).flatten() {
            Some(label) => remark.did_you_mean(label),
            None => remark,
        }
    }

    /// Puts an end flag on the last instruction if no instruction has one.
    fn end_last(&mut self) {
        if self.statements.iter().any(|statement| statement.inst.end) {
            return;
        }
        let Some(last) = self.statements.last_mut().filter(|last| !last.no_end) else {
            return;
        };
        last.inst.end = true;
        if last.inst.op == Opcode::Jmp {
            let message = "the program ends with this jump, which is never taken";
            let remark = Remark::new(last.span.clone(), message);
            self.diagnostics
                .warn(remark.help("write `end` where the program is to end"));
        }
    }

    /// The labels in the order of the text.
    fn labels(&self) -> Vec<(usize, String)> {
        let mut labels: Vec<_> = self.labels.iter().collect();
        labels.sort_by_key(|(_, label)| label.start);
        let named = labels.into_iter();
        named
            .map(|(name, label)| (label.index, (*name).to_owned()))
            .collect()
    }

    fn hints(&mut self) -> Vec<(usize, String)> {
        let hints = self.statements.iter_mut().map(|it| take(&mut it.hints));
        hints.enumerate().filter(|(_, it)| !it.is_empty()).collect()
    }

    fn program(&mut self) -> Option<Program> {
        if self.diagnostics.has_errors() {
            return None;
        }
        self.end_last();
        let spans = self
            .statements
            .iter()
            .map(|statement| statement.span.clone());
        let spans: Vec<_> = spans.collect();
        let insts = self.statements.iter().map(|statement| statement.inst);
        match Program::in_profile(self.header.profile, insts.collect()) {
            Ok(program) => Some(
                self.header
                    .apply(program)
                    .with_spans(spans)
                    .with_labels(self.labels())
                    .with_hints(self.hints()),
            ),
            Err((index, error)) => {
                let remark = Remark::new(spans[index].clone(), error.to_string());
                self.diagnostics.error(remark);
                None
            }
        }
    }
}
