//! Reads statements from tokens.
//!
//! Statements have no ends, and lines mean nothing. A statement with a mistake is reported, and all
//! that is known of it is kept. Reading goes on with the next line that begins like a statement.

mod declaration;
mod immediate;
mod instruction;

use std::ops::Range;

use attila_isa::{Diagnostics, Remark, code, nearest};

use super::check::MAX_INSTRUCTIONS;
use super::lexer::{Lexer, TokenKind};
use super::syntax::{Broken, Name, Number, Statement};
use super::words::{File, Processor};

pub(super) type Parsed<T> = Result<T, Remark>;

/// The words that begin statements without opcodes.
pub(super) const DECLARATIONS: [&str; 3] = ["DCL", "IMM", "PROPERTY"];

/// The most declarations, immediates, properties and statements that cannot be told from these.
const MAX_DECLARATIONS: usize = 131_072;

/// Reads the statements of one program.
pub(super) struct Parser<'a, 'd> {
    lexer: Lexer<'a>,
    /// Facts about the statement that is being read, if it turns out to be faulty.
    broken: Broken,
    /// Whether components may be left out.
    relaxed: bool,
    diagnostics: &'d mut Diagnostics,
}

/// A token in messages, shortened if it is long.
pub(super) fn quote(text: &str) -> String {
    const LONG: usize = 40;
    match text.char_indices().nth(LONG) {
        Some((end, _)) => format!("`{}...`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// The help for a misspelled word.
pub(super) fn suggest(
    remark: Remark,
    word: &str,
    names: impl IntoIterator<Item = &'static str>,
) -> Remark {
    match nearest(word, names) {
        Some(near) => remark.did_you_mean(near),
        None => remark,
    }
}

impl<'a, 'd> Parser<'a, 'd> {
    /// Begins at the beginning of a text.
    pub(super) fn new(
        text: &'a str,
        relaxed: bool,
        diagnostics: &'d mut Diagnostics,
    ) -> Parser<'a, 'd> {
        Parser {
            lexer: Lexer::new(text, relaxed),
            broken: Broken::Other,
            relaxed,
            diagnostics,
        }
    }

    /// The kind of the program; its text has to begin with one.
    pub(super) fn header(&mut self) -> Option<(Processor, Range<usize>)> {
        let token = self.lexer.token;
        if let Some(processor) = Processor::find(token.text) {
            self.lexer.advance();
            return Some((processor, token.span()));
        }
        let stages = Processor::ALL.iter().filter(|it| it.stage().is_some());
        let words = stages.map(|it| it.word());
        let listed: Vec<String> = words.clone().map(|word| format!("`{word}`")).collect();
        let message = format!("a program begins with one of {}", listed.join(", "));
        let remark = Remark::new(token.span(), message).code(&code::text::EXPECTED);
        self.diagnostics.error(suggest(remark, token.text, words));
        None
    }

    /// All statements, of instructions as many as a check looks at.
    pub(super) fn statements(mut self) -> Vec<Statement<'a>> {
        let mut statements = Vec::new();
        let (mut instructions, mut others) = (0, 0);
        while self.lexer.token.kind != TokenKind::End {
            let start = self.lexer.token.span();
            let statement = self.statement_or_skip();
            let is_instruction = matches!(
                statement,
                Statement::Instruction(_) | Statement::Broken(Broken::Instruction(_), _)
            );
            let count = match is_instruction {
                true => &mut instructions,
                false => &mut others,
            };
            *count += 1;
            if others > MAX_DECLARATIONS {
                let message = format!("a program has at most {MAX_DECLARATIONS} declarations");
                self.diagnostics
                    .error(Remark::new(start, message).code(&code::text::LIMIT));
                return statements;
            }
            // The check refuses the first instruction beyond the limit.
            if instructions <= MAX_INSTRUCTIONS + 1 || !is_instruction {
                statements.push(statement);
            }
        }
        statements
    }

    fn statement_or_skip(&mut self) -> Statement<'a> {
        let start = self.lexer.token.start;
        self.broken = Broken::Other;
        match self.statement() {
            Ok(statement) => statement,
            Err(remark) => {
                self.diagnostics.error(remark);
                if self.lexer.token.start == start {
                    self.lexer.advance();
                }
                while !self.may_begin_statement() {
                    self.lexer.advance();
                }
                Statement::Broken(self.broken, start..self.lexer.last_end)
            }
        }
    }

    fn statement(&mut self) -> Parsed<Statement<'a>> {
        let word = self.lexer.token.text;
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        if self.lexer.token.kind != TokenKind::Word {
            return self.instruction();
        }
        if is("DCL") {
            self.broken = Broken::Declaration(None);
            self.declaration()
        } else if is("IMM") {
            self.broken = Broken::Immediate;
            self.immediate()
        } else if is("PROPERTY") {
            self.property()
        } else {
            self.instruction()
        }
    }

    /// Whether a statement may begin here, where a faulty one does not end otherwise.
    fn may_begin_statement(&self) -> bool {
        let token = self.lexer.token;
        match token.kind {
            TokenKind::End => true,
            TokenKind::Integer => self.lexer.peek().kind == TokenKind::Mark(':'),
            TokenKind::Word => {
                self.lexer.begins_line || matches!(token.text, "DCL" | "PROPERTY" | "END")
            }
            TokenKind::Mark('(') => self.lexer.begins_line,
            TokenKind::Float
            | TokenKind::Hexadecimal
            | TokenKind::Mark(_)
            | TokenKind::Range
            | TokenKind::Unknown => false,
        }
    }

    /// Takes the mark if it is next.
    fn accept(&mut self, mark: char) -> bool {
        let found = self.at(mark);
        if found {
            self.lexer.advance();
        }
        found
    }

    fn at(&self, mark: char) -> bool {
        self.lexer.token.kind == TokenKind::Mark(mark)
    }

    fn expect(&mut self, mark: char) -> Parsed<()> {
        if self.accept(mark) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{mark}`")))
    }

    /// A word; messages call it `what`.
    fn word(&mut self, what: &str) -> Parsed<Name<'a>> {
        if self.lexer.token.kind != TokenKind::Word {
            return Err(self.unexpected(what));
        }
        let word = self.lexer.token.word();
        self.lexer.advance();
        Ok(word)
    }

    /// A register file.
    fn file(&mut self) -> Parsed<File> {
        let token = self.lexer.token;
        let Some(file) = File::find(token.text) else {
            if token.kind != TokenKind::Word || self.lexer.begins_line {
                return Err(self.unexpected("a register"));
            }
            let message = format!("there is no register file {}", quote(token.text));
            let names = File::ALL.iter().map(|file| file.word());
            return Err(suggest(
                Remark::new(token.span(), message).code(&code::text::NAME),
                token.text,
                names,
            ));
        };
        self.lexer.advance();
        Ok(file)
    }

    /// A whole number without a sign.
    fn integer(&mut self) -> Parsed<Number> {
        let token = self.lexer.token;
        if token.kind != TokenKind::Integer {
            return Err(self.unexpected("a whole number"));
        }
        let Ok(number) = token.text.parse() else {
            let message = format!("{} is too large", quote(token.text));
            return Err(Remark::new(token.span(), message).code(&code::text::NUMBER));
        };
        self.lexer.advance();
        Ok((number, token.span()))
    }

    /// The next token is another one than `what`.
    fn unexpected(&self, what: &str) -> Remark {
        let token = self.lexer.token;
        let found = match token.kind {
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::Word
            | TokenKind::Integer
            | TokenKind::Float
            | TokenKind::Hexadecimal
            | TokenKind::Mark(_)
            | TokenKind::Range
            | TokenKind::Unknown => quote(token.text),
        };
        let message = format!("expected {what}, found {found}");
        let remark = Remark::new(token.span(), message).code(&code::text::EXPECTED);
        match token.text {
            "#" | ";" | "/" if !self.relaxed => remark.help("comments are turned off"),
            _ => remark,
        }
    }
}
