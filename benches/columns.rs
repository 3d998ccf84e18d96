//! Columns against a hand-written loop over the same memory: a million points, one input, one output.
//!
//! The two take turns, and the ratio of the medians counts. The loop has vectors of 256 bits where the processor has AVX2.

use std::hint::black_box;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use attila_shader::{Bindings, Engine, Program};

/// Points, no multiple of any vector.
const POINTS: usize = 1_000_003;

/// Turns.
const TURNS: usize = 61;

const PROGRAM: &str = "
    mul r0, i1, c0
    add r0, r0, c1
    max o1, r0, c2";

type Vectors = Vec<[f32; 4]>;

/// Computes what the program does, for components in any order.
#[inline(always)]
fn plain(input: &[f32], output: &mut [f32], [scale, offset, least]: &[[f32; 8]; 3]) {
    let (input, rest) = input.as_chunks::<8>();
    let (output, last) = output.as_chunks_mut::<8>();
    let number = |from: f32, n: usize| {
        let sum = from * scale[n] + offset[n];
        if sum > least[n] { sum } else { least[n] }
    };
    for (from, to) in input.iter().zip(output) {
        for n in 0..8 {
            to[n] = number(from[n], n);
        }
    }
    for (n, (from, to)) in rest.iter().zip(last).enumerate() {
        *to = number(*from, n);
    }
}

/// The same with vectors of 256 bits.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2(input: &[f32], output: &mut [f32], constants: &[[f32; 8]; 3]) {
    plain(input, output, constants);
}

fn by_hand(input: &[f32], output: &mut [f32], constants: &[[f32; 8]; 3]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { with_avx2(input, output, constants) };
    }
    plain(input, output, constants);
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}

fn main() {
    let constants = [[0.5, 2.0, -1.0, 1.0], [0.25, -0.5, 1.0, 0.0], [0.0; 4]];
    let mut bindings = Bindings::new();
    for (register, value) in constants.into_iter().enumerate() {
        bindings.set_constant(register, value);
    }
    let eights = constants.map(|value| std::array::from_fn(|n| value[n % 4]));
    let wave = |n: usize| (n * 37 % 255) as f32 / 127.5 - 1.0;
    let input: Vectors = (0..POINTS)
        .map(|n| [wave(n), wave(n + 1), wave(n + 2), 1.0])
        .collect();
    let (mut output, mut expected) = (input.clone(), input.clone());
    let program = Program::assemble(PROGRAM)
        .expect("it is right")
        .validate()
        .expect("it is valid");
    let shader = Engine::auto().prepare(&program).expect("it compiles");
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        ours.push(timed(|| {
            let map = shader.map(&bindings).input(1, black_box(&input));
            map.output(1, &mut output).run().expect("it runs");
        }));
        theirs.push(timed(|| {
            let (from, to) = (input.as_flattened(), expected.as_flattened_mut());
            by_hand(black_box(from), to, &eights);
        }));
    }
    assert_eq!(output, expected);
    let (ours, theirs) = (median(ours), median(theirs));
    let ratio = ours / theirs;
    writeln!(
        io::stdout(),
        "columns {ours:.2} ms, by hand {theirs:.2} ms: {ratio:.2} times"
    )
    .expect("it is written");
}
