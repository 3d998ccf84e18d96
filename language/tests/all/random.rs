//! Random changes: nothing panics, and all places are within the text. `ATTILA_EDITS` says how many changes.

use std::ops::Range;

use attila_language::{Document, NoCosts, apply};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::texts;

/// The changes that are made without another number.
const EDITS: usize = 1500;

/// What is inserted besides pieces of the text.
const PIECES: [&str; 24] = [
    "\n",
    "\r\n",
    " ",
    ",",
    ";",
    ":",
    "[",
    "]",
    "(",
    ".",
    "..",
    "-",
    "<-",
    "\u{10000}",
    "ä",
    "\0",
    "#",
    "//",
    ";!",
    "!!ARBfp1.0\n",
    "FRAG\n",
    "mov r0, i1\n",
    "jmp p0, loop\n",
    "\u{feff}",
];

#[test]
fn no_change_makes_an_answer_panic() {
    let count = std::env::var("ATTILA_EDITS").ok();
    let count = count.map_or(EDITS, |it| it.parse().expect("ATTILA_EDITS is a number"));
    let texts = texts("tests");
    let short = texts.iter().filter(|(_, text)| text.len() < 3000);
    let short: Vec<_> = short.collect();
    let mut random = ChaCha8Rng::seed_from_u64(54);
    let mut edits = 0;
    while edits < count {
        let (name, text) = short[random.random_range(0..short.len())];
        let mut text = text.clone();
        for _ in 0..random.random_range(1..20) {
            change(&mut text, &mut random);
            edits += 1;
            ask(name, &Document::new(name, text.clone()), &mut random);
        }
    }
}

/// Replaces a part of a text.
fn change(text: &mut String, random: &mut ChaCha8Rng) {
    let start = text.floor_char_boundary(random.random_range(0..=text.len()));
    let length = match random.random_range(0..10) {
        0 => random.random_range(0..200),
        _ => random.random_range(0..4),
    };
    let end = text
        .floor_char_boundary((start + length).min(text.len()))
        .max(start);
    let piece = match random.random_range(0..4) {
        0 => String::new(),
        1 => {
            let from = text.floor_char_boundary(random.random_range(0..=text.len()));
            let to = text.floor_char_boundary((from + 30).min(text.len()));
            text[from..to].to_owned()
        }
        _ => PIECES[random.random_range(0..PIECES.len())].to_owned(),
    };
    text.replace_range(start..end, &piece);
}

/// Asks everything at a random place.
fn ask(name: &str, document: &Document, random: &mut ChaCha8Rng) {
    let text = document.text();
    let is_inside = |span: &Range<usize>| {
        assert!(
            span.start <= span.end && span.end <= text.len(),
            "{span:?}: {text:?}"
        );
        assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
    };
    let at = random.random_range(0..=text.len() + 1);
    document
        .hover(at, &NoCosts)
        .iter()
        .for_each(|it| is_inside(&it.span));
    document
        .complete(at)
        .iter()
        .for_each(|it| is_inside(&it.span));
    document.signature(at).iter().for_each(|it| {
        assert!(
            it.operands
                .iter()
                .all(|operand| it.syntax.get(operand.clone()).is_some())
        );
    });
    document
        .problems()
        .iter()
        .for_each(|it| is_inside(&it.span));
    document
        .problems()
        .iter()
        .filter_map(|it| it.fix.as_ref())
        .for_each(|it| is_inside(&it.span));
    document
        .occurrences()
        .iter()
        .for_each(|it| is_inside(&it.span));
    document.symbols().iter().for_each(|it| is_inside(&it.span));
    document.folds().iter().for_each(is_inside);
    document
        .hints(0..text.len())
        .iter()
        .for_each(|it| is_inside(&(it.at..it.at)));
    if let Ok(edits) = document.rename(at, "other") {
        edits.iter().for_each(|it| is_inside(&it.span));
        apply(text, &edits);
    }
    let once = apply(text, &document.format());
    let again = Document::new(name, once.clone());
    assert_eq!(apply(&once, &again.format()), once, "{text:?}");
}
