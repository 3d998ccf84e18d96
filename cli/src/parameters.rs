//! `--local` and `--env`: the parameters of programs; `--dialect`, `--agal` and `--strict`: how texts are read.

use std::collections::BTreeMap;
use std::str::FromStr;

use attila_scene::directives;
use attila_scene::source::Source;
use attila_shader::front::ParameterValues;
use attila_shader::front::agal::{self, Version};
use attila_shader::front::tgsi::Dialect;
use thiserror::Error;

use crate::number;
use crate::report::Reporter;

/// The values of the parameters of the text of the argument `program`, and its dialect, as options.
#[derive(Clone, Default, clap::Args)]
pub(crate) struct ParameterArgs {
    /// Set `program.local[N]` of an ARB program, `CONST[0][N]` of a TGSI one, `vcN`, `fcN` of an AGAL one, or `cN` of a CTM one; may be repeated
    #[arg(
        long,
        value_name = "N=VALUES",
        allow_hyphen_values = true,
        requires = "program"
    )]
    local: Vec<ParameterSetting>,
    /// Set `program.env[N]` of an ARB program, or `CONST[1][N]` of a TGSI one; may be repeated
    #[arg(
        long,
        value_name = "N=VALUES",
        allow_hyphen_values = true,
        requires = "program"
    )]
    env: Vec<ParameterSetting>,
    #[command(flatten)]
    dialect: DialectArg,
    #[command(flatten)]
    agal: AgalArgs,
}

/// How AGAL programs are read.
#[derive(Clone, Copy, Default, clap::Args)]
pub(crate) struct AgalArgs {
    /// Read AGAL texts as this version [default: the first that has what they use]
    #[arg(long, value_name = "1|2|3", value_parser = version, allow_negative_numbers = true)]
    pub(crate) agal: Option<Version>,
    /// Refuse AGAL programs beyond the limits of Flash, too
    #[arg(long)]
    pub(crate) strict: bool,
}

impl AgalArgs {
    /// The options of the library.
    pub(crate) fn options(self) -> agal::Options {
        agal::Options {
            stage: None,
            version: self.agal,
            strict: self.strict,
        }
    }
}

/// The version with a number.
fn version(number: &str) -> Result<Version, String> {
    let version = number.parse().ok().and_then(Version::of);
    version.ok_or_else(|| "the versions are 1, 2 and 3".to_owned())
}

/// `--dialect`.
#[derive(Clone, Copy, Default, clap::Args)]
pub(crate) struct DialectArg {
    /// Read TGSI texts in this dialect [default: as their words tell, else T23]
    #[arg(long, value_name = "T7|T10|T23", value_parser = dialect)]
    pub(crate) dialect: Option<Dialect>,
}

/// The dialect of a name, in letters of either case.
fn dialect(name: &str) -> Result<Dialect, String> {
    let names = Dialect::ALL.map(Dialect::name).join(", ");
    Dialect::find(name).ok_or_else(|| format!("the dialects are {names}"))
}

/// A parameter's number and value.
#[derive(Clone, Copy, PartialEq, Debug)]
struct ParameterSetting {
    number: u32,
    value: [f32; 4],
}

/// Why a text is no parameter.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
enum ParameterError {
    /// There is no equals sign.
    #[error("it has no value; write it like `0=1,2,3,4`")]
    NoValue,
    /// The part before it is no number.
    #[error("`{0}` is not the number of a parameter: {1}")]
    Number(String, String),
    /// The value is not right.
    #[error("{0}")]
    Value(String),
}

impl FromStr for ParameterSetting {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<ParameterSetting, ParameterError> {
        let (number, values) = text.split_once('=').ok_or(ParameterError::NoValue)?;
        let number = number.trim();
        let line = format!(";! const c0 = {}", values.replace(',', " "));
        let read = directives::parse(&line, &[])
            .map_err(|errors| ParameterError::Value(errors[0].message.clone()))?;
        Ok(ParameterSetting {
            number: number::within(0, u32::MAX.into())(number)
                .map_err(|error| ParameterError::Number(number.to_owned(), error))?,
            value: read.constants[&0].map(f32::from_bits),
        })
    }
}

impl ParameterArgs {
    /// The parameters, in a window of that many pixels. State is what OpenGL starts with.
    pub(crate) fn parameters(&self, window: [u32; 2]) -> ParameterValues {
        let list = |settings: &[ParameterSetting]| {
            let pairs = settings
                .iter()
                .map(|setting| (setting.number, setting.value));
            pairs.collect()
        };
        ParameterValues {
            local: list(&self.local),
            env: list(&self.env),
            window,
            dialect: self.dialect.dialect,
            agal: self.agal.options(),
            ..ParameterValues::default()
        }
    }
}

/// The value of a parameter that nobody gives.
const PROBE: [f32; 4] = [0.637, 1.731, -2.913, 3.371];

impl ParameterArgs {
    /// Warns of options that change nothing about a program.
    pub(crate) fn warn(&self, source: &Source, values: &ParameterValues, reporter: &Reporter) {
        let language = source.language();
        let others = [
            ("--dialect", "TGSI", self.dialect.dialect.is_some()),
            ("--agal", "AGAL", self.agal.agal.is_some()),
            ("--strict", "AGAL", self.agal.strict),
        ];
        let others = others
            .into_iter()
            .filter(|(_, of, given)| *given && language != Some(of));
        for (option, of, _) in others {
            let message = format!("`{option}` is for {of} programs, and changes nothing here");
            reporter.unread(&format!("{}: {message}", source.name));
        }
        type List = fn(&mut ParameterValues) -> &mut BTreeMap<u32, [f32; 4]>;
        let lists: [(&str, &[ParameterSetting], List); 2] = [
            ("--local", &self.local, |values| &mut values.local),
            ("--env", &self.env, |values| &mut values.env),
        ];
        for (option, settings, list) in lists {
            if language.is_none() && !settings.is_empty() {
                let message = format!(
                    "`{option}` is for programs in other languages; `--set c0=...` sets a constant"
                );
                reporter.unread(&format!("{}: {message}", source.name));
                continue;
            }
            for ParameterSetting { number, .. } in settings {
                // The translation tells, whatever the language calls its parameters.
                let [mut without, mut probed] = [values.clone(), values.clone()];
                list(&mut without).remove(number);
                list(&mut probed).insert(*number, PROBE);
                let [without, probed] =
                    [without, probed].map(|it| source.list(&it, &Reporter::quiet()));
                if let (Ok(without), Ok(probed)) = (without, probed)
                    && without == probed
                {
                    let message =
                        format!("the program does not read parameter {number} of `{option}`");
                    reporter.unread(&format!("{}: {message}", source.name));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_numbers_and_vectors() {
        let read = |text: &str| text.parse::<ParameterSetting>();
        assert_eq!(
            read("7=1,-2,.5,inf"),
            Ok(ParameterSetting {
                number: 7,
                value: [1.0, -2.0, 0.5, f32::INFINITY]
            })
        );
        assert_eq!(read("7"), Err(ParameterError::NoValue));
        let number = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(
            number("-1=1"),
            "`-1` is not the number of a parameter: it has to be at least 0"
        );
        assert_eq!(
            number("4294967296=1"),
            "`4294967296` is not the number of a parameter: it has to be at most 4,294,967,295"
        );
        assert!(matches!(read("0=1,2"), Err(ParameterError::Value(_))));
    }
}
