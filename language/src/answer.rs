//! The answers, in plain types. Ranges are bytes of the text, on character boundaries.

use std::ops::Range;

use attila_shader::isa::{Fix, Severity};

/// A change of the text, as in [`Problem::fix`].
pub type Edit = Fix;

/// Something that is wrong, or dubious.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The place; empty at the beginning of the text if the problem has none.
    pub span: Range<usize>,
    /// Whether the program can run in spite of it.
    pub severity: Severity,
    /// The problem, in one sentence.
    pub message: String,
    /// Advice and other lines.
    pub notes: Vec<String>,
    /// The change that puts it right, where one does.
    pub fix: Option<Fix>,
}

/// An explanation of what stands at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// What is explained.
    pub span: Range<usize>,
    /// The explanation, in Markdown.
    pub text: String,
}

/// The kind of a proposed word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompletionKind {
    /// An instruction.
    Operation,
    /// A word of the language besides instructions.
    Keyword,
    /// A name or a register of the program.
    Symbol(SymbolKind),
}

/// A word that may stand at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// The part of the text that it replaces.
    pub span: Range<usize>,
    /// The word.
    pub text: String,
    /// Its kind.
    pub kind: CompletionKind,
    /// Its meaning in one line; empty if there is nothing to say.
    pub detail: String,
}

/// How the instruction at a place is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The syntax, as `mad[_sat] dst, a, b, c`.
    pub syntax: String,
    /// The meaning.
    pub doc: String,
    /// The operands, in bytes of the syntax.
    pub operands: Vec<Range<usize>>,
    /// The number of the operand at the place, from 0.
    pub active: usize,
}

/// The kind of a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SymbolKind {
    /// A place that jumps lead to.
    Label,
    /// A name that the text declares.
    Variable,
    /// A constant or parameter.
    Constant,
    /// A temporary register.
    Temporary,
    /// An input register, or one that keeps its value.
    Input,
    /// An output register.
    Output,
    /// A register of another kind: predicates, addresses, textures, memory.
    Register,
}

/// A name or a register of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// The number of the program that it belongs to.
    pub part: usize,
    /// Its definition, or where it stands first.
    pub span: Range<usize>,
}

/// How a name is used at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The text says there what it is.
    Definition,
    /// It is written.
    Write,
    /// It is read.
    Read,
}

/// A place where a name stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// The number of its symbol.
    pub symbol: usize,
    /// The place.
    pub span: Range<usize>,
    /// How it is used there.
    pub role: Role,
}

/// Words beside the text that say what it does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// The byte that they stand before.
    pub at: usize,
    /// The words.
    pub text: String,
}

/// The text with changes, which do not overlap.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| edit.span.start);
    let mut changed = String::with_capacity(text.len());
    let mut at = 0;
    for edit in sorted {
        changed += &text[at..edit.span.start];
        changed += &edit.replacement;
        at = edit.span.end;
    }
    changed + &text[at..]
}
