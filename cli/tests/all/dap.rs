//! `attila dap`: messages on standard input and output.

use crate::{Outcome, attila};

/// Messages with their headers.
fn messages(contents: &[&str]) -> String {
    let framed = contents
        .iter()
        .map(|content| format!("Content-Length: {}\r\n\r\n{content}", content.len()));
    framed.collect()
}

fn outcome(input: &str) -> Outcome {
    attila("dap", input)
}

#[test]
fn an_adapter_answers_until_the_editor_is_done() {
    let input = messages(&[
        r#"{"seq": 1, "type": "request", "command": "initialize", "arguments": {"adapterID": "attila"}}"#,
        "{broken",
        r#"{"seq": 2, "type": "request", "command": "disconnect"}"#,
        "not read any more",
    ]);
    let outcome = outcome(&input);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let bodies: Vec<&str> = outcome.stdout.split("Content-Length: ").skip(1).collect();
    let [initialized, broken, disconnected] = bodies[..] else {
        panic!("{bodies:?}")
    };
    assert!(initialized.contains("supportsStepBack"), "{initialized}");
    assert!(
        broken.contains("this is not JSON: key must be a string at line 1 column 2"),
        "{broken}"
    );
    assert!(disconnected.contains("\"success\":true"), "{disconnected}");
}

#[test]
fn half_a_message_is_said_once() {
    let outcome = outcome("Content-Length: 99\r\n\r\n{");
    assert_eq!(outcome.code, 1);
    assert_eq!(outcome.stderr, "error: the last message is cut off\n");
}

#[test]
fn an_expression_of_100_mb_has_one_short_answer() {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/debug/loop.attila");
    let launch = format!(
        r#"{{"seq": 1, "type": "request", "command": "launch", "arguments": {{"program": {program:?}, "quad": 0}}}}"#
    );
    let expression = "x".repeat(100_000_000);
    let evaluate = format!(
        r#"{{"seq": 2, "type": "request", "command": "evaluate", "arguments": {{"expression": "{expression}"}}}}"#
    );
    let disconnect = r#"{"seq": 3, "type": "request", "command": "disconnect"}"#;
    let outcome = outcome(&messages(&[&launch, &evaluate, disconnect]));
    assert_eq!((outcome.code, &*outcome.stderr), (0, ""));
    assert_eq!(outcome.stdout.matches(r#""type":"response""#).count(), 3);
    assert!(outcome.stdout.len() < 1_000_000);
}
