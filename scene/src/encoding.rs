//! From bytes to text: UTF-8, or else Latin-1 to show what is wrong.

use std::ops::Range;

use attila_shader::front::arb;

use crate::sections::place_of;

/// A text that is not UTF-8.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NotUtf8 {
    /// The text, with bytes that are not UTF-8 taken for Latin-1.
    pub text: String,
    /// The first character that was not UTF-8, in bytes of `text`.
    pub span: Range<usize>,
    /// The line of that character, from 1.
    pub line: usize,
    /// The character's number in its line, from 1.
    pub column: usize,
    /// Whether all of them are in comments, where they do no harm.
    pub harmless: bool,
}

/// The text that the bytes are.
pub(crate) fn decode(bytes: Vec<u8>) -> Result<String, Box<NotUtf8>> {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    let mut places = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for &byte in chunk.invalid() {
            places.push(text.len());
            text.push(latin1(byte));
        }
    }
    let first = places.first().copied().unwrap_or_default();
    let length = text[first..].chars().next().map_or(0, char::len_utf8);
    let [line, column] = place_of(&text, first);
    Err(Box::new(NotUtf8 {
        span: first..first + length,
        line,
        column,
        harmless: are_in_comments(&text, &places),
        text,
    }))
}

/// Control characters are not shown: they may mean something to a terminal.
fn latin1(byte: u8) -> char {
    if byte < 0xa0 {
        char::REPLACEMENT_CHARACTER
    } else {
        char::from(byte)
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// Whether comments of the text's language hold all `places`, which are in ascending order.
/// Directives are no comments.
fn are_in_comments(text: &str, places: &[usize]) -> bool {
    let marks: &[&str] = match arb::stage_of(text) {
        Some(_) => &["#"],
        None => &["#", ";", "//"],
    };
    let mut safe = 0..0;
    places.iter().all(|&place| {
        if safe.contains(&place) {
            return true;
        }
        let start = line_start(text, place);
        let before = &text[start..place];
        let rest = &text[place..];
        safe = place..place + rest.find('\n').unwrap_or(rest.len());
        let directive = before.trim_start().starts_with(";!");
        !directive && marks.iter().any(|mark| before.contains(mark))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(bytes: &[u8]) -> NotUtf8 {
        *decode(bytes.to_vec()).expect_err("it is not UTF-8")
    }

    #[test]
    fn utf8_stays_as_it_is() {
        assert_eq!(decode("é\n".into()), Ok("é\n".to_owned()));
    }

    #[test]
    fn the_first_byte_is_named_and_shown() {
        let found = refused(b"nop\nmov \xc3\xa9\xe4, \xff");
        assert_eq!(found.text, "nop\nmov éä, ÿ");
        assert_eq!((found.line, found.column), (2, 6));
        assert_eq!(&found.text[found.span], "ä");
        assert!(!found.harmless);
        assert_eq!(refused(b"\x9b").text, "\u{fffd}");
    }

    #[test]
    fn comments_may_hold_anything() {
        assert!(refused(b"nop ; \xe4\xf6\nmov // \xfc").harmless);
        assert!(refused(b"!!ARBfp1.0\nEND # \xe4").harmless);
        assert!(!refused(b"nop ; \xe4\n\xf6").harmless);
        assert!(!refused(b"!!ARBfp1.0\nEND ; \xe4").harmless);
        assert!(!refused(b" ;! texture t0 = \xe4.png").harmless);
    }
}
