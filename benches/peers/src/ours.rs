//! Our engine: a text becomes one of our programs, and code.

mod scene;

use std::sync::Arc;

use attila_shader::draw::{ColourBuffer, ColourImage, Interpolation, Plane, Vertices};
use attila_shader::front::SourceError;
use attila_shader::front::arb::{self, Input, Parameters, Profile};
use attila_shader::front::tgsi::{self, Param, SemanticName};
use attila_shader::machine::SampleCount;
use attila_shader::machine::pipeline::ColourFormat;
use attila_shader::texture::{
    Dimension, Filter, Format, Image, MipMode, Sampler, Size, Texture, Textures, Wrap,
};
use attila_shader::{
    Bindings, Draw, DrawError, Engine, Jit, JitOptions, PrepareError, PreparedDraw, Program,
    Shader, ValidateError, Varying,
};
use thiserror::Error;

use crate::contract::{self, Inputs, Mesh, Slope};
use crate::gl::Sampling;
use crate::llvmpipe::FIRST_DRAW;
use crate::options::{Options, Twin};
use crate::race::timed;

/// Reasons why our engine does not draw.
#[derive(Debug, Error)]
pub(crate) enum Failed {
    #[error(transparent)]
    Text(#[from] SourceError),
    #[error(transparent)]
    Program(#[from] ValidateError),
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    #[error(transparent)]
    Draw(#[from] DrawError),
    #[error("nobody says what {0} is")]
    Unknown(String),
}

/// The engine, and the scene that it draws.
pub(crate) struct Ours {
    engine: Engine,
    threads: usize,
    parameters: Parameters,
    textures: Textures,
    inputs: Inputs,
}

/// A program that can be drawn.
pub(crate) struct Loaded {
    shader: Shader,
    /// Constant registers and their values.
    constants: Vec<(usize, [f32; 4])>,
    /// Input registers and their values, but for the position.
    inputs: Vec<(usize, [Slope; 4])>,
}

/// A text in one of the languages.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    Arb(&'a str),
    Tgsi(&'a Twin),
}

impl Loaded {
    /// True if it samples a texture.
    pub(crate) fn is_textured(&self) -> bool {
        self.shader.program().usage().textures != 0
    }
}

impl Ours {
    /// An engine as the options have it.
    pub(crate) fn new(inputs: Inputs, options: &Options) -> Result<Ours, PrepareError> {
        let sampling = options.sampling();
        let mut textures = Textures::new();
        for (unit, levels) in contract::textures().iter().enumerate() {
            textures
                .bind(unit, texture(levels, sampling))
                .expect("there are units 0 and 1");
        }
        let jit = JitOptions {
            quads: options.quads,
            vectors: options.vectors,
            ..JitOptions::default()
        };
        Ok(Ours {
            engine: Engine::custom(Arc::new(Jit::with_options(&jit)?)),
            threads: options.threads.into(),
            parameters: Parameters {
                env: (0..).zip(contract::ENV).collect(),
                local: (0..).zip(contract::LOCAL).collect(),
                ..Parameters::default()
            },
            textures,
            inputs,
        })
    }

    /// Makes code and draws a few pixels; with the seconds that it takes.
    pub(crate) fn compile(&self, source: Source<'_>) -> Result<(f64, Loaded), Failed> {
        let (seconds, loaded) = timed(|| -> Result<Loaded, Failed> {
            let loaded = self.load(source)?;
            let size = [FIRST_DRAW; 2];
            let mut pixels = [0; 4 * (FIRST_DRAW * FIRST_DRAW) as usize];
            self.prepare(&loaded, size)?.draw(&mut pixels)?;
            Ok(loaded)
        });
        Ok((seconds, loaded?))
    }

    fn load(&self, source: Source<'_>) -> Result<Loaded, Failed> {
        match source {
            Source::Arb(text) => self.load_arb(text),
            Source::Tgsi(twin) => self.load_tgsi(twin),
        }
    }

    fn load_arb(&self, text: &str) -> Result<Loaded, Failed> {
        let translation = arb::compile(text, &Profile::default())?;
        let constants = translation.constants(|param| self.parameters.value(param));
        let mut inputs = Vec::new();
        for (input, register) in &translation.inputs {
            let slopes = match *input {
                Input::Position => continue,
                Input::PrimaryColor => Some(self.inputs.colour),
                Input::TexCoord(set) => self.inputs.coordinates.get(set as usize).copied(),
                Input::Weight(_)
                | Input::Normal
                | Input::SecondaryColor
                | Input::FogCoord
                | Input::MatrixIndex(_)
                | Input::Generic(_) => None,
            };
            let slopes = slopes.ok_or_else(|| Failed::Unknown(format!("{input:?}")))?;
            inputs.push((usize::from(*register), slopes));
        }
        let constants = constants.collect();
        self.loaded(translation.program, constants, inputs)
    }

    fn load_tgsi(&self, twin: &Twin) -> Result<Loaded, Failed> {
        let translation = tgsi::compile(&twin.text, &tgsi::Options::default())?;
        let value = |param| match param {
            Param::Buffer {
                buffer: 0,
                register,
            } => twin.constants.get(&register).copied().unwrap_or_default(),
            // None of the programs reads them.
            Param::Buffer { .. } | Param::Constant(_) | Param::Window => [0.0; 4],
        };
        let constants = translation.constants(value).collect();
        let mut inputs = Vec::new();
        for (input, register) in &translation.inputs {
            let slopes = match *input {
                tgsi::Input::Semantic(semantic) => match (semantic.name, semantic.index) {
                    (SemanticName::Position, _) => continue,
                    (SemanticName::Color, 0) => Some(self.inputs.colour),
                    (SemanticName::TextureCoordinate, set) => {
                        self.inputs.coordinates.get(set as usize).copied()
                    }
                    _ => None,
                },
                tgsi::Input::Attribute(_) => None,
            };
            let slopes = slopes.ok_or_else(|| Failed::Unknown(input.to_string()))?;
            inputs.push((usize::from(*register), slopes));
        }
        self.loaded(translation.program, constants, inputs)
    }

    fn loaded(
        &self,
        program: Program,
        constants: Vec<(usize, [f32; 4])>,
        inputs: Vec<(usize, [Slope; 4])>,
    ) -> Result<Loaded, Failed> {
        Ok(Loaded {
            shader: self.engine.prepare(&program.validate()?)?,
            constants,
            inputs,
        })
    }

    /// Makes a draw ready for a picture of that size.
    pub(crate) fn prepare<'a>(
        &'a self,
        loaded: &'a Loaded,
        size: [u32; 2],
    ) -> Result<Ready<'a>, Failed> {
        let mut target = ColourImage::new(ColourFormat::Rgba8, 1, 1);
        let mut draw = Draw::new(&loaded.shader).target(0, &mut target);
        for (register, slopes) in &loaded.inputs {
            draw = draw.varying(*register, varying(slopes, size));
        }
        Ok(Ready {
            draw: draw.threads(self.threads).prepare()?,
            bindings: self.bindings(loaded),
            size,
        })
    }

    fn bindings<'a>(&'a self, loaded: &Loaded) -> Bindings<'a> {
        let mut bindings = Bindings::new().with_textures(&self.textures);
        for (register, value) in &loaded.constants {
            bindings.set_constant(*register, *value);
        }
        bindings
    }
}

