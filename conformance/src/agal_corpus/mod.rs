//! Corpora of AGAL programs: texts with their bytes, byte programs, and bytes to take or to refuse.
//!
//! | found | holds |
//! |---|---|
//! | a folder with `index.json`, whose files have `hex` | texts, and the bytes that they assemble to |
//! | `programs.json` | byte programs in files, with facts about them |
//! | `vectors.json` | texts with their bytes |
//! | `upload_errors.json` | pairs of programs, and Flash's verdicts |
//! | a file that ends in `.jsonl` | bytes to take or to refuse, with number and token |
//!
//! Programs keep their bytes: decoded and encoded, and disassembled and assembled again. Those that are
//! complete run on all engines, in every form that [`oracle`] has, and in a draw.

mod draw;
mod read;
mod sha256;

use std::collections::BTreeMap;
use std::fmt;

use attila_shader::Engine;
use attila_shader::front::agal::{self, AgalProgram, BytesError, Options, Version};
use attila_shader::isa::{Profile, Stage};

use crate::dice::Dice;
use crate::generate::{self, start_of};
use crate::oracle;
use crate::recorder::SplitMix;
use crate::round_trip::round_trip;
use crate::subject::Subject;

pub use read::open;

/// The seed of the values that programs run on. Any would do.
const SEED: u64 = 1;

/// A kind of entries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// Texts that are whole programs.
    Text,
    /// Texts that are parts of programs: only their bytes count.
    Template,
    /// Byte programs.
    Program,
    /// Bytes that are to be taken.
    Taken,
    /// Bytes that are to be refused.
    Refused,
    /// Bytes that only the limits of Flash refuse.
    Limited,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::Text => "texts of programs",
            Class::Template => "texts of parts of programs",
            Class::Program => "byte programs",
            Class::Taken => "bytes to accept",
            Class::Refused => "bytes to reject",
            Class::Limited => "bytes to reject with --strict",
        })
    }
}

/// An entry of a corpus.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub class: Class,
    stage: Stage,
    bytes: Vec<u8>,
    /// The text that assembles to the bytes, and its version.
    text: Option<(String, Version)>,
    facts: Facts,
}

/// Facts about an entry, as far as they are known.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Facts {
    /// The number of the error that Flash reports.
    number: Option<u16>,
    /// The token with the first mistake, from 1.
    token: Option<usize>,
    size: Option<usize>,
    tokens: Option<usize>,
    opcodes: Option<BTreeMap<String, usize>>,
    sha256: Option<String>,
}

impl Entry {
    /// In what the reader does not agree with the corpus, a line each.
    pub fn check(&self) -> Vec<String> {
        match self.class {
            Class::Text | Class::Template | Class::Program => self.check_program(),
            // Limits of Flash may still be broken.
            Class::Taken => self.verdict(false, true),
            Class::Refused => {
                let mut found = self.verdict(false, false);
                found.extend(self.verdict(true, false));
                found
            }
            Class::Limited => {
                let mut found = self.verdict(false, true);
                found.extend(self.verdict(true, false));
                found
            }
        }
    }

    /// Runs the program on all engines, in all forms and in a draw; the first fault. `None` for entries
    /// that are not to be run.
    pub fn run(&self, engines: &[Engine]) -> Option<Result<Ran, String>> {
        match self.class {
            Class::Text | Class::Program => Some(self.run_program(engines)),
            Class::Template | Class::Taken | Class::Refused | Class::Limited => None,
        }
    }

    /// Compares the verdict on the bytes.
    fn verdict(&self, strict: bool, is_taken: bool) -> Vec<String> {
        let options = Options {
            stage: Some(self.stage),
            strict,
            ..Options::default()
        };
        let with = if strict { " with --strict" } else { "" };
        let compiled = agal::compile_bytes(&self.bytes, &options);
        match (compiled, is_taken) {
            (Ok(_), true) => Vec::new(),
            (Ok(_), false) => vec![format!("accepted{with}; to be rejected")],
            (Err(error), true) => vec![format!("rejected{with}; to be accepted: {error}")],
            (Err(error), false) => self.reasons(&error, with),
        }
    }

