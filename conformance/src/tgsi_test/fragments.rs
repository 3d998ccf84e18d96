//! Shading fragments.

use attila_shader::front::tgsi::{Input, Interpolation, SemanticName};
use attila_shader::machine::{LANES, LaneMask, to_lanes};
use attila_shader::{Bindings, RunError, WideQuadIo};

use super::assembly::Triangle;
use super::raster::{Pixels, Raster};
use super::run::{Picture, Program};

/// The fragments of a triangle.
pub(super) struct Fragments<'a> {
    pub(super) program: &'a Program,
    pub(super) bindings: &'a Bindings<'a>,
    pub(super) triangle: &'a Triangle,
    pub(super) number: u32,
}

impl Fragments<'_> {
    /// Draws it on the targets.
    pub(super) fn draw(
        &self,
        raster: &Raster<'_>,
        targets: &mut [Picture],
    ) -> Result<(), RunError> {
        for row in raster.rows() {
            let pixels = raster.quads(row);
            let quads = pixels
                .iter()
                .map(|pixels| self.quad(pixels, raster.is_front));
            let mut quads: Vec<WideQuadIo> = quads.collect();
            self.program.shader.run_wide(self.bindings, &mut quads)?;
            for (pixels, quad) in pixels.iter().zip(&quads) {
                self.store(pixels, quad, targets);
            }
        }
        Ok(())
    }

    fn quad(&self, pixels: &Pixels, is_front: bool) -> WideQuadIo {
        let mut quad = WideQuadIo::default();
        for &(input, register) in &self.program.translation.inputs {
            let register = usize::from(register);
            let lanes = std::array::from_fn(|lane| {
                self.input(input, register, pixels, lane, is_front)
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
        pixels: &Pixels,
        lane: usize,
        is_front: bool,
    ) -> [u32; 4] {
        let name = match input {
            Input::Semantic(semantic) => semantic.name,
            Input::Attribute(_) => return [0; 4],
        };
        let spot = &pixels.spots[lane];
        if name == SemanticName::Position {
            let [x, y] = pixels.corner.map(|at| at as f32 + 0.5);
            let [z, w] = spot.depth();
            let (right, below) = ((lane % 2) as f32, (lane / 2) as f32);
            return [x + right, y + below, z, w].map(f32::to_bits);
        }
        if name == SemanticName::Face {
            let face = if is_front { 1.0f32 } else { -1.0 };
            return [0, 0, 0, face.to_bits()];
        }
        if name == SemanticName::PrimitiveId {
            return [self.number, 0, 0, 0];
        }
        let corners = self
            .triangle
            .each_ref()
            .map(|corner| corner.outputs[register]);
        match self.interpolation(register) {
            Interpolation::Constant => corners[2],
            kind @ (Interpolation::Linear | Interpolation::Perspective | Interpolation::Color) => {
                std::array::from_fn(|component| {
                    let values = corners.map(|words| f32::from_bits(words[component]));
                    spot.mix(values, kind != Interpolation::Linear).to_bits()
                })
            }
        }
    }

    fn interpolation(&self, register: usize) -> Interpolation {
        let ports = self.program.translation.details.inputs.iter();
        let mut ports = ports.filter(|port| port.register.map(usize::from) == Some(register));
        let port = ports.find_map(|port| port.varying.interpolation);
        port.unwrap_or(Interpolation::Perspective)
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
