//! Calls of the runtime's entries, operands and results going through the stack.

use attila_isa::{Component, Stage};
use attila_machine::arith::SlowPath;
use cranelift_codegen::ir::types::{F32X4, I32, I32X4, I64};
use cranelift_codegen::ir::{
    self as clif, AbiParam, BlockArg, InstBuilder, MemFlagsData, StackSlotData, StackSlotKind,
};
use cranelift_module::{Linkage, Module as _};

use super::memory::vector_type;
use super::shader::Emission;
use crate::abi::{
    ACCUMULATOR, ACCUMULATOR_COMPONENT, Arguments, ContextField, Question, SampleKind,
};
use crate::convention;
use crate::ir::{Op, Value};
use crate::runtime::{Entry, Vector, Vectors, slow_site, texture_site};

/// Stack slots hold vectors, which entries take by reference: log2 of their alignment.
const VECTOR_ALIGN_SHIFT: u8 = 4;

impl Emission<'_, '_> {
    /// Calls an entry and leaves its results on the stack.
    pub(super) fn call(
        &mut self,
        entry: Entry,
        memory: Option<clif::Value>,
        site: u64,
        operands: &[clif::Value],
    ) {
        let slot = self.vectors();
        let pointer = self.pointer;
        for (place, &operand) in operands.iter().enumerate() {
            let offset = (place * Vector::SIZE) as i32;
            self.ins().stack_store(pointer, operand, slot, offset);
        }
        let memory = memory.unwrap_or_else(|| self.ins().iconst(pointer, 0));
        let site = self.ins().iconst(I64, site.cast_signed());
        let vectors = self.ins().stack_addr(pointer, slot, 0);
        let (entry, context) = (self.import(entry), self.bases.context);
        self.ins().call(entry, &[context, memory, site, vectors]);
    }

    /// Result number `place` of the last call.
    pub(super) fn result(&mut self, place: usize, ty: clif::Type) -> clif::Value {
        let (pointer, slot) = (self.pointer, self.vectors());
        let offset = (place * Vector::SIZE) as i32;
        self.ins().stack_load(pointer, ty, slot, offset)
    }

    /// The result of an entry that touches nothing else.
    pub(super) fn call_pure(
        &mut self,
        entry: Entry,
        site: u64,
        operands: &[clif::Value],
    ) -> clif::Value {
        self.call(entry, None, site, operands);
        self.result(0, F32X4)
    }

    /// Per lane `mask ? path(x) : fast`, the call being skipped if no lane needs it.
    pub(super) fn slow_path(
        &mut self,
        path: SlowPath,
        operands: [Value; 3],
        quad: usize,
    ) -> clif::Value {
        let [mask, x, fast] = operands.map(|operand| self.value(operand, quad));
        let (slow, join) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(slow);
        let result = self.builder.append_block_param(join, F32X4);
        let any = self.any_lane(mask);
        self.ins()
            .brif(any, slow, &[], join, &[BlockArg::Value(fast)]);
        self.builder.switch_to_block(slow);
        let called = self.call_pure(Entry::Slow, slow_site(path), &[fast, mask, x]);
        self.ins().jump(join, &[BlockArg::Value(called)]);
        self.builder.switch_to_block(join);
        result
    }

    /// Asks a texture unit.
    pub(super) fn sample(
        &mut self,
        whole: Value,
        (op, unit, stage): (SampleKind, u8, Stage),
        operands: &[Value],
    ) -> Option<clif::Value> {
        let site = texture_site(op, unit, stage);
        self.fetch(whole, Entry::Texture, site, operands)
    }

    /// Calls an entry that asks what users bind, and has several results, those of `whole`.
    pub(super) fn fetch(
        &mut self,
        whole: Value,
        entry: Entry,
        site: u64,
        operands: &[Value],
    ) -> Option<clif::Value> {
        let operands: Vec<_> = operands.iter().map(|&a| self.value(a, 0)).collect();
        self.ask_users(whole, entry, site, &operands)
    }

    /// The same with operands that have been emitted.
    pub(super) fn ask_users(
        &mut self,
        whole: Value,
        entry: Entry,
        site: u64,
        operands: &[clif::Value],
    ) -> Option<clif::Value> {
        self.call(entry, None, site, operands);
        self.asked = true;
        self.take_parts(whole);
        None
    }

    /// Puts down an operand of the next question.
    pub(super) fn argument(
        &mut self,
        place: u8,
        [value]: [Value; 1],
        quad: usize,
    ) -> Option<clif::Value> {
        let value = self.value(value, quad);
        let slot = self.arguments();
        let offset = (usize::from(place) * Vector::SIZE) as i32;
        let pointer = self.pointer;
        self.ins().stack_store(pointer, value, slot, offset);
        None
    }

    /// Asks a question with the operands that have been put down.
    pub(super) fn ask(
        &mut self,
        whole: Value,
        question: &Question,
        [active]: [Value; 1],
        quad: usize,
    ) -> Option<clif::Value> {
        let active = self.value(active, quad);
        let (slot, pointer) = (self.arguments(), self.pointer);
        let arguments = self.ins().stack_addr(pointer, slot, 0);
        self.call(Entry::Ask, Some(arguments), question.site(), &[active]);
        self.asked = true;
        self.take_parts(whole);
        None
    }