    /// Compares number and token of the first mistake.
    fn reasons(&self, error: &BytesError, with: &str) -> Vec<String> {
        let first = error.first();
        let (number, token) = first.map_or((None, None), |it| (it.number, it.token));
        let mut found = Vec::new();
        if self.facts.number.is_some() && number != self.facts.number {
            let (expected, number) = (self.facts.number, number);
            found.push(format!(
                "number {}{with}, expected {}: {error}",
                or_none(number),
                or_none(expected)
            ));
        }
        if self.facts.token.is_some() && token != self.facts.token {
            let expected = or_none(self.facts.token);
            let token = or_none(token);
            found.push(format!("token {token}{with}, expected {expected}: {error}"));
        }
        found
    }

    /// Compares bytes, facts and ways back.
    fn check_program(&self) -> Vec<String> {
        let mut found = Vec::new();
        if let Some((text, version)) = &self.text {
            match agal::assemble(text, &self.options(*version)) {
                Ok(program) if agal::encode(&program) == self.bytes => {}
                Ok(_) => found.push("the text assembles to other bytes".to_owned()),
                Err(error) => found.push(format!("the text is rejected: {error}")),
            }
        }
        match agal::decode(&self.bytes, &Options::default()) {
            Ok(program) => found.extend(self.ways_back(&program)),
            Err(error) => found.push(format!("the bytes are rejected: {error}")),
        }
        found
    }

    fn options(&self, version: Version) -> Options {
        Options {
            stage: Some(self.stage),
            version: Some(version),
            strict: false,
        }
    }

    fn ways_back(&self, program: &AgalProgram) -> Vec<String> {
        let mut found = Vec::new();
        let mut same = |what: &str, is_same: bool| {
            if !is_same {
                found.push(format!("{what} not the same"));
            }
        };
        same("the stage is", program.stage == self.stage);
        same(
            "encoded again, bytes are",
            agal::encode(program) == self.bytes,
        );
        let text = agal::disassemble(program);
        let again = agal::assemble(&text, &self.options(program.version));
        let again = again.map(|it| agal::encode(&it));
        same(
            "disassembled and assembled, bytes are",
            again.as_ref() == Ok(&self.bytes),
        );
        let facts = &self.facts;
        let is = |expected: Option<usize>, count| expected.is_none_or(|it| it == count);
        same("the size is", is(facts.size, self.bytes.len()));
        same(
            "the number of tokens is",
            is(facts.tokens, program.tokens.len()),
        );
        let mut opcodes = BTreeMap::new();
        for token in &program.tokens {
            *opcodes.entry(token.opcode.to_string()).or_default() += 1;
        }
        let expected = facts.opcodes.as_ref();
        same(
            "counts of opcodes are",
            expected.is_none_or(|it| *it == opcodes),
        );
        let digest = facts.sha256.as_ref();
        same(
            "the SHA-256 is",
            digest.is_none_or(|it| *it == sha256::hexadecimal(&self.bytes)),
        );
        found
    }

    fn run_program(&self, engines: &[Engine]) -> Result<Ran, String> {
        let translation = agal::compile_bytes(&self.bytes, &Options::default());
        let translation = translation.map_err(|error| error.to_string())?;
        let program = translation.program.clone().validate();
        let program = program.map_err(|error| error.to_string())?;
        round_trip(program.program())?;
        draw::compare(self.stage, &self.bytes, engines)?;
        let mut rng = SplitMix(SEED);
        let options = match program.program().profile() {
            Profile::Base => generate::Options::DEFAULT,
            Profile::Extended => generate::Options::EXTENDED,
        };
        let case = start_of(&mut Dice::new(&mut rng), &options, program);
        if !case.is_specified() {
            return Ok(Ran::Unspecified);
        }
        let compared = oracle::compare(&case, engines);
        compared.map(|_| Ran::Passed).map_err(|it| it.to_string())
    }
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ran {
    /// Engines agree.
    Passed,
    /// They draw the same. Single quads were not compared, as a result depends on the payload of a NaN.
    Unspecified,
}

fn or_none(value: Option<impl fmt::Display>) -> String {
    value.map_or("none".to_owned(), |it| it.to_string())
}
