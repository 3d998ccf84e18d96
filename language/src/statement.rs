//! [`Statement`]: the tokens of one instruction, as far as they can be told apart in texts with mistakes.

use crate::dialect::Dialect;
use crate::document::Part;
use crate::operation::{self, Operation};
use crate::tokens::{Kind, Token};

/// The tokens of an instruction, a declaration or a directive.
#[derive(Clone, Copy)]
pub(crate) struct Statement<'p> {
    pub(crate) dialect: Dialect,
    /// Labels included, without comments.
    pub(crate) tokens: &'p [Token],
}

impl<'p> Statement<'p> {
    /// The statement that the first of `tokens` begins.
    fn first(tokens: &'p [Token], dialect: Dialect) -> Statement<'p> {
        let is_end = |token: &Token| {
            token.kind == Kind::Comment || dialect.has_semicolons() && token.is(';')
        };
        let rest = tokens.iter().skip(1);
        let length = rest.take_while(|token| {
            let continues = !token.begins_line || dialect == Dialect::Arb;
            continues && !is_end(token)
        });
        let length = tokens.len().min(1 + length.count());
        Statement {
            dialect,
            tokens: &tokens[..length],
        }
    }

    /// The statements of a program, in order.
    pub(crate) fn all(part: &'p Part) -> impl Iterator<Item = Statement<'p>> {
        let mut rest = &part.tokens[..];
        std::iter::from_fn(move || {
            let begins = |token: &Token| {
                let separates = part.dialect.has_semicolons() && token.is(';');
                token.kind != Kind::Comment && !separates
            };
            let start = rest.iter().position(begins)?;
            let statement = Statement::first(&rest[start..], part.dialect);
            rest = &rest[start + statement.tokens.len()..];
            Some(statement)
        })
    }

    /// The statement that byte `at` is in, up to there; what a comma or a word there belongs to.
    pub(crate) fn before(part: &'p Part, at: usize, text: &str) -> Statement<'p> {
        let tokens = part.tokens_before(at);
        let breaks = part.dialect.breaks();
        let ends = |index: usize| {
            let token = &tokens[index];
            let next = tokens.get(index + 1).map_or(at, |next| next.span.start);
            let separates = part.dialect.has_semicolons() && token.is(';');
            let breaks_line = part.dialect != Dialect::Arb
                && text[token.span.end.min(next)..next].contains(breaks);
            separates || breaks_line
        };
        let last = (0..tokens.len()).rev().find(|index| ends(*index));
        Statement {
            dialect: part.dialect,
            tokens: &tokens[last.map_or(0, |index| index + 1)..],
        }
    }

    /// Whether it is a directive.
    pub(crate) fn is_directive(&self) -> bool {
        self.tokens.first().is_some_and(|token| token.in_directive)
    }

    /// The number of tokens in front of the instruction's name: labels, a guard, a number, the half's name.
    pub(crate) fn prefix(&self, text: &str) -> usize {
        let mut at = 0;
        let is = |at: usize, mark| self.tokens.get(at).is_some_and(|it| it.is(mark));
        let label = match self.dialect {
            Dialect::Assembly => Some(Kind::Word),
            Dialect::Tgsi => Some(Kind::Number),
            Dialect::Arb | Dialect::Agal | Dialect::Ctm => None,
        };
        let is_label = |at: usize| self.tokens.get(at).map(|it| it.kind) == label;
        while label.is_some() && is_label(at) && is(at + 1, ':') {
            at += 2;
        }
        if self.dialect == Dialect::Assembly && is(at, '(') {
            let closes = self.tokens[at..].iter().position(|it| it.is(')'));
            at = closes.map_or(self.tokens.len(), |length| at + length + 1);
        }
        let half = self.tokens.get(at).map(|token| token.text(text));
        if self.dialect == Dialect::Ctm && matches!(half, Some("rgb" | "alpha")) {
            at += 1;
        }
        at
    }

    /// The token that names the instruction, and its place among the tokens.
    pub(crate) fn name(&self, text: &str) -> Option<(usize, &'p Token)> {
        if self.is_directive() {
            return None;
        }
        let at = self.prefix(text);
        let token = self.tokens.get(at)?;
        (token.kind == Kind::Word).then_some((at, token))
    }

    /// The instruction.
    pub(crate) fn operation(&self, text: &str) -> Option<Operation> {
        let (_, name) = self.name(text)?;
        operation::find(self.dialect, name.text(text))
    }
}
