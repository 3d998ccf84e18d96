//! Passes for the texts of all subjects: their directives, which are lines of words.

use std::ops::Range;

use crate::subject::{Pass, Subject};

/// Words that are plainer than all that follow and than all others.
const PLAIN: [&str; 17] = [
    "fragment", "false", "always", "zero", "one", "add", "unused", "flat", "position", "nearest",
    "linear", "none", "clamp", "rgba8", "d32f", "d2", "xyzw",
];

/// The limit of numbers that are made smaller by 1.
const SMALL: u64 = 64;

/// Leaves out directives: they stand for what is not plain.
pub(super) fn lines<S: Subject + 'static>() -> Pass<S> {
    Pass::parts(
        |case: &S| directives(&case.to_text("")).count(),
        |case: &S, range| {
            let text = case.to_text("");
            let removed: Vec<Range<usize>> = directives(&text)
                .skip(range.start)
                .take(range.len())
                .collect();
            let mut shorter = text.clone();
            for line in removed.into_iter().rev() {
                shorter.replace_range(line, "");
            }
            S::read(&shorter)?.ok()
        },
    )
}

/// Puts plainer words in the place of others.
pub(super) fn words<S: Subject + 'static>() -> Pass<S> {
    Pass::plainer(|case: &S, number| {
        let text = case.to_text("");
        let word = directives(&text)
            .flat_map(|line| values(&text, line))
            .nth(number)?;
        let variants = plainer(&text[word.clone()]).into_iter();
        let with = |plain: String| {
            let mut text = text.clone();
            text.replace_range(word.clone(), &plain);
            S::read(&text)?.ok()
        };
        Some(variants.filter_map(with).collect())
    })
}

/// The lines with directives, with their ends.
fn directives(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let lines = text.split_inclusive('\n').map(move |line| {
        start += line.len();
        (line, start - line.len()..start)
    });
    let directives = lines.filter(|(line, _)| line.starts_with(";!"));
    directives.map(|(_, place)| place)
}

/// The words of a directive but for its first, which says what it is about.
fn values(text: &str, line: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let words = text[line].split_ascii_whitespace().skip(2);
    words.map(|word| {
        let start = word.as_ptr().addr() - text.as_ptr().addr();
        start..start + word.len()
    })
}

/// Plainer words, the plainest first.
fn plainer(word: &str) -> Vec<String> {
    let digits = word.trim_start_matches(['-', '.']);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) && !["nan", "inf"].contains(&digits) {
        let place = PLAIN.iter().position(|plain| *plain == word);
        let plainer = PLAIN.iter().take(place.unwrap_or(PLAIN.len()));
        return match word.starts_with(char::is_alphabetic) {
            true => plainer.map(ToString::to_string).collect(),
            false => Vec::new(),
        };
    }
    let mut numbers: Vec<String> = ["0", "1"].map(ToOwned::to_owned).into();
    if let Ok(number) = word.parse::<u64>() {
        numbers.extend((number > 3).then(|| (number / 2).to_string()));
        numbers.extend((number > 2 && number <= SMALL).then(|| (number - 1).to_string()));
    }
    let is_mask = word.len() == 4 && word.bytes().all(|digit| matches!(digit, b'0' | b'1'));
    let ones = word.match_indices('1').filter(|_| is_mask);
    numbers.extend(ones.map(|(at, _)| format!("{}0{}", &word[..at], &word[at + 1..])));
    if word == "0" || word == "1" {
        numbers.truncate(usize::from(word == "1"));
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_become_plainer() {
        let join = |word: &str| plainer(word).join(" ");
        assert_eq!((join("0"), join("1")), (String::new(), "0".to_owned()));
        assert_eq!(join("3"), "0 1 2");
        assert_eq!(join("100"), "0 1 50");
        assert_eq!(
            (join("-0.5"), join("-inf")),
            ("0 1".to_owned(), "0 1".to_owned())
        );
        assert_eq!(join("0101"), "0 1 50 0001 0100");
        assert_eq!(join("always"), "fragment false");
        assert_eq!(plainer("rgba16f").len(), PLAIN.len());
        assert_eq!(join("="), "");
    }

    #[test]
    fn only_values_of_directives_are_words() {
        let text = "; note 5\n;! draw size 7 5\nmov r1, c2\n;! kill = 0001\n";
        let words = directives(text).flat_map(|line| values(text, line));
        let words: Vec<&str> = words.map(|word| &text[word]).collect();
        assert_eq!(words, ["size", "7", "5", "=", "0001"]);
    }
}
