//! Lines of JSON, as docs/json.md describes them.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::{attila, scratch};

/// The lines that a command prints.
fn lines(arguments: &str, stdin: &str) -> (i32, Vec<Value>) {
    let outcome = attila(arguments, stdin);
    let lines = outcome.stdout.lines();
    let lines = lines.map(|line| serde_json::from_str(line).expect("it is JSON"));
    (outcome.code, lines.collect())
}

fn tests(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests")
        .join(name);
    path.display().to_string()
}

#[test]
fn check_has_the_messages_with_codes_and_places() {
    let (code, valid) = lines("check - --json", "mov o1.x, i0");
    assert_eq!(code, 0);
    assert_eq!(
        valid,
        [json!({
            "file": "<stdin>",
            "line": 1,
            "valid": true,
            "stage": "fragment",
            "uses": {
                "instructions": "1 (16 bytes)",
                "control flow": "none",
                "inputs": "i0.x",
                "outputs": "o1.x",
            },
            "messages": [{
                "severity": "warning",
                "code": "V14",
                "message": "o1.yzw is never written; it is 0",
                "line": 1,
                "column": 1,
                "bytes": [0, 12],
            }],
        })]
    );
    let (code, wrong) = lines("check - --json", "mvo o1, i0");
    assert_eq!((code, wrong.len()), (1, 1));
    assert_eq!(wrong[0]["valid"], false);
    assert_eq!(wrong[0]["messages"][0]["code"], "T03");
    assert_eq!(
        wrong[0]["messages"][0]["notes"],
        json!(["help: did you mean `mov`?"])
    );
    let (code, absent) = lines("check none.attila --json", "");
    assert_eq!(
        (code, &absent[0]["messages"][0]["code"]),
        (1, &json!("F01"))
    );
}

#[test]
fn check_has_a_line_for_each_program_of_a_file() {
    let path = scratch("two.txt");
    let two = "!!ARBfp1.0\nMOV result.color, 1;\nEND\n!!ARBvp1.0\nMVO result.position, 1;\nEND\n";
    fs::write(&path, two).expect("it is ours");
    let (code, programs) = lines(&format!("check {} --json", path.display()), "");
    let seen: Vec<[&Value; 2]> = programs
        .iter()
        .map(|it| [&it["line"], &it["valid"]])
        .collect();
    assert_eq!(code, 1);
    assert_eq!(
        seen,
        [[&json!(1), &json!(true)], [&json!(4), &json!(false)]]
    );
}

#[test]
fn vectors_have_a_line_for_each_engine() {
    let (code, engines) = lines(
        &format!("vectors --json {}", tests("vectors/sample.jsonl")),
        "",
    );
    assert_eq!((code, engines.len()), (0, 2));
    assert_eq!(
        [&engines[0]["engine"], &engines[1]["engine"]],
        ["interp", "jit"]
    );
    let groups = engines[0]["groups"].as_object().expect("there are groups");
    assert!(
        groups
            .values()
            .all(|it| it["fail"] == 0 && it["pass"].is_u64())
    );
    assert_eq!(engines[0]["failures"], json!([]));
}

#[test]
fn fuzz_says_what_ran() {
    let (code, ran) = lines("fuzz programs --cases 5 --json", "");
    assert_eq!((code, ran.len()), (0, 1));
    assert_eq!(ran[0]["subject"], "programs");
    assert_eq!(ran[0]["cases"], 5);
    assert_eq!(ran[0]["fault"], Value::Null);
}

#[test]
fn tests_that_draw_have_their_probes() {
    let test = tests("shader_tests/colours.shader_test");
    let (code, ran) = lines(&format!("shader-test --json {test}"), "");
    assert_eq!((code, ran.len()), (0, 1));
    assert_eq!(ran[0]["verdict"], "passed");
    let probes = ran[0]["probes"].as_array().expect("there are probes");
    assert!(!probes.is_empty() && probes.iter().all(|it| it["mismatch"].is_null()));
    let wrong = scratch("wrong.shader_test");
    fs::write(&wrong, "[require]\nnonsense\n").expect("it is ours");
    let (code, ran) = lines(&format!("shader-test --json {}", wrong.display()), "");
    assert_eq!((code, &ran[0]["verdict"]), (1, &json!("failed")));
    assert!(ran[0]["messages"][0]["line"].is_u64(), "{ran:?}");
}

#[test]
fn corpora_have_a_line_for_each_class_and_one_for_the_runs() {
    let corpus = tests("corpora/agal/verdicts.jsonl");
    let (code, all) = lines(&format!("corpus --json {corpus}"), "");
    assert_eq!(code, 0, "{all:?}");
    let classes = all.iter().filter(|it| it["class"].is_string());
    assert!(classes.clone().count() > 0);
    assert!(classes.into_iter().all(|it| it["files"] == it["agree"]));
}

#[test]
fn sweeps_have_a_line_for_each_function() {
    let (code, swept) = lines("sweep ex2 raw-moves --stride 16777259 --json", "");
    assert_eq!(code, 0);
    assert_eq!(swept[0]["function"], "ex2");
    assert!(swept[0]["worst_ulp"].as_f64().is_some_and(|ulp| ulp <= 2.0));
    assert!(swept.iter().all(|it| it["ok"] == true), "{swept:?}");
    assert_eq!(swept[1]["move"], "min_raw");
}
