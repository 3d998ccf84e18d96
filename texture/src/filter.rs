//! From a lane's coordinates to its colour: texels mixed within a level, between levels, and along an
//! anisotropic footprint (machine.md 5.4, 5.5 and 5.8).
//!
//! Products and sums are f32, one rounding each, in the order in which they are written here.

use attila_isa::Component;

use crate::dimension::AxisCount;
use crate::lod::{Footprint, Selection};
use crate::sampler::Filter;
use crate::texture::Texture;
use crate::wrap::{Axis, Pair};

/// A colour: red, green, blue, alpha.
pub(crate) type Colour = [f32; 4];

/// Where a lane samples.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    /// s, t and r, or s and t on a face.
    pub(crate) coords: [f32; 3],
    /// The layer of an array, or the face of a cube; 0 otherwise.
    pub(crate) slice: u32,
    /// The value that texels are compared with, if they are.
    pub(crate) reference: Option<f32>,
    /// Texels that are added to the coordinates.
    pub(crate) offset: Option<[i32; 3]>,
}

impl Point {
    /// The point on a level with these axes: its offset is part of the coordinates. Not inlined, as
    /// few instructions have offsets.
    #[inline(never)]
    fn moved(&self, offset: [i32; 3], axes: &[Axis; 3]) -> Point {
        let moved = |axis: usize| self.coords[axis] + axes[axis].texels(offset[axis]);
        Point {
            coords: std::array::from_fn(moved),
            offset: None,
            ..*self
        }
    }
}

/// The average of a footprint's samples.
pub(crate) fn footprint(
    texture: &Texture,
    footprint: &Footprint,
    selection: &Selection,
    point: &Point,
) -> Colour {
    if footprint.samples == 1 {
        return levels(texture, selection, point);
    }
    let [s, t, r] = point.coords;
    let [ds, dt] = footprint.step;
    let sample = |index: u32| {
        let offset = footprint.offset(index);
        let coords = [s + ds * offset, t + dt * offset, r];
        levels(texture, selection, &Point { coords, ..*point })
    };
    let sum = (1..footprint.samples).fold(sample(0), |sum, index| add(sum, sample(index)));
    sum.map(|value| value / footprint.samples as f32)
}

/// The sample of one level, or the mix of two.
fn levels(texture: &Texture, selection: &Selection, point: &Point) -> Colour {
    let first = level(texture, selection.filter, selection.level, point);
    let Some((second, weight)) = selection.second else {
        return first;
    };
    let second = level(texture, selection.filter, second, point);
    mix(first, [1.0 - weight], second, [weight])
}

/// The sample of a level.
fn level(texture: &Texture, filter: Filter, level: usize, point: &Point) -> Colour {
    let axes = texture.axes(level);
    if let Some(offset) = point.offset {
        return self::level(texture, filter, level, &point.moved(offset, axes));
    }
    match filter {
        Filter::Nearest => nearest(texture, level, axes, point),
        Filter::Linear => linear(texture, level, axes, point),
    }
}

/// A component of each of the four texels that a linear filter would mix on a level of an image with
/// two axes: from the second row those on the left and right, from the first row right and left.
pub(crate) fn gather(
    texture: &Texture,
    level: usize,
    component: Component,
    point: &Point,
) -> Colour {
    let axes = texture.axes(level);
    if let Some(offset) = point.offset {
        return gather(texture, level, component, &point.moved(offset, axes));
    }
    let [s, t] = [0, 1].map(|axis| axes[axis].linear(point.coords[axis]).texels);
    [(0, 1), (1, 1), (1, 0), (0, 0)].map(|(i, j)| {
        let texel = s[i].zip(t[j]);
        let texel = texel.map(|(i, j)| texture.image().texel_bytes(level, [i, j, point.slice]));
        texture
            .conversion()
            .component(texel, component, point.reference)
    })
}

