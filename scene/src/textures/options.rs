//! The sampler and what becomes of the image: what follows the file of a texture.

use std::fmt;

use attila_shader::front::agal;
use attila_shader::isa::nearest;
use attila_shader::texture::{Coordinates, Dimension, Filter, MipMode, Sampler, Shape, Srgb, Wrap};
use thiserror::Error;

use super::file::TextureError;

/// How an image is prepared and sampled.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Options {
    pub(super) min: Filter,
    pub(super) mag: Filter,
    /// `None`: as `min`, if there are levels.
    pub(super) mip: Option<MipMode>,
    /// Make levels, even if the file has some.
    pub(super) mips: bool,
    /// `None`: repeat, or the edge where a cube's faces end.
    wrap: [Option<Wrap>; 3],
    /// `None`: as the file says.
    srgb: Option<Srgb>,
    pub(super) texels: bool,
    aniso: u32,
    bias: f32,
    lod: [f32; 2],
    border: [f32; 4],
}

impl Default for Options {
    fn default() -> Self {
        let sampler = Sampler::default();
        Options {
            min: sampler.min,
            mag: sampler.mag,
            mip: None,
            mips: false,
            wrap: [None; 3],
            srgb: None,
            texels: false,
            aniso: sampler.max_anisotropy,
            bias: sampler.lod_bias,
            lod: [sampler.lod_min, sampler.lod_max],
            border: sampler.border,
        }
    }
}

impl Options {
    /// The bits of all numbers: a border of -0 is another than one of 0.
    pub(super) fn bits(&self) -> [u32; 7] {
        let ([first, last], [x, y, z, w]) = (self.lod, self.border);
        [self.bias, first, last, x, y, z, w].map(f32::to_bits)
    }
}

