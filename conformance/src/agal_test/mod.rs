//! Tests of AGAL programs: texts or bytes with the data that they run on, and a script that draws triangles
//! and probes pixels. The files end in `.agal_test`.
//!
//! ```text
//! text ─► sections ─► requirements
//!                  ├► programs ─► Translation ─► Shader ─┐
//!                  ├► vertices, indices, textures ───────┤
//!                  └► script ─► commands ────────────────┴► Runner ─► Report
//! ```
//!
//! Row 0 of the picture is the upper one. Draws are [`attila_shader::draw`]'s, with z of clip space from 0
//! to w, into a target of bytes.
//!
//! ```
//! use attila_shader::Engine;
//! use attila_conformance::agal_test::{AgalTest, Outcome};
//!
//! let test = AgalTest::parse("\
//! [agal vertex]
//! mov op, va0
//! [agal fragment]
//! mov oc, fc0
//! [constants]
//! fc0 = 1 0 .5 1
//! [vertex data]
//! va0 float2
//! -1 -1
//! 3 -1
//! -1 3
//! [indices]
//! 0 1 2
//! [test]
//! size 8 8
//! draw 0 1
//! probe 7 7  255 0 128 tolerance 1
//! ")?;
//! let Outcome::Ran(report) = test.run(&Engine::auto())? else {
//!     panic!("all that is asked for is there");
//! };
//! assert!(report.passed());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod command;
mod data;
mod programs;
mod run;
mod samplers;
mod script;
mod sections;
mod textures;

use std::collections::BTreeMap;
use std::sync::Arc;

use attila_shader::Engine;
use attila_shader::front::agal::Version;
use attila_shader::isa::{Diagnostics, Remark};
use attila_shader::texture::Image;

pub use crate::shader_test::ScriptError;
pub use command::{Command, Constant, Line};
pub use programs::Program;
pub use run::{FlashError, Mismatch, ProbeResult, Report, RunError, Runner};
pub use samplers::state as sampler_state;

use crate::sections::lines;
use data::Attribute;
use programs::Programs;

/// The largest width or height of a picture or a texture, in pixels.
pub const MAX_SIDE: u32 = 2048;

/// The most commands of a script.
pub const MAX_COMMANDS: usize = 100_000;

/// The name of programs without one.
const DEFAULT: &str = "default";

/// A test that has been read.
#[derive(Clone, Debug)]
pub struct AgalTest {
    /// Its requirements besides the version, as they are written.
    pub requirements: Vec<String>,
    /// Its script.
    pub commands: Vec<Line>,
    programs: Programs,
    /// The values of constants at the beginning.
    constants: BTreeMap<Constant, [f32; 4]>,
    attributes: Vec<Attribute>,
    triangles: Vec<[u32; 3]>,
    images: BTreeMap<u16, Arc<Image>>,
}

/// The outcome of a test.
#[derive(Debug)]
pub enum Outcome {
    /// It asks for something that is not supported: one sentence.
    Skipped(String),
    /// It was run.
    Ran(Report),
}

impl AgalTest {
    /// Reads a test, its programs included.
    ///
    /// # Errors
    ///
    /// All mistakes in sections, programs, data and commands, with positions.
    pub fn parse(text: &str) -> Result<AgalTest, ScriptError> {
        let mut diagnostics = Diagnostics::default();
        let sections = sections::split(text, &mut diagnostics);
        let (version, requirements) = requirements(text, &sections, &mut diagnostics);
        let programs = programs::read(text, &sections, version, &mut diagnostics);
        let constants = data::constants(text, &sections, &mut diagnostics);
        let attributes = data::attributes(text, &sections, &mut diagnostics);
        let triangles = data::triangles(text, &sections, &mut diagnostics);
        let images = textures::read(text, &sections, &mut diagnostics);
        let commands = script::read(text, &sections, &triangles, &mut diagnostics);
        if diagnostics.has_errors() {
            let diagnostics = diagnostics.finish(text);
            return Err(ScriptError { diagnostics });
        }
        Ok(AgalTest {
            requirements,
            commands,
            programs,
            constants,
            attributes,
            triangles,
            images,
        })
    }

    /// The reason for which the test cannot be run, in one sentence, if it asks for something that is
    /// not supported.
    pub fn unmet(&self) -> Option<String> {
        let unmet = self.requirements.first()?;
        Some(format!("it requires {unmet}, which is not supported"))
    }

    /// Runs the test, unless it asks for something that is not supported.
    ///
    /// # Errors
    ///
    /// A program that an engine cannot compile, or a draw that could not be made. Probes that fail are
    /// not errors.
    pub fn run(&self, engine: &Engine) -> Result<Outcome, RunError> {
        match self.unmet() {
            Some(reason) => Ok(Outcome::Skipped(reason)),
            None => Ok(Outcome::Ran(Runner::new(self, engine)?.run()?)),
        }
    }
}

/// The version that texts are assembled for, and all other requirements.
fn requirements(
    text: &str,
    sections: &sections::Sections,
    diagnostics: &mut Diagnostics,
) -> (Version, Vec<String>) {
    let (mut version, mut others) = (Version::V1, Vec::new());
    for (start, line) in lines(text, sections.require.clone()) {
        let Some(number) = line.strip_prefix("agal ") else {
            others.push(line.to_owned());
            continue;
        };
        match number.trim().parse().ok().and_then(Version::of) {
            Some(known) => version = known,
            None => {
                let span = start..start + line.len();
                let message = format!("there is no version {} of AGAL", number.trim());
                let remark = Remark::new(span, message);
                diagnostics.error(remark.help("there are 1, 2 and 3"));
            }
        }
    }
    (version, others)
}
