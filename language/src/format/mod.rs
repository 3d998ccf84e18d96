//! Formatting: the disassembler's layout for assembly, and blanks in their places for the other languages.
//!
//! Only blanks change, and the case of words for which case does not matter. Lines of which that cannot be said keep
//! their blanks.

mod assembly;
mod others;

use std::ops::Range;

use crate::answer::Edit;
use crate::dialect::Dialect;
use crate::document::{Document, Part};
use crate::tokens::{Kind, Token, scan};

/// A line of a program, in its new form.
#[derive(Default)]
struct Line {
    /// The bytes of the old one, without its end.
    span: Range<usize>,
    code: String,
    comment: String,
}

impl Document {
    /// The changes that give the text its layout.
    pub fn format(&self) -> Vec<Edit> {
        let mut edits = Vec::new();
        for part in self.parts() {
            let mut lines = self.laid_out(part);
            align(&mut lines);
            for line in lines {
                let joint = if line.code.is_empty() || line.comment.is_empty() {
                    ""
                } else {
                    " "
                };
                let replacement = format!("{}{joint}{}", line.code, line.comment);
                if replacement != self.text()[line.span.clone()] {
                    edits.push(Edit {
                        span: line.span,
                        replacement,
                    });
                }
            }
        }
        edits
    }

    /// The lines of a program that may change.
    fn laid_out(&self, part: &Part) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut indent = others::Indent::default();
        let mut start = part.span.start;
        for line in self.text()[part.span.clone()].split_inclusive('\n') {
            let content = line.trim_end_matches('\n');
            let content = content.strip_suffix('\r').unwrap_or(content);
            let span = start..start + content.len();
            start += line.len();
            // The beginning of a text, and of a program within a line, stays where it is.
            let is_first = span.start == part.span.start && part.dialect != Dialect::Assembly;
            let is_plain = !content.contains(['\r', '\u{b}', '\u{c}', '\u{feff}']);
            lines.push(match is_plain && !is_first {
                true => self.line(part.dialect, span, &mut indent),
                false => Line {
                    code: content.to_owned(),
                    span,
                    ..Line::default()
                },
            });
        }
        lines
    }

    fn line(&self, dialect: Dialect, span: Range<usize>, indent: &mut others::Indent) -> Line {
        let text = self.text();
        let mut tokens = scan(text, span.clone(), dialect);
        let is_directive = tokens.first().is_some_and(|it| it.in_directive);
        let comment = tokens.pop_if(|it| it.kind == Kind::Comment && !is_directive);
        let comment = comment.map_or("", |it| it.text(text)).to_owned();
        let written = match dialect {
            Dialect::Assembly => assembly::line(text, &tokens),
            Dialect::Arb | Dialect::Tgsi | Dialect::Agal | Dialect::Ctm => {
                others::line(dialect, text, &tokens, indent)
            }
        };
        let before = tokens.first().map_or(span.start, |it| it.span.start);
        let after = tokens.last().map_or(before, |it| it.span.end);
        let old = &text[before..after];
        let code = written.filter(|new| new == old || is_same(text, &tokens, new, dialect));
        Line {
            code: code.unwrap_or_else(|| old.to_owned()),
            comment,
            span,
        }
    }
}

/// Whether a line has the same tokens as before, in either case.
fn is_same(text: &str, tokens: &[Token], new: &str, dialect: Dialect) -> bool {
    let changed = scan(new, 0..new.len(), dialect);
    let is_equal = |(old, now): (&Token, &Token)| {
        old.kind == now.kind && old.text(text).eq_ignore_ascii_case(now.text(new))
    };
    tokens.len() == changed.len() && tokens.iter().zip(&changed).all(is_equal)
}

/// Puts the comments of neighbouring lines in one column.
fn align(lines: &mut [Line]) {
    let has_both = |line: &Line| !line.code.is_empty() && !line.comment.is_empty();
    // A label on a line of its own ends a run.
    let continues = |a: &Line, b: &Line| has_both(a) && has_both(b) && !b.code.contains('\n');
    for run in lines.chunk_by_mut(continues) {
        if !has_both(&run[0]) {
            continue;
        }
        let width = |line: &Line| {
            let last = line.code.rsplit('\n').next();
            last.map_or(0, |code| code.chars().count())
        };
        let widest = run.iter().map(width).max().unwrap_or(0);
        for line in run {
            line.code += &" ".repeat(widest - width(line));
        }
    }
}

/// Whether a minus or plus stands between two values.
fn is_binary(tokens: &[Token], at: usize) -> bool {
    let is_sign = tokens[at].is('+') || tokens[at].is('-');
    let before = at.checked_sub(1).map(|before| &tokens[before]);
    is_sign && before.is_some_and(|it| it.is_wordlike() || it.is(']') || it.is(')'))
}