/// Why a text is no option of a texture.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// The option does not exist.
    #[error("there is no option `{name}`; {}", suggestion(name))]
    Unknown {
        /// The name as it was written.
        name: String,
    },
    /// An option without what it needs.
    #[error("the option `{0}` needs a value")]
    NoValue(&'static str),
    /// A value for an option that takes no value.
    #[error("the option `{0}` takes no value")]
    Value(&'static str),
    /// A value that the option does not have.
    #[error("`{value}` is not a value of `{name}`: {values}")]
    BadValue {
        /// The option.
        name: &'static str,
        /// The value as it was written.
        value: String,
        /// The possible values.
        values: String,
    },
}

/// Options with values.
const KEYS: [&str; 14] = [
    "filter", "min", "mag", "mip", "wrap", "wraps", "wrapt", "wrapr", "aniso", "bias", "lod",
    "border", "srgb", "coords",
];

/// Options that are words.
const WORDS: [&str; 4] = ["mips", "srgb", "nearest", "linear"];

const FILTERS: [(&str, Filter); 2] = [("nearest", Filter::Nearest), ("linear", Filter::Linear)];

const MIP_MODES: [(&str, MipMode); 3] = [
    ("none", MipMode::None),
    ("nearest", MipMode::Nearest),
    ("linear", MipMode::Linear),
];

const WRAPS: [(&str, Wrap); 5] = [
    ("repeat", Wrap::Repeat),
    ("clamp", Wrap::Clamp),
    ("edge", Wrap::ClampToEdge),
    ("border", Wrap::ClampToBorder),
    ("mirror", Wrap::MirroredRepeat),
];

const CURVES: [(&str, Srgb); 3] = [
    ("off", Srgb::Linear),
    ("standard", Srgb::Standard),
    ("power", Srgb::Power),
];

const COORDINATES: [(&str, bool); 2] = [("normalised", false), ("texels", true)];

fn suggestion(name: &str) -> String {
    match nearest(name, KEYS.iter().chain(&WORDS).copied()) {
        Some(known) => format!("did you mean `{known}`?"),
        None => format!("there are {}, {}", KEYS.join(", "), WORDS.join(", ")),
    }
}

impl Options {
    /// Whether a part of a setting is an option, and not one more file.
    pub(super) fn is_option(part: &str) -> bool {
        part.contains('=') || WORDS.contains(&part)
    }

    /// Takes over the option `part`: a word, or a name with a value.
    pub(super) fn set(&mut self, part: &str) -> Result<(), OptionsError> {
        let (name, value) = match part.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => (part.trim(), None),
        };
        let known = |names: &[&'static str]| names.iter().copied().find(|known| *known == name);
        match (known(&KEYS), known(&WORDS), value) {
            (Some(key), _, Some(value)) => self.set_key(key, value),
            (_, Some(word), None) => {
                self.set_word(word);
                Ok(())
            }
            (Some(key), None, None) => Err(OptionsError::NoValue(key)),
            (None, Some(word), Some(_)) => Err(OptionsError::Value(word)),
            (None, None, _) => Err(OptionsError::Unknown {
                name: name.to_owned(),
            }),
        }
    }

    fn set_word(&mut self, word: &str) {
        match word {
            "mips" => self.mips = true,
            "srgb" => self.srgb = Some(Srgb::Standard),
            "linear" => (self.min, self.mag) = (Filter::Linear, Filter::Linear),
            // The texels themselves, however small they become.
            _ => {
                (self.min, self.mag) = (Filter::Nearest, Filter::Nearest);
                self.mip = Some(MipMode::None);
            }
        }
    }

    fn set_key(&mut self, key: &'static str, value: &str) -> Result<(), OptionsError> {
        match key {
            "filter" => {
                self.min = choose(key, value, &FILTERS)?;
                self.mag = self.min;
            }
            "min" => self.min = choose(key, value, &FILTERS)?,
            "mag" => self.mag = choose(key, value, &FILTERS)?,
            "mip" => self.mip = Some(choose(key, value, &MIP_MODES)?),
            "wrap" => self.wrap = [Some(choose(key, value, &WRAPS)?); 3],
            "wraps" => self.wrap[0] = Some(choose(key, value, &WRAPS)?),
            "wrapt" => self.wrap[1] = Some(choose(key, value, &WRAPS)?),
            "wrapr" => self.wrap[2] = Some(choose(key, value, &WRAPS)?),
            "srgb" => self.srgb = Some(choose(key, value, &CURVES)?),
            "coords" => self.texels = choose(key, value, &COORDINATES)?,
            "aniso" => self.aniso = value.parse().map_err(|_| bad(key, value, "1 to 16"))?,
            "bias" => [self.bias] = numbers(key, value, "a number")?,
            "lod" => self.lod = numbers(key, value, "the least and the greatest, as 0:2.5")?,
            _ => self.border = numbers(key, value, "red, green, blue and alpha, as 1:0.5:0:1")?,
        }
        Ok(())
    }

    /// The sampler for an image, which is to be taken for sRGB if `srgb`.
    pub(super) fn sampler(&self, shape: &Shape, srgb: bool) -> Result<Sampler, TextureError> {
        let default = Sampler::of(shape.dimension);
        let [wrap, ..] = default.wrap;
        if self.texels && shape.dimension == Dimension::Cube {
            return Err(TextureError::TexelsOfCube);
        }
        let as_min = match self.min {
            Filter::Nearest => MipMode::Nearest,
            Filter::Linear => MipMode::Linear,
        };
        let has_levels = self.mips || shape.levels > 1;
        let as_file = if srgb { Srgb::Standard } else { Srgb::Linear };
        Ok(Sampler {
            min: self.min,
            mag: self.mag,
            mip: self
                .mip
                .unwrap_or(if has_levels { as_min } else { MipMode::None }),
            wrap: self.wrap.map(|axis| axis.unwrap_or(wrap)),
            lod_min: self.lod[0],
            lod_max: self.lod[1],
            lod_bias: self.bias,
            max_anisotropy: self.aniso,
            border: self.border,
            coordinates: match self.texels {
                true => Coordinates::Texels,
                false => Coordinates::Normalised,
            },
            srgb: self.srgb.unwrap_or(as_file),
            ..default
        })
    }
}

/// The state that an AGAL program gives a sampler. Its bias is in the instructions.
impl From<agal::Sampler> for Options {
    fn from(sampler: agal::Sampler) -> Options {
        let repeat = |repeats| {
            Some(if repeats {
                Wrap::Repeat
            } else {
                Wrap::ClampToEdge
            })
        };
        let [_, linear] = FILTERS;
        let filter = FILTERS.get(usize::from(sampler.filter)).unwrap_or(&linear);
        let mip = usize::from(sampler.mip).min(MIP_MODES.len() - 1);
        Options {
            min: filter.1,
            mag: filter.1,
            mip: Some(MIP_MODES[mip].1),
            wrap: [
                repeat(matches!(sampler.wrap, 1 | 3)),
                repeat(matches!(sampler.wrap, 1 | 2)),
                None,
            ],
            aniso: 1 << sampler.filter.saturating_sub(1),
            ..Options::default()
        }
    }
}

/// Those that are not the default, as [`Options::set`] takes them, each after a comma.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = Options::default();
        let list = |numbers: &[f32]| numbers.iter().map(f32::to_string).collect::<Vec<_>>();
        let changed = |is: bool, text: String| is.then_some(text);
        let [s, t, r] = self.wrap.map(|it| it.map(|it| name(&WRAPS, it)));
        let values = [
            (
                "min",
                changed(self.min != plain.min, name(&FILTERS, self.min)),
            ),
            (
                "mag",
                changed(self.mag != plain.mag, name(&FILTERS, self.mag)),
            ),
            ("mip", self.mip.map(|it| name(&MIP_MODES, it))),
            ("wraps", s),
            ("wrapt", t),
            ("wrapr", r),
            ("srgb", self.srgb.map(|it| name(&CURVES, it))),
            (
                "coords",
                changed(self.texels, name(&COORDINATES, self.texels)),
            ),
            (
                "aniso",
                changed(self.aniso != plain.aniso, self.aniso.to_string()),
            ),
            (
                "bias",
                changed(self.bias != plain.bias, self.bias.to_string()),
            ),
            (
                "lod",
                changed(self.lod != plain.lod, list(&self.lod).join(":")),
            ),
            (
                "border",
                changed(self.border != plain.border, list(&self.border).join(":")),
            ),
        ];
        for (key, value) in values {
            value.map_or(Ok(()), |value| write!(f, ", {key}={value}"))?;
        }
        f.write_str(if self.mips { ", mips" } else { "" })
    }
}

