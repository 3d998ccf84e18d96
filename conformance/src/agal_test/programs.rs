//! The programs of a test.

use std::collections::BTreeMap;

use attila_shader::front::agal::{self, AgalProgram, BytesError, Options, Translation, Version};
use attila_shader::isa::{Diagnostic, Diagnostics, Remark, Severity, Stage};

use super::sections::{Sections, Source};

/// A program of a test.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// As it is written.
    pub source: AgalProgram,
    /// As an ATTILA program.
    pub translation: Translation,
}

/// By stage and name.
pub(super) type Programs = BTreeMap<(Stage, String), Program>;

/// Reads all programs.
pub(super) fn read(
    text: &str,
    sections: &Sections,
    version: Version,
    diagnostics: &mut Diagnostics,
) -> Programs {
    let mut programs = Programs::new();
    for (key, source) in &sections.programs {
        let program = match source.is_hexadecimal {
            true => bytes(text, source, key.0),
            false => assembled(text, source, key.0, version),
        };
        match program {
            Ok(program) => {
                programs.insert(key.clone(), program);
            }
            Err(remarks) => remarks.into_iter().for_each(|it| diagnostics.error(it)),
        }
    }
    programs
}

/// A text. Lines from `#` are comments, which the language does not know.
fn assembled(
    text: &str,
    source: &Source,
    stage: Stage,
    version: Version,
) -> Result<Program, Vec<Remark>> {
    let lines = text[source.body.clone()].split_inclusive('\n');
    let lines = lines.map(|line| match line.starts_with('#') {
        // The number of bytes stays, and so do places.
        true => " ".repeat(line.len() - 1) + "\n",
        false => line.to_owned(),
    });
    let body: String = lines.collect();
    let options = Options {
        stage: Some(stage),
        version: Some(version),
        strict: false,
    };
    let located = |it: &Diagnostic| Remark {
        span: it.span.start + source.body.start..it.span.end + source.body.start,
        message: it.message.clone(),
        help: it.help.clone(),
    };
    let in_test = |diagnostics: &[Diagnostic]| {
        let errors = diagnostics.iter();
        let errors = errors.filter(|it| it.severity == Severity::Error);
        errors.map(located).collect::<Vec<_>>()
    };
    let assembled = agal::assemble(&body, &options).map_err(|it| in_test(&it.diagnostics))?;
    let translation = agal::compile(&body, &options).map_err(|it| in_test(&it.diagnostics))?;
    Ok(Program {
        source: assembled,
        translation,
    })
}

/// Bytes as hexadecimal digits, with blanks between them.
fn bytes(text: &str, source: &Source, stage: Stage) -> Result<Program, Vec<Remark>> {
    let remark = |message: String| vec![Remark::new(source.header.clone(), message)];
    let lines = crate::sections::lines(text, Some(source.body.clone()));
    let digits = lines.flat_map(|(_, line)| line.split_whitespace());
    let digits: String = digits.collect();
    let bytes = attila_scene::line::bytes(&digits).filter(|_| digits.len().is_multiple_of(2));
    let bytes = bytes.ok_or_else(|| remark("these are not bytes in hexadecimal".to_owned()))?;
    let in_test = |error: BytesError| {
        let errors = error.findings.into_iter();
        let errors = errors.filter(|it| it.severity == Severity::Error);
        let errors = errors.map(|it| {
            let place = it.token.map(|token| format!("token {token}: "));
            let number = it
                .number
                .map(|number| format!(" (error {number} of Flash)"));
            let (place, number) = (place.unwrap_or_default(), number.unwrap_or_default());
            let message = format!("{place}{}{number}", it.message);
            Remark::new(source.header.clone(), message)
        });
        errors.collect::<Vec<_>>()
    };
    let options = Options {
        stage: Some(stage),
        ..Options::default()
    };
    let program = agal::decode(&bytes, &options).map_err(in_test)?;
    let translation = agal::compile_bytes(&bytes, &options).map_err(in_test)?;
    Ok(Program {
        source: program,
        translation,
    })
}
