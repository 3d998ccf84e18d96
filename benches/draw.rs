//! Drawing with four programs: by both engines, and by code written by hand for the same lanes.
//!
//! The table comes first. Its contenders draw once each, in turn, so that a disturbance hits all of
//! them, and the best of many rounds counts. Then Criterion measures one contender after the other.

mod native;

use std::hint::black_box;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use attila_conformance::directives;
use attila_shader::draw::{self, ColourBuffer, ColourImage, Draw};
use attila_shader::machine::pipeline::{ColourFormat, Plane};
use attila_shader::texture::{Filter, Image, Sampler, Texture, Textures, Wrap};
use attila_shader::{Bindings, Engine, Program, Shader, ValidProgram};
use criterion::{Criterion, Throughput};

use native::{Native, SIDE_BY_SIDE, Scene, Texels};

/// Pixels along each side of the picture.
const SIDE: usize = 1024;
/// Texels along each side of the image.
const TEXELS: usize = 256;

/// Rounds of the table, in each of which every contender draws once.
const ROUNDS: usize = 100;

/// A program, and the scene that it draws.
struct Case {
    name: &'static str,
    native: Native,
    program: ValidProgram,
    constants: Vec<[f32; 4]>,
    /// The planes of each input.
    inputs: Vec<(usize, [Plane; 4])>,
}

impl Case {
    fn all() -> [Case; 4] {
        macro_rules! case {
            ($name:literal, $native:ident) => {
                Case::new(
                    $name,
                    Native::$native,
                    include_str!(concat!("programs/", $name, ".attila")),
                )
            };
        }
        [
            case!("passthrough", Passthrough),
            case!("blinn-phong", BlinnPhong),
            case!("julia", Julia),
            case!("bilinear", Bilinear),
        ]
    }

    fn new(name: &'static str, native: Native, text: &str) -> Case {
        let program = Program::assemble(text).expect("the text is right");
        let directives = directives::parse(text, &["varying", "texture"]);
        let directives = directives.expect("the directives are right");
        let constants = directives.constants.values();
        Case {
            name,
            native,
            program: program.validate().expect("the program is valid"),
            constants: constants.map(|bits| bits.map(f32::from_bits)).collect(),
            inputs: inputs(native),
        }
    }

    /// The planes of the components that the program reads.
    fn planes(&self) -> Vec<Plane> {
        let planes = self.inputs.iter().flat_map(|(input, planes)| {
            let read = self.program.usage().inputs[*input];
            read.components().map(|component| planes[component.index()])
        });
        planes.collect()
    }

    fn bindings<'a>(&self, textures: &'a Textures) -> Bindings<'a> {
        let mut bindings = Bindings::new().with_textures(textures);
        for (index, value) in self.constants.iter().enumerate() {
            bindings.set_constant(index, *value);
        }
        bindings
    }
}

/// The planes of a program's inputs, as its `;! varying` lines have them: for each component a number
/// and its growth over the columns and over the rows.
fn inputs(native: Native) -> Vec<(usize, [Plane; 4])> {
    const POSITION: [[f32; 3]; 2] = [[-2.0, 4.0, 0.0], [-1.5, 0.0, 3.0]];
    const ZERO: [f32; 3] = [0.0; 3];
    let [x, y] = POSITION;
    let sums = match native {
        Native::Passthrough => vec![(
            6,
            [
                [0.0, 1.0, 0.0],
                [0.0, 0.0, 1.0],
                [1.0, -0.5, -0.5],
                [0.25, 0.5, 0.25],
            ],
        )],
        Native::BlinnPhong => vec![
            (6, [x, y, [0.0, 0.3, -0.2], ZERO]),
            (
                7,
                [[-0.8, 1.6, 0.0], [-0.8, 0.0, 1.6], [0.6, 0.2, 0.1], ZERO],
            ),
        ],
        Native::Julia => vec![(6, [x, y, ZERO, ZERO])],
        Native::Bilinear => vec![(
            6,
            [[0.0, 1.7, 0.1], [0.0, -0.2, 1.3], ZERO, [1.0, 0.0, 0.0]],
        )],
    };
    let side = SIDE as f32;
    let plane = |[at, u, v]: [f32; 3]| Plane {
        at,
        dx: u / side,
        dy: v / side,
    };
    let planes = |(input, sums): (usize, [[f32; 3]; 4])| (input, sums.map(plane));
    sums.into_iter().map(planes).collect()
}

