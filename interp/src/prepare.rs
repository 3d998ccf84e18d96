//! Decoding: from instructions to [`Step`]s, once per program.

use std::collections::HashMap;
use std::sync::Arc;

use attila_isa::{
    BoolSrc, CtmModifier, Guard, Inst, Modifiers, Operand, OperandKind, Pred, RelAddr, ResultPath,
    ScratchArray, Slots, Src, Swizzle, TextureAccess, ValidProgram, ValueKind,
};
use attila_machine::{Bindings, QuadReg};

use crate::machine::{Machine, flushed};
use crate::ops::{Action, action};
use crate::registers::Places;

/// A program, ready to run.
pub(crate) struct Prepared {
    pub(crate) program: ValidProgram,
    /// One per instruction.
    pub(crate) steps: Vec<Step>,
    pub(crate) places: Places,
    /// The operands that are the same for all quads of a run.
    uniforms: Vec<Uniform>,
    pub(crate) touched: Touched,
}

/// The registers that a run in which all start at 0 has to take over, to clear and to hand out.
#[derive(Default)]
pub(crate) struct Touched {
    /// The inputs read, by number.
    pub(crate) inputs: Vec<usize>,
    /// The outputs written, by number.
    pub(crate) outputs: Arc<[usize]>,
    /// The registers written, by place.
    pub(crate) registers: Vec<usize>,
    /// The predicates written, by number.
    pub(crate) predicates: Vec<usize>,
    pub(crate) accumulator: bool,
    pub(crate) depth: bool,
    /// Whether the samples of the pixels are asked for.
    pub(crate) samples: bool,
}

/// An instruction, decoded.
pub(crate) struct Step {
    action: Action,
    /// The registers read, by operand; also those of constants tested as truth values.
    pub(crate) sources: [Source; 3],
    /// The truth values tested, by operand.
    pub(crate) truths: [Truth; 2],
    /// Texture unit, attribute, stream, sample, buffer, or what is added to an index.
    pub(crate) number: u8,
    /// The texture of an instruction that names a target, and the address that is added to its unit.
    pub(crate) texture: Option<(TextureAccess, Option<RelAddr>)>,
    /// Whether there is an operand at each place.
    pub(crate) present: [bool; 3],
    /// The array of scratch memory, if it has one.
    pub(crate) array: ScratchArray,
    /// The place of the register written, if any of its components is.
    pub(crate) target: usize,
    /// The components written, of the register or the accumulator.
    pub(crate) mask: Slots,
    /// The predicate register written, if any is.
    pub(crate) predicate: usize,
    /// Whether it is written besides a register.
    pub(crate) also_predicate: bool,
    pub(crate) path: ResultPath,
    pub(crate) guard: Option<Guard>,
    relative: Option<Relative>,
}

/// The constants that each lane has to address for itself.
#[derive(Clone, Copy)]
pub(crate) struct Relative {
    pub(crate) address: RelAddr,
    /// The base of the address, by operand.
    pub(crate) bases: [Option<usize>; 3],
}

/// A source operand. Modifiers are kept as masks, so that applying them needs no branch.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    /// The place of the register.
    pub(crate) register: usize,
    /// The component that each slot takes.
    pub(crate) swizzle: [u8; 4],
    /// As an f32: `bits & keep ^ flip`.
    pub(crate) keep: u32,
    pub(crate) flip: u32,
    /// As an f32, whether denormals are zeros.
    pub(crate) flushes: bool,
    /// As an i32.
    pub(crate) modifiers: Modifiers,
    /// Whether nothing of this changes anything.
    pub(crate) plain: bool,
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
    numbers: Numbers,
}

/// The numbers that modifiers change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Numbers {
    Floats,
    /// Floats without denormals.
    Flushed,
    Integers,
    /// Pairs of slots: the sign is in y and w.
    Doubles,
}

