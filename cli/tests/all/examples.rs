//! Examples in the README and in help texts: their command lines run as they stand, in a POSIX shell, and print the output
//! that the README shows.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::attila;
use crate::textures::{dds, png};

/// The beginning of command lines that mean `attila` from a checkout.
const FROM_SOURCE: &str = "cargo run --release -- ";

/// Examples of help texts that no test runs, by their beginnings, and the reason.
const LEFT_OUT: &[(&str, &str)] = &[
    ("attila bench", "it measures for seconds"),
    (
        "attila debug --",
        "it needs a terminal; cli/tests/debug has one",
    ),
    ("attila fuzz", "it runs thousands of cases"),
    ("attila lsp", "an editor has to speak with it"),
    (
        "attila play",
        "it serves until it is ended, a page that `web/build` makes",
    ),
    ("attila sweep", "it evaluates millions of inputs"),
    ("attila man | man", "it needs a reader of manual pages"),
];

/// A command line, and the output that a text shows for it.
#[derive(Clone)]
struct Example {
    /// The line of the text, from 1.
    line: usize,
    command: String,
    output: Option<String>,
}

impl Example {
    /// True if it runs `attila`, as the first command or after a pipe.
    fn is_ours(&self) -> bool {
        let mut words = self.command.split_whitespace();
        words.any(|word| word == "attila")
    }

    /// Runs the example in `folder`.
    ///
    /// # Errors
    ///
    /// The exit code or the output is not as the text has it: an output that begins with an error has the exit code 1.
    fn check(&self, folder: &Path) -> Result<(), String> {
        let output = self.output.as_deref();
        let fails = output.is_some_and(|output| output.starts_with("error"));
        let (code, printed) = shell(folder, &self.command);
        let as_shown = output.is_none_or(|output| output.trim_end() == printed.trim_end());
        if code == Some(i32::from(fails)) && as_shown {
            return Ok(());
        }
        Err(format!(
            "line {}: {}\nexit code {code:?}; it prints\n{printed}",
            self.line, self.command
        ))
    }
}

/// Runs a command line in `folder`: its exit code, and everything that it prints.
pub(crate) fn shell(folder: &Path, command: &str) -> (Option<i32>, String) {
    let bin = Path::new(env!("CARGO_BIN_EXE_attila")).parent();
    let bin = bin.expect("the command is in a folder").display();
    let path = std::env::var("PATH").expect("there is a path");
    let mut shell = Command::new("sh");
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        shell.env_remove(name);
    }
    let output = shell
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .env("PATH", format!("{bin}:{path}"))
        .env("HOME", folder)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("there is a shell");
    let text = String::from_utf8(output.stdout).expect("the output is text");
    (output.status.code(), text)
}

/// The examples of the `sh`, `console` and `text` blocks. Lines after a prompt `$ ` are commands, and the lines below
/// them their output; without prompts every line is a command. A quote that is open goes on in the next line.
fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut block = None;
    let mut open = false;
    for (line, content) in (1..).zip(text.lines()) {
        if let Some(language) = content.strip_prefix("```") {
            block = block.is_none().then_some(language);
            open = false;
            continue;
        }
        let prompt = content.strip_prefix("$ ");
        let command = match block {
            _ if open => content,
            Some("sh") => content,
            Some("console" | "text") => prompt.unwrap_or_default(),
            _ => continue,
        };
        let last = examples.last_mut();
        match last {
            Some(last) if open => last.command += &format!("\n{content}"),
            Some(last) if command.is_empty() => {
                let output = last.output.as_mut();
                output
                    .into_iter()
                    .for_each(|it| *it += &format!("{content}\n"));
            }
            _ if command.is_empty() => continue,
            _ => examples.push(Example {
                line,
                command: ours(command),
                output: prompt.map(|_| String::new()),
            }),
        }
        open = examples
            .last()
            .is_some_and(|it| it.command.matches('\'').count() % 2 == 1);
    }
    examples.retain(Example::is_ours);
    examples
}

