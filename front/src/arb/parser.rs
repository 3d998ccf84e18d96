//! Reads statements from tokens.
//!
//! A statement with a mistake is reported and left out. Reading goes on after the next semicolon,
//! or with a line that begins like a statement, whichever comes first.

use attila_isa::{Diagnostics, Remark, code, nearest};

use super::lexer::{Lexer, Token, TokenKind};
use super::opcode::{ArbOpcode, Form, OPCODES};
use super::syntax::{InstructionSyntax, Name, Statement};
use crate::arb::ArbStage;

/// The words that declarations begin with; `ADDRESS` is for vertex programs.
pub(super) const DECLARATIONS: [&str; 7] = [
    "OPTION", "ATTRIB", "PARAM", "TEMP", "OUTPUT", "ALIAS", "ADDRESS",
];

pub(super) type Parsed<T> = Result<T, Remark>;

/// Reads the statements of one program.
pub(super) struct Parser<'a, 'd> {
    pub(super) lexer: Lexer<'a>,
    pub(super) stage: ArbStage,
    /// The names that the statement declares, as far as it has been read.
    declared: Vec<Name<'a>>,
    /// The memory of an instruction that has been checked, for the next one.
    spare: Option<Box<InstructionSyntax<'a>>>,
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

/// The name of an opcode, and whether `_SAT` stands after it.
pub(super) fn split_saturation(word: &str) -> (&str, bool) {
    match word.strip_suffix("_SAT") {
        Some(name) => (name, true),
        None => (word, false),
    }
}

/// Whether `word` begins statements of programs of `stage`.
fn begins_statement(word: &str, stage: ArbStage) -> bool {
    let (name, _) = split_saturation(word);
    word == "END" || DECLARATIONS.contains(&word) || ArbOpcode::find(name, stage).is_some()
}

impl<'a, 'd> Parser<'a, 'd> {
    /// Begins at byte `start`, after the header.
    pub(super) fn new(
        text: &'a str,
        start: usize,
        stage: ArbStage,
        diagnostics: &'d mut Diagnostics,
    ) -> Parser<'a, 'd> {
        Parser {
            lexer: Lexer::new(text, start),
            stage,
            declared: Vec::new(),
            spare: None,
            diagnostics,
        }
    }

    /// Gives `check` the statements up to `END`, the faultless ones among them, one by one, and
    /// reports what is wrong with the others.
    pub(super) fn program(mut self, mut check: impl FnMut(&Statement<'a>)) {
        let mut options_are_over = false;
        while !self.at_end() {
            if self.lexer.token.text == "OPTION" && options_are_over {
                let message = "options must come before all other statements";
                let remark =
                    Remark::new(self.lexer.token.span(), message).code(&code::text::EXPECTED);
                self.diagnostics.error(remark);
            }
            options_are_over |= self.lexer.token.text != "OPTION";
            if let Some(statement) = self.statement_or_skip() {
                check(&statement);
                if let Statement::Instruction(instruction) = statement {
                    self.spare = Some(instruction);
                }
            }
        }
        if self.lexer.token.kind == TokenKind::End {
            let remark = Remark::new(self.lexer.token.span(), "the program has no `END`")
                .code(&code::text::EXPECTED);
            self.diagnostics.error(remark);
        }
    }

    fn at_end(&self) -> bool {
        self.lexer.token.kind == TokenKind::End || self.lexer.token.text == "END"
    }

    fn statement_or_skip(&mut self) -> Option<Statement<'a>> {
        let start = self.lexer.token.start;
        self.declared.clear();
        let statement = self.statement();
        let ended = match &statement {
            Ok(_) => self.expect(';'),
            Err(_) => Ok(()),
        };
        if let Err(remark) = ended {
            let remark = remark.help("every statement ends with `;`");
            self.diagnostics.error(remark);
            self.skip_statement();
        }
        match statement {
            Ok(statement) => Some(statement),
            Err(remark) => {
                self.diagnostics.error(remark);
                if self.lexer.token.start == start {
                    self.lexer.advance();
                }
                self.skip_statement();
                let names = std::mem::take(&mut self.declared);
                (!names.is_empty()).then_some(Statement::Broken(names))
            }
        }
    }

    fn skip_statement(&mut self) {
        while self.lexer.token.kind != TokenKind::End {
            if self.lexer.begins_line() && begins_statement(self.lexer.token.text, self.stage)
                || self.accept(';')
            {
                return;
            }
            self.lexer.advance();
        }
    }

    fn statement(&mut self) -> Parsed<Statement<'a>> {
        let word = self.lexer.token;
        let address = word.text == "ADDRESS" && self.stage == ArbStage::Vertex;
        match word.text {
            "OPTION" => {
                self.lexer.advance();
                Ok(Statement::Option(self.word("the name of an option")?))
            }
            "ATTRIB" => self.binding(Statement::Attrib),
            "OUTPUT" => self.binding(Statement::Output),
            "PARAM" => self.param(),
            "TEMP" => Ok(Statement::Temp(self.names()?)),
            "ADDRESS" if address => Ok(Statement::Address(self.names()?)),
            "ALIAS" => self.alias(),
            _ => Ok(Statement::Instruction(self.instruction()?)),
        }
    }

