//! Words in vectors, and vectors of statements with their words.

use attila_shader::Engine;
use attila_shader::isa::{AsmError, Program, Severity, assemble};
use serde::Deserialize;

use super::VectorError;

/// A word as hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Hex(pub(super) u32);

impl TryFrom<String> for Hex {
    type Error = String;

    fn try_from(text: String) -> Result<Hex, String> {
        let word = u32::from_str_radix(&text, 16);
        word.map(Hex)
            .map_err(|_| format!("`{text}` is not a word in hexadecimal"))
    }
}

/// A vector of a query in the long spelling: with the short spelling and the word, or with the verdict on it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct LongVector {
    /// Its name.
    pub id: String,
    /// The long spelling.
    long: String,
    /// The other spelling, as it is printed.
    text: Option<String>,
    /// The lower half of the word, in hexadecimal digits.
    lo: Option<String>,
    /// The upper half.
    hi: Option<String>,
    /// The verdict, if there is no word.
    expect: Option<Verdict>,
}

/// Whether a text is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Ok,
    Refuse,
}

impl LongVector {
    /// The name of its group.
    pub(super) fn group(&self) -> &'static str {
        match self.expect {
            Some(_) => "text-error",
            None => "word",
        }
    }

    /// The program, as assembly.
    pub(super) fn listing(&self) -> String {
        program(&self.long)
    }

    /// Assembles the statement, and says in what it is not as expected.
    ///
    /// # Errors
    ///
    /// A spelling that should be taken is not.
    pub(super) fn run(&self, _: &Engine) -> Result<Vec<String>, VectorError> {
        match self.expect {
            Some(verdict) => Ok(self.judge(verdict)),
            None => self.compare(),
        }
    }

    fn judge(&self, verdict: Verdict) -> Vec<String> {
        let assembly = assemble(&self.listing());
        let errors = assembly.diagnostics.iter();
        let mut errors = errors.filter(|it| it.severity == Severity::Error);
        match (verdict, errors.next()) {
            (Verdict::Ok, None) => Vec::new(),
            (Verdict::Ok, Some(error)) => vec![format!("it is refused: {error}")],
            // Line 1 is the header.
            (Verdict::Refuse, Some(error)) if error.line == 2 => Vec::new(),
            (Verdict::Refuse, Some(error)) => vec![format!("the error is elsewhere: {error}")],
            (Verdict::Refuse, None) => vec!["it is taken".to_owned()],
        }
    }

    fn compare(&self) -> Result<Vec<String>, VectorError> {
        let half = |half: &Option<String>| u64::from_str_radix(half.as_deref()?, 16).ok();
        let expected = half(&self.lo).zip(half(&self.hi));
        let long = Program::assemble(&self.listing())?;
        let mut differences = Vec::new();
        let mut check = |what: &str, found: &Program| {
            let found = first_word(found);
            if found != expected {
                differences.push(format!("{what} is {found:016x?}, not {expected:016x?}"));
            }
        };
        check("its word", &long);
        if let Some(text) = &self.text {
            check("the word of the short spelling", &assembled(text)?);
        }
        let decoded = Program::decode(&long.encode())?;
        let printed = decoded.listing().instruction(0).map(|it| it.to_string());
        let long_again = decoded.listing().with_long_queries().to_string();
        check(
            "the word of the printed long spelling",
            &Program::assemble(&long_again)?,
        );
        if printed != self.text {
            let printed = printed.unwrap_or_default();
            differences.push(format!("its word is printed as `{printed}`"));
        }
        Ok(differences)
    }
}

fn program(statement: &str) -> String {
    format!(".extended fragment\n{statement}\nend")
}

fn assembled(statement: &str) -> Result<Program, AsmError> {
    Program::assemble(&program(statement))
}

/// The halves of the first instruction's word.
fn first_word(program: &Program) -> Option<(u64, u64)> {
    let word = program.insts().first()?.encode().ok()?;
    Some(word.halves())
}
