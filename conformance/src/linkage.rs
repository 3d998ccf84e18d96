//! Programs that are drawn together and the textures that they sample: one check for the tests of all languages.

use attila_shader::TextureUnit;
use attila_shader::front::back::{Language, Translation, UnitError};
use attila_shader::isa::{Component, Slots, Usage};
use attila_shader::texture::Textures;
use thiserror::Error;

/// The reason for which programs and textures cannot be drawn with.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Misfit {
    /// A varying that is read and not written.
    #[error(transparent)]
    Varying(#[from] LinkError),
    /// A texture unit without its image.
    #[error(transparent)]
    Unit(#[from] UnitError),
}

/// A varying that a fragment program reads, and that the program before it leaves open.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LinkError {
    /// Nothing is written to it.
    #[error("the fragment program reads {name}, to which nothing is written before")]
    NotWritten {
        /// Its name.
        name: String,
    },
    /// Some of its components are written.
    #[error("the fragment program reads {name}, of which .{missing} is not written before")]
    Partly {
        /// Its name.
        name: String,
        /// The letters of the components that are not written.
        missing: String,
    },
}

/// Programs that are drawn together. They share the registers of varyings.
pub(crate) struct Pair<'a, L: Language> {
    /// The fragment program.
    pub(crate) fragment: &'a Translation<L>,
    /// The registers of the program before it, and of the fragment program.
    pub(crate) usages: [&'a Usage; 2],
}

impl<L: Language> Pair<'_, L> {
    /// Checks that all varyings are written, and that all texture units are bound to images of the kinds that the
    /// text declares. `name` knows which inputs are varyings; `needs` says which components have to be written by
    /// those that are read and those that are written.
    ///
    /// # Errors
    ///
    /// The first varying or unit that is not.
    pub(crate) fn check(
        &self,
        name: impl Fn(L::Input) -> Option<String>,
        needs: impl Fn(L::Input, [Slots; 2]) -> Slots,
        textures: &Textures,
    ) -> Result<(), Misfit> {
        let [before, fragment] = self.usages;
        for &(input, register) in &self.fragment.inputs {
            let register = usize::from(register);
            let read = fragment.inputs[register];
            let written = before.outputs.get(register).copied();
            let written = written.unwrap_or(Slots::empty());
            let Some(name) = name(input).filter(|_| !read.is_empty()) else {
                continue;
            };
            varying(name, needs(input, [read, written]), written)?;
        }
        Ok(self.fragment.check_units(|unit| textures.kind(unit))?)
    }
}

fn varying(name: String, needed: Slots, written: Slots) -> Result<(), LinkError> {
    let missing = needed - written;
    if missing.is_empty() {
        return Ok(());
    }
    Err(match written.is_empty() {
        true => LinkError::NotWritten { name },
        false => LinkError::Partly {
            name,
            missing: missing.components().map(Component::letter).collect(),
        },
    })
}
