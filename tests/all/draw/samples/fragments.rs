//! What is done for each sample: depth, kills, alpha, blending.

use attila_shader::draw::{ColourImage, DepthImage, DepthState, Draw, Varying};
use attila_shader::machine::SampleCount;
use attila_shader::machine::pipeline::{Compare, DepthFormat};

use super::{counting, floats, numbers, triangles};
use crate::draw::common::{plane, shaders};

const LESS: DepthState = DepthState {
    compare: Compare::Less,
    write: true,
};

/// The first pixel's samples.
fn first(image: &ColourImage) -> Vec<f32> {
    let samples = 0..image.samples().count();
    samples.map(|sample| numbers(image, sample)[0]).collect()
}

fn depths(image: &DepthImage) -> Vec<f32> {
    let samples = 0..image.samples().count();
    let depth = |sample| image.sample(sample).pixel::<f32>(0, 0);
    samples
        .map(|sample| depth(sample).expect("the pixel is there"))
        .collect()
}

#[test]
fn depth_is_that_of_the_plane_at_each_sample() {
    // Early, and after a program that may kill.
    for text in ["add o1, r0, 1.0", "add r1, r0, 1.0\nkil r1\nmov o1, r1"] {
        for shader in shaders(text) {
            for shades in [false, true] {
                let mut image = floats([2, 2], SampleCount::Four);
                let mut stored =
                    DepthImage::multisampled(DepthFormat::D32F, 2, 2, SampleCount::Four);
                stored.fill(0.5_f32);
                // 0.5 at the centre of the first pixel, and 1/16 more per sixteenth of a pixel down.
                let depth = plane(0.0, 0.0, 1.0);
                Draw::new(&shader)
                    .varying(0, Varying::position(depth, plane(1.0, 0.0, 0.0)))
                    .sample_shading(shades)
                    .target(0, &mut image)
                    .depth(&mut stored, LESS)
                    .rect(0..1, 0..1)
                    .expect("the draw is right");
                // Samples are at -6, -2, 2 and 6 sixteenths.
                assert_eq!(first(&image), [1.0, 1.0, 0.0, 0.0], "{text}");
                assert_eq!(depths(&stored), [0.125, 0.375, 0.5, 0.5], "{text}");
            }
        }
    }
}

#[test]
fn exported_depths_are_for_one_sample_or_for_all() {
    for (text, expected) in [
        ("zxp c0.y\nadd o1, r0, 1.0", [0.2; 4]),
        ("mov o0.z, c0.w\nadd o1, r0, 1.0", [0.4; 4]),
        ("zxs c0, s0\nadd o1, r0, 1.0", [0.1, 0.2, 0.3, 0.4]),
        ("chs\nzxs c0, s0\nadd o1, r0, 1.0", [0.0, 0.1, 0.2, 0.3]),
    ] {
        for shader in shaders(text) {
            for shades in [false, true] {
                let bindings =
                    attila_shader::Bindings::new().with_constant(0, [0.1, 0.2, 0.3, 0.4]);
                let mut image = floats([1, 1], SampleCount::Four);
                let mut stored =
                    DepthImage::multisampled(DepthFormat::D32F, 1, 1, SampleCount::Four);
                stored.fill(1.0_f32);
                Draw::new(&shader)
                    .bindings(&bindings)
                    .sample_shading(shades)
                    .target(0, &mut image)
                    .depth(&mut stored, LESS)
                    .rect(0..1, 0..1)
                    .expect("the draw is right");
                assert_eq!(depths(&stored), expected, "{text}");
            }
        }
    }
}

