//! Makes a differing case plain.

use attila_isa::Stage;
use attila_texture::{Sampler, Size};

use super::case::{ImageBytes, TextureCase, TextureDifference};
use super::generate::PROGRAMS;
use crate::engine::Engine;

/// Takes every plainer variant that still differs, until there is none.
pub(super) fn shrink(
    case: TextureCase,
    difference: TextureDifference,
    engines: &[Engine],
) -> (TextureCase, TextureDifference) {
    let mut best = (case, difference);
    let quad = best.1.quad;
    let mut alone = best.0.clone();
    alone.inputs = vec![alone.inputs[quad]];
    if let Some(difference) = alone.compare(engines) {
        best = (alone, difference);
    }
    // No change undoes what another did, so that the rounds come to an end.
    while simplify(&mut best, engines) {}
    best
}

/// Tries each variant of the case as it is by then. True if one was taken.
fn simplify(best: &mut (TextureCase, TextureDifference), engines: &[Engine]) -> bool {
    let mut taken = false;
    for change in changes(best.0.inputs.len()) {
        let mut plainer = best.0.clone();
        change(&mut plainer);
        if plainer != best.0
            && let Some(difference) = plainer.compare(engines)
        {
            *best = (plainer, difference);
            taken = true;
        }
    }
    taken
}

type Change = Box<dyn Fn(&mut TextureCase)>;

/// Everything that makes a case plainer, the most first.
fn changes(quads: usize) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for n in (0..PROGRAMS.len()).rev() {
        // Only towards the simpler ones: those that stand before.
        changes.push(Box::new(move |case| {
            let place = PROGRAMS.iter().position(|text| *text == case.text);
            if place.is_some_and(|place| n < place) {
                case.text = PROGRAMS[n];
            }
        }));
    }
    changes.push(Box::new(|case| case.stage = Stage::Fragment));
    for unit in 0..2 {
        for change in IMAGE_CHANGES {
            changes.push(Box::new(move |case| change(&mut case.textures[unit].0)));
        }
        for change in SAMPLER_CHANGES {
            changes.push(Box::new(move |case| {
                change(&mut case.textures[unit].1, &Sampler::default());
            }));
        }
    }
    for (quad, input) in (0..quads).flat_map(|quad| [(quad, 0), (quad, 1)]) {
        changes.push(Box::new(move |case| {
            case.inputs[quad][input] = [[0.0; 4]; 4]
        }));
        for (lane, component) in (0..4).flat_map(|lane| (0..4).map(move |at| (lane, at))) {
            changes.push(Box::new(move |case| {
                case.inputs[quad][input][lane][component] = 0.0;
            }));
        }
    }
    changes
}

const IMAGE_CHANGES: [fn(&mut ImageBytes); 5] = [
    |image| image.levels.truncate(1),
    |image| resize(image, |_| 1),
    |image| resize(image, |side| side.div_ceil(2)),
    |image| resize(image, |side| (side - 1).max(1)),
    |image| image.levels.iter_mut().for_each(|level| level.fill(0)),
];

/// Takes the sides to others, and keeps the first bytes of each level.
fn resize(image: &mut ImageBytes, side: fn(u32) -> u32) {
    let [width, height, depth] = image.size.axes().map(side);
    image.size = Size::d3(width, height, depth);
    image.levels.truncate(image.size.levels());
    for (n, level) in image.levels.iter_mut().enumerate() {
        let size = image.size.level(n);
        level.truncate(ImageBytes::level_bytes(image.dimension, image.format, size));
    }
}

const SAMPLER_CHANGES: [fn(&mut Sampler, &Sampler); 18] = [
    |sampler, plain| *sampler = *plain,
    |sampler, plain| sampler.mag = plain.mag,
    |sampler, plain| sampler.min = plain.min,
    |sampler, plain| sampler.mip = plain.mip,
    |sampler, plain| sampler.wrap = plain.wrap,
    |sampler, plain| sampler.wrap[0] = plain.wrap[0],
    |sampler, plain| sampler.wrap[1] = plain.wrap[1],
    |sampler, plain| sampler.wrap[2] = plain.wrap[2],
    |sampler, plain| (sampler.lod_min, sampler.lod_max) = (plain.lod_min, plain.lod_max),
    |sampler, plain| sampler.lod_bias = plain.lod_bias,
    |sampler, plain| sampler.base_level = plain.base_level,
    |sampler, plain| sampler.max_level = plain.max_level,
    |sampler, plain| sampler.max_anisotropy = plain.max_anisotropy,
    |sampler, plain| sampler.border = plain.border,
    |sampler, plain| sampler.compare = plain.compare,
    |sampler, plain| sampler.coordinates = plain.coordinates,
    |sampler, plain| sampler.srgb = plain.srgb,
    |sampler, plain| {
        sampler.lod_origin = plain.lod_origin;
        sampler.cube_faces = plain.cube_faces;
    },
];
