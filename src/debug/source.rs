//! [`Source`]: from instructions to the text that they come from, and back.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

use attila_isa::{Bank, Component, Program, Reg};
use attila_machine::StateWord;

use super::Recording;
use super::place::{Place, PlaceError};

/// A program's text: of its language, of assembly, or the disassembly of a binary.
#[derive(Clone, Debug)]
pub struct Source {
    text: String,
    /// Where lines begin.
    lines: Vec<usize>,
    /// The part of the text that each instruction comes from.
    spans: Vec<Option<Range<usize>>>,
    /// The line of its first byte, from 1.
    lines_of: Vec<Option<usize>>,
    /// The instructions in assembly.
    instructions: Vec<String>,
    names: Vec<(String, Reg)>,
}

/// A place in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Position {
    /// The bytes of the statement.
    pub bytes: Range<usize>,
    /// The line of the first, from 1.
    pub line: usize,
    /// Its column in characters, from 1.
    pub column: usize,
}

impl Source {
    /// The text that a program was made of, in any language; its [spans](Program::span) are places in it.
    pub fn new(text: &str, program: &Program) -> Source {
        let count = program.insts().len();
        let listing = program.listing().with_labels();
        let instruction = |pc| listing.instruction(pc).map(|it| it.to_string());
        let within = |span: &Range<usize>| text.get(span.clone()).is_some();
        let mut source = Source {
            lines: Vec::new(),
            text: text.to_owned(),
            spans: (0..count)
                .map(|pc| program.span(pc).filter(within))
                .collect(),
            lines_of: Vec::new(),
            instructions: (0..count).filter_map(instruction).collect(),
            names: Vec::new(),
        };
        source.find_lines();
        source
    }

    /// Finds the lines of the text, and of its instructions.
    fn find_lines(&mut self) {
        self.lines = line_starts(&self.text);
        let line = |span: &Range<usize>| self.lines.partition_point(|start| *start <= span.start);
        let lines = self.spans.iter().map(|span| span.as_ref().map(line));
        self.lines_of = lines.collect();
    }

    /// The disassembly of a program without a text.
    pub fn disassembly(program: &Program) -> Source {
        let mut source = Source::new("", program);
        let targets = program.listing().with_labels().targets();
        let mut text = String::new();
        for pc in 0..source.instructions.len() {
            if targets.contains(&pc) {
                let _ = writeln!(text, "L{pc}:");
            }
            let start = text.len();
            text += &source.instructions[pc];
            source.spans[pc] = Some(start..text.len());
            text += "\n";
        }
        source.text = text;
        source.find_lines();
        source
    }

