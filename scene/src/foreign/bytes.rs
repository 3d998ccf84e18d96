//! Files that their first bytes give away.

/// Names of formats, and the bytes that files of them have at an offset.
const MAGIC: &[(&str, usize, &[u8])] = &[
    // Images.
    ("a PNG image", 0, b"\x89PNG\r\n\x1a\n"),
    ("a JPEG image", 0, b"\xff\xd8\xff"),
    ("a GIF image", 0, b"GIF8"),
    ("a DDS image", 0, b"DDS "),
    ("a KTX image", 0, b"\xabKTX "),
    ("a WebP image", 8, b"WEBPVP8"),
    ("a TIFF image", 0, b"II*\0"),
    ("a TIFF image", 0, b"MM\0*"),
    ("a BMP image", 6, b"\0\0\0\0\x36\0\0\0"),
    ("a BMP image", 6, b"\0\0\0\0\x8a\0\0\0"),
    ("a Photoshop image", 0, b"8BPS"),
    ("a QOI image", 0, b"qoif"),
    ("an AVIF image", 4, b"ftypavif"),
    ("a HEIC image", 4, b"ftypheic"),
    ("a JPEG 2000 image", 4, b"jP  \r\n"),
    ("a JPEG XL image", 4, b"JXL \r\n"),
    ("a PVR texture", 0, b"PVR\x03"),
    ("a Valve texture", 0, b"VTF\0"),
    ("an OpenEXR image", 0, b"\x76\x2f\x31\x01"),
    ("a Radiance image", 0, b"#?RADIANCE"),
    ("an icon", 0, b"\0\0\x01\0"),
    // Documents, sounds, fonts and data.
    ("a PDF document", 0, b"%PDF-"),
    ("an Office document", 0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    ("a sound or a film", 0, b"RIFF"),
    ("a sound or a film", 0, b"OggS"),
    ("a sound or a film", 0, b"ID3"),
    ("a sound or a film", 0, b"fLaC"),
    ("a sound or a film", 4, b"ftyp"),
    ("a sound or a film", 0, b"\x1a\x45\xdf\xa3"),
    ("a font", 0, b"wOF"),
    ("a font", 0, b"OTTO"),
    ("a font", 0, b"\0\x01\0\0\0"),
    ("a glTF model", 0, b"glTF"),
    ("a NumPy array", 0, b"\x93NUMPY"),
    ("an HDF5 file", 0, b"\x89HDF\r\n\x1a\n"),
    ("an SQLite database", 0, b"SQLite format 3\0"),
    // Archives.
    ("a ZIP archive", 0, b"PK\x03\x04"),
    ("a ZIP archive", 0, b"PK\x05\x06"),
    ("gzip data", 0, b"\x1f\x8b\x08"),
    ("bzip2 data", 0, b"BZh"),
    ("xz data", 0, b"\xfd7zXZ\0"),
    ("Zstandard data", 0, b"\x28\xb5\x2f\xfd"),
    ("a 7-Zip archive", 0, b"7z\xbc\xaf\x27\x1c"),
    ("a RAR archive", 0, b"Rar!\x1a\x07"),
    ("a tar archive", 257, b"ustar"),
    ("an ar archive", 0, b"!<arch>\n"),
    // Programs of others.
    ("SPIR-V", 0, b"\x03\x02\x23\x07"),
    ("SPIR-V", 0, b"\x07\x23\x02\x03"),
    ("a Direct3D shader (DXBC)", 0, b"DXBC"),
    ("LLVM bitcode", 0, b"BC\xc0\xde"),
    ("an ELF file", 0, b"\x7fELF"),
    ("a Windows program", 0, b"MZ"),
    ("a Mach-O file", 0, b"\xcf\xfa\xed\xfe"),
    ("a Mach-O file", 0, b"\xce\xfa\xed\xfe"),
    ("a Mach-O file or a Java class", 0, b"\xca\xfe\xba\xbe"),
    ("WebAssembly", 0, b"\0asm"),
];

/// The token that shaders of Direct3D 9 begin with: minor version, major version, stage.
fn is_direct3d9(bytes: &[u8]) -> bool {
    matches!(bytes, [_, 1..=3, 0xfe | 0xff, 0xff, ..])
}

/// The first line of pictures of the Netpbm tools.
fn is_netpbm(bytes: &[u8]) -> bool {
    matches!(bytes, [b'P', b'1'..=b'7', b' ' | b'\n' | b'\r' | b'\t', ..])
}

/// Whether the bytes begin with the byte order mark of UTF-16.
pub(crate) fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff")
}

/// The name of the bytes' format, if it is known.
pub(crate) fn kind_of_bytes(bytes: &[u8]) -> Option<&'static str> {
    let has = |at: usize, magic: &[u8]| bytes.get(at..).is_some_and(|rest| rest.starts_with(magic));
    let mut rows = MAGIC.iter();
    let row = rows.find(|(_, at, magic)| has(*at, magic));
    let others = [
        (is_direct3d9(bytes), "a Direct3D 9 shader"),
        (is_netpbm(bytes), "a Netpbm image"),
    ];
    let other = others.iter().find(|(is_so, _)| *is_so);
    row.map(|(kind, ..)| *kind).or(other.map(|(_, kind)| *kind))
}

/// The first byte that no text has: an instruction word nearly always has a zero byte.
pub(crate) fn stray_byte(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(is_stray)
}

/// The first byte that no text has, if there are few enough of them for a text with an accident.
pub(crate) fn accident(bytes: &[u8]) -> Option<usize> {
    let strays = bytes.iter().filter(|byte| is_stray(byte)).count();
    stray_byte(bytes).filter(|_| 50 * strays <= bytes.len())
}

/// Whether texts do not have a byte.
pub(crate) fn is_stray(byte: &u8) -> bool {
    *byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_known_by_their_first_bytes() {
        assert_eq!(kind_of_bytes(b"\x89PNG\r\n\x1a\n"), Some("a PNG image"));
        assert_eq!(kind_of_bytes(b"\x89PNG"), None);
        assert_eq!(kind_of_bytes(b"RIFF\0\0\0\0WEBPVP8 "), Some("a WebP image"));
        assert_eq!(
            kind_of_bytes(b"RIFF\0\0\0\0WAVE"),
            Some("a sound or a film")
        );
        assert_eq!(
            kind_of_bytes(b"\0\x03\xff\xff"),
            Some("a Direct3D 9 shader")
        );
        let mut tar = [0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        assert_eq!(kind_of_bytes(&tar), Some("a tar archive"));
        assert_eq!(kind_of_bytes(b""), None);
    }

    #[test]
    fn texts_have_blanks_line_ends_and_page_breaks_but_no_other_control_characters() {
        assert_eq!(stray_byte("a\tb\r\n\x0c é\u{7f}".as_bytes()), None);
        assert_eq!(stray_byte(b"\xff\xe4"), None);
        assert_eq!(stray_byte(b"ab\x1b"), Some(2));
        assert_eq!(stray_byte(b"\0"), Some(0));
        let text = "mov r0, r1\n".repeat(10);
        assert_eq!(accident(format!("{text}\0{text}").as_bytes()), Some(110));
        assert_eq!(accident(b"mov\0r0\0"), None);
        assert_eq!(accident(text.as_bytes()), None);
    }
}
