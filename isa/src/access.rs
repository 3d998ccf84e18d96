//! [`TextureAccess`]: the texture that an extended texture instruction reads.

use crate::inst_error::InstError;
use crate::opcode::{Opcode, Section, TextureOp};
use crate::operand::Component;
use crate::target::{TextureShape, TextureTarget};

/// The unit, the target and what else a texture instruction of the extended profile names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TextureAccess {
    /// The unit, to which a relative address is added.
    pub unit: u8,
    /// The kind of image. It is always named.
    pub target: TextureTarget,
    /// The component that TG4 gathers; x for others.
    pub gather: Component,
    /// XTEX: the level of detail is 0.
    pub level_zero: bool,
}

impl TextureAccess {
    /// The access to a unit as an image of a kind.
    pub const fn new(unit: u8, target: TextureTarget) -> TextureAccess {
        TextureAccess {
            unit,
            target,
            gather: Component::X,
            level_zero: false,
        }
    }

    /// Whether an opcode can read the target, and has what else is named.
    pub(crate) fn check(&self, op: Opcode) -> Result<(), InstError> {
        let target = self.target;
        let TextureTarget::Named { shape, shadow } = target else {
            return Err(InstError::Target { op, target });
        };
        let Section::Texture(kind) = op.section() else {
            return Err(InstError::Texture { op });
        };
        let fits = match kind {
            TextureOp::Xtex
            | TextureOp::Xtxb
            | TextureOp::Xtxl
            | TextureOp::Xtxd
            | TextureOp::Tg4
            | TextureOp::Lodq => shape.is_sampled() && !(shadow && shape == TextureShape::D3),
            TextureOp::Txf => !shadow,
            TextureOp::Txq => true,
            TextureOp::Txqs => matches!(shape, TextureShape::D2Ms | TextureShape::D2MsArray),
            TextureOp::Tex | TextureOp::Txb | TextureOp::Txl | TextureOp::Txp | TextureOp::Lda => {
                false
            }
        };
        let gathers = kind == TextureOp::Tg4 || self.gather == Component::X;
        let level = kind == TextureOp::Xtex || !self.level_zero;
        match (fits, gathers && level) {
            (true, true) => Ok(()),
            (true, false) => Err(InstError::Texture { op }),
            (false, _) => Err(InstError::Target { op, target }),
        }
    }
}
