//! Machine code as a text, with a line for each instruction: where it is, what it does, what it calls.

use std::ops::Range;

#[cfg(feature = "cross")]
use disarm64::{InsnDisplay, decoder};
#[cfg(any(target_arch = "x86_64", feature = "cross"))]
use iced_x86::{Decoder, DecoderOptions, Formatter, IntelFormatter};
use target_lexicon::Architecture;

use super::Made;
use crate::Listing;
use crate::ir::Origin;

/// Bytes that are filled in when code is linked, each with the name of what it then calls.
pub(crate) type Links = [(Range<usize>, String)];

/// Writes code as a text.
pub(crate) type Disassembler = fn(&Made, &Links) -> Listing;

/// The disassembler for an architecture, if there is one.
pub(crate) fn of(architecture: Architecture) -> Option<Disassembler> {
    match architecture {
        #[cfg(any(target_arch = "x86_64", feature = "cross"))]
        Architecture::X86_64 => Some(x86),
        #[cfg(feature = "cross")]
        Architecture::Aarch64(_) => Some(aarch64),
        _ => None,
    }
}

/// Instructions of x86-64, up to what fills up before literals.
#[cfg(any(target_arch = "x86_64", feature = "cross"))]
pub(crate) fn x86(made: &Made, links: &Links) -> Listing {
    let mut lines = Lines::new(made, links);
    let mut formatter = IntelFormatter::new();
    for instruction in Decoder::new(64, &made.bytes, DecoderOptions::NONE) {
        if instruction.code() == iced_x86::Code::Int3 || instruction.is_invalid() {
            break;
        }
        let mut text = String::new();
        formatter.format(&instruction, &mut text);
        let at = instruction.ip() as usize;
        lines.push(at..at + instruction.len(), &text);
    }
    lines.listing
}

/// Instructions of AArch64, and the addresses between them.
#[cfg(feature = "cross")]
fn aarch64(made: &Made, links: &Links) -> Listing {
    const ADDRESS: usize = 8;
    let mut lines = Lines::new(made, links);
    let (words, _) = made.bytes.as_chunks();
    for (number, word) in words.iter().enumerate() {
        let at = size_of_val(word) * number;
        let word = u32::from_le_bytes(*word);
        let is_address =
            |(place, _): &(Range<usize>, String)| place.len() == ADDRESS && place.contains(&at);
        let instruction = match links.iter().any(is_address) {
            true => None,
            false => decoder::decode(word),
        };
        let text = match instruction {
            Some(instruction) => instruction.display_at(at as u64).to_string(),
            None => format!(".word {word:#010x}"),
        };
        lines.push(at..at + size_of_val(&word), &text);
    }
    lines.listing
}

/// Lines of a text, one after the other.
struct Lines<'a> {
    origins: &'a [(usize, Origin)],
    links: &'a Links,
    /// The instruction of the program that code is there for.
    current: Origin,
    listing: Listing,
}

impl<'a> Lines<'a> {
    fn new(made: &'a Made, links: &'a Links) -> Lines<'a> {
        Lines {
            origins: &made.origins,
            links,
            current: Origin::default(),
            listing: Listing::default(),
        }
    }

    /// Adds the line of the bytes at a place.
    fn push(&mut self, at: Range<usize>, text: &str) {
        while let Some((&(from, origin), rest)) = self.origins.split_first()
            && from <= at.start
        {
            (self.current, self.origins) = (origin, rest);
        }
        let mut line = format!("{:6x} ", at.start);
        for word in text.split_whitespace() {
            line.push(' ');
            line.push_str(word);
        }
        let mut links = self.links.iter();
        if let Some((_, name)) = links.find(|(place, _)| at.contains(&place.start)) {
            line.push_str("  ; ");
            line.push_str(name);
        }
        self.listing.push(&line, self.current.pc());
    }
}
