//! Random texts in languages that compile to programs: is every text either refused with positions inside it, or
//! translated to a program on which engines agree, and which computes what the text says?
//!
//! ```text
//! Dice ─► generate ──────────┬─► text ─► compile ─► Program ─► oracle, evaluator ─► nothing, or a fault
//!         built in ─► damage ─┘          refused: positions
//! ```
//!
//! [`LANGUAGES`] has a row for each language that has random texts; nothing else here knows any of them. Half of the
//! texts keep all rules of their language, and must not be refused. The others are such texts, or some that are built
//! in, damaged at random.
//!
//! A case is a file:
//!
//! ```text
//! ; what was wrong
//! ;! arb any 17         language; any text, or a valid one; the seed of inputs and parameters
//! !!ARBfp1.0
//! END
//! ```

pub mod agal;
pub mod arb;
mod check;
pub mod ctm;
mod damage;
pub mod tgsi;

use std::ops::Range;

use attila_shader::front::SourceError;
use attila_shader::isa::{Program, ValidProgram};
use attila_shader::machine::{Bindings, ExtendedQuadIo};
use attila_shader::{Engine, RunError, Shader};

use crate::case::notes;
use crate::dice::Dice;
use crate::nan_payload::NanFlow;
use crate::subject::{Fault, Pass, Subject, Tally};

pub(crate) use check::{PROGRAMS, UNSPECIFIED};

/// A language that has random texts.
pub struct TextLanguage {
    /// Its name in [`front::LANGUAGES`](attila_shader::front::LANGUAGES).
    pub name: &'static str,
    /// The word for it in files and commands.
    pub word: &'static str,
    /// In a hundred: how many texts keep all rules.
    pub valid: u8,
    /// Makes a text that has to be taken.
    pub generate: fn(&mut Dice<'_>) -> String,
    /// Makes a text that has been damaged.
    pub damage: fn(&mut Dice<'_>) -> String,
    /// Compiles a text.
    pub compile: fn(&str) -> Result<Box<dyn Translated>, Refused>,
}

/// All languages that have random texts.
pub const LANGUAGES: &[TextLanguage] =
    &[arb::LANGUAGE, tgsi::LANGUAGE, agal::LANGUAGE, ctm::LANGUAGE];

/// The same languages, of which only damaged texts are made.
const DAMAGED: &[TextLanguage] = &[
    only_damaged(arb::LANGUAGE),
    only_damaged(tgsi::LANGUAGE),
    only_damaged(agal::LANGUAGE),
    only_damaged(ctm::LANGUAGE),
];

const fn only_damaged(language: TextLanguage) -> TextLanguage {
    TextLanguage {
        valid: 0,
        ..language
    }
}

impl TextLanguage {
    /// The language of this word.
    pub fn find(word: &str) -> Option<&'static TextLanguage> {
        LANGUAGES.iter().find(|language| language.word == word)
    }

    /// The same language, of which only damaged texts are made.
    pub fn damaged(&self) -> Option<&'static TextLanguage> {
        DAMAGED.iter().find(|language| language.word == self.word)
    }
}

/// A text that is not a program.
pub struct Refused {
    /// The mistakes.
    pub error: SourceError,
    /// Why it should have been taken, if that is known.
    pub wrongly: Option<&'static str>,
}

/// A text that is a program, translated.
pub trait Translated {
    /// The translation.
    fn program(&self) -> &Program;
    /// The mistakes by stricter limits, if the language has any.
    fn strict_error(&self) -> Option<&SourceError> {
        None
    }
    /// The names of the text's instructions.
    fn opcodes(&self) -> Vec<&'static str>;
    /// Names of inputs, and their registers.
    fn inputs(&self) -> Vec<(String, usize)>;
    /// The constant registers, where parameters have values by their names.
    fn constants(&self, value: &dyn Fn(&str) -> [f32; 4]) -> Vec<(usize, [f32; 4])>;
    /// Whether no result depends on the sign or payload of a NaN that arithmetic makes. Of others nothing can be
    /// compared. The translation tells, in languages without instructions that take floats for integers.
    fn is_specified(&self) -> bool {
        let program = self.program();
        NanFlow::new(program).first_dependent(program).is_none()
    }
    /// Checks that other forms of the program, which its language has beside texts, are the same program.
    ///
    /// # Errors
    ///
    /// The form that is not.
    fn check_forms(&self) -> Result<(), String> {
        Ok(())
    }
    /// Compares what `program`, the translation, computes on each engine with what the text says, on values that follow
    /// from `seed`. Returns the number of lanes of whose results the text says something.
    ///
    /// # Errors
    ///
    /// The first result that is not as the text says.
    fn evaluate(
        &self,
        program: &ValidProgram,
        engines: &[Engine],
        seed: u32,
    ) -> Result<usize, String>;
}

