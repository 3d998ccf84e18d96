//! From [`ArbProgram`] to ATTILA instructions.
//!
//! ```text
//! ArbProgram ──opcodes, options──► Code ──back half──► Translation
//! ```
//!
//! Anything that the text leaves undefined is 0.

mod opcodes;
mod options;

#[cfg(test)]
mod tests;

use std::ops::Range;

use attila_isa::{Component, Opcode, RelAddr, Remark, ResultPath, Slots, Swizzle};

use super::binding::{Input, Output};
use super::language::{Arb, Details};
use super::program::{
    ArbProgram, Destination, ResultRegister, Select, Source, SourceRegister, TextureUse,
};
use super::registers;
use super::translation::Translation;
use crate::back::{self, CONSTANTS, Frame, Layout, Lookup};

type Code = back::Code<Arb>;
type Operand = back::Operand<Arb>;
type Operands = back::Operands<Arb>;
type Place = back::Place<Arb>;
type Register = back::Register<Arb>;
type Step = back::Step<Arb>;

/// The program in ATTILA instructions. A remark on the whole program is reported at byte `end`.
pub(super) fn lower(program: &ArbProgram, end: usize) -> Result<Translation, Remark> {
    let mut layout = Layout::default();
    let bases = bases(program, &mut layout, end)?;
    let mut lowering = Lowering {
        program,
        bases: &bases,
        code: Code::new(program.temporaries, program.instructions.len()),
        hidden: Hidden::default(),
        current: Current::default(),
        reads_attribute_6: reads(program, Input::Generic(registers::MATRIX_INDICES)),
    };
    lowering.before();
    for instruction in &program.instructions {
        lowering.instruction(instruction)?;
        lowering.code.check_limits()?;
    }
    lowering.after(end)?;
    let details = Details {
        options: program.options,
        resources: program.resources,
    };
    let frame = Frame {
        stage: program.stage.into(),
        profile: attila_isa::Profile::Base,
        layout,
        textures: program.textures.clone(),
        details,
        end,
    };
    back::finish(lowering.code, frame)
}

/// The register of the first element of each array, if it is addressed relatively.
fn bases(program: &ArbProgram, layout: &mut Layout<Arb>, end: usize) -> Result<Vec<u16>, Remark> {
    let arrays = program.arrays.iter();
    let bases = arrays.map(|array| match array.relative {
        true => layout.array(array.params.iter().copied(), end),
        false => Ok(0),
    });
    bases.collect()
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
    /// The constant register of each array's first element.
    bases: &'a [u16],
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
        self.code.push(Step {
            op,
            guard: None,
            path: ResultPath::saturate_if(current.saturate),
            zero_wins: false,
            result: current.result,
            operands: Operands::from_slice(&operands),
            texture: current.texture.map(Lookup::new),
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
        self.code.push(Step {
            op,
            guard: None,
            path: ResultPath::Plain,
            zero_wins: false,
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
                (Output::Color(0), Some(colour)) => (Place::Temp(colour), true),
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

    /// An input that does not share its register.
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
        let base = self.bases[array];
        let short = i16::try_from(offset).ok();
        if let Some(offset) = short.filter(|offset| RelAddr::OFFSETS.contains(offset)) {
            return Ok(Register::Element {
                base,
                offset,
                address,
            });
        }
        match u16::try_from(i64::from(base) + offset) {
            Ok(base) if base < CONSTANTS => Ok(Register::Element {
                base,
                offset: 0,
                address,
            }),
            _ => Err(self.remark(format!(
                "offset {offset} is outside the range of an instruction"
            ))),
        }
    }

    /// A remark about the instruction that is being lowered.
    fn remark(&self, message: impl Into<String>) -> Remark {
        Remark::new(self.current.span.clone(), message)
    }
}
