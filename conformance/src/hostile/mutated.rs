//! Sources of hostile shapes and damaged texts, changed at random.

use super::{Door, Shape, shapes};
use crate::dice::{Dice, case_rng};
use crate::texts::LANGUAGES;

/// The languages of shapes, as their names begin.
pub const FORMS: [&str; 7] = ["asm", "binary", "arb", "tgsi", "agal", "agal bytes", "ctm"];

/// The shapes of a language.
pub fn of_form(form: &str) -> Vec<Shape> {
    let mut all = shapes();
    all.retain(|shape| shape.name.split(':').next() == Some(form));
    all
}

/// A source in the language of `shapes`: each second one is a damaged text where there are such texts, the others have one
/// of these shapes, and changes.
///
/// # Panics
///
/// If there are no shapes.
pub fn mutated(form: &str, shapes: &[Shape], index: u64) -> (Door, Vec<u8>) {
    let mut rng = case_rng(49, index);
    let mut dice = Dice::new(&mut rng);
    let language = LANGUAGES.iter().find(|language| language.word == form);
    if let Some(language) = language.filter(|_| dice.percent(50)) {
        return (Door::Text, (language.damage)(&mut dice).into_bytes());
    }
    let shape = &shapes[dice.below(shapes.len())];
    let mut source = shape.source(16 << dice.below(13));
    for _ in 0..1 + dice.below(8) {
        change(&mut source, &mut dice);
    }
    (shape.door, source)
}

/// Removes, repeats, copies or exchanges bytes.
fn change(source: &mut Vec<u8>, dice: &mut Dice<'_>) {
    let mut place = || dice.below(source.len() + 1);
    let (a, b, to) = (place(), place(), place());
    let end = a.max(b).min(a.min(b) + 200);
    let piece = source[a.min(b)..end].to_vec();
    match dice.below(5) {
        0 => drop(source.drain(a.min(b)..end)),
        1 => drop(source.splice(to..to, piece)),
        2 => drop(source.splice(to..to, piece.repeat(1 + dice.below(100)))),
        3 if to < source.len() => source[to] = dice.word() as u8,
        _ => {
            if a < source.len() && to < source.len() {
                source.swap(a, to);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_has_shapes_and_sources_that_differ() {
        for form in FORMS {
            let shapes = of_form(form);
            assert!(!shapes.is_empty(), "{form}");
            let [a, b] = [1, 2].map(|index| mutated(form, &shapes, index));
            assert_ne!(a, b);
            assert_eq!(a, mutated(form, &shapes, 1));
        }
        let all: usize = FORMS.iter().map(|form| of_form(form).len()).sum();
        assert_eq!(all, shapes().len());
    }
}
