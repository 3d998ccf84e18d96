//! The smallest program that shades: assemble, validate, prepare, run.
//!
//! `cargo run --example embed`

use attila_shader::{Bindings, Engine, Program, QuadIo};

/// Spotlight: bright within a circle around c0, soft at its edge.
const PROGRAM: &str = "
    add     r0.xy, i6, -c0
    mul     r0.xy, r0, r0
    add     r0.x, r0.x, r0.y        ; the distance from the centre, squared
    mad_sat o1, -r0.x, c1.x, c1.y
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let program = Program::assemble(PROGRAM)?.validate()?;
    let shader = Engine::auto().prepare(&program)?;
    let bindings = Bindings::new()
        .with_constant(0, [24.0, 8.0, 0.0, 0.0])
        .with_constant(1, [0.02, 1.5, 0.0, 0.0]);

    // A row of quads is two rows of fragments.
    let mut quads = vec![QuadIo::default(); 24];
    for y in (0..16).step_by(2) {
        for (index, quad) in quads.iter_mut().enumerate() {
            let at = |lane: usize| {
                [
                    (2 * index + lane % 2) as f32,
                    (y + lane / 2) as f32,
                    0.0,
                    1.0,
                ]
            };
            quad.set_input(6, std::array::from_fn(at));
        }
        shader.run(&bindings, &mut quads)?;
        for lanes in [[0, 1], [2, 3]] {
            let fragments = quads
                .iter()
                .flat_map(|quad| lanes.map(|lane| quad.output(1)[lane]));
            let row: String = fragments.map(|[grey, ..]| shade(grey)).collect();
            show(&row);
        }
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
