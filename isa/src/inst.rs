//! [`Inst`]: one decoded instruction, and what makes it well formed.

use thiserror::Error;

use crate::access::TextureAccess;
use crate::bank::{Bank, Reg};
use crate::opcode::{OpFlags, Opcode, OperandKind, Reads, ResultPath};
use crate::operand::{BoolSrc, Dst, DstReg, Guard, Operand, RelAddr, Slots, Src};
use crate::profile::Profile;
use crate::registers::STREAMS;
use crate::target::TextureTarget;

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
    /// Scheduling hint of the original hardware, without effect.
    pub wait: bool,
}

/// Why an instruction does not fit its opcode.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum InstError {
    /// An operand is missing, too many, or of a wrong kind.
    #[error("operand {number} of `{op}` is not {}", expected(*kind))]
    Operand {
        /// The opcode.
        op: Opcode,
        /// The operand's number, from 1.
        number: usize,
        /// The kind required there; `None` if no operand may stand there.
        kind: Option<OperandKind>,
    },
    /// The result is of a wrong kind.
    #[error("`{op}` does not write there")]
    Result {
        /// The opcode.
        op: Opcode,
    },
    /// A texture unit or attribute that does not exist.
    #[error("{what} {index} does not exist; the last is {last}")]
    Number {
        /// "texture unit" or "attribute".
        what: &'static str,
        /// The number given.
        index: u8,
        /// The last number that exists.
        last: u8,
    },
    /// A relative address whose register is not an address register or whose offset is too large.
    #[error("a relative address needs an address register and an offset from -256 to 255")]
    Relative,
    /// A relative address, but no constant to use it.
    #[error("a relative address needs a constant operand")]
    NothingRelative,
    /// END without the end flag.
    #[error("`end` without its end flag")]
    EndFlag,
    /// An opcode, a register or a modifier that only the extended profile has.
    #[error("{what} needs the extended profile")]
    Profile {
        /// The part of the instruction, as it is written in assembly.
        what: String,
    },
    /// A texture where none can be named, or none where one has to be.
    #[error("`{op}` and its texture do not fit each other")]
    Texture {
        /// The opcode.
        op: Opcode,
    },
    /// A texture target that the opcode cannot read.
    #[error("`{op}` cannot read a texture of the kind {target}")]
    Target {
        /// The opcode.
        op: Opcode,
        /// The target.
        target: TextureTarget,
    },
    /// A modifier of the extended profile where it has no meaning.
    #[error("`{suffix}` does not apply to `{op}`")]
    Modifier {
        /// The opcode.
        op: Opcode,
        /// The modifier's suffix.
        suffix: &'static str,
    },
}

/// The operand that `kind` asks for, in words.
fn expected(kind: Option<OperandKind>) -> &'static str {
    match kind {
        None => "absent",
        Some(OperandKind::Float(_) | OperandKind::Int(_) | OperandKind::Raw(_)) => {
            "a source register or an allowed immediate"
        }
        Some(OperandKind::Absent) => "absent",
        Some(OperandKind::Gradients) => "a temporary with one after it",
        Some(OperandKind::Ignored | OperandKind::OptionalFloat(_) | OperandKind::Texels) => {
            "a source register or absent"
        }
        Some(OperandKind::Bool) => "a predicate, a constant or a literal truth value",
        Some(OperandKind::Unit) => "a texture unit",
        Some(OperandKind::Attribute) => "an attribute",
        Some(OperandKind::Stream) => "a stream",
        Some(OperandKind::Sample) => "a sample number",
        Some(OperandKind::Offset) => "a jump offset",
    }
}

/// Whether nothing may stand where `kind` is asked for.
fn may_be_absent(kind: Option<OperandKind>) -> bool {
    match kind {
        None
        | Some(
            OperandKind::Ignored
            | OperandKind::Absent
            | OperandKind::OptionalFloat(_)
            | OperandKind::Texels,
        ) => true,
        Some(
            OperandKind::Float(_)
            | OperandKind::Int(_)
            | OperandKind::Raw(_)
            | OperandKind::Gradients
            | OperandKind::Bool
            | OperandKind::Unit
            | OperandKind::Attribute
            | OperandKind::Stream
            | OperandKind::Sample
            | OperandKind::Offset,
        ) => false,
    }
}

