//! `--texture`: files that units hold, and files that they cannot hold.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use expect_test::expect;

use crate::render::pixels;
use crate::{attila, scratch};

/// A picture of one colour.
pub(crate) const JPEG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pictures/orange.jpg");

/// Writes a PNG.
pub(crate) fn png(
    name: &str,
    width: u32,
    colour: png::ColorType,
    bits: png::BitDepth,
    bytes: &[u8],
) -> PathBuf {
    let path = scratch(name);
    let channels = colour.samples() as u32;
    let depth = if bits == png::BitDepth::Sixteen { 2 } else { 1 };
    let height = bytes.len() as u32 / (width * channels * depth);
    let mut encoder = png::Encoder::new(File::create(&path).unwrap(), width, height);
    encoder.set_color(colour);
    encoder.set_depth(bits);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(bytes).unwrap();
    writer.finish().unwrap();
    path
}

/// Four colours in two rows.
fn four(name: &str) -> PathBuf {
    let bytes = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255];
    png(name, 2, png::ColorType::Rgb, png::BitDepth::Eight, &bytes)
}

/// A square of one colour.
pub(crate) fn plain(name: &str, side: u32, colour: [u8; 3]) -> PathBuf {
    let bytes = colour.repeat((side * side) as usize);
    png(
        name,
        side,
        png::ColorType::Rgb,
        png::BitDepth::Eight,
        &bytes,
    )
}

/// A DDS file with the four letters of a format, or none and masks for BGRA.
pub(crate) fn dds(
    name: &str,
    size: [u32; 2],
    levels: u32,
    letters: &[u8; 4],
    caps2: u32,
    texels: &[u8],
) -> PathBuf {
    let mut words = [0_u32; 32];
    words[0] = u32::from_le_bytes(*b"DDS ");
    words[1] = 124;
    words[2] = 0x2_1007;
    [words[3], words[4]] = [size[1], size[0]];
    words[7] = levels;
    words[19] = 32;
    words[20] = 4;
    words[21] = u32::from_le_bytes(*letters);
    words[27] = 0x1000;
    words[28] = caps2;
    let path = scratch(name);
    let header: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    fs::write(&path, [&header, texels].concat()).unwrap();
    path
}

/// A DXT1 block of one colour of 5, 6 and 5 bits.
fn dxt1(colour: u16) -> Vec<u8> {
    [colour.to_le_bytes(), [0; 2], [0; 2], [0; 2]].concat()
}

/// The picture of `t0`, u and v from 0 to 1.
fn drawn(name: &str, size: &str, texture: &str) -> String {
    let path = scratch(name);
    let options = format!("render - --engine interp --size {size} --texture {texture}");
    let outcome = attila(
        &format!("{options} -o {}", path.display()),
        "tex o1, i6, t0",
    );
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    pixels(&path)
}

/// The message about a texture, without the folder.
pub(crate) fn refused(texture: &str) -> String {
    let picture = scratch("refused.png");
    let options = format!("render - --texture {texture} -o {}", picture.display());
    let outcome = attila(&options, "tex o1, i6, t0");
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    assert!(outcome.stdout.is_empty() && !picture.exists());
    let folder = format!("{}/", env!("CARGO_TARGET_TMPDIR"));
    outcome.stderr.replace(&folder, "")
}

