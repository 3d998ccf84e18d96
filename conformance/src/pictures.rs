//! Random draws that every interface makes: their numbers for tests in other languages, and what the library draws.

use std::fmt::Write;
use std::sync::Arc;

use attila_scene::Loader;
use attila_shader::draw::{Buffer, ColourImage, DepthState, Plane, Varying, Vertices};
use attila_shader::isa::{Program, Slots, Stage};
use attila_shader::machine::pipeline::{Blend, BlendEquation, BlendFactor, BlendOp};
use attila_shader::texture::{Dimension, Format, Image, Size};
use attila_shader::{
    ColourFormat, Compare, DepthFormat, Draw, Engine, SampleCount, Sampler, Texture, Textures,
};
use serde_json::{Value, json};

use crate::dice::case_rng;
use crate::generate::{Options, generate};
use crate::{Case, Dice};

/// Columns and rows of targets.
pub const SIZE: [u32; 2] = [9, 70];

/// The picture that targets may be a tile of.
pub const PICTURE: [u32; 2] = [100, 100];

/// Triangles of the vertices of a picture that has any.
pub const TRIANGLES: [[u32; 3]; 4] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]];

const SAMPLES: usize = 4;

/// Instructions before a random program, few of which would show anything.
const VISIBLE: &str = "tex r0, i7, t0\nmul r1, i6, 0.5\nadd o1, r0, r1\n";

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Bytes of targets with rows of `pitch` bytes, which follow from a seed.
pub fn before(seed: u64, pitch: usize) -> Vec<u8> {
    let byte = |at: u64| ((at + 1).wrapping_mul(MULTIPLIER ^ seed << 8) >> 32) as u8;
    let bytes = (pitch * SIZE[1] as usize * SAMPLES) as u64;
    (0..bytes).map(byte).collect()
}

/// A number that differs if any byte differs.
pub fn checksum(bytes: &[u8]) -> u64 {
    let weights = (1..).map(|at: u64| at.wrapping_mul(MULTIPLIER) | 1);
    let terms = bytes.iter().zip(weights);
    terms.fold(0, |sum, (byte, weight)| {
        sum.wrapping_add((u64::from(*byte) + 1).wrapping_mul(weight))
    })
}

/// A draw in numbers, and a scene with its program.
#[expect(missing_docs, reason = "fields are arguments of the draw")]
pub struct Picture {
    pub seed: u64,
    /// The program, constants and the loop budget.
    pub case: Case,
    /// Inputs, and whether they are flat.
    pub planes: Vec<(usize, bool, [Plane; 4])>,
    /// Positions, and the attribute that becomes input 1; without any, all pixels are drawn.
    pub vertices: Vec<[[f32; 4]; 2]>,
    /// The image of 4 times 4 pixels that all units have.
    pub texels: Vec<u8>,
    pub format: usize,
    /// None, `D32F` or `D24`.
    pub depth: usize,
    pub compare: usize,
    /// Operations and factors.
    pub blend: Option<[usize; 6]>,
    pub blend_constant: [f32; 4],
    pub alpha: Option<(usize, f32)>,
    pub anchor: [f32; 2],
    pub sample_mask: u32,
    pub mask: u8,
    pub samples: usize,
    pub scissor: Option<[i32; 4]>,
    pub threads: usize,
    pub origin: Option<[i32; 2]>,
    /// A text that draws another picture of a size, in tiles of another.
    pub scene: String,
    pub scene_size: [u32; 2],
    pub scene_tile: [u32; 2],
}

impl Picture {
    /// The pictures of all seeds.
    pub fn all() -> impl Iterator<Item = Picture> {
        (0..).filter_map(Picture::new)
    }

