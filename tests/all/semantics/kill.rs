//! Kills, exported depths, and values that a run does not change.

use attila_shader::QuadIo;
use attila_shader::isa::{Inputs, Outputs};
use attila_shader::machine::KILL_ALL;

use crate::common::{case, compile, engines};

/// A quad in which everything is conspicuous.
fn marked() -> QuadIo {
    QuadIo {
        inputs: Inputs::all([[7; 4]; 4]),
        outputs: Outputs::all([[0xdead; 4]; 4]),
        kill: [0xbeef; 4],
        depth: [[0xd00d; 4]; 16],
        ..QuadIo::default()
    }
}

#[test]
fn a_run_leaves_alone_what_the_program_does_not_name() {
    let (case, _) = case("mov o3.y, i0 \n (p0) mov o4.x, i0 \n mov r0, i0");
    for engine in engines() {
        let shader = compile(&engine, &case);
        let mut quads = vec![marked(); 3];
        shader
            .run(&case.bindings(), &mut quads)
            .expect("the run ends");
        let mut expected = marked();
        expected.outputs[3] = [[0; 4], [7; 4], [0; 4], [0; 4]];
        expected.outputs[4] = [[0; 4]; 4];
        expected.kill = [0; 4];
        for quad in &quads {
            assert!(*quad == expected, "on {}: {quad:?}", engine.name());
        }
    }
}

#[test]
fn a_run_that_exports_depth_sets_all_samples_of_all_lanes() {
    let (case, _) = case(";! const c0 = -1 \n kil c0 \n (p0) zxp i0");
    for engine in engines() {
        let shader = compile(&engine, &case);
        let mut quads = [marked()];
        shader
            .run(&case.bindings(), &mut quads)
            .expect("the run ends");
        assert_eq!(quads[0].depth, [[0; 4]; 16], "{}", engine.name());
        assert_eq!(quads[0].kill, [KILL_ALL; 4], "{}", engine.name());
    }
}

#[test]
fn every_quad_starts_with_its_registers_0() {
    // Each register is turned into something else by what it was, and then shown.
    let (case, _) = case(
        "
        ;! const c0 = 1
        add r0, r0, c0
        addi a1, a1, 1
        andp !p0, p0, true
        fxmad r1, c0, c0
        fxmad2 r0, c0, c0, c0
        chs
        zxs r1
        mov o0, r0
        mov o1, a1
        (p0) mov o2, c0
        mov o3, r1",
    );
    for engine in engines() {
        let shader = compile(&engine, &case);
        let mut quads = vec![QuadIo::default(); 3];
        shader
            .run(&case.bindings(), &mut quads)
            .expect("the run ends");
        assert_eq!(quads[0].output(0)[0], [1.0; 4]);
        assert_eq!(quads[0].outputs[1], [[1; 4]; 4]);
        assert_eq!(quads[0].output(2)[0], [1.0; 4]);
        assert_eq!(quads[0].output(3)[0], [1.0; 4]);
        assert_eq!(quads[0].depth[1], [1.0f32.to_bits(); 4]);
        assert!(
            quads[1] == quads[0] && quads[2] == quads[0],
            "{}",
            engine.name()
        );
    }
}

#[test]
fn a_kill_concerns_its_own_quad_only() {
    let (case, _) = case("kil i0");
    for engine in engines() {
        let mut quads = vec![QuadIo::default(); 3];
        quads[1].set_input(0, [[-1.0; 4]; 4]);
        let shader = compile(&engine, &case);
        shader
            .run(&case.bindings(), &mut quads)
            .expect("the run ends");
        let kills = quads.iter().map(|quad| quad.kill[3]);
        assert!(kills.eq([0, KILL_ALL, 0]), "{}", engine.name());
    }
}
