//! Write masks, swizzles and components.

use attila_isa::{Component, Remark, Slots, Swizzle, code};

use super::super::parser::quote;
use super::super::syntax::Name;
use super::{Checked, Checker, wrong};

fn component(letter: u8) -> Option<Component> {
    match letter.to_ascii_lowercase() {
        b'x' => Some(Component::X),
        b'y' => Some(Component::Y),
        b'z' => Some(Component::Z),
        b'w' => Some(Component::W),
        _ => None,
    }
}

fn letters(word: &Name<'_>, what: &str) -> Checked<Vec<Component>> {
    let letters: Option<Vec<_>> = word.text.bytes().map(component).collect();
    match letters.filter(|letters| letters.len() <= 4) {
        Some(letters) => Ok(letters),
        None => {
            let message = format!("{} is not a {what}", quote(word.text));
            let remark = Remark::new(word.span(), message);
            Err(Some(remark.help("there may be up to four of `xyzw`")))
        }
    }
}

/// The components that a write mask names.
pub(super) fn mask(word: &Name<'_>) -> Checked<Slots> {
    let letters = letters(word, "write mask")?;
    if letters.is_sorted_by(|a, b| a < b) {
        return Ok(letters.into_iter().map(Slots::only).collect());
    }
    let message = format!(
        "{} is not a write mask: its components are out of order",
        quote(word.text)
    );
    let mask: Slots = letters.into_iter().map(Slots::only).collect();
    let ordered: String = mask.components().map(Component::letter).collect();
    Err(Some(
        Remark::new(word.span(), message)
            .code(&code::text::COMPONENTS)
            .help(format!("write `.{ordered}`"))
            .fix(word.span(), ordered),
    ))
}

/// The component of an address, x unless one is named.
pub(super) fn single(word: Option<&Name<'_>>) -> Checked<Component> {
    let Some(word) = word else {
        return Ok(Component::X);
    };
    match letters(word, "component")?.as_slice() {
        [component] => Ok(*component),
        _ => wrong(word.span(), "an address is one component"),
    }
}

impl Checker<'_> {
    /// The components that a swizzle chooses. Where fewer than four letters are allowed, the last one
    /// counts for the rest.
    pub(super) fn swizzle(&self, word: Option<&Name<'_>>, needed: usize) -> Checked<Swizzle> {
        let Some(word) = word else {
            return Ok(Swizzle::IDENTITY);
        };
        let letters = letters(word, "swizzle")?;
        let Some(last) = letters.last() else {
            return Ok(Swizzle::IDENTITY);
        };
        if letters.len() < needed && !self.relaxed {
            let message = format!("a swizzle has {needed} letters");
            return wrong(word.span(), message);
        }
        let mut slots = [*last; 4];
        slots[..letters.len()].copy_from_slice(&letters);
        Ok(Swizzle::new(slots))
    }
}