/// The word of a choice.
fn name<T: PartialEq>(choices: &[(&str, T)], choice: T) -> String {
    let found = choices.iter().find(|(_, it)| *it == choice);
    found.map_or("", |(name, _)| name).to_owned()
}

fn choose<T: Copy>(
    name: &'static str,
    value: &str,
    choices: &[(&str, T)],
) -> Result<T, OptionsError> {
    let chosen = choices.iter().find(|(text, _)| *text == value);
    chosen.map(|(_, choice)| *choice).ok_or_else(|| {
        let texts: Vec<&str> = choices.iter().map(|(text, _)| *text).collect();
        bad(name, value, &texts.join(", "))
    })
}

/// Finite numbers with colons between them.
fn numbers<const N: usize>(
    name: &'static str,
    value: &str,
    values: &str,
) -> Result<[f32; N], OptionsError> {
    let numbers = value.split(':').map(|number| number.trim().parse::<f32>());
    let numbers = numbers.collect::<Result<Vec<f32>, _>>().ok();
    let finite = numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite()));
    finite
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or_else(|| bad(name, value, values))
}

fn bad(name: &'static str, value: &str, values: &str) -> OptionsError {
    OptionsError::BadValue {
        name,
        value: value.to_owned(),
        values: values.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use attila_shader::texture::{Format, Size};

    use super::*;

    #[test]
    fn without_options_the_sampler_is_the_default_of_the_library() {
        for dimension in [Dimension::D2, Dimension::D3, Dimension::Cube] {
            let shape = Shape {
                dimension,
                format: Format::Rgba8,
                size: Size::cube(4),
                levels: 1,
            };
            let sampler = Options::default().sampler(&shape, false);
            assert_eq!(sampler.ok(), Some(Sampler::of(dimension)), "{dimension:?}");
        }
        assert_eq!(Sampler::default(), Sampler::of(Dimension::D2));
    }
}
