//! Running tests.

use std::collections::{BTreeMap, BTreeSet};

use attila_shader::compute::ComputeError;
use attila_shader::front::tgsi::{
    Input, Options, Param, Processor, Semantic, SemanticName, Translation, compile, processor_of,
};
use attila_shader::geometry::GeometryError;
use attila_shader::isa::{Diagnostics, Remark, Slots, ValidateError};
use attila_shader::machine::PrepareError;
use attila_shader::texture::Textures;
use attila_shader::{Bindings, Engine, Shader, TextureUnit};
use thiserror::Error;

use super::assembly::triangles;
use super::command::{Command, Constants, Primitive, TargetFormat};
use super::fragments::Fragments;
use super::linkage::{Linkage, missing};
use super::probe::{ProbeResult, probe};
use super::raster::Raster;
use super::vertices::{self, Run, Vertex};
use super::{ScriptError, TgsiTest, geometry};
use crate::linkage::{Misfit, Pair};

/// The reason for which a program of a test cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The text cannot be translated.
    #[error(transparent)]
    Program(#[from] ScriptError),
    /// The translation is not valid.
    #[error("the {} program", .program.noun())]
    Invalid {
        /// The kind of program.
        program: Processor,
        /// The mistake.
        source: ValidateError,
    },
    /// The engine's compiler failed.
    #[error("the {} program", .program.noun())]
    Prepare {
        /// The kind of program.
        program: Processor,
        /// Its error.
        source: PrepareError,
    },
}

/// The reason for which a test could not be run to its end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// A program cannot be used.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A program stopped.
    #[error("line {line}")]
    Shader {
        /// The line of the command.
        line: usize,
        /// Its error.
        source: attila_shader::RunError,
    },
    /// The compute program stopped, or its grid is wrong.
    #[error("line {line}")]
    Compute {
        /// The line of the command, or 0.
        line: usize,
        /// Its error.
        source: ComputeError,
    },
    /// The geometry program stopped.
    #[error("line {line}")]
    Geometry {
        /// The line of the command.
        line: usize,
        /// Its error.
        source: GeometryError,
    },
    /// A program has an output that the draw would have to act on.
    #[error("line {line}: the {} program writes {output}, which has no effect: {reason}", .program.noun())]
    Output {
        /// The line of the command.
        line: usize,
        /// The kind of program.
        program: Processor,
        /// The output.
        output: Semantic,
        /// The reason, as the end of a sentence.
        reason: &'static str,
    },
    /// The programs do not fit each other, or the textures.
    #[error("line {line}")]
    Misfit {
        /// The line of the command.
        line: usize,
        /// The mistake.
        source: Misfit,
    },
    /// A command cannot be carried out.
    #[error("line {line}: {message}")]
    Command {
        /// The line of the command.
        line: usize,
        /// One sentence.
        message: &'static str,
    },
}

/// The words of a target, row by row, the first row first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The content.
    pub format: TargetFormat,
    /// The words of each pixel.
    pub words: Vec<[u32; 4]>,
}

impl Picture {
    /// The pixels with a byte for each channel: floats from 0 to 1, and the low bytes of integers.
    pub fn pixels(&self) -> Vec<[u8; 4]> {
        let byte = |word: u32| match self.format.is_integer() {
            true => word as u8,
            false => (f32::from_bits(word).clamp(0.0, 1.0) * 255.0).round() as u8,
        };
        self.words.iter().map(|words| words.map(byte)).collect()
    }

    pub(super) fn place(&self, [x, y]: [u32; 2]) -> usize {
        y as usize * self.width as usize + x as usize
    }
}

/// The results of a test.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Its probes, in their order.
    pub probes: Vec<ProbeResult>,
    /// Its targets in the end.
    pub targets: Vec<Picture>,
}

impl Report {
    /// Whether all probes saw what they expected.
    pub fn passed(&self) -> bool {
        self.probes.iter().all(|probe| probe.mismatch.is_none())
    }
}

/// A program of a test.
pub(super) struct Program {
    kind: Processor,
    pub(super) translation: Translation,
    pub(super) shader: Shader,
}

/// A test that has been made ready for running.
pub struct Runner<'a> {
    test: &'a TgsiTest,
    vertex: Program,
    geometry: Option<Program>,
    fragment: Program,
    textures: Textures,
}

/// The number of a constant buffer, and its vectors.
pub(super) type ConstantBuffer = (usize, Vec<[u32; 4]>);

/// Values that commands change.
#[derive(Default)]
pub(super) struct State {
    pub(super) constants: BTreeMap<Constants, [u32; 4]>,
    pub(super) tolerance: f32,
    targets: Vec<Picture>,
}

