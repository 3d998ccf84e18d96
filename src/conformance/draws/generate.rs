//! Random cases.
//!
//! No case depends on the payload of a NaN that interpolation made: planes that are evaluated are
//! finite and stay so, and 1/w stays away from 0.

use std::ops::Range;

use attila_isa::pipeline::{
    Blend, BlendEquation, BlendFactor, BlendOp, ColourFormat, Compare, DepthFormat, DepthSource,
    DepthState, InputKind, Plane, TARGETS,
};
use attila_isa::{LaneMask, QuadReg, Slots, Usage};

use super::case::{DEPTH_BYTES, DrawCase, DrawInput, DrawShape, DrawTarget};
use crate::conformance::dice::Dice;
use crate::conformance::generate::{Options, generate};
use crate::conformance::{textures, values};
use crate::draw::{Interpolation, Quad};

/// Sides of targets: even and odd, fewer pixels than are shaded at a time, and several bands.
const SIDES: [u32; 12] = [1, 2, 3, 5, 7, 8, 9, 16, 17, 31, 40, 71];

/// Programs that are short enough for an engine to shade several quads at a time, and for fragments
/// to depend on what is around them.
const PROGRAMS: Options = Options {
    vertex: 0,
    single: 20,
    length: 25,
    quads: 1,
    many_quads: 0,
    ..Options::DEFAULT
};

pub(super) fn case(dice: &mut Dice<'_>) -> DrawCase {
    let mut program = generate(dice, &PROGRAMS);
    program.quads.truncate(1);
    let size = [dice.pick(&SIDES), dice.pick(&SIDES)];
    let shape = shape(dice, size);
    let usage = program.program.usage().clone();
    let depth = dice.percent(45).then(|| depth(dice, size));
    let tests_plane = depth.is_some() && DepthSource::of(&usage) == DepthSource::Plane;
    let alpha_test = if dice.percent(25) {
        (dice.pick(&Compare::ALL), any_float(dice))
    } else {
        (Compare::Always, 0.0)
    };
    DrawCase {
        inputs: inputs(dice, &usage, &shape, tests_plane),
        anchor: [(); 2].map(|()| dice.between(-2000, 20_000) as f32 / 256.0),
        textures: dice.percent(30).then(|| textures::pair(dice)),
        program,
        size,
        targets: targets(dice, &usage, size, depth.is_some()),
        depth,
        alpha_test,
        blend_constant: [(); 4].map(|()| any_float(dice)),
        scissor: dice
            .percent(20)
            .then(|| (range(dice, size[0]), range(dice, size[1]))),
        shape,
    }
}

fn any_float(dice: &mut Dice<'_>) -> f32 {
    f32::from_bits(values::float(dice))
}

/// A number from `low` to `high`.
fn float(dice: &mut Dice<'_>, low: f32, high: f32) -> f32 {
    low + (high - low) * ((dice.word() >> 8) as f32 / (1 << 24) as f32)
}

/// Somewhere around 0 to `end`.
fn range(dice: &mut Dice<'_>, end: u32) -> Range<i64> {
    if dice.percent(65) {
        return 0..end.into();
    }
    let end = end as i32;
    let [a, b] = [(); 2].map(|()| i64::from(dice.between(-2, end + 2)));
    a.min(b)..a.max(b)
}

fn shape(dice: &mut Dice<'_>, size: [u32; 2]) -> DrawShape {
    match dice.below(10) {
        0..=4 => DrawShape::Rectangle(range(dice, size[0]), range(dice, size[1])),
        5..=6 => {
            let count = 1 + dice.below(120);
            DrawShape::Quads((0..count).map(|_| quad(dice, size)).collect())
        }
        _ => triangles(dice, size),
    }
}

/// Somewhere around the targets, the same place again and again if they are small.
fn quad(dice: &mut Dice<'_>, size: [u32; 2]) -> Quad {
    let [x, y] = size.map(|side| 2 * dice.below(side as usize / 2 + 2) as u32);
    let coverage = match dice.below(3) {
        0 => LaneMask::from_bits_truncate(dice.word() as u8),
        _ => LaneMask::all(),
    };
    Quad { x, y, coverage }
}

fn triangles(dice: &mut Dice<'_>, [width, height]: [u32; 2]) -> DrawShape {
    let vertices = 3 + dice.below(6);
    let position = |_| {
        let x = float(dice, -0.5, 1.5) * width as f32;
        let y = float(dice, -0.5, 1.5) * height as f32;
        let (z, one_over_w) = (float(dice, -0.2, 1.2), float(dice, 0.25, 4.0));
        [x, y, z, one_over_w]
    };
    let positions = (0..vertices).map(position).collect();
    let count = 1 + dice.below(6);
    let triangle = |_| [(); 3].map(|()| dice.below(vertices) as u32);
    DrawShape::Triangles(positions, (0..count).map(triangle).collect())
}