/// Whether a register may stand where `kind` is asked for.
fn takes_register(kind: OperandKind, reg: Reg) -> bool {
    match kind {
        OperandKind::Float(_)
        | OperandKind::Int(_)
        | OperandKind::Raw(_)
        | OperandKind::OptionalFloat(_)
        | OperandKind::Texels
        | OperandKind::Ignored => reg.bank().is_readable(),
        OperandKind::Gradients => reg.bank() == Bank::Temp && reg.next().is_some(),
        OperandKind::Absent
        | OperandKind::Bool
        | OperandKind::Unit
        | OperandKind::Attribute
        | OperandKind::Stream
        | OperandKind::Sample
        | OperandKind::Offset => false,
    }
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

    /// The components that are written to the result register or, masked like it, the accumulator.
    pub fn written(&self) -> Slots {
        self.dst.reg.map_or(Slots::empty(), |dst| dst.mask)
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

    /// The texture unit that it samples; the first of several if its address is relative.
    pub fn texture_unit(&self) -> Option<u8> {
        if let Some(texture) = self.texture {
            return Some(texture.unit);
        }
        self.operands.iter().find_map(|operand| match operand {
            Operand::Unit { unit, .. } => Some(*unit),
            Operand::None
            | Operand::Reg(_)
            | Operand::Imm(_)
            | Operand::Bool(_)
            | Operand::Attribute(_)
            | Operand::Stream(_)
            | Operand::Sample(_)
            | Operand::Offset(_) => None,
        })
    }

    /// The vertex attribute that it fetches.
    pub fn attribute(&self) -> Option<u8> {
        self.operands.iter().find_map(|operand| match operand {
            Operand::Attribute(attribute) => Some(*attribute),
            Operand::None
            | Operand::Reg(_)
            | Operand::Imm(_)
            | Operand::Bool(_)
            | Operand::Unit { .. }
            | Operand::Stream(_)
            | Operand::Sample(_)
            | Operand::Offset(_) => None,
        })
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
            && results.predicate == self.dst.pred.is_some();
        let writable = |dst: DstReg| dst.reg.bank().is_writable();
        if !fits || !self.dst.reg.is_none_or(writable) {
            return Err(InstError::Result { op: self.op });
        }
        self.check_texture(profile)?;
        self.check_relative()?;
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

    /// The result paths and products that the extended profile adds.
    pub(crate) fn check_modifiers(&self) -> Result<(), InstError> {
        let refused = |suffix| {
            Err(InstError::Modifier {
                op: self.op,
                suffix,
            })
        };
        let signed = self.path == ResultPath::SaturateSigned;
        if signed && !self.op.info().results.is_float() {
            return refused(self.path.suffix());
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
        }
        match self.registers().find(|reg| reg.profile() != Profile::Base) {
            Some(reg) => extended(&reg),
            None => Ok(()),
        }
    }

    /// The registers that it names, whether it reads and writes components of them or not: the
    /// destination, sources, the address.
    pub fn registers(&self) -> impl Iterator<Item = Reg> {
        let sources = self.operands.iter().filter_map(|operand| match operand {
            Operand::Reg(src) => Some(src.reg),
            Operand::Bool(BoolSrc::Constant { reg, .. }) => Some(*reg),
            Operand::Bool(BoolSrc::Literal(_) | BoolSrc::Pred { .. })
            | Operand::None
            | Operand::Imm(_)
            | Operand::Unit { .. }
            | Operand::Attribute(_)
            | Operand::Stream(_)
            | Operand::Sample(_)
            | Operand::Offset(_) => None,
        });
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
            (kind, Operand::None) => may_be_absent(kind),
            (
                Some(OperandKind::Bool),
                Operand::Bool(BoolSrc::Literal(_) | BoolSrc::Pred { .. }),
            )
            | (Some(OperandKind::Sample), Operand::Sample(_))
            | (Some(OperandKind::Offset), Operand::Offset(_)) => true,
            (Some(OperandKind::Bool), Operand::Bool(BoolSrc::Constant { reg, .. })) => {
                reg.bank() == Bank::Constant
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
            (_, _) => false,
        };
        match fits {
            true => Ok(()),
            false => Err(InstError::Operand {
                op: self.op,
                number: index + 1,
                kind,
            }),
        }
    }

    fn check_relative(&self) -> Result<(), InstError> {
        let Some(relative) = self.relative else {
            return Ok(());
        };
        if relative.reg.bank() != Bank::Address || !RelAddr::OFFSETS.contains(&relative.offset) {
            return Err(InstError::Relative);
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
