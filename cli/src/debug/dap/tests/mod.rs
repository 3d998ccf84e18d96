//! Sessions of editors, with what they are answered, and messages that nobody should send.

use std::fmt::Write as _;
use std::path::Path;

use expect_test::expect_file;
use serde_json::{Value, json};

use super::session::Session;
use crate::random::Random;

/// The answers to the requests of a text, each a command and its arguments in a line.
fn played(requests: &str) -> String {
    let mut session = Session::default();
    let mut text = String::new();
    let root = std::path::absolute(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap();
    let root = root.canonicalize().unwrap();
    for (number, line) in (1..).zip(requests.lines().filter(|line| !line.is_empty())) {
        let (command, arguments) = line.split_once(' ').unwrap_or((line, "null"));
        let arguments: Value = serde_json::from_str(arguments).expect(line);
        let _ = writeln!(text, "> {line}");
        let request =
            json!({"seq": number, "type": "request", "command": command, "arguments": arguments});
        for mut answer in session.answer(request) {
            let members = answer.as_object_mut().unwrap();
            for known in ["seq", "request_seq", "type", "command"] {
                members.remove(known);
            }
            let answer = answer.to_string();
            let answer = answer.replace(&*root.to_string_lossy(), "ROOT");
            let answer = answer.replace("ROOT/cli/../", "ROOT/");
            let _ = writeln!(text, "{answer}");
        }
    }
    assert!(session.is_over(), "each session ends");
    text
}

#[test]
fn an_editor_steps_through_a_loop() {
    expect_file!["loop.out"].assert_eq(&played(include_str!("loop.in")));
}

#[test]
fn an_editor_looks_at_a_pixel() {
    expect_file!["pixel.out"].assert_eq(&played(include_str!("pixel.in")));
}

#[test]
fn what_cannot_be_done_is_said() {
    expect_file!["faults.out"].assert_eq(&played(include_str!("faults.in")));
}

#[test]
fn what_is_no_request_gets_one_message() {
    for message in [
        json!(null),
        json!([]),
        json!({"seq": "1"}),
        json!({"type": "event", "seq": 1}),
    ] {
        let answers = Session::default().answer(message);
        let [answer] = &answers[..] else {
            panic!("{answers:?}")
        };
        assert_eq!(answer["event"], "output");
    }
}

const COMMANDS: [&str; 34] = [
    "initialize",
    "setBreakpoints",
    "setInstructionBreakpoints",
    "setDataBreakpoints",
    "setExceptionBreakpoints",
    "configurationDone",
    "dataBreakpointInfo",
    "breakpointLocations",
    "exceptionInfo",
    "threads",
    "stackTrace",
    "scopes",
    "variables",
    "evaluate",
    "source",
    "disassemble",
    "continue",
    "reverseContinue",
    "next",
    "stepBack",
    "stepIn",
    "stepOut",
    "gotoTargets",
    "goto",
    "pause",
    "attila/cone",
    "attila/kind",
    "attila/over",
    "attila/picture",
    "attila/pixel",
    "attila/history",
    "attach",
    "step",
    "",
];

const KEYS: [&str; 29] = [
    "threadId",
    "frameId",
    "variablesReference",
    "expression",
    "name",
    "context",
    "line",
    "endLine",
    "source",
    "path",
    "sourceReference",
    "breakpoints",
    "condition",
    "hitCondition",
    "dataId",
    "instructionReference",
    "offset",
    "filters",
    "memoryReference",
    "instructionOffset",
    "instructionCount",
    "granularity",
    "targetId",
    "kind",
    "format",
    "hex",
    "logMessage",
    "accessType",
    "pixel",
];

const TEXTS: [&str; 16] = [
    "r0.x",
    "r0",
    "o1.w is nan",
    "r0.x > 2",
    "% 2",
    ">= 2",
    "% 0",
    "0x20",
    "-0x10",
    "nan",
    "kill",
    "repl",
    "instruction",
    "write",
    "bits",
    "c0.xyzw",
];

#[test]
fn random_messages_are_answered_once_each() {
    let mut random = Random(1);
    let mut session = Session::default();
    let launch = json!({"seq": 0, "type": "request", "command": "launch", "arguments": {
        "program": concat!(env!("CARGO_MANIFEST_DIR"), "/tests/debug/loop.attila"), "quad": 0, "args": ["--set", "i0=9"],
    }});
    assert_eq!(session.answer(launch)[0]["success"], true);
    let mut successes = 0;
    for number in 0..10_000 {
        let command = random.of(&COMMANDS);
        let mut arguments = random.object((&TEXTS, &KEYS), 0);
        // What most requests need, so that they get further.
        if random.below(4) > 0 {
            arguments["threadId"] = json!(1 + random.below(5));
            arguments["breakpoints"] = (0..random.below(3))
                .map(|_| random.object((&TEXTS, &KEYS), 2))
                .collect();
            arguments["expression"] = json!(random.of(&TEXTS));
        }
        let request =
            json!({"seq": number, "type": "request", "command": command, "arguments": arguments});
        let answers = session.answer(request);
        let responses = answers.iter().filter(|it| it["type"] == "response");
        let responses: Vec<&Value> = responses.collect();
        assert_eq!(responses.len(), 1, "{answers:?}");
        assert_eq!(responses[0]["request_seq"], number);
        successes += usize::from(responses[0]["success"] == true);
    }
    assert!(successes > 2000, "{successes} of 10000 could be done");
}
