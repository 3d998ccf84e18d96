//! Operations on textures.

use attila_machine::{Lanes, arith};
use attila_texture::Storage;

use super::function::{Environment, Vector, floats, lanes, mask, one};
use crate::abi::{LevelPart, SampleKind};
use attila_isa::{Component, Stage};

/// The channels of a texel as numbers.
fn channels(storage: Storage, words: [u32; 4]) -> Lanes<f32> {
    match storage {
        Storage::Rgba8 => words[0].to_le_bytes().map(f32::from),
        Storage::Rgba32F => floats(words),
        Storage::Red32F => [f32::from_bits(words[0]); 4],
    }
}

/// Numbers of the level that each lane names.
pub(super) fn level_part(
    env: &impl Environment,
    (texture, part): (u8, LevelPart),
    levels: Vector,
) -> [Vector; 4] {
    let fields = part.fields();
    std::array::from_fn(|n| {
        let field = fields.get(n);
        levels.map(|level| field.map_or(0, |&field| env.level(texture, level, field)))
    })
}

/// Lane `n` of a [`Op::Blend`](crate::ir::Op::Blend), or of a [`Op::BlendOnto`](crate::ir::Op::BlendOnto).
pub(super) fn blend(
    env: &impl Environment,
    (texture, storage, alike): (u8, Storage, bool),
    of: &[Vector],
    n: usize,
) -> Vector {
    let weights = [2, 3, 4, 5].map(|weight| f32::from_bits(of[weight][n]));
    let texels = four_texels(env, (texture, storage, alike), of, n);
    let texels = texels.map(|words| channels(storage, words));
    lanes(|channel| {
        let add = |sum: f32, n: usize| arith::fma(texels[n][channel], weights[n], sum);
        let sum = match of.get(6 + n) {
            Some(pixel) => (0..4).fold(f32::from_bits(pixel[channel]), add),
            None => (1..4).fold(texels[0][channel] * weights[0], add),
        };
        sum.to_bits()
    })
}

/// The words of an [`Op::Gather`](crate::ir::Op::Gather).
pub(super) fn gather(
    env: &impl Environment,
    (texture, storage, word, alike): (u8, Storage, Component, bool),
    of: &[Vector],
) -> [Vector; 4] {
    let texels = lanes(|lane| four_texels(env, (texture, storage, alike), of, lane));
    std::array::from_fn(|n| texels.map(|four| four[n][word.index()]))
}

/// The words of the four texels that a lane names.
fn four_texels(
    env: &impl Environment,
    (texture, storage, alike): (u8, Storage, bool),
    of: &[Vector],
    lane: usize,
) -> [[u32; 4]; 4] {
    let first = of[0][lane].min(env.last_blend(texture));
    let pitch = of[1][if alike { 0 } else { lane }];
    let places = [0, 1, pitch, pitch.wrapping_add(1)];
    places.map(|place| env.texel(texture, storage, first.wrapping_add(place)))
}

pub(super) fn texel(
    env: &impl Environment,
    texture: u8,
    storage: Storage,
    index: Vector,
) -> [Vector; 4] {
    let texels = index.map(|index| env.texel(texture, storage, index));
    match storage {
        Storage::Rgba8 | Storage::Red32F => one(texels.map(|[word, ..]| word)),
        Storage::Rgba32F => texels,
    }
}

pub(super) fn sample(
    env: &impl Environment,
    (kind, unit, stage): (SampleKind, u8, Stage),
    of: &[Vector],
) -> [Vector; 4] {
    let operands = [of[0], of[1], of[2], of[3]].map(floats);
    env.sample(&kind.query((unit, stage), operands, mask(of[4])))
}
