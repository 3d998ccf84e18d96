//! From [`CtmProgram`] to ATTILA instructions.
//!
//! The instructions of a line are: one for the sums and differences of r, g and b and one for those of a, or
//! one for both; moves for operands that no swizzle can make; a copy, if each half writes what the other one
//! reads; the halves.

mod fold;
mod operand;

use std::collections::BTreeSet;
use std::ops::Range;

use attila_isa::{
    Bank, Component, Dst, Inst, Modifiers, OpFlags, Opcode, Operand, Profile, Program, Reg, Remark,
    ResultPath, Slots, Src, Stage, Swizzle, code,
};

use super::language::{Details, Input, Output, Param};
use super::opcode::CtmOpcode;
use super::program::{CtmProgram, Half, Line, Presubtract, Source, Unit, Value};
use super::registers::{self, NUMBER_BITS, NUMBERS, TWO, numbers, own, presubtracted};
use super::translation::Translation;
use operand::Vector;

/// The program in ATTILA instructions.
pub(super) fn lower(program: &CtmProgram) -> Result<Translation, Remark> {
    let mut code = Code::default();
    for line in &program.lines {
        LineLowering {
            zero_wins: program.zero_wins,
            code: &mut code,
            free: 1,
        }
        .line(line);
    }
    let constant = |number: u16| match number {
        NUMBERS => Some(NUMBER_BITS),
        number => program.constants.get(&number).copied(),
    };
    let folded = fold::fold(&mut code, &constant);
    let end = code.spans.last().map_or(0, |span| span.end);
    code.push(Inst::new(Opcode::End), &(end..end));
    let count = code.insts.len();
    let limit = Profile::Extended.instructions();
    if count > limit {
        let message = format!("this needs {count} instructions; the limit is {limit}");
        return Err(Remark::new(program.end..program.end, message).code(&code::text::LIMIT));
    }
    let used = Used::of(&code.insts);
    let params = used.constants.iter().map(|number| {
        let param = constant(*number).map_or(Param::Constant(*number), Param::Words);
        (u32::from(*number), param)
    });
    let attila = Program::in_profile(Profile::Extended, code.insts);
    let attila = attila.map_err(|(_, error)| {
        Remark::new(
            program.end..program.end,
            format!("the translation is wrong: {error}"),
        )
    })?;
    Ok(Translation {
        stage: Stage::Fragment,
        program: attila.with_spans(code.spans).with_stage(Stage::Fragment),
        params: params.collect(),
        inputs: used.inputs.iter().map(|it| (Input(*it), *it)).collect(),
        outputs: used.outputs.iter().map(|it| (Output(*it), *it)).collect(),
        textures: Vec::new(),
        details: Details {
            lines: program.lines.len(),
            folded,
        },
    })
}

/// The registers that instructions name.
#[derive(Default)]
struct Used {
    constants: BTreeSet<u16>,
    inputs: BTreeSet<u8>,
    outputs: BTreeSet<u8>,
}

impl Used {
    fn of(insts: &[Inst]) -> Used {
        let mut used = Used::default();
        for reg in insts.iter().flat_map(Inst::registers) {
            match reg.bank() {
                Bank::Constant => _ = used.constants.insert(reg.index() as u16),
                Bank::Input => _ = used.inputs.insert(reg.index() as u8),
                Bank::Output => _ = used.outputs.insert(reg.index() as u8),
                Bank::Temp | Bank::Address => {}
            }
        }
        used
    }
}

/// Instructions, and their places in the text.
#[derive(Default)]
struct Code {
    insts: Vec<Inst>,
    spans: Vec<Range<usize>>,
}

impl Code {
    fn push(&mut self, inst: Inst, span: &Range<usize>) {
        self.insts.push(inst);
        self.spans.push(span.clone());
    }

    /// Adds an instruction of the plain path.
    fn plain(&mut self, op: Opcode, dst: (Reg, Slots), operands: &[Src], span: &Range<usize>) {
        let mut inst = Inst::new(op);
        inst.dst = Dst::reg(dst.0, dst.1);
        for (place, operand) in inst.operands.iter_mut().zip(operands) {
            *place = Operand::Reg(*operand);
        }
        self.push(inst, span);
    }
}

/// The components of a register that an instruction reads.
fn reads(inst: &Inst, reg: Reg) -> Slots {
    let sources = inst.sources().filter(|(src, _)| src.reg == reg);
    sources.fold(Slots::empty(), |all, (src, slots)| {
        all | src.swizzle.sources(slots)
    })
}

