//! Pixels per second of every format: written, blended, and resolved from four samples.

use attila_shader::draw::{ColourImage, Draw, Plane, PreparedDraw, Varying};
use attila_shader::machine::SampleCount;
use attila_shader::machine::pipeline::{Blend, ColourFormat};
use attila_shader::{Bindings, Engine, Program, Shader};
use criterion::{Criterion, Throughput};

/// Pixels along each side of the target.
const SIDE: u32 = 1024;

/// A draw of a colour that changes along both axes.
fn prepared(shader: &Shader, format: ColourFormat, blend: Option<Blend>) -> PreparedDraw {
    let step = 1.0 / SIDE as f32;
    let plane = |dx, dy| Plane { at: 0.25, dx, dy };
    let planes = [
        plane(step, 0.0),
        plane(0.0, step),
        plane(-step, step),
        plane(0.5 * step, 0.0),
    ];
    let draw = Draw::new(shader).varying(6, Varying::linear(planes));
    let draw = draw.target(0, format);
    let draw = match blend {
        Some(blend) => draw.blend(0, blend),
        None => draw,
    };
    draw.prepare().expect("it can be drawn")
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let program = Program::assemble("mov o1, i6").expect("it is right");
    let program = program.validate().expect("it is valid");
    let shader = Engine::auto().prepare(&program).expect("it compiles");
    let bindings = Bindings::new();
    for format in ColourFormat::ALL {
        let mut group = criterion.benchmark_group(format!("formats/{format:?}"));
        group.throughput(Throughput::Elements(u64::from(SIDE * SIDE)));
        let mut image = ColourImage::new(format, SIDE, SIDE);
        for (how, blend) in [("written", None), ("blended", Some(Blend::OVER))] {
            let mut draw = prepared(&shader, format, blend);
            group.bench_function(how, |bencher| {
                bencher.iter(|| {
                    let mut frame = draw.frame(&bindings).target(0, &mut image);
                    frame.rect(0..SIDE, 0..SIDE).expect("it draws");
                });
            });
        }
        let samples = ColourImage::multisampled(format, SIDE, SIDE, SampleCount::Four);
        group.bench_function("resolved", |bencher| {
            bencher.iter(|| samples.resolve_to(&mut image).expect("they fit"));
        });
        group.finish();
    }
    criterion.final_summary();
}
