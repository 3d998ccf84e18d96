//! [`ByName`]: settings of registers by the names that the text of a program has for them.

use std::fmt;
use std::str::FromStr;

use attila_shader::front::Listing;
use attila_shader::isa::{Bank, Profile, Reg};
use thiserror::Error;

use crate::setting::RegisterError;

/// The names that a translated text has for its inputs and parameters, with their registers: `fc1` and `c1`,
/// `program.local[0]` and `c3`; and those that it declares itself, such as `tint`. Constants of the text have no
/// register. Assembly has no names.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Names(Vec<(String, Option<Reg>)>);

/// Why a name is none.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NameError {
    /// There is no such register, and no name in assembly, or the values are not its own.
    #[error(transparent)]
    Register(#[from] RegisterError),
    /// The text does not read anything of that name.
    #[error("the program does not read `{name}`; it reads {}", known.join(", "))]
    NotRead {
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// The name is one for a constant.
    #[error("`{0}` is a constant of the text, which cannot be set")]
    Constant(String),
    /// The register's values are not right.
    #[error("{0}")]
    Value(String),
}

impl Names {
    /// Those of a translation.
    pub fn of(listing: &Listing) -> Names {
        let register = |bank, number| Reg::within(Profile::Extended, bank, number);
        let inputs = listing.inputs.iter().filter_map(|input| {
            let register = register(Bank::Input, input.register.into())?;
            Some((input.name.clone(), Some(register)))
        });
        let constants = listing.constants.iter().filter_map(|constant| {
            let register = register(Bank::Constant, constant.register.try_into().ok()?)?;
            Some((constant.name.clone()?, Some(register)))
        });
        let declared = listing.declared.iter();
        let declared = declared.map(|declared| (declared.name.clone(), declared.register));
        Names(inputs.chain(constants).chain(declared).collect())
    }

    /// The names, with their registers.
    pub fn registers(&self) -> impl Iterator<Item = (&str, Reg)> {
        let names = self.0.iter();
        names.filter_map(|(name, register)| Some((name.as_str(), (*register)?)))
    }

    /// The register with a name, or of that name.
    ///
    /// # Errors
    ///
    /// There is no such name or register, or it is one for a constant.
    pub fn register(&self, name: &str) -> Result<Reg, NameError> {
        let written = self.written(name)?;
        let register = parse_register(&written);
        register.ok_or_else(|| RegisterError::Register(name.to_owned()).into())
    }

    /// The register with a name, or of that name, as texts write it. After the name of an input there may be a lane.
    ///
    /// # Errors
    ///
    /// There is no such name, or it is one for a constant.
    pub fn written(&self, name: &str) -> Result<String, NameError> {
        if is_register(name) {
            return Ok(name.to_owned());
        }
        let find = |name: &str| self.0.iter().find(|(known, _)| known == name);
        if let Some((_, register)) = find(name) {
            let register = register.map(|register| register.to_string());
            return register.ok_or_else(|| NameError::Constant(name.to_owned()));
        }
        if let Some((name, lane)) = name.rsplit_once('[')
            && let Some((_, Some(register))) = find(name)
        {
            return Ok(format!("{register}[{lane}"));
        }
        let name = name.to_owned();
        let read = self.0.iter().filter(|(_, register)| register.is_some());
        let known: Vec<String> = read.map(|(name, _)| format!("`{name}`")).collect();
        Err(match known[..] {
            [] => NameError::Register(RegisterError::Register(name)),
            [..] => NameError::NotRead { name, known },
        })
    }
}

/// Whether a name is one of a register, perhaps with a lane: these are never looked up.
fn is_register(name: &str) -> bool {
    let (register, _) = name.split_once('[').unwrap_or((name, ""));
    let number = register.trim_start_matches(|c: char| "iorcap".contains(c.to_ascii_lowercase()));
    register.len() == number.len() + 1 && number.bytes().all(|it| it.is_ascii_digit())
}

/// The register that a text such as `c3` is.
fn parse_register(text: &str) -> Option<Reg> {
    let (letter, digits) = text.split_at_checked(1)?;
    let letter = letter.to_ascii_lowercase();
    let bank = Bank::ALL
        .into_iter()
        .find(|bank| letter.starts_with(bank.letter()))?;
    let is_number = digits.bytes().all(|it| it.is_ascii_digit());
    let index = digits.parse().ok().filter(|_| is_number)?;
    Reg::within(Profile::Extended, bank, index)
}

/// A setting that begins with a register, or with a name that the text of a program has for one. Its values are known
/// to be right.
#[derive(Clone, PartialEq, Debug)]
pub enum ByName<T> {
    /// Of a register.
    Register(T),
    /// Of what has the name: `fc1`, and the rest from the equals sign on.
    Name(String, String),
}

impl<T> ByName<T>
where
    T: FromStr + Clone,
    T::Err: fmt::Display,
{
    /// The setting, for a program with these names.
    ///
    /// # Errors
    ///
    /// There is no such name.
    pub fn of(&self, names: &Names) -> Result<T, NameError> {
        match self {
            ByName::Register(setting) => Ok(setting.clone()),
            ByName::Name(name, rest) => {
                let text = names.written(name)? + rest;
                text.parse()
                    .map_err(|error: T::Err| NameError::Value(error.to_string()))
            }
        }
    }
}

impl<T: FromStr> FromStr for ByName<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<ByName<T>, T::Err> {
        let Some((name, values)) = text.split_once('=') else {
            return text.parse().map(ByName::Register);
        };
        let name = name.trim();
        if is_register(name) || name.bytes().all(|it| it.is_ascii_digit()) {
            return text.parse().map(ByName::Register);
        }
        // Inputs take four values, as constants do.
        format!("i0={values}").parse::<T>()?;
        Ok(ByName::Name(name.to_owned(), format!("={values}")))
    }
}
