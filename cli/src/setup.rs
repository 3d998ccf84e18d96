//! The values that a program runs on: its own directives, then a state file, then options.
//!
//! Files and options are turned into directives, so that there is one way to read a value.

use std::path::Path;

use attila_scene::directives::Directives;
use attila_scene::setting::{RegisterSetting, merge};
use attila_scene::source::{self, Loaded};
use attila_scene::{NameError, Names};
use attila_shader::Bindings;
use serde_json::{Map, Value};

use crate::error::CliError;
use crate::report::Reporter;

/// The key of a state file that says how many quads there are.
const QUADS: &str = "quads";

/// More values than any register takes.
const MOST_VALUES: usize = 8;

/// Bindings with the limit of backward jumps that an option gives.
pub(crate) fn with_budget(bindings: Bindings<'_>, budget: Option<u32>) -> Bindings<'_> {
    match budget {
        Some(budget) => bindings.with_loop_budget(budget),
        None => bindings,
    }
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
        for setting in read_state(reporter, path, &loaded.names)? {
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

fn read_state(
    reporter: &Reporter,
    path: &Path,
    names: &Names,
) -> Result<Vec<RegisterSetting>, CliError> {
    let text = source::read_text(path, reporter)?;
    let name = source::name_of(path);
    let values: Map<String, Value> = serde_json::from_str(&text).map_err(|error| {
        let message = error.to_string();
        // The caret shows the position.
        let message = message.split(" at line ").next().unwrap_or_default();
        let at = offset(&text, error.line(), error.column());
        reporter.text_error(&name, &text, message, at..at)
    })?;
    let setting = |(key, value): (&String, &Value)| {
        setting(key, value, names).map_err(|source| CliError::State {
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

fn setting(key: &str, value: &Value, names: &Names) -> Result<RegisterSetting, NameError> {
    let values: Vec<String> = match value {
        // More would be wrong, and there may be millions.
        Value::Array(values) => values.iter().take(MOST_VALUES).map(scalar).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            vec![scalar(value)]
        }
    };
    if key == QUADS {
        return Ok(RegisterSetting::quads(&values.join(" "))?);
    }
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    Ok(RegisterSetting::new(&names.written(key)?, &values)?)
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
    use attila_scene::setting::RegisterError;

    use super::*;

    #[test]
    fn a_state_file_has_as_many_quads_as_options_ask_for() {
        let quads = |number: u64| {
            setting(QUADS, &Value::from(number), &Names::default()).map(|it| it.directives().quads)
        };
        assert_eq!(quads(65_536), Ok(65_536));
        for number in [0, 65_537] {
            let error = RegisterError::Quads(number.to_string());
            assert_eq!(quads(number), Err(error.into()));
        }
    }
}
