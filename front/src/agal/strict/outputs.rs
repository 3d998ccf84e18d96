//! The rules about results: which components of outputs are written, and how often.

use std::collections::{BTreeMap, BTreeSet};

use attila_isa::{Component, Severity, Slots, Stage};

use super::super::finding::{Finding, Findings, number};
use super::super::program::{AgalProgram, Destination, File, Register};

/// Finds all that Flash has against the results of a program.
pub(super) fn check(program: &AgalProgram, severity: Severity, findings: &mut impl Findings) {
    let results = program.tokens.iter();
    let results = results.filter_map(|token| token.destination.as_ref());
    let mut written = BTreeMap::new();
    let mut colours = BTreeSet::new();
    for it in results {
        *written.entry(it.register).or_insert(Slots::empty()) |= it.mask;
        let is_colour = it.register.file == File::Output && program.stage == Stage::Fragment;
        let is_again = is_colour && !colours.insert(it.register.number);
        if let Some((message, number)) = mistake(it, is_colour, is_again) {
            let name = it.register.name(program.stage);
            let finding = Finding::new(&it.span, format!("`{name}` {message}"));
            findings.add(severity, finding.number(number));
        }
    }
    let first = Register::new(File::Output, 0);
    let written = written.get(&first).copied().unwrap_or(Slots::empty());
    if let Some((message, number)) = output(program.stage, first, written) {
        let end = program.end..program.end;
        findings.add(severity, Finding::new(&end, message).number(number));
    }
}

/// The mistake of a result.
fn mistake(it: &Destination, is_colour: bool, is_again: bool) -> Option<(&'static str, u16)> {
    if it.mask.is_empty() {
        return Some(("is written without a component", number::EMPTY_MASK));
    }
    if is_colour && !it.mask.is_all() {
        return Some(("has to be written as a whole", number::COLOUR_MASK));
    }
    if is_again {
        return Some(("is written already", number::COLOUR_WRITTEN_TWICE));
    }
    let is_depth = it.register.file == File::Depth;
    (is_depth && it.mask != Slots::X).then_some(("has no component but x", number::DEPTH_MASK))
}

/// The mistake of a program that does not write its first output, or not all of it. Colours that are written in
/// parts are reported where that is done.
fn output(stage: Stage, register: Register, written: Slots) -> Option<(String, u16)> {
    let name = register.name(stage);
    let is_vertex = stage == Stage::Vertex;
    let number = match is_vertex {
        true => number::POSITION_NOT_WRITTEN,
        false => number::COLOUR_NOT_WRITTEN,
    };
    if written.is_empty() {
        return Some((format!("nothing is written to `{name}`"), number));
    }
    let missing = Slots::all() - written;
    let letters: String = missing.components().map(Component::letter).collect();
    (is_vertex && !missing.is_empty())
        .then(|| (format!("nothing is written to `{name}.{letters}`"), number))
}
