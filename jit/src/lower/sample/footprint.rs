//! Anisotropy: the area of the image that a pixel covers, and the samples along its longer side.

use attila_isa::Stage;
use attila_machine::arith::Arith;

use super::lod::Selection;
use super::{Colour, Level, LevelOfDetail, Placed, Point, Request, Sample};
use crate::abi::{LevelField, TextureField};
use crate::ir::{Edge, Terminator, Type, Value};

/// The area of the image that a pixel covers.
pub(super) struct Footprint {
    /// Texels from a sample to the next.
    pub(super) scale: Value,
    /// Samples along the longer side, a whole number from 1 on.
    samples: Value,
    /// From a sample to the next along s and t, in units of the coordinates.
    step: [Value; 2],
}

impl Sample<'_> {
    /// The footprint of each lane, if lanes may take several samples.
    pub(super) fn footprint(&mut self, request: &Request, placed: &Placed) -> Option<Footprint> {
        if !self.how.is_anisotropic {
            return None;
        }
        let movements = match (request.level, request.stage) {
            (LevelOfDetail::Explicit(_), _)
            | (LevelOfDetail::Implicit(_), Stage::Vertex | Stage::Geometry | Stage::Compute) => {
                return None;
            }
            (LevelOfDetail::Gradients(gradients), _) => {
                gradients.map(|change| self.given_movement(change, placed))
            }
            (LevelOfDetail::Implicit(_), Stage::Fragment) => {
                [1, 2].map(|lane| self.movement(placed.derived, lane))
            }
        };
        Some(self.footprint_of(movements))
    }

    /// The movement from lane 0 to another one in texels, in all lanes.
    fn movement(&mut self, derived: [Value; 3], lane: u8) -> [Value; 3] {
        [0, 1, 2].map(|axis| {
            let to_texels = self.field(TextureField::ToTexels { axis });
            let texels = self.b.mul(derived[usize::from(axis)], to_texels);
            let to = self.b.shuffle(texels, [lane; 4]);
            let from = self.b.shuffle(texels, [0; 4]);
            self.b.sub(to, from)
        })
    }

    fn footprint_of(&mut self, [along_x, along_y]: [[Value; 3]; 2]) -> Footprint {
        let (x, y) = (self.length(along_x), self.length(along_y));
        let (longer, shorter) = (self.max(x, y), self.min(x, y));
        let ratio = self.b.div(longer, shorter);
        let most = self.field(TextureField::MaxAnisotropy);
        let ratio = self.min(ratio, most);
        let is_x = self.b.eq(longer, x);
        let samples = self.ceil(ratio);
        let one = self.b.f32(1.0);
        let steps = self.b.add(samples, one);
        let step = [0, 1].map(|axis| {
            let place = usize::from(axis);
            let along = self.b.select(is_x, along_x[place], along_y[place]);
            let step = self.b.div(along, steps);
            let to_texels = self.field(TextureField::ToTexels { axis });
            self.b.div(step, to_texels)
        });
        Footprint {
            scale: self.b.div(longer, ratio),
            samples,
            step,
        }
    }

    /// The average of a footprint's samples, which are added in a loop: until no lane has another one.
    pub(super) fn average(
        &mut self,
        footprint: &Footprint,
        selection: &Selection,
        point: &Point,
    ) -> Colour {
        self.read_ahead(selection.level);
        if let Some(second) = selection.second {
            self.read_ahead(second.level);
        }
        let again = self.b.declare(&[Type::F32; 5]);
        let done = self.b.declare(&[]);
        let one = self.b.f32(1.0);
        // Any first sample stays as it is when it is added to -0.
        let nothing = self.b.f32(-0.0);
        self.b
            .jump(again, vec![one, nothing, nothing, nothing, nothing]);
        self.b.open_successor(again);
        let &[number, r, g, b, a] = self.b.params(again) else {
            unreachable!("it was declared with five parameters");
        };
        let point = self.moved_along(footprint, number, point);
        let colour = self.levels(selection, &point);
        let is_sampled = self.b.le(number, footprint.samples);
        let sums = [r, g, b, a];
        let sums: Colour = std::array::from_fn(|c| {
            let sum = self.b.add(sums[c], colour[c]);
            self.b.select(is_sampled, sum, sums[c])
        });
        let next = self.b.add(number, one);
        let mask = self.b.le(next, footprint.samples);
        let [r, g, b, a] = sums;
        self.b.close(Terminator::Any {
            mask,
            then: Edge {
                block: again,
                args: vec![next, r, g, b, a],
            },
            other: Edge {
                block: done,
                args: Vec::new(),
            },
        });
        self.b.open_successor(done);
        sums.map(|sum| self.b.div(sum, footprint.samples))
    }

    /// The point of a sample: number 1 is the first. A single one is where the point is.
    fn moved_along(&mut self, footprint: &Footprint, number: Value, point: &Point) -> Point {
        let (half, one) = (self.b.f32(0.5), self.b.f32(1.0));
        let steps = self.b.add(footprint.samples, one);
        let middle = self.b.mul(half, steps);
        let offset = self.b.sub(number, middle);
        let is_single = self.b.eq(footprint.samples, one);
        let [s, t, r] = point.coords;
        let [s, t] = [(s, footprint.step[0]), (t, footprint.step[1])].map(|(coord, step)| {
            let distance = self.b.mul(step, offset);
            let moved = self.b.add(coord, distance);
            self.b.select(is_single, coord, moved)
        });
        Point {
            coords: [s, t, r],
            ..*point
        }
    }

    /// Reads the numbers of a level that samples need, which the loop then has.
    fn read_ahead(&mut self, level: Level) {
        for field in [LevelField::Offset, LevelField::Half { axis: 0 }] {
            self.level_field(level, field);
        }
    }
}
