//! The samples of a draw: how many, where they are, and what is done for each.

use attila_isa::{Inputs, Usage};
use attila_machine::pipeline::{InputKind, Location, Multisampling, Pipeline};
use attila_machine::{SAMPLE_RANGE, SAMPLES, SampleCount, SamplePositions};

use super::error::{DrawError, Unsupported};
use super::targets::Targets;

/// What a draw was told about samples.
#[derive(Clone, Debug)]
pub(super) struct SampleState {
    /// The positions, as far as pixels may have them, and how many there were.
    positions: Option<([[i8; 2]; SAMPLES], usize)>,
    /// Samples of pixels, if targets do not say it.
    pub(super) raster: Option<SampleCount>,
    pub(super) shading: bool,
    pub(super) alpha_to_coverage: bool,
    /// The samples that may be drawn to, bit n = sample n.
    pub(super) mask: u32,
}

impl Default for SampleState {
    fn default() -> Self {
        SampleState {
            positions: None,
            raster: None,
            shading: false,
            alpha_to_coverage: false,
            mask: u32::MAX,
        }
    }
}

/// The samples of a draw whose targets are known.
pub(super) struct Samples {
    pub(super) multisampling: Option<Multisampling>,
    pub(super) positions: SamplePositions,
    pub(super) locations: Inputs<Location>,
}

impl SampleState {
    pub(super) fn set_positions(&mut self, positions: &[[i8; 2]]) {
        let mut kept = [[0; 2]; SAMPLES];
        for (kept, position) in kept.iter_mut().zip(positions) {
            *kept = *position;
        }
        self.positions = Some((kept, positions.len()));
    }

    /// Settles them for targets [that fit together](Targets::check), and for inputs of these kinds at
    /// these locations.
    pub(super) fn settle(
        &self,
        targets: &Targets<'_>,
        usage: &Usage,
        pipeline: &Pipeline,
        locations: &Inputs<Location>,
    ) -> Result<Samples, DrawError> {
        let stored = targets.samples();
        let samples = self.raster.unwrap_or(stored);
        let at = |register: usize| match pipeline.inputs[register] {
            // Flat inputs and arrays are the same at every location.
            kinds if kinds.iter().all(|kind| !depends_on_location(*kind)) => Location::Centre,
            _ => locations[register],
        };
        let locations = Inputs::from_fn(at);
        let of_sample = locations.contains(&Location::Sample);
        let multisampling = Multisampling {
            samples,
            stored,
            sample_shading: self.shading || of_sample,
            alpha_to_coverage: self.alpha_to_coverage,
        };
        if self.raster.is_some() {
            self.check_raster(&multisampling, pipeline)?;
        }
        let positions = self.positions(samples)?;
        let is_whole_pixel = positions == SamplePositions::standard(SampleCount::One)
            && !self.alpha_to_coverage
            && !(multisampling.sample_shading && usage.samples);
        let multisampling = (!is_whole_pixel).then_some(multisampling);
        let runs_per_pixel = multisampling.is_some_and(|it| !it.sample_shading);
        Ok(Samples {
            multisampling,
            positions,
            locations: match runs_per_pixel {
                true => locations,
                false => Inputs::default(),
            },
        })
    }

    fn check_raster(
        &self,
        multisampling: &Multisampling,
        pipeline: &Pipeline,
    ) -> Result<(), Unsupported> {
        match multisampling {
            _ if pipeline.depth.is_some() => Err(Unsupported::RasterSamplesWithDepth),
            it if it.stored != SampleCount::One => Err(Unsupported::RasterSamplesOfSamples),
            it if it.sample_shading => Err(Unsupported::RasterSamplesShaded),
            _ => Ok(()),
        }
    }

    fn positions(&self, samples: SampleCount) -> Result<SamplePositions, DrawError> {
        let Some((positions, given)) = &self.positions else {
            return Ok(SamplePositions::standard(samples));
        };
        if *given != samples.count() {
            return Err(DrawError::SamplePositions {
                positions: *given,
                samples: samples.count(),
            });
        }
        let positions = &positions[..*given];
        SamplePositions::new(positions).ok_or_else(|| {
            let [least, greatest] = SAMPLE_RANGE;
            let outside = |at: &[i8; 2]| at.iter().any(|c| !(least..=greatest).contains(c));
            let sample = positions.iter().position(outside).unwrap_or_default();
            let at = positions[sample];
            DrawError::SamplePosition { sample, at }
        })
    }
}

/// Whether an input of this kind has other values elsewhere in a pixel.
fn depends_on_location(kind: InputKind) -> bool {
    match kind {
        InputKind::Position | InputKind::Linear | InputKind::Perspective => true,
        InputKind::Unused | InputKind::Flat | InputKind::Array => false,
    }
}
