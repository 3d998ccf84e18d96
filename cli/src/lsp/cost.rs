//! [`OfJit`]: the code that the JIT makes of an instruction.
//!
//! A chain of the instruction is compiled, and a longer one: what the longer one has more is the instruction's own, as
//! loads, stores and the loop are the same. Several vectors are shaded side by side; how many tells a chain of ADD,
//! which is one instruction of the processor for each component.

use std::cell::RefCell;
use std::collections::HashMap;

use attila_language::{Cost, Costs};
use attila_shader::isa::{Opcode, OperandKind, Profile};
use attila_shader::{EmitStage, Jit, JitOptions, Program, ValidProgram, Vectors};

/// The widths of vectors, in bits.
const WIDTHS: [(u32, Vectors); 3] = [
    (128, Vectors::V128),
    (256, Vectors::V256),
    (512, Vectors::V512),
];

/// The lengths of the chains.
const CHAINS: [usize; 2] = [2, 6];

/// Components of a register.
const COMPONENTS: usize = 4;

/// JITs for all widths that this machine has, and what has been found out with them.
pub(crate) struct OfJit {
    jits: Vec<(u32, Jit)>,
    known: RefCell<HashMap<Opcode, Option<Cost>>>,
}

impl OfJit {
    pub(crate) fn new() -> OfJit {
        let jits = WIDTHS.into_iter().filter_map(|(bits, vectors)| {
            let options = JitOptions {
                vectors,
                ..JitOptions::default()
            };
            Some((bits, Jit::with_options(&options).ok()?))
        });
        OfJit {
            jits: jits.collect(),
            known: RefCell::default(),
        }
    }

    fn compute(&self, op: Opcode) -> Option<Cost> {
        let chains = CHAINS.map(|length| chain(op, length));
        let adds = CHAINS.map(|length| chain(Opcode::Add, length));
        let ([Some(short), Some(long)], [Some(one), Some(other)]) = (chains, adds) else {
            return None;
        };
        let steps = CHAINS[1] - CHAINS[0];
        let (_, first) = self.jits.first()?;
        let operations = grown(first, EmitStage::Ir, &short, &long)?;
        let widths = self.jits.iter().filter_map(|(bits, jit)| {
            let adds = grown(jit, EmitStage::Asm, &one, &other)?;
            let count = grown(jit, EmitStage::Asm, &short, &long)?;
            Some((*bits, (COMPONENTS * count).checked_div(adds)?))
        });
        Some(Cost {
            operations: operations / steps,
            instructions: widths.collect(),
        })
    }
}

impl Costs for OfJit {
    fn cost(&self, op: Opcode) -> Option<Cost> {
        let known = self.known.borrow().get(&op).cloned();
        known.unwrap_or_else(|| {
            let cost = self.compute(op);
            self.known.borrow_mut().insert(op, cost.clone());
            cost
        })
    }
}

/// A program that does nothing but the instruction, so many times, each with the result of the one before; `None` if
/// its operands are not all registers that are computed with.
fn chain(op: Opcode, length: usize) -> Option<ValidProgram> {
    let row = op.info();
    let is_value = |kind: &OperandKind| {
        matches!(
            kind,
            OperandKind::Float(_) | OperandKind::Int(_) | OperandKind::Double(_)
        )
    };
    if row.results.register.is_none() || op.operands().is_empty() || op.narrows() {
        return None;
    }
    if !op.operands().iter().all(is_value) {
        return None;
    }
    let operands = ["r0", "i1", "i2"];
    let operands = operands[..op.operands().len().min(3)].join(", ");
    let header = match row.profile {
        Profile::Base => "",
        Profile::Extended => ".extended\n",
    };
    let steps = format!("{op} r0, {operands}\n").repeat(length);
    let text = format!("{header}mov r0, i0\n{steps}mov o0, r0");
    Program::assemble(&text).ok()?.validate().ok()
}

/// How many lines of code the longer program has more.
fn grown(jit: &Jit, stage: EmitStage, short: &ValidProgram, long: &ValidProgram) -> Option<usize> {
    let lines = |program| {
        let text = jit.emit_text(program, stage).ok()?.text;
        Some(text.lines().filter(|line| is_code(line, stage)).count())
    };
    lines(long)?.checked_sub(lines(short)?)
}

fn is_code(line: &str, stage: EmitStage) -> bool {
    let line = line.trim();
    if stage != EmitStage::Ir {
        return !line.is_empty() && !line.ends_with(':');
    }
    // Loads and numbers are no work.
    line.split_once(" = ").is_some_and(|(_, operation)| {
        !operation.starts_with("load") && !operation.starts_with("const")
    })
}
