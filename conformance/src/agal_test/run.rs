//! Running tests.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use attila_shader::draw::{ClipDepth, ColourImage, Cull, Draw, DrawError, FrontFace, Mesh};
use attila_shader::front::agal::{self, Param, Version};
use attila_shader::front::back::UnitError;
use attila_shader::isa::{Slots, Stage, ValidateError};
use attila_shader::machine::pipeline::{Blend, BlendEquation, BlendFactor, BlendOp, ColourFormat};
use attila_shader::machine::{Bindings, PrepareError, VertexBuffers};
use attila_shader::texture::{SamplerError, Texture, Textures};
use attila_shader::{Engine, Shader};
use thiserror::Error;

use super::command::{Command, Constant, Line};
use super::{AgalTest, DEFAULT, sampler_state};
use crate::linkage::{LinkError, Misfit, Pair};
use crate::shader_test::to_bytes;

/// Why a test could not be run to its end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The program that one was translated to is not valid.
    #[error("the {stage} program `{name}`")]
    Invalid {
        /// Its stage.
        stage: Stage,
        /// Its name.
        name: String,
        /// Why.
        source: ValidateError,
    },
    /// The engine's compiler failed.
    #[error("the {stage} program `{name}`")]
    Prepare {
        /// Its stage.
        stage: Stage,
        /// Its name.
        name: String,
        /// Why.
        source: PrepareError,
    },
    /// A texture cannot be sampled in this way.
    #[error("line {line}")]
    Sampler {
        /// The line of the command.
        line: usize,
        /// Why.
        source: SamplerError,
    },
    /// The programs do not fit each other, or the textures.
    #[error("line {line}")]
    Flash {
        /// The line of the command.
        line: usize,
        /// The mistake.
        source: FlashError,
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

/// Programs that Flash does not link, or that it does not draw with.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FlashError {
    /// A program of another version.
    #[error(
        "the vertex program is of version {}, the fragment program of version {} (error 3757 of Flash)",
        .versions[0], .versions[1]
    )]
    Versions {
        /// The version of the vertex program, and that of the fragment program.
        versions: [Version; 2],
    },
    /// A varying that is not written, or a texture unit without its image.
    #[error("{0} (error {number} of Flash)", number = number(.0))]
    Misfit(Misfit),
}

fn number(misfit: &Misfit) -> &'static str {
    match misfit {
        Misfit::Varying(LinkError::NotWritten { .. }) => "3632",
        Misfit::Varying(LinkError::Partly { .. }) => "3633",
        // The second is that of units whose texture was never filled.
        Misfit::Unit(UnitError::Unbound { .. }) => "3605 or 3663",
        Misfit::Unit(UnitError::Kind { .. }) => "3754",
    }
}

/// A probe, and what it saw.
pub type ProbeResult = crate::script::ProbeResult<Mismatch>;

/// A colour that is not the expected one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// Red, green and blue of the script.
    pub expected: [u32; 3],
    /// Red, green and blue of the picture.
    pub seen: [u32; 3],
}

/// As `expected 255 0 0, seen 255 0 3`.
impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [expected, seen] = [self.expected, self.seen].map(|it| it.map(|it| it.to_string()));
        write!(
            f,
            "expected {}, seen {}",
            expected.join(" "),
            seen.join(" ")
        )
    }
}

/// The results of a test.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Its probes, in their order.
    pub probes: Vec<ProbeResult>,
    /// The picture in the end, rows from the top, four bytes for each pixel; `None` without a size.
    pub picture: Option<ColourImage>,
}

impl Report {
    /// Whether all probes saw what they expected.
    pub fn passed(&self) -> bool {
        self.probes.iter().all(|probe| probe.mismatch.is_none())
    }

    /// The width of the picture and its pixels, rows from the top.
    pub fn pixels(&self) -> Option<(u32, Vec<[u8; 4]>)> {
        let picture = self.picture.as_ref()?;
        let (pixels, _) = picture.bytes().as_chunks();
        Some((picture.width(), pixels.to_vec()))
    }
}

/// The name of a program, with its stage.
type Name = (Stage, String);

/// A test that has been made ready for running.
pub struct Runner<'a> {
    test: &'a AgalTest,
    shaders: BTreeMap<Name, Shader>,
}

