//! A picture that is too large to keep: 8192x8192 pixels of four floats into bulk.raw, strip by strip.
//!
//! `cargo run --release --example bulk [SIZE]`
#![expect(clippy::print_stderr, reason = "a command")]

use attila_shader::{Bindings, ColourFormat, ColourImage, Draw, Engine, Plane, Program, Varying};
use std::{env, error::Error, fs::File, io::Write};

const ROWS: u32 = 256;

fn main() -> Result<(), Box<dyn Error>> {
    let size: u32 = env::args().nth(1).map_or(Ok(8192), |size| size.parse())?;
    let program = Program::assemble(include_str!("bulk.attila"))?.validate()?;
    let shader = Engine::auto().prepare(&program)?;
    let bindings = Bindings::new()
        .with_constant(0, [-0.8, 0.156, 4.0, 0.0])
        .with_constant(1, [0.0, 1.0, 64.0, 1.0 / 64.0]);
    let plane = |at, dx, dy| Plane { at, dx, dy };
    let (zero, one, step) = (
        plane(0.0, 0.0, 0.0),
        plane(1.0, 0.0, 0.0),
        3.0 / size as f32,
    );
    let (x, y) = (plane(-1.5, step, 0.0), plane(-1.5, 0.0, step));
    let mut strip = ColourImage::new(ColourFormat::Rgba32F, size, ROWS);
    let draw = Draw::new(&shader).varying(6, Varying::linear([x, y, zero, one]));
    let mut draw = draw.target(0, ColourFormat::Rgba32F).threads(0).prepare()?;
    let mut file = File::create("bulk.raw")?;
    for top in (0..size).step_by(ROWS as usize) {
        let rows = ROWS.min(size - top);
        let strip_of = draw.frame(&bindings).target(0, &mut strip);
        strip_of
            .origin([0, top as i32], [size; 2])
            .rect(0..size, top..top + rows)?;
        file.write_all(&strip.bytes()[..(size * rows) as usize * 16])?;
        eprint!("\r{:3} %", u64::from(top + rows) * 100 / u64::from(size));
    }
    eprintln!();
    Ok(())
}
