//! The work of a draw around the program: inputs before it; after it, everything that decides about
//! a fragment and stores it. [`attila_machine::pipeline`] defines the results.

mod blend;
mod depth;
mod format;
mod samples;

use attila_isa::Component;
use attila_machine::arith::Arith;
use attila_machine::pipeline::{ColourTarget, Compare, InputKind, Location, Pipeline};

use super::{Lower, Var};
use crate::abi::{DrawField, FragmentField, PlaneField, SpanField};
use crate::ir::{Binary, Block, Builder, Edge, Op, Terminator, Value};
pub(super) use samples::Spot;

/// Facts about a draw's fragments before the program runs.
#[derive(Clone, Default)]
pub(super) struct Fragments {
    /// Where inputs that are evaluated at the centroid are, from the centre.
    centroid: Option<[Value; 2]>,
    /// The reciprocal of 1/w, if an input needs it; and at the centroid.
    w: [Option<Value>; 2],
    /// Each sample that the program runs for.
    samples: Vec<Sample>,
}

/// A sample of the fragments.
#[derive(Clone, Copy, Default)]
struct Sample {
    /// The fragments of which it is covered, and has passed an early depth test; `None` for all.
    alive: Option<Value>,
    /// The result of a depth test.
    depth: Option<depth::Tested>,
}