/// The state that commands change.
struct State {
    programs: [Name; 2],
    constants: BTreeMap<Constant, [f32; 4]>,
    /// By unit.
    samplers: BTreeMap<u16, agal::Sampler>,
    blend: [BlendFactor; 2],
    cull: Cull,
    scissor: Option<[Range<u32>; 2]>,
    mask: Slots,
}

impl<'a> Runner<'a> {
    /// Prepares the programs of a test.
    ///
    /// # Errors
    ///
    /// A program that the engine cannot compile.
    pub fn new(test: &'a AgalTest, engine: &Engine) -> Result<Runner<'a>, RunError> {
        let mut shaders = BTreeMap::new();
        for ((stage, name), program) in &test.programs {
            let program = program.translation.program.clone().validate();
            let program = program.map_err(|source| RunError::Invalid {
                stage: *stage,
                name: name.clone(),
                source,
            })?;
            let shader = engine.prepare(&program);
            let shader = shader.map_err(|source| RunError::Prepare {
                stage: *stage,
                name: name.clone(),
                source,
            })?;
            shaders.insert((*stage, name.clone()), shader);
        }
        Ok(Runner { test, shaders })
    }

    /// Runs the script from its beginning.
    ///
    /// # Errors
    ///
    /// A draw that could not be made.
    pub fn run(&self) -> Result<Report, RunError> {
        let mut state = self.start();
        let mut report = Report {
            probes: Vec::new(),
            picture: None,
        };
        for line in &self.test.commands {
            self.command(line, &mut state, &mut report)?;
        }
        Ok(report)
    }

    fn command(&self, line: &Line, state: &mut State, report: &mut Report) -> Result<(), RunError> {
        match &line.command {
            Command::Size([width, height]) => {
                let picture = ColourImage::new(ColourFormat::Rgba8, *width, *height);
                report.picture = Some(picture);
            }
            Command::Clear(colour) => {
                let picture = report.picture.iter_mut();
                picture.for_each(|it| it.fill(to_bytes(*colour)));
            }
            Command::Draw(triangles) => {
                if let Some(picture) = &mut report.picture {
                    let triangles = &self.test.triangles[triangles.clone()];
                    self.draw(state, triangles, line.line, picture)?;
                }
            }
            Command::Probe {
                place,
                expected,
                tolerance,
            } => {
                let seen = report.picture.as_ref();
                let seen = seen.and_then(|it| it.pixel::<[u8; 4]>(place[0], place[1]));
                let probe = probe(line, *expected, seen.unwrap_or_default(), *tolerance);
                report.probes.push(probe);
            }
            Command::Program(names) => self.use_programs(state, names),
            Command::Constant(values) => state.constants.extend(values.iter().copied()),
            Command::Sampler(sampler) => {
                state.samplers.insert(sampler.unit, *sampler);
            }
            Command::Blend(factors) => state.blend = *factors,
            Command::Cull(cull) => state.cull = *cull,
            Command::Scissor(scissor) => state.scissor.clone_from(scissor),
            Command::ColourMask(mask) => state.mask = *mask,
        }
        Ok(())
    }

    fn start(&self) -> State {
        let names = [Stage::Vertex, Stage::Fragment].map(|stage| (stage, DEFAULT.to_owned()));
        let mut state = State {
            programs: names.clone(),
            constants: self.test.constants.clone(),
            samplers: BTreeMap::new(),
            blend: [BlendFactor::One, BlendFactor::Zero],
            cull: Cull::None,
            scissor: None,
            mask: Slots::all(),
        };
        self.use_programs(&mut state, &names);
        state
    }

    fn use_programs(&self, state: &mut State, names: &[Name; 2]) {
        state.programs = names.clone();
        let programs = names.iter().filter_map(|name| self.test.programs.get(name));
        let samplers = programs.flat_map(|program| &program.source.tokens);
        let samplers = samplers.filter_map(|token| token.sampler.as_ref());
        for (sampler, _) in samplers.filter(|(sampler, _)| !sampler.ignores_state()) {
            state.samplers.insert(sampler.unit, *sampler);
        }
    }

    fn draw(
        &self,
        state: &State,
        triangles: &[[u32; 3]],
        line: usize,
        picture: &mut ColourImage,
    ) -> Result<(), RunError> {
        let [vertex, fragment] = state.programs.each_ref().map(|it| &self.shaders[it]);
        let textures = self.textures(state);
        let textures = textures.map_err(|source| RunError::Sampler { line, source })?;
        self.check(state, &textures)
            .map_err(|source| RunError::Flash { line, source })?;
        let buffers = self.test.attributes.iter();
        let buffers = buffers.fold(VertexBuffers::new(), |buffers, attribute| {
            buffers.with(attribute.register.into(), attribute.packed())
        });
        let [vertex_bindings, fragment_bindings] =
            state.programs.each_ref().map(|it| self.bindings(it, state));
        let fragment_bindings = fragment_bindings.with_textures(&textures);
        let mesh = Mesh::new(vertex, &buffers, triangles)
            .bindings(&vertex_bindings)
            .clip_depth(ClipDepth::ZeroToOne)
            .clamp_colour(false);
        let mut draw = Draw::new(fragment)
            .bindings(&fragment_bindings)
            .target(0, picture)
            .cull(state.cull, FrontFace::Clockwise)
            .write_mask(0, state.mask);
        if state.blend != [BlendFactor::One, BlendFactor::Zero] {
            let [src, dst] = state.blend;
            let op = BlendOp::Add;
            draw = draw.blend(0, Blend::all(BlendEquation { op, src, dst }));
        }
        if let Some([columns, rows]) = state.scissor.clone() {
            draw = draw.scissor(columns, rows);
        }
        let drawn = draw.mesh(&mesh);
        drawn.map_err(|source| RunError::Draw { line, source })
    }

    /// The constants of a program, as the state has them now; 0 where nothing is set.
    fn bindings(&self, name: &Name, state: &State) -> Bindings<'static> {
        let stage = name.0;
        let mut bindings = Bindings::new();
        let constants = self.test.programs[name]
            .translation
            .constants(|param| match param {
                Param::Constant(number) => {
                    let value = state.constants.get(&Constant { stage, number });
                    value.copied().unwrap_or_default()
                }
                Param::Words(words) => words.map(f32::from_bits),
            });
        for (register, value) in constants {
            bindings.set_constant(register, value);
        }
        bindings
    }

