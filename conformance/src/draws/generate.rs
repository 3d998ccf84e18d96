//! Random draws around random programs.

use std::ops::Range;

use attila_shader::isa::{Inputs, Slots, ValidProgram};
use attila_shader::machine::pipeline::{
    Blend, BlendEquation, BlendFactor, BlendOp, ColourFormat, ColourTarget, Compare, DepthFormat,
    DepthTarget, TARGETS,
};

use super::case::{DepthCase, DrawCase, FrameCase, ShapeCase, TargetCase};
use super::fill::Fill;
use super::samples::SampleCase;
use super::set_up::SetUpCase;
use super::{inputs, program, samples, set_up, view};
use crate::dice::Dice;
use crate::textures::{self, Scope};
use crate::values;
use attila_shader::draw::{Cull, FrontFace, MAX_ANCHOR, SampleQuad};

/// The most frames.
const FRAMES: usize = 4;
/// The most quads of a list.
const QUADS: usize = 150;

/// Makes a case. The same words of the generator give the same case.
pub(super) fn case(dice: &mut Dice<'_>) -> DrawCase {
    let wanted: Vec<usize> = (0..1 + dice.below(3))
        .map(|_| dice.below(TARGETS))
        .collect();
    let shaded = program::program(dice, &wanted);
    let sampled = shaded.program.usage().textures != 0 && dice.percent(60);
    let size = size(dice);
    let mut case = DrawCase {
        targets: targets(dice, &shaded.program, &wanted),
        depth: dice.percent(60).then(|| depth(dice)),
        shaded,
        kinds: Default::default(),
        vertices: Inputs::default(),
        anchor: anchor(dice),
        size,
        samples: SampleCase::default(),
        set_up: SetUpCase::default(),
        alpha_test: alpha_test(dice),
        scissor: dice.percent(20).then(|| size.map(|side| range(dice, side))),
        hidden: Cull::None,
        front: FrontFace::CounterClockwise,
        frames: Vec::new(),
        threads: dice.weighted(&[(6, 1), (1, 2), (1, 3)]),
        tile: None,
    };
    if case.depth.is_none() && case.targets.iter().all(Option::is_none) {
        case.depth = Some(depth(dice));
    }
    case.samples = samples::samples(dice, case.depth.is_some());
    if sampled {
        bind(dice, &mut case);
    }
    frames(dice, &mut case);
    case.tile = dice.percent(25).then(|| size.map(|side| tile(dice, side)));
    case
}

/// A side of tiles of which up to four are next to each other.
fn tile(dice: &mut Dice<'_>, side: u32) -> u32 {
    let least = side.div_ceil(4);
    least + dice.below((side - least + 1) as usize) as u32
}

/// Binds textures, often such as the JIT samples by itself, as far as the results stay specified.
fn bind(dice: &mut Dice<'_>, case: &mut DrawCase) {
    let scope = if dice.percent(60) {
        Scope::Inlinable
    } else {
        Scope::All
    };
    case.shaded.textures = (0..2).map(|_| textures::texture(dice, scope)).collect();
    if !case.has_specified_results() {
        case.shaded.textures.clear();
    }
}

/// Chooses the inputs, and draws frames of one kind of shape with them.
fn frames(dice: &mut Dice<'_>, case: &mut DrawCase) {
    let size = case.size;
    let lists = dice.percent(25);
    case.kinds = inputs::kinds(dice, case, lists);
    let triangular = !lists && dice.percent(60) && inputs::vertices(dice, case);
    if triangular {
        case.set_up = set_up::set_up(dice, case);
        (case.hidden, case.front) = view::faces(dice);
    }
    for _ in 0..1 + dice.below(FRAMES) {
        let shape = match (lists, triangular) {
            (true, _) => ShapeCase::Quads(quads(dice, size)),
            (false, true) if dice.percent(8) => crowd(dice, size),
            (false, true) if dice.percent(8) => layers(dice, size),
            (false, true) => triangles(dice, size),
            (false, false) => ShapeCase::Rect(area(dice, size)),
        };
        let mut frame = frame(dice, case, shape);
        if triangular && dice.percent(40) {
            view::view(dice, &mut frame, size);
        }
        case.frames.push(frame);
    }
}

