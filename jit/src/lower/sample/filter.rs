//! From coordinates to a colour: texels mixed within a level and between levels.

use attila_machine::arith::Arith;
use attila_texture::{Coordinates, Filter, Wrap};

use super::lod::Selection;
use super::wrap::Pair;
use super::{Colour, Level, Point, Sample};
use crate::ir::{Op, Value};

impl Sample<'_> {
    /// The sample of one level, or the mix of two.
    pub(super) fn levels(&mut self, selection: &Selection, point: &Point) -> Colour {
        let first = self.first(selection, point);
        let Some(second) = selection.second else {
            return first;
        };
        let one = self.b.f32(1.0);
        let rest = self.b.sub(one, second.weight);
        let other = self.level(self.how.min, second.level, point);
        let mixed = self.mix(first, &[rest], other, &[second.weight]);
        self.choose(second.lanes, mixed, first)
    }

    /// The sample of the selected level, with the filter of each lane.
    fn first(&mut self, selection: &Selection, point: &Point) -> Colour {
        let (mag, min) = (self.how.mag, self.how.min);
        let magnified = self.level(mag, selection.level, point);
        if mag == min {
            return magnified;
        }
        let minified = self.level(min, selection.level, point);
        self.choose(selection.magnified, magnified, minified)
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

    /// The sample of a level.
    pub(super) fn level(&mut self, filter: Filter, level: Level, point: &Point) -> Colour {
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
        let op = Op::Blend(self.texture, self.how.storage, level.alike);
        let pixels = self.b.push(op, [first, pitch, rest_a, a, rest_b, b]);
        self.columns(pixels)
    }

    /// `t00 (1-a) (1-b) + t10 a (1-b) + t01 (1-a) b + t11 a b`, from left to right.
    fn bilinear(&mut self, level: Level, point: &Point, [s, t]: [Pair; 2]) -> Colour {
        let one = self.b.f32(1.0);
        let (a, b) = (s.weight, t.weight);
        let (rest_a, rest_b) = (self.b.sub(one, a), self.b.sub(one, b));
        let mut fetch = |i: usize, j: usize| self.texel(level, point, [s.texels[i], t.texels[j]]);
        let (t00, t10, t01, t11) = (fetch(0, 0), fetch(1, 0), fetch(0, 1), fetch(1, 1));
        let upper = self.mix(t00, &[rest_a, rest_b], t10, &[a, rest_b]);
        let lower_left = self.weighted(t01, &[rest_a, b]);
        let sum = self.add(upper, lower_left);
        let lower_right = self.weighted(t11, &[a, b]);
        self.add(sum, lower_right)
    }

    /// `colour` times one weight after another.
    fn weighted(&mut self, colour: Colour, weights: &[Value]) -> Colour {
        colour.map(|value| {
            weights
                .iter()
                .fold(value, |product, &weight| self.b.mul(product, weight))
        })
    }

    fn add(&mut self, a: Colour, b: Colour) -> Colour {
        std::array::from_fn(|c| self.b.add(a[c], b[c]))
    }

    fn mix(&mut self, a: Colour, a_weights: &[Value], b: Colour, b_weights: &[Value]) -> Colour {
        let (a, b) = (self.weighted(a, a_weights), self.weighted(b, b_weights));
        self.add(a, b)
    }

    /// Per lane `mask ? a : b`.
    fn choose(&mut self, mask: Value, a: Colour, b: Colour) -> Colour {
        std::array::from_fn(|c| self.b.select(mask, a[c], b[c]))
    }
}
