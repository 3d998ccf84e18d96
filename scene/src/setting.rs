//! The values that a program runs on: registers as options set them, and what directives bind.
//!
//! Options are turned into directives, so that there is one way to read a value.

use std::str::FromStr;
use std::sync::atomic::AtomicU32;

use attila_shader::Bindings;
use attila_shader::isa::Bank;
use attila_shader::machine::{LANES, StateName};
use thiserror::Error;

use crate::directives::{self, Directives};
use crate::host::Host;
use crate::source::{Loaded, warn_unread};

/// The most quads that options ask for. Texts, which may come from anywhere, have a limit of their own.
pub const MOST_QUADS: usize = 1 << 16;

/// A register's value, given as an option: `i0[2]=1,2,3,4`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegisterSetting {
    /// The same as a directive about all quads.
    line: String,
    /// The quad, if only one is meant.
    quad: Option<usize>,
    /// Quads that there are at least.
    quads: usize,
}

/// Why a text is no setting.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// There is no equals sign.
    #[error("it has no value; write it like `i0=1,2,3,4`")]
    NoValue,
    /// The register does not exist.
    #[error("`{0}` is not a register: i0-i63, o0-o63, r0-r255, c0-c511, a0-a3 or p0-p31")]
    Register(String),
    /// The lane is no number.
    #[error("`{0}` is not a lane")]
    Lane(String),
    /// The lane is in a quad that there cannot be.
    #[error("lane {0} is too high: the last is {last}, of {MOST_QUADS} quads", last = MOST_QUADS * LANES - 1)]
    LaneBeyond(usize),
    /// That is no number of quads.
    #[error("`{0}` is not a number of quads from 1 to {MOST_QUADS}")]
    Quads(String),
    /// The value is not right.
    #[error("{0}")]
    Value(String),
}

impl FromStr for RegisterSetting {
    type Err = RegisterError;

    fn from_str(text: &str) -> Result<RegisterSetting, RegisterError> {
        let (name, values) = text.split_once('=').ok_or(RegisterError::NoValue)?;
        let values: Vec<&str> = values.split(',').map(str::trim).collect();
        RegisterSetting::new(name.trim(), &values)
    }
}

impl RegisterSetting {
    /// The register `name`, which may end in `[lane]`, counted through all quads, and its values.
    ///
    /// # Errors
    ///
    /// There is no such register, or the values are not its own.
    pub fn new(name: &str, values: &[&str]) -> Result<RegisterSetting, RegisterError> {
        let (register, lane) = match name.split_once('[') {
            None => (name, None),
            Some((register, lane)) => (register, Some(parse_lane(lane)?)),
        };
        let kind = match register
            .chars()
            .next()
            .map(|letter| letter.to_ascii_lowercase())
        {
            Some('i') => "input",
            Some('o') => "output",
            Some('r') => "temp",
            Some('a') => "address",
            Some('c') => "const",
            Some('p') => "pred",
            _ => return Err(RegisterError::Register(register.to_owned())),
        };
        let place = match lane {
            Some(lane) => format!("{register}[{}]", lane % LANES),
            None => register.to_owned(),
        };
        let value = match (kind, values) {
            ("pred", ["true" | "1"]) => digits('1', lane),
            ("pred", ["false" | "0"]) => digits('0', lane),
            _ => values.join(" "),
        };
        let quad = lane.map(|lane| lane / LANES);
        let setting = RegisterSetting {
            line: format!(";! {kind} {place} = {value}"),
            quad,
            quads: quad.map_or(1, |quad| quad + 1),
        };
        // A mistake in it is reported now, while the option is known.
        directives::parse(&setting.line, &[])
            .map_err(|errors| RegisterError::Value(errors[0].message.clone()))?;
        Ok(setting)
    }

    /// That there are at least so many quads.
    ///
    /// # Errors
    ///
    /// There cannot be so many.
    pub fn quads(text: &str) -> Result<RegisterSetting, RegisterError> {
        let quads = text.parse().ok();
        let quads = quads.filter(|quads| (1..=MOST_QUADS).contains(quads));
        Ok(RegisterSetting {
            line: String::new(),
            quad: None,
            quads: quads.ok_or_else(|| RegisterError::Quads(text.to_owned()))?,
        })
    }

