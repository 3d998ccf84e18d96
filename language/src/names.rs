//! Finds the names and registers of programs, and where they stand.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use attila_shader::isa::text::is_whole;
use attila_shader::isa::{Opcode, Results};

use crate::answer::{Occurrence, Role, Symbol, SymbolKind};
use crate::dialect::Dialect;
use crate::document::Part;
use crate::operation;
use crate::statement::Statement;
use crate::tokens::{Kind, Token};

/// The declarations of ARB programs, and what their names are.
const DECLARATIONS: [(&str, SymbolKind); 6] = [
    ("TEMP", SymbolKind::Temporary),
    ("ADDRESS", SymbolKind::Register),
    ("PARAM", SymbolKind::Constant),
    ("ATTRIB", SymbolKind::Input),
    ("OUTPUT", SymbolKind::Output),
    ("ALIAS", SymbolKind::Variable),
];

/// The names of all programs of a text, and the places where they stand.
pub(crate) fn find(text: &str, parts: &[Part]) -> (Vec<Symbol>, Vec<Occurrence>) {
    let mut finder = Finder {
        text,
        part: 0,
        numbers: HashMap::new(),
        targets: HashSet::new(),
        symbols: Vec::new(),
        occurrences: Vec::new(),
    };
    for (number, part) in parts.iter().enumerate() {
        finder.part = number;
        finder.numbers.clear();
        match part.dialect {
            Dialect::Arb => finder.arb(part),
            Dialect::Assembly | Dialect::Tgsi | Dialect::Agal | Dialect::Ctm => finder.lines(part),
        }
    }
    finder.occurrences.sort_by_key(|it| it.span.start);
    (finder.symbols, finder.occurrences)
}

struct Finder<'t> {
    text: &'t str,
    part: usize,
    /// The symbols of the program by their names. Labels have a namespace of their own.
    numbers: HashMap<(bool, String), usize>,
    /// The numbers of instructions that are labels.
    targets: HashSet<&'t str>,
    symbols: Vec<Symbol>,
    occurrences: Vec<Occurrence>,
}