impl<'a> Runner<'a> {
    /// Translates the programs of a test, and prepares them.
    ///
    /// # Errors
    ///
    /// A text that cannot be translated, or that the engine cannot compile.
    pub fn new(test: &'a TgsiTest, engine: &Engine) -> Result<Runner<'a>, LoadError> {
        Ok(Runner {
            test,
            vertex: Program::new(test, Processor::Vertex, engine)?,
            geometry: match test.program(Processor::Geometry) {
                Some(_) => Some(Program::new(test, Processor::Geometry, engine)?),
                None => None,
            },
            fragment: Program::new(test, Processor::Fragment, engine)?,
            textures: test.units(),
        })
    }

    /// Runs the script from its beginning.
    ///
    /// # Errors
    ///
    /// A draw that could not be made.
    pub fn run(&self) -> Result<Report, RunError> {
        let mut state = State::default();
        let mut probes = Vec::new();
        for line in &self.test.commands {
            let number = line.line;
            let fail = |message| RunError::Command {
                line: number,
                message,
            };
            match &line.command {
                Command::Target {
                    width,
                    height,
                    format,
                    count,
                } => {
                    let picture = Picture {
                        width: *width,
                        height: *height,
                        format: *format,
                        words: vec![[0; 4]; *width as usize * *height as usize],
                    };
                    state.targets = vec![picture; *count as usize];
                }
                Command::Tolerance(tolerance) => state.tolerance = *tolerance,
                Command::Clear(words) => {
                    for target in &mut state.targets {
                        target.words.fill(*words);
                    }
                }
                Command::Constant(place, words) => {
                    state.constants.insert(*place, *words);
                }
                Command::Draw { .. } => self.draw(&line.command, &mut state, number)?,
                Command::Probe {
                    target,
                    place,
                    words,
                } => {
                    let picture = state.targets.get(*target as usize);
                    let picture = picture.ok_or(fail("there is no target"))?;
                    let seen = picture.words[picture.place(*place)];
                    probes.push(probe(line, *words, seen, picture.format, state.tolerance));
                }
                Command::Dispatch(_) | Command::Expect { .. } => {
                    return Err(fail("there is no compute program"));
                }
            }
        }
        Ok(Report {
            probes,
            targets: state.targets,
        })
    }

    fn draw(&self, command: &Command, state: &mut State, line: usize) -> Result<(), RunError> {
        let Command::Draw {
            primitive,
            first,
            count,
            instances,
        } = *command
        else {
            return Ok(());
        };
        let fail = |message| RunError::Command { line, message };
        let stopped = |source| RunError::Shader { line, source };
        self.check()
            .map_err(|source| RunError::Misfit { line, source })?;
        let target = state.targets.first().ok_or(fail("there is no target"))?;
        let size = [target.width, target.height];
        let buffers = [&self.vertex, &self.fragment].map(|program| program.buffers(state));
        let vertex = bindings(&self.textures, &self.vertex, state, (size, &buffers[0]));
        let fragment = bindings(&self.textures, &self.fragment, state, (size, &buffers[1]));
        let last = self.geometry.as_ref().unwrap_or(&self.vertex);
        for program in [last, &self.fragment] {
            if let Some((output, reason)) = missing(program) {
                return Err(RunError::Output {
                    line,
                    program: program.kind,
                    output,
                    reason,
                });
            }
        }
        let linkage = Linkage::new(last);
        for instance in 0..instances {
            let run = Run {
                first,
                count,
                instance,
            };
            let shaded = vertices::shade(&self.vertex, &vertex, &self.test.vertices, &run);
            let shaded = shaded.map_err(stopped)?;
            let (primitive, shaded) = self.emitted(primitive, shaded, state, line)?;
            let drawn = triangles(primitive, &shaded, size);
            let drawn = drawn.ok_or(fail("lines are not drawn"))?;
            for (number, triangle) in drawn.iter().enumerate() {
                let raster = Raster::new(triangle, size);
                let Some(raster) = raster.filter(|_| !linkage.culls(triangle)) else {
                    continue;
                };
                let fragments = Fragments {
                    program: &self.fragment,
                    bindings: &fragment,
                    linkage: &linkage,
                    triangle,
                    number: number as u32,
                };
                fragments
                    .draw(&raster, &mut state.targets)
                    .map_err(stopped)?;
            }
        }
        Ok(())
    }

    /// Checks that the programs fit each other and the textures.
    fn check(&self) -> Result<(), Misfit> {
        let before = self.geometry.as_ref().unwrap_or(&self.vertex);
        for program in [&self.vertex, before] {
            let bound = |unit| self.textures.kind(unit);
            program.translation.check_units(bound)?;
        }
        let pair = Pair {
            fragment: &self.fragment.translation,
            usages: [before, &self.fragment].map(|it| it.shader.program().usage()),
        };
        pair.check(varying, needs, &self.textures)
    }

    /// The vertices that the geometry program makes, if there is one.
    fn emitted(
        &self,
        primitive: Primitive,
        vertices: Vec<Vertex>,
        state: &State,
        line: usize,
    ) -> Result<(Primitive, Vec<Vertex>), RunError> {
        let Some(program) = &self.geometry else {
            return Ok((primitive, vertices));
        };
        let size = state
            .targets
            .first()
            .map_or([1; 2], |it| [it.width, it.height]);
        let buffers = program.buffers(state);
        let bindings = bindings(&self.textures, program, state, (size, &buffers));
        let emitted = geometry::shade(program, &bindings, primitive, &vertices);
        emitted.map_err(|source| RunError::Geometry { line, source })
    }
}

impl Program {
    /// Translates a program of a test, and prepares it.
    pub(super) fn new(
        test: &TgsiTest,
        kind: Processor,
        engine: &Engine,
    ) -> Result<Program, LoadError> {
        let translation = translate(test, kind)?;
        let program = translation.program.clone().validate();
        let program = program.map_err(|source| LoadError::Invalid {
            program: kind,
            source,
        })?;
        let shader = engine.prepare(&program);
        let shader = shader.map_err(|source| LoadError::Prepare {
            program: kind,
            source,
        })?;
        Ok(Program {
            kind,
            translation,
            shader,
        })
    }

