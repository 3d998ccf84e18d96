//! From texts and bytes to programs, or to a message about what else they are.

use attila_shader::front::agal::{self, ByteFinding};
use attila_shader::front::{self, Listing, ParameterValues, SourceError};
use attila_shader::isa::code::text;
use attila_shader::isa::{Diagnostic, Severity, assemble};
use attila_shader::{DecodeError, Program};

use crate::code;
use crate::encoding;
use crate::error::Error;
use crate::foreign::{self, Shape, UNDERSTOOD};
use crate::host::{Host, Message};
use crate::sections::Section;

impl dyn Host + '_ {
    /// The text that the bytes are. Comments in another encoding are warned of.
    pub(crate) fn decode_text(&self, name: &str, bytes: Vec<u8>) -> Result<String, Error> {
        let can_be_shown = foreign::stray_byte(&bytes).is_none();
        let found = match encoding::decode(bytes) {
            Ok(text) => return Ok(text),
            Err(found) => *found,
        };
        let (line, column) = (found.line, found.column);
        if !can_be_shown {
            let name = name.to_owned();
            return Err(Error::NotText { name, line, column });
        }
        let (what, severity) = match found.harmless {
            true => ("the comment is not", Severity::Warning),
            false => ("not", Severity::Error),
        };
        let message = format!("{what} UTF-8 at line {line}, column {column}");
        let message = Message::new(severity, message).at(found.span);
        let message = message.code(&code::NOT_TEXT);
        let message = message.with_help(Some("save the file as UTF-8"));
        self.report(name, &found.text, vec![message]);
        if found.harmless {
            Ok(found.text)
        } else {
            Err(Error::Reported)
        }
    }

    /// Reports bytes that are neither text nor a binary.
    pub(crate) fn neither(&self, name: &str, bytes: &[u8]) -> Error {
        self.foreign_bytes(name, bytes).unwrap_or_else(|| {
            let length = bytes.len();
            let message = format!(
                "{name} is not a program: its {length} bytes are neither text nor a whole number \
                 of 16-byte instructions"
            );
            self.not_a_program(name, message)
        })
    }

    /// Decodes a binary, or reports what it is or what is wrong with it.
    pub(crate) fn disassemble(&self, name: &str, bytes: &[u8]) -> Result<Program, Error> {
        Program::decode(bytes).map_err(|error| {
            let foreign = self.foreign_bytes(name, bytes);
            foreign.unwrap_or_else(|| self.decode_error(name, &error))
        })
    }

    fn decode_error(&self, name: &str, error: &DecodeError) -> Error {
        let lines = error.faults.iter().map(ToString::to_string);
        self.listed(Severity::Error, name, "fault", &code::BINARY, lines);
        Error::NotProgram
    }

    /// Assembles a text and reports all that the assembler has to say.
    pub(crate) fn assemble(&self, name: &str, text: &str) -> Result<Program, Error> {
        let assembly = assemble(text);
        let list = &assembly.diagnostics;
        let is_empty = |program: &Program| program.insts().is_empty();
        if assembly.program.as_ref().is_none_or(is_empty) {
            if let Some(error) = self.foreign_text(name, text) {
                return Err(error);
            }
            let shape = Shape::of_assembly(text);
            if list.len() > 1 && shape.is_foreign() {
                return Err(self.summary(name, text, shape, list));
            }
        }
        self.diagnostics(name, text, list);
        assembly.program.ok_or(Error::Reported)
    }

    /// Compiles a text, or reports what it is or what is wrong with it. Warnings are reported, too.
    pub(crate) fn list(
        &self,
        name: &str,
        section: &Section,
        text: &str,
        values: &ParameterValues,
    ) -> Result<Listing, Error> {
        let listing = section.list(text, values);
        let listing = listing.map_err(|error| self.source(name, text, &error))?;
        self.diagnostics(name, text, &listing.warnings);
        Ok(listing)
    }

    /// The same of a text whose language is not known.
    pub(crate) fn list_any(
        &self,
        name: &str,
        text: &str,
        values: &ParameterValues,
    ) -> Result<Listing, Error> {
        front::list(text, values).map_err(|error| {
            let foreign = self.foreign_text(name, text);
            foreign.unwrap_or_else(|| self.source(name, text, &error))
        })
    }

    /// The same of an AGAL program in bytes.
    pub(crate) fn list_bytes(
        &self,
        name: &str,
        bytes: &[u8],
        values: &ParameterValues,
    ) -> Result<Listing, Error> {
        let show = |severity, list: &[ByteFinding]| {
            let lines = list.iter().map(ToString::to_string);
            self.listed(severity, name, "finding", &text::RULE, lines);
        };
        match agal::list_bytes(bytes, values) {
            Ok((listing, warnings)) => {
                if !warnings.is_empty() {
                    show(Severity::Warning, &warnings);
                }
                Ok(listing)
            }
            Err(error) => {
                show(Severity::Error, &error.findings);
                Err(Error::Reported)
            }
        }
    }

    /// Reports what is wrong with a text.
    fn source(&self, name: &str, text: &str, error: &SourceError) -> Error {
        self.diagnostics(name, text, &error.diagnostics);
        Error::Reported
    }

    /// Reports what bytes are that are no program, if that is known.
    fn foreign_bytes(&self, name: &str, bytes: &[u8]) -> Option<Error> {
        if let Some(kind) = foreign::kind_of_bytes(bytes) {
            return Some(self.foreign(name, kind));
        }
        if foreign::is_utf16(bytes) {
            let message = format!("{name} is text in UTF-16; programs are UTF-8");
            return Some(self.not_a_program(name, message));
        }
        let at = foreign::accident(bytes)?;
        let before = &bytes[..at];
        let start = before.iter().rposition(|byte| *byte == b'\n');
        let start = start.map_or(0, |end| end + 1);
        let line = before.split(|byte| *byte == b'\n').count();
        let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
        let byte = bytes[at];
        let message = format!(
            "{name} has the byte {byte:#04x} at line {line}, column {column}, which texts do not have"
        );
        Some(self.not_a_program(name, message))
    }

    /// Reports what a text is that is no program, if that is known.
    pub(crate) fn foreign_text(&self, name: &str, text: &str) -> Option<Error> {
        if let Some(header) = front::foreign::header(text) {
            let message = Message::error(header.message).at(header.span);
            let message = message.code(&code::NOT_PROGRAM);
            let message = message.with_help(Some(header.help.unwrap_or(UNDERSTOOD)));
            self.report(name, text, vec![message]);
            return Some(Error::NotProgram);
        }
        // Comments of a program may look like anything.
        let foreign = Shape::of_assembly(text).is_foreign();
        let kind = foreign
            .then(|| front::foreign::kind_of_text(text))
            .flatten()?;
        Some(self.foreign(name, kind))
    }

    fn foreign(&self, name: &str, kind: &str) -> Error {
        self.not_a_program(name, format!("{name} is {kind}, not a program"))
    }

    fn not_a_program(&self, name: &str, message: String) -> Error {
        let message = Message::error(message).code(&code::NOT_PROGRAM);
        let message = message.with_help(Some(UNDERSTOOD));
        self.report(name, "", vec![message]);
        Error::NotProgram
    }

    /// Reports a text that does not look like a program by its first error.
    fn summary(&self, name: &str, text: &str, shape: Shape, list: &[Diagnostic]) -> Error {
        let mut errors = list.iter();
        let Some(first) = errors.find(|one| one.severity == Severity::Error) else {
            return Error::NotProgram;
        };
        let of_all = if shape.seen < shape.statements {
            "first "
        } else {
            ""
        };
        let (plausible, seen) = (shape.plausible, shape.seen);
        let mut shown = Message::from(first);
        shown.message = format!(
            "{name} is not a program: {plausible} of its {of_all}{seen} lines look like instructions"
        );
        let first_error = match &first.help {
            Some(help) => format!("{} ({help})", first.message),
            None => first.message.clone(),
        };
        shown.code = Some(&code::NOT_PROGRAM);
        shown.notes = vec![first_error, format!("help: {UNDERSTOOD}")];
        self.report(name, text, vec![shown]);
        Error::NotProgram
    }
}
