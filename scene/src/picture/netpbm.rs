//! PPM and PFM files: three numbers as text, and the pixels. There is no crate for PFM, and both have the same header.

use super::{Depth, FileKind, Picture, PictureError};

/// The bytes of a file with a picture without alpha: words of PPM have the high byte first, rows of PFM begin at the
/// bottom.
pub(super) fn write(picture: &Picture) -> Vec<u8> {
    let [width, height] = picture.size;
    let header =
        |kind: &str, scale: &str| format!("{kind}\n{width} {height}\n{scale}\n").into_bytes();
    let bytes = &picture.bytes;
    match picture.depth {
        Depth::Eight => [header("P6", "255"), bytes.clone()].concat(),
        Depth::Sixteen => [
            header("P6", "65535"),
            words(bytes, u16::from_ne_bytes, u16::to_be_bytes),
        ]
        .concat(),
        Depth::Float => {
            let bytes = words(bytes, u32::from_ne_bytes, u32::to_le_bytes);
            [header("PF", "-1.0"), reversed(&bytes, picture.row())].concat()
        }
    }
}

/// The picture in a file.
pub(super) fn read(kind: FileKind, file: &[u8]) -> Result<Picture, PictureError> {
    let failed = |reason: &str| PictureError::File {
        kind,
        doing: "read",
        reason: reason.to_owned(),
    };
    let header = header(file).ok_or_else(|| failed("the header is not understood"))?;
    let ([magic, width, height, scale], pixels) = header;
    let side = |text: &str| text.parse().map_err(|_| failed("the size is not a number"));
    let scale: f32 = scale
        .parse()
        .map_err(|_| failed("the scale is not a number"))?;
    let depth = match (kind, magic) {
        (FileKind::Pfm, "PF") => Depth::Float,
        (FileKind::Ppm, "P6") if scale == 255.0 => Depth::Eight,
        (FileKind::Ppm, "P6") if scale == 65535.0 => Depth::Sixteen,
        (_, _) => return Err(PictureError::Pixels),
    };
    let mut picture = Picture {
        size: [side(width)?, side(height)?],
        depth,
        has_alpha: false,
        bytes: Vec::new(),
    };
    let bytes = picture.row().checked_mul(picture.size[1] as usize);
    let pixels = bytes.and_then(|bytes| pixels.get(..bytes));
    let pixels = pixels.ok_or_else(|| failed("the file is cut short"))?;
    picture.bytes = match depth {
        Depth::Eight => pixels.to_vec(),
        Depth::Sixteen => words(pixels, u16::from_be_bytes, u16::to_ne_bytes),
        Depth::Float => {
            let rows = reversed(pixels, picture.row());
            match scale < 0.0 {
                true => words(&rows, u32::from_le_bytes, u32::to_ne_bytes),
                false => words(&rows, u32::from_be_bytes, u32::to_ne_bytes),
            }
        }
    };
    Ok(picture)
}

/// Four words, after each a blank or the end of a line, and the rest. Comments are between lines.
fn header(file: &[u8]) -> Option<([&str; 4], &[u8])> {
    let mut rest = file;
    let mut words = [""; 4];
    for word in &mut words {
        loop {
            rest = rest.trim_ascii_start();
            match rest.strip_prefix(b"#") {
                Some(comment) => rest = &comment[comment.iter().position(|it| *it == b'\n')?..],
                None => break,
            }
        }
        let end = rest.iter().position(u8::is_ascii_whitespace)?;
        *word = std::str::from_utf8(&rest[..end]).ok()?;
        rest = &rest[end..];
    }
    Some((words, &rest[1..]))
}

/// Words in another order of their bytes.
fn words<T, const N: usize>(
    bytes: &[u8],
    from: impl Fn([u8; N]) -> T,
    to: impl Fn(T) -> [u8; N],
) -> Vec<u8> {
    let (words, _) = bytes.as_chunks();
    words.iter().flat_map(|word| to(from(*word))).collect()
}

/// Rows from the other end.
fn reversed(bytes: &[u8], row: usize) -> Vec<u8> {
    bytes
        .chunks_exact(row.max(1))
        .rev()
        .flatten()
        .copied()
        .collect()
}
