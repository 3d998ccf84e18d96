//! Random byte programs, most of them damaged: is each either refused with places inside it, or a program on which
//! engines agree, and which computes what its tokens say?
//!
//! A case is a file of bytes in base 16: the header in the first line, then a line for each token.
//!
//! ```text
//! ; what was wrong
//! ;! agal-bytes 17     the seed of inputs and constants
//! a001000000a101
//! 000000000000010f...
//! ```

mod check;
mod damage;

use std::fmt::Write;
use std::ops::Range;

use attila_scene::line::bytes;
use attila_shader::Engine;
use attila_shader::front::agal;

use super::{OPTIONS, PROGRAMS, program};
use crate::case::notes;
use crate::dice::Dice;
use crate::subject::{Fault, Pass, Subject, Tally};

/// Bytes of the header.
const HEADER: usize = 7;
/// Bytes of a token.
const TOKEN: usize = 24;

/// A byte program, and the seed of the values that it runs on if it is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BytesCase {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The seed of inputs and constants.
    pub values: u32,
}

impl BytesCase {
    /// A byte program that has been damaged, or left as it is.
    pub fn damaged(program: &[u8], dice: &mut Dice<'_>) -> BytesCase {
        let mut bytes = program.to_vec();
        damage::apply(&mut bytes, dice);
        BytesCase {
            bytes,
            values: dice.word(),
        }
    }

    /// Tokens, and bytes at the end that are not a whole one.
    fn tokens(&self) -> usize {
        self.bytes.len().saturating_sub(HEADER).div_ceil(TOKEN)
    }

    fn without(&self, tokens: &Range<usize>) -> BytesCase {
        let mut bytes = self.bytes.clone();
        let end = (HEADER + tokens.end * TOKEN).min(bytes.len());
        bytes.drain(HEADER + tokens.start * TOKEN..end);
        BytesCase {
            bytes,
            ..self.clone()
        }
    }

    fn with_byte(&self, at: usize, byte: u8) -> BytesCase {
        let mut case = self.clone();
        case.bytes[at] = byte;
        case
    }
}

/// The bytes of a program: of a random one, or of one that is built in.
fn undamaged(dice: &mut Dice<'_>) -> Vec<u8> {
    let text = match dice.percent(15) {
        true => dice.pick(&PROGRAMS).to_owned(),
        false => program(dice),
    };
    // A text that should have been taken is for the cases of texts to report.
    agal::assemble(&text, &OPTIONS).map_or(Vec::new(), |it| agal::encode(&it))
}

impl Subject for BytesCase {
    type Options = ();

    fn make(dice: &mut Dice<'_>, (): &()) -> BytesCase {
        BytesCase::damaged(&undamaged(dice), dice)
    }

    fn check(&self, engines: &[Engine], tally: &mut Tally) -> Result<(), Fault> {
        check::check(self, engines, tally)
    }

    fn is_specified(&self) -> bool {
        true
    }

    /// Leaves out tokens, then sets bytes to 0.
    fn passes() -> Vec<Pass<BytesCase>> {
        vec![
            Pass::parts(BytesCase::tokens, |case: &BytesCase, tokens| {
                Some(case.without(&tokens))
            }),
            Pass::plainer(|case: &BytesCase, at| {
                let byte = *case.bytes.get(at)?;
                let zero = (byte != 0).then(|| case.with_byte(at, 0));
                Some(zero.into_iter().collect())
            }),
        ]
    }

    fn to_text(&self, note: &str) -> String {
        let mut text = format!("{};! agal-bytes {}\n", notes(note), self.values);
        let (header, tokens) = self.bytes.split_at(HEADER.min(self.bytes.len()));
        for line in std::iter::once(header).chain(tokens.chunks(TOKEN)) {
            for byte in line {
                // Writing to a string cannot fail.
                let _ = write!(text, "{byte:02x}");
            }
            text.push('\n');
        }
        text
    }

    fn read(text: &str) -> Option<Result<BytesCase, String>> {
        let mut lines = text.lines().skip_while(|line| line.starts_with("; "));
        let values = lines.next()?.strip_prefix(";! agal-bytes ")?.parse().ok()?;
        let lines: Option<Vec<Vec<u8>>> = lines.map(bytes).collect();
        let lines = lines.ok_or_else(|| "bytes are two digits each in base 16".to_owned());
        Some(lines.map(|lines| BytesCase {
            bytes: lines.concat(),
            values,
        }))
    }

    fn file_name(&self) -> String {
        "bytes.agal".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::case;

    #[test]
    fn files_read_back_as_the_cases_they_were() {
        for index in 0..200 {
            let case: BytesCase = case(3, index, &());
            let text = case.to_text("what was wrong");
            assert!(
                text.starts_with("; what was wrong\n;! agal-bytes "),
                "{text}"
            );
            assert_eq!(BytesCase::read(&text), Some(Ok(case)));
        }
        assert_eq!(BytesCase::read("; a comment\n;! binary 1\nff"), None);
    }

    #[test]
    fn tokens_go_as_a_whole() {
        let case = BytesCase {
            bytes: (0..HEADER + 2 * TOKEN + 5).map(|it| it as u8).collect(),
            values: 1,
        };
        assert_eq!(case.tokens(), 3);
        assert_eq!(
            case.without(&(2..3)).bytes,
            case.bytes[..HEADER + 2 * TOKEN]
        );
        assert_eq!(
            case.without(&(0..2)).bytes[HEADER],
            (HEADER + 2 * TOKEN) as u8
        );
    }
}