    /// The same as directives.
    pub fn directives(&self) -> Directives {
        // A mistake in the line was reported when it was made.
        let mut directives = directives::read(&self.line, &[]).0;
        directives.quads = self.quads;
        for start in &mut directives.starts {
            start.quad = self.quad;
        }
        directives
    }

    /// Warns of an input or constant that the program does not read.
    pub fn warn_unread(&self, loaded: &Loaded, host: &dyn Host) {
        let (usage, said) = (loaded.program.usage(), self.directives());
        let registers = said.starts.iter().filter_map(|start| {
            let StateName::Register(reg) = start.name else {
                return None;
            };
            Some(reg)
        });
        let inputs = registers.filter(|reg| reg.bank() == Bank::Input);
        let inputs = inputs.filter(|reg| usage.inputs[reg.index()].is_empty());
        let constants = said.constants.keys().filter(|index| {
            !usage.relative_constants && usage.constants.binary_search(index).is_err()
        });
        let names = inputs.map(|reg| reg.to_string());
        let names = names.chain(constants.map(|index| format!("c{index}")));
        warn_unread(&loaded.name, host, names);
    }
}

fn parse_lane(text: &str) -> Result<usize, RegisterError> {
    let digits = text.strip_suffix(']').unwrap_or_default();
    let lane = digits.parse::<usize>();
    let lane = lane.map_err(|_| RegisterError::Lane(text.trim_end_matches(']').to_owned()))?;
    match lane < MOST_QUADS * LANES {
        true => Ok(lane),
        false => Err(RegisterError::LaneBeyond(lane)),
    }
}

/// A predicate's value: a digit for the lane, or for each.
fn digits(digit: char, lane: Option<usize>) -> String {
    let count = if lane.is_some() { 1 } else { LANES };
    String::from_iter(std::iter::repeat_n(digit, count))
}

/// Adds what goes over the rest.
pub fn merge(mut all: Directives, more: Directives) -> Directives {
    all.quads = all.quads.max(more.quads);
    all.constants.extend(more.constants);
    all.buffers.extend(more.buffers);
    all.storage.extend(more.storage);
    all.starts.extend(more.starts);
    all
}

/// Binds the constants, buffers and limits.
pub fn bind<'a>(directives: &'a Directives, mut bindings: Bindings<'a>) -> Bindings<'a> {
    for (&index, &value) in &directives.constants {
        bindings.set_constant_bits(index, value);
    }
    for (&index, vectors) in &directives.buffers {
        bindings = bindings.with_buffer(index, vectors);
    }
    bindings = bind_storage(directives, bindings);
    if let Some(budget) = directives.loop_budget {
        bindings = bindings.with_loop_budget(budget);
    }
    if let Some(bits) = directives.fixed_bits {
        bindings = bindings.with_fixed_bits(bits);
    }
    bindings
}

/// Binds storage buffers, with their words before any run.
pub fn bind_storage<'a>(directives: &Directives, mut bindings: Bindings<'a>) -> Bindings<'a> {
    for (&index, words) in &directives.storage {
        let words = words.iter().copied().map(AtomicU32::new).collect();
        bindings = bindings.with_storage(index, words);
    }
    bindings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Result<Directives, String> {
        let setting: Result<RegisterSetting, _> = text.parse();
        let setting = setting.map_err(|error: RegisterError| error.to_string())?;
        Ok(setting.directives())
    }

    #[test]
    fn lanes_of_all_quads_that_there_can_be_are_set() {
        for (lane, quad) in [
            (0, 0),
            (5, 1),
            (16_383, 4095),
            (16_384, 4096),
            (262_143, 65_535),
        ] {
            let directives = set(&format!("i0[{lane}]=1,2,3,4")).expect("there is such a lane");
            assert_eq!(directives.quads, quad + 1);
            let [start] = &directives.starts[..] else {
                panic!("{:?}", directives.starts);
            };
            assert_eq!(start.quad, Some(quad));
            assert_eq!(start.lanes.bits(), 1 << (lane % LANES));
        }
        let error = set("i0[262144]=1").expect_err("there is no such lane");
        assert_eq!(
            error,
            "lane 262144 is too high: the last is 262143, of 65536 quads"
        );
        assert!(set("i0[x]=1").is_err_and(|error| error == "`x` is not a lane"));
    }
}
