//! Makes a case smaller as long as it keeps differing.
//!
//! Small passes run to a fixpoint: each removes parts of a case or simplifies one of them, and
//! keeps what still differs. Every step makes the case smaller by some measure, so that the
//! passes come to an end. The largest steps come first.

use std::ops::Range;

use attila_shader::isa::{
    Component, Dst, DstReg, Imm, Inst, Modifiers, Opcode, Operand, ResultPath, Slots, Src, Swizzle,
};
use attila_shader::machine::{DEFAULT_FIXED_BITS, Fixed, KILL_ALL, QuadState};

use super::case::Case;
use attila_shader::Engine;

/// The most rounds of all passes. Usually a handful is enough; an engine that does not give the same
/// answer twice could ask for as many as a case has parts.
const ROUNDS: usize = 40;

/// Makes `case` as small as it gets while `differs` says yes. `case` itself must differ.
pub fn shrink(case: &Case, differs: &dyn Fn(&Case) -> bool) -> Case {
    let mut shrinker = Shrinker {
        case: case.clone(),
        differs,
    };
    for _ in 0..ROUNDS {
        let mut smaller = shrinker.remove_chunks(quad_count, without_quads);
        smaller |= shrinker.remove_chunks(inst_count, without_insts);
        smaller |= shrinker.start_later();
        smaller |= shrinker.redirect_jumps();
        smaller |= shrinker.simplify_insts();
        smaller |= shrinker.remove_chunks(constant_count, without_constants);
        smaller |= shrinker.remove_chunks(nonzero_count, with_zeros);
        smaller |= shrinker.remove_chunks(odd_count, with_ones);
        smaller |= shrinker.simplify_lanes();
        smaller |= shrinker.default_limits();
        if !smaller {
            break;
        }
    }
    shrinker.case
}

struct Shrinker<'a> {
    case: Case,
    differs: &'a dyn Fn(&Case) -> bool,
}

impl Shrinker<'_> {
    /// Keeps `candidate` if it differs.
    fn try_case(&mut self, candidate: Option<Case>) -> bool {
        match candidate {
            Some(candidate) if (self.differs)(&candidate) => {
                self.case = candidate;
                true
            }
            _ => false,
        }
    }

    /// Removes as many of the `count` parts of a case as it can, many at once where possible.
    fn remove_chunks(
        &mut self,
        count: fn(&Case) -> usize,
        without: fn(&Case, Range<usize>) -> Option<Case>,
    ) -> bool {
        let mut smaller = false;
        let mut size = count(&self.case);
        while size > 0 {
            let mut start = 0;
            while start < count(&self.case) {
                let end = (start + size).min(count(&self.case));
                if self.try_case(without(&self.case, start..end)) {
                    smaller = true;
                } else {
                    start += size;
                }
            }
            size /= 2;
        }
        smaller
    }

    /// Drops the first instruction and starts from the state that it leaves behind.
    fn start_later(&mut self) -> bool {
        let mut smaller = false;
        while self.case.insts().len() > 1 {
            let candidate = after_first(&self.case);
            if !self.try_case(candidate) {
                break;
            }
            smaller = true;
        }
        smaller
    }

    /// Drops an instruction and lets a jump lead elsewhere for that: where a lane went by way of
    /// several jumps, it may go by one. Only for programs that are short already.
    fn redirect_jumps(&mut self) -> bool {
        let mut smaller = false;
        let mut index = 0;
        while index < self.case.insts().len() && self.case.insts().len() <= REDIRECTED {
            let kept = redirected(self.case.insts(), index)
                .into_iter()
                .any(|insts| self.try_case(self.case.with_insts(insts)));
            smaller |= kept;
            if !kept {
                index += 1;
            }
        }
        smaller
    }

    fn simplify_insts(&mut self) -> bool {
        let mut smaller = false;
        let mut index = 0;
        while index < self.case.insts().len() {
            let variants = simpler(&self.case.insts()[index]);
            let kept = variants.into_iter().any(|inst| {
                let mut insts = self.case.insts().to_vec();
                insts[index] = inst;
                self.try_case(self.case.with_insts(insts))
            });
            smaller |= kept;
            if !kept {
                index += 1;
            }
        }
        smaller
    }

    /// Gives all lanes of all quads the values of the first lane, register by register.
    fn simplify_lanes(&mut self) -> bool {
        let mut smaller = false;
        for number in 0..wide_words(&mut self.case.quads[0].clone()).len() {
            let mut candidate = self.case.clone();
            for quad in &mut candidate.quads {
                let lanes = wide_words(quad).swap_remove(number);
                *lanes = [lanes[0]; 4];
            }
            // Never towards words that another pass would simplify again.
            if candidate != self.case && cost(&candidate) <= cost(&self.case) {
                smaller |= self.try_case(Some(candidate));
            }
        }
        smaller
    }

    fn default_limits(&mut self) -> bool {
        if self.case.fixed_bits == DEFAULT_FIXED_BITS {
            return false;
        }
        let candidate = Case {
            fixed_bits: DEFAULT_FIXED_BITS,
            ..self.case.clone()
        };
        self.try_case(Some(candidate))
    }
}

