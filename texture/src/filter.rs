//! From a lane's coordinates to its colour: texels mixed within a level, between levels, and along an
//! anisotropic footprint (machine.md 5.4 and 5.5, numerics.md 11).
//!
//! Operations are f32, one rounding each, in the order in which they are written here.

use std::array::from_fn;

use attila_isa::Component;
use attila_machine::arith::{Arith, HostLanes};

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
    /// The point on a level with these axes, without an offset.
    pub(crate) fn on(&self, axes: &[Axis; 3]) -> Point {
        self.offset.map_or(*self, |offset| self.moved(offset, axes))
    }

    /// The point on a level with these axes: its offset is part of the coordinates. Not inlined, as
    /// few instructions have offsets.
    #[inline(never)]
    fn moved(&self, offset: [i32; 3], axes: &[Axis; 3]) -> Point {
        let moved = |axis: usize| self.coords[axis] + axes[axis].texels(offset[axis]);
        Point {
            coords: from_fn(moved),
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
    let sum = (1..footprint.samples).fold(sample(0), |sum, index| {
        let colour = sample(index);
        from_fn(|c| sum[c] + colour[c])
    });
    sum.map(|value| value / footprint.samples as f32)
}

/// The sample of one level, or the mix of two.
fn levels(texture: &Texture, selection: &Selection, point: &Point) -> Colour {
    let level = |level| level_sample(texture, selection.filter, level, point);
    let first = level(selection.level);
    let colour = match selection.second {
        None => first,
        Some((second, weight)) => sum([(first, 1.0 - weight), (level(second), weight)]),
    };
    match selection.filter {
        Filter::Nearest => colour,
        Filter::Linear => texture.conversion().mixed(colour),
    }
}

/// The sample of a level. By a linear filter, it is not yet divided.
fn level_sample(texture: &Texture, filter: Filter, level: usize, point: &Point) -> Colour {
    let axes = texture.axes(level);
    if let Some(offset) = point.offset {
        return level_sample(texture, filter, level, &point.moved(offset, axes));
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
    let fetch = |i, j, k| numerators(texture, level, point, [i, j, k]);
    let only = Some(0);
    match texture.axis_count() {
        AxisCount::One => {
            let Pair {
                texels: [i0, i1],
                weight: a,
            } = pair(0);
            sum([(fetch(i0, only, only), 1.0 - a), (fetch(i1, only, only), a)])
        }
        AxisCount::Two => bilinear([pair(0), pair(1)], |i, j| fetch(i, j, only)),
        AxisCount::Three => trilinear([pair(0), pair(1), pair(2)], fetch),
    }
}

/// The four texels around a point: t00, t10, t01 and t11.
#[inline]
fn bilinear(pairs: [Pair; 2], fetch: impl Fn(Option<u32>, Option<u32>) -> Colour) -> Colour {
    let [a, b] = pairs.map(weights);
    let [s, t] = pairs.map(|pair| pair.texels);
    sum([(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| (fetch(s[i], t[j]), a[i] * b[j])))
}

/// The eight texels around a point: the four of the nearer layer as in [`bilinear`], then those of the
/// farther one.
fn trilinear(
    pairs: [Pair; 3],
    fetch: impl Fn(Option<u32>, Option<u32>, Option<u32>) -> Colour,
) -> Colour {
    let [a, b, c] = pairs.map(weights);
    let [s, t, r] = pairs.map(|pair| pair.texels);
    sum(from_fn::<_, 8, _>(|corner| {
        let [i, j, k] = [corner & 1, corner >> 1 & 1, corner >> 2];
        (fetch(s[i], t[j], r[k]), a[i] * b[j] * c[k])
    }))
}

/// The weights of two texels.
#[inline]
fn weights(pair: Pair) -> [f32; 2] {
    [1.0 - pair.weight, pair.weight]
}

/// The colour of a texel, or the border's if it is outside along any axis. Inlined, so that a colour
/// that was put together from its components does not take a turn through memory.
#[inline(always)]
fn texel(texture: &Texture, level: usize, point: &Point, at: [Option<u32>; 3]) -> Colour {
    let conversion = texture.conversion();
    match texel_bytes(texture, level, point, at) {
        Some(bytes) => conversion.texel(bytes, point.reference),
        None => conversion.border(point.reference),
    }
}

/// The same as a linear filter mixes it.
#[inline(always)]
fn numerators(texture: &Texture, level: usize, point: &Point, at: [Option<u32>; 3]) -> Colour {
    let conversion = texture.conversion();
    match texel_bytes(texture, level, point, at) {
        Some(bytes) => conversion.numerators(bytes, point.reference),
        None => conversion.border_numerators(point.reference),
    }
}

/// The bytes of a texel; `None` if it is outside along any axis.
#[inline(always)]
fn texel_bytes<'a>(
    texture: &'a Texture,
    level: usize,
    point: &Point,
    [i, j, k]: [Option<u32>; 3],
) -> Option<&'a [u8]> {
    let at = [i?, j?, k? + point.slice];
    Some(texture.image().texel_bytes(level, at))
}

/// Colours times their weights, summed from the first to the last: a product, to which the others are
/// added without a rounding of theirs.
#[inline]
fn sum<const N: usize>(terms: [(Colour, f32); N]) -> Colour {
    let mut terms = terms.into_iter();
    let first = terms
        .next()
        .map(|(colour, weight)| colour.map(|value| value * weight));
    terms.fold(first.unwrap_or_default(), |sum, (colour, weight)| {
        HostLanes::<4>.fma(colour, [weight; 4], sum)
    })
}
