//! Constants and texels of all sizes on the CTM path of results: what engines know of some must not show with others.

use std::fmt::Debug;

use attila_shader::draw::{ColourBuffer, ColourImage, Plane};
use attila_shader::machine::pipeline::ColourFormat;
use attila_shader::texture::{
    Dimension, Filter, Format, Image, MipMode, Sampler, Size, Texture, Textures, Wrap,
};
use attila_shader::{Bindings, Draw, Engine, Program, QuadIo, Shader, ValidProgram, Varying};

use crate::common::engines;

/// Sums, products and choices with constants, each of which makes denormals with some.
const TEXTS: [&str; 9] = [
    "mad_canon o1, i6, c0, c1",
    "add_x2 r0, i6, c1\nmul_canon o1, r0, c0",
    "mul_canon r0, i6, c0\nadd_d2 r0, r0, c1\nadd_canon o1, r0, -c2",
    "mad_d8 r0, i7, c0, c1\nmul_canon r0, r0, c0\nmul_canon o1, r0, c2",
    "cmp_canon r0, i6, c0, c1\nmul_d4 r0, r0, c2\nadd_canon o1, r0, c1.yzwx",
    "mad_canon r0, i6, c0, i7\nadd_canon r1, r0, -i6\nadd_canon r1, r1, c1\nmul_x4 r0, r1, c2\nmax_canon o1, r0, r1",
    "mul_d2 r0, i6, i7\nadd_d2 r0, r0, -c0\ncmp_canon o1, r0, c1, c2",
    "mul_x2 r0, i6, i7\nadd_x4 r0, c0, -r0\ncmp_canon o1, r0, c1, c2",
    "mul_canon r0, i6, i7\nmul_canon r0, r0, c0\nadd_canon o1, r0, c1",
];

/// Beside what follows from being normal: the least that is, its half, the least there is, what absorbs denormals
/// and just does not, and what is no number.
const CONSTANTS: [[f32; 4]; 12] = [
    [1.0, -0.75, 0.5, 3.0],
    [0.1, -0.03, 7.7, 255.0],
    [0.0, 1.0, -0.0, 0.25],
    [f32::MIN_POSITIVE, 1.0, -f32::MIN_POSITIVE, 0.5],
    [f32::MIN_POSITIVE / 2.0, 1.0, -2.0, f32::from_bits(1)],
    [3.9443045e-31, -3.9443045e-31, 1.9721523e-31, -1.9721523e-31],
    [0.00024, -0.00025, 0.0009765625, -0.000_244_140_63],
    [0.0625, 0.0624, -0.0625, 0.015625],
    [1e-5, 1e-6, 1e-7, 1e-8],
    [1e30, -1e30, 1.0, 1e38],
    [f32::INFINITY, 1.0, f32::NEG_INFINITY, 2.0],
    [f32::NAN, 1.0, 1.0, -1.0],
];

/// Inputs near zero, and near constants.
const INPUTS: [f32; 16] = [
    0.0,
    -0.0,
    1e-45,
    -1.1754942e-38,
    1.1754944e-38,
    -1.2e-38,
    3.9443045e-31,
    -1.972152e-31,
    -1.0,
    -0.99999994,
    0.75,
    -0.1,
    1.4e-20,
    -1e-19,
    1e30,
    -0.000_244_140_63,
];

fn program(text: &str) -> ValidProgram {
    let text = format!(".extended fragment\n{text} <- end\n");
    let program = Program::assemble(&text).expect("it is assembly");
    program.validate().expect("it is valid")
}

/// Bindings of c0 to c2 that differ in size.
fn all_bindings() -> impl Iterator<Item = Bindings<'static>> {
    (0..CONSTANTS.len() * 3).map(|n| {
        let mut bindings = Bindings::new();
        for register in 0..3 {
            // Mostly those with which there are no denormals.
            let place = if register == n % 3 {
                n / 3
            } else {
                register % 2
            };
            bindings.set_constant(register, CONSTANTS[place]);
        }
        bindings
    })
}

fn quads() -> Vec<QuadIo> {
    let input = |n: usize| INPUTS[n % INPUTS.len()];
    let quad = |quad: usize| {
        let mut io = QuadIo::default();
        for (register, step) in [(6, 3), (7, 5)] {
            let lane = |lane: usize| [0, 1, 2, 3].map(|c| input(quad * step + 4 * lane + c));
            io.set_input(register, [0, 1, 2, 3].map(lane));
        }
        io
    };
    (0..48).map(quad).collect()
}

fn prepared(engine: &Engine, text: &str) -> Shader {
    let shader = engine.prepare(&program(text));
    shader.expect("the engine compiles it")
}

