//! The sections of a test, and the programs in some of them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use attila_shader::front::agal::{self, BytesError, Options, Version};
use attila_shader::isa::{Diagnostics, Remark, Severity, Stage};

use super::{DEFAULT, Name, Source};
use crate::script_test::error::located;
use crate::script_test::sections::{Section, Sections, known, lines};

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

/// Finds the sections. Those that every test has are there, unless there is an error.
pub(super) fn split<'t>(text: &'t str, diagnostics: &mut Diagnostics) -> Sections<'t> {
    let sections = Sections::split(text, None, name, diagnostics);
    let names = names(&sections);
    let has = |stage: &Stage| names.iter().any(|(it, _)| it == stage);
    let has_programs = [Stage::Vertex, Stage::Fragment].iter().all(has);
    let missing = [
        (
            has_programs,
            "a test has the sections `[agal vertex]` and `[agal fragment]`",
        ),
        (sections.has("[test]"), "the section `[test]` is missing"),
    ];
    sections.require(missing, diagnostics);
    sections
}

/// The words of a header in brackets.
fn words(header: &str) -> Vec<&str> {
    let inside = header.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    inside.unwrap_or("").split_whitespace().collect()
}

/// The name of a section: `agal vertex NAME` of a program, in words or in bytes.
fn name(header: &str, span: Range<usize>) -> Result<String, Remark> {
    match words(header).as_slice() {
        ["agal", stage @ ("vertex" | "fragment"), rest @ ..] => {
            match rest.strip_prefix(&["hex"]).unwrap_or(rest) {
                [] => Ok(format!("agal {stage} {DEFAULT}")),
                [program] => Ok(format!("agal {stage} {program}")),
                _ => Err(Remark::new(span, "names of programs are one word")),
            }
        }
        ["texture", unit] => match unit.parse() {
            Ok(unit) if UNITS.contains(&unit) => Ok(format!("texture {unit}")),
            _ => {
                let message = format!("there is no texture unit `{unit}`");
                let last = UNITS.end - 1;
                Err(Remark::new(span, message).help(format!("the last is {last}")))
            }
        },
        words => match format!("[{}]", words.join(" ")) {
            // Blanks do not matter.
            plain if NAMES.contains(&plain.as_str()) => Ok(plain),
            _ => known(&NAMES, header, span),
        },
    }
}

/// The texture units that have sections.
pub(super) fn units<'s>(
    sections: &'s Sections<'_>,
) -> impl Iterator<Item = (u16, &'s Section)> + use<'s> {
    let all = sections.found.iter();
    all.filter_map(|(name, section)| {
        let unit = name.strip_prefix("texture ")?;
        Some((unit.parse().ok()?, section))
    })
}

/// The sections of programs.
fn programs<'s>(sections: &'s Sections<'_>) -> impl Iterator<Item = (Name, &'s Section)> + use<'s> {
    let all = sections.found.iter();
    all.filter_map(|(name, section)| {
        let (stage, name) = name.strip_prefix("agal ")?.split_once(' ')?;
        let stage = match stage {
            "vertex" => Stage::Vertex,
            _ => Stage::Fragment,
        };
        Some(((stage, name.to_owned()), section))
    })
}

/// The names of all programs.
pub(super) fn names(sections: &Sections<'_>) -> BTreeSet<Name> {
    programs(sections).map(|(name, _)| name).collect()
}

/// Reads all programs.
pub(super) fn read(
    sections: &Sections<'_>,
    version: Version,
    diagnostics: &mut Diagnostics,
) -> BTreeMap<Name, Source> {
    let mut all = BTreeMap::new();
    for (name, section) in programs(sections) {
        let header = words(&sections.text[section.header.clone()]);
        let is_hexadecimal = header.get(2) == Some(&"hex");
        let source = match is_hexadecimal {
            true => bytes(sections.text, section, name.0),
            false => assembled(sections.text, section, name.0, version),
        };
        match source {
            Ok(source) => {
                all.insert(name, source);
            }
            Err(remarks) => remarks.into_iter().for_each(|it| diagnostics.error(it)),
        }
    }
    all
}

/// A text. Lines from `#` are comments, which the language does not know.
fn assembled(
    text: &str,
    Section { body, .. }: &Section,
    stage: Stage,
    version: Version,
) -> Result<Source, Vec<Remark>> {
    let lines = text[body.clone()].split_inclusive('\n');
    let lines = lines.map(|line| match line.starts_with('#') {
        // The number of bytes stays, and so do places.
        true => " ".repeat(line.len() - 1) + "\n",
        false => line.to_owned(),
    });
    let source: String = lines.collect();
    let options = Options {
        stage: Some(stage),
        version: Some(version),
        strict: false,
    };
    let program = agal::assemble(&source, &options);
    let translation = agal::compile(&source, &options);
    Ok(Source {
        program: program.map_err(|it| located(&it.diagnostics, body.start))?,
        translation: translation.map_err(|it| located(&it.diagnostics, body.start))?,
    })
}

/// Bytes as hexadecimal digits, with blanks between them.
fn bytes(text: &str, section: &Section, stage: Stage) -> Result<Source, Vec<Remark>> {
    let remark = |message: String| Remark::new(section.header.clone(), message);
    let lines = lines(text, section.body.clone());
    let digits = lines.flat_map(|(_, line)| line.split_whitespace());
    let digits: String = digits.collect();
    let bytes = attila_scene::line::bytes(&digits).filter(|_| digits.len().is_multiple_of(2));
    let bytes =
        bytes.ok_or_else(|| vec![remark("these are not bytes in hexadecimal".to_owned())])?;
    let in_test = |error: BytesError| {
        let errors = error.findings.into_iter();
        let errors = errors.filter(|it| it.severity == Severity::Error);
        let errors = errors.map(|it| {
            let place = it.token.map(|token| format!("token {token}: "));
            let number = it
                .number
                .map(|number| format!(" (error {number} of Flash)"));
            let (place, number) = (place.unwrap_or_default(), number.unwrap_or_default());
            remark(format!("{place}{}{number}", it.message))
        });
        errors.collect::<Vec<_>>()
    };
    let options = Options {
        stage: Some(stage),
        ..Options::default()
    };
    Ok(Source {
        program: agal::decode(&bytes, &options).map_err(in_test)?,
        translation: agal::compile_bytes(&bytes, &options).map_err(in_test)?,
    })
}
