//! Small procedural textures, so that programs that sample have something to sample.
//!
//! They repeat in both directions and have one level, whatever the level of detail. That makes them
//! much faster than the reference texture unit of [`attila_texture`], and no substitute for it.

use std::f32::consts::TAU;
use std::fmt;
use std::str::FromStr;

use attila_isa::arith::HostLanes;
use attila_isa::{LANES, Lanes, TextureRequest, TextureUnit, approx};
use attila_texture::Filter;
use thiserror::Error;

/// Texels along either side of a texture.
const SIDE: usize = 256;

/// What a texture shows.
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
    /// All patterns; the n-th is what unit n of [`BuiltinTextures::default`] shows.
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

#[derive(Clone)]
struct Texture {
    texels: Vec<[f32; 4]>,
    filter: Filter,
}

impl Texture {
    fn new(pattern: Pattern, filter: Filter) -> Texture {
        let centre = |index: usize| (index as f32 + 0.5) / SIDE as f32;
        let texels = (0..SIDE * SIDE)
            .map(|index| pattern.texel(centre(index % SIDE), centre(index / SIDE)))
            .collect();
        Texture { texels, filter }
    }

    fn texel(&self, column: usize, row: usize) -> [f32; 4] {
        self.texels[row % SIDE * SIDE + column % SIDE]
    }

    fn sample(&self, s: f32, t: f32) -> [f32; 4] {
        let (u, v) = (wrap(s), wrap(t));
        match self.filter {
            Filter::Nearest => self.texel(u as usize, v as usize),
            Filter::Linear => {
                // Half a texel to the left and up, but never below 0.
                let (u, v) = (u + SIDE as f32 - 0.5, v + SIDE as f32 - 0.5);
                let (column, row) = (u as usize, v as usize);
                let (a, b) = (u.fract(), v.fract());
                let corners = [
                    self.texel(column, row),
                    self.texel(column + 1, row),
                    self.texel(column, row + 1),
                    self.texel(column + 1, row + 1),
                ];
                std::array::from_fn(|c| {
                    let upper = mix(corners[0][c], corners[1][c], a);
                    let lower = mix(corners[2][c], corners[3][c], a);
                    mix(upper, lower, b)
                })
            }
        }
    }
}

/// A coordinate in texels, from 0 to `SIDE`. What is not finite counts as 0.
fn wrap(coordinate: f32) -> f32 {
    let fraction = coordinate - coordinate.floor();
    if fraction.is_nan() {
        0.0
    } else {
        fraction * SIDE as f32
    }
}

/// Built-in textures at the units of a program.
#[derive(Clone)]
pub struct BuiltinTextures {
    units: [Option<Texture>; 16],
}

impl BuiltinTextures {
    /// Nothing at any unit.
    pub fn none() -> BuiltinTextures {
        BuiltinTextures {
            units: [const { None }; 16],
        }
    }

    /// Puts a pattern to a unit.
    ///
    /// # Panics
    ///
    /// If `unit` is not below 16.
    #[must_use]
    pub fn with(mut self, unit: usize, pattern: Pattern, filter: Filter) -> BuiltinTextures {
        self.units[unit] = Some(Texture::new(pattern, filter));
        self
    }
}

impl Default for BuiltinTextures {
    /// The patterns in the order of [`Pattern::ALL`] at units 0, 1, …, linearly filtered.
    fn default() -> Self {
        let patterns = Pattern::ALL.into_iter().enumerate();
        patterns.fold(BuiltinTextures::none(), |textures, (unit, pattern)| {
            textures.with(unit, pattern, Filter::Linear)
        })
    }
}

impl fmt::Debug for BuiltinTextures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = |unit: &usize| self.units[*unit].is_some();
        f.debug_tuple("BuiltinTextures")
            .field(&(0..16).filter(bound).collect::<Vec<_>>())
            .finish()
    }
}

impl TextureUnit for BuiltinTextures {
    fn has_unit(&self, unit: u8) -> bool {
        self.units
            .get(usize::from(unit))
            .is_some_and(Option::is_some)
    }

    fn sample(&self, request: &TextureRequest) -> [Lanes<f32>; 4] {
        let Some(Some(texture)) = self.units.get(usize::from(request.unit)) else {
            return [[0.0; LANES]; 4];
        };
        let [s, t, _] = request.coords;
        let lanes: Lanes<[f32; 4]> = std::array::from_fn(|lane| texture.sample(s[lane], t[lane]));
        std::array::from_fn(|c| std::array::from_fn(|lane| lanes[lane][c]))
    }
}

#[cfg(test)]
mod tests {
    use attila_isa::{LaneMask, Stage, TextureOp};

    use super::*;

    fn sample(filter: Filter, pattern: Pattern, s: f32, t: f32) -> [f32; 4] {
        let textures = BuiltinTextures::none().with(3, pattern, filter);
        let request = TextureRequest {
            op: TextureOp::Tex,
            unit: 3,
            coords: [[s; LANES], [t; LANES], [0.0; LANES]],
            param: [0.0; LANES],
            stage: Stage::Fragment,
            active: LaneMask::all(),
        };
        textures.sample(&request).map(|component| component[0])
    }

    #[test]
    fn textures_repeat() {
        for (s, t) in [(0.3, 0.6), (0.9, 0.1)] {
            let inside = sample(Filter::Nearest, Pattern::Clouds, s, t);
            let outside = sample(Filter::Nearest, Pattern::Clouds, s + 3.0, t - 2.0);
            assert_eq!(inside, outside);
        }
    }

    #[test]
    fn linear_samples_lie_between_their_texels() {
        let texel = 1.0 / SIDE as f32;
        // The middle of the border between two texels, in the middle of a row.
        let [red, green, ..] = sample(Filter::Linear, Pattern::Gradient, 0.5, 0.5 + texel / 2.0);
        assert_eq!(red, 0.5);
        assert_eq!(green, 0.5 + texel / 2.0);
        // The last column and the first are neighbours.
        let [red, ..] = sample(Filter::Linear, Pattern::Gradient, 0.0, 0.25);
        assert_eq!(red, 0.5);
    }

    #[test]
    fn coordinates_that_are_no_numbers_count_as_0() {
        for filter in [Filter::Nearest, Filter::Linear] {
            let origin = sample(filter, Pattern::Clouds, 0.0, 0.0);
            for wild in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                assert_eq!(sample(filter, Pattern::Clouds, wild, wild), origin);
            }
            // Just below 0, the fraction rounds to 1.
            assert_eq!(sample(filter, Pattern::Clouds, -1e-30, 0.0), origin);
        }
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
