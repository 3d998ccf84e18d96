//! Damage that texts in all languages take.

use std::ops::Range;

use crate::dice::Dice;

/// The facts about a language that its damage depends on.
pub(super) struct Damage {
    /// Texts of which most damaged ones are made.
    pub(super) programs: &'static [&'static str],
    /// Makes another text.
    pub(super) generate: fn(&mut Dice<'_>) -> String,
    /// Pieces that mean something somewhere.
    pub(super) pieces: &'static [&'static str],
    /// The end of a statement.
    pub(super) end: char,
    /// Letters that may stand for each other.
    pub(super) letters: &'static [&'static str],
}

impl Damage {
    /// A text with one to three pieces damaged.
    pub(super) fn apply(&self, dice: &mut Dice<'_>) -> String {
        let text = match dice.percent(60) {
            true => dice.pick(self.programs).to_owned(),
            false => (self.generate)(dice),
        };
        self.apply_to(text, dice)
    }

    /// A text with one to three pieces damaged.
    pub(super) fn apply_to(&self, mut text: String, dice: &mut Dice<'_>) -> String {
        if dice.percent(10) {
            text = text.replace('\n', "\r\n");
        }
        for _ in 0..1 + dice.below(3) {
            match dice.percent(60) {
                true => touch(&mut text, self, dice),
                false => hurt(&mut text, self, dice),
            }
        }
        text
    }
}

/// Changes that often leave a program: of whole statements, and of single digits and letters.
fn touch(text: &mut String, damage: &Damage, dice: &mut Dice<'_>) {
    let (first, second) = (statement(text, damage, dice), statement(text, damage, dice));
    match dice.below(4) {
        0 => text.replace_range(first, ""),
        1 => {
            let copy = text[first].to_owned();
            text.insert_str(second.start, &copy);
        }
        2 => exchange(text, "0123456789", dice),
        _ => exchange(text, dice.pick(damage.letters), dice),
    }
}

/// A statement with its end, or the rest after the last end.
fn statement(text: &str, damage: &Damage, dice: &mut Dice<'_>) -> Range<usize> {
    let at = place(text, dice);
    let start = text[..at].rfind(damage.end).map_or(0, |before| before + 1);
    let end = text[at..]
        .find(damage.end)
        .map_or(text.len(), |after| at + after + 1);
    start..end
}

/// Puts one of `letters` in place of another.
fn exchange(text: &mut String, letters: &str, dice: &mut Dice<'_>) {
    let places: Vec<usize> = text
        .match_indices(|c| letters.contains(c))
        .map(|it| it.0)
        .collect();
    if let Some(&at) = places.get(dice.below(places.len())) {
        let other = dice.below(letters.len());
        text.replace_range(at..at + 1, &letters[other..other + 1]);
    }
}

fn hurt(text: &mut String, damage: &Damage, dice: &mut Dice<'_>) {
    let (a, b) = (place(text, dice), place(text, dice));
    let start = a.min(b);
    let near = place(&text[start..a.max(b)], dice) + start;
    let piece = dice.pick(damage.pieces);
    match dice.below(6) {
        0 => text.insert_str(a, piece),
        1 => text.replace_range(a..after(text, a, 1), ""),
        2 => text.replace_range(a..after(text, a, 3), piece),
        3 => {
            let copy = text[start..near].to_owned();
            text.insert_str(a, &copy);
        }
        4 => text.replace_range(start..near, ""),
        _ => {
            // Words of this very text in other places, so that most of it stays right.
            let words: Vec<&str> = text.split_ascii_whitespace().collect();
            let word = words.get(dice.below(words.len()));
            let word = word.copied().unwrap_or(piece).to_owned();
            text.insert_str(a, &word);
        }
    }
}

/// A place of `text` that is not inside a character.
fn place(text: &str, dice: &mut Dice<'_>) -> usize {
    text.floor_char_boundary(dice.below(text.len() + 1))
}

/// The place `count` characters after `at`, or the end.
fn after(text: &str, at: usize, count: usize) -> usize {
    let next = text[at..].char_indices().nth(count);
    next.map_or(text.len(), |(offset, _)| at + offset)
}
