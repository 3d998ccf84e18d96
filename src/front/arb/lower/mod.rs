//! From [`ArbProgram`] to ATTILA instructions.
//!
//! ```text
//! ArbProgram ──opcodes, options──► Code ──cleanup──► Code ──allocate, constants──► emit ──► Program
//! ```
//!
//! [`Code`] is a straight line of ATTILA instructions with any number of temporaries, inputs and
//! parameters by name. What the text leaves undefined is 0: temporaries and outputs start as 0 in
//! ATTILA, and [`allocate`] gives temporaries that are read before they are written a register that
//! nobody has had before.

mod allocate;
mod cleanup;
mod code;
mod constants;
mod emit;
mod opcodes;
mod options;
mod registers;

#[cfg(test)]
mod tests;

use std::ops::Range;

use attila_isa::{Component, MAX_INSTRUCTIONS, Opcode, RelAddr, Remark, Slots, Swizzle};
use smallvec::smallvec;

use super::binding::{Input, Output};
use super::program::{
    ArbProgram, Destination, ResultRegister, Select, Source, SourceRegister, TextureUse,
};
use super::translation::Translation;
use code::{Code, Operand, Operands, Place, Register, Step};
use constants::{Layout, immediate};

/// The program in ATTILA instructions. What concerns all of it is reported at byte `end`.
pub(super) fn lower(program: &ArbProgram, end: usize) -> Result<Translation, Remark> {
    let layout = Layout::new(program, end)?;
    let mut lowering = Lowering {
        program,
        layout: &layout,
        code: Code {
            steps: Vec::with_capacity(program.instructions.len()),
            temps: program.temporaries,
        },
        hidden: Hidden::default(),
        current: Current::default(),
        reads_attribute_6: reads(program, Input::Generic(registers::MATRIX_INDICES)),
    };
    lowering.before();
    for instruction in &program.instructions {
        lowering.instruction(instruction)?;
    }
    lowering.after(end)?;
    let mut code = lowering.code;
    cleanup::remove_dead(&mut code);
    if code.steps.len() > MAX_INSTRUCTIONS {
        let count = code.steps.len();
        let message =
            format!("this takes {count} instructions, and there may be {MAX_INSTRUCTIONS}");
        return Err(Remark::new(end..end, message));
    }
    cleanup::clean(&mut code);
    let temps = allocate::allocate(&code)?;
    code.steps.retain(|step| !allocate::is_idle(step, &temps));
    let pool = constants::pool(layout, &code, end)?;
    emit::emit(program, &code, &temps, &pool)
}

/// Temporaries that stand for what the text names.
#[derive(Default)]
struct Hidden {
    /// The fragment's position, where an option changes it.
    position: Option<usize>,
    /// The fragment's fog coordinate, if it is read.
    fog_coord: Option<usize>,
    /// The fragment's colour, where fog is applied to it.
    colour: Option<usize>,
    /// The fragment's depth, if it is written.
    depth: Option<usize>,
}

impl Hidden {
    /// The temporary that stands for an input.
    fn input(&self, input: Input) -> Option<usize> {
        match input {
            Input::Position => self.position,
            Input::FogCoord => self.fog_coord,
            Input::Weight(_)
            | Input::Normal
            | Input::PrimaryColor
            | Input::SecondaryColor
            | Input::TexCoord(_)
            | Input::MatrixIndex(_)
            | Input::Generic(_) => None,
        }
    }
}

/// The instruction that is being lowered.
#[derive(Clone, Default)]
struct Current {
    result: Option<(Place, Slots)>,
    saturate: bool,
    texture: Option<TextureUse>,
    span: Range<usize>,
}

struct Lowering<'a> {
    program: &'a ArbProgram,
    layout: &'a Layout,
    code: Code,
    hidden: Hidden,
    current: Current,
    reads_attribute_6: bool,
}

/// Whether an instruction reads `input`.
fn reads(program: &ArbProgram, input: Input) -> bool {
    let mut sources = program.instructions.iter().flat_map(|i| &i.sources);
    sources.any(|source| source.register == SourceRegister::Input(input))
}

