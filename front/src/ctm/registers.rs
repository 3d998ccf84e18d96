//! Which of ATTILA's registers a translation uses.
//!
//! Registers of the text keep their numbers. The translation has those after them: a constant with the numbers
//! 0, 1, 2 and 0.5, and temporaries. The first temporary has sums and differences, r, g and b of one and a of
//! another. The others have copies, and operands that come from several registers.

use attila_isa::{Bank, Component, Profile, Reg};

use super::program::{File, Register, Select};

/// The constant with the numbers.
pub(super) const NUMBERS: u16 = File::Constant.size();

/// The numbers in it.
pub(super) const NUMBER_BITS: [u32; 4] = [
    0.0f32.to_bits(),
    1.0f32.to_bits(),
    2.0f32.to_bits(),
    0.5f32.to_bits(),
];

/// The component of the constant that is 2.
pub(super) const TWO: Component = Component::Z;

/// Temporary `number` of the translation's.
pub(super) fn own(number: u16) -> Reg {
    temporary(File::Temporary.size() + number)
}

/// The temporary with sums and differences.
pub(super) fn presubtracted() -> Reg {
    own(0)
}

fn temporary(number: u16) -> Reg {
    Reg::within(Profile::Base, Bank::Temp, number).expect("there are 32 temporaries")
}

/// The register of the constant with the numbers.
pub(super) fn numbers() -> Reg {
    Reg::within(Profile::Base, Bank::Constant, NUMBERS).expect("there are 512 constants")
}

/// The component of the constant that a selector names; `None` if it does not name a number.
pub(super) const fn number(select: Select) -> Option<Component> {
    match select {
        Select::Component(_) => None,
        Select::Zero => Some(Component::X),
        Select::One => Some(Component::Y),
        Select::Half => Some(Component::W),
    }
}

/// The register of a register of the text.
pub(super) fn register(register: Register) -> Reg {
    let bank = match register.file {
        File::Temporary => Bank::Temp,
        File::Constant => Bank::Constant,
        File::Input => Bank::Input,
        File::Output => Bank::Output,
    };
    Reg::new(bank, register.number).expect("ATTILA has all registers of the language")
}
