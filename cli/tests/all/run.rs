//! `run`.

use std::fs;

use expect_test::expect;

use crate::{attila, scratch};

#[test]
fn results_that_are_the_same_in_all_lanes_share_a_line() {
    let outcome = attila("run - -s i0=1,2,-3,0.5 -s c1=2", "mul o1, i0, c1");
    expect![[r#"
        o1     all  2.0           4.0           -6.0          1.0
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn lanes_are_counted_through_all_quads() {
    let outcome = attila(
        "run - --input i0=1 --input i0[6]=nan,-inf,7i,0x3f800000",
        "mov o1, i0",
    );
    expect![[r#"
        quad 0
        o1     all  1.0           1.0           1.0           1.0
        quad 1
        o1       0  1.0           1.0           1.0           1.0
                 1  1.0           1.0           1.0           1.0
                 2  NaN           -inf          1e-44         1.0
                 3  1.0           1.0           1.0           1.0
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn all_shows_every_register_that_is_not_0() {
    let text = "setpgt p1, i0.x, 2\narl a0.xy, i0\nkil -i0.x\nmov o1, c0";
    let outcome = attila("run - --all -s i0=1 -s i0[3]=3 -s r5=9 -s p7=true", text);
    expect![[r#"
        o1     all  0.0           0.0           0.0           0.0
        kill   all  ffff
        r5     all  9.0           9.0           9.0           9.0
        a0       0  1             1             0             0
                 1  1             1             0             0
                 2  1             1             0             0
                 3  3             3             0             0
        p1       0  false
                 1  false
                 2  false
                 3  true
        p7     all  true
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn as_many_quads_run_as_are_asked_for() {
    let outcome = attila("run - --quads 5000 --engine jit", "mov o1, i0");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(outcome.stdout.matches("quad ").count(), 5000);
}

#[test]
fn json_has_numbers_where_json_has_them() {
    let outcome = attila(
        "run - --json --engine interp -s i0=0.1,nan,inf,-0",
        "mov o1, i0",
    );
    let lane = r#"[0.1,"nan","inf",-0.0]"#;
    let lanes = [lane; 4].join(",");
    let expected = format!("{{\"engine\":\"interp\",\"quads\":[{{\"o1\":[{lanes}]}}]}}\n");
    assert_eq!(outcome.transcript(), expected);
}

#[test]
fn a_state_file_presets_registers_and_options_go_over_it() {
    let path = scratch("state.json");
    let state = r#"{"quads": 1, "i0": [1, "2", "0x40400000", "4i"], "c0": 5, "p0": true}"#;
    fs::write(&path, state).unwrap();
    let arguments = format!("run - --state {} --set c0=6", path.display());
    let outcome = attila(&arguments, "mov o1, i0\n(p0) mov o2, c0");
    expect![[r#"
        o1     all  1.0           2.0           3.0           6e-45
        o2     all  6.0           6.0           6.0           6.0
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn a_state_file_that_is_none_says_where() {
    let path = scratch("program.attila");
    fs::write(&path, "mov o1, i0").unwrap();
    let run = |state| attila(&format!("run {} --state -", path.display()), state).transcript();
    expect![[r#"
        --- stderr
        error: expected `,` or `}`
          ┌─ <stdin>:2:2
          │
        2 │  "i1": 2}
          │  ^

        --- exit code 1
    "#]]
    .assert_eq(&run("{\"i0\": 1\n \"i1\": 2}"));
    expect![[r#"
        --- stderr
        error: <stdin>: i0: a number is missing
        --- exit code 1
    "#]]
    .assert_eq(&run("{\"i0\": [1, 2, 3]}"));
    expect![[r#"
        --- stderr
        error: <stdin>: x0: `x0` is not a register: i0-i63, o0-o63, r0-r255, c0-c511, a0-a3 or p0-p31
        --- exit code 1
    "#]]
    .assert_eq(&run("{\"x0\": 1}"));
}

#[test]
fn directives_preset_registers_and_expect_results() {
    let text = "\
;! const c0 = 2        ; doubles
;! input i0 = 1 2 3 4
;! expect o1 = 2 4 6 8
mul o1, i0, c0
";
    assert_eq!(attila("run -", text).code, 0);
    let outcome = attila("run - --set c0=3", text);
    assert_eq!(outcome.code, 1);
    assert!(
        outcome
            .stderr
            .starts_with("error: <stdin>: line 3: quad 0 lane 0: o1 is 3 6 9 12, not 2 4 6 8\n"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_run_away_loop_ends_with_its_budget() {
    let outcome = attila("run - --budget 10", "again: jmp !p0, again\nend");
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.stderr.ends_with(
            "error: <stdin>: the jump at instruction 0 took more than 10 backward jumps in quad 0\n"
        ),
        "{}",
        outcome.stderr
    );
}

#[test]
fn textures_are_built_in() {
    // Unit 5 is white.
    let outcome = attila("run -", "tex o1, i6, t5");
    expect![[r#"
        o1     all  1.0           1.0           1.0           1.0
    "#]]
    .assert_eq(&outcome.transcript());
    let outcome = attila("run -", "tex o1, i6, t9");
    expect![[r#"
        --- stderr
        error: <stdin>: the program samples texture unit 9, which is not bound
        --- exit code 1
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn engines_that_agree_are_said_to() {
    let outcome = attila("run - --engine both -s i0=2", "rcp o1, i0.x");
    expect![[r#"
        o1     all  0.5           0.5           0.5           0.5
        --- stderr
        interp and jit agree in every register
    "#]]
    .assert_eq(&outcome.transcript());
    let outcome = attila("run - --engine all -s i0=2", "rcp o1, i0.x");
    assert_eq!(
        outcome.stderr,
        "interp, ir and jit agree in every register\n"
    );
}

#[test]
fn every_engine_finds_storage_buffers_as_they_were_before() {
    let text = ".extended\n;! storage u0 = 5i\n;! const c0 = 0i\n;! const c1 = 1i\natomadd o1, c0, u0, c1.x";
    let outcome = attila("run - --engine all --hex", text);
    expect![[r#"
        o1       0  0x00000005    0x00000005    0x00000005    0x00000005
                 1  0x00000006    0x00000006    0x00000006    0x00000006
                 2  0x00000007    0x00000007    0x00000007    0x00000007
                 3  0x00000008    0x00000008    0x00000008    0x00000008
        --- stderr
        interp, ir and jit agree in every register
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn the_quad_of_a_pixel_has_the_inputs_that_its_picture_has() {
    let text = "add o1, i0, c0";
    let options = "run - --pixel 3,5 --size 8x8 --set c0=1,2,0,0 --engine both";
    let outcome = attila(options, text);
    // The upper left pixel of the quad is 2,4, and positions are centres.
    expect![[r#"
        o1       0  3.5           6.5           0.5           1.0
                 1  4.5           6.5           0.5           1.0
                 2  3.5           7.5           0.5           1.0
                 3  4.5           7.5           0.5           1.0
        --- stderr
        interp and jit agree in every register
    "#]]
    .assert_eq(&outcome.transcript());
    for (wrong, message) in [
        (
            "--set i0=1",
            "--set i0=... has no effect on the quad of --pixel",
        ),
        (
            "--size 2x2",
            "pixel 3,5 is not in the picture of 2x2 pixels",
        ),
        ("--quads 2", "--quads"),
    ] {
        let outcome = attila(&format!("run - --pixel 3,5 {wrong}"), text);
        assert_eq!(outcome.code, 2, "{}", outcome.stderr);
        assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
    }
}
