//! [`Profile`]: which opcodes and how many registers a machine has.

use crate::opcode::Opcode;

/// A set of opcodes and registers that programs may use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Profile {
    /// The machine that the original documentation describes.
    #[default]
    Base,
}

impl Profile {
    /// Whether programs of this profile may use the opcode.
    pub const fn has(self, op: Opcode) -> bool {
        match (self, op.info().profile) {
            (Profile::Base, Profile::Base) => true,
        }
    }

    /// The opcodes, in the order of their codes.
    pub fn opcodes(self) -> impl Iterator<Item = Opcode> {
        Opcode::ALL.iter().copied().filter(move |&op| self.has(op))
    }

    /// Number of predicate registers.
    pub const fn predicates(self) -> u8 {
        match self {
            Profile::Base => 32,
        }
    }

    /// Number of texture units.
    pub const fn texture_units(self) -> u8 {
        match self {
            Profile::Base => 16,
        }
    }

    /// Number of vertex attributes.
    pub const fn attributes(self) -> u8 {
        match self {
            Profile::Base => 16,
        }
    }

    /// Instructions of the longest program: in the base profile, four times the instruction memory of
    /// the original.
    pub const fn instructions(self) -> usize {
        match self {
            Profile::Base => 8192,
        }
    }
}
