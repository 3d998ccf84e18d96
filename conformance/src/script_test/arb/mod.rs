//! Tests of ARB programs, in the format of piglit's `.shader_test` files, as far as tests of ARB programs use it: a
//! script that draws rectangles and probes pixels.
//!
//! The window is 250 pixels wide and high, y upwards. State is OpenGL's initial state, changed by commands.
//!
//! ```
//! use attila_shader::Engine;
//! use attila_conformance::script_test::arb::ArbTest;
//! use attila_conformance::script_test::{Outcome, ScriptTest};
//!
//! let test = ArbTest::parse("\
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

mod commands;
mod probe;
mod requirement;
mod state;
mod textures;

use std::ops::Range;

use attila_shader::Engine;
use attila_shader::front::arb::{Arb, ArbStage, Profile, compile, stage_of};
use attila_shader::isa::Diagnostics;

use super::error::{located, misplaced};
use super::program::Program;
use super::script::Script;
use super::sections::{Sections, known};
use super::{Report, RunError, ScriptError, ScriptTest};
use commands::{COMMANDS, Made};
use state::State;

/// The sections of a test.
const SECTIONS: [&str; 4] = [
    "[require]",
    "[vertex program]",
    "[fragment program]",
    "[test]",
];

/// The window's width and height, in pixels.
const WINDOW: u32 = 250;

/// The largest width or height of a texture of a test.
const MAX_TEXTURE: u32 = 2048;

/// The most texels of all textures that a script makes, replaced ones included: four of the largest.
const MAX_TEXELS: u32 = 4 * MAX_TEXTURE * MAX_TEXTURE;

/// The most commands of a script: each takes a few bytes, and may look at every pixel of the window.
pub const MAX_COMMANDS: usize = 10_000;

/// The limits of the programs of tests.
const PROFILE: Profile = Profile::ROOMY;

/// The fragment program of a test without one: fixed function, whose initial state lets the colour through.
const FIXED_FUNCTION: &str = "!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n";

/// A test that has been read. Its programs are looked at when it is run, since they may need what its
/// requirements say.
#[derive(Debug)]
pub struct ArbTest {
    unmet: Option<String>,
    script: Script<State>,
    text: String,
    /// Where the programs are in the text.
    vertex: Range<usize>,
    fragment: Option<Range<usize>>,
}

impl ArbTest {
    /// Reads a test.
    ///
    /// # Errors
    ///
    /// All that is wrong with sections, requirements and commands, with positions.
    pub fn parse(text: &str) -> Result<ArbTest, ScriptError> {
        let mut diagnostics = Diagnostics::default();
        let name = |header: &str, span| known(&SECTIONS, header, span);
        let sections = Sections::split(text, Some("[test]"), name, &mut diagnostics);
        let missing = ["[vertex program]", "[test]"].map(|name| {
            (
                sections.has(name),
                format!("the section `{name}` is missing"),
            )
        });
        let missing = missing.iter().map(|(has, message)| (*has, &message[..]));
        sections.require(missing, &mut diagnostics);
        let unmet = requirement::unmet(&sections, &mut diagnostics);
        let made = Made::default();
        let script = Script::read(&sections, COMMANDS, made, MAX_COMMANDS, &mut diagnostics);
        if diagnostics.has_errors() {
            let diagnostics = diagnostics.finish(text);
            return Err(ScriptError { diagnostics });
        }
        let fragment = "[fragment program]";
        Ok(ArbTest {
            unmet,
            script,
            text: text.to_owned(),
            vertex: sections.body("[vertex program]"),
            fragment: sections.has(fragment).then(|| sections.body(fragment)),
        })
    }

    /// The text of the program of a stage; `None` for fixed function.
    pub fn program(&self, stage: ArbStage) -> Option<&str> {
        self.place(stage).map(|place| &self.text[place])
    }

    fn place(&self, stage: ArbStage) -> Option<Range<usize>> {
        match stage {
            ArbStage::Vertex => Some(self.vertex.clone()),
            ArbStage::Fragment => self.fragment.clone(),
        }
    }

    /// Translates and prepares the program of a stage.
    fn prepare(&self, stage: ArbStage, engine: &Engine) -> Result<Program<Arb>, RunError> {
        let text = self.program(stage).unwrap_or(FIXED_FUNCTION);
        let start = self.place(stage).map_or(0, |place| place.start);
        if let Some(other) = stage_of(text).filter(|other| *other != stage) {
            let first_line = start..start + text.lines().next().unwrap_or("").len();
            let remark = misplaced(first_line, &stage.to_string(), &other.to_string());
            return Err(ScriptError::new(&self.text, [remark]).into());
        }
        let translation = compile(text, &PROFILE)
            .map_err(|error| ScriptError::new(&self.text, located(&error.diagnostics, start)))?;
        Program::new(translation, &format!("{stage} program"), engine)
    }
}

impl ScriptTest for ArbTest {
    fn unmet(&self) -> Option<&str> {
        self.unmet.as_deref()
    }

    /// At first, all colours and depths are 0.
    fn play(&self, engine: &Engine) -> Result<Report, RunError> {
        let vertex = self.prepare(ArbStage::Vertex, engine)?;
        let fragment = self.prepare(ArbStage::Fragment, engine)?;
        let mut state = State::new(vertex, fragment);
        let probes = self.script.play(&mut state)?;
        Ok(Report {
            probes,
            targets: vec![state.colour],
            depth: Some(state.depth),
        })
    }
}
