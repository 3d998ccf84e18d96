//! Codes of messages: each exists once, is explained, and its example has it.

#![cfg(unix)]

use std::fs;
use std::path::Path;

use crate::attila;
use crate::examples::shell;

/// The codes that `attila explain` lists.
fn listed() -> Vec<String> {
    let list = attila("explain", "").stdout;
    let names = list
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

#[test]
fn codes_are_a_letter_and_a_number_and_stand_once() {
    let codes = listed();
    for letter in ["T", "V", "D", "F"] {
        let own: Vec<&String> = codes.iter().filter(|it| it.starts_with(letter)).collect();
        let numbered: Vec<String> = (1..=own.len())
            .map(|it| format!("{letter}{it:02}"))
            .collect();
        assert!(
            !own.is_empty() && own.into_iter().eq(&numbered),
            "{codes:?}"
        );
    }
    assert!(
        codes.iter().all(|it| "TVDF".contains(&it[..1])),
        "{codes:?}"
    );
}

#[test]
fn the_example_of_every_code_has_a_message_with_it() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("codes");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder is ours");
    for code in listed() {
        let explained = attila(&format!("explain {}", code.to_lowercase()), "").stdout;
        let (text, example) = explained
            .split_once("\n\nExample:\n")
            .expect("there is one");
        assert!(
            text.starts_with(&format!("{code}: ")) && text.contains("\n\n"),
            "{text}"
        );
        let example = example.lines().map(|line| format!("{}\n", &line[2..]));
        let example: String = example.collect();
        let printed = match example.contains("attila check") {
            true => shell(&folder, &example).1,
            false => attila("check -", &example).stderr,
        };
        assert!(
            printed.contains(&format!("[{code}]: ")),
            "{code}: {printed}"
        );
    }
}

#[test]
fn only_check_prints_codes() {
    let text = "mvo o1, i0";
    assert!(
        attila("check -", text)
            .stderr
            .starts_with("error[T03]: unknown")
    );
    assert!(attila("run -", text).stderr.starts_with("error: unknown"));
}

#[test]
fn codes_that_do_not_exist_are_refused() {
    let outcome = attila("explain V99", "");
    assert_eq!(outcome.code, 2);
    let message = "there is no such code; `attila explain` lists them";
    assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
}
