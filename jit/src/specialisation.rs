//! [`Specialisation`]: what code relies on.

use crate::constants::{KnownConstants, Sizes};
use crate::sampling::Sampling;

/// Facts about what a program is bound to, for which code is made. By default nothing is known.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Specialisation<'a> {
    /// How textures are sampled inline. The code calls for other samples.
    pub(crate) samplings: &'a [Sampling],
    /// The sizes of constants.
    pub(crate) constants: KnownConstants<'a>,
}

impl Specialisation<'_> {
    /// Whether code for it may differ from code that relies on nothing.
    pub(crate) fn tells_something(&self) -> bool {
        !self.samplings.is_empty() || self.constants.sizes() != Sizes::ANY
    }
}