#[test]
fn a_png_has_its_first_row_where_v_is_0() {
    let file = four("four.png");
    expect![[r#"
        ff0000 00ff00
        0000ff ffffff
    "#]]
    .assert_eq(&drawn(
        "four-drawn.png",
        "2x2",
        &format!("t0={},filter=nearest", file.display()),
    ));
}

#[test]
fn grey_palettes_and_16_bits_are_understood() {
    use png::{BitDepth, ColorType};

    let grey = png(
        "grey.png",
        2,
        ColorType::Grayscale,
        BitDepth::Eight,
        &[0x40, 0xc0],
    );
    assert_eq!(
        drawn("grey-drawn.png", "2x1", &format!("0={}", grey.display())),
        "404040 c0c0c0\n"
    );
    let deep = [0x40, 0x80, 0, 0, 0xff, 0xff];
    let deep = png("deep.png", 1, ColorType::Rgb, BitDepth::Sixteen, &deep);
    assert_eq!(
        drawn("deep-drawn.png", "1x1", &format!("0={}", deep.display())),
        "4000ff\n"
    );
}

#[test]
fn a_jpeg_is_understood() {
    let drawn = drawn("orange.png", "1x1", &format!("t0={JPEG}"));
    assert_eq!(drawn, "ff7f00\n");
}

#[test]
fn wrapping_is_an_option_of_each_axis() {
    let file = four("wrapped-from.png");
    let texture = format!(
        "t0={},nearest,wraps=mirror,wrapt=border,border=1:1:0:1",
        file.display()
    );
    let path = scratch("wrapped.png");
    let options = format!("render - --size 4x4 --varying i6=2*u,2*v,0,1 --texture {texture}");
    let outcome = attila(
        &format!("{options} -o {}", path.display()),
        "tex o1, i6, t0",
    );
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    expect![[r#"
        ff0000 00ff00 00ff00 ff0000
        0000ff ffffff ffffff 0000ff
        ffff00 ffff00 ffff00 ffff00
        ffff00 ffff00 ffff00 ffff00
    "#]]
    .assert_eq(&pixels(&path));
}

#[test]
fn levels_are_made_where_they_are_asked_for() {
    let file = four("levels.png");
    let texture = |options: &str| format!("t0={}{options}", file.display());
    // Without levels, the one pixel samples the texel at the middle.
    assert_eq!(drawn("level.png", "1x1", &texture(",nearest")), "ffffff\n");
    assert_eq!(
        drawn("level.png", "1x1", &texture(",filter=nearest,mips")),
        "808080\n"
    );
    assert_eq!(
        drawn("level.png", "1x1", &texture(",mip=linear")),
        "808080\n"
    );
}

#[test]
fn srgb_texels_become_linear() {
    let file = plain("srgb.png", 1, [188; 3]);
    assert_eq!(
        drawn("linear.png", "1x1", &format!("t0={},srgb", file.display())),
        "808080\n"
    );
}

#[test]
fn six_pictures_make_a_cube() {
    let colours = [
        [255, 0, 0],
        [0, 255, 255],
        [0, 255, 0],
        [255, 0, 255],
        [0, 0, 255],
        [255, 255, 0],
    ];
    let faces: Vec<String> = (0..)
        .zip(colours)
        .map(|(face, colour)| {
            plain(&format!("face{face}.png"), 4, colour)
                .display()
                .to_string()
        })
        .collect();
    let texture = format!("t0=cube:{},mips", faces.join(","));
    let direction = |varying: &str| {
        let path = scratch("cube.png");
        let options = format!("render - --size 1x1 --varying i6={varying} --texture {texture}");
        let outcome = attila(
            &format!("{options} -o {}", path.display()),
            "tex o1, i6, t0",
        );
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        pixels(&path)
    };
    assert_eq!(direction("1,0.5,0,1"), "ff0000\n");
    assert_eq!(direction("0,-1,0.5,1"), "ff00ff\n");
    assert_eq!(direction("0.5,0,-1,1"), "ffff00\n");

    let wrong = |index: usize, file: PathBuf| {
        let mut faces = faces.clone();
        faces[index] = file.display().to_string();
        refused(&format!("t0=cube:{}", faces.join(",")))
    };
    expect!["error: t0: face-small.png: the face has 2 texels along each side; the first has 4\n"]
        .assert_eq(&wrong(3, plain("face-small.png", 2, [0; 3])));
    let oblong = png(
        "face-oblong.png",
        2,
        png::ColorType::Rgb,
        png::BitDepth::Eight,
        &[0; 6],
    );
    expect!["error: t0: face-oblong.png: the face is 2x1, which is not square\n"]
        .assert_eq(&wrong(0, oblong));
    let block = dds("face.dds", [4, 4], 1, b"DXT1", 0, &dxt1(0));
    expect!["error: t0: face.dds: a face of a cube must be a single 2D image\n"]
        .assert_eq(&wrong(5, block));
}

#[test]
fn texts_of_all_languages_refuse_images_of_another_kind_than_they_declare() {
    let face = plain("kind.png", 4, [9; 3]).display().to_string();
    let cube = format!("cube:{}", [face.as_str(); 6].join(","));
    let arb = |target: &str| {
        format!("!!ARBfp1.0\nTEX result.color, fragment.texcoord[0], texture[0], {target};\nEND")
    };
    let tgsi = |target: &str| {
        format!(
            "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nTEX OUT[0], IN[0], SAMP[0], {target}\nEND"
        )
    };
    let agal = |options: &str| format!("tex oc, v0, fs0 <{options}>");
    for (text, image, declared, bound) in [
        (arb("2D"), &cube, "a 2D image", "a cube"),
        (arb("RECT"), &cube, "a 2D image in texels", "a cube"),
        (arb("CUBE"), &face, "a cube", "a 2D image"),
        (arb("1D"), &cube, "a 1D image", "a cube"),
        (tgsi("2D"), &cube, "a 2D image", "a cube"),
        (tgsi("3D"), &face, "a 3D image", "a 2D image"),
        (agal("2d"), &cube, "a 2D image", "a cube"),
        (agal("2d,ignoresampler"), &cube, "a 2D image", "a cube"),
        (agal("cube,ignoresampler"), &face, "a cube", "a 2D image"),
    ] {
        let expected = format!("{bound}, but the program samples {declared} here");
        for command in ["run", "render"] {
            let outcome = attila(&format!("{command} - --texture t0={image}"), &text);
            assert_eq!(outcome.code, 1, "{command}: {text}");
            assert!(outcome.stderr.contains(&expected), "{}", outcome.stderr);
        }
    }
}

#[test]
fn a_dds_file_brings_its_levels_and_faces() {
    // Red, and green in the levels below.
    let texels = [dxt1(0xf800), dxt1(0x07e0), dxt1(0x07e0)].concat();
    let file = dds("levels.dds", [4, 4], 3, b"DXT1", 0, &texels);
    let texture = format!("t0={}", file.display());
    assert_eq!(drawn("dds.png", "1x1", &texture), "00ff00\n");
    assert_eq!(
        drawn("dds.png", "1x1", &format!("{texture},mip=none")),
        "ff0000\n"
    );

    let texels = [0xf800, 0x07e0, 0x001f, 0xffff, 0xffe0, 0x07ff]
        .map(dxt1)
        .concat();
    let cube = dds("cube.dds", [4, 4], 1, b"DXT1", 0xfe00, &texels);
    let texture = format!("t0={},nearest", cube.display());
    // The direction (0.5, 0.5, 0) and thereabouts: +X.
    assert_eq!(drawn("dds.png", "1x1", &texture), "ff0000\n");
}

#[test]
fn files_that_are_no_textures_are_named_with_their_unit() {
    let cut = |from: PathBuf, name: &str, keep: usize| {
        let path = scratch(name);
        fs::write(&path, &fs::read(from).unwrap()[..keep]).unwrap();
        format!("t3={}", path.display())
    };
    let jpeg = || PathBuf::from(JPEG);
    let length = |path: PathBuf| fs::metadata(path).unwrap().len() as usize;
    let text = scratch("text.png");
    fs::write(&text, "P3 1 1").unwrap();
    let block = || dds("whole.dds", [8, 8], 1, b"DXT5", 0, &[0; 64]);
    let messages = [
        refused(&format!("t3={}", scratch("absent.png").display())),
        refused(&format!("t3={}", text.display())),
        refused(&cut(four("whole.png"), "cut-header.png", 20)),
        refused(&cut(four("whole.png"), "cut-texels.png", 50)),
        refused(&cut(jpeg(), "cut-header.jpg", 100)),
        refused(&cut(jpeg(), "cut-texels.jpg", length(jpeg()) - 8)),
        refused(&cut(block(), "cut-header.dds", 100)),
        refused(&cut(block(), "cut-texels.dds", 190)),
        refused(&format!(
            "t3={}",
            dds("large.dds", [65536, 4], 1, b"DXT1", 0, &[]).display()
        )),
        refused(&format!(
            "t3={}",
            dds("levels-4.dds", [4, 4], 4, b"DXT1", 0, &[]).display()
        )),
        refused(&format!(
            "t3={}",
            dds("faces.dds", [4, 4], 1, b"DXT1", 0x600, &[]).display()
        )),
        refused(&format!(
            "t3={}",
            dds("format.dds", [4, 4], 1, b"YUY2", 0, &[]).display()
        )),
        refused(&format!("t3={},aniso=17", four("aniso.png").display())),
    ];
    expect![[r#"
        error: t3: absent.png: No such file or directory (os error 2)
        error: t3: text.png: the file is a Netpbm image; textures are PNG, JPEG, TGA, BMP or DDS files
        error: t3: cut-header.png: the file is cut short
        error: t3: cut-texels.png: the file is cut short
        error: t3: cut-header.jpg: the file is cut short
        error: t3: cut-texels.jpg: the file is cut short
        error: t3: cut-header.dds: the file is cut short
        error: t3: cut-texels.dds: the file is cut short
        error: t3: large.dds: an image of 65536x4x1 texels: each side has to be from 1 to 16384
        error: t3: levels-4.dds: 4 levels, but an image of 4x4x1 has 1 to 3
        error: t3: faces.dds: a cube has 6 faces, not 1
        error: t3: format.dds: the texels are in the format YUY2, which is not supported
        error: t3: aniso.png: an anisotropy of 17; it has to be from 1 to 16
    "#]]
    .assert_eq(&messages.concat());
}

#[test]
fn pictures_that_are_too_large_are_refused_by_their_headers() {
    let header = |name: &str, side: u32, bits: png::BitDepth| {
        let path = scratch(name);
        let mut encoder = png::Encoder::new(File::create(&path).unwrap(), side, side);
        encoder.set_depth(bits);
        drop(encoder.write_header().unwrap());
        path.display().to_string()
    };
    let face = header("large-face.png", 16_384, png::BitDepth::Eight);
    let jpeg = scratch("large.jpg");
    let mut bytes = fs::read(JPEG).unwrap();
    let frame = bytes.windows(2).position(|two| two == b"\xff\xc0").unwrap();
    bytes[frame + 5] = 0x80;
    fs::write(&jpeg, bytes).unwrap();
    let messages = [
        header("large.png", 16_385, png::BitDepth::One),
        header("large-deep.png", 16_384, png::BitDepth::Sixteen),
        format!("cube:{}", [face.as_str(); 6].join(",")),
        jpeg.display().to_string(),
    ]
    .map(|file| refused(&format!("t0={file}")));
    expect![[r#"
        error: t0: large.png: an image of 16385x16385x1 texels: each side has to be from 1 to 16384
        error: t0: large-deep.png: the image would take 2147483648 bytes; the limit is 2147483647
        error: t0: large-face.png: the image would take 6442450944 bytes; the limit is 2147483647
        error: t0: large.jpg: an image of 32x32800x1 texels: each side has to be from 1 to 16384
    "#]]
    .assert_eq(&messages.concat());
}

#[test]
fn decoders_say_what_is_wrong_with_a_file() {
    let damaged = |from: &Path, name: &str, at: usize| {
        let path = scratch(name);
        let mut bytes = fs::read(from).unwrap();
        bytes[at] ^= 0xff;
        fs::write(&path, bytes).unwrap();
        refused(&format!("t1={}", path.display()))
    };
    let block = dds("undamaged.dds", [4, 4], 1, b"DXT1", 0, &dxt1(0));
    let messages = [
        damaged(&four("undamaged.png"), "damaged.png", 41),
        damaged(Path::new(JPEG), "damaged.jpg", 20),
        damaged(&block, "damaged.dds", 4),
    ];
    expect![[r#"
        error: t1: damaged.png: the PNG cannot be read: Corrupt deflate stream. BadZlibHeader
        error: t1: damaged.jpg: the JPEG cannot be read: [strict-mode]: Extra bytes between headers
        error: t1: damaged.dds: the DDS cannot be read: Invalid Field: Header struct size
    "#]]
    .assert_eq(&messages.concat());
}

#[test]
fn a_program_may_say_what_it_samples() {
    let text = ";! texture t2 = cube\ntex o1, i6, t2";
    expect![[r#"
        --- stderr
        error: t2: the program samples a cube here; say which: `cube:FILE` is a picture of six faces in a strip or a cross, or a DDS file of a cube; `cube:` may have six pictures, too
          ┌─ <stdin>:1:12
          │
        1 │ ;! texture t2 = cube
          │            ^^^^^^^^^

        --- exit code 1
    "#]]
    .assert_eq(&attila("render -", text).transcript());
    expect![[r#"
        --- stderr
        error: t2: bricks: a 2D image, but the program samples a cube here: `cube:FILE` is a picture of six faces in a strip or a cross, or a DDS file of a cube; `cube:` may have six pictures, too
        --- exit code 1
    "#]]
    .assert_eq(&attila("render - --texture t2=bricks", text).transcript());
    // `run` has the option, too.
    expect![[r#"
        o1     all  1.0           1.0           1.0           1.0
    "#]]
    .assert_eq(&attila("run - --texture 2=builtin:white", "tex o1, i6, t2").transcript());
}

#[test]
fn no_picture_is_written_while_a_unit_is_not_bound() {
    let path = scratch("unbound.png");
    for engine in ["interp", "ir", "jit", "auto", "both", "all"] {
        let options = format!("render - --engine {engine} -o {}", path.display());
        expect![[r#"
            --- stderr
            error: <stdin>: the program samples texture unit 9, which is not bound
            --- exit code 1
        "#]]
        .assert_eq(&attila(&options, "mov o1, i1\ntex r0, i6, t9").transcript());
        assert!(!path.exists(), "{engine}");
    }
}

#[test]
fn files_of_a_directive_are_beside_the_program() {
    four("beside.png");
    let program = scratch("beside.attila");
    fs::write(
        &program,
        ";! texture t0 = beside.png, nearest\ntex o1, i6, t0",
    )
    .unwrap();
    let path = scratch("beside-drawn.png");
    let outcome = attila(
        &format!(
            "render {} --size 1x1 -o {}",
            program.display(),
            path.display()
        ),
        "",
    );
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(pixels(&path), "ffffff\n");
}
