//! From coordinates to a colour: texels mixed within a level and between levels.

use attila_isa::Component;
use attila_machine::arith::Arith;
use attila_texture::{Coordinates, Filter, Storage, Wrap};
use smallvec::SmallVec;

use super::lod::{Second, Selection};
use super::wrap::{Pair, Texel};
use super::{Colour, Level, Point, Sample};
use crate::abi::LevelField;
use crate::ir::{Op, Value};

impl Sample<'_> {
    /// The sample of one level, or the mix of two, with the filter of each lane.
    pub(super) fn levels(&mut self, selection: &Selection, point: &Point) -> Colour {
        let (mag, min) = (self.how.mag, self.how.min);
        let first = self.level(min, selection.level, point);
        let minified = self.mix(first, min, selection.second, point);
        if mag == min {
            return minified;
        }
        let magnified = self.level(mag, selection.level, point);
        let magnified = self.finished(mag, magnified);
        self.choose(selection.magnified, magnified, minified)
    }

    /// The sample of the first level, with the second mixed in.
    fn mix(
        &mut self,
        first: Colour,
        filter: Filter,
        second: Option<Second>,
        point: &Point,
    ) -> Colour {
        let Some(second) = second else {
            return self.finished(filter, first);
        };
        let one = self.b.f32(1.0);
        let rest = self.b.sub(one, second.weight);
        let other = self.level(filter, second.level, point);
        let mixed = self.sum(&[(first, rest), (other, second.weight)]);
        let numerators = self.choose(second.lanes, mixed, first);
        self.finished(filter, numerators)
    }

    /// The sample of a level that nothing is mixed into.
    pub(super) fn level_alone(&mut self, filter: Filter, level: Level, point: &Point) -> Colour {
        let sample = self.level(filter, level, point);
        self.finished(filter, sample)
    }

    /// The colour of a filter's samples.
    fn finished(&mut self, filter: Filter, sample: Colour) -> Colour {
        match filter {
            Filter::Nearest => sample,
            Filter::Linear => self.mixed(sample),
        }
    }

    /// The point on a level: its offset is part of the coordinates.
    pub(super) fn moved(&mut self, level: Level, point: &Point) -> Point {
        let Some(offset) = point.offset else {
            return *point;
        };
        let coords = [0, 1, 2].map(|axis| {
            if usize::from(axis) >= self.how.axes() {
                return point.coords[usize::from(axis)];
            }
            let texels = self.b.to_f32(offset[usize::from(axis)]);
            let unit = self.texels_of_unit(level, axis);
            let distance = self.b.div(texels, unit);
            self.b.add(point.coords[usize::from(axis)], distance)
        });
        Point {
            coords,
            offset: None,
            ..*point
        }
    }

    /// The sample of a level. By a linear filter, it is not yet divided.
    fn level(&mut self, filter: Filter, level: Level, point: &Point) -> Colour {
        let point = &self.moved(level, point);
        match filter {
            Filter::Nearest => {
                let at = self.along(
                    |sample, axis, coord| sample.nearest(level, axis, coord),
                    point,
                );
                self.texel(level, point, &at)
            }
            Filter::Linear if self.has_margins() && !self.needs_texels(point) => {
                self.blended(level, point)
            }
            Filter::Linear if self.has_margins() && !self.misses_border(point) => {
                self.beside(level, point)
            }
            Filter::Linear => {
                let pairs = self.along(
                    |sample, axis, coord| sample.linear(level, axis, coord),
                    point,
                );
                self.gathered(level, point, &pairs)
            }
        }
    }

    /// A step for each axis of the image.
    pub(super) fn along<T>(
        &mut self,
        mut step: impl FnMut(&mut Self, u8, Value) -> T,
        point: &Point,
    ) -> SmallVec<[T; 3]> {
        let coords = point.coords.into_iter().take(self.how.axes());
        (0..)
            .zip(coords)
            .map(|(axis, coord)| step(self, axis, coord))
            .collect()
    }

    /// Whether all texels that a linear filter asks for are in the image or its margins: what
    /// comes of texel coordinates that repeat may be rounded by any number of texels.
    pub(super) fn has_margins(&self) -> bool {
        match self.how.coordinates {
            Coordinates::Normalised => true,
            Coordinates::Texels => !self.how.wrap.contains(&Wrap::Repeat),
        }
    }

    /// The first texel that a linear filter asks for, and the weights of all.
    fn corners(&mut self, level: Level, point: &Point) -> (Value, SmallVec<[Value; 8]>) {
        let (first, along) = self.first_corner(level, point);
        (first, self.weights(along.into_iter()))
    }

    /// The first texel that a linear filter asks for, and the weight of the second one along each axis.
    pub(super) fn first_corner(
        &mut self,
        level: Level,
        point: &Point,
    ) -> (Value, SmallVec<[Value; 3]>) {
        let pairs = self.along(
            |sample, axis, coord| sample.first_of_two(level, axis, coord),
            point,
        );
        let first: SmallVec<[Value; 3]> = pairs.iter().map(|&[first, _]| first).collect();
        let first = self.index(level, point.slice, &first);
        (first, pairs.iter().map(|&[_, weight]| weight).collect())
    }

    /// A linear filter's sample of a level, with what is outside taken from the margins.
    fn blended(&mut self, level: Level, point: &Point) -> Colour {
        let (first, weights) = self.corners(level, point);
        let pitch = self.pitch(level);
        let (storage, alike) = (self.how.storage, self.b.is_alike(pitch));
        let mut near = SmallVec::<[Value; 10]>::from_slice(&[first, pitch]);
        near.extend(weights.iter().copied().take(4));
        if let [_, _] = weights[..] {
            // The row below has zeros. Their product is -0, to which any sum is itself.
            let nothing = self.b.f32(-1.0);
            near.extend([nothing; 2]);
        }
        let op = Op::Blend(self.texture, storage, alike);
        let mut pixels = self.b.push(op, &near[..]);
        if let Some(weights @ [_, ..]) = weights.get(4..) {
            let slice = self.level_field(level, LevelField::Slice);
            let behind = self.b.iadd(first, slice);
            let mut far = SmallVec::<[Value; 10]>::from_slice(&[behind, pitch]);
            far.extend_from_slice(weights);
            far.extend(self.parts(pixels));
            let op = Op::BlendOnto(self.texture, storage, alike);
            pixels = self.b.push(op, &far[..]);
        }
        self.columns(pixels)
    }

    /// The same of texels that are compared, or have one word, before they are mixed.
    fn beside(&mut self, level: Level, point: &Point) -> Colour {
        let (first, weights) = self.corners(level, point);
        let texels = match self.how.storage {
            Storage::Rgba8 | Storage::Red32F if weights.len() > 2 => {
                self.by_fours(level, first, weights.len())
            }
            Storage::Rgba8 | Storage::Red32F | Storage::Rgba32F => {
                self.one_by_one(level, first, weights.len())
            }
        };
        let terms = texels.into_iter().zip(weights);
        let terms = terms.map(|(texel, weight)| (self.compared(texel, point), weight));
        let terms: SmallVec<[_; 8]> = terms.collect();
        self.sum(&terms)
    }

    /// So many texels as a linear filter mixes them, each four in one layer.
    fn by_fours(&mut self, level: Level, first: Value, texels: usize) -> SmallVec<[Colour; 8]> {
        let mut layers = SmallVec::<[Value; 2]>::from_slice(&[first]);
        if texels > 4 {
            let slice = self.level_field(level, LevelField::Slice);
            layers.push(self.b.iadd(first, slice));
        }
        let mut numerators = SmallVec::new();
        for first in layers {
            let words = self.words_of_four(level, first, Component::X);
            numerators.extend(words.map(|word| self.numerators_of(word)));
        }
        numerators
    }

    /// The same, each by itself.
    fn one_by_one(&mut self, level: Level, first: Value, texels: usize) -> SmallVec<[Colour; 8]> {
        let mut steps = SmallVec::<[Value; 3]>::from_slice(&[self.b.i32(1)]);
        if texels > 2 {
            steps.push(self.pitch(level));
        }
        if texels > 4 {
            steps.push(self.level_field(level, LevelField::Slice));
        }
        let numerators = (0..texels).map(|corner| {
            let steps = steps.iter().enumerate();
            let index = steps.fold(first, |index, (axis, &step)| match corner >> axis & 1 {
                0 => index,
                _ => self.b.iadd(index, step),
            });
            self.numerators_at(index)
        });
        numerators.collect()
    }

    /// A word of each of four texels.
    pub(super) fn words_of_four(
        &mut self,
        level: Level,
        first: Value,
        word: Component,
    ) -> [Value; 4] {
        let pitch = self.pitch(level);
        let alike = self.b.is_alike(pitch);
        let op = Op::Gather(self.texture, self.how.storage, word, alike);
        let four = self.b.push(op, [first, pitch]);
        self.parts(four)
    }

    /// The weights of the texels around a point, by those along each axis. The first axis is the fastest.
    fn weights(&mut self, along: impl Iterator<Item = Value>) -> SmallVec<[Value; 8]> {
        let one = self.b.f32(1.0);
        let mut weights = SmallVec::<[Value; 8]>::new();
        for weight in along {
            let rest = self.b.sub(one, weight);
            if weights.is_empty() {
                weights.extend([rest, weight]);
                continue;
            }
            let before = std::mem::take(&mut weights);
            for side in [rest, weight] {
                weights.extend(before.iter().map(|&product| self.b.mul(product, side)));
            }
        }
        weights
    }

    /// A linear filter's sample of a level, texel by texel, wherever they are.
    fn gathered(&mut self, level: Level, point: &Point, pairs: &[Pair]) -> Colour {
        let weights = self.weights(pairs.iter().map(|pair| pair.weight));
        let terms = weights.into_iter().enumerate().map(|(corner, weight)| {
            let at = at_corner(pairs, corner);
            (self.numerators(level, point, &at), weight)
        });
        let terms: SmallVec<[_; 8]> = terms.collect();
        self.sum(&terms)
    }

    /// Colours times their weights, summed from the first to the last.
    fn sum(&mut self, terms: &[(Colour, Value)]) -> Colour {
        std::array::from_fn(|c| {
            let mut products = terms.iter();
            let first = products
                .next()
                .map(|(colour, weight)| self.b.mul(colour[c], *weight));
            let first = first.unwrap_or_else(|| self.b.f32(0.0));
            products.fold(first, |sum, (colour, weight)| {
                self.b.fma(colour[c], *weight, sum)
            })
        })
    }

    /// Per lane `mask ? a : b`.
    fn choose(&mut self, mask: Value, a: Colour, b: Colour) -> Colour {
        std::array::from_fn(|c| self.b.select(mask, a[c], b[c]))
    }
}

/// The texels along each axis at a corner, whose bit n is the side along axis n.
pub(super) fn at_corner(pairs: &[Pair], corner: usize) -> SmallVec<[Texel; 3]> {
    let pairs = pairs.iter().enumerate();
    pairs
        .map(|(axis, pair)| pair.texels[corner >> axis & 1])
        .collect()
}
