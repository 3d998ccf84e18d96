//! Prints every instruction of a run with the lanes that execute it and what it writes.

use std::io::{self, Write};

use attila_shader::{
    Bank, Dst, LANES, LaneMask, QuadState, Reg, ResultKind, TracePoint, Tracer, to_lanes,
};

use super::print::float_text;

/// A tracer that prints.
pub(super) struct Printer<'a> {
    out: &'a mut dyn Write,
    hex: bool,
    /// The kill masks before the instruction.
    killed: [u32; LANES],
    /// The lanes in which it takes effect.
    effective: LaneMask,
    /// The first failure to print; nothing is printed after it.
    result: io::Result<()>,
}

impl<'a> Printer<'a> {
    pub(super) fn new(out: &'a mut dyn Write, hex: bool) -> Printer<'a> {
        Printer {
            out,
            hex,
            killed: [0; LANES],
            effective: LaneMask::empty(),
            result: Ok(()),
        }
    }

    /// Whether all could be printed.
    pub(super) fn finish(self) -> io::Result<()> {
        self.result
    }

    fn print(&mut self, at: &TracePoint<'_>) -> io::Result<()> {
        let lanes: String = at
            .active
            .to_lanes()
            .iter()
            .zip(0..)
            .map(|(active, lane)| {
                if *active {
                    lane.to_string()
                } else {
                    "-".to_owned()
                }
            })
            .collect();
        writeln!(self.out, "{:>3} {lanes} {:>4}  {}", at.quad, at.pc, at.inst)?;
        for lane in (0..LANES).filter(|&lane| self.effective.has(lane)) {
            if let Some(written) = self.written(at, lane) {
                writeln!(self.out, "{:>17}{lane}: {written}", "")?;
            }
        }
        Ok(())
    }

    /// What the instruction's result is in a lane afterwards.
    fn written(&self, at: &TracePoint<'_>, lane: usize) -> Option<String> {
        if at.state.io.kill[lane] != self.killed[lane] {
            return Some(format!("killed {:04x}", at.state.io.kill[lane]));
        }
        match at.inst.dst {
            Dst::None => None,
            Dst::Pred(pred) => {
                let value = at.state.regs.predicate(pred.index()).has(lane);
                Some(format!("{pred} = {value}"))
            }
            Dst::Reg { .. } if at.inst.op.info().result == ResultKind::Accumulator => {
                let accumulator = at.state.regs.accumulator;
                let values = accumulator.map(|lanes| {
                    let sign = if lanes[lane].negative != 0 { "-" } else { "" };
                    format!("{sign}{:#x}", lanes[lane].magnitude)
                });
                Some(format!("acc = {}", values.join(", ")))
            }
            Dst::Reg { reg, mask } => {
                let words = to_lanes(register(at.state, reg)?)[lane];
                let values = mask.components().map(|c| {
                    let word = words[c.index()];
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
    }
}

/// A register that an instruction may write.
fn register(state: &QuadState, reg: Reg) -> Option<&attila_shader::QuadReg> {
    let index = reg.index();
    match reg.bank() {
        Bank::Output => Some(&state.io.outputs[index]),
        Bank::Temp => Some(&state.regs.temps[index]),
        Bank::Address => Some(&state.regs.addresses[index]),
        Bank::Input | Bank::Constant => None,
    }
}

impl Tracer for Printer<'_> {
    fn before(&mut self, at: TracePoint<'_>) {
        self.killed = at.state.io.kill;
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
