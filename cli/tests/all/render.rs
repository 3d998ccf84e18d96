//! `render`.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use expect_test::expect;

use crate::{attila, scratch};

/// The pixels of a PNG, row by row, in hexadecimal.
pub(crate) fn pixels(path: &Path) -> String {
    let decoder = png::Decoder::new(BufReader::new(File::open(path).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let pixel = |pixel: &[u8]| {
        pixel
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let row = |row: &[u8]| {
        let pixels = row
            .chunks_exact(info.line_size / info.width as usize)
            .map(pixel);
        pixels.collect::<Vec<_>>().join(" ") + "\n"
    };
    bytes.chunks_exact(info.line_size).map(row).collect()
}

fn render(name: &str, options: &str, text: &str) -> String {
    let path = scratch(name);
    let outcome = attila(&format!("render - -o {} {options}", path.display()), text);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    pixels(&path)
}

#[test]
fn a_picture_has_its_rows_from_the_top_and_truncates_colours() {
    let text = ";! const c0 = 0.25 0.5 0 0\nmul o1, i0, c0";
    // i0 is (x + 0.5, y + 0.5, 0.5, 1).
    expect![[r#"
        1f3f00 5f3f00 9f3f00
        1fbf00 5fbf00 9fbf00
        1fff00 5fff00 9fff00
    "#]]
    .assert_eq(&render("position.png", "--size 3x3", text));
}

#[test]
fn killed_fragments_keep_the_background() {
    let text = "kil i0.x\nmov o1, c0";
    let text = format!(";! varying i0 = s, 0, 0, 0\n{text}");
    expect![[r#"
        123456 123456 ffff00 ffff00
    "#]]
    .assert_eq(&render(
        "killed.png",
        "--size 4x1 --background 123456 --set c0=1,nan,-1,1",
        &text,
    ));
}

#[test]
fn alpha_is_written_where_it_is_asked_for() {
    expect![[r#"
        ff00007f
    "#]]
    .assert_eq(&render(
        "alpha.png",
        "--size 1x1 --alpha -s c0=1,0,0,0.5",
        "mov o1, c0",
    ));
}

#[test]
fn directives_and_options_make_the_scene() {
    let text = ";! texture t0 = checker nearest\n;! varying i6 = u, v, 0, 1\ntex o1, i6, t0";
    let plain = render("checker.png", "--size 4x4", text);
    expect![[r#"
        e5e5e5 e5e5e5 e5e5e5 e5e5e5
        e5e5e5 e5e5e5 e5e5e5 e5e5e5
        e5e5e5 e5e5e5 e5e5e5 e5e5e5
        e5e5e5 e5e5e5 e5e5e5 e5e5e5
    "#]]
    .assert_eq(&plain);
    let halved = render(
        "halved.png",
        "--size 4x4 --varying i6=0.5*u,0.5*v,0,1",
        text,
    );
    assert!(
        halved.starts_with("e5e5e5 262626 e5e5e5 262626\n262626 "),
        "{halved}"
    );
    let white = render("white.png", "--size 4x4 --texture t0=white", text);
    assert!(!white.contains("e5"), "{white}");
}

#[test]
fn inputs_may_be_the_same_everywhere() {
    let options = "--size 2x1 --set i1=1,0,0,1 -s c0=0.5";
    let text = "mul o1, i1, c0";
    assert_eq!(render("red.png", options, text), "7f0000 7f0000\n");
    // The position, too, and every bit: 1 / -0 is below 0.
    let options = |zero: &str| format!("--size 1x1 --input i0={zero}");
    let drawn = |zero: &str| render("sign.png", &options(zero), "rcp o1, i0.x");
    assert_eq!([drawn("0"), drawn("-0")], ["ffffff\n", "000000\n"]);
}

#[test]
fn what_cannot_be_set_for_a_picture_is_refused() {
    let outcome = attila("render - --set r0=1", "mov o1, r0");
    expect![[r#"
        --- stderr
        error: invalid value 'r0=1' for '--set <REG=VALUES>': `r0` varies from pixel to pixel; set a constant like `c0` or an input like `i1`

        For more information, try '--help'.
        --- exit code 2
    "#]]
    .assert_eq(&outcome.transcript());
    let outcome = attila("render - --set i1=1 --varying i1=u", "mov o1, i1");
    assert!(
        outcome
            .stderr
            .starts_with("error: --set and --varying both give i1\n"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn simple_programs_show_something() {
    let gradient = render("gradient.png", "--size 2x2", "mov o1, i1");
    expect![[r#"
        525fb2 c55f72
        52b88c c5b84c
    "#]]
    .assert_eq(&gradient);
}

#[test]
fn a_scene_that_is_wrong_shows_a_caret() {
    let text = ";! texture t0 = velvet\n;! varying i6 = u, v\nmov o1, i6";
    expect![[r#"
        --- stderr
        error: there is no texture pattern `velvet`; there are bumps, checker, gradient, clouds, bricks, white; a file has a dot or a slash in its name
          ┌─ <stdin>:1:12
          │
        1 │ ;! texture t0 = velvet
          │            ^^^^^^^^^^^

        error: 2 components; a varying has one for all or four
          ┌─ <stdin>:2:12
          │
        2 │ ;! varying i6 = u, v
          │            ^^^^^^^^^

        --- exit code 1
    "#]]
    .assert_eq(&attila("render -", text).transcript());
}

#[test]
fn a_scene_that_is_all_wrong_is_not_shown_to_its_end() {
    let text = ";! texture t0 velvet\n;! varying i6 = z\n".repeat(200) + "mov o1, i1";
    let outcome = attila("render - -o never.png", &text);
    assert_eq!(outcome.code, 1);
    assert_eq!(outcome.stderr.matches("error: ").count(), 250);
    let last = outcome.stderr.trim_end().lines().last();
    assert_eq!(last, Some("note: <stdin>: 150 more messages are not shown"));
}

#[test]
fn a_run_away_loop_says_which_pixel() {
    let text = "again: setpgt p0, i0.x, 5\njmp p0, again\nmov o1, i0";
    let outcome = attila("render - --size 16x2", text);
    expect![[r#"
        --- stderr
        error: <stdin>: the jump at instruction 1 took more than 65536 backward jumps in the 2x2 pixels at (4, 0)
        --- exit code 1
    "#]]
    .assert_eq(&outcome.transcript());
}

#[test]
fn the_demo_is_the_same_on_all_engines() {
    let path = scratch("demo.png");
    let outcome = attila(&format!("render --size 60x45 -o {}", path.display()), "");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(!outcome.stdout.contains("DIFFERENT"), "{}", outcome.stdout);
    assert!(fs::metadata(&path).unwrap().len() > 1000);
}

#[test]
fn the_demo_has_not_changed() {
    let path = scratch("demo-pixels.png");
    let outcome = attila(
        &format!("render --engine interp --size 24x18 -o {}", path.display()),
        "",
    );
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let pixels = pixels(&path);
    // FNV-1a, for a picture that is too large to be looked at as text.
    let hash = pixels
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    expect!["fec949a9ca2d9507"].assert_eq(&format!("{hash:016x}"));
}

#[test]
fn a_picture_for_standard_output_is_all_that_is_there() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_attila"))
        .args(["render", "--size", "30x20", "--engine", "interp", "-o", "-"])
        .output()
        .expect("the command can be run");
    assert!(output.status.success());
    let messages = String::from_utf8(output.stderr).unwrap();
    let last = messages.lines().last();
    assert_eq!(last, Some("wrote the picture to standard output (30x20)"));
    assert!(output.stdout.starts_with(b"\x89PNG"));
    assert!(output.stdout.ends_with(b"IEND\xae\x42\x60\x82"));
}
