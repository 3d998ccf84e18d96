//! [`CoverageFormat`]: how batches say which fragments or samples of a quad are covered.

use attila_machine::pipeline::Pipeline;
use attila_machine::{LANES, LaneMask, Lanes};

/// All samples of the lanes in a mask: 16 bits for each lane, lane 0 in the lowest.
pub(super) fn of_lanes(lanes: LaneMask) -> u64 {
    joined(
        lanes
            .to_lanes()
            .map(|covered| if covered { u16::MAX } else { 0 }),
    )
}

/// The samples of each lane, 16 bits for each, lane 0 in the lowest.
pub(super) fn joined(samples: Lanes<u16>) -> u64 {
    let lanes = samples.into_iter().rev();
    lanes.fold(0, |word, lane| word << 16 | u64::from(lane))
}

/// The bytes of a quad's coverage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CoverageFormat {
    /// A byte, bit n = lane n.
    Lanes,
    /// A word, as [`Pipeline::coverage_bytes`] says.
    Samples {
        /// The samples that there are and that may be drawn to.
        allowed: u64,
        /// Those that there are.
        all: u64,
    },
}

impl CoverageFormat {
    /// The format of a pipeline, of whose samples `mask` may be drawn to. `None` if none may be.
    pub(super) fn new(pipeline: &Pipeline, mask: u32) -> Option<CoverageFormat> {
        let all = pipeline.samples().all();
        let word = |samples: u32| joined([samples as u16; LANES]);
        if mask & all == 0 {
            return None;
        }
        Some(match pipeline.multisampling {
            None => CoverageFormat::Lanes,
            Some(_) => CoverageFormat::Samples {
                allowed: word(mask & all),
                all: word(all),
            },
        })
    }

    /// Bytes of a quad.
    pub(super) fn bytes(self) -> usize {
        match self {
            CoverageFormat::Lanes => size_of::<u8>(),
            CoverageFormat::Samples { .. } => size_of::<u64>(),
        }
    }

    /// Whether there are samples that may not be drawn to.
    pub(super) fn leaves_out(self) -> bool {
        match self {
            CoverageFormat::Lanes => false,
            CoverageFormat::Samples { allowed, all } => allowed != all,
        }
    }

    /// Appends so many quads of which all samples are covered.
    pub(super) fn extend_all(self, quads: usize, coverage: &mut Vec<u8>) {
        match self {
            CoverageFormat::Lanes => {
                let all = LaneMask::all().bits();
                coverage.resize(coverage.len() + quads, all);
            }
            CoverageFormat::Samples { allowed, .. } => {
                for _ in 0..quads {
                    coverage.extend_from_slice(&allowed.to_le_bytes());
                }
            }
        }
    }

    /// Appends quads of which all samples of these lanes are covered.
    pub(super) fn extend_lanes(self, lanes: &[u8], coverage: &mut Vec<u8>) {
        match self {
            CoverageFormat::Lanes => coverage.extend_from_slice(lanes),
            CoverageFormat::Samples { .. } => {
                for &lanes in lanes {
                    let samples = of_lanes(LaneMask::from_bits_truncate(lanes));
                    self.push(samples, coverage);
                }
            }
        }
    }

    /// Appends quads of which these samples are covered.
    pub(super) fn extend_samples(self, samples: &[u64], coverage: &mut Vec<u8>) {
        match self {
            CoverageFormat::Lanes => {
                for &samples in samples {
                    self.push(samples, coverage);
                }
            }
            CoverageFormat::Samples { allowed, .. } => {
                let first = coverage.len();
                coverage.resize(first + size_of_val(samples), 0);
                let (words, _) = coverage[first..].as_chunks_mut();
                for (word, samples) in words.iter_mut().zip(samples) {
                    *word = (samples & allowed).to_le_bytes();
                }
            }
        }
    }

    /// Appends a quad of which these samples are covered. Returns whether any may be drawn to.
    pub(super) fn push(self, samples: u64, coverage: &mut Vec<u8>) -> bool {
        match self {
            CoverageFormat::Lanes => {
                let has = |lane: &usize| samples >> (16 * lane) & 1 != 0;
                let lanes: LaneMask = (0..LANES).filter(has).map(LaneMask::only).collect();
                coverage.push(lanes.bits());
                !lanes.is_empty()
            }
            CoverageFormat::Samples { allowed, .. } => {
                let samples = samples & allowed;
                coverage.extend_from_slice(&samples.to_le_bytes());
                samples != 0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use attila_machine::SampleCount;
    use attila_machine::pipeline::Multisampling;

    use super::*;

    fn pipeline(samples: SampleCount) -> Pipeline {
        Pipeline {
            multisampling: Some(Multisampling {
                samples,
                stored: samples,
                ..Multisampling::default()
            }),
            ..Pipeline::default()
        }
    }

    #[test]
    fn lanes_are_all_samples_that_there_are_and_that_may_be_drawn_to() {
        let mut coverage = Vec::new();
        let four = CoverageFormat::new(&pipeline(SampleCount::Four), 0b10110).unwrap();
        four.extend_lanes(&[0b1001], &mut coverage);
        assert_eq!(coverage, [0b0110, 0, 0, 0, 0, 0, 0b0110, 0]);
        assert!(four.leaves_out());
        let all = CoverageFormat::new(&pipeline(SampleCount::Four), 0b11111).unwrap();
        assert!(!all.leaves_out());
    }

    #[test]
    fn one_sample_is_the_fragment() {
        let mut coverage = Vec::new();
        let one = CoverageFormat::new(&Pipeline::default(), 1).unwrap();
        one.extend_samples(&[0x0001_0000_fffe_ffff, 0], &mut coverage);
        assert_eq!(coverage, [0b1001, 0]);
        assert_eq!(CoverageFormat::new(&Pipeline::default(), 2), None);
    }
}
