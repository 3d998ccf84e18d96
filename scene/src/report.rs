//! Messages about programs, to a [`Host`].

use std::ops::Range;

use attila_shader::isa::{Code, Diagnostic, Finding, FindingKind, Severity, Slots, Word};
use attila_shader::{Program, ValidProgram};

use crate::code;
use crate::directives::{self, Directives};
use crate::error::Error;
use crate::host::{Host, Message, Topic};
use crate::images;
use crate::scene::EXTENSIONS;
use crate::sections::ChoiceError;

/// The most lines of a list of what is wrong with a binary.
const LISTED: usize = 10;

impl dyn Host + '_ {
    /// Warns of something that has no place.
    pub(crate) fn warning(&self, file: &str, message: String) {
        self.report(
            file,
            "",
            vec![Message::warning(message).code(&code::UNREAD)],
        );
    }

    /// Reports one error at a place of a text.
    pub(crate) fn text_error(
        &self,
        name: &str,
        text: &str,
        message: &str,
        span: Range<usize>,
        code: &'static Code,
    ) -> Error {
        let message = Message::error(message).at(span).about(Topic::Syntax);
        let message = message.code(code);
        self.report(name, text, vec![message]);
        Error::Reported
    }

    /// Reports that no program of a file is the wanted one.
    pub(crate) fn choice(&self, name: &str, text: &str, error: &ChoiceError) -> Error {
        let message = match error {
            ChoiceError::Several { place, help, .. } => Message::error(error.to_string())
                .at(place.clone())
                .with_help(Some(help)),
            ChoiceError::Number { .. } | ChoiceError::Stage { .. } => {
                Message::error(format!("{name}: {error}"))
            }
        };
        let message = message.code(&code::CHOICE);
        self.report(name, text, vec![message]);
        Error::Reported
    }

    /// Reports what is wrong with a text.
    pub(crate) fn diagnostics(&self, name: &str, text: &str, list: &[Diagnostic]) {
        self.report(name, text, list.iter().map(Message::from).collect());
    }

    /// Reads the directives of a text, and reports those that are not right. Gives what the others
    /// say, and whether all are right.
    pub(crate) fn directives(&self, name: &str, text: &str) -> (Directives, bool) {
        let known = [&EXTENSIONS[..], &images::DIRECTIVES].concat();
        let (directives, errors) = directives::read(text, &known);
        let all_right = errors.is_empty();
        let messages = errors.into_iter().map(|error| {
            let message = Message::error(error.message).at(error.span);
            let message = message.about(Topic::Directive).code(&code::DIRECTIVE);
            message.with_help(error.help.as_deref()).with_fix(error.fix)
        });
        self.report(name, text, messages.collect());
        (directives, all_right)
    }

    /// Validates a program and reports all that is found, warnings too. `text` is its source.
    pub(crate) fn validate(
        &self,
        name: &str,
        text: Option<&str>,
        is_translated: bool,
        program: Program,
    ) -> Result<ValidProgram, Error> {
        let listing = program.clone();
        match program.validate() {
            Ok(valid) => {
                self.findings(name, text, is_translated, &listing, valid.warnings());
                Ok(valid)
            }
            Err(error) => {
                self.findings(name, text, is_translated, &listing, &error.findings);
                Err(Error::Reported)
            }
        }
    }

    fn findings(
        &self,
        name: &str,
        text: Option<&str>,
        is_translated: bool,
        program: &Program,
        list: &[Finding],
    ) {
        let shown = list
            .iter()
            .filter(|it| self.is_thorough() || !is_only_for_authors(&it.kind));
        let Some(text) = text else {
            return self.binary_findings(name, program, shown.collect());
        };
        // The assembler has seen this, too, and pointed at the operands.
        let seen = |kind: &FindingKind| matches!(kind, FindingKind::AllRelative);
        let findings = shown.filter(|finding| !seen(&finding.kind));
        let messages = findings.map(|finding| {
            let message = match finding.span.clone() {
                Some(span) => {
                    let message = wording(&finding.kind, is_translated);
                    Message::new(finding.severity(), message).at(span)
                }
                None => {
                    let message = format!("{name}: {}", finding.kind);
                    Message::new(finding.severity(), message)
                }
            };
            let message = message.about(Topic::Program).code(finding.kind.code());
            message.with_help(finding.help)
        });
        self.report(name, text, messages.collect());
    }

    /// Reports what was found in a program without a text, all in one message, errors first.
    fn binary_findings(&self, name: &str, program: &Program, mut list: Vec<&Finding>) {
        list.sort_by_key(|finding| std::cmp::Reverse(finding.severity()));
        let Some(worst) = list.first().map(|finding| finding.severity()) else {
            return;
        };
        let line = |finding: &&Finding| {
            let place = finding.index.map(|index| {
                let (byte, inst) = (index * Word::SIZE, program.insts()[index]);
                format!("instruction {index} at byte {byte:#x}, `{inst}`: ")
            });
            let severity = match finding.severity() {
                Severity::Warning => "warning",
                Severity::Error => "error",
            };
            let code = match self.is_thorough() {
                true => format!("[{}]", finding.kind.code().name),
                false => String::new(),
            };
            format!(
                "{severity}{code}: {}{}",
                place.unwrap_or_default(),
                finding.kind
            )
        };
        let lines = list.iter().map(line);
        self.listed(worst, name, "finding", list[0].kind.code(), lines);
    }

    /// Reports a list in one message: its length, and its first lines.
    pub(crate) fn listed(
        &self,
        severity: Severity,
        name: &str,
        what: &str,
        code: &'static Code,
        lines: impl ExactSizeIterator<Item = String>,
    ) {
        let (plural, shown) = match lines.len() {
            1 => ("", ""),
            0..=LISTED => ("s", ""),
            _ => ("s", ", the first of which are"),
        };
        let text = format!("{name}: {} {what}{plural}{shown}", lines.len());
        let mut message = Message::new(severity, text);
        message.notes = lines.take(LISTED).collect();
        message.topic = Topic::Program;
        message.code = Some(code);
        self.report(name, "", vec![message]);
    }
}

/// Whether a finding matters to who writes the program, not to who runs it: options may set predicates, and
/// the rest of an output may be of no use.
fn is_only_for_authors(kind: &FindingKind) -> bool {
    matches!(
        kind,
        FindingKind::PredicateNeverWritten { .. } | FindingKind::PartlyWritten { .. }
    )
}

/// A finding in words of the text's language: registers have other names in texts that are translated.
fn wording(kind: &FindingKind, is_translated: bool) -> String {
    let letters =
        |components: &Slots| -> String { components.components().map(|c| c.letter()).collect() };
    if is_translated && let FindingKind::NeverWritten { components, .. } = kind {
        let letters = letters(components);
        return format!("`.{letters}` of a temporary is read but never written; it is 0");
    }
    if is_translated && let FindingKind::PartlyWritten { components, .. } = kind {
        let letters = letters(components);
        return format!("`.{letters}` of this output is never written; it is 0");
    }
    kind.to_string()
}
