//! How the instruction at a place is written.

use std::ops::Range;

use crate::answer::Signature;
use crate::document::Document;
use crate::statement::Statement;
use crate::tokens::Kind;

impl Document {
    /// The syntax of the instruction whose operands byte `at` is among.
    pub fn signature(&self, at: usize) -> Option<Signature> {
        let at = self.text().floor_char_boundary(at);
        let part = self.part_at(at)?;
        let statement = Statement::before(part, at, self.text());
        let (name, token) = statement.name(self.text())?;
        let in_comment = statement.tokens.iter().any(|it| it.kind == Kind::Comment);
        if at <= token.span.end || in_comment {
            return None;
        }
        let operation = statement.operation(self.text())?;
        let operands = operands(&operation.syntax);
        let before = &statement.tokens[name + 1..];
        let separates = |token: &&crate::tokens::Token| token.is(',') || token.is('=');
        let active = before.iter().filter(separates).count();
        Some(Signature {
            active: active.min(operands.len().saturating_sub(1)),
            operands,
            syntax: operation.syntax,
            doc: operation.doc.to_owned(),
        })
    }
}

/// The operands of a syntax: what stands between its commas, and the equals sign of CTM.
fn operands(syntax: &str) -> Vec<Range<usize>> {
    // The name of CTM's half stands before the instruction's.
    let name = match syntax.starts_with("rgb") || syntax.starts_with("alpha") {
        true => syntax.match_indices(' ').nth(1),
        false => syntax.match_indices(' ').next(),
    };
    let Some((name, _)) = name else {
        return Vec::new();
    };
    let mut start = name + 1;
    let mut operands = Vec::new();
    for piece in syntax[start..].split([',', '=']) {
        let trimmed = piece.trim_matches([' ', '[']);
        let at = start + piece.find(trimmed).unwrap_or(0);
        operands.push(at..at + trimmed.len());
        start += piece.len() + 1;
    }
    operands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_stand_between_commas() {
        for (syntax, expected) in [
            ("mad[_sat] dst, a, b", &["dst", "a", "b"][..]),
            ("rgb|alpha mad[.suffixes] dst = a, b", &["dst", "a", "b"]),
            ("zxs a[, sN]", &["a", "sN]"]),
            ("nop", &[]),
        ] {
            let found: Vec<&str> = operands(syntax).into_iter().map(|it| &syntax[it]).collect();
            assert_eq!(found, expected);
        }
    }
}
