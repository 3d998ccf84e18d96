//! Time from a valid program to runnable code, by program length.

mod programs;

use attila_shader::Engine;
use criterion::{Criterion, criterion_group, criterion_main};

fn compile(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("compile");
    let jit = Engine::jit().expect("the JIT knows this machine");
    for length in [20, 100, 500] {
        let program = programs::alu(length);
        group.bench_function(format!("alu{length}"), |bencher| {
            bencher.iter(|| jit.prepare(&program).expect("the program compiles"));
        });
    }
    for (name, program) in [
        ("lane-loop", programs::lane_loop()),
        ("predication", programs::predication()),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| jit.prepare(&program).expect("the program compiles"));
        });
    }
}

criterion_group!(benches, compile);
criterion_main!(benches);
