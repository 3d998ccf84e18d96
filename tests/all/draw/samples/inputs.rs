//! Where inputs are evaluated, and what programs see of samples.

use attila_shader::Bindings;
use attila_shader::draw::{
    ColourImage, DepthImage, DepthState, Draw, Location, SampleQuad, Varying,
};
use attila_shader::machine::arith::fma;
use attila_shader::machine::pipeline::{ColourFormat, Compare, DepthFormat};
use attila_shader::machine::{SampleCount, SamplePositions};

use super::{floats, numbers};
use crate::draw::common::{plane, shaders};

/// Samples covered of each lane.
const COVERAGE: [u16; 4] = [0b1111, 0b1100, 0, 0b0010];

fn quad() -> [SampleQuad; 1] {
    [SampleQuad {
        x: 2,
        y: 4,
        coverage: COVERAGE,
    }]
}

/// x and 100 y, and with perspective over 1/w, which is not the same everywhere.
fn inputs(draw: Draw<'_>, location: Location) -> Draw<'_> {
    let across = plane(0.0, 1.0, 100.0);
    draw.varying(
        0,
        Varying::position(plane(0.5, 0.0, 0.0), plane(1.0, 0.25, 0.125)).at(location),
    )
    .varying(6, Varying::linear([across; 4]).at(location))
    .varying(7, Varying::perspective([across; 4]).at(location))
}

/// The four components of a sample, at the quad's pixels.
fn colours(image: &ColourImage, sample: usize) -> [[f32; 4]; 4] {
    let pixel = |x, y| image.sample(sample).pixel::<[f32; 4]>(x, y);
    [(2, 4), (3, 4), (2, 5), (3, 5)].map(|(x, y)| pixel(x, y).expect("the pixel is there"))
}

/// The inputs at a place of a lane.
fn at(lane: usize, [dx, dy]: [f32; 2]) -> [f32; 4] {
    let x = 2.5 + (lane % 2) as f32 + dx / 16.0;
    let y = 4.5 + (lane / 2) as f32 + dy / 16.0;
    let value = fma(x, 1.0, fma(y, 100.0, 0.0));
    let w = 1.0 / fma(x, 0.25, fma(y, 0.125, 1.0));
    [value, value * w, x, y]
}

const TEXT: &str = "mov o1.x, i6.x\nmov o1.y, i7.y\nmov o1.z, i0.x\nmov o1.w, i0.y";

fn drawn(location: Location, shades: bool) -> Vec<ColourImage> {
    let shaders = shaders(TEXT).into_iter();
    let draw = shaders.map(|shader| {
        let mut image = ColourImage::multisampled(ColourFormat::Rgba32F, 6, 6, SampleCount::Four);
        inputs(Draw::new(&shader), location)
            .sample_shading(shades)
            .target(0, &mut image)
            .sample_quads(&quad())
            .expect("the draw is right");
        image
    });
    draw.collect()
}

fn standard() -> Vec<[f32; 2]> {
    let positions = SamplePositions::standard(SampleCount::Four);
    positions
        .positions()
        .iter()
        .map(|at| at.map(f32::from))
        .collect()
}

#[test]
fn a_centroid_is_the_lowest_covered_sample_or_the_centre() {
    let samples = standard();
    for image in drawn(Location::Centroid, false) {
        assert_eq!(colours(&image, 3)[0], at(0, [0.0; 2]));
        assert_eq!(colours(&image, 3)[1], at(1, samples[2]));
        assert_eq!(colours(&image, 1)[3], at(3, samples[1]));
        assert_eq!(colours(&image, 1)[2], [0.0; 4], "it is not covered");
    }
    for image in drawn(Location::Centre, false) {
        assert_eq!(colours(&image, 2)[1], at(1, [0.0; 2]));
    }
}

#[test]
fn inputs_of_samples_are_at_the_samples() {
    let samples = standard();
    let all = [
        (Location::Sample, false),
        (Location::Centroid, true),
        (Location::Centre, true),
    ];
    for (location, shades) in all {
        for image in drawn(location, shades) {
            for (sample, &position) in samples.iter().enumerate() {
                for (lane, coverage) in COVERAGE.into_iter().enumerate() {
                    let covered = coverage >> sample & 1 != 0;
                    let expected = if covered {
                        at(lane, position)
                    } else {
                        [0.0; 4]
                    };
                    assert_eq!(colours(&image, sample)[lane], expected, "{location:?}");
                }
            }
        }
    }
}

#[test]
fn derivatives_are_between_samples_of_the_same_number() {
    for shader in shaders("ddx r0, i6\nddy r1, i6\nmov o1.x, r0.x\nadd o1.y, r1.x, 0.0") {
        let mut image = ColourImage::multisampled(ColourFormat::Rgba32F, 6, 6, SampleCount::Four);
        inputs(Draw::new(&shader), Location::Sample)
            .target(0, &mut image)
            .rect(2..4, 4..6)
            .expect("the draw is right");
        for sample in 0..4 {
            assert_eq!(
                colours(&image, sample).map(|[x, y, ..]| [x, y]),
                [[1.0, 100.0]; 4]
            );
        }
    }
}

#[test]
fn evaluated_inputs_are_those_of_the_location() {
    let equal = [
        // At the packed centroid, which is the centroid's own location.
        (
            "pixld_centroid r0.x\nevalo r1, i6, r0.x\nevalo r2, i7, r0.x",
            Location::Centroid,
            false,
        ),
        ("evalc r1, i6\nevalc r2, i7", Location::Centroid, false),
        // At the own sample.
        (
            "pixld_index r0.x\npixld_offset r0.x, [r0.x + 0]\nevalo r1, i6, r0.x\nevalo r2, i7, r0.x",
            Location::Sample,
            true,
        ),
        (
            "pixld_index r0.x\nevals r1, i6, r0.x\nevals r2, i7, r0.x",
            Location::Sample,
            true,
        ),
    ];
    for (text, location, shades) in equal {
        let text = format!(".extended fragment\n{text}\nmov o1.x, r1.x\nmov o1.y, r2.y");
        let expected = drawn(location, shades);
        for (shader, expected) in shaders(&text).into_iter().zip(expected) {
            let mut image =
                ColourImage::multisampled(ColourFormat::Rgba32F, 6, 6, SampleCount::Four);
            inputs(Draw::new(&shader), Location::Centre)
                .sample_shading(shades)
                .target(0, &mut image)
                .sample_quads(&quad())
                .expect("the draw is right");
            for sample in 0..4 {
                let both =
                    [&image, &expected].map(|it| colours(it, sample).map(|[x, y, ..]| [x, y]));
                assert_eq!(both[0], both[1], "{text}");
            }
        }
    }
}

#[test]
fn programs_see_coverage_before_depth_and_without_masked_samples() {
    let text = ".extended fragment\npixld_mask r0.x\npixld_count r0.y\npixld_index r0.z, p0\n\
                u2f o1.xyz, r0\n(p0) add o1.w, r9, 1.0";
    for shader in shaders(text) {
        for shades in [false, true] {
            let mut image =
                ColourImage::multisampled(ColourFormat::Rgba32F, 6, 6, SampleCount::Four);
            Draw::new(&shader)
                .sample_mask(0b0111)
                .sample_shading(shades)
                .target(0, &mut image)
                .sample_quads(&quad())
                .expect("the draw is right");
            for (lane, coverage) in COVERAGE.into_iter().enumerate() {
                let coverage = coverage & 0b0111;
                for sample in 0..4 {
                    let own = if shades { sample as f32 } else { 0.0 };
                    let expected = match coverage >> sample & 1 {
                        0 => [0.0; 4],
                        _ => [coverage.into(), 4.0, own, f32::from(u8::from(shades))],
                    };
                    assert_eq!(colours(&image, sample)[lane], expected, "{shades}");
                }
            }
        }
    }
}

#[test]
fn programs_see_samples_whose_depth_fails_early() {
    let less = |write| DepthState {
        compare: Compare::Less,
        write,
    };
    let depth = |at| Varying::position(plane(at, 0.0, 0.0), plane(1.0, 0.0, 0.0));
    for shader in shaders(".extended fragment\npixld_mask r0.x\nu2f o1, r0.x") {
        for shades in [false, true] {
            let mut image =
                ColourImage::multisampled(ColourFormat::Rgba32F, 6, 6, SampleCount::Four);
            let mut stored = DepthImage::multisampled(DepthFormat::D32F, 6, 6, SampleCount::Four);
            stored.fill(1.0_f32);
            // Something nearer is at sample 1.
            Draw::new(&shader)
                .varying(0, depth(0.25))
                .sample_mask(0b0010)
                .depth(&mut stored, less(true))
                .rect(0..6, 0..6)
                .expect("the draw is right");
            Draw::new(&shader)
                .varying(0, depth(0.5))
                .sample_shading(shades)
                .target(0, &mut image)
                .depth(&mut stored, less(false))
                .sample_quads(&quad())
                .expect("the draw is right");
            for (lane, coverage) in COVERAGE.into_iter().enumerate() {
                for sample in 0..4 {
                    let is_seen = coverage >> sample & 1 != 0 && sample != 1;
                    let expected = if is_seen { coverage.into() } else { 0.0 };
                    assert_eq!(colours(&image, sample)[lane], [expected; 4], "{shades}");
                }
            }
        }
    }
}

/// A neighbour sees it by its derivative.
#[test]
fn a_fragment_without_a_covered_sample_knows_it() {
    let text = ".extended fragment\npixld_mask r0.x\nu2f r0.x, r0.x\nddx r1, r0.x\nmov o1, r1";
    for shader in shaders(text) {
        let mut image = ColourImage::multisampled(ColourFormat::Rgba32F, 6, 6, SampleCount::Four);
        Draw::new(&shader)
            .target(0, &mut image)
            .sample_quads(&quad())
            .expect("the draw is right");
        // The left of the two has none.
        assert_eq!(colours(&image, 1)[3], [2.0; 4]);
        assert_eq!(colours(&image, 0)[0], [-3.0; 4]);
    }
}

#[test]
fn one_sample_is_shaded_once_and_knows_its_number_if_it_is_asked_for() {
    let text = ".extended fragment\npixld_index r0.x, p0\nadd o1, r9, 0.5\n(p0) add o1, r9, 1.0";
    for shader in shaders(text) {
        for (shades, expected) in [(false, 0.5), (true, 1.0)] {
            let mut image = floats([2, 2], SampleCount::One);
            let bindings = Bindings::new();
            Draw::new(&shader)
                .bindings(&bindings)
                .sample_shading(shades)
                .target(0, &mut image)
                .rect(0..2, 0..2)
                .expect("the draw is right");
            assert_eq!(numbers(&image, 0), [expected; 4]);
        }
    }
}
