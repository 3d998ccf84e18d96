//! Texts in sections: a name in brackets at the beginning of a line, and the lines after it.

use std::collections::BTreeMap;
use std::ops::Range;

use attila_shader::isa::{Diagnostics, Remark, nearest, text};

/// The sections of a text, by their names.
pub(super) struct Sections<'t> {
    pub(super) text: &'t str,
    pub(super) found: BTreeMap<String, Section>,
}

/// Where a section is, in bytes.
pub(super) struct Section {
    pub(super) header: Range<usize>,
    /// The lines after the header.
    pub(super) body: Range<usize>,
}

impl<'t> Sections<'t> {
    /// Finds the sections. After the one whose header is `last` there are none. `name` makes the name of a section of
    /// its header, and knows which there are.
    pub(super) fn split(
        text: &'t str,
        last: Option<&str>,
        name: impl Fn(&str, Range<usize>) -> Result<String, Remark>,
        diagnostics: &mut Diagnostics,
    ) -> Sections<'t> {
        let mut found = BTreeMap::new();
        for section in parts(text, last) {
            let span = section.header.clone();
            let header = &text[span.clone()];
            let kept =
                name(header, span.clone()).and_then(|name| match found.insert(name, section) {
                    None => Ok(()),
                    Some(_) => {
                        let message = format!("the section `{header}` appears twice");
                        Err(Remark::new(span, message))
                    }
                });
            if let Err(remark) = kept {
                diagnostics.error(remark);
            }
        }
        Sections { text, found }
    }

    /// Reports what is missing, unless a section has another name than there are: it may be that one.
    pub(super) fn require<'m>(
        &self,
        all: impl IntoIterator<Item = (bool, &'m str)>,
        diagnostics: &mut Diagnostics,
    ) {
        if diagnostics.has_errors() {
            return;
        }
        let end = self.text.len()..self.text.len();
        for (_, message) in all.into_iter().filter(|(is_there, _)| !is_there) {
            diagnostics.error(Remark::new(end.clone(), message));
        }
    }

    /// Whether there is a section of that name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.found.contains_key(name)
    }

    /// The place of a section without its header; the end of the text if there is no such section.
    pub(super) fn body(&self, name: &str) -> Range<usize> {
        let end = self.text.len()..self.text.len();
        self.found.get(name).map_or(end, |it| it.body.clone())
    }

    /// The lines of a section that say something, and where they begin.
    pub(super) fn lines(&self, name: &str) -> impl Iterator<Item = (usize, &'t str)> + use<'t> {
        lines(self.text, self.body(name))
    }
}

/// The name of a section whose header is one of `names`.
pub(super) fn known(names: &[&str], header: &str, span: Range<usize>) -> Result<String, Remark> {
    if names.contains(&header) {
        return Ok(header.to_owned());
    }
    let remark = Remark::new(span, format!("there is no section `{header}`"));
    Err(match nearest(header, names.iter().copied()) {
        Some(near) => remark.help(format!("did you mean `{near}`?")),
        None => remark,
    })
}

/// The headers of a text and the lines after them.
fn parts(text: &str, last: Option<&str>) -> Vec<Section> {
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
        Section { header, body }
    });
    parts.collect()
}

/// The lines of a section that say something, and where they begin: not blank ones, and not those that begin with `#`.
pub(super) fn lines(text: &str, body: Range<usize>) -> impl Iterator<Item = (usize, &str)> {
    let mut start = body.start;
    text[body].split_inclusive('\n').filter_map(move |line| {
        let at = start + (line.len() - line.trim_start().len());
        start += line.len();
        let line = line.trim();
        (!line.is_empty() && !line.starts_with('#')).then_some((at, line))
    })
}