impl Lower<'_> {
    /// The work before the program.
    pub(super) fn begin_fragments(&mut self, pipeline: &Pipeline) {
        self.fragments.w[0] = self.reciprocal_of_w(pipeline, Location::Centre);
        let covered = self.begin_samples(pipeline);
        self.fragments.w[1] = self.reciprocal_of_w(pipeline, Location::Centroid);
        let early = pipeline.tests_early(self.program.usage());
        if early {
            self.test_depth(pipeline);
        }
        let jumps = self.program.cfg().blocks().len() > 1;
        // A loop that would not end is no error where nothing is covered.
        let may_be_bare = covered && jumps;
        if (early || may_be_bare)
            && let Some(alive) = self.any_sample()
        {
            self.skip_unless(alive);
        }
    }

    /// The reciprocal of 1/w at a location, if an input needs it.
    fn reciprocal_of_w(&mut self, pipeline: &Pipeline, location: Location) -> Option<Value> {
        let registers = pipeline.inputs.iter().zip(&pipeline.locations);
        let mut of_location = registers.filter(|(_, at)| **at == location);
        if !of_location.any(|(kinds, _)| kinds.contains(&InputKind::Perspective)) {
            return None;
        }
        let one = self.b.f32(1.0);
        let spot = Spot::of(pipeline, location);
        let inverse = self.plane(pipeline, (0, Component::W), spot);
        Some(self.b.div(one, inverse))
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
        let location = pipeline.locations[reg];
        let spot = Spot::of(pipeline, location);
        match pipeline.inputs[reg][component.index()] {
            InputKind::Unused => self.b.f32(0.0),
            InputKind::Position => self.position(component, spot),
            InputKind::Flat | InputKind::Linear => self.plane(pipeline, (reg, component), spot),
            InputKind::Perspective => {
                let value = self.plane(pipeline, (reg, component), spot);
                let w = self.fragments.w[usize::from(location == Location::Centroid)];
                let w = w.expect("w is known before the program");
                self.b.mul(value, w)
            }
            InputKind::Array => {
                let (reg, component) = (reg as u8, component as u8);
                self.fragment(FragmentField::Input { reg, component })
            }
        }
    }

    /// The window position of a spot.
    pub(in crate::lower) fn position(&mut self, component: Component, spot: Spot) -> Value {
        let (axis, from_anchor) = match component {
            Component::X => (0, self.column()),
            Component::Y => (1, self.span(SpanField::Y)),
            Component::Z | Component::W => unreachable!("a position has an x and a y"),
        };
        let anchor = self.span(SpanField::Anchor(axis));
        let centre = self.b.add(from_anchor, anchor);
        self.moved(centre, axis, spot)
    }

    /// A plane at a spot of the fragments, or at the anchor if it is flat.
    fn plane(
        &mut self,
        pipeline: &Pipeline,
        (reg, component): (usize, Component),
        spot: Spot,
    ) -> Value {
        let plane = plane_number(pipeline, reg, component);
        if pipeline.inputs[reg][component.index()] == InputKind::Flat {
            return self.span(SpanField::Plane(plane, PlaneField::At));
        }
        let [at, dx, dy] = [PlaneField::At, PlaneField::Dx, PlaneField::Dy]
            .map(|number| self.span(SpanField::Plane(plane, number)));
        let (x, y) = (self.column(), self.span(SpanField::Y));
        let (x, y) = (self.moved(x, 0, spot), self.moved(y, 1, spot));
        let row = self.b.fma(y, dy, at);
        self.b.fma(x, dx, row)
    }

    /// A plane at packed offsets from the fragments' centres, or at the anchor if it is flat.
    pub(in crate::lower) fn plane_at(
        &mut self,
        pipeline: &Pipeline,
        (reg, component): (usize, Component),
        offset: Value,
    ) -> Value {
        if pipeline.inputs[reg][component.index()] == InputKind::Flat {
            return self.plane(pipeline, (reg, component), Spot::Centre);
        }
        let plane = plane_number(pipeline, reg, component);
        let [at, dx, dy] = [PlaneField::At, PlaneField::Dx, PlaneField::Dy]
            .map(|number| self.span(SpanField::Plane(plane, number)));
        let (x, y) = (self.column(), self.span(SpanField::Y));
        let [right, along] = self.distances(offset);
        let (x, y) = (self.b.add(x, right), self.b.add(y, along));
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
            self.kill_samples(pipeline);
        }
        if pipeline.alpha_test != Compare::Always {
            let alpha = self.get(Var::output(1, 3));
            let reference = Op::Draw(DrawField::AlphaReference);
            let reference = self.b.push(reference, []);
            let passed = compare_floats(&mut self.b, pipeline.alpha_test, alpha, reference);
            for sample in 0..self.fragments.samples.len() {
                self.keep(sample, passed);
            }
        }
        self.choose_samples(pipeline);
        if !pipeline.tests_early(self.program.usage()) {
            self.test_depth(pipeline);
        }
        self.store_depths();
        let planes = self.planes_to_store(pipeline);
        for (surface, target) in pipeline.targets.iter().enumerate() {
            if let Some(target) = target {
                self.store_colour(surface as u8, target, &planes);
            }
        }
        self.b.close(Terminator::Done);
    }

    /// Keeps a sample of only these fragments.
    fn keep(&mut self, sample: usize, passed: Value) {
        let alive = self.fragments.samples[sample].alive;
        self.fragments.samples[sample].alive = Some(match alive {
            Some(alive) => self.b.binary(Binary::And, alive, passed),
            None => passed,
        });
    }

    /// Stores a colour to planes, in the fragments that each says.
    fn store_colour(&mut self, surface: u8, target: &ColourTarget, planes: &[Option<Value>]) {
        if (target.mask & target.format.components()).is_empty() {
            return;
        }
        let reg = usize::from(surface) + 1;
        let colour = std::array::from_fn(|c| self.get(Var::output(reg, c)));
        // Without blending all planes store the same words.
        let words = match target.blend {
            Some(_) => None,
            None => Some(format::packed(&mut self.b, target.format, colour)),
        };
        for (sample, alive) in planes.iter().enumerate() {
            let mut pixels = format::TargetPixels::new(surface, sample as u8, target.format);
            let words = match (target.blend, &words) {
                (Some(blend), _) => {
                    let stored = pixels.colour(&mut self.b);
                    let mixed = blend::mix(&mut self.b, blend, target.format, colour, stored);
                    format::packed(&mut self.b, target.format, mixed)
                }
                (None, words) => words.clone().unwrap_or_default(),
            };
            pixels.store(&mut self.b, words, target.mask, *alive);
        }
    }
}

/// The place of a component's plane among those of a primitive.
fn plane_number(pipeline: &Pipeline, reg: usize, component: Component) -> u8 {
    let mut planes = pipeline.planes();
    let place = planes.position(|plane| plane == (reg, component));
    place.expect("the pipeline has a plane for everything it needs") as u8
}

/// Whether two f32 compare as they have to, `left` first.
pub(super) fn compare_floats(
    b: &mut Builder,
    compare: Compare,
    left: Value,
    right: Value,
) -> Value {
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
