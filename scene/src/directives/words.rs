//! Numbers of directives, from text to words and back.

use attila_shader::isa::text::{hexadecimal, is_whole};

/// The type of a number without a suffix.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Plain {
    Float,
    Integer,
}

/// Reads a number; `Err` says what is wrong with it.
pub(super) fn parse(text: &str, plain: Plain) -> Result<u32, String> {
    let lower = text.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0x") {
        return hexadecimal(digits)
            .ok_or_else(|| format!("`{text}` is not `0x` and up to 8 hexadecimal digits"));
    }
    let looks_integer = |digits: &str| {
        let digits = digits.strip_prefix(['-', '+']).unwrap_or(digits);
        is_whole(digits)
    };
    if let Some(digits) = lower
        .strip_suffix('i')
        .filter(|digits| looks_integer(digits))
    {
        return integer(digits).ok_or_else(|| format!("`{text}` does not fit 32 bits"));
    }
    match plain {
        Plain::Integer if looks_integer(&lower) => {
            integer(&lower).ok_or_else(|| format!("`{text}` does not fit 32 bits"))
        }
        Plain::Integer => Err(format!("`{text}` is not an integer")),
        Plain::Float if is_float(&lower) => {
            let value: f32 = lower
                .parse()
                .map_err(|_| format!("`{text}` is not a number"))?;
            Ok(value.to_bits())
        }
        Plain::Float => Err(format!("`{text}` is not a number")),
    }
}

/// Reads a number that is a float unless it says otherwise; `Err` says what is wrong with it.
pub fn float_bits(text: &str) -> Result<u32, String> {
    parse(text, Plain::Float)
}

/// Rust also reads words like `infinity`, which are not ours.
fn is_float(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    matches!(unsigned, "inf" | "nan")
        || (unsigned.bytes().any(|b| b.is_ascii_digit())
            && unsigned
                .bytes()
                .all(|b| b.is_ascii_digit() || b"+-.e".contains(&b)))
}

/// A number from -2^31 to 2^32 - 1.
fn integer(digits: &str) -> Option<u32> {
    let value: i64 = digits.parse().ok()?;
    u32::try_from(value)
        .or_else(|_| i32::try_from(value).map(i32::cast_unsigned))
        .ok()
}

/// A word as a directive has it, as readable as it gets: a float where it looks like one, a small
/// integer, or raw bits. Reading it gives the same bits again.
pub fn show(word: u32) -> String {
    let float = f32::from_bits(word);
    let plain = float == 0.0 || (1e-5..1e7).contains(&float.abs()) || float.is_infinite();
    let integer = word.cast_signed();
    if word == f32::NAN.to_bits() {
        "nan".to_owned()
    } else if plain {
        float.to_string()
    } else if (-65536..65536).contains(&integer) {
        format!("{integer}i")
    } else {
        format!("{word:#010x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_words_read_back_as_they_were() {
        let mut word = 1u32;
        for _ in 0..100_000 {
            word = word.wrapping_mul(0x9e37_79b1).wrapping_add(12345);
            assert_eq!(parse(&show(word), Plain::Float), Ok(word), "{}", show(word));
        }
        for word in [
            0,
            0x8000_0000,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000,
            1,
            u32::MAX,
        ] {
            assert_eq!(parse(&show(word), Plain::Float), Ok(word), "{}", show(word));
        }
    }

    #[test]
    fn suffixes_decide_what_a_number_is() {
        assert_eq!(parse("1", Plain::Float), Ok(0x3f80_0000));
        assert_eq!(parse("1", Plain::Integer), Ok(1));
        assert_eq!(parse("-1i", Plain::Float), Ok(u32::MAX));
        assert_eq!(parse("4294967295i", Plain::Float), Ok(u32::MAX));
        assert_eq!(parse("0xFF", Plain::Float), Ok(255));
        assert_eq!(parse("-inf", Plain::Float), Ok(0xff80_0000));
    }

    #[test]
    fn other_texts_are_refused_with_a_reason() {
        assert_eq!(
            parse("infinity", Plain::Float),
            Err("`infinity` is not a number".to_owned())
        );
        assert_eq!(
            parse("1.5", Plain::Integer),
            Err("`1.5` is not an integer".to_owned())
        );
        assert_eq!(
            parse("4294967296i", Plain::Float),
            Err("`4294967296i` does not fit 32 bits".to_owned())
        );
        assert_eq!(
            parse("0x123456789", Plain::Float),
            Err("`0x123456789` is not `0x` and up to 8 hexadecimal digits".to_owned())
        );
        for text in ["", "-", "i", "1e", "--1", "0x"] {
            assert!(parse(text, Plain::Float).is_err(), "{text}");
        }
    }
}
