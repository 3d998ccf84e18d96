//! Finds the binding that a path names.

use attila_isa::{Diagnostics, Remark, code, nearest};

use super::binding::{Face, Transform};
use super::bindings::{BINDINGS, Bound, Captures, Row};
use super::parser::quote;
use super::profile::{MAX_ELEMENTS, Profile};
use super::syntax::{IndexKind, Path, Segment};
use crate::arb::ArbStage;

/// The words that bindings of `stage` begin with. No variable can have one as its name.
pub(super) const fn roots(stage: ArbStage) -> [&'static str; 4] {
    match stage {
        ArbStage::Vertex => ["vertex", "result", "state", "program"],
        ArbStage::Fragment => ["fragment", "result", "state", "program"],
    }
}

/// A word of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Element<'p> {
    /// A word, with what may be between brackets after it.
    Word(&'p str, Option<&'p str>),
    Face,
    Transform,
    Row,
    Coordinate,
}

fn elements(pattern: &'static str) -> impl Iterator<Item = Element<'static>> {
    let mut rest = Some(pattern);
    std::iter::from_fn(move || {
        let text = rest?;
        let (word, after) = text.split_at(text.find(['.', '[']).unwrap_or(text.len()));
        // The dots of `[..]` part nothing.
        let bracket = after
            .strip_prefix('[')
            .and_then(|text| text.split_once(']'));
        rest = bracket.map_or(after, |(_, after)| after).strip_prefix('.');
        Some(match word {
            "<face>" => Element::Face,
            "<transform>" => Element::Transform,
            "<row>" => Element::Row,
            "<coordinate>" => Element::Coordinate,
            name => Element::Word(name, bracket.map(|(index, _)| index)),
        })
    })
}

impl Element<'static> {
    /// The words that it can be.
    fn names(&self) -> &[&'static str] {
        match self {
            Element::Word(name, _) => std::slice::from_ref(name),
            Element::Face => &["front", "back"],
            Element::Transform => &["inverse", "transpose", "invtrans"],
            Element::Row => &["row"],
            Element::Coordinate => &["s", "t", "r", "q"],
        }
    }

    /// Which of its words `word` is.
    fn position(&self, word: &str) -> Option<usize> {
        self.names().iter().position(|name| *name == word)
    }

    fn is(&self, word: &str) -> bool {
        self.position(word).is_some()
    }

    fn is_optional(self) -> bool {
        matches!(self, Element::Face | Element::Transform | Element::Row)
    }
}

/// How many words of `path` the row takes; else how many it would have taken.
fn consumed(row: &Row, path: &Path<'_>) -> Result<usize, usize> {
    let mut segments = path.segments().peekable();
    let mut count = 0;
    for element in elements(row.pattern) {
        if segments.next_if(|s| element.is(s.name.text)).is_some() {
            count += 1;
        } else if !element.is_optional() {
            return Err(count);
        }
    }
    Ok(count)
}

/// The binding of `path`, and the words after it.
///
/// # Errors
///
/// No binding of programs of `stage` is written so, or an index is wrong.
pub(super) fn resolve<'p, 'a>(
    path: &'p Path<'a>,
    stage: ArbStage,
    profile: &Profile,
    diagnostics: &Diagnostics,
) -> Result<(Bound, &'p [Segment<'a>]), Remark> {
    let root = path.root.name.text;
    let possible = |row: &&Row| row.stages.has(stage) && row.pattern.starts_with(root);
    let rows = BINDINGS.iter().filter(possible);
    let complete = rows.filter_map(|row| Some((consumed(row, path).ok()?, row)));
    let Some((count, row)) = complete.max_by_key(|(count, _)| *count) else {
        return Err(unknown(path, stage, diagnostics));
    };
    let captures = capture(row, path, profile)?;
    // The root is one of the words of every binding.
    Ok(((row.bind)(&captures), &path.rest[count - 1..]))
}

fn unknown(path: &Path<'_>, stage: ArbStage, diagnostics: &Diagnostics) -> Remark {
    let rows = || BINDINGS.iter().filter(|row| row.stages.has(stage));
    let count = |row: &Row| consumed(row, path).unwrap_or_else(|count| count);
    let most = rows().map(count).max().unwrap_or(0);
    let Some(segment) = path.segments().nth(most) else {
        let name = quote(path.segments().last().map_or("", |s| s.name.text));
        let message = format!("the binding continues after {name}");
        let remark = Remark::new(path.span(), message).code(&code::text::EXPECTED);
        return remark.help(format!("with {}", listed(&expected(path, stage, most))));
    };
    let name = quote(segment.name.text);
    let message = format!("{stage} programs have no binding with {name} here");
    let remark = Remark::new(segment.name.span(), message).code(&code::text::NAME);
    if !diagnostics.has_room() {
        return remark;
    }
    let names = expected(path, stage, most);
    match nearest(segment.name.text, names.iter().copied()) {
        Some(near) => remark.did_you_mean(near),
        None => remark.help(format!("expected {}", listed(&names))),
    }
}

