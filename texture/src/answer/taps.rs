//! [`Tap`]: the texels that a query takes, with their weights, for people who look at a lookup.

use std::array::from_fn;

use attila_isa::Component;
use attila_machine::{Lanes, Lookup, TextureQuery};

use super::lane_of;
use crate::dimension::AxisCount;
use crate::filter::{Colour, Point};
use crate::lod::{Footprint, Selection};
use crate::sampler::Filter;
use crate::texture::Texture;

/// A texel that a lane's lookup takes.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Tap {
    /// The level of the image.
    pub level: usize,
    /// Column, row and slice: a layer, a face, six for each cube, or a sample of a layer. `None` is the border.
    pub texel: Option<[u32; 3]>,
    /// Its part in the answer. Those of a sample add up to 1, but for rounding; a gather takes one component of each
    /// texel, with the weight 1.
    pub weight: f32,
    /// Its colour, before filtering, as the answer has it: compared if texels are compared.
    pub colour: [f32; 4],
}

impl Texture {
    /// The texels that the lanes of a query take, in the order in which they are mixed. None for what is answered
    /// without looking at a texel. The query's unit does not matter.
    pub fn taps(&self, query: &TextureQuery) -> Lanes<Vec<Tap>> {
        if !query.target.reads(self.image().dimension().kind()) {
            return Lanes::default();
        }
        match &query.lookup {
            Lookup::Sample {
                coords,
                level,
                reference,
                offset,
                ..
            } if self.is_sampled() => {
                let points = self.points(query.target, coords, *reference, offset.as_ref());
                let footprints = self.footprints(level, query.stage, coords, &points.placed);
                let given = level.given().unwrap_or_default();
                from_fn(|lane| {
                    let footprint = footprints.of(lane);
                    let selection = self.selection(footprint, given[lane]);
                    self.footprint_taps(footprint, &selection, &points.of(lane))
                })
            }
            Lookup::Gather {
                coords,
                component,
                reference,
                offset,
            } if self.is_sampled() && self.axis_count() == AxisCount::Two => {
                let points = self.points(query.target, coords, *reference, offset.as_ref());
                from_fn(|lane| self.gather_taps(*component, &points.of(lane)))
            }
            Lookup::Fetch { at, offset } => from_fn(|lane| {
                let offset = offset.map_or([0; 3], |offset| lane_of(&offset, lane));
                let place = self.fetched_place(lane_of(at, lane), offset);
                let tap = place.map(|(level, texel)| self.tap((level, Some(texel)), 1.0, None));
                tap.into_iter().collect()
            }),
            Lookup::Sample { .. }
            | Lookup::Gather { .. }
            | Lookup::LevelOfDetail { .. }
            | Lookup::Size { .. }
            | Lookup::Samples => Lanes::default(),
        }
    }

    fn footprint_taps(
        &self,
        footprint: &Footprint,
        selection: &Selection,
        point: &Point,
    ) -> Vec<Tap> {
        let samples = match footprint.samples {
            // The step of a single sample is not looked at.
            1 => vec![*point],
            count => {
                let ([s, t, r], [ds, dt]) = (point.coords, footprint.step);
                let sample = |index: u32| {
                    let offset = footprint.offset(index);
                    let coords = [s + ds * offset, t + dt * offset, r];
                    Point { coords, ..*point }
                };
                (0..count).map(sample).collect()
            }
        };
        let part = 1.0 / samples.len() as f32;
        let levels = match selection.second {
            None => vec![(selection.level, part)],
            Some((second, weight)) => vec![
                (selection.level, (1.0 - weight) * part),
                (second, weight * part),
            ],
        };
        let samples = samples.iter();
        let taps = samples.flat_map(|point| levels.iter().map(move |level| (point, level)));
        let taps = taps.flat_map(|(point, &(level, weight))| {
            self.level_taps((level, selection.filter), weight, point)
        });
        taps.collect()
    }

    /// The texels that a filter takes on a level.
    fn level_taps(&self, (level, filter): (usize, Filter), weight: f32, point: &Point) -> Vec<Tap> {
        let axes = self.axes(level);
        let point = point.on(axes);
        let count = match self.axis_count() {
            AxisCount::One => 1,
            AxisCount::Two => 2,
            AxisCount::Three => 3,
        };
        // One texel along an axis, or two.
        let along: [Vec<(Option<u32>, f32)>; 3] = from_fn(|axis| match filter {
            _ if axis >= count => vec![(Some(0), 1.0)],
            Filter::Nearest => vec![(axes[axis].nearest(point.coords[axis]), 1.0)],
            Filter::Linear => {
                let pair = axes[axis].linear(point.coords[axis]);
                let [near, far] = pair.texels;
                vec![(near, 1.0 - pair.weight), (far, pair.weight)]
            }
        });
        let mut taps = Vec::new();
        for (k, c) in &along[2] {
            for (j, b) in &along[1] {
                for (i, a) in &along[0] {
                    let texel = self.texel_at([*i, *j, *k], &point);
                    taps.push(self.tap((level, texel), a * b * c * weight, point.reference));
                }
            }
        }
        taps
    }

    fn gather_taps(&self, component: Component, point: &Point) -> Vec<Tap> {
        let level = self.sampler().base_level;
        let axes = self.axes(level);
        let point = point.on(axes);
        let [s, t] = [0, 1].map(|axis| axes[axis].linear(point.coords[axis]).texels);
        let taps = [(0, 1), (1, 1), (1, 0), (0, 0)].map(|(i, j)| {
            let texel = self.texel_at([s[i], t[j], Some(0)], &point);
            let mut tap = self.tap((level, texel), 1.0, point.reference);
            // A comparison is the answer for every component.
            let bytes = texel.map(|at| self.image().texel_bytes(level, at));
            let conversion = self.conversion();
            tap.colour[component.index()] = conversion.component(bytes, component, point.reference);
            tap
        });
        taps.to_vec()
    }

    fn texel_at(&self, [i, j, k]: [Option<u32>; 3], point: &Point) -> Option<[u32; 3]> {
        Some([i?, j?, k? + point.slice])
    }

    fn tap(
        &self,
        (level, texel): (usize, Option<[u32; 3]>),
        weight: f32,
        reference: Option<f32>,
    ) -> Tap {
        let conversion = self.conversion();
        let colour: Colour = match texel {
            Some(at) => conversion.texel(self.image().texel_bytes(level, at), reference),
            None => conversion.border(reference),
        };
        Tap {
            level,
            texel,
            weight,
            colour,
        }
    }
}
