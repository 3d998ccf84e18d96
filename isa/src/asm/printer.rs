//! Prints instructions and programs in their canonical spelling (isa.md).
//!
//! Printed text assembles to the same canonical words. Two spellings are our own, for words that
//! ATTILA's language cannot say. The mask `.none` writes nothing. A program in which nothing
//! carries an end flag prints `<- noend` on its last instruction, since the assembler would end the
//! program there. The instructions that move all bits of an operand, such as `min_raw r0, r1, r1`, have a comment.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter, Write};

use super::long::Long;
use super::samples::print_index;
use crate::bank::{Bank, Reg};
use crate::inst::Inst;
use crate::opcode::{CtmModifier, Opcode, OperandKind, ResultPath};
use crate::operand::{
    BoolSrc, DstReg, DstScratch, Imm, Modifiers, Operand, RelAddr, Slots, Src, Swizzle,
};
use crate::profile::Profile;
use crate::program::Program;
use crate::target::TextureTarget;

impl Display for Inst {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        print(self, None, f)
    }
}

/// One instruction per line. Raw moves have a comment that says so.
impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.listing().fmt(f)
    }
}

impl Program {
    /// A printout of the program; what it shows beside the instructions is for the caller to add.
    pub fn listing(&self) -> Listing<'_> {
        Listing {
            program: self,
            indices: false,
            words: false,
            labels: false,
            long: false,
        }
    }
}

/// A printout of a program, one instruction per line. With nothing or only labels added it can
/// be assembled again.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'a> {
    program: &'a Program,
    indices: bool,
    words: bool,
    labels: bool,
    long: bool,
}

impl Listing<'_> {
    /// Shows every instruction's index in front.
    #[must_use]
    pub fn with_indices(self) -> Self {
        Listing {
            indices: true,
            ..self
        }
    }

    /// Shows every instruction's canonical word in front: lower and upper half in hexadecimal.
    #[must_use]
    pub fn with_words(self) -> Self {
        Listing {
            words: true,
            ..self
        }
    }

    /// Names the targets of jumps, `L` and the instruction's index, instead of showing distances.
    #[must_use]
    pub fn with_labels(self) -> Self {
        Listing {
            labels: true,
            ..self
        }
    }

    /// Prints queries for samples in their long spelling, as far as that can say them.
    #[must_use]
    pub fn with_long_queries(self) -> Self {
        Listing { long: true, ..self }
    }

    /// The instruction `pc` alone, without what stands in front of it. `None` past the last.
    pub fn instruction(&self, pc: usize) -> Option<impl Display + use<>> {
        let inst = *self.program.insts().get(pc)?;
        let target = self.named_target(pc);
        Some(fmt::from_fn(move |f| print(&inst, target, f)))
    }

    /// The instructions that have labels.
    pub fn targets(&self) -> BTreeSet<usize> {
        let all = 0..self.program.insts().len();
        all.filter_map(|pc| self.named_target(pc)).collect()
    }

    /// Instruction `pc` in the long spelling, if it is to be in it. There the program's last instruction has its end
    /// flag from the assembler.
    fn long_query(&self, pc: usize) -> Option<Long<'_>> {
        if !self.long {
            return None;
        }
        let (before, rest) = self.program.insts().split_at(pc);
        let (inst, after) = rest.split_first()?;
        let is_implied = after.is_empty() && !before.iter().any(|inst| inst.end);
        let end = inst.end && !is_implied;
        let inst = Inst { end, ..*inst };
        Long::of(&inst, self.program.hints(pc))
    }

    /// The target of instruction `pc`, if it is to be named.
    fn named_target(&self, pc: usize) -> Option<usize> {
        self.labels.then(|| self.target(pc)).flatten()
    }

    /// Where instruction `pc` jumps to, if that is an instruction of the program.
    fn target(&self, pc: usize) -> Option<usize> {
        let Operand::Offset(offset) = self.program.insts()[pc].operands[1] else {
            return None;
        };
        let target = usize::try_from(pc as i64 + i64::from(offset)).ok()?;
        (target < self.program.insts().len()).then_some(target)
    }
}

impl Display for Listing<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let insts = self.program.insts();
        let labels = self.targets();
        let digits = insts.len().saturating_sub(1).to_string().len();
        let endless = !insts.iter().any(|inst| inst.end);
        print_header(self.program, f)?;
        for (pc, inst) in insts.iter().enumerate() {
            if labels.contains(&pc) {
                writeln!(f, "L{pc}:")?;
            }
            if self.indices {
                write!(f, "{pc:digits$}  ")?;
            }
            if self.words {
                // A program's instructions fit their opcodes.
                let (lo, hi) = inst.encode().map_or((0, 0), crate::Word::halves);
                write!(f, "{lo:016x} {hi:016x}  ")?;
            }
            let is_endless = endless && pc + 1 == insts.len();
            match self.long_query(pc).filter(|_| !is_endless) {
                Some(long) => long.fmt(f)?,
                None => print(inst, self.named_target(pc), f)?,
            }
            if is_endless {
                f.write_str(" <- noend")?;
            }
            if is_raw_move(inst) {
                f.write_str(" ; raw move")?;
            }
            f.write_char('\n')?;
        }
        Ok(())
    }
}

