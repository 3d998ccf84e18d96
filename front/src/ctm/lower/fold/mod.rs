//! Multiplications that become modifiers of the results that they multiply.
//!
//! The second of these instructions is left out, and the first one writes its register with the modifier `_x2`:
//!
//! ```text
//! ex2_canon r0.w, i0.w
//! mad_canon o1.w, r0.w, c0.x, -c256.x          c0.x is 2
//! ```
//!
//! The result stays the same, bit for bit, where all of this holds:
//!
//! * **Factors.** A result is flushed before and after its product, and so is that of the multiplication.
//!   Between the two steps stands one more flush, which does nothing if both factors are at least 1, or both
//!   at most 1. With a factor above 1 after one below 1 it loses numbers (00800000 times 1/2 times 2), and
//!   with one below 1 after one above 1 an overflow comes back in one step. The factor of both steps has to
//!   be one that a modifier has.
//! * **NaN** is 7fffffff after the first step as after the second, whatever bits the product of it has.
//! * **Zeros.** A sum with +0 makes +0 of -0, and so does a product in which a zero wins. So either -0 is
//!   added and no zero wins, or the first instruction cannot give -0: EX2, RSQT and FRC.
//! * **Clamp.** The first result is not clamped. The second may be: the clamp comes last in both.
//! * **Uses.** The multiplication writes the same components as the first instruction, each from its own;
//!   no other instruction reads them before they are written again; and between the two instructions nothing
//!   reads or writes the register that the multiplication writes.

#[cfg(test)]
mod tests;

use attila_isa::{Bank, CtmModifier, Inst, Opcode, OperandValue, Reg, ResultPath, Slots, Src};

use super::{Code, reads};

/// The bits of -0.
const NEGATIVE_ZERO: u32 = 0x8000_0000;

/// Folds what can be folded. `constant` has the constants that are known. Returns how many instructions
/// were left out.
pub(super) fn fold(code: &mut Code, constant: &dyn Fn(u16) -> Option<[u32; 4]>) -> usize {
    let mut folded = 0;
    let mut at = 0;
    while at < code.insts.len() {
        let Some((first, inst)) = folded_at(&code.insts, at, constant) else {
            at += 1;
            continue;
        };
        code.insts[first] = inst;
        code.insts.remove(at);
        code.spans.remove(at);
        folded += 1;
    }
    folded
}

/// The instruction that does the work of the multiplication `at`, too, and its place.
fn folded_at(
    insts: &[Inst],
    at: usize,
    constant: &dyn Fn(u16) -> Option<[u32; 4]>,
) -> Option<(usize, Inst)> {
    let second = insts.get(at)?;
    let multiplication = Multiplication::of(second, constant)?;
    let dst = second.dst.reg?;
    let reg = multiplication.reg;
    let writes = |inst: &Inst, reg: Reg| {
        let written = inst.dst.reg.filter(|it| it.reg == reg);
        written.is_some_and(|it| it.mask.intersects(dst.mask))
    };
    let place = insts[..at].iter().rposition(|inst| writes(inst, reg))?;
    let first = &insts[place];
    let written = first.dst.reg?;
    if written.mask != dst.mask {
        return None;
    }
    let ResultPath::Ctm {
        modifier,
        saturate: false,
    } = first.path
    else {
        return None;
    };
    let modifier = both(modifier, multiplication.factor)?;
    let ResultPath::Ctm {
        modifier: own,
        saturate,
    } = second.path
    else {
        return None;
    };
    let modifier = both(modifier, own)?;
    if !multiplication.keeps_zeros && !never_negative_zero(first.op) {
        return None;
    }
    let between = &insts[place + 1..at];
    let is_used = |inst: &Inst, reg: Reg| reads(inst, reg).intersects(dst.mask);
    let is_free = between
        .iter()
        .all(|inst| !is_used(inst, reg) && !is_used(inst, dst.reg) && !writes(inst, dst.reg));
    if !is_free || dst.reg != reg && is_read(&insts[at + 1..], reg, dst.mask) {
        return None;
    }
    Some((
        place,
        Inst {
            path: ResultPath::Ctm { modifier, saturate },
            dst: second.dst,
            ..*first
        },
    ))
}

/// Whether components of a register are read before they are written.
fn is_read(insts: &[Inst], reg: Reg, components: Slots) -> bool {
    let mut live = components;
    for inst in insts {
        if reads(inst, reg).intersects(live) {
            return true;
        }
        if let Some(written) = inst.dst.reg.filter(|it| it.reg == reg) {
            live = live.difference(written.mask);
        }
    }
    false
}

/// Whether a result is neither -0 nor a negative number that becomes -0 when it is flushed or multiplied.
fn never_negative_zero(op: Opcode) -> bool {
    // RSQT of -0 is an infinity.
    matches!(op, Opcode::Ex2 | Opcode::Rsqt | Opcode::Frc)
}

/// The modifier that does what one does and then what another does; `None` if there is no such one, or if the
/// flush between them matters.
fn both(first: CtmModifier, second: CtmModifier) -> Option<CtmModifier> {
    let (first, second) = (first.factor()?, second.factor()?);
    let same_way = first >= 1.0 && second >= 1.0 || first <= 1.0 && second <= 1.0;
    same_way.then(|| modifier(first * second)).flatten()
}

/// The modifier with this factor.
fn modifier(factor: f32) -> Option<CtmModifier> {
    let mut all = CtmModifier::ALL.into_iter();
    all.find(|it| it.factor() == Some(factor))
}

/// A MAD that multiplies a register.
struct Multiplication {
    reg: Reg,
    /// The factor, as the modifier that has it.
    factor: CtmModifier,
    /// Whether -0 stays -0.
    keeps_zeros: bool,
}

impl Multiplication {
    fn of(inst: &Inst, constant: &dyn Fn(u16) -> Option<[u32; 4]>) -> Option<Multiplication> {
        if inst.op != Opcode::Mad {
            return None;
        }
        let written = inst.written();
        let sources = inst.operands.map(|operand| match operand.value() {
            Some(OperandValue::Reg(src)) => Some(src),
            Some(OperandValue::Imm(_) | OperandValue::Bool(_)) | None => None,
        });
        let [Some(a), Some(b), Some(c)] = sources else {
            return None;
        };
        let known = |src: Src| known(src, written, constant);
        let (value, factor) = match (known(a), known(b)) {
            (None, Some(factor)) => (a, factor),
            (Some(factor), None) => (b, factor),
            (None, None) | (Some(_), Some(_)) => return None,
        };
        let is_own = written
            .components()
            .all(|slot| value.swizzle.source(slot) == slot);
        let is_plain = !value.modifiers.negate && !value.modifiers.absolute;
        if value.reg.bank() != Bank::Temp || !is_own || !is_plain {
            return None;
        }
        let added = known(c).filter(|it| it & !NEGATIVE_ZERO == 0)?;
        Some(Multiplication {
            reg: value.reg,
            factor: modifier(f32::from_bits(factor))?,
            keeps_zeros: added == NEGATIVE_ZERO && !inst.zero_wins,
        })
    }
}

/// The bits of an operand, if it is a known constant with the same in all slots.
fn known(src: Src, slots: Slots, constant: &dyn Fn(u16) -> Option<[u32; 4]>) -> Option<u32> {
    if src.reg.bank() != Bank::Constant {
        return None;
    }
    let words = constant(src.reg.index() as u16)?;
    let mut words = slots.components().map(|slot| {
        let word = words[src.swizzle.source(slot).index()];
        src.modifiers.apply_float(word)
    });
    let first = words.next()?;
    words.all(|word| word == first).then_some(first)
}
