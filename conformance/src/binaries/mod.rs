//! Random files of programs, most of them damaged: is every file either refused with positions inside it, or a program
//! on which engines agree?
//!
//! ```text
//! Dice ─► generate ─► Program ─► bytes ─► damage ─► decode ─► Program ─► oracle ─► nothing, or a fault
//!                                                   refused: positions
//! ```
//!
//! A case is a file of words in base 16, of which each line is an instruction or the header:
//!
//! ```text
//! ; what was wrong
//! ;! binary 17         the seed of the state that the program runs from
//! 0000000000000000000000000000dc00
//! ```

mod check;
pub(crate) mod damage;

use std::fmt::Write;
use std::ops::Range;

use attila_scene::line::bytes;
use attila_shader::Engine;

use crate::case::notes;
use crate::dice::Dice;
use crate::generate::{Options, generate};
use crate::subject::{Fault, Pass, Subject, Tally};

/// The bytes that a file of the extended profile begins with.
const MAGIC: &[u8] = b"ATTX";
/// Bytes of an instruction, and of the header of such a file.
const WORD: usize = 16;
/// The place of the number of instructions in the header.
const COUNT: Range<usize> = 8..12;

/// A file, and the seed of the state that its program runs from if it is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BinaryCase {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The seed of registers, constants, buffers and limits.
    pub values: u32,
}

impl BinaryCase {
    /// A file that has been damaged, of the bytes of a program.
    pub fn damaged(program: &[u8], dice: &mut Dice<'_>) -> BinaryCase {
        let mut bytes = program.to_vec();
        damage::apply(&mut bytes, dice);
        BinaryCase {
            bytes,
            values: dice.word(),
        }
    }

    /// Bytes before the first instruction.
    fn header(&self) -> usize {
        match self.bytes.starts_with(MAGIC) {
            true => WORD.min(self.bytes.len()),
            false => 0,
        }
    }

    /// Instructions, without those that are cut.
    fn words(&self) -> usize {
        (self.bytes.len() - self.header()) / WORD
    }

    /// The file without some instructions, with the number of those that are left in its header.
    fn without(&self, words: &Range<usize>) -> BinaryCase {
        let header = self.header();
        let mut bytes = self.bytes.clone();
        bytes.drain(header + words.start * WORD..header + words.end * WORD);
        let mut case = BinaryCase {
            bytes,
            ..self.clone()
        };
        let count = case.words() as u32;
        if header == WORD {
            case.bytes[COUNT].copy_from_slice(&count.to_le_bytes());
        }
        case
    }

    /// The file with another byte at a place.
    fn with_byte(&self, at: usize, byte: u8) -> BinaryCase {
        let mut case = self.clone();
        case.bytes[at] = byte;
        case
    }
}

impl Subject for BinaryCase {
    type Options = Options;

    fn make(dice: &mut Dice<'_>, options: &Options) -> BinaryCase {
        let case = generate(dice, options);
        BinaryCase::damaged(&case.program.program().encode(), dice)
    }

    fn check(&self, engines: &[Engine], tally: &mut Tally) -> Result<(), Fault> {
        check::check(self, engines, tally)
    }

    fn is_specified(&self) -> bool {
        true
    }

    /// Leaves out instructions, then sets bytes to 0.
    fn passes() -> Vec<Pass<BinaryCase>> {
        vec![
            Pass::parts(BinaryCase::words, |case: &BinaryCase, words| {
                Some(case.without(&words))
            }),
            Pass::plainer(|case: &BinaryCase, at| {
                let byte = *case.bytes.get(at)?;
                let zero = (byte != 0).then(|| case.with_byte(at, 0));
                Some(zero.into_iter().collect())
            }),
        ]
    }

    fn to_text(&self, note: &str) -> String {
        let mut text = format!("{};! binary {}\n", notes(note), self.values);
        for line in self.bytes.chunks(WORD) {
            for byte in line {
                // Writing to a string cannot fail.
                let _ = write!(text, "{byte:02x}");
            }
            text.push('\n');
        }
        text
    }

    fn read(text: &str) -> Option<Result<BinaryCase, String>> {
        let mut lines = text.lines().skip_while(|line| line.starts_with("; "));
        let values = lines.next()?.strip_prefix(";! binary ")?.parse().ok()?;
        let words: Option<Vec<Vec<u8>>> = lines.map(bytes).collect();
        let words = words.ok_or_else(|| "bytes are two digits each in base 16".to_owned());
        Some(words.map(|words| BinaryCase {
            bytes: words.concat(),
            values,
        }))
    }

    fn file_name(&self) -> String {
        "binary.attila".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::case;

    #[test]
    fn files_read_back_as_the_cases_they_were() {
        for index in 0..200 {
            let case: BinaryCase = case(3, index, &Options::EXTENDED);
            let text = case.to_text("what was wrong");
            assert!(text.starts_with("; what was wrong\n;! binary "), "{text}");
            assert_eq!(BinaryCase::read(&text), Some(Ok(case)));
        }
        assert_eq!(BinaryCase::read("; a comment\n;! stage any\nend"), None);
        let odd = BinaryCase::read(";! binary 1\n123");
        assert!(odd.is_some_and(|case| case.is_err()));
    }

    #[test]
    fn instructions_that_go_are_no_longer_counted() {
        let case = BinaryCase {
            bytes: [MAGIC, &[1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0], &[7; 48]].concat(),
            values: 1,
        };
        let smaller = case.without(&(0..2));
        assert_eq!(smaller.words(), 1);
        assert_eq!(smaller.bytes[COUNT], [1, 0, 0, 0]);
    }
}
