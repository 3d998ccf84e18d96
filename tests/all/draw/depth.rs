//! The depth test.

use attila_shader::Shader;
use attila_shader::draw::{ColourImage, DepthImage, DepthState, Draw, DrawError, Quad, Varying};
use attila_shader::machine::LaneMask;
use attila_shader::machine::pipeline::{
    Blend, ColourFormat, Compare, D24_ONE, DepthFormat, SpanError,
};

use super::common::{plane, shaders};

/// Programs whose depth is that of `i0.z`, each in another way: tested early, tested late because
/// they could kill, `o0.z`, and an exported depth.
const WAYS: [&str; 4] = [
    "mov o1, i15.w",
    "kil i15.w\nmov o1, i15.w",
    "mov o0.z, i0.z\nmov o1, i15.w",
    "zxp i0.z\nmov o1, i15.w",
];

/// Draws a depth that grows by 1/8 per column, from 1/16, over what `stored` says; gives the
/// columns that were kept, and the depths afterwards.
fn tested(
    shader: &Shader,
    format: DepthFormat,
    compare: Compare,
    write: bool,
    stored: u32,
) -> (Vec<bool>, Vec<u32>) {
    let mut depths = DepthImage::new(format, 7, 3);
    depths.fill(stored.to_le());
    let mut image = ColourImage::new(ColourFormat::R32F, 7, 3);
    let depth = plane(0.0, 1.0 / 8.0, 0.0);
    Draw::new(shader)
        .varying(0, Varying::position(depth, plane(1.0, 0.0, 0.0)))
        .target(0, &mut image)
        .depth(&mut depths, DepthState { compare, write })
        .rect(0..7, 0..3)
        .unwrap();
    let row = |y| {
        let kept = (0..7).map(move |x| (x, y));
        let kept = kept
            .clone()
            .map(|(x, y)| image.pixel::<f32>(x, y).unwrap() == 1.0);
        let words = (0..7).map(|x| u32::from_le(depths.pixel::<u32>(x, y).unwrap()));
        (kept.collect::<Vec<_>>(), words.collect::<Vec<_>>())
    };
    assert_eq!(row(0), row(1));
    assert_eq!(row(0), row(2));
    row(0)
}