/// Whether `second` reads what `first` writes.
fn is_hazard(first: &Inst, second: &Inst) -> bool {
    let written = first.dst.reg;
    written.is_some_and(|dst| reads(second, dst.reg).intersects(dst.mask))
}

/// The computation of a half: that of the other half, for `sop` and `dp`.
struct Computation<'a> {
    op: Opcode,
    /// The vectors that it reads, before they have registers.
    vectors: Vec<Vector>,
    /// The components that the results of the line need.
    written: Slots,
    half: &'a Half,
}

impl Computation<'_> {
    /// The components of a register that it reads.
    fn reads(&self, reg: Reg) -> Slots {
        let kinds = self.op.operands().iter();
        let slots = kinds.filter_map(|kind| kind.reads(self.written));
        let vectors = self.vectors.iter().zip(slots);
        vectors.fold(Slots::empty(), |all, (vector, slots)| {
            all | vector.reads(slots, reg)
        })
    }
}

struct LineLowering<'a> {
    zero_wins: bool,
    code: &'a mut Code,
    /// The first of the translation's temporaries that is free on this line.
    free: u16,
}

/// The half that computes the value of a half.
fn computing(half: &Half) -> Unit {
    match half.opcode {
        CtmOpcode::Sop => Unit::Alpha,
        CtmOpcode::Dp => Unit::Rgb,
        CtmOpcode::Mad
        | CtmOpcode::Dp3
        | CtmOpcode::Dp4
        | CtmOpcode::D2a
        | CtmOpcode::Min
        | CtmOpcode::Max
        | CtmOpcode::Cnd
        | CtmOpcode::Cmp
        | CtmOpcode::Frc
        | CtmOpcode::Ex2
        | CtmOpcode::Ln2
        | CtmOpcode::Rcp
        | CtmOpcode::Rsq
        | CtmOpcode::Sin
        | CtmOpcode::Cos
        | CtmOpcode::Mdh
        | CtmOpcode::Mdv
        | CtmOpcode::Nop => half.unit,
    }
}