impl Numbers {
    fn of(kind: OperandKind) -> Numbers {
        match kind.value() {
            Some((ValueKind::Int, _)) => Numbers::Integers,
            Some((ValueKind::Double, _)) => Numbers::Doubles,
            Some((ValueKind::Float | ValueKind::Bits, _)) | None => Numbers::Floats,
        }
    }

    /// The word of a slot, modified.
    fn modify(self, modifiers: Modifiers, slot: usize, bits: u32) -> u32 {
        match self {
            Numbers::Integers => modifiers.apply_int(bits),
            Numbers::Flushed => flushed(f32::from_bits(modifiers.apply_float(bits))).to_bits(),
            Numbers::Doubles if slot.is_multiple_of(2) => bits,
            Numbers::Floats | Numbers::Doubles => modifiers.apply_float(bits),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum UniformValue {
    Constant(usize),
    Immediate(u32),
}

impl Prepared {
    pub(crate) fn new(program: &ValidProgram) -> Prepared {
        let insts = program.program().insts();
        let places = Places::new(insts);
        let mut decoder = Decoder {
            places,
            uniforms: Vec::new(),
            index: HashMap::new(),
        };
        let steps = insts.iter().map(|inst| decoder.step(inst)).collect();
        Prepared {
            program: program.clone(),
            steps,
            places,
            uniforms: decoder.uniforms,
            touched: Touched::new(program, &places),
        }
    }

    /// The operands that are the same for a whole run.
    pub(crate) fn uniforms(&self, bindings: &Bindings<'_>) -> impl Iterator<Item = QuadReg> {
        let constants = bindings.constants();
        let resolve = move |uniform: &Uniform| {
            let value = match uniform.value {
                UniformValue::Constant(index) => constants[index],
                UniformValue::Immediate(bits) => [bits; 4],
            };
            let components = slots(uniform.swizzle).map(usize::from);
            std::array::from_fn(|slot| {
                let bits = value[components[slot]];
                [uniform.numbers.modify(uniform.modifiers, slot, bits); 4]
            })
        };
        self.uniforms.iter().map(resolve)
    }
}

impl Touched {
    fn new(program: &ValidProgram, places: &Places) -> Touched {
        let usage = program.usage();
        let named = |registers: &[Slots]| {
            let named = registers
                .iter()
                .enumerate()
                .filter(|(_, slots)| !slots.is_empty());
            named.map(|(number, _)| number).collect::<Vec<_>>()
        };
        let mut touched = Touched {
            inputs: named(&usage.inputs),
            outputs: named(&usage.outputs).into(),
            accumulator: usage.accumulator,
            depth: usage.exports_depth,
            samples: usage.samples,
            ..Touched::default()
        };
        for inst in program.program().insts() {
            let written = inst.dst.reg.filter(|dst| !dst.mask.is_empty());
            touched
                .registers
                .extend(written.and_then(|dst| places.of(dst.reg)));
            touched.predicates.extend(inst.dst.pred.map(Pred::index));
        }
        for list in [&mut touched.registers, &mut touched.predicates] {
            list.sort_unstable();
            list.dedup();
        }
        touched
    }
}

impl Step {
    /// Whether the result is one of the operands, bit for bit.
    pub(crate) fn is_raw(&self) -> bool {
        self.path.modifier() == Some(CtmModifier::Raw)
    }

    /// Carries the instruction out.
    #[inline]
    pub(crate) fn execute(&self, machine: &mut Machine<'_>) {
        if let Some(relative) = &self.relative {
            machine.gather(relative);
        }
        (self.action)(machine, self);
    }
}

impl Source {
    /// The source where no operand is read.
    const NONE: Source = Source::new(0, Swizzle::IDENTITY, PLAIN, false);

    const fn new(register: usize, swizzle: Swizzle, modifiers: Modifiers, flushes: bool) -> Source {
        Source {
            register,
            swizzle: slots(swizzle),
            keep: if modifiers.absolute { !SIGN } else { !0 },
            flip: if modifiers.negate { SIGN } else { 0 },
            flushes,
            modifiers,
            plain: !flushes
                && swizzle.bits() == Swizzle::IDENTITY.bits()
                && !modifiers.negate
                && !modifiers.absolute,
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

struct Decoder {
    places: Places,
    uniforms: Vec<Uniform>,
    index: HashMap<Uniform, usize>,
}

impl Decoder {
    fn step(&mut self, inst: &Inst) -> Step {
        let mut step = Step {
            action: action(inst),
            sources: [Source::NONE; 3],
            truths: [Truth::Literal(false); 2],
            number: 0,
            texture: inst.texture.map(|texture| (texture, inst.relative)),
            present: inst.operands.map(|operand| operand != Operand::None),
            array: inst.scratch().unwrap_or(ScratchArray { base: 0, size: 0 }),
            target: inst
                .dst
                .reg
                .and_then(|dst| self.places.of(dst.reg))
                .unwrap_or(0),
            mask: inst.written(),
            predicate: inst.dst.pred.map_or(0, Pred::index),
            also_predicate: inst.dst.reg.is_some() && inst.dst.pred.is_some(),
            path: inst.path,
            guard: inst.guard,
            relative: inst.constant_address().map(|address| Relative {
                address,
                bases: [None; 3],
            }),
        };
        for (index, kind) in inst.op.operands().iter().enumerate() {
            let numbers = match inst.flushes(index) {
                true => Numbers::Flushed,
                false => Numbers::of(*kind),
            };
            self.operand(&mut step, index, inst.operands[index], numbers);
        }
        step
    }

    fn operand(&mut self, step: &mut Step, index: usize, operand: Operand, numbers: Numbers) {
        match operand {
            Operand::None | Operand::Offset(_) | Operand::Scratch(_) => {}
            Operand::Unit { unit: number, .. }
            | Operand::Attribute(number)
            | Operand::Stream(number)
            | Operand::Buffer(number)
            | Operand::Storage(number)
            | Operand::Number(number)
            | Operand::Sample(number) => step.number = number,
            Operand::Reg(src) => self.source(step, index, src, numbers),
            Operand::Imm(imm) => {
                step.sources[index] = self.uniform(Uniform {
                    value: UniformValue::Immediate(imm.bits),
                    swizzle: Swizzle::IDENTITY,
                    modifiers: imm.modifiers,
                    numbers,
                });
            }
            Operand::Bool(boolean) => {
                step.truths[index] = truth(boolean);
                if let BoolSrc::Constant { reg, component, .. } = boolean {
                    let src = Src {
                        swizzle: Swizzle::broadcast(component),
                        ..Src::new(reg)
                    };
                    self.source(step, index, src, Numbers::Floats);
                }
            }
        }
    }

    fn source(&mut self, step: &mut Step, index: usize, src: Src, numbers: Numbers) {
        let flushes = numbers == Numbers::Flushed;
        let at = |register| Source::new(register, src.swizzle, src.modifiers, flushes);
        step.sources[index] = match (self.places.of(src.reg), &mut step.relative) {
            (Some(register), _) => at(register),
            (None, Some(relative)) => {
                relative.bases[index] = Some(src.reg.index());
                at(self.places.gathered + index)
            }
            (None, None) => self.uniform(Uniform {
                value: UniformValue::Constant(src.reg.index()),
                swizzle: src.swizzle,
                modifiers: src.modifiers,
                numbers,
            }),
        };
    }

    fn uniform(&mut self, uniform: Uniform) -> Source {
        let index = *self.index.entry(uniform).or_insert_with(|| {
            self.uniforms.push(uniform);
            self.uniforms.len() - 1
        });
        Source::new(
            self.places.uniforms + index,
            Swizzle::IDENTITY,
            PLAIN,
            false,
        )
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
