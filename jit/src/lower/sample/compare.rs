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
            DepthMode::Luminance | DepthMode::Intensity | DepthMode::Alpha => {
                !comparison.exceeds_one
            }
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
            return self.plain(texel);
        };
        if comparison.mode == DepthMode::Components {
            return texel.map(|texel| self.holds(comparison, texel, reference));
        }
        let value = self.holds(comparison, texel[0], reference);
        self.in_mode(comparison, value, texel)
    }

    /// A texel that is not compared: a depth as the sampler's mode has it. Without a comparison, texels have been
    /// decoded as such.
    pub(super) fn plain(&mut self, texel: Colour) -> Colour {
        match self.how.comparison {
            Some(comparison) if comparison.is_depth => self.in_mode(comparison, texel[0], texel),
            Some(_) | None => texel,
        }
    }

    fn in_mode(&mut self, comparison: Comparison, value: Value, texel: Colour) -> Colour {
        let (zero, one) = (self.b.f32(0.0), self.b.f32(1.0));
        comparison.mode.colour(value, zero, one).unwrap_or(texel)
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

    /// Whether a lookup outside of the image needs components of the border's colour that margins lack. Margins of an image
    /// with red alone hold the border's red alone.
    pub(super) fn misses_border(&self, point: &Point) -> bool {
        let only_red = match self.how.comparison {
            Some(comparison) if point.reference.is_some() || comparison.is_depth => {
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
