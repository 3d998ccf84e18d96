//! The values that programs are tried on. They follow from a seed and from names.

use attila_shader::front::tgsi::{Input, Param, SemanticName};

use crate::dice::Dice;
use crate::recorder::{SplitMix, mix};
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

    fn vector(self, name: &str) -> [u32; 4] {
        let key = name.bytes().fold(u64::from(self.seed), |word, byte| {
            mix(word ^ u64::from(byte))
        });
        let mut rng = SplitMix(key);
        let mut dice = Dice::new(&mut rng);
        std::array::from_fn(|_| match dice.percent(30) {
            true => values::integer(&mut dice),
            false => values::float(&mut dice),
        })
    }
}
