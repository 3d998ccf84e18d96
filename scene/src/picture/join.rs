//! [`join`]: a picture from its parts.

use thiserror::Error;

use super::{Depth, Picture};

/// A part of a picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its name in messages.
    pub name: String,
    /// The column and row of its upper left pixel.
    pub at: [u32; 2],
    /// Its pixels.
    pub picture: Picture,
}

/// Why parts do not make a picture.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum JoinError {
    /// There is no part with pixels.
    #[error("there are no pixels")]
    Empty,
    /// A part with other bits than the first one.
    #[error("{name} has {}, but {first_name} has {}", pixels(*.given), pixels(*.first))]
    Pixels {
        /// The part.
        name: String,
        /// Its depth, and whether it has alpha.
        given: (Depth, bool),
        /// The first part.
        first_name: String,
        /// Those of the first part.
        first: (Depth, bool),
    },
    /// A part that shares pixels with one before it.
    #[error("{name} overlaps another part at {},{}", at[0], at[1])]
    Overlap {
        /// The part.
        name: String,
        /// The first pixel that both have.
        at: [u32; 2],
    },
    /// A pixel that is in no part.
    #[error("no part covers the pixel at {},{} of {}x{}", at[0], at[1], size[0], size[1])]
    Gap {
        /// The first such pixel.
        at: [u64; 2],
        /// The size of the whole picture.
        size: [u64; 2],
    },
    /// The whole picture is too large.
    #[error("there is no memory for a picture of {}x{} pixels", .0[0], .0[1])]
    Memory([u64; 2]),
}

/// `8 bits with alpha`.
fn pixels((depth, has_alpha): (Depth, bool)) -> String {
    let alpha = if has_alpha { "with" } else { "without" };
    format!("{} bits per component {alpha} alpha", depth.bits())
}

/// The picture whose upper left corner is (0, 0), and which all parts together cover exactly.
///
/// # Errors
///
/// Parts overlap, leave a gap or have different bits, or there is no memory for the picture.
pub fn join(parts: &[Part]) -> Result<Picture, JoinError> {
    let end = |axis: usize| {
        let ends = parts.iter().map(|part| {
            let [at, side] = [part.at, part.picture.size].map(|it| u64::from(it[axis]));
            at + side
        });
        ends.max().unwrap_or_default()
    };
    let size = [end(0), end(1)];
    let first = parts.first().filter(|_| !size.contains(&0));
    let first = first.ok_or(JoinError::Empty)?;
    check(parts, first)?;
    let mut whole = blank(&first.picture, size).ok_or(JoinError::Memory(size))?;
    let row = whole.row();
    let pixel = row / whole.size[0] as usize;
    let covered = repeated(false, whole.bytes.len() / pixel);
    let mut covered = covered.ok_or(JoinError::Memory(size))?;
    for part in parts {
        let bytes = part.picture.bytes.chunks_exact(part.picture.row().max(1));
        for (y, from) in (part.at[1]..).zip(bytes) {
            let start = y as usize * row + part.at[0] as usize * pixel;
            whole.bytes[start..start + from.len()].copy_from_slice(from);
            let covered = &mut covered[start / pixel..][..from.len() / pixel];
            if let Some((x, _)) = (part.at[0]..).zip(&*covered).find(|(_, twice)| **twice) {
                let (name, at) = (part.name.clone(), [x, y]);
                return Err(JoinError::Overlap { name, at });
            }
            covered.fill(true);
        }
    }
    match covered.iter().position(|covered| !covered) {
        None => Ok(whole),
        Some(gap) => {
            let [x, y] = [gap as u64 % size[0], gap as u64 / size[0]];
            Err(JoinError::Gap { at: [x, y], size })
        }
    }
}

/// A picture with the bits of another, of a size for which there is memory.
fn blank(other: &Picture, size: [u64; 2]) -> Option<Picture> {
    let [width, height] = size.map(u32::try_from);
    let mut whole = Picture {
        size: [width.ok()?, height.ok()?],
        bytes: Vec::new(),
        ..*other
    };
    let bytes = whole.row().checked_mul(height.ok()? as usize)?;
    whole.bytes = repeated(0, bytes)?;
    Some(whole)
}

/// A value so many times, if there is memory for it.
fn repeated<T: Clone>(value: T, count: usize) -> Option<Vec<T>> {
    let mut all = Vec::new();
    all.try_reserve_exact(count).ok()?;
    all.resize(count, value);
    Some(all)
}

/// Checks that all have the bits of the first.
fn check(parts: &[Part], first: &Part) -> Result<(), JoinError> {
    let bits = |part: &Part| (part.picture.depth, part.picture.has_alpha);
    match parts.iter().find(|part| bits(part) != bits(first)) {
        None => Ok(()),
        Some(part) => Err(JoinError::Pixels {
            name: part.name.clone(),
            given: bits(part),
            first_name: first.name.clone(),
            first: bits(first),
        }),
    }
}
