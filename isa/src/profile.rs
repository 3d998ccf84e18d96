//! [`Profile`]: which opcodes and how many registers a machine has.

/// A set of opcodes and registers that programs may use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Profile {
    /// The machine that the original documentation describes.
    #[default]
    Base,
}
