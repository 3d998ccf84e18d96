//! Reads what stands in statements: declarations' values, registers, literals.

use attila_isa::{Remark, code};
use smallvec::SmallVec;

use super::lexer::TokenKind;
use super::matching::roots;
use super::parser::{Parsed, Parser, quote};
use super::profile::MAX_ELEMENTS;
use super::syntax::{
    Index, IndexKind, Initializer, Literal, Name, Operand, Path, Segment, Selector, Statement,
    Value,
};

impl<'a> Parser<'a, '_> {
    /// `ATTRIB a = b.c` and the like.
    pub(super) fn binding(
        &mut self,
        statement: fn(Name<'a>, Path<'a>) -> Statement<'a>,
    ) -> Parsed<Statement<'a>> {
        self.lexer.advance();
        let name = self.declared_name()?;
        self.expect('=')?;
        Ok(statement(name, self.path("a binding")?))
    }

    pub(super) fn alias(&mut self) -> Parsed<Statement<'a>> {
        self.lexer.advance();
        let name = self.declared_name()?;
        self.expect('=')?;
        let Path { root, rest, end } = self.path("a name")?;
        let start = root.name.start;
        let is_binding = roots(self.stage).contains(&root.name.text);
        let declares = is_binding.then_some(match root.name.text {
            "result" => "OUTPUT",
            "state" | "program" => "PARAM",
            _ => "ATTRIB",
        });
        if declares.is_none() && rest.is_empty() && root.index.is_none() {
            return Ok(Statement::Alias(name, root.name));
        }
        let message = "an alias is another name for a variable, as a whole";
        let remark = Remark::new(start..end, message);
        Err(match declares {
            Some(word) => remark.help(format!("`{word}` gives a binding a name")),
            None => remark,
        })
    }

    /// `TEMP a, b` and the like.
    pub(super) fn names(&mut self) -> Parsed<Vec<Name<'a>>> {
        self.lexer.advance();
        let mut names = vec![self.declared_name()?];
        while self.accept(',') {
            names.push(self.declared_name()?);
        }
        Ok(names)
    }

    pub(super) fn param(&mut self) -> Parsed<Statement<'a>> {
        self.lexer.advance();
        let name = self.declared_name()?;
        let array = self.accept('[');
        let mut size = None;
        if array {
            if self.lexer.token.kind == TokenKind::Integer {
                let span = self.lexer.token.span();
                size = Some((self.integer()?, span));
            }
            self.expect(']')?;
        }
        self.expect('=')?;
        let initializer = if array {
            let items = self.items()?;
            Initializer::Array { size, items }
        } else {
            Initializer::One(self.declared_value()?)
        };
        Ok(Statement::Param(name, initializer))
    }

    fn items(&mut self) -> Parsed<Vec<Value<'a>>> {
        self.expect('{')?;
        let mut items = vec![self.declared_value()?];
        while self.accept(',') {
            // Each is an element at least.
            if items.len() == MAX_ELEMENTS {
                let message = format!("an array has at most {MAX_ELEMENTS} elements");
                return Err(Remark::new(self.lexer.token.span(), message).code(&code::text::LIMIT));
            }
            items.push(self.declared_value()?);
        }
        self.expect('}')?;
        Ok(items)
    }

    /// A value in a declaration: a scalar may have a sign there.
    fn declared_value(&mut self) -> Parsed<Value<'a>> {
        let start = self.lexer.token.start;
        if !matches!(self.lexer.token.kind, TokenKind::Mark('+' | '-' | '{')) && !self.at_number() {
            return Ok(Value::Path(self.path("a binding or a constant")?));
        }
        let value = if self.lexer.token.kind == TokenKind::Mark('{') {
            self.vector()?
        } else {
            [self.signed_number()?; 4]
        };
        Ok(Value::Literal(Literal {
            value,
            suffix: None,
            span: start..self.lexer.last_end,
        }))
    }

    /// A source of an instruction.
    pub(super) fn operand(&mut self) -> Parsed<Operand<'a>> {
        let start = self.lexer.token.start;
        let negate = self.sign();
        let value = self.value()?;
        Ok(Operand {
            negate,
            value,
            span: start..self.lexer.last_end,
        })
    }

    /// The source of SWZ, after its comma.
    pub(super) fn unsigned_source(&mut self) -> Parsed<Operand<'a>> {
        self.expect(',')?;
        if matches!(self.lexer.token.kind, TokenKind::Mark('+' | '-')) {
            let remark = Remark::new(self.lexer.token.span(), "the source of SWZ has no sign");
            return Err(remark.help("each of the four selectors may have one"));
        }
        self.operand()
    }

    fn value(&mut self) -> Parsed<Value<'a>> {
        let start = self.lexer.token.start;
        let value = if self.lexer.token.kind == TokenKind::Mark('{') {
            self.vector()?
        } else if self.at_number() {
            [self.number()?; 4]
        } else {
            return Ok(Value::Path(self.path("a register or a constant")?));
        };
        let suffix = match self.accept('.') {
            true => Some(self.segment("a swizzle")?),
            false => None,
        };
        Ok(Value::Literal(Literal {
            value,
            suffix,
            span: start..self.lexer.last_end,
        }))
    }

    /// `{1, 2}`: z is 0 and w is 1 unless they are there.
    fn vector(&mut self) -> Parsed<[f32; 4]> {
        let start = self.lexer.token.start;
        self.expect('{')?;
        let mut numbers = vec![self.signed_number()?];
        while self.accept(',') {
            numbers.push(self.signed_number()?);
        }
        self.expect('}')?;
        let mut value = [0.0, 0.0, 0.0, 1.0];
        match value.get_mut(..numbers.len()) {
            Some(given) => given.copy_from_slice(&numbers),
            None => {
                let message = format!("a constant has 1 to 4 numbers, not {}", numbers.len());
                return Err(Remark::new(start..self.lexer.last_end, message));
            }
        }
        Ok(value)
    }

    fn at_number(&self) -> bool {
        matches!(self.lexer.token.kind, TokenKind::Integer | TokenKind::Float)
    }

    /// Takes a sign if there is one; whether it is a minus.
    fn sign(&mut self) -> bool {
        let negate = self.accept('-');
        if !negate {
            self.accept('+');
        }
        negate
    }

    fn signed_number(&mut self) -> Parsed<f32> {
        let negate = self.sign();
        let number = self.number()?;
        Ok(if negate { -number } else { number })
    }

    fn number(&mut self) -> Parsed<f32> {
        if !self.at_number() {
            return Err(self.unexpected("a number"));
        }
        let number = self.lexer.token.text.parse();
        let number = number.map_err(|_| self.unexpected("a number"))?;
        self.lexer.advance();
        Ok(number)
    }

    fn integer(&mut self) -> Parsed<u32> {
        if self.lexer.token.kind != TokenKind::Integer {
            return Err(self.unexpected("a whole number"));
        }
        let Ok(number) = self.lexer.token.text.parse() else {
            let message = format!("{} is too large", quote(self.lexer.token.text));
            return Err(Remark::new(self.lexer.token.span(), message).code(&code::text::NUMBER));
        };
        self.lexer.advance();
        Ok(number)
    }

    /// Words with dots between them; it begins with `what`.
    pub(super) fn path(&mut self, what: &str) -> Parsed<Path<'a>> {
        let root = self.segment(what)?;
        let mut rest = SmallVec::new();
        while self.accept('.') {
            rest.push(self.segment("a word")?);
        }
        let end = self.lexer.last_end;
        Ok(Path { root, rest, end })
    }

    fn segment(&mut self, what: &str) -> Parsed<Segment<'a>> {
        let name = self.word(what)?;
        let index = match self.accept('[') {
            true => Some(Box::new(self.index()?)),
            false => None,
        };
        Ok(Segment { name, index })
    }

    /// The content of brackets, and the closing one.
    fn index(&mut self) -> Parsed<Index<'a>> {
        let start = self.lexer.token.start;
        let kind = if self.lexer.token.kind == TokenKind::Word {
            self.relative_index()?
        } else {
            let first = self.integer()?;
            if self.lexer.token.kind == TokenKind::Range {
                self.lexer.advance();
                IndexKind::Range(first, self.integer()?)
            } else {
                IndexKind::Single(first)
            }
        };
        let span = start..self.lexer.last_end;
        self.expect(']')?;
        Ok(Index { kind, span })
    }

    fn relative_index(&mut self) -> Parsed<IndexKind<'a>> {
        let address = self.word("an address register")?;
        let component = match self.accept('.') {
            true => Some(self.word("`x`")?),
            false => None,
        };
        let negative = self.accept('-');
        let offset = match negative || self.accept('+') {
            true => i64::from(self.integer()?),
            false => 0,
        };
        Ok(IndexKind::Relative {
            address,
            component,
            offset: if negative { -offset } else { offset },
        })
    }

    /// A selector of SWZ.
    pub(super) fn selector(&mut self) -> Parsed<Selector<'a>> {
        let negate = self.sign();
        if matches!(self.lexer.token.kind, TokenKind::Word | TokenKind::Integer) {
            let what = self.name();
            return Ok(Selector { negate, what });
        }
        Err(self.unexpected("a component, `0` or `1`"))
    }
}