fn nearest(texture: &Texture, level: usize, axes: &[Axis; 3], point: &Point) -> Colour {
    let nearest = |axis: usize| axes[axis].nearest(point.coords[axis]);
    let at = match texture.axis_count() {
        AxisCount::One => [nearest(0), Some(0), Some(0)],
        AxisCount::Two => [nearest(0), nearest(1), Some(0)],
        AxisCount::Three => [nearest(0), nearest(1), nearest(2)],
    };
    texel(texture, level, point, at)
}

fn linear(texture: &Texture, level: usize, axes: &[Axis; 3], point: &Point) -> Colour {
    let pair = |axis: usize| axes[axis].linear(point.coords[axis]);
    let fetch = |i, j, k| texel(texture, level, point, [i, j, k]);
    let only = Some(0);
    match texture.axis_count() {
        AxisCount::One => {
            let Pair {
                texels: [i0, i1],
                weight: a,
            } = pair(0);
            mix(fetch(i1, only, only), [a], fetch(i0, only, only), [1.0 - a])
        }
        AxisCount::Two => bilinear([pair(0), pair(1)], |i, j| fetch(i, j, only)),
        AxisCount::Three => trilinear([pair(0), pair(1), pair(2)], fetch),
    }
}

/// The four texels around a point: `t00 (1-a) (1-b) + t10 a (1-b) + t01 (1-a) b + t11 a b`, products
/// and sums from left to right.
#[inline]
fn bilinear([s, t]: [Pair; 2], fetch: impl Fn(Option<u32>, Option<u32>) -> Colour) -> Colour {
    let ([i0, i1], [j0, j1]) = (s.texels, t.texels);
    let (a, b) = (s.weight, t.weight);
    let upper = mix(
        fetch(i0, j0),
        [1.0 - a, 1.0 - b],
        fetch(i1, j0),
        [a, 1.0 - b],
    );
    let sum = add(upper, weighted(fetch(i0, j1), [1.0 - a, b]));
    add(sum, weighted(fetch(i1, j1), [a, b]))
}

/// The eight texels around a point: the four of the nearer layer as in [`bilinear`], each product
/// times 1-c, then those of the farther one times c.
fn trilinear(
    [s, t, r]: [Pair; 3],
    fetch: impl Fn(Option<u32>, Option<u32>, Option<u32>) -> Colour,
) -> Colour {
    let weights = |pair: Pair| [1.0 - pair.weight, pair.weight];
    let (wa, wb, wc) = (weights(s), weights(t), weights(r));
    let corner = |corner: usize| {
        let [i, j, k] = [corner & 1, corner >> 1 & 1, corner >> 2];
        let texel = fetch(s.texels[i], t.texels[j], r.texels[k]);
        weighted(texel, [wa[i], wb[j], wc[k]])
    };
    (1..8).fold(corner(0), |sum, index| add(sum, corner(index)))
}

/// The colour of a texel, or the border's if it is outside along any axis. Inlined, so that a colour
/// that was put together from its components does not take a turn through memory.
#[inline(always)]
fn texel(texture: &Texture, level: usize, point: &Point, at: [Option<u32>; 3]) -> Colour {
    let conversion = texture.conversion();
    let [Some(i), Some(j), Some(k)] = at else {
        return conversion.border(point.reference);
    };
    let bytes = texture.image().texel_bytes(level, [i, j, k + point.slice]);
    conversion.texel(bytes, point.reference)
}

/// `colour` times one weight after another.
#[inline]
fn weighted<const N: usize>(colour: Colour, weights: [f32; N]) -> Colour {
    weights.iter().fold(colour, |product, weight| {
        product.map(|value| value * weight)
    })
}

#[inline]
fn add(a: Colour, b: Colour) -> Colour {
    std::array::from_fn(|c| a[c] + b[c])
}

#[inline]
fn mix<const N: usize>(a: Colour, a_weights: [f32; N], b: Colour, b_weights: [f32; N]) -> Colour {
    add(weighted(a, a_weights), weighted(b, b_weights))
}
