//! Queries for samples, and inputs at other places than the pixels' centres: what has to hold of their answers,
//! in records and in draws.

use attila_shader::draw::{ColourImage, Draw, DrawError, Unsupported, Varying};
use attila_shader::machine::pipeline::{ColourFormat, Plane};
use attila_shader::machine::{
    InputSource, LANES, Lanes, NO_SAMPLE, QuadReg, QuadSamples, SampleCount, SamplePositions,
    packed_offset,
};
use attila_shader::{Bindings, Engine, Program, QuadIo, Shader};

fn shader(engine: &Engine, lines: &str) -> Shader {
    let program = Program::assemble(&format!(".extended\n{lines}")).expect("it assembles");
    let program = program.validate().expect("it is valid");
    engine.prepare(&program).expect("it compiles")
}

/// Everything about a pixel and the sample i1.x.
const ASK: &str = "\
pixld_count o1.x
pixld_mask r0.x
mov o1.y, r0.x
popc o1.z, r0.x
pixld_centroid r1.x
mov o1.w, r1.x
evalo o2.x, i6, r1.x
evalc o2.y, i6
pixld_index r2.x, p1
pixld_offset r2.y, [r2.x]
evalo o2.z, i6, r2.y
evals o2.w, i6, r2.x
pixld_covered o3.x, p0, [i1.x]
(p0) mov o3.y, c0.x
ubfe o3.z, r0.x, i1.x, c0.x
(p1) mov o3.w, r2.x";

/// Numbers that tell every place and every quad apart.
struct Places;

impl InputSource for Places {
    fn evaluate(&self, quad: usize, register: u8, offset: Lanes<[i16; 2]>) -> QuadReg {
        assert_eq!(register, 6);
        [offset.map(|offset| packed_offset(offset) ^ (quad as u32) << 24); 4]
    }
}

/// The sample that runs of the quad `index` are for.
fn own(index: usize, count: usize) -> u32 {
    match index % (count + 1) {
        0 => NO_SAMPLE,
        sample => sample as u32 - 1,
    }
}

/// A quad for each four coverage words of a sample count, and each sample up to 9.
fn all_coverage(count: SampleCount) -> Vec<QuadIo> {
    let words: Vec<u32> = (0..=count.all()).collect();
    let chunks = words.chunks(LANES).flat_map(|words| {
        let lanes: Lanes<u32> = std::array::from_fn(|lane| words[lane % words.len()]);
        (0..9).map(move |sample| (lanes, sample))
    });
    let quads = chunks.enumerate().map(|(index, (coverage, sample))| {
        let mut quad = QuadIo {
            samples: QuadSamples {
                count: [count.count() as u32; LANES],
                // The upper bits do not count.
                coverage: coverage.map(|word| word | 0xffff_0000),
                own: [own(index, count.count()); LANES],
                positions: SamplePositions::standard(count).packed(),
            },
            ..QuadIo::default()
        };
        quad.inputs[1][0] = [sample; LANES];
        quad
    });
    quads.collect()
}

#[test]
fn answers_about_all_coverage_words_of_up_to_8_samples_agree_with_each_other() {
    let counts = [
        SampleCount::One,
        SampleCount::Two,
        SampleCount::Four,
        SampleCount::Eight,
    ];
    let mut bindings = Bindings::new().with_inputs(&Places);
    bindings.set_constant_bits(0, [1; 4]);
    for engine in Engine::all() {
        let shader = shader(&engine, ASK);
        for count in counts {
            let mut quads = all_coverage(count);
            shader.run(&bindings, &mut quads).expect("it runs");
            for (index, quad) in quads.iter().enumerate() {
                for lane in 0..LANES {
                    check(&engine, count, (index, lane), quad);
                }
            }
        }
    }
}

