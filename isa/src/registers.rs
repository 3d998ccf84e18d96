//! Values by register: [`Inputs`], [`Outputs`], [`Temps`], and how many registers of each bank there
//! are.
//!
//! The counts are those of the extended profile, the largest. Records of quads that have only the
//! registers of the base profile name [`BASE_INPUTS`] and [`BASE_OUTPUTS`].

use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::bank::Bank;
use crate::profile::Profile;

/// Number of inputs.
pub const INPUTS: usize = Bank::Input.size(Profile::Extended) as usize;
/// Number of inputs in the base profile.
pub const BASE_INPUTS: usize = Bank::Input.size(Profile::Base) as usize;
/// Number of outputs.
pub const OUTPUTS: usize = Bank::Output.size(Profile::Extended) as usize;
/// Number of outputs in the base profile.
pub const BASE_OUTPUTS: usize = Bank::Output.size(Profile::Base) as usize;
/// Number of temporaries.
pub const TEMPS: usize = Bank::Temp.size(Profile::Extended) as usize;
/// Number of address registers.
pub const ADDRESSES: usize = Bank::Address.size(Profile::Extended) as usize;
/// Number of constants.
pub const CONSTANTS: usize = Bank::Constant.size(Profile::Extended) as usize;
/// Number of predicate registers.
pub const PREDICATES: u8 = Profile::Extended.predicates();
/// Number of texture units.
pub const TEXTURE_UNITS: u8 = Profile::Extended.texture_units();
/// Number of streams of emitted vertices.
pub const STREAMS: u8 = 4;
/// Number of constant buffers.
pub const BUFFERS: u8 = 32;
/// Number of storage buffers.
pub const STORAGE_BUFFERS: u8 = 32;
/// The input that has a vertex's number in x, unless the vertices have an attribute of that number
/// (stages.md 3).
pub const VERTEX_ID: usize = 63;
/// The same for the number of an instance.
pub const INSTANCE_ID: usize = 62;
/// The same for a vertex's number less that of the draw's first, which is 0.
pub const VERTEX_ID_NO_BASE: usize = 61;
/// The first of the inputs that vertices have without a buffer.
pub const FIRST_SYSTEM_VALUE: usize = 58;
/// The input that has a triangle's number in x, unless the draw says otherwise.
pub const PRIMITIVE_ID: usize = 55;
/// Number of vertex attributes.
pub const ATTRIBUTES: u8 = Profile::Extended.attributes();

macro_rules! by_register {
    ($($(#[doc = $doc:literal])+ $Name:ident, $COUNT:ident;)+) => {
        $($(#[doc = $doc])+
        ///
        /// It is a slice in which a register's number is its index; `get` and `get_mut` take numbers
        /// from outside.
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct $Name<T, const COUNT: usize = $COUNT>([T; COUNT]);

        impl<T, const COUNT: usize> $Name<T, COUNT> {
            /// The value that `f` gives for each register.
            #[inline]
            pub fn from_fn(f: impl FnMut(usize) -> T) -> Self {
                $Name(std::array::from_fn(f))
            }

            /// The values that `f` gives for these.
            #[inline]
            pub fn map<U>(self, f: impl FnMut(T) -> U) -> $Name<U, COUNT> {
                $Name(self.0.map(f))
            }
        }

        impl<T: Copy, const COUNT: usize> $Name<T, COUNT> {
            /// The same value for all registers.
            #[inline]
            pub const fn all(value: T) -> Self {
                $Name([value; COUNT])
            }

            /// Sets the value of a register; `false` if there is no such register.
            #[inline]
            #[must_use]
            pub const fn set(&mut self, register: usize, value: T) -> bool {
                let exists = register < self.0.len();
                if exists {
                    self.0[register] = value;
                }
                exists
            }
        }

        impl<T: Default, const COUNT: usize> Default for $Name<T, COUNT> {
            #[inline]
            fn default() -> Self {
                $Name::from_fn(|_| T::default())
            }
        }

        impl<T, const COUNT: usize> Deref for $Name<T, COUNT> {
            type Target = [T];

            #[inline(always)]
            fn deref(&self) -> &[T] {
                &self.0
            }
        }

        impl<T, const COUNT: usize> DerefMut for $Name<T, COUNT> {
            #[inline(always)]
            fn deref_mut(&mut self) -> &mut [T] {
                &mut self.0
            }
        }

        impl<T: fmt::Debug, const COUNT: usize> fmt::Debug for $Name<T, COUNT> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl<'a, T, const COUNT: usize> IntoIterator for &'a $Name<T, COUNT> {
            type Item = &'a T;
            type IntoIter = std::slice::Iter<'a, T>;

            #[inline]
            fn into_iter(self) -> Self::IntoIter {
                self.0.iter()
            }
        }

        impl<'a, T, const COUNT: usize> IntoIterator for &'a mut $Name<T, COUNT> {
            type Item = &'a mut T;
            type IntoIter = std::slice::IterMut<'a, T>;

            #[inline]
            fn into_iter(self) -> Self::IntoIter {
                self.0.iter_mut()
            }
        })+
    };
}

by_register! {
    /// A value for each input.
    Inputs, INPUTS;
    /// A value for each output.
    Outputs, OUTPUTS;
    /// A value for each temporary.
    Temps, TEMPS;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_register() {
        let mut inputs: Inputs<usize> = Inputs::from_fn(|register| 2 * register);
        assert_eq!(inputs.len(), INPUTS);
        assert_eq!(inputs.get(3), Some(&6));
        assert_eq!(inputs.get(INPUTS), None);
        assert!(inputs.set(3, 6) && !inputs.set(INPUTS, 6));
        for value in &mut inputs {
            *value += 1;
        }
        assert_eq!(inputs[INPUTS - 1], 2 * INPUTS - 1);
        assert!(inputs.map(|value| value % 2).iter().all(|&odd| odd == 1));
        assert_eq!(Outputs::<u8>::default(), Outputs::all(0));
        assert_eq!(Outputs::<u8, BASE_OUTPUTS>::all(0).len(), 16);
    }
}
