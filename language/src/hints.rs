//! Hints beside the text: values of constants, and the instructions that a line became.

use std::ops::Range;

use crate::answer::{Hint, Role, SymbolKind};
use crate::constants;
use crate::dialect::Dialect;
use crate::document::{Document, Part};
use crate::statement::Statement;
use crate::tokens::Kind;

/// The most instructions of a line that are shown.
const SHOWN: usize = 3;

impl Document {
    /// The hints at the places of a range.
    pub fn hints(&self, range: Range<usize>) -> Vec<Hint> {
        let mut hints = Vec::new();
        for (number, part) in self.parts().iter().enumerate() {
            if part.span.start <= range.end && range.start <= part.span.end {
                self.values(number, part, &mut hints);
                if part.dialect != Dialect::Assembly {
                    self.translations(part, &range, &mut hints);
                }
            }
        }
        hints.retain(|hint| range.start <= hint.at && hint.at <= range.end);
        hints.sort_by_key(|hint| hint.at);
        hints
    }

    /// What constants hold where they are read.
    fn values(&self, number: usize, part: &Part, hints: &mut Vec<Hint>) {
        let values = constants::values(part, self.text());
        if values.is_empty() {
            return;
        }
        for place in self.occurrences() {
            let symbol = &self.symbols()[place.symbol];
            let is_read = place.role == Role::Read && symbol.part == number;
            if is_read
                && symbol.kind == SymbolKind::Constant
                && let Some(value) = values.get(&symbol.name)
            {
                hints.push(Hint {
                    at: place.span.end,
                    text: format!("={value}"),
                });
            }
        }
    }

    /// The instructions that lines became, behind them.
    fn translations(&self, part: &Part, range: &Range<usize>, hints: &mut Vec<Hint>) {
        let Some(program) = &part.program else {
            return;
        };
        let program = program.program();
        let listing = program.listing();
        let all = 0..program.insts().len();
        let mut places: Vec<(usize, usize)> = all
            .filter_map(|index| Some((program.span(index)?.start, index)))
            .collect();
        places.sort_unstable();
        for statement in Statement::all(part) {
            let start = statement.tokens[0].span.start;
            let last = &statement.tokens[statement.tokens.len() - 1];
            if last.span.end < range.start || range.end < start {
                continue;
            }
            let from = places.partition_point(|(at, _)| *at < start);
            let length = places[from..].partition_point(|(at, _)| *at < last.span.end);
            let insts = &places[from..from + length];
            if insts.is_empty() {
                continue;
            }
            let shown = insts.iter().take(SHOWN);
            let shown = shown.filter_map(|(_, index)| listing.instruction(*index));
            let mut words: Vec<String> = shown.map(|inst| inst.to_string()).collect();
            if insts.len() > SHOWN {
                words.push(format!("{} more", insts.len() - SHOWN));
            }
            hints.push(Hint {
                at: self.after(part, last.span.end),
                text: format!("→ {}", words.join("; ")),
            });
        }
    }

    /// The end of the statement that ends at byte `at`, with its semicolon.
    fn after(&self, part: &Part, at: usize) -> usize {
        let next = part.tokens.partition_point(|it| it.span.start < at);
        let semicolon = part
            .tokens
            .get(next)
            .filter(|it| it.kind == Kind::Mark(';'));
        let ends = part.dialect == Dialect::Arb;
        semicolon
            .filter(|_| ends)
            .map_or(at, |token| token.span.end)
    }
}
