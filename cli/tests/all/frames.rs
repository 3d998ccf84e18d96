//! Other pictures than the one of `o1`: frames, outputs, depths, and those of a file that changes.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::{attila, scratch};

/// The pixels of a PNG, as red, green and blue.
fn pixels(path: &Path) -> Vec<[u8; 3]> {
    let image = image::open(path).expect("it is a picture").to_rgb8();
    image.pixels().map(|pixel| pixel.0).collect()
}

#[test]
fn frames_are_numbered_files_in_which_time_runs() {
    let path = scratch("frames.png");
    let frames = [0, 1, 2, 3].map(|number| scratch(&format!("frames-{number:04}.png")));
    let options = format!("--size 2x2 --frames 4 --time c0=0:1 -o {}", path.display());
    let outcome = attila(&format!("render - {options}"), "mov o1, c0");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    for (number, frame) in (0_u32..).zip(&frames) {
        let level = (255.0 * f64::from(number) / 4.0) as u8;
        assert_eq!(pixels(frame), [[level; 3]; 4], "{number}");
    }
    assert!(!path.exists());
}

#[test]
fn times_have_the_names_of_the_text_and_warn_once() {
    let frame = scratch("named-0001.png");
    let path = scratch("named.png");
    let options = format!("--size 1x1 --frames 2 -o {}", path.display());
    let text = "!!ARBfp1.0\nMOV result.color, program.local[3];\nEND";
    let named = attila(
        &format!("render - {options} --time program.local[3]=0:2"),
        text,
    );
    assert_eq!(named.code, 0, "{}", named.stderr);
    assert_eq!(pixels(&frame), [[255; 3]]);
    let unread = attila(&format!("render - {options} --time c7=0:2"), text);
    let warnings = unread.stderr.matches("does not read c7").count();
    assert_eq!(warnings, 1, "{}", unread.stderr);
}

#[test]
fn a_picture_shows_the_output_that_is_asked_for() {
    let path = scratch("second-output.png");
    let text = ";! const c0 = 0 1 0 0\nmov o1, c0.x\nmov o2, c0.y";
    let render = |rest: &str| {
        let options = format!("render - --size 1x1 -o {} {rest}", path.display());
        attila(&options, text)
    };
    let outcome = render("--target o2");
    let message = "warning: <stdin>: o1 is not in the picture, which shows o2\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, message));
    assert_eq!(pixels(&path), [[255; 3]]);
    let refused = render("--target o3").stderr;
    let message = "error: <stdin>: `--target` has no effect: the program does not write o3\n";
    assert!(refused.ends_with(message), "{refused}");
    assert!(
        render("--target o9")
            .stderr
            .contains("pictures show o1 to o8")
    );
}

#[test]
fn depths_are_a_picture_of_their_own() {
    let [colours, depths] = ["depth-colours.png", "depths.png"].map(scratch);
    let text = ";! const c0 = 1\nzxp i6.x\nmov o1, c0";
    for engine in ["interp", "jit"] {
        let options = format!(
            "render - --size 2x1 --engine {engine} -o {} --depth {}",
            colours.display(),
            depths.display()
        );
        let outcome = attila(&options, text);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert_eq!(pixels(&colours), [[255; 3]; 2]);
        let image = image::open(&depths).expect("it is a picture").into_rgb16();
        let levels: Vec<[u16; 3]> = image.pixels().map(|pixel| pixel.0).collect();
        // u is a quarter and three quarters there, of 65,535.
        assert_eq!(levels, [[16384; 3], [49151; 3]], "{engine}");
    }
    let options = format!("render - --size 1x1 --depth {}", depths.display());
    let refused = attila(&options, "mov o1, i1").stderr;
    let message = "error: <stdin>: `--depth` has no effect: the program exports no depth\n";
    assert_eq!(refused, message);
}

#[test]
fn options_without_an_effect_are_refused() {
    for (options, message) in [
        ("--frames 2", "--time"),
        ("--time c0=0:1", "--frames"),
        ("--watch", "`-` is standard input"),
        ("--frames 2 --time c0=0:1 -o -", "`-o -` is standard output"),
        ("--perf-map --engine interp", "--engine interp has none"),
    ] {
        let outcome = attila(&format!("render - {options}"), "mov o1, c0");
        assert_eq!(outcome.code, 2, "{options}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
    }
}

/// Ends a process.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().expect("it runs");
        self.0.wait().expect("it ends");
    }
}

#[test]
fn a_file_that_changes_is_drawn_again_and_mistakes_do_not_end_that() {
    let [program, path] = ["watched.attila", "watched.png"].map(scratch);
    let wait_for = |level: u8| {
        let end = Instant::now() + Duration::from_secs(60);
        while !path.exists() || pixels(&path) != [[level; 3]] {
            assert!(Instant::now() < end, "nobody draws {level}");
            thread::sleep(Duration::from_millis(20));
        }
    };
    fs::write(&program, ";! const c0 = 1\nmov o1, c0").expect("it is ours");
    let child = Command::new(env!("CARGO_BIN_EXE_attila"))
        .args(["render", "--watch", "--size", "1x1", "-o"])
        .args([&path, &program])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let _running = Running(child.expect("the command can be started"));
    wait_for(255);
    fs::write(&program, "mvo o1, c0 ; wrong").expect("it is ours");
    thread::sleep(Duration::from_millis(300));
    fs::write(&program, "mov o1, c0 ; right again").expect("it is ours");
    wait_for(0);
}

#[cfg(target_os = "linux")]
#[test]
fn code_has_names_for_perf() {
    let path = scratch("perf.png");
    let child = Command::new(env!("CARGO_BIN_EXE_attila"))
        .args([
            "render",
            "-",
            "--perf-map",
            "--engine",
            "jit",
            "--size",
            "2x2",
            "-o",
        ])
        .arg(&path)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn();
    let mut child = child.expect("the command can be started");
    let map = format!("/tmp/perf-{}.map", child.id());
    let mut input = child.stdin.take().expect("it was asked for");
    std::io::Write::write_all(&mut input, b"mov o1, i1").expect("it reads");
    drop(input);
    assert!(child.wait().expect("it ends").success());
    let lines = fs::read_to_string(&map).expect("it is there");
    fs::remove_file(&map).expect("it is ours");
    assert!(!lines.is_empty());
    for line in lines.lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let [start, length, name] = fields[..] else {
            panic!("{line}");
        };
        let number = |text| u64::from_str_radix(text, 16).expect("it is in hexadecimal");
        assert!(number(start) > 0 && number(length) > 0, "{line}");
        assert!(name.starts_with("attila_Draw_"), "{line}");
    }
}
