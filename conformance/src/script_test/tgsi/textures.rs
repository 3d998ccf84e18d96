//! The textures of tests: images that are computed, and their samplers.

use std::collections::BTreeMap;
use std::sync::Arc;

use attila_shader::front::tgsi::Target;
use attila_shader::isa::{Diagnostics, Remark};
use attila_shader::machine::pipeline::Compare;
use attila_shader::texture::{
    DepthMode, Dimension, Filter, Format, Image, MipMode, Sampler, Size, Texture, UNITS, Wrap,
};

use super::{MAX_SIDE, MAX_TEXELS};
use crate::script_test::sections::Sections;
use crate::script_test::words::Words;

/// The content of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pattern {
    /// Words that depend on the place of each texel.
    Hash,
    /// Quarters: red, green; blue, white.
    Quarters,
    /// Levels of one colour: red, green, blue, white.
    Levels,
}

const PATTERNS: [(&str, Pattern); 3] = [
    ("hash", Pattern::Hash),
    ("rgbw", Pattern::Quarters),
    ("miptree", Pattern::Levels),
];

/// The content of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Channel {
    Unorm8,
    Float,
    /// An integer of this many bytes.
    Signed(usize),
    Unsigned(usize),
}

/// A format's word, its components and their content.
const FORMATS: [(&str, (Format, usize, Channel)); 9] = [
    ("rgba8", (Format::Rgba8, 4, Channel::Unorm8)),
    ("rgba32f", (Format::Rgba32F, 4, Channel::Float)),
    ("r32f", (Format::R32F, 1, Channel::Float)),
    ("rg32f", (Format::Rg32F, 2, Channel::Float)),
    ("rgba32i", (Format::Rgba32Sint, 4, Channel::Signed(4))),
    ("rgba32ui", (Format::Rgba32Uint, 4, Channel::Unsigned(4))),
    ("rgba8i", (Format::Rgba8Sint, 4, Channel::Signed(1))),
    ("rgba16ui", (Format::Rgba16Uint, 4, Channel::Unsigned(2))),
    ("d32f", (Format::Depth32F, 1, Channel::Float)),
];

const TARGETS: [(&str, Target); 9] = [
    ("1D", Target::OneD),
    ("2D", Target::TwoD),
    ("3D", Target::ThreeD),
    ("CUBE", Target::Cube),
    ("RECT", Target::Rectangle),
    ("1D_ARRAY", Target::OneDArray),
    ("2D_ARRAY", Target::TwoDArray),
    ("CUBE_ARRAY", Target::CubeArray),
    ("BUFFER", Target::Buffer),
];

const MINIFIERS: [(&str, (Filter, MipMode)); 6] = [
    ("NEAREST", (Filter::Nearest, MipMode::None)),
    ("LINEAR", (Filter::Linear, MipMode::None)),
    (
        "NEAREST_MIPMAP_NEAREST",
        (Filter::Nearest, MipMode::Nearest),
    ),
    ("LINEAR_MIPMAP_NEAREST", (Filter::Linear, MipMode::Nearest)),
    ("NEAREST_MIPMAP_LINEAR", (Filter::Nearest, MipMode::Linear)),
    ("LINEAR_MIPMAP_LINEAR", (Filter::Linear, MipMode::Linear)),
];

const MAGNIFIERS: [(&str, Filter); 2] = [("NEAREST", Filter::Nearest), ("LINEAR", Filter::Linear)];

const WRAPS: [(&str, Wrap); 5] = [
    ("REPEAT", Wrap::Repeat),
    ("CLAMP", Wrap::Clamp),
    ("CLAMP_TO_EDGE", Wrap::ClampToEdge),
    ("CLAMP_TO_BORDER", Wrap::ClampToBorder),
    ("MIRRORED_REPEAT", Wrap::MirroredRepeat),
];

/// The comparisons of `reference FUNC texel`, with the texel on the left.
const COMPARISONS: [(&str, Compare); 8] = [
    ("NEVER", Compare::Never),
    ("LESS", Compare::Greater),
    ("EQUAL", Compare::Equal),
    ("LEQUAL", Compare::GreaterEqual),
    ("GREATER", Compare::Less),
    ("NOTEQUAL", Compare::NotEqual),
    ("GEQUAL", Compare::LessEqual),
    ("ALWAYS", Compare::Always),
];

