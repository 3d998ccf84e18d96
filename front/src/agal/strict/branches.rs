//! The rules about branches, where these have beginnings and ends.

use std::ops::Range;

use attila_isa::{Severity, Stage};

use super::super::finding::{Finding, Findings, number};
use super::super::opcode::{AgalOpcode, Form};
use super::super::program::{AgalProgram, Destination, File, Location, Token};

/// Finds all that Flash has against the branches of a program.
pub(super) fn check(
    program: &AgalProgram,
    nesting: usize,
    severity: Severity,
    findings: &mut impl Findings,
) {
    let mut checker = Checker {
        stage: program.stage,
        nesting,
        severity,
        open: Vec::new(),
        findings,
    };
    program.tokens.iter().for_each(|token| checker.token(token));
}

/// A branch, or its other half, that has begun.
struct Half<'a> {
    begin: &'a Token,
    /// Whether an instruction has been in it.
    is_filled: bool,
}

struct Checker<'a, F> {
    stage: Stage,
    /// The most branches inside each other.
    nesting: usize,
    severity: Severity,
    open: Vec<Half<'a>>,
    findings: &'a mut F,
}

impl<'a, F: Findings> Checker<'a, F> {
    fn add(&mut self, span: &Range<usize>, message: impl Into<String>, number: u16) {
        let finding = Finding::new(span, message).number(number);
        self.findings.add(self.severity, finding);
    }

    fn token(&mut self, token: &'a Token) {
        let form = token.opcode.info().form;
        if matches!(form, Form::Else | Form::EndIf) {
            self.close();
        } else if let Some(half) = self.open.last_mut() {
            half.is_filled = true;
            self.inside(token);
        }
        if matches!(form, Form::Compare | Form::Else) {
            self.open.push(Half {
                begin: token,
                is_filled: false,
            });
        }
        if form == Form::Compare {
            self.condition(token);
        }
    }

    fn close(&mut self) {
        let half = self.open.pop().filter(|half| !half.is_filled);
        if let Some(Half { begin, .. }) = half {
            let message = format!("nothing is in the branch of this `{}`", begin.opcode);
            self.add(&begin.span, message, number::EMPTY_BRANCH);
        }
    }

    fn condition(&mut self, token: &Token) {
        if self.open.len() == self.nesting + 1 {
            let message = format!("branches are nested more than {} deep", self.nesting);
            self.add(&token.span, message, number::NESTING);
        }
        if let [first, second] = token.sources.as_slice()
            && (first.location, first.swizzle) == (second.location, second.swizzle)
        {
            let message = format!("both sources of `{}` are the same", token.opcode);
            self.add(&token.span, message, number::SAME_SOURCES);
        }
    }

    /// An instruction in a branch.
    fn inside(&mut self, token: &Token) {
        let opcode = token.opcode;
        if matches!(opcode, AgalOpcode::Ddx | AgalOpcode::Ddy) {
            let message = format!("`{opcode}` is in a branch");
            self.add(&token.span, message, number::DERIVATIVE_IN_BRANCH);
        }
        if opcode.info().form == Form::Sample {
            self.coordinates(token);
        }
        if let Some(it) = &token.destination {
            self.output(it);
        }
    }

    /// The coordinates of a texture instruction in a branch: neighbours may not have computed theirs.
    fn coordinates(&mut self, token: &Token) {
        let computed = token.sources.iter().find(|source| match source.location {
            Location::Direct(register) => register.file == File::Temporary,
            Location::Indirect { .. } => false,
        });
        if let Some(source) = computed {
            let message = format!(
                "the coordinates of a `{}` in a branch are computed",
                token.opcode
            );
            self.add(&source.span, message, number::COMPUTED_COORDINATES);
        }
    }

    fn output(&mut self, it: &Destination) {
        let name = it.register.name(self.stage);
        match it.register.file {
            File::Output | File::Depth => {
                let message = format!("`{name}` is written in a branch");
                self.add(&it.span, message, number::OUTPUT_IN_BRANCH);
            }
            File::Attribute
            | File::Constant
            | File::Temporary
            | File::Varying
            | File::Sampler
            | File::Instance => {}
        }
    }
}
