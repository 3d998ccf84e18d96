//! [`Profile`]: which opcodes and how many registers a machine has.

use crate::opcode::Opcode;

/// A set of opcodes and registers that programs may use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Profile {
    /// The machine that ATTILA's documentation describes.
    #[default]
    Base,
    /// The base profile with more opcodes and registers, for languages that need them. Its files
    /// have a header (machine.md 1.12).
    Extended,
}

impl Profile {
    /// Whether programs of this profile may use the opcode.
    pub const fn has(self, op: Opcode) -> bool {
        match (self, op.info().profile) {
            (Profile::Extended, _) | (Profile::Base, Profile::Base) => true,
            (Profile::Base, Profile::Extended) => false,
        }
    }

    /// The opcodes, in the order of their codes.
    pub fn opcodes(self) -> impl Iterator<Item = Opcode> {
        Opcode::ALL.iter().copied().filter(move |&op| self.has(op))
    }

    /// Number of predicate registers.
    pub const fn predicates(self) -> u8 {
        match self {
            Profile::Base | Profile::Extended => 32,
        }
    }

    /// Number of texture units.
    pub const fn texture_units(self) -> u8 {
        match self {
            Profile::Base => 16,
            Profile::Extended => 32,
        }
    }

    /// Number of vertex attributes.
    pub const fn attributes(self) -> u8 {
        match self {
            Profile::Base => 16,
            Profile::Extended => 64,
        }
    }

    /// Instructions of the longest program: in the base profile, four times the instruction memory of
    /// ATTILA.
    pub const fn instructions(self) -> usize {
        match self {
            Profile::Base => 8192,
            Profile::Extended => 65_536,
        }
    }

    /// The most scratch vectors that a program may have for each lane.
    pub const fn scratch(self) -> u32 {
        match self {
            Profile::Base => 0,
            Profile::Extended => 4096,
        }
    }
}