    /// Calls an entry that hands something over to what users bind.
    pub(super) fn hand_over(
        &mut self,
        entry: Entry,
        number: u8,
        operands: &[Value],
    ) -> Option<clif::Value> {
        let operands: Vec<_> = operands.iter().map(|&a| self.value(a, 0)).collect();
        self.call(entry, None, number.into(), &operands);
        self.asked = true;
        None
    }

    fn arguments(&mut self) -> clif::StackSlot {
        if let Some(slot) = self.arguments {
            return slot;
        }
        let slot = self.stack_slot(size_of::<Arguments>());
        self.arguments = Some(slot);
        slot
    }

    /// Goes on to a node only if no call has stopped the run, or the node stores nothing.
    pub(super) fn leave_before_storing(&mut self, value: Value) {
        let op = self.function.node(value).op;
        if matches!(
            op,
            Op::Store(..) | Op::StorePixels(..) | Op::StoreColumn(..)
        ) {
            self.leave_if_stopped();
        }
    }

    /// Goes on only if no call has stopped the run. Looking after every call would cut the code into
    /// many blocks, which take long to compile: so it is done where a quad is about to be stored,
    /// and where a block ends.
    pub(super) fn leave_if_stopped(&mut self) {
        if !std::mem::take(&mut self.asked) {
            return;
        }
        let context = self.bases.context;
        let offset = ContextField::Stopped.offset() as i32;
        let flags = MemFlagsData::trusted();
        let stopped = self.ins().load(I32, flags, context, offset);
        let known = self.stopped;
        let leave = known.unwrap_or_else(|| self.builder.create_block());
        self.stopped = Some(leave);
        let next = self.builder.create_block();
        self.ins().brif(stopped, leave, &[], next, &[]);
        self.builder.switch_to_block(next);
    }

    /// The way out of stopped runs, if the function has calls that stop it: back to the caller, who
    /// knows. Work under way is left as it is.
    pub(super) fn return_if_stopped(&mut self) {
        if let Some(leave) = self.stopped {
            self.builder.switch_to_block(leave);
            self.builder.set_cold_block(leave);
            self.succeed();
        }
    }

    /// Loads those of several results that are used, before another call overwrites them.
    fn take_parts(&mut self, whole: Value) {
        for component in 0..4 {
            if let Some(parts) = self.plan.parts.get(&(whole, component)).cloned() {
                let loaded = self.result(usize::from(component), F32X4);
                for part in parts {
                    let ty = vector_type(self.function.node(part).ty);
                    let loaded = self.cast(loaded, ty);
                    self.define(part, 0, loaded);
                }
            }
        }
    }

    /// Calls an entry that works on a component of the accumulator.
    pub(super) fn fixed(
        &mut self,
        entry: Entry,
        component: Component,
        operands: &[Value],
    ) -> Option<clif::Value> {
        let operands: Vec<_> = operands.iter().map(|&a| self.value(a, 0)).collect();
        let accumulator = self.accumulator(component);
        self.call(entry, Some(accumulator), 0, &operands);
        None
    }

    /// The result of the entry that reads a component of the accumulator.
    pub(super) fn fixed_result(&mut self, component: Component, operands: &[Value]) -> clif::Value {
        self.fixed(Entry::FixedResult, component, operands);
        self.result(0, F32X4)
    }

    /// The address of a component of the accumulator.
    fn accumulator(&mut self, component: Component) -> clif::Value {
        let within = component.index() * ACCUMULATOR_COMPONENT;
        let pointer = self.pointer;
        match (self.layout.accumulator(), self.accumulator) {
            (Some(offset), _) => {
                let quad = self.records[0];
                self.ins().iadd_imm_s(quad, (offset + within) as i64)
            }
            (None, Some(slot)) => self.ins().stack_addr(pointer, slot, within as i32),
            (None, None) => unreachable!("a function that uses the accumulator has one"),
        }
    }

    /// At the start of a quad: gives it an accumulator of 0, if it uses one that is not in its
    /// record.
    pub(super) fn clear_accumulator(&mut self) {
        if !self.plan.accumulator || self.layout.accumulator().is_some() {
            return;
        }
        let slot = self.stack_slot(ACCUMULATOR);
        self.accumulator = Some(slot);
        let (zero, pointer) = (self.literal(0, I32X4), self.pointer);
        for offset in (0..ACCUMULATOR).step_by(Vector::SIZE) {
            self.ins().stack_store(pointer, zero, slot, offset as i32);
        }
    }

    /// Where operands and results of calls lie.
    pub(super) fn vectors(&mut self) -> clif::StackSlot {
        if let Some(slot) = self.vectors {
            return slot;
        }
        let slot = self.stack_slot(size_of::<Vectors>());
        self.vectors = Some(slot);
        slot
    }

    pub(super) fn stack_slot(&mut self, size: usize) -> clif::StackSlot {
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size as u32, VECTOR_ALIGN_SHIFT);
        self.builder.create_sized_stack_slot(data)
    }

    fn import(&mut self, entry: Entry) -> clif::FuncRef {
        if let Some(&known) = self.imports.get(&entry) {
            return known;
        }
        let mut signature = clif::Signature::new(convention::of(self.module.isa()));
        signature
            .params
            .extend([self.pointer, self.pointer, I64, self.pointer].map(AbiParam::new));
        let id = self
            .module
            .declare_function(entry.name(), Linkage::Import, &signature)
            .expect("an entry always has the same signature");
        let import = self.module.declare_func_in_func(id, self.builder.func);
        self.imports.insert(entry, import);
        import
    }
}
