//! Patterns: images that are computed, so that programs that sample have something to sample.
//!
//! Each is meant to be repeated in both directions, and its edges fit together.

use std::f32::consts::TAU;
use std::fmt;
use std::str::FromStr;

use crate::{Dimension, Image, Size};
use attila_machine::approx;
use attila_machine::arith::HostLanes;
use thiserror::Error;

/// Texels along either side of a pattern's image.
const SIDE: u32 = 256;

/// The content of an image.
///
/// ```
/// use std::sync::Arc;
///
/// use attila_texture::Pattern;
/// use attila_texture::{MipMode, Sampler, Texture, Textures};
///
/// let trilinear = Sampler {
///     mip: MipMode::Linear,
///     ..Sampler::default()
/// };
/// let bricks = Texture::new(Arc::new(Pattern::Bricks.image()), trilinear)?;
/// let mut textures = Textures::new();
/// textures.bind(0, bricks)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pattern {
    /// A normal map of overlapping round bumps: `0.5 + 0.5 n` in rgb.
    Bumps,
    /// A black and white board of 8x8 fields.
    Checker,
    /// Red grows to the right, green downwards.
    Gradient,
    /// Soft clouds in grey.
    Clouds,
    /// A warm brick wall.
    Bricks,
    /// White.
    White,
}

impl Pattern {
    /// All patterns.
    pub const ALL: [Pattern; 6] = [
        Pattern::Bumps,
        Pattern::Checker,
        Pattern::Gradient,
        Pattern::Clouds,
        Pattern::Bricks,
        Pattern::White,
    ];

    /// The pattern's name in options.
    pub const fn name(self) -> &'static str {
        match self {
            Pattern::Bumps => "bumps",
            Pattern::Checker => "checker",
            Pattern::Gradient => "gradient",
            Pattern::Clouds => "clouds",
            Pattern::Bricks => "bricks",
            Pattern::White => "white",
        }
    }

    /// The pattern as a 2D image of floats, with all its levels.
    pub fn image(self) -> Image {
        let centre = |index: u32| (index as f32 + 0.5) / SIDE as f32;
        let texels: Vec<[f32; 4]> = (0..SIDE * SIDE)
            .map(|index| self.texel(centre(index % SIDE), centre(index / SIDE)))
            .collect();
        Image::from_rgba32f(Dimension::D2, Size::d2(SIDE, SIDE), &texels)
            .and_then(Image::with_mipmaps)
            .expect("the size is within the limits")
    }

    /// The colour at (s, t), both from 0 to 1.
    fn texel(self, s: f32, t: f32) -> [f32; 4] {
        match self {
            Pattern::Bumps => bumps(s, t),
            Pattern::Checker => {
                let odd = ((s * 8.0) as u32 + (t * 8.0) as u32) % 2 == 1;
                grey(if odd { 0.15 } else { 0.9 })
            }
            Pattern::Gradient => [s, t, 0.5, 1.0],
            Pattern::Clouds => grey(clouds(s, t)),
            Pattern::Bricks => bricks(s, t),
            Pattern::White => grey(1.0),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// There is no pattern of that name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("there is no texture pattern `{0}`")]
pub struct UnknownPattern(pub String);

impl FromStr for Pattern {
    type Err = UnknownPattern;

    fn from_str(name: &str) -> Result<Pattern, UnknownPattern> {
        let known = Pattern::ALL.into_iter().find(|p| p.name() == name);
        known.ok_or_else(|| UnknownPattern(name.to_owned()))
    }
}

fn grey(level: f32) -> [f32; 4] {
    [level, level, level, 1.0]
}

/// The normal of a height field: three waves, a third of a turn apart, make rows of round bumps.
fn bumps(s: f32, t: f32) -> [f32; 4] {
    /// Periods along s and t, and the height.
    const WAVES: [(f32, f32, f32); 3] =
        [(8.0, 0.0, 0.0065), (4.0, 7.0, 0.0065), (-4.0, 7.0, 0.0065)];
    let (mut across, mut down) = (0.0, 0.0);
    for (periods_s, periods_t, height) in WAVES {
        let slope = height * TAU * cosine(TAU * (periods_s * s + periods_t * t));
        across += slope * periods_s;
        down += slope * periods_t;
    }
    let length = (across * across + down * down + 1.0).sqrt();
    let pack = |component: f32| 0.5 + 0.5 * component / length;
    [pack(-across), pack(-down), pack(1.0), 1.0]
}

/// The same on every host, unlike that of the standard library.
fn cosine(x: f32) -> f32 {
    approx::cos(&mut HostLanes::<1>, [x])[0]
}

/// Five octaves of value noise.
fn clouds(s: f32, t: f32) -> f32 {
    let (mut sum, mut weight) = (0.0, 0.5);
    for octave in 2..7 {
        let cells = 1 << octave;
        sum += weight * value_noise(s * cells as f32, t * cells as f32, cells);
        weight *= 0.5;
    }
    sum
}

/// Random values at whole numbers, which repeat after `cells`, smoothly blended between them.
fn value_noise(x: f32, y: f32, cells: u32) -> f32 {
    let value = |x: u32, y: u32| {
        let seed = (x % cells) * 0x9e37 + (y % cells) * 0x85eb + cells * 0xc2b3;
        let mixed = (seed ^ (seed >> 7)).wrapping_mul(0x2c1b_3c6d);
        (mixed >> 8) as f32 / (1 << 24) as f32
    };
    let smooth = |a: f32| a * a * (3.0 - 2.0 * a);
    let (column, row) = (x as u32, y as u32);
    let (a, b) = (smooth(x.fract()), smooth(y.fract()));
    let upper = mix(value(column, row), value(column + 1, row), a);
    let lower = mix(value(column, row + 1), value(column + 1, row + 1), a);
    mix(upper, lower, b)
}

fn mix(a: f32, b: f32, weight: f32) -> f32 {
    a * (1.0 - weight) + b * weight
}

fn bricks(s: f32, t: f32) -> [f32; 4] {
    const MORTAR: f32 = 0.07;
    let row = t * 8.0;
    let column = s * 4.0 + if row as u32 % 2 == 1 { 0.5 } else { 0.0 };
    if row.fract() < MORTAR || column.fract() < MORTAR / 2.0 {
        return grey(0.75);
    }
    let shade = 0.6 + 0.4 * value_noise(column.floor() * 7.0, row.floor() * 3.0, 64);
    [0.75 * shade, 0.33 * shade, 0.22 * shade, 1.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_have_all_levels_and_the_last_is_the_average() {
        let image = Pattern::Checker.image();
        assert_eq!(image.levels().len(), 9);
        assert_eq!(image.texel(0, [31, 32, 0]), Some(grey(0.15)));
        let [average, ..] = image.texel(8, [0; 3]).unwrap();
        assert!((average - 0.525).abs() < 1e-6, "{average}");
    }

    #[test]
    fn normals_have_the_length_1() {
        let [x, y, z, _] = bumps(0.1, 0.7).map(|component| 2.0 * component - 1.0);
        assert!(((x * x + y * y + z * z) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn patterns_are_found_by_their_names() {
        for pattern in Pattern::ALL {
            assert_eq!(pattern.name().parse(), Ok(pattern));
        }
        assert!("velvet".parse::<Pattern>().is_err());
    }
}