/// Checks the answers to [`ASK`] in a lane.
fn check(engine: &Engine, count: SampleCount, (index, lane): (usize, usize), quad: &QuadIo) {
    let word = |output: usize, component: usize| quad.outputs[output][component][lane];
    let (samples, sample) = (&quad.samples, quad.inputs[1][0][lane]);
    let coverage = samples.coverage[lane] & count.all();
    let at = format!("{} {count:?} {coverage:x} {sample}", engine.name());
    assert_eq!(word(1, 0), count.count() as u32, "{at}");
    assert_eq!(word(1, 1), coverage, "{at}");
    assert!(word(1, 2) <= word(1, 0), "{at}");
    // The centroid is the position of a covered sample, or the centre.
    let lowest = coverage.trailing_zeros() as usize;
    let central = coverage == 0 || coverage == count.all();
    let centroid = if central {
        0
    } else {
        samples.positions[lowest]
    };
    assert_eq!(word(1, 3), centroid, "{at}");
    let place = |offset: u32| offset ^ (index as u32) << 24;
    assert_eq!([word(2, 0), word(2, 1)], [place(centroid); 2], "{at}");
    let own = samples.own[lane];
    let sample_place = match own {
        NO_SAMPLE => samples.positions[0],
        own => samples.positions[own as usize],
    };
    assert_eq!([word(2, 2), word(2, 3)], [place(sample_place); 2], "{at}");
    // A sample is covered if its bit is set, and the predicate says so, too.
    let bit = coverage >> sample & 1;
    let covered = [bit.wrapping_neg(), bit, bit];
    assert_eq!([word(3, 0), word(3, 1), word(3, 2)], covered, "{at}");
    assert_eq!(word(3, 3), if own == NO_SAMPLE { 0 } else { own }, "{at}");
}

#[test]
fn runs_without_a_draw_have_one_sample_that_is_covered() {
    for stage in ["vertex", "fragment", "compute"] {
        let text = format!(
            ".extended {stage}\npixld_count o1.x\npixld_mask o1.y\npixld_centroid o1.z\n\
             pixld_index o1.w, p0\n(p0) mov o2, c0"
        );
        let program = Program::assemble(&text).expect("it assembles");
        let program = program.validate().expect("it is valid");
        for engine in Engine::all() {
            let bindings = Bindings::new().with_constant(0, [1.0; 4]);
            let mut quads = [QuadIo::default()];
            let shader = engine.prepare(&program).expect("it compiles");
            shader.run(&bindings, &mut quads).expect("it runs");
            assert_eq!(quads[0].outputs[1], [[1; 4], [1; 4], [0; 4], [0; 4]]);
            assert_eq!(quads[0].outputs[2], QuadReg::default());
        }
    }
}

#[test]
fn a_panic_of_what_evaluates_inputs_comes_out_of_the_run() {
    struct Panics;
    impl InputSource for Panics {
        fn evaluate(&self, quad: usize, _: u8, _: Lanes<[i16; 2]>) -> QuadReg {
            assert!(quad < 2, "quad {quad}");
            QuadReg::default()
        }
    }
    for engine in Engine::all() {
        let shader = shader(&engine, "evalc o1, i6");
        let run = || {
            let bindings = Bindings::new().with_inputs(&Panics);
            let mut quads = vec![QuadIo::default(); 5];
            shader.run(&bindings, &mut quads)
        };
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
        let panic = panic.expect_err("the source panics");
        let message = panic.downcast_ref::<String>().expect("it has a message");
        assert_eq!(message, "quad 2", "{}", engine.name());
    }
}

const SIZE: u32 = 5;

/// The pixels that a program draws to a whole target.
fn drawn(engine: &Engine, lines: &str, offset: [i16; 2]) -> Vec<[f32; 4]> {
    let shader = shader(engine, lines);
    let mut bindings = Bindings::new();
    bindings.set_constant_bits(0, [packed_offset(offset); 4]);
    let mut image = ColourImage::new(ColourFormat::Rgba32F, SIZE, SIZE);
    let plane = |at: f32, dx, dy| Plane { at, dx, dy };
    let planes = [
        plane(1.0, 0.5, 0.25),
        plane(-2.0, 3.0, -1.0),
        plane(0.0, 0.125, 7.0),
        plane(100.0, 0.0, 0.0),
    ];
    Draw::new(&shader)
        .bindings(&bindings)
        .anchor([1.5, 0.25])
        .varying(
            0,
            Varying::position(plane(0.5, 0.0, 0.0), plane(1.0, 0.25, 0.125)),
        )
        .varying(6, Varying::linear(planes))
        .varying(7, Varying::perspective(planes))
        .varying(8, Varying::flat([1.0, 2.0, 3.0, 4.0]))
        .target(0, &mut image)
        .rect(0..SIZE, 0..SIZE)
        .expect("it draws");
    let places = (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y)));
    places
        .map(|(x, y)| image.pixel(x, y).expect("it is there"))
        .collect()
}

