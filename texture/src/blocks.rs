//! Compressed blocks of 4x4 texels.
//!
//! ATTILA decodes a block to f32 and keeps 8 bits of each channel, truncated; [`decode`] does
//! the same steps in the same order, so its bytes are ATTILA's. The one exception are the
//! signed blocks with alpha, whose end points ATTILA takes for unsigned. [`decode_exact`] keeps
//! the f32, and gives signed ramps their -1, where ATTILA has a 0.

use crate::format::{BLOCK_SIDE, Block, Format};
use crate::shape::Level;

/// The texels of a block, row by row, in floats.
type Texels = [[f32; 4]; 16];

/// How a ramp's end points and its two constants read.
#[derive(Clone, Copy)]
struct Ramp {
    signed: bool,
    /// The value that index 6 chooses where the first end point is not above the second.
    lowest: f32,
}

/// Appends a level whose blocks are `given` to `bytes`, in the format `stored`: what the blocks are
/// decoded to, or floats.
pub(crate) fn append(
    bytes: &mut Vec<u8>,
    (block, block_bytes): (Block, usize),
    stored: Format,
    level: &Level,
    given: &[u8],
) {
    let columns = level.size.width.div_ceil(BLOCK_SIDE) as usize;
    let rows = level.size.height.div_ceil(BLOCK_SIDE) as usize;
    for slice in given.chunks_exact(columns * rows * block_bytes) {
        let start = bytes.len();
        bytes.resize(start + level.slice_bytes, 0);
        for (index, encoded) in slice.chunks_exact(block_bytes).enumerate() {
            let corner = [index % columns, index / columns].map(|at| at as u32 * BLOCK_SIDE);
            let into = &mut bytes[start..];
            if stored == Format::Rgba32F {
                place(
                    into,
                    level,
                    corner,
                    &decode_exact(block, encoded).map(float_bytes),
                );
            } else {
                place(into, level, corner, &decode(block, encoded));
            }
        }
    }
}

/// The bytes of a texel of floats.
fn float_bytes(texel: [f32; 4]) -> [u8; 16] {
    std::array::from_fn(|byte| texel[byte / 4].to_le_bytes()[byte % 4])
}

/// Writes the texels of a block, the first bytes of each, to its place in a slice. Texels past the
/// edge are cut off.
fn place<T: AsRef<[u8]>>(slice: &mut [u8], level: &Level, corner: [u32; 2], texels: &[T; 16]) {
    let size = level.row_bytes / level.size.width as usize;
    for (texel, value) in (0..).zip(texels) {
        let (i, j) = (
            corner[0] + texel % BLOCK_SIDE,
            corner[1] + texel / BLOCK_SIDE,
        );
        if i < level.size.width && j < level.size.height {
            let at = j as usize * level.row_bytes + i as usize * size;
            slice[at..at + size].copy_from_slice(&value.as_ref()[..size]);
        }
    }
}

/// The texels of a block, as channels of the stored format: RGBA, luminance, or luminance and alpha,
/// in the first bytes of each element.
fn decode(block: Block, bytes: &[u8]) -> [[u8; 4]; 16] {
    let texels = decode_floats(block, bytes, 0.0);
    let (largest, signed) = match block {
        Block::Latc { signed: true, .. } => (127.0, true),
        Block::Latc { .. } | Block::Dxt1 { .. } | Block::Dxt3 | Block::Dxt5 => (255.0, false),
    };
    let quantise = |value: f32| {
        let scaled = value * largest;
        if signed {
            (scaled as i8).cast_unsigned()
        } else {
            scaled as u8
        }
    };
    texels.map(|[r, g, b, a]| match block {
        Block::Latc { .. } => [r, a, 0.0, 0.0].map(quantise),
        Block::Dxt1 { .. } | Block::Dxt3 | Block::Dxt5 => [r, g, b, a].map(quantise),
    })
}

/// The texels of a block in f32, as the definitions of the formats have them.
fn decode_exact(block: Block, bytes: &[u8]) -> Texels {
    decode_floats(block, bytes, -1.0).map(|texel| texel.map(|value| value.max(-1.0)))
}

