//! Damaged files of every format: each is an image or an error.

use super::arrangement::Arrangement;
use super::file::{ImageFile, Kind};
use super::raster::Raster;

/// A packed TGA file with a map of four colours, and 4x4 texels.
const TGA: &[u8] = &[
    1, 1, 9, 0, 0, 4, 0, 24, 0, 0, 0, 0, 4, 0, 4, 0, 8, 0, b'i', 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8,
    9, 0x87, 1, 0x07, 0, 1, 2, 3, 0, 1, 2, 3,
];

/// A compressed BMP file with a palette of two colours, and 4x2 texels.
const BMP: &[u8] = &[
    b'B', b'M', 72, 0, 0, 0, 0, 0, 0, 0, 62, 0, 0, 0, 40, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 1, 0, 8,
    0, 1, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 4, 5,
    6, 0, 4, 1, 0, 0, 4, 0, 0, 0, 0, 1,
];

/// A DDS file of 4x4 texels of three bytes and all its levels.
fn dds() -> Vec<u8> {
    let mut words = [0_u32; 32];
    words[..8].copy_from_slice(&[0x2053_4444, 124, 0x2_1007, 4, 4, 0, 0, 3]);
    words[19..25].copy_from_slice(&[32, 0x40, 0, 24, 0xff_0000, 0xff00]);
    words[25] = 0xff;
    let mut file: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    file.extend([7; 3 * (16 + 4 + 1)]);
    file
}

/// Texels beyond which a damaged header is not followed.
const MOST_BYTES: usize = 1 << 22;

/// Whether the bytes are an image.
fn is_image(kind: Kind, bytes: &[u8], arrangement: Arrangement) -> bool {
    let file = ImageFile::new(kind, bytes.to_vec());
    let Ok(mut file) = file else {
        return false;
    };
    if file.arrange(arrangement).is_err() || file.shape.image_bytes().is_ok_and(|n| n > MOST_BYTES)
    {
        return false;
    }
    let shape = file.shape;
    file.image().is_ok_and(|image| {
        assert_eq!(
            (image.dimension(), image.size()),
            (shape.dimension, shape.size)
        );
        true
    })
}

#[test]
fn damaged_files_are_images_or_errors() {
    let png = include_bytes!("damaged/tile.png");
    let jpeg = include_bytes!("damaged/orange.jpg");
    let files = [
        (Kind::Raster(Raster::Tga), TGA.to_vec()),
        (Kind::Raster(Raster::Bmp), BMP.to_vec()),
        (Kind::Dds, dds()),
        (Kind::Png, png.to_vec()),
        (Kind::Jpeg, jpeg.to_vec()),
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % limit as u64) as usize
    };
    for (kind, file) in files {
        assert!(is_image(kind, &file, Arrangement::Plain), "{kind:?}");
        for _ in 0..2000 {
            let mut damaged = file.clone();
            for _ in 0..1 + below(3) {
                // Most of what can go wrong is in headers.
                let at = below(file.len().min(140));
                damaged[at] = [0, 1, 0x7f, 0x80, 0xff][below(5)];
            }
            damaged.truncate(match below(3) {
                0 => below(file.len()),
                _ => file.len(),
            });
            let arrangement = match below(4) {
                0 => Arrangement::Faces,
                1 => Arrangement::Slices(Some(2)),
                2 => Arrangement::Row,
                _ => Arrangement::Plain,
            };
            is_image(kind, &damaged, arrangement);
        }
    }
}
