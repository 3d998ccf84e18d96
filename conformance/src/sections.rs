//! Texts in sections: a name in brackets at the beginning of a line, and the lines after it.

use std::collections::BTreeMap;
use std::ops::Range;

use attila_shader::isa::{Diagnostics, Remark, nearest, text};

/// The headers of a text and the lines after them, in bytes. After the header `last` there are none.
pub(crate) fn parts(text: &str, last: Option<&str>) -> Vec<(Range<usize>, Range<usize>)> {
    let mut headers: Vec<Range<usize>> = Vec::new();
    let mut start = text::beginning(text);
    for line in text[start..].split_inclusive('\n') {
        let header = start..start + line.trim_end().len();
        start += line.len();
        if line.starts_with('[') {
            headers.push(header.clone());
            if last == Some(&text[header]) {
                break;
            }
        }
    }
    let ends = headers.iter().skip(1).map(|header| header.start);
    let ends: Vec<usize> = ends.chain([text.len()]).collect();
    let parts = headers.into_iter().zip(ends).map(|(header, end)| {
        let rest = &text[header.end..end];
        let first_line = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let body = header.end + first_line..end;
        (header, body)
    });
    parts.collect()
}

/// Where the sections of a text are, in bytes, without their headers.
#[derive(Default)]
pub(crate) struct Sections(BTreeMap<&'static str, Range<usize>>);

impl Sections {
    /// Finds the sections, whose names are among `names`. After the one that is `last` there are none.
    pub(crate) fn split(
        text: &str,
        names: &[&'static str],
        last: Option<&str>,
        diagnostics: &mut Diagnostics,
    ) -> Sections {
        let mut sections = Sections::default();
        for (header, body) in parts(text, last) {
            if let Err(remark) = sections.keep(text, names, header, body) {
                diagnostics.error(remark);
            }
        }
        sections
    }

    /// Keeps the section whose header is at `header`, and its lines at `body`.
    fn keep(
        &mut self,
        text: &str,
        names: &[&'static str],
        header: Range<usize>,
        body: Range<usize>,
    ) -> Result<(), Remark> {
        let name = &text[header.clone()];
        let Some(known) = names.iter().find(|known| **known == name) else {
            let remark = Remark::new(header, format!("there is no section `{name}`"));
            return Err(match nearest(name, names.iter().copied()) {
                Some(near) => remark.help(format!("did you mean `{near}`?")),
                None => remark,
            });
        };
        if self.0.insert(known, body).is_some() {
            let message = format!("the section `{name}` appears twice");
            return Err(Remark::new(header, message));
        }
        Ok(())
    }

    /// The section of that name.
    pub(crate) fn get(&self, name: &str) -> Option<Range<usize>> {
        self.0.get(name).cloned()
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
