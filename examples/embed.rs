//! The smallest program that draws: assemble, validate, prepare, draw.
//!
//! `cargo run --example embed`

use attila_shader::draw::ColourImage;
use attila_shader::machine::pipeline::ColourFormat;
use attila_shader::{Bindings, Draw, Engine, Program};

/// Spotlight: bright within a circle around c0, soft at its edge.
const PROGRAM: &str = "
    add     r0.xy, i0, -c0          ; i0 is the pixel's position
    mul     r0.xy, r0, r0
    add     r0.x, r0.x, r0.y        ; the distance from the centre, squared
    mad_sat o1, -r0.x, c1.x, c1.y
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let program = Program::assemble(PROGRAM)?.validate()?;
    let shader = Engine::auto().prepare(&program)?;
    let bindings = Bindings::new()
        .with_constant(0, [24.5, 8.5, 0.0, 0.0])
        .with_constant(1, [0.02, 1.5, 0.0, 0.0]);
    let mut image = ColourImage::new(ColourFormat::R32F, 48, 16);
    Draw::new(&shader)
        .bindings(&bindings)
        .target(0, &mut image)
        .rect(0..48, 0..16)?;
    for y in 0..16 {
        let row: String = (0..48)
            .map(|x| image.pixel(x, y).map_or(' ', shade))
            .collect();
        show(&row);
    }
    Ok(())
}

fn shade(grey: f32) -> char {
    [' ', '.', ':', 'o', 'O', '@'][(grey * 5.0) as usize]
}

#[expect(clippy::print_stdout, reason = "an example may print")]
fn show(row: &str) {
    println!("{row}");
}
