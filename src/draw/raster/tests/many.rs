//! Triangles that are set up side by side, against single ones.

use attila_isa::{PRIMITIVE_ID, Slots};
use attila_machine::pipeline::{InputKind, Pipeline};

use super::super::SUB;
use super::*;

const TRIANGLES: usize = 130;

/// A layout with every source but given planes.
fn layout(dice: &mut ChaCha8Rng) -> PlaneLayout {
    let mut pipeline = Pipeline::default();
    pipeline.inputs[0][2] = InputKind::Linear;
    pipeline.inputs[PRIMITIVE_ID][0] = InputKind::Flat;
    pipeline.inputs[4] = [InputKind::Linear; 4];
    pipeline.inputs[6][0] = InputKind::Linear;
    pipeline.inputs[6][2] = InputKind::Flat;
    pipeline.inputs[15][3] = InputKind::Flat;
    if dice.random_bool(0.5) {
        pipeline.inputs[0][3] = InputKind::Linear;
        pipeline.inputs[5] = [InputKind::Perspective; 4];
        pipeline.inputs[6][1] = InputKind::Perspective;
    }
    let mut layout = PlaneLayout::default();
    layout.set(&pipeline, [0.0; 2], true, |_, _| None);
    if dice.random_bool(0.2) {
        layout.wraps[4] = Slots::X;
    }
    layout
}

fn rules(dice: &mut ChaCha8Rng) -> Rules {
    let mut range = || {
        let start = dice.random_range(0..20);
        start..start + dice.random_range(1..90)
    };
    let area = Area {
        columns: range(),
        rows: range(),
    };
    let drawn = |range: &std::ops::Range<i32>| range.start + 1..range.end.max(range.start + 2);
    let drawn = Area {
        columns: drawn(&area.columns),
        rows: drawn(&area.rows),
    };
    let cull = [Cull::None, Cull::None, Cull::Front, Cull::Back][dice.random_range(0..4)];
    let front = [FrontFace::Clockwise, FrontFace::CounterClockwise][dice.random_range(0..2)];
    Rules {
        cull,
        front,
        drawn: if dice.random_bool(0.5) {
            area.clone()
        } else {
            drawn
        },
        ..within(area)
    }
}

/// A triangle of any size, anywhere, at places that edges share with centres of pixels or at any.
fn triangle(dice: &mut ChaCha8Rng, in_perspective: bool) -> [Corner; 3] {
    let grid = [1, 16, SUB / 2][dice.random_range(0..3)];
    let most = [2, 6, 12, 40, 200, 1 << 21][dice.random_range(0..6)];
    let reach = dice.random_range(1..=most) * (SUB / grid);
    let corner = [(); 2].map(|()| dice.random_range(-5 * SUB / grid..70 * SUB / grid));
    [(); 3].map(|()| {
        let [x, y] = corner.map(|from| {
            let sub_pixels = (from + dice.random_range(0..reach)) * grid;
            sub_pixels as f32 / SUB as f32
        });
        let odd = [f32::NAN, f32::INFINITY, -0.0, 3e7][dice.random_range(0..4)];
        let x = if dice.random_bool(0.01) { odd } else { x };
        let w = match in_perspective {
            true => dice.random_range(-0.5..3.0),
            false => 1.0,
        };
        Corner {
            position: [x, y, dice.random_range(0.0..1.0), w],
            attribute: dice.random_range(-2.0..2.0),
        }
    })
}

/// Footprints, anchors and planes of triangles, bit by bit.
fn made(primitives: &Primitives) -> String {
    let bits = |values: &[f32]| -> Vec<u32> { values.iter().map(|it| it.to_bits()).collect() };
    let planes: Vec<f32> = primitives
        .planes
        .iter()
        .flat_map(|plane| [plane.at, plane.dx, plane.dy])
        .collect();
    let anchors = bits(primitives.anchors.as_flattened());
    format!(
        "{:?}\n{anchors:?}\n{:?}\n{} {}",
        primitives.footprints,
        bits(&planes),
        primitives.in_perspective,
        primitives.number,
    )
}

#[test]
fn triangles_side_by_side_are_set_up_as_single_ones() {
    let mut dice = ChaCha8Rng::seed_from_u64(11);
    let (mut triangles, mut footprints) = (0, 0);
    while triangles < 100_000 {
        let (rules, layout) = (rules(&mut dice), layout(&mut dice));
        let in_perspective = dice.random_bool(0.5);
        let count = dice.random_range(1..=TRIANGLES);
        let corners: Vec<[Corner; 3]> = (0..count)
            .map(|_| triangle(&mut dice, in_perspective))
            .collect();
        // Some are said to need cutting, which single ones are asked for.
        let is_whole: Vec<bool> = (0..count).map(|_| dice.random_bool(0.95)).collect();
        let indices: Vec<[u32; 3]> = (0..count as u32).map(|n| [n; 3]).collect();
        let mut single = Primitives::default();
        for corners in &corners {
            single.push(&rules, &layout, corners.each_ref());
            single.number += 1;
        }
        let mut many = Primitives::default();
        let of = |[n, ..]: [u32; 3]| {
            corners[n as usize].map(|corner| Numbered {
                corner,
                is_whole: is_whole[n as usize],
            })
        };
        let is_whole = |[corner, ..]: &[Numbered; 3]| corner.is_whole;
        many.push_all(
            &rules,
            &layout,
            &indices,
            (of, is_whole),
            |[n, ..], primitives| {
                primitives.push(&rules, &layout, corners[n as usize].each_ref());
            },
        );
        assert_eq!(made(&many), made(&single), "{rules:?}");
        triangles += count;
        footprints += many.footprints.len();
    }
    assert!(footprints > 10_000, "{footprints}");
}

/// A corner of a triangle that is whole or not.
struct Numbered {
    corner: Corner,
    is_whole: bool,
}

impl Vertex for Numbered {
    fn position(&self) -> [f32; 4] {
        self.corner.position
    }

    fn attribute(&self, register: usize) -> [f32; 4] {
        self.corner.attribute(register)
    }
}
