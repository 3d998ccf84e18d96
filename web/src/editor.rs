//! What an editor asks about the text.

use std::ops::Range;

use attila_language::{Document, Edit, Lines, NoCosts, Position, Problem, Role, Severity};
use attila_scene::{LoadError, Notice};
use serde_json::{Value, json};

use crate::message::Text;

/// The byte at a line and unit.
fn byte(document: &Document, [line, unit]: [usize; 2]) -> usize {
    document
        .lines()
        .offset(document.text(), Position { line, unit })
}

/// The line and unit of a byte.
fn place(document: &Document, at: usize) -> Value {
    place_in(document.text(), document.lines(), at)
}

fn place_in(text: &str, lines: &Lines, at: usize) -> Value {
    let Position { line, unit } = lines.position(text, at);
    json!([line, unit])
}

fn span(document: &Document, span: &Range<usize>) -> Value {
    span_in(document.text(), document.lines(), span)
}

/// Where bytes of a text begin and end.
pub(crate) fn span_in(text: &str, lines: &Lines, span: &Range<usize>) -> Value {
    json!([
        place_in(text, lines, span.start),
        place_in(text, lines, span.end)
    ])
}

fn edit(document: &Document, edit: &Edit) -> Value {
    json!({ "span": span(document, &edit.span), "text": edit.replacement })
}

fn edits(document: &Document, edits: &[Edit]) -> Value {
    let edits = edits.iter().map(|it| edit(document, it));
    json!({ "edits": edits.collect::<Vec<_>>() })
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

pub(crate) fn problems(document: &Document) -> Vec<Value> {
    let problem = |it: &Problem| {
        json!({
            "span": span(document, &it.span),
            "severity": severity(it.severity),
            "message": it.message,
            "notes": it.notes,
            "fix": it.fix.as_ref().map(|fix| edit(document, fix)),
        })
    };
    document.problems().iter().map(problem).collect()
}

/// Why a program cannot be loaded. A file that it names has no place in its text.
pub(crate) fn mistakes(text: &Text, error: &LoadError) -> Vec<Value> {
    let lines = Lines::new(&text.text);
    let errors = error.notices.iter();
    let errors = errors.filter(|it| it.message.severity == Severity::Error);
    let mistake = |notice: &Notice| {
        let place = match notice.file == text.name {
            true => notice.message.place.clone(),
            false => None,
        };
        let message = match notice.file == text.name {
            true => notice.message.message.clone(),
            false => notice.to_string(),
        };
        json!({
            "span": span_in(&text.text, &lines, &place.unwrap_or_default()),
            "severity": "error",
            "message": message,
            "notes": notice.message.notes,
        })
    };
    errors.map(mistake).collect()
}

pub(crate) fn hover(document: &Document, at: [usize; 2]) -> Value {
    let hover = document.hover(byte(document, at), &NoCosts);
    let hover = hover.map(|it| json!({ "span": span(document, &it.span), "text": it.text }));
    json!({ "hover": hover })
}

pub(crate) fn complete(document: &Document, at: [usize; 2]) -> Value {
    let words = document.complete(byte(document, at));
    let words = words.iter().map(|word| {
        json!({
            "span": span(document, &word.span),
            "text": word.text,
            "kind": format!("{:?}", word.kind),
            "detail": word.detail,
        })
    });
    json!({ "words": words.collect::<Vec<_>>() })
}

pub(crate) fn signature(document: &Document, at: [usize; 2]) -> Value {
    let signature = document.signature(byte(document, at));
    let signature = signature.map(|it| {
        let active = it
            .operands
            .get(it.active)
            .map(|operand| &it.syntax[operand.clone()]);
        json!({ "syntax": it.syntax, "doc": it.doc, "active": active })
    });
    json!({ "signature": signature })
}

pub(crate) fn format(document: &Document) -> Value {
    edits(document, &document.format())
}

pub(crate) fn occurrences(document: &Document, at: [usize; 2]) -> Value {
    let found = document.occurrence(byte(document, at)).map(|it| it.symbol);
    let places = found.into_iter().flat_map(|symbol| document.places(symbol));
    let places = places.map(|it| {
        let writes = it.role != Role::Read;
        json!({ "span": span(document, &it.span), "writes": writes })
    });
    json!({ "places": places.collect::<Vec<_>>() })
}

pub(crate) fn rename(document: &Document, at: [usize; 2], name: &str) -> Result<Value, String> {
    let renamed = document.rename(byte(document, at), name);
    renamed
        .map(|it| edits(document, &it))
        .map_err(|error| error.to_string())
}

pub(crate) fn hints(document: &Document) -> Value {
    let hints = document.hints(0..document.text().len());
    let hints = hints
        .iter()
        .map(|it| json!({ "at": place(document, it.at), "text": it.text }));
    json!({ "hints": hints.collect::<Vec<_>>() })
}
