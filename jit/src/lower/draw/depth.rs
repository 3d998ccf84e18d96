//! Depth: where it comes from, the test, and storing it.

use attila_isa::Component;
use attila_machine::arith::Arith;
use attila_machine::pipeline::{D24_ONE, DepthFormat, DepthSource, DepthTarget, Pipeline};

use super::samples::Spot;
use super::{Sample, clamp, compare_floats, compare_integers};
use crate::abi::{DEPTH_SURFACE, DrawField, Pixels};
use crate::ir::{Builder, Op, Value};
use crate::lower::{Lower, Var};

/// The depths of a sample.
fn pixels(sample: usize) -> Pixels {
    Pixels {
        surface: DEPTH_SURFACE,
        sample: sample as u8,
        bytes: DepthFormat::D32F.size() as u8,
    }
}

/// A depth test that has been made.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Tested {
    /// The word to store for fragments that are kept, and the one to store for others; `None` if
    /// nothing is stored.
    words: Option<[Value; 2]>,
}

impl Lower<'_> {
    /// Tests the depths of all samples, and keeps the fragments that pass.
    pub(super) fn test_depth(&mut self, pipeline: &Pipeline) {
        let Some(state) = pipeline.depth else {
            return;
        };
        for sample in 0..self.fragments.samples.len() {
            let depth = self.depth(pipeline, sample);
            let depth = clamp(&mut self.b, depth);
            let whole = self.b.push(Op::LoadPixels(pixels(sample)), []);
            let stored = self.b.extract(whole, 0);
            let (word, passed) = test(&mut self.b, state, depth, stored);
            self.keep(sample, passed);
            let words = state.write.then_some([word, stored]);
            self.fragments.samples[sample].depth = Some(Tested { words });
        }
    }

    /// The depth of a sample.
    fn depth(&mut self, pipeline: &Pipeline, sample: usize) -> Value {
        match DepthSource::of(self.program.usage()) {
            DepthSource::Plane => {
                let spot = Spot::of_depth(pipeline, sample);
                self.plane(pipeline, (0, Component::Z), spot)
            }
            DepthSource::Output => self.get(Var::output(0, Component::Z.index())),
            DepthSource::Export => self.get(Var::depth(0)),
            DepthSource::SampleExports => self.exported(pipeline, sample),
        }
    }

    /// The exported depth of a sample, or of the one that the program runs for.
    fn exported(&mut self, pipeline: &Pipeline, sample: usize) -> Value {
        let shaded = pipeline.multisampling.filter(|it| it.sample_shading);
        let Some(multisampling) = shaded else {
            return self.get(Var::depth(sample));
        };
        let own = self.b.push(Op::Draw(DrawField::OwnIndex), []);
        let mut depth = self.get(Var::depth(0));
        for sample in 1..multisampling.samples.count() {
            let of_sample = self.get(Var::depth(sample));
            let number = self.b.i32(sample as i32);
            let is_own = self.b.ieq(own, number);
            depth = self.b.choose(is_own, of_sample, depth);
        }
        depth
    }

    /// Stores the depths of the fragments that are left.
    pub(super) fn store_depths(&mut self) {
        for sample in 0..self.fragments.samples.len() {
            let Sample { alive, depth } = self.fragments.samples[sample];
            let Some([word, stored]) = depth.and_then(|tested| tested.words) else {
                continue;
            };
            let word = match alive {
                Some(alive) => self.b.choose(alive, word, stored),
                None => word,
            };
            self.b.push(Op::StorePixels(pixels(sample)), [word]);
        }
    }
}

/// A depth as it is stored, and whether it passes.
fn test(b: &mut Builder, state: DepthTarget, depth: Value, stored: Value) -> (Value, Value) {
    match state.format {
        DepthFormat::D32F => {
            let there = b.as_f32(stored);
            let passed = compare_floats(b, state.compare, depth, there);
            (b.as_i32(depth), passed)
        }
        DepthFormat::D24 => {
            let (one, mask) = (b.f32(D24_ONE as f32), b.i32(D24_ONE as i32));
            let scaled = b.mul(depth, one);
            let nearest = b.nearest(scaled);
            let word = b.trunc_to_i32(nearest);
            let there = b.iand(stored, mask);
            (word, compare_integers(b, state.compare, word, there))
        }
    }
}
