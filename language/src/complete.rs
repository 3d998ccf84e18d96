//! Words that may stand at a place.

use std::ops::Range;

use attila_shader::front::arb::{self, ArbStage, tables};
use attila_shader::isa::{Opcode, OperandKind, Profile};

use crate::answer::{Completion, CompletionKind, SymbolKind};
use crate::dialect::Dialect;
use crate::document::{Document, Part};
use crate::operation;
use crate::statement::Statement;
use crate::tokens::{Kind, Token};

/// The directives of assembly; `attila help run` explains them.
const DIRECTIVES: [&str; 20] = [
    "accumulator",
    "address",
    "buffer",
    "const",
    "coverage",
    "depth",
    "expect",
    "fixed-bits",
    "input",
    "kill",
    "loop-budget",
    "order",
    "output",
    "position",
    "pred",
    "quads",
    "sample",
    "samples",
    "stage",
    "texture",
];

/// Masks and swizzles that are common.
const COMPONENTS: [&str; 9] = ["x", "y", "z", "w", "xy", "xyz", "xyzw", "xxxx", "wwww"];

/// The words of CTM that begin halves or lines.
const CTM: [&str; 4] = ["rgb", "alpha", "const", "option mulz"];

/// Declarations of TGSI.
const TGSI: [&str; 3] = ["DCL", "IMM", "PROPERTY"];

/// Declarations of ARB.
const ARB: [&str; 8] = [
    "TEMP", "PARAM", "ATTRIB", "OUTPUT", "ADDRESS", "ALIAS", "OPTION", "END",
];

impl Document {
    /// The words that may stand at byte `at`. Those that do not fit what is there already are among them: editors
    /// choose.
    pub fn complete(&self, at: usize) -> Vec<Completion> {
        let at = self.text().floor_char_boundary(at);
        let Some(part) = self.part_at(at) else {
            return Vec::new();
        };
        let statement = Statement::before(part, at, self.text());
        let last = statement.tokens.last();
        if last.is_some_and(|it| it.kind == Kind::Comment && it.span.end >= at) {
            return Vec::new();
        }
        let begun = last.filter(|it| it.is_wordlike() && it.span.end >= at);
        let span = begun.map_or(at..at, |it| it.span.clone());
        let before = match begun {
            Some(_) => &statement.tokens[..statement.tokens.len() - 1],
            None => statement.tokens,
        };
        let asked = Asked {
            document: self,
            part,
            span,
            statement: Statement {
                tokens: before,
                ..statement
            },
        };
        asked.words()
    }
}

/// A place where a word may stand.
struct Asked<'d> {
    document: &'d Document,
    part: &'d Part,
    span: Range<usize>,
    /// Without the word that has been begun.
    statement: Statement<'d>,
}