/// Every input that is read, and a position now and then.
fn inputs(
    dice: &mut Dice<'_>,
    usage: &Usage,
    shape: &DrawShape,
    tests_plane: bool,
) -> [Option<DrawInput>; 16] {
    let mut inputs = std::array::from_fn(|register| {
        let is_read = !usage.inputs[register].is_empty();
        // There is one for i0, and i15 has at least w.
        let is_optional = register == 0 || (register == 15 && usage.inputs[15] == Slots::W);
        let is_given = is_read && !(is_optional && dice.percent(60));
        is_given.then(|| input(dice, register, shape))
    });
    let has_perspective = inputs
        .iter()
        .flatten()
        .any(|input| input.kinds.contains(&InputKind::Perspective));
    let needed = tests_plane || has_perspective;
    if needed && (inputs[0].is_some() || dice.percent(70)) {
        inputs[0] = Some(position(dice));
    }
    if matches!(shape, DrawShape::Triangles(..)) {
        // They have their own.
        inputs[0] = None;
        inputs[15] = inputs[15].take().filter(|_| usage.inputs[15] != Slots::W);
    }
    inputs
}

fn position(dice: &mut Dice<'_>) -> DrawInput {
    let kind = |dice: &mut Dice<'_>| dice.pick(&[InputKind::Flat, InputKind::Linear]);
    let mut planes = [Plane::default(); 4];
    planes[2] = slope(dice, 0.5, 0.02);
    planes[3] = one_over_w(dice);
    DrawInput {
        kinds: [
            InputKind::Position,
            InputKind::Position,
            kind(dice),
            kind(dice),
        ],
        planes,
        registers: Vec::new(),
        attribute: None,
    }
}

/// A plane that is far from 0 all over the target, wherever the anchor is.
fn one_over_w(dice: &mut Dice<'_>) -> Plane {
    Plane {
        at: float(dice, 0.5, 4.0),
        dx: float(dice, -0.001, 0.001),
        dy: float(dice, -0.001, 0.001),
    }
}

fn slope(dice: &mut Dice<'_>, reach: f32, steepest: f32) -> Plane {
    Plane {
        at: float(dice, -reach, 2.0 * reach),
        dx: float(dice, -steepest, steepest),
        dy: float(dice, -steepest, steepest),
    }
}

fn input(dice: &mut Dice<'_>, register: usize, shape: &DrawShape) -> DrawInput {
    let mut input = DrawInput {
        kinds: [InputKind::Flat; 4],
        planes: [Plane::default(); 4],
        registers: Vec::new(),
        attribute: None,
    };
    match shape {
        DrawShape::Triangles(positions, _) if dice.percent(80) => {
            let interpolations = [
                Interpolation::Perspective,
                Interpolation::Linear,
                Interpolation::Flat,
            ];
            let reach = dice.pick(&[1.0, 1.0, 4.0, 100.0]);
            let value = |_: &_| [(); 4].map(|()| float(dice, -reach, reach));
            let values = positions.iter().map(value).collect();
            input.attribute = Some((dice.pick(&interpolations), values));
            return input;
        }
        DrawShape::Quads(quads) if dice.percent(70) => {
            let word = |dice: &mut Dice<'_>| values::float(dice);
            let register = |_: &_| -> QuadReg { [[(); 4]; 4].map(|row| row.map(|()| word(dice))) };
            input.registers = quads.iter().map(register).collect();
        }
        DrawShape::Rectangle(..) | DrawShape::Quads(_) | DrawShape::Triangles(..) => {}
    }
    for component in 0..4 {
        let kind = kind(dice, register, !input.registers.is_empty());
        input.kinds[component] = kind;
        input.planes[component] = if kind == InputKind::Flat {
            Plane {
                at: any_float(dice),
                ..Plane::default()
            }
        } else if register == 0 && component == 3 {
            one_over_w(dice)
        } else {
            let reach = dice.pick(&[1.0, 1.0, 10.0, 1e6]);
            slope(dice, reach, reach / 50.0)
        };
    }
    input
}

/// Where a component comes from. `i0.w` cannot be perspective, and the rest of `i0` is not either.
fn kind(dice: &mut Dice<'_>, register: usize, has_registers: bool) -> InputKind {
    let perspective = u8::from(register != 0);
    dice.weighted(&[
        (1, InputKind::Flat),
        (3, InputKind::Linear),
        (perspective, InputKind::Perspective),
        (if has_registers { 4 } else { 0 }, InputKind::Array),
    ])
}

