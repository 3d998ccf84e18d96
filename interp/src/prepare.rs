//! Decoding: from instructions to [`Step`]s, once per program.

use std::collections::{BTreeSet, HashMap};

use attila_isa::{
    Bank, Bindings, BoolSrc, Dst, Guard, Inst, Modifiers, Opcode, Operand, OperandKind, QuadReg,
    Reg, RelAddr, ResultKind, Slots, Src, Swizzle, ValidProgram,
};

use crate::machine::Machine;
use crate::ops::{Action, action};

/// A program, ready to run.
pub(crate) struct Prepared {
    pub(crate) program: ValidProgram,
    /// One per instruction.
    pub(crate) steps: Vec<Step>,
    /// The operands that are the same for all quads of a run.
    uniforms: Vec<Uniform>,
    /// The registers that a run changes, without the outputs.
    pub(crate) written: Vec<Register>,
}

/// An instruction, decoded.
pub(crate) struct Step {
    action: Action,
    /// The registers read, by operand; also those of constants tested as truth values.
    pub(crate) sources: [Source; 3],
    /// The truth values tested, by operand.
    pub(crate) truths: [Truth; 2],
    /// Texture unit, attribute or sample.
    pub(crate) number: u8,
    /// The register written, if any, and which components of it.
    pub(crate) target: Register,
    pub(crate) mask: Slots,
    pub(crate) saturate: bool,
    pub(crate) guard: Option<Guard>,
    /// Where the [`Place::Gathered`] operands come from.
    relative: Option<RelAddr>,
}

/// A register that can be written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Register {
    None,
    Output(usize),
    Temp(usize),
    Address(usize),
    Predicate(usize),
    Accumulator,
    Sample,
}

/// Where the register of an operand is found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Input(usize),
    Temp(usize),
    Address(usize),
    /// Among the operands that were prepared for the run.
    Uniform(usize),
    /// A constant, relative to this one, that each lane has to address for itself.
    Gathered(usize),
}

/// A source operand. Modifiers are kept as masks, so that applying them needs no branch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    pub(crate) place: Place,
    /// The component that each slot takes.
    pub(crate) swizzle: [u8; 4],
    /// As an f32: `bits & keep ^ flip`.
    pub(crate) keep: u32,
    pub(crate) flip: u32,
    /// As an i32.
    pub(crate) modifiers: Modifiers,
}

/// A truth value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Truth {
    Literal(bool),
    Predicate {
        index: usize,
        negate: bool,
    },
    /// Slot w of the source at the same place.
    Word {
        negate: bool,
    },
}

/// An operand that is the same for all quads and all lanes: swizzled and modified once per run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Uniform {
    value: UniformValue,
    swizzle: Swizzle,
    modifiers: Modifiers,
    integer: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum UniformValue {
    Constant(usize),
    Immediate(u32),
}

impl Prepared {
    pub(crate) fn new(program: &ValidProgram) -> Prepared {
        let mut decoder = Decoder::default();
        let insts = program.program().insts();
        let steps = insts.iter().map(|inst| decoder.step(inst)).collect();
        Prepared {
            program: program.clone(),
            steps,
            uniforms: decoder.uniforms,
            written: written(insts),
        }
    }

    /// The operands that are the same for a whole run.
    pub(crate) fn uniforms(&self, bindings: &Bindings<'_>) -> Vec<QuadReg> {
        let constants = bindings.constants();
        let resolve = |uniform: &Uniform| {
            let value = match uniform.value {
                UniformValue::Constant(index) => constants[index],
                UniformValue::Immediate(bits) => [bits; 4],
            };
            slots(uniform.swizzle).map(|component| {
                let bits = value[usize::from(component)];
                [if uniform.integer {
                    uniform.modifiers.apply_int(bits)
                } else {
                    uniform.modifiers.apply_float(bits)
                }; 4]
            })
        };
        self.uniforms.iter().map(resolve).collect()
    }
}

impl Step {
    /// Carries the instruction out.
    #[inline]
    pub(crate) fn execute(&self, machine: &mut Machine<'_>) {
        if let Some(relative) = self.relative {
            machine.gather(self, relative);
        }
        (self.action)(machine, self);
    }
}

impl Source {
    /// What stands where no operand is read.
    const NONE: Source = Source::new(Place::Input(0), Swizzle::IDENTITY, PLAIN);

    const fn new(place: Place, swizzle: Swizzle, modifiers: Modifiers) -> Source {
        Source {
            place,
            swizzle: slots(swizzle),
            keep: if modifiers.absolute { !SIGN } else { !0 },
            flip: if modifiers.negate { SIGN } else { 0 },
            modifiers,
        }
    }
}