/// The words of o1 that a program writes with each binding.
fn results<'a>(shader: &Shader, bindings: impl Iterator<Item = Bindings<'a>>) -> Vec<Vec<u32>> {
    let results = |bindings: Bindings<'_>| {
        let mut quads = quads();
        shader.run(&bindings, &mut quads).expect("it runs");
        let lanes = quads.iter().flat_map(|quad| quad.output(1));
        lanes.flatten().map(f32::to_bits).collect()
    };
    bindings.map(results).collect()
}

/// Asserts that the programs have the results of the interpreter on every engine. Each result has a name.
fn assert_same<N: PartialEq + Debug, R: PartialEq>(
    texts: &[&str],
    results: impl Fn(&Shader) -> Vec<(N, R)>,
) {
    for text in texts {
        let expected = results(&prepared(&Engine::interp(), text));
        for engine in engines() {
            let actual = results(&prepared(&engine, text));
            assert_eq!(expected.len(), actual.len());
            let differs = expected.iter().zip(&actual).find(|(a, b)| a != b);
            let differs = differs.map(|((name, _), _)| name);
            assert_eq!(differs, None, "result on {} of\n{text}", engine.name());
        }
    }
}

#[test]
fn runs_have_the_constants_of_the_run() {
    assert_same(&TEXTS, |shader| {
        let results = results(shader, all_bindings());
        results.into_iter().enumerate().collect()
    });
}

/// The picture that a prepared draw makes of each binding, all the components as they are.
fn pictures(shader: &Shader) -> Vec<(usize, Vec<u8>)> {
    let (width, height) = (16, 8);
    let mut first = ColourImage::new(ColourFormat::Rgba32F, 1, 1);
    let component = |at, dx, dy| Plane { at, dx, dy };
    let tiny = Varying::linear([
        component(-1e-38, 1.3e-39, 3e-40),
        component(0.0, 1e-45, 1e-44),
        component(-1.0, 0.0625, 0.125),
        component(2e-31, -4e-32, 1e-32),
    ]);
    let draw = Draw::new(shader).target(0, &mut first);
    let draw = draw.varying(6, tiny).varying(7, tiny);
    let mut draw = draw.prepare().expect("it can be drawn");
    let picture = |bindings: Bindings<'_>| {
        let mut bytes = vec![0; 16 * (width * height) as usize];
        let target = ColourBuffer::new(ColourFormat::Rgba32F, width, height, &mut bytes);
        let mut frame = draw.frame(&bindings).target(0, target);
        frame.rect(0..width, 0..height).expect("it is drawn");
        bytes
    };
    all_bindings().map(picture).enumerate().collect()
}

#[test]
fn frames_have_the_constants_of_the_frame() {
    assert_same(&TEXTS, pictures);
}

/// Samples of which denormals come, if texels or weights are small enough.
const SAMPLES: [&str; 3] = [
    "tex_d8 o1, i6, t0",
    "tex_canon r0, i6, t0\nmul_d8 r0, r0, c0\nadd_canon o1, r0, -c1",
    "mul_canon r0, i6, c0\ntex_d4 r0, r0, t0\nmax_canon o1, r0, c1",
];

/// A texture of three levels, the border of which is next to nothing.
fn texture(format: Format, wrap: Wrap, mip: MipMode) -> Textures {
    let levels = [4, 2, 1].map(|side| {
        let texels = (0..format.slice_bytes(side, side)).map(|n| (n * 5 % 7) as u8);
        texels.collect::<Vec<u8>>()
    });
    let levels = levels.each_ref().map(Vec::as_slice);
    let image = Image::from_levels(Dimension::D2, format, Size::d2(4, 4), &levels);
    let sampler = Sampler {
        mag: Filter::Linear,
        min: Filter::Linear,
        mip,
        wrap: [wrap; 3],
        border: [1e-38, 1e-40, -3e-39, f32::MIN_POSITIVE],
        ..Sampler::RESET
    };
    let texture = Texture::new(image.expect("the levels are complete"), sampler);
    let mut textures = Textures::new();
    let texture = texture.expect("the sampler fits");
    textures.bind(0, texture).expect("there is unit 0");
    textures
}

/// The ways of sampling that are tried.
fn all_textures() -> Vec<(String, Textures)> {
    let mut all = Vec::new();
    for format in [Format::Rgba8, Format::L8, Format::Rgba32F] {
        for wrap in [
            Wrap::Repeat,
            Wrap::MirroredRepeat,
            Wrap::ClampToEdge,
            Wrap::Clamp,
            Wrap::ClampToBorder,
        ] {
            for mip in [MipMode::None, MipMode::Linear] {
                let name = format!("{format:?}, {wrap:?}, {mip:?}");
                all.push((name, texture(format, wrap, mip)));
            }
        }
    }
    all
}

#[test]
fn runs_have_the_texels_of_the_run() {
    let all_textures = all_textures();
    assert_same(&SAMPLES, |shader| {
        let results = all_textures.iter().map(|(name, textures)| {
            let bindings = all_bindings().map(|it| it.with_textures(textures));
            (name, results(shader, bindings))
        });
        results.collect()
    });
}
