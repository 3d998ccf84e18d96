//! Rows of pixels: inputs from planes, colours to RGBA8.

use attila_shader::machine::pipeline::Plane;

use super::lanes::{Ints, Lanes};
use super::vector::Vector;

/// A colour: red, green, blue, alpha.
pub(super) type Colour<V, const N: usize> = [Lanes<V, N>; 4];

/// A program that makes colours of `P` inputs.
pub(super) trait Shade<V: Vector, const N: usize, const P: usize> {
    /// The colours of `N` vectors side by side.
    fn shade(&self, inputs: [Lanes<V, N>; P]) -> Colour<V, N>;
}

/// Shades a rectangle from the corner of the window, whose rows are whole groups of `N` vectors.
#[inline(always)]
pub(super) fn draw<V: Vector, const N: usize, const P: usize>(
    planes: [Plane; P],
    target: &mut [u8],
    width: usize,
    program: &impl Shade<V, N, P>,
) {
    let group = V::COLUMNS * N;
    assert!(width.is_multiple_of(group), "{width} pixels in a row");
    let mut start = Lanes([V::columns(); N]);
    for n in 1..N {
        start.0[n] = V::plus(start.0[n - 1], V::splat(V::COLUMNS as f32));
    }
    let step = Lanes::splat(group as f32);
    for (row, pixels) in target.chunks_exact_mut(2 * 4 * width).enumerate() {
        let y = V::plus(V::rows(), V::splat(2.0 * row as f32));
        let mut begin = [Lanes::splat(0.0); P];
        for p in 0..P {
            let (dy, at) = (V::splat(planes[p].dy), V::splat(planes[p].at));
            begin[p] = Lanes([V::fma(y, dy, at); N]);
        }
        let mut x = start;
        let (upper, lower) = pixels.split_at_mut(4 * width);
        let groups = upper.chunks_exact_mut(4 * group);
        for (upper, lower) in groups.zip(lower.chunks_exact_mut(4 * group)) {
            let mut inputs = begin;
            for p in 0..P {
                inputs[p] = x.fma(Lanes::splat(planes[p].dx), begin[p]);
            }
            store(upper, lower, program.shade(inputs));
            x = x + step;
        }
    }
}

/// Stores the two rows of some vectors.
#[inline(always)]
fn store<V: Vector, const N: usize>(
    upper: &mut [u8],
    lower: &mut [u8],
    [r, g, b, a]: Colour<V, N>,
) {
    let [r, g, b, a] = [to_bytes(r), to_bytes(g), to_bytes(b), to_bytes(a)];
    let size = 4 * V::COLUMNS;
    for n in 0..N {
        let part = n * size..(n + 1) * size;
        let colour = [r.0[n], g.0[n], b.0[n], a.0[n]];
        V::store(&mut upper[part.clone()], &mut lower[part], colour);
    }
}

/// 255 times a component, truncated. Storing clamps values below 0.
#[inline(always)]
fn to_bytes<V: Vector, const N: usize>(component: Lanes<V, N>) -> Ints<V, N> {
    // A NaN becomes 1.
    let clamped = component.min(Lanes::splat(1.0));
    (clamped * Lanes::splat(255.0)).to_ints()
}