/// Targets for outputs that are written, most of the time.
fn targets(
    dice: &mut Dice<'_>,
    usage: &Usage,
    size: [u32; 2],
    has_depth: bool,
) -> [Option<DrawTarget>; TARGETS] {
    let mut targets: [Option<DrawTarget>; TARGETS] = std::array::from_fn(|index| {
        let is_written = !usage.outputs[1 + index].is_empty();
        let percent = if is_written { 75 } else { 5 };
        dice.percent(percent).then(|| target(dice, size))
    });
    if targets.iter().all(Option::is_none) && !has_depth {
        targets[0] = Some(target(dice, size));
    }
    targets
}

fn target(dice: &mut Dice<'_>, [width, height]: [u32; 2]) -> DrawTarget {
    let format = dice.pick(&ColourFormat::ALL);
    let pixels = width as usize * height as usize;
    let words = pixels * format.size() / 4;
    let word = |_| match format {
        ColourFormat::Rgba8 | ColourFormat::Bgra8 | ColourFormat::Rgba8Srgb => dice.word(),
        ColourFormat::Rgba32F | ColourFormat::R32F => values::float(dice),
        // Fractions with any sign, mostly.
        ColourFormat::Rgba16F if dice.percent(90) => dice.word() & 0xbbff_bbff,
        ColourFormat::Rgba16F => dice.word(),
    };
    let bytes = (0..words).map(word).flat_map(u32::to_le_bytes).collect();
    DrawTarget {
        format,
        bytes,
        mask: match dice.below(3) {
            0 => Slots::from_bits_truncate(dice.word() as u8),
            _ => Slots::all(),
        },
        blend: dice.percent(50).then(|| blend(dice)),
    }
}

fn blend(dice: &mut Dice<'_>) -> Blend {
    let mut equation = || BlendEquation {
        op: dice.pick(&BlendOp::ALL),
        src: dice.pick(&BlendFactor::ALL),
        dst: dice.pick(&BlendFactor::ALL),
    };
    let (colour, alpha) = (equation(), equation());
    match dice.below(4) {
        0 => Blend::OVER,
        1 => Blend::all(colour),
        _ => Blend { colour, alpha },
    }
}

fn depth(dice: &mut Dice<'_>, [width, height]: [u32; 2]) -> (DepthState, Vec<u8>) {
    let state = DepthState {
        format: dice.pick(&[DepthFormat::D32F, DepthFormat::D24]),
        compare: dice.pick(&Compare::ALL),
        write: dice.percent(70),
    };
    let middle = float(dice, 0.0, 1.0);
    let word = |_| {
        let depth = match dice.below(4) {
            0 => middle,
            _ => float(dice, 0.0, 1.0),
        };
        match state.format {
            DepthFormat::D32F if dice.percent(5) => values::float(dice),
            DepthFormat::D32F => depth.to_bits(),
            DepthFormat::D24 => (depth * 16_777_215.0) as u32 | dice.word() << 24,
        }
    };
    let words = width as usize * height as usize * DEPTH_BYTES / 4;
    (
        state,
        (0..words).map(word).flat_map(u32::to_le_bytes).collect(),
    )
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::case;
    use super::*;

    #[test]
    fn cases_have_every_format_factor_and_kind_of_input() {
        let cases: Vec<DrawCase> = (0..600).map(|index| case(2, index)).collect();
        let targets = || cases.iter().flat_map(|case| case.targets.iter().flatten());
        let formats: HashSet<_> = targets()
            .map(|it| (it.format, it.blend.is_some(), it.mask == Slots::all()))
            .collect();
        assert_eq!(formats.len(), ColourFormat::ALL.len() * 4);
        let factors: HashSet<_> = targets()
            .filter_map(|it| it.blend)
            .flat_map(|blend| [blend.colour.src, blend.alpha.dst])
            .collect();
        assert_eq!(factors.len(), BlendFactor::ALL.len());
        let depths: HashSet<_> = cases
            .iter()
            .filter_map(|case| case.depth.as_ref())
            .map(|(state, _)| (state.format, state.compare, state.write))
            .collect();
        assert_eq!(depths.len(), 2 * Compare::ALL.len() * 2);
        let inputs = cases.iter().flat_map(|case| case.inputs.iter().flatten());
        let (mut kinds, mut interpolations) = (HashSet::new(), HashSet::new());
        for input in inputs {
            kinds.extend(input.kinds);
            interpolations.extend(input.attribute.as_ref().map(|it| it.0));
        }
        // All but that of components that nobody reads.
        assert_eq!(kinds.len(), 5);
        assert_eq!(interpolations.len(), 3);
    }
}
