//! What an editor asks about the text.

use std::ops::Range;

use attila_language::{Document, Edit, NoCosts, Position, Problem, Role, Severity};
use attila_scene::Notice;
use serde_json::{Value, json};

/// The byte at a line and unit.
fn byte(document: &Document, [line, unit]: [usize; 2]) -> usize {
    document
        .lines()
        .offset(document.text(), Position { line, unit })
}

/// The line and unit of a byte.
fn place(document: &Document, at: usize) -> Value {
    let Position { line, unit } = document.lines().position(document.text(), at);
    json!([line, unit])
}

pub(crate) fn span(document: &Document, span: &Range<usize>) -> Value {
    json!([place(document, span.start), place(document, span.end)])
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

/// A message about the scene, which is not one about the text alone.
pub(crate) fn notice(notice: &Notice) -> Value {
    let [line, column] = notice.place.unwrap_or([1, 1]).map(|number| number - 1);
    json!({
        "span": [[line, column], [line, column + 1]],
        "severity": "error",
        "message": notice.message.message,
        "notes": notice.message.notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
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
