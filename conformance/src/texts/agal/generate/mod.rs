//! Random programs that keep all rules of their language, for both stages and all versions.
//!
//! Opcodes and their operands come from the table of the front end, so that a new row comes up at once.

mod operands;
mod samplers;

use attila_shader::front::agal::{AgalOpcode, AgalOpcodeInfo, Form, OPCODES, Version};
use attila_shader::isa::Stage;

use crate::dice::Dice;
use samplers::Unit;

/// Branches within each other that Flash takes.
const DEPTH: usize = 4;

/// A program that has to be taken.
pub fn program(dice: &mut Dice<'_>) -> String {
    let is_vertex = dice.percent(50);
    let version = dice.pick(&Version::ALL);
    let most = dice.weighted(&[(4, 4), (3, 8), (1, 26)]);
    let mut generator = Generator {
        stage: if is_vertex {
            Stage::Vertex
        } else {
            Stage::Fragment
        },
        version,
        rows: rows(is_vertex, version, dice),
        temporaries: Vec::new(),
        units: Vec::new(),
        computed: match is_vertex {
            true => dice.weighted(&[(4, 0), (5, 16), (1, 60)]),
            false => 0,
        },
        reads_varyings: is_vertex && dice.percent(25),
        deepest: dice.weighted(&[(6, 2), (4, DEPTH), (1, 9)]),
        nests: version > Version::V1 && dice.percent(70),
        lines: Vec::new(),
        left: dice.weighted(&[(8, 10), (4, 30), (1, 80)]),
        depth: 0,
        read: Vec::new(),
        dice,
    };
    generator.choose_temporaries(most);
    generator.choose_units();
    generator.body();
    generator.results();
    generator.text()
}