#[test]
fn draws_evaluate_inputs_at_offsets_from_the_centres() {
    let offset = [-7, 30];
    let [right, down] = offset.map(|sixteenths: i16| f32::from(sixteenths) / 16.0);
    for engine in Engine::all() {
        let linear = drawn(&engine, "evalo o1, i6, c0.x", offset);
        let over_w = drawn(&engine, "evalo o1, i7, c0.x", offset);
        let position = drawn(&engine, "evalo o1.xy, i0, c0.x", offset);
        for (place, pixel) in linear.iter().enumerate() {
            let (column, row) = ((place as u32 % SIZE) as f32, (place as u32 / SIZE) as f32);
            let (x, y) = (column + 0.5 + right, row + 0.5 + down);
            let plane = |at: f32, dx: f32, dy: f32| at + (x - 1.5) * dx + (y - 0.25) * dy;
            let expected = [plane(1.0, 0.5, 0.25), plane(-2.0, 3.0, -1.0)];
            assert_eq!(pixel[..2], expected, "{} {place}", engine.name());
            let w = 1.0 / plane(1.0, 0.25, 0.125);
            let expected = expected.map(|value| value * w);
            assert_eq!(over_w[place][..2], expected, "{} {place}", engine.name());
            assert_eq!(position[place][..2], [x, y], "{} {place}", engine.name());
        }
        let flat = drawn(&engine, "evalo o1, i8.wzyx, c0.x", offset);
        assert!(flat.iter().all(|pixel| *pixel == [4.0, 3.0, 2.0, 1.0]));
    }
}

/// Offset 0, the centroid and any sample of a pixel with one sample are the centre.
#[test]
fn one_sample_is_at_the_centre_of_a_drawn_pixel() {
    for engine in Engine::all() {
        for input in ["i6", "i7", "i8", "i0.xyxy"] {
            let plain = drawn(&engine, &format!("mov o1, {input}"), [0; 2]);
            for op in [
                "evalo o1, I, c0.x",
                "evalc o1, I",
                "evals o1, I, 0",
                "evals o1, I, 1",
            ] {
                let evaluated = drawn(&engine, &op.replace('I', input), [0; 2]);
                assert_eq!(evaluated, plain, "{} {op} {input}", engine.name());
            }
        }
    }
}

/// A helper has no covered sample: neighbours see it by its derivative.
#[test]
fn fragments_that_are_not_covered_have_no_covered_sample() {
    let lines = "pixld_mask r0.x \n u2f r0, r0.x \n ddx r1.x, r0 \n ddy r1.y, r0 \n mov o1.xy, r0 \n mov o1.zw, r1.xyxy";
    let mut images = Vec::new();
    for engine in Engine::all() {
        let shader = shader(&engine, lines);
        let mut image = ColourImage::new(ColourFormat::Rgba32F, 8, 8);
        let positions = [
            [0.0, 0.0, 0.5, 1.0],
            [7.0, 0.0, 0.5, 1.0],
            [0.0, 7.0, 0.5, 1.0],
        ];
        let vertices = attila_shader::draw::Vertices::new(&positions);
        Draw::new(&shader)
            .target(0, &mut image)
            .triangles(&vertices, &[[0, 1, 2]])
            .expect("it draws");
        let pixels = (0..64).map(|n| image.pixel::<[f32; 4]>(n % 8, n / 8).expect("it is there"));
        let pixels: Vec<[f32; 4]> = pixels.collect();
        let covered = pixels.iter().filter(|pixel| pixel[0] == 1.0);
        let beside_helpers = covered
            .clone()
            .filter(|pixel| pixel[2] != 0.0 || pixel[3] != 0.0);
        assert!(
            covered.count() > 15 && beside_helpers.count() > 3,
            "{}",
            engine.name()
        );
        images.push(pixels);
    }
    assert!(images.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn a_draw_does_not_evaluate_arrays_over_quads() {
    let array = [QuadReg::default(); 4];
    for engine in Engine::all() {
        for (lines, is_refused) in [("evalc o1, i6.x", true), ("mov o1, i6.x", false)] {
            let shader = shader(&engine, lines);
            let mut image = ColourImage::new(ColourFormat::Rgba8, 4, 4);
            let draw = Draw::new(&shader)
                .varying(6, Varying::quads(&array))
                .target(0, &mut image)
                .prepare();
            match draw {
                Err(DrawError::Unsupported(Unsupported::EvaluatedArray(6))) => {
                    assert!(is_refused);
                }
                Err(error) => panic!("{error}"),
                Ok(_) => assert!(!is_refused),
            }
        }
    }
}

#[test]
fn numerics_md_has_the_standard_positions() {
    let page = include_str!("../../docs/numerics.md");
    for count in SampleCount::ALL {
        let standard = SamplePositions::standard(count);
        let positions = standard.positions().iter();
        let positions: Vec<String> = positions.map(|[x, y]| format!("({x}, {y})")).collect();
        let row = format!("| {} | {} |", count.count(), positions.join(" "));
        assert!(page.lines().any(|line| line == row), "no row is {row:?}");
    }
}
