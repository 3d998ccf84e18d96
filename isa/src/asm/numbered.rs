//! Reads operands that are numbers: units, attributes, streams, samples, buffers.

use super::diagnostic::Remark;
use super::lexer::TokenKind;
use super::parser::{Parsed, Parser, quote};
use crate::code;
use crate::operand::Operand;
use crate::profile::Profile;
use crate::registers::{BUFFERS, STORAGE_BUFFERS, STREAMS};
use crate::target::TextureTarget;

/// Things that instructions name by number.
pub(super) struct Numbered {
    name: &'static str,
    /// Description of the number, for the message if it is missing.
    expected: &'static str,
    /// The letters that may stand in front; the first is the canonical one.
    letters: &'static str,
    /// How many there are in a profile, less one.
    last: fn(Profile) -> u8,
    operand: fn(u8) -> Operand,
}

pub(super) const TEXTURE_UNIT: Numbered = Numbered {
    name: "texture unit",
    expected: "a texture unit",
    letters: "tv",
    last: |profile| profile.texture_units() - 1,
    operand: |unit| Operand::Unit {
        unit,
        target: TextureTarget::Bound,
    },
};

pub(super) const ATTRIBUTE: Numbered = Numbered {
    name: "attribute",
    expected: "an attribute",
    letters: "tv",
    last: |profile| profile.attributes() - 1,
    operand: Operand::Attribute,
};

pub(super) const STREAM: Numbered = Numbered {
    name: "stream",
    expected: "a stream",
    letters: "s",
    last: |_| STREAMS - 1,
    operand: Operand::Stream,
};

pub(super) const BUFFER: Numbered = Numbered {
    name: "buffer",
    expected: "a constant buffer",
    letters: "b",
    last: |_| BUFFERS - 1,
    operand: Operand::Buffer,
};

pub(super) const STORAGE: Numbered = Numbered {
    name: "storage buffer",
    expected: "a storage buffer",
    letters: "u",
    last: |_| STORAGE_BUFFERS - 1,
    operand: Operand::Storage,
};

/// Any number that fits the word: those from 16 on do nothing (machine.md 2.2).
pub(super) const SAMPLE: Numbered = Numbered {
    name: "sample",
    expected: "a sample",
    letters: "s",
    last: |_| u8::MAX,
    operand: Operand::Sample,
};

impl Parser<'_, '_> {
    /// A thing that is named by number, with or without its letter.
    pub(super) fn number(&mut self, numbered: &Numbered) -> Parsed<Operand> {
        let mut letters = numbered.letters.chars();
        let lettered = letters.find_map(|letter| self.token_digits(letter));
        let plain = (self.token.kind == TokenKind::Number).then_some(self.token.text);
        let Some(digits) = lettered.or(plain) else {
            let example = format!("as in `{}0`", &numbered.letters[..1]);
            return Err(self.expected(numbered.expected).help(example));
        };
        let token = self.take();
        let last = (numbered.last)(self.profile);
        let number = digits.parse().ok().filter(|n| *n <= last);
        number.map(numbered.operand).ok_or_else(|| {
            let name = numbered.name;
            let message = format!(
                "{name} {} does not exist; the last is {last}",
                quote(digits)
            );
            Remark::new(token.span(), message).code(&code::text::NAME)
        })
    }
}
