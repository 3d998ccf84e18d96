//! The samples of the pixels: where a domain has them.
//!
//! Everything that queries ask for comes from [`PixelSamples`], which [`Lower::pixel_samples`] makes for the
//! domain; `ops/samples.rs` computes with it and knows no domain.

use attila_isa::Component;
use attila_machine::arith::Arith;
use attila_machine::pipeline::{InputKind, Pipeline};
use attila_machine::{NO_SAMPLE, SAMPLES};

use super::draw::Spot;
use super::{Domain, Lower};
use crate::abi::{DrawField, FragmentField, Slot};
use crate::ir::{Binary, Op, Value};

/// The samples of a quad's pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct PixelSamples {
    /// i32: samples of a pixel.
    pub(super) count: Value,
    /// i32: covered samples, bit n = sample n. Bits past the last sample may be anything.
    pub(super) coverage: Value,
    /// The sample that the program runs for, and the mask of lanes that have one; `None`: it runs for the
    /// whole pixel.
    pub(super) own: Option<(Value, Value)>,
    /// Where their positions are.
    pub(super) positions: Positions,
}

/// Where the positions of samples come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Positions {
    /// The record of the quad.
    Record,
    /// The record of the draw.
    Draw,
    /// The one sample there is lies at the centre.
    Centre,
}

impl Lower<'_> {
    /// The samples of the pixels, wherever the domain has them.
    pub(super) fn pixel_samples(&mut self) -> PixelSamples {
        match self.domain {
            Domain::Io | Domain::ExtendedIo | Domain::State => self.recorded_samples(),
            Domain::Draw(pipeline) => self.drawn_samples(pipeline),
            Domain::Columns(_) => unreachable!("elements have no samples"),
        }
    }

    fn recorded_samples(&mut self) -> PixelSamples {
        let own = self.b.load(Slot::OwnSample);
        let none = self.b.i32(NO_SAMPLE.cast_signed());
        let is_none = self.b.ieq(own, none);
        let exists = self.b.invert(is_none);
        PixelSamples {
            count: self.b.load(Slot::SampleCount),
            coverage: self.b.load(Slot::Coverage),
            own: Some((own, exists)),
            positions: Positions::Record,
        }
    }

    /// Those of the draw; or one sample, covered where the fragment is.
    fn drawn_samples(&mut self, pipeline: &Pipeline) -> PixelSamples {
        if let Some(multisampling) = pipeline.multisampling {
            let all = self.b.i32(multisampling.samples.all() as i32);
            return PixelSamples {
                count: self.b.i32(multisampling.samples.count() as i32),
                coverage: match pipeline.coverage {
                    true => self.b.push(Op::Fragment(FragmentField::Samples), []),
                    false => all,
                },
                own: multisampling.sample_shading.then(|| {
                    let own = self.b.push(Op::Draw(DrawField::OwnIndex), []);
                    (own, self.b.mask(true))
                }),
                positions: Positions::Draw,
            };
        }
        let (zero, one) = (self.b.i32(0), self.b.i32(1));
        let coverage = if pipeline.coverage {
            let covered = Op::Fragment(FragmentField::Coverage);
            let covered = self.b.push(covered, []);
            self.b.iselect(covered, one, zero)
        } else {
            one
        };
        PixelSamples {
            count: one,
            coverage,
            own: None,
            positions: Positions::Centre,
        }
    }

    /// Samples that have a position: as many as the pixel has, or as there is room for.
    pub(super) fn placed_samples(&mut self, samples: &PixelSamples) -> Value {
        let most = self.b.i32(SAMPLES as i32);
        self.b.binary(Binary::Umin, samples.count, most)
    }

    /// The packed positions of the samples that the lanes name; any position where there is no such sample.
    pub(super) fn position_of(&mut self, samples: &PixelSamples, sample: Value) -> Value {
        match samples.positions {
            Positions::Record | Positions::Draw => self.b.push(Op::Position, [sample]),
            Positions::Centre => self.b.i32(0),
        }
    }

    /// Input `reg` of a draw at packed offsets from the centres.
    pub(super) fn varying_at(
        &mut self,
        pipeline: &Pipeline,
        (reg, component): (usize, Component),
        offset: Value,
    ) -> Value {
        let value = |l: &mut Self, offset| l.plane_at(pipeline, (reg, component), offset);
        match pipeline.inputs[reg][component.index()] {
            InputKind::Unused => self.b.f32(0.0),
            InputKind::Position => {
                let centre = self.position(component, Spot::Centre);
                let [x, y] = self.distances(offset);
                let moved = match component {
                    Component::X => x,
                    Component::Y | Component::Z | Component::W => y,
                };
                self.b.add(centre, moved)
            }
            InputKind::Flat | InputKind::Linear => value(self, offset),
            InputKind::Perspective => {
                let over_w = value(self, offset);
                let inverse = self.plane_at(pipeline, (0, Component::W), offset);
                let one = self.b.f32(1.0);
                let w = self.b.div(one, inverse);
                self.b.mul(over_w, w)
            }
            InputKind::Array => unreachable!("a draw with such an input is refused"),
        }
    }

    /// A packed offset in pixels: to the right, and in the raster's direction.
    pub(super) fn distances(&mut self, offset: Value) -> [Value; 2] {
        let left = self.b.shl(offset, 16);
        [left, offset].map(|half| {
            let sixteenths = self.b.shr_s(half, 16);
            let (number, scale) = (self.b.to_f32(sixteenths), self.b.f32(1.0 / 16.0));
            self.b.mul(number, scale)
        })
    }
}
