//! Drawing with four programs: by the interpreter, by the JIT with vectors of every width that the
//! machine has, and by code written by hand for the same lanes.
//!
//! The table comes first, with a line for every width. Its contenders draw once each, in turn, so that
//! a disturbance hits all of them, and the best of many rounds counts. Then Criterion measures one
//! contender after the other.

mod native;

use std::hint::black_box;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use attila_scene::directives;
use attila_shader::draw::{self, ColourBuffer, ColourImage, Draw};
use attila_shader::machine::pipeline::{ColourFormat, Plane};
use attila_shader::texture::{Image, Sampler, Texture, Textures};
use attila_shader::{Bindings, Engine, JitOptions, Program, Shader, ValidProgram, Vectors};
use criterion::{Criterion, Throughput};

use native::{Native, SIDE_BY_SIDE, Scene, Texels, Width};

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
        let sampler = Sampler::default();
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

/// The one who draws.
#[derive(Clone, Copy)]
enum Who {
    Interp,
    /// The JIT, on some threads.
    Jit(Vectors, usize),
    /// Code written by hand, with some vectors side by side.
    Native(Vectors, usize),
}

impl Who {
    fn name(self) -> String {
        match self {
            Who::Interp => "interp".into(),
            Who::Jit(vectors, threads) => format!("jit {} {threads}", bits(vectors)),
            Who::Native(vectors, side) => format!("native {} x{side}", bits(vectors)),
        }
    }
}

/// The bits of one of the machine's vectors.
fn bits(vectors: Vectors) -> usize {
    match vectors {
        Vectors::Auto => unreachable!("a width of the machine"),
        Vectors::V128 => 128,
        Vectors::V256 => 256,
        Vectors::V512 => 512,
    }
}

/// The lanes of one of the machine's vectors.
fn lanes(vectors: Vectors) -> Width {
    match vectors {
        Vectors::Auto => unreachable!("a width of the machine"),
        Vectors::V128 => Width::Four,
        Vectors::V256 => Width::Eight,
        Vectors::V512 => Width::Sixteen,
    }
}

/// An engine, or code written by hand, that draws the picture.
struct Contender<'a> {
    who: Who,
    draw: Drawing<'a>,
    /// Seconds of its fastest draw.
    best: f64,
}

impl<'a> Contender<'a> {
    fn new(who: Who, draw: impl FnMut(&mut [u8]) + 'a) -> Contender<'a> {
        Contender {
            who,
            draw: Box::new(draw),
            best: f64::INFINITY,
        }
    }

    /// A shader.
    fn engine(
        case: &Case,
        who: Who,
        shader: &'a Shader,
        bindings: &'a Bindings<'a>,
    ) -> Contender<'a> {
        let format = ColourFormat::Rgba8;
        let threads = match who {
            Who::Jit(_, threads) => threads,
            Who::Interp | Who::Native(..) => 1,
        };
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
        Contender::new(who, frame)
    }

