//! A sampler in f64, a third opinion about filtering and levels of detail. It was written from the
//! definitions, and does not keep to an order of operations.
//!
//! It also tells how close it was to a decision that rounding could turn (which texel is the nearest,
//! how many samples a footprint has); such cases are left out. In the others the two samplers differ by
//! at most [`TOLERANCE`] for colours from 0 to 1.

use attila_machine::{LANES, LevelOfDetail};
use attila_texture::{
    Coordinates, Dimension, Filter, Image, LodOrigin, MipMode, Sampler, Size, Wrap,
};

use crate::common::{Random, query, random_image, sample, texture};
use crate::robustness;

/// Coordinates have an error of up to 2^-24 of their 100 texels, and derivatives that of a difference
/// of two of them, which the logarithm makes relative to a step of at least 1/10 of a texel.
const TOLERANCE: f64 = 1e-3;
/// Cases this close to a decision are left out.
const MARGIN: f64 = 1e-3;

/// The distance of a case from a decision.
struct Closeness(f64);

impl Closeness {
    /// The distance to a decision.
    fn note(&mut self, distance: f64) {
        self.0 = self.0.min(distance.abs());
    }

    /// The distance to the integers around x.
    fn note_integer(&mut self, x: f64) {
        self.note(x - x.round());
    }
}

/// A texel index brought back into the image; none outside.
fn wrapped(wrap: Wrap, filter: Filter, i: i64, n: i64) -> Option<i64> {
    match wrap {
        Wrap::Repeat => Some(i.rem_euclid(n)),
        Wrap::MirroredRepeat => {
            let i = i.rem_euclid(2 * n);
            Some(if i < n { i } else { 2 * n - 1 - i })
        }
        Wrap::ClampToEdge => Some(i.clamp(0, n - 1)),
        Wrap::Clamp if filter == Filter::Nearest => Some(i.clamp(0, n - 1)),
        Wrap::Clamp | Wrap::ClampToBorder => (0..n).contains(&i).then_some(i),
    }
}

/// The texels along an axis and their weights.
fn along(
    wrap: Wrap,
    filter: Filter,
    u: f64,
    n: u32,
    close: &mut Closeness,
) -> Vec<(Option<i64>, f64)> {
    let n = i64::from(n);
    // Far outside of a clamped image, the coordinate itself stays in the reach of a linear filter.
    let u = match wrap {
        Wrap::Clamp => u.clamp(0.0, n as f64),
        Wrap::ClampToBorder => u.clamp(-0.5, n as f64 + 0.5),
        Wrap::Repeat | Wrap::MirroredRepeat | Wrap::ClampToEdge => u,
    };
    match filter {
        Filter::Nearest => {
            close.note_integer(u);
            vec![(wrapped(wrap, filter, u.floor() as i64, n), 1.0)]
        }
        Filter::Linear => {
            let (i, a) = ((u - 0.5).floor(), (u - 0.5) - (u - 0.5).floor());
            let texel = |i: f64| wrapped(wrap, filter, i as i64, n);
            vec![(texel(i), 1.0 - a), (texel(i + 1.0), a)]
        }
    }
}

/// The sample of one level at normalised coordinates.
fn on_level(
    image: &Image,
    sampler: &Sampler,
    filter: Filter,
    level: usize,
    at: [f64; 3],
    face: u32,
    close: &mut Closeness,
) -> [f64; 4] {
    let axes = match image.dimension() {
        Dimension::D1 => 1,
        Dimension::D2 | Dimension::Cube => 2,
        Dimension::D3 => 3,
    };
    let size = image.levels()[level].size.axes();
    let texels: Vec<_> = (0..3)
        .map(|axis| {
            if axis >= axes {
                return vec![(Some(0), 1.0)];
            }
            let u = at[axis] * f64::from(size[axis]);
            along(sampler.wrap[axis], filter, u, size[axis], close)
        })
        .collect();
    let mut sum = [0.0; 4];
    for &(i, wi) in &texels[0] {
        for &(j, wj) in &texels[1] {
            for &(k, wk) in &texels[2] {
                let colour = match (i, j, k) {
                    (Some(i), Some(j), Some(k)) => image
                        .texel(level, [i as u32, j as u32, k as u32 + face])
                        .unwrap(),
                    _ => sampler.border,
                };
                for (sum, value) in sum.iter_mut().zip(colour) {
                    *sum += wi * wj * wk * f64::from(value);
                }
            }
        }
    }
    sum
}

