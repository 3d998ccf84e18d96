//! The scene that both draw: inputs, constants and textures.
//!
//! A pixel's place is `u` and `v`, from 0 to 1 to the right and upwards; rows are counted from the
//! bottom.

/// A number that grows evenly over the picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slope {
    /// Its value at the lower left corner.
    pub(crate) at: f32,
    /// The growth from the left to the right edge.
    pub(crate) across: f32,
    /// The growth from the bottom to the top edge.
    pub(crate) up: f32,
}

impl Slope {
    /// Its value at a place.
    pub(crate) fn value(self, u: f32, v: f32) -> f32 {
        self.at + u * self.across + v * self.up
    }
}

const fn slope(at: f32, across: f32, up: f32) -> Slope {
    Slope { at, across, up }
}

/// The inputs of fragments.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    /// The primary colour.
    pub(crate) colour: [Slope; 4],
    /// Three sets of texture coordinates: for textures, a place in the plane, and a direction that is
    /// about a normal.
    pub(crate) coordinates: [[Slope; 4]; 3],
}

impl Inputs {
    /// Textures are repeated `scale` times along each side.
    pub(crate) fn new(scale: f32) -> Inputs {
        let zero = slope(0.0, 0.0, 0.0);
        let one = slope(1.0, 0.0, 0.0);
        Inputs {
            colour: [
                slope(0.0, 1.0, 0.0),
                slope(0.0, 0.0, 1.0),
                slope(1.0, -0.5, -0.5),
                slope(0.25, 0.5, 0.25),
            ],
            coordinates: [
                [slope(0.0, scale, 0.0), slope(0.0, 0.0, scale), zero, one],
                [slope(-2.0, 4.0, 0.0), slope(-1.5, 0.0, 3.0), zero, one],
                [
                    slope(-0.8, 1.6, 0.0),
                    slope(-0.8, 0.0, 1.6),
                    slope(0.6, 0.2, 0.1),
                    zero,
                ],
            ],
        }
    }
}

/// Triangles in a picture.
#[derive(Clone, Debug)]
pub(crate) struct Mesh {
    pub(crate) name: &'static str,
    /// The corners of each, in pixels from the lower left corner of the picture: multiples of 1/256, so that
    /// nobody rounds them.
    pub(crate) triangles: Vec<[[f32; 2]; 3]>,
}

/// Small triangles of a mesh.
const SMALL: usize = 2000;
/// Their area, in pixels.
const SMALL_AREA: f32 = 20.0;

impl Mesh {
    /// Two triangles that are all of the picture.
    pub(crate) fn whole([width, height]: [u32; 2]) -> Mesh {
        let [width, height] = [width as f32, height as f32];
        Mesh {
            name: "whole",
            triangles: vec![
                [[0.0, 0.0], [width, 0.0], [width, height]],
                [[0.0, 0.0], [width, height], [0.0, height]],
            ],
        }
    }

    /// Small triangles all over the picture, turned by any angle.
    pub(crate) fn small([width, height]: [u32; 2]) -> Mesh {
        let mut state = 1_u32;
        let mut unit = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        let leg = (2.0 * SMALL_AREA).sqrt();
        let snapped = |point: [f32; 2]| point.map(|it| (256.0 * it).round() / 256.0);
        let triangle = |_| {
            let [x, y] = [unit() * width as f32, unit() * height as f32];
            let (sin, cos) = (std::f32::consts::TAU * unit()).sin_cos();
            let [sin, cos] = [leg * sin, leg * cos];
            [[x, y], [x + cos, y + sin], [x - sin, y + cos]].map(snapped)
        };
        Mesh {
            name: "small",
            triangles: (0..SMALL).map(triangle).collect(),
        }
    }
}

/// `program.local`.
pub(crate) const LOCAL: [[f32; 4]; 8] = [
    [0.9, 1.2, 2.5, 1.0],
    [1.0, 0.9, 0.75, 1.0],
    [-0.7, 0.4, 0.6, 0.0],
    [0.25, 0.45, 0.8, 1.0],
    [0.08, 0.07, 0.1, 0.0],
    [0.9, 0.6, 0.4, 32.0],
    [0.0, 0.0, 4.0, 1.0],
    [1.0 / 256.0, 1.0 / 256.0, 0.5, 2.0],
];

