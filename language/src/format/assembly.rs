//! A line of assembly as the disassembler prints it.

use attila_shader::isa::Opcode;

use super::is_binary;
use crate::dialect::Dialect;
use crate::operation;
use crate::statement::Statement;
use crate::tokens::{Kind, Token};

/// The line that `tokens` are; `None` if it keeps its blanks. Labels stand on lines of their own.
pub(super) fn line(text: &str, tokens: &[Token]) -> Option<String> {
    let statement = Statement {
        dialect: Dialect::Assembly,
        tokens,
    };
    let is_other = |token: &Token| token.kind == Kind::Other;
    if statement.is_directive() || tokens.iter().any(is_other) {
        return None;
    }
    let mut line = String::new();
    let mut at = 0;
    while let [name, colon, ..] = &tokens[at..]
        && name.kind == Kind::Word
        && colon.is(':')
    {
        let end = if at + 2 < tokens.len() { "\n" } else { "" };
        line = line + name.text(text) + ":" + end;
        at += 2;
    }
    let name = statement.name(text);
    let op = name.and_then(|(_, token)| operation::opcode(token.text(text)));
    // The long spelling has rules of its own.
    if op.is_none() && name.is_some() {
        return None;
    }
    let name = name.map_or(at, |(index, _)| index);
    let label = (op == Some(Opcode::Jmp)).then(|| {
        let commas = tokens.iter().position(|it| it.is(','));
        commas.map_or(tokens.len(), |comma| comma + 1)
    });
    let mut depth = 0_usize;
    for index in at..tokens.len() {
        let token = &tokens[index];
        if index > at && blank(tokens, index, name, depth) {
            line.push(' ');
        }
        depth += usize::from(token.is('['));
        depth = depth.saturating_sub(usize::from(token.is(']')));
        let start = line.len();
        line += token.text(text);
        if label != Some(index) {
            line[start..].make_ascii_lowercase();
        }
    }
    Some(line)
}

/// Whether a blank stands before token `at`; `name` is the token of the mnemonic.
fn blank(tokens: &[Token], at: usize, name: usize, depth: usize) -> bool {
    let (before, token) = (&tokens[at - 1], &tokens[at]);
    // `tg4.x` names a component before its result.
    let after_name = at == name + 1 && !token.is('.') || at == name + 3 && tokens[name + 1].is('.');
    let arrow = token.kind == Kind::Arrow || before.kind == Kind::Arrow;
    let signed = depth > 0 && (is_binary(tokens, at) || is_binary(tokens, at - 1));
    let guarded = before.is(')') && at <= name;
    let words = before.is_wordlike() && token.is_wordlike();
    !token.is(',') && (before.is(',') || after_name || arrow || signed || guarded || words)
}
