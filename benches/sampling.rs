//! Pixels per second of programs that sample inline, and that call the reference sampler.

use std::hint::black_box;
use std::sync::Arc;

use attila_shader::machine::{QuadReg, TextureQuery};
use attila_shader::texture::{
    Dimension, Filter, Format, Image, MipMode, Sampler, Size, Texture, Textures, Wrap,
};
use attila_shader::{Bindings, Engine, Program, QuadIo, TextureUnit, ValidProgram};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Quads along each side of the square that is shaded.
const SIDE: usize = 16;
/// Texels along each side of an image.
const TEXELS: u32 = 256;

/// The textures, wrapped in a type that the JIT does not recognise.
struct Opaque<'a>(&'a Textures);

impl TextureUnit for Opaque<'_> {
    fn has_unit(&self, unit: u8) -> bool {
        self.0.has_unit(unit)
    }

    fn answer(&self, query: &TextureQuery) -> QuadReg {
        self.0.answer(query)
    }
}

fn program(text: &str) -> ValidProgram {
    let program = Program::assemble(text).expect("the text is right");
    program.validate().expect("the program is valid")
}

/// The average of four samples around the coordinates.
fn four_taps() -> ValidProgram {
    let taps: String = (0..4)
        .map(|tap| format!("add r{tap}, i0, c{tap}\ntex r{tap}, r{tap}, t0\n"))
        .collect();
    let sums = "add r0, r0, r1\nadd r2, r2, r3\nadd r0, r0, r2\nmul o0, r0, c10.w\nend";
    program(&(taps + sums))
}

/// The sum of nine samples around the coordinates, each with a weight.
fn nine_taps() -> ValidProgram {
    let tap = |tap: usize| {
        let sum = match tap {
            0 => "mul r1, r0, c0.w".to_owned(),
            8 => "mad o0, r0, c8.w, r1".to_owned(),
            _ => format!("mad r1, r0, c{tap}.w, r1"),
        };
        format!("add r0, i0, c{tap}\ntex r0, r0, t0\n{sum}\n")
    };
    let taps: String = (0..9).map(tap).collect();
    program(&(taps + "end"))
}

/// Steps of a texel around the middle, with weights that add up to 1.
fn bindings(textures: &dyn TextureUnit) -> Bindings<'_> {
    let mut bindings = Bindings::new().with_textures(textures);
    for tap in 0..9 {
        let step = |n: usize| (n as f32 - 1.0) / TEXELS as f32;
        let weight = [1.0, 2.0, 1.0];
        let weight = weight[tap % 3] * weight[tap / 3] / 16.0;
        bindings.set_constant(tap, [step(tap % 3), step(tap / 3), 0.0, weight]);
    }
    bindings.set_constant(10, [0.25; 4]);
    bindings
}

/// A square of quads, `step` texels from a pixel to the next, a little askew.
fn quads(step: f32) -> Vec<QuadIo> {
    let quad = |index: usize| {
        let mut quad = QuadIo::default();
        let lane = |lane: usize| {
            let x = (index % SIDE * 2 + lane % 2) as f32;
            let y = (index / SIDE * 2 + lane / 2) as f32;
            let [s, t] = [x + 0.1 * y, y - 0.1 * x].map(|at| at * step / TEXELS as f32);
            [s - 0.3, t + 0.2, 0.5, 1.0]
        };
        quad.set_input(0, std::array::from_fn(lane));
        quad
    };
    (0..SIDE * SIDE).map(quad).collect()
}

fn texture(dimension: Dimension, sampler: Sampler) -> Textures {
    let size = Size::d2(TEXELS, TEXELS);
    let faces = if dimension == Dimension::Cube { 6 } else { 1 };
    let bytes =
        (0..faces * TEXELS * TEXELS * 4).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8);
    let bytes: Vec<u8> = bytes.collect();
    let image = Image::from_levels(dimension, Format::Rgba8, size, &[&bytes]);
    let image = image.and_then(Image::with_mipmaps).expect("the bytes fit");
    let texture = Texture::new(Arc::new(image), sampler).expect("the sampler fits");
    let mut textures = Textures::new();
    textures.bind(0, texture).expect("there is unit 0");
    textures
}

fn bench(
    criterion: &mut Criterion,
    name: &str,
    (program, textures, step): (ValidProgram, Textures, f32),
) {
    let mut group = criterion.benchmark_group(format!("sampling/{name}"));
    group.throughput(Throughput::Elements(4 * (SIDE * SIDE) as u64));
    let shader = Engine::jit().and_then(|engine| engine.prepare(&program));
    let shader = shader.expect("the program compiles");
    let opaque = Opaque(&textures);
    let units: [(_, &dyn TextureUnit); 2] = [("inlined", &textures), ("called", &opaque)];
    for (name, units) in units {
        let (bindings, mut quads) = (bindings(units), quads(step));
        group.bench_function(name, |bencher| {
            bencher.iter(|| shader.run(&bindings, black_box(&mut quads)));
        });
    }
}

fn sampling(criterion: &mut Criterion) {
    let one_tap = || program("tex o0, i0, t0\nend");
    let bilinear = Sampler::default();
    let nearest = Sampler {
        mag: Filter::Nearest,
        min: Filter::Nearest,
        ..bilinear
    };
    let trilinear = Sampler {
        mip: MipMode::Linear,
        ..bilinear
    };
    let d2 = |sampler| texture(Dimension::D2, sampler);
    let cube = texture(
        Dimension::Cube,
        Sampler {
            wrap: [Wrap::ClampToEdge; 3],
            ..bilinear
        },
    );
    bench(criterion, "nearest", (one_tap(), d2(nearest), 1.0));
    bench(criterion, "bilinear", (one_tap(), d2(bilinear), 1.0));
    bench(criterion, "trilinear", (one_tap(), d2(trilinear), 2.7));
    bench(criterion, "box-4-taps", (four_taps(), d2(bilinear), 1.0));
    bench(
        criterion,
        "gaussian-9-taps",
        (nine_taps(), d2(bilinear), 1.0),
    );
    bench(criterion, "cube", (one_tap(), cube, 1.0));
}

criterion_group!(benches, sampling);
criterion_main!(benches);
