//! Gathers, and the level of detail for its own sake (textures.md 2).

use attila_isa::Component;
use attila_machine::arith::Arith;
use attila_texture::Storage;

use super::filter::at_corner;
use super::lod::Selection;
use super::{Colour, Level, Point, Request, Sample};
use crate::abi::TextureField;
use crate::ir::Value;

/// The four texels, as a linear filter counts them, in the order of a gather's results: t01, t11, t10, t00.
const ORDER: [usize; 4] = [2, 3, 1, 0];

impl Sample<'_> {
    /// A component of each of the four texels that a linear filter would mix on the base level; 0 on images that do
    /// not have two axes.
    pub(in crate::lower) fn gather(&mut self, request: &Request, component: Component) -> Colour {
        if self.how.axes() != 2 {
            return [self.b.f32(0.0); 4];
        }
        let point = self.place(request).point;
        let level = self.base_level();
        let point = self.moved(level, &point);
        let compared = self.how.comparison.zip(point.reference);
        let component = match compared {
            Some(_) => Component::X,
            None => component,
        };
        let texels = if self.has_margins() && !self.has_border() {
            self.texels_beside(level, &point, component)
        } else {
            self.texels_anywhere(level, &point)
        };
        ORDER.map(|corner| {
            let value = texels[corner][component.index()];
            match compared {
                Some((comparison, reference)) => self.holds(comparison, value, reference),
                None => self.plain(texels[corner])[component.index()],
            }
        })
    }

    /// Four texels in the image or its margins, of which one component is right.
    fn texels_beside(&mut self, level: Level, point: &Point, component: Component) -> [Colour; 4] {
        let (first, _) = self.first_corner(level, point);
        match self.how.storage {
            Storage::Rgba8 | Storage::Red32F => {
                let words = self.words_of_four(level, first, Component::X);
                words.map(|word| self.colour_of(word))
            }
            Storage::Rgba32F => {
                let words = self.words_of_four(level, first, component);
                words.map(|number| self.divided([number; 4]))
            }
        }
    }

    /// Four texels, wherever they are.
    fn texels_anywhere(&mut self, level: Level, point: &Point) -> [Colour; 4] {
        let pairs = self.along(
            |sample, axis, coord| sample.linear(level, axis, coord),
            point,
        );
        [0, 1, 2, 3].map(|corner| self.uncompared(level, point, &at_corner(&pairs, corner)))
    }

    /// The level that a sample would have, counted from the base level, and the level of detail before it is limited.
    pub(in crate::lower) fn levels_of(&mut self, request: &Request) -> Colour {
        let placed = self.place(request);
        let footprint = self.footprint(request, &placed);
        let unlimited = self.unlimited_level_of_detail(request, &placed, footprint.as_ref());
        let lod = self.limited(unlimited);
        let selection = self.select(lod);
        let position = self.position(&selection);
        let base = self.field(TextureField::BaseLevel);
        let base = self.b.to_f32(base);
        let zero = self.b.f32(0.0);
        [self.b.sub(position, base), unlimited, zero, zero]
    }

    /// The level of a selection, and what is mixed in as a fraction.
    fn position(&mut self, selection: &Selection) -> Value {
        let Level(first) = selection.level;
        let level = self.b.to_f32(first);
        let Some(second) = selection.second else {
            return level;
        };
        let Level(next) = second.level;
        let is_other = self.b.ilt(first, next);
        let mixes = self.b.both(second.lanes, is_other);
        let zero = self.b.f32(0.0);
        let weight = self.b.select(mixes, second.weight, zero);
        self.b.add(level, weight)
    }
}
