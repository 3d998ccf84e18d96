//! Numbers that only decorate a text: they are checked, and nothing depends on them.

use std::ops::Range;

use attila_isa::{Remark, code};

use super::super::program::Flow;
use super::super::syntax::Instruction;
use super::Checker;

/// A number after a colon.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub(super) at: usize,
    pub(super) number: u32,
    pub(super) span: Range<usize>,
}

impl Checker<'_> {
    /// Warns of the first number before an instruction that is not its own.
    pub(super) fn check_number(&mut self, syntax: &Instruction<'_>, at: usize) {
        let Some((number, span)) = &syntax.number else {
            return;
        };
        if self.misnumbered || *number as usize == at {
            return;
        }
        self.misnumbered = true;
        let message = format!("this is instruction {at}, not {number}");
        let remark = Remark::new(span.clone(), message);
        let help = "labels count instructions from 0, by their order in the text";
        self.diagnostics.warn(remark.help(help));
    }

    /// Warns of the first label that differs from the structure of the program. Writers without labels write 0, and
    /// some print labels before they know them.
    pub(super) fn check_labels(&mut self) {
        if self.structure.is_broken {
            return;
        }
        for label in std::mem::take(&mut self.structure.labels) {
            let target = match self.program.instructions[label.at].flow {
                Flow::If {
                    other: Some(other), ..
                } => other,
                Flow::If { other: None, end } | Flow::Else { end, .. } | Flow::Loop { end } => end,
                Flow::EndLoop { start } => start,
                Flow::Next
                | Flow::EndIf { .. }
                | Flow::Switch { .. }
                | Flow::Case { .. }
                | Flow::EndSwitch { .. }
                | Flow::Break { .. }
                | Flow::Continue { .. }
                | Flow::Call { .. }
                | Flow::Jump { .. }
                | Flow::Return
                | Flow::BeginRoutine { .. }
                | Flow::EndRoutine { .. }
                | Flow::End => continue,
            };
            // Some writers name the instruction after the target.
            let number = label.number as usize;
            if number != 0 && number != target && number != target + 1 {
                let message = format!("the label is {number}; the instruction leads to {target}");
                let remark = Remark::new(label.span, message).code(&code::text::FLOW);
                let help = "the structure decides; labels after this one are not looked at";
                self.diagnostics.warn(remark.help(help));
                return;
            }
        }
    }
}
