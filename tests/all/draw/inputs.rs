//! Sources of inputs.

use attila_shader::Shader;
use attila_shader::draw::{ColourImage, Draw, Plane, Quad, Varying};
use attila_shader::machine::LaneMask;
use attila_shader::machine::QuadReg;
use attila_shader::machine::arith::fma;
use attila_shader::machine::pipeline::ColourFormat;

use super::common::{plane, shaders};

const SIZE: u32 = 7;

/// The colours of a small float target, row by row.
fn drawn(shader: &Shader, with: impl for<'a> FnOnce(Draw<'a>) -> Draw<'a>) -> Vec<[f32; 4]> {
    let mut image = ColourImage::new(ColourFormat::Rgba32F, SIZE, SIZE);
    let draw = with(Draw::new(shader).target(0, &mut image));
    draw.rect(0..SIZE, 0..SIZE).unwrap();
    places()
        .map(|(x, y)| image.pixel::<[f32; 4]>(x, y).unwrap())
        .collect()
}

fn places() -> impl Iterator<Item = (u32, u32)> {
    (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y)))
}

#[test]
fn i0_is_the_position_and_i15_the_face_unless_they_are_set() {
    for shader in shaders("mov o1, i0") {
        let colours = drawn(&shader, |draw| draw);
        for ((x, y), colour) in places().zip(colours) {
            assert_eq!(colour, [x as f32 + 0.5, y as f32 + 0.5, 0.5, 1.0]);
        }
        let given = Varying::position(plane(0.0, 0.0, 2.0), plane(0.0, 4.0, 0.0));
        let colours = drawn(&shader, |draw| draw.varying(0, given));
        for ((x, y), colour) in places().zip(colours) {
            let (x, y) = (x as f32 + 0.5, y as f32 + 0.5);
            assert_eq!(colour, [x, y, 2.0 * y, 4.0 * x]);
        }
    }
    for shader in shaders("mov o1, i15.w") {
        assert!(drawn(&shader, |draw| draw).iter().all(|it| *it == [1.0; 4]));
        let back = Varying::flat([0.0, 0.0, 0.0, -1.0]);
        let colours = drawn(&shader, |draw| draw.varying(15, back));
        assert!(colours.iter().all(|it| *it == [-1.0; 4]));
    }
}

#[test]
fn planes_are_evaluated_with_two_fused_steps() {
    let planes = [
        plane(0.1, 0.3, 0.7),
        plane(-1e-3, 1e7, 3.3),
        plane(1e30, 1e-30, -0.0),
        plane(1.0 / 3.0, -1.0 / 7.0, 1.0 / 9.0),
    ];
    for shader in shaders("mov o1, i6") {
        for anchor in [[0.0, 0.0], [2.25, -3.5]] {
            let colours = drawn(&shader, |draw| {
                draw.varying(6, Varying::linear(planes)).anchor(anchor)
            });
            for ((x, y), colour) in places().zip(colours) {
                let (x, y) = (x as f32 + 0.5 - anchor[0], y as f32 + 0.5 - anchor[1]);
                let value = |p: Plane| fma(x, p.dx, fma(y, p.dy, p.at));
                assert_eq!(colour, planes.map(value));
            }
        }
    }
}

#[test]
fn anchors_become_multiples_of_a_256th() {
    for shader in shaders("mov o1, i6") {
        let across = Varying::linear([plane(0.0, 1.0, 0.0); 4]);
        // Farther away they are as fine as keeps distances exact.
        for (anchor, snapped) in [
            (0.1, 26.0 / 256.0),
            (32_768.0, 32_768.0),
            (40_000.004, 40_000.0),
            (-40_000.004, -40_000.0),
            (98_305.04, 98_305.0 + 1.0 / 32.0),
            (5_000_000.4, 5_000_000.5),
        ] {
            let colours = drawn(&shader, |draw| {
                draw.varying(6, across).anchor([anchor, 0.0])
            });
            assert_eq!(colours[0], [0.5 - snapped; 4]);
        }
    }
}

#[test]
fn perspective_is_within_1e_5_of_the_exact_value() {
    // 1/w falls from 1 to 1/4 across, and a texture coordinate runs from 0 to 8.
    let one_over_w = plane(1.0, -0.75 / SIZE as f32, 0.0);
    let coordinate = plane(0.0, 2.0 / SIZE as f32, 0.0);
    for shader in shaders("mov o1, i6") {
        let colours = drawn(&shader, |draw| {
            draw.varying(0, Varying::position(plane(0.5, 0.0, 0.0), one_over_w))
                .varying(6, Varying::perspective([coordinate; 4]))
        });
        for ((x, _), colour) in places().zip(colours) {
            let x = f64::from(x) + 0.5;
            let over_w = x * f64::from(coordinate.dx);
            let exact = over_w / (1.0 + x * f64::from(one_over_w.dx));
            let error = (f64::from(colour[2]) - exact).abs() / exact;
            assert!(error < 1e-5, "{} instead of {exact}", colour[2]);
        }
    }
}