fn frame(dice: &mut Dice<'_>, case: &DrawCase, shape: ShapeCase) -> FrameCase {
    let (quads, vertices) = match &shape {
        ShapeCase::Rect(_) => (0, 0),
        ShapeCase::Quads(quads) => (quads.len(), 0),
        ShapeCase::Triangles(positions, _) => (0, positions.len()),
    };
    FrameCase {
        planes: inputs::planes(dice, &case.kinds, case.size),
        arrays: inputs::arrays(dice, &case.kinds, quads),
        attributes: inputs::attributes(dice, &case.vertices, vertices),
        alpha_reference: f32::from_bits(number(dice)),
        blend_constant: std::array::from_fn(|_| f32::from_bits(number(dice))),
        view: None,
        shape,
    }
}

/// Mostly a fraction.
fn number(dice: &mut Dice<'_>) -> u32 {
    match dice.below(5) {
        0 => values::float(dice),
        1 => (dice.below(5) as f32 / 4.0).to_bits(),
        _ => dice.unit().to_bits(),
    }
}

/// Mostly small, at times several bands high, rarely so large that the inside of triangles is drawn apart.
fn size(dice: &mut Dice<'_>) -> [u32; 2] {
    let (width, height) = dice.weighted(&[
        (10, (12, 9)),
        (8, (36, 20)),
        (4, (70, 40)),
        (2, (9, 100)),
        (1, (150, 140)),
    ]);
    [width, height].map(|most| 1 + dice.below(most) as u32)
}

/// Mostly none.
fn alpha_test(dice: &mut Dice<'_>) -> Compare {
    if dice.percent(25) {
        dice.pick(&Compare::ALL)
    } else {
        Compare::Always
    }
}

/// A point among the pixels, or far away, up to where anchors end.
fn anchor(dice: &mut Dice<'_>) -> [f32; 2] {
    let reach = dice.weighted(&[(8, 0), (8, 40 * 256), (2, 1 << 23), (1, i32::MAX / 2)]);
    let scale = if reach == i32::MAX / 2 { 64.0 } else { 256.0 };
    [(); 2].map(|()| match reach {
        0 => 0.0,
        _ if dice.percent(10) => dice.pick(&[MAX_ANCHOR, -MAX_ANCHOR]),
        _ => dice.between(-reach, reach) as f32 / scale,
    })
}

/// Targets, mostly for outputs that are written.
fn targets(
    dice: &mut Dice<'_>,
    program: &ValidProgram,
    wanted: &[usize],
) -> [Option<TargetCase>; TARGETS] {
    let written: Vec<usize> = (0..TARGETS)
        .filter(|index| program.usage().writes_output(index + 1))
        .collect();
    let mut targets = [None; TARGETS];
    if dice.percent(4) {
        return targets;
    }
    for &index in wanted {
        let index = if written.is_empty() || dice.percent(10) {
            index
        } else {
            dice.pick(&written)
        };
        targets[index] = Some(target(dice));
    }
    targets
}

fn target(dice: &mut Dice<'_>) -> TargetCase {
    let mask = if dice.percent(60) {
        Slots::all()
    } else {
        Slots::from_bits_truncate(dice.below(16) as u8)
    };
    let target = ColourTarget {
        format: dice.pick(&ColourFormat::ALL),
        mask,
        blend: dice.percent(50).then(|| blend(dice)),
    };
    TargetCase {
        target,
        fill: fill(dice),
    }
}

fn fill(dice: &mut Dice<'_>) -> Fill {
    Fill {
        gap: dice.pick(&[0, 0, 0, 1, 3, 8, 13]),
        seed: dice.word(),
    }
}

fn blend(dice: &mut Dice<'_>) -> Blend {
    let colour = equation(dice);
    let alpha = if dice.percent(40) {
        colour
    } else {
        equation(dice)
    };
    Blend { colour, alpha }
}

fn equation(dice: &mut Dice<'_>) -> BlendEquation {
    BlendEquation {
        op: dice.pick(&BlendOp::ALL),
        src: dice.pick(&BlendFactor::ALL),
        dst: dice.pick(&BlendFactor::ALL),
    }
}

