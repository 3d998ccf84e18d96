//! Banks, and the registers in them.

use std::fmt;

use crate::profile::Profile;

/// A register file. The constants PARAM and PARAM2 of the word are one bank here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bank {
    /// `i0`-`i15`, extended `i0`-`i63`: inputs, read only.
    Input,
    /// `o0`-`o15`, extended `o0`-`o63`: outputs, write only.
    Output,
    /// `c0`-`c511`: constants, read only.
    Constant,
    /// `r0`-`r31`, extended `r0`-`r255`: temporaries.
    Temp,
    /// `a0`, `a1`, extended `a0`-`a3`: address registers, integers.
    Address,
}

impl Bank {
    /// All banks.
    pub const ALL: [Bank; 5] = [
        Bank::Input,
        Bank::Output,
        Bank::Constant,
        Bank::Temp,
        Bank::Address,
    ];

    /// Number of registers (machine.md 2.1).
    pub const fn size(self, profile: Profile) -> u16 {
        match (profile, self) {
            (Profile::Base, Bank::Input | Bank::Output) => 16,
            (Profile::Extended, Bank::Input | Bank::Output) => 64,
            (Profile::Base | Profile::Extended, Bank::Constant) => 512,
            (Profile::Base, Bank::Temp) => 32,
            (Profile::Extended, Bank::Temp) => 256,
            (Profile::Base, Bank::Address) => 2,
            (Profile::Extended, Bank::Address) => 4,
        }
    }

    /// The letter that names the bank in assembly.
    pub const fn letter(self) -> char {
        match self {
            Bank::Input => 'i',
            Bank::Output => 'o',
            Bank::Constant => 'c',
            Bank::Temp => 'r',
            Bank::Address => 'a',
        }
    }

    /// Whether an instruction may read the bank.
    pub const fn is_readable(self) -> bool {
        !matches!(self, Bank::Output)
    }

    /// Whether an instruction may write the bank.
    pub const fn is_writable(self) -> bool {
        matches!(self, Bank::Output | Bank::Temp | Bank::Address)
    }
}

/// A register of a bank. Its number is always within the bank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reg {
    bank: Bank,
    index: u16,
}

impl Reg {
    /// Register `index` of `bank` in the base profile; `None` if the bank is smaller.
    pub const fn new(bank: Bank, index: u16) -> Option<Reg> {
        Reg::within(Profile::Base, bank, index)
    }

    /// Register `index` of `bank` in a profile; `None` if the bank is smaller.
    pub const fn within(profile: Profile, bank: Bank, index: u16) -> Option<Reg> {
        if index < bank.size(profile) {
            Some(Reg { bank, index })
        } else {
            None
        }
    }

    /// The bank.
    pub const fn bank(self) -> Bank {
        self.bank
    }

    /// The smallest profile that has the register.
    pub const fn profile(self) -> Profile {
        if self.index < self.bank.size(Profile::Base) {
            Profile::Base
        } else {
            Profile::Extended
        }
    }

    /// The register after it in the largest profile; `None` after the last.
    pub const fn next(self) -> Option<Reg> {
        Reg::within(Profile::Extended, self.bank, self.index + 1)
    }

    /// The number within the bank.
    pub const fn index(self) -> usize {
        self.index as usize
    }
}

impl fmt::Display for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.bank.letter(), self.index)
    }
}

impl fmt::Debug for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A predicate register, p0-p31.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pred(u8);

impl Pred {
    /// Predicate register `index`; `None` if there are fewer. All profiles have the same.
    pub const fn new(index: u8) -> Option<Pred> {
        if index < Profile::Base.predicates() {
            Some(Pred(index))
        } else {
            None
        }
    }

    /// The register's number.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Pred {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_stay_within_their_bank() {
        assert!(Reg::new(Bank::Constant, 511).is_some());
        assert!(Reg::new(Bank::Constant, 512).is_none());
        assert!(Reg::new(Bank::Address, 2).is_none());
        let last = Reg::within(Profile::Extended, Bank::Address, 3).expect("a3 exists");
        assert_eq!((last.profile(), last.index()), (Profile::Extended, 3));
        assert!(Reg::within(Profile::Extended, Bank::Temp, 256).is_none());
        assert!(Pred::new(32).is_none());
    }
}
