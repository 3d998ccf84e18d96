//! Time from a valid program to its first quad, by program length.

mod long;
mod programs;

use attila_shader::{Bindings, Engine, QuadIo, ValidProgram};
use criterion::{Criterion, criterion_group, criterion_main};

/// Prepares the program and runs a quad: an engine may compile when it has to run.
fn first_quad(engine: &Engine, program: &ValidProgram) -> [QuadIo; 1] {
    let shader = engine.prepare(program).expect("the program compiles");
    let mut quads = [QuadIo::default()];
    shader
        .run(&Bindings::new(), &mut quads)
        .expect("the program runs");
    quads
}

fn compile(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("compile");
    let jit = Engine::jit().expect("the JIT knows this machine");
    for length in [20, 100, 500] {
        let program = programs::alu(length);
        group.bench_function(format!("alu{length}"), |bencher| {
            bencher.iter(|| first_quad(&jit, &program));
        });
    }
    for (name, program) in [
        ("lane-loop", programs::lane_loop()),
        ("predication", programs::predication()),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| first_quad(&jit, &program));
        });
    }
    let long = long::dot_products();
    group.sample_size(10);
    group.bench_function("jumps8000", |bencher| {
        bencher.iter(|| first_quad(&jit, &long));
    });
}

criterion_group!(benches, compile);
criterion_main!(benches);
