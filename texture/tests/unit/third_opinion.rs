//! A sampler in f64, a third opinion about filtering and levels of detail. It was written from the
//! definitions, and does not keep to an order of operations.
//!
//! It also tells how close it was to a decision that rounding could turn (which texel is the nearest,
//! how many samples a footprint has); such cases are left out. In the others the two samplers differ by
//! at most [`TOLERANCE`] for colours from 0 to 1.

use attila_isa::{Stage, TextureShape, TextureTarget};
use attila_machine::{Gradients, LANES, LaneMask, LevelOfDetail, Lookup, TextureQuery};
use attila_texture::{
    Coordinates, Dimension, Filter, Image, LodOrigin, MipMode, Sampler, Size, Tap, Wrap,
};

use crate::common::{Random, random_image, sample, texture};
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
    case: &Exact,
    close: &mut Closeness,
) -> [f64; 4] {
    let axes = axes(image);
    let size = image.levels()[level].size.axes();
    let texels: Vec<_> = (0..3)
        .map(|axis| {
            if axis >= axes {
                return vec![(Some(0), 1.0)];
            }
            let u = at[axis] * f64::from(size[axis]) + f64::from(case.offset[axis]);
            along(sampler.wrap[axis], filter, u, size[axis], close)
        })
        .collect();
    let mut sum = [0.0; 4];
    for &(i, wi) in &texels[0] {
        for &(j, wj) in &texels[1] {
            for &(k, wk) in &texels[2] {
                let colour = match (i, j, k) {
                    (Some(i), Some(j), Some(k)) => image
                        .texel(level, [i as u32, j as u32, k as u32 + case.slice])
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

/// How many axes a filter sees.
fn axes(image: &Image) -> usize {
    if has_faces(image.dimension()) {
        2
    } else {
        image.dimension().kind().coordinates()
    }
}

/// Whether coordinates are directions.
fn has_faces(dimension: Dimension) -> bool {
    [TextureShape::Cube, TextureShape::CubeArray].contains(&dimension.kind())
}

/// Samples of a footprint: the logarithm of the scale, their number, and the whole extent along s and t.
fn footprint(
    image: &Image,
    sampler: &Sampler,
    steps: &[[f64; 3]; 2],
    close: &mut Closeness,
) -> (f64, u32, [f64; 2]) {
    let level = match sampler.lod_origin {
        LodOrigin::Level0 => 0,
        LodOrigin::Base => sampler.base_level,
    };
    let size = image.levels()[level].size.axes();
    let axes = axes(image);
    let step = |of: [f64; 3]| -> Vec<f64> {
        (0..axes)
            .map(|axis| of[axis] * f64::from(size[axis]))
            .collect()
    };
    let (x, y) = (step(steps[0]), step(steps[1]));
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

/// A query on the image itself.
struct Exact {
    level: LevelOfDetail,
    /// s, t and r on the image, or on a face.
    lanes: [[f64; 3]; LANES],
    /// The derivatives along x and y.
    steps: [[f64; 3]; 2],
    /// The layer or face.
    slice: u32,
    offset: [i32; 3],
}

/// The sample of lane 0, and how close it came to a decision.
fn opinion(image: &Image, sampler: &Sampler, case: &Exact) -> ([f64; 4], f64) {
    let mut close = Closeness(f64::INFINITY);
    let (log2_scale, samples, extent) = match case.level {
        LevelOfDetail::Explicit(_) => (0.0, 1, [0.0; 2]),
        LevelOfDetail::Implicit | LevelOfDetail::Bias(_) | LevelOfDetail::Gradients(_) => {
            footprint(image, sampler, &case.steps, &mut close)
        }
    };
    let operand = f64::from(case.level.given().unwrap_or_default()[0]);
    let lod = log2_scale + f64::from(sampler.lod_bias) + operand;
    let (filter, levels) = levels(image, sampler, lod, &mut close);
    let mut sum = [0.0; 4];
    for sample in 1..=samples {
        // Evenly spread over the extent, with a gap at either end.
        let place = f64::from(sample) / f64::from(samples + 1) - 0.5;
        let [s, t, r] = case.lanes[0];
        let at = [s + extent[0] * place, t + extent[1] * place, r];
        for &(number, weight) in &levels {
            let colour = on_level(image, sampler, filter, number, at, case, &mut close);
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
        srgb: Sampler::RESET.srgb,
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

/// A place on the image: coordinates and derivatives as the query has them, and as they are on the
/// image.
struct Place {
    lanes: [[f32; 3]; LANES],
    gradients: [[f32; 3]; 2],
    exact: [[f64; 3]; LANES],
    steps: [[f64; 3]; 2],
    face: u32,
}

/// A random place; `given`: the derivatives are given, and have nothing to do with the coordinates.
fn place(random: &mut Random, dimension: Dimension, size: Size, given: bool) -> Place {
    let has_faces = has_faces(dimension);
    let mut lanes = quad(random, size);
    let [from, right, below, _] = quad(random, size);
    let less = |to: [f32; 3]| std::array::from_fn(|axis| to[axis] - from[axis]);
    let mut gradients = [less(right), less(below)];
    if has_faces {
        // Within the face +Z, where s and t are (x/z + 1)/2 and (1 - y/z)/2.
        lanes = lanes.map(|[s, t, _]| [s / 9.0, t / 9.0, 1.0]);
        gradients = gradients.map(|[s, t, r]| [s, t, r / 9.0]);
    }
    let exact = lanes.map(|lane| {
        let [x, y, z] = lane.map(f64::from);
        if has_faces {
            [(x + 1.0) / 2.0, (1.0 - y) / 2.0, 0.0]
        } else {
            [x, y, z]
        }
    });
    let step = |lane: usize| std::array::from_fn(|axis| exact[lane][axis] - exact[0][axis]);
    let steps = if given {
        let [x, y, _] = lanes[0].map(f64::from);
        gradients.map(|step| {
            let [dx, dy, dz] = step.map(f64::from);
            if has_faces {
                [(dx - x * dz) / 2.0, -(dy - y * dz) / 2.0, 0.0]
            } else {
                [dx, dy, dz]
            }
        })
    } else {
        [step(1), step(2)]
    };
    Place {
        lanes,
        gradients,
        exact,
        steps,
        face: if has_faces { 4 } else { 0 },
    }
}

/// A random size of an image of this dimension.
fn size(random: &mut Random, dimension: Dimension) -> Size {
    let mut side = || random.of(&[1, 2, 3, 5, 8, 16, 31]);
    match dimension.kind() {
        TextureShape::D1 | TextureShape::D1Array | TextureShape::Buffer => Size::d1(side()),
        TextureShape::D3 => Size::d3(side(), side(), side().min(5)),
        TextureShape::Cube | TextureShape::CubeArray => Size::cube(side()),
        TextureShape::D2
        | TextureShape::Rect
        | TextureShape::D2Array
        | TextureShape::D2Ms
        | TextureShape::D2MsArray => Size::d2(side(), side()),
    }
}

/// A random query, as the unit gets it and as it is on the image.
fn case(random: &mut Random, dimension: Dimension, size: Size) -> (TextureQuery, Exact) {
    let operand = [random.between(-2.0, 5.0); LANES];
    let choice = random.of(&[0, 1, 2, 3]);
    let place = place(random, dimension, size, choice == 3);
    let level = match choice {
        0 => LevelOfDetail::Implicit,
        1 => LevelOfDetail::Bias(operand),
        2 => LevelOfDetail::Explicit(operand),
        _ => {
            let [dx, dy] = place
                .gradients
                .map(|step| step.map(|change| [change; LANES]));
            LevelOfDetail::Gradients(Gradients { dx, dy })
        }
    };
    let mut coords: [[f32; LANES]; 4] = std::array::from_fn(|axis| {
        place
            .lanes
            .map(|lane| lane.get(axis).copied().unwrap_or(0.0))
    });
    let layers = dimension.layers();
    let layer = random.bits() as u32 % layers;
    if dimension.kind().layers() {
        let beyond = if layer + 1 == layers { 3.0 } else { 0.0 };
        let number = layer as f32 + random.between(-0.49, 0.49) + beyond;
        coords[dimension.kind().coordinates()] = [number; LANES];
    }
    let offset: [i32; 3] = std::array::from_fn(|_| random.of(&[0, 0, 1, -2, 7]));
    let named = TextureTarget::Named {
        shape: dimension.kind(),
        shadow: false,
    };
    let query = TextureQuery {
        unit: 0,
        target: random.of(&[TextureTarget::Bound, named]),
        lookup: Lookup::Sample {
            coords,
            projected: false,
            level,
            reference: None,
            offset: Some(offset.map(|texels| [texels; LANES])),
        },
        stage: Stage::Fragment,
        active: LaneMask::all(),
    };
    let per_layer = if place.face == 0 { 1 } else { 6 };
    let exact = Exact {
        level,
        lanes: place.exact,
        steps: place.steps,
        slice: layer * per_layer + place.face,
        offset,
    };
    (query, exact)
}

/// The texels of a sample, with their weights, give the sample.
fn check_taps(taps: &[Tap], sample: [f32; 4]) {
    let whole: f64 = taps.iter().map(|tap| f64::from(tap.weight)).sum();
    assert!((whole - 1.0).abs() < TOLERANCE, "{taps:?}");
    for (component, value) in sample.into_iter().enumerate() {
        let parts = taps.iter();
        let parts = parts.map(|tap| f64::from(tap.weight) * f64::from(tap.colour[component]));
        let sum: f64 = parts.sum();
        let error = (sum - f64::from(value)).abs();
        assert!(error <= TOLERANCE, "{value} is not {sum} of {taps:?}");
    }
}

/// Compares many random cases on images of this dimension; at least half of them have to count.
fn compare(dimension: Dimension, seed: u64) {
    let mut random = Random(seed);
    let (mut counted, mut worst) = (0, 0.0_f64);
    const CASES: u32 = 6000;
    for number in 0..CASES {
        let size = size(&mut random, dimension);
        let image = random_image(&mut random, dimension, size);
        let sampler = sampler(&mut random, &image);
        let (query, exact) = case(&mut random, dimension, size);
        let (want, close) = opinion(&image, &sampler, &exact);
        let texture = texture(image, sampler);
        let got = sample(&texture, &query)[0];
        check_taps(&texture.taps(&query)[0], got);
        if close < MARGIN {
            continue;
        }
        counted += 1;
        for (got, want) in got.into_iter().zip(want) {
            let error = (f64::from(got) - want).abs();
            assert!(
                error <= TOLERANCE,
                "case {number}: {got} is not {want} with {sampler:?} of {size}"
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

#[test]
fn samples_of_1d_arrays_are_as_an_independent_sampler_has_them() {
    compare(Dimension::D1Array { layers: 3 }, 15);
}

#[test]
fn samples_of_2d_arrays_are_as_an_independent_sampler_has_them() {
    compare(Dimension::D2Array { layers: 4 }, 16);
}

#[test]
fn samples_of_arrays_of_cubes_are_as_an_independent_sampler_has_them() {
    compare(Dimension::CubeArray { cubes: 2 }, 17);
}
