//! The work of a draw around the program: inputs before it; after it, everything that decides about
//! a fragment and stores it. [`attila_machine::pipeline`] defines the results.

mod blend;
mod depth;
mod format;

use attila_isa::Component;
use attila_machine::KILL_ALL;
use attila_machine::arith::Arith;
use attila_machine::pipeline::{ColourTarget, Compare, InputKind, Pipeline};

use super::{Lower, Var};
use crate::abi::{DrawField, FragmentField, PlaneField, SpanField};
use crate::ir::{Binary, Block, Builder, Edge, Op, Terminator, Value};

/// The instructions from which on it is worth a branch to skip a quad whose fragments all fail
/// their depth test early.
const WORTH_SKIPPING: usize = 40;

/// Facts about a draw's fragments before the program runs.
#[derive(Clone, Copy, Default)]
pub(super) struct Fragments {
    /// The reciprocal of 1/w, if an input needs it.
    w: Option<Value>,
    /// The fragments that are covered, and have passed an early depth test; `None` for all.
    alive: Option<Value>,
    /// The result of an early depth test.
    depth: Option<depth::Tested>,
}

impl Lower<'_> {
    /// The work before the program.
    pub(super) fn begin_fragments(&mut self, pipeline: &Pipeline) {
        let perspective = |kinds: &[InputKind; 4]| kinds.contains(&InputKind::Perspective);
        if pipeline.inputs.iter().any(perspective) {
            let one = self.b.f32(1.0);
            let inverse = self.plane(pipeline, 0, Component::W);
            self.fragments.w = Some(self.b.div(one, inverse));
        }
        if pipeline.coverage {
            self.fragments.alive = Some(self.fragment(FragmentField::Coverage));
        }
        if !pipeline.tests_early(self.program.usage()) {
            return;
        }
        self.test_depth(pipeline);
        let jumps = self.program.cfg().blocks().len() > 1;
        if let Some(alive) = self.fragments.alive
            && (jumps || self.program.program().insts().len() >= WORTH_SKIPPING)
        {
            self.skip_unless(alive);
        }
    }

    /// Ends quads of which no fragment is left.
    fn skip_unless(&mut self, alive: Value) {
        let [shaded, skipped] = [(); 2].map(|()| self.b.declare(&[]));
        let to = |block: Block| Edge {
            block,
            args: Vec::new(),
        };
        self.b.close(Terminator::Any {
            mask: alive,
            then: to(shaded),
            other: to(skipped),
        });
        self.b.open(skipped);
        self.b.close(Terminator::Done);
        self.b.open(shaded);
    }

    /// A component of an input.
    pub(super) fn varying(
        &mut self,
        pipeline: &Pipeline,
        reg: usize,
        component: Component,
    ) -> Value {
        match pipeline.inputs[reg][component.index()] {
            InputKind::Unused => self.b.f32(0.0),
            InputKind::Position => self.position(component),
            InputKind::Flat | InputKind::Linear => self.plane(pipeline, reg, component),
            InputKind::Perspective => {
                let value = self.plane(pipeline, reg, component);
                let w = self.fragments.w.expect("w is known before the program");
                self.b.mul(value, w)
            }
            InputKind::Array => {
                let (reg, component) = (reg as u8, component as u8);
                self.fragment(FragmentField::Input { reg, component })
            }
        }
    }

    fn position(&mut self, component: Component) -> Value {
        let (from_anchor, anchor) = match component {
            Component::X => (self.column(), SpanField::Anchor(0)),
            Component::Y => (self.span(SpanField::Y), SpanField::Anchor(1)),
            Component::Z | Component::W => unreachable!("a position has an x and a y"),
        };
        let anchor = self.span(anchor);
        self.b.add(from_anchor, anchor)
    }

    /// A plane at the fragments' centres, or at the anchor if it is flat.
    fn plane(&mut self, pipeline: &Pipeline, reg: usize, component: Component) -> Value {
        let plane = plane_number(pipeline, reg, component);
        if pipeline.inputs[reg][component.index()] == InputKind::Flat {
            return self.span(SpanField::Plane(plane, PlaneField::At));
        }
        let [at, dx, dy] = [PlaneField::At, PlaneField::Dx, PlaneField::Dy]
            .map(|number| self.span(SpanField::Plane(plane, number)));
        let (x, y) = (self.column(), self.span(SpanField::Y));
        let row = self.b.fma(y, dy, at);
        self.b.fma(x, dx, row)
    }

    fn column(&mut self) -> Value {
        self.fragment(FragmentField::X)
    }

    fn fragment(&mut self, field: FragmentField) -> Value {
        self.b.push(Op::Fragment(field), [])
    }

    fn span(&mut self, field: SpanField) -> Value {
        self.b.push(Op::Span(field), [])
    }

    /// The work after the program.
    pub(super) fn finish_fragments(&mut self, pipeline: &Pipeline) {
        if self.program.usage().kills {
            let kill = self.get(Var::KILL);
            let all = self.b.i32(KILL_ALL as i32);
            let killed = self.b.ieq(kill, all);
            let left = self.b.not(killed);
            self.keep(left);
        }
        if pipeline.alpha_test != Compare::Always {
            let alpha = self.get(Var::output(1, 3));
            let reference = Op::Draw(DrawField::AlphaReference);
            let reference = self.b.push(reference, []);
            let passed = compare_floats(&mut self.b, pipeline.alpha_test, alpha, reference);
            self.keep(passed);
        }
        if pipeline.depth.is_some() && self.fragments.depth.is_none() {
            self.test_depth(pipeline);
        }
        self.store_depth();
        for (surface, target) in pipeline.targets.iter().enumerate() {
            if let Some(target) = target {
                self.store_colour(surface as u8, target);
            }
        }
        self.b.close(Terminator::Done);
    }

    /// Keeps only these of the fragments.
    fn keep(&mut self, passed: Value) {
        self.fragments.alive = Some(match self.fragments.alive {
            Some(alive) => self.b.binary(Binary::And, alive, passed),
            None => passed,
        });
    }

    fn store_colour(&mut self, surface: u8, target: &ColourTarget) {
        if (target.mask & target.format.components()).is_empty() {
            return;
        }
        let reg = usize::from(surface) + 1;
        let colour = std::array::from_fn(|c| self.get(Var::output(reg, c)));
        let mut pixels = format::TargetPixels::new(surface, target.format);
        let colour = match target.blend {
            Some(blend) => {
                let stored = pixels.colour(&mut self.b);
                blend::mix(&mut self.b, blend, target.format, colour, stored)
            }
            None => colour,
        };
        pixels.store(&mut self.b, colour, target.mask, self.fragments.alive);
    }
}

