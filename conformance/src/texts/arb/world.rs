//! The values that programs are tried on: numbers that find mistakes, and textures that are formulas.

use attila_shader::TextureUnit;
use attila_shader::front::arb::{Input, Param, Target, TextureUse};
use attila_shader::machine::{Lanes, LevelOfDetail, Lookup, QuadReg, TextureQuery, from_lanes};

use super::evaluator::{Vector, World};

/// Numbers that find what is wrong.
const NUMBERS: [f32; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    -3.25,
    7.0,
    1e-3,
    100.5,
    -1e30,
    3e38,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    1e-40,
];

/// Something that depends on `key` alone.
fn number(key: u64) -> f32 {
    let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33;
    match mixed % 3 {
        0 => NUMBERS[(mixed / 3) as usize % NUMBERS.len()],
        _ => (mixed % 4001) as f32 / 500.0 - 4.0,
    }
}

fn vector(key: u64) -> Vector {
    std::array::from_fn(|c| number(key.wrapping_mul(4).wrapping_add(c as u64)))
}

/// The world of one lane.
pub(super) struct Lane {
    pub(super) seed: u64,
    pub(super) lane: usize,
}

impl Lane {
    fn key(&self, what: u64, index: u32) -> u64 {
        (self.seed * 8 + what) * 4096 + u64::from(index)
    }
}

impl World for Lane {
    fn input(&self, input: Input) -> Vector {
        let number = match input {
            Input::Position => 0,
            Input::Weight(_) => 1,
            Input::Normal => 2,
            Input::PrimaryColor => 3,
            Input::SecondaryColor => 4,
            Input::FogCoord => 5,
            Input::MatrixIndex(_) => 6,
            Input::TexCoord(n) => 8 + n,
            // For addresses, which stay in their arrays.
            Input::Generic(7) => return [self.lane as f32 + 2.5; 4],
            Input::Generic(n) => n,
        };
        vector(self.key(self.lane as u64, number))
    }

    fn param(&self, param: Param) -> Vector {
        match param {
            Param::Constant(bits) => bits.map(f32::from_bits),
            Param::Env(n) => vector(self.key(4, n)),
            Param::Local(n) => vector(self.key(5, n)),
            Param::Window => [640.0, 480.0, 0.0, 1.0],
            Param::State(state) => {
                let mut key = self.key(6, 0);
                for byte in format!("{state:?}").bytes() {
                    key = key.wrapping_mul(31).wrapping_add(u64::from(byte));
                }
                vector(key)
            }
        }
    }

    fn sample(&self, texture: TextureUse, at: [f32; 3], bias: f32) -> Vector {
        texel(texture, at, bias)
    }
}

/// A texture's value: of coordinates that its target does not have nothing is to be seen.
fn texel(texture: TextureUse, [s, t, r]: [f32; 3], bias: f32) -> Vector {
    let unit = texture.unit as f32;
    let is_line = texture.target == Target::OneD;
    let is_deep = texture.shadow || matches!(texture.target, Target::ThreeD | Target::Cube);
    let t = if is_line { 0.25 } else { t };
    let r = if is_deep { r } else { unit };
    [s + t, t - r, r * 0.5 - unit, bias]
}

/// The units of a program, with textures that are formulas.
pub struct Units(pub Vec<TextureUse>);

impl TextureUnit for Units {
    fn has_unit(&self, unit: u8) -> bool {
        self.0.iter().any(|texture| texture.unit == u32::from(unit))
    }

    /// Programs of the language only sample.
    fn answer(&self, query: &TextureQuery) -> QuadReg {
        let unit = u32::from(query.unit);
        let texture = self.0.iter().find(|texture| texture.unit == unit);
        let (Some(texture), Lookup::Sample { coords, level, .. }) = (texture, query.lookup) else {
            return QuadReg::default();
        };
        let bias = match level {
            LevelOfDetail::Bias(lanes) => lanes,
            LevelOfDetail::Implicit | LevelOfDetail::Explicit(_) | LevelOfDetail::Gradients(_) => {
                Lanes::default()
            }
        };
        let [s, t, r, _] = coords;
        from_lanes(std::array::from_fn(|lane| {
            texel(*texture, [s, t, r].map(|c| c[lane]), bias[lane]).map(f32::to_bits)
        }))
    }
}
