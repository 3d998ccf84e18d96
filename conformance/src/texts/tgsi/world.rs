//! The values that programs are tried on. They follow from a seed and from names.

use std::collections::{BTreeMap, BTreeSet};

use attila_shader::front::tgsi::{
    Index, Input, Param, SemanticName, Target, Texture, TextureUse, TgsiProgram,
};
use attila_shader::texture::Textures;

use super::evaluator::textures::kind;
use crate::dice::Dice;
use crate::recorder::SplitMix;
use crate::textures;
use crate::values;

/// The values of a quad and of the constants.
#[derive(Clone, Copy)]
pub(super) struct World {
    pub(super) seed: u32,
}

impl World {
    /// The register of an input in a lane.
    pub(super) fn input(self, input: Input, lane: usize) -> [u32; 4] {
        let vector = self.vector(&format!("{input} {lane}"));
        match input {
            // A face is in front or behind.
            Input::Semantic(semantic) if semantic.name == SemanticName::Face => {
                let sign = if vector[0] & 1 == 0 { 1f32 } else { -1.0 };
                [vector[0], vector[1], vector[2], sign.to_bits()]
            }
            Input::Semantic(_) | Input::Attribute(_) => vector,
        }
    }

    /// A register of a constant buffer.
    pub(super) fn constant(self, buffer: u32, register: u32) -> [u32; 4] {
        self.vector(&format!("c {buffer} {register}"))
    }

    /// The size of the window.
    pub(super) fn window(self) -> [f32; 4] {
        [640.0, 480.0, 0.0, 1.0]
    }

    /// The value of a parameter.
    pub(super) fn param(self, param: Param) -> [f32; 4] {
        match param {
            Param::Constant(bits) => bits.map(f32::from_bits),
            Param::Buffer { buffer, register } => {
                self.constant(buffer, register).map(f32::from_bits)
            }
            Param::Window => self.window(),
        }
    }

    pub(super) fn vector(self, name: &str) -> [u32; 4] {
        let mut rng = SplitMix::named(self.seed, name);
        let mut dice = Dice::new(&mut rng);
        if dice.percent(25) {
            let [[a, b], [c, d]] = [values::double(&mut dice), values::double(&mut dice)];
            return [a, b, c, d];
        }
        std::array::from_fn(|_| match dice.percent(30) {
            true => values::integer(&mut dice),
            false => values::float(&mut dice),
        })
    }
}

/// The textures of a program.
pub(super) struct Units {
    pub(super) textures: Textures,
    /// The units of views with samplers of other numbers.
    pub(super) pairs: BTreeMap<(u32, u32), u8>,
}

impl Units {
    /// Random textures of the kinds that a program looks at; `None` if it looks at a unit as several kinds, which no
    /// texture has.
    pub(super) fn new(program: &TgsiProgram, uses: &[TextureUse], world: World) -> Option<Units> {
        let mut textures = Textures::new();
        for unit in uses.iter().map(|it| it.unit).collect::<BTreeSet<_>>() {
            let same: Vec<&TextureUse> = uses.iter().filter(|it| it.unit == unit).collect();
            let [view, sampler] = [same[0].view, same[0].sampler.unwrap_or(same[0].view)];
            let named = named(program, view, sampler);
            let target = named.first().copied().unwrap_or(same[0].target);
            let shape = kind(target).0;
            if named.iter().any(|target| kind(*target).0 != shape) {
                return None;
            }
            let mut rng = SplitMix::named(world.seed, &format!("texture {view} {sampler}"));
            let (image, mut settings) = textures::of_kind(&mut Dice::new(&mut rng), shape);
            // Lanes that have left do not choose the face of the others.
            settings.cube_faces = attila_shader::texture::CubeFaces::PerLane;
            // A target without comparison says nothing of samplers that compare.
            if named.iter().any(|target| !kind(*target).1) {
                settings.compare = None;
            }
            textures
                .bind(unit as usize, image.texture(settings)?)
                .ok()?;
        }
        let pairs = uses.iter().filter_map(|it| {
            let sampler = it.sampler?;
            Some(((it.view, sampler), u8::try_from(it.unit).ok()?))
        });
        Some(Units {
            textures,
            pairs: pairs.collect(),
        })
    }
}

/// The targets as which the instructions name a view with a sampler.
fn named(program: &TgsiProgram, view: u32, sampler: u32) -> Vec<Target> {
    let textures = program
        .instructions
        .iter()
        .filter_map(|it| it.texture.as_ref());
    let is_named = |texture: &&Texture| {
        let fixed =
            |index: Option<Index>, other: Option<Index>| index.or(other).and_then(Index::fixed);
        let numbers = [
            fixed(texture.view, texture.sampler),
            fixed(texture.sampler, texture.view),
        ];
        numbers == [Some(view), Some(sampler)]
    };
    textures.filter(is_named).map(|it| it.target).collect()
}
