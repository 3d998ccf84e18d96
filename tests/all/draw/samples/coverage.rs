//! The samples that triangles, rectangles and quads cover.

use attila_shader::draw::{ColourBuffer, ColourImage, Draw, Quad, SampleQuad, Varying};
use attila_shader::machine::pipeline::ColourFormat;
use attila_shader::machine::{LaneMask, SampleCount, SamplePositions};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

use super::{anywhere, counting, floats, numbers, triangles};
use crate::draw::common::{numbered, plane, shaders};

/// Twice the area of a triangle, positive if its corners follow the clock with the first row at the top.
fn area([a, b, c]: [[i64; 2]; 3]) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Whether a point is inside of a triangle, or on a left edge, or on a horizontal edge with the inside
/// below: the rule of centres, for any point.
fn covers(mut triangle: [[i64; 2]; 3], point: [i64; 2]) -> bool {
    if area(triangle) == 0 {
        return false;
    }
    if area(triangle) < 0 {
        triangle.swap(1, 2);
    }
    (0..3).all(|edge| {
        let (from, to) = (triangle[edge], triangle[(edge + 1) % 3]);
        let side = area([from, to, point]);
        // With the clock, edges on the left go up, and the inside is below those that go to the right.
        let owns = to[1] < from[1] || to[1] == from[1] && to[0] > from[0];
        side > 0 || side == 0 && owns
    })
}

/// The samples of all pixels that a triangle covers, by the rule.
fn expected(triangle: [[i32; 2]; 3], size: [u32; 2], position: [i8; 2]) -> Vec<f32> {
    let triangle = triangle.map(|point| point.map(i64::from));
    let pixels = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| [x, y]));
    let covered = pixels.map(|pixel| {
        let along =
            |axis: usize| i64::from(pixel[axis]) * 256 + 128 + i64::from(position[axis]) * 16;
        f32::from(u8::from(covers(triangle, [along(0), along(1)])))
    });
    covered.collect()
}

#[test]
fn every_sample_is_covered_by_the_rule_of_centres_at_its_place() {
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    for shader in shaders("mov o1, i6") {
        for round in 0..60 {
            let count = SampleCount::ALL[round % 5];
            let positions = match round % 2 {
                0 => SamplePositions::standard(count).positions().to_vec(),
                _ => anywhere(&mut dice, count),
            };
            // Odd sizes, and edges that meet samples.
            let size = [(); 2].map(|()| dice.random_range(1..22_u32));
            let unit = [1, 16, 128][round % 3];
            let point = |_| [(); 2].map(|()| dice.random_range(-600..6000) / unit * unit);
            let mut triangle = [0, 1, 2].map(point);
            // Edges along the axes, and those that are not.
            let axis = round / 3 % 3;
            if axis < 2 {
                triangle[1][axis] = triangle[0][axis];
            }
            let mut image = floats(size, count);
            let draw = counting(Draw::new(&shader).sample_positions(&positions), &mut image);
            triangles(draw.threads(round % 3), &triangle, &[[0, 1, 2]]);
            for (sample, &position) in positions.iter().enumerate() {
                assert_eq!(
                    numbers(&image, sample),
                    expected(triangle, size, position),
                    "{triangle:?}, sample {sample} at {position:?}, {size:?}"
                );
            }
        }
    }
}

#[test]
fn triangles_that_share_an_edge_cover_every_sample_once() {
    let shaders = shaders("mov o1, i6");
    let mut dice = ChaCha8Rng::seed_from_u64(2);
    for round in 0..10_000_usize {
        let count = SampleCount::ALL[round % 5];
        let positions = anywhere(&mut dice, count);
        let size = [(); 2].map(|()| dice.random_range(1..24_u32));
        // Around a point, and all around the target.
        let rim = dice.random_range(3..9_i32);
        let reach = 9000.0;
        let start = dice.random_range(0.0..1.0_f64);
        let mut points = vec![size.map(|side| dice.random_range(0..=256 * side as i32))];
        points.extend((0..rim).map(|n| {
            let turn = (start + f64::from(n) / f64::from(rim)) * std::f64::consts::TAU;
            [turn.cos(), turn.sin()].map(|along| (4.0 * reach * along) as i32 + 2000)
        }));
        let next = |n: i32| (n % rim + 1).cast_unsigned();
        let indices: Vec<_> = (0..rim).map(|n| [0, next(n), next(n + 1)]).collect();
        let shader = &shaders[round % shaders.len()];
        let mut image = floats(size, count);
        let draw = counting(Draw::new(shader).sample_positions(&positions), &mut image);
        triangles(draw, &points, &indices);
        for sample in 0..count.count() {
            let all_once = numbers(&image, sample).iter().all(|hits| *hits == 1.0);
            assert!(all_once, "round {round}, sample {sample}");
        }
    }
}

