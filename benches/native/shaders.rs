//! The four programs, written once for every width and compiled for each.

use attila_shader::machine::pipeline::Plane;

use super::eight::Eight;
use super::four::Four;
use super::lanes::{Ints, Lanes};
use super::rows::{self, Colour, Shade};
use super::sixteen::Sixteen;
use super::vector::Vector;
use super::{Native, Scene, Texels};

/// The programs for a vector, with `N` of them side by side. Every one is a function, so that the registers
/// of one are not another's concern.
macro_rules! compiled {
    ($($width:ident: $vector:ident, $features:literal;)+) => {
        $(pub(super) mod $width {
            use super::{$vector, Native, Scene};

            #[target_feature(enable = $features)]
            pub(in super::super) fn draw<const N: usize>(
                program: Native,
                scene: &Scene<'_>,
                target: &mut [u8],
                width: usize,
            ) {
                match program {
                    Native::Passthrough => passthrough::<N>(scene, target, width),
                    Native::BlinnPhong => blinn_phong::<N>(scene, target, width),
                    Native::Julia => julia::<N>(scene, target, width),
                    Native::Bilinear => bilinear::<N>(scene, target, width),
                }
            }

            compiled! { $vector, $features: passthrough blinn_phong julia bilinear }
        })+
    };
    ($vector:ident, $features:literal: $($program:ident)+) => {
        $(
            #[inline(never)]
            #[target_feature(enable = $features)]
            fn $program<const N: usize>(scene: &Scene<'_>, target: &mut [u8], width: usize) {
                super::$program::<$vector, N>(scene, target, width);
            }
        )+
    };
}

compiled! {
    four: Four, "avx2,fma";
    eight: Eight, "avx2,fma";
    sixteen: Sixteen, "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma";
}

fn planes<const P: usize>(scene: &Scene<'_>) -> [Plane; P] {
    let planes = scene.planes.first_chunk();
    *planes.expect("a plane for each component")
}

struct Passthrough;

#[inline(always)]
fn passthrough<V: Vector, const N: usize>(scene: &Scene<'_>, target: &mut [u8], width: usize) {
    rows::draw::<V, N, 4>(planes(scene), target, width, &Passthrough);
}

impl<V: Vector, const N: usize> Shade<V, N, 4> for Passthrough {
    #[inline(always)]
    fn shade(&self, colour: [Lanes<V, N>; 4]) -> Colour<V, N> {
        colour
    }
}

struct BlinnPhong<V, const N: usize> {
    light: Xyz<V, N>,
    light_colour: Xyz<V, N>,
    ambient: Xyz<V, N>,
    diffuse: Xyz<V, N>,
    eye: Xyz<V, N>,
}

#[inline(always)]
fn blinn_phong<V: Vector, const N: usize>(scene: &Scene<'_>, target: &mut [u8], width: usize) {
    let constants: &[[f32; 4]; 5] = scene.constants.first_chunk().expect("five constants");
    let program = BlinnPhong {
        light: xyz(constants[0]),
        light_colour: xyz(constants[1]),
        ambient: xyz(constants[2]),
        diffuse: xyz(constants[3]),
        eye: xyz(constants[4]),
    };
    rows::draw::<V, N, 6>(planes(scene), target, width, &program);
}

impl<V: Vector, const N: usize> Shade<V, N, 6> for BlinnPhong<V, N> {
    #[inline(always)]
    fn shade(&self, [x, y, z, nx, ny, nz]: [Lanes<V, N>; 6]) -> Colour<V, N> {
        let zero = Lanes::splat(0.0);
        let normal = normalised([nx, ny, nz]);
        let to_light = normalised(difference(self.light, [x, y, z]));
        let to_eye = normalised(difference(self.eye, [x, y, z]));
        let half = normalised(sum(to_eye, to_light));
        let lit = dot(normal, to_light).max(zero);
        let mut shine = dot(normal, half).max(zero);
        for _ in 0..5 {
            shine = shine * shine;
        }
        let base = product(product(self.diffuse, [lit; 3]), self.light_colour);
        let base = sum(base, self.ambient);
        let [r, g, b] = sum(product(self.light_colour, [shine; 3]), base);
        [r, g, b, Lanes::splat(1.0)]
    }
}

