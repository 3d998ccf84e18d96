//! Reads mnemonics with their suffixes.

use super::diagnostic::Remark;
use super::header::{HEADER_HELP, add_header};
use super::lexer::Token;
use super::parser::{Parsed, Parser, quote};
use crate::code;
use crate::idioms::{mnemonic_advice, nearest_mnemonic};
use crate::opcode::{CtmModifier, OpFlags, Opcode, ResultKind, ResultPath, Results};
use crate::profile::Profile;

/// The suffixes of a mnemonic, in their order.
#[derive(Clone, Copy, Default)]
pub(super) struct Suffixes {
    /// `_lz`.
    pub(super) level_zero: bool,
    /// `_o`: the last operand before the texture is an offset.
    pub(super) offset: bool,
    /// `_z`.
    pub(super) zero_wins: bool,
    /// `_canon`, `_x2` and their like, `_sat` or `_satn`.
    pub(super) path: ResultPath,
}

impl Suffixes {
    /// Cuts them from the end of a word.
    fn cut(word: &str) -> (&str, Suffixes) {
        let paths = [ResultPath::SaturateSigned, ResultPath::Saturate];
        let path = paths.into_iter().find_map(|path| {
            let name = without_suffix(word, path.suffix())?;
            Some((name, path))
        });
        let (word, clamp) = path.unwrap_or((word, ResultPath::Plain));
        let cut = |word, suffix| match without_suffix(word, suffix) {
            Some(name) => (name, true),
            None => (word, false),
        };
        let (word, zero_wins) = cut(word, "_z");
        let modifier = CtmModifier::ALL.into_iter().find_map(|modifier| {
            let name = without_suffix(word, modifier.suffix())?;
            Some((name, modifier))
        });
        let (word, path) = match (modifier, clamp) {
            (Some((name, modifier)), ResultPath::Plain | ResultPath::Saturate) => {
                let saturate = clamp == ResultPath::Saturate;
                (name, ResultPath::Ctm { modifier, saturate })
            }
            // `_satn` is no part of the CTM path: the mnemonic is not known then.
            (Some(_), ResultPath::SaturateSigned | ResultPath::Ctm { .. }) | (None, _) => {
                (word, clamp)
            }
        };
        let (word, offset) = cut(word, "_o");
        let (word, level_zero) = cut(word, "_lz");
        let suffixes = Suffixes {
            level_zero,
            offset,
            zero_wins,
            path,
        };
        (word, suffixes)
    }
}

/// The word without a suffix, in any case, if it ends in that and begins with something else.
fn without_suffix<'a>(word: &'a str, suffix: &str) -> Option<&'a str> {
    let stem = word
        .len()
        .checked_sub(suffix.len())
        .filter(|&stem| stem > 0)?;
    let (name, end) = word.split_at_checked(stem)?;
    end.eq_ignore_ascii_case(suffix).then_some(name)
}

