//! `attila debug` in a terminal: screens as tmux captures them.
//!
//! `UPDATE_EXPECT=1` writes the screens anew: look at them. On Debian: apt install tmux.
#![cfg(feature = "debug")]
#![expect(clippy::print_stderr, reason = "tests say what they leave out")]

use std::path::PathBuf;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use expect_test::{ExpectFile, expect_file};

/// A terminal in tmux, with a server of its own.
struct Terminal {
    socket: String,
}

/// Whether there is a tmux.
fn has_tmux() -> bool {
    let found = Command::new("tmux").arg("-V").output().is_ok();
    if !found {
        eprintln!("SKIPPED: tmux is missing");
    }
    found
}

impl Terminal {
    /// A terminal of a size, in which a shell waits.
    fn new(name: &str, [columns, rows]: [u32; 2]) -> Terminal {
        let terminal = Terminal {
            socket: format!("attila-{}-{name}", std::process::id()),
        };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let size = ["-x", &columns, "-y", &rows];
        let shell = "env -u NO_COLOR PS1='$ ' sh";
        terminal.tmux(&[&["new-session", "-d"], &size[..], &[shell]].concat());
        terminal.wait("$");
        terminal
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("tmux");
        command.args(["-f", "/dev/null", "-L", &self.socket]);
        let output = command.args(arguments).output().expect("tmux starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn screen(&self) -> String {
        let screen = self.tmux(&["capture-pane", "-p"]);
        let lines = screen.lines().map(str::trim_end);
        lines.collect::<Vec<_>>().join("\n") + "\n"
    }

    /// The screen once it has a text. There is no other way to know that a program has drawn.
    fn wait(&self, text: &str) -> String {
        for _ in 0..1200 {
            let screen = self.screen();
            if screen.contains(text) {
                return screen;
            }
            sleep(Duration::from_millis(50));
        }
        panic!("`{text}` does not appear in\n{}", self.screen());
    }

    /// Presses keys, and waits for a text.
    fn press(&self, keys: &[&str], text: &str) -> String {
        self.tmux(&[&["send-keys"], keys].concat());
        self.wait(text)
    }

    /// Types a line for the shell.
    fn line(&self, line: &str, text: &str) -> String {
        self.tmux(&["send-keys", "-l", line]);
        self.press(&["Enter"], text)
    }

    /// Starts the debugger on a program of the tests.
    fn debug(&self, environment: &str, program: &str, options: &str) -> String {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/debug");
        let attila = env!("CARGO_BIN_EXE_attila");
        self.line(&format!("cd {}; clear", folder.display()), "$");
        self.line(
            &format!("{environment} {attila} debug {program} {options}; echo code $?"),
            "? help",
        )
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

fn check(screen: &str, expected: ExpectFile) {
    expected.assert_eq(screen);
}

const SMALL: [u32; 2] = [80, 24];

#[test]
fn keys_step_break_watch_and_search() {
    if !has_tmux() {
        return;
    }
    let terminal = Terminal::new("keys", SMALL);
    let quad = "--quad 0 -s i0=1 -s i0[1]=2 -s i0[2]=3 -s i0[3]=4";
    check(
        &terminal.debug("", "loop.attila", quad),
        expect_file!["start.txt"],
    );
    terminal.press(&["s", "s"], "step 2 of");
    check(
        &terminal.press(&["s"], "step 3 of"),
        expect_file!["step.txt"],
    );
    terminal.press(&["b"], "step 2 of");
    // Down to the `rcp`, a breakpoint there, and on to it.
    terminal.press(&["Down", "k"], "breakpoint 0: line 5");
    check(
        &terminal.press(&["c"], "breakpoint 0, hit 1 of 1"),
        expect_file!["breakpoint.txt"],
    );
    // NaN, and what it is made of.
    terminal.press(&["x"], "step 13 of");
    terminal.press(&["x"], "step 14 of");
    terminal.line(":watch o1 as float", "o1.w");
    check(&terminal.press(&["e"], "the end"), expect_file!["nan.txt"]);
    check(
        &terminal.line(":why o1.y", "Esc closes"),
        expect_file!["why.txt"],
    );
    terminal.press(&["Escape"], "[text]");
    terminal.line("/mov", "/mov");
    check(
        &terminal.press(&["v"], "instructions"),
        expect_file!["instructions.txt"],
    );
    terminal.press(&["q"], "code 0");
}

#[test]
fn a_pixel_has_its_picture_and_its_history_on_a_large_screen() {
    if !has_tmux() {
        return;
    }
    let terminal = Terminal::new("large", [200, 60]);
    let options = "--pixel 40,20 --size 64x64";
    terminal.debug("NO_COLOR=1", "black.attila", options);
    check(
        &terminal.press(&["e"], "the end"),
        expect_file!["large.txt"],
    );
    terminal.press(&["q"], "code 0");
}

#[test]
fn a_terminal_that_is_too_small_says_so_until_it_is_not() {
    if !has_tmux() {
        return;
    }
    let terminal = Terminal::new("resized", SMALL);
    terminal.debug("", "loop.attila", "--quad 0");
    terminal.tmux(&["resize-window", "-x", "60", "-y", "20"]);
    terminal.wait("the terminal has 60x20 characters; 80x24 are needed");
    terminal.tmux(&["resize-window", "-x", "100", "-y", "30"]);
    terminal.wait("registers");
    terminal.press(&["q"], "code 0");
}

#[test]
fn the_terminal_is_as_before_after_quitting_interrupts_and_panics() {
    if !has_tmux() {
        return;
    }
    let terminal = Terminal::new("restored", SMALL);
    let settings =
        |terminal: &Terminal| terminal.line("clear; stty -a; echo set''tings", "\nsettings\n$");
    let before = settings(&terminal);
    for (environment, keys, text) in [
        ("", "q", "code 0"),
        ("", "C-c", "code 0"),
        ("ATTILA_DEBUG_PANIC=1", "C-p", "this panic was asked for"),
    ] {
        terminal.debug(environment, "loop.attila", "--quad 0");
        let after = terminal.press(&[keys], text);
        assert!(!after.contains("registers, own"), "{after}");
        terminal.wait("code ");
        assert_eq!(settings(&terminal), before, "after {keys}");
    }
}
