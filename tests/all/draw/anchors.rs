//! Anchors: planes that start far outside of the targets, as those of tiles of a larger picture do.

use attila_shader::Shader;
use attila_shader::draw::{
    Buffer, ColourBuffer, ColourImage, Draw, Plane, Quad, Varying, Vertices,
};
use attila_shader::machine::LaneMask;
use attila_shader::machine::arith::fma;
use attila_shader::machine::pipeline::ColourFormat;

use super::common::{plane, shaders};

/// Columns of a picture that no one target can be.
const WIDTH: u32 = 65_536;
const HEIGHT: u32 = 3;

/// Planes whose values differ from column to column, and are rounded everywhere.
const PLANES: [Plane; 4] = [
    plane(0.0, 1.0, 0.0),
    plane(0.1, 0.3, 0.7),
    plane(-20_000.25, 1.0 / 3.0, -5.0),
    plane(1e-3, -1.0 / 7.0, 1.0 / 9.0),
];

/// The values of the planes at a pixel's centre, so far from the anchor.
fn values(planes: [Plane; 4], [x, y]: [f32; 2]) -> [f32; 4] {
    planes.map(|p| fma(x, p.dx, fma(y, p.dy, p.at)))
}

/// The picture, in tiles of that many columns.
fn tiled(shader: &Shader, tile: u32) -> Vec<[f32; 4]> {
    let mut pixels = vec![[0.0_f32; 4]; (WIDTH * HEIGHT) as usize];
    let format = ColourFormat::Rgba32F;
    for left in (0..WIDTH).step_by(tile as usize) {
        let buffer: ColourBuffer<'_> =
            Buffer::new(format, tile, HEIGHT, &mut pixels[left as usize..]);
        Draw::new(shader)
            .varying(6, Varying::linear(PLANES))
            .anchor([-(left as f32), 0.0])
            .target(0, buffer.with_pitch(WIDTH as usize * format.size()))
            .rect(0..tile, 0..HEIGHT)
            .unwrap();
    }
    pixels
}

#[test]
fn a_picture_of_65536_columns_is_the_same_however_it_is_tiled() {
    let places = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| [x, y]));
    let centres = places.map(|place| place.map(|c| c as f32 + 0.5));
    let expected: Vec<_> = centres.map(|centre| values(PLANES, centre)).collect();
    for shader in shaders("mov o1, i6") {
        for tile in [2048, 16_384, 32_768] {
            assert!(tiled(&shader, tile) == expected, "tiles of {tile} columns");
        }
    }
}

const SIZE: u32 = 5;

/// The pixels of a small target with a plane over it, drawn as a rectangle and as a list.
fn drawn(shader: &Shader, planes: [Plane; 4], anchor: [f32; 2]) -> [Vec<[f32; 4]>; 2] {
    let quads: Vec<Quad> = (0..9)
        .map(|index| Quad {
            x: index % 3 * 2,
            y: index / 3 * 2,
            coverage: LaneMask::all(),
        })
        .collect();
    [false, true].map(|listed| {
        let mut image = ColourImage::new(ColourFormat::Rgba32F, SIZE, SIZE);
        let draw = Draw::new(shader)
            .varying(6, Varying::linear(planes))
            .anchor(anchor)
            .target(0, &mut image);
        let result = match listed {
            false => draw.rect(0..SIZE, 0..SIZE),
            true => draw.quads(&quads),
        };
        result.unwrap();
        places()
            .map(|[x, y]| image.pixel::<[f32; 4]>(x, y).unwrap())
            .collect()
    })
}

fn places() -> impl Iterator<Item = [u32; 2]> {
    (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| [x, y]))
}

#[test]
fn planes_are_exact_from_anchors_up_to_2_to_the_23rd() {
    let far = ((1 << 23) - (1 << 15)) as f32;
    for shader in shaders("mov o1, i6") {
        for at in [32_768.0, 40_000.0, 60_000.25, 1e6, 3_000_001.0, far] {
            for anchor in [[-at, 0.0], [at, -at], [3.5, at]] {
                let expected: Vec<_> = places()
                    .map(|place| [0, 1].map(|axis| place[axis] as f32 + 0.5 - anchor[axis]))
                    .map(|distance| values(PLANES, distance))
                    .collect();
                for pixels in drawn(&shader, PLANES, anchor) {
                    assert_eq!(pixels, expected, "from {anchor:?}");
                }
            }
        }
    }
}