#[test]
fn every_comparison_keeps_what_it_should_early_and_late() {
    let sixteenths = |x: usize| (2 * x + 1) as f32 / 16.0;
    for text in WAYS {
        for shader in shaders(text) {
            for compare in Compare::ALL {
                for write in [false, true] {
                    let kept: Vec<_> = (0..7)
                        .map(|x| compare.holds(sixteenths(x), 5.0 / 16.0))
                        .collect();
                    let after = |stored: u32, to_word: &dyn Fn(f32) -> u32| -> Vec<u32> {
                        let word = |x: usize| {
                            let stored_now = write && kept[x];
                            if stored_now {
                                to_word(sixteenths(x))
                            } else {
                                stored
                            }
                        };
                        (0..7).map(word).collect()
                    };
                    let stored = (5.0_f32 / 16.0).to_bits();
                    let found = tested(&shader, DepthFormat::D32F, compare, write, stored);
                    let words = after(stored, &|depth| depth.to_bits());
                    assert_eq!(found, (kept.clone(), words), "{text} {compare:?}");

                    let to_word = |depth: f32| {
                        (f64::from(depth) * f64::from(D24_ONE)).round_ties_even() as u32
                    };
                    // The upper byte is not part of the depth.
                    let stored = to_word(5.0 / 16.0) | 0xab00_0000;
                    let found = tested(&shader, DepthFormat::D24, compare, write, stored);
                    assert_eq!(
                        found,
                        (kept.clone(), after(stored, &to_word)),
                        "{text} {compare:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn depths_are_clamped_and_a_nan_is_1() {
    for text in WAYS {
        for shader in shaders(text) {
            for (depth, stored) in [(-0.5, 0.0), (-0.0, 0.0), (1.5, 1.0), (f32::NAN, 1.0)] {
                let mut depths = DepthImage::new(DepthFormat::D32F, 2, 2);
                Draw::new(&shader)
                    .varying(
                        0,
                        Varying::position(plane(depth, 0.0, 0.0), plane(1.0, 0.0, 0.0)),
                    )
                    .depth(
                        &mut depths,
                        DepthState {
                            compare: Compare::Always,
                            write: true,
                        },
                    )
                    .rect(0..2, 0..2)
                    .unwrap();
                assert_eq!(
                    depths.pixel::<u32>(1, 1).unwrap(),
                    f32::to_bits(stored).to_le(),
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn without_a_plane_depth_is_a_half() {
    for shader in shaders(WAYS[0]) {
        let mut depths = DepthImage::new(DepthFormat::D24, 2, 2);
        let draw = Draw::new(&shader).depth(
            &mut depths,
            DepthState {
                compare: Compare::Always,
                write: true,
            },
        );
        draw.rect(0..2, 0..2).unwrap();
        assert_eq!(u32::from_le(depths.pixel(0, 0).unwrap()), 1 << 23);
    }
}

#[test]
fn a_depth_that_is_not_exported_is_0() {
    for shader in shaders("setplt p0, i0.x, 1\nmul r0.x, i15.w, 0.75\n(p0) zxp r0.x") {
        let mut depths = DepthImage::new(DepthFormat::D32F, 300, 1);
        depths.fill(0.5_f32);
        let draw = Draw::new(&shader).depth(
            &mut depths,
            DepthState {
                compare: Compare::Always,
                write: true,
            },
        );
        draw.rect(0..300, 0..1).unwrap();
        let found: Vec<f32> = (0..300).map(|x| depths.pixel(x, 0).unwrap()).collect();
        assert_eq!(found[0], 0.75);
        assert!(found[1..].iter().all(|depth| *depth == 0.0));
    }
}

#[test]
fn quads_over_each_other_are_tested_in_their_order() {
    let quad = |x| Quad {
        x,
        y: 0,
        coverage: LaneMask::all(),
    };
    // Neighbours, and each of them three times.
    let quads: Vec<_> = (0..3).flat_map(|_| (0..40).map(|i| quad(2 * i))).collect();
    for text in WAYS {
        for shader in shaders(text) {
            for (compare, times) in [(Compare::Less, 1.0), (Compare::LessEqual, 3.0)] {
                let mut image = ColourImage::new(ColourFormat::R32F, 80, 2);
                let mut depths = DepthImage::new(DepthFormat::D24, 80, 2);
                depths.fill(D24_ONE.to_le());
                Draw::new(&shader)
                    .target(0, &mut image)
                    .blend(0, Blend::ADD)
                    .depth(
                        &mut depths,
                        DepthState {
                            compare,
                            write: true,
                        },
                    )
                    .quads(&quads)
                    .unwrap();
                for x in 0..80 {
                    assert_eq!(
                        image.pixel::<f32>(x, 1).unwrap(),
                        times,
                        "{text} {compare:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn quads_that_fail_an_early_test_are_not_shaded() {
    // Never ends where x > 8.
    let text = "again: setpgt p0, i0.x, 8\njmp p0, again\nmov o1, i15.w";
    for (text, early) in [
        (text.to_owned(), true),
        (format!("kil i15.w\n{text}"), false),
    ] {
        for shader in shaders(&text) {
            let mut image = ColourImage::new(ColourFormat::R32F, 20, 2);
            let mut depths = DepthImage::new(DepthFormat::D32F, 20, 2);
            depths.fill(8.0_f32 / 20.0);
            let depth = plane(0.0, 1.0 / 20.0, 0.0);
            let result = Draw::new(&shader)
                .varying(0, Varying::position(depth, plane(1.0, 0.0, 0.0)))
                .target(0, &mut image)
                .depth(&mut depths, DepthState::default())
                .rect(0..20, 0..2);
            if early {
                result.unwrap();
            } else {
                let error = result.unwrap_err();
                let is_budget = |error: &DrawError| {
                    matches!(
                        error,
                        DrawError::Span(SpanError::LoopBudget { x: 8, y: 0, .. })
                    )
                };
                assert!(is_budget(&error), "{error}");
            }
            for x in 0..20 {
                let expected = if x < 8 { 1.0 } else { 0.0 };
                assert_eq!(image.pixel::<f32>(x, 1).unwrap(), expected);
            }
        }
    }
}
