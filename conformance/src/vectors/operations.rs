//! Vectors of a single operation on the CTM path, and of a line of assembly with its word.
//!
//! A vector of an operation has many scalars a line. They fill the lanes of as many quads as are needed.

use attila_shader::Engine;
use attila_shader::isa::{CtmModifier, Program, ValidProgram};
use attila_shader::machine::{Bindings, LANES, QuadState};
use serde::Deserialize;

use super::check::{Rule, accepts};
use super::{VectorError, shade};

/// Words of eight hexadecimal digits, one after the other.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
struct WordList(Vec<u32>);

impl TryFrom<String> for WordList {
    type Error = String;

    fn try_from(text: String) -> Result<WordList, String> {
        let word = |digits: &[u8]| {
            let digits = str::from_utf8(digits).ok().filter(|it| it.len() == 8)?;
            u32::from_str_radix(digits, 16).ok()
        };
        let words: Option<Vec<u32>> = text.as_bytes().chunks(8).map(word).collect();
        let words = words.map(WordList);
        words.ok_or_else(|| "words have eight hexadecimal digits each".to_owned())
    }
}

/// The groups of operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Group {
    /// Scalars.
    Result,
    /// Scalars whose bits stay.
    Move,
    /// Scalars, where a zero wins.
    Mulz,
    /// Vectors of four components, with a scalar each as the result.
    Vector,
    /// Scalars of whole quads.
    Quad,
}

/// A vector of an operation.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct OperationVector {
    /// Its name.
    pub id: String,
    group: Group,
    /// The mnemonic.
    op: String,
    /// The code of the modifier; the CTM path is on.
    omod: usize,
    /// Whether the result is clamped.
    #[serde(default)]
    sat: u8,
    /// Whether a zero wins.
    #[serde(default)]
    mulz: u8,
    /// How far a result may be off, in units in the last place.
    #[serde(default)]
    ulp: u32,
    a: WordList,
    b: Option<WordList>,
    c: Option<WordList>,
    /// The results.
    r: WordList,
}

/// A vector of a line of assembly.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct WordVector {
    /// Its name.
    pub id: String,
    text: String,
    /// The lower half of the word, in hexadecimal digits.
    lo: String,
    /// The upper half.
    hi: String,
}

impl OperationVector {
    /// The name of its group.
    pub(super) fn group(&self) -> &'static str {
        match self.group {
            Group::Result => "result",
            Group::Move => "move",
            Group::Mulz => "mulz",
            Group::Vector => "vector",
            Group::Quad => "quad",
        }
    }

    fn operands(&self) -> impl Iterator<Item = &[u32]> {
        let others = [self.b.as_ref(), self.c.as_ref()];
        [Some(&self.a)]
            .into_iter()
            .chain(others)
            .flatten()
            .map(|list| &list.0[..])
    }

    /// The program, as assembly.
    pub(super) fn listing(&self) -> String {
        let modifier = CtmModifier::ALL.get(self.omod).map_or("", |it| it.suffix());
        let zero_wins = if self.mulz == 0 { "" } else { "_z" };
        let saturate = if self.sat == 0 { "" } else { "_sat" };
        let operands = (1..=self.operands().count()).map(|number| format!(", i{number}"));
        let operands: String = operands.collect();
        let op = &self.op;
        format!(".extended fragment\n{op}{modifier}{zero_wins}{saturate} o1{operands}\nend")
    }

    fn program(&self) -> Result<ValidProgram, VectorError> {
        Ok(Program::assemble(&self.listing())?.validate()?)
    }

    /// Runs the operation on all scalars, and says which results are not as expected.
    ///
    /// # Errors
    ///
    /// There is no such operation, or it does not run.
    pub fn run(&self, engine: &Engine) -> Result<Vec<String>, VectorError> {
        let program = self.program()?;
        let width = if self.group == Group::Vector { 4 } else { 1 };
        let lanes = self.r.0.len();
        if !lanes.is_multiple_of(LANES) || self.operands().any(|it| it.len() != width * lanes) {
            return Ok(vec![
                "the operands do not have as many words as the result".to_owned(),
            ]);
        }
        let mut quads = vec![QuadState::default(); lanes / LANES];
        for (number, words) in self.operands().enumerate() {
            for (lane, words) in words.chunks(width).enumerate() {
                let register = &mut quads[lane / LANES].io.inputs[number + 1];
                for (slot, component) in register.iter_mut().enumerate() {
                    component[lane % LANES] = words[slot % width];
                }
            }
        }
        shade(&engine.prepare(&program)?, &Bindings::new(), &mut quads)?;
        let rule = Rule::of(self.ulp == 0, self.ulp);
        let found = (0..lanes).map(|lane| quads[lane / LANES].io.outputs[1][0][lane % LANES]);
        let pairs = self.r.0.iter().zip(found).enumerate();
        let wrong = pairs.filter(|(_, (expected, found))| !accepts(rule, **expected, *found));
        let wrong = wrong.map(|(lane, (expected, found))| {
            let operands = self
                .operands()
                .map(|it| &it[width * lane..width * (lane + 1)]);
            let operands: Vec<String> = operands.map(|it| format!("{it:08x?}")).collect();
            format!("of {}: {found:08x}, not {expected:08x}", operands.join(" "))
        });
        Ok(wrong.collect())
    }
}

impl WordVector {
    /// The name of its group.
    #[expect(clippy::unused_self, reason = "all vectors are asked")]
    pub(super) fn group(&self) -> &'static str {
        "word"
    }

    /// Assembles the text, and says if it gives another word, or is not what the word is printed as.
    ///
    /// # Errors
    ///
    /// The text is no instruction.
    pub(super) fn run(&self, _: &Engine) -> Result<Vec<String>, VectorError> {
        let program = Program::assemble(&self.listing())?;
        let bytes = program.encode();
        let words: Vec<u64> = bytes
            .chunks_exact(8)
            .map(|half| u64::from_le_bytes(half.try_into().expect("a half has eight bytes")))
            .collect();
        let mut differences = Vec::new();
        // The header of extended programs has two halves.
        let found = words.get(2..4).unwrap_or_default();
        let halves = [&self.lo, &self.hi].map(|half| u64::from_str_radix(half, 16).ok());
        if halves != [found.first().copied(), found.get(1).copied()] {
            differences.push(format!(
                "its word is {found:016x?}, not {} {}",
                self.lo, self.hi
            ));
        }
        let again = Program::decode(&bytes)?.listing().to_string();
        if Program::assemble(&again)?.encode() != bytes {
            differences.push(format!("its word is printed as another one:\n{again}"));
        }
        Ok(differences)
    }

    /// The program, as assembly.
    pub(super) fn listing(&self) -> String {
        format!(".extended fragment\n{}\nend", self.text)
    }
}
