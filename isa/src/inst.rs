//! [`Inst`]: one decoded instruction, and what makes it well formed.

use crate::access::TextureAccess;
use crate::bank::{Bank, Reg};
use crate::inst_error::InstError;
use crate::opcode::{CtmModifier, OpFlags, Opcode, OperandKind, ResultPath};
use crate::operand::{
    BoolSrc, Dst, DstReg, Guard, Modifiers, Operand, RelAddr, ScratchArray, Slots, Src,
};
use crate::profile::Profile;
use crate::reads::Reads;
use crate::registers::{BUFFERS, STORAGE_BUFFERS, STREAMS};

/// One instruction. The fields are free; [`Inst::check`] says whether they fit the opcode, and a
/// [`Program`](crate::Program) holds only instructions that do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Inst {
    /// The operation.
    pub op: Opcode,
    /// The predicate that decides whether the instruction takes effect.
    pub guard: Option<Guard>,
    /// How the result is changed on its way.
    pub path: ResultPath,
    /// Products with a factor of +0 or -0 are +0, whatever the other factor is: extended profile,
    /// opcodes with [`OpFlags::PRODUCT`].
    pub zero_wins: bool,
    /// The destinations.
    pub dst: Dst,
    /// The operands, as many as the opcode has.
    pub operands: [Operand; 3],
    /// The address that every constant operand is relative to.
    pub relative: Option<RelAddr>,
    /// The texture that it reads, if it is one of the opcodes that [name a
    /// target](Opcode::names_target). The relative address, without an offset, is then added to the
    /// unit, and constants are absolute.
    pub texture: Option<TextureAccess>,
    /// The lane ends after this instruction.
    pub end: bool,
    /// Scheduling hint of ATTILA, without effect.
    pub wait: bool,
}

impl Inst {
    /// An instruction without guard, result and operands. END carries its end flag.
    pub const fn new(op: Opcode) -> Inst {
        Inst {
            op,
            guard: None,
            path: ResultPath::Plain,
            zero_wins: false,
            dst: Dst::NONE,
            operands: [Operand::None; 3],
            relative: None,
            texture: None,
            end: matches!(op, Opcode::End),
            wait: false,
        }
    }

    /// The components that are written: of the result register, of the accumulator, which has the same mask, or of memory.
    pub fn written(&self) -> Slots {
        let scratch = self.dst.scratch.map(|dst| dst.mask);
        let register = self.dst.reg.map(|dst| dst.mask);
        let memory = scratch.or(self.dst.storage);
        register.or(memory).unwrap_or(Slots::empty())
    }

    /// The source registers with the slots that are read of each; constants tested as truth
    /// values and operands that nobody reads are not among them.
    pub fn sources(&self) -> impl Iterator<Item = (Src, Slots)> {
        let kinds = self.op.operands().iter();
        let operands = kinds.zip(&self.operands).filter_map(|(kind, operand)| {
            let reads = kind.reads(self.written())?;
            let Operand::Reg(src) = operand else {
                return None;
            };
            Some((*src, reads))
        });
        let along_y = self
            .gradients()
            .map(|[_, y]| (y, Reads::XYZ.slots(Slots::empty())));
        operands.chain(along_y)
    }

    /// The derivatives along x and along y that a texture is sampled with.
    pub fn gradients(&self) -> Option<[Src; 2]> {
        let [_, OperandKind::Gradients, ..] = self.op.operands() else {
            return None;
        };
        let Operand::Reg(x) = self.operands[1] else {
            return None;
        };
        let reg = x.reg.next()?;
        Some([x, Src { reg, ..x }])
    }

    /// The address that every constant operand is relative to.
    pub fn constant_address(&self) -> Option<RelAddr> {
        self.relative.filter(|_| self.texture.is_none())
    }

    /// Whether operand `number`, from 0, is read without denormals: it is a float, and its instruction on a path that
    /// has none.
    pub fn flushes(&self, number: usize) -> bool {
        let kind = self.op.operands().get(number);
        self.path.flushes() && kind.is_some_and(|kind| kind.is_float())
    }

    /// Whether an operand is a constant register.
    pub fn has_constant(&self) -> bool {
        self.operands.iter().any(Operand::is_constant)
    }

    /// The jump distance, if this is a jump that can be taken: the end flag wins over it.
    pub fn jump_offset(&self) -> Option<i32> {
        let Operand::Offset(offset) = self.operands[1] else {
            return None;
        };
        (!self.end).then_some(offset)
    }

    /// Whether control never goes on to the next instruction: an end, or a jump that is
    /// always taken.
    pub fn never_falls_through(&self) -> bool {
        self.end || self.always_jumps()
    }