/// A draw of a mesh into several samples that is ready.
pub(crate) struct ReadyMesh<'a> {
    draw: PreparedDraw,
    bindings: Bindings<'a>,
    positions: Vec<[f32; 4]>,
    /// Input registers and their values at the vertices.
    attributes: Vec<(usize, Vec<[f32; 4]>)>,
    triangles: Vec<[u32; 3]>,
    image: ColourImage,
}

impl Ours {
    /// Makes a draw of a mesh ready for a picture of that size.
    pub(crate) fn prepare_mesh<'a>(
        &'a self,
        loaded: &'a Loaded,
        mesh: &Mesh,
        samples: SampleCount,
        [width, height]: [u32; 2],
    ) -> Result<ReadyMesh<'a>, Failed> {
        let mut image = ColourImage::multisampled(ColourFormat::Rgba8, width, height, samples);
        let mut draw = Draw::new(&loaded.shader).target(0, &mut image);
        let corners = mesh.triangles.as_flattened();
        let mut attributes = Vec::new();
        for (register, slopes) in &loaded.inputs {
            draw = draw.varying(*register, Varying::vertices(Interpolation::Perspective));
            let value = |[x, y]: &[f32; 2]| {
                let (u, v) = (x / width as f32, y / height as f32);
                slopes.map(|slope| slope.value(u, v))
            };
            attributes.push((*register, corners.iter().map(value).collect()));
        }
        Ok(ReadyMesh {
            draw: draw.threads(self.threads).prepare()?,
            bindings: self.bindings(loaded),
            positions: corners.iter().map(|[x, y]| [*x, *y, 0.5, 1.0]).collect(),
            attributes,
            triangles: (0..mesh.triangles.len() as u32)
                .map(|triangle| [0, 1, 2].map(|corner| 3 * triangle + corner))
                .collect(),
            image,
        })
    }
}

