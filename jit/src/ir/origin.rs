//! [`Origin`]: the instruction that a node is there for.

use super::Function;
use crate::Listing;

/// The instruction that a node was made for, if there is one: an instruction that computes the same again has no node of its
/// own. It is for readers of listings, and of no account where nodes are compared.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Origin(Option<u32>);

impl Origin {
    /// The instruction at `pc`.
    pub(crate) fn instruction(pc: usize) -> Origin {
        Origin(u32::try_from(pc).ok())
    }

    /// Its place in the program.
    pub(crate) fn pc(self) -> Option<usize> {
        self.0.map(|pc| pc as usize)
    }
}

impl PartialEq for Origin {
    fn eq(&self, _other: &Origin) -> bool {
        true
    }
}

impl Eq for Origin {}

impl Function {
    /// Its text, with the instruction that each line is there for.
    pub(crate) fn listing(&self) -> Listing {
        Listing {
            text: self.to_string(),
            instructions: self.origins(),
        }
    }

    fn origins(&self) -> Vec<Option<usize>> {
        let mut lines = Vec::new();
        let mut list = |values: &[super::Value], has_title: bool| {
            lines.extend(has_title.then_some(None));
            lines.extend(values.iter().map(|&value| self.node(value).origin.pc()));
        };
        for values in [&self.uniform, &self.row] {
            list(values, !values.is_empty());
        }
        for block in &self.blocks {
            list(&block.body, true);
            // The end.
            list(&[], true);
        }
        lines
    }
}
