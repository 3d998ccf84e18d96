//! Mip chains.

use crate::channel::{Layout, load};
use crate::shape::Level;

/// The texels of the larger level under one texel along an axis: the first, how many, and the share
/// of each.
struct Taps {
    first: u32,
    weights: [f64; 3],
    count: usize,
}

/// The box of texel `at` of `below` texels, over `above` texels.
///
/// An even size halves. An odd one, 2m + 1, makes m texels that cover 2 + 1/m each: three, the outer
/// ones in part.
fn taps(at: u32, above: u32, below: u32) -> Taps {
    let (n, m) = (f64::from(above), f64::from(below));
    if above == 1 {
        Taps {
            first: 0,
            weights: [1.0, 0.0, 0.0],
            count: 1,
        }
    } else if above.is_multiple_of(2) {
        Taps {
            first: 2 * at,
            weights: [0.5, 0.5, 0.0],
            count: 2,
        }
    } else {
        let i = f64::from(at);
        Taps {
            first: 2 * at,
            weights: [(m - i) / n, m / n, (i + 1.0) / n],
            count: 3,
        }
    }
}

/// Fills a slice of the level `below` with averages of the level `above`. The layers of a 3D image
/// are one slice here; the faces of a cube are reduced one by one.
pub(crate) fn reduce(bytes: &mut [u8], layout: Layout, above: &Level, below: &Level, slice: usize) {
    let [width, height, depth] = below.size.axes();
    for k in 0..depth {
        for j in 0..height {
            for i in 0..width {
                let word = average(bytes, layout, above, below, [i, j, k], slice as u32);
                let texel_bytes = usize::from(layout.bytes);
                let at = below.texel_offset([i, j, slice as u32 + k], texel_bytes);
                bytes[at..at + texel_bytes].copy_from_slice(&word.to_le_bytes()[..texel_bytes]);
            }
        }
    }
}

/// The word of one texel of the level below. Sums run over columns, then rows, then layers.
fn average(
    bytes: &[u8],
    layout: Layout,
    above: &Level,
    below: &Level,
    at: [u32; 3],
    slice: u32,
) -> u128 {
    let (larger, smaller) = (above.size.axes(), below.size.axes());
    let [s, t, r] = std::array::from_fn(|axis| taps(at[axis], larger[axis], smaller[axis]));
    let texel_bytes = usize::from(layout.bytes);
    let mut sums = [0.0; 4];
    for k in 0..r.count {
        for j in 0..t.count {
            for i in 0..s.count {
                let [i_at, j_at, k_at] = [
                    s.first + i as u32,
                    t.first + j as u32,
                    r.first + k as u32 + slice,
                ];
                let from = above.texel_offset([i_at, j_at, k_at], texel_bytes);
                let word = load(&bytes[from..from + texel_bytes]);
                let weight = s.weights[i] * t.weights[j] * r.weights[k];
                for (sum, channel) in sums.iter_mut().zip(layout.channels) {
                    *sum += weight * channel.number(word);
                }
            }
        }
    }
    let fields = layout.channels.into_iter().zip(sums);
    fields.fold(0, |word, (channel, sum)| word | channel.encode(sum))
}
