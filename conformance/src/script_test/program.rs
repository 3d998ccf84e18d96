//! Programs of tests, and whether those that are drawn with fit each other and the textures.

use attila_shader::front::back::{Language, Translation, UnitError};
use attila_shader::isa::{Component, Slots, Usage};
use attila_shader::texture::Textures;
use attila_shader::{Bindings, Engine, Shader, TextureUnit};
use thiserror::Error;

use super::error::RunError;

/// The reason for which programs and textures cannot be drawn with.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum Misfit {
    /// A varying to which nothing is written before the fragment program reads it.
    #[error("the fragment program reads {0}, to which nothing is written before")]
    NotWritten(String),
    /// A varying with the letters of the components that are read and not written.
    #[error("the fragment program reads {name}, of which .{missing} is not written before")]
    Partly { name: String, missing: String },
    /// A texture unit without its image.
    #[error(transparent)]
    Unit(#[from] UnitError),
}

/// A program of a test.
pub(super) struct Program<L: Language> {
    pub(super) translation: Translation<L>,
    pub(super) shader: Shader,
}

impl<L: Language> Program<L> {
    /// Prepares a program; `name` is that in messages.
    pub(super) fn new(
        translation: Translation<L>,
        name: &str,
        engine: &Engine,
    ) -> Result<Program<L>, RunError> {
        let program = || name.to_owned();
        let valid = translation.program.clone().validate();
        let valid = valid.map_err(|source| RunError::Invalid {
            program: program(),
            source,
        })?;
        let shader = engine.prepare(&valid);
        let shader = shader.map_err(|source| RunError::Prepare {
            program: program(),
            source,
        })?;
        Ok(Program {
            translation,
            shader,
        })
    }

    /// The registers that it reads and writes.
    pub(super) fn usage(&self) -> &Usage {
        self.shader.program().usage()
    }

    /// Its constants, with these values of parameters.
    pub(super) fn bindings(&self, value: impl FnMut(L::Param) -> [f32; 4]) -> Bindings<'static> {
        let mut bindings = Bindings::new();
        for (register, value) in self.translation.constants(value) {
            bindings.set_constant(register, value);
        }
        bindings
    }

    /// Checks that all varyings of this fragment program are written by the one before it, and that its texture units
    /// are bound to images of the kinds that the text declares. `name` knows which inputs are varyings; `needs` says
    /// which components have to be written by those that are read and those that are written.
    pub(super) fn check(
        &self,
        before: &Program<L>,
        name: impl Fn(L::Input) -> Option<String>,
        needs: impl Fn(L::Input, [Slots; 2]) -> Slots,
        textures: &Textures,
    ) -> Result<(), Misfit> {
        for &(input, register) in &self.translation.inputs {
            let register = usize::from(register);
            let read = self.usage().inputs[register];
            let written = before.usage().outputs.get(register).copied();
            let written = written.unwrap_or(Slots::empty());
            let Some(name) = name(input).filter(|_| !read.is_empty()) else {
                continue;
            };
            let missing = needs(input, [read, written]) - written;
            if !missing.is_empty() && written.is_empty() {
                return Err(Misfit::NotWritten(name));
            }
            if !missing.is_empty() {
                let missing = missing.components().map(Component::letter).collect();
                return Err(Misfit::Partly { name, missing });
            }
        }
        Ok(self.translation.check_units(|unit| textures.kind(unit))?)
    }
}
