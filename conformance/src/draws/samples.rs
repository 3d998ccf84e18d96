//! The samples of a draw's pixels.

use attila_scene::fields;
use attila_scene::line::{Field, Line, Read, Words};
use attila_shader::draw::{Buffer, Draw, Location, PixelFormat, SampleQuad};
use attila_shader::isa::{INPUTS, Inputs};
use attila_shader::machine::pipeline::InputKind;
use attila_shader::machine::{LaneMask, SAMPLES, SampleCount};

use super::case::DrawCase;
use crate::dice::Dice;

/// The samples of pixels, and everything that a draw is told about them.
#[derive(Clone, PartialEq, Debug)]
pub struct SampleCase {
    /// Samples that targets store.
    pub count: SampleCount,
    /// Where they are; empty: at the standard positions.
    pub positions: Vec<[i8; 2]>,
    /// Whether the program runs for each.
    pub shading: bool,
    /// Those that may be drawn to.
    pub mask: u32,
    /// Whether alpha chooses some.
    pub alpha_to_coverage: bool,
    /// Samples for coverage alone.
    pub raster: Option<SampleCount>,
    /// Where inputs are evaluated.
    pub locations: Inputs<Location>,
    /// How planes are lent.
    pub planes: Planes,
}

/// The planes of samples in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Planes {
    /// One after another, with so many bytes between.
    Joined(usize),
    /// Each a piece of memory of its own.
    Separate,
}

impl Default for SampleCase {
    fn default() -> Self {
        SampleCase {
            count: SampleCount::One,
            positions: Vec::new(),
            shading: false,
            mask: u32::MAX,
            alpha_to_coverage: false,
            raster: None,
            locations: Inputs::default(),
            planes: Planes::Joined(0),
        }
    }
}

pub(super) const STATE: &[Field<SampleCase>] = fields! {
    samples: count,
    positions: positions,
    shading: shading,
    mask: mask,
    coverage: alpha_to_coverage,
    raster: raster,
    planes: planes,
};

/// The bytes between, or `separate`.
impl Words for Planes {
    fn words(&self) -> String {
        match self {
            Planes::Joined(gap) => gap.to_string(),
            Planes::Separate => "separate".to_owned(),
        }
    }

    fn read(line: &mut Line<'_>) -> Read<Planes> {
        let word = line.word()?;
        if word == "separate" {
            return Ok(Planes::Separate);
        }
        let gap = word.parse().ok().filter(|gap| *gap <= 1024);
        let gap = gap.ok_or_else(|| format!("`{word}` is not `separate` or up to 1024 bytes"));
        gap.map(Planes::Joined)
    }
}

impl SampleCase {
    /// Tells a draw all of it but the locations.
    pub(super) fn set<'a>(&self, mut draw: Draw<'a>) -> Draw<'a> {
        if !self.positions.is_empty() {
            draw = draw.sample_positions(&self.positions);
        }
        if let Some(samples) = self.raster {
            draw = draw.raster_samples(samples);
        }
        draw.sample_shading(self.shading)
            .sample_mask(self.mask)
            .alpha_to_coverage(self.alpha_to_coverage)
    }

    /// The buffer of a target whose planes have `plane` bytes each.
    pub(super) fn buffer<'a, F: PixelFormat>(
        &self,
        (format, [width, height]): (F, [u32; 2]),
        (pitch, plane): (usize, usize),
        (bytes, from): (&'a mut [u8], usize),
    ) -> Buffer<'a, F> {
        let buffer = match self.planes {
            Planes::Joined(gap) => Buffer::new(format, width, height, &mut bytes[from..])
                .with_samples(self.count)
                .with_sample_pitch(plane + gap),
            Planes::Separate => {
                let planes = bytes.chunks_mut(plane.max(1));
                let planes = planes.map(|plane| &mut plane[from..]);
                Buffer::from_planes(format, width, height, planes)
            }
        };
        buffer.with_pitch(pitch)
    }

    /// Bytes between planes.
    pub(super) fn gap(&self) -> usize {
        match self.planes {
            Planes::Joined(gap) => gap,
            Planes::Separate => 0,
        }
    }

    /// Whether every engine draws with it.
    pub(super) fn is_drawn(&self, case: &DrawCase) -> bool {
        let samples = self.raster.unwrap_or(self.count);
        let places = self.positions.len();
        let inside = |at: &i8| (-8..=7).contains(at);
        let fits = places == 0 || places == samples.count();
        let of_sample = self.locations.contains(&Location::Sample);
        let alone =
            case.depth.is_none() && self.count == SampleCount::One && !self.shading && !of_sample;
        let evaluated = case.shaded.program.usage().evaluated;
        let arrays = evaluated.iter().zip(&case.kinds).any(|(slots, kinds)| {
            let mut components = slots.components();
            components.any(|component| kinds[component.index()] == InputKind::Array)
        });
        fits && !arrays
            && self.positions.as_flattened().iter().all(inside)
            && (self.raster.is_none() || alone)
    }
}

