//! Compilers and other tools. A test that needs one which is not there prints `SKIPPED` with its name, and passes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::ptr::null_mut;

use attila::*;

/// The library that a program is linked with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Link {
    Shared,
    Static,
}

/// The folder of the crate.
pub(crate) fn crate_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of the examples.
pub(crate) fn examples() -> PathBuf {
    crate_folder().join("../examples/c")
}

/// The folder that the libraries are built in, which has this test, too.
pub(crate) fn libraries() -> PathBuf {
    let test = std::env::current_exe().expect("the test is a file");
    test.parent().expect("it is in a folder").to_owned()
}

/// An empty folder for a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("the folder is ours");
    }
    std::fs::create_dir_all(&folder).expect("the target folder can be written to");
    folder
}

/// Whether a tool is there. If not, the test says so.
pub(crate) fn has(tool: &str, test: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok();
    if !found {
        eprintln!("SKIPPED: {test}: `{tool}` is not installed");
    }
    found
}

/// Runs a command that has to succeed.
pub(crate) fn run(command: &mut Command) -> Output {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let texts = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        texts[0],
        texts[1]
    );
    output
}

pub(crate) fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("it prints text")
}

/// The libraries that a static library needs besides.
pub(crate) fn native_libraries() -> Vec<String> {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let folder = env!("CARGO_TARGET_TMPDIR");
    let print = "--print native-static-libs --crate-type staticlib";
    let script = format!("'{rustc}' {print} --out-dir '{folder}' - </dev/null 2>&1");
    let output = run(Command::new("sh").args(["-c", &script]));
    let text = text(&output);
    let line = text
        .lines()
        .find_map(|line| line.split("native-static-libs:").nth(1));
    let words = line.expect("rustc says it").split_whitespace();
    words.map(str::to_owned).collect()
}

/// The compiler of a file, with the warnings that it must not have.
fn compiler(source: &Path) -> (&'static str, &'static str) {
    match source.extension().and_then(|it| it.to_str()) {
        Some("cpp") => ("c++", "-std=c++17"),
        _ => ("cc", "-std=c99"),
    }
}

/// Compiles a program in a folder, with these folders of headers; `None` if there is no compiler.
pub(crate) fn compile(
    source: &Path,
    folder: &Path,
    link: Link,
    (headers, flags): (&Path, &[&str]),
) -> Option<PathBuf> {
    let (compiler, standard) = compiler(source);
    if !has(compiler, &source.display().to_string()) {
        return None;
    }
    let program = folder.join(source.file_stem().expect("it has a name"));
    let mut command = Command::new(compiler);
    command.args([standard, "-Wall", "-Wextra", "-Werror", "-pedantic", "-g"]);
    command
        .arg("-I")
        .arg(headers)
        .arg(source)
        .arg("-o")
        .arg(&program);
    match link {
        Link::Shared => {
            for name in ["libattila.so", "libattila.so.0"] {
                let link = folder.join(name);
                if !link.exists() {
                    let library = libraries().join("libattila.so");
                    std::os::unix::fs::symlink(library, link).expect("links can be made");
                }
            }
            command
                .arg("-L")
                .arg(folder)
                .arg("-lattila")
                .arg(format!("-Wl,-rpath,{}", folder.display()));
        }
        Link::Static => {
            command
                .arg(libraries().join("libattila.a"))
                .args(native_libraries());
        }
    }
    command.args(flags).args(["-lm", "-lpthread"]);
    run(&mut command);
    Some(program)
}

pub(crate) fn ok(status: attila_status) {
    assert_eq!(status, ATTILA_STATUS_OK);
}

/// A program that is right, and its shader.
pub(crate) fn prepared(
    source: &[u8],
    options: &attila_load_options,
    engine: *const attila_prepare_options,
) -> (*mut attila_program, *mut attila_shader) {
    let (mut program, mut shader) = (null_mut(), null_mut());
    let source = attila_bytes {
        data: source.as_ptr().cast(),
        length: source.len(),
    };
    ok(attila_program_load(
        source,
        options,
        &mut program,
        null_mut(),
    ));
    ok(attila_shader_prepare(
        program,
        engine,
        &mut shader,
        null_mut(),
    ));
    (program, shader)
}

/// The header's folder.
pub(crate) fn include() -> PathBuf {
    crate_folder().join("include")
}
