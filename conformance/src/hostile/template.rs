//! Sources that are written as parts to repeat.

/// A part of a source.
///
/// In a part, `@` begins a number: `@n` is the count of the repetition, `@r` the same counted from the end, `@N` the number of
/// repetitions, and `@?` a count that looks drawn but is always the same. `+k`, `*k` and `%k` after it change the number, from
/// left to right.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// A text that stands there once.
    Once(String),
    /// A text that is repeated as often as all others.
    Many(String),
}

/// A number in a part, and how it is changed.
fn number(letters: &mut &str, nth: usize, count: usize) -> usize {
    let base = letters.as_bytes()[0];
    *letters = &letters[1..];
    let mut number = match base {
        b'n' => nth,
        b'r' => count - 1 - nth,
        b'N' => count,
        b'?' => (nth.wrapping_mul(0x9e37_79b9) >> 7) % count,
        _ => unreachable!("no number begins with {}", char::from(base)),
    };
    while let Some(change @ (b'+' | b'*' | b'%')) = letters.bytes().next() {
        let rest = &letters[1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(by) = rest[..digits].parse::<usize>() else {
            break;
        };
        number = match change {
            b'+' => number + by,
            b'*' => number * by,
            _ => number % by,
        };
        *letters = &rest[digits..];
    }
    number
}

/// Adds a part with its numbers to a source.
fn fill(source: &mut String, part: &str, nth: usize, count: usize) {
    let mut pieces = part.split('@');
    source.push_str(pieces.next().unwrap_or_default());
    for mut piece in pieces {
        *source += &number(&mut piece, nth, count).to_string();
        source.push_str(piece);
    }
}

/// The source of at most `size` bytes that repeats its parts as often as it can, at least once.
pub(super) fn source(parts: &[Part], size: usize) -> String {
    // The longest repetition is one with long numbers.
    let count = |round: usize| {
        let (mut once, mut many) = (String::new(), String::new());
        for part in parts {
            match part {
                Part::Once(text) => fill(&mut once, text, round - 1, round),
                Part::Many(text) => fill(&mut many, text, round - 1, round),
            }
        }
        size.saturating_sub(once.len()) / many.len().max(1)
    };
    let count = count(count(1).max(1)).max(1);
    repeated(parts, count)
}

/// The source that repeats its parts so many times.
pub(super) fn repeated(parts: &[Part], count: usize) -> String {
    let mut source = String::new();
    for part in parts {
        match part {
            Part::Once(text) => fill(&mut source, text, 0, count),
            Part::Many(text) => (0..count).for_each(|nth| fill(&mut source, text, nth, count)),
        }
    }
    source
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_forward_and_back_and_are_changed_from_left_to_right() {
        let parts = [
            Part::Once("of @N:".to_owned()),
            Part::Many(" @n/@r+1".to_owned()),
            Part::Many(" @n*10+1%7".to_owned()),
        ];
        assert_eq!(repeated(&parts, 3), "of 3: 0/3 1/2 2/1 1 4 0");
    }

    #[test]
    fn sources_are_as_long_as_they_may_be() {
        let parts = [
            Part::Once("<".to_owned()),
            Part::Many("@n,@?;".to_owned()),
            Part::Once(">".to_owned()),
        ];
        for size in [10, 100, 1000, 100_000] {
            let length = source(&parts, size).len();
            assert!(length <= size && length > size / 2, "{length} of {size}");
        }
        assert_eq!(source(&parts, 0), "<0,0;>");
    }
}
