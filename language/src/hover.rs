//! Explanations of what stands at a place.

use std::fmt::Write as _;
use std::ops::Range;

use attila_shader::isa::{Opcode, manual};

use crate::answer::{Hover, Role, SymbolKind};
use crate::constants;
use crate::dialect::Dialect;
use crate::document::{Document, Part};
use crate::statement::Statement;
use crate::tokens::Kind;

/// The most instructions that are listed.
const LISTED: usize = 8;

/// The code of an instruction that writes all components.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cost {
    /// Operations of lane IR.
    pub operations: usize,
    /// Bits of a vector, and instructions of the processor for one.
    pub instructions: Vec<(u32, usize)>,
}

/// Knows the code of instructions.
pub trait Costs {
    /// The cost of an opcode, if it has one by itself.
    fn cost(&self, op: Opcode) -> Option<Cost>;
}

/// Knows nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoCosts;

impl Costs for NoCosts {
    fn cost(&self, _: Opcode) -> Option<Cost> {
        None
    }
}

impl Document {
    /// The explanation of the word at byte `at`.
    pub fn hover(&self, at: usize, costs: &dyn Costs) -> Option<Hover> {
        let part = self.part_at(at)?;
        let index = part
            .tokens
            .partition_point(|it| it.span.start <= at)
            .checked_sub(1)?;
        let token = &part.tokens[index];
        if at > token.span.end || token.kind == Kind::Comment {
            return None;
        }
        if let Some(occurrence) = self.occurrence(at) {
            let text = self.about_symbol(part, occurrence.symbol);
            let span = occurrence.span.clone();
            return Some(Hover { span, text });
        }
        let statements = Statement::all(part);
        let statement = statements
            .take_while(|it| it.tokens[0].span.start <= at)
            .last()?;
        let (_, name) = statement.name(self.text())?;
        let operation = statement.operation(self.text())?;
        (name.span == token.span).then(|| {
            let mut text = match (part.dialect, operation.opcode) {
                (Dialect::Assembly, Some(op)) => about_opcode(op, costs),
                (_, _) => format!("```\n{}\n```\n{}\n", operation.syntax, operation.doc),
            };
            let last = &statement.tokens[statement.tokens.len() - 1];
            let place = statement.tokens[0].span.start..last.span.end;
            if part.dialect != Dialect::Assembly {
                text += &self.code(part, &place, costs);
            }
            Hover {
                span: token.span.clone(),
                text: text.trim_end().to_owned(),
            }
        })
    }

    /// A name: its kind, its value, where it comes from and how often it is used.
    fn about_symbol(&self, part: &Part, symbol: usize) -> String {
        let name = &self.symbols()[symbol];
        let kind = match name.kind {
            SymbolKind::Label => "label",
            SymbolKind::Variable => "another name",
            SymbolKind::Constant => "constant",
            SymbolKind::Temporary => "temporary",
            SymbolKind::Input => "input",
            SymbolKind::Output => "output",
            SymbolKind::Register => "register",
        };
        let value = constants::values(part, self.text()).remove(&name.name);
        let value = value.map(|value| format!(" = {value}")).unwrap_or_default();
        let mut text = format!("{kind} `{}{value}`", name.name);
        let count = |role| self.places(symbol).filter(|it| it.role == role).count();
        if count(Role::Definition) > 0 {
            let line = self.line_at(name.span.start);
            let _ = write!(text, "\n```\n{line}\n```");
        }
        let verb = if name.kind == SymbolKind::Label {
            "jumped to"
        } else {
            "read"
        };
        let _ = write!(text, "\n{verb} {}", times(count(Role::Read)));
        match count(Role::Write) {
            0 => {}
            writes => {
                let _ = write!(text, ", written {}", times(writes));
            }
        }
        text
    }

    /// The line that byte `at` is on, without blanks around it.
    fn line_at(&self, at: usize) -> &str {
        let start = self.text()[..at].rfind('\n').map_or(0, |end| end + 1);
        let line = self.text()[start..].lines().next();
        line.unwrap_or_default().trim()
    }

    /// The instructions that a statement became, and their costs.
    fn code(&self, part: &Part, place: &Range<usize>, costs: &dyn Costs) -> String {
        let (Some(program), indices) = (&part.program, part.instructions(place)) else {
            return String::new();
        };
        let program = program.program();
        let listing = program.listing();
        let mut text = String::new();
        for &index in indices.iter().take(LISTED) {
            let cost = costs.cost(program.insts()[index].op);
            let cost = cost.map(|cost| format!(": {}", cost.words()));
            if let Some(shown) = listing.instruction(index) {
                let _ = writeln!(text, "* `{shown}`{}", cost.unwrap_or_default());
            }
        }
        match indices.len().saturating_sub(LISTED) {
            0 => {}
            more => {
                let _ = writeln!(text, "* and {more} more");
            }
        }
        match text.is_empty() {
            true => text,
            false => format!("\n{text}"),
        }
    }
}

impl Cost {
    /// `3 operations of lane IR; instructions: 2 at 128 bits`.
    fn words(&self) -> String {
        let widths = self.instructions.iter();
        let widths = widths.map(|(bits, count)| format!("{count} at {bits} bits"));
        let widths: Vec<String> = widths.collect();
        let operations = match self.operations {
            1 => "1 operation of lane IR".to_owned(),
            count => format!("{count} operations of lane IR"),
        };
        match widths.is_empty() {
            true => operations,
            false => format!("{operations}; instructions: {}", widths.join(", ")),
        }
    }
}

fn times(count: usize) -> String {
    match count {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

/// The row of the table, and the cost of all components.
fn about_opcode(op: Opcode, costs: &dyn Costs) -> String {
    let help = manual::help(op);
    let (syntax, rest) = help.split_once("\n\n").unwrap_or((&help, ""));
    let (doc, facts) = rest.split_once("\n\n").unwrap_or((rest, ""));
    let cost = costs.cost(op);
    let cost = cost.map(|cost| format!("\n\n{}", cost.words()));
    format!(
        "```\n{syntax}\n```\n{doc}\n\n```text\n{}\n```{}",
        facts.trim_end(),
        cost.unwrap_or_default()
    )
}
