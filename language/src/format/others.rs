//! Lines of the languages that are translated: one blank where there are some, and blocks indented.

use crate::dialect::Dialect;
use crate::fold::{Nesting, nesting};
use crate::statement::Statement;
use crate::tokens::Token;

/// The width of TGSI's numbers of instructions.
const NUMBER: usize = 3;

/// The blocks around a line.
#[derive(Default)]
pub(super) struct Indent(usize);

/// The line that `tokens` are.
pub(super) fn line(
    dialect: Dialect,
    text: &str,
    tokens: &[Token],
    indent: &mut Indent,
) -> Option<String> {
    let statement = Statement { dialect, tokens };
    let prefix = statement.prefix(text);
    let name = statement
        .name(text)
        .map_or("", |(_, token)| token.text(text));
    let nesting = nesting(dialect, name);
    if matches!(nesting, Nesting::Closes | Nesting::Divides) {
        indent.0 = indent.0.saturating_sub(1);
    }
    let blanks = "  ".repeat(indent.0);
    if matches!(nesting, Nesting::Opens | Nesting::Divides) {
        indent.0 += 1;
    }
    let mut line = String::new();
    let first = match (dialect, tokens) {
        (Dialect::Tgsi, [number, ..]) if prefix == 2 => {
            line = format!("{:>NUMBER$}:", number.text(text));
            prefix
        }
        (_, _) => 0,
    };
    for index in first..tokens.len() {
        let token = &tokens[index];
        match index {
            _ if index == first && first > 0 => {
                line.push(' ');
                line += &blanks;
            }
            _ if index == first => line += &blanks,
            _ if blank(dialect, tokens, index) => line.push(' '),
            _ => {}
        }
        line += token.text(text);
    }
    Some(line)
}

/// Whether a blank stands before token `at`.
fn blank(dialect: Dialect, tokens: &[Token], at: usize) -> bool {
    let (before, token) = (&tokens[at - 1], &tokens[at]);
    if token.is(',') || dialect == Dialect::Arb && token.is(';') {
        return false;
    }
    before.is(',') || token.is_apart
}
