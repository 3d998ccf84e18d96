//! Calls of all lanes: questions to texture units and attributes, and the fixed-point accumulator.

use attila_isa::Component;

use super::allocate::slots::FRAME;
use super::calls::{Call, Operands};
use super::draw::QUAD;
use super::forms::Form;
use super::mir::{Arg, Mem, Vreg};
use super::values::Emission;
use crate::abi::{ACCUMULATOR, ACCUMULATOR_COMPONENT, Arguments, Question};
use crate::ir::Value;
use crate::runtime::{Entry, Vector, Vectors};

/// Bytes from a quad's operands of a call to the next one's.
const APART: i32 = size_of::<Vectors>() as i32;

/// Places in the frame that calls of all lanes have.
#[derive(Default)]
pub(super) struct Asks {
    /// Where the operands of each quad's next question are, if there is one.
    arguments: Option<i32>,
    /// Where each quad's fixed-point accumulator is, if that is not in its record.
    accumulators: Option<i32>,
}

impl Emission<'_> {
    /// Puts down an operand of the next question.
    pub(super) fn argument(&mut self, place: u8, value: Value) {
        let at = self.arguments() + (usize::from(place) * Vector::SIZE) as i32;
        let value = self.value(value, 0);
        let stride = size_of::<Arguments>() as i32;
        self.store_quads(value, (FRAME, at), stride);
    }

    fn arguments(&mut self) -> i32 {
        if let Some(known) = self.asks.arguments {
            return known;
        }
        let size = self.width.quads() * size_of::<Arguments>();
        let place = self.areas.take(size, Vector::SIZE);
        self.asks.arguments = Some(place);
        place
    }

    /// Asks a texture unit for a sample.
    pub(super) fn sample(&mut self, whole: Value, site: u64, operands: &[Value]) {
        let call = Call {
            entry: Entry::Texture,
            site,
            memory: None,
        };
        self.ask(whole, &call, operands);
    }

    /// Asks a question with the operands that have been put down.
    pub(super) fn question(&mut self, whole: Value, question: &Question, operands: &[Value]) {
        let arguments = Self::at_frame(self.arguments());
        let call = Call {
            entry: Entry::Ask,
            site: question.site(),
            memory: Some((arguments, size_of::<Arguments>() as i32)),
        };
        self.ask(whole, &call, operands);
    }

    /// Fetches a vertex attribute.
    pub(super) fn attribute(&mut self, whole: Value, attribute: u8, operands: &[Value]) {
        let call = Call {
            entry: Entry::Attribute,
            site: attribute.into(),
            memory: None,
        };
        self.ask(whole, &call, operands);
    }

    fn ask(&mut self, whole: Value, call: &Call, operands: &[Value]) {
        self.call_with(call, operands);
        for part in 0..4 {
            if self.wants(whole, part) {
                let result = self.result(part.into());
                self.define_part(whole, part, 0, result);
            }
        }
    }

    /// Calls an entry that works on a component of the accumulator.
    pub(super) fn accumulate(&mut self, entry: Entry, component: Component, operands: &[Value]) {
        let call = Call {
            entry,
            site: 0,
            memory: Some(self.accumulator(component)),
        };
        self.call_with(&call, operands);
    }

    /// The result of the entry that reads a component of the accumulator.
    pub(super) fn fixed_result(&mut self, component: Component, operands: &[Value]) -> Vreg {
        self.accumulate(Entry::FixedResult, component, operands);
        self.result(0)
    }

    /// The component of the first quad's accumulator, and how many bytes those of others are apart.
    fn accumulator(&self, component: Component) -> (Mem, i32) {
        let within = component.index() * ACCUMULATOR_COMPONENT;
        match (self.layout.accumulator(), self.asks.accumulators) {
            (Some(offset), _) => {
                let at = Mem::at(QUAD, (offset + within) as i32);
                (at, self.layout.size() as i32)
            }
            (None, Some(place)) => {
                let at = Self::at_frame(place + within as i32);
                (at, ACCUMULATOR as i32)
            }
            (None, None) => unreachable!("a function that uses the accumulator has one"),
        }
    }

    /// At the beginning of an iteration: accumulators that are not in records are 0.
    pub(super) fn clear_accumulators(&mut self) {
        if !self.plan.accumulator || self.layout.accumulator().is_some() {
            return;
        }
        let (size, of_vector) = (self.width.quads() * ACCUMULATOR, self.width.bytes());
        let size = size.next_multiple_of(of_vector);
        let place = self.areas.take(size, of_vector);
        self.asks.accumulators = Some(place);
        let zero = self.literal(0);
        for offset in (0..size).step_by(of_vector) {
            let to = Arg::Mem(Self::at_frame(place + offset as i32));
            self.form(Form::MovapsTo, &[to, Arg::Use(zero)]);
        }
    }

    fn call_with(&mut self, call: &Call, operands: &[Value]) {
        for (place, &operand) in operands.iter().enumerate() {
            let vector = self.lane_words(operand, 0);
            let to = self.apart(place, 0);
            self.store_quads(vector, (to.base, to.displacement), APART);
        }
        let call = self.call(call, Operands::Apart);
        self.insts.extend(call);
    }

    fn result(&mut self, place: usize) -> Vreg {
        let from = self.apart(place, 0);
        self.quads_apart(from.base, from.displacement, APART)
    }
}
