//! Level of detail: how large a pixel is on the image, and which levels and filter follow from that
//! (machine.md 5.3, 5.4 and 5.5).

use attila_machine::Lanes;

use crate::dimension::AxisCount;
use crate::sampler::{Filter, MipMode, Sampler};
use crate::scalar::{clamp_or_high, log2, max, min};

/// The most that biases change the level of detail by.
const MAX_BIAS: f32 = 1000.0;

/// How far the coordinates move in texels from a pixel to the next, along x and along y.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Derivatives {
    x: [f32; 3],
    y: [f32; 3],
}

impl Derivatives {
    /// The derivatives of a quad: lane 0 against its neighbours, for all four lanes. A coordinate
    /// times its element of `to_texels` is in texels.
    pub(crate) fn of(coords: &[Lanes<f32>; 3], to_texels: [f32; 3]) -> Derivatives {
        let along = |lane: usize| {
            std::array::from_fn(|axis| {
                let [from, to] = [0, lane].map(|lane| coords[axis][lane] * to_texels[axis]);
                to - from
            })
        };
        Derivatives {
            x: along(1),
            y: along(2),
        }
    }

    /// The derivatives of one lane, as they are given; a derivative times its element of
    /// `to_texels` is in texels.
    pub(crate) fn given(dx: [f32; 3], dy: [f32; 3], to_texels: [f32; 3]) -> Derivatives {
        let scaled = |change: [f32; 3]| std::array::from_fn(|axis| change[axis] * to_texels[axis]);
        Derivatives {
            x: scaled(dx),
            y: scaled(dy),
        }
    }

    /// The longer of the two movements.
    fn scale(&self, axes: AxisCount) -> f32 {
        match axes {
            AxisCount::One => max(self.x[0].abs(), self.y[0].abs()),
            AxisCount::Two => max(length2(self.x), length2(self.y)),
            AxisCount::Three => max(length3(self.x), length3(self.y)),
        }
    }
}

fn length2([u, v, _]: [f32; 3]) -> f32 {
    (u * u + v * v).sqrt()
}

fn length3([u, v, w]: [f32; 3]) -> f32 {
    (u * u + v * v + w * w).sqrt()
}

/// The area of the image that a quad covers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Footprint {
    /// The logarithm of the texels from a sample to the next.
    pub(crate) log2_scale: f32,
    /// Samples along the longer axis of the footprint.
    pub(crate) samples: u32,
    /// From a sample to the next, in units of the coordinates.
    pub(crate) step: [f32; 2],
}

impl Footprint {
    /// The footprint of an explicit level of detail.
    pub(crate) const POINT: Footprint = Footprint {
        log2_scale: 0.0,
        samples: 1,
        step: [0.0; 2],
    };

    /// The footprint with these derivatives; `to_texels` is what they were made with.
    pub(crate) fn new(
        sampler: &Sampler,
        axes: AxisCount,
        derivatives: &Derivatives,
        to_texels: [f32; 3],
    ) -> Footprint {
        let anisotropic = match axes {
            AxisCount::Two => sampler.max_anisotropy > 1,
            AxisCount::One | AxisCount::Three => false,
        };
        if anisotropic {
            return Footprint::anisotropic(sampler.max_anisotropy as f32, derivatives, to_texels);
        }
        let log2_scale = log2(derivatives.scale(axes));
        Footprint {
            log2_scale,
            ..Footprint::POINT
        }
    }

    /// The footprint of an anisotropic filter. The ratio of the longer movement to the shorter one, at
    /// most `most`, decides the scale of a sample. Rounded up, it is the number of samples along the
    /// longer movement.
    fn anisotropic(most: f32, derivatives: &Derivatives, to_texels: [f32; 3]) -> Footprint {
        let (x, y) = (length2(derivatives.x), length2(derivatives.y));
        let (longer, shorter) = (max(x, y), min(x, y));
        let ratio = min(longer / shorter, most);
        let along = if longer == x {
            derivatives.x
        } else {
            derivatives.y
        };
        let samples = ratio.ceil();
        let step = |axis: usize| along[axis] / (samples + 1.0) / to_texels[axis];
        Footprint {
            log2_scale: log2(longer / ratio),
            samples: samples as u32,
            step: [step(0), step(1)],
        }
    }

    /// How far sample `index` (from 0) is from the middle, in steps.
    pub(crate) fn offset(&self, index: u32) -> f32 {
        (index + 1) as f32 - 0.5 * (self.samples + 1) as f32
    }
}

/// The footprints of the lanes of a quad.
pub(crate) enum Footprints {
    /// One for all lanes.
    Quad(Footprint),
    /// One for each.
    Lanes(Lanes<Footprint>),
}

impl Footprints {
    /// The footprint of a lane.
    pub(crate) fn of(&self, lane: usize) -> &Footprint {
        match self {
            Footprints::Quad(footprint) => footprint,
            Footprints::Lanes(footprints) => &footprints[lane],
        }
    }
}

/// The filter and the levels that a lane samples.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Selection {
    pub(crate) filter: Filter,
    pub(crate) level: usize,
    /// The level to mix in, and its weight.
    pub(crate) second: Option<(usize, f32)>,
}

impl Selection {
    /// The level, and what is mixed in as a fraction.
    pub(crate) fn position(&self) -> f32 {
        let weight = match self.second {
            Some((second, weight)) if second > self.level => weight,
            Some(_) | None => 0.0,
        };
        self.level as f32 + weight
    }
}

/// The level of detail of a lane: `param` is the bias of TXB, or TXL's level of detail with the scale
/// of [`Footprint::POINT`].
pub(crate) fn level_of_detail(sampler: &Sampler, log2_scale: f32, param: f32) -> f32 {
    let lod = unlimited_level_of_detail(sampler, log2_scale, param);
    clamp_or_high(lod, sampler.lod_min, sampler.lod_max)
}

/// As [`level_of_detail`], before it is limited to the range of the sampler.
pub(crate) fn unlimited_level_of_detail(sampler: &Sampler, log2_scale: f32, param: f32) -> f32 {
    log2_scale + clamp_or_high(sampler.lod_bias + param, -MAX_BIAS, MAX_BIAS)
}

/// The selection at a level of detail of an image whose last level is `image_last`.
pub(crate) fn select(sampler: &Sampler, image_last: usize, lod: f32) -> Selection {
    let (base, last) = (sampler.base_level, sampler.max_level.min(image_last));
    let (filter, mip) = if lod <= 0.0 {
        (sampler.mag, MipMode::None)
    } else {
        (sampler.min, sampler.mip)
    };
    let (level, second) = match mip {
        MipMode::None => (base, None),
        MipMode::Nearest => (nearest_level(base, last, lod), None),
        MipMode::Linear => {
            let whole = lod.floor();
            let level = min(base as f32 + whole, last as f32) as usize;
            let weight = lod - whole;
            let second = (level + 1).min(last);
            (level, (weight > 0.0).then_some((second, weight)))
        }
    };
    Selection {
        filter,
        level,
        second,
    }
}

/// The level nearest to the level of detail above `base`; halves give the larger image.
fn nearest_level(base: usize, last: usize, lod: f32) -> usize {
    let level = base as f32 + lod;
    if lod <= 0.5 {
        base
    } else if level <= last as f32 + 0.5 {
        (level + 0.5).ceil() as usize - 1
    } else {
        last
    }
}