    /// The code written by hand, for each number of vectors side by side.
    fn natives(native: Native, scene: Scene<'a>, vectors: Vectors) -> Vec<Contender<'a>> {
        let lanes = lanes(vectors);
        let contender = |side| {
            let draw = move |pixels: &mut [u8]| {
                native.draw(black_box(&scene), pixels, SIDE, (lanes, side));
            };
            Contender::new(Who::Native(vectors, side), draw)
        };
        if lanes.is_possible() {
            SIDE_BY_SIDE.map(contender).into()
        } else {
            Vec::new()
        }
    }

    /// Rounds from one of its draws to the next: the interpreter takes long.
    fn every(&self) -> usize {
        match self.who {
            Who::Interp => 10,
            Who::Jit(..) | Who::Native(..) => 1,
        }
    }
}

/// The case's shader by the JIT with these vectors.
fn jit(case: &Case, vectors: Vectors) -> Shader {
    let options = JitOptions {
        vectors,
        ..JitOptions::default()
    };
    let engine = Engine::with_jit_options(&options).expect("the JIT knows this machine");
    engine.prepare(&case.program).expect("it compiles")
}

/// Calls `measure` with every contender of a case. Panics unless their pictures are the same.
fn with_contenders(case: &Case, image: &Noise, measure: impl FnOnce(&mut [Contender<'_>])) {
    let interp = Engine::interp().prepare(&case.program);
    let interp = interp.expect("it compiles");
    let here = Vectors::here();
    let jits: Vec<(Vectors, Shader)> = here
        .into_iter()
        .map(|vectors| (vectors, jit(case, vectors)))
        .collect();
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
    let mut contenders = vec![Contender::engine(case, Who::Interp, &interp, &bindings)];
    for (vectors, shader) in &jits {
        for threads in [1, 2] {
            let who = Who::Jit(*vectors, threads);
            contenders.push(Contender::engine(case, who, shader, &bindings));
        }
        contenders.extend(Contender::natives(case.native, scene, *vectors));
    }
    let mut first: Option<Vec<u8>> = None;
    for contender in &mut contenders {
        let mut pixels = vec![0; 4 * SIDE * SIDE];
        (contender.draw)(&mut pixels);
        let first = first.get_or_insert_with(|| pixels.clone());
        let (case, name) = (case.name, contender.who.name());
        assert!(*first == pixels, "{case}: {name} draws another picture");
    }
    measure(&mut contenders);
}

/// Lets every contender draw, in turn.
fn race(contenders: &mut [Contender<'_>], rounds: usize) {
    let mut pixels = vec![0; 4 * SIDE * SIDE];
    for round in 0..rounds {
        for contender in contenders.iter_mut() {
            if round % contender.every() == 0 {
                let start = Instant::now();
                (contender.draw)(&mut pixels);
                contender.best = contender.best.min(start.elapsed().as_secs_f64());
            }
        }
    }
}

/// The fastest draws of one program, in seconds.
struct Times {
    interp: f64,
    /// On one thread and on two.
    jit: [f64; 2],
    /// With the best number of vectors side by side.
    native: Option<(f64, usize)>,
}

impl Times {
    /// With vectors of one width.
    fn new(contenders: &[Contender<'_>], width: Vectors) -> Times {
        let mut times = Times {
            interp: f64::NAN,
            jit: [f64::NAN; 2],
            native: None,
        };
        for contender in contenders {
            match contender.who {
                Who::Interp => times.interp = contender.best,
                Who::Jit(vectors, threads) if vectors == width => {
                    times.jit[threads - 1] = contender.best;
                }
                Who::Native(vectors, side) if vectors == width => {
                    let faster = |(best, _): &(f64, usize)| *best <= contender.best;
                    times.native = times.native.filter(faster).or(Some((contender.best, side)));
                }
                Who::Jit(..) | Who::Native(..) => {}
            }
        }
        times
    }

    /// The line of the table.
    fn line(&self, name: &str, width: Vectors) -> String {
        let speed = |seconds: f64| (SIDE * SIDE) as f64 / seconds / 1e6;
        let by_hand = match self.native {
            Some((best, side)) => format!("{:>10.1}{:>5}", speed(best), format!("x{side}")),
            None => format!("{:>15}", "none"),
        };
        let [jit, jit2] = self.jit;
        let native = self.native.map_or(f64::NAN, |(best, _)| best);
        format!(
            "{name:<12}{:>5}{:>10.1}{:>10.1}{:>10.1}{by_hand}{:>14.2}{:>14.1}{:>13.2}",
            bits(width),
            speed(self.interp),
            speed(jit),
            speed(jit2),
            native / jit,
            self.interp / jit,
            jit / jit2,
        )
    }
}

/// Prints the millions of pixels that each contender draws in a second, and the ratios.
fn table(cases: &[Case], image: &Noise, rounds: usize) -> io::Result<()> {
    let mut out = io::stdout();
    writeln!(
        out,
        "Mpixel/s, best of {rounds}, {SIDE}x{SIDE} RGBA8; native code with so many vectors side by side\n\
         {:<12}{:>5}{:>10}{:>10}{:>10}{:>15}{:>14}{:>14}{:>13}",
        "",
        "bits",
        "interp",
        "jit",
        "jit 2 thr",
        "native",
        "jit / native",
        "jit / interp",
        "2 / 1 thread"
    )?;
    for case in cases {
        let mut lines = Vec::new();
        with_contenders(case, image, |contenders| {
            race(contenders, rounds);
            for width in Vectors::here() {
                lines.push(Times::new(contenders, width).line(case.name, width));
            }
        });
        writeln!(out, "{}", lines.join("\n"))?;
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
            group.bench_function(contender.who.name(), |bencher| {
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