impl ReadyMesh<'_> {
    /// Draws the mesh.
    pub(crate) fn draw(&mut self) -> Result<(), DrawError> {
        let vertices = Vertices::new(&self.positions);
        let attributes = self.attributes.iter();
        let vertices = attributes.fold(vertices, |vertices, (register, values)| {
            vertices.with(*register, values)
        });
        let mut frame = self.draw.frame(&self.bindings).target(0, &mut self.image);
        frame.triangles(&vertices, &self.triangles)
    }

    /// The samples, one plane of pixels after another.
    pub(crate) fn planes(&self) -> Vec<u8> {
        let samples = 0..self.image.samples().count();
        let planes = samples.map(|sample| self.image.sample(sample));
        planes.flat_map(|plane| plane.bytes().to_vec()).collect()
    }
}

/// The planes of an input in a picture of that size.
fn varying(slopes: &[Slope; 4], [width, height]: [u32; 2]) -> Varying<'static> {
    Varying::linear(slopes.map(|slope| Plane {
        at: slope.at,
        dx: slope.across / width as f32,
        dy: slope.up / height as f32,
    }))
}

/// A draw that is ready.
pub(crate) struct Ready<'a> {
    draw: PreparedDraw,
    bindings: Bindings<'a>,
    size: [u32; 2],
}

impl Ready<'_> {
    /// Draws a picture.
    pub(crate) fn draw(&mut self, pixels: &mut [u8]) -> Result<(), DrawError> {
        let [width, height] = self.size;
        let target = ColourBuffer::new(ColourFormat::Rgba8, width, height, pixels);
        let frame = self.draw.frame(&self.bindings);
        frame.target(0, target).rect(0..width, 0..height)
    }
}

fn texture(levels: &[Vec<u8>], sampling: Sampling) -> Texture {
    let side = contract::TEXELS as u32;
    let levels: Vec<&[u8]> = levels.iter().map(Vec::as_slice).collect();
    let image = Image::from_levels(Dimension::D2, Format::Rgba8, Size::d2(side, side), &levels);
    let filter = if sampling.linear {
        Filter::Linear
    } else {
        Filter::Nearest
    };
    let wrap = if sampling.repeat {
        Wrap::Repeat
    } else {
        Wrap::ClampToEdge
    };
    let sampler = Sampler {
        mag: filter,
        min: filter,
        mip: if sampling.mipmaps {
            MipMode::Linear
        } else {
            MipMode::None
        },
        wrap: [wrap; 3],
        ..Sampler::RESET
    };
    let image = Arc::new(image.expect("the levels are complete"));
    Texture::new(image, sampler).expect("the sampler fits")
}