#[test]
fn samples_at_one_place_are_the_picture_of_one_sample_there() {
    let mut dice = ChaCha8Rng::seed_from_u64(3);
    for shader in shaders("mov o1, i6") {
        for count in SampleCount::ALL {
            let place = [(); 2].map(|()| dice.random_range(-8..=7_i8));
            let triangle = [(); 3].map(|()| [(); 2].map(|()| dice.random_range(0..4000)));
            let draw = |count: SampleCount| {
                let mut image = floats([15, 14], count);
                let positions = vec![place; count.count()];
                let draw = Draw::new(&shader).sample_positions(&positions);
                triangles(counting(draw, &mut image), &triangle, &[[0, 1, 2]]);
                image
            };
            let (one, several) = (draw(SampleCount::One), draw(count));
            for sample in 0..count.count() {
                assert_eq!(several.sample(sample).bytes(), one.bytes(), "{count:?}");
            }
        }
    }
}

#[test]
fn a_rectangle_covers_all_samples_of_its_pixels() {
    for shader in shaders("mov o1, i6") {
        for format in ColourFormat::ALL {
            let drawn = |count: SampleCount| {
                let mut image = ColourImage::multisampled(format, 21, 9, count);
                let draw = Draw::new(&shader)
                    .varying(6, numbered())
                    .target(0, &mut image);
                draw.rect(3..21, 1..8).expect("the draw is right");
                image
            };
            let plain = drawn(SampleCount::One);
            for count in [SampleCount::Two, SampleCount::Four, SampleCount::Sixteen] {
                let image = drawn(count);
                let mut resolved = ColourImage::new(format, 21, 9);
                image.resolve_to(&mut resolved).expect("it fits");
                assert_eq!(resolved.bytes(), plain.bytes(), "{format:?}, {count:?}");
            }
        }
    }
}

#[test]
fn quads_may_say_which_samples_they_cover() {
    let quad = |x, coverage| SampleQuad { x, y: 0, coverage };
    let quads = [
        quad(0, [0b0001, 0b1000, 0, 0xffff]),
        quad(2, [0; 4]),
        quad(4, [0b0110; 4]),
    ];
    for shader in shaders("mov o1, i6") {
        let mut image = floats([6, 2], SampleCount::Four);
        let draw = counting(Draw::new(&shader), &mut image);
        draw.sample_quads(&quads).expect("the draw is right");
        let rows = |sample| numbers(&image, sample);
        let [x, o] = [1.0, 0.0];
        assert_eq!(rows(0), [x, o, o, o, o, o, o, x, o, o, o, o]);
        assert_eq!(rows(1), [o, o, o, o, x, x, o, x, o, o, x, x]);
        assert_eq!(rows(2), [o, o, o, o, x, x, o, x, o, o, x, x]);
        assert_eq!(rows(3), [o, x, o, o, o, o, o, x, o, o, o, o]);
        // Pixels with one sample look at sample 0, and lanes are all of their samples.
        let mut image = floats([6, 2], SampleCount::One);
        let draw = counting(Draw::new(&shader), &mut image);
        draw.sample_quads(&quads).expect("the draw is right");
        assert_eq!(numbers(&image, 0), [x, o, o, o, o, o, o, x, o, o, o, o]);
        let mut image = floats([2, 2], SampleCount::Two);
        let draw = counting(Draw::new(&shader), &mut image);
        let coverage = LaneMask::LANE0 | LaneMask::LANE3;
        let quads = [Quad {
            x: 0,
            y: 0,
            coverage,
        }];
        draw.quads(&quads).expect("the draw is right");
        assert_eq!(numbers(&image, 1), [x, o, o, x]);
    }
}

