//! The outputs of the program before the fragment program that decide what is drawn, and with what.

use attila_shader::front::tgsi::{Semantic, SemanticName};
use attila_shader::isa::{Component, Slots};

use super::assembly::Triangle;
use super::raster::Spot;
use super::run::Program;

/// The distance from the register of a colour to that of the back's.
const TO_BACK: usize = 2;

/// The outputs of a program that comes before the fragment program.
pub(super) struct Linkage {
    clip: Vec<(usize, Component)>,
    cull: Vec<(usize, Component)>,
    /// The registers of colours of the back.
    backs: Vec<usize>,
}

impl Linkage {
    pub(super) fn new(program: &Program) -> Linkage {
        let details = &program.translation.details;
        let each = |all: Vec<(usize, Slots)>| -> Vec<(usize, Component)> {
            let all = all.into_iter();
            all.flat_map(|(register, slots)| slots.components().map(move |it| (register, it)))
                .collect()
        };
        let written = program.translation.outputs.iter();
        let backs = written.filter(|(semantic, _)| semantic.name == SemanticName::BackColor);
        Linkage {
            clip: each(details.clip_distances()),
            cull: each(details.cull_distances()),
            backs: backs.map(|(_, register)| usize::from(*register)).collect(),
        }
    }

    /// Whether a cull distance is below 0, or NaN, at all corners.
    pub(super) fn culls(&self, triangle: &Triangle) -> bool {
        self.cull.iter().any(|place| {
            let distances = at(*place, triangle);
            distances
                .iter()
                .all(|distance| *distance < 0.0 || distance.is_nan())
        })
    }

    /// Whether no clip distance is below 0, or NaN, at a place of the triangle.
    pub(super) fn keeps(&self, triangle: &Triangle, spot: &Spot) -> bool {
        let mut distances = self.clip.iter().map(|place| at(*place, triangle));
        distances.all(|distances| spot.mix(distances.map(f64::from), true) >= 0.0)
    }

    /// The register of which an input of a triangle is made.
    pub(super) fn source(&self, register: usize, is_front: bool) -> usize {
        let is_colour = register == 1 || register == 2;
        let back = register + TO_BACK;
        match is_colour && !is_front && self.backs.contains(&back) {
            true => back,
            false => register,
        }
    }
}

fn at((register, component): (usize, Component), triangle: &Triangle) -> [f32; 3] {
    let corners = triangle.each_ref();
    corners.map(|corner| f32::from_bits(corner.outputs[register][component.index()]))
}

/// Outputs without an effect that no draw needs: points have their size, and triangles are filled.
const UNNEEDED: [SemanticName; 2] = [SemanticName::PointSize, SemanticName::EdgeFlag];

/// The output of a program that a draw would have to act on and does not, with the reason.
pub(super) fn missing(program: &Program) -> Option<(Semantic, &'static str)> {
    let written = &program.translation.outputs;
    let mut all = program.translation.details.without_effect();
    all.find(|(semantic, _)| {
        !UNNEEDED.contains(&semantic.name) && written.iter().any(|(output, _)| output == semantic)
    })
}

/// Values that go round a cylinder: each comes as near to the greatest as whole numbers bring it.
pub(super) fn wrapped(values: [f64; 3]) -> [f64; 3] {
    let greatest = values.into_iter().fold(f64::NEG_INFINITY, f64::max);
    values.map(|value| {
        let mut nearest = value;
        let distance = greatest - value;
        if distance.is_finite() {
            nearest += distance.floor();
            if greatest - nearest > 0.5 {
                nearest += 1.0;
            }
        }
        nearest
    })
}
