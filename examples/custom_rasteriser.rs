//! A renderer that keeps its own rasteriser: it finds out which fragments balls cover, and what
//! their normals are there, without a single triangle. Lists of 2x2 fragments and arrays of inputs
//! go to the shader; blending and stores happen there.
//!
//! `cargo run --release --example custom_rasteriser [FILE]`, which writes `FILE`, or `balls.png`.

use std::error::Error;
use std::fs::File;

use attila_shader::draw::{ColourImage, Draw, Quad, Varying};
use attila_shader::machine::pipeline::{Blend, ColourFormat};
use attila_shader::machine::{LaneMask, QuadReg, from_lanes};
use attila_shader::{Bindings, Engine, Program};

const WIDTH: u32 = 640;
const HEIGHT: u32 = 400;

/// Light from c0 on a ball with the colour i7, and its edge, where i6.w falls to 0, made smooth.
const PROGRAM: &str = "
    dp3_sat r0.x, i6, c0
    mad     r0.x, r0.x, c1.x, c1.y      ; some light is everywhere
    mul     o1.xyz, i7, r0.x
    mov_sat o1.w, i6.w
";

/// A ball, its sizes in pixels.
struct Ball {
    centre: [f32; 2],
    radius: f32,
    colour: [f32; 3],
}

/// The output of the rasteriser: fragments, and the inputs that go with them.
#[derive(Default)]
struct Fragments {
    quads: Vec<Quad>,
    /// The normal, and how far it is to the edge.
    normals: Vec<QuadReg>,
    colours: Vec<QuadReg>,
}

impl Fragments {
    fn rasterise(&mut self, ball: &Ball) {
        let [x, y] = ball.centre;
        let even = |edge: f32, end: u32| (edge.clamp(0.0, end as f32) as u32) & !1;
        let columns = even(x - ball.radius, WIDTH)..even(x + ball.radius, WIDTH) + 2;
        let rows = even(y - ball.radius, HEIGHT)..even(y + ball.radius, HEIGHT) + 2;
        for y in rows.step_by(2) {
            for x in columns.clone().step_by(2) {
                self.quad(ball, x, y);
            }
        }
    }

    fn quad(&mut self, ball: &Ball, x: u32, y: u32) {
        let lanes = [(0, 0), (1, 0), (0, 1), (1, 1)];
        let normals = lanes.map(|(right, down)| ball.normal(x + right, y + down));
        let coverage = LaneMask::from_lanes(normals.map(|[.., edge]| edge > 0.0));
        if !coverage.is_empty() {
            let [r, g, b] = ball.colour;
            self.quads.push(Quad { x, y, coverage });
            self.normals.push(register(normals));
            self.colours.push(register([[r, g, b, 1.0]; 4]));
        }
    }
}

/// An input of a quad, given lane by lane.
fn register(lanes: [[f32; 4]; 4]) -> QuadReg {
    from_lanes(lanes.map(|lane| lane.map(f32::to_bits)))
}

impl Ball {
    /// The normal at the centre of a pixel, and how many pixels it is to the edge.
    fn normal(&self, x: u32, y: u32) -> [f32; 4] {
        let dx = (x as f32 + 0.5 - self.centre[0]) / self.radius;
        let dy = (y as f32 + 0.5 - self.centre[1]) / self.radius;
        let squared = dx * dx + dy * dy;
        let edge = (1.0 - squared.sqrt()) * self.radius;
        [dx, dy, (1.0 - squared).max(0.0).sqrt(), edge]
    }
}

/// A spiral of balls, the farthest first.
fn balls() -> impl Iterator<Item = Ball> {
    (0..90).map(|number| {
        let t = number as f32 / 90.0;
        let (sin, cos) = (t * 40.0).sin_cos();
        let hue = |shift: f32| 0.6 + 0.4 * (t * 20.0 + shift).cos();
        Ball {
            centre: [
                WIDTH as f32 / 2.0 + cos * (30.0 + 270.0 * t),
                HEIGHT as f32 / 2.0 + sin * (20.0 + 150.0 * t),
            ],
            radius: 6.0 + 40.0 * t,
            colour: [hue(0.0), hue(2.0), hue(4.0)],
        }
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let file = arguments.next().unwrap_or_else(|| "balls.png".into());
    if arguments.next().is_some() {
        return Err("one argument at most: the file to write".into());
    }
    // A file that cannot be written is found out before anything is drawn.
    let file = File::create(&file).map_err(|error| format!("{}: {error}", file.display()))?;

    let mut fragments = Fragments::default();
    balls().for_each(|ball| fragments.rasterise(&ball));

    let program = Program::assemble(PROGRAM)?.validate()?;
    let shader = Engine::auto().prepare(&program)?;
    let bindings = Bindings::new()
        .with_constant(0, [-0.48, -0.6, 0.64, 0.0])
        .with_constant(1, [0.85, 0.15, 0.0, 0.0]);
    let mut image = ColourImage::new(ColourFormat::Rgba8, WIDTH, HEIGHT);
    image.fill([24_u8, 26, 30, 255]);
    Draw::new(&shader)
        .bindings(&bindings)
        .varying(6, Varying::quads(&fragments.normals))
        .varying(7, Varying::quads(&fragments.colours))
        .target(0, &mut image)
        .blend(0, Blend::OVER)
        .threads(0)
        .quads(&fragments.quads)?;

    let mut encoder = png::Encoder::new(file, WIDTH, HEIGHT);
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(image.bytes())?;
    writer.finish()?;
    Ok(())
}
