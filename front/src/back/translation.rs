//! Programs of a language as ATTILA programs.

use attila_isa::{Program, Stage, TextureShape};
use thiserror::Error;

use super::Language;

/// A program of a language as an ATTILA program, with the registers that carry what goes in and out.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Translation<L: Language> {
    /// The stage that it shades.
    pub stage: Stage,
    /// The instructions. Each knows its place in the text.
    pub program: Program,
    /// The constant registers and the parameters in them, ascending. Constants of the text that are
    /// read only in part share registers.
    pub params: Vec<(u32, L::Param)>,
    /// The input registers that are read, ascending.
    pub inputs: Vec<(L::Input, u8)>,
    /// The output registers that are written, ascending.
    pub outputs: Vec<(L::Output, u8)>,
    /// The textures that are sampled.
    pub textures: Vec<L::Texture>,
    /// Further facts about the text.
    pub details: L::Details,
}

impl<L: Language> Translation<L> {
    /// The constant registers and their values, where `value` knows the parameters: all but the
    /// constants of the text, which are known here.
    pub fn constants(
        &self,
        mut value: impl FnMut(L::Param) -> [f32; 4],
    ) -> impl Iterator<Item = (usize, [f32; 4])> {
        self.params.iter().map(move |&(register, param)| {
            let value = match L::bits(param) {
                Some(bits) => bits.map(f32::from_bits),
                None => value(param),
            };
            (register as usize, value)
        })
    }

    /// Checks that each texture unit is bound to an image of the kind that the text declares.
    ///
    /// # Errors
    ///
    /// The first unit that is not.
    pub fn check_units(&self, bound: impl Fn(u8) -> Option<TextureShape>) -> Result<(), UnitError> {
        self.textures.iter().try_for_each(|texture| {
            let unit = L::unit(*texture);
            check_unit(unit, L::image(*texture), bound(unit))
        })
    }
}

/// The reason for which a text cannot sample a texture unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum UnitError {
    /// Nothing is bound to it.
    #[error("the program samples texture unit {unit}, which is not bound")]
    Unbound {
        /// The unit.
        unit: u8,
    },
    /// An image of another kind is bound to it.
    #[error("the program samples {} in texture unit {unit}, which is bound to {}", .declared.noun(), .bound.noun())]
    Kind {
        /// The unit.
        unit: u8,
        /// The kind of image that the text declares.
        declared: TextureShape,
        /// The kind of image that is bound.
        bound: TextureShape,
    },
}

/// Checks that a texture unit is bound to an image of the kind `declared`.
///
/// # Errors
///
/// It is not.
pub fn check_unit(
    unit: u8,
    declared: TextureShape,
    bound: Option<TextureShape>,
) -> Result<(), UnitError> {
    match bound {
        None => Err(UnitError::Unbound { unit }),
        Some(bound) if declared.takes(bound) => Ok(()),
        Some(bound) => Err(UnitError::Kind {
            unit,
            declared,
            bound,
        }),
    }
}
