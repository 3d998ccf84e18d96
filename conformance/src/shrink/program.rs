//! Passes for programs and what they run on.

use std::ops::Range;

use attila_shader::Engine;
use attila_shader::isa::{
    Component, Dst, DstReg, Imm, Inst, Modifiers, Opcode, Operand, Program, ResultPath, Slots, Src,
    Swizzle,
};
use attila_shader::machine::{LANES, StateWord};

use crate::case::Case;
use crate::recorder::Recorder;
use crate::subject::Pass;

const ONE: u32 = 0x3f80_0000;

/// All passes.
pub(crate) fn passes() -> Vec<Pass<Case>> {
    vec![
        Pass::parts(|case: &Case| case.quads.len(), without_quads),
        Pass::parts(|case: &Case| case.textures.len(), without_textures),
        Pass::plainer(sample_only),
        Pass::parts(|case: &Case| case.insts().len(), without_insts),
        Pass::plainer(start_later),
        Pass::plainer(redirect_jump),
        Pass::plainer(simplify_inst),
        Pass::plainer(same_in_all_lanes),
    ]
}

fn without_textures(case: &Case, range: Range<usize>) -> Option<Case> {
    let mut case = case.clone();
    case.textures.drain(range);
    Some(case)
}

/// Puts a sample of an image in place of a longer program.
fn sample_only(case: &Case, part: usize) -> Option<Vec<Case>> {
    let is_long = case.insts().len() > 1 && !case.textures.is_empty();
    (part == 0 && is_long).then(|| {
        let program = |op| Program::assemble(&format!("{op} o0, i0, t0 <- end")).ok();
        let programs = ["tex", "txl", "txb", "txp"].into_iter().filter_map(program);
        programs
            .filter_map(|program| case.with_insts(program.insts().to_vec()))
            .collect()
    })
}

/// Drops the first instruction and starts from the state that it leaves behind.
fn start_later(case: &Case, part: usize) -> Option<Vec<Case>> {
    (part == 0).then(|| after_first(case).into_iter().collect())
}

/// Drops an instruction and lets a jump lead elsewhere for that: where a lane went by way of
/// several jumps, it may go by one. Only for programs that are short already.
fn redirect_jump(case: &Case, index: usize) -> Option<Vec<Case>> {
    let insts = case.insts();
    (index < insts.len() && insts.len() <= REDIRECTED).then(|| {
        let redirected = redirected(insts, index).into_iter();
        redirected
            .filter_map(|insts| case.with_insts(insts))
            .collect()
    })
}

fn simplify_inst(case: &Case, index: usize) -> Option<Vec<Case>> {
    let variants = simpler(case.insts().get(index)?).into_iter();
    let with = |inst| {
        let mut insts = case.insts().to_vec();
        insts[index] = inst;
        case.with_insts(insts)
    };
    Some(variants.filter_map(with).collect())
}

/// Gives all lanes of all quads the value of the first lane in a word, unless it is 0: it stays as it is then.
fn same_in_all_lanes(case: &Case, number: usize) -> Option<Vec<Case>> {
    let word = StateWord::all().nth(number)?;
    let mut same = case.clone();
    for quad in &mut same.quads {
        let lanes = word.get(quad);
        word.set(quad, [lanes[0]; LANES]);
    }
    // Never towards words that another pass would take away again.
    let is_smaller = same != *case && nonzero(&same, word) <= nonzero(case, word);
    Some(Vec::from_iter(is_smaller.then_some(same)))
}

/// The lanes of a word that are not 0.
fn nonzero(case: &Case, word: StateWord) -> usize {
    let lanes = case.quads.iter().flat_map(|quad| word.get(quad));
    lanes.filter(|value| *value != 0).count()
}

fn without_quads(case: &Case, range: Range<usize>) -> Option<Case> {
    let mut quads = case.quads.clone();
    quads.drain(range);
    (!quads.is_empty()).then(|| Case {
        quads,
        ..case.clone()
    })
}

fn without_insts(case: &Case, range: Range<usize>) -> Option<Case> {
    case.with_insts(without(case.insts(), range)?)
}

/// Jumps over the removed instructions are shortened; jumps to one of them lead to the next that
/// is left. If the end is removed, the last instruction that is left ends the program.
pub(super) fn without(old: &[Inst], range: Range<usize>) -> Option<Vec<Inst>> {
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

/// The case without its first instruction, from the state that this leaves behind on the
/// interpreter. `None` if it ends lanes, jumps, or cannot run alone.
fn after_first(case: &Case) -> Option<Case> {
    let first = case.insts()[0];
    if first.end || first.jump_offset().is_some() {
        return None;
    }
    if !case.textures.is_empty() || first.op.writes_memory() {
        return None;
    }
    let alone = case.with_insts(vec![Inst { end: true, ..first }])?;
    let recorder = Recorder::default();
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
        Operand::Stream(_) => vec![Operand::Stream(0)],
        Operand::Sample(_) => vec![Operand::Sample(0)],
        Operand::Buffer(_) => vec![Operand::Buffer(0)],
        Operand::Storage(_) => vec![Operand::Storage(0)],
        Operand::Number(_) => vec![Operand::Number(0)],
        Operand::None | Operand::Bool(_) | Operand::Scratch(_) | Operand::Offset(_) => Vec::new(),
    }
}
