//! Tests of TGSI programs: texts with the data that they run on, and a script that draws triangles and probes pixels,
//! or runs a compute program. The files end in `.tgsi_test`.
//!
//! Row 0 of a target is its first row: (-1, -1) of clip space is the corner of row 0 and column 0. A target of
//! integers keeps the words of outputs; in a target of floats every NaN is the same one.
//!
//! The values of tests are those of a rasteriser with rules of its own. Draws snap vertices to 1/256 of a pixel, and cover
//! a centre on an edge if it is a left one. A test whose probes fail is therefore drawn again, moved by as much to each
//! side, and a probe passes if what it expects lies between what the pictures show.
//!
//! A line `# dialect T7` or `# dialect T10` before the first section names the dialect of the texts, which is
//! T23 without it.
//!
//! ```
//! use attila_shader::Engine;
//! use attila_conformance::script_test::tgsi::TgsiTest;
//! use attila_conformance::script_test::{Outcome, ScriptTest};
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

mod commands;
mod compute;
mod draw;
mod halves;
mod linkage;
mod points;
mod primitive;
mod state;
mod textures;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use attila_shader::Engine;
use attila_shader::front::tgsi::{
    Dialect, Options, Processor, Tgsi, Translation, compile, processor_of,
};
use attila_shader::isa::{Diagnostics, Remark};
use attila_shader::texture::{Texture, Textures};

use super::attributes::Attribute;
use super::error::{located, misplaced};
use super::program::Program;
use super::script::Script;
use super::sections::{Sections, known};
use super::words::Words;
use super::{Report, RunError, ScriptError, ScriptTest, unsupported};
use commands::{COMMANDS, Target};
use compute::Dispatches;
use draw::Draws;
use state::{Stages, State};

/// The sections.
const SECTIONS: [&str; 9] = [
    "[require]",
    "[tgsi vertex]",
    "[tgsi geometry]",
    "[tgsi fragment]",
    "[tgsi compute]",
    "[vertex data]",
    "[textures]",
    "[buffers]",
    "[test]",
];

/// The requirements that are met.
const FEATURES: [&str; 3] = ["fp64", "geometry", "compute"];

/// The largest width or height of a target or a texture, in pixels.
const MAX_SIDE: u32 = 2048;

/// The most texels of all textures of a test, with levels and layers.
const MAX_TEXELS: usize = 1 << 24;

/// The most commands of a script.
const MAX_COMMANDS: usize = 100_000;

/// The most vertices of a draw, with all its instances.
pub const MAX_VERTICES: u32 = 1 << 20;

/// How far pictures are moved: not at all, and by the step that vertices are snapped to.
const MOVES: [[f32; 2]; 5] = {
    const STEP: f32 = 1.0 / 256.0;
    [
        [0.0, 0.0],
        [STEP, 0.0],
        [-STEP, 0.0],
        [0.0, STEP],
        [0.0, -STEP],
    ]
};

/// Registers of vertex inputs.
const REGISTERS: Range<u32> = 0..64;

/// A test that has been read. Its programs are looked at when it is run.
#[derive(Debug)]
pub struct TgsiTest {
    /// The dialect of its programs.
    pub dialect: Dialect,
    unmet: Option<String>,
    script: Script<State>,
    text: String,
    /// Where the programs are in the text.
    programs: BTreeMap<Processor, Range<usize>>,
    vertices: Arc<Vec<Attribute>>,
    /// The words of buffers at the beginning.
    buffers: BTreeMap<u32, Vec<u32>>,
    textures: BTreeMap<u32, Arc<Texture>>,
}

impl TgsiTest {
    /// Reads a test.
    ///
    /// # Errors
    ///
    /// All mistakes in sections, data and commands, with positions.
    pub fn parse(text: &str) -> Result<TgsiTest, ScriptError> {
        let mut diagnostics = Diagnostics::default();
        let (sections, programs) = split(text, &mut diagnostics);
        let mut requirements = sections.lines("[require]").map(|(_, line)| line);
        let unmet = requirements.find(|it| !FEATURES.contains(it));
        let vertices = vertices(&sections, &mut diagnostics);
        let textures = textures::parse(&sections, &mut diagnostics);
        let buffers = compute::buffers(&sections, &mut diagnostics);
        let target: Option<Target> = None;
        let script = Script::read(&sections, COMMANDS, target, MAX_COMMANDS, &mut diagnostics);
        let dialect = dialect(text, &mut diagnostics);
        if diagnostics.has_errors() {
            let diagnostics = diagnostics.finish(text);
            return Err(ScriptError { diagnostics });
        }
        Ok(TgsiTest {
            dialect,
            unmet: unmet.map(unsupported),
            script,
            text: text.to_owned(),
            programs,
            vertices: Arc::new(vertices),
            buffers,
            textures,
        })
    }