fn quad_count(case: &Case) -> usize {
    case.quads.len()
}

fn without_quads(case: &Case, range: Range<usize>) -> Option<Case> {
    let mut quads = case.quads.clone();
    quads.drain(range);
    (!quads.is_empty()).then(|| Case {
        quads,
        ..case.clone()
    })
}

fn inst_count(case: &Case) -> usize {
    case.insts().len()
}

fn without_insts(case: &Case, range: Range<usize>) -> Option<Case> {
    case.with_insts(without(case.insts(), range)?)
}

/// Jumps over the removed instructions are shortened; jumps to one of them lead to the next that
/// is left. If the end is removed, the last instruction that is left ends the program.
fn without(old: &[Inst], range: Range<usize>) -> Option<Vec<Inst>> {
    let moved = |target: i64| {
        let removed = (target - range.start as i64).clamp(0, range.len() as i64);
        target - removed
    };
    let mut insts = Vec::with_capacity(old.len() - range.len());
    for (index, inst) in old.iter().enumerate() {
        if range.contains(&index) {
            continue;
        }
        let mut inst = *inst;
        if let Operand::Offset(offset) = &mut inst.operands[1] {
            let target = index as i64 + i64::from(*offset);
            *offset = (moved(target) - moved(index as i64)) as i32;
        }
        insts.push(inst);
    }
    if range.end == old.len() {
        insts.last_mut()?.end = true;
    }
    Some(insts)
}

fn constant_count(case: &Case) -> usize {
    case.constants.len()
}

fn without_constants(case: &Case, range: Range<usize>) -> Option<Case> {
    let mut candidate = case.clone();
    let mut number = 0..;
    candidate
        .constants
        .retain(|_, _| !number.next().is_some_and(|n| range.contains(&n)));
    Some(candidate)
}

/// A word of the start and the simplest value that it may have other than 0.
type StartWord<'a> = (&'a mut u32, u32);

const ONE: u32 = 0x3f80_0000;

fn start_words(case: &mut Case) -> Vec<StartWord<'_>> {
    let mut words: Vec<StartWord<'_>> = Vec::new();
    for quad in &mut case.quads {
        let (io, regs) = (&mut quad.io, &mut quad.regs);
        let floats = io
            .inputs
            .iter_mut()
            .chain(&mut io.outputs)
            .chain(&mut regs.temps);
        words.extend(floats.flatten().flatten().map(|word| (word, ONE)));
        words.extend(io.depth.iter_mut().flatten().map(|word| (word, ONE)));
        words.extend(
            regs.addresses
                .iter_mut()
                .flatten()
                .flatten()
                .map(|word| (word, 1)),
        );
        words.extend(
            regs.predicates
                .iter_mut()
                .flatten()
                .map(|word| (word, u32::MAX)),
        );
        words.extend(regs.sample.iter_mut().map(|word| (word, 1)));
        words.extend(io.kill.iter_mut().map(|word| (word, KILL_ALL)));
    }
    let constants = case.constants.values_mut().flatten();
    words.extend(constants.map(|word| (word, ONE)));
    words
}

fn nonzero(case: &mut Case) -> Vec<StartWord<'_>> {
    let mut words = start_words(case);
    words.retain(|(word, _)| **word != 0);
    words
}

/// Words that are neither 0 nor simple.
fn odd(case: &mut Case) -> Vec<StartWord<'_>> {
    let mut words = nonzero(case);
    words.retain(|(word, simple)| **word != *simple);
    words
}

fn cost(case: &Case) -> usize {
    let case = &mut case.clone();
    nonzero(case).len() + odd(case).len()
}

fn nonzero_count(case: &Case) -> usize {
    let fixed = nonzero_fixed(&mut case.clone()).len();
    nonzero(&mut case.clone()).len() + fixed
}

/// Accumulators count behind the words.
fn with_zeros(case: &Case, range: Range<usize>) -> Option<Case> {
    let mut candidate = case.clone();
    let mut words = nonzero(&mut candidate);
    let count = words.len();
    for (word, _) in &mut words[range.start.min(count)..range.end.min(count)] {
        **word = 0;
    }
    let mut fixed = nonzero_fixed(&mut candidate);
    let from = range.start.max(count) - count;
    for value in &mut fixed[from..range.end.max(count) - count] {
        **value = Fixed::default();
    }
    Some(candidate)
}

fn nonzero_fixed(case: &mut Case) -> Vec<&mut Fixed> {
    let quads = case.quads.iter_mut();
    let all = quads.flat_map(|quad| quad.regs.accumulator.iter_mut().flatten());
    all.filter(|fixed| **fixed != Fixed::default()).collect()
}

fn odd_count(case: &Case) -> usize {
    odd(&mut case.clone()).len()
}