    /// Whether this is a jump that every lane takes.
    pub fn always_jumps(&self) -> bool {
        self.jump_offset().is_some()
            && self.guard.is_none()
            && self.operands[0] == Operand::Bool(BoolSrc::Literal(true))
    }

    /// Whether the fields fit the opcode, and the profile has all that they name.
    ///
    /// # Errors
    ///
    /// The first field that does not.
    pub fn check(&self, profile: Profile) -> Result<(), InstError> {
        let kinds = self.op.operands();
        for (index, operand) in self.operands.iter().enumerate() {
            self.check_operand(profile, index, kinds.get(index).copied(), operand)?;
        }
        let results = self.op.info().results;
        let fits = results.register.is_some() == self.dst.reg.is_some()
            && (results.also_predicate || results.predicate == self.dst.pred.is_some())
            && results.scratch == self.dst.scratch.is_some()
            && results.storage == self.dst.storage.is_some();
        let writable = |dst: DstReg| dst.reg.bank().is_writable();
        if !fits || !self.dst.reg.is_none_or(writable) {
            return Err(InstError::Result { op: self.op });
        }
        self.check_texture(profile)?;
        self.check_relative()?;
        self.check_scratch()?;
        self.check_pairs()?;
        self.check_modifiers()?;
        if self.op == Opcode::End && !self.end {
            return Err(InstError::EndFlag);
        }
        match profile {
            Profile::Base => self.check_base(),
            Profile::Extended => Ok(()),
        }
    }

    /// The smallest profile that has all that the instruction names, if its fields fit its opcode.
    pub fn profile(&self) -> Profile {
        if self.check(Profile::Base).is_ok() {
            Profile::Base
        } else {
            Profile::Extended
        }
    }

    /// The texture, if the opcode names a target.
    fn check_texture(&self, profile: Profile) -> Result<(), InstError> {
        let op = self.op;
        match (op.names_target(), &self.texture) {
            (false, None) => Ok(()),
            (true, Some(texture)) if texture.unit >= profile.texture_units() => {
                Err(InstError::Number {
                    what: "texture unit",
                    index: texture.unit,
                    last: profile.texture_units() - 1,
                })
            }
            (true, Some(texture)) => texture.check(op),
            (false, Some(_)) | (true, None) => Err(InstError::Texture { op }),
        }
    }

    /// The pairs of components that f64 are made of.
    pub(crate) fn check_pairs(&self) -> Result<(), InstError> {
        let op = self.op;
        for (index, kind) in op.operands().iter().enumerate() {
            if let (OperandKind::Double(_), Operand::Reg(src)) = (kind, &self.operands[index])
                && !src.swizzle.keeps_pairs()
            {
                let number = index + 1;
                return Err(InstError::Swizzle { op, number });
            }
        }
        let written = self.written();
        if op.info().results.is_double() && (written.is_empty() || !written.is_of_pairs()) {
            return Err(InstError::PairMask { op });
        }
        if op.narrows() && written.components().count() > 2 {
            return Err(InstError::NarrowMask { op });
        }
        Ok(())
    }

    /// The result paths and products that the extended profile adds.
    pub(crate) fn check_modifiers(&self) -> Result<(), InstError> {
        let refused = |suffix| {
            Err(InstError::Modifier {
                op: self.op,
                suffix,
            })
        };
        let is_float = self.op.info().results.is_float();
        if self.op.is_sample_query() && self.path != ResultPath::Plain {
            return refused(
                self.path
                    .modifier()
                    .map_or(self.path.suffix(), CtmModifier::suffix),
            );
        }
        match self.path {
            ResultPath::SaturateSigned if !is_float => return refused(self.path.suffix()),
            ResultPath::Ctm { modifier, .. } => {
                let is_computed = !self.op.has(OpFlags::CHOICE);
                if !is_float || modifier == CtmModifier::Raw && is_computed {
                    return refused(modifier.suffix());
                }
            }
            ResultPath::Plain | ResultPath::Saturate | ResultPath::SaturateSigned => {}
        }
        if self.zero_wins && !self.op.has(OpFlags::PRODUCT) {
            return refused("_z");
        }
        Ok(())
    }

    /// Whether there is nothing that the base profile does not have.
    fn check_base(&self) -> Result<(), InstError> {
        let extended = |what: &dyn std::fmt::Display| {
            let what = format!("`{what}`");
            Err(InstError::Profile { what })
        };
        if !Profile::Base.has(self.op) {
            return extended(&self.op);
        }
        if self.zero_wins {
            return extended(&"_z");
        }
        match self.path {
            ResultPath::Plain | ResultPath::Saturate => {}
            ResultPath::SaturateSigned => return extended(&self.path.suffix()),
            ResultPath::Ctm { modifier, .. } => return extended(&modifier.suffix()),
        }
        match self.registers().find(|reg| reg.profile() != Profile::Base) {
            Some(reg) => extended(&reg),
            None => Ok(()),
        }
    }

