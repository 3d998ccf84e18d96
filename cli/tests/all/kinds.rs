//! Kinds of files that pictures are written to, their bits, and regions that are joined.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use expect_test::expect;
use image::{DynamicImage, ImageFormat, ImageReader};

use crate::{attila, scratch};

/// Colours below 0, above 1, and a NaN: 0.25 (x + 0.5), -0.5 (y + 0.5), 1000, and x < 2 ? 0.25 : NaN.
const COLOURS: &str = ";! const c0 = 0.25 -0.5 0 0
;! const c1 = 0 0 1000 0.25
;! const c2 = nan
mul r0.xy, i0, c0
mov r0.zw, c1
setpgt p0, i0.x, 2
(p0) mov r0.w, c2
mov o1, r0";

fn drawn(name: &str, options: &str, text: &str) -> PathBuf {
    let path = scratch(name);
    let outcome = attila(&format!("render - -o {} {options}", path.display()), text);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    path
}

/// A file as the crate `image` reads it.
fn read(path: &Path, format: ImageFormat) -> DynamicImage {
    let file = Cursor::new(fs::read(path).unwrap());
    ImageReader::with_format(file, format).decode().unwrap()
}

/// Red, green, blue and alpha of a pixel that [`COLOURS`] draws.
fn colour(x: usize, y: usize) -> [f32; 4] {
    let alpha = if x < 2 { 0.25 } else { f32::NAN };
    let [x, y] = [x, y].map(|at| at as f32 + 0.5);
    [0.25 * x, -0.5 * y, 1000.0, alpha]
}

const SIZE: [usize; 2] = [7, 5];

/// The colours of the picture of [`SIZE`], row by row.
fn colours() -> impl Iterator<Item = [f32; 4]> {
    let [width, height] = SIZE;
    (0..width * height).map(move |index| colour(index % width, index / width))
}

fn bits(floats: impl IntoIterator<Item = f32>) -> Vec<u32> {
    floats.into_iter().map(f32::to_bits).collect()
}

fn opaque() -> Vec<f32> {
    colours().flat_map(|[r, g, b, _]| [r, g, b]).collect()
}

/// The nearest of 65,536 fractions.
fn sixteen(colour: f32) -> u16 {
    match colour.is_nan() {
        true => 65535,
        false => (f64::from(colour.clamp(0.0, 1.0)) * 65535.0).round() as u16,
    }
}

#[test]
fn float_files_hold_every_bit_of_the_colours() {
    let path = drawn("float.pfm", "--size 7x5", COLOURS);
    let file = fs::read(path).unwrap();
    let pixels = file.strip_prefix(b"PF\n7 5\n-1.0\n").unwrap();
    let rows = pixels.chunks_exact(7 * 12).rev().flatten().copied();
    let rows: Vec<u8> = rows.collect();
    let (words, _) = rows.as_chunks();
    let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    assert_eq!(words, bits(opaque()));
    for (suffix, format) in [("exr", ImageFormat::OpenExr), ("tiff", ImageFormat::Tiff)] {
        let path = drawn(&format!("float.{suffix}"), "--size 7x5", COLOURS);
        let DynamicImage::ImageRgb32F(image) = read(&path, format) else {
            panic!("{suffix}");
        };
        assert_eq!(bits(image.into_raw()), bits(opaque()), "{suffix}");
        let path = drawn(&format!("alpha.{suffix}"), "--size 7x5 --alpha", COLOURS);
        let DynamicImage::ImageRgba32F(image) = read(&path, format) else {
            panic!("{suffix}");
        };
        let with_alpha = bits(colours().flatten());
        assert_eq!(bits(image.into_raw()), with_alpha, "{suffix}");
    }
}