impl Asked<'_> {
    fn words(&self) -> Vec<Completion> {
        let text = self.document.text();
        let tokens = self.statement.tokens;
        if self.statement.is_directive() && tokens.len() >= 2 {
            return match tokens.len() {
                2 => self.keywords(&DIRECTIVES),
                _ => self.registers(|_| true),
            };
        }
        if tokens.last().is_some_and(|it| it.kind == Kind::Arrow) {
            return self.keywords(&["end", "wait", "noend"]);
        }
        let prefix = self.statement.prefix(text);
        if prefix >= tokens.len() && !tokens.last().is_some_and(|it| it.is('.')) {
            return self.beginnings(tokens.is_empty());
        }
        if tokens.last().is_some_and(|it| it.is('.')) {
            return self.after_point();
        }
        match self.part.dialect {
            Dialect::Assembly => self.operands(),
            Dialect::Arb => {
                let mut words = self.registers(|_| true);
                words.extend(self.bindings(""));
                words
            }
            Dialect::Tgsi | Dialect::Agal | Dialect::Ctm => self.registers(|_| true),
        }
    }

    fn completion(&self, text: &str, kind: CompletionKind, detail: &str) -> Completion {
        Completion {
            span: self.span.clone(),
            text: text.to_owned(),
            kind,
            detail: detail.to_owned(),
        }
    }

    fn keywords(&self, words: &[&str]) -> Vec<Completion> {
        let words = words.iter();
        words
            .map(|word| self.completion(word, CompletionKind::Keyword, ""))
            .collect()
    }

    /// What a statement begins with.
    fn beginnings(&self, is_first: bool) -> Vec<Completion> {
        let dialect = self.part.dialect;
        let is_extended =
            self.part.tokens.first().is_some_and(|it| it.is('.')) || self.is_program_extended();
        let has = |op: Option<Opcode>| {
            let in_base = |op: Opcode| op.info().profile == Profile::Base;
            dialect != Dialect::Assembly || is_extended || op.is_none_or(in_base)
        };
        let in_stage = |name: &str| match (dialect, self.arb_stage()) {
            (Dialect::Arb, Some(stage)) => arb::ArbOpcode::find(name, stage).is_some(),
            (_, _) => true,
        };
        let operations = operation::operations(dialect);
        let operations = operations
            .into_iter()
            .filter(|it| has(it.opcode) && in_stage(it.name));
        let mut words: Vec<Completion> = operations
            .map(|it| {
                let detail = format!("{} | {}", it.syntax, it.doc);
                self.completion(it.name, CompletionKind::Operation, &detail)
            })
            .collect();
        words.extend(match dialect {
            Dialect::Assembly if is_first && !is_extended => self.keywords(&[".extended"]),
            Dialect::Assembly | Dialect::Agal => Vec::new(),
            Dialect::Arb => self.keywords(&ARB),
            Dialect::Tgsi => self.keywords(&TGSI),
            Dialect::Ctm => self.keywords(&CTM),
        });
        words
    }

    fn is_program_extended(&self) -> bool {
        let program = self.part.program.as_ref();
        program.is_some_and(|it| it.program().profile() == Profile::Extended)
    }

    /// Components after a register, and words of bindings.
    fn after_point(&self) -> Vec<Completion> {
        let mut words = match self.part.dialect {
            Dialect::Assembly if self.statement.tokens.len() == 1 => {
                return self.keywords(&["extended"]);
            }
            Dialect::Arb => {
                let tokens = self.statement.tokens;
                let in_path =
                    |it: &&Token| it.is_wordlike() || it.is('.') || it.is('[') || it.is(']');
                let length = tokens.iter().rev().take_while(in_path).count();
                let path = tokens[tokens.len() - length..].iter();
                let path: String = path.map(|it| it.text(self.document.text())).collect();
                self.bindings(&path)
            }
            Dialect::Assembly | Dialect::Tgsi | Dialect::Agal | Dialect::Ctm => Vec::new(),
        };
        if words.is_empty() {
            words = match self.part.dialect {
                Dialect::Ctm => self.keywords(&["r", "g", "b", "a", "rgb", "rg", "sat", "x2"]),
                Dialect::Assembly | Dialect::Arb | Dialect::Tgsi | Dialect::Agal => {
                    self.keywords(&COMPONENTS)
                }
            };
        }
        words
    }

    /// The names and registers of the program, of kinds that fit.
    fn registers(&self, fits: impl Fn(SymbolKind) -> bool) -> Vec<Completion> {
        let symbols = self.document.symbols().iter();
        let here = symbols.filter(|symbol| {
            let part = &self.document.parts()[symbol.part];
            std::ptr::eq(part, self.part) && fits(symbol.kind)
        });
        here.map(|it| self.completion(&it.name, CompletionKind::Symbol(it.kind), ""))
            .collect()
    }

    /// What the row of the table says that stands here.
    fn operands(&self) -> Vec<Completion> {
        let text = self.document.text();
        let name = self.statement.name(text);
        let op = name.and_then(|(_, token)| operation::opcode(token.text(text)));
        let (Some(op), Some((at, _))) = (op, name) else {
            return self.registers(|kind| kind != SymbolKind::Label);
        };
        let commas = self.statement.tokens[at..].iter().filter(|it| it.is(','));
        let results = op.info().results;
        let has_result = usize::from(results.register.is_some() || results.predicate);
        let place = commas.count();
        if place < has_result {
            let fits = |kind| match kind {
                SymbolKind::Output | SymbolKind::Temporary => results.register.is_some(),
                SymbolKind::Register => true,
                SymbolKind::Label
                | SymbolKind::Variable
                | SymbolKind::Constant
                | SymbolKind::Input => false,
            };
            return self.registers(fits);
        }
        let kind = op.operands().get(place - has_result);
        if kind == Some(&OperandKind::Offset) {
            return self.registers(|kind| kind == SymbolKind::Label);
        }
        if kind == Some(&OperandKind::Bool) {
            let mut words = self.keywords(&["true", "false"]);
            let truths = |kind| matches!(kind, SymbolKind::Register | SymbolKind::Constant);
            words.extend(self.registers(truths));
            return words;
        }
        self.registers(|kind| !matches!(kind, SymbolKind::Label | SymbolKind::Output))
    }

    fn arb_stage(&self) -> Option<ArbStage> {
        let text = &self.document.text()[self.part.span.clone()];
        match (self.part.dialect, text.get(..10)) {
            (Dialect::Arb, Some("!!ARBvp1.0")) => Some(ArbStage::Vertex),
            (Dialect::Arb, Some("!!ARBfp1.0")) => Some(ArbStage::Fragment),
            (_, _) => None,
        }
    }

    /// The next words of the bindings that begin with `path`.
    fn bindings(&self, path: &str) -> Vec<Completion> {
        let Some(stage) = self.arb_stage() else {
            return Vec::new();
        };
        let profile = arb::Profile::default();
        let words = tables::patterns(stage, &profile).filter_map(|(pattern, _)| {
            // Numbers are in brackets, in patterns a letter.
            let plain = |text: &str| -> String {
                let mut depth = 0_usize;
                let kept = text.chars().filter(|c| {
                    depth += usize::from(*c == '[');
                    let keeps = depth == 0;
                    depth -= usize::from(*c == ']' && depth > 0);
                    keeps
                });
                kept.collect()
            };
            let rest = plain(pattern);
            let rest = rest.strip_prefix(&plain(path))?;
            let word = rest.split('.').next()?;
            (!word.is_empty()).then(|| word.to_owned())
        });
        let mut words: Vec<String> = words.collect();
        words.sort_unstable();
        words.dedup();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.keywords(&words)
    }
}