/// The level or levels for a level of detail.
fn levels(
    image: &Image,
    sampler: &Sampler,
    lod: f64,
    close: &mut Closeness,
) -> (Filter, Vec<(usize, f64)>) {
    let (base, last) = (
        sampler.base_level,
        sampler.max_level.min(image.levels().len() - 1),
    );
    let lod = lod.clamp(f64::from(sampler.lod_min), f64::from(sampler.lod_max));
    if sampler.min != sampler.mag || sampler.mip != MipMode::None {
        close.note(lod);
    }
    if lod <= 0.0 {
        return (sampler.mag, vec![(base, 1.0)]);
    }
    let within = |level: f64| (level as usize).min(last);
    let chosen = match sampler.mip {
        MipMode::None => vec![(base, 1.0)],
        MipMode::Nearest => {
            close.note_integer(lod + 0.5);
            vec![(within(base as f64 + lod.round()), 1.0)]
        }
        MipMode::Linear => {
            let level = base as f64 + lod;
            let weight = level - level.floor();
            vec![
                (within(level.floor()), 1.0 - weight),
                (within(level.floor() + 1.0), weight),
            ]
        }
    };
    (sampler.min, chosen)
}

fn length(vector: &[f64]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Samples of a footprint: the logarithm of the scale, their number, and the whole extent along s and t.
fn footprint(
    image: &Image,
    sampler: &Sampler,
    lanes: &[[f64; 3]; LANES],
    close: &mut Closeness,
) -> (f64, u32, [f64; 2]) {
    let level = match sampler.lod_origin {
        LodOrigin::Level0 => 0,
        LodOrigin::Base => sampler.base_level,
    };
    let size = image.levels()[level].size.axes();
    let axes = match image.dimension() {
        Dimension::D1 => 1,
        Dimension::D2 | Dimension::Cube => 2,
        Dimension::D3 => 3,
    };
    let step = |lane: usize| -> Vec<f64> {
        (0..axes)
            .map(|axis| (lanes[lane][axis] - lanes[0][axis]) * f64::from(size[axis]))
            .collect()
    };
    let (x, y) = (step(1), step(2));
    let (px, py) = (length(&x), length(&y));
    if sampler.max_anisotropy == 1 || axes != 2 {
        return (px.max(py).log2(), 1, [0.0; 2]);
    }
    close.note(px - py);
    let (longer, along) = if px > py { (px, x) } else { (py, y) };
    let most = f64::from(sampler.max_anisotropy);
    let ratio = (longer / px.min(py)).min(most);
    if ratio < most {
        close.note_integer(ratio);
    }
    let extent = [along[0] / f64::from(size[0]), along[1] / f64::from(size[1])];
    ((longer / ratio).log2(), ratio.ceil() as u32, extent)
}

/// The sample of lane 0 for coordinates on the image, and how close it came to a decision.
fn opinion(
    image: &Image,
    sampler: &Sampler,
    level: &LevelOfDetail,
    lanes: &[[f64; 3]; LANES],
    face: u32,
) -> ([f64; 4], f64) {
    let mut close = Closeness(f64::INFINITY);
    let (log2_scale, samples, extent) = match level {
        LevelOfDetail::Explicit(_) => (0.0, 1, [0.0; 2]),
        LevelOfDetail::Implicit | LevelOfDetail::Bias(_) => {
            footprint(image, sampler, lanes, &mut close)
        }
    };
    let operand = f64::from(level.given().unwrap_or_default()[0]);
    let lod = log2_scale + f64::from(sampler.lod_bias) + operand;
    let (filter, levels) = levels(image, sampler, lod, &mut close);
    let mut sum = [0.0; 4];
    for sample in 1..=samples {
        // Evenly spread over the extent, with a gap at either end.
        let place = f64::from(sample) / f64::from(samples + 1) - 0.5;
        let [s, t, r] = lanes[0];
        let at = [s + extent[0] * place, t + extent[1] * place, r];
        for &(number, weight) in &levels {
            let colour = on_level(image, sampler, filter, number, at, face, &mut close);
            for (sum, value) in sum.iter_mut().zip(colour) {
                *sum += weight * value / f64::from(samples);
            }
        }
    }
    (sum, close.0)
}

/// A sampler of what the third opinion knows.
fn sampler(random: &mut Random, image: &Image) -> Sampler {
    Sampler {
        compare: None,
        coordinates: Coordinates::Normalised,
        srgb: Sampler::default().srgb,
        ..robustness::sampler(random, image.levels().len())
    }
}

/// Four lanes around a point, some tenths of texels to some texels apart.
fn quad(random: &mut Random, size: Size) -> [[f32; 3]; LANES] {
    let from: [f32; 3] = std::array::from_fn(|_| random.between(-2.0, 2.0));
    let mut step = || {
        size.axes().map(|n| {
            let texels = random.between(0.1, 6.0) * random.of(&[1.0, -1.0]);
            texels / n as f32
        })
    };
    let (dx, dy) = (step(), step());
    let lane = |x: f32, y: f32| std::array::from_fn(|a| from[a] + x * dx[a] + y * dy[a]);
    [
        lane(0.0, 0.0),
        lane(1.0, 0.0),
        lane(0.0, 1.0),
        lane(1.0, 1.0),
    ]
}

/// Compares many random cases on images of this dimension; at least half of them have to count.
fn compare(dimension: Dimension, seed: u64) {
    let mut random = Random(seed);
    let (mut counted, mut worst) = (0, 0.0_f64);
    const CASES: u32 = 6000;
    for case in 0..CASES {
        let mut side = || random.of(&[1, 2, 3, 5, 8, 16, 31]);
        let size = match dimension {
            Dimension::D1 => Size::d1(side()),
            Dimension::D2 => Size::d2(side(), side()),
            Dimension::D3 => Size::d3(side(), side(), side().min(5)),
            Dimension::Cube => Size::cube(side()),
        };
        let image = random_image(&mut random, dimension, size);
        let sampler = sampler(&mut random, &image);
        let level = match random.of(&[0, 1, 2]) {
            0 => LevelOfDetail::Implicit,
            1 => LevelOfDetail::Bias([random.between(-2.0, 5.0); LANES]),
            _ => LevelOfDetail::Explicit([random.between(-2.0, 5.0); LANES]),
        };
        let on_image = quad(&mut random, size);
        let (lanes, face) = match dimension {
            // Within the face +Z, where s and t are (x + 1)/2 and (1 - y)/2.
            Dimension::Cube => (on_image.map(|[s, t, _]| [s / 9.0, t / 9.0, 1.0]), 4),
            Dimension::D1 | Dimension::D2 | Dimension::D3 => (on_image, 0),
        };
        let exact = lanes.map(|lane| {
            let [x, y, z] = lane.map(f64::from);
            if face == 4 {
                [(x + 1.0) / 2.0, (1.0 - y) / 2.0, 0.0]
            } else {
                [x, y, z]
            }
        });
        let (want, close) = opinion(&image, &sampler, &level, &exact, face);
        let got = sample(&texture(image, sampler), &query(level, lanes))[0];
        if close < MARGIN {
            continue;
        }
        counted += 1;
        for (got, want) in got.into_iter().zip(want) {
            let error = (f64::from(got) - want).abs();
            assert!(
                error <= TOLERANCE,
                "case {case}: {got} is not {want} with {sampler:?} of {size}"
            );
            worst = worst.max(error);
        }
    }
    assert!(counted > CASES / 2, "only {counted} of {CASES} cases count");
    assert!(
        worst > 0.0,
        "a comparison of floats that never differ compares nothing"
    );
}

#[test]
fn samples_of_1d_images_are_as_an_independent_sampler_has_them() {
    compare(Dimension::D1, 11);
}

#[test]
fn samples_of_2d_images_are_as_an_independent_sampler_has_them() {
    compare(Dimension::D2, 12);
}

#[test]
fn samples_of_3d_images_are_as_an_independent_sampler_has_them() {
    compare(Dimension::D3, 13);
}

#[test]
fn samples_of_cubes_are_as_an_independent_sampler_has_them() {
    compare(Dimension::Cube, 14);
}
