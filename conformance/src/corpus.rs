//! Folders of programs in languages of [`front`], of which it is known whether they are programs.
//!
//! A folder has an `index.json`: under `files`, for each file its name (`file`), the stage of the loader
//! that it is given to (`stage`: `vertex`, `fragment`, `geometry` or `compute`), whether it is to be refused
//! (`must_fail`; not, if that is missing), and perhaps why it says nothing about the language as such (`skip`).
//! Only these are looked at.
//!
//! [`Corpus::check`] compares the verdict on a file with the index. [`Corpus::run`] runs a file that is a program:
//! it survives printing and encoding, engines agree, and they compute what the text says.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use attila_shader::Engine;
use attila_shader::front::{self, SourceError};
use attila_shader::isa::Stage;
use serde::Deserialize;
use thiserror::Error;

use crate::subject::{Fault, Subject, Tally};
use crate::texts::{self, TextCase};

/// The most bytes of an index.
pub(crate) const MOST_OF_INDEX: u64 = 1 << 24;

/// The most bytes of a program: an index may name files that never end.
pub(crate) const MOST_OF_PROGRAM: u64 = 1 << 22;

/// Why a folder cannot be gone through.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is larger than an index or a program may be.
    #[error("{} is too large; the limit is {limit} bytes", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The most that is read.
        limit: u64,
    },
    /// The index does not say what it should.
    #[error("{}", path.display())]
    Index {
        /// The index.
        path: PathBuf,
        /// Where and why.
        source: serde_json::Error,
    },
}

/// A file and the facts that the index has of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name, from the folder on.
    pub file: String,
    /// The kind of programs that it belongs to.
    pub class: Class,
}

/// A kind of programs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Class {
    /// Why they say nothing, if they do not.
    pub skip: Option<String>,
    /// The loader that they are for.
    pub stage: Stage,
    /// Whether they are to be refused.
    pub must_fail: bool,
}

/// As `fragment programs to accept`.
impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.must_fail { "reject" } else { "accept" };
        write!(f, "{} programs to {verb}", self.stage)?;
        match &self.skip {
            Some(reason) => write!(f, " ({reason})"),
            None => Ok(()),
        }
    }
}

/// How lines end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineEnd {
    /// LF.
    Lf,
    /// CR LF.
    CrLf,
}

impl fmt::Display for LineEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LineEnd::Lf => "LF",
            LineEnd::CrLf => "CR LF",
        })
    }
}

/// Why the loader refuses a text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Refusal {
    /// It is no program.
    #[error(transparent)]
    Program(#[from] SourceError),
    /// It is one for the other loader.
    #[error("this is a {0} program")]
    Stage(Stage),
}

/// The loader's verdicts on the two forms of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdicts {
    /// The refusal of the text with each end of lines; `None` if it was taken.
    pub refusals: [(LineEnd, Option<Refusal>); 2],
    must_fail: bool,
}

impl Verdicts {
    /// The forms that were taken and should not have been, or the other way round.
    pub fn wrong(&self) -> impl Iterator<Item = &(LineEnd, Option<Refusal>)> {
        let verdicts = self.refusals.iter();
        verdicts.filter(|(_, refusal)| refusal.is_some() != self.must_fail)
    }

    /// Whether both are as they should be.
    pub fn agree(&self) -> bool {
        self.wrong().next().is_none()
    }
}

/// The run of a file.
#[derive(Clone, PartialEq, Debug)]
pub enum Trial {
    /// It is not a program.
    Refused,
    /// It survives all forms, engines agree, and they compute what the text says, as far as it says something.
    Passed,
    /// It survives all forms. It was not run, as a result depends on the payload of a NaN.
    Unspecified,
    /// The first fault.
    Failed(Box<Fault>),
}

/// A folder with an index.
#[derive(Clone, Debug)]
pub struct Corpus {
    folder: PathBuf,
    /// Its files, in the order of the index.
    pub entries: Vec<Entry>,
}

