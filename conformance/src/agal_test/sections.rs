//! The sections of a test.

use std::collections::BTreeMap;
use std::ops::Range;

use attila_shader::isa::{Diagnostics, Remark, Stage, nearest};

use super::DEFAULT;
use crate::sections::parts;

/// Headers in messages.
const NAMES: [&str; 8] = [
    "[require]",
    "[agal vertex]",
    "[agal fragment]",
    "[constants]",
    "[vertex data]",
    "[indices]",
    "[texture 0]",
    "[test]",
];

/// The texture units of a test.
const UNITS: Range<u16> = 0..16;

/// A program in a section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Source {
    pub(super) header: Range<usize>,
    pub(super) body: Range<usize>,
    /// Whether these are bytes.
    pub(super) is_hexadecimal: bool,
}

/// Where the sections of a test are, in bytes, without their headers.
#[derive(Default)]
pub(super) struct Sections {
    pub(super) require: Option<Range<usize>>,
    pub(super) constants: Option<Range<usize>>,
    pub(super) vertices: Option<Range<usize>>,
    pub(super) indices: Option<Range<usize>>,
    pub(super) script: Option<Range<usize>>,
    /// By stage and name.
    pub(super) programs: BTreeMap<(Stage, String), Source>,
    /// By unit.
    pub(super) textures: BTreeMap<u16, Range<usize>>,
}

impl Sections {
    /// The vertex and the fragment program of a name: one of the two may be the one without a name.
    pub(super) fn pair(&self, name: &str) -> Option<[(Stage, String); 2]> {
        let mut has_name = false;
        let stages = [Stage::Vertex, Stage::Fragment];
        let keys = stages.map(|stage| {
            let key = (stage, name.to_owned());
            match self.programs.contains_key(&key) {
                true => {
                    has_name = true;
                    key
                }
                false => (stage, DEFAULT.to_owned()),
            }
        });
        let is_there = keys.iter().all(|key| self.programs.contains_key(key));
        (has_name && is_there).then_some(keys)
    }
}

/// Finds the sections. Those that every test has are there, unless there is an error.
pub(super) fn split(text: &str, diagnostics: &mut Diagnostics) -> Sections {
    let mut sections = Sections::default();
    for (header, body) in parts(text, None) {
        if let Err(remark) = sections.keep(text, header, body) {
            diagnostics.error(remark);
        }
    }
    let stages = [Stage::Vertex, Stage::Fragment];
    let has = |stage: &Stage| sections.programs.keys().any(|(it, _)| it == stage);
    let missing = [
        (
            !stages.iter().all(has),
            "a test has the sections `[agal vertex]` and `[agal fragment]`",
        ),
        (sections.script.is_none(), "the section `[test]` is missing"),
    ];
    // A section of another name may be a misspelled one of these.
    if !diagnostics.has_errors() {
        for (_, message) in missing.into_iter().filter(|(is_missing, _)| *is_missing) {
            diagnostics.error(Remark::new(text.len()..text.len(), message));
        }
    }
    sections
}

impl Sections {
    fn keep(&mut self, text: &str, header: Range<usize>, body: Range<usize>) -> Result<(), Remark> {
        let name = &text[header.clone()];
        let inside = name.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let words: Vec<&str> = inside.unwrap_or("").split_whitespace().collect();
        let is_first = match words.as_slice() {
            ["require"] => self.require.replace(body).is_none(),
            ["constants"] => self.constants.replace(body).is_none(),
            ["vertex", "data"] => self.vertices.replace(body).is_none(),
            ["indices"] => self.indices.replace(body).is_none(),
            ["test"] => self.script.replace(body).is_none(),
            ["agal", stage @ ("vertex" | "fragment"), rest @ ..] => {
                let stage = match *stage {
                    "vertex" => Stage::Vertex,
                    _ => Stage::Fragment,
                };
                let (is_hexadecimal, rest) = match rest {
                    ["hex", rest @ ..] => (true, rest),
                    rest => (false, rest),
                };
                let program = match rest {
                    [] => DEFAULT,
                    [program] => program,
                    _ => return Err(Remark::new(header, "names of programs are one word")),
                };
                let source = Source {
                    header: header.clone(),
                    body,
                    is_hexadecimal,
                };
                let key = (stage, program.to_owned());
                self.programs.insert(key, source).is_none()
            }
            ["texture", unit] => match unit.parse() {
                Ok(unit) if UNITS.contains(&unit) => self.textures.insert(unit, body).is_none(),
                _ => {
                    let message = format!("there is no texture unit `{unit}`");
                    let last = UNITS.end - 1;
                    return Err(Remark::new(header, message).help(format!("the last is {last}")));
                }
            },
            _ => {
                let remark = Remark::new(header, format!("there is no section `{name}`"));
                return Err(match nearest(name, NAMES.iter().copied()) {
                    Some(near) => remark.help(format!("did you mean `{near}`?")),
                    None => remark,
                });
            }
        };
        if is_first {
            return Ok(());
        }
        let message = format!("the section `{name}` appears twice");
        Err(Remark::new(header, message))
    }
}
