//! Scripts of tests that draw and look at pixels: a command a line.

use std::fmt::Display;
use std::ops::Range;

use attila_shader::isa::{Diagnostics, Remark};

use crate::sections::lines;

/// A command, and where it is.
#[derive(Clone, PartialEq, Debug)]
pub struct Line<Command> {
    /// Its line, from 1.
    pub line: usize,
    /// Its effect.
    pub command: Command,
    /// As it is written.
    pub text: String,
}

/// A probe, and what it saw.
#[derive(Clone, PartialEq, Debug)]
pub struct ProbeResult<Mismatch> {
    /// Its line, from 1.
    pub line: usize,
    /// As it is written.
    pub text: String,
    /// The difference from the expected value, if it failed.
    pub mismatch: Option<Mismatch>,
}

impl<Command> Line<Command> {
    /// The result of the probe in this line.
    pub(crate) fn probed<Mismatch>(&self, mismatch: Option<Mismatch>) -> ProbeResult<Mismatch> {
        ProbeResult {
            line: self.line,
            text: self.text.clone(),
            mismatch,
        }
    }
}

impl<Mismatch: Display> ProbeResult<Mismatch> {
    /// A line about the probe of the test `name`, if it failed.
    pub fn complaint(&self, name: &str) -> Option<String> {
        let mismatch = self.mismatch.as_ref()?;
        Some(format!("{name}:{}: {}: {mismatch}", self.line, self.text))
    }
}

/// Reads the commands of a section, at most `most`. `command` reads one that begins at a byte of the text.
pub(crate) fn commands<Command>(
    text: &str,
    section: Option<Range<usize>>,
    most: usize,
    diagnostics: &mut Diagnostics,
    mut command: impl FnMut(usize, &str) -> Result<Command, Remark>,
) -> Vec<Line<Command>> {
    let mut commands = Vec::new();
    let begin = section.clone().unwrap_or_default().start;
    let (mut line, mut counted) = (text[..begin].matches('\n').count() + 1, begin);
    for (number, (start, written)) in lines(text, section).enumerate() {
        if number == most {
            let message = format!("a script has at most {most} commands");
            diagnostics.error(Remark::new(start..start + written.len(), message));
            break;
        }
        line += text[counted..start].matches('\n').count();
        counted = start;
        match command(start, written) {
            Ok(command) => commands.push(Line {
                line,
                command,
                text: written.to_owned(),
            }),
            Err(remark) => diagnostics.error(remark),
        }
    }
    commands
}
