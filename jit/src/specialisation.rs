//! [`Specialisation`]: what code relies on.

use attila_isa::ValidProgram;
use attila_machine::Bindings;

use crate::constants::{KnownConstants, Sizes, Terms};
use crate::sampling::{Sampling, known};

/// Facts about what a program is bound to, for which code is made. By default nothing is known.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Specialisation<'a> {
    /// How textures are sampled inline. The code calls for other samples.
    pub(crate) samplings: &'a [Sampling],
    /// The sizes of constants.
    pub(crate) constants: KnownConstants<'a>,
    /// Whether the texture units that the program asks are [`Textures`](attila_texture::Textures): in which order quads
    /// ask them makes no difference.
    pub(crate) units: bool,
}

impl<'a> Specialisation<'a> {
    /// The facts about a program's bindings; `terms` are the constants that matter.
    pub(crate) fn of(
        program: &ValidProgram,
        bindings: &Bindings<'_>,
        samplings: &'a [Sampling],
        terms: &'a Terms,
    ) -> Specialisation<'a> {
        let usage = program.usage();
        let asks = usage.textures != 0 || usage.relative_textures;
        Specialisation {
            samplings,
            constants: terms.bound(bindings),
            units: asks && known(bindings).is_some(),
        }
    }

    /// Whether code for it may differ from code that relies on nothing.
    pub(crate) fn tells_something(&self) -> bool {
        self.units || !self.samplings.is_empty() || self.constants.sizes() != Sizes::ANY
    }
}