#[test]
fn a_sample_can_be_killed_alone() {
    for (text, expected) in [
        (
            "add r1, r0, 1.0\nkls -r1, s2\nmov o1, r1",
            [1.0, 1.0, 0.0, 1.0],
        ),
        ("add r1, r0, 1.0\nkls r1, s2\nmov o1, r1", [1.0; 4]),
        ("add r1, r0, 1.0\nkil -r1\nmov o1, r1", [0.0; 4]),
    ] {
        for shader in shaders(text) {
            for shades in [false, true] {
                let mut image = floats([3, 1], SampleCount::Four);
                let draw = Draw::new(&shader).sample_shading(shades);
                let drawn = draw.target(0, &mut image).rect(0..3, 0..1);
                drawn.expect("the draw is right");
                assert_eq!(first(&image), expected, "{text}");
            }
        }
    }
    // One sample goes with the fragment.
    for shader in shaders("add r1, r0, 1.0\nkls -r1, s0\nmov o1, r1") {
        let mut image = floats([1, 1], SampleCount::One);
        let draw = Draw::new(&shader).sample_positions(&[[3, 3]]);
        let drawn = draw.target(0, &mut image).rect(0..1, 0..1);
        drawn.expect("the draw is right");
        assert_eq!(first(&image), [1.0]);
    }
}

#[test]
fn alpha_chooses_so_many_samples() {
    let nan = f32::NAN;
    for (alpha, expected) in [
        (0.0, [0.0, 0.0, 0.0, 0.0]),
        (0.12, [0.0, 0.0, 0.0, 0.0]),
        (0.125, [1.0, 0.0, 0.0, 0.0]),
        (0.6, [1.0, 1.0, 0.0, 0.0]),
        (0.9, [1.0, 1.0, 1.0, 1.0]),
        (nan, [1.0, 1.0, 1.0, 1.0]),
        (-5.0, [0.0, 0.0, 0.0, 0.0]),
        (f32::INFINITY, [1.0, 1.0, 1.0, 1.0]),
    ] {
        for shader in shaders("add o1, r0, 1.0\nmov o1.w, c0.x") {
            for shades in [false, true] {
                let bindings = attila_shader::Bindings::new().with_constant(0, [alpha; 4]);
                let mut image = floats([1, 1], SampleCount::Four);
                Draw::new(&shader)
                    .bindings(&bindings)
                    .alpha_to_coverage(true)
                    .sample_shading(shades)
                    .target(0, &mut image)
                    .rect(0..1, 0..1)
                    .expect("the draw is right");
                assert_eq!(first(&image), expected, "alpha {alpha}");
            }
        }
    }
}

#[test]
fn blending_reads_each_sample() {
    for shader in shaders("mov o1, i6") {
        let mut image = floats([5, 5], SampleCount::Two);
        for points in [
            [[0, 0], [2560, 0], [0, 2560]],
            [[1280, 0], [1280, 1280], [0, 1280]],
        ] {
            let draw = counting(Draw::new(&shader), &mut image);
            triangles(draw, &points, &[[0, 1, 2]]);
        }
        let sums: Vec<_> = (0..2).map(|sample| numbers(&image, sample)).collect();
        assert!(
            sums.iter()
                .all(|plane| plane.contains(&1.0) && plane.contains(&2.0))
        );
        assert_ne!(sums[0], sums[1]);
    }
}

#[test]
fn a_quad_without_a_sample_that_passes_early_is_not_shaded() {
    // A loop that would not end.
    let text = "again: add r0, r0, 1.0\njmp !p0, again\nmov o1, r0";
    for shader in shaders(text) {
        let mut image = floats([4, 4], SampleCount::Four);
        let mut stored = DepthImage::multisampled(DepthFormat::D24, 4, 4, SampleCount::Four);
        Draw::new(&shader)
            .target(0, &mut image)
            .depth(&mut stored, LESS)
            .rect(0..4, 0..4)
            .expect("nothing is shaded");
        // Neither is one of which the mask leaves nothing.
        let quads = [attila_shader::draw::SampleQuad {
            x: 0,
            y: 0,
            coverage: [0b0010; 4],
        }];
        Draw::new(&shader)
            .target(0, &mut image)
            .sample_mask(0b1101)
            .sample_quads(&quads)
            .expect("nothing is shaded");
    }
}