/// The texels of a block. `lowest` is the constant of signed ramps.
fn decode_floats(block: Block, bytes: &[u8], lowest: f32) -> Texels {
    match block {
        Block::Dxt1 { transparent } => colours(bytes, Some(transparent)),
        Block::Dxt3 => {
            let alpha = little_endian(&bytes[..8]);
            let alpha = |texel: usize| (alpha >> (4 * texel) & 15) as f32 * (1.0 / 15.0);
            with_alpha(colours(&bytes[8..], None), alpha)
        }
        Block::Dxt5 => {
            let unsigned = Ramp {
                signed: false,
                lowest: 0.0,
            };
            let alpha = ramp(&bytes[..8], unsigned);
            with_alpha(colours(&bytes[8..], None), |texel| alpha[texel])
        }
        Block::Latc { alpha, signed } => {
            let lowest = if signed { lowest } else { 0.0 };
            let kind = Ramp { signed, lowest };
            let luminance = ramp(&bytes[..8], kind).map(|l| [l, l, l, 1.0]);
            if !alpha {
                return luminance;
            }
            let alpha = ramp(&bytes[8..], kind);
            with_alpha(luminance, |texel| alpha[texel])
        }
    }
}

fn with_alpha(mut texels: Texels, alpha: impl Fn(usize) -> f32) -> Texels {
    for (index, texel) in texels.iter_mut().enumerate() {
        texel[3] = alpha(index);
    }
    texels
}

/// The eight bytes of a colour block. `punch` is for DXT1, where the order of the two colours chooses
/// between a fourth colour and black: whether that black is transparent.
fn colours(bytes: &[u8], punch: Option<bool>) -> Texels {
    let word = little_endian(&bytes[..8]);
    let (c0, c1) = (word as u16, (word >> 16) as u16);
    let (first, second) = (rgb565(c0), rgb565(c1));
    let mix = |f: fn(f32, f32) -> f32| {
        let [r, g, b] = std::array::from_fn(|c| f(first[c], second[c]));
        [r, g, b, 1.0]
    };
    let (third, fourth) = match punch {
        Some(transparent) if c0 <= c1 => {
            let alpha = if transparent { 0.0 } else { 1.0 };
            (mix(|a, b| (a + b) * 0.5), [0.0, 0.0, 0.0, alpha])
        }
        Some(_) | None => (
            mix(|a, b| (2.0 * a + b) / 3.0),
            mix(|a, b| (a + 2.0 * b) / 3.0),
        ),
    };
    let palette = [mix(|a, _| a), mix(|_, b| b), third, fourth];
    std::array::from_fn(|texel| palette[(word >> (32 + 2 * texel) & 3) as usize])
}

fn rgb565(word: u16) -> [f32; 3] {
    [
        f32::from(word >> 11) * (1.0 / 31.0),
        f32::from(word >> 5 & 63) * (1.0 / 63.0),
        f32::from(word & 31) * (1.0 / 31.0),
    ]
}

/// The eight bytes of a ramp: two end points, and an index of three bits for each texel.
fn ramp(bytes: &[u8], kind: Ramp) -> [f32; 16] {
    let end = |byte: u8| match kind.signed {
        true => f32::from(byte.cast_signed()) * (1.0 / 127.0),
        false => f32::from(byte) * (1.0 / 255.0),
    };
    let (a, b) = (end(bytes[0]), end(bytes[1]));
    let between = |index: u64, steps: u64| {
        let weight = index as f32 - 1.0;
        ((steps as f32 - weight) * a + weight * b) / steps as f32
    };
    let value = |index: u64| match index {
        0 => a,
        1 => b,
        _ if a > b => between(index, 7),
        6 => kind.lowest,
        7 => 1.0,
        _ => between(index, 5),
    };
    let indices = little_endian(&bytes[2..8]);
    std::array::from_fn(|texel| value(indices >> (3 * texel) & 7))
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |word, &byte| word << 8 | u64::from(byte))
}
