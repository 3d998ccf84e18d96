//! The order of a linear filter (T12), written out, and its distance from the exact sum.

use attila_machine::arith::fma;
use attila_texture::{Dimension, Filter, Format, Image, MipMode, Sampler, Size, Texture, Wrap};

use crate::common::{Colour, Random, at_lod, texture};

/// Texels along each side of level 0.
const SIDE: u32 = 8;
/// Coordinates are multiples of 2^-20, so that the weights along an axis are exact.
const STEPS: u32 = 1 << 20;

/// A format, and the divisors of its channels.
const FORMATS: [(Format, Colour); 6] = [
    (Format::Rgba8, [255.0; 4]),
    (Format::L8, [255.0; 4]),
    (Format::Rgb565, [31.0, 63.0, 31.0, 31.0]),
    (Format::L8A8Snorm, [127.0; 4]),
    (Format::Depth24, [16_777_215.0; 4]),
    (Format::Rgba32F, [1.0; 4]),
];

/// An image of noise with all levels.
fn image(random: &mut Random, dimension: Dimension, size: Size, format: Format) -> Image {
    let levels: Vec<Vec<u8>> = (0..dimension.most_levels(size))
        .map(|level| {
            let [width, height, _] = size.level(level).axes();
            let slices = dimension.slices(size.level(level));
            let texels = slices * (width * height) as usize;
            if format == Format::Rgba32F {
                let floats = (0..4 * texels).map(|_| random.between(0.0, 1.0));
                return floats.flat_map(f32::to_le_bytes).collect();
            }
            let bytes = texels * usize::from(format.layout().bytes);
            (0..bytes).map(|_| random.bits() as u8).collect()
        })
        .collect();
    let levels: Vec<&[u8]> = levels.iter().map(Vec::as_slice).collect();
    Image::from_levels(dimension, format, size, &levels).expect("the bytes fit")
}

/// A trilinear sampler that repeats.
fn trilinear() -> Sampler {
    Sampler {
        mag: Filter::Linear,
        min: Filter::Linear,
        mip: MipMode::Linear,
        wrap: [Wrap::Repeat; 3],
        ..Sampler::RESET
    }
}

/// The texels of a level that a linear filter mixes, before their division, and their weights along
/// each axis.
fn terms(
    texture: &Texture,
    (level, axes): (usize, usize),
    at: [f32; 3],
    divisors: Colour,
) -> Vec<(Colour, [f32; 3])> {
    let size = texture.image().levels()[level].size.axes();
    let mut places = [([0, 0], 0.0); 3];
    for axis in 0..axes {
        let u = at[axis] * size[axis] as f32 - 0.5;
        let first = u.floor();
        let wrap = |index: f32| (index as i32).rem_euclid(size[axis] as i32) as u32;
        places[axis] = ([wrap(first), wrap(first + 1.0)], u - first);
    }
    (0..1usize << axes)
        .map(|corner| {
            let side = |axis: usize| corner >> axis & 1;
            let texel = texture
                .image()
                .texel(level, [0, 1, 2].map(|axis| places[axis].0[side(axis)]));
            let texel = texel.expect("it is in the image");
            // The nearest integer is the field, as its division has been exact to half an ulp.
            let number = |c: usize| match divisors[c] {
                1.0 => texel[c],
                divisor => (f64::from(texel[c]) * f64::from(divisor)).round() as f32,
            };
            let weight = |axis: usize| match side(axis) {
                _ if axis >= axes => 1.0,
                0 => 1.0 - places[axis].1,
                _ => places[axis].1,
            };
            (std::array::from_fn(number), [0, 1, 2].map(weight))
        })
        .collect()
}

/// The sum of terms, in the order of T12.
fn summed(terms: &[(Colour, [f32; 3])]) -> Colour {
    std::array::from_fn(|c| {
        let weight = |[a, b, d]: [f32; 3]| a * b * d;
        let (first, rest) = terms.split_first().expect("there are terms");
        rest.iter()
            .fold(first.0[c] * weight(first.1), |sum, (texel, weights)| {
                fma(texel[c], weight(*weights), sum)
            })
    })
}