    /// The words of a register of constants.
    fn constant(&self, state: &State, buffer: u32, register: u32) -> [u32; 4] {
        let place = Constants {
            program: self.kind,
            buffer,
            register,
        };
        state.constants.get(&place).copied().unwrap_or_default()
    }

    /// The buffers that it reads beside constant registers.
    pub(super) fn buffers(&self, state: &State) -> Vec<ConstantBuffer> {
        let insts = self.translation.program.insts().iter();
        let read: BTreeSet<u32> = insts.filter_map(|it| it.buffer()).map(u32::from).collect();
        let buffers = self.translation.details.constants.iter();
        let buffers = buffers.filter(|constants| read.contains(&constants.buffer));
        buffers
            .map(|constants| {
                let registers = 0..constants.size;
                let words = registers.map(|it| self.constant(state, constants.buffer, it));
                (constants.buffer as usize, words.collect())
            })
            .collect()
    }
}

/// Semantics of fragment inputs that only the program before can give.
const VARYINGS: [SemanticName; 4] = [
    SemanticName::Color,
    SemanticName::Fog,
    SemanticName::Generic,
    SemanticName::TextureCoordinate,
];

/// The name of an input that is a varying.
fn varying(input: Input) -> Option<String> {
    match input {
        Input::Semantic(semantic) if VARYINGS.contains(&semantic.name) => {
            Some(semantic.to_string())
        }
        Input::Semantic(_) | Input::Attribute(_) => None,
    }
}

/// The components of a varying that have to be written. Those of colours and of fog have values of their own.
fn needs(input: Input, [read, written]: [Slots; 2]) -> Slots {
    let has_defaults = match input {
        Input::Semantic(semantic) => {
            matches!(semantic.name, SemanticName::Color | SemanticName::Fog)
        }
        Input::Attribute(_) => false,
    };
    match has_defaults && !written.is_empty() {
        true => Slots::empty(),
        false => read,
    }
}

/// The constants as they are now, and the textures.
pub(super) fn bindings<'b>(
    textures: &'b Textures,
    program: &Program,
    state: &State,
    (size, buffers): ([u32; 2], &'b [ConstantBuffer]),
) -> Bindings<'b> {
    let mut bindings = Bindings::new().with_textures(textures);
    for (number, words) in buffers {
        bindings = bindings.with_buffer(*number, words);
    }
    for &(number, param) in &program.translation.params {
        let words = match param {
            Param::Constant(words) => words,
            Param::Window => {
                let [width, height] = size.map(|side| side as f32);
                [width, height, 0.0, 1.0].map(f32::to_bits)
            }
            Param::Buffer { buffer, register } => program.constant(state, buffer, register),
        };
        bindings.set_constant_bits(number as usize, words);
    }
    bindings
}

fn translate(test: &TgsiTest, kind: Processor) -> Result<Translation, ScriptError> {
    let whole = test.text.len()..test.text.len();
    let span = test.programs.get(&kind).cloned().unwrap_or(whole);
    let text = &test.text[span.clone()];
    if let Some(other) = processor_of(text).filter(|other| *other != kind) {
        let mut diagnostics = Diagnostics::default();
        let (kind, other) = (kind.noun(), other.noun());
        let message = format!("expected a {kind} program; this is a {other} program");
        diagnostics.error(Remark::new(span, message));
        let diagnostics = diagnostics.finish(&test.text);
        return Err(ScriptError { diagnostics });
    }
    let options = Options {
        dialect: Some(test.dialect),
        ..Options::default()
    };
    compile(text, &options).map_err(|error| test.located(&error.diagnostics, span.start))
}
