//! [`Cursor`], and the pieces that it cuts.

use std::ops::Range;

/// A word and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word<'a> {
    /// The word.
    pub text: &'a str,
    /// The offset of its first byte in the whole text.
    pub start: usize,
}

impl Word<'_> {
    /// The offset after its last byte in the whole text.
    #[inline]
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Its bytes in the whole text.
    #[inline]
    pub fn span(&self) -> Range<usize> {
        self.start..self.end()
    }
}

/// A token of a kind, and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'a, Kind> {
    /// Its kind.
    pub kind: Kind,
    /// The token.
    pub text: &'a str,
    /// The offset of its first byte in the whole text.
    pub start: usize,
}

impl<'a, Kind> Token<'a, Kind> {
    /// The token without its kind.
    #[inline]
    pub fn word(&self) -> Word<'a> {
        Word {
            text: self.text,
            start: self.start,
        }
    }

    /// The offset after its last byte in the whole text.
    #[inline]
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Its bytes in the whole text.
    #[inline]
    pub fn span(&self) -> Range<usize> {
        self.start..self.end()
    }
}

/// A place in a text, or in a piece of one such as a line. Copies of it remember places to come back
/// to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cursor<'a> {
    rest: &'a str,
    /// The offset of the rest in the whole text.
    position: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the beginning of `piece`, which is at byte `start` of the whole text.
    #[inline]
    pub fn new(piece: &'a str, start: usize) -> Cursor<'a> {
        Cursor {
            rest: piece,
            position: start,
        }
    }

    /// The part of the piece that has not been read.
    #[inline]
    pub fn rest(&self) -> &'a str {
        self.rest
    }

    /// The offset of the next byte in the whole text.
    #[inline]
    pub fn position(&self) -> usize {
        self.position
    }

    /// The offset of the end of the piece in the whole text.
    pub fn end(&self) -> usize {
        self.position + self.rest.len()
    }

    /// Takes bytes of the rest, up to a character boundary.
    #[inline]
    pub fn take(&mut self, length: usize) -> Word<'a> {
        let (text, rest) = self.rest.split_at(length);
        let start = self.position;
        self.rest = rest;
        self.position += length;
        Word { text, start }
    }

    /// Takes bytes of the rest as a token.
    #[inline]
    pub fn token<Kind>(&mut self, kind: Kind, length: usize) -> Token<'a, Kind> {
        let Word { text, start } = self.take(length);
        Token { kind, text, start }
    }

    /// Skips characters as long as they are blank.
    #[inline]
    pub fn skip(&mut self, is_blank: impl FnMut(char) -> bool) {
        let rest = self.rest.trim_start_matches(is_blank);
        self.position += self.rest.len() - rest.len();
        self.rest = rest;
    }

    /// Takes the next word, which is empty at the end. Blanks separate words, and each of `marks`
    /// is a separate word.
    pub fn word(&mut self, marks: &str) -> Word<'a> {
        self.skip(char::is_whitespace);
        let rest = self.rest();
        let ends = |c: char| c.is_whitespace() || marks.contains(c);
        let length = match rest.char_indices().find(|(_, c)| ends(*c)) {
            Some((0, mark)) => mark.len_utf8(),
            Some((length, _)) => length,
            None => rest.len(),
        };
        self.take(length)
    }

    /// The next word, without taking it.
    pub fn peek(&self, marks: &str) -> Word<'a> {
        let mut ahead = *self;
        ahead.word(marks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_blanks_and_marks() {
        let mut cursor = Cursor::new("  a=(b c1 )é", 10);
        let mut words = Vec::new();
        while !cursor.peek("=()").text.is_empty() {
            let word = cursor.word("=()");
            words.push((word.text, word.span()));
        }
        let expected = [
            ("a", 12..13),
            ("=", 13..14),
            ("(", 14..15),
            ("b", 15..16),
            ("c1", 17..19),
            (")", 20..21),
            ("é", 21..23),
        ];
        assert_eq!(words, expected);
        assert_eq!(cursor.word("=()").span(), 23..23);
        assert_eq!((cursor.position(), cursor.end()), (23, 23));
    }

    #[test]
    fn tokens_are_at_their_places_in_the_whole_text() {
        let mut cursor = Cursor::new("nop ; b", 5);
        let token = cursor.token('n', 3);
        assert_eq!((token.kind, token.text, token.span()), ('n', "nop", 5..8));
        assert_eq!(token.word().end(), 8);
        cursor.skip(|c| c == ' ');
        assert_eq!((cursor.rest(), cursor.position()), ("; b", 9));
    }
}
