//! Renaming, which changes no program.

use attila_shader::isa::text::is_whole;
use thiserror::Error;

use crate::answer::{Edit, SymbolKind, apply};
use crate::dialect::Dialect;
use crate::document::{self, Document};
use crate::problems::Collector;
use crate::tokens::{Kind, scan};

/// Why something cannot be renamed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RenameError {
    /// No name stands there.
    #[error("there is no name here")]
    NoName,
    /// The register means something to whoever runs the program.
    #[error("`{0}` is known outside of the program")]
    Interface(String),
    /// The new name is not one of its kind.
    #[error("`{0}` is not a name of this kind")]
    NotName(String),
    /// The new name has a meaning already.
    #[error("`{0}` is in use")]
    InUse(String),
    /// The text would be another program with the new name.
    #[error("the program would not be the same with `{0}`")]
    Changes(String),
}

impl Document {
    /// The part of the text that [`rename`](Document::rename) at byte `at` would rename.
    ///
    /// # Errors
    ///
    /// There is nothing to rename.
    pub fn renamed(&self, at: usize) -> Result<std::ops::Range<usize>, RenameError> {
        let occurrence = self.occurrence(at).ok_or(RenameError::NoName)?;
        let symbol = &self.symbols()[occurrence.symbol];
        let is_interface = match (self.parts()[symbol.part].dialect, symbol.kind) {
            (Dialect::Arb, _) => false,
            (Dialect::Assembly, SymbolKind::Label) => false,
            (Dialect::Assembly | Dialect::Agal | Dialect::Ctm, SymbolKind::Temporary) => false,
            (
                Dialect::Assembly | Dialect::Tgsi | Dialect::Agal | Dialect::Ctm,
                SymbolKind::Label
                | SymbolKind::Variable
                | SymbolKind::Constant
                | SymbolKind::Temporary
                | SymbolKind::Input
                | SymbolKind::Output
                | SymbolKind::Register,
            ) => true,
        };
        match is_interface {
            true => Err(RenameError::Interface(symbol.name.clone())),
            false => Ok(occurrence.span.clone()),
        }
    }

    /// The changes that give the name at byte `at` another one, everywhere in its program: names of labels and
    /// variables, and numbers of temporaries.
    ///
    /// # Errors
    ///
    /// There is nothing to rename, the name is not a free one, or the program would be another one.
    pub fn rename(&self, at: usize, name: &str) -> Result<Vec<Edit>, RenameError> {
        self.renamed(at)?;
        let number = self.occurrence(at).ok_or(RenameError::NoName)?.symbol;
        let symbol = &self.symbols()[number];
        let dialect = self.parts()[symbol.part].dialect;
        if name == symbol.name {
            return Ok(Vec::new());
        }
        let is_name = match (dialect, symbol.kind) {
            (Dialect::Arb, _) | (_, SymbolKind::Label) => is_word(dialect, name),
            (_, _) => is_register_like(&symbol.name, name),
        };
        if !is_name {
            return Err(RenameError::NotName(name.to_owned()));
        }
        let is_label = symbol.kind == SymbolKind::Label;
        let is_taken = self.symbols().iter().any(|other| {
            let shares = other.part == symbol.part && (other.kind == SymbolKind::Label) == is_label;
            shares && other.name == name
        });
        if is_taken {
            return Err(RenameError::InUse(name.to_owned()));
        }
        let edits: Vec<Edit> = self
            .places(number)
            .map(|place| Edit {
                span: place.span.clone(),
                replacement: name.to_owned(),
            })
            .collect();
        match self.stays(symbol.part, &edits, dialect == Dialect::Arb || is_label) {
            true => Ok(edits),
            false => Err(RenameError::Changes(name.to_owned())),
        }
    }

    /// Whether program `part` is one with the changes, too, the same one if its instructions do not have the names.
    fn stays(&self, part: usize, edits: &[Edit], is_same: bool) -> bool {
        let Some(program) = &self.parts()[part].program else {
            return true;
        };
        let changed = document::parts("", &apply(self.text(), edits), &Collector::default());
        let changed = changed.get(part).and_then(|it| it.program.as_ref());
        changed.is_some_and(|changed| {
            let [old, new] = [program, changed].map(|it| it.program().insts());
            match is_same {
                true => old == new,
                false => old.len() == new.len(),
            }
        })
    }
}

/// Whether a name is a single word.
fn is_word(dialect: Dialect, name: &str) -> bool {
    let tokens = scan(name, 0..name.len(), dialect);
    matches!(&tokens[..], [word] if word.kind == Kind::Word && word.span == (0..name.len()))
}

/// Whether a name differs from a register's in its number only.
fn is_register_like(register: &str, name: &str) -> bool {
    let letters = register.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = name.strip_prefix(letters);
    digits.is_some_and(|digits| is_whole(digits) && (digits == "0" || !digits.starts_with('0')))
}