/// Whether an instruction moves the bits of its operand: it chooses one of two that are the same, and they stay
/// as they are. The third operand of CND and CMPGE does not matter then.
fn is_raw_move(inst: &Inst) -> bool {
    let [first, second, _] = inst.operands;
    inst.path.modifier() == Some(CtmModifier::Raw) && first == second
}

/// Prints the line that opens a text of the extended profile.
fn print_header(program: &Program, f: &mut Formatter<'_>) -> fmt::Result {
    match program.profile() {
        Profile::Base => return Ok(()),
        Profile::Extended => f.write_str(".extended")?,
    }
    if let Some(stage) = program.named_stage() {
        write!(f, " {stage}")?;
    }
    if program.scratch() > 0 {
        write!(f, " scratch {}", program.scratch())?;
    }
    f.write_char('\n')
}

/// Prints `inst`, as a jump to the label of instruction `target` if there is one.
fn print(inst: &Inst, target: Option<usize>, f: &mut Formatter<'_>) -> fmt::Result {
    if let Some(guard) = inst.guard {
        write!(f, "({}{}) ", not(guard.negate), guard.pred)?;
    }
    f.write_str(inst.op.mnemonic())?;
    print_query_suffixes(inst, f)?;
    let mut separator = " ";
    if let Some(DstReg { reg, mask }) = inst.dst.reg {
        let zero_wins = if inst.zero_wins { "_z" } else { "" };
        let modifier = inst.path.modifier().map_or("", CtmModifier::suffix);
        let suffix = inst.path.suffix();
        let gather = inst.texture.filter(|_| inst.op == Opcode::Tg4);
        let gather = fmt::from_fn(|f| match gather {
            Some(texture) => write!(f, ".{}", texture.gather.letter()),
            None => Ok(()),
        });
        write!(
            f,
            "{modifier}{zero_wins}{suffix}{gather}{separator}{reg}{}",
            Mask(mask)
        )?;
        separator = ", ";
    }
    if let Some(pred) = inst.dst.pred {
        let inverted = inst.path != ResultPath::Plain;
        write!(f, "{separator}{}{pred}", not(inverted))?;
        separator = ", ";
    }
    if inst.op.writes_memory() && inst.dst.reg.is_none() {
        f.write_str(std::mem::replace(&mut separator, ", "))?;
        print_memory(inst, f)?;
    }
    for (index, operand) in inst.operands.iter().enumerate() {
        let written = inst.dst.storage.is_some() && matches!(operand, Operand::Storage(_));
        if let Some(Operand::Scratch(array)) = inst.operands.get(index + 1) {
            write!(f, "{separator}{array}[")?;
            print_operand(inst, index, target, f)?;
            f.write_char(']')?;
            continue;
        }
        let silent = matches!(
            operand,
            Operand::None | Operand::Scratch(_) | Operand::Number(_)
        );
        if inst.op.operands().get(index) == Some(&OperandKind::Index) {
            print_index(inst, index, f)?;
        } else if !written && !silent {
            f.write_str(std::mem::replace(&mut separator, ", "))?;
            print_operand(inst, index, target, f)?;
        }
    }
    print_texture(inst, separator, f)?;
    if inst.end && inst.op != Opcode::End {
        f.write_str(" <- end")?;
    }
    if inst.wait {
        f.write_str(" <- wait")?;
    }
    Ok(())
}

/// The texture that is named with its target.
fn print_texture(inst: &Inst, separator: &str, f: &mut Formatter<'_>) -> fmt::Result {
    let Some(texture) = inst.texture else {
        return Ok(());
    };
    write!(f, "{separator}t{}", texture.unit)?;
    if let Some(address) = inst.relative {
        write!(f, "[{}.{}]", address.reg, address.component.letter())?;
    }
    write!(f, ".{}", texture.target)
}

/// Scratch vectors or words of a storage buffer that are written.
fn print_memory(inst: &Inst, f: &mut Formatter<'_>) -> fmt::Result {
    if let Some(DstScratch { array, mask }) = inst.dst.scratch {
        write!(f, "{array}{}", Mask(mask))?;
    }
    if let (Some(mask), Some(buffer)) = (inst.dst.storage, inst.storage()) {
        write!(f, "u{buffer}{}", Mask(mask))?;
    }
    Ok(())
}

/// `_lz` and `_o`.
fn print_query_suffixes(inst: &Inst, f: &mut Formatter<'_>) -> fmt::Result {
    if inst.texture.is_some_and(|texture| texture.level_zero) {
        f.write_str("_lz")?;
    }
    if inst.texture.is_some() && inst.operands[2] != Operand::None {
        f.write_str("_o")?;
    }
    Ok(())
}

