//! Shader tests: ARB programs with a script that draws rectangles and probes pixels, in the format of
//! piglit's `.shader_test` files, as far as tests of ARB programs use it.
//!
//! ```text
//! text ─► sections ─► requirements
//!                  ├► programs ─► Translation ─► Shader ─┐
//!                  └► script ─► commands ────────────────┴► Runner ─► Report
//! ```
//!
//! The window is 250 pixels wide and high, y upwards. A script has at most [`MAX_COMMANDS`] commands and
//! makes textures of at most [`MAX_TEXELS`] together. State is OpenGL's initial state, changed by
//! commands; a rectangle goes through the vertex program, the rasteriser and the fragment program.
//!
//! ```
//! use attila_shader::Engine;
//! use attila_conformance::shader_test::{Outcome, ShaderTest};
//!
//! let test = ShaderTest::parse("\
//! [vertex program]
//! !!ARBvp1.0
//! MOV result.position, vertex.position;
//! MOV result.color, program.local[0];
//! END
//! [test]
//! parameter local_vp 0 (0.0, 0.5, 1.0, 1.0)
//! draw rect -1 -1 2 2
//! probe all rgba 0.0 0.5 1.0 1.0
//! ")?;
//! let Outcome::Ran(report) = test.run(&Engine::auto())? else {
//!     panic!("nothing is asked for that is not there");
//! };
//! assert!(report.passed());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod command;
mod parse;
mod probe;
mod requirement;
mod run;
mod state;
mod textures;

pub use command::{Command, ImageKind, Parameter, ParameterBank, Place, Probe, TexParameter};
pub(crate) use probe::to_bytes;
pub use probe::{Mismatch, ProbeResult};
pub use requirement::Requirement;
pub use run::{LoadError, Report, RunError, Runner};

use std::ops::Range;

use attila_shader::front::arb::ArbStage;
use attila_shader::isa::{Diagnostic, Diagnostics, Remark};
use thiserror::Error;

use attila_shader::Engine;

use crate::sections::Sections;

/// The sections of a test.
const SECTIONS: [&str; 4] = [
    "[require]",
    "[vertex program]",
    "[fragment program]",
    "[test]",
];

/// The window's width and height, in pixels.
pub const WINDOW: u32 = 250;

/// The largest width or height of a texture of a test.
pub const MAX_TEXTURE: u32 = 2048;

/// The most texels of all textures that a script makes, replaced ones included: four of the largest.
pub const MAX_TEXELS: u32 = 4 * MAX_TEXTURE * MAX_TEXTURE;

/// The most commands of a script: each takes a few bytes, and may look at every pixel of the window.
pub const MAX_COMMANDS: usize = 10_000;

/// The fragment program of a test without one: fixed function, whose initial state lets the
/// colour through.
const FIXED_FUNCTION: &str = "!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n";

/// Why a text is not a test, or one of its programs is none: all mistakes that were found, at least
/// one.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", .diagnostics.iter().map(Diagnostic::to_string).collect::<Vec<_>>().join("\n"))]
pub struct ScriptError {
    /// The mistakes, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// A command, and where it is.
pub type Line = crate::script::Line<Command>;

/// A test that has been read. Its programs are looked at when it is run, since they may need what its
/// requirements say.
#[derive(Clone, PartialEq, Debug)]
pub struct ShaderTest {
    /// Its requirements.
    pub requirements: Vec<Requirement>,
    /// Its script.
    pub commands: Vec<Line>,
    text: String,
    /// Where the programs are in the text.
    vertex: Range<usize>,
    fragment: Option<Range<usize>>,
}

/// The outcome of a test.
#[derive(Debug)]
pub enum Outcome {
    /// It asks for something that there is not; why, in one sentence.
    Skipped(String),
    /// It was run.
    Ran(Report),
}

impl ShaderTest {
    /// Reads a test.
    ///
    /// # Errors
    ///
    /// All that is wrong with sections, requirements and commands, with positions.
    pub fn parse(text: &str) -> Result<ShaderTest, ScriptError> {
        let mut diagnostics = Diagnostics::default();
        let sections = Sections::split(text, &SECTIONS, Some("[test]"), &mut diagnostics);
        // A section of another name may be what was to be one of these.
        let misnamed = diagnostics.has_errors();
        for name in ["[vertex program]", "[test]"] {
            if sections.get(name).is_none() && !misnamed {
                let message = format!("the section `{name}` is missing");
                diagnostics.error(Remark::new(text.len()..text.len(), message));
            }
        }
        let require = sections.get("[require]");
        let requirements = requirement::parse_all(text, require, &mut diagnostics);
        let commands = parse::script(text, sections.get("[test]"), &mut diagnostics);
        match sections.get("[vertex program]") {
            Some(vertex) if !diagnostics.has_errors() => Ok(ShaderTest {
                requirements,
                commands,
                text: text.to_owned(),
                vertex,
                fragment: sections.get("[fragment program]"),
            }),
            _ => Err(ScriptError {
                diagnostics: diagnostics.finish(text),
            }),
        }
    }

    /// The text of the program of a stage; `None` for fixed function.
    pub fn program(&self, stage: ArbStage) -> Option<&str> {
        let span = match stage {
            ArbStage::Vertex => Some(&self.vertex),
            ArbStage::Fragment => self.fragment.as_ref(),
        };
        span.map(|span| &self.text[span.clone()])
    }

    /// Why the test cannot be run, in one sentence, if it asks for something that there is not.
    pub fn unmet(&self) -> Option<String> {
        self.requirements.iter().find_map(Requirement::unmet)
    }

    /// Runs the test, unless it asks for something that there is not.
    ///
    /// # Errors
    ///
    /// A program that is none, or a draw that could not be made. Probes that fail are no errors.
    pub fn run(&self, engine: &Engine) -> Result<Outcome, RunError> {
        match self.unmet() {
            Some(reason) => Ok(Outcome::Skipped(reason)),
            None => Ok(Outcome::Ran(Runner::new(self, engine)?.run()?)),
        }
    }

    /// A mistake in the test.
    fn error(&self, span: Range<usize>, message: String) -> ScriptError {
        let mut diagnostics = Diagnostics::default();
        diagnostics.error(Remark::new(span, message));
        ScriptError {
            diagnostics: diagnostics.finish(&self.text),
        }
    }

    /// Mistakes in a program as mistakes in the test.
    fn located(&self, diagnostics: &[Diagnostic], offset: usize) -> ScriptError {
        let mut located = Diagnostics::default();
        for diagnostic in diagnostics {
            let span = diagnostic.span.start + offset..diagnostic.span.end + offset;
            located.error(Remark {
                span,
                message: diagnostic.message.clone(),
                help: diagnostic.help.clone(),
            });
        }
        ScriptError {
            diagnostics: located.finish(&self.text),
        }
    }
}