    /// The source with names of registers, such as `fragment.color` or `TEMP[1]`.
    #[must_use]
    pub fn with_names(mut self, names: impl IntoIterator<Item = (String, Reg)>) -> Source {
        self.names.extend(names);
        self
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number of lines.
    pub fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// A line, from 1, without its end; empty past the last.
    pub fn line(&self, number: usize) -> &str {
        let start = number.checked_sub(1).and_then(|line| self.lines.get(line));
        let line = start.and_then(|start| self.text[*start..].lines().next());
        line.unwrap_or("")
    }

    /// Where an instruction comes from. `None` of instructions that no statement of the text asks for.
    pub fn position(&self, pc: usize) -> Option<Position> {
        let bytes = self.spans.get(pc)?.clone()?;
        let line = self.line_of(pc)?;
        let before = &self.text[self.lines[line - 1]..bytes.start];
        Some(Position {
            line,
            column: 1 + before.chars().count(),
            bytes,
        })
    }

    /// The line that an instruction comes from, from 1.
    pub fn line_of(&self, pc: usize) -> Option<usize> {
        *self.lines_of.get(pc)?
    }

    /// The instructions that come from a line, ascending.
    pub fn instructions_at(&self, line: usize) -> Vec<usize> {
        let is_there = |pc: &usize| self.lines_of[*pc] == Some(line);
        (0..self.lines_of.len()).filter(is_there).collect()
    }

    /// The first line from `line` on that instructions come from.
    pub fn line_with_instructions(&self, line: usize) -> Option<usize> {
        let lines = self.lines_of.iter().copied().flatten();
        lines.filter(|it| *it >= line).min()
    }

    /// An instruction in assembly; empty if there is none.
    pub fn instruction(&self, pc: usize) -> &str {
        self.instructions.get(pc).map_or("", String::as_str)
    }

    /// The names of registers.
    pub fn names(&self) -> &[(String, Reg)] {
        &self.names
    }

    /// The name that the text has for a place: that of its register, and the component.
    pub fn name(&self, place: Place) -> Option<String> {
        let Place::Word(word) = place else {
            return None;
        };
        let (reg, component) = word.register()?;
        let (name, _) = self.names.iter().find(|(_, it)| *it == reg)?;
        Some(format!("{name}.{}", component.letter()))
    }

    /// The name of the register that the statement of an instruction writes, as the text has it: `TEMP[1]`, `vt0`,
    /// `result.color`. Before an equals sign it is the last word.
    fn target(&self, pc: usize) -> Option<&str> {
        let statement = self.text.get(self.spans.get(pc)?.clone()?)?;
        // TGSI's statements are numbered.
        let numbered = statement
            .split_once(':')
            .filter(|(number, _)| number.trim().bytes().all(|byte| byte.is_ascii_digit()));
        let statement = numbered.map_or(statement, |(_, rest)| rest).trim_start();
        let target = match statement.split_once('=') {
            Some((before, _)) => before.split_whitespace().last()?,
            None => {
                let (_, operands) = statement.split_once(char::is_whitespace)?;
                let is_end = |c: char| c.is_whitespace() || c == ',' || c == ';';
                operands.trim_start().split(is_end).next()?
            }
        };
        let is_mask = |mask: &str| !mask.is_empty() && mask.chars().all(|c| "xyzwrgba".contains(c));
        let name = match target.rsplit_once('.') {
            Some((name, mask)) if is_mask(mask) => name,
            Some(_) | None => target,
        };
        name.starts_with(|c: char| c.is_alphabetic())
            .then_some(name)
    }

    /// The registers of the text that have a value before a step, and where each component is: in the register that the
    /// last statement which wrote it has it in, as long as no other statement's value is there.
    pub fn variables(&self, recording: &Recording, step: usize) -> Vec<(String, Place)> {
        let mut owners: BTreeMap<(usize, u8), (&str, Place)> = BTreeMap::new();
        let mut places: BTreeMap<(&str, u8), Place> = BTreeMap::new();
        for at in recording.steps().take(step) {
            let Some(dst) = at.inst.dst.reg.filter(|dst| dst.reg.bank() == Bank::Temp) else {
                continue;
            };
            // The instructions before the last one of a statement are steps on the way to its value.
            let is_last = self.spans.get(at.pc) != self.spans.get(at.pc + 1);
            let own = dst.reg.to_string();
            let name = self.target(at.pc).filter(|name| is_last && *name != own);
            for component in dst.mask.components() {
                let register = (dst.reg.index(), component as u8);
                if let Some((owner, place)) = owners.remove(&register)
                    && places.get(&(owner, component as u8)) == Some(&place)
                {
                    places.remove(&(owner, component as u8));
                }
                if let Some(name) = name {
                    let place = Place::component(dst.reg, component);
                    owners.insert(register, (name, place));
                    places.insert((name, component as u8), place);
                }
            }
        }
        let named = places.into_iter().map(|((name, component), place)| {
            let letter = Component::from_bits(component).letter();
            (format!("{name}.{letter}"), place)
        });
        named.collect()
    }

    /// The place that a text names: `r0.x`, or `fragment.color.x` where the text has such a name.
    ///
    /// # Errors
    ///
    /// It names nothing.
    pub fn place(&self, text: &str) -> Result<Place, PlaceError> {
        let text = text.trim();
        let named = Place::split(text).and_then(|(name, component)| {
            let (_, reg) = self.names.iter().find(|(it, _)| it == name)?;
            Some(Place::Word(StateWord::component(*reg, component)))
        });
        named.map_or_else(|| text.parse(), Ok)
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    let starts = std::iter::once(0).chain(ends);
    starts
        .filter(|start| *start == 0 || *start < text.len())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_have_the_place_of_their_statement() {
        let text = "; a comment\nmov r0, i1\n  add o1, r0, c0 ; more\nend\n";
        let program = Program::assemble(text).unwrap();
        let source = Source::new(text, &program);
        let position = source.position(1).unwrap();
        assert_eq!((position.line, position.column), (3, 3));
        assert_eq!(source.line(3), "  add o1, r0, c0 ; more");
        assert_eq!(source.instructions_at(2), [0]);
        assert_eq!(source.instructions_at(1), [0; 0]);
        assert_eq!(source.line_with_instructions(1), Some(2));
    }

    #[test]
    fn a_binary_is_its_disassembly() {
        let program = Program::assemble("x: add r0, r0, 1.0 \n jmp p0, x \n mov o1, r0").unwrap();
        let source = Source::disassembly(&program);
        assert_eq!(source.line(1), "L0:");
        assert_eq!(source.position(0).unwrap().line, 2);
        assert_eq!(source.line(4), source.instruction(2));
    }

    #[test]
    fn registers_have_the_names_of_the_text() {
        let program = Program::assemble("mov o1, i1").unwrap();
        let reg = Reg::within(attila_isa::Profile::Base, attila_isa::Bank::Input, 1).unwrap();
        let source = Source::new("", &program).with_names([("fragment.color".to_owned(), reg)]);
        let place: Place = "i1.y".parse().unwrap();
        assert_eq!(source.place("fragment.color.y"), Ok(place));
        assert_eq!(source.name(place).as_deref(), Some("fragment.color.y"));
        assert!(source.place("fragment.colour.y").is_err());
    }
}
