//! Random scripts and keys: nothing that somebody types makes the debugger panic.

use attila_shader::debug::{Limits, Recording, Source};
use attila_shader::machine::QuadState;
use attila_shader::{Bindings, Program};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::commands;
use super::debugger::Debugger;
use super::screen::{App, Theme, draw};
use super::subject::{Small, Subject};

const LOOP: &str = include_str!("../../tests/debug/loop.attila");

fn debugger() -> Debugger {
    let program = Program::assemble(LOOP).expect("it assembles");
    let source = Source::new(LOOP, &program);
    let program = program.validate().expect("it is valid");
    let mut quad = QuadState::default();
    quad.io
        .set_input(0, [1.0, 2.0, 3.0, 4.0].map(|value| [value; 4]));
    let bindings = Bindings::new();
    let recording = Recording::of(&program, &bindings, &quad, Limits::default());
    Debugger::new(Subject {
        name: "loop.attila".to_owned(),
        recording: recording.expect("it runs"),
        source,
        lane: 0,
        history: None,
        picture: Some(Small {
            size: [3, 2],
            pixels: vec![[9, 99, 199, 255]; 6],
            marked: [2, 1],
        }),
    })
}

/// Numbers that follow from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

const WORDS: [&str; 26] = [
    "step",
    "back",
    "next",
    "previous",
    "over",
    "to",
    "back-to",
    "start",
    "end",
    "goto",
    "continue",
    "reverse",
    "break",
    "delete",
    "breaks",
    "nan",
    "back-nan",
    "part",
    "back-part",
    "find",
    "back-find",
    "write",
    "why",
    "print",
    "watch",
    "unwatch",
];

const ARGUMENTS: [&str; 24] = [
    "",
    "",
    "",
    "0",
    "1",
    "5",
    "99999999999999999999",
    "r0.x",
    "r0",
    "o1.y[3]",
    "p0",
    "kill",
    "r0.x > 1",
    "o1.y is nan",
    "lane 2 killed",
    "pc 3",
    "if r0.x > 2",
    "3 if p0 is true",
    "i0 as colour",
    "r1 as bits",
    "scratch 1.x",
    "\u{e9}[",
    "-1",
    "r0.x is",
];

#[test]
fn ten_thousand_random_scripts_do_not_panic() {
    let mut random = Random(1);
    let mut debugger = debugger();
    let (mut done, mut refused) = (0, 0);
    for _ in 0..10_000 {
        debugger.go(0);
        debugger.breakpoints.clear();
        debugger.watches.clear();
        for _ in 0..1 + random.below(8) {
            let line = format!("{} {}", random.of(&WORDS), random.of(&ARGUMENTS));
            match commands::execute(&mut debugger, &line) {
                Ok(_) => done += 1,
                Err(message) => {
                    assert!(!message.is_empty(), "{line}");
                    refused += 1;
                }
            }
        }
        assert!(debugger.step <= debugger.len());
    }
    assert!(
        done > 5_000 && refused > 5_000,
        "{done} done, {refused} refused"
    );
}

#[test]
fn ten_thousand_random_key_sequences_do_not_panic() {
    let mut random = Random(2);
    let mut app = App::new(debugger(), Theme::here());
    let sizes = [[80, 24], [79, 24], [1, 1], [200, 60], [80, 23]];
    for round in 0..10_000 {
        for _ in 0..1 + random.below(12) {
            let code = match random.below(10) {
                0 => KeyCode::Enter,
                1 => KeyCode::Esc,
                2 => random.of(&[
                    KeyCode::Up,
                    KeyCode::Down,
                    KeyCode::PageUp,
                    KeyCode::PageDown,
                ]),
                3 => random.of(&[
                    KeyCode::Tab,
                    KeyCode::Backspace,
                    KeyCode::Home,
                    KeyCode::F(5),
                ]),
                _ => KeyCode::Char(char::from(b' ' + random.below(95) as u8)),
            };
            app.press(KeyEvent::new(code, KeyModifiers::NONE));
        }
        if round % 10 == 0 {
            let [columns, rows] = random.of(&sizes);
            let mut terminal = Terminal::new(TestBackend::new(columns, rows)).expect("it is one");
            terminal.draw(|frame| draw(frame, &app)).expect("it draws");
        }
    }
}

#[test]
fn every_command_and_key_is_in_the_help() {
    for word in
        WORDS
            .into_iter()
            .chain(["lane", "where", "list", "registers", "requests", "history"])
    {
        let is_there = commands::HELP.split(|c: char| !c.is_ascii_alphabetic() && c != '-');
        assert!(is_there.clone().any(|it| it == word), "{word}");
    }
    let keys = "sbnpoaecriIkxXdDwymtv/:?q";
    let (_, listed) = commands::HELP
        .split_once("Keys in a terminal:")
        .expect("they are");
    for key in keys.chars() {
        let words = listed.split_whitespace();
        assert!(
            words.into_iter().any(|word| word == key.to_string()),
            "{key}"
        );
    }
}
