//! Scripts: a command a line, each of which becomes what it does.

use std::fmt::{self, Display};

use attila_shader::isa::{Diagnostics, Remark};

use super::error::{Fault, RunError};
use super::sections::Sections;
use super::words::Words;

/// The end of a command that may fail.
pub(super) type Done = Result<(), Fault>;

/// The complaint of a probe, if it has one, unless there is nothing to look at.
pub(super) type Seen = Result<Option<String>, Fault>;

/// An action on the state `S` of a test that is run.
pub(super) enum Action<S> {
    /// Sets something.
    Set(Box<dyn Fn(&mut S)>),
    /// Does something that may fail.
    Attempt(Box<dyn Fn(&mut S) -> Done>),
    /// Looks at something, and says how it differs from what is expected, if it does.
    Probe(Box<dyn Fn(&S) -> Seen>),
}

/// A command that sets something.
pub(super) fn set<S>(set: impl Fn(&mut S) + 'static) -> Action<S> {
    Action::Set(Box::new(set))
}

/// A command that may fail.
pub(super) fn attempt<S>(attempt: impl Fn(&mut S) -> Done + 'static) -> Action<S> {
    Action::Attempt(Box::new(attempt))
}

/// A command that looks at something.
pub(super) fn probe<S>(probe: impl Fn(&S) -> Option<String> + 'static) -> Action<S> {
    probe_or_fail(move |state| Ok(probe(state)))
}

/// A command that looks at something that may not be there.
pub(super) fn probe_or_fail<S>(probe: impl Fn(&S) -> Seen + 'static) -> Action<S> {
    Action::Probe(Box::new(probe))
}

/// The end of a probe's complaint, as `expected 255 0 0, seen 255 0 3`.
pub(super) fn complaint<T: Display>(expected: &[T], seen: &[T]) -> String {
    let list = |values: &[T]| {
        values
            .iter()
            .map(T::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    };
    format!("expected {}, seen {}", list(expected), list(seen))
}

/// Reads the words after the name of a command. `P` knows the facts about the commands before it that it depends on.
type Rest<P, S> = fn(&mut P, &mut Words<'_>) -> Result<Action<S>, Remark>;

/// The commands of a format. Names that others begin with come after those.
pub(super) type Commands<P, S> = [(&'static str, Rest<P, S>)];

/// The commands of a test.
pub(super) struct Script<S>(Vec<Line<S>>);

/// A command, and where it is.
struct Line<S> {
    /// Its line, from 1.
    line: usize,
    /// As it is written.
    text: String,
    action: Action<S>,
}

/// A probe, and what it saw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProbeResult {
    /// Its line, from 1.
    pub line: usize,
    /// As it is written.
    pub text: String,
    /// The difference from the expected value, if it failed.
    pub mismatch: Option<String>,
}

impl ProbeResult {
    /// A line about the probe of the test `name`, if it failed.
    pub fn complaint(&self, name: &str) -> Option<String> {
        let mismatch = self.mismatch.as_ref()?;
        Some(format!("{name}:{}: {}: {mismatch}", self.line, self.text))
    }
}

impl<S> fmt::Debug for Script<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.0.iter().map(|it| &it.text))
            .finish()
    }
}

impl<S> Script<S> {
    /// Reads the section `[test]`, which has at most `most` of these commands.
    pub(super) fn read<P>(
        sections: &Sections<'_>,
        commands: &Commands<P, S>,
        mut before: P,
        most: usize,
        diagnostics: &mut Diagnostics,
    ) -> Script<S> {
        let mut script = Vec::new();
        let (mut line, mut counted) = (1, 0);
        for (number, (start, written)) in sections.lines("[test]").enumerate() {
            if number == most {
                let message = format!("a script has at most {most} commands");
                diagnostics.error(Remark::new(start..start + written.len(), message));
                break;
            }
            line += sections.text[counted..start].matches('\n').count();
            counted = start;
            match command(commands, &mut before, &mut Words::new(start, written)) {
                Ok(action) => script.push(Line {
                    line,
                    text: written.to_owned(),
                    action,
                }),
                Err(remark) => diagnostics.error(remark),
            }
        }
        Script(script)
    }

    /// Carries the commands out. Probes that fail do not stop it.
    pub(super) fn play(&self, state: &mut S) -> Result<Vec<ProbeResult>, RunError> {
        let mut probes = Vec::new();
        for Line { line, text, action } in &self.0 {
            let line = *line;
            let fail = |source| RunError::Command { line, source };
            match action {
                Action::Set(set) => set(state),
                Action::Attempt(attempt) => attempt(state).map_err(fail)?,
                Action::Probe(probe) => probes.push(ProbeResult {
                    line,
                    text: text.clone(),
                    mismatch: probe(state).map_err(fail)?,
                }),
            }
        }
        Ok(probes)
    }
}

/// Reads a command.
fn command<P, S>(
    commands: &Commands<P, S>,
    before: &mut P,
    words: &mut Words<'_>,
) -> Result<Action<S>, Remark> {
    let rest = words.command(commands)?;
    let action = rest(before, words)?;
    words.end()?;
    Ok(action)
}
