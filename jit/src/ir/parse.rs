//! Reading lane IR: what [`print`](super::print) writes, and comments from `;` to the end of a line.

use std::collections::HashMap;

use super::immediate::Words;
use super::{Block, BlockData, Edge, Function, Node, Op, Operands, Rate, Terminator, Type, Value};

/// A text that is not a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ParseError {
    /// The line, from 1.
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// The function that a text describes.
///
/// # Errors
///
/// The first line that is wrong, or the first rule that the function breaks, at the last line.
pub(crate) fn parse(text: &str) -> Result<Function, ParseError> {
    let mut reader = Reader {
        function: Function::empty(),
        names: HashMap::new(),
        part: Part::None,
    };
    let mut last = 0;
    for (line, content) in (1..).zip(text.lines()) {
        let code = content.split(';').next().unwrap_or_default().trim();
        let error = |message| ParseError { line, message };
        reader.line(code).map_err(error)?;
        last = line;
    }
    let function = reader.function;
    let is_open = matches!(reader.part, Part::Body);
    let checked = match (function.blocks.is_empty(), is_open) {
        (true, _) => Err("there is no block".to_owned()),
        (_, true) => Err("the last block has no end".to_owned()),
        (_, _) => function.check(),
    };
    let error = |message| ParseError {
        line: last,
        message,
    };
    checked.map(|()| function).map_err(error)
}

/// The part of the text that is being read.
#[derive(Clone, Copy)]
enum Part {
    None,
    Uniform,
    Row,
    /// A block that has no end yet.
    Body,
    /// A block that has one.
    Ended,
}

struct Reader<'a> {
    function: Function,
    names: HashMap<&'a str, Value>,
    part: Part,
}

/// The text after `start`, if it begins so.
fn after<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    text.strip_prefix(start).map(str::trim)
}

/// The elements between commas.
fn list(text: &str) -> Vec<&str> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    text.split(',').map(str::trim).collect()
}

/// A name and its list in parentheses, if there is one.
fn with_list(text: &str) -> Result<(&str, Vec<&str>), String> {
    let Some((name, rest)) = text.split_once('(') else {
        return Ok((text.trim(), Vec::new()));
    };
    let inside = rest.trim().strip_suffix(')');
    let inside = inside.ok_or_else(|| format!("`{text}` has no closing parenthesis"))?;
    Ok((name.trim(), list(inside)))
}

fn ty(name: &str) -> Result<Type, String> {
    let name = name.trim();
    let mut types = Type::ALL.into_iter();
    let found = types.find(|ty| ty.to_string() == name);
    found.ok_or_else(|| format!("`{name}` is not a type"))
}

impl<'a> Reader<'a> {
    fn line(&mut self, code: &'a str) -> Result<(), String> {
        match (code, self.part) {
            ("", _) => return Ok(()),
            ("uniform:", Part::None) => self.part = Part::Uniform,
            ("row:", Part::None | Part::Uniform) => self.part = Part::Row,
            (_, Part::None | Part::Uniform | Part::Row | Part::Ended) if code.ends_with(':') => {
                self.block(code.trim_end_matches(':'))?;
                self.part = Part::Body;
            }
            (_, Part::Body) => match self.end(code)? {
                Some(end) => {
                    let block = self.function.blocks.last_mut();
                    block.ok_or("there is no block")?.end = end;
                    self.part = Part::Ended;
                }
                None => self.node(code, Rate::Quad)?,
            },
            (_, Part::Uniform) => self.node(code, Rate::Uniform)?,
            (_, Part::Row) => self.node(code, Rate::Row)?,
            (_, Part::None | Part::Ended) => return Err(format!("`{code}` is in no block")),
        }
        Ok(())
    }

