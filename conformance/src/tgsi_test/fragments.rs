//! Shading fragments.

use attila_shader::front::tgsi::{Input, Interpolation, SemanticName};
use attila_shader::isa::Slots;
use attila_shader::machine::{InputSource, LANES, LaneMask, Lanes, QuadReg, from_lanes, to_lanes};
use attila_shader::{Bindings, RunError, WideQuadIo};

use super::assembly::Triangle;
use super::linkage::{Linkage, wrapped};
use super::raster::{Pixels, Raster, Spot};
use super::run::{Picture, Program};

/// The fragments of a triangle.
pub(super) struct Fragments<'a> {
    pub(super) program: &'a Program,
    pub(super) bindings: &'a Bindings<'a>,
    /// The outputs of the program before.
    pub(super) linkage: &'a Linkage,
    pub(super) triangle: &'a Triangle,
    pub(super) number: u32,
}

/// Quads of which inputs are evaluated at other places than the centres of pixels.
struct Elsewhere<'a> {
    fragments: &'a Fragments<'a>,
    raster: &'a Raster<'a>,
    quads: &'a [Pixels],
}

impl InputSource for Elsewhere<'_> {
    fn evaluate(&self, quad: usize, register: u8, offset: Lanes<[i16; 2]>) -> QuadReg {
        let mut inputs = self.fragments.program.translation.inputs.iter();
        let Some((input, _)) = inputs.find(|(_, it)| *it == register) else {
            return QuadReg::default();
        };
        let pixels = &self.quads[quad];
        from_lanes(std::array::from_fn(|lane| {
            let [x, y] = offset[lane].map(|sixteenths| f64::from(sixteenths) / 16.0);
            let [column, row] = pixels.centre(lane);
            let point = [column + x, row + y];
            let (spot, _) = self.raster.spot(point);
            let place = (point, &spot);
            self.fragments
                .input(*input, register.into(), place, self.raster.is_front)
        }))
    }
}

impl Fragments<'_> {
    /// Draws it on the targets.
    pub(super) fn draw(
        &self,
        raster: &Raster<'_>,
        targets: &mut [Picture],
    ) -> Result<(), RunError> {
        for row in raster.rows() {
            let mut pixels = raster.quads(row);
            for quad in &mut pixels {
                self.clip(quad);
            }
            pixels.retain(|quad| !quad.covered.is_empty());
            let quads = pixels
                .iter()
                .map(|pixels| self.quad(pixels, raster.is_front));
            let mut quads: Vec<WideQuadIo> = quads.collect();
            let elsewhere = Elsewhere {
                fragments: self,
                raster,
                quads: &pixels,
            };
            let bindings = self.bindings.clone().with_inputs(&elsewhere);
            self.program.shader.run_wide(&bindings, &mut quads)?;
            for (pixels, quad) in pixels.iter().zip(&quads) {
                self.store(pixels, quad, targets);
            }
        }
        Ok(())
    }

    /// Leaves out the lanes that clip distances do.
    fn clip(&self, quad: &mut Pixels) {
        let keeps = |lane: usize| self.linkage.keeps(self.triangle, &quad.spots[lane]);
        quad.covered &= LaneMask::from_lanes(std::array::from_fn(keeps));
    }

    fn quad(&self, pixels: &Pixels, is_front: bool) -> WideQuadIo {
        let mut quad = WideQuadIo::default();
        for lane in 0..LANES {
            quad.samples.coverage[lane] = pixels.covered.has(lane).into();
        }
        for &(input, register) in &self.program.translation.inputs {
            let register = usize::from(register);
            let lanes = std::array::from_fn(|lane| {
                let place = (pixels.centre(lane), &pixels.spots[lane]);
                self.input(input, register, place, is_front)
                    .map(f32::from_bits)
            });
            quad.set_input(register, lanes);
        }
        quad
    }

    fn input(
        &self,
        input: Input,
        register: usize,
        (point, spot): ([f64; 2], &Spot),
        is_front: bool,
    ) -> [u32; 4] {
        let name = match input {
            Input::Semantic(semantic) => semantic.name,
            Input::Attribute(_) => return [0; 4],
        };
        if name == SemanticName::Position {
            let [x, y] = point.map(|at| at as f32);
            let [z, w] = spot.depth();
            return [x, y, z, w].map(f32::to_bits);
        }
        if name == SemanticName::Face {
            let face = if is_front { 1.0f32 } else { -1.0 };
            return [0, 0, 0, face.to_bits()];
        }
        if name == SemanticName::PrimitiveId {
            return [self.number, 0, 0, 0];
        }
        let source = self.linkage.source(register, is_front);
        let corners = self
            .triangle
            .each_ref()
            .map(|corner| corner.outputs[source]);
        let (interpolation, wraps) = self.interpolation(register);
        match interpolation {
            Interpolation::Constant => corners[2],
            kind @ (Interpolation::Linear | Interpolation::Perspective | Interpolation::Color) => {
                std::array::from_fn(|component| {
                    let values = corners.map(|words| f32::from_bits(words[component]).into());
                    let goes_round = wraps.components().any(|it| it.index() == component);
                    let values = match goes_round {
                        true => wrapped(values),
                        false => values,
                    };
                    spot.mix(values, kind != Interpolation::Linear).to_bits()
                })
            }
        }
    }

    /// The interpolation of an input, and the components that go round a cylinder.
    fn interpolation(&self, register: usize) -> (Interpolation, Slots) {
        let ports = self.program.translation.details.inputs.iter();
        let ports = ports.filter(|port| port.register.map(usize::from) == Some(register));
        let kind = ports.clone().find_map(|port| port.varying.interpolation);
        let wraps = ports.map(|port| port.varying.wraps).collect();
        (kind.unwrap_or(Interpolation::Perspective), wraps)
    }

    fn store(&self, pixels: &Pixels, quad: &WideQuadIo, targets: &mut [Picture]) {
        let to_all = self.program.translation.details.properties.color_to_all;
        let stored: LaneMask = pixels.covered - quad.killed();
        for (number, target) in targets.iter_mut().enumerate() {
            let register = if to_all { 1 } else { 1 + number };
            let written = &self.program.translation.outputs;
            if !written.iter().any(|(_, it)| usize::from(*it) == register) {
                continue;
            }
            let lanes = to_lanes(&quad.outputs[register]);
            for lane in (0..LANES).filter(|lane| stored.has(*lane)) {
                let [x, y] = pixels.corner;
                let place = [x + lane as u32 % 2, y + lane as u32 / 2];
                let place = target.place(place);
                target.words[place] = target.format.stored(lanes[lane]);
            }
        }
    }
}