pub(super) fn print_operand(
    inst: &Inst,
    index: usize,
    target: Option<usize>,
    f: &mut Formatter<'_>,
) -> fmt::Result {
    let kind = inst.op.operands().get(index).copied();
    let named = |reg| Named {
        reg,
        relative: inst.constant_address(),
    };
    match &inst.operands[index] {
        // An array is printed with its index.
        Operand::None | Operand::Scratch(_) | Operand::Number(_) => Ok(()),
        Operand::Reg(Src {
            reg,
            swizzle,
            modifiers,
        }) => modified(
            *modifiers,
            format_args!("{}{}", named(*reg), Selected(*swizzle)),
            f,
        ),
        Operand::Imm(Imm { bits, modifiers }) => {
            let integer = matches!(kind, Some(OperandKind::Int(_)));
            modified(
                *modifiers,
                format_args!(
                    "{}",
                    Literal {
                        bits: *bits,
                        integer
                    }
                ),
                f,
            )
        }
        Operand::Bool(BoolSrc::Literal(value)) => write!(f, "{value}"),
        Operand::Bool(BoolSrc::Pred { pred, negate }) => write!(f, "{}{pred}", not(*negate)),
        Operand::Bool(BoolSrc::Constant {
            reg,
            component,
            negate,
        }) => write!(f, "{}{}.{}", not(*negate), named(*reg), component.letter()),
        Operand::Unit { unit, target } => write_unit(*unit, *target, f),
        Operand::Attribute(number) => write!(f, "t{number}"),
        Operand::Stream(number) | Operand::Sample(number) => write!(f, "s{number}"),
        Operand::Buffer(number) => write!(f, "b{number}"),
        Operand::Storage(number) => write!(f, "u{number}"),
        Operand::Offset(offset) => match target {
            Some(target) => write!(f, "L{target}"),
            None => write!(f, "{offset}"),
        },
    }
}

fn write_unit(unit: u8, target: TextureTarget, f: &mut Formatter<'_>) -> fmt::Result {
    match target {
        TextureTarget::Bound => write!(f, "t{unit}"),
        TextureTarget::Named { .. } => write!(f, "t{unit}.{target}"),
    }
}

fn not(negate: bool) -> &'static str {
    if negate { "!" } else { "" }
}

fn modified(modifiers: Modifiers, value: fmt::Arguments<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let sign = if modifiers.negate { "-" } else { "" };
    let bar = if modifiers.absolute { "|" } else { "" };
    write!(f, "{sign}{bar}{value}{bar}")
}

/// A register, with the instruction's relative address if it is a constant.
struct Named {
    reg: Reg,
    relative: Option<RelAddr>,
}

impl Display for Named {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.reg.fmt(f)?;
        let Some(address) = self.relative.filter(|_| self.reg.bank() == Bank::Constant) else {
            return Ok(());
        };
        write!(f, "[{}.{}", address.reg, address.component.letter())?;
        match address.offset {
            0 => {}
            offset if offset < 0 => write!(f, " - {}", offset.unsigned_abs())?,
            offset => write!(f, " + {offset}")?,
        }
        f.write_char(']')
    }
}

/// A write mask with its dot; nothing for all components.
struct Mask(Slots);

impl Display for Mask {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_all() {
            return Ok(());
        }
        if self.0.is_empty() {
            return f.write_str(".none");
        }
        f.write_char('.')?;
        self.0
            .components()
            .try_for_each(|c| f.write_char(c.letter()))
    }
}

/// A swizzle with its dot; nothing for the identity, one letter for a broadcast.
struct Selected(Swizzle);

impl Display for Selected {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0 == Swizzle::IDENTITY {
            return Ok(());
        }
        f.write_char('.')?;
        if let Some(component) = self.0.as_broadcast() {
            return f.write_char(component.letter());
        }
        Slots::all()
            .components()
            .try_for_each(|slot| f.write_char(self.0.source(slot).letter()))
    }
}

/// The value of an immediate, without its modifiers.
struct Literal {
    bits: u32,
    integer: bool,
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let signed = self.bits >> 31 != 0;
        if self.integer && !signed {
            return write!(f, "{}", self.bits);
        }
        let value = f32::from_bits(self.bits);
        if self.integer || signed || !value.is_finite() {
            // A minus sign in front would be the operand's modifier, not part of the bits.
            return write!(f, "{:#010x}", self.bits);
        }
        f.write_str(&shortest(value))
    }
}

/// The fewest digits that read back as `value`, with an exponent where that is much shorter.
fn shortest(value: f32) -> String {
    let (plain, scientific) = (value.to_string(), format!("{value:e}"));
    if plain.len() <= scientific.len() + 3 {
        plain
    } else {
        scientific
    }
}

#[cfg(test)]
mod tests;
