//! Blanks, among which are the byte order marks that editors put before texts.

/// The character that says of a file that it is UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Whether a character is a blank: white space, or a byte order mark.
#[inline]
pub fn is_blank(character: char) -> bool {
    character.is_whitespace() || character == BYTE_ORDER_MARK
}

/// The byte at which a text begins: the one after its byte order mark, if it has one.
pub fn beginning(text: &str) -> usize {
    match text.starts_with(BYTE_ORDER_MARK) {
        true => BYTE_ORDER_MARK.len_utf8(),
        false => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_begin_after_one_mark() {
        assert_eq!(beginning("a"), 0);
        assert_eq!(beginning("\u{feff}a"), 3);
        assert_eq!(beginning("\u{feff}\u{feff}"), 3);
        assert_eq!(beginning(" \u{feff}"), 0);
        assert!("\u{feff} \u{a0}\t".chars().all(is_blank));
        assert!(!is_blank('_'));
    }
}
