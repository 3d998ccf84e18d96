//! Runs of any number of quads: each is shaded as if it were alone.

use attila_shader::machine::SAMPLES;
use attila_shader::{Bindings, Engine, QuadIo, Shader};

use crate::common::{case, compile, engines};

/// No jumps, a kill, and a depth.
const STRAIGHT: &str = "
    mad r0, i0, i1, i0
    kil r0
    zxp i1.y
    setpgt p0, r0.x, 0.0
    add o0, r0, i1
    mul o1.xy, i1, i0";

/// As many turns as i0.x says.
const LOOP: &str = "
    mov r0.x, i0.x
    again: add r0.x, r0.x, -1.0
    add r1.x, r1.x, i1.y
    setpgt p0, r0.x, 0.0
    jmp p0, again
    mov o0.x, r1.x";

/// Most quads that a run of the test has: more than two iterations of the widest vectors.
const MOST: usize = 37;

fn quads() -> Vec<QuadIo> {
    let quad = |number: usize| {
        let mut quad = QuadIo::default();
        let lane = |lane: usize| ((7 * number + 3 * lane) % 11) as f32;
        quad.set_input(0, [0, 1, 2, 3].map(|at| [lane(at), 1.0, -lane(at), 0.5]));
        quad.set_input(
            1,
            [3, 1, 2, 0].map(|at| [-1.0, lane(at), 0.25, number as f32]),
        );
        // Contents from before the run, some of which stay.
        let word = number as u32;
        quad.outputs
            .iter_mut()
            .for_each(|output| *output = [[word; 4]; 4]);
        quad.depth = [[word; 4]; SAMPLES];
        quad
    };
    (0..MOST).map(quad).collect()
}

fn shaded(shader: &Shader, mut quads: Vec<QuadIo>) -> Vec<QuadIo> {
    let run = shader.run(&Bindings::new(), &mut quads);
    run.expect("the program ends");
    quads
}

#[test]
fn a_quad_is_shaded_as_if_it_were_alone_whatever_was_shaded_before() {
    for text in [STRAIGHT, LOOP] {
        let (case, _) = case(text);
        let interpreter = compile(&Engine::interp(), &case);
        let alone = quads().into_iter();
        let alone = alone.map(|quad| shaded(&interpreter, vec![quad]));
        let alone: Vec<QuadIo> = alone.flatten().collect();
        for engine in engines() {
            let shader = compile(&engine, &case);
            // A run may find what another has left: none is like the one before it.
            for count in (1..=MOST).map(|step| step * 23 % (MOST + 1)) {
                for first in [0, MOST - count] {
                    let some = quads()[first..first + count].to_vec();
                    let some = shaded(&shader, some);
                    assert!(
                        some == alone[first..first + count],
                        "{}: {count} quads from {first} on",
                        engine.name()
                    );
                }
            }
        }
    }
}
