//! `--color`: whether messages and help are coloured.
//!
//! The option comes first, then `NO_COLOR`, `CLICOLOR_FORCE` and `CLICOLOR`, then whether there is a
//! terminal.

use std::ffi::OsString;
use std::io;

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;
use codespan_reporting::term::termcolor;

/// The choice of colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ColourArg {
    /// On a terminal, unless the environment overrides it
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ColourArg {
    /// Holds for all that is printed from now on.
    pub(crate) fn apply(self) {
        let choice = match self {
            ColourArg::Auto => ColorChoice::Auto,
            ColourArg::Always => ColorChoice::Always,
            ColourArg::Never => ColorChoice::Never,
        };
        choice.write_global();
    }

    /// The choice among arguments that are help or are wrong, and so are not understood as a whole.
    pub(crate) fn find(args: impl IntoIterator<Item = OsString>) -> ColourArg {
        let words = args.into_iter().map(OsString::into_string);
        let words = words.map(Result::unwrap_or_default);
        let mut words = words.take_while(|word| word != "--");
        let mut found = ColourArg::Auto;
        while let Some(word) = words.next() {
            let value = match word.strip_prefix("--color") {
                Some("") => words.next(),
                Some(rest) => rest.strip_prefix('=').map(str::to_owned),
                None => None,
            };
            let choice = value.and_then(|value| ColourArg::from_str(&value, false).ok());
            found = choice.unwrap_or(found);
        }
        found
    }
}

/// Whether what goes to standard error is coloured.
pub(crate) fn of_messages() -> termcolor::ColorChoice {
    match AutoStream::choice(&io::stderr()) {
        ColorChoice::Always | ColorChoice::AlwaysAnsi => termcolor::ColorChoice::Always,
        // A decision is never `Auto`.
        ColorChoice::Never | ColorChoice::Auto => termcolor::ColorChoice::Never,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_choice_before_two_dashes_is_found() {
        let find = |words: &str| ColourArg::find(words.split_whitespace().map(OsString::from));
        assert_eq!(find("attila check --wrong"), ColourArg::Auto);
        assert_eq!(find("attila --color always --help"), ColourArg::Always);
        assert_eq!(
            find("attila --color=always x --color never"),
            ColourArg::Never
        );
        assert_eq!(
            find("attila --color=never --color=red --color"),
            ColourArg::Never
        );
        assert_eq!(
            find("attila --colors=always --color -- always"),
            ColourArg::Auto
        );
        assert_eq!(find("attila -- --color=always"), ColourArg::Auto);
    }
}