fn depth(dice: &mut Dice<'_>) -> DepthCase {
    let state = DepthTarget {
        format: dice.pick(&[DepthFormat::D32F, DepthFormat::D24]),
        compare: dice.pick(&Compare::ALL),
        write: dice.percent(70),
    };
    DepthCase {
        state,
        fill: fill(dice),
    }
}

/// Columns or rows that are mostly within `side`.
fn range(dice: &mut Dice<'_>, side: u32) -> Range<i64> {
    let side = side as i32;
    let start = match dice.below(4) {
        0 => 0,
        1 => dice.between(-2, side),
        _ => dice.between(0, side - 1),
    };
    let length = dice.pick(&[1, 2, 3, 7, side, side + 3, side - start]);
    let length = dice.between(1, length.max(1));
    start.into()..i64::from(start + length)
}

/// A rectangle: everything, a part, or very little.
fn area(dice: &mut Dice<'_>, size: [u32; 2]) -> [Range<i64>; 2] {
    if dice.percent(35) {
        return size.map(|side| 0..side.into());
    }
    let mut area = size.map(|side| range(dice, side));
    if dice.percent(50) {
        // Long rows with odd ends.
        area[0] = i64::from(dice.between(0, 3))..i64::from(size[0]) - i64::from(dice.between(0, 3));
    }
    area
}

/// Triangles around the targets, some of them with the same vertices or next to nothing between
/// them.
fn triangles(dice: &mut Dice<'_>, size: [u32; 2]) -> ShapeCase {
    let count = 3 + dice.below(7);
    let is_affine = dice.percent(30);
    let wild = dice.percent(10);
    // Where f64 has to cut edges, and where its roundings would show.
    let far = dice
        .percent(15)
        .then(|| 10_f32.powf(dice.within(4.0, 30.0)));
    // Nothing but a column, a row or a diagonal of centres is between vertices.
    let thin = dice.percent(20).then(|| dice.below(3));
    let thin_at = size.map(|side| dice.below(side as usize) as f32 + 0.5);
    let place = |dice: &mut Dice<'_>, side: u32| match (dice.below(8), far) {
        (0, _) if wild => f32::from_bits(values::float(dice)),
        (1..=2, Some(far)) => dice.within(-far, far),
        (0 | 1, _) => dice.between(-1, side as i32 + 1) as f32,
        (2, _) => dice.between(-2, 2 * side as i32 + 2) as f32 * 0.5,
        _ => (dice.word() >> 8) as f32 / (1 << 23) as f32 * side as f32 - 0.4 * side as f32,
    };
    let positions = (0..count).map(|_| {
        let [x, y] = [0, 1].map(|axis| place(dice, size[axis]));
        let mut beside = |most: i32| dice.between(-most, most) as f32 / 256.0;
        let [x, y] = match thin {
            None => [x, y],
            Some(0) => [thin_at[0] + beside(6), y],
            Some(1) => [x, thin_at[1] + beside(6)],
            // The terms of planes are large here, and cancel.
            Some(_) => [x, x + beside(12)],
        };
        let depth = dice.between(-2, 18) as f32 / 16.0;
        let one_over_w = match is_affine {
            true => 1.0,
            false => dice.pick(&[1.0, 1.0, 0.5, 0.3, 2.5, 7.0]),
        };
        [x, y, depth, one_over_w]
    });
    let positions = positions.collect();
    let triangles = 1 + dice.below(8);
    let triangles = (0..triangles).map(|_| [(); 3].map(|()| dice.below(count) as u32));
    ShapeCase::Triangles(positions, triangles.collect())
}

