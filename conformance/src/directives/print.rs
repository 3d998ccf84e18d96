//! From the state before a run to lines of directives.

use attila_shader::isa::{Bank, Component};
use attila_shader::machine::{Fixed, KILL_ALL, LANES, Lanes, QuadReg, QuadState, to_lanes};

use super::words::show;

/// The lines, without line ends, that make `quads` out of nothing. What is 0 is not named.
pub fn start_lines(quads: &[QuadState]) -> Vec<String> {
    let mut lines = Vec::new();
    let named = quads
        .last()
        .is_none_or(|last| *last == QuadState::default());
    if quads.len() > 1 && named {
        lines.push(format!(";! quads {}", quads.len()));
    }
    for (index, quad) in quads.iter().enumerate() {
        let prefix = if quads.len() > 1 {
            format!("q{index} ")
        } else {
            String::new()
        };
        let mut printer = Printer {
            lines: &mut lines,
            prefix,
        };
        printer.quad(quad);
    }
    lines
}

struct Printer<'a> {
    lines: &'a mut Vec<String>,
    /// `q1 ` and the like.
    prefix: String,
}

impl Printer<'_> {
    fn quad(&mut self, quad: &QuadState) {
        self.bank("input", Bank::Input, &quad.io.inputs);
        self.bank("output", Bank::Output, &quad.io.outputs);
        self.bank("temp", Bank::Temp, &quad.regs.temps);
        self.bank("address", Bank::Address, &quad.regs.addresses);
        for (index, lanes) in quad.regs.predicates.iter().enumerate() {
            if *lanes != [0; LANES] {
                let digits: String = lanes
                    .map(|word| if word == 0 { '0' } else { '1' })
                    .iter()
                    .collect();
                self.line("pred", &format!("p{index}"), &digits);
            }
        }
        if quad.regs.sample != [0; LANES] {
            self.line_of("sample", &quad.regs.sample.map(|s| s.to_string()));
        }
        for (index, lanes) in quad.io.depth.iter().enumerate() {
            if *lanes != [0; LANES] {
                self.line("depth", &format!("s{index}"), &lanes.map(show).join(" "));
            }
        }
        self.kill(quad.io.kill);
        for (c, lanes) in Component::ALL.iter().zip(&quad.regs.accumulator) {
            if *lanes != [Fixed::default(); LANES] {
                self.line(
                    "accumulator",
                    &c.letter().to_string(),
                    &lanes.map(fixed).join(" "),
                );
            }
        }
    }

    fn bank(&mut self, kind: &str, bank: Bank, regs: &[QuadReg]) {
        for (index, reg) in regs.iter().enumerate() {
            let lanes = to_lanes(reg).map(|lane| vector(bank, lane));
            let name = format!("{}{index}", bank.letter());
            if lanes.iter().all(|lane| *lane == lanes[0]) {
                if lanes[0] != "0" {
                    self.line(kind, &name, &lanes[0]);
                }
                continue;
            }
            for (lane, value) in lanes.iter().enumerate().filter(|(_, value)| *value != "0") {
                self.line(kind, &format!("{name}[{lane}]"), value);
            }
        }
    }

    fn kill(&mut self, masks: Lanes<u32>) {
        if masks == [0; LANES] {
            return;
        }
        if masks.iter().all(|&mask| mask == 0 || mask == KILL_ALL) {
            let digits: String = masks
                .map(|mask| if mask == 0 { '0' } else { '1' })
                .iter()
                .collect();
            self.line_of("kill", &[digits]);
        } else {
            self.line_of("kill", &masks.map(|mask| format!("{mask:#06x}")));
        }
    }

    fn line(&mut self, kind: &str, name: &str, value: &str) {
        let prefix = &self.prefix;
        self.lines
            .push(format!(";! {kind} {prefix}{name} = {value}"));
    }

    fn line_of(&mut self, kind: &str, values: &[String]) {
        let prefix = self.prefix.trim_end();
        let space = if prefix.is_empty() { "" } else { " " };
        let values = values.join(" ");
        self.lines
            .push(format!(";! {kind}{space}{prefix} = {values}"));
    }
}

/// Four components, or one if they are the same.
fn vector(bank: Bank, words: [u32; 4]) -> String {
    let text = |word: u32| {
        if bank == Bank::Address {
            word.cast_signed().to_string()
        } else {
            show(word)
        }
    };
    if words.iter().all(|word| *word == words[0]) {
        text(words[0])
    } else {
        words.map(text).join(" ")
    }
}

fn fixed(value: Fixed) -> String {
    let sign = if value.negative == 0 { "" } else { "-" };
    format!("{sign}{:#x}", value.magnitude)
}

/// A line for a constant.
pub fn constant_line(index: usize, value: [u32; 4]) -> String {
    format!(";! const c{index} = {}", vector(Bank::Constant, value))
}