#[test]
fn sixteen_bits_are_the_nearest_fractions() {
    let expected: Vec<u16> = opaque().into_iter().map(sixteen).collect();
    for (suffix, format) in [("ppm", ImageFormat::Pnm), ("tif", ImageFormat::Tiff)] {
        let path = drawn(
            &format!("sixteen.{suffix}"),
            "--size 7x5 --bits 16",
            COLOURS,
        );
        let DynamicImage::ImageRgb16(image) = read(&path, format) else {
            panic!("{suffix}");
        };
        assert_eq!(image.into_raw(), expected, "{suffix}");
    }
    let path = drawn("sixteen.png", "--size 7x5 --bits 16 --alpha", COLOURS);
    let decoder = png::Decoder::new(Cursor::new(fs::read(path).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(info.bit_depth, png::BitDepth::Sixteen);
    let (words, _) = bytes.as_chunks();
    let words: Vec<u16> = words.iter().map(|word| u16::from_be_bytes(*word)).collect();
    let expected: Vec<u16> = colours().flatten().map(sixteen).collect();
    assert_eq!(words, expected);
}

#[test]
fn eight_bits_are_the_same_in_every_kind() {
    let png = read(&drawn("eight.png", "--size 7x5", COLOURS), ImageFormat::Png);
    let ppm = read(&drawn("eight.ppm", "--size 7x5", COLOURS), ImageFormat::Pnm);
    let options = "--size 7x5 --bits 8";
    let tiff = read(&drawn("eight.tiff", options, COLOURS), ImageFormat::Tiff);
    let truncated = |colour: f32| (colour.clamp(0.0, 1.0) * 255.0) as u8;
    let expected: Vec<u8> = opaque().into_iter().map(truncated).collect();
    for image in [png, ppm, tiff] {
        let DynamicImage::ImageRgb8(image) = image else {
            panic!("{image:?}");
        };
        assert_eq!(image.into_raw(), expected);
    }
}

#[test]
fn the_background_is_that_of_the_bits() {
    let options = "--size 1x1 --background 0180ff --alpha";
    let path = drawn("background.exr", options, "kil i0.w\nkil -i0.w\nmov o1, i0");
    let image = read(&path, ImageFormat::OpenExr).into_rgba32f();
    let expected = [1.0, 128.0, 255.0, 255.0].map(|byte: f32| byte / 255.0);
    assert_eq!(image.into_raw(), expected);
    let options = format!("{options} --bits 16");
    let path = drawn("background.png", &options, "kil -i0.w\nmov o1, i0");
    let image = read(&path, ImageFormat::Png).into_rgba16();
    assert_eq!(image.into_raw(), [1, 128, 255, 255].map(|byte| byte * 257));
}

/// Textures, derivatives and inputs.
const SCENE: &str = ";! texture t0 = bricks
tex r0, i6, t0
ddx r1, r0
add r0, r0, r1
mul o1, r0, i1";

/// The messages of `attila join` about parts.
fn joined(name: &str, parts: &str) -> String {
    let outcome = attila(&format!("join -o {} {parts}", scratch(name).display()), "");
    let folder = format!("{}/", env!("CARGO_TARGET_TMPDIR"));
    outcome.transcript().replace(&folder, "")
}

#[test]
fn twenty_regions_are_the_whole_byte_for_byte() {
    let columns = [0, 1, 40, 77, 100, 131];
    let rows = [0, 31, 32, 65, 90];
    for (suffix, options) in [
        ("png", "--engine both"),
        ("exr", "--alpha --samples 4 --sample-shading"),
        ("ppm", "--bits 16 --threads 3"),
    ] {
        let options = format!("--size 131x90 {options}");
        let whole = drawn(&format!("whole.{suffix}"), &options, SCENE);
        let mut parts = Vec::new();
        for across in columns.windows(2) {
            for down in rows.windows(2) {
                let ([x, y], [width, height]) = (
                    [across[0], down[0]],
                    [across[1] - across[0], down[1] - down[0]],
                );
                let options = format!("{options} --region {x},{y},{width},{height}");
                let part = drawn(&format!("part-{x}-{y}.{suffix}"), &options, SCENE);
                parts.push(format!("{x},{y}:{}", part.display()));
            }
        }
        assert_eq!(parts.len(), 20);
        parts.reverse();
        let name = format!("joined.{suffix}");
        let said = joined(&name, &parts.join(" "));
        assert_eq!(said, format!("wrote {name} (131x90)\n"));
        let path = whole.with_file_name(&name);
        assert!(
            fs::read(path).unwrap() == fs::read(whole).unwrap(),
            "{suffix}"
        );
    }
}

#[test]
fn parts_that_make_no_picture_are_named() {
    let part = |name: &str, options: &str| drawn(name, options, "mov o1, i1").display().to_string();
    let a = part("a.png", "--size 4x3");
    let b = part("b.png", "--size 4x3");
    let alpha = part("c.png", "--size 4x3 --alpha");
    let float = part("d.pfm", "--size 4x3");
    let broken = scratch("e.png");
    fs::write(&broken, "P6").unwrap();
    let messages = [
        format!("0,0:{a} 3,2:{b}"),
        format!("0,0:{a} 5,0:{b}"),
        format!("0,0:{a} 0,4:{b}"),
        format!("1,0:{a}"),
        format!("0,0:{a} 4,0:{alpha}"),
        format!("0,0:{a} 4,0:{float}"),
        format!("0,0:{float}"),
        format!("0,0:{a} 4,0:{}", broken.display()),
        format!("0,0:{a} 4294967290,0:{b} 4294967290,4294967290:{b}"),
        "0,0:absent.png".to_owned(),
    ];
    let messages = messages.map(|parts| joined("never.png", &parts).replace("--- stderr\n", ""));
    expect![[r#"
        error: b.png overlaps another part at 3,2
        --- exit code 1
        error: no part covers the pixel at 4,0 of 9x3
        --- exit code 1
        error: no part covers the pixel at 0,3 of 4x7
        --- exit code 1
        error: no part covers the pixel at 0,0 of 5x3
        --- exit code 1
        error: c.png has 8 bits per component with alpha, but a.png has 8 bits per component without alpha
        --- exit code 1
        error: d.pfm has 32 bits per component without alpha, but a.png has 8 bits per component without alpha
        --- exit code 1
        error: never.png: PNG files have 8 or 16 bits per component, not 32
        --- exit code 1
        error: e.png: the PNG cannot be read: unexpected end of file
        --- exit code 1
        error: there is no memory for a picture of 4294967294x4294967293 pixels
        --- exit code 1
        error: cannot read absent.png: No such file or directory (os error 2)
        --- exit code 1
    "#]].assert_eq(&messages.concat());
    expect![[r#"
        --- stderr
        error: invalid value 'never.jpg' for '--output <FILE>': pictures are files whose names end in .png, .ppm, .pfm, .exr or .tiff

        For more information, try '--help'.
        --- exit code 2
    "#]].assert_eq(&joined("never.jpg", &format!("0,0:{a}")));
    expect![[r#"
        --- stderr
        error: invalid value '0:a.png' for '<X,Y:FILE>...': write it like 640,0:right.png: a column, a row and a file

        For more information, try '--help'.
        --- exit code 2
    "#]].assert_eq(&joined("never.png", "0:a.png"));
}

#[test]
fn what_a_kind_does_not_hold_is_refused_before_anything_is_drawn() {
    let refused = |options: &str| {
        let outcome = attila(
            &format!("render - {options}"),
            "again: jmp !p0, again\nmov o1, i1",
        );
        assert_eq!(outcome.code, 2, "{}", outcome.stderr);
        let (message, _) = outcome.stderr.split_once("\n\n").unwrap();
        format!("{message}\n")
    };
    let messages = [
        "-o a.jpg",
        "-o a.pfm --alpha",
        "-o a.ppm --alpha",
        "-o a.exr --bits 16",
        "-o a.png --bits 32",
        "--bits 24",
        "--region 0,0,640",
        "--region 1,0,640,480",
        "--region 640,480,1,1 --size 640x480",
        "--region 4294967295,0,4294967295,1",
        "--size 65536x1",
        "--size 65537x1",
        "--threads 0",
    ];
    expect![[r#"
        error: invalid value 'a.jpg' for '--output <FILE>': pictures are files whose names end in .png, .ppm, .pfm, .exr or .tiff
        error: PFM files have no alpha
        error: PPM files have no alpha
        error: EXR files have 32 bits per component, not 16
        error: PNG files have 8 or 16 bits per component, not 32
        error: invalid value '24' for '--bits <8|16|32>': components have 8, 16 or 32 bits
        error: invalid value '0,0,640' for '--region <X,Y,W,H>': write it like 640,0,640,480: a column, a row, and a size of at least 1x1
        error: the region of 640x480 pixels at 1,0 is not within the picture of 640x480
        error: the region of 1x1 pixels at 640,480 is not within the picture of 640x480
        error: the region of 4294967295x1 pixels at 4294967295,0 is not within the picture of 640x480
        error: a region of 65536x1 pixels is too large; no side may be longer than 32768
        error: invalid value '65537x1' for '--size <WxH>': write it like 640x480, each side at least 1 and at most 65,536
        error: invalid value '0' for '--threads <N>': it has to be at least 1
    "#]].assert_eq(&messages.map(refused).concat());
}

#[test]
fn sides_are_as_long_as_those_of_targets() {
    let path = drawn("long.ppm", "--size 32768x2 --engine interp", "mov o1, i1");
    assert!(fs::read(path).unwrap().starts_with(b"P6\n32768 2\n255\n"));
    let last = "--size 65536x65536 --region 65535,65535,1,1 --engine both";
    let path = drawn(
        "last.ppm",
        last,
        "mul o1, i0.xyzz, c0\n;! const c0 = 0x37800000",
    );
    assert_eq!(fs::read(path).unwrap(), b"P6\n1 1\n255\n\xfe\xfe\x00");
}

#[cfg(target_os = "linux")]
#[test]
fn pictures_that_no_memory_holds_are_refused() {
    let attila = env!("CARGO_BIN_EXE_attila");
    for (options, samples) in [("", ""), ("--samples 16", " with 16 samples each")] {
        let size = "--size 32768x32768 --engine interp";
        let command =
            format!("ulimit -v 3000000; echo 'mov o1, i1' | {attila} render - {size} {options}");
        let shell = std::process::Command::new("sh")
            .args(["-c", &command])
            .output()
            .unwrap();
        let message =
            format!("error: there is no memory for a picture of 32768x32768 pixels{samples}\n");
        assert_eq!(String::from_utf8_lossy(&shell.stderr), message);
        assert_eq!(shell.status.code(), Some(1));
    }
}
