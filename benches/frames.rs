//! Cost of a frame beside its pixels: a draw of one pixel, made and prepared.

use std::hint::black_box;

use attila_shader::draw::{ColourImage, Draw, Plane, Varying};
use attila_shader::{Bindings, ColourFormat, Engine, Program};
use criterion::Criterion;

const PROGRAM: &str = "mul r0, i6, c0\nmov_sat o1, r0";

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let program = Program::assemble(PROGRAM).expect("it is right");
    let program = program.validate().expect("it is valid");
    let shader = Engine::auto().prepare(&program).expect("it compiles");
    let bindings = Bindings::new().with_constant(0, [0.5; 4]);
    let plane = |dx| Plane {
        at: 0.25,
        dx,
        dy: 0.0,
    };
    let colour = Varying::linear([plane(0.5), plane(0.0), plane(0.0), plane(0.0)]);
    let mut image = ColourImage::new(ColourFormat::Rgba8, 1, 1);
    let mut group = criterion.benchmark_group("frames");
    group.bench_function("a draw of one pixel", |bencher| {
        bencher.iter(|| {
            let draw = Draw::new(black_box(&shader)).bindings(&bindings);
            let draw = draw.varying(6, colour).target(0, &mut image);
            draw.rect(0..1, 0..1).expect("it draws");
        });
    });
    let draw = Draw::new(&shader).varying(6, colour).target(0, &mut image);
    let mut draw = draw.prepare().expect("it can be drawn");
    group.bench_function("a prepared frame of one pixel", |bencher| {
        bencher.iter(|| {
            let frame = black_box(&mut draw).frame(&bindings);
            let mut frame = frame.target(0, &mut image);
            frame.rect(0..1, 0..1).expect("it draws");
        });
    });
    group.finish();
    criterion.final_summary();
}
