//! The `attila` command as its users see it: what it prints, and its exit code.

mod agal;
mod arb;
mod assembly;
mod bench;
mod cases;
mod check;
mod codes;
mod colours;
mod compare;
mod course;
mod ctm;
#[cfg(feature = "debug")]
mod dap;
#[cfg(feature = "debug")]
mod debug;
mod examples;
mod files;
mod foreign;
mod frames;
mod json;
mod kinds;
#[cfg(feature = "lsp")]
mod lsp;
mod manual;
mod memory;
mod meshes;
mod multisampled;
mod numbers;
mod output;
mod outputs;
mod pictures;
#[cfg(feature = "play")]
mod play;
mod render;
mod run;
mod samples;
mod shader_tests;
mod texture_files;
mod textures;
mod tgsi;
mod traces;
mod vectors;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

/// The results of a run of the command.
struct Outcome {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Outcome {
    /// Everything at once, for comparing with what is expected.
    fn transcript(&self) -> String {
        let mut text = self.stdout.clone();
        if !self.stderr.is_empty() {
            text.push_str("--- stderr\n");
            text.push_str(&self.stderr);
        }
        if self.code != 0 {
            text.push_str(&format!("--- exit code {}\n", self.code));
        }
        text
    }
}

/// The text as a machine has it whose vectors have one width.
fn with_one_width(text: &str) -> String {
    let text = text.replace("ir, jit128, jit256 and jit", "ir and jit");
    text.replace("ir, jit128 and jit", "ir and jit")
}

/// Runs `attila` with arguments that are separated by blanks, and `stdin` as its input.
fn attila_bytes(arguments: &str, stdin: &[u8]) -> Outcome {
    attila_within(&[], arguments, stdin)
}

/// The same with variables of the environment.
fn attila_within(variables: &[(&str, &str)], arguments: &str, stdin: &[u8]) -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_attila"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    let mut child = command
        .envs(variables.iter().copied())
        .args(arguments.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command can be started");
    let mut input = child.stdin.take().expect("it was asked for");
    let output = thread::scope(|scope| {
        // Beside reading, as commands that answer what they read wait until somebody does.
        scope.spawn(move || {
            // A command that does not read its input may have ended by now.
            let _ = input.write_all(stdin);
        });
        child.wait_with_output().expect("the command ends")
    });
    let text = |bytes| {
        let text = String::from_utf8(bytes).expect("what it prints is text");
        with_one_width(&text)
    };
    Outcome {
        code: output.status.code().expect("it was not killed"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

fn attila(arguments: &str, stdin: &str) -> Outcome {
    attila_bytes(arguments, stdin.as_bytes())
}

/// Messages of `check` as other commands have them.
fn without_codes(text: &str) -> String {
    let plain = |line: &str| {
        let (severity, rest) = line.split_once('[')?;
        let (_, message) = rest.split_once("]: ")?;
        let is_word = ["error", "warning", "note"].contains(&severity);
        is_word.then(|| format!("{severity}: {message}"))
    };
    let lines = text.split_inclusive('\n');
    lines
        .map(|line| plain(line).unwrap_or_else(|| line.to_owned()))
        .collect()
}

/// Where a test may write the file `name`, which no other test writes.
fn scratch(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn wrong_usage_has_the_exit_code_2() {
    for arguments in [
        "",
        "frobnicate",
        "check",
        "run - --engine gpu",
        "run - --set i0",
        "run - --set i64=1",
        "run - --set i0=1,2",
        "run - --set c0[1]=1",
        "run - --quads 0",
        "run - --quads 65537",
        "render - --texture-memory 0",
        "run - --trace --json",
        "render - --size 10",
        "render - --size 0x7",
        "render - --background red",
        "render - --varying i6=w",
        "render - --texture t0=velvet",
        "render - --texture t0=wall.png,mps",
        "run - --texture t0=cube:a.png,b.png",
        "render --set c0=1",
        "render - --set r0=1",
        "render - --set p0=true",
        "render - --set i1[2]=1",
        "render - --set i64=1",
        "render - --set i1=1 --varying i1=u",
        "bench - --set o1=1",
        "render - -o out.jpg",
        "render - --size 32769x1",
        "render - --threads 0",
        "render - --bits 12",
        "render - --bits 16 -o out.pfm",
        "render - --alpha -o out.ppm",
        "render - --region 0,0,641,1",
        "render - --region 0,0,0,1",
        "render --region 0,0,1,1",
        "join -o out.png",
        "join -o out.jpg 0,0:a.png",
        "join -o out.png a.png",
        "join -o out.png 0,0:a.jpg",
        "render -o out.jpg",
        "shader-test - --save out.gif",
        "bench",
        "bench - --size 10x",
        "bench - --threads 0",
        "bench - --time -1",
        "bench - --time nan",
        "sweep tan",
        "sweep ex2 --stride 0",
        "asm -",
        "ops frobnicate",
        "completions",
        "completions tcsh",
        "man frobnicate",
        "emit - --stage ast",
        "vectors",
        "fuzz --time 0",
        "fuzz --cases 0",
        "check - --program 0",
        "fuzz textures some",
        "fuzz programs inlinable",
        "fuzz pictures",
        "fuzz --textures",
        "fuzz --draws --cases 1",
    ] {
        let outcome = attila(arguments, "mov o1, i1");
        assert_eq!(outcome.code, 2, "{arguments}: {}", outcome.stderr);
        assert!(outcome.stdout.is_empty(), "{arguments}");
        assert!(!outcome.stderr.is_empty(), "{arguments}");
    }
}

#[test]
fn help_and_version_are_no_errors() {
    let commands = [
        "asm",
        "dis",
        "check",
        "run",
        "debug",
        "dap",
        "render",
        "join",
        "bench",
        "vectors",
        "fuzz",
        "sweep",
        "emit",
        "lsp",
        "ops",
        "completions",
        "man",
        "translate",
    ];
    let help = attila("--help", "");
    assert_eq!(help.code, 0);
    for command in commands {
        assert!(
            help.stdout.contains(&format!("\n  {command} ")),
            "{command}"
        );
        let help = attila(&format!("{command} --help"), "");
        assert_eq!(help.code, 0, "{command}");
        assert!(help.stdout.contains("Examples:"), "{command}");
    }
    let version = attila("--version", "");
    assert_eq!(
        version.stdout,
        concat!("attila ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn what_examples_do_stands_in_one_column() {
    let overview = attila("--help", "").stdout;
    let commands = overview.lines().skip_while(|line| *line != "Commands:");
    let commands = commands.skip(1).take_while(|line| !line.is_empty());
    let names: Vec<&str> = commands
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.len() > 10, "{overview}");
    for name in [""].iter().chain(&names) {
        let help = attila(&format!("{name} --help"), "").stdout;
        let examples = help
            .lines()
            .skip_while(|line| !line.starts_with("Examples:"));
        let gaps = examples.skip(1).filter_map(|line| {
            let gap = line.trim_start().find("   ")?;
            let words = &line.trim_start()[gap..];
            Some(line.len() - words.trim_start().len())
        });
        let columns: Vec<usize> = gaps.collect();
        assert!(columns.iter().all(|column| *column == columns[0]), "{help}");
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    let outcome = attila(&format!("run {folder}"), "");
    assert_eq!(
        outcome.stderr,
        format!("error: {folder} is a directory, not a file\n")
    );
    let outcome = attila("check no-such-file", "");
    assert!(
        outcome
            .stderr
            .starts_with("error[F01]: cannot read no-such-file: ")
    );
    assert_eq!(outcome.code, 1);
    let outcome = attila("check -", "");
    assert_eq!(outcome.stderr, "error[F01]: <stdin> is empty\n");
    assert_eq!(outcome.code, 1);
    let outcome = attila_bytes("check --text -", b"mov\0 o1, \xff");
    assert_eq!(
        outcome.stderr,
        "error[F02]: <stdin> is not UTF-8 at line 1, column 10\n"
    );
    let huge = vec![b' '; (4 << 20) + 1];
    let outcome = attila_bytes("check -", &huge);
    assert!(outcome.stderr.contains("too large"), "{}", outcome.stderr);
    assert_eq!(outcome.code, 1);
}
