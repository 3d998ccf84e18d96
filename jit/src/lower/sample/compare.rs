//! Comparisons of texels with a reference.

use attila_machine::arith::Arith;
use attila_texture::{DepthMode, Storage, Wrap};

use super::{Colour, Point, Sample};
use crate::ir::Value;
use crate::lower::draw::compare_floats;
use crate::sampling::Comparison;

impl Sample<'_> {
    /// The value that texels are compared with, as far as the sampler compares: from 0 to 1 in the depth
    /// modes of OpenGL, unless texels may be above 1.
    pub(super) fn reference(&mut self, given: Option<Value>) -> Option<Value> {
        let (comparison, reference) = (self.how.comparison?, given?);
        let is_limited = match comparison.mode {
            DepthMode::Components => false,
            DepthMode::Luminance | DepthMode::Intensity | DepthMode::Alpha => !comparison.is_wide,
        };
        if !is_limited {
            return Some(reference);
        }
        let (zero, one) = (self.b.f32(0.0), self.b.f32(1.0));
        Some(self.clamp(reference, zero, one))
    }

    /// A texel, or its comparison if the point has a reference: 1 where it holds and 0 where not.
    pub(super) fn compared(&mut self, texel: Colour, point: &Point) -> Colour {
        let (Some(comparison), Some(reference)) = (self.how.comparison, point.reference) else {
            return texel;
        };
        let (zero, one) = (self.b.f32(0.0), self.b.f32(1.0));
        let mut holds = |texel: Value| self.holds(comparison, texel, reference);
        match comparison.mode {
            DepthMode::Components => texel.map(holds),
            DepthMode::Luminance => {
                let value = holds(texel[0]);
                [value, value, value, one]
            }
            DepthMode::Intensity => [holds(texel[0]); 4],
            DepthMode::Alpha => [zero, zero, zero, holds(texel[0])],
        }
    }

    /// 1 where a comparison holds and 0 where not.
    pub(super) fn holds(
        &mut self,
        comparison: Comparison,
        texel: Value,
        reference: Value,
    ) -> Value {
        let (zero, one) = (self.b.f32(0.0), self.b.f32(1.0));
        let holds = compare_floats(self.b, comparison.compare, texel, reference);
        self.b.select(holds, one, zero)
    }

    /// Whether a linear filter needs the texels themselves: each is compared, or has one word that is not all of
    /// its components.
    pub(super) fn needs_texels(&self, point: &Point) -> bool {
        point.reference.is_some() || self.how.storage == Storage::Red32F
    }

    /// Whether margins show only the red of a border whose other components are wanted.
    pub(super) fn misses_border(&self, point: &Point) -> bool {
        let only_red = match self.how.comparison {
            Some(comparison) if point.reference.is_some() => {
                comparison.mode != DepthMode::Components
            }
            Some(_) | None => false,
        };
        self.how.storage == Storage::Red32F && self.has_border() && !only_red
    }

    /// Whether what is outside of the image has the border's colour. Margins have it as a linear filter mixes it.
    pub(super) fn has_border(&self) -> bool {
        let wrap = &self.how.wrap[..self.how.axes()];
        wrap.contains(&Wrap::Clamp) || wrap.contains(&Wrap::ClampToBorder)
    }
}
