//! Depth: where it comes from, the test, and storing it.

use attila_isa::Component;
use attila_machine::arith::Arith;
use attila_machine::pipeline::{D24_ONE, DepthFormat, DepthSource, DepthTarget, Pipeline};

use super::{clamp, compare_floats, compare_integers};
use crate::abi::{DEPTH_SURFACE, Pixels, Slot};
use crate::ir::{Builder, Op, Value};
use crate::lower::{Lower, Var};

const PIXELS: Pixels = Pixels {
    surface: DEPTH_SURFACE,
    words: 1,
};

/// A depth test that has been made.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Tested {
    /// The word to store for fragments that are kept, and the one to store for others; `None` if
    /// nothing is stored.
    words: Option<[Value; 2]>,
}

impl Lower<'_> {
    /// Tests depths, and keeps the fragments that pass.
    pub(super) fn test_depth(&mut self, pipeline: &Pipeline) {
        let Some(state) = pipeline.depth else {
            return;
        };
        let depth = self.depth(pipeline);
        let depth = clamp(&mut self.b, depth);
        let whole = self.b.push(Op::LoadPixels(PIXELS), []);
        let stored = self.b.extract(whole, 0);
        let (word, passed) = test(&mut self.b, state, depth, stored);
        self.keep(passed);
        let words = state.write.then_some([word, stored]);
        self.fragments.depth = Some(Tested { words });
    }

    fn depth(&mut self, pipeline: &Pipeline) -> Value {
        match DepthSource::of(self.program.usage()) {
            DepthSource::Plane => self.plane(pipeline, 0, Component::Z),
            DepthSource::Output => self.get(Var::output(0, Component::Z.index())),
            DepthSource::Export => self.b.load(Slot::Depth { sample: 0 }),
        }
    }

    /// Stores the depths of the fragments that are left.
    pub(super) fn store_depth(&mut self) {
        let Some(Tested {
            words: Some([word, stored]),
        }) = self.fragments.depth
        else {
            return;
        };
        let word = match self.fragments.alive {
            Some(alive) => self.b.choose(alive, word, stored),
            None => word,
        };
        self.b.push(Op::StorePixels(PIXELS), [word]);
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
