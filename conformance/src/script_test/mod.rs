//! Script tests: programs with the data that they run on, and a script that draws with them and looks at pixels.
//!
//! ```text
//! text ─► sections ─► requirements
//!                  ├► programs ─► Translation ─► Program ─┐
//!                  ├► vertices, textures, constants ──────┤
//!                  └► script ─► a line, an action each ───┴► played on a state ─► Report
//! ```
//!
//! Each format has a parser and a state that its commands change: [`arb`], [`tgsi`] and [`agal`]. All draw with
//! [`attila_shader::draw`].

pub mod agal;
pub mod arb;
mod attributes;
mod error;
mod picture;
mod program;
mod script;
mod sections;
pub mod tgsi;
mod words;

use attila_shader::Engine;

pub use error::{RunError, ScriptError};
pub use picture::{Picture, Report};
pub use script::ProbeResult;

/// The outcome of a test.
#[derive(Debug)]
pub enum Outcome {
    /// It asks for something that is not supported: one sentence.
    Skipped(String),
    /// It was run.
    Ran(Report),
}

/// A test that has been read, whatever its format is.
pub trait ScriptTest {
    /// The reason for which the test cannot be run, in one sentence, if it asks for something that is not
    /// supported.
    fn unmet(&self) -> Option<&str>;

    /// Prepares the programs and runs the script, whatever the test asks for.
    ///
    /// # Errors
    ///
    /// As [`ScriptTest::run`].
    fn play(&self, engine: &Engine) -> Result<Report, RunError>;

    /// Runs the test, unless it asks for something that is not supported.
    ///
    /// # Errors
    ///
    /// A program that cannot be translated or compiled, or a draw that could not be made. Probes that fail are not
    /// errors.
    fn run(&self, engine: &Engine) -> Result<Outcome, RunError> {
        match self.unmet() {
            Some(reason) => Ok(Outcome::Skipped(reason.to_owned())),
            None => self.play(engine).map(Outcome::Ran),
        }
    }
}

/// The reason for which a test is not run that asks for something.
fn unsupported(requirement: &str) -> String {
    format!("it requires {requirement}, which is not supported")
}