    fn instruction(&mut self) -> Parsed<Box<InstructionSyntax<'a>>> {
        let word = self.lexer.token;
        let (name, saturate) = split_saturation(word.text);
        let found = ArbOpcode::find(name, self.stage);
        let allowed = |op: &ArbOpcode| {
            !saturate || self.stage == ArbStage::Fragment && op.has_saturated_form()
        };
        let Some(opcode) = found.filter(allowed) else {
            return Err(self.unknown_statement(word, found.is_some()));
        };
        self.lexer.advance();
        let spare = self.spare.take();
        let mut instruction = InstructionSyntax::begin(spare, opcode, saturate, word.span());
        self.operands(opcode.info().form, &mut instruction)?;
        instruction.span.end = self.lexer.last_end;
        Ok(instruction)
    }

    fn operands(&mut self, form: Form, instruction: &mut InstructionSyntax<'a>) -> Parsed<()> {
        if form == Form::Kill {
            instruction.operands.push(self.operand()?);
            return Ok(());
        }
        instruction.result = Some(self.path("a result register")?);
        match form {
            Form::Vectors(count) | Form::Scalars(count) => self.sources(count, instruction)?,
            Form::Selectors => {
                instruction.operands.push(self.unsigned_source()?);
                for _ in 0..4 {
                    self.expect(',')?;
                    instruction.selectors.push(self.selector()?);
                }
            }
            Form::Sample => {
                self.sources(1, instruction)?;
                self.expect(',')?;
                let unit = self.path("`texture[...]`")?;
                self.expect(',')?;
                instruction.texture = Some((unit, self.word("a texture target")?));
            }
            Form::Address => self.sources(1, instruction)?,
            Form::Kill => {}
        }
        Ok(())
    }

    fn sources(&mut self, count: usize, instruction: &mut InstructionSyntax<'a>) -> Parsed<()> {
        for _ in 0..count {
            self.expect(',')?;
            instruction.operands.push(self.operand()?);
        }
        Ok(())
    }

    /// A word that no statement begins with.
    fn unknown_statement(&self, word: Token<'a>, without_saturation: bool) -> Remark {
        if word.kind != TokenKind::Word {
            return self.unexpected("a statement");
        }
        let name = quote(word.text);
        if without_saturation {
            let message = format!("there is no {name}: `_SAT` cannot stand here");
            return Remark::new(word.span(), message).code(&code::text::MODIFIER);
        }
        let stage = self.stage;
        let remark = Remark::new(word.span(), format!("unknown instruction {name}"))
            .code(&code::text::INSTRUCTION);
        let (plain, _) = split_saturation(word.text);
        let other = OPCODES.iter().find(|row| row.name == plain);
        if let Some(row) = other {
            let (opcode, stage) = (row.opcode, stage.to_string());
            return remark.help(format!("{stage} programs have no {opcode}"));
        }
        let names = OPCODES.iter().filter(|row| row.stages.has(stage));
        let names = names.map(|row| row.name).chain(DECLARATIONS).chain(["END"]);
        let has_room = self.diagnostics.has_room();
        match has_room.then(|| nearest(word.text, names)).flatten() {
            Some(near) if near.eq_ignore_ascii_case(word.text) => {
                let help = format!("it is written in upper case: `{near}`");
                remark.help(help).fix(word.span(), near)
            }
            Some(near) => remark.did_you_mean(near),
            None => remark,
        }
    }

    /// The name of a declaration.
    pub(super) fn declared_name(&mut self) -> Parsed<Name<'a>> {
        let name = self.word("a name")?;
        self.declared.push(name);
        Ok(name)
    }

    /// Takes the next token as a name.
    pub(super) fn name(&mut self) -> Name<'a> {
        let name = self.lexer.token.word();
        self.lexer.advance();
        name
    }

    /// Takes the mark if it is next.
    pub(super) fn accept(&mut self, mark: char) -> bool {
        let found = self.lexer.token.kind == TokenKind::Mark(mark);
        if found {
            self.lexer.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, mark: char) -> Parsed<()> {
        if self.accept(mark) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{mark}`")))
    }

    /// A word, which is `what`.
    pub(super) fn word(&mut self, what: &str) -> Parsed<Name<'a>> {
        if self.lexer.token.kind == TokenKind::Word {
            return Ok(self.name());
        }
        Err(self.unexpected(what))
    }

    /// The next token is not `what` it should be.
    pub(super) fn unexpected(&self, what: &str) -> Remark {
        let found = match self.lexer.token.kind {
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::Word
            | TokenKind::Integer
            | TokenKind::Float
            | TokenKind::Mark(_)
            | TokenKind::Range
            | TokenKind::Unknown => quote(self.lexer.token.text),
        };
        let message = format!("expected {what}, found {found}");
        Remark::new(self.lexer.token.span(), message).code(&code::text::EXPECTED)
    }
}
