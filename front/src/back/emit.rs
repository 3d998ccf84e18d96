//! Writes instructions down, with the registers they have been given.

use std::collections::BTreeMap;
use std::ops::Range;

use attila_isa::{
    Bank, BoolSrc, Component, Dst, Guard, Inst, Opcode, Operand as IsaOperand, Pred, Profile,
    Program, Reg, RelAddr, Remark, Slots, Src, Stage, Swizzle, Temps, TextureAccess, TextureTarget,
};

use super::allocate::written;
use super::code::{Code, Exit};
use super::constants::{Pool, choose, choose_pairs, immediate};
use super::step::{Condition, Lookup, Operand, Place, Register, Step};
use super::{ADDRESSES, Language};

/// A program, and the registers that carry its inputs and outputs.
pub(super) struct Emitted<L: Language> {
    pub(super) program: Program,
    pub(super) inputs: Vec<(L::Input, u8)>,
    pub(super) outputs: Vec<(L::Output, u8)>,
}

/// The program with its instructions in registers: `values` and `pool` say which.
pub(super) fn emit<L: Language>(
    code: &Code<L>,
    stage: Stage,
    profile: Profile,
    values: &[u16],
    pool: &Pool<L>,
) -> Result<Emitted<L>, Remark> {
    let places = places(code);
    let mut emitter = Emitter {
        stage,
        values,
        pool,
        written: written(code, values),
        inputs: BTreeMap::new(),
        outputs: BTreeMap::new(),
        fault: None,
    };
    let length = places.last().copied().unwrap_or(0);
    let mut insts: Vec<Inst> = Vec::with_capacity(length + 1);
    let mut spans: Vec<Range<usize>> = Vec::with_capacity(length + 1);
    for block in &code.blocks {
        for step in &block.steps {
            insts.push(emitter.inst(step));
            spans.push(step.span.clone());
        }
        if let Exit::Jump {
            condition,
            to,
            span,
        } = &block.exit
        {
            let target = places.get(code.target(*to)).copied().unwrap_or(length);
            let distance = target as i64 - insts.len() as i64;
            insts.push(emitter.jump(*condition, distance as i32));
            spans.push(span.clone());
        }
    }
    if let Some(fault) = emitter.fault {
        return Err(fault);
    }
    end(&mut insts, &mut spans, code);
    let program = Program::in_smallest_profile(profile, insts).map_err(|(index, error)| {
        let message = format!("ATTILA cannot express this: {error}");
        Remark::new(spans[index].clone(), message)
    })?;
    // Arrays whose vectors nothing reads are gone with their instructions.
    let scratch = match program.profile() {
        Profile::Base => 0,
        Profile::Extended => code.scratch,
    };
    let (inputs, outputs) = (emitter.inputs, emitter.outputs);
    Ok(Emitted {
        program: program
            .with_spans(spans)
            .with_stage(stage)
            .with_scratch(scratch),
        inputs: inputs.into_iter().map(|(r, input)| (input, r)).collect(),
        outputs: outputs.into_iter().map(|(r, output)| (output, r)).collect(),
    })
}

/// The place of each block's first instruction in the program, and its length.
fn places<L: Language>(code: &Code<L>) -> Vec<usize> {
    let mut places = Vec::with_capacity(code.blocks.len() + 1);
    let mut length = 0;
    for block in &code.blocks {
        places.push(length);
        length += block.length();
    }
    places.push(length);
    places
}

/// Ends the program: with its last instruction, or with one more where lanes jump beyond that.
fn end<L: Language>(insts: &mut Vec<Inst>, spans: &mut Vec<Range<usize>>, code: &Code<L>) {
    match insts.last_mut() {
        Some(last) if code.ends_with_step() => last.end = true,
        Some(_) | None => {
            let end = spans.last().map_or(0, |span| span.end);
            insts.push(Inst::new(Opcode::End));
            spans.push(end..end);
        }
    }
}

struct Emitter<'a, L: Language> {
    stage: Stage,
    values: &'a [u16],
    pool: &'a Pool<L>,
    /// The components of temporaries that are written somewhere.
    written: Temps<Slots>,
    inputs: BTreeMap<u8, L::Input>,
    outputs: BTreeMap<u8, L::Output>,
    /// The first register that there is not.
    fault: Option<Remark>,
}