/// The examples of a help text. Descriptions stand after three blanks.
fn examples_of_help(text: &str) -> Vec<Example> {
    let lines = (1..).zip(text.lines());
    let lines = lines.skip_while(|(_, line)| !line.starts_with("Example"));
    let examples = lines.skip(1).map(|(line, content)| {
        let command = content.trim().split("   ").next().unwrap_or_default();
        Example {
            line,
            command: command.to_owned(),
            output: None,
        }
    });
    examples.filter(Example::is_ours).collect()
}

/// The README, which is not part of this package.
fn readme() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    fs::read_to_string(path).expect("it is part of the source")
}

/// A command line for the command that is tested.
fn ours(command: &str) -> String {
    match command.strip_prefix(FROM_SOURCE) {
        Some(rest) => format!("attila {rest}"),
        None => command.to_owned(),
    }
}

/// A folder with every file that an example of the README names.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder is ours");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copy = |from: &str, to: &str| {
        fs::copy(root.join(from), folder.join(to)).expect("the file is part of the source");
    };
    let write = |to: &str, text: &str| fs::write(folder.join(to), text).expect("it is ours");
    copy("tests/pictures/orange.jpg", "wall.jpg");
    copy("tests/pictures/tile.png", "wall.png");
    for face in ["px", "nx", "py", "ny", "pz", "nz"] {
        copy(
            &format!("tests/pictures/sky-{face}.png"),
            &format!("{face}.png"),
        );
    }
    let normals = dds(&format!("{name}.dds"), [4, 4], 1, b"DXT1", 0, &[0x55; 8]);
    fs::rename(normals, folder.join("normals.dds")).expect("both are ours");
    let grey = png::ColorType::Grayscale;
    let cross = format!("{name}-cross.png");
    let cross = png(&cross, 4, grey, png::BitDepth::Eight, &[7; 12]);
    fs::rename(cross, folder.join("cross.png")).expect("both are ours");
    write(
        "wall.attila",
        "tex r0, i6, t0\ntex r1, i6, t1\nmul o1, r0, r1",
    );
    write("glass.attila", "tex o1, i6, t0");
    let rows = (0..4).map(|row| format!("dp4 o0.{}, c{row}, i0\n", &"xyzw"[row..=row]));
    let vertex = rows.chain(["mov o6, i2\n".to_owned()]);
    write("cup.attila", &vertex.collect::<String>());
    write("cup.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    folder
}

