//! Cuts a text into tokens.
//!
//! No word is a keyword here: which words mean something depends on where they stand, and on the
//! kind of program.

use attila_isa::text::{self, Cursor, digits};

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// A letter, `_` or `$`, then digits too; also `1D`, `2D` and `3D`.
    Word,
    /// Digits only.
    Integer,
    /// A number with a point or an exponent.
    Float,
    /// One of `, ; . = + - [ ] { }`.
    Mark(char),
    /// `..`.
    Range,
    /// A character that no token begins with.
    Unknown,
    /// The end of the text.
    End,
}

/// A token and where it is.
pub(super) type Token<'a> = text::Token<'a, TokenKind>;

/// Goes through the tokens of a text.
pub(super) struct Lexer<'a> {
    text: &'a str,
    cursor: Cursor<'a>,
    /// The next token.
    pub(super) token: Token<'a>,
    /// Where the one before it ends.
    pub(super) last_end: usize,
}

impl<'a> Lexer<'a> {
    /// Begins at byte `start`.
    pub(super) fn new(text: &'a str, start: usize) -> Lexer<'a> {
        let mut cursor = Cursor::new(&text[start..], start);
        let mut lexer = Lexer {
            text,
            token: cursor.token(TokenKind::End, 0),
            cursor,
            last_end: start,
        };
        lexer.advance();
        lexer
    }

    /// Goes on to the next token: [`TokenKind::End`] again and again at the end.
    pub(super) fn advance(&mut self) {
        self.last_end = self.token.end();
        self.cursor.take(blanks(self.cursor.rest()));
        let (kind, length) = scan(self.cursor.rest());
        self.token = self.cursor.token(kind, length);
    }

    /// Whether the next token is the first of its line.
    pub(super) fn begins_line(&self) -> bool {
        let blanks = &self.text[self.last_end..self.token.start];
        blanks.contains(['\n', '\r'])
    }
}

/// The length in bytes of the blanks and comments that `rest` begins with.
fn blanks(rest: &str) -> usize {
    let mut in_comment = false;
    let is_token = |byte: u8| {
        match byte {
            b'\n' | b'\r' => in_comment = false,
            b'#' => in_comment = true,
            b' ' | b'\t' | b'\x0b' | b'\x0c' => {}
            _ => return !in_comment,
        }
        false
    };
    rest.bytes().position(is_token).unwrap_or(rest.len())
}

/// Kind and length in bytes of the token that `rest` begins with.
fn scan(rest: &str) -> (TokenKind, usize) {
    let Some(first) = rest.chars().next() else {
        return (TokenKind::End, 0);
    };
    let digit_follows = rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    match first {
        'a'..='z' | 'A'..='Z' | '_' | '$' => (TokenKind::Word, word_length(rest)),
        '1'..='3' if rest[1..].starts_with('D') && word_length(rest) == 2 => (TokenKind::Word, 2),
        '0'..='9' => number(rest),
        '.' if rest.starts_with("..") => (TokenKind::Range, 2),
        '.' if digit_follows => number(rest),
        ',' | ';' | '.' | '=' | '+' | '-' | '[' | ']' | '{' | '}' => (TokenKind::Mark(first), 1),
        other => (TokenKind::Unknown, other.len_utf8()),
    }
}

fn word_length(rest: &str) -> usize {
    let ends = |byte: u8| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'));
    rest.bytes().position(ends).unwrap_or(rest.len())
}

/// A point that another follows is no part of a number, so that `1..3` is a range.
fn number(rest: &str) -> (TokenKind, usize) {
    let bytes = rest.as_bytes();
    let digits = |from: usize| from + digits(&rest[from..]);
    let mut length = digits(0);
    let mut kind = TokenKind::Integer;
    if bytes.get(length) == Some(&b'.') && bytes.get(length + 1) != Some(&b'.') {
        kind = TokenKind::Float;
        length = digits(length + 1);
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        let exponent = length + 1 + sign;
        if bytes.get(exponent).is_some_and(u8::is_ascii_digit) {
            return (TokenKind::Float, digits(exponent));
        }
    }
    (kind, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<(TokenKind, &str)> {
        let mut lexer = Lexer::new(text, 0);
        let mut tokens = Vec::new();
        while lexer.token.kind != TokenKind::End {
            tokens.push((lexer.token.kind, lexer.token.text));
            lexer.advance();
        }
        tokens
    }

    fn texts(text: &str) -> Vec<&str> {
        tokens(text).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn blanks_and_comments_part_tokens() {
        assert_eq!(
            texts("MOV R0 . x,\t-a[ A0.x+1 ] ; # and so on\r\nEND"),
            [
                "MOV", "R0", ".", "x", ",", "-", "a", "[", "A0", ".", "x", "+", "1", "]", ";",
                "END"
            ]
        );
    }

    #[test]
    fn ranges_are_not_floats() {
        assert_eq!(texts("[1..3]"), ["[", "1", "..", "3", "]"]);
        assert_eq!(texts("[ 1 .. 3 ]"), ["[", "1", "..", "3", "]"]);
    }

    #[test]
    fn numbers_have_points_or_exponents() {
        let float = |text| vec![(TokenKind::Float, text)];
        for text in [".1", "1.", "1.5", "1E2", "1e+2", "0.5e-3"] {
            assert_eq!(tokens(text), float(text), "{text}");
        }
        assert_eq!(tokens("12"), [(TokenKind::Integer, "12")]);
        assert_eq!(texts("1e 1e+"), ["1", "e", "1", "e", "+"]);
        assert_eq!(texts("E-2"), ["E", "-", "2"]);
    }

    #[test]
    fn texture_targets_are_words() {
        let word = |text| (TokenKind::Word, text);
        assert_eq!(tokens("2D 3D"), [word("2D"), word("3D")]);
        assert_eq!(texts("2Dx 4D"), ["2", "Dx", "4", "D"]);
    }

    #[test]
    fn tokens_may_begin_lines() {
        let mut lexer = Lexer::new("a b\r# c\r\n  d", 0);
        let begins = [(); 3].map(|()| {
            let begins = lexer.begins_line();
            lexer.advance();
            begins
        });
        assert_eq!(begins, [false, false, true]);
    }

    #[test]
    fn what_is_not_ascii_is_unknown() {
        assert_eq!(tokens("é"), [(TokenKind::Unknown, "é")]);
    }
}
