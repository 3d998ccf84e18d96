//! Random textures, samplers and coordinates on the interpreter, which asks the reference sampler,
//! and on the JIT, which samples by itself what it can: the results are the same, bit for bit.
#![cfg(feature = "jit")]

use std::sync::Arc;

use attila_shader::texture::{
    Compare, Coordinates, CubeFaces, Dimension, Filter, Format, Image, LodOrigin, MipMode, Sampler,
    Size, Srgb, Texture, Textures, Wrap,
};
use attila_shader::{
    Backend, Bindings, Cpu, Engine, Jit, JitOptions, Lanes, Program, QuadIo, RunError, Stage,
    TextureRequest, TextureUnit, ValidProgram,
};

/// A small random generator (splitmix64).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.bits() as usize % choices.len()]
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.bits().is_multiple_of(n)
    }

    /// A number from `low` to `high`.
    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.bits() >> 40) as f32 / (1 << 24) as f32)
    }
}

const SIDES: [u32; 9] = [1, 2, 3, 4, 5, 7, 8, 16, 33];
const WILD: [f32; 10] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    1e30,
    -1e30,
    3e9,
    -1e-30,
    1e-45,
    0.0,
    -0.0,
];

/// An image of random bytes: floats of all kinds come up.
fn image(random: &mut Random) -> Image {
    let dimension = random.of(&[Dimension::D2, Dimension::D2, Dimension::Cube]);
    let side = random.of(&SIDES);
    let size = match dimension {
        Dimension::Cube => Size::cube(side),
        Dimension::D1 | Dimension::D2 | Dimension::D3 => Size::d2(side, random.of(&SIDES)),
    };
    let format = if random.one_in(2) {
        random.of(&[Format::Rgba8, Format::Bgra8, Format::L8, Format::L8A8])
    } else {
        random.of(Format::ALL)
    };
    let faces = if dimension == Dimension::Cube { 6 } else { 1 };
    let count = if random.one_in(4) { 1 } else { size.levels() };
    let levels: Vec<Vec<u8>> = (0..count)
        .map(|level| {
            let size = size.level(level);
            let bytes = faces * format.slice_bytes(size.width, size.height);
            (0..bytes).map(|_| random.bits() as u8).collect()
        })
        .collect();
    let levels: Vec<&[u8]> = levels.iter().map(Vec::as_slice).collect();
    Image::from_levels(dimension, format, size, &levels).expect("the bytes fit")
}

fn sampler(random: &mut Random, levels: usize) -> Sampler {
    let wraps = [
        Wrap::Repeat,
        Wrap::Clamp,
        Wrap::ClampToEdge,
        Wrap::ClampToBorder,
        Wrap::MirroredRepeat,
    ];
    let filters = [Filter::Nearest, Filter::Linear];
    let base_level = random.bits() as usize % levels;
    let lod_min = random.of(&[0.0, 0.0, -2.0, 0.75, 1.5]);
    Sampler {
        mag: random.of(&filters),
        min: random.of(&filters),
        mip: random.of(&[MipMode::None, MipMode::Nearest, MipMode::Linear]),
        wrap: [(); 3].map(|()| random.of(&wraps)),
        lod_min,
        lod_max: lod_min + random.of(&[0.0, 0.5, 2.0, 14.0]),
        lod_bias: random.of(&[0.0, 0.0, 1.5, -0.5, 2000.0]),
        base_level: if random.one_in(2) { 0 } else { base_level },
        max_level: base_level + random.of(&[0, 1, 14]),
        border: [(); 4].map(|()| random.between(-1.0, 2.0)),
        coordinates: random.of(&[Coordinates::Normalised, Coordinates::Texels]),
        srgb: random.of(&[Srgb::Linear, Srgb::Linear, Srgb::Power, Srgb::Standard]),
        lod_origin: random.of(&[LodOrigin::Level0, LodOrigin::Base]),
        cube_faces: random.of(&[CubeFaces::PerLane, CubeFaces::PerQuad]),
        ..Sampler::default()
    }
}

/// A texture that the JIT samples by itself or, one in `others`, one that it does not.
fn texture(random: &mut Random, others: Option<u64>) -> Texture {
    let image = image(random);
    let mut sampler = sampler(random, image.levels().len());
    if others.is_some_and(|n| random.one_in(n)) {
        if random.one_in(2) {
            sampler.compare = Some(Compare::LessEqual);
        } else {
            sampler.max_anisotropy = 4;
        }
    }
    Texture::new(Arc::new(image), sampler).expect("the sampler fits")
}

