//! The values that a program runs on: its own directives, then a state file, then options.
//!
//! Files and options are turned into directives, so that there is one way to read a value.

use std::path::Path;
use std::str::FromStr;
use std::sync::atomic::AtomicU32;

use attila_scene::directives::{self, Directives};
use attila_shader::Bindings;
use attila_shader::isa::Bank;
use attila_shader::machine::{LANES, StateName};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::error::CliError;
use crate::input::{self, Loaded, warn_unread};
use crate::report::Reporter;

/// Directives that only this command has: how a picture is drawn.
pub(crate) const EXTENSIONS: [&str; 3] = ["texture", "varying", "sample-shading"];

/// The key of a state file that says how many quads there are.
const QUADS: &str = "quads";

/// The most quads that options ask for. Texts, which may come from anywhere, have a limit of their own.
pub(crate) const MOST_QUADS: usize = 1 << 16;

/// More values than any register takes.
const MOST_VALUES: usize = 8;

/// A register's value, given as an option: `i0[2]=1,2,3,4`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RegisterSetting {
    /// The same as a directive about all quads.
    line: String,
    /// The quad, if only one is meant.
    quad: Option<usize>,
    /// Quads that there are at least.
    quads: usize,
}

/// Why a text is no setting.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum SettingError {
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
    type Err = SettingError;

    fn from_str(text: &str) -> Result<RegisterSetting, SettingError> {
        let (name, values) = text.split_once('=').ok_or(SettingError::NoValue)?;
        let values: Vec<&str> = values.split(',').map(str::trim).collect();
        RegisterSetting::new(name.trim(), &values)
    }
}

impl RegisterSetting {
    /// The register `name`, which may end in `[lane]`, counted through all quads, and its values.
    fn new(name: &str, values: &[&str]) -> Result<RegisterSetting, SettingError> {
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
            _ => return Err(SettingError::Register(register.to_owned())),
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
            .map_err(|errors| SettingError::Value(errors[0].message.clone()))?;
        Ok(setting)
    }

    /// The same as directives.
    pub(crate) fn directives(&self) -> Directives {
        // A mistake in the line was reported when it was made.
        let mut directives = directives::read(&self.line, &[]).0;
        directives.quads = self.quads;
        for start in &mut directives.starts {
            start.quad = self.quad;
        }
        directives
    }

    /// Warns of an input or constant that the program does not read.
    pub(crate) fn warn_unread(&self, loaded: &Loaded, reporter: &Reporter) {
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
        warn_unread(&loaded.name, reporter, names);
    }
}

fn parse_lane(text: &str) -> Result<usize, SettingError> {
    let digits = text.strip_suffix(']').unwrap_or_default();
    let lane = digits.parse::<usize>();
    let lane = lane.map_err(|_| SettingError::Lane(text.trim_end_matches(']').to_owned()))?;
    match lane < MOST_QUADS * LANES {
        true => Ok(lane),
        false => Err(SettingError::LaneBeyond(lane)),
    }
}

/// A predicate's value: a digit for the lane, or for each.
fn digits(digit: char, lane: Option<usize>) -> String {
    let count = if lane.is_some() { 1 } else { LANES };
    String::from_iter(std::iter::repeat_n(digit, count))
}

/// Collects the directives of a program, of a state file and of options; later ones override
/// earlier ones.
pub(crate) fn collect(
    reporter: &Reporter,
    loaded: &Loaded,
    state: Option<&Path>,
    quads: Option<u32>,
    options: &[RegisterSetting],
) -> Result<Directives, CliError> {
    let mut all = loaded.directives.clone();
    if let Some(path) = state {
        for setting in read_state(reporter, path)? {
            all = merge(all, setting.directives());
        }
    }
    if let Some(quads) = quads {
        all.quads = all.quads.max(quads as usize);
    }
    Ok(options
        .iter()
        .fold(all, |all, setting| merge(all, setting.directives())))
}

/// Adds what goes over the rest.
fn merge(mut all: Directives, more: Directives) -> Directives {
    all.quads = all.quads.max(more.quads);
    all.constants.extend(more.constants);
    all.buffers.extend(more.buffers);
    all.storage.extend(more.storage);
    all.starts.extend(more.starts);
    all
}

/// Binds the constants, buffers and limits.
pub(crate) fn bind<'a>(directives: &'a Directives, mut bindings: Bindings<'a>) -> Bindings<'a> {
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
pub(crate) fn bind_storage<'a>(
    directives: &Directives,
    mut bindings: Bindings<'a>,
) -> Bindings<'a> {
    for (&index, words) in &directives.storage {
        let words = words.iter().copied().map(AtomicU32::new).collect();
        bindings = bindings.with_storage(index, words);
    }
    bindings
}

fn read_state(reporter: &Reporter, path: &Path) -> Result<Vec<RegisterSetting>, CliError> {
    let text = input::read_text(path)?;
    let name = input::name_of(path);
    let values: Map<String, Value> = serde_json::from_str(&text).map_err(|error| {
        let message = error.to_string();
        // The caret shows the position.
        let message = message.split(" at line ").next().unwrap_or_default();
        let at = offset(&text, error.line(), error.column());
        reporter.text_error(&name, &text, message, at..at)
    })?;
    let setting = |(key, value): (&String, &Value)| {
        setting(key, value).map_err(|source| CliError::State {
            name: name.clone(),
            key: key.clone(),
            source,
        })
    };
    values.iter().map(setting).collect()
}

/// The byte at a line and column, which count from 1.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let before = text.split_inclusive('\n').take(line.saturating_sub(1));
    let start = before.map(str::len).sum::<usize>();
    text.floor_char_boundary(start + column.saturating_sub(1))
}

fn setting(key: &str, value: &Value) -> Result<RegisterSetting, SettingError> {
    let values: Vec<String> = match value {
        // More would be wrong, and there may be millions.
        Value::Array(values) => values.iter().take(MOST_VALUES).map(scalar).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            vec![scalar(value)]
        }
    };
    if key == QUADS {
        let text = values.join(" ");
        let quads = text.parse().ok();
        let quads = quads.filter(|quads| (1..=MOST_QUADS).contains(quads));
        return Ok(RegisterSetting {
            line: String::new(),
            quad: None,
            quads: quads.ok_or(SettingError::Quads(text))?,
        });
    }
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    RegisterSetting::new(key, &values)
}

/// A value as it would be written in an option.
fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            value.to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Result<Directives, String> {
        let setting: Result<RegisterSetting, _> = text.parse();
        let setting = setting.map_err(|error: SettingError| error.to_string())?;
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

    #[test]
    fn a_state_file_has_as_many_quads_as_options_ask_for() {
        let quads = |number: u64| setting(QUADS, &Value::from(number)).map(|it| it.quads);
        assert_eq!(quads(65_536), Ok(65_536));
        for number in [0, 65_537] {
            assert_eq!(quads(number), Err(SettingError::Quads(number.to_string())));
        }
    }
}
