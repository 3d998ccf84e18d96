//! Draws that the code does by itself, against what a plain loop says.

use attila_isa::pipeline::{
    Batch, ColourFormat, ColourTarget, InputKind, Pipeline, Plane, Span, Surface, Surfaces,
};
use attila_isa::{Backend, Bindings, Program, Slots, ValidProgram};
use attila_jit::{Jit, JitOptions};

fn program(text: &str) -> ValidProgram {
    Program::assemble(text).unwrap().validate().unwrap()
}

fn jit(quads: Option<usize>) -> Jit {
    let options = JitOptions {
        quads,
        ..JitOptions::default()
    };
    Jit::with_options(&options).unwrap()
}

const PLANES: [Plane; 4] = [
    Plane {
        at: 0.0,
        dx: 1.0 / 32.0,
        dy: 0.0,
    },
    Plane {
        at: 0.0,
        dx: 0.0,
        dy: 1.0 / 16.0,
    },
    Plane {
        at: 0.25,
        dx: 0.01,
        dy: 0.02,
    },
    Plane {
        at: 1.0,
        dx: 0.0,
        dy: 0.0,
    },
];

#[test]
fn linear_inputs_become_pixels() {
    let program = program("mov o1, i1");
    for quads in [None, Some(1), Some(2), Some(4)] {
        let shader = jit(quads).prepare(&program).unwrap();
        let mut pipeline = Pipeline::default();
        pipeline.inputs[1] = [InputKind::Linear; 4];
        pipeline.targets[0] = Some(ColourTarget {
            format: ColourFormat::Rgba8,
            mask: Slots::all(),
            blend: None,
        });
        let bindings = Bindings::new();
        let draw = shader.within(&pipeline, &bindings).unwrap().unwrap();
        for width in [8_u32, 10, 14, 22] {
            let mut bytes = vec![0; 4 * 32 * 16];
            let spans: Vec<Span> = (0..16)
                .step_by(2)
                .map(|y| Span {
                    x: 2,
                    y,
                    quads: width / 2,
                    primitive: 0,
                    first: 0,
                })
                .collect();
            let batch = Batch {
                spans: &spans,
                coverage: &[],
                anchors: &[[0.0; 2]],
                planes: &PLANES,
                arrays: [&[]; 16],
                alpha_reference: 0.0,
                blend_constant: [0.0; 4],
            };
            let mut surfaces = Surfaces::default();
            surfaces.colours[0] = Some(Surface {
                bytes: &mut bytes,
                pitch: 4 * 32,
                origin: [0, 0],
            });
            draw.shade(&bindings, &batch, &mut surfaces).unwrap();
            for y in 0..16_u32 {
                for x in 0..32_u32 {
                    let inside = (2..2 + width).contains(&x);
                    let expected = PLANES.map(|plane| {
                        let row = (y as f32 + 0.5).mul_add(plane.dy, plane.at);
                        let value = (x as f32 + 0.5).mul_add(plane.dx, row);
                        (value.clamp(0.0, 1.0) * 255.0) as u8
                    });
                    let expected = if inside { expected } else { [0; 4] };
                    let at = 4 * (y * 32 + x) as usize;
                    assert_eq!(
                        bytes[at..at + 4],
                        expected,
                        "({x}, {y}), {quads:?}, {width}"
                    );
                }
            }
        }
    }
}
