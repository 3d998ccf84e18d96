//! The sections of a test, and the dialect that stands before them.

use std::collections::BTreeMap;
use std::ops::Range;

use attila_shader::front::tgsi::{Dialect, Processor};
use attila_shader::isa::{Diagnostics, Remark};

use crate::sections::Sections;

/// The sections.
const NAMES: [&str; 9] = [
    "[require]",
    "[tgsi vertex]",
    "[tgsi geometry]",
    "[tgsi fragment]",
    "[tgsi compute]",
    "[vertex data]",
    "[textures]",
    "[buffers]",
    "[test]",
];

/// The kinds of the programs in sections.
const PROGRAMS: [(&str, Processor); 4] = [
    ("[tgsi vertex]", Processor::Vertex),
    ("[tgsi geometry]", Processor::Geometry),
    ("[tgsi fragment]", Processor::Fragment),
    ("[tgsi compute]", Processor::Compute),
];

/// Finds the sections, and the programs among them. Those that a test needs are there, unless there is
/// an error.
pub(super) fn split(
    text: &str,
    diagnostics: &mut Diagnostics,
) -> (Sections, BTreeMap<Processor, Range<usize>>) {
    let sections = Sections::split(text, &NAMES, None, diagnostics);
    let programs = PROGRAMS.iter();
    let programs = programs.filter_map(|(name, kind)| Some((*kind, sections.get(name)?)));
    let programs: BTreeMap<Processor, Range<usize>> = programs.collect();
    let has = |kind| programs.contains_key(&kind);
    let is_complete = has(Processor::Compute) || has(Processor::Vertex) && has(Processor::Fragment);
    // A section of another name may be a misspelled one of these.
    let misnamed = diagnostics.has_errors();
    for (is_there, message) in [
        (
            is_complete,
            "a test has the sections `[tgsi vertex]` and `[tgsi fragment]`, or `[tgsi compute]`",
        ),
        (
            sections.get("[test]").is_some(),
            "the section `[test]` is missing",
        ),
    ] {
        if !is_there && !misnamed {
            diagnostics.error(Remark::new(text.len()..text.len(), message));
        }
    }
    (sections, programs)
}

/// The dialect that a comment before the first section names; T23 without one.
pub(super) fn dialect(text: &str, diagnostics: &mut Diagnostics) -> Dialect {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let here = start..start + line.trim_end().len();
        start += line.len();
        if line.starts_with('[') {
            break;
        }
        let Some(name) = line.strip_prefix("# dialect ") else {
            continue;
        };
        match Dialect::find(name.trim()) {
            Some(dialect) => return dialect,
            None => {
                let message = format!("there is no dialect `{}`", name.trim());
                let remark = Remark::new(here, message);
                diagnostics.error(remark.help("the dialects are T7, T10 and T23"));
            }
        }
    }
    Dialect::T23
}
