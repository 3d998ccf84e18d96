//! Prints random draws, a line of JSON each, with checksums of what they store: for doors whose tests are in another
//! language.
//!
//! Floats are printed as their bits. Memory begins as [`before`], and its checksum is [`checksum`].

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "it prints for other programs")]

use std::fmt::{Display, Write};

use attila_conformance::generate::{Options, generate};
use attila_conformance::{ByteRng, Dice};
use attila_shader::draw::{Buffer, DepthState, Plane, Varying, Vertices};
use attila_shader::isa::{Slots, Stage};
use attila_shader::machine::pipeline::{Blend, BlendEquation, BlendFactor, BlendOp};
use attila_shader::texture::{Dimension, Format, Image, Size};
use attila_shader::{
    Bindings, ColourFormat, Compare, DepthFormat, Draw, Engine, SampleCount, Sampler, Texture,
    Textures, ValidProgram,
};

const WIDTH: u32 = 9;
const HEIGHT: u32 = 70;
/// Bytes of a row, with some that nobody may touch.
const PITCH: usize = WIDTH as usize * 16 + 16;
const SAMPLES: usize = 4;
const BYTES: usize = PITCH * HEIGHT as usize * SAMPLES;
/// The picture that the targets may be a tile of, and their place in it.
const PICTURE: [u32; 2] = [100, 100];
const ORIGIN: [i32; 2] = [3, 5];

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Bytes that follow from a seed.
fn before(seed: u64) -> Vec<u8> {
    let byte = |at: u64| ((at + 1).wrapping_mul(MULTIPLIER ^ seed << 8) >> 32) as u8;
    (0..BYTES as u64).map(byte).collect()
}

fn checksum(bytes: &[u8]) -> u64 {
    let weights = (1..).map(|at: u64| at.wrapping_mul(MULTIPLIER) | 1);
    let terms = bytes.iter().zip(weights);
    terms.fold(0, |sum, (byte, weight)| {
        sum.wrapping_add((u64::from(*byte) + 1).wrapping_mul(weight))
    })
}

/// A draw in numbers.
struct Picture {
    seed: u64,
    program: ValidProgram,
    constants: Vec<(usize, [u32; 4])>,
    budget: u32,
    planes: Vec<(usize, [[f32; 3]; 4])>,
    /// Positions, and the attribute that becomes input 1.
    vertices: Vec<[[f32; 4]; 2]>,
    texels: Vec<u8>,
    format: usize,
    depth: usize,
    compare: usize,
    /// Operations and factors.
    blend: Option<[usize; 6]>,
    blend_constant: [f32; 4],
    alpha: Option<(usize, f32)>,
    anchor: [f32; 2],
    sample_mask: u32,
    mask: u8,
    samples: usize,
    scissor: Option<[i32; 4]>,
    threads: usize,
    is_tile: bool,
}

