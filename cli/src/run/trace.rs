//! Prints every instruction of a run with its place in the text, the lanes that execute it, what it
//! samples and what it writes.

use std::io::{self, Write};
use std::ops::Range;

use attila_conformance::columns::Columns;
use attila_scene::source::Loaded;
use attila_shader::isa::{Bank, DstReg};
use attila_shader::machine::{LANES, LaneMask, Lanes, StateWord};
use attila_shader::{TracePoint, Tracer};

use super::print::float_text;
use super::requests::Requests;
use super::source::Source;

/// A tracer that prints.
pub(super) struct Printer<'a> {
    out: &'a mut dyn Write,
    hex: bool,
    source: Source<'a>,
    columns: Columns,
    requests: &'a Requests<'a>,
    /// Whether the heads of the columns are still to be printed.
    is_first: bool,
    /// The statement of the instruction before.
    statement: Option<Range<usize>>,
    /// The kill masks before the instruction.
    killed: [u32; LANES],
    /// The lanes in which it takes effect.
    effective: LaneMask,
    /// The first failure to print; nothing is printed after it.
    result: io::Result<()>,
}

/// The columns in front of the text: quad, lanes, instruction and line.
type Numbers<'a> = [&'a str; 4];

/// In front of lines without numbers.
const BLANK: Numbers<'_> = [""; 4];

impl<'a> Printer<'a> {
    pub(super) fn new(
        out: &'a mut dyn Write,
        loaded: &'a Loaded,
        requests: &'a Requests<'a>,
        hex: bool,
        quads: usize,
    ) -> Printer<'a> {
        let source = Source::new(loaded);
        let length = loaded.program.program().insts().len();
        let mut columns = Columns::default().right(4).right(5).right(4).right(4);
        let last_line = source.line(loaded.text.len());
        columns.fit(&[quads - 1, 0, length - 1, last_line].map(|most| most.to_string()));
        Printer {
            out,
            hex,
            source,
            columns: columns.left(0),
            requests,
            is_first: true,
            statement: None,
            killed: [0; LANES],
            effective: LaneMask::empty(),
            result: Ok(()),
        }
    }

    /// Whether all could be printed.
    pub(super) fn finish(self) -> io::Result<()> {
        self.result
    }

    fn line(&mut self, [quad, lanes, pc, line]: Numbers<'_>, text: &str) -> io::Result<()> {
        let line = self.columns.line(&[quad, lanes, pc, line, text]);
        writeln!(self.out, "{line}")
    }

    fn print(&mut self, at: &TracePoint<'_>) -> io::Result<()> {
        if std::mem::take(&mut self.is_first) {
            self.line(["quad", "lanes", "pc", "line"], "")?;
        }
        for label in self.source.labels(at.pc) {
            self.line(BLANK, &format!("{label}:"))?;
        }
        self.print_instruction(at)?;
        if let Some(requests) = self.requests.take(self.hex) {
            self.print_lanes(&requests.map(Some))?;
        }
        let written = std::array::from_fn(|lane| self.written(at, lane));
        self.print_lanes(&written)
    }

    /// Prints the instruction: of assembly its line, of other texts the statement that it is a part
    /// of before.
    fn print_instruction(&mut self, at: &TracePoint<'_>) -> io::Result<()> {
        let (quad, lanes, pc) = (at.quad.to_string(), lanes(at.active), at.pc.to_string());
        let span = self.source.span(at.pc);
        let line = span
            .as_ref()
            .map(|span| self.source.line(span.start).to_string());
        let line = line.unwrap_or_default();
        if self.source.is_assembly()
            && let Some(span) = &span
        {
            let statement = self.source.statement(span);
            return self.line([&quad, &lanes, &pc, &line], &statement);
        }
        if let Some(span) = &span
            && self.statement.as_ref() != Some(span)
        {
            let statement = self.source.statement(span);
            // An implicit end of the program has no words in the text.
            if !statement.is_empty() {
                self.line(["", "", "", &line], &statement)?;
            }
        }
        let indent = if span.is_some() { "  " } else { "" };
        self.statement = span;
        let instruction = format!("{indent}{}", self.source.instruction(at.pc));
        self.line([&quad, &lanes, &pc, ""], &instruction)
    }

    /// Prints what happens in the lanes in which the instruction takes effect. Lanes in which the
    /// same happens share a line.
    fn print_lanes(&mut self, texts: &Lanes<Option<String>>) -> io::Result<()> {
        let mut left = self.effective;
        while let Some(first) = (0..LANES).find(|&lane| left.has(lane)) {
            let same =
                LaneMask::from_lanes(std::array::from_fn(|lane| texts[lane] == texts[first]));
            if let Some(text) = &texts[first] {
                self.line(BLANK, &format!("    {}: {text}", lanes(same & left)))?;
            }
            left &= !same;
        }
        Ok(())
    }

    /// The instruction's results in a lane afterwards.
    fn written(&self, at: &TracePoint<'_>, lane: usize) -> Option<String> {
        let killed = StateWord::KILL.get(at.state)[lane];
        if killed != self.killed[lane] {
            return Some(format!("killed {killed:04x}"));
        }
        let predicate = at.inst.dst.pred.map(|pred| {
            let value = at.state.regs.predicate(pred.index()).has(lane);
            format!("{pred} = {value}")
        });
        let results = [self.register(at, lane), predicate];
        let results: Vec<String> = results.into_iter().flatten().collect();
        (!results.is_empty()).then(|| results.join(", "))
    }

    /// The components of a register that the instruction has written in a lane.
    fn register(&self, at: &TracePoint<'_>, lane: usize) -> Option<String> {
        let DstReg { reg, mask } = at.inst.dst.reg?;
        if at.inst.op.info().results.is_accumulator() {
            let accumulator = at.state.regs.accumulator;
            let values = accumulator.map(|lanes| {
                let sign = if lanes[lane].negative != 0 { "-" } else { "" };
                format!("{sign}{:#x}", lanes[lane].magnitude)
            });
            return Some(format!("acc = {}", values.join(", ")));
        }
        let values = mask.components().map(|c| {
            let word = StateWord::component(reg, c).get(at.state)[lane];
            if reg.bank() == Bank::Address && !self.hex {
                word.cast_signed().to_string()
            } else {
                float_text(word, self.hex)
            }
        });
        let letters: String = mask.components().map(|c| c.letter()).collect();
        let values = values.collect::<Vec<_>>().join(", ");
        Some(format!("{reg}.{letters} = {values}"))
    }
}

/// A digit for each lane of a set, and a dash for each other one.
fn lanes(mask: LaneMask) -> String {
    let digit = |lane: usize| {
        if mask.has(lane) {
            lane.to_string()
        } else {
            "-".to_owned()
        }
    };
    (0..LANES).map(digit).collect()
}

impl Tracer for Printer<'_> {
    fn before(&mut self, at: TracePoint<'_>) {
        self.killed = StateWord::KILL.get(at.state);
        let guard = at.inst.guard.map_or(LaneMask::all(), |guard| {
            let lanes = at.state.regs.predicate(guard.pred.index());
            if guard.negate { !lanes } else { lanes }
        });
        self.effective = at.active & guard;
    }

    fn after(&mut self, at: TracePoint<'_>) {
        if self.result.is_ok() {
            self.result = self.print(&at);
        }
    }
}
