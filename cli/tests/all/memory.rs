//! `--texture-memory`: the limit for textures, and files that their headers put beyond it.

use std::fs::{self, File};
use std::path::Path;

use expect_test::expect;

use crate::textures::{JPEG, dds, plain, refused};
use crate::{attila, scratch};

#[test]
fn all_textures_of_a_program_have_a_limit_that_an_option_raises() {
    // 600² texels of 4 bytes, and once more for code that samples inline: 2.8 MiB.
    let file = plain("room.png", 600, [255; 3]).display().to_string();
    let picture = scratch("room-drawn.png");
    let draw = |options: &str, program: &str| {
        let arguments = format!("render - --size 1x1 -o {} {options}", picture.display());
        let outcome = attila(&arguments, program);
        let folder = format!("{}/", env!("CARGO_TARGET_TMPDIR"));
        (outcome.code, outcome.stderr.replace(&folder, ""))
    };
    let two = format!("--texture t0={file} --texture t5={file}");
    let program = "tex o1, i6, t0";
    let message =
        "error: t5: room.png: the textures take 6 MiB with this one, and the limit is 5 MiB\n";
    let refused = (1, message.to_owned());
    assert_eq!(draw(&format!("{two} --texture-memory 5"), program), refused);
    assert_eq!(draw(&format!("{two} --texture-memory 6"), program).0, 0);
    let directives = format!("{program}\n;! texture t0={file}\n;! texture t5={file}");
    let (code, text) = draw("--texture-memory 5", &directives);
    let place = "  ┌─ <stdin>:3:12\n";
    assert_eq!(code, 1);
    assert!(text.starts_with(&format!("{message}{place}")), "{text}");
    assert_eq!(draw("--texture-memory 6", &directives).0, 0);
    // Levels count, and so do patterns.
    let levels = format!("{two},mips --texture-memory 6");
    let (code, text) = draw(&levels, program);
    assert!(code == 1 && text.contains("take 7 MiB"), "{text}");
    let (code, text) = draw("--texture-memory 1", program);
    assert!(
        code == 1 && text.starts_with("error: t0: bumps: "),
        "{text}"
    );
    // Every command that takes textures has the option.
    for command in ["run -", "emit -", "bench - --size 1x1 --time 0"] {
        let arguments = |limit: u32| format!("{command} {two} --texture-memory {limit}");
        assert_eq!(attila(&arguments(6), program).code, 0, "{command}");
        let outcome = attila(&arguments(5), program);
        assert_eq!(outcome.code, 1, "{command}");
        assert!(
            outcome.stderr.contains("the limit is 5 MiB"),
            "{}",
            outcome.stderr
        );
    }
}

#[test]
fn textures_beyond_the_limit_are_refused_by_their_headers() {
    let png = |name: &str, side: u32| {
        let path = scratch(name);
        let encoder = png::Encoder::new(File::create(&path).unwrap(), side, side);
        drop(encoder.write_header().unwrap());
        path.display().to_string()
    };
    let large = png("header.png", 16_384);
    let half = png("header-half.png", 8192);
    let jpeg = scratch("header.jpg");
    let mut bytes = fs::read(JPEG).unwrap();
    let frame = bytes.windows(2).position(|two| two == b"\xff\xc0").unwrap();
    bytes[frame + 5..frame + 9].copy_from_slice(&[0x30; 4]);
    fs::write(&jpeg, bytes).unwrap();
    let dds = dds("header.dds", [16_384; 2], 15, b"DXT1", 0, &[]);
    let messages = [
        large,
        jpeg.display().to_string(),
        dds.display().to_string(),
        format!("{half},mips,srgb"),
        format!("cube:{}", [half.as_str(); 6].join(",")),
    ]
    .map(|file| refused(&format!("t0={file}")));
    expect![[r#"
        error: t0: header.png: the textures take 2049 MiB with this one, and the limit is 1024 MiB
        error: t0: header.jpg: the textures take 1162 MiB with this one, and the limit is 1024 MiB
        error: t0: header.dds: the textures take 2732 MiB with this one, and the limit is 1024 MiB
        error: t0: header-half.png: the textures take 1709 MiB with this one, and the limit is 1024 MiB
        error: t0: the cube from header-half.png: the textures take 3074 MiB with this one, and the limit is 1024 MiB
    "#]]
    .assert_eq(&messages.concat());
    // Within the limit, its texels are looked for.
    expect![[r#"
        error: t0: header-half.png: the PNG cannot be read: IDAT or fdAT chunk is missing
    "#]]
    .assert_eq(&refused(&format!("t0={half},mips")));
}

#[test]
fn a_file_that_never_ends_is_looked_at_and_refused() {
    if Path::new("/dev/zero").exists() {
        let message = "error: t0: /dev/zero: the file is not a PNG, JPEG, TGA, BMP or DDS file\n";
        assert_eq!(refused("t0=/dev/zero"), message);
    }
}