/// `program.env`.
pub(crate) const ENV: [[f32; 4]; 8] = [
    [1.7, 0.6, -0.35, 1.0],
    [-0.745, 0.113, 4.0, 0.0625],
    [8.0, 8.0, 0.5, 0.25],
    [0.2126, 0.7152, 0.0722, 0.0],
    [0.95, 0.5, 0.2, 0.75],
    [std::f32::consts::TAU, 3.0, 5.0, 7.0],
    [0.999, 1.001, -0.0005, 0.0007],
    [0.25, 0.125, 0.0625, 0.5],
];

/// Texels along each side of a texture.
pub(crate) const TEXELS: usize = 256;

/// The textures of units 0 and 1: RGBA8 texels of each level, the largest first.
pub(crate) fn textures() -> [Vec<Vec<u8>>; 2] {
    [levels(pattern), levels(normals)]
}

/// Four unlike channels: squares, diagonals, arcs and noise.
fn pattern(x: u32, y: u32) -> [u8; 4] {
    let mixed = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77);
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x2C1B_3C6D);
    let noise = mixed ^ mixed >> 12;
    [
        (x ^ y) as u8,
        (3 * x + 5 * y) as u8,
        255 - ((x * x + y * y) >> 9) as u8,
        (noise >> 24) as u8,
    ]
}

/// Directions that are mostly upwards, as a normal map has them.
fn normals(x: u32, y: u32) -> [u8; 4] {
    let wave = |phase: u32| {
        let phase = phase as u8;
        64 + phase.min(255 - phase)
    };
    let (red, green) = (wave(4 * x), wave(4 * y + 64));
    let slant = u16::from(red.abs_diff(128)) + u16::from(green.abs_diff(128));
    [red, green, 255 - (slant / 2) as u8, 255]
}

/// An image, and its halves by 2x2 boxes.
fn levels(texel: impl Fn(u32, u32) -> [u8; 4]) -> Vec<Vec<u8>> {
    let row = |y| (0..TEXELS as u32).flat_map(move |x| [(x, y)]);
    let places = (0..TEXELS as u32).flat_map(row);
    let mut levels = vec![places.flat_map(|(x, y)| texel(x, y)).collect::<Vec<u8>>()];
    let mut side = TEXELS;
    while side > 1 {
        let half = halved(&levels[levels.len() - 1], side);
        levels.push(half);
        side /= 2;
    }
    levels
}

/// The next level of one with `side` texels along each side.
fn halved(texels: &[u8], side: usize) -> Vec<u8> {
    let half = side / 2;
    let channel = |index: usize| {
        let (x, y, channel) = (index / 4 % half, index / 4 / half, index % 4);
        let at = |dx, dy| u16::from(texels[4 * ((2 * y + dy) * side + 2 * x + dx) + channel]);
        ((at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1) + 2) / 4) as u8
    };
    (0..4 * half * half).map(channel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texels_are_those_that_were_agreed_on() {
        let [pattern, normals] = textures();
        let at = |x, y| 4 * (y * TEXELS + x);
        assert_eq!(pattern[0][at(1, 2)..][..3], [3, 13, 255]);
        assert_eq!(pattern[0][at(255, 255)..][..3], [0, 248, 1]);
        assert_eq!(normals[0][at(0, 0)..][..4], [64, 128, 223, 255]);
        assert_eq!(normals[0][at(32, 16)..][..4], [191, 191, 192, 255]);
    }

    #[test]
    fn small_triangles_have_the_area_that_is_said() {
        let Mesh { triangles, .. } = Mesh::small([1024, 512]);
        let area = |[a, b, c]: &[[f32; 2]; 3]| {
            ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2.0
        };
        assert!(
            triangles
                .iter()
                .all(|it| (area(it) - SMALL_AREA).abs() < 0.1)
        );
        assert_eq!(triangles.len(), SMALL);
    }

    #[test]
    fn levels_halve_until_one_texel_is_left() {
        for levels in textures() {
            let sizes: Vec<usize> = levels.iter().map(Vec::len).collect();
            assert_eq!(
                sizes,
                [18, 16, 14, 12, 10, 8, 6, 4, 2].map(|bits| 1 << bits)
            );
        }
        let boxes = [1, 2, 3, 4, 5, 6, 7, 8, 2, 2, 3, 3, 5, 5, 7, 9];
        assert_eq!(halved(&boxes, 2), [3, 4, 5, 6]);
    }
}
