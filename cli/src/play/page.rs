//! [`Page`]: the playground's HTML.

use std::borrow::Cow;
use std::path::Path;

use attila_scene::source;

use super::Program;
use crate::error::CliError;
use crate::report::Reporter;

/// The page that the command was built with, if one was there.
#[cfg(page)]
const BUILT_IN: Option<&str> = Some(include_str!(env!("ATTILA_PAGE")));
#[cfg(not(page))]
const BUILT_IN: Option<&str> = None;

/// The place of a program in the page.
const PROGRAM: &str = "<!--PROGRAM-->";

/// The most bytes of a page.
const MOST: u64 = 16 << 20;

/// The page, without a program.
pub(super) struct Page(Cow<'static, str>);

impl Page {
    /// The page of a file, or the built-in one.
    pub(super) fn find(file: Option<&Path>, reporter: &Reporter) -> Result<Page, CliError> {
        let page = match (file, BUILT_IN) {
            (Some(file), _) => {
                let bytes = source::read(file, MOST, reporter)?;
                Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
            }
            (None, Some(page)) => Cow::Borrowed(page),
            (None, None) => return Err(CliError::NoPage),
        };
        match page.contains(PROGRAM) {
            true => Ok(Page(page)),
            false => Err(CliError::NotPage),
        }
    }

    /// The page, beginning with a program.
    pub(super) fn with(&self, program: Option<&Program>) -> String {
        let elements = program.map(|program| data("program", program));
        self.0.replacen(PROGRAM, &elements.unwrap_or_default(), 1)
    }

    /// The same with what a server offers, for scripts that have the number `nonce`.
    pub(super) fn served<T: serde::Serialize>(
        &self,
        program: Option<&Program>,
        server: &T,
        nonce: &str,
    ) -> String {
        let program = program.map(|program| data("program", program));
        let elements = program.unwrap_or_default() + &data("server", server);
        let page = self.0.replacen(PROGRAM, &elements, 1);
        page.replace("<script>", &format!("<script nonce=\"{nonce}\">"))
    }
}

/// An element with data. Nothing in it can end it.
fn data<T: serde::Serialize>(id: &str, data: &T) -> String {
    let json = serde_json::to_string(data).unwrap_or_default();
    let json = json.replace('<', "\\u003c");
    format!("<script type=\"application/json\" id=\"{id}\">{json}</script>")
}
