//! Cuts one line into tokens.

use crate::text::{self, Cursor};

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// A letter or `_`, then letters, digits and `_`.
    Word,
    /// Begins like a number; whether it is one depends on what is asked for.
    Number,
    /// One of `, : . ! - + | ( ) [ ]`.
    Mark(char),
    /// `<-`.
    Arrow,
    /// A character that no token begins with.
    Unknown(char),
    /// The end of the line.
    End,
}

/// A token and where it is.
pub(super) type Token<'a> = text::Token<'a, TokenKind>;

/// The rest of a line, token by token.
pub(super) struct Lexer<'a>(Cursor<'a>);

impl<'a> Lexer<'a> {
    /// `line` begins at byte `start` of the text. Comments are not part of the language that the
    /// parser sees.
    pub(super) fn new(line: &'a str, start: usize) -> Lexer<'a> {
        Lexer(Cursor::new(line, start))
    }

    /// The next token; [`TokenKind::End`] again and again at the end.
    pub(super) fn next(&mut self) -> Token<'a> {
        self.0.skip(text::is_blank);
        let (kind, length) = scan(self.0.rest());
        self.0.token(kind, length)
    }
}

/// Kind and length in bytes of the token that `rest` begins with.
fn scan(rest: &str) -> (TokenKind, usize) {
    let mut chars = rest.chars();
    let Some(first) = chars.next() else {
        return (TokenKind::End, 0);
    };
    let second = chars.next();
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    match first {
        '#' | ';' => (TokenKind::End, 0),
        '/' if second == Some('/') => (TokenKind::End, 0),
        '<' if second == Some('-') => (TokenKind::Arrow, 2),
        'a'..='z' | 'A'..='Z' | '_' => (TokenKind::Word, word_length(rest)),
        '0'..='9' => (TokenKind::Number, number_length(rest)),
        '.' if digit(second) => (TokenKind::Number, number_length(rest)),
        ',' | ':' | '.' | '!' | '-' | '+' | '|' | '(' | ')' | '[' | ']' => {
            (TokenKind::Mark(first), 1)
        }
        other => (TokenKind::Unknown(other), other.len_utf8()),
    }
}

fn word_length(rest: &str) -> usize {
    let ends = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    rest.find(ends).unwrap_or(rest.len())
}

/// Takes letters too, so that `12ab` is one bad number and not a number and a name.
fn number_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let hexadecimal = matches!(bytes, [b'0', b'x' | b'X', ..]);
    let mut length = 0;
    while let Some(&byte) = bytes.get(length) {
        let exponent_sign = matches!(byte, b'+' | b'-')
            && !hexadecimal
            && length > 0
            && matches!(bytes[length - 1], b'e' | b'E')
            && bytes.get(length + 1).is_some_and(u8::is_ascii_digit);
        if !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.') || exponent_sign) {
            break;
        }
        length += 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Vec<&str> {
        let mut lexer = Lexer::new(line, 0);
        let tokens = std::iter::from_fn(|| Some(lexer.next()));
        tokens
            .take_while(|token| token.kind != TokenKind::End)
            .map(|token| token.text)
            .collect()
    }

    #[test]
    fn blanks_part_tokens_and_comments_end_the_line() {
        assert_eq!(
            texts("(!p0)\tadd_sat r0.x,-|c1[a0.x+5].y|,2.5<-end # and so on"),
            [
                "(", "!", "p0", ")", "add_sat", "r0", ".", "x", ",", "-", "|", "c1", "[", "a0",
                ".", "x", "+", "5", "]", ".", "y", "|", ",", "2.5", "<-", "end"
            ]
        );
        assert_eq!(texts("nop ; mov"), ["nop"]);
        assert_eq!(texts("nop // mov"), ["nop"]);
        assert_eq!(texts("\u{feff}  nop\r"), ["nop"]);
    }

    #[test]
    fn numbers_keep_their_exponents() {
        assert_eq!(
            texts("1e-5 .5 5. 1e5-3"),
            ["1e-5", ".5", "5.", "1e5", "-", "3"]
        );
        assert_eq!(texts("0x3e-5 1e-x"), ["0x3e", "-", "5", "1e", "-", "x"]);
    }

    #[test]
    fn positions_are_offsets_in_the_whole_text() {
        let mut lexer = Lexer::new("  é nop", 10);
        assert_eq!(lexer.next().span(), 12..14);
        assert_eq!(lexer.next().span(), 15..18);
        assert_eq!(lexer.next().span(), 18..18);
        assert_eq!(lexer.next().kind, TokenKind::End);
    }
}
