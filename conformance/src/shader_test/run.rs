//! Running tests.

use attila_shader::front::arb::ArbStage;
use attila_shader::isa::{Slots, ValidateError};
use attila_shader::machine::pipeline::{ColourFormat, Compare, DepthFormat};
use attila_shader::machine::{
    Bindings, PrepareError, VertexAttribute, VertexBuffers, VertexFormat,
};
use attila_shader::texture::{ImageError, Textures};
use thiserror::Error;

use super::command::Command;
use super::parse::PROFILE;
use super::probe::{Canvas, ProbeResult, to_bytes};
use super::state::State;
use super::{FIXED_FUNCTION, ScriptError, ShaderTest, WINDOW};
use crate::linkage::{Misfit, Pair};
use attila_shader::draw::{
    ColourImage, Cull, DepthImage, DepthState, Draw, DrawError, FrontFace, Mesh, Viewport,
};
use attila_shader::front::arb::{Input, Parameters, Translation, compile, stage_of};
use attila_shader::{Engine, Shader};

/// A rectangle as a strip: the corners are numbered as [`State::corners`] gives them.
const TRIANGLES: [[u32; 3]; 2] = [[0, 1, 2], [2, 1, 3]];

/// Why a program of a test cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The text is no program.
    #[error(transparent)]
    Program(#[from] ScriptError),
    /// The program that it was translated to is not valid.
    #[error("the {stage} program")]
    Invalid {
        /// Which program.
        stage: ArbStage,
        /// Why.
        source: ValidateError,
    },
    /// The engine's compiler failed.
    #[error("the {stage} program")]
    Prepare {
        /// Which program.
        stage: ArbStage,
        /// Why.
        source: PrepareError,
    },
}

/// Why a test could not be run to its end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// A program cannot be used.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A texture could not be made.
    #[error("line {line}")]
    Texture {
        /// The line of the command.
        line: usize,
        /// Why.
        source: ImageError,
    },
    /// The programs do not fit each other, or the textures.
    #[error("line {line}")]
    Misfit {
        /// The line of the command.
        line: usize,
        /// The mistake.
        source: Misfit,
    },
    /// A draw was not made.
    #[error("line {line}")]
    Draw {
        /// The line of the command.
        line: usize,
        /// Why.
        source: DrawError,
    },
}

/// The results of a test.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Its probes, in their order.
    pub probes: Vec<ProbeResult>,
    /// The picture in the end, rows from below, four floats for each pixel.
    pub colour: ColourImage,
    /// The depths, a float for each pixel.
    pub depth: DepthImage,
}

impl Report {
    /// Whether all probes saw what they expected.
    pub fn passed(&self) -> bool {
        self.probes.iter().all(|probe| probe.mismatch.is_none())
    }

    /// The pixels with a byte for each channel, [`WINDOW`] in a row, rows from the top.
    pub fn pixels(&self) -> Vec<[u8; 4]> {
        let rows = (0..WINDOW).rev();
        let places = rows.flat_map(|y| (0..WINDOW).map(move |x| (x, y)));
        places
            .filter_map(|(x, y)| self.colour.pixel(x, y))
            .map(to_bytes)
            .collect()
    }
}

/// A program of a test.
struct Program {
    translation: Translation,
    shader: Shader,
}

/// A test that has been made ready for running.
pub struct Runner<'a> {
    test: &'a ShaderTest,
    vertex: Program,
    fragment: Program,
}