/// A vector in space.
type Xyz<V, const N: usize> = [Lanes<V, N>; 3];

#[inline(always)]
fn xyz<V: Vector, const N: usize>([x, y, z, _]: [f32; 4]) -> Xyz<V, N> {
    [Lanes::splat(x), Lanes::splat(y), Lanes::splat(z)]
}

#[inline(always)]
fn sum<V: Vector, const N: usize>(a: Xyz<V, N>, b: Xyz<V, N>) -> Xyz<V, N> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
fn difference<V: Vector, const N: usize>(a: Xyz<V, N>, b: Xyz<V, N>) -> Xyz<V, N> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn product<V: Vector, const N: usize>(a: Xyz<V, N>, b: Xyz<V, N>) -> Xyz<V, N> {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}

#[inline(always)]
fn dot<V: Vector, const N: usize>(a: Xyz<V, N>, b: Xyz<V, N>) -> Lanes<V, N> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn normalised<V: Vector, const N: usize>(vector: Xyz<V, N>) -> Xyz<V, N> {
    product(vector, [dot(vector, vector).rsq(); 3])
}

struct Julia<V, const N: usize> {
    c: [Lanes<V, N>; 2],
    bailout: Lanes<V, N>,
    sixteenth: Lanes<V, N>,
}

#[inline(always)]
fn julia<V: Vector, const N: usize>(scene: &Scene<'_>, target: &mut [u8], width: usize) {
    let [cx, cy, bailout, sixteenth] = scene.constants[0];
    let program = Julia {
        c: [Lanes::splat(cx), Lanes::splat(cy)],
        bailout: Lanes::splat(bailout),
        sixteenth: Lanes::splat(sixteenth),
    };
    rows::draw::<V, N, 2>(planes(scene), target, width, &program);
}

impl<V: Vector, const N: usize> Shade<V, N, 2> for Julia<V, N> {
    #[inline(always)]
    fn shade(&self, [mut x, mut y]: [Lanes<V, N>; 2]) -> Colour<V, N> {
        let (zero, half, one) = (Lanes::splat(0.0), Lanes::splat(0.5), Lanes::splat(1.0));
        let [cx, cy] = self.c;
        let mut steps = zero;
        for _ in 0..16 {
            let (xx, xy, yy) = (x * x, x * y, y * y);
            let inside = (xx + yy - self.bailout).lt(zero);
            x = inside.select(xx - yy + cx, x);
            y = inside.select(xy + xy + cy, y);
            steps = steps + inside.only(one);
        }
        let red = steps * self.sixteenth;
        let green = red * red;
        let blue = green * red;
        let size = (y * y + x * x).max(zero).min(one);
        [one - red, green, blue, size * half + half]
    }
}

struct Bilinear<'a> {
    texels: &'a [u32],
    columns: i32,
    rows: i32,
}

#[inline(always)]
fn bilinear<V: Vector, const N: usize>(scene: &Scene<'_>, target: &mut [u8], width: usize) {
    let Texels {
        texels,
        width: columns,
        height: rows,
    } = scene.texture;
    assert!((1..=MOST_TEXELS).contains(&columns) && (1..=MOST_TEXELS).contains(&rows));
    assert_eq!(texels.len(), columns * rows);
    let program = Bilinear {
        texels,
        columns: columns as i32,
        rows: rows as i32,
    };
    rows::draw::<V, N, 2>(planes(scene), target, width, &program);
}