/// Random samples, mostly one for each pixel.
pub(super) fn samples(dice: &mut Dice<'_>, has_depth: bool) -> SampleCase {
    let mut case = SampleCase::default();
    if dice.percent(50) {
        return case;
    }
    case.count = dice.pick(&SampleCount::ALL);
    if !has_depth && dice.percent(15) {
        case.count = SampleCount::One;
        case.raster = Some(dice.pick(&SampleCount::ALL));
    }
    let samples = case.raster.unwrap_or(case.count);
    if dice.percent(40) {
        let position = |_| [(); 2].map(|()| dice.between(-8, 7) as i8);
        case.positions = (0..samples.count()).map(position).collect();
    }
    if case.raster.is_none() {
        case.shading = dice.percent(25);
    }
    if dice.percent(20) {
        case.mask = dice.word() | dice.word();
    }
    case.alpha_to_coverage = dice.percent(20);
    if dice.percent(50) {
        let all = [Location::Centre, Location::Centroid, Location::Sample];
        let sample = u8::from(case.raster.is_none());
        let locations = (0..INPUTS).map(|_| dice.weighted(&[(8, 0), (6, 1), (sample, 2)]));
        let locations: Vec<usize> = locations.collect();
        case.locations = Inputs::from_fn(|register| all[locations[register]]);
    }
    case.planes = dice.pick(&[
        Planes::Joined(0),
        Planes::Joined(0),
        Planes::Joined(5),
        Planes::Joined(48),
        Planes::Separate,
    ]);
    case
}

/// Coverage of a quad: whole lanes, or some samples of each.
pub(super) fn coverage(dice: &mut Dice<'_>, whole: u8) -> [u16; 4] {
    let lanes = |lanes: LaneMask| lanes.to_lanes().map(|lane| if lane { u16::MAX } else { 0 });
    match dice.below(3) {
        _ if dice.percent(whole) => lanes(LaneMask::all()),
        0 => lanes(LaneMask::from_bits_truncate(dice.below(16) as u8)),
        1 => [(); 4].map(|()| dice.word() as u16),
        _ => [(); 4].map(|()| 1 << dice.below(SAMPLES)),
    }
}

/// The directive of a quad.
pub(super) fn quad_words(SampleQuad { x, y, coverage }: &SampleQuad) -> String {
    let lanes = LaneMask::from_lanes(coverage.map(|samples| samples != 0));
    let is_whole = coverage
        .iter()
        .all(|samples| matches!(samples, 0 | &u16::MAX));
    match is_whole {
        true => format!("quad {x} {y} {}", lanes.bits()),
        false => {
            let [a, b, c, d] = coverage;
            format!("samples {x} {y} {a} {b} {c} {d}")
        }
    }
}

/// Reads the rest of a directive `quad`, or `samples`.
pub(super) fn read_quad(line: &mut Line<'_>, of_samples: bool) -> Read<SampleQuad> {
    let (x, y) = (line.count(u32::MAX)?, line.count(u32::MAX)?);
    let mut coverage = [0; 4];
    if of_samples {
        for lane in &mut coverage {
            *lane = line.count(u16::MAX.into())? as u16;
        }
    } else {
        let lanes = LaneMask::from_bits_truncate(line.count(15)? as u8);
        coverage = lanes.to_lanes().map(|lane| if lane { u16::MAX } else { 0 });
    }
    Ok(SampleQuad { x, y, coverage })
}