#[test]
fn planes_are_right_to_the_last_places_from_anchors_up_to_2_to_the_24th() {
    let exact = |plane: Plane, distance: [f64; 2]| {
        let [at, dx, dy] = [plane.at, plane.dx, plane.dy].map(f64::from);
        at + dx * distance[0] + dy * distance[1]
    };
    for shader in shaders("mov o1, i6") {
        for at in [8_355_842.0, 8_388_609.0, 12_345_679.0, 16_777_216.0] {
            for anchor in [[-at, 0.0], [at, 2.5], [-at, at], [0.0, -at]] {
                let found = drawn(&shader, PLANES, anchor);
                for pixels in found {
                    for (place, pixel) in places().zip(pixels) {
                        let distance = [0, 1]
                            .map(|axis| f64::from(place[axis]) + 0.5 - f64::from(anchor[axis]));
                        for (plane, value) in PLANES.into_iter().zip(pixel) {
                            let exact = exact(plane, distance);
                            let off = (f64::from(value) - exact).abs();
                            // The terms are far larger than their sum if both axes are far away.
                            let size = exact.abs().max(at as f64 * f64::from(plane.dx.abs()));
                            assert!(off <= 2e-7 * size, "{value} for {exact} from {anchor:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_value_that_does_not_change_keeps_its_bits_however_far_the_anchor_is() {
    let planes = [-0.0, 0.1, f32::MIN_POSITIVE / 4.0, -1e30].map(|at| plane(at, 0.0, 0.0));
    for shader in shaders("mov o1, i6") {
        for anchor in [[-16_777_216.0, 16_777_216.0], [0.25, -1e7]] {
            let mut image = ColourImage::new(ColourFormat::Rgba32F, SIZE, SIZE);
            let [x, y, z, w] = planes.map(|plane| Varying::flat([plane.at; 4]));
            Draw::new(&shader)
                .varying(6, Varying::join(x, y, z, w))
                .anchor(anchor)
                .target(0, &mut image)
                .rect(0..SIZE, 0..SIZE)
                .unwrap();
            let bits = image.pixel::<[u32; 4]>(3, 3).unwrap();
            assert_eq!(bits, planes.map(|plane| plane.at.to_bits()));
        }
    }
}

#[test]
fn planes_over_triangles_start_from_far_anchors_too() {
    let corners = [[0.0, 0.0], [12.0, 0.0], [0.0, 12.0]];
    let corners = corners.map(|[x, y]: [f32; 2]| [x, y, 0.5, 1.0]);
    let across = [plane(0.25, 1.0 / 64.0, 1.0); 4];
    for shader in shaders("mov o1, i6") {
        for at in [40_000.0, 1_000_000.0, 16_777_216.0] {
            let mut image = ColourImage::new(ColourFormat::Rgba32F, SIZE, SIZE);
            Draw::new(&shader)
                .varying(6, Varying::linear(across))
                .anchor([-at, 0.0])
                .target(0, &mut image)
                .triangles(&Vertices::new(&corners), &[[0, 1, 2]])
                .unwrap();
            let expected = 0.25 + (4.5 + f64::from(at)) / 64.0 + 1.5;
            let [red, ..] = image.pixel::<[f32; 4]>(4, 1).unwrap();
            let off = (f64::from(red) - expected).abs();
            assert!(off <= 1e-7 * expected, "{red} for {expected}");
        }
    }
}

#[test]
fn anchors_that_are_no_numbers_or_farther_away_are_errors() {
    let next = 16_777_218.0;
    for shader in shaders("mov o1, i6") {
        for (anchor, shown) in [
            ([f32::NAN, 0.0], "(NaN, 0)"),
            ([0.0, f32::NAN], "(0, NaN)"),
            ([0.5, f32::INFINITY], "(0.5, inf)"),
            ([f32::NEG_INFINITY, 0.0], "(-inf, 0)"),
            ([next, 0.0], "(16777218, 0)"),
            ([1.0, -next], "(1, -16777218)"),
        ] {
            let expected =
                format!("the anchor is at {shown}; the limit is 16777216 pixels along either axis");
            let mut image = ColourImage::new(ColourFormat::R32F, SIZE, SIZE);
            image.fill(7.0_f32);
            let varying = Varying::linear([plane(0.0, 1.0, 0.0); 4]);
            let draw = Draw::new(&shader).varying(6, varying).anchor(anchor);
            let error = draw.target(0, &mut image).rect(0..SIZE, 0..SIZE);
            let error = error.unwrap_err();
            assert_eq!(error.to_string(), expected);
            assert!(places().all(|[x, y]| image.pixel::<f32>(x, y).unwrap() == 7.0));
            let draw = Draw::new(&shader).varying(6, varying).anchor(anchor);
            let error = draw.target(0, &mut image).prepare().unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }
}
