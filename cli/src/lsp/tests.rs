//! Messages that no editor should send. `ATTILA_MESSAGES` says how many.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::server::Server;
use crate::random::Random;

const REQUESTS: [&str; 16] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/documentSymbol",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/foldingRange",
    "textDocument/inlayHint",
    "textDocument/formatting",
    "textDocument/codeAction",
    "textDocument/typeDefinition",
    "initialize",
    "",
];

const NOTIFICATIONS: [&str; 5] = [
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/didSave",
    "$/cancelRequest",
];

const KEYS: [&str; 12] = [
    "textDocument",
    "uri",
    "version",
    "languageId",
    "text",
    "position",
    "range",
    "line",
    "character",
    "contentChanges",
    "context",
    "newName",
];

const TEXTS: [&str; 12] = [
    "mov o1, i0\n",
    "mvo r0, r1\n",
    "loop: add r0, r0, c1\njmp p0, loop\n",
    "!!ARBfp1.0\nTEMP a;\nMOV a, fragment.color;\nMOV result.color, a;\nEND\n",
    "FRAG\nDCL IN[0], COLOR, LINEAR\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n",
    "tex ft0, v0.xy, fs0 <2d>\nmov oc, ft0\n",
    ";! const c1 = 1 2 3 4\n",
    "\u{10000}ä\r\n",
    "r7",
    "loop",
    ",",
    "",
];

/// Addresses of texts, the first ones open at first.
const ADDRESSES: [&str; 5] = [
    "file:///a",
    "file:///b.tgsi",
    "untitled:c",
    "file:///d",
    "%",
];

/// A place, some of them outside every text.
fn place(random: &mut Random) -> Value {
    let mut number = || match random.below(10) {
        0 => u32::MAX as usize,
        1 => random.below(1000),
        _ => random.below(8),
    };
    json!({ "line": number(), "character": number() })
}

fn range(random: &mut Random) -> Value {
    json!({ "start": place(random), "end": place(random) })
}

/// Parameters that fit every method, but one member in some.
fn fitting(random: &mut Random) -> Value {
    let changes: Vec<Value> = (0..random.below(3))
        .map(|_| match random.below(8) {
            0 => json!({ "text": random.of(&TEXTS) }),
            _ => json!({ "range": range(random), "text": random.of(&TEXTS) }),
        })
        .collect();
    let mut params = json!({
        "textDocument": {
            "uri": random.of(&ADDRESSES),
            "languageId": "attila",
            "version": random.below(9),
            "text": (0..random.below(5)).map(|_| random.of(&TEXTS)).collect::<String>(),
        },
        "position": place(random),
        "range": range(random),
        "contentChanges": changes,
        "context": { "includeDeclaration": random.below(2) == 0, "diagnostics": [] },
        "newName": random.of(&TEXTS),
        "options": { "tabSize": random.below(9), "insertSpaces": true },
    });
    if random.below(6) == 0 {
        params[random.of(&KEYS)] = random.value((&TEXTS, &KEYS), 0);
    }
    params
}

/// The JSON of a message, and its number if it is a request.
fn message(random: &mut Random, number: usize) -> (Value, Option<usize>) {
    let params = match random.below(5) {
        0 => random.value((&TEXTS, &KEYS), 0),
        _ => fitting(random),
    };
    match random.below(3) {
        0 => {
            let method = random.of(&NOTIFICATIONS);
            (json!({ "method": method, "params": params }), None)
        }
        _ => {
            let method = random.of(&REQUESTS);
            let request = json!({ "id": number, "method": method, "params": params });
            (request, Some(number))
        }
    }
}

/// The server's answers to messages.
fn answers(messages: &[Value]) -> Vec<Value> {
    let framed = messages.iter().map(|message| {
        let body = message.to_string();
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    });
    let (input, mut output) = (framed.collect::<String>(), Vec::new());
    let ended = Server::new().run(&mut input.as_bytes(), &mut output);
    ended.expect("the editor says farewell");
    let (mut rest, mut answers) = (&*output, Vec::new());
    while let Some(body) = crate::wire::read(&mut rest).expect("answers are framed") {
        answers.push(serde_json::from_slice(&body).expect("answers are JSON"));
    }
    answers
}

#[test]
fn random_messages_are_answered_once_each() {
    let count = std::env::var("ATTILA_MESSAGES").ok();
    let count = count.map_or(10_000, |it| {
        it.parse().expect("ATTILA_MESSAGES is a number")
    });
    let mut random = Random(1);
    let mut messages = vec![json!({ "id": "first", "method": "initialize", "params": {} })];
    for uri in &ADDRESSES[..3] {
        let text = TEXTS[..2].concat();
        let opened = json!({ "uri": uri, "languageId": "", "version": 0, "text": text });
        messages.push(
            json!({ "method": "textDocument/didOpen", "params": { "textDocument": opened } }),
        );
    }
    let mut requests = HashSet::new();
    for number in 0..count {
        let (message, request) = message(&mut random, number);
        messages.push(message);
        requests.extend(request);
    }
    messages.push(json!({ "id": "last", "method": "shutdown" }));
    messages.push(json!({ "method": "exit" }));
    let mut successes = 0;
    for answer in answers(&messages) {
        let Some(number) = answer["id"].as_u64() else {
            continue;
        };
        let is_asked = requests.remove(&(number as usize));
        assert!(is_asked, "not asked, or answered before: {answer}");
        successes += usize::from(answer["error"].is_null());
    }
    assert!(requests.is_empty(), "without an answer: {requests:?}");
    assert!(
        successes > count / 10,
        "{successes} of {count} could be done"
    );
}
