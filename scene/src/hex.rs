//! Instruction words as hexadecimal text.
//!
//! A line holds an instruction as its two halves, most significant digit first and the low half in
//! front, as in `000000f139c00016 001b001b00011b01`; what follows on the line is a comment, so that
//! listings can be read back. A comment may be the hints of a query for samples. A line may also hold the bytes of any number of instructions in
//! memory order, as one run of digits. Empty lines, labels, and lines that start with `;`, `#` or
//! `//` are skipped.

use std::fmt::Write;
use std::ops::Range;

use attila_shader::Program;
use attila_shader::isa::{Word, scheduling_hints, text};
use thiserror::Error;

/// Digits of half an instruction.
const HALF: usize = 16;

/// Digits of an instruction.
const WHOLE: usize = 2 * HALF;

/// Why a text is not instruction words.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum HexError {
    /// A character that is no digit.
    #[error("`{found}` is not a hexadecimal digit")]
    Digit {
        /// The character.
        found: char,
        /// Where it is.
        span: Range<usize>,
    },
    /// A run of digits that ends within an instruction.
    #[error(
        "{digits} digits is neither 16, half an instruction, nor a multiple of 32, the size of an instruction"
    )]
    Length {
        /// How many there are.
        digits: usize,
        /// Where they are.
        span: Range<usize>,
    },
    /// Half an instruction alone.
    #[error("the other half of the instruction is missing")]
    Half {
        /// Where the first half is.
        span: Range<usize>,
    },
}

impl HexError {
    /// Which bytes of the text are at fault.
    pub fn span(&self) -> Range<usize> {
        match self {
            HexError::Digit { span, .. }
            | HexError::Length { span, .. }
            | HexError::Half { span } => span.clone(),
        }
    }
}

/// Whether the first word of a text can only be an instruction word: no assembly starts with so
/// many digits.
pub fn looks_like_words(text: &str) -> bool {
    let first = lines(text).find_map(|(_, line)| line.split_whitespace().next());
    first.is_some_and(|word| word.len() >= HALF && word.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Words that have been read.
pub struct Words {
    /// The bytes of the instructions.
    pub bytes: Vec<u8>,
    /// Hints for scheduling, by the numbers of their words.
    hints: Vec<(usize, String)>,
}

impl Words {
    /// The program that the bytes are, with the hints.
    pub fn with_hints(self, program: Program) -> Program {
        // A header is a word, too.
        let headers = self.bytes.len() / Word::SIZE - program.insts().len();
        let hints = self.hints.into_iter();
        let hints = hints.filter_map(|(word, hints)| Some((word.checked_sub(headers)?, hints)));
        program.with_hints(hints.collect())
    }
}

/// Reads the words of a text.
pub fn parse(text: &str) -> Result<Words, HexError> {
    let mut bytes = Vec::new();
    let mut hints = Vec::new();
    for (start, line) in lines(text) {
        let mut words = words(start, line);
        let Some((span, digits)) = words.next() else {
            continue;
        };
        check_digits(&span, digits)?;
        match digits.len() {
            HALF => {
                let Some((high_span, high)) = words.next() else {
                    return Err(HexError::Half { span });
                };
                check_digits(&high_span, high)?;
                if high.len() != HALF {
                    return Err(HexError::Length {
                        digits: high.len(),
                        span: high_span,
                    });
                }
                bytes.extend(reversed_bytes(digits));
                bytes.extend(reversed_bytes(high));
                let comment = &text[high_span.end..start + line.len()];
                if let Some(found) = scheduling_hints(comment).filter(|hints| !hints.is_empty()) {
                    hints.push((bytes.len() / Word::SIZE - 1, found));
                }
            }
            length if length.is_multiple_of(WHOLE) => bytes.extend(byte_values(digits)),
            length => {
                return Err(HexError::Length {
                    digits: length,
                    span,
                });
            }
        }
    }
    Ok(Words { bytes, hints })
}

/// The program, one instruction in its two halves per line, with its hints.
pub fn print(program: &Program) -> String {
    let mut text = String::new();
    let bytes = program.encode();
    let (words, _) = bytes.as_chunks::<{ Word::SIZE }>();
    let headers = words.len() - program.insts().len();
    for (number, word) in words.iter().enumerate() {
        let (low, high) = Word(u128::from_le_bytes(*word)).halves();
        let hints = number.checked_sub(headers);
        let line = match hints.map_or("", |index| program.hints(index)) {
            "" => writeln!(text, "{low:016x} {high:016x}"),
            hints => writeln!(text, "{low:016x} {high:016x}  {hints}"),
        };
        line.expect("a string takes everything");
    }
    text
}

/// Lines with something in them, and where each starts.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = text::beginning(text);
    let lines = text[next..].split('\n').map(move |line| {
        let start = next;
        next += line.len() + 1;
        (start, line)
    });
    lines.filter(|(_, line)| {
        let line = line.trim_start();
        let comment = [";", "#", "//"].iter().any(|mark| line.starts_with(mark));
        !line.is_empty() && !comment && !line.trim_end().ends_with(':')
    })
}

/// The words of a line and where each is.
fn words(start: usize, line: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let offset = move |word: &str| start + (word.as_ptr().addr() - line.as_ptr().addr());
    line.split_ascii_whitespace()
        .map(move |word| (offset(word)..offset(word) + word.len(), word))
}

fn check_digits(span: &Range<usize>, digits: &str) -> Result<(), HexError> {
    match digits.char_indices().find(|(_, c)| !c.is_ascii_hexdigit()) {
        None => Ok(()),
        Some((at, found)) => Err(HexError::Digit {
            found,
            span: span.start + at..span.start + at + found.len_utf8(),
        }),
    }
}

fn byte_values(digits: &str) -> impl DoubleEndedIterator<Item = u8> {
    let value = |digit: u8| (digit as char).to_digit(16).unwrap_or_default() as u8;
    let pairs = digits.as_bytes().as_chunks::<2>().0;
    pairs
        .iter()
        .map(move |pair| value(pair[0]) << 4 | value(pair[1]))
}

fn reversed_bytes(digits: &str) -> impl Iterator<Item = u8> {
    byte_values(digits).rev()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOV: [u8; 16] = [
        0x16, 0, 0xc0, 0x39, 0xf1, 0, 0, 0, 1, 0x1b, 1, 0, 0x1b, 0, 0x1b, 0,
    ];

    #[test]
    fn halves_and_memory_order_give_the_same_bytes() {
        let halves = "; a listing\n\n  000000f139c00016 001b001b00011b01  mov o1, i1\n";
        assert!(looks_like_words(halves));
        assert_eq!(parse(halves).unwrap().bytes, MOV);
        assert_eq!(
            parse("1600c039f1000000011b01001b001b00").unwrap().bytes,
            MOV
        );
    }

    #[test]
    fn assembly_is_not_taken_for_words() {
        assert!(!looks_like_words("add r0, r1, r2"));
        assert!(!looks_like_words("; nothing\n"));
    }

    #[test]
    fn faults_say_where_they_are() {
        let fault = |text| parse(text).map(|words| words.bytes).unwrap_err();
        let text = "000000f139c00016 001b001b0001zb01";
        let error = fault(text);
        assert_eq!(error.to_string(), "`z` is not a hexadecimal digit");
        assert_eq!(&text[error.span()], "z");
        let error = fault("000000f139c00016");
        assert_eq!(error, HexError::Half { span: 0..16 });
        let error = fault("00000000000000000000000000000000\n0123456789abcdef01");
        assert_eq!(
            error,
            HexError::Length {
                digits: 18,
                span: 33..51
            }
        );
    }
}
