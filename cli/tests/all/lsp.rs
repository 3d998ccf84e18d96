//! `attila lsp` as an editor sees it.

use std::fs;

use expect_test::expect_file;
use serde_json::{Value, json};

use crate::{Outcome, attila};

/// A message as it crosses the border.
fn framed(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

/// The messages that the server has written.
fn messages(outcome: &Outcome) -> Vec<Value> {
    let mut rest = &*outcome.stdout;
    let mut messages = Vec::new();
    while let Some(after) = rest.strip_prefix("Content-Length: ") {
        let (length, body) = after.split_once("\r\n\r\n").expect("headers end");
        let (body, next) = body.split_at(length.parse().expect("lengths are numbers"));
        messages.push(serde_json::from_str(body).expect("answers are JSON"));
        rest = next;
    }
    assert_eq!(rest, "");
    messages
}

/// What the server answers to messages, which come one after the other.
fn talk(bodies: &[String]) -> Outcome {
    let input: String = bodies.iter().map(|body| framed(body)).collect();
    attila("lsp", &input)
}

/// The answer without what depends on the version or on the machine.
fn pinned(mut message: Value) -> String {
    if let Some(info) = message.pointer_mut("/result/serverInfo/version") {
        *info = json!("VERSION");
    }
    format!("{message}\n")
}

#[test]
fn a_session_has_the_answers_that_were_recorded() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lsp/session.jsonl");
    let session = fs::read_to_string(path).expect("the session is there");
    let bodies: Vec<String> = session.lines().map(str::to_owned).collect();
    let outcome = talk(&bodies);
    assert_eq!((outcome.code, &*outcome.stderr), (0, ""));
    let answers = messages(&outcome).into_iter().map(pinned);
    expect_file!["../lsp/answers.jsonl"].assert_eq(&answers.collect::<String>());
}

fn begun() -> Vec<String> {
    vec![json!({ "id": 0, "method": "initialize", "params": { "capabilities": {} } }).to_string()]
}

fn opened(text: &str) -> String {
    let document = json!({ "uri": "file:///a", "languageId": "", "version": 0, "text": text });
    json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }).to_string()
}

fn ended(mut bodies: Vec<String>) -> Vec<String> {
    bodies.push(json!({ "id": 99, "method": "shutdown" }).to_string());
    bodies.push(json!({ "method": "exit" }).to_string());
    bodies
}

#[test]
fn a_program_can_be_typed_letter_by_letter() {
    let program = ";! const c0 = 0.5 2 0 1\nagain:\nmad_sat r0.xyz, i0, c0, r0\nsetpgt p0, r0.x, 0.5\njmp !p0, again\nmov o1, r0\n";
    let program = program.repeat(6).replace("again", "ä");
    let mut bodies = begun();
    bodies.push(opened(""));
    let (mut line, mut character) = (0, 0);
    for letter in program.chars() {
        let at = json!({ "line": line, "character": character });
        let changes = json!([{ "range": { "start": at, "end": at }, "text": letter.to_string() }]);
        let document = json!({ "uri": "file:///a", "version": bodies.len() });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        bodies.push(json!({ "method": "textDocument/didChange", "params": params }).to_string());
        match letter {
            '\n' => (line, character) = (line + 1, 0),
            letter => character += letter.len_utf16(),
        }
    }
    let outcome = talk(&ended(bodies.clone()));
    let typed = messages(&outcome);
    assert!(typed.len() > 500);
    let mut whole = begun();
    whole.push(opened(&program));
    let whole = messages(&talk(&ended(whole)));
    let problems = |messages: &[Value]| {
        let last = &messages[messages.len() - 2];
        last["params"]["diagnostics"].clone()
    };
    assert_eq!(problems(&typed), problems(&whole));
    assert!(problems(&whole).as_array().is_some_and(|it| !it.is_empty()));
}

#[test]
fn what_is_no_message_is_reported_once_and_the_next_one_is_answered() {
    for (body, reason) in [
        ("{\"id\":", "the message is not JSON-RPC: EOF"),
        ("[1, 2]", "the message is not JSON-RPC: "),
        ("{}", "the message is not JSON-RPC: "),
    ] {
        let mut bodies = begun();
        bodies.push(body.to_owned());
        let outcome = talk(&ended(bodies));
        let messages = messages(&outcome);
        assert_eq!((outcome.code, messages.len()), (0, 3), "{}", outcome.stderr);
        let shown = messages[1]["params"]["message"].as_str();
        assert!(shown.is_some_and(|it| it.starts_with(reason)), "{shown:?}");
    }
}

#[test]
fn an_editor_that_goes_in_the_middle_is_reported_once() {
    let whole = framed(&begun()[0]);
    for (input, reason) in [
        (
            &whole[..whole.len() - 5],
            "error: the last message is cut off\n",
        ),
        (&whole[..9], "error: the last message is cut off\n"),
        (
            &whole[..],
            "error: the editor closed the connection without `exit`\n",
        ),
        (
            "GET / HTTP/1.1\r\n\r\n",
            "error: expected a header with `Content-Length`, found `GET / HTTP/1.1`\n",
        ),
        (
            "Content-Length: -1\r\n\r\n",
            "error: expected a header with `Content-Length`, found `Content-Length: -1`\n",
        ),
        (
            "Content-Length: 999999999999\r\n\r\n{}",
            "error: the last message is cut off\n",
        ),
    ] {
        let outcome = attila("lsp", input);
        assert_eq!((outcome.code, &*outcome.stderr), (1, reason));
    }
}

#[test]
fn a_text_of_100_mb_has_one_problem() {
    let mut bodies = begun();
    bodies.push(opened(&"mvo o1, i0\n".repeat(10_000_000)));
    let outcome = talk(&ended(bodies));
    let messages = messages(&outcome);
    assert_eq!((outcome.code, messages.len()), (0, 3));
    let problems = &messages[1]["params"]["diagnostics"];
    assert_eq!(problems.as_array().map(Vec::len), Some(1));
    assert_eq!(
        problems[0]["message"],
        "the text has 110000000 bytes; the limit is 4194304"
    );
}

#[test]
fn hovers_have_the_cost_of_the_jit() {
    let mut bodies = begun();
    bodies.push(opened("mad o1, i0, i1, i2"));
    let place = json!({ "textDocument": { "uri": "file:///a" }, "position": { "line": 0, "character": 1 } });
    bodies.push(json!({ "id": 1, "method": "textDocument/hover", "params": place }).to_string());
    let answers = messages(&talk(&ended(bodies)));
    let text = answers[2]["result"]["contents"]["value"]
        .as_str()
        .expect("there is a hover");
    // A product and a sum for each of four components.
    assert!(
        text.contains("\n8 operations of lane IR; instructions: "),
        "{text}"
    );
    assert!(text.contains("8 at 128 bits"), "{text}");
}
