//! Reading corpora.

use std::collections::BTreeMap;
use std::path::Path;

use attila_shader::front::agal::Version;
use attila_shader::isa::Stage;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use super::{Class, Entry, Facts};
use crate::corpus::{CorpusError, MOST_OF_INDEX, MOST_OF_PROGRAM, StageName, read};

/// Bytes as hexadecimal digits, with blanks between them.
#[derive(Clone, Deserialize)]
#[serde(try_from = "String")]
struct Hexadecimal(Vec<u8>);

impl TryFrom<String> for Hexadecimal {
    type Error = String;

    fn try_from(text: String) -> Result<Hexadecimal, String> {
        let digits: String = text.split_whitespace().collect();
        let is_even = digits.len().is_multiple_of(2);
        let bytes = attila_scene::line::bytes(&digits).filter(|_| is_even);
        let bytes = bytes.ok_or("these are not bytes in hexadecimal")?;
        Ok(Hexadecimal(bytes))
    }
}

/// A version of the language.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "u32")]
struct Known(Version);

impl TryFrom<u32> for Known {
    type Error = String;

    fn try_from(number: u32) -> Result<Known, String> {
        let version = Version::of(number).ok_or_else(|| format!("there is no version {number}"))?;
        Ok(Known(version))
    }
}

#[derive(Deserialize)]
struct Texts {
    files: Vec<Text>,
}

#[derive(Deserialize)]
struct Text {
    file: String,
    stage: StageName,
    version: Known,
    tokens: Option<usize>,
    complete: bool,
    hex: Hexadecimal,
}

#[derive(Deserialize)]
struct Programs {
    files: Vec<Program>,
}

#[derive(Deserialize)]
struct Program {
    file: String,
    stage: StageName,
    bytes: usize,
    tokens: usize,
    sha256_of_bytes: String,
    opcodes: BTreeMap<String, usize>,
}

#[derive(Deserialize)]
struct Cases<T> {
    cases: Vec<T>,
}

#[derive(Deserialize)]
struct Vector {
    name: String,
    stage: StageName,
    agal_version: Known,
    text: String,
    hex: Hexadecimal,
}