    /// The text of a program of a kind.
    pub fn program(&self, kind: Processor) -> Option<&str> {
        let span = self.programs.get(&kind)?;
        Some(&self.text[span.clone()])
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

    /// Translates a program and prepares it.
    fn prepare(&self, kind: Processor, engine: &Engine) -> Result<Program<Tgsi>, RunError> {
        let translation = self.translate(kind)?;
        Program::new(translation, &format!("{} program", kind.noun()), engine)
    }

    fn translate(&self, kind: Processor) -> Result<Translation, ScriptError> {
        let end = self.text.len()..self.text.len();
        let span = self.programs.get(&kind).cloned().unwrap_or(end);
        let text = &self.text[span.clone()];
        if let Some(other) = processor_of(text).filter(|other| *other != kind) {
            let remark = misplaced(span, kind.noun(), other.noun());
            return Err(ScriptError::new(&self.text, [remark]));
        }
        let options = Options {
            dialect: Some(self.dialect),
            ..Options::default()
        };
        let start = span.start;
        let translation = compile(text, &options);
        translation.map_err(|it| ScriptError::new(&self.text, located(&it.diagnostics, start)))
    }

    /// Runs the test, with a picture for each of these moves.
    fn report(&self, engine: &Engine, moves: &[[f32; 2]]) -> Result<Report, RunError> {
        let mut state = State::new(self.stages(engine)?, self.units(), moves);
        let probes = self.script.play(&mut state)?;
        let unmoved = state.drawings.swap_remove(0);
        Ok(Report {
            probes,
            targets: unmoved.targets,
            depth: None,
        })
    }

    /// What its programs are for.
    fn stages(&self, engine: &Engine) -> Result<Stages, RunError> {
        let prepare = |kind| self.prepare(kind, engine);
        if self.program(Processor::Compute).is_some() {
            let program = prepare(Processor::Compute)?;
            let dispatches = Dispatches::new(program, &self.buffers, engine);
            return Ok(Stages::Compute(Box::new(dispatches)));
        }
        let geometry = self.program(Processor::Geometry);
        Ok(Stages::Draw(Box::new(Draws {
            vertex: prepare(Processor::Vertex)?,
            geometry: geometry.map(|_| prepare(Processor::Geometry)).transpose()?,
            fragment: prepare(Processor::Fragment)?,
            vertices: Arc::clone(&self.vertices),
            engine: engine.clone(),
        })))
    }
}

impl ScriptTest for TgsiTest {
    fn unmet(&self) -> Option<&str> {
        self.unmet.as_deref()
    }

    fn play(&self, engine: &Engine) -> Result<Report, RunError> {
        let report = self.report(engine, &MOVES[..1])?;
        match report.passed() {
            true => Ok(report),
            false => self.report(engine, &MOVES),
        }
    }
}

/// Finds the sections, and the programs among them. Those that a test needs are there, unless there is an error.
fn split<'t>(
    text: &'t str,
    diagnostics: &mut Diagnostics,
) -> (Sections<'t>, BTreeMap<Processor, Range<usize>>) {
    let name = |header: &str, span| known(&SECTIONS, header, span);
    let sections = Sections::split(text, None, name, diagnostics);
    let programs = [
        ("[tgsi vertex]", Processor::Vertex),
        ("[tgsi geometry]", Processor::Geometry),
        ("[tgsi fragment]", Processor::Fragment),
        ("[tgsi compute]", Processor::Compute),
    ];
    let programs = programs.into_iter().filter(|(name, _)| sections.has(name));
    let programs = programs.map(|(name, kind)| (kind, sections.body(name)));
    let programs: BTreeMap<Processor, Range<usize>> = programs.collect();
    let has = |kind| programs.contains_key(&kind);
    let is_complete = has(Processor::Compute) || has(Processor::Vertex) && has(Processor::Fragment);
    let missing = [
        (
            is_complete,
            "a test has the sections `[tgsi vertex]` and `[tgsi fragment]`, or `[tgsi compute]`",
        ),
        (sections.has("[test]"), "the section `[test]` is missing"),
    ];
    sections.require(missing, diagnostics);
    (sections, programs)
}

/// The dialect that a comment before the first section names; T23 without one.
fn dialect(text: &str, diagnostics: &mut Diagnostics) -> Dialect {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let here = start..start + line.trim_end().len();
        start += line.len();
        if line.starts_with('[') {
            break;
        }
        let Some(name) = line.strip_prefix("# dialect ") else {
            continue;
        };
        match Dialect::find(name.trim()) {
            Some(dialect) => return dialect,
            None => {
                let message = format!("there is no dialect `{}`", name.trim());
                let remark = Remark::new(here, message);
                diagnostics.error(remark.help("the dialects are T7, T10 and T23"));
            }
        }
    }
    Dialect::T23
}

/// Reads the vertices.
fn vertices(sections: &Sections<'_>, diagnostics: &mut Diagnostics) -> Vec<Attribute> {
    let header = |words: &mut Words<'_>| {
        let register = words.indexed("IN", REGISTERS)?;
        Ok(Attribute::words(register, &[]))
    };
    Attribute::read(sections, header, |words| words.float_bits(), diagnostics)
}