/// Quads around random points, some smooth, some with all lanes apart, some with lanes gone wild.
fn quads(random: &mut Random, count: usize) -> Vec<QuadIo> {
    let mut quads = vec![QuadIo::default(); count];
    for quad in &mut quads {
        for input in 0..2 {
            let reach = random.of(&[1.0, 1.0, 4.0, 40.0]);
            let step = random.of(&[0.001, 0.02, 0.3, 5.0]);
            let middle: [f32; 4] = std::array::from_fn(|_| random.between(-reach, reach));
            let mut lanes: Lanes<[f32; 4]> =
                [(); 4].map(|()| middle.map(|at| at + random.between(-step, step)));
            for component in lanes.iter_mut().flatten() {
                if random.one_in(40) {
                    *component = random.of(&WILD);
                }
            }
            quad.set_input(input, lanes);
        }
    }
    quads
}

/// Programs with each instruction, several textures, and lanes that go different ways.
const PROGRAMS: [&str; 7] = [
    "tex o0, i0, t0",
    "txb o0, i0, t0",
    "txl o0, i0, t0",
    "txp o0, i0, t0",
    "tex r0, i0, t0\nmad r0, r0, c0, i1\ntex o0.xz, r0.yxzw, t1\nmov o1, r0",
    "setpgt p0, i0.x, 0\nmov r0, i1\n(p0) tex r0.xw, i0, t0\n(!p0) txl r0.yz, i1, t1\nmov o0, r0",
    "setpgt p0, i0.x, 0\nmov r0, i1\nmov r1, i0\njmp p0, 3\nmul r1, i0, c1\ntex r0, r1, t0\n\
     setpgt p1, i1.y, 0\njmp p1, 2\ntxb r0, i1, t1\nadd o0, r0, r1",
];

fn program(random: &mut Random) -> ValidProgram {
    let text = format!("{}\nend", random.of(&PROGRAMS));
    let program = Program::assemble(&text).unwrap_or_else(|error| panic!("{error}\nin\n{text}"));
    let program = if random.one_in(5) {
        program.with_stage(Stage::Vertex)
    } else {
        program
    };
    program.validate().expect("the program is valid")
}

/// The bits of the outputs, with all NaNs alike.
fn outputs(quad: &QuadIo) -> Vec<u32> {
    let words = quad.outputs.iter().flatten().flatten();
    words
        .map(|&word| {
            if f32::from_bits(word).is_nan() {
                f32::NAN.to_bits()
            } else {
                word
            }
        })
        .collect()
}

/// Random scenes.
struct Scenes {
    seed: u64,
    count: usize,
    /// One texture in so many is none that the JIT samples by itself.
    others: Option<u64>,
}

/// Quads of a scene.
const QUADS: usize = 64;

impl Scenes {
    /// Runs them on the interpreter and on `jit`.
    fn compare(&self, jit: &Jit) {
        let mut random = Random(self.seed);
        for scene in 0..self.count {
            let program = program(&mut random);
            let mut textures = Textures::new();
            for unit in 0..2 {
                let bound = textures.bind(unit, texture(&mut random, self.others));
                bound.expect("there is such a unit");
            }
            let quads = quads(&mut random, QUADS);
            let interp = Engine::interp().prepare(&program).expect("it is prepared");
            let expected = shade(&textures, &quads, |bindings, quads| {
                interp.run(bindings, quads)
            });
            let compiled = jit.prepare(&program).expect("it is compiled");
            let got = shade(&textures, &quads, |bindings, quads| {
                compiled.run(bindings, quads)
            });
            let differs = |n: &usize| outputs(&expected[*n]) != outputs(&got[*n]);
            if let Some(index) = (0..QUADS).find(differs) {
                let quad = [&expected[index], &got[index]];
                panic!(
                    "scene {scene} of {}, quad {index}:\n{}",
                    self.seed,
                    report(&program, &textures, quad)
                );
            }
        }
    }
}