    /// The picture of a seed, unless its program is not one for fragments.
    pub fn new(seed: u64) -> Option<Picture> {
        let mut rng = case_rng(0x4154_5449_4c41, seed);
        let dice = &mut Dice::new(&mut rng);
        let options = Options {
            vertex: 0,
            geometry: 0,
            length: 12,
            quads: 1,
            ..Options::DEFAULT
        };
        let mut case = generate(dice, &options);
        if case.stage() != Stage::Fragment {
            return None;
        }
        let text = format!("{VISIBLE}{}", case.program.program());
        let program = Program::assemble(&text).expect("it fits before any program");
        case.program = program.validate().expect("it is valid");
        let planes = (1..15).map(|input| (input, dice.percent(30), [(); 4].map(|()| plane(dice))));
        let planes = planes.collect();
        let vertices = (0..12).map(|_| vertex(dice)).collect();
        let is_triangles = dice.percent(30);
        let mut side = |most| 1 + dice.below(most) as u32;
        let (scene_size, scene_tile) = ([side(40), side(30)], [side(25), side(20)]);
        Some(Picture {
            seed,
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
            anchor: [(); 2].map(|()| dice.within(-4.0, 4.0)),
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
            origin: dice.percent(40).then(|| dice.pick(&[[3, 5], [-3, 5]])),
            scene: scene(&case, dice),
            scene_size,
            scene_tile,
            case,
        })
    }

    /// The memory of colours and depths, with rows of `pitch` bytes, after the draw; `None` if it is refused.
    pub fn drawn(&self, engine: &Engine, pitch: usize) -> Option<[Vec<u8>; 2]> {
        let levels: [&[u8]; 1] = [&self.texels];
        let image = Image::from_levels(Dimension::D2, Format::Rgba8, Size::d2(4, 4), &levels);
        let texture = Texture::new(image.expect("it is an image"), Sampler::default());
        let texture = Arc::new(texture.expect("it can be sampled"));
        let mut textures = Textures::new();
        (0..16).for_each(|unit| textures.bind(unit, texture.clone()).expect("it is a unit"));
        let bindings = self.case.bindings().with_textures(&textures);
        let shader = engine.prepare(&self.case.program).expect("it compiles");
        let mut memory = [self.seed, self.seed + 1].map(|seed| before(seed, pitch));
        let draw = self.described(Draw::new(&shader).bindings(&bindings), &mut memory, pitch);
        let drawn = match &self.vertices[..] {
            [] => draw.rect(0..PICTURE[0], 0..PICTURE[1]),
            [..] => {
                let [positions, colours] =
                    [0, 1].map(|part: usize| self.vertices.iter().map(|it| it[part]).collect());
                let (positions, colours): (Vec<_>, Vec<_>) = (positions, colours);
                draw.triangles(&Vertices::new(&positions).with(1, &colours), &TRIANGLES)
            }
        };
        drawn.ok().map(|()| memory)
    }