impl LineLowering<'_> {
    fn line(&mut self, line: &Line) {
        let results = line.halves().filter(|half| half.destination.is_some());
        let results: Vec<&Half> = results.collect();
        let computations: Vec<Computation<'_>> = Unit::ALL
            .into_iter()
            .filter_map(|unit| {
                let halves = results.iter().filter(|half| computing(half) == unit);
                let masks = halves.flat_map(|half| &half.destination).map(|it| it.mask);
                let written: Slots = masks.collect();
                (!written.is_empty()).then(|| computation(line, unit, written))?
            })
            .collect();
        let presubtracted = computations
            .iter()
            .fold(Slots::empty(), |all, it| all | it.reads(presubtracted()));
        self.presubtract(line, presubtracted);
        let mut halves = Vec::new();
        let operands: Vec<Vec<Operand>> = computations
            .iter()
            .map(|computation| self.operands(computation))
            .collect();
        for half in results {
            let mut known = computations.iter().zip(&operands);
            let found = known.find(|(it, _)| it.half.unit == computing(half));
            if let Some((computation, operands)) = found {
                halves.push((self.half(half, computation.op, operands), half.span.clone()));
            }
        }
        self.order(halves);
    }

    /// Adds the halves in an order in which each reads what was there before the line.
    fn order(&mut self, mut halves: Vec<(Inst, Range<usize>)>) {
        if let [(rgb, _), (alpha, span)] = &mut halves[..]
            && is_hazard(rgb, alpha)
        {
            if is_hazard(alpha, rgb) {
                self.copy(rgb, alpha, span);
            } else {
                halves.reverse();
            }
        }
        for (inst, span) in halves {
            self.code.push(inst, &span);
        }
    }

    /// Lets `second` read a copy of the register that `first` writes.
    fn copy(&mut self, first: &Inst, second: &mut Inst, span: &Range<usize>) {
        let Some(written) = first.dst.reg else {
            return;
        };
        let copy = self.temporary();
        let mask = reads(second, written.reg);
        let source = Src::new(written.reg);
        self.code.plain(Opcode::Mov, (copy, mask), &[source], span);
        for operand in &mut second.operands {
            if let Operand::Reg(src) = operand
                && src.reg == written.reg
            {
                src.reg = copy;
            }
        }
    }

    /// A temporary of the translation's. A line with two halves that hinder each other has an operand
    /// that needs no temporary, so that there are enough of them.
    fn temporary(&mut self) -> Reg {
        self.free += 1;
        own(self.free - 1)
    }

    /// Computes components of the line's sums and differences.
    fn presubtract(&mut self, line: &Line, components: Slots) {
        let find = |unit| {
            let sources = line.halves().flat_map(|half| &half.sources);
            let mut sources = sources.filter(|it: &&Source| it.selects(unit));
            sources.find_map(|source| match source.value {
                Value::Presubtract(value) => Some((value, &source.span)),
                Value::Literal | Value::Register(_) => None,
            })
        };
        let parts = Unit::ALL.map(|unit| (find(unit), components & unit.mask()));
        let same = match &parts {
            [(Some((rgb, _)), _), (Some((alpha, _)), _)] => rgb == alpha,
            [_, _] => false,
        };
        let parts = match (same, parts) {
            (true, [(found, _), _]) => [(found, components), (None, Slots::empty())],
            (_, parts) => parts,
        };
        for (found, mask) in parts {
            if let Some((value, span)) = found
                && !mask.is_empty()
            {
                self.sum(value, mask, span);
            }
        }
    }

    fn sum(&mut self, value: Presubtract, mask: Slots, span: &Range<usize>) {
        let register = |register| Src::new(registers::register(register));
        let negated = |register| negated(Src::new(registers::register(register)));
        let number = |component| Src {
            swizzle: Swizzle::broadcast(component),
            ..Src::new(numbers())
        };
        let dst = (presubtracted(), mask);
        // 1 is in y.
        let one = number(Component::Y);
        match value {
            Presubtract::Bias(s) => {
                let operands = [negated(s), number(TWO), one];
                self.code.plain(Opcode::Mad, dst, &operands, span);
            }
            Presubtract::Inv(s) => {
                self.code.plain(Opcode::Add, dst, &[one, negated(s)], span);
            }
            Presubtract::Add(p, q) => {
                let operands = [register(p), register(q)];
                self.code.plain(Opcode::Add, dst, &operands, span);
            }
            Presubtract::Sub(p, q) => {
                let operands = [register(p), negated(q)];
                self.code.plain(Opcode::Add, dst, &operands, span);
            }
        }
    }

    /// The operands of a computation, with moves before it where they are needed.
    fn operands(&mut self, computation: &Computation<'_>) -> Vec<Operand> {
        let kinds = computation.op.operands().iter();
        let vectors = computation.vectors.iter().zip(kinds);
        let mut operands = Vec::new();
        for (vector, kind) in vectors {
            let slots = kind.reads(computation.written).unwrap_or(Slots::all());
            let src = vector.source(slots).unwrap_or_else(|| {
                let reg = self.temporary();
                let span = &computation.half.span;
                vector.gather(reg, slots, |mask, src| {
                    self.code.plain(Opcode::Mov, (reg, mask), &[src], span);
                })
            });
            operands.push(Operand::Reg(src));
        }
        operands
    }

    fn half(&self, half: &Half, op: Opcode, operands: &[Operand]) -> Inst {
        let mut inst = Inst::new(op);
        inst.path = ResultPath::Ctm {
            modifier: half.modifier,
            saturate: half.saturate,
        };
        inst.zero_wins = self.zero_wins && op.has(OpFlags::PRODUCT);
        if let Some(destination) = &half.destination {
            inst.dst = Dst::reg(registers::register(destination.register), destination.mask);
        }
        for (place, operand) in inst.operands.iter_mut().zip(operands) {
            *place = *operand;
        }
        inst
    }
}

fn negated(src: Src) -> Src {
    Src {
        modifiers: Modifiers {
            negate: true,
            absolute: false,
        },
        ..src
    }
}

/// The computation of a half, which a line that keeps the rules has.
fn computation(line: &Line, unit: Unit, written: Slots) -> Option<Computation<'_>> {
    let half = match unit {
        Unit::Rgb => line.rgb.as_ref(),
        Unit::Alpha => line.alpha.as_ref(),
    }?;
    let fourth = line.alpha.iter().filter(|_| half.opcode == CtmOpcode::Dp4);
    let fourth: Vec<&Source> = fourth.flat_map(|alpha| &alpha.sources).collect();
    let vectors = half.sources.iter().enumerate();
    let vectors = vectors.map(|(index, source)| Vector::new(source, fourth.get(index).copied()));
    Some(Computation {
        op: half.opcode.info().inst?,
        vectors: vectors.collect(),
        written,
        half,
    })
}
