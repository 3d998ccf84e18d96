//! The state that commands change, and draws with it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use attila_shader::Bindings;
use attila_shader::draw::{ClipDepth, Cull, Draw, FrontFace, Mesh};
use attila_shader::front::agal::{Agal, Param, Sampler, Version};
use attila_shader::front::back::UnitError;
use attila_shader::isa::{Slots, Stage};
use attila_shader::machine::pipeline::{Blend, BlendEquation, BlendFactor, BlendOp};
use attila_shader::texture::{SamplerError, Texture, Textures};
use thiserror::Error;

use super::data::Constants;
use super::{DEFAULT, Data, Name, samplers};
use crate::script_test::attributes::Attribute;
use crate::script_test::error::Fault;
use crate::script_test::picture::Picture;
use crate::script_test::program::{Misfit, Program};

/// Programs that Flash does not link, or that it does not draw with.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
enum FlashError {
    /// A program of another version: that of the vertex program, and that of the fragment program.
    #[error(
        "the vertex program is of version {}, the fragment program of version {} (error 3757 of Flash)",
        .0[0], .0[1]
    )]
    Versions([Version; 2]),
    /// A varying that is not written, or a texture unit without its image.
    #[error("{0} (error {number} of Flash)", number = number(.0))]
    Misfit(Misfit),
}

fn number(misfit: &Misfit) -> &'static str {
    match misfit {
        Misfit::NotWritten(_) => "3632",
        Misfit::Partly { .. } => "3633",
        // The second is that of units whose texture was never filled.
        Misfit::Unit(UnitError::Unbound { .. }) => "3605 or 3663",
        Misfit::Unit(UnitError::Kind { .. }) => "3754",
    }
}

/// The state.
pub(super) struct State {
    data: Arc<Data>,
    programs: BTreeMap<Name, Program<Agal>>,
    /// The vertex and the fragment program that are drawn with.
    used: [Name; 2],
    pub(super) constants: Constants,
    /// By unit. Only those that do not ignore it have state.
    pub(super) samplers: BTreeMap<u16, Sampler>,
    /// The factors of the program's colour and the stored one.
    pub(super) blend: [BlendFactor; 2],
    pub(super) cull: Cull,
    /// The columns and rows that are drawn to; everything without them.
    pub(super) scissor: Option<[Range<u32>; 2]>,
    pub(super) mask: Slots,
    pub(super) picture: Option<Picture>,
}

impl State {
    pub(super) fn new(data: Arc<Data>, programs: BTreeMap<Name, Program<Agal>>) -> State {
        let used = [Stage::Vertex, Stage::Fragment].map(|stage| (stage, DEFAULT.to_owned()));
        let mut state = State {
            constants: data.constants.clone(),
            data,
            programs,
            used: used.clone(),
            samplers: BTreeMap::new(),
            blend: [BlendFactor::One, BlendFactor::Zero],
            cull: Cull::None,
            scissor: None,
            mask: Slots::all(),
            picture: None,
        };
        state.use_programs(&used);
        state
    }

    /// Uses these programs, and sets the state of the samplers that do not ignore it.
    pub(super) fn use_programs(&mut self, names: &[Name; 2]) {
        self.used = names.clone();
        let sources = names.iter().filter_map(|name| self.data.sources.get(name));
        let samplers = sources.flat_map(|source| &source.program.tokens);
        let samplers = samplers.filter_map(|token| token.sampler.as_ref());
        for (sampler, _) in samplers.filter(|(sampler, _)| !sampler.ignores_state()) {
            self.samplers.insert(sampler.unit, *sampler);
        }
    }

    /// Draws triangles of the test, by their numbers.
    pub(super) fn draw(&mut self, triangles: Range<usize>) -> Result<(), Fault> {
        let textures = self.textures()?;
        self.check(&textures)?;
        let [vertex, fragment] = self.used.each_ref().map(|it| &self.programs[it]);
        let [vertex_bindings, fragment_bindings] = self.used.each_ref().map(|it| self.bindings(it));
        let fragment_bindings = fragment_bindings.with_textures(&textures);
        let buffers = Attribute::buffers(&self.data.attributes);
        let mesh = Mesh::new(&vertex.shader, &buffers, &self.data.triangles[triangles])
            .bindings(&vertex_bindings)
            .clip_depth(ClipDepth::ZeroToOne)
            .clamp_colour(false);
        for image in self.picture.iter_mut().flat_map(Picture::images) {
            let mut draw = Draw::new(&fragment.shader)
                .bindings(&fragment_bindings)
                .target(0, image)
                .cull(self.cull, FrontFace::Clockwise)
                .write_mask(0, self.mask);
            if self.blend != [BlendFactor::One, BlendFactor::Zero] {
                let [src, dst] = self.blend;
                let op = BlendOp::Add;
                draw = draw.blend(0, Blend::all(BlendEquation { op, src, dst }));
            }
            if let Some([columns, rows]) = self.scissor.clone() {
                draw = draw.scissor(columns, rows);
            }
            draw.mesh(&mesh)?;
        }
        Ok(())
    }

    /// The constants of a program; 0 where nothing is set.
    fn bindings(&self, name: &Name) -> Bindings<'static> {
        self.programs[name].bindings(|param| match param {
            Param::Constant(number) => {
                let value = self.constants.get(&(name.0, number));
                value.copied().unwrap_or_default()
            }
            Param::Words(words) => words.map(f32::from_bits),
        })
    }

    /// The textures with the state of their samplers.
    fn textures(&self) -> Result<Textures, SamplerError> {
        let mut textures = Textures::new();
        for used in &self.programs[&self.used[1]].translation.textures {
            let Some(image) = self.data.images.get(&used.unit) else {
                continue;
            };
            let sampler = self.samplers.get(&used.unit).copied().unwrap_or_default();
            let texture = Texture::new(Arc::clone(image), samplers::state(&sampler))?;
            textures
                .bind(used.unit.into(), Arc::new(texture))
                .expect("units have been checked");
        }
        Ok(textures)
    }

    /// Checks that the programs fit each other and the textures.
    fn check(&self, textures: &Textures) -> Result<(), FlashError> {
        let sources = self.used.each_ref().map(|it| &self.data.sources[it]);
        let versions = sources.map(|it| it.program.version);
        if versions[0] != versions[1] {
            return Err(FlashError::Versions(versions));
        }
        let [vertex, fragment] = self.used.each_ref().map(|it| &self.programs[it]);
        // Flash wants all of a varying, whichever components are read.
        let checked = fragment.check(
            vertex,
            |input| Some(input.to_string()),
            |_, _| Slots::all(),
            textures,
        );
        checked.map_err(FlashError::Misfit)
    }
}
