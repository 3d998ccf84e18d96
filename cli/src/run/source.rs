//! [`Source`]: from instructions back to the text that they came from.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::Range;

use attila_scene::source::Loaded;
use attila_shader::Program;
use attila_shader::isa::Listing;

/// The longest statement that is shown as a whole, in characters.
const LONGEST: usize = 100;

/// The program as its users know it.
pub(super) struct Source<'a> {
    loaded: &'a Loaded,
    program: &'a Program,
    listing: Listing<'a>,
    /// Where the lines of the text begin.
    lines: Vec<usize>,
    /// The instructions that are jumped to, unless the text has labels.
    targets: BTreeSet<usize>,
}

impl<'a> Source<'a> {
    pub(super) fn new(loaded: &'a Loaded) -> Source<'a> {
        let program = loaded.program.program();
        let mut listing = program.listing();
        if !loaded.is_assembly {
            listing = listing.with_labels();
        }
        let ends = loaded.text.match_indices('\n');
        Source {
            loaded,
            program,
            listing,
            lines: std::iter::once(0)
                .chain(ends.map(|(at, _)| at + 1))
                .collect(),
            targets: listing.targets(),
        }
    }

    /// Whether the text is assembly, with a line for each instruction.
    pub(super) fn is_assembly(&self) -> bool {
        self.loaded.is_assembly
    }

    /// The statement of an instruction, as bytes of the text.
    pub(super) fn span(&self, pc: usize) -> Option<Range<usize>> {
        self.program.span(pc)
    }

    /// The instruction in the spelling of listings.
    pub(super) fn instruction(&self, pc: usize) -> impl Display {
        let instruction = self.listing.instruction(pc);
        instruction.expect("only instructions of the program are traced")
    }

    /// The number of the line that a byte of the text is on, from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|start| *start <= at)
    }

    /// The text of a statement on one line; of assembly, with its comment.
    pub(super) fn statement(&self, span: &Range<usize>) -> String {
        let text = if self.loaded.is_assembly {
            self.loaded.text[span.start..].lines().next()
        } else {
            self.loaded.text.get(span.clone())
        };
        let words: Vec<&str> = text.unwrap_or_default().split_whitespace().collect();
        let statement = words.join(" ");
        match statement.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &statement[..end]),
            None => statement,
        }
    }

    /// The names of an instruction.
    pub(super) fn labels(&self, pc: usize) -> Vec<String> {
        let mut labels: Vec<String> = self.program.labels(pc).map(str::to_owned).collect();
        labels.extend(self.targets.contains(&pc).then(|| format!("L{pc}")));
        labels
    }
}
