//! From coordinates to a colour: texels mixed within a level and between levels.

use attila_machine::arith::Arith;
use attila_texture::{Coordinates, Filter, Wrap};

use super::lod::{Second, Selection};
use super::wrap::Pair;
use super::{Colour, Level, Point, Sample};
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
    fn moved(&mut self, level: Level, point: &Point) -> Point {
        let Some(offset) = point.offset else {
            return *point;
        };
        let coords = [0, 1].map(|axis| {
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
        let [s, t] = point.coords;
        match filter {
            Filter::Nearest => {
                let at = [self.nearest(level, 0, s), self.nearest(level, 1, t)];
                self.texel(level, point, at)
            }
            Filter::Linear if self.has_margins() => self.blended(level, point),
            Filter::Linear => {
                let pairs = [self.linear(level, 0, s), self.linear(level, 1, t)];
                self.bilinear(level, point, pairs)
            }
        }
    }

    /// Whether all texels that a linear filter asks for are in the image or its margins: what
    /// comes of texel coordinates that repeat may be rounded by any number of texels.
    fn has_margins(&self) -> bool {
        match self.how.coordinates {
            Coordinates::Normalised => true,
            Coordinates::Texels => !self.how.wrap.contains(&Wrap::Repeat),
        }
    }

    /// A linear filter's sample of a level, with what is outside taken from the margins.
    fn blended(&mut self, level: Level, point: &Point) -> Colour {
        let [s, t] = point.coords;
        let ([i, a], [j, b]) = (
            self.first_of_two(level, 0, s),
            self.first_of_two(level, 1, t),
        );
        let one = self.b.f32(1.0);
        let (rest_a, rest_b) = (self.b.sub(one, a), self.b.sub(one, b));
        let (first, pitch) = (self.index(level, point.slice, [i, j]), self.pitch(level));
        let weights = self.weights([[rest_a, a], [rest_b, b]]);
        let op = Op::Blend(self.texture, self.how.storage, level.alike);
        let [w00, w10, w01, w11] = weights;
        let pixels = self.b.push(op, [first, pitch, w00, w10, w01, w11]);
        self.columns(pixels)
    }

    /// The weights of four texels, by those along s and t.
    fn weights(&mut self, [[s0, s1], [t0, t1]]: [[Value; 2]; 2]) -> [Value; 4] {
        [(s0, t0), (s1, t0), (s0, t1), (s1, t1)].map(|(s, t)| self.b.mul(s, t))
    }

    /// The four texels around a point, which may be anywhere.
    fn bilinear(&mut self, level: Level, point: &Point, [s, t]: [Pair; 2]) -> Colour {
        let one = self.b.f32(1.0);
        let along = [s.weight, t.weight].map(|weight| [self.b.sub(one, weight), weight]);
        let weights = self.weights(along);
        let texels = [(0, 0), (1, 0), (0, 1), (1, 1)];
        let texels = texels.map(|(i, j)| self.numerators(level, point, [s.texels[i], t.texels[j]]));
        let terms: [_; 4] = std::array::from_fn(|n| (texels[n], weights[n]));
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
