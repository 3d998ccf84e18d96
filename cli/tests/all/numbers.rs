//! Numbers and sizes in options: what is wrong with one names the bound that it is beyond.

use expect_test::expect;

use crate::attila;

/// The first line of the message about wrong usage.
fn usage_error(arguments: &str) -> String {
    let outcome = attila(arguments, "mov o1, i1");
    assert_eq!(outcome.code, 2, "{arguments}: {}", outcome.transcript());
    let line = outcome.stderr.lines().next().unwrap_or_default();
    let tip = outcome.stderr.contains("tip:") || outcome.stderr.contains("similar value");
    assert!(!tip, "{arguments}: {}", outcome.stderr);
    format!("{line}\n")
}

#[test]
fn numbers_are_refused_with_the_bound_that_they_are_beyond() {
    let huge = "99999999999999999999";
    let messages = [
        "bench - --threads 0".to_owned(),
        "bench - --threads=-2".to_owned(),
        format!("bench - --threads {huge}"),
        "bench - --time -1".to_owned(),
        "bench - --time 3601".to_owned(),
        "fuzz --cases 0".to_owned(),
        "fuzz --cases -1".to_owned(),
        "fuzz --time 0".to_owned(),
        "fuzz --threads 257".to_owned(),
        "fuzz --seed -1".to_owned(),
        format!("fuzz --first {huge}"),
        "fuzz --seed x".to_owned(),
        "run - --quads 0".to_owned(),
        "run - --quads 65537".to_owned(),
        "run - --quads 1.5".to_owned(),
        "run - --budget -1".to_owned(),
        format!("run - --budget {huge}"),
        "run - --local 4294967296=1".to_owned(),
        "run - --agal -1".to_owned(),
        "sweep ex2 --stride 0".to_owned(),
        "sweep ex2 --stride 4294967297".to_owned(),
        "sweep --pairs 0".to_owned(),
        "render - --texture-memory 0".to_owned(),
        "emit - --texture-memory 1048577".to_owned(),
        "render - --samples -1".to_owned(),
        "render - --samples 3".to_owned(),
    ]
    .map(|arguments| usage_error(&arguments));
    expect![[r#"
        error: invalid value '0' for '--threads <N>': it has to be at least 1
        error: invalid value '-2' for '--threads <N>': it has to be at least 1
        error: invalid value '99999999999999999999' for '--threads <N>': it has to be at most 18,446,744,073,709,551,615
        error: invalid value '-1' for '--time <SECONDS>': write a number of seconds, at least 0 and at most 3,600
        error: invalid value '3601' for '--time <SECONDS>': write a number of seconds, at least 0 and at most 3,600
        error: invalid value '0' for '--cases <N>': it has to be at least 1
        error: invalid value '-1' for '--cases <N>': it has to be at least 1
        error: invalid value '0' for '--time <SECONDS>': it has to be at least 1
        error: invalid value '257' for '--jobs <N>': it has to be at most 256
        error: invalid value '-1' for '--seed <N>': it has to be at least 0
        error: invalid value '99999999999999999999' for '--first <N>': it has to be at most 18,446,744,073,709,551,615
        error: invalid value 'x' for '--seed <N>': write a whole number, at least 0 and at most 18,446,744,073,709,551,615
        error: invalid value '0' for '--quads <N>': it has to be at least 1
        error: invalid value '65537' for '--quads <N>': it has to be at most 65,536
        error: invalid value '1.5' for '--quads <N>': write a whole number, at least 1 and at most 65,536
        error: invalid value '-1' for '--budget <N>': it has to be at least 0
        error: invalid value '99999999999999999999' for '--budget <N>': it has to be at most 4,294,967,295
        error: invalid value '4294967296=1' for '--local <N=VALUES>': `4294967296` is not the number of a parameter: it has to be at most 4,294,967,295
        error: invalid value '-1' for '--agal <1|2|3>': the versions are 1, 2 and 3
        error: invalid value '0' for '--stride <N>': it has to be at least 1
        error: invalid value '4294967297' for '--stride <N>': it has to be at most 4,294,967,296
        error: invalid value '0' for '--pairs <N>': it has to be at least 1
        error: invalid value '0' for '--texture-memory <MIB>': it has to be at least 1
        error: invalid value '1048577' for '--texture-memory <MIB>': it has to be at most 1,048,576
        error: invalid value '-1' for '--samples <N>': a pixel has 1, 2, 4, 8 or 16 samples
        error: invalid value '3' for '--samples <N>': a pixel has 1, 2, 4, 8 or 16 samples
    "#]].assert_eq(&messages.concat());
}

#[test]
fn wrong_sizes_are_shown_with_the_bounds_of_their_sides() {
    let sizes = ["-5x5", "5x-5", "0x5", "65537x1", "640", "x", "-1", "1e3x5"];
    let messages = sizes.map(|size| usage_error(&format!("render - --size {size}")));
    expect![[r#"
        error: invalid value '-5x5' for '--size <WxH>': write it like 640x480, each side at least 1 and at most 65,536
        error: invalid value '5x-5' for '--size <WxH>': write it like 640x480, each side at least 1 and at most 65,536
        error: invalid value '0x5' for '--size <WxH>': write it like 640x480, each side at least 1 and at most 65,536
        error: invalid value '65537x1' for '--size <WxH>': write it like 640x480, each side at least 1 and at most 65,536
        error: invalid value '640' for '--size <WxH>': write it like 640x480, each side at least 1 and at most 65,536
        error: invalid value 'x' for '--size <WxH>': write it like 640x480, each side at least 1 and at most 65,536
        error: invalid value '-1' for '--size <WxH>': write it like 640x480, each side at least 1 and at most 65,536
        error: invalid value '1e3x5' for '--size <WxH>': write it like 640x480, each side at least 1 and at most 65,536
    "#]].assert_eq(&messages.concat());
    assert!(usage_error("bench - --size -5x5").contains("640x480"));
}

#[test]
fn words_that_are_no_values_are_not_taken_for_others() {
    let messages = ["fuzz frogs", "run - --vectors 1024", "completions tcsh"].map(usage_error);
    expect![[r#"
        error: invalid value 'frogs' for '[SUBJECT]'
        error: invalid value '1024' for '--vectors <BITS>'
        error: invalid value 'tcsh' for '<SHELL>'
    "#]]
    .assert_eq(&messages.concat());
}

#[test]
fn the_threads_that_are_measured_are_those_that_draw() {
    let outcome = attila(
        "bench - --size 16x16 --time 0 --threads 99999",
        "mov o1, i1",
    );
    assert_eq!(outcome.code, 0, "{}", outcome.transcript());
    assert!(outcome.stdout.contains("1 thread"), "{}", outcome.stdout);
    assert!(!outcome.stdout.contains("threads"), "{}", outcome.stdout);
}

#[test]
fn machines_without_code_are_answered_with_those_that_have_some() {
    let outcome = attila("emit - --target sparc", "mov o1, i1");
    expect![[r#"
        --- stderr
        error: `--target` takes triples of x86_64, aarch64 and riscv64gc, like aarch64-unknown-linux-gnu: the program cannot be compiled: cannot generate code for sparc-unknown-unknown-elf: Support for this target has not been implemented yet
        --- exit code 1
    "#]].assert_eq(&outcome.transcript());
    let outcome = attila("emit - --target abacus", "mov o1, i1");
    assert!(outcome.stderr.contains("riscv64gc"), "{}", outcome.stderr);
}

#[test]
fn vectors_are_lines_of_json() {
    let outcome = attila("vectors -", "mov o1, i1\n");
    expect![[r#"
        --- stderr
        error: <stdin>: line 1 is not JSON; vectors are lines of JSON: expected value at line 1 column 1
        --- exit code 1
    "#]].assert_eq(&outcome.transcript());
    let outcome = attila("vectors -", "{}\n");
    expect![[r#"
        --- stderr
        error: <stdin>: line 1: missing field `id` at line 1 column 2
        --- exit code 1
    "#]]
    .assert_eq(&outcome.transcript());
}
