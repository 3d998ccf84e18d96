//! Files of programs: bare words for the base profile, a header and words for the extended one
//! (machine.md 1.12).

use thiserror::Error;

use crate::inst::Inst;
use crate::profile::Profile;
use crate::program::{Program, Stage};
use crate::word::{Word, WordError};

/// The first bytes of a file of the extended profile. `41h` is not an opcode of the base profile.
const MAGIC: [u8; 4] = *b"ATTX";
/// The version of such files.
const VERSION: u8 = 1;
/// Bytes of their header.
const HEADER: usize = 16;

/// Why bytes are not a program: every fault, in the order of the bytes.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", list(.faults))]
#[non_exhaustive]
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

/// A fault in the header of an extended program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum HeaderFault {
    /// The file ends within the header.
    #[error("the header has 16 bytes, but the file ends")]
    Truncated,
    /// Another version.
    #[error("version {0} is not 1")]
    Version(u8),
    /// A stage that does not exist.
    #[error("stage {0} is not 0 (any), 1 (vertex), 2 (fragment), 3 (geometry) or 4 (compute)")]
    Stage(u8),
    /// A byte that has to be 0.
    #[error("a reserved byte is {0:#04x}, not 0")]
    Reserved(u8),
    /// Another number of instructions than the file holds.
    #[error("{count} instructions are announced, but {present} follow")]
    Count {
        /// The number in the header.
        count: u32,
        /// The number of whole words after it.
        present: usize,
    },
    /// More scratch memory than a program may have.
    #[error("{vectors} scratch vectors; the limit is {limit}")]
    Scratch {
        /// The number in the header.
        vectors: u32,
        /// The limit.
        limit: u32,
    },
}

/// One place where bytes are not a program.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum DecodeFault {
    /// The header of an extended program is wrong. The first such fault ends the reading.
    #[error("header at byte {offset:#x}: {fault}")]
    Header {
        /// The offset of the field's first byte.
        offset: usize,
        /// The fault.
        fault: HeaderFault,
    },
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

/// The header of an extended program.
struct Header {
    stage: Option<Stage>,
    scratch: u32,
}

impl Header {
    /// Reads the header of a file that begins with [`MAGIC`].
    fn read(bytes: &[u8]) -> Result<Header, DecodeFault> {
        let fault = |offset, fault| Err(DecodeFault::Header { offset, fault });
        let Some((header, words)) = bytes.split_first_chunk::<HEADER>() else {
            return fault(bytes.len(), HeaderFault::Truncated);
        };
        if header[4] != VERSION {
            return fault(4, HeaderFault::Version(header[4]));
        }
        let stage = match header[5] {
            0 => None,
            code => match Stage::from_code(code) {
                Some(stage) => Some(stage),
                None => return fault(5, HeaderFault::Stage(code)),
            },
        };
        if let Some(offset) = (6..8).find(|&offset| header[offset] != 0) {
            return fault(offset, HeaderFault::Reserved(header[offset]));
        }
        let number = |at: usize| {
            let bytes = [header[at], header[at + 1], header[at + 2], header[at + 3]];
            u32::from_le_bytes(bytes)
        };
        let (count, present) = (number(8), words.len() / Word::SIZE);
        if usize::try_from(count) != Ok(present) {
            return fault(8, HeaderFault::Count { count, present });
        }
        let (vectors, limit) = (number(12), Profile::Extended.scratch());
        if vectors > limit {
            return fault(12, HeaderFault::Scratch { vectors, limit });
        }
        Ok(Header {
            stage,
            scratch: vectors,
        })
    }

    fn bytes(program: &Program) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..4].copy_from_slice(&MAGIC);
        bytes[4] = VERSION;
        bytes[5] = program.named_stage().map_or(0, Stage::code);
        let count = program.insts().len() as u32;
        bytes[8..12].copy_from_slice(&count.to_le_bytes());
        bytes[12..].copy_from_slice(&program.scratch().to_le_bytes());
        bytes
    }
}

impl Program {
    /// Decodes a file: 16 bytes per instruction, in memory order, of the base profile; after a header
    /// that begins with `ATTX`, of the extended one.
    ///
    /// # Errors
    ///
    /// A wrong header; all words that are no instructions, or a length that is not a multiple of 16.
    pub fn decode(bytes: &[u8]) -> Result<Program, DecodeError> {
        if !bytes.starts_with(&MAGIC) {
            let insts = decode_words(Profile::Base, bytes, 0)?;
            return Ok(checked(Profile::Base, insts));
        }
        let header = Header::read(bytes).map_err(|fault| DecodeError {
            faults: vec![fault],
        })?;
        let insts = decode_words(Profile::Extended, &bytes[HEADER..], HEADER)?;
        let program = checked(Profile::Extended, insts).with_scratch(header.scratch);
        Ok(match header.stage {
            Some(stage) => program.with_stage(stage),
            None => program,
        })
    }

