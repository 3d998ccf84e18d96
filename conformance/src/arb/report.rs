//! A fault in words.

use std::fmt;

use super::ArbFailure;
use super::check::ArbFault;
use crate::report as programs;

/// The whole story: the fault, the text, and the program that engines differ on.
pub fn report(failure: &ArbFailure) -> String {
    let ArbFailure { case, fault, .. } = failure;
    let text = format!("{}\n\n{}\n", fault, case.text);
    match fault {
        ArbFault::Differ(divergence) => text + "\n" + &programs::report(divergence),
        ArbFault::Panic(_)
        | ArbFault::Position(_)
        | ArbFault::Refused(_)
        | ArbFault::Translation(_) => text,
    }
}

/// What is wrong, in a line or a few.
impl fmt::Display for ArbFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArbFault::Panic(message) => write!(f, "reading the text panics: {message}"),
            ArbFault::Position(message) => write!(f, "a mistake is reported outside: {message}"),
            ArbFault::Refused(message) => write!(f, "a program is refused: {message}"),
            ArbFault::Translation(message) => write!(f, "the translation is wrong: {message}"),
            ArbFault::Differ(divergence) => f.write_str(&programs::summary(divergence)),
        }
    }
}

impl ArbFailure {
    /// The case as a text that [`check_text`](crate::check_text) takes, and what to
    /// call it: the ATTILA program if it is that on which engines differ.
    pub fn to_text(&self) -> (String, &'static str) {
        match &self.fault {
            ArbFault::Differ(divergence) => {
                let note = programs::summary(divergence);
                (divergence.case.to_text(&note), "arb.attila")
            }
            fault @ (ArbFault::Panic(_)
            | ArbFault::Position(_)
            | ArbFault::Refused(_)
            | ArbFault::Translation(_)) => (self.case.to_text(&fault.to_string()), "text.arb"),
        }
    }
}
