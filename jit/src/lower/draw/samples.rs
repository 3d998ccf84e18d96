//! The samples of fragments: which are covered, killed and chosen, and where they are.

use attila_machine::arith::Arith;
use attila_machine::pipeline::{Location, Multisampling, Pipeline};
use attila_machine::{KILL_ALL, SampleCount};

use super::{Sample, clamp};
use crate::abi::{DrawField, FragmentField};
use crate::ir::{Binary, Builder, Op, Value};
use crate::lower::{Lower, Var};

/// A point of each fragment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) enum Spot {
    /// Its centre.
    Centre,
    /// Its centroid, which is known before the program.
    Centroid,
    /// The sample that the program runs for.
    Own,
    /// A sample of all.
    Sample(u8),
}

impl Spot {
    /// The point at which a pipeline evaluates inputs of a location.
    pub(super) fn of(pipeline: &Pipeline, location: Location) -> Spot {
        match (pipeline.multisampling, location) {
            (None, _) => Spot::Centre,
            (Some(it), _) if it.sample_shading => Spot::Own,
            (Some(_), Location::Centroid) => Spot::Centroid,
            (Some(_), Location::Centre | Location::Sample) => Spot::Centre,
        }
    }

    /// The point at which a pipeline evaluates the depth of a sample.
    pub(super) fn of_depth(pipeline: &Pipeline, sample: usize) -> Spot {
        match pipeline.multisampling {
            None => Spot::Centre,
            Some(it) if it.sample_shading => Spot::Own,
            Some(_) => Spot::Sample(sample as u8),
        }
    }
}

/// The fragments of which some of the samples `bits` are in a word.
fn has(b: &mut Builder, word: Value, bits: Value) -> Value {
    let found = b.iand(word, bits);
    b.ieq(found, bits)
}

impl Lower<'_> {
    /// Finds the covered samples. Returns whether there may be a quad that has none.
    pub(super) fn begin_samples(&mut self, pipeline: &Pipeline) -> bool {
        let Some(multisampling) = pipeline.multisampling else {
            let alive = pipeline
                .coverage
                .then(|| self.fragment(FragmentField::Coverage));
            self.fragments.samples = vec![Sample { alive, depth: None }];
            return false;
        };
        let count = match multisampling.sample_shading {
            true => 1,
            false => multisampling.samples.count(),
        };
        self.fragments.samples = vec![Sample::default(); count];
        if !pipeline.coverage {
            return false;
        }
        let word = self.fragment(FragmentField::Samples);
        for sample in 0..count {
            let bit = self.bit(multisampling, sample);
            self.fragments.samples[sample].alive = Some(has(&mut self.b, word, bit));
        }
        if pipeline.locations.contains(&Location::Centroid) {
            self.fragments.centroid = Some(self.find_centroid(multisampling.samples, word));
        }
        true
    }

    /// The bit of a sample in words of samples.
    fn bit(&mut self, multisampling: Multisampling, sample: usize) -> Value {
        match multisampling.sample_shading {
            true => self.b.push(Op::Draw(DrawField::OwnBit), []),
            false => self.b.i32(1 << sample),
        }
    }

    /// From the centre to the covered sample with the lowest number; 0 if all are covered or none is.
    fn find_centroid(&mut self, count: SampleCount, word: Value) -> [Value; 2] {
        let (zero, all) = (self.b.f32(0.0), self.b.i32(count.all() as i32));
        let covered = self.b.iand(word, all);
        let whole = self.b.ieq(covered, all);
        [0, 1].map(|axis| {
            let mut offset = zero;
            for sample in (0..count.count()).rev() {
                let alive = self.fragments.samples[sample].alive;
                let covered = alive.expect("the pipeline has coverage");
                let sample = sample as u8;
                let of_sample = Op::Draw(DrawField::Sample { sample, axis });
                let of_sample = self.b.push(of_sample, []);
                offset = self.b.choose(covered, of_sample, offset);
            }
            self.b.choose(whole, zero, offset)
        })
    }

    /// The fragments of which any sample is left; `None` for all.
    pub(super) fn any_sample(&mut self) -> Option<Value> {
        let mut any = None;
        for sample in 0..self.fragments.samples.len() {
            let alive = self.fragments.samples[sample].alive?;
            any = Some(match any {
                Some(any) => self.b.binary(Binary::Or, any, alive),
                None => alive,
            });
        }
        any
    }

    /// The fragments to store to each plane of the targets.
    pub(super) fn planes_to_store(&mut self, pipeline: &Pipeline) -> Vec<Option<Value>> {
        let samples = &self.fragments.samples;
        if pipeline.stored() == SampleCount::One && samples.len() > 1 {
            return vec![self.any_sample()];
        }
        samples.iter().map(|sample| sample.alive).collect()
    }

    /// Takes the samples that the program has killed. One sample is killed with the fragment.
    pub(super) fn kill_samples(&mut self, pipeline: &Pipeline) {
        let kill = self.get(Var::KILL);
        let several = pipeline
            .multisampling
            .filter(|it| it.samples > SampleCount::One);
        for sample in 0..self.fragments.samples.len() {
            let bits = match several {
                None => self.b.i32(KILL_ALL as i32),
                Some(multisampling) => self.bit(multisampling, sample),
            };
            let killed = match several {
                None => self.b.ieq(kill, bits),
                Some(_) => has(&mut self.b, kill, bits),
            };
            let left = self.b.not(killed);
            self.keep(sample, left);
        }
    }

    /// Takes the samples that alpha does not cover.
    pub(super) fn choose_samples(&mut self, pipeline: &Pipeline) {
        let Some(multisampling) = pipeline.multisampling.filter(|it| it.alpha_to_coverage) else {
            return;
        };
        let alpha = self.get(Var::output(1, 3));
        let alpha = clamp(&mut self.b, alpha);
        let count = self.b.f32(multisampling.samples.count() as f32);
        let half = self.b.f32(0.5);
        let chosen = self.b.mul(alpha, count);
        let chosen = self.b.add(chosen, half);
        let chosen = self.b.floor(chosen);
        for sample in 0..self.fragments.samples.len() {
            let number = match multisampling.sample_shading {
                true => {
                    let index = self.b.push(Op::Draw(DrawField::OwnIndex), []);
                    self.b.to_f32(index)
                }
                false => self.b.f32(sample as f32),
            };
            let kept = self.b.lt(number, chosen);
            self.keep(sample, kept);
        }
    }

    /// A coordinate of the fragments' centres, moved to a spot.
    pub(super) fn moved(&mut self, centre: Value, axis: u8, spot: Spot) -> Value {
        let offset = match spot {
            Spot::Centre => return centre,
            Spot::Centroid => match self.fragments.centroid {
                Some(centroid) => centroid[usize::from(axis)],
                // Everything is covered.
                None => return centre,
            },
            Spot::Own => self.b.push(Op::Draw(DrawField::Own { axis }), []),
            Spot::Sample(sample) => {
                let of_sample = Op::Draw(DrawField::Sample { sample, axis });
                self.b.push(of_sample, [])
            }
        };
        self.b.add(centre, offset)
    }
}