impl<'a> Parser<'a, '_> {
    /// The opcode, and what its suffixes name.
    pub(super) fn mnemonic(&mut self, word: Token<'a>) -> Parsed<(Opcode, Suffixes)> {
        let (name, suffixes) = Suffixes::cut(word.text);
        let op = Opcode::from_mnemonic(name).ok_or_else(|| self.unknown_mnemonic(word, name))?;
        if !self.profile.has(op) {
            let message = format!("`{op}` is an instruction of the extended profile");
            let remark = Remark::new(word.span(), message).code(&code::text::ABSENT);
            return Err(match mnemonic_advice(name) {
                Some(advice) if self.diagnostics.has_room() => {
                    let help = format!("{HEADER_HELP}; in the base profile, {advice}");
                    add_header(remark).help(help)
                }
                _ => add_header(remark),
            });
        }
        if suffixes.zero_wins {
            self.check_product(op, word)?;
        }
        if (suffixes.level_zero || suffixes.offset) && !op.names_target() {
            let suffix = if suffixes.level_zero { "_lz" } else { "_o" };
            let message = format!("`{suffix}` does not apply to `{op}`");
            return Err(Remark::new(word.span(), message).code(&code::text::MODIFIER));
        }
        if suffixes.path != ResultPath::Plain {
            self.check_path(op, suffixes.path, word)?;
        }
        Ok((op, suffixes))
    }

    fn check_product(&self, op: Opcode, word: Token<'a>) -> Parsed<()> {
        if !op.has(OpFlags::PRODUCT) {
            let message = format!("`{op}` has no product that `_z` applies to");
            return Err(Remark::new(word.span(), message).code(&code::text::MODIFIER));
        }
        self.need_extended("`_z`", word)
    }

    /// Refuses what only the extended profile has, in a text of the base profile.
    fn need_extended(&self, what: &str, word: Token<'a>) -> Parsed<()> {
        match self.profile {
            Profile::Extended => Ok(()),
            Profile::Base => {
                let message = format!("{what} needs the extended profile");
                Err(add_header(
                    Remark::new(word.span(), message).code(&code::text::ABSENT),
                ))
            }
        }
    }

    fn check_path(&mut self, op: Opcode, path: ResultPath, word: Token<'a>) -> Parsed<()> {
        let Results {
            register,
            predicate,
            also_predicate: _,
            scratch: _,
            storage: _,
        } = op.info().results;
        let suffix = path.modifier().map_or(path.suffix(), CtmModifier::suffix);
        if op.is_sample_query() {
            let message = format!("`{suffix}` does not apply to `{op}`");
            return Err(Remark::new(word.span(), message).code(&code::text::MODIFIER));
        }
        match (register, predicate, path) {
            (Some(ResultKind::Float), _, ResultPath::Ctm { modifier, saturate }) => {
                self.need_extended(&format!("`{suffix}`"), word)?;
                self.check_raw(op, modifier, saturate, word)
            }
            (Some(ResultKind::Float), _, ResultPath::SaturateSigned) => {
                self.need_extended("`_satn`", word)
            }
            (Some(ResultKind::Float), _, ResultPath::Plain | ResultPath::Saturate) => Ok(()),
            (
                Some(ResultKind::Int | ResultKind::Double | ResultKind::Accumulator),
                _,
                ResultPath::SaturateSigned | ResultPath::Ctm { .. },
            ) => {
                let message = format!("`{suffix}` does not apply to `{op}`");
                Err(Remark::new(word.span(), message).code(&code::text::MODIFIER))
            }
            (
                Some(ResultKind::Int | ResultKind::Double | ResultKind::Accumulator),
                _,
                ResultPath::Plain | ResultPath::Saturate,
            ) => {
                let message = format!("`{suffix}` has no effect on `{op}`");
                self.warn(Remark::new(word.span(), message).code(&code::text::NO_EFFECT));
                Ok(())
            }
            (None, true, _) => {
                let message = format!("`{op}` has a truth value as its result");
                let help = format!("to invert it write `{op} !p…`");
                Err(Remark::new(word.span(), message)
                    .code(&code::text::MODIFIER)
                    .help(help))
            }
            (None, false, _) => {
                let message = format!("`{op}` has no result to saturate");
                Err(Remark::new(word.span(), message).code(&code::text::MODIFIER))
            }
        }
    }

    /// Refuses raw results of operations that compute them, and warns of a clamp that they do not see.
    fn check_raw(
        &mut self,
        op: Opcode,
        modifier: CtmModifier,
        saturate: bool,
        word: Token<'a>,
    ) -> Parsed<()> {
        if modifier != CtmModifier::Raw {
            return Ok(());
        }
        if !op.has(OpFlags::CHOICE) {
            let message = format!("`_raw` does not apply to `{op}`");
            let help =
                "raw results are operands: `min`, `max`, `maxge`, `cnd` and `cmpge` have them";
            return Err(Remark::new(word.span(), message)
                .code(&code::text::MODIFIER)
                .help(help));
        }
        if saturate {
            self.warn(
                Remark::new(word.span(), "`_sat` has no effect on a raw result")
                    .code(&code::text::NO_EFFECT),
            );
        }
        Ok(())
    }

    fn unknown_mnemonic(&self, word: Token<'a>, name: &str) -> Remark {
        let remark = Remark::new(
            word.span(),
            format!("unknown instruction {}", quote(word.text)),
        )
        .code(&code::text::INSTRUCTION);
        if !self.diagnostics.has_room() {
            return remark;
        }
        let end = word.start + name.len();
        let remark = match nearest_mnemonic(name) {
            Some(near) => remark.fix(word.start..end, near),
            None => remark,
        };
        match mnemonic_advice(name) {
            Some(advice) => remark.help(advice),
            None => remark,
        }
    }
}