impl Lowering<'_> {
    /// Adds an instruction that writes the result of the one in the text.
    fn finish<const N: usize>(&mut self, op: Opcode, operands: [Operand; N]) {
        let current = self.current.clone();
        self.push(Step {
            op,
            saturate: current.saturate,
            result: current.result,
            operands: Operands::from_slice(&operands),
            texture: current.texture,
            span: current.span,
        });
    }

    /// Adds an instruction that writes components of a temporary.
    fn write<const N: usize>(
        &mut self,
        temp: usize,
        mask: Slots,
        op: Opcode,
        operands: [Operand; N],
    ) {
        if mask.is_empty() {
            return;
        }
        self.push(Step {
            op,
            saturate: false,
            result: Some((Place::Temp(temp), mask)),
            operands: Operands::from_slice(&operands),
            texture: None,
            span: self.current.span.clone(),
        });
    }

    /// A value on the way to a result.
    fn value<const N: usize>(
        &mut self,
        mask: Slots,
        op: Opcode,
        operands: [Operand; N],
    ) -> Operand {
        let temp = self.code.temp();
        self.write(temp, mask, op, operands);
        Operand::new(Register::Temp(temp))
    }

    /// A value on the way to a result, in all slots.
    fn scalar<const N: usize>(&mut self, op: Opcode, operands: [Operand; N]) -> Operand {
        self.value(Slots::X, op, operands).only(Component::X)
    }

    /// Adds an instruction, with others before it where it cannot have its operands as they are.
    fn push(&mut self, mut step: Step) {
        let commutes = matches!(step.op, Opcode::Add | Opcode::Mul);
        if commutes && immediate(&step, 1).is_none() {
            step.operands.swap(0, 1);
            if immediate(&step, 1).is_none() {
                step.operands.swap(0, 1);
            }
        }
        self.separate_addresses(&mut step);
        self.code.steps.push(step);
    }

    /// All constants of an ATTILA instruction are relative to the same address, or none is: copies
    /// those that would not be.
    fn separate_addresses(&mut self, step: &mut Step) {
        let mut addresses = step
            .operands
            .iter()
            .enumerate()
            .filter_map(|(index, operand)| {
                let register = operand.register;
                match register {
                    Register::Element {
                        offset, address, ..
                    } => Some(Some((offset, address))),
                    Register::Param(_) => immediate(step, index).is_none().then_some(None),
                    Register::Temp(_) | Register::Input(_) => None,
                }
            });
        let first = addresses.next();
        if addresses.all(|address| Some(address) == first) {
            return;
        }
        for index in 0..step.operands.len() {
            let operand = step.operands[index];
            if matches!(operand.register, Register::Element { .. }) {
                let read = operand.swizzle.sources(step.slots(index));
                let temp = self.code.temp();
                self.code.steps.push(Step {
                    op: Opcode::Mov,
                    saturate: false,
                    result: Some((Place::Temp(temp), read)),
                    operands: smallvec![Operand::new(operand.register)],
                    texture: None,
                    span: step.span.clone(),
                });
                step.operands[index].register = Register::Temp(temp);
            }
        }
    }

    /// Where a result goes, and whether it is clamped there.
    fn destination(&mut self, destination: Destination) -> (Place, bool) {
        match destination.register {
            ResultRegister::Temporary(temp) => (Place::Temp(temp), false),
            ResultRegister::Address(number) => (Place::Address(number), false),
            ResultRegister::Output(Output::Depth) => {
                let code = &mut self.code;
                let depth = *self.hidden.depth.get_or_insert_with(|| code.temp());
                (Place::Temp(depth), true)
            }
            ResultRegister::Output(output) => match (output, self.hidden.colour) {
                (Output::Color, Some(colour)) => (Place::Temp(colour), true),
                _ => (Place::Output(output), false),
            },
        }
    }

    /// A source with its swizzle and sign; zeros and ones in it are for SWZ to see to.
    fn operand(&self, source: &Source) -> Result<Operand, Remark> {
        let mut swizzle = Component::ALL;
        for (slot, select) in swizzle.iter_mut().zip(source.select) {
            match select {
                Select::Component(component) => *slot = component,
                Select::Zero | Select::One => {}
            }
        }
        let mut operand = Operand::new(self.register(source.register)?);
        operand.swizzle = Swizzle::new(swizzle);
        operand.modifiers.negate = source.negate == Slots::all();
        Ok(operand)
    }

    fn register(&self, register: SourceRegister) -> Result<Register, Remark> {
        Ok(match register {
            SourceRegister::Temporary(temp) => Register::Temp(temp),
            SourceRegister::Input(input) => match self.hidden.input(input) {
                Some(temp) => Register::Temp(temp),
                None => Register::Input(self.checked_input(input)?),
            },
            SourceRegister::Param(param) => Register::Param(param),
            SourceRegister::Relative {
                array,
                address,
                offset,
            } => self.element(array, address, offset)?,
        })
    }

    /// An input that has a register of its own.
    fn checked_input(&self, input: Input) -> Result<Input, Remark> {
        let register = registers::input(input, self.program.stage);
        let shared = matches!(input, Input::MatrixIndex(_)) && self.reads_attribute_6;
        match register {
            None => Err(self.remark("there is no input register for this")),
            Some(register) if shared => {
                let message = format!("matrix indices and attribute 6 would share {register}");
                Err(self.remark(message))
            }
            Some(_) => Ok(input),
        }
    }

    /// An element of an array, at an offset that an instruction can hold.
    fn element(&self, array: usize, address: usize, offset: i64) -> Result<Register, Remark> {
        let base = self.layout.base(array);
        let short = i16::try_from(offset).ok();
        if let Some(offset) = short.filter(|offset| RelAddr::OFFSETS.contains(offset)) {
            return Ok(Register::Element {
                base,
                offset,
                address,
            });
        }
        match u16::try_from(i64::from(base) + offset) {
            Ok(base) if base < constants::SIZE => Ok(Register::Element {
                base,
                offset: 0,
                address,
            }),
            _ => Err(self.remark(format!(
                "offset {offset} is further than an instruction reaches"
            ))),
        }
    }

    /// A remark about the instruction that is being lowered.
    fn remark(&self, message: impl Into<String>) -> Remark {
        Remark::new(self.current.span.clone(), message)
    }
}
