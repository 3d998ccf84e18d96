//! [`Checkpoint`]: what a comparison has done, in a file, so that another run goes on from there.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use attila_conformance::Tally;
use serde::{Deserialize, Serialize};

use crate::error::CliError;
use crate::output::Output;

/// The cases that have been compared without a difference, from the first of the sequence on.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    /// The words and options that decide which cases run on which engines.
    choice: String,
    /// Time of the processor.
    seconds: f64,
    /// Counts over the cases.
    pub(super) tally: Tally,
}

impl Checkpoint {
    /// The contents of the file, or nothing if there is none.
    pub(super) fn begin(path: Option<&Path>, choice: String) -> Result<Checkpoint, CliError> {
        let new = Checkpoint {
            choice,
            seconds: 0.0,
            tally: Tally::default(),
        };
        let Some(path) = path else {
            return Ok(new);
        };
        let name = path.display().to_string();
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(new),
            Err(source) => return Err(CliError::Read { name, source }),
        };
        let read: Result<Checkpoint, _> = serde_json::from_str(&text);
        let reason = match read {
            Ok(read) if read.choice == new.choice => return Ok(read),
            Ok(read) => format!("it is of `{}`, not of `{}`", read.choice, new.choice),
            Err(error) => format!("it is not a checkpoint: {error}"),
        };
        Err(CliError::Checkpoint { name, reason })
    }

    /// Cases done.
    pub(super) fn cases(&self) -> u64 {
        self.tally.cases
    }

    /// Adds a part of the cases.
    pub(super) fn add(&mut self, tally: Tally, processor: Duration) {
        self.tally.merge(tally);
        self.seconds += processor.as_secs_f64();
    }

    /// Writes the file, which is always complete.
    pub(super) fn save(&self, path: Option<&Path>) -> Result<(), CliError> {
        let Some(path) = path else {
            return Ok(());
        };
        let text = serde_json::to_vec(self).expect("counts have a form in JSON");
        Output::open(path)?.write(&text)
    }

    /// Cases and others for each second of the processor's time.
    pub(super) fn rates(&self) -> String {
        let rate = |number: u64| number as f64 / self.seconds.max(1e-3);
        let mut line = format!(
            "per second of the processor, of {:.1}: {:.1} cases",
            self.seconds,
            rate(self.cases())
        );
        for what in ["programs", "quads", "fragments"] {
            let number = self.tally.count(what);
            if number > 0 {
                line += &format!(", {:.1} {what}", rate(number));
            }
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_reads_back_and_is_of_one_choice() {
        let name = format!("attila-checkpoint-{}.json", std::process::id());
        let path = std::env::temp_dir().join(name);
        let begin = |choice: &str| Checkpoint::begin(Some(&path), choice.to_owned());
        let mut done = begin("a").expect("there is no file");
        assert_eq!(done.cases(), 0);
        let mut tally = Tally::default();
        tally.cases = 7;
        tally.add("quads", 30);
        tally.add_opcode("mov");
        done.add(tally, Duration::from_millis(500));
        done.save(Some(&path)).expect("it can be written");
        let read = begin("a").expect("it is ours");
        assert_eq!(read.tally, done.tally);
        assert_eq!(
            read.rates(),
            "per second of the processor, of 0.5: 14.0 cases, 60.0 quads"
        );
        let other = begin("b").expect_err("it is of another choice");
        assert!(other.to_string().ends_with("it is of `a`, not of `b`"));
        fs::write(&path, "{}").expect("it can be written");
        assert!(begin("a").is_err());
        fs::remove_file(&path).expect("it is there");
    }
}
