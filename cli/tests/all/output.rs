//! Standard output that is full or closed: every command reports a full device, and ends quietly when a
//! pipe is closed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::process::{Command, Stdio};

use crate::compare::VECTOR;
use crate::scratch;

/// Commands that print something, with their input.
const COMMANDS: [(&str, &str); 25] = [
    ("asm - -o -", "mov o1, i1"),
    ("asm - --hex", "mov o1, i1"),
    ("dis -", "000000f139c00016 001b001b00011b01"),
    ("check -", "mov o1, i1"),
    ("translate -", "!!ARBfp1.0\nMOV result.color, 1;\nEND"),
    ("run -", "mov o1, i1"),
    ("run - --json", "mov o1, i1"),
    ("run - --trace", "mov o1, i1"),
    ("render - --size 2x2 -o -", "mov o1, i1"),
    ("render - --size 2x2 -o PICTURE", "mov o1, i1"),
    ("render --size 2x2 -o PICTURE", ""),
    ("bench - --size 2x2 --time 0", "mov o1, i1"),
    ("bench - --size 2x2 --time 0 --json", "mov o1, i1"),
    ("vectors -", VECTOR),
    ("fuzz --cases 1", ""),
    ("fuzz textures --cases 1", ""),
    ("fuzz draws --cases 1", ""),
    ("fuzz arb --cases 1", ""),
    ("sweep ex2 --stride 1000000007", ""),
    ("emit -", "mov o1, i1"),
    (
        "shader-test -",
        "[vertex program]\n!!ARBvp1.0\nEND\n[test]\n",
    ),
    ("corpus CORPUS", ""),
    ("ops", ""),
    ("ops mov", ""),
    ("asm --help", ""),
];

/// The exit code and standard error of a command whose standard output is `stdout`. Files of `test`
/// are where no other test has its own.
fn run(
    test: &str,
    arguments: &str,
    stdin: &str,
    stdout: impl Into<Stdio>,
) -> (Option<i32>, String) {
    let corpus = scratch(&format!("{test}-corpus"));
    fs::create_dir_all(&corpus).unwrap();
    fs::write(corpus.join("index.json"), r#"{"files": []}"#).unwrap();
    let picture = scratch(&format!("{test}.png"));
    let arguments = arguments
        .replace("PICTURE", &picture.display().to_string())
        .replace("CORPUS", &corpus.display().to_string());
    let mut child = Command::new(env!("CARGO_BIN_EXE_attila"))
        .args(arguments.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(stdout)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command can be started");
    // A command that does not read its input may have ended by now.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    let output = child.wait_with_output().expect("the command ends");
    let stderr = String::from_utf8(output.stderr).expect("it is text");
    (output.status.code(), stderr)
}

#[test]
fn output_that_cannot_be_written_is_an_error_of_every_command() {
    for (arguments, stdin) in COMMANDS.into_iter().chain([("--version", "")]) {
        // Not every system has a device that is always full.
        let Ok(full) = File::options().write(true).open("/dev/full") else {
            return;
        };
        let (code, stderr) = run("full", arguments, stdin, full);
        assert_eq!(code, Some(1), "{arguments}: {stderr}");
        let message = "error: cannot write to standard output: ";
        assert_eq!(stderr.matches(message).count(), 1, "{arguments}: {stderr}");
    }
}

#[test]
fn every_command_ends_quietly_when_nobody_reads_its_output() {
    for (arguments, stdin) in COMMANDS.into_iter().chain([("--version", "")]) {
        let (reader, writer) = io::pipe().expect("there are pipes");
        drop(reader);
        let (code, stderr) = run("closed", arguments, stdin, writer);
        assert_eq!(code, Some(0), "{arguments}: {stderr}");
        assert!(!stderr.contains("error"), "{arguments}: {stderr}");
    }
}
