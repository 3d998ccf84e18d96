//! Samples: the question of a token, to the reference texture unit.

use std::array::from_fn;

use attila_shader::TextureUnit;
use attila_shader::front::agal::Token;
use attila_shader::isa::{Stage, TextureTarget};
use attila_shader::machine::{LaneMask, LevelOfDetail, Lookup, TextureQuery, to_lanes};

use super::{Machine, Number, Quad};

impl Machine<'_> {
    /// The texels at the coordinates in the lanes that execute.
    pub(super) fn sample(&mut self, token: &Token) -> Quad {
        self.needs_all();
        let coordinates = self.source(&token.sources[0], 0);
        let Some((sampler, _)) = token.sampler else {
            return Quad::default();
        };
        let Ok(unit) = u8::try_from(sampler.unit) else {
            return Quad::default();
        };
        // Two axes have two coordinates; the unit does not see the third.
        let axes = if sampler.dimension == 0 { 2 } else { 3 };
        let bias = match sampler.special & IGNORE {
            0 => f32::from(sampler.bias) / 8.0,
            _ => 0.0,
        };
        let query = TextureQuery {
            unit,
            target: TextureTarget::Bound,
            lookup: Lookup::Sample {
                coords: from_fn(|n| match n < axes {
                    true => from_fn(|lane| coordinates[lane][n].float()),
                    false => [0.0; 4],
                }),
                projected: false,
                level: match bias == 0.0 {
                    true => LevelOfDetail::Implicit,
                    false => LevelOfDetail::Bias([bias; 4]),
                },
                reference: None,
                offset: None,
            },
            stage: Stage::Fragment,
            active: LaneMask::from_lanes(self.mask),
        };
        // Several texels may be mixed.
        let texels = to_lanes(&self.textures.answer(&query));
        texels.map(|texel| texel.map(|word| Number::of(f32::from_bits(word))))
    }
}

/// The flag of samplers whose state comes from outside.
const IGNORE: u8 = 4;