    /// `blockN(value: type, …)`, the next one.
    fn block(&mut self, header: &'a str) -> Result<(), String> {
        let (name, params) = with_list(header)?;
        let expected = Block(self.function.blocks.len() as u32).to_string();
        if name != expected {
            return Err(format!("`{name}` is in place of `{expected}`"));
        }
        let mut values = Vec::new();
        for param in params {
            let (name, of) = param.split_once(':').ok_or("a parameter has no type")?;
            values.push(self.define(name.trim(), Node::param(ty(of)?))?);
        }
        self.function.blocks.push(BlockData {
            params: values,
            body: Vec::new(),
            end: Terminator::Done,
        });
        Ok(())
    }

    fn define(&mut self, name: &'a str, node: Node) -> Result<Value, String> {
        let value = Value(self.function.nodes.len() as u32);
        self.function.nodes.push(node);
        match self.names.insert(name, value) {
            Some(_) if !name.is_empty() => Err(format!("`{name}` is there already")),
            Some(_) | None => Ok(value),
        }
    }

    fn value(&self, name: &str) -> Result<Value, String> {
        let value = self.names.get(name).copied();
        value.ok_or_else(|| format!("`{name}` is not a value"))
    }

    fn values(&self, names: &[&str]) -> Result<Vec<Value>, String> {
        names.iter().map(|name| self.value(name)).collect()
    }

    /// `value: type = operation`, `value = operation` of several results, or an operation without a
    /// result.
    fn node(&mut self, code: &'a str, rate: Rate) -> Result<(), String> {
        let (result, operation) = match code.split_once('=') {
            Some((result, operation)) => (result.trim(), operation.trim()),
            None => ("", code),
        };
        let (name, ty) = match result.split_once(':') {
            Some((name, of)) => (name.trim(), ty(of)?),
            None if result.is_empty() => ("", Type::None),
            None => (result, Type::Several),
        };
        let (operation, words) = operation.split_once(' ').unwrap_or((operation, ""));
        let mut words = Words {
            words: list(words).into_iter(),
            ty,
        };
        let op = Op::read(operation, &mut words)?;
        let operands = self.values(words.words.as_slice())?;
        if operands.len() > Operands::MOST {
            return Err(format!("`{operation}` has too many operands"));
        }
        let operands = operands.as_slice().into();
        let node = self.function.new_node(op, operands, ty, rate);
        let value = self.define(name, node)?;
        self.function.check_types(value)?;
        match (rate, self.function.blocks.last_mut()) {
            (Rate::Uniform, _) => self.function.uniform.push(value),
            (Rate::Row, _) => self.function.row.push(value),
            (Rate::Quad, Some(block)) => block.body.push(value),
            (Rate::Quad, None) => return Err("there is no block".to_owned()),
        }
        Ok(())
    }

    /// The end of a block, if the line is one.
    fn end(&self, code: &str) -> Result<Option<Terminator>, String> {
        if code == "done" {
            return Ok(Some(Terminator::Done));
        }
        if let Some(pc) = after(code, "fail at ") {
            let pc = pc.parse().map_err(|_| format!("`{pc}` is not a number"))?;
            return Ok(Some(Terminator::Fail { pc }));
        }
        if let Some(target) = after(code, "jump ") {
            return Ok(Some(Terminator::Jump(self.edge(target)?)));
        }
        let Some(choice) = after(code, "any ") else {
            return Ok(None);
        };
        let (mask, ways) = choice.split_once('?').ok_or("`?` is missing")?;
        let (then, other) = ways.split_once(':').ok_or("`:` is missing")?;
        Ok(Some(Terminator::Any {
            mask: self.value(mask.trim())?,
            then: self.edge(then.trim())?,
            other: self.edge(other.trim())?,
        }))
    }

    fn edge(&self, text: &str) -> Result<Edge, String> {
        let (name, args) = with_list(text)?;
        let number = name.strip_prefix("block").and_then(|n| n.parse().ok());
        let number = number.ok_or_else(|| format!("`{name}` is not a block"))?;
        Ok(Edge {
            block: Block(number),
            args: self.values(&args)?,
        })
    }
}
