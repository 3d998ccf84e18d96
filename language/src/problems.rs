//! Hears what is said about a text. Files are not opened.

use std::cell::RefCell;
use std::io::{self, Read};
use std::path::Path;

use attila_scene::{Host, Message};

use crate::answer::Problem;

/// Collects problems.
#[derive(Default)]
pub(crate) struct Collector(RefCell<Vec<Problem>>);

impl Collector {
    /// The problems in the order of the text.
    pub(crate) fn finish(self) -> Vec<Problem> {
        let mut problems = self.0.into_inner();
        problems.sort_by_key(|problem| problem.span.start);
        problems
    }

    pub(crate) fn add(&self, problem: Problem) {
        self.0.borrow_mut().push(problem);
    }
}

impl Host for Collector {
    fn open(&self, _: &Path) -> io::Result<Box<dyn Read>> {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }

    fn report(&self, _: &str, _: &str, messages: Vec<Message>) {
        for message in messages {
            self.add(Problem {
                span: message.place.unwrap_or_default(),
                severity: message.severity,
                message: message.message,
                notes: message.notes,
                fix: message.fix,
            });
        }
    }

    fn is_thorough(&self) -> bool {
        true
    }
}