/// Runs a program on each engine, with `run`, and asks for the result of a lane that is not as the text says.
///
/// # Errors
///
/// The first one.
fn compare<Q>(
    program: &ValidProgram,
    engines: &[Engine],
    run: impl Fn(&Shader) -> Result<Q, RunError>,
    difference: impl Fn(&Q, usize) -> Option<String>,
) -> Result<(), String> {
    for engine in engines {
        let name = engine.name();
        let failed = |error: &dyn std::error::Error| format!("{name}: {error}");
        let shader = engine.prepare(program).map_err(|error| failed(&error))?;
        let quad = run(&shader).map_err(|error| failed(&error))?;
        for lane in 0..4 {
            if let Some(difference) = difference(&quad, lane) {
                return Err(format!("{name} lane {lane}: {difference}"));
            }
        }
    }
    Ok(())
}

/// Runs a program for a quad.
fn run(
    shader: &Shader,
    bindings: &Bindings<'_>,
    mut quad: ExtendedQuadIo,
) -> Result<ExtendedQuadIo, RunError> {
    shader.run_extended(bindings, std::slice::from_mut(&mut quad))?;
    Ok(quad)
}

/// A text, and what it runs on if it is a program.
#[derive(Clone)]
pub struct TextCase {
    /// The language.
    pub language: &'static TextLanguage,
    /// The text.
    pub text: String,
    /// Whether it must be a program.
    pub valid: bool,
    /// The seed of inputs and parameters.
    pub values: u32,
}

impl TextCase {
    fn with_text(&self, text: String) -> TextCase {
        TextCase {
            text,
            // Any other text may be refused rightly.
            valid: false,
            ..self.clone()
        }
    }
}

impl Subject for TextCase {
    type Options = &'static TextLanguage;

    fn make(dice: &mut Dice<'_>, language: &&'static TextLanguage) -> TextCase {
        let valid = dice.percent(language.valid);
        TextCase {
            language,
            text: if valid {
                (language.generate)(dice)
            } else {
                (language.damage)(dice)
            },
            valid,
            values: dice.word(),
        }
    }

    fn check(&self, engines: &[Engine], tally: &mut Tally) -> Result<(), Fault> {
        check::check(self, engines, tally)
    }

    fn is_specified(&self) -> bool {
        true
    }

    /// Leaves out pieces, the largest first.
    fn passes() -> Vec<Pass<TextCase>> {
        let without = |cut: fn(&str) -> Vec<&str>| {
            move |case: &TextCase, range: Range<usize>| {
                let pieces = cut(&case.text);
                let kept = [&pieces[..range.start], &pieces[range.end..]];
                Some(case.with_text(kept.concat().concat()))
            }
        };
        let pass = |cut: fn(&str) -> Vec<&str>| {
            Pass::parts(move |case: &TextCase| cut(&case.text).len(), without(cut))
        };
        CUTS.map(pass).into()
    }

    fn to_text(&self, note: &str) -> String {
        let (note, language) = (notes(note), self.language.word);
        let kind = if self.valid { "valid" } else { "any" };
        format!("{note};! {language} {kind} {}\n{}", self.values, self.text)
    }

    fn read(file: &str) -> Option<Result<TextCase, String>> {
        let mut rest = file;
        while let Some((_, after)) = rest.split_once('\n').filter(|_| rest.starts_with("; ")) {
            rest = after;
        }
        let (line, text) = rest.strip_prefix(";! ")?.split_once('\n')?;
        let (word, line) = line.split_once(' ')?;
        let language = TextLanguage::find(word)?;
        let (kind, values) = line.split_once(' ')?;
        let case = TextCase {
            language,
            text: text.to_owned(),
            valid: match kind {
                "valid" => true,
                "any" => false,
                _ => return None,
            },
            values: values.parse().ok()?,
        };
        Some(Ok(case))
    }

    fn file_name(&self) -> String {
        format!("text.{}", self.language.word)
    }
}

/// Pieces that a text is cut into, the largest first.
const CUTS: [fn(&str) -> Vec<&str>; 4] = [
    |text| text.split_inclusive('\n').collect(),
    |text| text.split_inclusive(';').collect(),
    |text| {
        text.split_inclusive([' ', ',', '.', '{', '[', '\n'])
            .collect()
    },
    |text| {
        // A fault that needs a long text does not need each of its characters.
        match text.len() <= LONG {
            true => text.split_inclusive(|_| true).collect(),
            false => vec![text],
        }
    },
];

/// Bytes of a text that is not shortened by single characters.
const LONG: usize = 400;

#[cfg(test)]
mod tests {
    use attila_shader::front;

    use super::*;
    use crate::subject::case;

    #[test]
    fn every_language_has_random_texts() {
        let known = front::LANGUAGES.iter().map(|language| language.name);
        assert!(known.eq(LANGUAGES.iter().map(|language| language.name)));
    }

    #[test]
    fn files_read_back_as_the_cases_they_were() {
        for language in LANGUAGES {
            for index in 0..200 {
                let case: TextCase = case(4, index, &language);
                let file = case.to_text("what was wrong\nin two lines");
                let start = format!("; what was wrong\n; in two lines\n;! {} ", language.word);
                assert!(file.starts_with(&start));
                let read = TextCase::read(&file)
                    .expect("it is a text")
                    .expect("it is right");
                assert_eq!(
                    (read.text, read.valid, read.values),
                    (case.text, case.valid, case.values)
                );
            }
        }
        assert!(TextCase::read("; a comment\n;! stage vertex\nend").is_none());
        assert!(TextCase::read("; a comment").is_none());
    }
}