#[derive(Deserialize)]
struct Index {
    files: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    file: String,
    stage: StageName,
    #[serde(default)]
    must_fail: bool,
    skip: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StageName {
    Vertex,
    Fragment,
    Geometry,
    Compute,
}

impl From<StageName> for Stage {
    fn from(name: StageName) -> Stage {
        match name {
            StageName::Vertex => Stage::Vertex,
            StageName::Fragment => Stage::Fragment,
            StageName::Geometry => Stage::Geometry,
            StageName::Compute => Stage::Compute,
        }
    }
}

impl From<Row> for Entry {
    fn from(row: Row) -> Entry {
        Entry {
            file: row.file,
            class: Class {
                skip: row.skip,
                stage: row.stage.into(),
                must_fail: row.must_fail,
            },
        }
    }
}

impl Corpus {
    /// Reads the index of a folder.
    ///
    /// # Errors
    ///
    /// The index is missing or too large, or does not say what it should.
    pub fn open(folder: &Path) -> Result<Corpus, CorpusError> {
        let path = folder.join("index.json");
        let text = read(&path, MOST_OF_INDEX)?;
        let index = serde_json::from_str(&text);
        let index: Index = index.map_err(|source| CorpusError::Index { path, source })?;
        Ok(Corpus {
            folder: folder.to_owned(),
            entries: index.files.into_iter().map(Entry::from).collect(),
        })
    }

    /// The text of a file.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is too large.
    pub fn text(&self, entry: &Entry) -> Result<String, CorpusError> {
        read(&self.folder.join(&entry.file), MOST_OF_PROGRAM)
    }

    /// Gives a file to its loader, with LF and with CR LF. The loader translates programs as well.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn check(&self, entry: &Entry) -> Result<Verdicts, CorpusError> {
        let unix = self.text(entry)?.replace("\r\n", "\n");
        let dos = unix.replace('\n', "\r\n");
        let stage = entry.class.stage;
        Ok(Verdicts {
            refusals: [
                (LineEnd::Lf, load(&unix, stage).err()),
                (LineEnd::CrLf, load(&dos, stage).err()),
            ],
            must_fail: entry.class.must_fail,
        })
    }

    /// Translates a file, writes the program in every form and reads it again, and runs it on all `engines` and in an
    /// evaluator of the text, on random values.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn run(&self, entry: &Entry, engines: &[Engine]) -> Result<Trial, CorpusError> {
        Ok(run(self.text(entry)?, engines))
    }
}

/// The seed of the values that programs run on. Any would do.
const SEED: u32 = 1;

fn run(text: String, engines: &[Engine]) -> Trial {
    let name = front::language_of(&text).map(|language| language.name);
    let mut languages = texts::LANGUAGES.iter();
    let Some(language) = languages.find(|language| Some(language.name) == name) else {
        return Trial::Refused;
    };
    let case = TextCase {
        language,
        text,
        // Others have to be refused, which is not for this to say.
        valid: false,
        values: SEED,
    };
    let mut tally = Tally::default();
    let checked = case.check(engines, &mut tally);
    match checked {
        Err(fault) => Trial::Failed(Box::new(fault)),
        Ok(()) if tally.count(texts::PROGRAMS) == 0 => Trial::Refused,
        Ok(()) if tally.count(texts::UNSPECIFIED) > 0 => Trial::Unspecified,
        Ok(()) => Trial::Passed,
    }
}

fn load(text: &str, stage: Stage) -> Result<(), Refusal> {
    let found = front::compile(text)?.stage();
    if found == stage {
        Ok(())
    } else {
        Err(Refusal::Stage(found))
    }
}

pub(crate) fn read(path: &Path, limit: u64) -> Result<String, CorpusError> {
    let mut bytes = Vec::new();
    let file = File::open(path);
    let read = file.and_then(|file| file.take(limit + 1).read_to_end(&mut bytes));
    if read.as_ref().is_ok_and(|count| *count as u64 > limit) {
        let path = path.to_owned();
        return Err(CorpusError::TooLarge { path, limit });
    }
    let text = read.and_then(|_| String::from_utf8(bytes).map_err(io::Error::other));
    text.map_err(|source| CorpusError::Read {
        path: path.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stage_of_the_loader_counts() {
        let text = "COMP\nEND\n";
        assert_eq!(load(text, Stage::Compute), Ok(()));
        let refused = Err(Refusal::Stage(Stage::Compute));
        assert_eq!(load(text, Stage::Geometry), refused);
    }

    #[test]
    fn programs_are_run_and_other_texts_are_not() {
        let run = |text: &str| run(text.to_owned(), &Engine::all());
        assert_eq!(
            run("FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], OUT[0]\nEND"),
            Trial::Passed
        );
        assert_eq!(run("FRAG\nMOV OUT[0], IN[0]\nEND"), Trial::Refused);
        assert_eq!(run("mov o1, i1"), Trial::Refused);
        let payload = "FRAG\nDCL OUT[0], COLOR\nDCL IN[0], COLOR, LINEAR\nDCL TEMP[0]\n\
                       ADD TEMP[0], IN[0], IN[0]\nNOT OUT[0], TEMP[0]\nEND";
        assert_eq!(run(payload), Trial::Unspecified);
    }
}
