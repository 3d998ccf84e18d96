//! Reading operands and writing results: swizzle, modifiers, saturate, guard and mask, once for
//! all opcodes.

use attila_isa::{
    Bank, BoolSrc, Component, DstReg, Inst, Operand, OperandValue, ResultPath, Slots, Src,
};
use attila_machine::arith::Arith;

use super::{Domain, Lower, Var};
use crate::abi::{Constant, Slot};
use crate::ir::{Binary, Op, Type, Unary, Value};

impl Lower<'_> {
    /// The value of a variable for the current instruction.
    pub(super) fn current(&mut self, var: Var) -> Value {
        let value = self.get(var);
        if self.all_lanes {
            // Blending is put off until the block's end: do it now for this reader.
            let before = self.before(var);
            return self.b.choose(self.active, value, before);
        }
        value
    }

    /// Operand `number` (from 0) at slot `slot`, as f32 with its modifiers.
    pub(super) fn float(&mut self, inst: &Inst, number: usize, slot: Component) -> Value {
        self.read_float(inst, number, slot, inst.flushes(number))
    }

    /// The same of an operand that is the result where it is selected, and loses its denormals as that.
    pub(super) fn selected(&mut self, inst: &Inst, number: usize, slot: Component) -> Value {
        self.read_float(inst, number, slot, false)
    }

    fn read_float(&mut self, inst: &Inst, number: usize, slot: Component, flushes: bool) -> Value {
        match inst.operands[number].value() {
            Some(OperandValue::Reg(src)) => self.source_float(inst, &src, slot, flushes),
            Some(OperandValue::Imm(imm)) => {
                let value = self.b.bits(imm.modifiers.apply_float(imm.bits), Type::F32);
                self.flushed_if(flushes, value)
            }
            Some(OperandValue::Bool(_)) | None => {
                unreachable!("operand {number} of {} is no number", inst.op)
            }
        }
    }

    /// A source at a slot, as f32 with its modifiers; `flushes`: without denormals.
    pub(super) fn source_float(
        &mut self,
        inst: &Inst,
        src: &Src,
        slot: Component,
        flushes: bool,
    ) -> Value {
        let value = self.component(inst, src, slot);
        let value = self.b.as_f32(value);
        // Before the modifiers, where more is known of it.
        let may_have_some = flushes && self.may_be_denormal(src.reg, src.swizzle.source(slot));
        let value = self.flushed_if(may_have_some, value);
        let value = if src.modifiers.absolute {
            self.b.abs(value)
        } else {
            value
        };
        if src.modifiers.negate {
            self.b.neg(value)
        } else {
            value
        }
    }

    /// Operand `number` (from 0) at slot `slot`, as i32 with its modifiers.
    pub(super) fn int(&mut self, inst: &Inst, number: usize, slot: Component) -> Value {
        match inst.operands[number].value() {
            Some(OperandValue::Reg(src)) => {
                let value = self.component(inst, &src, slot);
                let value = self.b.as_i32(value);
                let absolute = src.modifiers.absolute;
                let value = if absolute {
                    self.b.unary(Unary::Iabs, value)
                } else {
                    value
                };
                if !src.modifiers.negate {
                    return value;
                }
                let zero = self.b.i32(0);
                self.b.isub(zero, value)
            }
            Some(OperandValue::Imm(imm)) => {
                self.b.bits(imm.modifiers.apply_int(imm.bits), Type::I32)
            }
            Some(OperandValue::Bool(_)) | None => {
                unreachable!("operand {number} of {} is no number", inst.op)
            }
        }
    }

    /// The component of a source register that goes to `slot`, without modifiers.
    pub(super) fn component(&mut self, inst: &Inst, src: &Src, slot: Component) -> Value {
        let (reg, component) = (src.reg, src.swizzle.source(slot));
        match reg.bank() {
            Bank::Input => {
                let number = reg.index();
                match self.domain {
                    Domain::Draw(pipeline) => self.varying(pipeline, number, component),
                    Domain::Columns(shape) => self.column_input(shape, number, component),
                    Domain::Io | Domain::ExtendedIo | Domain::State => self.b.load(Slot::Input {
                        reg: number as u8,
                        component: component as u8,
                    }),
                }
            }
            Bank::Temp | Bank::Address => self.current(Var::register(reg, component)),
            Bank::Constant => self.constant(inst, reg.index(), component),
            Bank::Output => unreachable!("outputs cannot be read"),
        }
    }

    /// A component of a constant, at the instruction's relative address if it has one.
    fn constant(&mut self, inst: &Inst, base: usize, component: Component) -> Value {
        let Some(relative) = inst.constant_address() else {
            let constant = Constant {
                index: base as u16,
                component: component as u8,
            };
            return self.b.push_as(Op::Uniform(constant), [], Type::F32);
        };
        let address = self.current(Var::register(relative.reg, relative.component));
        let offset = self.b.i32(base as i32 + i32::from(relative.offset));
        let index = self.b.iadd(address, offset);
        self.b.push_as(Op::Indexed(component), [index], Type::F32)
    }

    /// Operand `number` (from 0) as a mask.
    pub(super) fn boolean(&mut self, inst: &Inst, number: usize) -> Value {
        let Operand::Bool(source) = inst.operands[number] else {
            unreachable!("operand {number} of {} is no truth value", inst.op)
        };
        let (value, negate) = match source {
            BoolSrc::Literal(value) => return self.b.mask(value),
            BoolSrc::Pred { pred, negate } => (self.current(Var::predicate(pred)), negate),
            BoolSrc::Constant {
                reg,
                component,
                negate,
            } => {
                let word = self.constant(inst, reg.index(), component);
                let word = self.b.as_i32(word);
                let zero = self.b.i32(0);
                let is_zero = self.b.ieq(word, zero);
                (self.b.invert(is_zero), negate)
            }
        };
        if negate { self.b.invert(value) } else { value }
    }

    /// The lanes whose guard lets the instruction take effect.
    pub(super) fn guard_mask(&mut self, inst: &Inst) -> Value {
        let Some(guard) = inst.guard else {
            return self.b.mask(true);
        };
        let value = self.get(Var::predicate(guard.pred));
        if guard.negate {
            self.b.invert(value)
        } else {
            value
        }
    }

    /// The lanes in which an effect outside the registers takes place.
    pub(super) fn effective(&mut self) -> Value {
        self.b.binary(Binary::And, self.guard, self.active)
    }

    /// Gives a variable a value in the lanes that the guard lets through.
    pub(super) fn assign(&mut self, var: Var, value: Value) {
        let before = self.get(var);
        let value = self.b.choose(self.guard, value, before);
        self.state.set(var, value);
    }

    /// Writes the result of an instruction: `compute` is asked for each component of the mask,
    /// all of them before the first is written.
    pub(super) fn write(
        &mut self,
        inst: &Inst,
        mut compute: impl FnMut(&mut Self, Component) -> Value,
    ) {
        let Some(DstReg { reg, mask }) = inst.dst.reg else {
            unreachable!("{} writes a register", inst.op)
        };
        let path = match inst.op.info().results.is_float() {
            true => inst.path,
            false => ResultPath::Plain,
        };
        let mut results = [None; 4];
        for component in mask.components() {
            let value = compute(self, component);
            let value = match path {
                ResultPath::Plain => value,
                ResultPath::Saturate => self.saturate(value),
                ResultPath::SaturateSigned => self.saturate_signed(value),
                ResultPath::Ctm { modifier, saturate } => {
                    self.ctm_result(inst.op, value, modifier, saturate)
                }
            };
            results[component.index()] = Some(value);
        }
        for component in Slots::all().components() {
            if let Some(value) = results[component.index()] {
                let value = match reg.bank() {
                    Bank::Address => self.b.as_i32(value),
                    Bank::Temp | Bank::Output | Bank::Input | Bank::Constant => {
                        self.b.as_f32(value)
                    }
                };
                self.assign(Var::register(reg, component), value);
            }
        }
    }

    /// Clamps to [0, 1]: NaN gives 1, and -0 stays (numerics.md 3). With these operand orders the two
    /// selections say exactly that.
    pub(super) fn saturate(&mut self, value: Value) -> Value {
        let (zero, one) = (self.b.f32(0.0), self.b.f32(1.0));
        let below_one = self.b.binary(Binary::Fmin, value, one);
        self.b.binary(Binary::Fmax, zero, below_one)
    }

    /// Clamps to [-1, 1]: NaN gives +0, and -0 stays.
    fn saturate_signed(&mut self, value: Value) -> Value {
        let (low, high) = (self.b.f32(-1.0), self.b.f32(1.0));
        let below_one = self.b.binary(Binary::Fmin, value, high);
        let clamped = self.b.binary(Binary::Fmax, low, below_one);
        let (is_number, zero) = (self.b.eq(value, value), self.b.f32(0.0));
        self.b.choose(is_number, clamped, zero)
    }

    /// Writes a predicate, inverted if the instruction says so.
    pub(super) fn write_predicate(&mut self, inst: &Inst, value: Value) {
        let Some(pred) = inst.dst.pred else {
            unreachable!("{} writes a predicate", inst.op)
        };
        let value = match inst.path {
            ResultPath::Plain => value,
            ResultPath::Saturate | ResultPath::SaturateSigned | ResultPath::Ctm { .. } => {
                self.b.invert(value)
            }
        };
        self.assign(Var::predicate(pred), value);
    }
}
