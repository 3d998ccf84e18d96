//! Cuts a part of a line into tokens.

use attila_isa::text::{self, Cursor, is_blank};

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// Letters, digits and `_`.
    Word,
    /// One of `, ; . = ( ) -`.
    Mark(char),
    /// A character that no token begins with.
    Unknown,
    /// The end of the part.
    End,
}

/// A token and where it is.
pub(super) type Token<'a> = text::Token<'a, TokenKind>;

/// Goes through the tokens of a part of a line.
pub(super) struct Lexer<'a> {
    cursor: Cursor<'a>,
    /// The next token.
    pub(super) token: Token<'a>,
    /// Where the one before it ends.
    pub(super) last_end: usize,
}

impl<'a> Lexer<'a> {
    /// Begins with `part`, which is at byte `start` of the whole text.
    pub(super) fn new(part: &'a str, start: usize) -> Lexer<'a> {
        let mut cursor = Cursor::new(part, start);
        let mut lexer = Lexer {
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
        self.cursor.skip(is_blank);
        let (kind, length) = scan(self.cursor.rest());
        self.token = self.cursor.token(kind, length);
    }
}

/// Kind and length in bytes of the token that `rest` begins with.
fn scan(rest: &str) -> (TokenKind, usize) {
    let Some(first) = rest.chars().next() else {
        return (TokenKind::End, 0);
    };
    match first {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => {
            let ends = |byte: u8| !(byte.is_ascii_alphanumeric() || byte == b'_');
            let length = rest.bytes().position(ends).unwrap_or(rest.len());
            (TokenKind::Word, length)
        }
        ',' | ';' | '.' | '=' | '(' | ')' | '-' => (TokenKind::Mark(first), 1),
        other => (TokenKind::Unknown, other.len_utf8()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        let mut lexer = Lexer::new(text, 7);
        let mut texts = Vec::new();
        while lexer.token.kind != TokenKind::End {
            assert_eq!(
                &text[lexer.token.start - 7..lexer.token.end() - 7],
                lexer.token.text
            );
            texts.push(lexer.token.text);
            lexer.advance();
        }
        texts
    }

    #[test]
    fn blanks_part_tokens_and_selectors_are_words() {
        assert_eq!(
            texts("rgb mad.x2 t0.rg = -abs(i1.0h1), c255 ,\t_"),
            [
                "rgb", "mad", ".", "x2", "t0", ".", "rg", "=", "-", "abs", "(", "i1", ".", "0h1",
                ")", ",", "c255", ",", "_"
            ]
        );
        assert_eq!(texts("\u{feff}a é\r"), ["a", "é"]);
    }
}
