//! Triangles that are set up side by side, against single ones.

use attila_isa::{PRIMITIVE_ID, Slots};
use attila_machine::pipeline::{InputKind, Pipeline};

use super::super::SUB;
use super::*;
use crate::processor::tests::by_each;

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
    let drawn = |range: &std::ops::Range<i32>| range.start + i32::from(range.len() > 1)..range.end;
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
    let most = [2, 6, 12, 40, 200, 2000, 1 << 21][dice.random_range(0..7)];
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

/// Vertices of triangles, three of each.
struct Given<'a> {
    corners: &'a [Corner],
    windows: &'a [[f32; 4]],
    /// Their attributes, if these lie one after the other.
    attributes: Option<&'a [[f32; 4]]>,
    /// Of which triangles none is outside of the view volume.
    is_whole: &'a [bool],
    rules: &'a Rules,
    layout: &'a PlaneLayout,
}

impl Corners for Given<'_> {
    type Vertex<'v>
        = Corner
    where
        Self: 'v;

    fn place(&self, index: u32) -> u32 {
        index
    }

    fn vertex(&self, place: u32) -> Corner {
        self.corners[place as usize]
    }

    fn windows(&self) -> &[[f32; 4]] {
        self.windows
    }

    fn attribute(&self, _register: usize) -> Option<&[[f32; 4]]> {
        self.attributes
    }

    fn is_whole(&self, [first, ..]: [u32; 3]) -> bool {
        self.is_whole[first as usize / 3]
    }

    fn push(&self, triangle: [u32; 3], primitives: &mut Primitives) {
        let corners = triangle.map(|place| self.vertex(place));
        primitives.push(self.rules, self.layout, corners.each_ref());
    }
}

/// The quads that are covered, in their order, with anchors and planes, bit by bit.
fn made(
    primitives: &Primitives,
    (rules, layout): (&Rules, &PlaneLayout),
    height: u32,
) -> Vec<Quad> {
    let spans = spans_of(primitives, rules, height);
    let of_each = layout.count();
    let quads = spans.spans.iter().flat_map(|span| {
        let primitive = span.primitive as usize;
        let planes = &primitives.planes[primitive * of_each..][..of_each];
        let planes = planes.iter().flat_map(|it| [it.at, it.dx, it.dy]);
        let numbers = primitives.anchors[primitive].into_iter().chain(planes);
        let numbers: Vec<u32> = numbers.map(f32::to_bits).collect();
        let coverage = &spans.coverage[span.first as usize..][..span.quads as usize];
        let each = coverage.iter().zip((span.x..).step_by(2));
        each.map(|(coverage, x)| ([x, span.y, u32::from(*coverage)], numbers.clone()))
            .collect::<Vec<_>>()
    });
    quads.collect()
}

/// Place and coverage of a quad, and the numbers of its triangle.
type Quad = ([u32; 3], Vec<u32>);

#[test]
fn triangles_side_by_side_are_set_up_as_single_ones() {
    let mut dice = ChaCha8Rng::seed_from_u64(11);
    let (mut triangles, mut spans, mut outlines) = (0, 0, 0);
    while triangles < count_of(100_000) {
        let (rules, layout) = (rules(&mut dice), layout(&mut dice));
        let in_perspective = dice.random_bool(0.5);
        let count = dice.random_range(1..=TRIANGLES);
        let corners: Vec<[Corner; 3]> = (0..count)
            .map(|_| triangle(&mut dice, in_perspective))
            .collect();
        // Some are said to need cutting, which single ones are asked for.
        let is_whole: Vec<bool> = (0..count).map(|_| dice.random_bool(0.95)).collect();
        let indices: Vec<[u32; 3]> = (0..count as u32)
            .map(|n| [3 * n, 3 * n + 1, 3 * n + 2])
            .collect();
        let height = [2, 8, 64][dice.random_range(0..3)];
        let mut single = none(&rules, height);
        for corners in &corners {
            single.push(&rules, &layout, corners.each_ref());
            single.number += 1;
        }
        let corners = corners.as_flattened();
        let windows: Vec<[f32; 4]> = corners.iter().map(|corner| corner.position).collect();
        let attributes = corners.iter().map(|corner| [corner.attribute; 4]);
        let attributes: Option<Vec<[f32; 4]>> = dice.random_bool(0.5).then(|| attributes.collect());
        let given = Given {
            corners,
            windows: &windows,
            attributes: attributes.as_deref(),
            is_whole: &is_whole,
            rules: &rules,
            layout: &layout,
        };
        let single_made = made(&single, (&rules, &layout), height);
        let by_each = by_each(|| {
            let mut many = none(&rules, height);
            many.push_all(&rules, &layout, &indices, &given);
            many
        });
        for (instructions, many) in &by_each {
            let many_made = made(many, (&rules, &layout), height);
            assert!(
                many_made == single_made,
                "{instructions:?}: {rules:?} {corners:?}"
            );
            assert_eq!(many.number, single.number);
        }
        let (_, many) = &by_each[0];
        triangles += count;
        let bins = (0..rules.drawn.rows.end.cast_unsigned().div_ceil(height))
            .map(|band| many.bins.band(band as usize));
        for bin in bins {
            spans += bin.spans().len();
            outlines += bin.outlines.len();
        }
    }
    assert!(spans > 10_000 && outlines > 10_000, "{spans} {outlines}");
}