    /// The canonical bytes of the program's file.
    pub fn encode(&self) -> Vec<u8> {
        let word = |inst: &Inst| {
            inst.encode()
                .expect("a program's instructions fit their opcodes")
        };
        let header: &[u8] = match self.profile() {
            Profile::Base => &[],
            Profile::Extended => &Header::bytes(self),
        };
        let words = self.insts().iter();
        let words = words.flat_map(|inst| word(inst).0.to_le_bytes());
        header.iter().copied().chain(words).collect()
    }
}

/// The program of instructions that a word coded: they fit.
fn checked(profile: Profile, insts: Vec<Inst>) -> Program {
    Program::in_profile(profile, insts).expect("decoded instructions fit their opcodes")
}

/// The instructions of the words, the first of which is at byte `start` of the file.
fn decode_words(profile: Profile, bytes: &[u8], start: usize) -> Result<Vec<Inst>, DecodeError> {
    let (words, rest) = bytes.as_chunks::<{ Word::SIZE }>();
    let mut faults = Vec::new();
    if !rest.is_empty() {
        faults.push(DecodeFault::Length {
            length: start + bytes.len(),
        });
    }
    let mut insts = Vec::with_capacity(words.len());
    for (index, word) in words.iter().enumerate() {
        match Word(u128::from_le_bytes(*word)).decode(profile) {
            Ok(inst) => insts.push(inst),
            Err(error) => {
                let offset = start + index * Word::SIZE;
                faults.push(DecodeFault::Word {
                    index,
                    offset,
                    error,
                });
            }
        }
    }
    if faults.is_empty() {
        Ok(insts)
    } else {
        Err(DecodeError { faults })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(stage: u8, count: u32, scratch: u32, words: &[u128]) -> Vec<u8> {
        let mut bytes = b"ATTX\x01".to_vec();
        bytes.extend([stage, 0, 0]);
        bytes.extend(count.to_le_bytes());
        bytes.extend(scratch.to_le_bytes());
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        bytes
    }

    const END: u128 = 0x137;

    #[test]
    fn extended_files_keep_profile_stage_and_scratch() {
        for stage in 0..=4 {
            let bytes = file(stage, 1, 17, &[END]);
            let program = Program::decode(&bytes).expect("decodes");
            assert_eq!(program.profile(), Profile::Extended);
            assert_eq!(program.scratch(), 17);
            assert_eq!(program.named_stage(), Stage::from_code(stage));
            assert_eq!(program.encode(), bytes);
        }
    }

    #[test]
    fn wrong_headers_are_named_with_their_offsets() {
        let message = |bytes: &[u8]| Program::decode(bytes).expect_err("wrong").to_string();
        let good = file(0, 1, 0, &[END]);
        let with = |at: usize, byte: u8| {
            let mut bytes = good.clone();
            bytes[at] = byte;
            message(&bytes)
        };
        assert_eq!(
            message(&good[..9]),
            "header at byte 0x9: the header has 16 bytes, but the file ends"
        );
        assert_eq!(with(4, 2), "header at byte 0x4: version 2 is not 1");
        assert!(with(5, 9).starts_with("header at byte 0x5: stage 9 is not 0 (any)"));
        assert_eq!(
            with(7, 4),
            "header at byte 0x7: a reserved byte is 0x04, not 0"
        );
        assert_eq!(
            with(8, 3),
            "header at byte 0x8: 3 instructions are announced, but 1 follow"
        );
        assert_eq!(
            with(13, 0x11),
            "header at byte 0xc: 4352 scratch vectors; the limit is 4096"
        );
    }

    #[test]
    fn reserved_bits_of_extended_words_are_refused_and_of_base_words_ignored() {
        let word = END | 1 << 60;
        let base = Program::decode(&word.to_le_bytes()).expect("decodes");
        assert_eq!(base.profile(), Profile::Base);
        let error = Program::decode(&file(0, 1, 0, &[word])).expect_err("reserved");
        assert_eq!(
            error.to_string(),
            "instruction 0 at byte 0x10: bit 60 is reserved"
        );
    }
}