    /// The registers that it names, whether it reads and writes components of them or not: the
    /// destination, sources, the address.
    pub fn registers(&self) -> impl Iterator<Item = Reg> {
        let sources = self.operands.iter().filter_map(Operand::register);
        let along_y = self.gradients().map(|[_, y]| y.reg);
        let sources = sources.chain(along_y);
        let result = self.dst.reg.map(|dst| dst.reg);
        let address = self.relative.map(|relative| relative.reg);
        result.into_iter().chain(sources).chain(address)
    }

    fn check_operand(
        &self,
        profile: Profile,
        index: usize,
        kind: Option<OperandKind>,
        operand: &Operand,
    ) -> Result<(), InstError> {
        let number = |what, index, size| match index < size {
            true => Ok(()),
            false => Err(InstError::Number {
                what,
                index,
                last: size - 1,
            }),
        };
        let fits = match (kind, operand) {
            (kind, Operand::None) => kind.is_none_or(OperandKind::may_be_absent),
            (
                Some(OperandKind::Bool),
                Operand::Bool(BoolSrc::Literal(_) | BoolSrc::Pred { .. }),
            )
            | (Some(OperandKind::Sample), Operand::Sample(_))
            | (Some(OperandKind::Scratch), Operand::Scratch(_))
            | (Some(OperandKind::Number), Operand::Number(_))
            | (Some(OperandKind::Offset), Operand::Offset(_)) => true,
            (Some(OperandKind::Bool), Operand::Bool(BoolSrc::Constant { reg, .. })) => {
                reg.bank() == Bank::Constant
            }
            (Some(kind @ (OperandKind::Input | OperandKind::Index)), Operand::Reg(src)) => {
                takes_register(kind, src.reg) && src.modifiers == Modifiers::default()
            }
            (Some(kind), Operand::Reg(src)) => takes_register(kind, src.reg),
            (Some(OperandKind::Float(_) | OperandKind::Int(_)), Operand::Imm(_)) => {
                index == 1 && self.op.has(OpFlags::IMM)
            }
            (Some(OperandKind::Unit), Operand::Unit { unit, .. }) => {
                return number("texture unit", *unit, profile.texture_units());
            }
            (Some(OperandKind::Attribute), Operand::Attribute(n)) => {
                return number("attribute", *n, profile.attributes());
            }
            (Some(OperandKind::Stream), Operand::Stream(n)) => {
                return number("stream", *n, STREAMS);
            }
            (Some(OperandKind::Buffer), Operand::Buffer(n)) => {
                return number("buffer", *n, BUFFERS);
            }
            (Some(OperandKind::Storage), Operand::Storage(n)) => {
                return number("storage buffer", *n, STORAGE_BUFFERS);
            }
            (_, _) => false,
        };
        fits.then_some(()).ok_or(InstError::Operand {
            op: self.op,
            number: index + 1,
            kind,
        })
    }

    /// The word has the array where other instructions have the relative address.
    fn check_scratch(&self) -> Result<(), InstError> {
        let Some(ScratchArray { size, .. }) = self.scratch() else {
            return Ok(());
        };
        if self.relative.is_some() {
            return Err(InstError::NeverRelative { op: self.op });
        }
        if size > ScratchArray::MOST {
            return Err(InstError::ScratchSize { size });
        }
        Ok(())
    }

    fn check_relative(&self) -> Result<(), InstError> {
        let Some(relative) = self.relative else {
            return Ok(());
        };
        if relative.reg.bank() != Bank::Address || !RelAddr::OFFSETS.contains(&relative.offset) {
            return Err(InstError::Relative);
        }
        if self.op.is_sample_query() {
            return Err(InstError::NeverRelative { op: self.op });
        }
        if self.texture.is_some() {
            return match relative.offset {
                0 => Ok(()),
                _ => Err(InstError::Relative),
            };
        }
        if !self.has_constant() {
            return Err(InstError::NothingRelative);
        }
        Ok(())
    }
}

/// Whether a register may stand where `kind` is asked for.
fn takes_register(kind: OperandKind, reg: Reg) -> bool {
    if kind == OperandKind::Input {
        return reg.bank() == Bank::Input;
    }
    if kind == OperandKind::Gradients {
        return reg.bank() == Bank::Temp && reg.next().is_some();
    }
    (kind == OperandKind::Ignored || kind.value().is_some()) && reg.bank().is_readable()
}
