//! [`Frame`]: how programs stand among other lines.

use attila_isa::Stage;

/// How programs of a language stand in a text that may hold several of them, and other lines around them.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Frame {
    /// Whether a program begins at the beginning of a text, with a word that nothing else begins with.
    pub begins: fn(&str) -> bool,
    /// The stage of the program that a text begins with, if there is such a stage.
    pub stage: fn(&str) -> Option<Stage>,
    /// The bytes of the program that a text begins with, up to its end: all of the text if it has none.
    pub length: fn(&str) -> usize,
}
