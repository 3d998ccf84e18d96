//! Reads the line `.extended`, which opens a text of the extended profile.

use super::diagnostic::Remark;
use super::lexer::TokenKind;
use super::parser::{Parsed, Parser, quote};
use crate::code;
use crate::profile::Profile;
use crate::program::{Program, Stage};

/// Help for texts that need the extended profile.
pub(super) const HEADER_HELP: &str = "write `.extended` on the first line";
const USAGE: &str = "usage: .extended [vertex|fragment|geometry|compute] [scratch N]";

/// Adds to a remark how a text becomes one of the extended profile.
pub(super) fn add_header(remark: Remark) -> Remark {
    remark.help(HEADER_HELP).fix(0..0, ".extended\n")
}

/// The profile that a text is written in, and what its header says.
#[derive(Clone, Copy, Default)]
pub(super) struct Header {
    pub(super) profile: Profile,
    stage: Option<Stage>,
    scratch: u32,
}

impl Header {
    /// The program with the header's stage and scratch memory.
    pub(super) fn apply(self, program: Program) -> Program {
        let program = program.with_scratch(self.scratch);
        match self.stage {
            Some(stage) => program.with_stage(stage),
            None => program,
        }
    }
}

impl Parser<'_, '_> {
    /// Whether the line is a header.
    pub(super) fn at_header(&self) -> bool {
        self.token.kind == TokenKind::Mark('.')
    }

    /// The header that the line is.
    pub(super) fn header(&mut self) -> Parsed<Header> {
        self.expect('.')?;
        let word = self.word("`extended`")?;
        if !word.text.eq_ignore_ascii_case("extended") {
            let message = format!("unknown header {}", quote(word.text));
            return Err(Remark::new(word.span(), message).help(USAGE));
        }
        let mut header = Header {
            profile: Profile::Extended,
            ..Header::default()
        };
        while self.token.kind == TokenKind::Word {
            let word = self.take();
            match Stage::from_name(word.text) {
                Some(stage) => header.stage = Some(stage),
                None if word.text.eq_ignore_ascii_case("scratch") => {
                    header.scratch = self.scratch()?;
                }
                None => {
                    let message = format!("{} is neither a stage nor `scratch`", quote(word.text));
                    return Err(Remark::new(word.span(), message).help(USAGE));
                }
            }
        }
        match self.token.kind {
            TokenKind::End => Ok(header),
            TokenKind::Word
            | TokenKind::Number
            | TokenKind::Mark(_)
            | TokenKind::Arrow
            | TokenKind::Unknown(_) => Err(self.expected("the end of the line").help(USAGE)),
        }
    }

    /// A number of scratch vectors.
    fn scratch(&mut self) -> Parsed<u32> {
        let limit = Profile::Extended.scratch();
        let (token, vectors) = self.whole_number()?;
        let vectors = vectors.and_then(|vectors| u32::try_from(vectors).ok());
        vectors.filter(|&vectors| vectors <= limit).ok_or_else(|| {
            let message = format!("{} scratch vectors; the limit is {limit}", token.text);
            Remark::new(token.span(), message).code(&code::text::LIMIT)
        })
    }
}