#[test]
fn perspective_multiplies_by_the_reciprocal_of_one_over_w() {
    let one_over_w = plane(0.3, 0.01, 0.02);
    let planes = [
        plane(0.1, 0.3, 0.7),
        plane(3.0, 0.0, 0.0),
        plane(0.0, 0.0, 1.0),
        plane(-1.0, 0.2, 0.0),
    ];
    for shader in shaders("mov o1, i6") {
        let colours = drawn(&shader, |draw| {
            draw.varying(0, Varying::position(plane(0.5, 0.0, 0.0), one_over_w))
                .varying(6, Varying::perspective(planes))
        });
        for ((x, y), colour) in places().zip(colours) {
            let (x, y) = (x as f32 + 0.5, y as f32 + 0.5);
            let value = |p: Plane| fma(x, p.dx, fma(y, p.dy, p.at));
            let w = 1.0 / value(one_over_w);
            assert_eq!(colour, planes.map(|plane| value(plane) * w));
        }
    }
}

#[test]
fn components_may_come_from_different_places() {
    let registers: [QuadReg; 1] = [[[1, 2, 3, 4].map(|lane| f32::to_bits(lane as f32)); 4]];
    let quad = Quad {
        x: 2,
        y: 4,
        coverage: LaneMask::all(),
    };
    let joined = Varying::join(
        Varying::quads(&registers),
        Varying::flat([0.0, 7.0, 0.0, 0.0]),
        Varying::linear([plane(0.0, 1.0, 0.0); 4]),
        Varying::perspective([plane(6.0, 0.0, 0.0); 4]),
    );
    let half = Varying::position(plane(0.0, 0.0, 0.0), plane(0.5, 0.0, 0.0));
    for shader in shaders("mov o1, i6") {
        let mut image = ColourImage::new(ColourFormat::Rgba32F, SIZE, SIZE);
        Draw::new(&shader)
            .varying(6, joined)
            .varying(0, half)
            .target(0, &mut image)
            .quads(&[quad])
            .unwrap();
        for (lane, (x, y)) in [(2, 4), (3, 4), (2, 5), (3, 5)].into_iter().enumerate() {
            let expected = [lane as f32 + 1.0, 7.0, x as f32 + 0.5, 12.0];
            assert_eq!(image.pixel::<[f32; 4]>(x, y).unwrap(), expected);
        }
    }
}

#[test]
fn arrays_belong_to_the_quads_of_the_list() {
    // The number of each quad in the list, and its lanes.
    let quads: Vec<Quad> = (0..200_u32)
        .map(|index| Quad {
            x: index * 37 % 60 * 2,
            y: index * 37 / 60 % 40 * 2,
            coverage: LaneMask::all(),
        })
        .collect();
    let registers: Vec<QuadReg> = (0..200)
        .map(|index| [[0, 1, 2, 3].map(|lane| f32::to_bits((4 * index + lane) as f32)); 4])
        .collect();
    for shader in shaders("mov o1, i3.y") {
        let mut image = ColourImage::new(ColourFormat::R32F, 119, 79);
        image.fill(-1.0_f32);
        Draw::new(&shader)
            .varying(3, Varying::quads(&registers))
            .target(0, &mut image)
            .quads(&quads)
            .unwrap();
        let mut expected = ColourImage::new(ColourFormat::R32F, 119, 79);
        expected.fill(-1.0_f32);
        let mut pixels = vec![-1.0_f32; 119 * 79];
        for (index, quad) in quads.iter().enumerate() {
            for lane in 0..4 {
                let (x, y) = (quad.x + lane % 2, quad.y + lane / 2);
                if x < 119 && y < 79 {
                    pixels[(y * 119 + x) as usize] = (4 * index as u32 + lane) as f32;
                }
            }
        }
        let found = (0..79).flat_map(|y| (0..119).map(move |x| (x, y)));
        let found: Vec<f32> = found.map(|(x, y)| image.pixel(x, y).unwrap()).collect();
        assert_eq!(found, pixels);
    }
}

#[test]
fn later_quads_of_a_list_are_drawn_over_earlier_ones() {
    // Each of three quads in two bands, twelve times, and not one after the other.
    let places = [(0, 0), (2, 0), (0, 40)];
    let quad = |index: usize| Quad {
        x: places[index % 3].0,
        y: places[index % 3].1,
        coverage: LaneMask::all(),
    };
    let quads: Vec<Quad> = (0..36).map(quad).collect();
    let registers: Vec<QuadReg> = (0..36)
        .map(|index| [[f32::to_bits(index as f32); 4]; 4])
        .collect();
    for shader in shaders("mov o1, i3") {
        let mut image = ColourImage::new(ColourFormat::R32F, 4, 42);
        Draw::new(&shader)
            .varying(3, Varying::quads(&registers))
            .target(0, &mut image)
            .quads(&quads)
            .unwrap();
        let found = places.map(|(x, y)| image.pixel::<f32>(x, y).unwrap());
        assert_eq!(found, [33.0, 34.0, 35.0]);
    }
}
