//! The sections of a test.

use std::ops::Range;

use attila_shader::isa::{Diagnostics, Remark, nearest};

/// The sections that there are.
const NAMES: [&str; 4] = [
    "[require]",
    "[vertex program]",
    "[fragment program]",
    "[test]",
];

/// Where the sections of a test are, in bytes of its text, without their headers.
#[derive(Default)]
pub(super) struct Sections {
    pub(super) require: Option<Range<usize>>,
    pub(super) vertex: Option<Range<usize>>,
    pub(super) fragment: Option<Range<usize>>,
    pub(super) test: Option<Range<usize>>,
}

impl Sections {
    /// Finds the sections. Those that have to be there are, unless there is an error.
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
            // A script has no sections after it.
            if &text[header] == NAMES[3] {
                break;
            }
        }
        if let Some(open) = open {
            sections.close(text, open, text.len(), diagnostics);
        }
        // A section of another name may be what was to be one of these.
        let misnamed = diagnostics.has_errors();
        for (section, name) in [(&sections.vertex, NAMES[1]), (&sections.test, NAMES[3])] {
            if section.is_none() && !misnamed {
                let message = format!("the section `{name}` is missing");
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
        let place = match name {
            "[require]" => &mut self.require,
            "[vertex program]" => &mut self.vertex,
            "[fragment program]" => &mut self.fragment,
            "[test]" => &mut self.test,
            _ => {
                let remark = Remark::new(header, format!("there is no section `{name}`"));
                diagnostics.error(match nearest(name, NAMES) {
                    Some(near) => remark.help(format!("did you mean `{near}`?")),
                    None => remark,
                });
                return;
            }
        };
        let rest = &text[header.end..end];
        let first_line = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let body = header.end + first_line..end;
        if place.replace(body).is_some() {
            let message = format!("the section `{name}` appears twice");
            diagnostics.error(Remark::new(header, message));
        }
    }
}

/// The lines of a section that say something, and where they begin: not blank ones, and not those
/// that begin with `#`.
pub(crate) fn lines(
    text: &str,
    section: Option<Range<usize>>,
) -> impl Iterator<Item = (usize, &str)> {
    let section = section.unwrap_or_default();
    let mut start = section.start;
    text[section].split_inclusive('\n').filter_map(move |line| {
        let at = start + (line.len() - line.trim_start().len());
        start += line.len();
        let line = line.trim();
        (!line.is_empty() && !line.starts_with('#')).then_some((at, line))
    })
}