fn with_ones(case: &Case, range: Range<usize>) -> Option<Case> {
    let mut candidate = case.clone();
    for (word, simple) in &mut odd(&mut candidate)[range] {
        **word = *simple;
    }
    Some(candidate)
}

/// Every word of the start in all lanes.
fn wide_words(quad: &mut QuadState) -> Vec<&mut [u32; 4]> {
    let (io, regs) = (&mut quad.io, &mut quad.regs);
    let wide = io.inputs.iter_mut().chain(&mut io.outputs);
    let wide = wide.chain(&mut regs.temps).chain(&mut regs.addresses);
    let narrow = regs.predicates.iter_mut().chain(&mut io.depth);
    wide.flatten()
        .chain(narrow)
        .chain([&mut regs.sample, &mut io.kill])
        .collect()
}

/// The case without its first instruction, from the state that this leaves behind on the
/// interpreter. `None` if it ends lanes, jumps, or cannot run alone.
fn after_first(case: &Case) -> Option<Case> {
    let first = case.insts()[0];
    if first.end || first.jump_offset().is_some() {
        return None;
    }
    let alone = case.with_insts(vec![Inst { end: true, ..first }])?;
    let recorder = super::units::Recorder::default();
    let bindings = case.bindings();
    let bindings = bindings.with_textures(&recorder).with_attributes(&recorder);
    let interp = Engine::interp().prepare_stateful(&alone.program).ok()?;
    let mut quads = case.quads.clone();
    interp.run(&bindings, &mut quads).ok()?;
    let shorter = without_insts(case, 0..1)?;
    Some(Case { quads, ..shorter })
}

/// The longest program in which jumps are redirected.
const REDIRECTED: usize = 12;

/// The programs without instruction `index` in which one jump leads elsewhere.
fn redirected(insts: &[Inst], index: usize) -> Vec<Vec<Inst>> {
    let Some(shorter) = without(insts, index..index + 1) else {
        return Vec::new();
    };
    let jumps =
        (0..shorter.len()).filter(|&at| matches!(shorter[at].operands[1], Operand::Offset(_)));
    // Forwards only: a jump back could trade the difference for an endless loop.
    let targets = jumps.flat_map(|at| (at + 1..shorter.len()).map(move |target| (at, target)));
    let redirect = |(at, target): (usize, usize)| {
        let mut insts = shorter.clone();
        insts[at].operands[1] = Operand::Offset(target as i32 - at as i32);
        insts
    };
    targets.map(redirect).collect()
}

/// The instruction with one thing less each.
fn simpler(inst: &Inst) -> Vec<Inst> {
    let mut variants = Vec::new();
    let mut offer = |change: &dyn Fn(&mut Inst)| {
        let mut variant = *inst;
        change(&mut variant);
        if variant.relative.is_some() && !variant.has_constant() {
            variant.relative = None;
        }
        if variant != *inst {
            variants.push(variant);
        }
    };
    offer(&|inst| inst.guard = None);
    offer(&|inst| inst.path = ResultPath::Plain);
    offer(&|inst| inst.relative = None);
    offer(&|inst| inst.wait = false);
    offer(&|inst| inst.end = inst.end && inst.op == Opcode::End);
    if let Some(DstReg { reg, mask }) = inst.dst.reg {
        for c in mask.components().filter(|c| mask != Slots::only(*c)) {
            offer(&|inst| inst.dst = Dst::reg(reg, Slots::only(c)));
        }
    }
    for number in 0..inst.operands.len() {
        for operand in simpler_operand(inst.operands[number]) {
            offer(&|inst| inst.operands[number] = operand);
        }
    }
    variants
}

fn simpler_operand(operand: Operand) -> Vec<Operand> {
    match operand {
        Operand::Reg(src) => {
            let plain = Src::new(src.reg);
            let mut variants = vec![plain];
            variants.push(Src {
                modifiers: src.modifiers,
                ..plain
            });
            variants.push(Src {
                swizzle: src.swizzle,
                ..plain
            });
            // A broadcast is as simple as it gets where the identity will not do.
            if src.swizzle != Swizzle::IDENTITY && src.swizzle.as_broadcast().is_none() {
                variants.extend(Component::ALL.map(|c| Src {
                    swizzle: Swizzle::broadcast(c),
                    ..src
                }));
            }
            variants.into_iter().map(Operand::Reg).collect()
        }
        Operand::Imm(imm) => {
            let plain = Imm {
                modifiers: Modifiers::default(),
                ..imm
            };
            let simple = |bits| Operand::Imm(Imm { bits, ..imm });
            let mut variants = vec![Operand::Imm(plain)];
            if ![0, 1, ONE].contains(&imm.bits) {
                variants.extend([0, 1, ONE].map(simple));
            }
            variants
        }
        Operand::Unit { target, .. } => vec![Operand::Unit { unit: 0, target }],
        Operand::Attribute(_) => vec![Operand::Attribute(0)],
        Operand::Sample(_) => vec![Operand::Sample(0)],
        Operand::None | Operand::Bool(_) | Operand::Offset(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