#[test]
fn a_mask_leaves_samples_as_they_are() {
    for shader in shaders("mov o1, i6") {
        for (mask, hits) in [
            (0b0101, [1.0, 0.0, 1.0, 0.0]),
            (0xf0, [0.0; 4]),
            (!0, [1.0; 4]),
        ] {
            let mut image = floats([9, 7], SampleCount::Four);
            let draw = counting(Draw::new(&shader).sample_mask(mask), &mut image);
            draw.rect(0..9, 0..7).expect("the draw is right");
            let points = [[-9000, -9000], [20000, -9000], [-9000, 20000]];
            let draw = counting(Draw::new(&shader).sample_mask(mask), &mut image);
            triangles(draw, &points, &[[0, 1, 2]]);
            for (sample, hits) in hits.into_iter().enumerate() {
                assert_eq!(numbers(&image, sample), [2.0 * hits; 63], "{mask:#b}");
            }
        }
        // One sample has a mask, too.
        let mut image = floats([4, 4], SampleCount::One);
        let draw = counting(Draw::new(&shader).sample_mask(2), &mut image);
        draw.rect(0..4, 0..4).expect("the draw is right");
        assert_eq!(numbers(&image, 0), [0.0; 16]);
    }
}

#[test]
fn a_pixel_is_kept_if_any_sample_of_the_raster_is_covered() {
    // A sliver between the centres of pixels.
    let points = [[-500, 130], [2500, 132], [2500, 150]];
    for shader in shaders(".extended fragment\npixld_mask r0\nu2f o1, r0") {
        let mut plain = floats([8, 1], SampleCount::One);
        triangles(
            Draw::new(&shader).target(0, &mut plain),
            &points,
            &[[0, 1, 2]],
        );
        assert_eq!(numbers(&plain, 0), [0.0; 8]);
        let mut image = floats([8, 1], SampleCount::One);
        let draw = Draw::new(&shader)
            .raster_samples(SampleCount::Sixteen)
            .target(0, &mut image);
        triangles(draw, &points, &[[0, 1, 2]]);
        let samples = SamplePositions::standard(SampleCount::Sixteen);
        let expected: Vec<f32> = (0..8)
            .map(|x| {
                let covered = samples
                    .positions()
                    .iter()
                    .enumerate()
                    .filter(|(_, position)| {
                        let [dx, dy] = position.map(i64::from);
                        let at = [x * 256 + 128 + 16 * dx, 128 + 16 * dy];
                        covers(points.map(|point| point.map(i64::from)), at)
                    });
                covered.map(|(sample, _)| 1 << sample).sum::<u32>() as f32
            })
            .collect();
        assert!(expected.iter().any(|mask| *mask > 0.0));
        assert_eq!(numbers(&image, 0), expected);
    }
}

/// Samples that all get the same may be shaded into one plane and copied. The others keep what they have: pixels
/// beside the rectangle, fragments that are killed, and memory between rows and planes.
#[test]
fn what_all_samples_get_is_in_every_plane_and_nowhere_else() {
    const SIZE: [usize; 2] = [37, 23];
    let [columns, rows] = [3..36, 1..22];
    let (pitch, apart) = (SIZE[0] + 3, (SIZE[0] + 3) * SIZE[1] + 5);
    for (text, is_kept) in [("mov o1, i6", true), ("kil i6.y\nmov o1, i6", false)] {
        for shader in shaders(text) {
            for samples in [SampleCount::Two, SampleCount::Sixteen] {
                let before = (0..apart * samples.count()).map(|place| -1.0 - place as f32);
                let before: Vec<f32> = before.collect();
                let mut memory = before.clone();
                let [width, height] = SIZE.map(|side| side as u32);
                let buffer = ColourBuffer::new(ColourFormat::R32F, width, height, &mut memory)
                    .with_pitch(4 * pitch)
                    .with_samples(samples)
                    .with_sample_pitch(4 * apart);
                let killed = plane(if is_kept { 1.0 } else { -1.0 }, 0.0, 0.0);
                let value = plane(0.0, 1.0, 64.0);
                Draw::new(&shader)
                    .varying(6, Varying::linear([value, killed, value, value]))
                    .target(0, buffer)
                    .rect(columns.start..columns.end, rows.start..rows.end)
                    .expect("the draw is right");
                let mut expected = before;
                for sample in 0..samples.count() {
                    for row in rows.clone().filter(|_| is_kept) {
                        for column in columns.clone() {
                            let value = (column as f32 + 0.5) + 64.0 * (row as f32 + 0.5);
                            let place = sample * apart + row as usize * pitch + column as usize;
                            expected[place] = value;
                        }
                    }
                }
                assert_eq!(memory, expected, "{text}, {samples:?}");
            }
        }
    }
}
