//! Tests of AGAL programs: texts or bytes with the data that they run on, and a script that draws triangles and
//! probes pixels. The files end in `.agal_test`.
//!
//! Row 0 of the picture is the upper one. z of clip space is from 0 to w, and targets have bytes.
//!
//! ```
//! use attila_shader::Engine;
//! use attila_conformance::script_test::agal::AgalTest;
//! use attila_conformance::script_test::{Outcome, ScriptTest};
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

mod commands;
mod data;
mod samplers;
mod sources;
mod state;
mod textures;

use std::collections::BTreeMap;
use std::sync::Arc;

use attila_shader::Engine;
use attila_shader::front::agal::{Agal, AgalProgram, Translation, Version};
use attila_shader::isa::{Diagnostics, Remark, Stage};
use attila_shader::texture::Image;

use super::attributes::Attribute;
use super::program::Program;
use super::script::Script;
use super::sections::Sections;
use super::{Report, RunError, ScriptError, ScriptTest, unsupported};
use commands::{Before, COMMANDS};
use data::Constants;
use state::State;

/// The largest width or height of a picture or a texture, in pixels.
const MAX_SIDE: u32 = 2048;

/// The most commands of a script.
const MAX_COMMANDS: usize = 100_000;

/// The name of programs without one.
const DEFAULT: &str = "default";

/// The name of a program, with its stage.
type Name = (Stage, String);

/// A program as it is written, and as an ATTILA program.
#[derive(Debug)]
struct Source {
    program: AgalProgram,
    translation: Translation,
}

/// A test that has been read.
#[derive(Debug)]
pub struct AgalTest {
    unmet: Option<String>,
    script: Script<State>,
    data: Arc<Data>,
}

/// The part of a test that commands do not change.
#[derive(Debug)]
struct Data {
    sources: BTreeMap<Name, Source>,
    /// The values of constants at the beginning.
    constants: Constants,
    attributes: Vec<Attribute>,
    triangles: Vec<[u32; 3]>,
    images: BTreeMap<u16, Arc<Image>>,
}

impl AgalTest {
    /// Reads a test, its programs included.
    ///
    /// # Errors
    ///
    /// All mistakes in sections, programs, data and commands, with positions.
    pub fn parse(text: &str) -> Result<AgalTest, ScriptError> {
        let mut diagnostics = Diagnostics::default();
        let sections = sources::split(text, &mut diagnostics);
        let (version, unmet) = requirements(&sections, &mut diagnostics);
        let data = Data {
            sources: sources::read(&sections, version, &mut diagnostics),
            constants: data::constants(&sections, &mut diagnostics),
            attributes: data::attributes(&sections, &mut diagnostics),
            triangles: data::triangles(&sections, &mut diagnostics),
            images: textures::read(&sections, &mut diagnostics),
        };
        let before = Before::new(sources::names(&sections), data.triangles.len());
        let script = Script::read(&sections, COMMANDS, before, MAX_COMMANDS, &mut diagnostics);
        if diagnostics.has_errors() {
            let diagnostics = diagnostics.finish(text);
            return Err(ScriptError { diagnostics });
        }
        Ok(AgalTest {
            unmet,
            script,
            data: Arc::new(data),
        })
    }
}

impl ScriptTest for AgalTest {
    fn unmet(&self) -> Option<&str> {
        self.unmet.as_deref()
    }

    fn play(&self, engine: &Engine) -> Result<Report, RunError> {
        let programs = self.data.sources.iter().map(|(name, source)| {
            let shown = format!("{} program `{}`", name.0, name.1);
            let program = Program::new(source.translation.clone(), &shown, engine)?;
            Ok((name.clone(), program))
        });
        let programs: Result<BTreeMap<Name, Program<Agal>>, RunError> = programs.collect();
        let mut state = State::new(Arc::clone(&self.data), programs?);
        let probes = self.script.play(&mut state)?;
        Ok(Report {
            probes,
            targets: state.picture.into_iter().collect(),
            depth: None,
        })
    }
}

/// The version that texts are assembled for, and the reason for which another requirement is not met.
fn requirements(
    sections: &Sections<'_>,
    diagnostics: &mut Diagnostics,
) -> (Version, Option<String>) {
    let (mut version, mut unmet) = (Version::V1, None);
    for (start, line) in sections.lines("[require]") {
        let Some(number) = line.strip_prefix("agal ") else {
            unmet.get_or_insert_with(|| unsupported(line));
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
    (version, unmet)
}