/// An image of noise.
struct Noise {
    texels: Vec<u32>,
    /// The image at unit 0.
    textures: Textures,
}

impl Noise {
    fn new() -> Noise {
        let texel = |n: usize| {
            (n as u32)
                .wrapping_mul(2_654_435_761)
                .rotate_left(n as u32 / 7)
        };
        let texels: Vec<u32> = (0..TEXELS * TEXELS).map(texel).collect();
        let bytes: Vec<u8> = texels.iter().flat_map(|word| word.to_le_bytes()).collect();
        let image = Image::from_rgba8(TEXELS as u32, TEXELS as u32, &bytes);
        let sampler = Sampler {
            mag: Filter::Linear,
            min: Filter::Linear,
            wrap: [Wrap::Repeat; 3],
            ..Sampler::default()
        };
        let texture = Texture::new(Arc::new(image.expect("the bytes fit")), sampler);
        let mut textures = Textures::new();
        textures
            .bind(0, texture.expect("the sampler fits"))
            .expect("there is unit 0");
        Noise { texels, textures }
    }
}

/// Draws the picture into its pixels.
type Drawing<'a> = Box<dyn FnMut(&mut [u8]) + 'a>;

/// An engine, or code written by hand, that draws the picture.
struct Contender<'a> {
    name: String,
    draw: Drawing<'a>,
    /// Rounds from one of its draws to the next.
    every: usize,
    /// Seconds of its fastest draw.
    best: f64,
}

impl<'a> Contender<'a> {
    fn new(name: String, every: usize, draw: impl FnMut(&mut [u8]) + 'a) -> Contender<'a> {
        Contender {
            name,
            draw: Box::new(draw),
            every,
            best: f64::INFINITY,
        }
    }

    /// A shader, on some threads.
    fn engine(
        case: &Case,
        shader: &'a Shader,
        bindings: &'a Bindings<'a>,
        threads: usize,
    ) -> Contender<'a> {
        let format = ColourFormat::Rgba8;
        let mut image = ColourImage::new(format, SIDE as u32, SIDE as u32);
        let mut draw = Draw::new(shader).target(0, &mut image).threads(threads);
        for (input, planes) in &case.inputs {
            draw = draw.varying(*input, draw::Varying::linear(*planes));
        }
        let mut prepared = draw.prepare().expect("the draw is right");
        let frame = move |pixels: &mut [u8]| {
            let target = ColourBuffer::new(format, SIDE as u32, SIDE as u32, pixels);
            let mut frame = prepared.frame(bindings).target(0, target);
            let side = SIDE as u32;
            frame.rect(0..side, 0..side).expect("the draw is right");
        };
        // The interpreter takes long.
        let every = if shader.engine() == "interp" { 10 } else { 1 };
        Contender::new(format!("{} {threads}", shader.engine()), every, frame)
    }