impl<L: Language> Emitter<'_, L> {
    fn inst(&mut self, step: &Step<L>) -> Inst {
        let mut inst = Inst::new(step.op);
        inst.path = step.path;
        inst.zero_wins = step.zero_wins;
        inst.guard = step.guard.map(|guard| Guard {
            pred: self.predicate(guard.predicate),
            negate: guard.negate,
        });
        if let Some((place, mask)) = step.result {
            inst.dst = self.destination(place, mask, &step.span);
        }
        for index in 0..step.operands.len() {
            let operand = immediate(step, index);
            inst.operands[index] = operand.unwrap_or_else(|| self.operand(step, index, &mut inst));
        }
        if let Some(lookup) = step.texture {
            self.look_up(lookup, step, &mut inst);
        }
        inst
    }

    /// Names the texture of an instruction.
    fn look_up(&mut self, lookup: Lookup<L>, step: &Step<L>, inst: &mut Inst) {
        let unit = L::unit(lookup.texture);
        if !step.op.names_target() {
            let target = TextureTarget::Bound;
            inst.operands[1] = IsaOperand::Unit { unit, target };
            return;
        }
        inst.texture = Some(TextureAccess {
            unit,
            target: L::target(lookup.texture),
            gather: lookup.gather,
            level_zero: lookup.level_zero,
        });
        if let Some(number) = lookup.address {
            let (reg, component) = self.address(number, &step.span);
            inst.relative = Some(RelAddr {
                reg,
                component,
                offset: 0,
            });
        }
    }

    fn jump(&self, condition: Option<Condition>, distance: i32) -> Inst {
        let mut inst = Inst::new(Opcode::Jmp);
        inst.operands[0] = IsaOperand::Bool(match condition {
            None => BoolSrc::Literal(true),
            Some(condition) => BoolSrc::Pred {
                pred: self.predicate(condition.predicate),
                negate: condition.negate,
            },
        });
        inst.operands[1] = IsaOperand::Offset(distance);
        inst
    }

    fn predicate(&self, value: usize) -> Pred {
        Pred::new(self.values[value] as u8).expect("predicates have been given registers")
    }

    fn temporary(&self, value: usize) -> Reg {
        Reg::within(Profile::Extended, Bank::Temp, self.values[value])
            .expect("temporaries have been given registers")
    }

    fn destination(&mut self, place: Place<L>, mask: Slots, span: &Range<usize>) -> Dst {
        match place {
            Place::Temp(temp) => Dst::reg(self.temporary(temp), mask),
            Place::Predicate(predicate) => Dst::pred(self.predicate(predicate)),
            Place::Output(output) => {
                let reg = L::output(output, self.stage);
                let reg = self.exists(reg, span, || "there is no output register for this".into());
                self.outputs.insert(reg.index() as u8, output);
                Dst::reg(reg, mask)
            }
            Place::Scratch(array) => Dst::scratch(array, mask),
            Place::Storage => Dst::storage(mask),
            Place::Address(number) => {
                let (reg, component) = self.address(number, span);
                Dst::reg(reg, Slots::only(component))
            }
        }
    }

    /// The register, if there is one. Otherwise the program is refused.
    fn exists(
        &mut self,
        reg: Option<Reg>,
        span: &Range<usize>,
        message: impl FnOnce() -> String,
    ) -> Reg {
        reg.unwrap_or_else(|| {
            let fault = || Remark::new(span.clone(), message());
            self.fault.get_or_insert_with(fault);
            constant(0)
        })
    }

    /// The component of the address registers with a number.
    fn address(&mut self, number: usize, span: &Range<usize>) -> (Reg, Component) {
        let reg = u16::try_from(number / 4).ok();
        let reg = reg.and_then(|index| Reg::new(Bank::Address, index));
        let reg = self.exists(reg, span, || format!("there are {ADDRESSES} addresses"));
        (reg, Component::from_bits(number as u8))
    }

    fn input(&mut self, input: L::Input, span: &Range<usize>) -> Reg {
        let reg = L::input(input, self.stage);
        let reg = self.exists(reg, span, || "there is no input register for this".into());
        self.inputs.insert(reg.index() as u8, input);
        reg
    }

    fn operand(&mut self, step: &Step<L>, index: usize, inst: &mut Inst) -> IsaOperand {
        let slots = step.slots(index);
        let Operand {
            register,
            mut swizzle,
            modifiers,
        } = step.operands[index];
        let mut present = Slots::all();
        let reg = match register {
            Register::Temp(temp) => {
                let reg = self.temporary(temp);
                // Every texture has three coordinates, for any target.
                if step.texture.is_some() {
                    present = self.written[reg.index()];
                }
                reg
            }
            Register::Predicate(predicate) => {
                return IsaOperand::Bool(BoolSrc::Pred {
                    pred: self.predicate(predicate),
                    negate: modifiers.negate,
                });
            }
            Register::Input(input) => self.input(input, &step.span),
            Register::Param(param) if step.reads_doubles(index) => {
                constant(self.pool.place_of_doubles(param))
            }
            Register::Param(param) => {
                let number;
                (number, swizzle) = self.pool.place(param, swizzle, slots);
                constant(number)
            }
            Register::Element {
                base,
                offset,
                address: number,
            } => {
                let (reg, component) = self.address(number, &step.span);
                inst.relative = Some(RelAddr {
                    reg,
                    component,
                    offset,
                });
                constant(base)
            }
            Register::Pair(first, _) => self.temporary(first),
            Register::AsIs(operand) => return operand,
        };
        let swizzle = plainest(step, index, present, swizzle);
        IsaOperand::Reg(Src {
            reg,
            swizzle,
            modifiers,
        })
    }
}

/// The swizzle that reads best of those that take the same components in the slots that matter, and in
/// the others those in `present`.
fn plainest<L: Language>(
    step: &Step<L>,
    index: usize,
    present: Slots,
    swizzle: Swizzle,
) -> Swizzle {
    let slots = step.slots(index);
    match step.reads_doubles(index) {
        true => choose_pairs(slots, swizzle),
        false => choose(slots, present, |slot| Some(swizzle.source(slot))),
    }
}

fn constant(number: u16) -> Reg {
    Reg::new(Bank::Constant, number).expect("constants have been counted")
}
