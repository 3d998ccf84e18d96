//! The sections of a test.

use std::collections::BTreeMap;
use std::ops::Range;

use attila_shader::front::tgsi::{Dialect, Processor};
use attila_shader::isa::{Diagnostics, Remark, nearest};

/// The sections, and the kinds of the programs in them.
const NAMES: [(&str, Option<Processor>); 9] = [
    ("[require]", None),
    ("[tgsi vertex]", Some(Processor::Vertex)),
    ("[tgsi geometry]", Some(Processor::Geometry)),
    ("[tgsi fragment]", Some(Processor::Fragment)),
    ("[tgsi compute]", Some(Processor::Compute)),
    ("[vertex data]", None),
    ("[textures]", None),
    ("[buffers]", None),
    ("[test]", None),
];

/// Where the sections of a test are, in bytes of its text, without their headers.
#[derive(Default)]
pub(super) struct Sections {
    pub(super) require: Option<Range<usize>>,
    pub(super) programs: BTreeMap<Processor, Range<usize>>,
    pub(super) vertices: Option<Range<usize>>,
    pub(super) textures: Option<Range<usize>>,
    pub(super) buffers: Option<Range<usize>>,
    pub(super) test: Option<Range<usize>>,
}

impl Sections {
    /// Finds the sections. Those that a test needs are there, unless there is an error.
    pub(super) fn split(text: &str, diagnostics: &mut Diagnostics) -> Sections {
        let mut sections = Sections::default();
        let mut open: Option<Range<usize>> = None;
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let header = start..start + line.trim_end().len();
            start += line.len();
            if !line.starts_with('[') {
                continue;
            }
            if let Some(open) = open.replace(header.clone()) {
                sections.close(text, open, header.start, diagnostics);
            }
        }
        if let Some(open) = open {
            sections.close(text, open, text.len(), diagnostics);
        }
        // A section of another name may be a misspelled one of these.
        let misnamed = diagnostics.has_errors();
        let has = |kind| sections.programs.contains_key(&kind);
        let is_complete =
            has(Processor::Compute) || has(Processor::Vertex) && has(Processor::Fragment);
        for (is_there, message) in [
            (
                is_complete,
                "a test has the sections `[tgsi vertex]` and `[tgsi fragment]`, or `[tgsi compute]`",
            ),
            (sections.test.is_some(), "the section `[test]` is missing"),
        ] {
            if !is_there && !misnamed {
                diagnostics.error(Remark::new(text.len()..text.len(), message));
            }
        }
        sections
    }

    /// Keeps the section whose header is at `header`, and which ends at `end`.
    fn close(
        &mut self,
        text: &str,
        header: Range<usize>,
        end: usize,
        diagnostics: &mut Diagnostics,
    ) {
        let name = &text[header.clone()];
        let rest = &text[header.end..end];
        let first_line = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let body = header.end + first_line..end;
        let known = NAMES.iter().find(|(known, _)| *known == name);
        let earlier = match (known, name) {
            (Some((_, Some(kind))), _) => self.programs.insert(*kind, body),
            (_, "[require]") => self.require.replace(body),
            (_, "[vertex data]") => self.vertices.replace(body),
            (_, "[textures]") => self.textures.replace(body),
            (_, "[buffers]") => self.buffers.replace(body),
            (_, "[test]") => self.test.replace(body),
            _ => {
                let remark = Remark::new(header, format!("there is no section `{name}`"));
                let names = NAMES.map(|(name, _)| name);
                diagnostics.error(match nearest(name, names) {
                    Some(near) => remark.help(format!("did you mean `{near}`?")),
                    None => remark,
                });
                return;
            }
        };
        if earlier.is_some() {
            let message = format!("the section `{name}` appears twice");
            diagnostics.error(Remark::new(header, message));
        }
    }
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