/// The files that examples of help texts name besides.
fn add_files_of_help(folder: &Path) {
    let write = |to: &str, text: &str| fs::write(folder.join(to), text).expect("it is ours");
    write("shader.attila", "mul r0, i1, c0\nmov o1, r0");
    for (from, to) in [("cup.attila", "vertex.attila"), ("cup.obj", "model.obj")] {
        fs::copy(folder.join(from), folder.join(to)).expect("both are ours");
    }
    write("steps.txt", "end\nprint o1");
    write(
        "state.json",
        r#"{ "quads": 1, "i1": [1, 2, 3, 4], "c0": 5 }"#,
    );
    write(
        "shader.arbfp",
        "!!ARBfp1.0\nMUL result.color, fragment.color, program.local[0];\nEND",
    );
    write(
        "shader.tgsi",
        "FRAG\nDCL IN[0], COLOR, LINEAR\nDCL OUT[0], COLOR\nRSQ OUT[0], IN[0].xxxx\nEND",
    );
    write("shader.agal", "sqt ft0, v0\nmul oc, ft0, fc0");
    write("shader.ctm", "rgb mad o1 = i1, c0, 0");
    for example in [
        "attila render shader.attila --size 1280x1440 -o left.exr",
        "attila render shader.attila --size 1280x1440 -o right.exr",
        "attila asm shader.attila -o shader.bin",
        "attila asm shader.attila -o transform.bin",
        "mkdir -p tests vectors piglit/asmparser agal .zfunc",
        "mkdir -p .local/share/bash-completion/completions .config/fish/completions",
    ] {
        assert_eq!(shell(folder, example).0, Some(0), "{example}");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read(root.join("../tests").join(name)).expect("it is there");
    let test = read("shader_tests/colours.shader_test");
    for to in ["tests/colours.shader_test", "fog.shader_test"] {
        fs::write(folder.join(to), &test).expect("it is ours");
    }
    let vectors = read("vectors/sample.jsonl");
    for to in ["vectors/sample.jsonl.gz", "ops.jsonl"] {
        fs::write(folder.join(to), &vectors).expect("it is ours");
    }
    let verdicts = read("corpora/agal/verdicts.jsonl");
    fs::write(folder.join("agal/errors.jsonl"), &verdicts).expect("it is ours");
    let index = r#"{ "files": [{ "file": "one.txt", "stage": "fragment", "must_fail": false }] }"#;
    write("piglit/asmparser/index.json", index);
    fs::copy(
        folder.join("shader.arbfp"),
        folder.join("piglit/asmparser/one.txt"),
    )
    .expect("both are ours");
}

/// Runs all examples, and lists those that are wrong.
fn wrong(examples: &[Example], folder: &Path) -> Vec<String> {
    let checked = examples
        .iter()
        .filter_map(|example| example.check(folder).err());
    checked.collect()
}

#[test]
fn examples_of_the_readme_run_and_print_what_it_shows() {
    let examples = examples(&readme());
    let shown = examples.iter().filter(|it| it.output.is_some());
    assert!(examples.len() >= 6 && shown.count() >= 3);
    let wrong = wrong(&examples, &folder("readme"));
    assert!(
        wrong.is_empty(),
        "README.md, {}",
        wrong.join("\nREADME.md, ")
    );
}

#[test]
fn examples_of_help_texts_run() {
    let folder = folder("help");
    add_files_of_help(&folder);
    let overview = attila("--help", "").stdout;
    let commands = overview.lines().skip_while(|line| *line != "Commands:");
    let commands = commands.skip(1).take_while(|line| !line.is_empty());
    let mut left_out = vec![0; LEFT_OUT.len()];
    let mut wrong = Vec::new();
    let commands = commands.filter_map(|line| line.split_whitespace().next());
    for name in [""].into_iter().chain(commands) {
        let mut examples = examples_of_help(&attila(&format!("help {name}"), "").stdout);
        assert!(name == "help" || !examples.is_empty(), "{name}");
        examples.retain(|example| {
            let reason = LEFT_OUT
                .iter()
                .position(|(start, _)| example.command.starts_with(start));
            reason.into_iter().for_each(|reason| left_out[reason] += 1);
            reason.is_none()
        });
        let said = self::wrong(&examples, &folder).into_iter();
        wrong.extend(said.map(|what| format!("attila help {name}, {what}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(left_out.iter().all(|count| *count > 0), "{left_out:?}");
}

#[test]
fn an_example_that_is_wrong_is_noticed() {
    let folder = folder("wrong-examples");
    let text = "```text\n$ echo 'mov o1,\ni1' | attila run - --set i1=1,2,3,4 --json\nnothing\n\n$ attila check x\n```\n\
                ```sh\nattila check y\nls\n```";
    let examples = examples(text);
    let commands: Vec<(usize, &str)> = examples
        .iter()
        .map(|it| (it.line, it.command.as_str()))
        .collect();
    let first = "echo 'mov o1,\ni1' | attila run - --set i1=1,2,3,4 --json";
    assert_eq!(
        commands,
        [(2, first), (6, "attila check x"), (9, "attila check y")]
    );
    assert_eq!(wrong(&examples, &folder).len(), 3);
    let wrong_readme = readme().replace("3  1.0           1.0", "3  1.0           1.5");
    let shown = self::examples(&wrong_readme).into_iter();
    let shown: Vec<Example> = shown.filter(|it| it.output.is_some()).collect();
    let wrong = wrong(&shown, &folder);
    assert!(
        wrong.len() == 1 && wrong[0].contains("i0[3]=0.5"),
        "{wrong:?}"
    );
}