    /// The textures with the state of their samplers.
    fn textures(&self, state: &State) -> Result<Textures, SamplerError> {
        let mut textures = Textures::new();
        let [_, fragment] = &state.programs;
        for used in &self.test.programs[fragment].translation.textures {
            let Some(image) = self.test.images.get(&used.unit) else {
                continue;
            };
            let sampler = state.samplers.get(&used.unit).copied().unwrap_or_default();
            let texture = Texture::new(Arc::clone(image), sampler_state(&sampler))?;
            textures
                .bind(used.unit.into(), Arc::new(texture))
                .expect("units have been checked");
        }
        Ok(textures)
    }

    /// Checks that the programs fit each other and the textures.
    fn check(&self, state: &State, textures: &Textures) -> Result<(), FlashError> {
        let [vertex, fragment] = state.programs.each_ref().map(|it| &self.test.programs[it]);
        let versions = [vertex, fragment].map(|it| it.source.version);
        if versions[0] != versions[1] {
            return Err(FlashError::Versions { versions });
        }
        let shaders = state.programs.each_ref().map(|it| &self.shaders[it]);
        let pair = Pair {
            fragment: &fragment.translation,
            usages: shaders.map(|shader| shader.program().usage()),
        };
        // Flash wants all of a varying, whichever components are read.
        let checked = pair.check(
            |input| Some(input.to_string()),
            |_, _| Slots::all(),
            textures,
        );
        checked.map_err(FlashError::Misfit)
    }
}

fn probe(line: &Line, expected: [u32; 3], seen: [u8; 4], tolerance: u32) -> ProbeResult {
    let [red, green, blue, _] = seen.map(u32::from);
    let seen = [red, green, blue];
    let mut pairs = expected.iter().zip(seen);
    let is_near = pairs.all(|(expected, seen)| expected.abs_diff(seen) <= tolerance);
    line.probed((!is_near).then_some(Mismatch { expected, seen }))
}