/// Hundreds of tiny triangles that share vertices, few of them larger or somewhere else.
fn crowd(dice: &mut Dice<'_>, size: [u32; 2]) -> ShapeCase {
    let count = 20 + dice.below(60);
    let step = [0.3, 1.5, 4.0, 9.0][dice.below(4)];
    let is_affine = dice.percent(60);
    let mut place = size.map(|side| dice.within(0.0, side as f32));
    let positions = (0..count).map(|_| {
        for (at, side) in place.iter_mut().zip(size) {
            let far = dice.percent(3);
            *at = match far {
                true => dice.within(-4.0, side as f32 + 4.0),
                false => *at + dice.within(-step, step),
            };
        }
        let [x, y] = match dice.percent(30) {
            true => place.map(|at| (2.0 * at).round() / 2.0),
            false => place,
        };
        let one_over_w = match is_affine {
            true => 1.0,
            false => dice.pick(&[1.0, 0.5, 0.45]),
        };
        [x, y, dice.unit(), one_over_w]
    });
    let positions = positions.collect();
    let triangles = (0..2 * count).map(|_| {
        let first = dice.below(count);
        let mut beside = || ((first + dice.below(4)) % count) as u32;
        [beside(), beside(), beside()]
    });
    ShapeCase::Triangles(positions, triangles.collect())
}

/// Layers of a mesh whose cells share vertices, nearer or farther each. A few vertices are nowhere, far away or behind the
/// eye.
fn layers(dice: &mut Dice<'_>, size: [u32; 2]) -> ShapeCase {
    let (cell, most) =
        dice.weighted(&[(4, (2.5, 8)), (4, (7.0, 5)), (2, (18.0, 3)), (1, (0.7, 30))]);
    let [across, down] = [(); 2].map(|()| 1 + dice.below(most));
    let count = if most > 8 { 1 } else { 1 + dice.below(4) };
    let corner = size.map(|side| dice.within(-4.0, side as f32 * 0.7));
    let (first, step) = (dice.unit(), dice.within(-0.3, 0.3));
    let (is_affine, odd) = (dice.percent(60), if dice.percent(20) { 3 } else { 0 });
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for layer in 0..count {
        for (row, column) in (0..=down).flat_map(|row| (0..=across).map(move |it| (row, it))) {
            let a = positions.len() as u32;
            let [x, y] = [(column, 0), (row, 1)].map(|(place, axis)| {
                // On a grid of half pixels edges pass through centres.
                let at = corner[axis] + cell * place as f32;
                if layer % 2 == 0 {
                    at
                } else {
                    (2.0 * at).round() / 2.0
                }
            });
            let x = match dice.percent(odd) {
                true => dice.pick(&[f32::NAN, f32::INFINITY, 1e9, -1e30]),
                false => x,
            };
            let one_over_w = match (is_affine, dice.percent(odd)) {
                (_, true) => -0.5,
                (true, false) => 1.0,
                (false, false) => dice.pick(&[1.0, 0.5, 0.45]),
            };
            positions.push([x, y, first + step * layer as f32, one_over_w]);
            if row < down && column < across {
                let b = a + across as u32 + 1;
                triangles.extend([[a, a + 1, b + 1], [a, b + 1, b]]);
            }
        }
    }
    ShapeCase::Triangles(positions, triangles)
}

