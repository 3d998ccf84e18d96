//! Random scripts and keys: nothing that somebody types makes the debugger panic.

use attila_shader::debug::{Limits, Recording, Source};
use attila_shader::machine::QuadState;
use attila_shader::{Bindings, Program};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::screen::{App, Theme, draw};
use crate::pictured;
use crate::random::Random;
use attila_debugger::Debugger;
use attila_debugger::{Small, Subject};

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
        file: None,
        recording: recording.expect("it runs"),
        source,
        lane: 0,
        history: None,
        picture: Some(Small {
            size: [3, 2],
            pixels: vec![[9, 99, 199, 255]; 6],
            marked: [2, 1],
            whole: [3, 2],
            pixel: [2, 1],
        }),
    })
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
            match attila_debugger::execute(&mut debugger, &line) {
                Ok(_) => done += 1,
                Err(message) => {
                    assert!(!message.is_empty(), "{line}");
                    refused += 1;
                }
            }
        }
        assert!(debugger.step <= debugger.last());
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
        let is_there = attila_debugger::HELP.split(|c: char| !c.is_ascii_alphabetic() && c != '-');
        assert!(is_there.clone().any(|it| it == word), "{word}");
    }
    let keys = "sbnpoaecriIkxXdDwymtv/:?q";
    let (_, listed) = attila_debugger::HELP
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

/// `docs/debugger.png` is what the debugger shows. `UPDATE_EXPECT=1` draws it anew.
#[test]
fn the_picture_in_the_documentation_is_what_the_debugger_shows() {
    let mut debugger = debugger();
    for command in ["break 5", "watch r1 as float", "continue", "nan", "nan"] {
        attila_debugger::execute(&mut debugger, command).expect("it can be done");
    }
    let side = |at: u32| (at * 4) as u8;
    let sphere = (0..64 * 48).map(|index| {
        let (x, y) = (index % 64, index / 64);
        let inside = (x as i32 - 32).pow(2) + (y as i32 - 24).pow(2) < 400;
        if inside {
            [side(x), 90, side(y), 255]
        } else {
            [40, 44, 52, 255]
        }
    });
    debugger.subject.picture = Some(Small {
        size: [64, 48],
        pixels: sphere.collect(),
        marked: [38, 20],
        whole: [64, 48],
        pixel: [38, 20],
    });
    let app = App::new(debugger, Theme::with_colours());
    let mut terminal = Terminal::new(TestBackend::new(100, 30)).expect("it is one");
    terminal.draw(|frame| draw(frame, &app)).expect("it draws");
    pictured::check("debugger.png", terminal.backend().buffer());
}