impl<V: Vector, const N: usize> Shade<V, N, 2> for Bilinear<'_> {
    #[inline(always)]
    fn shade(&self, [s, t]: [Lanes<V, N>; 2]) -> Colour<V, N> {
        let (i, a) = repeat(s, self.columns);
        let (j, b) = repeat(t, self.rows);
        let columns = Ints::splat(self.columns);
        let j = [j[0] * columns, j[1] * columns];
        let one = Lanes::splat(1.0);
        let (rest_a, rest_b) = (one - a, one - b);
        let [[t00, t10], [t01, t11]] = [self.row(i, j[0]), self.row(i, j[1])];
        let corners = [
            (t00, rest_a * rest_b),
            (t10, a * rest_b),
            (t01, rest_a * b),
            (t11, a * b),
        ];
        let mut mixed = [Lanes::splat(0.0); 4];
        for (corner, (texel, weight)) in corners.into_iter().enumerate() {
            let texel = numerators(texel);
            for c in 0..4 {
                mixed[c] = match corner {
                    0 => texel[c] * weight,
                    _ => texel[c].fma(weight, mixed[c]),
                };
            }
        }
        for c in 0..4 {
            mixed[c] = mixed[c] * Lanes::splat(UNITS[c]);
        }
        mixed
    }
}

impl Bilinear<'_> {
    /// The texels at two columns of a row, which is its first place. Most second columns follow the first.
    #[inline(always)]
    fn row<V: Vector, const N: usize>(
        &self,
        columns: [Ints<V, N>; 2],
        row: Ints<V, N>,
    ) -> [Ints<V, N>; 2] {
        let [left, right] = [columns[0] + row, columns[1] + row];
        let last_but_one = Ints::splat(self.columns - 2);
        // SAFETY: the places along both axes are below their sizes. A column up to the last but one is
        // followed by another.
        unsafe {
            if self.columns > 1 && columns[0].min_unsigned(last_but_one).are_equal(columns[0]) {
                left.gather_pairs(self.texels)
            } else {
                [left.gather(self.texels), right.gather(self.texels)]
            }
        }
    }
}

/// The limit of texels along an axis. Up to it, half a texel is not rounded off.
const MOST_TEXELS: usize = 1 << 14;

/// The texels on either side of a coordinate along an axis of `size`, and the weight of the second.
/// For every coordinate they are from 0 to `size` - 1, if `size` is at most [`MOST_TEXELS`].
#[inline(always)]
fn repeat<V: Vector, const N: usize>(
    coordinate: Lanes<V, N>,
    size: i32,
) -> ([Ints<V, N>; 2], Lanes<V, N>) {
    // From 0 to 1, and 0 for NaN.
    let wrapped = (coordinate - coordinate.floor()).max(Lanes::splat(0.0));
    let place = wrapped * Lanes::splat(size as f32) - Lanes::splat(0.5);
    let whole = place.floor();
    // From -1 to `size` - 1. Outside texels are large numbers without a sign.
    let first = whole.to_ints();
    let second = first + Ints::splat(1);
    let first = first.min_unsigned(first + Ints::splat(size));
    let second = second.min_unsigned(second + Ints::splat(-size));
    ([first, second], place - whole)
}

/// A texel's bytes, each times the unit of its place: green and blue stay where they are in the word.
///
/// Factors that are powers of two change no rounding, as nothing is denormal.
#[inline(always)]
fn numerators<V: Vector, const N: usize>(texel: Ints<V, N>) -> Colour<V, N> {
    [
        texel.and(Ints::splat(0xff)).to_floats(),
        texel.and(Ints::splat(0xff << 8)).to_floats(),
        texel.and(Ints::splat(0xff << 16)).to_floats(),
        texel.top_byte().to_floats(),
    ]
}

/// 1/255 over the unit of each component's place.
const UNITS: [f32; 4] = [
    1.0 / 255.0,
    1.0 / 255.0 / (1 << 8) as f32,
    1.0 / 255.0 / (1 << 16) as f32,
    1.0 / 255.0,
];