const SIGN: u32 = 1 << 31;

const PLAIN: Modifiers = Modifiers {
    negate: false,
    absolute: false,
};

/// The components that slots x, y, z, w take.
const fn slots(swizzle: Swizzle) -> [u8; 4] {
    let bits = swizzle.bits();
    [bits >> 6, bits >> 4 & 3, bits >> 2 & 3, bits & 3]
}

#[derive(Default)]
struct Decoder {
    uniforms: Vec<Uniform>,
    index: HashMap<Uniform, usize>,
}

impl Decoder {
    fn step(&mut self, inst: &Inst) -> Step {
        let mut step = Step {
            action: action(inst.op),
            sources: [Source::NONE; 3],
            truths: [Truth::Literal(false); 2],
            number: 0,
            target: target(inst),
            mask: inst.written(),
            saturate: inst.saturate,
            guard: inst.guard,
            relative: inst.relative,
        };
        let kinds = inst.op.operands();
        for (index, (operand, kind)) in inst.operands.iter().zip(kinds).enumerate() {
            let integer = matches!(kind, OperandKind::Int(_));
            match *operand {
                Operand::None | Operand::Offset(_) => {}
                Operand::Number(number) => step.number = number,
                Operand::Reg(src) => step.sources[index] = self.source(inst, src, integer),
                Operand::Imm(imm) => {
                    step.sources[index] = self.uniform(Uniform {
                        value: UniformValue::Immediate(imm.bits),
                        swizzle: Swizzle::IDENTITY,
                        modifiers: imm.modifiers,
                        integer,
                    });
                }
                Operand::Bool(boolean) => {
                    step.truths[index] = truth(boolean);
                    if let BoolSrc::Constant { reg, component, .. } = boolean {
                        let src = Src {
                            swizzle: Swizzle::broadcast(component),
                            ..Src::new(reg)
                        };
                        step.sources[index] = self.source(inst, src, false);
                    }
                }
            }
        }
        step
    }

    fn source(&mut self, inst: &Inst, src: Src, integer: bool) -> Source {
        let index = src.reg.index();
        let place = match src.reg.bank() {
            // No instruction reads an output: `Inst::check` has seen to that.
            Bank::Input | Bank::Output => Place::Input(index),
            Bank::Temp => Place::Temp(index),
            Bank::Address => Place::Address(index),
            Bank::Constant if inst.relative.is_some() => Place::Gathered(index),
            Bank::Constant => {
                return self.uniform(Uniform {
                    value: UniformValue::Constant(index),
                    swizzle: src.swizzle,
                    modifiers: src.modifiers,
                    integer,
                });
            }
        };
        Source::new(place, src.swizzle, src.modifiers)
    }

    fn uniform(&mut self, uniform: Uniform) -> Source {
        let index = *self.index.entry(uniform).or_insert_with(|| {
            self.uniforms.push(uniform);
            self.uniforms.len() - 1
        });
        Source::new(Place::Uniform(index), Swizzle::IDENTITY, PLAIN)
    }
}

fn truth(boolean: BoolSrc) -> Truth {
    match boolean {
        BoolSrc::Literal(value) => Truth::Literal(value),
        BoolSrc::Pred { pred, negate } => Truth::Predicate {
            index: pred.index(),
            negate,
        },
        BoolSrc::Constant { negate, .. } => Truth::Word { negate },
    }
}

/// What an instruction changes, apart from kills and exported depths.
fn target(inst: &Inst) -> Register {
    if inst.op == Opcode::Chs {
        return Register::Sample;
    }
    match inst.dst {
        Dst::None => Register::None,
        Dst::Pred(pred) => Register::Predicate(pred.index()),
        Dst::Reg { .. } if inst.op.info().result == ResultKind::Accumulator => {
            Register::Accumulator
        }
        Dst::Reg { reg, .. } => register(reg),
    }
}

fn register(reg: Reg) -> Register {
    match reg.bank() {
        Bank::Output => Register::Output(reg.index()),
        Bank::Temp => Register::Temp(reg.index()),
        Bank::Address => Register::Address(reg.index()),
        // No instruction writes these: `Inst::check` has seen to that.
        Bank::Input | Bank::Constant => Register::None,
    }
}

/// The registers that the program changes, each once, without the outputs.
fn written(insts: &[Inst]) -> Vec<Register> {
    let is_state = |register: &Register| match register {
        Register::None | Register::Output(_) => false,
        Register::Temp(_)
        | Register::Address(_)
        | Register::Predicate(_)
        | Register::Accumulator
        | Register::Sample => true,
    };
    let targets: BTreeSet<Register> = insts.iter().map(target).filter(is_state).collect();
    targets.into_iter().collect()
}