/// Runs of quads, some of them several times.
fn quads(dice: &mut Dice<'_>, size: [u32; 2]) -> Vec<SampleQuad> {
    let count = dice.pick(&[1, 3, 20, QUADS]);
    let count = 1 + dice.below(count);
    let mut quads: Vec<SampleQuad> = Vec::with_capacity(count);
    let whole = dice.pick(&[10, 50, 95]);
    for _ in 0..count {
        let coverage = samples::coverage(dice, whole);
        let [x, y] = match quads.last() {
            Some(last) if dice.percent(75) => [last.x + 2, last.y],
            Some(last) if dice.percent(20) => [last.x, last.y],
            Some(_) | None => size.map(|side| 2 * dice.below(side as usize / 2 + 2) as u32),
        };
        quads.push(SampleQuad { x, y, coverage });
    }
    quads
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use attila_shader::machine::SampleCount;
    use attila_shader::machine::pipeline::InputKind;

    use super::*;
    use crate::subject;

    fn cases() -> impl Iterator<Item = DrawCase> {
        (0..1500).map(|index| subject::case(3, index, &()))
    }

    #[test]
    fn every_format_mask_and_depth_state_comes_up() {
        let (mut colours, mut depths) = (HashSet::new(), HashSet::new());
        for case in cases() {
            let targets = case.targets.iter().flatten();
            colours.extend(targets.map(|it| (it.target.format, it.target.blend.is_some())));
            depths.extend(case.depth.map(|it| it.state));
        }
        assert_eq!(colours.len(), ColourFormat::ALL.len() * 2);
        assert_eq!(depths.len(), 2 * Compare::ALL.len() * 2);
        let targets = cases().flat_map(|case| case.targets.into_iter().flatten());
        let masks: HashSet<u8> = targets.map(|it| it.target.mask.bits()).collect();
        assert_eq!(masks.len(), 16);
    }

    #[test]
    fn every_factor_comes_up_on_both_sides_with_every_operation() {
        let mut seen = HashSet::new();
        for case in cases() {
            let blends = case
                .targets
                .iter()
                .flatten()
                .filter_map(|it| it.target.blend);
            for equation in blends.flat_map(|blend| [blend.colour, blend.alpha]) {
                seen.insert((equation.op, equation.src, true));
                seen.insert((equation.op, equation.dst, false));
            }
        }
        assert_eq!(seen.len(), BlendOp::ALL.len() * BlendFactor::ALL.len() * 2);
    }

    #[test]
    fn every_kind_of_input_is_read() {
        let mut seen = HashSet::new();
        for case in cases() {
            assert!(
                case.has_specified_results(),
                "{}",
                case.shaded.program.program()
            );
            let inputs = case.shaded.program.usage().inputs;
            for (read, kinds) in inputs.iter().zip(&case.kinds) {
                seen.extend(read.components().map(|component| kinds[component.index()]));
            }
        }
        let expected = [
            InputKind::Position,
            InputKind::Flat,
            InputKind::Linear,
            InputKind::Perspective,
            InputKind::Array,
        ];
        assert_eq!(seen, HashSet::from(expected));
    }

    #[test]
    fn programs_kill_loop_sample_and_make_depths() {
        let cases: Vec<DrawCase> = cases().collect();
        let share = |holds: &dyn Fn(&DrawCase) -> bool| cases.iter().filter(|it| holds(it)).count();
        assert!(share(&|it| it.shaded.program.usage().kills) > 150);
        assert!(share(&|it| it.shaded.program.cfg().blocks().len() > 1) > 150);
        assert!(share(&|it| it.shaded.program.usage().exports_depth) > 50);
        assert!(share(&|it| it.shaded.program.usage().outputs[0].contains(Slots::Z)) > 150);
        assert!(share(&|it| !it.shaded.textures.is_empty()) > 150);
        assert!(
            share(&|it| it.shaded.textures.is_empty() && it.shaded.program.usage().textures != 0)
                > 100
        );
        let early = |it: &DrawCase| it.depth.is_some() && !it.shaded.program.usage().kills;
        assert!(share(&early) > 150);
        assert!(share(&|it| it.alpha_test != Compare::Always) > 150);
        assert!(share(&|it| it.threads > 1 && it.size[1] > 32) > 20);
        assert!(share(&|it| it.size[0] % 2 != 0) > 300);
        let triangles = |it: &DrawCase| matches!(it.frames[0].shape, ShapeCase::Triangles(..));
        assert!(share(&triangles) > 150);
        let clips = |it: &DrawCase| it.set_up.clip != Inputs::default();
        let culls = |it: &DrawCase| it.set_up.cull != Inputs::default();
        let wraps = |it: &DrawCase| it.set_up.wraps != Inputs::default();
        let sides = |it: &DrawCase| it.set_up.two_sided && it.vertices[1] && it.vertices[3];
        assert!(share(&clips) > 20 && share(&culls) > 10 && share(&wraps) > 20);
        assert!(share(&sides) > 20);
        assert!(share(&|it| it.samples.count > SampleCount::One) > 400);
        assert!(share(&|it| it.samples.shading && it.samples.count > SampleCount::One) > 80);
        assert!(share(&|it| it.samples.raster.is_some()) > 20);
        assert!(share(&|it| it.samples.alpha_to_coverage) > 100);
        assert!(share(&|it| it.shaded.program.usage().samples) > 100);
        assert!(share(&|it| it.shaded.program.usage().exports_samples) > 20);
    }
}