/// The quads, shaded.
fn shade(
    units: &dyn TextureUnit,
    quads: &[QuadIo],
    run: impl Fn(&Bindings<'_>, &mut [QuadIo]) -> Result<(), RunError>,
) -> Vec<QuadIo> {
    let bindings = Bindings::new()
        .with_constant(0, [0.25; 4])
        .with_constant(1, [3.0; 4])
        .with_textures(units);
    let mut quads = quads.to_vec();
    run(&bindings, &mut quads).expect("it runs");
    quads
}

fn report(program: &ValidProgram, textures: &Textures, [expected, got]: [&QuadIo; 2]) -> String {
    let texture = |unit: usize| {
        let texture = textures.get(unit).expect("both units are bound");
        let (image, sampler) = (texture.image(), texture.sampler());
        let (size, levels) = (image.size(), image.levels().len());
        format!(
            "t{unit}: {} {size}, {levels} levels, {sampler:?}",
            image.format()
        )
    };
    let inputs = [0, 1].map(|input| expected.inputs[input].map(|c| c.map(f32::from_bits)));
    format!(
        "{}\n{}\n{}\ninputs {inputs:?}\ninterpreter {:?}\nJIT {:?}",
        program.program(),
        texture(0),
        texture(1),
        expected.output(0),
        got.output(0),
    )
}

fn jit(options: &JitOptions) -> Jit {
    Jit::with_options(options).expect("the JIT knows this machine")
}

#[test]
fn inlined_samples_are_those_of_the_reference_bit_for_bit() {
    let (jit, count) = (jit(&JitOptions::default()), 400);
    let (seed, others) = (1, None);
    Scenes {
        seed,
        count,
        others,
    }
    .compare(&jit);
    assert_eq!(jit.specialisations(), count, "code is made for each scene");
}

#[test]
fn samples_that_are_inlined_and_that_are_not_mix() {
    let (jit, count) = (jit(&JitOptions::default()), 200);
    let (seed, others) = (2, Some(2));
    Scenes {
        seed,
        count,
        others,
    }
    .compare(&jit);
    let made = jit.specialisations();
    assert!((50..150).contains(&made), "code is made for {made} scenes");
}

#[test]
fn inlined_samples_are_the_same_on_the_plainest_machine() {
    let options = JitOptions {
        cpu: Cpu::Baseline,
        ..JitOptions::default()
    };
    let (jit, count) = (jit(&options), 60);
    let (seed, others) = (3, None);
    Scenes {
        seed,
        count,
        others,
    }
    .compare(&jit);
    assert_eq!(jit.specialisations(), count, "code is made for each scene");
}

/// The textures, but nothing that an engine could recognise.
struct Opaque(Textures);

impl TextureUnit for Opaque {
    fn has_unit(&self, unit: u8) -> bool {
        self.0.has_unit(unit)
    }

    fn sample(&self, request: &TextureRequest) -> [Lanes<f32>; 4] {
        self.0.sample(request)
    }
}

#[test]
fn code_is_made_once_for_each_kind_of_texture_and_none_for_unknown_units() {
    let mut random = Random(4);
    let program = Program::assemble("tex o0, i0, t0\nend").expect("the text is right");
    let program = program.validate().expect("the program is valid");
    let jit = jit(&JitOptions::default());
    let compiled = jit.prepare(&program).expect("it is compiled");
    let quads = quads(&mut random, QUADS);
    let mut run = |wrap: Wrap, side: u32| {
        let bytes = vec![7; side as usize * 4];
        let image = Image::from_rgba8(side, 1, &bytes).expect("the bytes fit");
        let sampler = Sampler {
            wrap: [wrap; 3],
            lod_bias: random.between(0.0, 1.0),
            ..Sampler::default()
        };
        let mut textures = Textures::new();
        let texture = Texture::new(Arc::new(image), sampler).expect("the sampler fits");
        textures.bind(0, texture).expect("there is such a unit");
        let run = |bindings: &Bindings<'_>, quads: &mut [QuadIo]| compiled.run(bindings, quads);
        shade(&Opaque(textures.clone()), &quads, run);
        let before = jit.specialisations();
        shade(&textures, &quads, run);
        jit.specialisations() - before
    };
    assert_eq!(run(Wrap::Repeat, 4), 1);
    assert_eq!(run(Wrap::Repeat, 9), 0, "size and bias make no difference");
    assert_eq!(run(Wrap::Clamp, 9), 1);
    assert_eq!(run(Wrap::Repeat, 1), 0, "both are kept");
    assert_eq!(
        jit.specialisations(),
        2,
        "nothing is made for unknown units"
    );
}