/// Reads the section.
pub(super) fn parse(
    sections: &Sections<'_>,
    diagnostics: &mut Diagnostics,
) -> BTreeMap<u32, Arc<Texture>> {
    let mut textures = BTreeMap::new();
    let mut texels = 0;
    for (start, line) in sections.lines("[textures]") {
        let whole = start..start + line.len();
        match texture(Words::new(start, line), whole.clone(), &mut texels) {
            Ok((unit, texture)) => {
                if textures.insert(unit, Arc::new(texture)).is_some() {
                    let message = format!("`SAMP[{unit}]` appears twice");
                    diagnostics.error(Remark::new(whole, message));
                }
            }
            Err(remark) => diagnostics.error(remark),
        }
    }
    textures
}

/// A texture and its unit. `texels` counts those of all textures.
fn texture(
    mut words: Words<'_>,
    whole: std::ops::Range<usize>,
    texels: &mut usize,
) -> Result<(u32, Texture), Remark> {
    let unit = words.indexed("SAMP", 0..UNITS as u32)?;
    let target = words.choice(&TARGETS)?;
    let format = words.choice(&FORMATS)?;
    let sides = words.sides(MAX_SIDE)?;
    words.choice(&[("levels", ())])?;
    let levels = words.index("level count", 1..16)? as usize;
    words.choice(&[("pattern", ())])?;
    let pattern = words.choice(&PATTERNS)?;
    let sampler = sampler(&mut words, target)?;
    words.end()?;
    let fail = |message: String| Remark::new(whole.clone(), message);
    let plan = Plan::new(target, sides, levels, format);
    *texels = texels.saturating_add(plan.texels());
    if *texels > MAX_TEXELS {
        let message = format!("the textures of a test have at most {MAX_TEXELS} texels");
        return Err(fail(message));
    }
    let image = plan
        .image(pattern)
        .map_err(|error| fail(error.to_string()))?;
    let texture = Texture::new(Arc::new(image), sampler);
    Ok((unit, texture.map_err(|error| fail(error.to_string()))?))
}

fn sampler(words: &mut Words<'_>, target: Target) -> Result<Sampler, Remark> {
    words.choice(&[("min", ())])?;
    let (min, mip) = words.choice(&MINIFIERS)?;
    words.choice(&[("mag", ())])?;
    let mag = words.choice(&MAGNIFIERS)?;
    words.choice(&[("wrap", ())])?;
    let mut wrap = [Wrap::Repeat; 3];
    for wrap in &mut wrap {
        *wrap = words.choice(&WRAPS)?;
    }
    let compare = match words.take("compare") {
        true => Some(words.choice(&COMPARISONS)?),
        false => None,
    };
    if target == Target::Buffer {
        return Ok(Sampler::RESET);
    }
    Ok(Sampler {
        mag,
        min,
        mip,
        wrap,
        compare,
        depth_mode: DepthMode::Luminance,
        ..Sampler::RESET
    })
}

/// An image without its texels.
struct Plan {
    dimension: Dimension,
    size: Size,
    levels: usize,
    format: Format,
    components: usize,
    channel: Channel,
    /// Whether slices count as rows in [`Pattern::Hash`].
    has_rows: bool,
}

