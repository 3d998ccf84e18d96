//! Kills, exported depths, and what a run leaves alone.

use attila_shader::QuadIo;
use attila_shader::isa::{Inputs, Outputs};
use attila_shader::machine::KILL_ALL;

use crate::common::{case, check, compile, engines};

#[test]
fn kil_kills_where_a_component_is_below_0() {
    check(
        "
        ;! input i0[0] = 1 2 3 4
        ;! input i0[1] = 1 2 -0.5 4
        ;! input i0[2] = -0 nan inf 0
        ;! input i0[3] = -inf 0 0 0
        kil i0
        ;! expect kill = 0101",
    );
}

/// Compilers make minima of comparisons, and those of some processors make NaN of a signalling NaN.
#[test]
fn a_signalling_nan_kills_nothing_and_hides_nothing() {
    for nan in ["0x7f800001", "0xffbfffff"] {
        let input = |line: &str| line.replace("nan", nan);
        check(&input(
            "
            ;! input i0[0] = nan 1 2 3
            ;! input i0[1] = nan -1 2 3
            ;! input i0[2] = 0 0 -1e-45 nan
            ;! input i0[3] = nan nan nan nan
            kil i0
            ;! expect kill = 0110",
        ));
        check(&input(
            "
            ;! input i0[1] = -1 0 0 nan
            kls i0, s3
            ;! expect kill = 0 8 0 0",
        ));
        check(&input(
            "
            ;! input i0[1] = 1 nan -1 nan
            cmpkil o0, -i0.x, i0, i0
            ;! expect kill = 0100",
        ));
    }
}

#[test]
fn the_guard_holds_kills_back() {
    check(
        "
        ;! const c0 = -1
        ;! pred p0 = 0110
        (p0) kil c0
        ;! expect kill = 0110",
    );
    check(
        "
        ;! const c0 = -1
        ;! pred p0 = 0110
        (!p0) cmpkil o0, c0, c0, c0
        ;! expect kill = 1001
        ;! expect o0[0] = -1
        ;! expect o0[1] = 0",
    );
}

#[test]
fn only_lanes_that_get_there_are_killed() {
    check(
        "
        ;! const c0 = -1
        ;! pred p0 = 0110
        jmp p0, 2
        kil c0
        end
        ;! expect kill = 1001",
    );
}

#[test]
fn kls_kills_one_sample_if_there_is_such_a_sample() {
    check(
        "
        ;! input i0[0] = 1
        ;! input i0[1] = -1
        ;! input i0[2] = 0 0 0 -1
        ;! input i0[3] = nan
        kls i0, s2
        kls i0, s15
        kls i0, s16
        kls i0, s255
        ;! expect kill = 0 0x8004 0x8004 0",
    );
}

#[test]
fn kil_kills_all_samples_whatever_the_current_one_is() {
    check(
        "
        ;! const c0 = -1
        chs
        kil c0
        ;! expect kill = 0xffff 0xffff 0xffff 0xffff",
    );
}

#[test]
fn cmpkil_tests_what_it_writes_before_saturating() {
    check(
        "
        ;! const c0 = 0
        ;! const c1 = 1
        ;! input i0[0] = 1 1 1 -5
        ;! input i0[1] = -5 1 1 1
        ;! input i0[2] = -0 1 1 1
        ;! input i0[3] = nan 1 1 1
        cmpkil_sat o0.xyz, c0, c1, i0
        ;! expect kill = 0100
        ;! expect o0[0] = 1 1 1 0
        ;! expect o0[1] = 0 1 1 0",
    );
}

#[test]
fn killed_lanes_run_on() {
    check(
        "
        ;! const c0 = -1
        ;! input i0[1] = 5
        ;! pred p0 = 1000
        (p0) kil c0
        add r0, i0, 1.0
        ddx o0, r0
        ;! expect o0[1] = 5
        ;! expect kill = 1000",
    );
}

#[test]
fn zxp_exports_the_depth_of_sample_0() {
    check(
        "
        ;! input i0[0] = 0.25 9 9 9
        ;! input i0[3] = 0.75 9 9 9
        ;! pred p0 = 0111
        chs
        (p0) zxp i0
        ;! expect depth s0 = 0 0 0 0.75
        ;! expect depth s1 = 0 0 0 0",
    );
}

#[test]
fn zxs_exports_four_depths_from_the_current_sample_on() {
    check(
        "
        ;! const c0 = 1 2 3 4
        ;! pred p0 = 0110
        zxs c0, s9
        (p0) chs
        (p0) chs
        zxs c0
        ;! expect sample = 0 2 2 0
        ;! expect depth s0 = 1 1 1 1
        ;! expect depth s2 = 3 1 1 3
        ;! expect depth s3 = 4 2 2 4
        ;! expect depth s5 = 0 4 4 0",
    );
}

#[test]
fn there_is_no_depth_beyond_sample_15() {
    // Lane 3: the sample index wraps, as CHS makes it.
    check(
        "
        ;! const c0 = 1 2 3 4
        ;! sample = 14 15 16 0xffffffff
        zxs c0
        ;! expect depth s14 = 1 0 0 0
        ;! expect depth s15 = 2 1 0 0
        ;! expect depth s0 = 0 0 0 2",
    );
}

/// A quad in which everything is conspicuous.
fn marked() -> QuadIo {
    QuadIo {
        inputs: Inputs::all([[7; 4]; 4]),
        outputs: Outputs::all([[0xdead; 4]; 4]),
        kill: [0xbeef; 4],
        depth: [[0xd00d; 4]; 16],
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
