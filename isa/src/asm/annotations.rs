//! Reads what stands after an instruction.

use super::diagnostic::Remark;
use super::lexer::TokenKind;
use super::parser::{Parsed, Parser, quote, usage};
use super::suggest::nearest;
use crate::code;
use crate::inst::Inst;

const ANNOTATIONS: [&str; 3] = ["end", "wait", "noend"];

impl Parser<'_, '_> {
    /// Sets the flags after the instruction. Returns whether `<- noend` is among them.
    pub(super) fn annotations(&mut self, inst: &mut Inst) -> Parsed<bool> {
        let mut no_end = false;
        while self.token.kind == TokenKind::Arrow {
            self.take();
            let word = self.word("`end` or `wait`")?;
            match word.text.to_ascii_lowercase().as_str() {
                "end" => inst.end = true,
                "wait" => inst.wait = true,
                "noend" => no_end = true,
                _ => {
                    let message = format!("unknown annotation {}", quote(word.text));
                    let known = nearest(word.text, ANNOTATIONS).unwrap_or("end");
                    return Err(Remark::new(word.span(), message).did_you_mean(known));
                }
            }
        }
        match self.token.kind {
            TokenKind::End => Ok(no_end),
            TokenKind::Mark(',') => {
                let message = format!("`{}` takes no further operand", inst.op);
                Err(Remark::new(self.token.span(), message)
                    .code(&code::text::OPERANDS)
                    .help(usage(inst.op)))
            }
            TokenKind::Word
            | TokenKind::Number
            | TokenKind::Mark(_)
            | TokenKind::Arrow
            | TokenKind::Unknown(_) => Err(self.expected("the end of the line")),
        }
    }
}
