//! Calls of the runtime's entries. Operands and results go through the [frame](super::function::Frame).

use attila_isa::{Component, Stage};
use attila_machine::arith::SlowPath;
use wasm_encoder::BlockType;

use super::function::{Emission, at};
use super::locals::Local;
use crate::abi::{ACCUMULATOR, ACCUMULATOR_COMPONENT, ContextField, Question, SampleKind};
use crate::ir::Value;
use crate::runtime::{Entry, Vector, slow_site, texture_site};

/// A function that code calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Callee {
    /// One of the runtime.
    Entry(Entry),
    /// `a * b + c` of vectors in every case.
    Fused,
}

/// Bytes of the number of a function that is filled in later.
pub(super) const NUMBER: usize = 5;

/// The number of a function in so many bytes.
pub(super) fn number(function: u32) -> [u8; NUMBER] {
    std::array::from_fn(|n| {
        let bits = (u64::from(function) >> (7 * n)) as u8 & 0x7f;
        if n + 1 < NUMBER { bits | 0x80 } else { bits }
    })
}

impl Emission<'_> {
    /// Calls a function, whose operands are on the stack.
    pub(super) fn call_function(&mut self, callee: Callee) {
        const CALL: u8 = 0x10;
        self.code.push(CALL);
        self.calls.push((self.code.len(), callee));
        self.code.extend(number(0));
    }

    /// Calls an entry with values, and leaves its results in the frame. `memory` is the place that it works on, at an
    /// offset from an address.
    pub(super) fn call(
        &mut self,
        entry: Entry,
        memory: Option<(Local, usize)>,
        site: u64,
        of: &[Value],
    ) {
        for (place, &value) in of.iter().enumerate() {
            self.put(self.frame.vectors + place * Vector::SIZE, value);
        }
        self.call_with_frame(entry, memory, site);
    }

    /// The same with the operands that are in the frame.
    pub(super) fn call_with_frame(
        &mut self,
        entry: Entry,
        memory: Option<(Local, usize)>,
        site: u64,
    ) {
        let (context, vectors) = (self.bases.context, self.frame.vectors);
        self.push(context);
        match memory {
            Some((base, offset)) => {
                self.push(base);
                self.ins().i32_const(offset as i32).i32_add();
            }
            None => drop(self.ins().i32_const(0)),
        }
        let uniforms = self.bases.uniforms;
        self.ins()
            .i64_const(site.cast_signed())
            .local_get(uniforms.0)
            .i32_const(vectors as i32)
            .i32_add();
        self.call_function(Callee::Entry(entry));
    }

    /// Writes a value to the frame.
    fn put(&mut self, offset: usize, value: Value) {
        let base = self.bases.uniforms;
        self.push(base);
        self.get(value);
        self.ins().v128_store(at(offset));
    }

    /// Result number `place` of the last call.
    pub(super) fn result(&mut self, place: usize) {
        let (base, vectors) = (self.bases.uniforms, self.frame.vectors);
        self.push(base);
        self.ins().v128_load(at(vectors + place * Vector::SIZE));
    }

    /// Per lane `mask ? path(x) : fast`, the call being skipped if no lane needs it.
    pub(super) fn slow_path(&mut self, path: SlowPath, [mask, x, fast]: [Value; 3]) {
        self.get(fast);
        let result = self.vector();
        self.get(mask);
        self.ins().v128_any_true().if_(BlockType::Empty);
        self.call(Entry::Slow, None, slow_site(path), &[fast, mask, x]);
        self.result(0);
        self.ins().local_set(result.0).end();
        self.push(result);
    }

    /// Asks a texture unit.
    pub(super) fn sample(
        &mut self,
        whole: Value,
        (op, unit, stage): (SampleKind, u8, Stage),
        of: &[Value],
    ) {
        self.ask_users(whole, Entry::Texture, texture_site(op, unit, stage), of);
    }

    /// Calls an entry that asks what users bind, and has several results, those of `whole`.
    pub(super) fn ask_users(&mut self, whole: Value, entry: Entry, site: u64, of: &[Value]) {
        self.call(entry, None, site, of);
        self.take_parts(whole);
    }

    /// Puts down an operand of the next question.
    pub(super) fn argument(&mut self, place: u8, [value]: [Value; 1]) {
        self.put(
            self.frame.arguments + usize::from(place) * Vector::SIZE,
            value,
        );
    }

    /// Asks a question with the operands that have been put down.
    pub(super) fn ask(&mut self, whole: Value, question: &Question, [active]: [Value; 1]) {
        let arguments = (self.bases.uniforms, self.frame.arguments);
        self.call(Entry::Ask, Some(arguments), question.site(), &[active]);
        self.take_parts(whole);
    }

    /// Calls the entry that evaluates an input, and hands it the number of the quad.
    pub(super) fn evaluate(&mut self, whole: Value, register: u8, of: &[Value]) {
        let (base, size) = (self.bases.uniforms, self.layout.size());
        self.push(base);
        self.place();
        self.ins()
            .i32_wrap_i64()
            .i32_const(size as i32)
            .i32_div_u()
            .i32x4_splat();
        let number = self.frame.vectors + of.len() * Vector::SIZE;
        self.ins().v128_store(at(number));
        self.ask_users(whole, Entry::Evaluate, register.into(), of);
    }

    /// Calls an entry that hands something over to what users bind.
    pub(super) fn hand_over(&mut self, entry: Entry, number: u8, of: &[Value]) {
        self.call(entry, None, number.into(), of);
        self.asked = true;
    }

    /// Gives the parts of `whole` the results of a call, before another overwrites them.
    fn take_parts(&mut self, whole: Value) {
        self.asked = true;
        for component in 0..4 {
            self.define_part(whole, component, |it| it.result(component.into()));
        }
    }

    /// Gives every value that takes a part of `whole` what is left on the stack for it.
    pub(super) fn define_part(&mut self, whole: Value, part: u8, push: impl FnOnce(&mut Self)) {
        let plan = self.plan;
        let Some([first, others @ ..]) = plan.parts.get(&(whole, part)).map(|parts| &parts[..])
        else {
            return;
        };
        push(self);
        self.set(*first);
        for &other in others {
            self.get(*first);
            self.set(other);
        }
    }

    /// Goes on only if no call has stopped the run. Work under way is left as it is.
    pub(super) fn leave_if_stopped(&mut self) {
        if !std::mem::take(&mut self.asked) {
            return;
        }
        let context = self.bases.context;
        self.push(context);
        self.ins()
            .i32_load(at(ContextField::Stopped.offset()))
            .if_(BlockType::Empty)
            .i64_const(0)
            .return_()
            .end();
    }

    /// Calls an entry that works on a component of the accumulator.
    pub(super) fn fixed(&mut self, entry: Entry, component: Component, of: &[Value]) {
        let within = component.index() * ACCUMULATOR_COMPONENT;
        let memory = match self.layout.accumulator() {
            Some(offset) => (self.record(), offset + within),
            None => (self.bases.uniforms, self.frame.accumulator + within),
        };
        self.call(entry, Some(memory), 0, of);
    }

    /// The result of the entry that reads a component of the accumulator.
    pub(super) fn fixed_result(&mut self, component: Component, of: &[Value]) {
        self.fixed(Entry::FixedResult, component, of);
        self.result(0);
    }

    /// At the start of a quad: an accumulator that is not in its record is 0.
    pub(super) fn clear_accumulator(&mut self) {
        if !self.plan.accumulator || self.layout.accumulator().is_some() {
            return;
        }
        let (base, accumulator) = (self.bases.uniforms, self.frame.accumulator);
        for offset in (0..ACCUMULATOR).step_by(Vector::SIZE) {
            self.push(base);
            self.literal(0);
            self.ins().v128_store(at(accumulator + offset));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_functions_take_as_many_bytes_whatever_they_are() {
        assert_eq!(number(0), [0x80, 0x80, 0x80, 0x80, 0]);
        assert_eq!(number(300), [0xac, 0x82, 0x80, 0x80, 0]);
        assert_eq!(number(u32::MAX), [0xff, 0xff, 0xff, 0xff, 0x0f]);
    }
}