impl Picture {
    fn new(seed: u64) -> Option<Picture> {
        let bytes: Vec<u8> = (0..1 << 13)
            .flat_map(|at: u64| {
                let word = (at + 1).wrapping_mul(MULTIPLIER).wrapping_add(seed << 20);
                let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                (word ^ word >> 27)
                    .wrapping_mul(0x94d0_49bb_1331_11eb)
                    .to_le_bytes()
            })
            .collect();
        let mut rng = ByteRng::new(&bytes);
        let mut dice = Dice::new(&mut rng);
        let options = Options {
            vertex: 0,
            geometry: 0,
            length: 12,
            quads: 1,
            ..Options::DEFAULT
        };
        let case = generate(&mut dice, &options);
        if case.program.program().stage() != Stage::Fragment {
            return None;
        }
        let dice = &mut dice;
        let mut plane = || {
            let slope = |dice: &mut Dice<'_>| dice.within(-0.1, 0.1);
            [dice.within(-2.0, 2.0), slope(dice), slope(dice)]
        };
        let inputs = (1..15).map(|input| (input, [(); 4].map(|()| plane())));
        let planes = inputs.collect();
        let mut vertex = || {
            let position = [
                dice.within(-5.0, 15.0),
                dice.within(-10.0, 80.0),
                dice.unit(),
                dice.within(0.5, 2.0),
            ];
            [position, [(); 4].map(|()| dice.within(-1.0, 2.0))]
        };
        let vertices = (0..12).map(|_| vertex()).collect();
        let is_triangles = dice.percent(30);
        Some(Picture {
            seed,
            constants: case.constants.into_iter().collect(),
            budget: case.loop_budget,
            program: case.program,
            planes,
            vertices: if is_triangles { vertices } else { Vec::new() },
            texels: (0..64).map(|_| dice.word() as u8).collect(),
            format: dice.below(ColourFormat::ALL.len()),
            depth: dice.below(3),
            compare: dice.below(8),
            blend: dice
                .percent(50)
                .then(|| [5, 15, 15, 5, 15, 15].map(|end| dice.below(end))),
            blend_constant: [(); 4].map(|()| dice.unit()),
            alpha: dice.percent(30).then(|| (dice.below(8), dice.unit())),
            anchor: [dice.within(-4.0, 4.0), dice.within(-4.0, 4.0)],
            sample_mask: match dice.percent(70) {
                true => u32::MAX,
                false => dice.word(),
            },
            mask: match dice.percent(70) {
                true => 0xf,
                false => dice.below(16) as u8,
            },
            samples: if dice.percent(25) { SAMPLES } else { 1 },
            scissor: dice.percent(30).then_some([4, 8, 11, 66]),
            threads: 1 + dice.below(2),
            is_tile: dice.percent(30),
        })
    }

    /// Checksums of the memory of colours and depths after the draw; `None` if it is refused.
    fn drawn(&self, engine: &Engine) -> Option<[u64; 2]> {
        let image = Image::from_levels(
            Dimension::D2,
            Format::Rgba8,
            Size::d2(4, 4),
            &[&self.texels],
        );
        let texture = Texture::new(image.expect("it is an image"), Sampler::default());
        let texture = std::sync::Arc::new(texture.expect("it can be sampled"));
        let mut textures = Textures::new();
        (0..16).for_each(|unit| textures.bind(unit, texture.clone()).expect("it is a unit"));
        let mut bindings = Bindings::new()
            .with_textures(&textures)
            .with_loop_budget(self.budget);
        for (index, value) in &self.constants {
            bindings.set_constant_bits(*index, *value);
        }
        let shader = engine.prepare(&self.program).expect("it compiles");
        let (mut pixels, mut depths) = (before(self.seed), before(self.seed + 1));
        let draw = Draw::new(&shader).bindings(&bindings);
        let draw = self.described(draw, &mut pixels, &mut depths);
        let drawn = match &self.vertices[..] {
            [] if self.is_tile => draw.rect(3..12, 5..75),
            [] => draw.rect(0..9, 0..70),
            [..] => {
                let positions: Vec<[f32; 4]> = self.vertices.iter().map(|it| it[0]).collect();
                let colours: Vec<[f32; 4]> = self.vertices.iter().map(|it| it[1]).collect();
                let vertices = Vertices::new(&positions).with(1, &colours);
                draw.triangles(&vertices, &[[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]])
            }
        };
        drawn.ok()?;
        Some([checksum(&pixels), checksum(&depths)])
    }