    /// The code written by hand, for each number of quads side by side.
    fn natives(native: Native, scene: Scene<'a>) -> Vec<Contender<'a>> {
        let contender = |quads| {
            let draw = move |pixels: &mut [u8]| {
                native.draw(black_box(&scene), pixels, SIDE, quads);
            };
            Contender::new(format!("native x{quads}"), 1, draw)
        };
        if Native::is_possible() {
            SIDE_BY_SIDE.map(contender).into()
        } else {
            Vec::new()
        }
    }
}

/// Calls `measure` with every contender of a case. Panics unless their pictures are the same.
fn with_contenders(case: &Case, image: &Noise, measure: impl FnOnce(&mut [Contender<'_>])) {
    let engines = [
        Engine::interp(),
        Engine::jit().expect("the JIT knows this machine"),
    ];
    let shaders = engines.map(|engine| engine.prepare(&case.program).expect("it compiles"));
    let bindings = case.bindings(&image.textures);
    let planes = case.planes();
    let scene = Scene {
        planes: &planes,
        constants: &case.constants,
        texture: Texels {
            texels: &image.texels,
            width: TEXELS,
            height: TEXELS,
        },
    };
    let [interp, jit] = &shaders;
    let mut contenders = vec![
        Contender::engine(case, interp, &bindings, 1),
        Contender::engine(case, jit, &bindings, 1),
        Contender::engine(case, jit, &bindings, 2),
    ];
    contenders.extend(Contender::natives(case.native, scene));
    let mut first: Option<Vec<u8>> = None;
    for contender in &mut contenders {
        let mut pixels = vec![0; 4 * SIDE * SIDE];
        (contender.draw)(&mut pixels);
        let first = first.get_or_insert_with(|| pixels.clone());
        let (case, name) = (case.name, &contender.name);
        assert!(*first == pixels, "{case}: {name} draws another picture");
    }
    measure(&mut contenders);
}

/// Lets every contender draw, in turn.
fn race(contenders: &mut [Contender<'_>], rounds: usize) {
    let mut pixels = vec![0; 4 * SIDE * SIDE];
    for round in 0..rounds {
        for contender in contenders.iter_mut() {
            if round % contender.every == 0 {
                let start = Instant::now();
                (contender.draw)(&mut pixels);
                contender.best = contender.best.min(start.elapsed().as_secs_f64());
            }
        }
    }
}

/// The line of the table for one program.
fn line(case: &Case, contenders: &[Contender<'_>]) -> String {
    let speed = |seconds: f64| (SIDE * SIDE) as f64 / seconds / 1e6;
    let [interp, jit, jit2, natives @ ..] = contenders else {
        unreachable!("the first three are engines");
    };
    let native = natives.iter().min_by(|a, b| a.best.total_cmp(&b.best));
    let by_hand = native.map_or_else(
        || format!("{:>15}", "none"),
        |native| format!("{:>10.1}{:>5}", speed(native.best), &native.name[7..]),
    );
    format!(
        "{:<12}{:>10.1}{:>10.1}{:>10.1}{by_hand}{:>14.2}{:>14.1}{:>13.2}",
        case.name,
        speed(interp.best),
        speed(jit.best),
        speed(jit2.best),
        native.map_or(f64::NAN, |native| native.best / jit.best),
        interp.best / jit.best,
        jit.best / jit2.best,
    )
}

/// Prints the millions of pixels that each contender draws in a second, and the ratios.
fn table(cases: &[Case], image: &Noise, rounds: usize) -> io::Result<()> {
    let mut out = io::stdout();
    writeln!(
        out,
        "Mpixel/s, best of {rounds}, {SIDE}x{SIDE} RGBA8\n\
         {:<12}{:>10}{:>10}{:>10}{:>15}{:>14}{:>14}{:>13}",
        "",
        "interp",
        "jit",
        "jit 2 thr",
        "native (quads)",
        "jit / native",
        "jit / interp",
        "2 / 1 thread"
    )?;
    for case in cases {
        let mut text = String::new();
        with_contenders(case, image, |contenders| {
            race(contenders, rounds);
            text = line(case, contenders);
        });
        writeln!(out, "{text}")?;
    }
    writeln!(out)
}

fn bench(criterion: &mut Criterion, case: &Case, image: &Noise) {
    let mut group = criterion.benchmark_group(format!("draw/{}", case.name));
    group.throughput(Throughput::Elements((SIDE * SIDE) as u64));
    group.sample_size(20);
    with_contenders(case, image, |contenders| {
        let mut pixels = vec![0; 4 * SIDE * SIDE];
        for contender in contenders {
            group.bench_function(&contender.name, |bencher| {
                bencher.iter(|| (contender.draw)(&mut pixels));
            });
        }
    });
    group.finish();
}

fn main() -> io::Result<()> {
    let (cases, image) = (Case::all(), Noise::new());
    let only_try = std::env::args().any(|argument| argument == "--test");
    table(&cases, &image, if only_try { 1 } else { ROUNDS })?;
    let mut criterion = Criterion::default().configure_from_args();
    for case in &cases {
        bench(&mut criterion, case, &image);
    }
    criterion.final_summary();
    Ok(())
}