/// The place of a component's plane among those of a primitive.
fn plane_number(pipeline: &Pipeline, reg: usize, component: Component) -> u8 {
    let mut planes = pipeline.planes();
    let place = planes.position(|plane| plane == (reg, component));
    place.expect("the pipeline has a plane for everything it needs") as u8
}

/// Whether two f32 compare as they have to, `left` first.
fn compare_floats(b: &mut Builder, compare: Compare, left: Value, right: Value) -> Value {
    match compare {
        Compare::Never => b.mask(false),
        Compare::Less => b.lt(left, right),
        Compare::Equal => b.eq(left, right),
        Compare::LessEqual => b.le(left, right),
        Compare::Greater => b.lt(right, left),
        Compare::NotEqual => {
            let equal = b.eq(left, right);
            b.not(equal)
        }
        Compare::GreaterEqual => b.le(right, left),
        Compare::Always => b.mask(true),
    }
}

/// The same for i32.
fn compare_integers(b: &mut Builder, compare: Compare, left: Value, right: Value) -> Value {
    match compare {
        Compare::Never => b.mask(false),
        Compare::Less => b.ilt(left, right),
        Compare::Equal => b.ieq(left, right),
        Compare::LessEqual => {
            let greater = b.ilt(right, left);
            b.not(greater)
        }
        Compare::Greater => b.ilt(right, left),
        Compare::NotEqual => {
            let equal = b.ieq(left, right);
            b.not(equal)
        }
        Compare::GreaterEqual => {
            let less = b.ilt(left, right);
            b.not(less)
        }
        Compare::Always => b.mask(true),
    }
}

/// [0, 1], a NaN becoming 1.
fn clamp(b: &mut Builder, value: Value) -> Value {
    let (zero, one) = (b.f32(0.0), b.f32(1.0));
    let value = b.binary(Binary::Fmin, value, one);
    b.binary(Binary::Fmax, value, zero)
}