    fn described<'a>(
        &self,
        mut draw: Draw<'a>,
        pixels: &'a mut [u8],
        depths: &'a mut [u8],
    ) -> Draw<'a> {
        let samples = SampleCount::of(self.samples).expect("it is a count");
        let format = ColourFormat::ALL[self.format];
        let colour = Buffer::new(format, WIDTH, HEIGHT, pixels);
        draw = draw.target(0, colour.with_pitch(PITCH).with_samples(samples));
        for (input, planes) in &self.planes {
            let planes = planes.map(|[at, dx, dy]| Plane { at, dx, dy });
            if self.vertices.is_empty() || *input != 1 {
                draw = draw.varying(*input, Varying::linear(planes));
            }
        }
        if let Some(format) = [None, Some(DepthFormat::D32F), Some(DepthFormat::D24)][self.depth] {
            let buffer = Buffer::new(format, WIDTH, HEIGHT, depths);
            let state = DepthState {
                compare: Compare::ALL[self.compare],
                write: true,
            };
            draw = draw.depth(buffer.with_pitch(PITCH).with_samples(samples), state);
        }
        let equation = |op: usize, src: usize, dst: usize| BlendEquation {
            op: BlendOp::ALL[op],
            src: BlendFactor::ALL[src],
            dst: BlendFactor::ALL[dst],
        };
        if let Some([op, src, dst, alpha_op, alpha_src, alpha_dst]) = self.blend {
            let blend = Blend {
                colour: equation(op, src, dst),
                alpha: equation(alpha_op, alpha_src, alpha_dst),
            };
            draw = draw.blend(0, blend);
        }
        if let Some((compare, reference)) = self.alpha {
            draw = draw.alpha_test(Compare::ALL[compare], reference);
        }
        if let Some([left, top, right, bottom]) = self.scissor {
            draw = draw.scissor(left..right, top..bottom);
        }
        if self.is_tile {
            draw = draw.origin(ORIGIN, PICTURE);
        }
        draw.blend_constant(self.blend_constant)
            .anchor(self.anchor)
            .sample_mask(self.sample_mask)
            .threads(self.threads)
            .write_mask(0, Slots::from_bits_truncate(self.mask))
    }

    fn line(&self, checksums: [Option<[u64; 2]>; 2]) -> String {
        let words = |floats: &[f32]| list(floats.iter().map(|it| it.to_bits()));
        let mut line = format!("{{\"seed\": {}", self.seed);
        let mut put = |name: &str, value: String| {
            write!(line, ", \"{name}\": {value}").expect("a string takes everything");
        };
        let hex = |bytes: &[u8]| {
            let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("\"{}\"", digits.concat())
        };
        put("program", hex(&self.program.program().encode()));
        let constants = self.constants.iter();
        put(
            "constants",
            list(constants.map(|(index, it)| format!("[{index}, {}]", list(it.iter())))),
        );
        put("budget", self.budget.to_string());
        let planes = self.planes.iter();
        put(
            "planes",
            list(planes.map(|(input, it)| format!("[{input}, {}]", words(it.as_flattened())))),
        );
        let vertices = self.vertices.iter();
        put(
            "vertices",
            list(vertices.map(|it| words(it.as_flattened()))),
        );
        put("texels", hex(&self.texels));
        put("format", self.format.to_string());
        put("depth", self.depth.to_string());
        put("compare", self.compare.to_string());
        put("blend", list(self.blend.iter().flatten()));
        put("blend_constant", words(&self.blend_constant));
        put(
            "alpha",
            list(
                self.alpha
                    .iter()
                    .flat_map(|(it, reference)| [*it as u32, reference.to_bits()]),
            ),
        );
        put("anchor", words(&self.anchor));
        put("sample_mask", self.sample_mask.to_string());
        put("mask", self.mask.to_string());
        put("samples", self.samples.to_string());
        put("scissor", list(self.scissor.iter().flatten()));
        put("threads", self.threads.to_string());
        put("is_tile", self.is_tile.to_string());
        let checksums = checksums.map(|it| list(it.iter().flatten()));
        put("checksums", list(checksums.iter()));
        line + "}"
    }
}

fn list(items: impl Iterator<Item = impl Display>) -> String {
    let items: Vec<String> = items.map(|it| it.to_string()).collect();
    format!("[{}]", items.join(", "))
}

fn main() {
    let count = std::env::args().nth(1).and_then(|it| it.parse().ok());
    let pictures = (0..).filter_map(Picture::new).take(count.unwrap_or(300));
    let engines = [Engine::interp(), Engine::auto()];
    for picture in pictures {
        let checksums = engines.each_ref().map(|engine| picture.drawn(engine));
        println!("{}", picture.line(checksums));
    }
}
