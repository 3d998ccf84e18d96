//! Tests of TGSI programs: texts with the data that they run on, and a script that draws triangles and
//! probes pixels. The files end in `.tgsi_test`.
//!
//! ```text
//! text ─► sections ─► requirements
//!                  ├► programs ─► Translation ─► Shader ─┐
//!                  ├► vertices, textures ────────────────┤
//!                  └► script ─► commands ────────────────┴► Runner ─► Report
//! ```
//!
//! Row 0 of a target is its first row: (-1, -1) of clip space is the corner of row 0 and column 0. A
//! target keeps the words of the outputs, which those of draws do not; in a target of floats every NaN is
//! the same one. Triangles are drawn by a plain rasteriser in f64 that is independent of
//! [`attila_shader::draw`].
//!
//! A line `# dialect T7` or `# dialect T10` before the first section names the dialect of the texts, which is
//! T23 without it.
//!
//! ```
//! use attila_shader::Engine;
//! use attila_conformance::tgsi_test::{Outcome, TgsiTest};
//!
//! let test = TgsiTest::parse("\
//! [tgsi vertex]
//! VERT
//! DCL IN[0]
//! DCL OUT[0], POSITION
//! MOV OUT[0], IN[0]
//! END
//! [tgsi fragment]
//! FRAG
//! DCL OUT[0], COLOR
//! DCL CONST[0]
//! MOV OUT[0], CONST[0]
//! END
//! [vertex data]
//! IN[0]
//! -1 -1 0 1
//! 3 -1 0 1
//! -1 3 0 1
//! [test]
//! target 8 8 rgba32f
//! const FRAG 0 0 0x3f800000 0 0 0x3f800000
//! draw TRIANGLES 0 3
//! probe 7 7 1 0 0 1
//! ")?;
//! let Outcome::Ran(report) = test.run(&Engine::auto())? else {
//!     panic!("all that is asked for is there");
//! };
//! assert!(report.passed());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assembly;
mod command;
mod compute;
mod data;
mod fragments;
mod geometry;
mod linkage;
mod parse;
mod probe;
mod raster;
mod run;
mod sections;
mod textures;
mod vertices;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use attila_shader::Engine;
use attila_shader::front::tgsi::{Dialect, Processor};
use attila_shader::isa::{Diagnostic, Diagnostics, Remark};
use attila_shader::texture::{Texture, Textures};

pub use crate::shader_test::ScriptError;
pub use command::{Command, Constants, Line, Primitive, TargetFormat};
pub use probe::{Mismatch, ProbeResult};
pub use run::{LoadError, Picture, Report, RunError, Runner};

use crate::sections::lines;
use data::Vertices;

/// The largest width or height of a target or a texture, in pixels.
pub const MAX_SIDE: u32 = 2048;

/// The most texels of all textures of a test, with levels and layers.
pub const MAX_TEXELS: usize = 1 << 24;

/// The most commands of a script.
pub const MAX_COMMANDS: usize = 100_000;

/// The most vertices of a draw, with all its instances.
pub const MAX_VERTICES: u32 = 1 << 20;

/// A test that has been read. Its programs are looked at when it is run.
#[derive(Clone, Debug)]
pub struct TgsiTest {
    /// Its requirements, as they are written.
    pub requirements: Vec<String>,
    /// The dialect of its programs.
    pub dialect: Dialect,
    /// Its script.
    pub commands: Vec<Line>,
    text: String,
    /// Where the programs are in the text.
    programs: BTreeMap<Processor, Range<usize>>,
    vertices: Vertices,
    /// The words of buffers at the beginning.
    buffers: BTreeMap<u32, Vec<u32>>,
    textures: BTreeMap<u32, Arc<Texture>>,
}

/// The outcome of a test.
#[derive(Debug)]
pub enum Outcome {
    /// A program of it cannot be translated: the mistakes, in the order of the text.
    Refused(Vec<Diagnostic>),
    /// It asks for something that is not supported: one sentence.
    Skipped(String),
    /// It was run.
    Ran(Report),
}

impl TgsiTest {
    /// Reads a test.
    ///
    /// # Errors
    ///
    /// All mistakes in sections, data and commands, with positions.
    pub fn parse(text: &str) -> Result<TgsiTest, ScriptError> {
        let mut diagnostics = Diagnostics::default();
        let (sections, programs) = sections::split(text, &mut diagnostics);
        let requirements = lines(text, sections.get("[require]"));
        let requirements = requirements.map(|(_, line)| line.to_owned()).collect();
        let vertices = data::vertices(text, &sections, &mut diagnostics);
        let textures = textures::parse(text, &sections, &mut diagnostics);
        let buffers = data::buffers(text, &sections, &mut diagnostics);
        let commands = parse::script(text, sections.get("[test]"), &mut diagnostics);
        let dialect = sections::dialect(text, &mut diagnostics);
        if diagnostics.has_errors() {
            let diagnostics = diagnostics.finish(text);
            return Err(ScriptError { diagnostics });
        }
        Ok(TgsiTest {
            requirements,
            dialect,
            commands,
            text: text.to_owned(),
            programs,
            vertices,
            buffers,
            textures,
        })
    }

    /// The text of a program of a kind.
    pub fn program(&self, kind: Processor) -> Option<&str> {
        let span = self.programs.get(&kind)?;
        Some(&self.text[span.clone()])
    }

    /// The reason for which the test cannot be run, in one sentence, if it asks for something that is
    /// not supported.
    pub fn unmet(&self) -> Option<String> {
        let is_met = |it: &&String| ["fp64", "geometry", "compute"].contains(&it.as_str());
        let unmet = self.requirements.iter().find(|it| !is_met(it))?;
        Some(format!("it requires {unmet}, which is not supported"))
    }

    /// Runs the test, unless it asks for something that is not supported.
    ///
    /// # Errors
    ///
    /// A program that an engine cannot compile, or a draw that could not be made. Probes that fail are
    /// not errors, and neither are programs that cannot be translated.
    pub fn run(&self, engine: &Engine) -> Result<Outcome, RunError> {
        if let Some(reason) = self.unmet() {
            return Ok(Outcome::Skipped(reason));
        }
        let report = match self.program(Processor::Compute) {
            Some(_) => compute::run(self, engine),
            None => Runner::new(self, engine)
                .map_err(RunError::from)
                .and_then(|runner| runner.run()),
        };
        match report {
            Ok(report) => Ok(Outcome::Ran(report)),
            Err(RunError::Load(LoadError::Program(error))) => {
                Ok(Outcome::Refused(error.diagnostics))
            }
            Err(error) => Err(error),
        }
    }

    /// The textures, at their units.
    fn units(&self) -> Textures {
        let mut units = Textures::new();
        for (unit, texture) in &self.textures {
            let bound = units.bind(*unit as usize, texture.clone());
            bound.expect("numbers of units have been checked");
        }
        units
    }

    /// Mistakes in a program, which is at byte `offset`, as mistakes in the test.
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
