//! Checks the pairs of components that f64 are made of.

use super::diagnostic::Remark;
use super::parser::{Parsed, Parser};
use crate::code;
use crate::opcode::{Opcode, OperandKind};
use crate::operand::{Slots, Src};

impl Parser<'_, '_> {
    /// The write mask of a register.
    pub(super) fn result_mask(&mut self, op: Opcode) -> Parsed<Slots> {
        let start = self.end();
        let mask = self.mask()?;
        let span = start..self.end();
        if op.info().results.is_double() && (mask.is_empty() || !mask.is_of_pairs()) {
            let message = format!("`{op}` writes f64, which are pairs of components");
            return Err(Remark::new(span, message)
                .code(&code::text::COMPONENTS)
                .help("write `.xy`, `.zw` or `.xyzw`"));
        }
        if op.narrows() && mask.components().count() > 2 {
            let message = format!("`{op}` writes one component for each of two f64");
            return Err(Remark::new(span, message)
                .code(&code::text::COMPONENTS)
                .help("name two components, as in `.xy`"));
        }
        Ok(mask)
    }

    /// The swizzle of an operand that is f64.
    pub(super) fn check_swizzle(
        &self,
        op: Opcode,
        kind: OperandKind,
        src: Src,
        start: usize,
    ) -> Parsed<()> {
        if !matches!(kind, OperandKind::Double(_)) || src.swizzle.keeps_pairs() {
            return Ok(());
        }
        let message = format!("`{op}` reads f64, which are pairs of components");
        let help = "the swizzles are `.xyzw`, `.zwxy`, `.xyxy` and `.zwzw`";
        Err(Remark::new(start..self.end(), message)
            .code(&code::text::COMPONENTS)
            .help(help))
    }
}
