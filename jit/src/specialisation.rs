//! [`Specialisation`]: what code relies on.

use attila_isa::{Usage, ValidProgram};
use attila_machine::{AttributeSource, Bindings, TextureUnit};

use crate::constants::{KnownConstants, Sizes, Terms};
use crate::sampling::Sampling;

/// Facts about what a program is bound to, for which code is made. By default nothing is known.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Specialisation<'a> {
    /// How textures are sampled inline. The code calls for other samples.
    pub(crate) samplings: &'a [Sampling],
    /// The sizes of constants.
    pub(crate) constants: KnownConstants<'a>,
    /// Whether the program asks texture units or attributes, and quads may ask in any order.
    pub(crate) any_order: bool,
}

impl<'a> Specialisation<'a> {
    /// The facts about a program's bindings; `terms` are the constants that matter.
    pub(crate) fn of(
        program: &ValidProgram,
        bindings: &Bindings<'_>,
        samplings: &'a [Sampling],
        terms: &'a Terms,
    ) -> Specialisation<'a> {
        Specialisation {
            samplings,
            constants: terms.bound(bindings),
            any_order: any_order(program.usage(), bindings),
        }
    }

    /// Whether code for it may differ from code that relies on nothing.
    pub(crate) fn tells_something(&self) -> bool {
        self.any_order || !self.samplings.is_empty() || self.constants.sizes() != Sizes::ANY
    }
}

/// Whether a program asks texture units, and whether attributes.
pub(crate) fn asks(usage: &Usage) -> [bool; 2] {
    let samples = usage.textures != 0 || usage.relative_textures;
    [samples, usage.attributes != 0]
}

/// Whether a program asks for something, and everything that it asks answers quads in any order.
fn any_order(usage: &Usage, bindings: &Bindings<'_>) -> bool {
    let [samples, fetches] = asks(usage);
    let units = bindings.textures().is_some_and(TextureUnit::in_any_order);
    // Without a source, all attributes are alike.
    let attributes = bindings
        .attributes()
        .is_none_or(AttributeSource::in_any_order);
    (samples || fetches) && (units || !samples) && (attributes || !fetches)
}
