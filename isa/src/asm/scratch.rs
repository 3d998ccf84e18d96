//! Reads arrays of scratch memory and their indices, as `s16[8][r1.x]`.

use super::diagnostic::Remark;
use super::parser::{Parsed, Parser, quote};
use crate::code;
use crate::opcode::{Opcode, OperandKind};
use crate::operand::{Operand, ScratchArray};

impl Parser<'_, '_> {
    /// An array: its first vector, and in brackets how many it has.
    pub(super) fn scratch_array(&mut self) -> Parsed<ScratchArray> {
        let Some(digits) = self.token_digits('s') else {
            return Err(self
                .expected("an array of scratch memory")
                .help("as in `s16[8]`: 8 vectors, the first of which is 16"));
        };
        let token = self.take();
        let base = digits.parse().map_err(|_| {
            let message = format!("{} does not exist", quote(token.text));
            Remark::new(token.span(), message).code(&code::text::NAME)
        })?;
        self.expect('[')?;
        let (token, size) = self.whole_number()?;
        let size = size.and_then(|size| u16::try_from(size).ok());
        let size = size.filter(|&size| size <= ScratchArray::MOST);
        let size = size.ok_or_else(|| {
            let limit = ScratchArray::MOST;
            let message = format!("{} scratch vectors; the limit is {limit}", token.text);
            Remark::new(token.span(), message).code(&code::text::LIMIT)
        })?;
        self.expect(']')?;
        Ok(ScratchArray { base, size })
    }

    /// The source that is an index, in brackets.
    pub(super) fn bracketed(
        &mut self,
        op: Opcode,
        index: usize,
        kind: OperandKind,
    ) -> Parsed<Operand> {
        self.expect('[')?;
        let source = self.source(op, index, kind)?;
        self.expect(']')?;
        Ok(source)
    }
}