/// The opcodes that a program of the stage and the version has: all, or a few that come up often.
fn rows(is_vertex: bool, version: Version, dice: &mut Dice<'_>) -> Vec<&'static AgalOpcodeInfo> {
    let stage = if is_vertex {
        Stage::Vertex
    } else {
        Stage::Fragment
    };
    let rows = OPCODES
        .iter()
        .filter(|row| row.version <= version && row.stages.has(stage))
        .filter(|row| match row.form {
            Form::Vectors(_) | Form::Matrix(_) | Form::Kill | Form::Sample => true,
            Form::Compare | Form::Else | Form::EndIf | Form::Refused(_) => false,
        });
    let all: Vec<_> = rows.collect();
    match dice.percent(60) {
        true => all,
        false => (0..4).map(|_| dice.pick(&all)).collect(),
    }
}

struct Generator<'d, 'a> {
    dice: &'d mut Dice<'a>,
    stage: Stage,
    version: Version,
    /// The opcodes that are not of branches.
    rows: Vec<&'static AgalOpcodeInfo>,
    /// The numbers of the temporaries.
    temporaries: Vec<u16>,
    units: Vec<Unit>,
    /// In a hundred: how many sources are computed constants. Some programs need all address registers.
    computed: u8,
    /// Whether a vertex program reads its varyings.
    reads_varyings: bool,
    /// Branches within each other.
    deepest: usize,
    nests: bool,
    lines: Vec<String>,
    /// Tokens that are still to come.
    left: usize,
    depth: usize,
    /// Temporaries that the token reads: its result may be one of them.
    read: Vec<u16>,
}

impl Generator<'_, '_> {
    fn is_vertex(&self) -> bool {
        self.stage == Stage::Vertex
    }

    fn choose_temporaries(&mut self, most: usize) {
        let count = 1 + self.dice.below(most);
        let first = match self.dice.percent(90) {
            true => 0,
            false => self.dice.pick(&[5, 20, 26, 1000, 65_500]),
        };
        self.temporaries = (0..count as u16).map(|n| first + n).collect();
    }

    fn push(&mut self, line: String) {
        self.lines.push(line);
    }

    fn body(&mut self) {
        while self.left > 0 {
            self.statement();
        }
    }

    fn statement(&mut self) {
        self.left = self.left.saturating_sub(1);
        if self.nests && self.depth < self.deepest && self.dice.percent(18) {
            return self.branch();
        }
        let row = self.dice.pick(&self.rows.clone());
        // Lanes that have parted say nothing of it.
        let needs_all = matches!(row.form, Form::Sample)
            || [AgalOpcode::Ddx, AgalOpcode::Ddy].contains(&row.opcode);
        let needs_units = row.form == Form::Sample && self.units.is_empty();
        if needs_units || needs_all && self.depth > 0 && self.dice.percent(90) {
            return;
        }
        let line = self.token(row);
        self.push(line);
    }

    /// A token, with the noise that the language allows.
    fn token(&mut self, row: &AgalOpcodeInfo) -> String {
        self.read.clear();
        let mut operands = Vec::new();
        for source in 0..row.form.sources() {
            operands.push(match row.form.reads_scalars() {
                true => self.scalar(),
                false => self.source(row.form.rows(source)),
            });
        }
        if row.form.has_result() {
            let result = self.result(row.results);
            operands.insert(0, result);
        }
        let mut line = format!("{} {}", row.name, self.joined(&operands));
        if row.form == Form::Sample {
            let sampler = self.sampler();
            line += &format!(", {sampler}");
        }
        line
    }

    fn joined(&mut self, operands: &[String]) -> String {
        let between = match self.dice.percent(95) {
            true => ", ",
            false => self.dice.pick(&[",", " ", " , ", ",,\t"]),
        };
        operands.join(between)
    }

    fn branch(&mut self) {
        let rows = OPCODES.iter().filter(|row| row.form == Form::Compare);
        let rows: Vec<_> = rows.collect();
        let row = self.dice.pick(&rows);
        let line = match self.dice.percent(15) {
            // The same in all lanes, so that samples in it say something.
            true => {
                let [a, b] = [0; 2].map(|_| self.uniform());
                format!("{} {}", row.name, self.joined(&[a, b]))
            }
            false => self.token(row),
        };
        self.push(line);
        self.depth += 1;
        self.block();
        if self.dice.percent(60) {
            self.push("els".to_owned());
            self.block();
        }
        self.push("eif".to_owned());
        self.depth -= 1;
    }

    fn block(&mut self) {
        for _ in 0..self.dice.below(4) {
            self.statement();
        }
    }

    /// Writes temporaries to outputs, so that what they hold is seen.
    fn results(&mut self) {
        let first = if self.is_vertex() { "op" } else { "oc" };
        let mut temporaries = self.temporaries.clone();
        if self.is_vertex() {
            for number in 0..self.dice.below(7) {
                let line = self.moved(&format!("v{number}"), &mut temporaries);
                self.push(line);
            }
        } else if self.version > Version::V1 {
            for number in 1..self.dice.below(5) {
                let line = self.moved(&format!("oc{number}"), &mut temporaries);
                self.push(line);
            }
            if self.dice.percent(25) {
                let source = self.source(1);
                let mask = self.dice.pick(&["", ".x", ".x", ".xw", ".y"]);
                self.push(format!("mov od{mask}, {source}"));
            }
        }
        let line = self.moved(first, &mut temporaries);
        self.push(line);
    }

    /// A move of one of `temporaries`, which no other move takes.
    fn moved(&mut self, to: &str, temporaries: &mut Vec<u16>) -> String {
        let letter = if self.is_vertex() { 'v' } else { 'f' };
        match temporaries.is_empty() {
            true => {
                let source = self.source(1);
                format!("mov {to}, {source}")
            }
            false => {
                let at = self.dice.below(temporaries.len());
                let number = temporaries.swap_remove(at);
                format!("mov {to}, {letter}t{number}")
            }
        }
    }

    fn text(self) -> String {
        let end = self
            .dice
            .weighted(&[(30, "\n"), (4, "\r\n"), (1, "\r"), (1, "\u{c}\n")]);
        let comments = self.dice.percent(10);
        let mut text = String::new();
        let mut depth = 0usize;
        for line in &self.lines {
            let is_end = line == "els" || line == "eif";
            depth = depth.saturating_sub(usize::from(is_end));
            if comments {
                text += &"  ".repeat(depth);
            }
            text += line;
            if comments && self.dice.percent(10) {
                text += ";";
            }
            if comments && self.dice.percent(20) {
                text += self
                    .dice
                    .pick(&[" // op, vc0", "//", "\t// mov ft0 < > µ", "   "]);
            }
            text += end;
            if comments && self.dice.percent(10) {
                text += end;
            }
            let begins = line.starts_with('i') || line == "els";
            depth += usize::from(begins);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use attila_shader::front::agal::{self, Options};

    use super::*;
    use crate::dice::case_rng;

    #[test]
    fn programs_are_taken_and_have_every_opcode_and_version() {
        let mut opcodes = BTreeSet::new();
        let mut kinds = BTreeSet::new();
        let mut longest = 0;
        for index in 0..3000 {
            let text = program(&mut Dice::new(&mut case_rng(8, index)));
            let read = agal::assemble(&text, &Options::default());
            let read = read.unwrap_or_else(|error| panic!("{error}\nin\n{text}"));
            agal::translate(&read).unwrap_or_else(|error| panic!("{error:?}\nin\n{text}"));
            longest = longest.max(read.tokens.len());
            kinds.insert((read.stage == Stage::Vertex, read.version));
            opcodes.extend(read.tokens.iter().map(|token| token.opcode.info().name));
        }
        let rows = OPCODES
            .iter()
            .filter(|row| !matches!(row.form, Form::Refused(_)));
        let missing: Vec<&str> = rows
            .map(|row| row.name)
            .filter(|name| !opcodes.contains(name))
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
        // Only vertex programs have something that is new in version 3.
        assert_eq!(kinds.len(), 5, "{kinds:?}");
        assert!(longest > 60, "{longest}");
    }
}
