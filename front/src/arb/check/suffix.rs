//! Swizzles, write masks and selectors.

use attila_isa::{Component, Remark, Slots, code};
use smallvec::SmallVec;

use super::super::matching::without_index;
use super::super::parser::quote;
use super::super::program::Select;
use super::super::syntax::{Segment, Selector};
use super::{Checked, wrong};
use crate::arb::ArbStage;

/// The letters of components: fragment programs may write colours.
const POSITION: &str = "xyzw";
const COLOUR: &str = "rgba";

/// The components that `word` names, if all its letters are of one set.
fn letters(word: &str, stage: ArbStage) -> Option<SmallVec<[Component; 4]>> {
    let from = |set: &str| {
        let component = |letter| {
            let index = set.bytes().position(|other| other == letter)?;
            Some(Component::ALL[index])
        };
        word.bytes().map(component).collect()
    };
    match stage {
        ArbStage::Vertex => from(POSITION),
        ArbStage::Fragment => from(POSITION).or_else(|| from(COLOUR)),
    }
}

/// The word after the register, if there is one; nothing may follow it.
fn single<'s, 'a>(suffix: &'s [Segment<'a>]) -> Checked<Option<&'s Segment<'a>>> {
    if let Some(segment) = suffix.get(1) {
        let message = format!("nothing can stand here: {}", quote(segment.name.text));
        return wrong(segment.name.span(), message);
    }
    let segment = suffix.first();
    segment.map_or(Ok(()), without_index).map_err(Some)?;
    Ok(segment)
}

/// The mistake in a swizzle or a mask whose letters are not right.
fn not_letters(segment: &Segment<'_>, what: &str, stage: ArbStage) -> Remark {
    let text = quote(segment.name.text);
    let known = |c: char| POSITION.contains(c) || stage == ArbStage::Fragment && COLOUR.contains(c);
    let remark = Remark::new(segment.name.span(), format!("{text} is not a {what}"));
    if segment.name.text.chars().all(known) {
        return remark.help("the letters `xyzw` and `rgba` cannot be mixed");
    }
    remark
}

/// The swizzle of a vector source: none, one component, or four.
pub(super) fn swizzle(suffix: &[Segment<'_>], stage: ArbStage) -> Checked<[Select; 4]> {
    let Some(segment) = single(suffix)? else {
        return Ok(Component::ALL.map(Select::Component));
    };
    match letters(segment.name.text, stage).as_deref() {
        Some(&[c]) => Ok([Select::Component(c); 4]),
        Some(&[x, y, z, w]) => Ok([x, y, z, w].map(Select::Component)),
        Some(list) => {
            let count = list.len();
            let message = format!("a swizzle has 1 or 4 components, not {count}");
            wrong(segment.name.span(), message)
        }
        None => Err(Some(not_letters(segment, "swizzle", stage))),
    }
}

/// The component of a scalar source, if one is chosen.
pub(super) fn component(suffix: &[Segment<'_>], stage: ArbStage) -> Checked<Option<[Select; 4]>> {
    let Some(segment) = single(suffix)? else {
        return Ok(None);
    };
    match letters(segment.name.text, stage).as_deref() {
        Some(&[c]) => Ok(Some([Select::Component(c); 4])),
        Some(_) => {
            let message = "expected a scalar, which is one component";
            wrong(segment.name.span(), message)
        }
        None => Err(Some(not_letters(segment, "component", stage))),
    }
}

/// The write mask: all components unless some are named.
pub(super) fn mask(suffix: &[Segment<'_>], stage: ArbStage) -> Checked<Slots> {
    let Some(segment) = single(suffix)? else {
        return Ok(Slots::all());
    };
    let Some(list) = letters(segment.name.text, stage) else {
        return Err(Some(not_letters(segment, "write mask", stage)));
    };
    if list
        .windows(2)
        .all(|pair| pair[0].index() < pair[1].index())
    {
        return Ok(list.into_iter().map(Slots::only).collect());
    }
    let text = quote(segment.name.text);
    let message = format!("{text} is not a write mask: its components are out of order");
    let remark = Remark::new(segment.name.span(), message).code(&code::text::COMPONENTS);
    let mut letters: Vec<char> = segment.name.text.chars().collect();
    let set = if POSITION.contains(letters[0]) {
        POSITION
    } else {
        COLOUR
    };
    letters.sort_by_key(|letter| set.find(*letter));
    letters.dedup();
    let ordered: String = letters.into_iter().collect();
    let help = format!("write `.{ordered}`");
    Err(Some(remark.help(help).fix(segment.name.span(), ordered)))
}

/// The components that the selectors of SWZ choose, and which of them are negated.
pub(super) fn selectors(list: &[Selector<'_>], stage: ArbStage) -> Checked<([Select; 4], Slots)> {
    let mut select = [Select::Zero; 4];
    let mut negate = Slots::empty();
    let mut word = String::new();
    for ((slot, component), selector) in select.iter_mut().zip(Component::ALL).zip(list) {
        let what = &selector.what;
        *slot = match (what.text, letters(what.text, stage).as_deref()) {
            ("0", _) => Select::Zero,
            ("1", _) => Select::One,
            (text, Some(&[c])) => {
                word.push_str(text);
                Select::Component(c)
            }
            (text, _) => {
                let remark = Remark::new(what.span(), format!("{} is not a selector", quote(text)))
                    .code(&code::text::COMPONENTS);
                return Err(Some(remark.help("there may be `0`, `1` or a component")));
            }
        };
        if letters(&word, stage).is_none() {
            let message = "the letters `xyzw` and `rgba` cannot be mixed";
            return wrong(what.span(), message);
        }
        if selector.negate {
            negate |= Slots::only(component);
        }
    }
    Ok((select, negate))
}
