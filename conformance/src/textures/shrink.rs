//! Makes a differing case plain.

use attila_shader::isa::Stage;
use attila_shader::texture::{Sampler, Size};

use super::case::{ImageBytes, TextureCase, TextureDifference};
use super::generate::PROGRAMS;

/// The most rounds. Usually a handful is enough; an engine that does not give the same answer twice
/// could ask for as many as there are things to change.
const ROUNDS: usize = 40;

/// A case, and what differs in it.
type Found = (TextureCase, TextureDifference);

/// Takes every plainer variant for which `differs` finds a difference, until there is none.
pub(super) fn shrink(
    mut best: Found,
    differs: &dyn Fn(&TextureCase) -> Option<TextureDifference>,
) -> Found {
    let quad = best.1.quad;
    let mut alone = best.0.clone();
    alone.inputs = vec![alone.inputs[quad]];
    if let Some(difference) = differs(&alone) {
        best = (alone, difference);
    }
    for _ in 0..ROUNDS {
        if !simplify(&mut best, differs) {
            break;
        }
    }
    best
}

/// Tries each variant of the case as it is by then. True if one was taken. No change undoes what
/// another did.
fn simplify(best: &mut Found, differs: &dyn Fn(&TextureCase) -> Option<TextureDifference>) -> bool {
    let mut taken = false;
    for change in changes(best.0.inputs.len()) {
        let mut plainer = best.0.clone();
        change(&mut plainer);
        if plainer != best.0
            && let Some(difference) = differs(&plainer)
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

const SAMPLER_CHANGES: [fn(&mut Sampler, &Sampler); 19] = [
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
    |sampler, plain| sampler.depth_mode = plain.depth_mode,
    |sampler, plain| sampler.coordinates = plain.coordinates,
    |sampler, plain| sampler.srgb = plain.srgb,
    |sampler, plain| {
        sampler.lod_origin = plain.lod_origin;
        sampler.cube_faces = plain.cube_faces;
    },
];

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use attila_shader::texture::Filter;

    use super::super::{Scope, case};
    use super::*;

    fn difference() -> TextureDifference {
        TextureDifference {
            engines: ["a", "b"],
            quad: 0,
            results: [Err("a".to_owned()), Err("b".to_owned())],
        }
    }

    /// Words of the inputs that are not 0.
    fn words(case: &TextureCase) -> usize {
        let words = case.inputs.iter().flatten().flatten().flatten();
        words.filter(|word| **word != 0.0).count()
    }

    #[test]
    fn a_case_shrinks_to_what_a_difference_needs() {
        let needs = |case: &TextureCase| {
            let (image, sampler) = &case.textures[0];
            let wide = image.size.width > 2 && case.inputs[0][0][2][1] != 0.0;
            (wide && sampler.mag == Filter::Linear).then(difference)
        };
        let found = (0..100).map(|index| case(1, index, Scope::All));
        let found: Vec<_> = found.filter(|case| needs(case).is_some()).collect();
        assert!(found.len() > 20, "{}", found.len());
        for case in found {
            let (small, _) = shrink((case, difference()), &needs);
            let (image, sampler) = &small.textures[0];
            assert_eq!((image.size.width, image.levels.len()), (3, 1));
            assert!(image.levels[0].iter().all(|byte| *byte == 0));
            let expected = Sampler {
                mag: Filter::Linear,
                ..Sampler::default()
            };
            assert_eq!(*sampler, expected);
            assert_eq!(small.textures[1].1, Sampler::default());
            assert_eq!((small.text, small.stage), (PROGRAMS[0], Stage::Fragment));
            assert_eq!((small.inputs.len(), words(&small)), (1, 1));
        }
    }

    #[test]
    fn shrinking_ends_after_so_many_rounds_however_long_it_could_go_on() {
        let mut case = case(1, 0, Scope::All);
        case.inputs = vec![[[[1.0; 4]; 4]; 2]; 2];
        let start = words(&case);
        assert!(start > ROUNDS);
        // Nothing may change but for the last word that is not 0: one word for each round.
        let next = RefCell::new(without_last_word(&case));
        let differs = |candidate: &TextureCase| {
            let expected = *candidate == *next.borrow();
            expected.then(|| {
                next.replace(without_last_word(candidate));
                difference()
            })
        };
        let (small, _) = shrink((case, difference()), &differs);
        assert_eq!(words(&small), start - ROUNDS);
    }

    fn without_last_word(case: &TextureCase) -> TextureCase {
        let mut case = case.clone();
        let words = case.inputs.as_flattened_mut().as_flattened_mut();
        let last = words
            .as_flattened_mut()
            .iter_mut()
            .rfind(|word| **word != 0.0);
        *last.expect("one is left") = 0.0;
        case
    }
}