/// The exact sum as far as f64 goes, divided.
fn exact(terms: &[(Colour, [f32; 3])], divisors: Colour) -> [f64; 4] {
    std::array::from_fn(|c| {
        let products = terms.iter().map(|(texel, weights)| {
            f64::from(texel[c]) * weights.iter().map(|&w| f64::from(w)).product::<f64>()
        });
        products.sum::<f64>() / f64::from(divisors[c])
    })
}

/// The distance from a positive number in units of its last place.
fn ulps(got: f32, exact: f64) -> f64 {
    let nearest = exact.abs() as f32;
    let ulp = f64::from(f32::from_bits(nearest.to_bits() + 1)) - f64::from(nearest);
    (f64::from(got) - exact).abs() / ulp
}

/// A sample of a random place, with its terms on one level or on two.
struct Place {
    got: Colour,
    levels: [Vec<(Colour, [f32; 3])>; 2],
    /// The weight of the second level.
    weight: f32,
}

fn place(random: &mut Random, texture: &Texture, axes: usize, divisors: Colour, lod: f32) -> Place {
    let at = [(); 3].map(|()| (random.bits() as u32 % STEPS) as f32 / STEPS as f32);
    let first = lod.floor() as usize;
    Place {
        got: at_lod(texture, at, lod),
        levels: [0, 1].map(|next| terms(texture, (first + next, axes), at, divisors)),
        weight: lod - lod.floor(),
    }
}

/// Kinds of images, with their sizes and how many axes they have.
const KINDS: [(Dimension, Size, usize); 3] = [
    (Dimension::D1, Size::d1(SIDE), 1),
    (Dimension::D2, Size::d2(SIDE, SIDE), 2),
    (Dimension::D3, Size::d3(SIDE, SIDE, SIDE), 3),
];

#[test]
fn weights_are_multiplied_texels_are_added_and_the_sum_is_divided_in_this_order() {
    let mut random = Random(12);
    for (dimension, size, axes) in KINDS {
        for (format, divisors) in FORMATS {
            let texture = texture(image(&mut random, dimension, size, format), trilinear());
            for lod in [0.0, 0.75, 1.3].into_iter().cycle().take(6000) {
                let place = place(&mut random, &texture, axes, divisors, lod);
                let [first, second] = place.levels.map(|terms| summed(&terms));
                for c in 0..4 {
                    let sum = match lod {
                        0.0 => first[c],
                        _ => fma(second[c], place.weight, first[c] * (1.0 - place.weight)),
                    };
                    let want = sum * (1.0 / divisors[c]);
                    let got = place.got[c];
                    assert_eq!(
                        got.to_bits(),
                        want.to_bits(),
                        "{format} {dimension:?} at {lod}"
                    );
                }
            }
        }
    }
}

#[test]
fn nearly_all_samples_are_within_2_ulp_of_the_exact_sum_and_none_is_5_away() {
    let mut random = Random(13);
    let (mut count, mut near, mut worst) = (0, 0, 0.0f64);
    for (dimension, size, axes) in KINDS {
        // Sums of both signs may be as close to 0 as they like.
        let positive = FORMATS
            .iter()
            .filter(|(format, _)| *format != Format::L8A8Snorm);
        for &(format, divisors) in positive {
            let texture = texture(image(&mut random, dimension, size, format), trilinear());
            for lod in [0.0, 0.75, 1.3].into_iter().cycle().take(600) {
                let place = place(&mut random, &texture, axes, divisors, lod);
                let [first, second] = place.levels.map(|terms| exact(&terms, divisors));
                let weight = if lod > 0.0 {
                    f64::from(place.weight)
                } else {
                    0.0
                };
                for c in 0..4 {
                    let want = first[c] * (1.0 - weight) + second[c] * weight;
                    let ulps = ulps(place.got[c], want);
                    worst = worst.max(ulps);
                    count += 1;
                    near += u32::from(ulps <= 2.0);
                }
            }
        }
    }
    assert!(worst < 5.0, "{worst} ulp");
    assert!(near > count / 100 * 98, "{near} of {count}");
}
