//! The values that programs are tried on. They follow from a seed and from names.

use std::collections::BTreeMap;

use attila_shader::front::agal::{
    AgalProgram, File, Location, Param, Register, Sampler, Source, Token, Version,
};
use attila_shader::isa::{Stage, TextureShape};
use attila_shader::texture::{CubeFaces, Textures};

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
    /// A register that comes in, as a program reads it in a lane. The number of the instance is in all components.
    pub(super) fn register(self, register: Register, lane: usize) -> [u32; 4] {
        let lane = match register.file {
            File::Constant => 0,
            File::Attribute
            | File::Temporary
            | File::Output
            | File::Varying
            | File::Sampler
            | File::Depth
            | File::Instance => lane,
        };
        let name = format!("{:?} {} {lane}", register.file, register.number);
        match register.file == File::Instance {
            true => [(self.instance(lane) as f32).to_bits(); 4],
            false => self.vector(&name),
        }
    }

    /// The number of the instance.
    pub(super) fn instance(self, lane: usize) -> u32 {
        let mut rng = SplitMix::named(self.seed, &format!("instance {lane}"));
        values::integer(&mut Dice::new(&mut rng))
    }

    /// The value of a parameter.
    pub(super) fn param(self, param: Param) -> [f32; 4] {
        match param {
            Param::Constant(number) => {
                let register = Register::new(File::Constant, number);
                self.register(register, 0).map(f32::from_bits)
            }
            Param::Words(bits) => bits.map(f32::from_bits),
        }
    }

    /// The number of constants that indices reach: those of the version, or more if the program names more.
    pub(super) fn bank(self, program: &AgalProgram) -> u16 {
        let all = match (program.stage, program.version) {
            (Stage::Vertex, Version::V1) => 128,
            (Stage::Vertex, Version::V2 | Version::V3) => 250,
            (Stage::Fragment | Stage::Geometry | Stage::Compute, _) => 0,
        };
        let named = program.tokens.iter().flat_map(named).max();
        named.map_or(all, |last| all.max(last + 1))
    }

    fn vector(self, name: &str) -> [u32; 4] {
        let mut rng = SplitMix::named(self.seed, name);
        let mut dice = Dice::new(&mut rng);
        std::array::from_fn(|_| match dice.percent(20) {
            true => index(&mut dice).to_bits(),
            false => values::float(&mut dice),
        })
    }
}

/// The last constant that each source of a token names.
fn named(token: &Token) -> impl Iterator<Item = u16> {
    let sources = token.sources.iter().enumerate();
    sources.filter_map(|(number, source): (usize, &Source)| {
        let (register, rows) = match source.location {
            Location::Direct(register) => (register, token.opcode.info().form.rows(number)),
            Location::Indirect { index, .. } => (index, 1),
        };
        (register.file == File::Constant).then(|| register.number + (rows - 1))
    })
}

/// Numbers at which banks begin and end, and numbers beyond all.
const EDGES: [f32; 16] = [
    0.0,
    1.0,
    7.0,
    27.0,
    127.0,
    128.0,
    249.0,
    250.0,
    255.0,
    256.0,
    -1.0,
    -4.0,
    -255.0,
    2_147_483_500.0,
    -2_147_483_648.0,
    1e30,
];

/// A number that may be an index.
fn index(dice: &mut Dice<'_>) -> f32 {
    let whole = match dice.below(10) {
        0..=4 => dice.pick(&EDGES),
        5..=8 => dice.between(0, 12) as f32,
        _ => dice.pick(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY]),
    };
    whole + dice.pick(&[0.0, 0.0, 0.25, 0.5, 0.999, -0.5])
}

/// Random textures of the kinds that a program's samplers name; `None` if they name a unit as several kinds, which no
/// texture has.
pub(super) fn textures(samplers: &[Sampler], world: World) -> Option<Textures> {
    let mut kinds = BTreeMap::new();
    for sampler in samplers {
        let kind = *kinds.entry(sampler.unit).or_insert(sampler.dimension);
        if kind != sampler.dimension {
            return None;
        }
    }
    let mut textures = Textures::new();
    for (unit, kind) in kinds {
        let shape = match kind {
            0 => TextureShape::D2,
            1 => TextureShape::Cube,
            _ => TextureShape::D3,
        };
        let mut rng = SplitMix::named(world.seed, &format!("texture {unit}"));
        let (image, mut settings) = textures::of_kind(&mut Dice::new(&mut rng), shape);
        // Lanes that have left do not choose the face of the others.
        settings.cube_faces = CubeFaces::PerLane;
        // The language does not compare.
        settings.compare = None;
        textures
            .bind(usize::from(unit), image.texture(settings)?)
            .ok()?;
    }
    Some(textures)
}

#[cfg(test)]
mod tests {
    use attila_shader::front::agal::{Options, assemble};

    use super::*;

    #[test]
    fn banks_have_the_constants_of_the_version_and_those_that_are_named() {
        let bank = |text: &str| {
            let program = assemble(text, &Options::default());
            World { seed: 1 }.bank(&program.expect("it is a program"))
        };
        assert_eq!(bank("mov op, vt65535"), 128);
        assert_eq!(bank("m44 op, va0, vc126"), 130);
        assert_eq!(bank("mov op, iid.x"), 250);
        assert_eq!(bank("mov op, vc[vc251.x+3]"), 252);
        assert_eq!(bank("mov oc, fc7"), 8);
    }
}
