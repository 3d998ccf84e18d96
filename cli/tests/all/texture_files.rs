//! Formats of texture files: DDS files of many formats, TGA and BMP files, and files that are named when they are refused.

use std::fs;
use std::path::PathBuf;

use expect_test::expect;

use crate::render::pixels;
use crate::textures::refused;
use crate::{attila, scratch};

/// The picture of a texture's texels, with alpha, where the program's text is `text`.
fn drawn(name: &str, size: &str, texture: &str, options: &str, text: &str) -> String {
    let path = scratch(&format!("{name}-drawn.png"));
    let scene = format!("render - --alpha --size {size} --texture t0={texture},nearest {options}");
    let outcome = attila(&format!("{scene} -o {}", path.display()), text);
    assert_eq!(outcome.code, 0, "{name}: {}", outcome.stderr);
    pixels(&path)
}

/// Red, green, blue and alpha of the one texel of a file.
fn texel(name: &str, file: &[u8]) -> String {
    let path = scratch(name);
    fs::write(&path, file).unwrap();
    let drawn = drawn(
        name,
        "1x1",
        &path.display().to_string(),
        "",
        "tex o1, i6, t0",
    );
    drawn.trim_end().to_owned()
}

/// Writes a file and returns its name.
fn written(name: &str, bytes: &[u8]) -> PathBuf {
    let path = scratch(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// The message that refuses a file.
fn refusal(name: &str, bytes: &[u8]) -> String {
    refused(&format!("t0={}", written(name, bytes).display()))
}

/// A DDS file of one texel. The words of its pixel format are flags, letters, bits and masks.
fn dds(pixel_format: [u32; 7], header10: &[u32], texel: &[u8]) -> Vec<u8> {
    let mut words = [0_u32; 32];
    words[0] = u32::from_le_bytes(*b"DDS ");
    words[1] = 124;
    words[2] = 0x1007;
    [words[3], words[4]] = [1, 1];
    words[19] = 32;
    words[20..27].copy_from_slice(&pixel_format);
    words[27] = 0x1000;
    let words = words.iter().chain(header10);
    let header: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
    [&header, texel].concat()
}

const ALPHA_PIXELS: u32 = 1;
const ALPHA: u32 = 2;
const RGB: u32 = 0x40;
const LUMINANCE: u32 = 0x2_0000;

/// A name, flags, bits, masks, the bytes of a texel and its colour.
type Masked = (
    &'static str,
    u32,
    u32,
    [u32; 4],
    &'static [u8],
    &'static str,
);

#[test]
fn dds_files_have_formats_by_masks() {
    let cases: [Masked; 20] = [
        ("L8", LUMINANCE, 8, [0xff, 0, 0, 0], &[0x80], "808080ff"),
        (
            "L8 thrice",
            LUMINANCE,
            8,
            [0xff, 0xff, 0xff, 0],
            &[0x80],
            "808080ff",
        ),
        (
            "L8 as colours",
            RGB,
            8,
            [0xff, 0xff, 0xff, 0],
            &[0x80],
            "808080ff",
        ),
        (
            "L16",
            LUMINANCE,
            16,
            [0xffff, 0, 0, 0],
            &[0xff, 0xff],
            "ffffffff",
        ),
        ("A8", ALPHA, 8, [0, 0, 0, 0xff], &[0x80], "00000080"),
        (
            "A8L8",
            LUMINANCE | ALPHA_PIXELS,
            16,
            [0xff, 0, 0, 0xff00],
            &[0x80, 0x40],
            "80808040",
        ),
        (
            "A4L4",
            LUMINANCE | ALPHA_PIXELS,
            8,
            [0xf, 0, 0, 0xf0],
            &[0xf0],
            "000000ff",
        ),
        ("R8", RGB, 8, [0xff, 0, 0, 0], &[0x80], "800000ff"),
        (
            "RG8",
            RGB,
            16,
            [0xff, 0xff00, 0, 0],
            &[0x80, 0x40],
            "804000ff",
        ),
        ("R16", RGB, 16, [0xffff, 0, 0, 0], &[0xff, 0xff], "ff0000ff"),
        (
            "G16R16",
            RGB,
            32,
            [0xffff, 0xffff_0000, 0, 0],
            &[0, 0, 0xff, 0xff],
            "00ff00ff",
        ),
        (
            "A8R8G8B8",
            RGB | ALPHA_PIXELS,
            32,
            [0xff_0000, 0xff00, 0xff, 0xff00_0000],
            &[1, 2, 3, 4],
            "03020104",
        ),
        (
            "X8R8G8B8",
            RGB,
            32,
            [0xff_0000, 0xff00, 0xff, 0],
            &[1, 2, 3, 4],
            "030201ff",
        ),
        // Without the flag, the mask has no meaning.
        (
            "X8B8G8R8",
            RGB,
            32,
            [0xff, 0xff00, 0xff_0000, 0xff00_0000],
            &[1, 2, 3, 4],
            "010203ff",
        ),
        (
            "R8G8B8",
            RGB,
            24,
            [0xff_0000, 0xff00, 0xff, 0],
            &[1, 2, 3],
            "030201ff",
        ),
        (
            "B8G8R8",
            RGB,
            24,
            [0xff, 0xff00, 0xff_0000, 0],
            &[1, 2, 3],
            "010203ff",
        ),
        (
            "R5G6B5",
            RGB,
            16,
            [0xf800, 0x7e0, 0x1f, 0],
            &[0x1f, 0xf8],
            "ff00ffff",
        ),
        (
            "A1R5G5B5",
            RGB | ALPHA_PIXELS,
            16,
            [0x7c00, 0x3e0, 0x1f, 0x8000],
            &[0, 0x7c],
            "ff000000",
        ),
        (
            "A4R4G4B4",
            RGB | ALPHA_PIXELS,
            16,
            [0xf00, 0xf0, 0xf, 0xf000],
            &[0x0f, 0xf0],
            "0000ffff",
        ),
        ("R3G3B2", RGB, 8, [0xe0, 0x1c, 3, 0], &[0xe3], "ff00ffff"),
    ];
    for (name, flags, bits, [r, g, b, a], bytes, want) in cases {
        let file = dds([flags, 0, bits, r, g, b, a], &[], bytes);
        assert_eq!(texel("masks.dds", &file), want, "{name}");
    }
    let odd = dds([RGB, 0, 16, 0xf00f, 0xf0, 0, 0], &[], &[0; 2]);
    let signed = dds([0x8_0000, 0, 16, 0xff, 0xff00, 0, 0], &[], &[0; 2]);
    let short = dds([RGB, 0, 24, 0xff_0000, 0xff00, 0xff, 0], &[], &[0; 2]);
    let messages = [
        ("odd.dds", odd),
        ("signed.dds", signed),
        ("short.dds", short),
    ];
    expect![[r#"
        error: t0: odd.dds: the texels are in 16 bits with red at f00f, green at f0, blue at 0 and alpha at 0, which is not supported
        error: t0: signed.dds: the texels are in 16 bits with red at 0, green at 0, blue at 0 and alpha at 0, which is not supported
        error: t0: short.dds: the file is cut short
    "#]]
    .assert_eq(&messages.map(|(name, file)| refusal(name, &file)).concat());
}

#[test]
fn dds_files_have_formats_by_number() {
    let cases: [(&str, u32, &[u8], &str); 8] = [
        ("R8_UNORM", 61, &[0x80], "800000ff"),
        ("A8_UNORM", 65, &[0x80], "00000080"),
        ("R8G8_UNORM", 49, &[0x80, 0x40], "804000ff"),
        ("R16G16_UNORM", 35, &[0, 0, 0xff, 0xff], "00ff00ff"),
        ("R16_UNORM", 56, &[0xff, 0xff], "ff0000ff"),
        ("B8G8R8X8_UNORM", 88, &[1, 2, 3, 4], "030201ff"),
        ("B5G5R5A1_UNORM", 86, &[0, 0x7c], "ff000000"),
        ("B4G4R4A4_UNORM", 115, &[0x0f, 0xf0], "0000ffff"),
    ];
    let letters = u32::from_le_bytes(*b"DX10");
    let file = |number, bytes| dds([4, letters, 0, 0, 0, 0, 0], &[number, 3, 0, 1, 0], bytes);
    for (name, number, bytes, want) in cases {
        assert_eq!(texel("number.dds", &file(number, bytes)), want, "{name}");
    }
    let message = refusal("unknown.dds", &file(51, &[0; 2]));
    expect![[r#"
        error: t0: unknown.dds: the texels are in the format R8G8_SNorm, which is not supported
    "#]]
    .assert_eq(&message);
}

#[test]
fn dds_files_are_of_the_dimension_that_they_say() {
    let with = |mut file: Vec<u8>, words: &[(usize, u32)]| {
        for (index, word) in words {
            file[4 * index..4 * index + 4].copy_from_slice(&word.to_le_bytes());
        }
        file
    };
    let l8 = [LUMINANCE, 0, 8, 0xff, 0, 0, 0];
    // A volume of 1x1x3 texels, with the flag for its depth.
    let volume = dds(l8, &[], &[0x10, 0x20, 0x30]);
    let volume = with(volume, &[(2, 0x80_1007), (6, 3), (28, 0x20_0000)]);
    let letters = u32::from_le_bytes(*b"DX10");
    let r8 = [4, letters, 0, 0, 0, 0, 0];
    // Three texels of a 1D texture.
    let row = with(dds(r8, &[61, 2, 0, 1, 0], &[0x10, 0x20, 0x30]), &[(4, 3)]);
    let cube = dds(r8, &[61, 3, 4, 1, 0], &[0x10, 0x20, 0x30, 0x40, 0x50, 0x60]);
    let text = |target: &str| format!(".extended\nxtex o1, i6, t0.{target}");
    let cases = [
        ("volume.dds", volume, "3d", "3d:", "0,0,0.9,1", "30\n"),
        ("row.dds", row, "1d", "1d:", "0.9,0,0,1", "30\n"),
        ("cube.dds", cube, "cube", "cube:", "0,0,-1,1", "60\n"),
    ];
    for (name, file, target, prefix, varying, want) in cases {
        let file = written(name, &file).display().to_string();
        for texture in [file.clone(), format!("{prefix}{file}")] {
            let drawn = numbers(name, "1x1", &texture, varying, &text(target));
            assert_eq!(drawn, want, "{texture}");
        }
        // It is no picture of something else.
        let other = if target == "1d" { "3d:" } else { "1d:" };
        let message = refused(&format!("t0={other}{file}"));
        assert!(message.contains(", not a picture\n"), "{message}");
    }
}

/// A TGA file of 2x2 texels: its type, a map of colours with the bits of each, the bits of a texel, and where its first
/// texel is.
fn tga(kind: u8, map: (&[u8], u8), depth: u8, descriptor: u8, texels: &[u8]) -> Vec<u8> {
    let (colours, bits) = map;
    let count = (colours.len() * 8).checked_div(bits.into()).unwrap_or(0) as u8;
    let header = [
        &[3, u8::from(bits > 0), kind, 0, 0, count, 0, bits][..],
        &[0, 0, 0, 0, 2, 0, 2, 0, depth, descriptor],
        b"id!",
    ];
    [&header.concat(), colours, texels].concat()
}

/// Blue, green, red; then black.
const BGR: [u8; 12] = [0xff, 0, 0, 0, 0xff, 0, 0, 0, 0xff, 0, 0, 0];

fn picture(name: &str, file: &[u8]) -> String {
    let path = written(name, file).display().to_string();
    drawn(name, "2x2", &path, "", "tex o1, i6, t0")
}

#[test]
fn tga_files_say_where_their_first_texel_is() {
    let cases = [
        (0x20, "0000ffff 00ff00ff\nff0000ff 000000ff\n"),
        (0x00, "ff0000ff 000000ff\n0000ffff 00ff00ff\n"),
        (0x30, "00ff00ff 0000ffff\n000000ff ff0000ff\n"),
        (0x10, "000000ff ff0000ff\n00ff00ff 0000ffff\n"),
    ];
    for (descriptor, want) in cases {
        let file = tga(2, (&[], 0), 24, descriptor, &BGR);
        assert_eq!(picture("origin.tga", &file), want, "{descriptor:#x}");
        // The bytes tell, not the name.
        assert_eq!(picture("origin.txt", &file), want, "{descriptor:#x}");
        let row = [&[0x01][..], &BGR[..6], &[0x01], &BGR[6..]].concat();
        let packed = tga(10, (&[], 0), 24, descriptor, &row);
        assert_eq!(picture("origin.tga", &packed), want, "{descriptor:#x}");
    }
}

#[test]
fn tga_files_of_every_type_are_understood() {
    let none: (&[u8], u8) = (&[], 0);
    let plain = "0000ffff 00ff00ff\nff0000ff 000000ff\n";
    let bgra = [
        0xff, 0, 0, 0x80, 0, 0xff, 0, 0xff, 0, 0, 0xff, 0, 0, 0, 0, 1,
    ];
    let alpha = "0000ff80 00ff00ff\nff000000 00000001\n";
    let words = [0x1f, 0, 0xe0, 3, 0, 0x7c, 0, 0];
    let grey = "101010ff 202020ff\n303030ff 404040ff\n";
    let cases: [(&str, Vec<u8>, &str); 12] = [
        (
            "map of 24",
            tga(1, (&BGR, 24), 8, 0x20, &[0, 1, 2, 3]),
            plain,
        ),
        (
            "map of 32",
            tga(1, (&bgra, 32), 8, 0x28, &[0, 1, 2, 3]),
            alpha,
        ),
        (
            "map of 16",
            tga(1, (&words, 16), 8, 0x20, &[0, 1, 2, 3]),
            plain,
        ),
        (
            "packed map",
            tga(9, (&BGR, 24), 8, 0x20, &[0x03, 0, 1, 2, 3]),
            plain,
        ),
        ("15 bits", tga(2, none, 15, 0x20, &words), plain),
        ("16 bits", tga(2, none, 16, 0x21, &words), plain),
        ("32 bits", tga(2, none, 32, 0x28, &bgra), alpha),
        (
            "32 bits, none of alpha said",
            tga(2, none, 32, 0x20, &bgra),
            alpha,
        ),
        (
            "32 bits packed",
            tga(10, none, 32, 0x28, &[&[0x83][..], &bgra[..4]].concat()),
            "0000ff80 0000ff80\n0000ff80 0000ff80\n",
        ),
        (
            "grey",
            tga(3, none, 8, 0x20, &[0x10, 0x20, 0x30, 0x40]),
            grey,
        ),
        (
            "grey and alpha",
            tga(3, none, 16, 0x28, &[0x10, 1, 0x20, 2, 0x30, 3, 0x40, 4]),
            "10101001 20202002\n30303003 40404004\n",
        ),
        (
            "packed grey",
            tga(11, none, 8, 0x20, &[0x81, 0x10, 0x01, 0x30, 0x40]),
            "101010ff 101010ff\n303030ff 404040ff\n",
        ),
    ];
    for (name, file, want) in cases {
        assert_eq!(picture("type.tga", &file), want, "{name}");
    }
}

/// A BMP file of 2x2 texels, from the lowest row up unless the height is negative.
fn bmp(height: i32, bits: u16, palette: &[u8], rows: &[u8]) -> Vec<u8> {
    let start = 54 + palette.len() as u32;
    let mut file = b"BM".to_vec();
    for word in [start + rows.len() as u32, 0, start, 40, 2] {
        file.extend(word.to_le_bytes());
    }
    file.extend(height.to_le_bytes());
    file.extend([1, 0]);
    file.extend(bits.to_le_bytes());
    for word in [0, 0, 0, 0, palette.len() as u32 / 4, 0] {
        file.extend(word.to_le_bytes());
    }
    [&file, palette, rows].concat()
}

#[test]
fn bmp_files_are_understood() {
    let rows = [0xff, 0, 0, 0, 0xff, 0, 7, 7, 0, 0, 0xff, 0, 0, 0, 7, 7];
    let upright = "0000ffff 00ff00ff\nff0000ff 000000ff\n";
    let flipped = "ff0000ff 000000ff\n0000ffff 00ff00ff\n";
    let palette = [0xff, 0, 0, 0, 0, 0xff, 0, 0, 0, 0, 0xff, 0, 0, 0, 0, 0];
    let indices = [0, 1, 7, 7, 2, 3, 7, 7];
    let cases = [
        ("24 bits", bmp(2, 24, &[], &rows), flipped),
        ("from above", bmp(-2, 24, &[], &rows), upright),
        ("a palette", bmp(2, 8, &palette, &indices), flipped),
        ("32 bits", bmp(-2, 32, &[], &palette), upright),
    ];
    for (name, file, want) in cases {
        assert_eq!(picture("picture.bmp", &file), want, "{name}");
    }
}

#[test]
fn damaged_tga_and_bmp_files_are_refused() {
    let whole = tga(2, (&[], 0), 24, 0x20, &BGR);
    let with = |at: usize, bytes: &[u8]| {
        let mut file = whole.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    };
    let map = tga(1, (&BGR, 24), 8, 0x20, &[0, 1, 2, 4]);
    let plain = bmp(2, 24, &[], &[0; 16]);
    let wide = [&plain[..18], &[0xff, 0xff, 0, 0], &plain[22..]].concat();
    let flat = [&plain[..18], &[0; 4], &plain[22..]].concat();
    let messages = [
        refusal("cut-id.tga", &whole[..20]),
        refusal("cut-header.tga", &whole[..12]),
        refusal("cut-texels.tga", &whole[..30]),
        refusal("cut-run.tga", &tga(10, (&[], 0), 24, 0, &[0x82, 1, 2, 3])),
        refusal("no-width.tga", &with(12, &[0, 0])),
        refusal("no-height.tga", &with(14, &[0, 0])),
        refusal("wide.tga", &with(12, &[0xff, 0xff])),
        refusal("large.tga", &with(12, &[0, 0x40, 0, 0x40])),
        refusal("beyond-map.tga", &map),
        refusal("other.tga", &with(2, &[32])),
        refusal("cut-header.bmp", &plain[..30]),
        refusal("cut-texels.bmp", &plain[..60]),
        refusal("wide.bmp", &wide),
        refusal("flat.bmp", &flat),
    ];
    expect![[r#"
        error: t0: cut-id.tga: the file is cut short
        error: t0: cut-header.tga: the file is cut short
        error: t0: cut-texels.tga: the file is cut short
        error: t0: cut-run.tga: the file is cut short
        error: t0: no-width.tga: an image of 0x2x1 texels: each side has to be from 1 to 16384
        error: t0: no-height.tga: an image of 2x0x1 texels: each side has to be from 1 to 16384
        error: t0: wide.tga: an image of 65535x2x1 texels: each side has to be from 1 to 16384
        error: t0: large.tga: the textures take 2049 MiB with this one, and the limit is 1024 MiB
        error: t0: beyond-map.tga: the TGA cannot be read: Invalid color map index
        error: t0: other.tga: the TGA cannot be read: pictures of type 32 with 24 bits in a texel and no map of colours are not understood
        error: t0: cut-header.bmp: the file is cut short
        error: t0: cut-texels.bmp: the file is cut short
        error: t0: wide.bmp: an image of 65535x2x1 texels: each side has to be from 1 to 16384
        error: t0: flat.bmp: an image of 0x2x1 texels: each side has to be from 1 to 16384
    "#]].assert_eq(&messages.concat());
}

#[test]
fn other_images_are_named_when_they_are_refused() {
    let files: [(&str, &[u8]); 12] = [
        ("a.gif", b"GIF89a\x01\0\x01\0"),
        ("a.webp", b"RIFF\x1a\0\0\0WEBPVP8L"),
        ("a.ktx", b"\xabKTX 11\xbb\r\n\x1a\n"),
        ("a.ktx2", b"\xabKTX 20\xbb\r\n\x1a\n"),
        ("a.tif", b"II*\0\x08\0\0\0"),
        ("a.psd", b"8BPS\0\x01"),
        ("a.hdr", b"#?RADIANCE\n"),
        ("a.ppm", b"P6 1 1 255\n\0\0\0"),
        ("a.vtf", b"VTF\0\x07\0\0\0"),
        ("a.avif", b"\0\0\0\x20ftypavif"),
        ("a.zip", b"PK\x03\x04"),
        ("a.png", b"no image at all"),
    ];
    let messages = files.map(|(name, bytes)| refusal(name, bytes));
    expect![[r#"
        error: t0: a.gif: the file is a GIF image; textures are PNG, JPEG, TGA, BMP or DDS files
        error: t0: a.webp: the file is a WebP image; textures are PNG, JPEG, TGA, BMP or DDS files
        error: t0: a.ktx: the file is a KTX image; textures are PNG, JPEG, TGA, BMP or DDS files
        error: t0: a.ktx2: the file is a KTX image; textures are PNG, JPEG, TGA, BMP or DDS files
        error: t0: a.tif: the file is a TIFF image; textures are PNG, JPEG, TGA, BMP or DDS files
        error: t0: a.psd: the file is a Photoshop image; textures are PNG, JPEG, TGA, BMP or DDS files
        error: t0: a.hdr: the file is a Radiance image; textures are PNG, JPEG, TGA, BMP or DDS files
        error: t0: a.ppm: the file is a Netpbm image; textures are PNG, JPEG, TGA, BMP or DDS files
        error: t0: a.vtf: the file is a Valve texture; textures are PNG, JPEG, TGA, BMP or DDS files
        error: t0: a.avif: the file is an AVIF image; textures are PNG, JPEG, TGA, BMP or DDS files
        error: t0: a.zip: the file is a ZIP archive; textures are PNG, JPEG, TGA, BMP or DDS files
        error: t0: a.png: the file is not a PNG, JPEG, TGA, BMP or DDS file
    "#]]
    .assert_eq(&messages.concat());
}

/// A TGA picture of that size, each texel of which has its number in red.
fn numbered(name: &str, width: u8, height: u8) -> String {
    let header = [
        0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, width, 0, height, 0, 24, 0x20,
    ];
    let texels = (0..width * height).flat_map(|number| [0, 0, number]);
    let file: Vec<u8> = header.into_iter().chain(texels).collect();
    written(name, &file).display().to_string()
}

/// The numbers of the texels that are drawn.
fn numbers(name: &str, size: &str, texture: &str, varying: &str, text: &str) -> String {
    let varying = format!("--varying i6={varying}");
    let drawn = drawn(name, size, texture, &varying, text);
    let rows = drawn.lines().map(|row| {
        let texels = row.split(' ').map(|texel| &texel[..2]);
        texels.collect::<Vec<_>>().join(" ") + "\n"
    });
    rows.collect()
}

#[test]
fn a_picture_of_one_row_is_a_1d_image() {
    let row = numbered("row.tga", 4, 1);
    let text = "!!ARBfp1.0\nTEX result.color, fragment.texcoord[0], texture[0], 1D;\nEND";
    let texels = "00 01 02 03\n00 01 02 03\n";
    for texture in [row.clone(), format!("1d:{row}")] {
        let drawn = numbers("row", "4x2", &texture, "u,v,0,1", text);
        assert_eq!(drawn, texels, "{texture}");
        let drawn = numbers(
            "row",
            "4x2",
            &texture,
            "u,v,0,1",
            ".extended\nxtex o1, i6, t0.1d",
        );
        assert_eq!(drawn, texels, "{texture}");
    }
    let rows = numbered("rows.tga", 2, 2);
    expect!["error: t0: rows.tga: the picture has 2 rows; that of a 1D image has one\n"]
        .assert_eq(&refused(&format!("t0=1d:{rows}")));
}

#[test]
fn slices_of_a_picture_are_a_3d_image() {
    let file = numbered("slices.tga", 2, 6);
    let text = ".extended\nxtex o1, i6, t0.3d";
    let texture = format!("3d:{file}*3");
    let slice = |r: &str| numbers("slices", "2x2", &texture, &format!("u,v,{r},1"), text);
    assert_eq!(slice("0.1"), "00 01\n02 03\n");
    assert_eq!(slice("0.5"), "04 05\n06 07\n");
    assert_eq!(slice("0.9"), "08 09\n0a 0b\n");
    let messages = [format!("3d:{file}*4"), format!("3d:{file}")];
    expect![[r#"
        error: t0: slices.tga: the picture has 6 rows, which are not 4 slices, one below the other
        error: t0: slices.tga: the number of slices is missing; write it like `3d:FILE*16`
    "#]]
    .assert_eq(
        &messages
            .map(|texture| refused(&format!("t0={texture}")))
            .concat(),
    );
}

#[test]
fn six_faces_of_a_picture_are_a_cube() {
    let text = ".extended\nxtex o1, i6, t0.cube";
    // Along each axis, the texel in the middle of the face.
    let face = |texture: &str, [x, y, z]: [i32; 3]| {
        let direction = format!("{x},{y},{z},1");
        numbers("faces", "1x1", &format!("cube:{texture}"), &direction, text)
    };
    let axes = [
        [1, 0, 0],
        [-1, 0, 0],
        [0, 1, 0],
        [0, -1, 0],
        [0, 0, 1],
        [0, 0, -1],
    ];
    // Columns and rows, and the squares of the faces.
    let cases = [
        (6, 1, [0, 1, 2, 3, 4, 5]),
        (1, 6, [0, 1, 2, 3, 4, 5]),
        (4, 3, [6, 4, 1, 9, 5, 7]),
        (3, 4, [5, 3, 1, 7, 4, 10]),
    ];
    for (columns, rows, squares) in cases {
        let file = numbered("faces.tga", columns, rows);
        for (axis, square) in axes.into_iter().zip(squares) {
            let want = format!("{square:02x}\n");
            assert_eq!(face(&file, axis), want, "{columns}x{rows}, {axis:?}");
        }
    }
    // Faces that meet in a cross meet in the cube: around +z, and where -z hangs on its head below -y.
    let cross = numbered("cross.tga", 6, 8);
    let texel =
        |direction: &str| numbers("cross", "1x1", &format!("cube:{cross}"), direction, text);
    assert_eq!(texel("-0.9,0.5,1,1"), "0e\n");
    assert_eq!(texel("-1,0.5,0.9,1"), "0d\n");
    assert_eq!(texel("-0.5,-1,-0.9,1"), "20\n");
    assert_eq!(texel("-0.5,-0.9,-1,1"), "26\n");
    let odd = numbered("odd.tga", 5, 3);
    expect![[r#"
        error: t0: odd.tga: the picture of 5x3 texels has no six faces: they are strips of 6x1 or 1x6 squares, or crosses of 4x3 or 3x4
    "#]]
    .assert_eq(&refused(&format!("t0=cube:{odd}")));
}

#[test]
fn messages_say_how_to_bind_what_a_program_samples() {
    let file = numbered("square.tga", 2, 2);
    let message = |target: &str, options: &str| {
        let text = format!(
            "!!ARBfp1.0\nTEX result.color, fragment.texcoord[0], texture[0], {target};\nEND"
        );
        let outcome = attila(&format!("render - {options}"), &text);
        assert_eq!(outcome.code, 1, "{target}");
        let folder = format!("{}/", env!("CARGO_TARGET_TMPDIR"));
        outcome.stderr.replace(&folder, "")
    };
    let texture = format!("--texture t0={file}");
    let messages =
        ["1D", "3D", "CUBE"].map(|target| message(target, &texture) + &message(target, ""));
    expect![[r#"
        error: t0: square.tga: a 2D image, but the program samples a 1D image here: `1d:FILE` is a picture of one row, or a DDS file of a 1D texture
        error: t0: the program samples a 1D image here; say which: `1d:FILE` is a picture of one row, or a DDS file of a 1D texture
        error: t0: square.tga: a 2D image, but the program samples a 3D image here: `3d:FILE*N` is a picture of N slices, one below the other; `3d:FILE` is a DDS file of a volume
        error: t0: the program samples a 3D image here; say which: `3d:FILE*N` is a picture of N slices, one below the other; `3d:FILE` is a DDS file of a volume
        error: t0: square.tga: a 2D image, but the program samples a cube here: `cube:FILE` is a picture of six faces in a strip or a cross, or a DDS file of a cube; `cube:` may have six pictures, too
        error: t0: the program samples a cube here; say which: `cube:FILE` is a picture of six faces in a strip or a cross, or a DDS file of a cube; `cube:` may have six pictures, too
    "#]].assert_eq(&messages.concat());
    let notes = ["1d", "3d", "cube", "2d"]
        .map(|target| attila("check -", &format!(".extended\nxtex o1, i6, t9.{target}")).stderr);
    expect![[r#"
        note[D03]: nothing is bound to t9; `run` and `render` need a 1D image for it: `--texture t9=1d:FILE`, where `1d:FILE` is a picture of one row, or a DDS file of a 1D texture
        note[D03]: nothing is bound to t9; `run` and `render` need a 3D image for it: `--texture t9=3d:FILE*N`, where `3d:FILE*N` is a picture of N slices, one below the other; `3d:FILE` is a DDS file of a volume
        note[D03]: nothing is bound to t9; `run` and `render` need a cube for it: `--texture t9=cube:FILE`, where `cube:FILE` is a picture of six faces in a strip or a cross, or a DDS file of a cube; `cube:` may have six pictures, too
        note[D03]: nothing is bound to t9; `run` and `render` need an image for it: `--texture t9=FILE`
    "#]].assert_eq(&notes.concat());
}
