//! Examples that embed the library, run as their users run them: the pictures that they leave are those of before.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Crc;

/// Runs an example in a folder of its own. Returns the folder, and what it prints.
fn run(name: &str, arguments: &[&str]) -> (PathBuf, String) {
    let tests = std::env::current_exe().expect("a test is a file");
    let target = tests.ancestors().nth(2).expect("it is target/*/deps/*");
    let example = target.join("examples").join(name);
    assert!(
        example.exists(),
        "`cargo test` builds the examples unless it is told what to build"
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    let output = Command::new(example)
        .args(arguments)
        .current_dir(&folder)
        .output();
    let output = output.expect("it runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    (folder, String::from_utf8(output.stdout).expect("a text"))
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// The check sum of the pixels of a PNG.
fn pixels(path: &Path) -> u32 {
    let file = BufReader::new(File::open(path).expect("it is there"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("it is small")];
    reader.next_frame(&mut bytes).expect("a frame");
    crc(&bytes)
}

#[test]
fn a_mesh_is_drawn_with_texture_depth_and_samples() {
    let (folder, _) = run("rasteriser", &[]);
    assert_eq!(pixels(&folder.join("rasteriser.png")), 3_165_800_935);
}

#[test]
fn a_large_picture_is_written_strip_by_strip() {
    // Strips are of 256 rows.
    let (folder, _) = run("bulk", &["300"]);
    let bytes = fs::read(folder.join("bulk.raw")).expect("it is there");
    assert_eq!(bytes.len(), 300 * 300 * 16);
    assert_eq!(crc(&bytes), 1_336_127_998);
}

#[test]
fn an_emulator_draws_programs_in_three_languages() {
    let (folder, said) = run("emulator", &[]);
    // AGAL says itself that its texture repeats; the others clamp it.
    let pictures = ["agal.png", "tgsi.png", "arb.png"].map(|name| pixels(&folder.join(name)));
    assert_eq!(pictures, [803_077_079, 2_561_376_611, 2_561_376_611]);
    let expected = "guest:2:12: error: fragment programs have no binding with `colour` here\n";
    assert!(said.starts_with(expected), "{said}");
}
