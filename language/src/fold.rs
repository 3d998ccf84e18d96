//! Parts of a text that may be hidden.

use std::ops::Range;

use crate::dialect::Dialect;
use crate::document::{Document, Part};
use crate::statement::Statement;
use crate::tokens::Kind;

/// What a statement does to the blocks around it.
pub(crate) enum Nesting {
    /// It begins one.
    Opens,
    /// It ends one.
    Closes,
    /// It ends one and begins another.
    Divides,
    /// Nothing.
    None,
}

/// What an instruction does to blocks.
pub(crate) fn nesting(dialect: Dialect, name: &str) -> Nesting {
    match dialect {
        Dialect::Tgsi => match name.to_ascii_uppercase().as_str() {
            "IF" | "UIF" | "BGNLOOP" | "BGNSUB" | "SWITCH" => Nesting::Opens,
            "ENDIF" | "ENDLOOP" | "ENDSUB" | "ENDSWITCH" => Nesting::Closes,
            "ELSE" => Nesting::Divides,
            _ => Nesting::None,
        },
        Dialect::Agal => match name {
            "ife" | "ine" | "ifg" | "ifl" => Nesting::Opens,
            "eif" => Nesting::Closes,
            "els" => Nesting::Divides,
            _ => Nesting::None,
        },
        Dialect::Assembly | Dialect::Arb | Dialect::Ctm => Nesting::None,
    }
}

impl Document {
    /// The blocks, comments of several lines, and programs of a text with several. Each begins on the line that stays
    /// and ends on the last line that is hidden.
    pub fn folds(&self) -> Vec<Range<usize>> {
        let mut folds = Vec::new();
        for part in self.parts() {
            if self.parts().len() > 1 {
                folds.push(part.span.clone());
            }
            comments(part, &mut folds);
            self.blocks(part, &mut folds);
        }
        let is_long = |fold: &Range<usize>| self.text()[fold.clone()].contains(['\n', '\r']);
        folds.retain(is_long);
        folds.sort_by_key(|fold| (fold.start, std::cmp::Reverse(fold.end)));
        folds
    }

    fn blocks(&self, part: &Part, folds: &mut Vec<Range<usize>>) {
        let mut open = Vec::new();
        let mut label: Option<usize> = None;
        let mut end = part.span.start;
        for statement in Statement::all(part) {
            let start = statement.tokens[0].span.start;
            let name = statement.name(self.text());
            let labels = part.dialect == Dialect::Assembly && statement.prefix(self.text()) > 0;
            if labels && statement.tokens.get(1).is_some_and(|it| it.is(':')) {
                folds.extend(label.replace(start).map(|label| label..end));
            }
            let word = name.map_or("", |(_, name)| name.text(self.text()));
            let nesting = nesting(part.dialect, word);
            if matches!(nesting, Nesting::Closes | Nesting::Divides) {
                folds.extend(open.pop().map(|open| open..end));
            }
            if matches!(nesting, Nesting::Opens | Nesting::Divides) {
                open.push(start);
            }
            end = statement.tokens[statement.tokens.len() - 1].span.end;
        }
        folds.extend(label.map(|label| label..end));
    }
}

/// Comments on lines of their own, one after the other.
fn comments(part: &Part, folds: &mut Vec<Range<usize>>) {
    let is_alone = |token: &crate::tokens::Token| token.kind == Kind::Comment && token.begins_line;
    for run in part.tokens.chunk_by(|a, b| is_alone(a) && is_alone(b)) {
        if let [first, .., last] = run {
            folds.push(first.span.start..last.span.end);
        }
    }
}
