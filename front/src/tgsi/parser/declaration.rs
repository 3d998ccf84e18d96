//! Reads declarations and properties.

use std::ops::Range;

use attila_isa::Remark;

use super::super::lexer::TokenKind;
use super::super::syntax::{
    Attribute, Broken, Declaration, Extent, Property, PropertyValue, Statement,
};
use super::{Parsed, Parser};

impl<'a> Parser<'a, '_> {
    /// `DCL` and its register.
    pub(super) fn declaration(&mut self) -> Parsed<Statement<'a>> {
        let start = self.lexer.token.start;
        self.lexer.advance();
        let word = self.lexer.token.text;
        let file = self.file()?;
        self.broken = Broken::Declaration(Some(file));
        let first = self.extent()?;
        let second = match self.at('[') {
            true => Some(self.extent()?),
            false => None,
        };
        let mask = self.components()?;
        let mut attributes = Vec::new();
        while self.accept(',') {
            attributes.push(self.attribute()?);
        }
        let values = match self.at('{') {
            true => self.vectors()?,
            false => Vec::new(),
        };
        Ok(Statement::Declaration(Box::new(Declaration {
            file,
            word,
            first,
            second,
            mask,
            attributes,
            values,
            span: start..self.lexer.last_end,
        })))
    }

    /// `[]`, `[3]` or `[0..3]`, and where it is.
    fn extent(&mut self) -> Parsed<(Extent, Range<usize>)> {
        let start = self.lexer.token.start;
        self.expect('[')?;
        let extent = if self.at(']') {
            Extent::Open
        } else {
            let (first, _) = self.integer()?;
            let mut last = first;
            if self.lexer.token.kind == TokenKind::Range {
                self.lexer.advance();
                last = self.integer()?.0;
            }
            Extent::Range(first, last)
        };
        self.expect(']')?;
        let span = start..self.lexer.last_end;
        if let Extent::Range(first, last) = extent
            && first > last
        {
            let message = format!("the range {first}..{last} is empty");
            return Err(Remark::new(span, message));
        }
        Ok((extent, span))
    }

    fn attribute(&mut self) -> Parsed<Attribute<'a>> {
        let word = self.word("a word about the register")?;
        let mut index = None;
        let mut arguments = Vec::new();
        if self.accept('[') {
            index = Some(self.integer()?);
            self.expect(']')?;
        } else if self.accept('(') {
            arguments.push(self.integer()?);
            while self.accept(',') {
                arguments.push(self.integer()?);
            }
            self.expect(')')?;
        }
        Ok(Attribute {
            word,
            index,
            arguments,
            span: word.start..self.lexer.last_end,
        })
    }

    /// `PROPERTY`, its name and its value.
    pub(super) fn property(&mut self) -> Parsed<Statement<'a>> {
        self.lexer.advance();
        let name = self.word("the name of a property")?;
        let token = self.lexer.token;
        if self.lexer.begins_line {
            return Err(Remark::new(name.span(), "the property has no value"));
        }
        let value = match token.kind {
            TokenKind::Integer => PropertyValue::Number(self.integer()?.0),
            TokenKind::Word
            | TokenKind::Float
            | TokenKind::Hexadecimal
            | TokenKind::Mark(_)
            | TokenKind::Range
            | TokenKind::Unknown
            | TokenKind::End => PropertyValue::Word(self.word("a value")?),
        };
        Ok(Statement::Property(Property {
            name,
            value,
            value_span: token.span(),
        }))
    }
}