impl<'a> Runner<'a> {
    /// Translates the programs of a test, and prepares them.
    ///
    /// # Errors
    ///
    /// A text that is no program, or that the engine cannot compile.
    pub fn new(test: &'a ShaderTest, engine: &Engine) -> Result<Runner<'a>, LoadError> {
        Ok(Runner {
            test,
            vertex: Program::new(test, ArbStage::Vertex, engine)?,
            fragment: Program::new(test, ArbStage::Fragment, engine)?,
        })
    }

    /// Runs the script from its beginning. At first, all colours and depths are 0.
    ///
    /// # Errors
    ///
    /// A draw that could not be made.
    pub fn run(&self) -> Result<Report, RunError> {
        let mut state = State::default();
        let mut canvas = Canvas {
            colour: ColourImage::new(ColourFormat::Rgba32F, WINDOW, WINDOW),
            depth: DepthImage::new(DepthFormat::D32F, WINDOW, WINDOW),
        };
        let mut probes = Vec::new();
        for command in &self.test.commands {
            let line = command.line;
            match &command.command {
                Command::Clear => clear(&state, &mut canvas),
                Command::Draw(rectangle, coordinates) => {
                    let textures = self.textures(&state);
                    self.check(&textures)
                        .map_err(|source| RunError::Misfit { line, source })?;
                    self.draw(&state, (*rectangle, *coordinates), &textures, &mut canvas)
                        .map_err(|source| RunError::Draw { line, source })?;
                }
                Command::Probe(probe) => probes.push(canvas.probe(command, probe)),
                Command::ClearColor(_)
                | Command::ClearDepth(_)
                | Command::Color(_)
                | Command::TexCoord(..)
                | Command::Ortho(_)
                | Command::Parameter(..)
                | Command::DepthTest
                | Command::TwoSided
                | Command::Texture(..)
                | Command::TexParameter(..) => state
                    .apply(&command.command)
                    .map_err(|source| RunError::Texture { line, source })?,
            }
        }
        Ok(Report {
            probes,
            colour: canvas.colour,
            depth: canvas.depth,
        })
    }

    fn draw(
        &self,
        state: &State,
        (rectangle, coordinates): ([f32; 4], Option<[f32; 4]>),
        textures: &Textures,
        canvas: &mut Canvas,
    ) -> Result<(), DrawError> {
        let inputs = self.vertex.translation.inputs.iter();
        let corners = inputs.map(|&(input, register)| {
            let corners = state.corners(input, rectangle, coordinates);
            (register, bytes(&corners))
        });
        let corners: Vec<_> = corners.collect();
        let buffers = corners
            .iter()
            .fold(VertexBuffers::new(), |buffers, (register, bytes)| {
                let attribute = VertexAttribute::packed(bytes, VertexFormat::Float32, 4);
                buffers.with(usize::from(*register), attribute)
            });
        let vertex = self.vertex.bindings(&state.vertex);
        let fragment = self
            .fragment
            .bindings(&state.fragment)
            .with_textures(textures);
        let size = WINDOW as f32;
        let viewport = Viewport {
            // The first row is the lowest.
            y_down: true,
            ..Viewport::new(0.0, 0.0, size, size)
        };
        let mesh = Mesh::new(&self.vertex.shader, &buffers, &TRIANGLES)
            .bindings(&vertex)
            .viewport(viewport);
        let mut draw = Draw::new(&self.fragment.shader)
            .bindings(&fragment)
            .target(0, &mut canvas.colour)
            .two_sided(state.two_sided)
            // Turned over, as the first row is the lowest.
            .cull(Cull::None, FrontFace::Clockwise);
        if state.depth_test {
            draw = draw.depth(
                &mut canvas.depth,
                DepthState {
                    compare: Compare::Less,
                    write: true,
                },
            );
        }
        draw.mesh(&mesh)
    }

    /// Checks that the programs fit each other and the textures.
    fn check(&self, textures: &Textures) -> Result<(), Misfit> {
        let [vertex, fragment] = [&self.vertex, &self.fragment];
        let pair = Pair {
            fragment: &fragment.translation,
            usages: [vertex, fragment].map(|it| it.shader.program().usage()),
        };
        let name = |input: Input| {
            let is_varying = input != Input::Position;
            is_varying.then(|| input.name(ArbStage::Fragment))
        };
        // The other components of the fog coordinate are always the same.
        let needs = |input, [read, _]: [Slots; 2]| match input {
            Input::FogCoord => read & Slots::X,
            Input::Position
            | Input::Weight(_)
            | Input::Normal
            | Input::PrimaryColor
            | Input::SecondaryColor
            | Input::TexCoord(_)
            | Input::MatrixIndex(_)
            | Input::Generic(_) => read,
        };
        pair.check(name, needs, textures)
    }

    /// The textures that the fragment program's units are bound to.
    fn textures(&self, state: &State) -> Textures {
        let mut textures = Textures::new();
        for used in &self.fragment.translation.textures {
            // One for another target is not a texture for this, as the check says.
            let bound = state.textures.iter();
            let mut bound = bound.filter(|((unit, _), _)| *unit == used.unit);
            let own = bound
                .clone()
                .find(|((_, target), _)| *target == used.target);
            if let Some((_, texture)) = own.or_else(|| bound.next()) {
                textures
                    .bind(used.unit as usize, texture.clone().texture())
                    .expect("the profile has as many units");
            }
        }
        textures
    }
}

impl Program {
    fn new(test: &ShaderTest, stage: ArbStage, engine: &Engine) -> Result<Program, LoadError> {
        let translation = translate(test, stage)?;
        let program = translation.program.clone().validate();
        let program = program.map_err(|source| LoadError::Invalid { stage, source })?;
        let shader = engine.prepare(&program);
        let shader = shader.map_err(|source| LoadError::Prepare { stage, source })?;
        Ok(Program {
            translation,
            shader,
        })
    }

    /// The constants, as the state has them now.
    fn bindings(&self, parameters: &Parameters) -> Bindings<'static> {
        let mut bindings = Bindings::new();
        let constants = self.translation.constants(|param| parameters.value(param));
        for (register, value) in constants {
            bindings.set_constant(register, value);
        }
        bindings
    }
}

/// Vectors as they are in a vertex buffer.
fn bytes(vectors: &[[f32; 4]]) -> Vec<u8> {
    let components = vectors.as_flattened().iter();
    components
        .flat_map(|component| component.to_le_bytes())
        .collect()
}

fn translate(test: &ShaderTest, stage: ArbStage) -> Result<Translation, ScriptError> {
    let (text, start) = match (stage, &test.fragment) {
        (ArbStage::Vertex, _) => (&test.text[test.vertex.clone()], test.vertex.start),
        (ArbStage::Fragment, Some(fragment)) => (&test.text[fragment.clone()], fragment.start),
        (ArbStage::Fragment, None) => (FIXED_FUNCTION, 0),
    };
    if let Some(other) = stage_of(text).filter(|other| *other != stage) {
        let message = format!("expected a {stage} program; this is a {other} program");
        return Err(test.error(
            start..start + text.lines().next().unwrap_or("").len(),
            message,
        ));
    }
    compile(text, &PROFILE).map_err(|error| test.located(&error.diagnostics, start))
}

fn clear(state: &State, canvas: &mut Canvas) {
    if let Some(colour) = state.clear_color {
        canvas.colour.fill(colour);
    }
    if let Some(depth) = state.clear_depth {
        canvas.depth.fill(depth.clamp(0.0, 1.0));
    }
}
