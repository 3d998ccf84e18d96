//! Cuts a text into tokens.
//!
//! Line ends mean nothing, and no word is a keyword here. The words of texture targets begin with a
//! digit.

use attila_isa::text::{self, Cursor, digits};

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// Letters, digits and `_`; no number.
    Word,
    /// Decimal digits only.
    Integer,
    /// A number with a point or an exponent.
    Float,
    /// `0x` and hexadecimal digits.
    Hexadecimal,
    /// One of `, . : [ ] ( ) { } | + - !`.
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
    cursor: Cursor<'a>,
    /// Whether comments are blanks.
    comments: bool,
    /// The next token.
    pub(super) token: Token<'a>,
    /// Whether the next token is the first of its line.
    pub(super) begins_line: bool,
    /// Where the token before the next one ends.
    pub(super) last_end: usize,
}

impl<'a> Lexer<'a> {
    /// Begins at the beginning of a text.
    pub(super) fn new(text: &'a str, comments: bool) -> Lexer<'a> {
        let start = text::beginning(text);
        let mut cursor = Cursor::new(&text[start..], start);
        let mut lexer = Lexer {
            token: cursor.token(TokenKind::End, 0),
            cursor,
            comments,
            begins_line: true,
            last_end: 0,
        };
        lexer.advance();
        lexer.begins_line = true;
        lexer
    }

    /// Goes on to the next token: [`TokenKind::End`] again and again at the end.
    pub(super) fn advance(&mut self) {
        self.last_end = self.token.end();
        let (blanks, begins_line) = blanks(self.cursor.rest(), self.comments);
        self.cursor.take(blanks);
        self.begins_line = begins_line;
        let (kind, length) = scan(self.cursor.rest());
        self.token = self.cursor.token(kind, length);
    }

    /// The token after the next one.
    pub(super) fn peek(&self) -> Token<'a> {
        let mut cursor = self.cursor;
        cursor.take(blanks(cursor.rest(), self.comments).0);
        let (kind, length) = scan(cursor.rest());
        cursor.token(kind, length)
    }
}

/// The length in bytes of the blanks and comments that `rest` begins with, and whether a line ends
/// among them.
fn blanks(rest: &str, comments: bool) -> (usize, bool) {
    let bytes = rest.as_bytes();
    let (mut at, mut ends_line) = (0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\n' | b'\r' => ends_line = true,
            b' ' | b'\t' | b'\x0b' | b'\x0c' => {}
            b'#' | b';' if comments => at += line_length(&bytes[at..]),
            b'/' if comments && bytes.get(at + 1) == Some(&b'/') => {
                at += line_length(&bytes[at..]);
            }
            _ => break,
        }
        at += 1;
    }
    (at.min(bytes.len()), ends_line)
}

/// The length of a comment, minus one. Its line end is a blank of its own.
fn line_length(bytes: &[u8]) -> usize {
    let ends = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let length = bytes.iter().position(ends).unwrap_or(bytes.len());
    length.saturating_sub(1)
}

/// Kind and length in bytes of the token that `rest` begins with.
fn scan(rest: &str) -> (TokenKind, usize) {
    let Some(first) = rest.chars().next() else {
        return (TokenKind::End, 0);
    };
    let digit_follows = rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    match first {
        'a'..='z' | 'A'..='Z' | '_' => (TokenKind::Word, word_length(rest)),
        '0'..='9' => number(rest),
        '.' if rest.starts_with("..") => (TokenKind::Range, 2),
        '.' if digit_follows => (TokenKind::Float, exponent(rest, 1 + digits(&rest[1..]))),
        ',' | '.' | ':' | '[' | ']' | '(' | ')' | '{' | '}' | '|' | '+' | '-' | '!' => {
            (TokenKind::Mark(first), 1)
        }
        other => (TokenKind::Unknown, other.len_utf8()),
    }
}

fn word_length(rest: &str) -> usize {
    let ends = |byte: u8| !(byte.is_ascii_alphanumeric() || byte == b'_');
    rest.bytes().position(ends).unwrap_or(rest.len())
}

