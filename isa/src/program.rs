//! [`Program`]: a decoded program, not yet checked as a whole.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use thiserror::Error;

use crate::inst::{Inst, InstError};
use crate::word::{Word, WordError};

/// The elements that a program shades.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Stage {
    /// Four independent vertices at a time; there are no derivatives.
    Vertex,
    /// The four fragments of a 2x2 quad.
    #[default]
    Fragment,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Stage::Vertex => "vertex",
            Stage::Fragment => "fragment",
        })
    }
}

/// Instructions in order, each of which fits its opcode. [`Program::validate`] checks the rest.
///
/// Two programs are equal if their stages and instructions are; where they came from in a text
/// and its labels do not count.
#[derive(Clone, Default, Debug)]
pub struct Program {
    stage: Stage,
    insts: Vec<Inst>,
    spans: Vec<Range<usize>>,
    /// By the indices of the instructions after them.
    labels: Vec<(usize, String)>,
}

impl PartialEq for Program {
    fn eq(&self, other: &Program) -> bool {
        self.stage == other.stage && self.insts == other.insts
    }
}

impl Eq for Program {}

impl Hash for Program {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.stage.hash(state);
        self.insts.hash(state);
    }
}

/// Why bytes are not a program: every fault, in the order of the bytes.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", list(.faults))]
pub struct DecodeError {
    /// The faults; never empty.
    pub faults: Vec<DecodeFault>,
}

fn list(faults: &[DecodeFault]) -> String {
    faults
        .iter()
        .map(DecodeFault::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}

/// One place where bytes are not a program.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum DecodeFault {
    /// The length is not a multiple of 16.
    #[error("{length} bytes is not a multiple of 16, the size of an instruction")]
    Length {
        /// The number of bytes.
        length: usize,
    },
    /// A word that is no instruction.
    #[error("instruction {index} at byte {offset:#x}: {error}")]
    Word {
        /// The instruction's index in the program.
        index: usize,
        /// The offset of its first byte.
        offset: usize,
        /// The mistake in it.
        error: WordError,
    },
}

impl Program {
    /// The program with these instructions, for the fragment stage.
    ///
    /// # Errors
    ///
    /// The index of the first instruction that does not fit its opcode, and why.
    pub fn new(insts: Vec<Inst>) -> Result<Program, (usize, InstError)> {
        for (index, inst) in insts.iter().enumerate() {
            inst.check().map_err(|error| (index, error))?;
        }
        Ok(Program {
            stage: Stage::default(),
            insts,
            ..Program::default()
        })
    }

    /// The program with the source position of every instruction, as a byte range of the text.
    ///
    /// # Panics
    ///
    /// If there are not as many positions as instructions.
    #[must_use]
    pub fn with_spans(mut self, spans: Vec<Range<usize>>) -> Program {
        assert_eq!(
            spans.len(),
            self.insts.len(),
            "one position per instruction"
        );
        self.spans = spans;
        self
    }

    /// The program with names of instructions, by their indices and in the order of these.
    #[must_use]
    pub(crate) fn with_labels(mut self, labels: Vec<(usize, String)>) -> Program {
        self.labels = labels;
        self
    }

    /// The same instructions for another stage.
    #[must_use]
    pub fn with_stage(mut self, stage: Stage) -> Program {
        self.stage = stage;
        self
    }

    /// Decodes 16 bytes per instruction, in memory order.
    ///
    /// # Errors
    ///
    /// All words that are no instructions, or a length that is not a multiple of 16.
    pub fn decode(bytes: &[u8]) -> Result<Program, DecodeError> {
        let (words, rest) = bytes.as_chunks::<{ Word::SIZE }>();
        let mut faults = Vec::new();
        if !rest.is_empty() {
            faults.push(DecodeFault::Length {
                length: bytes.len(),
            });
        }
        let mut insts = Vec::with_capacity(words.len());
        for (index, word) in words.iter().enumerate() {
            match Word(u128::from_le_bytes(*word)).decode() {
                Ok(inst) => insts.push(inst),
                Err(error) => {
                    let offset = index * Word::SIZE;
                    faults.push(DecodeFault::Word {
                        index,
                        offset,
                        error,
                    });
                }
            }
        }
        if faults.is_empty() {
            Ok(Program {
                stage: Stage::default(),
                insts,
                ..Program::default()
            })
        } else {
            Err(DecodeError { faults })
        }
    }

    /// The canonical bytes of the program.
    pub fn encode(&self) -> Vec<u8> {
        let word = |inst: &Inst| {
            inst.encode()
                .expect("a program's instructions fit their opcodes")
        };
        self.insts
            .iter()
            .flat_map(|inst| word(inst).0.to_le_bytes())
            .collect()
    }

    /// The elements that the program shades.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The instructions in order.
    pub fn insts(&self) -> &[Inst] {
        &self.insts
    }

    /// Where instruction `index` stands in the text that the program was assembled from.
    pub fn span(&self, index: usize) -> Option<Range<usize>> {
        self.spans.get(index).cloned()
    }

    /// The labels in front of instruction `index` in the text that the program was assembled from.
    pub fn labels(&self, index: usize) -> impl Iterator<Item = &str> {
        let first = self.labels.partition_point(|(at, _)| *at < index);
        let labels = self.labels[first..].iter();
        let here = labels.take_while(move |(at, _)| *at == index);
        here.map(|(_, label)| label.as_str())
    }
}
