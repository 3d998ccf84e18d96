//! Samplers of texture instructions: a unit, and how it is sampled.

use std::fmt;

use attila_isa::{Slots, TextureShape};

use super::finding::number;

/// The word of an option, and the value of its field.
pub(super) type Word = (&'static str, u8);

/// A field of a sampler.
pub(super) struct Field {
    /// Its name in messages.
    pub(super) name: &'static str,
    /// Its lowest bit in byte programs; it has four.
    pub(super) shift: u32,
    /// Words for its values. The first one of a value is the one that is printed.
    pub(super) words: &'static [Word],
    /// The least value that there is not.
    pub(super) end: u8,
    /// The number of Flash's error about values from there on, where it has one.
    pub(super) number: Option<u16>,
    /// Whether words add to each other, as flags do.
    pub(super) adds: bool,
    /// Where its value is kept.
    pub(super) value: fn(&mut Sampler) -> &mut u8,
}

/// The fields of four bits, from the lowest.
pub(super) const FIELDS: [Field; 6] = [
    Field {
        name: "texture format",
        shift: 40,
        words: &[
            ("rgba", 0),
            ("compressed", 1),
            ("dxt1", 1),
            ("compressedalpha", 2),
            ("dxt5", 2),
            ("video", 3),
        ],
        end: 4,
        number: None,
        adds: false,
        value: |it| &mut it.format,
    },
    Field {
        name: "dimension",
        shift: 44,
        words: &[("2d", 0), ("cube", 1), ("3d", 2)],
        end: 3,
        number: Some(number::DIMENSION),
        adds: false,
        value: |it| &mut it.dimension,
    },
    Field {
        name: "flags",
        shift: 48,
        words: &[("centroid", 1), ("single", 2), ("ignoresampler", 4)],
        end: 8,
        number: Some(number::FLAGS),
        adds: true,
        value: |it| &mut it.special,
    },
    Field {
        name: "wrap mode",
        shift: 52,
        words: &[
            ("clamp", 0),
            ("repeat", 1),
            ("wrap", 1),
            ("clamp_u_repeat_v", 2),
            ("repeat_u_clamp_v", 3),
        ],
        end: 4,
        number: Some(number::WRAP),
        adds: false,
        value: |it| &mut it.wrap,
    },
    Field {
        name: "mip filter",
        shift: 56,
        words: &[
            ("mipnone", 0),
            ("nomip", 0),
            ("mipnearest", 1),
            ("miplinear", 2),
        ],
        end: 3,
        number: Some(number::MIP),
        adds: false,
        value: |it| &mut it.mip,
    },
    Field {
        name: "filter",
        shift: 60,
        words: &[
            ("nearest", 0),
            ("linear", 1),
            ("anisotropic2x", 2),
            ("anisotropic4x", 3),
            ("anisotropic8x", 4),
            ("anisotropic16x", 5),
        ],
        end: 6,
        number: Some(number::FILTER),
        adds: false,
        value: |it| &mut it.filter,
    },
];

/// Steps of a level in which biases are coded.
pub const BIAS_STEPS: f32 = 8.0;

/// A sampler as byte programs code it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Sampler {
    /// The unit.
    pub unit: u16,
    /// What is added to the level of detail, in eighths.
    pub bias: i8,
    /// The texture's format: 0 colours, 1 and 2 compressed ones, 3 video.
    pub format: u8,
    /// The texture's shape: 0 two dimensions, 1 cube, 2 three dimensions.
    pub dimension: u8,
    /// Flags: 1 centroid, 2 single read, 4 the sampler's state comes from outside.
    pub special: u8,
    /// Coordinates outside: 0 clamp, 1 repeat, 2 clamp u and repeat v, 3 repeat u and clamp v.
    pub wrap: u8,
    /// Levels: 0 only the first, 1 the nearest, 2 two of them mixed.
    pub mip: u8,
    /// Texels: 0 the nearest, 1 four of them mixed, 2 to 5 anisotropic with up to 2, 4, 8, 16 probes.
    pub filter: u8,
}

impl Sampler {
    /// The kind of image that it samples.
    pub const fn image(self) -> TextureShape {
        match self.dimension {
            0 => TextureShape::D2,
            1 => TextureShape::Cube,
            _ => TextureShape::D3,
        }
    }

    /// The coordinates of its dimension.
    pub const fn coordinates(self) -> Slots {
        let plane = Slots::X.union(Slots::Y);
        match self.dimension {
            0 => plane,
            _ => plane.union(Slots::Z),
        }
    }

    /// Whether its images are cubes.
    pub(super) fn is_cube(self) -> bool {
        self.image() == TextureShape::Cube
    }

    /// Whether the state of the unit is set from outside.
    pub const fn ignores_state(self) -> bool {
        self.special & 4 != 0
    }

    /// Whether an image that fits one of both fits the other.
    pub(super) const fn has_image_of(self, other: Sampler) -> bool {
        self.dimension == other.dimension && self.format == other.format
    }

    /// What is added to the level of detail. Nothing where the state comes from outside.
    pub fn level_bias(self) -> f32 {
        match self.ignores_state() {
            true => 0.0,
            false => f32::from(self.bias) / BIAS_STEPS,
        }
    }

    /// The sampler with an option of the mini-assembler, such as `repeat`; `None` if there is no such word.
    /// Flags are added to those that there are.
    pub fn with_option(mut self, word: &str) -> Option<Sampler> {
        let mut rows = FIELDS
            .iter()
            .flat_map(|field| field.words.iter().map(move |it| (field, it)));
        let (field, (_, value)) = rows.find(|(_, (name, _))| *name == word)?;
        let place = (field.value)(&mut self);
        *place = if field.adds { *place | value } else { *value };
        Some(self)
    }
}

/// The options as the mini-assembler reads them, without those that have no effect.
impl fmt::Display for Sampler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        let mut copy = *self;
        for field in &FIELDS {
            let value = *(field.value)(&mut copy);
            let is_plain = value == 0 && matches!(field.name, "texture format" | "flags");
            let chosen = field.words.iter().filter(|(_, code)| match field.adds {
                true => value & code != 0,
                false => *code == value && !is_plain,
            });
            let count = if field.adds { usize::MAX } else { 1 };
            words.extend(chosen.map(|(word, _)| (*word).to_owned()).take(count));
        }
        if self.bias != 0 {
            words.push((f32::from(self.bias) / BIAS_STEPS).to_string());
        }
        f.write_str(&words.join(","))
    }
}
