//! Drawing with several samples per pixel, against one: triangles that cover the whole target, many small ones, and programs
//! that run for each sample.

use std::io::{self, Write};
use std::time::Instant;

use attila_scene::directives;
use attila_shader::draw::{ColourImage, Draw, Interpolation, PreparedDraw, Varying, Vertices};
use attila_shader::machine::SampleCount;
use attila_shader::machine::pipeline::ColourFormat;
use attila_shader::{Bindings, Engine, Program, Shader};

/// Pixels along each side of the target.
const SIDE: u32 = 1024;
/// Rounds, in each of which every draw is made once.
const ROUNDS: usize = 40;
const FORMAT: ColourFormat = ColourFormat::Rgba8;

/// Programs by name, from the cheapest to one of a hundred instructions.
const CASES: [(&str, &str); 3] = [
    ("gradient", "mov o1, i6\nend"),
    ("julia", include_str!("programs/julia.attila")),
    ("blinn-phong", include_str!("programs/blinn-phong.attila")),
];

/// Vertices, and the triangles between them.
struct Mesh {
    positions: Vec<[f32; 4]>,
    attributes: Vec<[f32; 4]>,
    triangles: Vec<[u32; 3]>,
}

impl Mesh {
    fn new(positions: Vec<[f32; 4]>) -> Mesh {
        let place = |[x, y, ..]: &[f32; 4]| [x / SIDE as f32, y / SIDE as f32, 0.5, 1.0];
        let attributes = positions.iter().map(place).collect();
        let count = positions.len() as u32 / 3;
        Mesh {
            positions,
            attributes,
            triangles: (0..count).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]).collect(),
        }
    }

    /// Two triangles that cover the target.
    fn whole() -> Mesh {
        let side = SIDE as f32;
        let corner = |x: f32, y: f32| [x, y, 0.5, 1.0];
        Mesh::new(vec![
            corner(0.0, 0.0),
            corner(side, 0.0),
            corner(0.0, side),
            corner(side, 0.0),
            corner(side, side),
            corner(0.0, side),
        ])
    }

    /// 2000 triangles of 20 pixels, all over the target.
    fn small() -> Mesh {
        let mut word = 1_u32;
        let mut dice = || {
            word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (word >> 8) as f32 / (1 << 24) as f32
        };
        let mut positions = Vec::new();
        for _ in 0..2000 {
            let [x, y, turn] = [(); 3].map(|()| dice());
            for corner in 0..3 {
                // An equilateral triangle with an area of 20.
                let angle = (turn + corner as f32 / 3.0) * std::f32::consts::TAU;
                let place = |at: f32, along: f32| at * SIDE as f32 + 3.924 * along;
                positions.push([place(x, angle.cos()), place(y, angle.sin()), 0.5, 1.0]);
            }
        }
        Mesh::new(positions)
    }
}

/// A draw, and the seconds of its fastest run.
struct Contender {
    prepared: PreparedDraw,
    samples: SampleCount,
    best: f64,
}

impl Contender {
    fn new(shader: &Shader, samples: SampleCount, shades: bool) -> Contender {
        let mut image = ColourImage::multisampled(FORMAT, 8, 8, samples);
        let attribute = Varying::vertices(Interpolation::Linear);
        let prepared = Draw::new(shader)
            .target(0, &mut image)
            .varying(6, attribute)
            .varying(7, attribute)
            .sample_shading(shades)
            .threads(1)
            .prepare();
        Contender {
            prepared: prepared.expect("the draw is right"),
            samples,
            best: f64::INFINITY,
        }
    }

    fn draw(&mut self, bindings: &Bindings<'_>, mesh: &Mesh, image: &mut ColourImage) {
        let mut vertices = Vertices::new(&mesh.positions);
        for register in [6, 7] {
            vertices = vertices.with(register, &mesh.attributes);
        }
        let start = Instant::now();
        let mut frame = self.prepared.frame(bindings).target(0, image);
        let drawn = frame.triangles(&vertices, &mesh.triangles);
        drawn.expect("the draw is right");
        self.best = self.best.min(start.elapsed().as_secs_f64());
    }
}

/// Milliseconds with one sample, and the ratios to it of two, four, eight and sixteen samples, and of four with
/// the program run for each.
fn line(
    (name, text): (&str, &str),
    mesh: &Mesh,
    rounds: usize,
    images: &mut [ColourImage],
) -> String {
    let engine = Engine::jit().expect("the JIT knows this machine");
    let program = Program::assemble(text).expect("a bench's text is right");
    let directives = directives::parse(text, &["varying"]).expect("the directives are right");
    let mut bindings = Bindings::new();
    for (constant, value) in &directives.constants {
        bindings.set_constant_bits(*constant, *value);
    }
    let program = program.validate().expect("a bench's program is valid");
    let shader = engine.prepare(&program).expect("it compiles");
    let mut contenders: Vec<_> = SampleCount::ALL
        .map(|samples| Contender::new(&shader, samples, false))
        .into();
    contenders.push(Contender::new(&shader, SampleCount::Four, true));
    for _ in 0..rounds {
        for contender in &mut contenders {
            let image = images
                .iter_mut()
                .find(|it| it.samples() == contender.samples);
            contender.draw(&bindings, mesh, image.expect("there is one for each"));
        }
    }
    let one = contenders[0].best;
    let ratios = contenders[1..]
        .iter()
        .map(|it| format!("{:>8.2}", it.best / one));
    format!("{name:<16}{:>8.3}{}", 1e3 * one, ratios.collect::<String>())
}

fn main() -> io::Result<()> {
    let only_try = std::env::args().any(|argument| argument == "--test");
    let rounds = if only_try { 1 } else { ROUNDS };
    let mut images = SampleCount::ALL.map(|it| ColourImage::multisampled(FORMAT, SIDE, SIDE, it));
    let mut out = io::stdout();
    writeln!(
        out,
        "ms with 1 sample, best of {rounds}, {SIDE}x{SIDE} RGBA8, 1 thread; times as long with 2 to 16, and with 4 that are shaded\n{:<16}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}",
        "", "1", "2", "4", "8", "16", "each of 4"
    )?;
    for (shape, mesh) in [("all", Mesh::whole()), ("2000 triangles", Mesh::small())] {
        writeln!(out, "{shape}")?;
        for case in CASES {
            writeln!(out, "{}", line(case, &mesh, rounds, &mut images))?;
        }
    }
    Ok(())
}