impl<'t> Finder<'t> {
    fn word(&self, token: &Token) -> &'t str {
        &self.text[token.span.clone()]
    }

    fn add(&mut self, name: String, kind: SymbolKind, span: Range<usize>, role: Role) {
        let key = (kind == SymbolKind::Label, name);
        let symbol = match self.numbers.get(&key) {
            Some(&number) => {
                let symbol = &mut self.symbols[number];
                let is_first = role == Role::Definition
                    && !self
                        .occurrences
                        .iter()
                        .rev()
                        .take(64)
                        .any(|it| it.symbol == number && it.role == Role::Definition);
                if is_first {
                    symbol.span = span.clone();
                }
                number
            }
            None => {
                let number = self.symbols.len();
                self.symbols.push(Symbol {
                    name: key.1.clone(),
                    kind,
                    part: self.part,
                    span: span.clone(),
                });
                self.numbers.insert(key, number);
                number
            }
        };
        self.occurrences.push(Occurrence { symbol, span, role });
    }

    /// Languages with a statement on a line, whose registers are numbered.
    fn lines(&mut self, part: &Part) {
        self.targets = self.numbered_targets(part);
        for statement in Statement::all(part) {
            let name = statement.name(self.text);
            let at = name.map_or(0, |(at, _)| at);
            let labels = match statement.is_directive() {
                true => 0,
                false => self.labels(&statement),
            };
            let op = name.and_then(|(_, token)| operation::opcode(self.word(token)));
            let op = op.filter(|_| part.dialect == Dialect::Assembly);
            let target = self.target(&statement, op, at);
            let first = match name {
                Some(_) => at + 1,
                None => labels,
            };
            let written = self.written(&statement, op, first);
            let guards = labels..at;
            let operands = first..statement.tokens.len();
            for index in guards.chain(operands) {
                let token = &statement.tokens[index];
                let role = match index {
                    _ if Some(index) == target => {
                        let label = self.word(token).to_owned();
                        self.add(label, SymbolKind::Label, token.span.clone(), Role::Read);
                        continue;
                    }
                    _ if statement.is_directive() => Role::Definition,
                    _ if written.contains(&index) => Role::Write,
                    _ => Role::Read,
                };
                if let Some((name, kind, span)) = self.register(&statement, index) {
                    let is_declared = part.dialect == Dialect::Tgsi
                        && matches!(name.split('[').next(), Some("IMM"))
                        && statement.tokens.first() == Some(token);
                    let role = if is_declared { Role::Definition } else { role };
                    self.add(name, kind, span, role);
                }
            }
        }
    }

    /// The numbers of instructions that others of TGSI lead to.
    fn numbered_targets(&self, part: &Part) -> HashSet<&'t str> {
        if part.dialect != Dialect::Tgsi {
            return HashSet::new();
        }
        let pairs = part.tokens.windows(2);
        let targets = pairs.filter(|pair| pair[0].is(':') && !pair[1].begins_line);
        let numbers = targets.filter(|pair| pair[1].kind == Kind::Number);
        numbers.map(|pair| self.word(&pair[1])).collect()
    }

    /// The labels in front of a statement; the number of their tokens.
    fn labels(&mut self, statement: &Statement<'_>) -> usize {
        let mut at = 0;
        while let [name, colon, ..] = &statement.tokens[at..]
            && colon.is(':')
            && at < statement.prefix(self.text)
        {
            let is_label = match statement.dialect {
                Dialect::Tgsi => self.targets.contains(self.word(name)),
                Dialect::Assembly | Dialect::Arb | Dialect::Agal | Dialect::Ctm => {
                    name.kind == Kind::Word
                }
            };
            if is_label {
                let label = self.word(name).to_owned();
                self.add(
                    label,
                    SymbolKind::Label,
                    name.span.clone(),
                    Role::Definition,
                );
            }
            at += 2;
        }
        at
    }

    /// The token that names the label of a jump.
    fn target(&self, statement: &Statement<'_>, op: Option<Opcode>, name: usize) -> Option<usize> {
        let tokens = statement.tokens;
        match statement.dialect {
            Dialect::Assembly if op == Some(Opcode::Jmp) => {
                let operands = tokens.get(name + 1..)?;
                let comma = operands.iter().position(|it| it.is(','))?;
                let target = name + 1 + comma + 1;
                let is_word = tokens.get(target)?.kind == Kind::Word;
                is_word.then_some(target)
            }
            Dialect::Tgsi => {
                let mut pairs = (name.max(1)..tokens.len()).filter(|at| tokens[*at].is(':'));
                let target = pairs.next()? + 1;
                let is_number = tokens.get(target)?.kind == Kind::Number;
                is_number.then_some(target)
            }
            Dialect::Assembly | Dialect::Arb | Dialect::Agal | Dialect::Ctm => None,
        }
    }

    /// The tokens of results.
    fn written(&self, statement: &Statement<'_>, op: Option<Opcode>, first: usize) -> Range<usize> {
        let tokens = statement.tokens;
        let comma = |from: usize| {
            let commas = tokens
                .get(from..)
                .and_then(|it| it.iter().position(|it| it.is(',')));
            commas.map_or(tokens.len(), |length| from + length)
        };
        let has_results = match statement.dialect {
            Dialect::Assembly => op.is_some_and(|op| op.info().results != Results::NOTHING),
            Dialect::Tgsi | Dialect::Agal => statement
                .operation(self.text)
                .is_some_and(|it| it.syntax.contains("dst")),
            Dialect::Arb | Dialect::Ctm => true,
        };
        let end = match statement.dialect {
            _ if !has_results => first,
            Dialect::Ctm => {
                let equals = tokens.iter().position(|it| it.is('='));
                equals.unwrap_or(tokens.len())
            }
            Dialect::Assembly | Dialect::Tgsi | Dialect::Agal | Dialect::Arb => comma(first),
        };
        // Registers in brackets are read.
        let open = tokens
            .get(first..end)
            .and_then(|it| it.iter().position(|it| it.is('[')));
        match statement.dialect {
            Dialect::Tgsi => first..end,
            Dialect::Assembly | Dialect::Agal | Dialect::Arb | Dialect::Ctm => {
                first..open.map_or(end, |length| first + length)
            }
        }
    }

    /// The register that a token begins.
    fn register(
        &self,
        statement: &Statement<'_>,
        index: usize,
    ) -> Option<(String, SymbolKind, Range<usize>)> {
        let token = &statement.tokens[index];
        let follows_point = index > 0 && statement.tokens[index - 1].is('.');
        // A texture's target stands after a point, as a component does.
        if token.kind != Kind::Word || follows_point && !token.is_apart {
            return None;
        }
        let word = self.word(token);
        if statement.dialect == Dialect::Tgsi {
            return self.tgsi_register(statement, index, word);
        }
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = &word[letters.len()..];
        let rows = statement.dialect.registers();
        let matches = |name: &str| match statement.dialect {
            Dialect::Assembly => name.eq_ignore_ascii_case(letters),
            Dialect::Arb | Dialect::Tgsi | Dialect::Agal | Dialect::Ctm => name == letters,
        };
        let (_, kind) = rows.iter().find(|(name, _)| matches(name))?;
        let alone = statement.dialect == Dialect::Agal && digits.is_empty();
        let is_indexed = statement.tokens.get(index + 1).is_some_and(|it| it.is('['));
        if !(is_whole(digits) || alone && !is_indexed) {
            return None;
        }
        // A number with zeros in front is the same number.
        let number = digits.trim_start_matches('0');
        let number = if number.is_empty() { "0" } else { number };
        let mut name = letters.to_ascii_lowercase();
        name.push_str(number);
        Some((name, *kind, token.span.clone()))
    }

    /// `TEMP[3]`; ranges and indirect ones have no number.
    fn tgsi_register(
        &self,
        statement: &Statement<'_>,
        index: usize,
        word: &str,
    ) -> Option<(String, SymbolKind, Range<usize>)> {
        let rows = Dialect::Tgsi.registers();
        let (name, kind) = rows.iter().find(|(name, _)| *name == word)?;
        let mut at = index + 1;
        let mut full = (*name).to_owned();
        while let [open, number, close, ..] = statement.tokens.get(at..)?
            && open.is('[')
            && number.kind == Kind::Number
            && close.is(']')
        {
            full += &format!("[{}]", self.word(number));
            at += 3;
        }
        let end = statement.tokens[at - 1].span.end;
        let start = statement.tokens[index].span.start;
        (at > index + 1).then_some((full, *kind, start..end))
    }

    /// Programs whose names are declared.
    fn arb(&mut self, part: &Part) {
        for statement in Statement::all(part) {
            let Some((at, name)) = statement.name(self.text) else {
                continue;
            };
            let word = self.word(name);
            let declared = DECLARATIONS.iter().find(|(keyword, _)| *keyword == word);
            if let Some((_, kind)) = declared {
                self.declaration(&statement, at, *kind);
            } else if word != "OPTION" {
                let written = self.written(&statement, None, at + 1);
                let end = match word {
                    "SWZ" | "SWZ_SAT" => selectors(&statement),
                    _ => statement.tokens.len(),
                };
                for index in at + 1..end {
                    let role = match written.contains(&index) {
                        true => Role::Write,
                        false => Role::Read,
                    };
                    self.use_of_name(&statement, index, role);
                }
            }
        }
    }

    fn declaration(&mut self, statement: &Statement<'_>, at: usize, kind: SymbolKind) {
        let tokens = statement.tokens;
        let equals = tokens.iter().position(|it| it.is('='));
        for (index, token) in tokens.iter().enumerate().skip(at + 1) {
            let is_name = match equals {
                Some(_) => index == at + 1,
                None => token.kind == Kind::Word,
            };
            if is_name && token.kind == Kind::Word {
                self.add(
                    self.word(token).to_owned(),
                    kind,
                    token.span.clone(),
                    Role::Definition,
                );
            } else {
                self.use_of_name(statement, index, Role::Read);
            }
        }
    }

    fn use_of_name(&mut self, statement: &Statement<'_>, index: usize, role: Role) {
        let token = &statement.tokens[index];
        let is_after = |mark| index > 0 && statement.tokens[index - 1].is(mark);
        let key = (false, self.word(token).to_owned());
        // The target of a texture stands after its unit.
        let is_target = is_after(',')
            && index > 1
            && statement.tokens[index - 2].is(']')
            && index + 1 == statement.tokens.len()
            && statement
                .operation(self.text)
                .is_some_and(|it| it.syntax.ends_with("target"));
        let is_free = token.kind == Kind::Word && !is_after('.') && !is_target;
        if is_free && let Some(&symbol) = self.numbers.get(&key) {
            let span = token.span.clone();
            self.occurrences.push(Occurrence { symbol, span, role });
        }
    }
}

/// Where the components of `SWZ` begin, which may be called as variables are.
fn selectors(statement: &Statement<'_>) -> usize {
    let (mut depth, mut operands) = (0, 0);
    let ends = statement.tokens.iter().position(|token| {
        depth += i32::from(token.is('{')) - i32::from(token.is('}'));
        operands += i32::from(depth == 0 && token.is(','));
        operands == 2
    });
    ends.unwrap_or(statement.tokens.len())
}