/// The words that could come after the first `most`.
fn expected(path: &Path<'_>, stage: ArbStage, most: usize) -> Vec<&'static str> {
    let mut names = Vec::new();
    for row in BINDINGS.iter().filter(|row| row.stages.has(stage)) {
        if consumed(row, path) != Err(most) {
            continue;
        }
        let mut segments = path.segments().peekable();
        for element in elements(row.pattern) {
            if segments.next_if(|s| element.is(s.name.text)).is_some() {
                continue;
            }
            names.extend(element.names());
            if !element.is_optional() {
                break;
            }
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

fn listed(names: &[&str]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "nothing".to_owned(),
    }
}

fn capture(row: &Row, path: &Path<'_>, profile: &Profile) -> Result<Captures, Remark> {
    let mut captures = Captures::default();
    let mut segments = path.segments().peekable();
    for element in elements(row.pattern) {
        let Some(segment) = segments.next_if(|s| element.is(s.name.text)) else {
            continue;
        };
        let nth = element.position(segment.name.text).unwrap_or(0);
        match element {
            Element::Word(_, Some(rule)) => {
                let (index, last) = index(segment, rule, (row.limit)(profile))?;
                (captures.index, captures.last) = (index, last);
                continue;
            }
            Element::Row => {
                let (first, last) = index(segment, "..", 4)?;
                // Both are below 4.
                let rows = (first as u8, last.unwrap_or(first) as u8, last.is_some());
                captures.rows = Some(rows);
                continue;
            }
            Element::Word(_, None) => {}
            Element::Face => captures.face = [Face::Front, Face::Back][nth],
            Element::Transform => {
                use Transform::{Inverse, InverseTranspose, Transpose};
                captures.transform = [Inverse, Transpose, InverseTranspose][nth];
            }
            Element::Coordinate => captures.coordinate = nth as u8,
        }
        without_index(segment)?;
    }
    Ok(captures)
}

/// Nothing stands between brackets here.
pub(super) fn without_index(segment: &Segment<'_>) -> Result<(), Remark> {
    match &segment.index {
        Some(index) => {
            let message = format!("{} takes no index", quote(segment.name.text));
            Err(Remark::new(index.span.clone(), message).code(&code::text::OPERANDS))
        }
        None => Ok(()),
    }
}

/// The index of `segment`, or the first and the last of a range.
fn index(segment: &Segment<'_>, rule: &str, limit: u32) -> Result<(u32, Option<u32>), Remark> {
    let name = || quote(segment.name.text);
    let Some(index) = &segment.index else {
        if rule.is_empty() && limit > 0 {
            return Ok((0, None));
        }
        let message = format!("{} needs an index", name());
        return Err(Remark::new(segment.name.span(), message).code(&code::text::OPERANDS));
    };
    let wrong =
        |message: String| Err(Remark::new(index.span.clone(), message).code(&code::text::OPERANDS));
    let (first, last) = match index.kind {
        IndexKind::Single(index) => (index, None),
        IndexKind::Range(first, last) => (first, Some(last)),
        IndexKind::Relative { .. } => {
            return wrong(format!("{} cannot be addressed relatively", name()));
        }
    };
    let end = last.unwrap_or(first);
    if last.is_some() && rule != ".." {
        wrong(format!("{} takes one index, not a range", name()))
    } else if first > end {
        wrong(format!("the range {first}..{end} is empty"))
    } else if end >= limit {
        let most = limit.checked_sub(1);
        wrong(most.map_or_else(
            || format!("there is no {} here", name()),
            |most| format!("index {end} of {} is above {most}", name()),
        ))
    } else if (end - first) as usize >= MAX_ELEMENTS {
        wrong(format!("a range has at most {MAX_ELEMENTS} parameters"))
    } else {
        Ok((first, last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_cut_at_their_dots() {
        let all: Vec<_> = elements("program.env[..]").collect();
        assert_eq!(
            all,
            [
                Element::Word("program", None),
                Element::Word("env", Some(".."))
            ]
        );
        let all: Vec<_> = elements("a[].<face>.b[n].<row>").collect();
        assert_eq!(
            all,
            [
                Element::Word("a", Some("")),
                Element::Face,
                Element::Word("b", Some("n")),
                Element::Row
            ]
        );
    }

    #[test]
    fn every_pattern_begins_with_a_root() {
        for row in BINDINGS {
            for stage in [ArbStage::Vertex, ArbStage::Fragment] {
                if row.stages.has(stage) {
                    let first = row.pattern.split('.').next();
                    assert!(first.is_some_and(|root| roots(stage).contains(&root)));
                }
            }
        }
    }
}
