//! Compiled shaders own their memory, and threads share them. A separate process, so that nothing
//! else moves the figures.

use attila_isa::{Program, ValidProgram};
use attila_jit::Jit;
use attila_machine::{Backend, Bindings, QuadIo};

fn program(text: &str) -> ValidProgram {
    let program = Program::assemble(text).expect("the text is right");
    program.validate().expect("the program is valid")
}

/// Pages of this process that are in memory. `None` where the system does not say.
fn resident_pages() -> Option<usize> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    statm.split_whitespace().nth(1)?.parse().ok()
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn a_dropped_shader_leaves_nothing_behind() {
    const SHADERS: usize = 10_000;
    let program = program("mul r0, i0, c0\nsin o0.x, r0.x\nend");
    let jit = Jit::new().expect("this machine is known");
    let compile = || {
        let shader = jit.prepare(&program).expect("the program compiles");
        let mut quads = [QuadIo::default()];
        shader
            .run(&Bindings::new(), &mut quads)
            .expect("nothing loops");
    };
    // Allocations that are made once and kept.
    (0..200).for_each(|_| compile());
    let Some(before) = resident_pages() else {
        eprintln!("skipped: the system does not tell how much memory is resident");
        return;
    };
    (0..SHADERS).for_each(|_| compile());
    let after = resident_pages().expect("it was there before");
    // A leak would be two pages or more for each shader.
    let grown = after.saturating_sub(before);
    assert!(grown < SHADERS / 10, "{grown} pages more than before");
}

#[test]
fn a_shader_lives_as_long_as_it_is_used_and_no_longer() {
    let jit = Jit::new().expect("this machine is known");
    let shaders: Vec<_> = (0..40)
        .map(|n| {
            let text = format!("add o0, i0, c{n}\nend");
            jit.prepare(&program(&text)).expect("the program compiles")
        })
        .collect();
    let mut bindings = Bindings::new();
    for n in 0..40 {
        bindings.set_constant(n, [n as f32; 4]);
    }
    for (n, shader) in shaders.into_iter().enumerate().rev() {
        let mut quads = [QuadIo::default()];
        shader.run(&bindings, &mut quads).expect("nothing loops");
        assert_eq!(quads[0].output(0), [[n as f32; 4]; 4]);
    }
}

#[test]
fn threads_share_a_shader() {
    let jit = Jit::new().expect("this machine is known");
    let program = program("mad r0, i0, c0, c1\nrcp r1, r0.x\nmul o0, r0, r1.x\nend");
    let shader = jit.prepare(&program).expect("the program compiles");
    let run = |thread: usize| {
        let scale = (thread + 1) as f32;
        let bindings = Bindings::new()
            .with_constant(0, [1.0, scale, 2.0 * scale, 0.5])
            .with_constant(1, [scale; 4]);
        for round in 0..200 {
            let x = (round + 1) as f32;
            let mut quads = vec![QuadIo::default(); 1 + round % 7];
            for quad in &mut quads {
                quad.set_input(0, [[x; 4]; 4]);
            }
            shader.run(&bindings, &mut quads).expect("nothing loops");
            let reciprocal = 1.0 / (x + scale);
            let expected = [1.0, scale, 2.0 * scale, 0.5].map(|s| (x * s + scale) * reciprocal);
            assert!(quads.iter().all(|quad| quad.output(0) == [expected; 4]));
        }
    };
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || run(thread));
        }
    });
}
