//! Fragments per second of both engines, one thread.

mod programs;

use std::hint::black_box;

use attila_shader::{Bindings, Engine, QuadIo, ValidProgram};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Enough to make the call's fixed costs vanish, few enough to stay in the cache.
const QUADS: usize = 256;

/// Quads whose inputs run smoothly over [-1, 1].
fn quads(count: usize) -> Vec<QuadIo> {
    let wave = |n: usize| ((n * 37 % 255) as f32) / 127.5 - 1.0;
    let mut quads = vec![QuadIo::default(); count];
    for (index, quad) in quads.iter_mut().enumerate() {
        for input in 0..4 {
            let lane = |lane| std::array::from_fn(|c| wave(index * 16 + lane * 4 + c + input));
            quad.set_input(input, std::array::from_fn(lane));
        }
    }
    quads
}

/// Constants between -0.4 and 0.6.
fn bindings() -> Bindings<'static> {
    let mut bindings = Bindings::new();
    for index in 0..32 {
        let value = |c: usize| ((index * 4 + c) * 29 % 64) as f32 / 64.0 - 0.4;
        bindings.set_constant(index, std::array::from_fn(value));
    }
    bindings
}

fn bench_program(criterion: &mut Criterion, name: &str, program: &ValidProgram) {
    let mut group = criterion.benchmark_group(format!("shading/{name}"));
    group.throughput(Throughput::Elements(4 * QUADS as u64));
    let engines = [
        Engine::interp(),
        Engine::jit().expect("the JIT knows this machine"),
    ];
    let bindings = bindings();
    for engine in engines {
        let shader = engine.prepare(program).expect("the program compiles");
        let mut quads = quads(QUADS);
        group.bench_function(engine.name(), |bencher| {
            bencher.iter(|| shader.run(&bindings, black_box(&mut quads)));
        });
    }
}

fn shading(criterion: &mut Criterion) {
    for length in [20, 100, 500] {
        bench_program(criterion, &format!("alu{length}"), &programs::alu(length));
    }
    bench_program(criterion, "lane-loop", &programs::lane_loop());
    bench_program(criterion, "predication", &programs::predication());
}

criterion_group!(benches, shading);
criterion_main!(benches);