/// A number, or a word that begins with a digit, such as `2D`. A point before another point
/// does not belong to a number, so that `1..3` is a range.
fn number(rest: &str) -> (TokenKind, usize) {
    let bytes = rest.as_bytes();
    let whole = digits(rest);
    if bytes.get(whole) == Some(&b'.') && bytes.get(whole + 1) != Some(&b'.') {
        let fraction = whole + 1 + digits(&rest[whole + 1..]);
        return (TokenKind::Float, exponent(rest, fraction));
    }
    let with_exponent = exponent(rest, whole);
    if with_exponent > whole {
        return (TokenKind::Float, with_exponent);
    }
    let word = word_length(rest);
    if word == whole {
        return (TokenKind::Integer, whole);
    }
    let hexadecimal = rest[..word].strip_prefix("0x");
    let hexadecimal = hexadecimal.or_else(|| rest[..word].strip_prefix("0X"));
    let is_hexadecimal = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    match hexadecimal {
        Some(digits) if !digits.is_empty() && is_hexadecimal(digits) => {
            (TokenKind::Hexadecimal, word)
        }
        Some(_) | None => (TokenKind::Word, word),
    }
}

/// The end of the exponent at `from`; `from`, if there is none.
fn exponent(rest: &str, from: usize) -> usize {
    let bytes = rest.as_bytes();
    if !matches!(bytes.get(from), Some(b'e' | b'E')) {
        return from;
    }
    let sign = usize::from(matches!(bytes.get(from + 1), Some(b'+' | b'-')));
    let first = from + 1 + sign;
    match bytes.get(first) {
        Some(byte) if byte.is_ascii_digit() => first + digits(&rest[first..]),
        Some(_) | None => from,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str, comments: bool) -> Vec<(TokenKind, &str)> {
        let mut lexer = Lexer::new(text, comments);
        let mut tokens = Vec::new();
        while lexer.token.kind != TokenKind::End {
            tokens.push((lexer.token.kind, lexer.token.text));
            lexer.advance();
        }
        tokens
    }

    fn texts(text: &str) -> Vec<&str> {
        let tokens = tokens(text, true);
        tokens.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn marks_part_words() {
        assert_eq!(
            texts("12: MOV_SAT OUT[0].x,-|TEMP[ADDR[0].x + 3](1).xxxx|\r\n"),
            [
                "12", ":", "MOV_SAT", "OUT", "[", "0", "]", ".", "x", ",", "-", "|", "TEMP", "[",
                "ADDR", "[", "0", "]", ".", "x", "+", "3", "]", "(", "1", ")", ".", "xxxx", "|"
            ]
        );
    }

    #[test]
    fn ranges_are_not_floats() {
        assert_eq!(texts("TEMP[0..3]"), ["TEMP", "[", "0", "..", "3", "]"]);
    }

    #[test]
    fn numbers_have_four_forms() {
        for text in ["1.5", "1.", ".5", "1e1", "1.E+2", "0.5e-3", ".5E2"] {
            assert_eq!(tokens(text, true), [(TokenKind::Float, text)]);
        }
        assert_eq!(tokens("12", true), [(TokenKind::Integer, "12")]);
        let hexadecimal = [(TokenKind::Hexadecimal, "0x3f800000")];
        assert_eq!(tokens("0x3f800000", true), hexadecimal);
    }

    #[test]
    fn words_may_begin_with_digits() {
        for text in ["1D", "2D_ARRAY_MSAA", "0x", "0xg", "3e"] {
            assert_eq!(tokens(text, true), [(TokenKind::Word, text)]);
        }
    }

    #[test]
    fn comments_go_to_the_end_of_their_line_if_they_are_allowed() {
        let text = "a # b\nc // d\r\n;! e\nf ;";
        assert_eq!(texts(text), ["a", "c", "f"]);
        let strict = tokens(text, false);
        assert!(strict.contains(&(TokenKind::Unknown, "#")));
        assert_eq!(texts("a / b"), ["a", "/", "b"]);
    }

    #[test]
    fn tokens_may_begin_lines() {
        let mut lexer = Lexer::new("a b\r# c\n  d", true);
        let begins = [(); 3].map(|()| {
            let begins = lexer.begins_line;
            lexer.advance();
            begins
        });
        assert_eq!(begins, [true, false, true]);
    }
}
