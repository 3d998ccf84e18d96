//! Writes instructions down, with the registers they have been given.

use std::collections::BTreeMap;

use attila_isa::{
    Bank, Component, Dst, Inst, Opcode, Operand as IsaOperand, Program, Reg, RelAddr, Remark,
    Slots, Src,
};

use super::super::binding::{Input, Output};
use super::super::program::ArbProgram;
use super::super::translation::Translation;
use super::allocate::written;
use super::code::{Code, Operand, Place, Register, Step};
use super::constants::{Pool, choose, immediate};
use super::registers;

/// The program with its instructions in registers: `temps` and `pool` say which.
pub(super) fn emit(
    program: &ArbProgram,
    code: &Code,
    temps: &[u16],
    pool: &Pool,
) -> Result<Translation, Remark> {
    let mut emitter = Emitter {
        program,
        temps,
        pool,
        written: written(code, temps),
        inputs: BTreeMap::new(),
        outputs: BTreeMap::new(),
    };
    let mut insts: Vec<Inst> = code.steps.iter().map(|step| emitter.inst(step)).collect();
    let mut spans: Vec<_> = code.steps.iter().map(|step| step.span.clone()).collect();
    match insts.last_mut() {
        Some(last) => last.end = true,
        None => {
            insts.push(Inst::new(Opcode::End));
            spans.push(0..0);
        }
    }
    let emitted = Program::new(insts).map_err(|(index, error)| {
        let message = format!("this has no form in ATTILA: {error}");
        Remark::new(spans[index].clone(), message)
    })?;
    let mut textures = program.textures.clone();
    textures.retain(|texture| code.steps.iter().any(|step| step.texture == Some(*texture)));
    Ok(Translation {
        stage: program.stage,
        options: program.options,
        program: emitted.with_spans(spans).with_stage(program.stage),
        params: pool.rows().collect(),
        inputs: emitter
            .inputs
            .into_iter()
            .map(|(r, input)| (input, r))
            .collect(),
        outputs: emitter
            .outputs
            .into_iter()
            .map(|(r, output)| (output, r))
            .collect(),
        textures,
        resources: program.resources,
    })
}

struct Emitter<'a> {
    program: &'a ArbProgram,
    temps: &'a [u16],
    pool: &'a Pool,
    /// The components of temporaries that are written somewhere.
    written: [Slots; Bank::Temp.size() as usize],
    inputs: BTreeMap<u8, Input>,
    outputs: BTreeMap<u8, Output>,
}

impl Emitter<'_> {
    fn inst(&mut self, step: &Step) -> Inst {
        let mut inst = Inst::new(step.op);
        inst.saturate = step.saturate;
        if let Some((place, mask)) = step.result {
            inst.dst = self.destination(place, mask);
        }
        for index in 0..step.operands.len() {
            let operand = immediate(step, index);
            inst.operands[index] = operand.unwrap_or_else(|| self.operand(step, index, &mut inst));
        }
        if let Some(texture) = step.texture {
            inst.operands[1] = IsaOperand::Number(texture.unit as u8);
        }
        inst
    }

    fn destination(&mut self, place: Place, mask: Slots) -> Dst {
        match place {
            Place::Temp(temp) => Dst::Reg {
                reg: temporary(self.temps[temp]),
                mask,
            },
            Place::Output(output) => {
                let reg = registers::output(output).expect("outputs have been checked");
                self.outputs.insert(reg.index() as u8, output);
                Dst::Reg { reg, mask }
            }
            Place::Address(number) => {
                let (reg, component) = address(number);
                Dst::Reg {
                    reg,
                    mask: Slots::only(component),
                }
            }
        }
    }

    fn operand(&mut self, step: &Step, index: usize, inst: &mut Inst) -> IsaOperand {
        let slots = step.slots(index);
        let Operand {
            register,
            mut swizzle,
            modifiers,
        } = step.operands[index];
        let mut present = Slots::all();
        let reg = match register {
            Register::Temp(temp) => {
                let reg = temporary(self.temps[temp]);
                // A texture's coordinates are three whatever they are for.
                if step.texture.is_some() {
                    present = self.written[reg.index()];
                }
                reg
            }
            Register::Input(input) => {
                let reg = registers::input(input, self.program.stage);
                let reg = reg.expect("inputs have been checked");
                self.inputs.insert(reg.index() as u8, input);
                reg
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
                let (reg, component) = address(number);
                inst.relative = Some(RelAddr {
                    reg,
                    component,
                    offset,
                });
                constant(base)
            }
        };
        IsaOperand::Reg(Src {
            reg,
            swizzle: choose(slots, present, |slot| Some(swizzle.source(slot))),
            modifiers,
        })
    }
}

fn temporary(number: u16) -> Reg {
    Reg::new(Bank::Temp, number).expect("temporaries have been given registers")
}

fn constant(number: u16) -> Reg {
    Reg::new(Bank::Constant, number).expect("constants have been counted")
}

/// The component that is address register `number`.
fn address(number: usize) -> (Reg, Component) {
    let reg = Reg::new(Bank::Address, (number / 4) as u16).expect("addresses have been counted");
    (reg, Component::from_bits(number as u8))
}
