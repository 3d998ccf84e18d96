//! Launching: the request becomes options of `attila debug`, so that there is one way to say what is debugged.

use std::ffi::OsString;

use attila_shader::machine::ErrorChain;
use clap::{Args as _, FromArgMatches};

use super::protocol::Launch;
use crate::debug::Args;
use crate::debug::subject;
use crate::error::CliError;
use crate::pixel::Pixel;
use crate::report::Reporter;
use attila_debugger::Debugger;

/// Why there are no pixels.
pub(super) const NO_PICTURE: &str = "there is no picture: a quad of registers is debugged";

/// The recording that is asked for, perhaps of another pixel, or why there is none.
pub(super) fn debugger(launch: &Launch, other: Option<[u32; 2]>) -> Result<Debugger, String> {
    let mut args = args(launch)?;
    if other.is_some() && args.quad.is_some() {
        return Err(NO_PICTURE.to_owned());
    }
    args.pixel = other.map(Pixel).or(args.pixel);
    let reporter = Reporter::to_text();
    let subject = subject::of(&args, &reporter);
    let subject = subject.map_err(|error| {
        let said = reporter.text();
        let own = if let CliError::Usage(error) = &error {
            without_usage(error)
        } else if error.is_reported() {
            String::new()
        } else {
            ErrorChain(&error).to_string()
        };
        format!("{said}{own}").trim_end().to_owned()
    })?;
    Ok(Debugger::new(subject))
}

fn args(launch: &Launch) -> Result<Args, String> {
    let option = |name: &str, value: String| [format!("--{name}"), value];
    let pixel = launch
        .pixel
        .map(|[x, y]| option("pixel", format!("{x},{y}")));
    let quad = launch.quad.map(|quad| option("quad", quad.to_string()));
    let mut words: Vec<OsString> = Vec::new();
    words.extend(pixel.into_iter().chain(quad).flatten().map(OsString::from));
    words.extend(launch.args.iter().map(OsString::from));
    words.extend(["--".into(), OsString::from(&launch.program)]);
    let command = Args::augment_args(clap::Command::new("launch").no_binary_name(true));
    let matches = command.try_get_matches_from(words);
    let args = matches.and_then(|matches| Args::from_arg_matches(&matches));
    let args = args.map_err(|error| without_usage(&error))?;
    match args.script.is_some() || args.json {
        true => Err("`--script` and `--json` have no effect in an editor".to_owned()),
        false => Ok(args),
    }
}

/// The message about options, without the usage of a command line.
fn without_usage(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let text = text.split("\n\nUsage:").next().unwrap_or_default();
    text.strip_prefix("error: ")
        .unwrap_or(text)
        .trim_end()
        .to_owned()
}