    fn described<'a>(
        &self,
        mut draw: Draw<'a>,
        [pixels, depths]: &'a mut [Vec<u8>; 2],
        pitch: usize,
    ) -> Draw<'a> {
        let samples = SampleCount::of(self.samples).expect("it is a count");
        let ([width, height], format) = (SIZE, ColourFormat::ALL[self.format]);
        let colour = Buffer::new(format, width, height, pixels);
        draw = draw.target(0, colour.with_pitch(pitch).with_samples(samples));
        for (input, is_flat, planes) in &self.planes {
            let varying = match is_flat {
                true => Varying::flat(planes.map(|plane| plane.at)),
                false => Varying::linear(*planes),
            };
            if self.vertices.is_empty() || *input != 1 {
                draw = draw.varying(*input, varying);
            }
        }
        if let Some(format) = [None, Some(DepthFormat::D32F), Some(DepthFormat::D24)][self.depth] {
            let buffer = Buffer::new(format, width, height, depths);
            let (compare, write) = (Compare::ALL[self.compare], true);
            let buffer = buffer.with_pitch(pitch).with_samples(samples);
            draw = draw.depth(buffer, DepthState { compare, write });
        }
        if let Some([op, src, dst, alpha_op, alpha_src, alpha_dst]) = self.blend {
            let equation = |op: usize, src: usize, dst: usize| BlendEquation {
                op: BlendOp::ALL[op],
                src: BlendFactor::ALL[src],
                dst: BlendFactor::ALL[dst],
            };
            let (colour, alpha) = (
                equation(op, src, dst),
                equation(alpha_op, alpha_src, alpha_dst),
            );
            draw = draw.blend(0, Blend { colour, alpha });
        }
        if let Some((compare, reference)) = self.alpha {
            draw = draw.alpha_test(Compare::ALL[compare], reference);
        }
        if let Some([left, top, right, bottom]) = self.scissor {
            draw = draw.scissor(left..right, top..bottom);
        }
        if let Some(origin) = self.origin {
            draw = draw.origin(origin, PICTURE);
        }
        draw.blend_constant(self.blend_constant)
            .anchor(self.anchor)
            .sample_mask(self.sample_mask)
            .threads(self.threads)
            .write_mask(0, Slots::from_bits_truncate(self.mask))
    }

    /// The bytes of the scene's picture, of red, green, blue and alpha; `None` if it is refused.
    pub fn scene_drawn(&self, engine: &Engine) -> Option<Vec<u8>> {
        let scene = Loader::new().read("random.attila", &self.scene);
        let scene = scene.unwrap_or_else(|error| panic!("{error}\n{}", self.scene));
        let [width, height] = self.scene_size;
        let mut image = ColourImage::new(ColourFormat::Rgba8, width, height);
        image.fill([0, 0, 0, u8::MAX]);
        scene.draw(engine, &mut image).ok()?;
        Some(image.bytes().to_vec())
    }

    /// All numbers, floats as their bits, and what engines draw: [checksums](checksum) for each of `engines`, with rows of
    /// `pitch` bytes, and the scene's picture by the first.
    pub fn json(&self, engines: &[Engine], pitch: usize) -> Value {
        let words = |floats: &[f32]| floats.iter().map(|it| it.to_bits()).collect::<Vec<_>>();
        let planes = self.planes.iter().map(|(input, is_flat, planes)| {
            let planes = planes.map(|plane| [plane.at, plane.dx, plane.dy]);
            json!([input, is_flat, words(planes.as_flattened())])
        });
        let vertices = self.vertices.iter().map(|it| words(it.as_flattened()));
        let checksums = engines.iter().map(|engine| {
            let memory = self.drawn(engine, pitch);
            memory.map(|memory| memory.map(|bytes| checksum(&bytes)))
        });
        json!({
            "seed": self.seed,
            "program": hex(&self.case.program.program().encode()),
            "constants": self.case.constants.iter().collect::<Vec<_>>(),
            "budget": self.case.loop_budget,
            "planes": planes.collect::<Vec<_>>(),
            "vertices": vertices.collect::<Vec<_>>(),
            "texels": hex(&self.texels),
            "format": self.format,
            "depth": self.depth,
            "compare": self.compare,
            "blend": self.blend,
            "blend_constant": words(&self.blend_constant),
            "alpha": self.alpha.map(|(it, reference)| [it as u32, reference.to_bits()]),
            "anchor": words(&self.anchor),
            "sample_mask": self.sample_mask,
            "mask": self.mask,
            "samples": self.samples,
            "scissor": self.scissor,
            "threads": self.threads,
            "origin": self.origin,
            "checksums": checksums.collect::<Vec<_>>(),
            "scene": self.scene,
            "scene_size": self.scene_size,
            "scene_tile": self.scene_tile,
            "scene_drawn": self.scene_drawn(&engines[0]).map(|bytes| hex(&bytes)),
        })
    }
}

fn plane(dice: &mut Dice<'_>) -> Plane {
    let at = dice.within(-2.0, 2.0);
    let [dx, dy] = [(); 2].map(|()| dice.within(-0.1, 0.1));
    Plane { at, dx, dy }
}

fn vertex(dice: &mut Dice<'_>) -> [[f32; 4]; 2] {
    let [x, y] = [dice.within(-5.0, 15.0), dice.within(-10.0, 80.0)];
    let position = [x, y, dice.unit(), dice.within(0.5, 2.0)];
    [position, [(); 4].map(|()| dice.within(-1.0, 2.0))]
}

/// The program with its constants, and inputs and textures as directives.
fn scene(case: &Case, dice: &mut Dice<'_>) -> String {
    let mut text = case.settings();
    for input in 1..15 {
        let sums = [(); 4].map(|()| {
            let [one, u, v] = [(); 3].map(|()| dice.within(-2.0, 2.0));
            format!("{one}{u:+}*u{v:+}*v")
        });
        // Writing to a string cannot fail.
        let _ = writeln!(text, ";! varying i{input} = {}", sums.join(", "));
    }
    // The others have patterns of their own.
    let textures = case.program.usage().textures;
    for unit in (6..16).filter(|unit| textures >> unit & 1 != 0) {
        let _ = writeln!(
            text,
            ";! texture t{unit} = {}",
            dice.pick(&["bricks", "clouds"])
        );
    }
    let _ = write!(text, "{}", case.program.program());
    text
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