impl Plan {
    /// An image of sides as files have them: layers, and faces of arrays of cubes, are a side.
    fn new(
        target: Target,
        [width, height, depth]: [u32; 3],
        levels: usize,
        (format, components, channel): (Format, usize, Channel),
    ) -> Plan {
        let flat = Size::d2(width, height);
        let (dimension, size) = match target {
            Target::OneD | Target::ShadowOneD => (Dimension::D1, flat),
            Target::ThreeD => (Dimension::D3, Size::d3(width, height, depth)),
            Target::Cube | Target::ShadowCube => (Dimension::Cube, flat),
            Target::Rectangle | Target::ShadowRectangle => (Dimension::Rect, flat),
            Target::Buffer => (Dimension::Buffer, flat),
            Target::OneDArray | Target::ShadowOneDArray => {
                (Dimension::D1Array { layers: height }, Size::d1(width))
            }
            Target::TwoDArray | Target::ShadowTwoDArray => {
                (Dimension::D2Array { layers: depth }, flat)
            }
            Target::CubeArray | Target::ShadowCubeArray => {
                (Dimension::CubeArray { cubes: depth / 6 }, flat)
            }
            Target::Unknown
            | Target::TwoD
            | Target::ShadowTwoD
            | Target::TwoDMultisample
            | Target::TwoDArrayMultisample => (Dimension::D2, flat),
        };
        Plan {
            has_rows: matches!(dimension, Dimension::D1Array { .. }),
            dimension,
            size,
            levels,
            format,
            components,
            channel,
        }
    }

    /// Texels of the first level, which is more than half of all.
    fn texels(&self) -> usize {
        let sides = [self.size.width, self.size.height].map(|side| side as usize);
        let slices = self.dimension.slices(self.size);
        sides
            .iter()
            .fold(slices, |count, side| count.saturating_mul(*side))
    }

    fn image(&self, pattern: Pattern) -> Result<Image, attila_shader::texture::ImageError> {
        let levels: Vec<Vec<u8>> = (0..self.levels)
            .map(|level| self.level(pattern, level))
            .collect();
        let levels: Vec<&[u8]> = levels.iter().map(Vec::as_slice).collect();
        Image::from_levels(self.dimension, self.format, self.size, &levels)
    }

    /// The bytes of a level.
    fn level(&self, pattern: Pattern, level: usize) -> Vec<u8> {
        let size = self.size.level(level);
        let mut bytes = Vec::new();
        for slice in 0..self.dimension.slices(size) as u32 {
            for row in 0..size.height {
                for column in 0..size.width {
                    let [y, z] = match self.has_rows {
                        true => [slice, 0],
                        false => [row, slice],
                    };
                    let colour = match pattern {
                        Pattern::Hash => None,
                        Pattern::Quarters => {
                            let right = u8::from(column >= size.width / 2);
                            Some(right + 2 * u8::from(row >= size.height / 2))
                        }
                        Pattern::Levels => Some(level.min(3) as u8),
                    };
                    for component in 0..self.components as u32 {
                        let word = match colour {
                            None => hash([column, y, z], level as u32, component),
                            Some(colour) => colour_word(colour, component),
                        };
                        self.append(&mut bytes, word);
                    }
                }
            }
        }
        bytes
    }

    /// Appends a component that is made of the upper bits of a word.
    fn append(&self, bytes: &mut Vec<u8>, word: u32) {
        match self.channel {
            Channel::Unorm8 => bytes.push((word >> 24) as u8),
            Channel::Float => {
                let value = (word >> 24) as f32 / 255.0;
                bytes.extend(value.to_le_bytes());
            }
            Channel::Signed(4) => bytes.extend((word as i32 >> 8).to_le_bytes()),
            Channel::Unsigned(4) => bytes.extend((word >> 8).to_le_bytes()),
            Channel::Signed(count) | Channel::Unsigned(count) => {
                bytes.extend(&word.to_le_bytes()[4 - count..]);
            }
        }
    }
}

/// A component of red, green, blue or white as a word.
fn colour_word(colour: u8, component: u32) -> u32 {
    let is_set = colour == 3 || component == 3 || component == u32::from(colour);
    if is_set { u32::MAX } else { 0 }
}

/// The word of a component of a texel (column, row, slice) of a level.
fn hash([x, y, z]: [u32; 3], level: u32, component: u32) -> u32 {
    let terms = [
        x,
        y.wrapping_mul(37),
        z.wrapping_mul(1021),
        level.wrapping_mul(40_009),
        component * 7,
        0x9e37_79b9,
    ];
    let mut word = terms.into_iter().fold(0, u32::wrapping_add);
    word = (word ^ word >> 16).wrapping_mul(0x7feb_352d);
    word = (word ^ word >> 15).wrapping_mul(0x846c_a68b);
    word ^ word >> 16
}
