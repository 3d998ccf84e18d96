//! `bench`.

use expect_test::expect;
use serde_json::Value;

use crate::attila;

/// A bench that is over at once.
fn bench(options: &str, text: &str) -> crate::Outcome {
    attila(&format!("bench - --size 6x4 --time 0 {options}"), text)
}

/// The JSON that a bench prints.
fn json(options: &str, text: &str) -> Value {
    let outcome = bench(&format!("--json {options}"), text);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    serde_json::from_str(&outcome.stdout).unwrap()
}

/// With the letter n in place of every number that may be another one the next time.
fn without_numbers(table: &str) -> String {
    let line = |line: &str| {
        let words = line.split_whitespace().map(|word| {
            let number = word.trim_end_matches('x').parse::<f64>();
            if number.is_ok() { "n" } else { word }
        });
        words.collect::<Vec<_>>().join(" ") + "\n"
    };
    table.lines().map(line).collect()
}

#[test]
fn the_table_shows_both_engines_on_one_thread_and_on_several() {
    if std::thread::available_parallelism().map_or(1, usize::from) == 1 {
        return;
    }
    // Rows for two threads.
    let options = "bench - --size 6x100 --time 0 --threads 3";
    let outcome = attila(options, "mov o1, i6");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stdout.contains(" 2 threads"), "{}", outcome.stdout);
    expect![[r#"
        <stdin>: n instruction, 6x100 pixels

        compile n thread n threads
        interp n ms n Mpixel/s n Mpixel/s
        jit n ms n Mpixel/s n Mpixel/s
        jit / interp n n

        jit code: n bytes, n lanes, n quads at a time
        jit vectors: BITS
        depth test: before the program
    "#]]
    .assert_eq(&without_numbers(&without_vectors(&outcome.stdout)));
}

/// The table without the width of vectors, which depends on the machine.
fn without_vectors(table: &str) -> String {
    let line = |line: &str| match line.split_once("jit vectors: ") {
        Some(_) => "jit vectors: BITS\n".to_owned(),
        None => format!("{line}\n"),
    };
    table.lines().map(line).collect()
}

#[test]
fn calls_of_texture_units_are_shown_where_there_are_any() {
    let outcome = bench("", "tex o1, i6, t0");
    let (_, facts) = outcome.stdout.split_once("jit samples").unwrap();
    expect![[r#"
        : n inlined, n by calls
        depth test: before the program
        texture calls, interp: 6, n % of the time
        texture calls, jit: 0, n % of the time
    "#]]
    .assert_eq(&without_numbers(facts));
}

#[test]
fn a_depth_test_that_has_to_wait_for_the_program_is_said() {
    let outcome = bench("", "kil i6\nmov o1, i6");
    let line = "depth test: after the program, as it kills fragments\n";
    assert!(outcome.stdout.contains(line), "{}", outcome.stdout);
}

#[test]
fn json_says_the_same() {
    let text = ";! texture t1 = bumps nearest\ntex r0, i6, t1\ntex r1, r0, t0\nadd o1, r0, r1";
    let json = json("--texture t0=checker,aniso=4", text);
    assert_eq!(json["program"], "<stdin>");
    assert_eq!(json["instructions"], 3);
    assert_eq!([&json["width"], &json["height"]], [6, 4]);
    assert_eq!(json["identical"], true);
    assert!(json["depth_test_after_program"].is_null());
    for (engine, name) in ["interp", "jit"].into_iter().enumerate() {
        let measured = &json["engines"][engine];
        assert_eq!(measured["engine"], name);
        assert!(measured["compile_ms"].as_f64().unwrap() > 0.0);
        // There are rows for one.
        assert_eq!(measured["speed"].as_array().unwrap().len(), 1);
        let speed = &measured["speed"][0];
        assert_eq!(speed["threads"], 1);
        assert!(speed["mpixels_per_second"].as_f64().unwrap() > 0.0);
        let share = measured["texture_calls"]["time_share"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&share), "{share}");
    }
    // Six quads. The JIT samples the anisotropic texture inline, in a loop, so one vector at a time.
    assert_eq!(json["engines"][0]["texture_calls"]["count"], 12);
    assert_eq!(json["engines"][1]["texture_calls"]["count"], 0);
    let code = &json["jit_code"];
    assert!(code["bytes"].as_u64().unwrap() > 100);
    let lanes = code["lanes"].as_u64().unwrap();
    assert!([4, 8, 16].contains(&lanes), "{lanes}");
    assert_eq!(code["quads"], lanes / 4);
    assert_eq!(code["vectors"], 32 * lanes);
    assert_eq!(code["not_wider"].is_null(), lanes == 16);
    assert_eq!(code["samples_by_code"], 2);
    assert_eq!(code["samples_by_calls"], 0);
}

#[test]
fn programs_that_do_not_sample_have_no_texture_calls() {
    let json = json(
        "--threads 1 --set c0=1,2,3,4 --varying i6=u,v,0,1",
        "mul o1, i6, c0",
    );
    assert!(json["engines"][0]["texture_calls"].is_null());
    assert_eq!(json["engines"][1]["speed"].as_array().unwrap().len(), 1);
}

#[test]
fn programs_that_are_too_long_for_the_jit_are_measured_with_the_interpreter() {
    let mut text: String = (0..32).map(|n| format!("add r{n}, i6, c{n}\n")).collect();
    text.extend((0..2200).map(|n| format!("lit r{0}, r{0}.zzzz\n", n % 32)));
    text.extend((1..32).map(|n| format!("add r0, r0, r{n}\n")));
    text += "mov o1, r0";
    let outcome = bench("--threads 1", &text);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let refusal = "the program cannot be compiled: it is too long for the JIT: n units of work, the limit is n";
    assert_eq!(
        without_numbers(&outcome.stdout),
        format!(
            "<stdin>: n instructions, 6x4 pixels\n\ncompile n thread\ninterp n ms n Mpixel/s\n\njit: {refusal}\ndepth test: before the program\n"
        )
    );
    let json = json("--threads 1", &text);
    assert_eq!(json["engines"].as_array().unwrap().len(), 1);
    assert!(json["jit_code"].is_null());
    let refused = json["jit_error"].as_str().unwrap();
    assert_eq!(without_numbers(refused), format!("{refusal}\n"));
    let emitted = attila("emit -", &text);
    assert_eq!(emitted.code, 1);
    assert_eq!(
        without_numbers(&emitted.stderr),
        format!("error: jit: {refusal}\n")
    );
}

#[test]
fn programs_that_cannot_be_drawn_are_no_panic() {
    expect![[r#"
        --- stderr
        error: <stdin>: the jump at instruction 1 took more than 65536 backward jumps in the 2x2 pixels at (4, 0)
        --- exit code 1
    "#]]
    .assert_eq(
        &bench("", "again: setpgt p0, i0.x, 5\njmp p0, again\nmov o1, i0").transcript(),
    );
    expect![[r#"
        --- stderr
        error: <stdin>: the program samples texture unit 9, which is not bound
        --- exit code 1
    "#]]
    .assert_eq(&bench("", "tex o1, i6, t9").transcript());
    let vertex = bench("", ";! stage vertex\nmov o0, i0");
    assert_eq!(vertex.code, 1);
    assert!(vertex.stderr.contains("vertex"), "{}", vertex.stderr);
    let wrong = bench("", "mov o1");
    assert_eq!(wrong.code, 1);
    assert!(wrong.stderr.contains("error"), "{}", wrong.stderr);
}
