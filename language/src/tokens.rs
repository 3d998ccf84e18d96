//! Cuts texts into tokens. Comments are tokens, too; assembly's directives are cut into words.

use std::ops::Range;

use attila_shader::isa::text::is_blank;

use crate::dialect::Dialect;

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Begins with a letter, `_` or `$`.
    Word,
    /// Begins with a digit.
    Number,
    /// A character of a language.
    Mark(char),
    /// `<-`, in assembly.
    Arrow,
    /// To the end of the line.
    Comment,
    /// A character that no token begins with.
    Other,
}

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Range<usize>,
    /// Whether it is the first of its line.
    pub(crate) begins_line: bool,
    /// Whether a blank stands before it.
    pub(crate) is_apart: bool,
    /// Whether it stands in a directive.
    pub(crate) in_directive: bool,
}

impl Token {
    pub(crate) fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.span.clone()]
    }

    pub(crate) fn is(&self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }

    pub(crate) fn is_wordlike(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Number)
    }
}

/// The tokens of a part of a text.
pub(crate) fn scan(text: &str, part: Range<usize>, dialect: Dialect) -> Vec<Token> {
    let mut tokens = Vec::new();
    let (mut at, mut begins_line, mut in_directive) = (part.start, true, false);
    let mut is_apart = false;
    while let Some(first) = text[at..part.end].chars().next() {
        if dialect.breaks().contains(&first) {
            (begins_line, in_directive) = (true, false);
        }
        if is_blank(first) {
            is_apart = true;
            at += first.len_utf8();
            continue;
        }
        let rest = &text[at..part.end];
        let opens = dialect == Dialect::Assembly && begins_line && rest.starts_with(";!");
        let (kind, length) = if opens {
            (Kind::Mark(';'), 1)
        } else if in_directive && first == '!' {
            (Kind::Mark('!'), 1)
        } else {
            kind_of(rest, first, dialect)
        };
        tokens.push(Token {
            kind,
            span: at..at + length,
            begins_line,
            is_apart,
            in_directive: in_directive || opens,
        });
        in_directive |= opens;
        (begins_line, is_apart) = (false, false);
        at += length;
    }
    tokens
}

fn kind_of(rest: &str, first: char, dialect: Dialect) -> (Kind, usize) {
    // Most tokens are seen to be none by their first character.
    let opens = |mark: &&str| mark.starts_with(first) && rest.starts_with(*mark);
    if dialect.comments().iter().any(opens) {
        let length = rest.find(dialect.breaks()).unwrap_or(rest.len());
        return (
            Kind::Comment,
            rest[..length].trim_end_matches(is_blank).len(),
        );
    }
    let digit_follows = rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    match first {
        '<' if dialect == Dialect::Assembly && rest.starts_with("<-") => (Kind::Arrow, 2),
        'a'..='z' | 'A'..='Z' | '_' | '$' => (Kind::Word, word_length(rest)),
        '0'..='9' => (Kind::Number, number_length(rest)),
        '.' if rest.starts_with("..") => (Kind::Mark(first), 2),
        '.' if digit_follows && dialect != Dialect::Ctm => (Kind::Number, number_length(rest)),
        ',' | ';' | ':' | '.' | '!' | '-' | '+' | '|' | '(' | ')' | '[' | ']' | '{' | '}' | '='
        | '<' | '>' => (Kind::Mark(first), 1),
        other => (Kind::Other, other.len_utf8()),
    }
}

fn word_length(rest: &str) -> usize {
    let ends = |c: u8| !(c.is_ascii_alphanumeric() || c == b'_' || c == b'$');
    rest.bytes().position(ends).unwrap_or(rest.len())
}

/// With letters, as `2D` and `1e-3`; a point before another one does not belong to it.
fn number_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let is_hexadecimal = matches!(bytes, [b'0', b'x' | b'X', ..]);
    let mut length = 0;
    while let Some(&byte) = bytes.get(length) {
        let next = bytes.get(length + 1);
        let is_sign = matches!(byte, b'+' | b'-')
            && !is_hexadecimal
            && length > 0
            && matches!(bytes[length - 1], b'e' | b'E')
            && next.is_some_and(u8::is_ascii_digit);
        let is_point = byte == b'.' && next != Some(&b'.');
        if !(byte.is_ascii_alphanumeric() || byte == b'_' || is_point || is_sign) {
            break;
        }
        length += 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, dialect: Dialect) -> Vec<&str> {
        let tokens = scan(text, 0..text.len(), dialect);
        tokens
            .iter()
            .map(|token| &text[token.span.clone()])
            .collect()
    }

    #[test]
    fn languages_differ_in_comments_and_arrows() {
        assert_eq!(
            texts("mov o1, c[a0.x+5] <- end ; b", Dialect::Assembly),
            [
                "mov", "o1", ",", "c", "[", "a0", ".", "x", "+", "5", "]", "<-", "end", "; b"
            ]
        );
        assert_eq!(
            texts("PARAM a[2]={ env[1..2] };# b", Dialect::Arb),
            [
                "PARAM", "a", "[", "2", "]", "=", "{", "env", "[", "1", "..", "2", "]", "}", ";",
                "# b"
            ]
        );
        assert_eq!(
            texts("rgb mad t0.rg = i1.0h1 ; alpha nop", Dialect::Ctm),
            [
                "rgb", "mad", "t0", ".", "rg", "=", "i1", ".", "0h1", ";", "alpha", "nop"
            ]
        );
    }

    #[test]
    fn directives_are_cut_into_words() {
        let text = "  ;! const c3 = 1 -2e-3 ; why\nnop";
        assert_eq!(
            texts(text, Dialect::Assembly),
            [
                ";", "!", "const", "c3", "=", "1", "-", "2e-3", "; why", "nop"
            ]
        );
        let tokens = scan(text, 0..text.len(), Dialect::Assembly);
        assert!(tokens[3].in_directive && !tokens[9].in_directive);
    }
}
