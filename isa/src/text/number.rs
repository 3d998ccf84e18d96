//! Numbers in texts.

/// The number of decimal digits that `text` begins with.
#[inline]
pub fn digits(text: &str) -> usize {
    let mut bytes = text.bytes();
    let other = bytes.position(|byte| !byte.is_ascii_digit());
    other.unwrap_or(text.len())
}

/// Whether `text` is decimal digits and nothing else: a whole number without a sign.
pub fn is_whole(text: &str) -> bool {
    !text.is_empty() && digits(text) == text.len()
}

/// The value of the hexadecimal digits after `0x`; `None` if they are not digits, or if they do not fit
/// 32 bits.
pub fn hexadecimal(digits: &str) -> Option<u32> {
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_digits_only() {
        assert_eq!([digits("12ab"), digits("ab"), digits("")], [2, 0, 0]);
        assert!(is_whole("0") && is_whole("123456789012345678901234567890"));
        assert!(!is_whole("") && !is_whole("+1") && !is_whole("1.0") && !is_whole("1a"));
    }

    #[test]
    fn hexadecimal_numbers_have_32_bits() {
        assert_eq!(hexadecimal("fFff_ffff"), None);
        assert_eq!(hexadecimal("fFffffff"), Some(u32::MAX));
        assert_eq!(hexadecimal("100000000"), None);
        assert_eq!(hexadecimal(""), None);
    }
}
