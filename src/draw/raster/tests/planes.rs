//! Planes of inputs.

use attila_machine::arith::fma;
use attila_machine::pipeline::{InputKind, Pipeline, Plane};

use super::*;

/// The plane's value at a point of the window, as engines evaluate it.
fn value(plane: Plane, anchor: [f32; 2], [x, y]: [f32; 2]) -> f32 {
    let row = fma(y - anchor[1], plane.dy, plane.at);
    fma(x - anchor[0], plane.dx, row)
}

/// The pipeline that asks for depth, 1/w, and `i6.x` to `i6.z` as linear, perspective and flat.
fn pipeline() -> Pipeline {
    let mut pipeline = Pipeline::default();
    pipeline.inputs[0][2] = InputKind::Linear;
    pipeline.inputs[0][3] = InputKind::Linear;
    pipeline.inputs[6][0] = InputKind::Linear;
    pipeline.inputs[6][1] = InputKind::Perspective;
    pipeline.inputs[6][2] = InputKind::Flat;
    pipeline.inputs[15][3] = InputKind::Flat;
    pipeline
}

/// How far the linear and the perspective input of a triangle are off at worst where it covers
/// something, as parts of the largest value at a vertex.
fn worst(triangle: [Corner; 3]) -> [f64; 2] {
    let mut layout = PlaneLayout::default();
    layout.set(&pipeline(), [0.0; 2], false, |_, _| None);
    let rules = rules(1024, 1024);
    let mut primitives = none(&rules, ALL_ROWS);
    primitives.push(&rules, &layout, triangle.each_ref());
    let spans = spans_of(&primitives, &rules, ALL_ROWS);
    let snap = |c: f32| (f64::from(c) * 256.0).round_ties_even() / 256.0;
    let points = triangle.map(|corner| [snap(corner.position[0]), snap(corner.position[1])]);
    let scale = triangle
        .iter()
        .map(|corner| corner.attribute.abs())
        .fold(0.0, f32::max);
    let mut worst = [0.0_f64; 2];
    let pixels = pixels(&spans);
    // All of them would take long for large triangles.
    let step = pixels.len() / 2000 + 1;
    for ((x, y), primitive) in pixels.into_iter().step_by(step) {
        let primitive = primitive as usize;
        let centre = [x as f32 + 0.5, y as f32 + 0.5];
        let to = |point: [f64; 2]| [0, 1].map(|axis| point[axis] - f64::from(centre[axis]));
        let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
        let [a, b, c] = points.map(to);
        let weights = [cross(b, c), cross(c, a), cross(a, b)];
        let sum = |values: [f64; 3]| (0..3).map(|v| weights[v] * values[v]).sum::<f64>();
        let attributes = triangle.map(|corner| f64::from(corner.attribute));
        let reciprocals = triangle.map(|corner| f64::from(corner.position[3]));
        let linear = sum(attributes) / sum([1.0; 3]);
        let over_w = [0, 1, 2].map(|v| attributes[v] * reciprocals[v]);
        let perspective = sum(over_w) / sum(reciprocals);
        let at = |plane: usize| {
            let plane = primitives.planes[primitive * pipeline().plane_count() + plane];
            value(plane, primitives.anchors[primitive], centre)
        };
        let off = |is: f32, should: f64| (f64::from(is) - should).abs() / f64::from(scale);
        worst[0] = worst[0].max(off(at(2), linear));
        worst[1] = worst[1].max(off(at(3) * (1.0 / at(1)), perspective));
    }
    worst
}

/// How thick a triangle is, in pixels.
fn thickness(triangle: &[Corner; 3]) -> f32 {
    let [a, b, c] = triangle.map(|corner| [corner.position[0], corner.position[1]]);
    let length = |a: [f32; 2], b: [f32; 2]| (b[0] - a[0]).hypot(b[1] - a[1]);
    let longest = length(a, b).max(length(b, c)).max(length(c, a));
    ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs() / longest
}

#[test]
fn inputs_are_within_1e_5_of_f64_for_thin_triangles_and_large_ratios_of_w() {
    let mut dice = dice(8);
    let mut drawn = 0;
    for _ in 0..600 {
        // Along the diagonal, where terms of a plane cancel most.
        let width = 1024.0 * 10_f32.powf(dice.random_range(-3.0..0.0));
        let ratio = 10_f32.powf(dice.random_range(0.0..3.0));
        let triangle = [(); 3].map(|()| {
            let along = dice.random_range(0.0..1024.0);
            let y = along + dice.random_range(-width..width);
            Corner {
                position: [along, y, 0.5, ratio.powf(-dice.random::<f32>())],
                attribute: dice.random_range(-1.0..1.0),
            }
        });
        if thickness(&triangle) > 1.0 / 32.0 {
            let worst = worst(triangle);
            assert!(
                worst.iter().all(|&off| off < 1e-5),
                "{worst:?} {triangle:?}"
            );
            drawn += 1;
        }
    }
    assert!(drawn > 500);
}

#[test]
fn planes_are_those_that_the_pipeline_asks_for() {
    let mut layout = PlaneLayout::default();
    layout.set(&pipeline(), [0.0; 2], false, |_, _| None);
    let corner = |x, y, z, reciprocal, attribute| Corner {
        position: [x, y, z, reciprocal],
        attribute,
    };
    let triangle = [
        corner(2.0, 2.0, 0.25, 1.0, 3.0),
        corner(10.0, 2.0, 0.5, 1.0, 4.0),
        corner(2.0, 10.0, 0.25, 0.5, 7.0),
    ];
    let mut primitives = none(&rules(16, 16), ALL_ROWS);
    primitives.push(&rules(16, 16), &layout, triangle.each_ref());
    // The last vertex is the farthest.
    assert_eq!(primitives.anchors, [[2.0, 10.0]]);
    let plane = |at, dx, dy| Plane { at, dx, dy };
    assert_eq!(
        primitives.planes,
        [
            plane(0.25, 0.03125, 0.0),
            plane(0.5, 0.0, -0.0625),
            plane(7.0, 0.125, 0.5),
            plane(3.5, 0.125, 0.0625),
            plane(7.0, 0.0, 0.0),
            // With the clock, so that this is its back.
            plane(-32.0, 0.0, 0.0),
        ]
    );
}

#[test]
fn flat_inputs_that_the_draw_has_for_everything_keep_their_bits() {
    for bits in [0x8000_0000, 0x7f80_0001, 0xffc1_2345, 1] {
        let given = Plane {
            at: f32::from_bits(bits),
            dx: 3.0,
            dy: -1.0,
        };
        let mut layout = PlaneLayout::default();
        layout.set(&pipeline(), [100.0, 50.0], false, |register, _| {
            (register == 6).then_some(given)
        });
        let triangle = [at(2.0, 2.0), at(10.0, 2.0), at(2.0, 10.0)];
        let mut primitives = none(&rules(16, 16), ALL_ROWS);
        primitives.push(&rules(16, 16), &layout, triangle.each_ref());
        // After depth, 1/w, and two that are not flat.
        let flat = primitives.planes[4];
        assert_eq!(flat.at.to_bits(), bits);
        assert_eq!((flat.dx, flat.dy), (0.0, 0.0));
    }
}