#[derive(Deserialize)]
struct Upload {
    name: String,
    vertex_hex: Hexadecimal,
    fragment_hex: Hexadecimal,
    bad_program: Option<StageName>,
    expect: Uploaded,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Uploaded {
    Taken(#[expect(dead_code, reason = "its word is always the same")] String),
    Refused { number: u16, text: Option<String> },
}

#[derive(Deserialize)]
struct Verdict {
    name: String,
    stage: StageName,
    hex: Hexadecimal,
    expect: Expected,
    token: Option<usize>,
    #[serde(default)]
    strict_only: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Expected {
    Number(u16),
    Word(Word),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Ok,
    Refuse,
}

/// Reads what `path` holds; `None` if it is not a corpus of AGAL programs.
///
/// # Errors
///
/// A file of it cannot be read, is too large, or does not say what it should.
pub fn open(path: &Path) -> Result<Option<Vec<Entry>>, CorpusError> {
    if !path.is_dir() {
        return verdicts(path).map(Some);
    }
    let mut entries = Vec::new();
    let mut is_one = false;
    let index = path.join("index.json");
    if index.exists() {
        let content: Value = json(&index)?;
        if content["files"][0]["hex"].is_string() {
            is_one = true;
            let texts: Texts = json(&index)?;
            for row in texts.files {
                entries.push(text(path, row)?);
            }
        }
    }
    let there = |name: &str| Some(path.join(name)).filter(|file| file.exists());
    if let Some(file) = there("programs.json") {
        is_one = true;
        let programs: Programs = json(&file)?;
        for row in programs.files {
            entries.push(program(path, row)?);
        }
    }
    if let Some(file) = there("vectors.json") {
        is_one = true;
        let cases: Cases<Vector> = json(&file)?;
        entries.extend(cases.cases.into_iter().map(|row| Entry {
            name: row.name,
            class: Class::Text,
            stage: row.stage.into(),
            bytes: row.hex.0,
            text: Some((row.text, row.agal_version.0)),
            facts: Facts::default(),
        }));
    }
    if let Some(file) = there("upload_errors.json") {
        is_one = true;
        let cases: Cases<Upload> = json(&file)?;
        entries.extend(cases.cases.into_iter().flat_map(uploads));
    }
    Ok(is_one.then_some(entries))
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T, CorpusError> {
    let text = read(path, MOST_OF_INDEX)?;
    serde_json::from_str(&text).map_err(|source| CorpusError::Index {
        path: path.to_owned(),
        source,
    })
}

fn text(folder: &Path, row: Text) -> Result<Entry, CorpusError> {
    let text = read(&folder.join(&row.file), MOST_OF_PROGRAM)?;
    Ok(Entry {
        name: row.file,
        class: match row.complete {
            true => Class::Text,
            false => Class::Template,
        },
        stage: row.stage.into(),
        bytes: row.hex.0,
        text: Some((text, row.version.0)),
        facts: Facts {
            tokens: row.tokens,
            ..Facts::default()
        },
    })
}

fn program(folder: &Path, row: Program) -> Result<Entry, CorpusError> {
    let path = folder.join(&row.file);
    let text = read(&path, MOST_OF_PROGRAM)?;
    let bytes = Hexadecimal::try_from(text).map_err(|error| CorpusError::Read {
        path,
        source: std::io::Error::other(error),
    })?;
    Ok(Entry {
        name: row.file,
        class: Class::Program,
        stage: row.stage.into(),
        bytes: bytes.0,
        text: None,
        facts: Facts {
            size: Some(row.bytes),
            tokens: Some(row.tokens),
            opcodes: Some(row.opcodes),
            sha256: Some(row.sha256_of_bytes),
            ..Facts::default()
        },
    })
}

/// Both programs of an upload.
fn uploads(row: Upload) -> [Entry; 2] {
    let bad = row.bad_program.map(Stage::from);
    let programs = [
        (Stage::Vertex, row.vertex_hex),
        (Stage::Fragment, row.fragment_hex),
    ];
    programs.map(|(stage, hex)| {
        let (class, facts) = match &row.expect {
            Uploaded::Refused { number, text } if bad == Some(stage) => {
                let facts = Facts {
                    number: Some(*number),
                    token: text.as_deref().and_then(token),
                    ..Facts::default()
                };
                (Class::Refused, facts)
            }
            Uploaded::Refused { .. } | Uploaded::Taken(_) => (Class::Taken, Facts::default()),
        };
        Entry {
            name: format!("{} ({stage})", row.name),
            class,
            stage,
            bytes: hex.0,
            text: None,
            facts,
        }
    })
}

/// The token in a message of Flash: `... at token 1 of fragment program.`
fn token(message: &str) -> Option<usize> {
    let (_, after) = message.split_once("at token ")?;
    after.split(' ').next()?.parse().ok()
}

/// A file with an object in each line.
fn verdicts(path: &Path) -> Result<Vec<Entry>, CorpusError> {
    let text = read(path, MOST_OF_INDEX)?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let entries = lines.map(|line| {
        let row: Verdict = serde_json::from_str(line)?;
        let (class, number) = match row.expect {
            Expected::Word(Word::Ok) => (Class::Taken, None),
            Expected::Word(Word::Refuse) => (Class::Refused, None),
            Expected::Number(number) => (Class::Refused, Some(number)),
        };
        Ok(Entry {
            name: row.name,
            class: match row.strict_only {
                true => Class::Limited,
                false => class,
            },
            stage: row.stage.into(),
            bytes: row.hex.0,
            text: None,
            facts: Facts {
                number,
                token: row.token,
                ..Facts::default()
            },
        })
    });
    let entries: Result<Vec<Entry>, serde_json::Error> = entries.collect();
    entries.map_err(|source| CorpusError::Index {
        path: path.to_owned(),
        source,
    })
}
