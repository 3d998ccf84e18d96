//! From [`TgsiProgram`] to ATTILA instructions.
//!
//! ```text
//! TgsiProgram ──recipes──► Code ──back half──► Translation
//! ```
//!
//! Each opcode has a row with its recipe in one of the tables of `recipes/`. Most are one instruction of
//! ATTILA's extended profile; others are a function. Rows of what is not supported yet name the reason.
//!
//! A result that is clamped or guarded is computed in a temporary first. So is each that takes several
//! instructions, as its destination may be one of its sources.

mod addresses;
mod buffers;
mod doubles;
mod ends;
mod flow;
mod fragments;
mod geometry;
mod integers;
mod operands;
mod recipes;
mod results;
mod samples;
mod scalars;
mod textures;
mod vectors;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use attila_isa::{
    Component, OpFlags, Opcode, Profile, Remark, ResultPath, ScratchArray, Slots, Stage,
};

use super::dialect::{Dialect, Rules};
use super::language::{Details, Port, SystemPort, TextureUse, Tgsi};
use super::program::{Guard, Instruction, Saturation, TgsiProgram};
use super::registers;
use super::table::{self, Reads, TgsiOpcode, Type};
use super::translation::Translation;
use crate::back::{self, Condition, Frame, Layout};

use addresses::Arrays;
use ends::Interface;
use flow::Body;
use textures::Units;

type Code = back::Code<Tgsi>;
type Operand = back::Operand<Tgsi>;
type Place = back::Place<Tgsi>;
type Register = back::Register<Tgsi>;
type Step = back::Step<Tgsi>;

/// The program in ATTILA instructions. A remark on the whole program is reported at byte `end`.
pub(super) fn lower(program: &TgsiProgram, end: usize) -> Result<Translation, Remark> {
    let stage = match program.processor.stage() {
        Some(stage) => stage,
        None => {
            let message = format!("{} programs are not supported", program.processor.noun());
            return Err(Remark::new(0..0, message));
        }
    };
    let mut layout = Layout::default();
    let mut code = Code::new(program.temporaries as usize, program.instructions.len());
    let arrays = Arrays::new(program, &mut layout, &mut code, end)?;
    let mut lowering = Lowering::new(program, stage, code, arrays);
    lowering.before()?;
    lowering.main()?;
    lowering.after(end)?;
    let frame = Frame {
        stage,
        profile: Profile::Extended,
        layout,
        textures: std::mem::take(&mut lowering.textures),
        details: details(program, stage, lowering.arrays.loaded()),
        end,
    };
    back::finish(lowering.code, frame)
}

/// The facts about the text that its translation carries.
fn details(program: &TgsiProgram, stage: Stage, loaded: BTreeSet<u32>) -> Details {
    let ports = |list: &[super::Varying], is_input: bool| -> Vec<Port> {
        let port = |varying: &super::Varying| {
            let reg = match is_input && !varying.per_vertex {
                true => registers::input(ends::input_of(varying), stage),
                // Inputs of geometry programs are attributes: the outputs of vertex programs.
                false => varying.semantic.and_then(|it| registers::output(it, stage)),
            };
            Port {
                varying: varying.clone(),
                register: reg.map(|reg| reg.index() as u8),
            }
        };
        list.iter().map(port).collect()
    };
    let system = program.system_values.iter().map(|value| {
        let reg = registers::input(super::Input::Semantic(value.semantic), stage);
        SystemPort {
            value: value.clone(),
            register: reg.map(|reg| reg.index() as u8),
        }
    });
    Details {
        dialect: program.dialect,
        properties: program.properties.clone(),
        inputs: ports(&program.inputs, true),
        outputs: ports(&program.outputs, false),
        system_values: system.collect(),
        constants: program.constants.clone(),
        loaded,
        samplers: textures::samplers(program),
        warnings: program.warnings.clone(),
    }
}

/// The instruction that is being lowered.
#[derive(Clone, Default)]
struct Current {
    /// Where its steps write, and the components. A fresh temporary if more follows.
    result: Option<(Place, Slots)>,
    span: Range<usize>,
    /// The value of a second result, which is written after the first.
    second: Option<(Operand, Target, Slots)>,
}

struct Lowering<'a> {
    program: &'a TgsiProgram,
    stage: Stage,
    rules: Rules,
    code: Code,
    arrays: Arrays,
    interface: Interface,
    /// The temporaries of address registers, predicates, vectors of TEMPX and of the stack, by their
    /// places.
    named: BTreeMap<Named, usize>,
    /// The textures that are sampled, in the order of the text.
    textures: Vec<TextureUse>,
    units: Units,
    /// The main program and the subroutines around the current instruction.
    bodies: Vec<Body>,
    /// The temporary whose x has all bits in lanes that only help their neighbours, if the program asks.
    helper: Option<usize>,
    current: Current,
}

/// A place that the destination of an instruction names.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Target {
    /// A register.
    Place(Place),
    /// A vector of scratch memory: an array and the index there.
    Vector(ScratchArray, Operand),
}

/// A register of the text that a temporary stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Named {
    Address(u32),
    Predicate(u32),
    /// A register of an array of TEMPX.
    Element(u32, u32),
    /// A vector of the stack of PUSHA, counted from its bottom.
    Stack(i32),
}

impl<'a> Lowering<'a> {
    fn new(program: &'a TgsiProgram, stage: Stage, mut code: Code, arrays: Arrays) -> Lowering<'a> {
        let interface = Interface::new(program, stage, &mut code);
        Lowering {
            program,
            stage,
            rules: program.dialect.rules(),
            code,
            arrays,
            interface,
            named: BTreeMap::new(),
            textures: Vec::new(),
            units: Units::new(program),
            bodies: Vec::new(),
            helper: None,
            current: Current::default(),
        }
    }

    /// The temporary that stands for a register.
    fn named(&mut self, name: Named) -> usize {
        let code = &mut self.code;
        *self.named.entry(name).or_insert_with(|| code.temp())
    }

    /// Lowers an instruction.
    fn instruction(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        self.current = Current {
            span: instruction.span.clone(),
            ..Current::default()
        };
        let Some(destination) = instruction.destinations.first() else {
            return recipes::of(instruction.opcode).apply(self, instruction);
        };
        let target = self.place(destination)?;
        let mask = written(instruction.opcode, self.program.dialect, destination.mask);
        let kept = mask & destination.declared;
        let is_whole = instruction.saturation == Saturation::None
            && instruction.guard.is_none()
            && kept == mask;
        let recipe = recipes::of(instruction.opcode);
        if let (Target::Place(place), true) = (target, is_whole) {
            self.current.result = Some((place, mask));
            recipe.apply(self, instruction)?;
        } else {
            let temp = self.code.temp();
            self.current.result = Some((Place::Temp(temp), mask));
            recipe.apply(self, instruction)?;
            self.store(
                temp,
                (target, kept),
                instruction.saturation,
                instruction.guard,
            );
        }
        if let Some((value, target, mask)) = self.current.second.take() {
            self.write_where(value, target, mask, instruction.guard);
        }
        Ok(())
    }

    /// Clamps a computed result, and writes it where its guard holds.
    fn store(
        &mut self,
        temp: usize,
        (target, mask): (Target, Slots),
        saturation: Saturation,
        guard: Option<Guard>,
    ) {
        let clamped = match saturation {
            Saturation::None => Operand::temp(temp),
            Saturation::Unsigned => self.saturated(temp, mask),
            Saturation::Signed => {
                let clamped = self.value(mask, Opcode::Mov, [Operand::temp(temp)]);
                if let Some(step) = self.code.last_mut() {
                    step.path = ResultPath::SaturateSigned;
                }
                clamped
            }
        };
        self.write_where(clamped, target, mask, guard);
    }

    /// Copies a value to a target, where a guard holds.
    fn write_where(&mut self, value: Operand, target: Target, mask: Slots, guard: Option<Guard>) {
        if mask.is_empty() {
            return;
        }
        match guard {
            None => self.put(value, target, mask, None),
            Some(guard) => self.guarded(value, target, mask, guard),
        }
    }

    /// Copies a value to a target, where a condition holds.
    fn put(&mut self, value: Operand, target: Target, mask: Slots, guard: Option<Condition>) {
        let span = self.current.span.clone();
        let mut step = match target {
            Target::Place(place) => Step::new(Opcode::Mov, Some((place, mask)), &[value], span),
            Target::Vector(array, index) => {
                let result = Some((Place::Scratch(array), mask));
                Step::new(Opcode::Stt, result, &[index, value], span)
            }
        };
        step.guard = guard;
        self.code.push(step);
    }

    /// Adds an instruction that writes the result of the one in the text.
    fn finish<const N: usize>(&mut self, op: Opcode, operands: [Operand; N]) {
        self.add(op, self.current.result, &operands);
    }

    fn add(&mut self, op: Opcode, result: Option<(Place, Slots)>, operands: &[Operand]) {
        let mut step = Step::new(op, result, operands, self.current.span.clone());
        step.zero_wins = self.program.properties.zero_wins && op.has(OpFlags::PRODUCT);
        self.code.push(step);
    }

    /// Adds an instruction that writes components of a temporary.
    fn write<const N: usize>(
        &mut self,
        temp: usize,
        mask: Slots,
        op: Opcode,
        operands: [Operand; N],
    ) {
        if !mask.is_empty() {
            self.add(op, Some((Place::Temp(temp), mask)), &operands);
        }
    }

    /// The same for those components that the result has.
    fn write_masked<const N: usize>(
        &mut self,
        temp: usize,
        mask: Slots,
        op: Opcode,
        operands: [Operand; N],
    ) {
        self.write(temp, mask & self.mask(), op, operands);
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
        Operand::temp(temp)
    }

    /// A value for the components of the result.
    fn part<const N: usize>(&mut self, op: Opcode, operands: [Operand; N]) -> Operand {
        self.value(self.mask(), op, operands)
    }

    /// A value on the way to a result, in all slots.
    fn scalar<const N: usize>(&mut self, op: Opcode, operands: [Operand; N]) -> Operand {
        self.value(Slots::X, op, operands).only(Component::X)
    }

    /// The components of the result.
    fn mask(&self) -> Slots {
        self.current.result.map_or(Slots::empty(), |(_, mask)| mask)
    }

    /// A remark about the instruction that is being lowered.
    fn remark(&self, message: impl Into<String>) -> Remark {
        Remark::new(self.current.span.clone(), message)
    }
}

/// The components that an opcode writes where a text has the mask: words of two doubles are two.
fn written(opcode: TgsiOpcode, dialect: Dialect, mask: Slots) -> Slots {
    let narrows = table::Operand::Value(Type::Double, Reads::Pairs);
    if !opcode.form(dialect).sources.contains(&narrows) {
        return mask;
    }
    let two = mask.components().take(2).map(Slots::only);
    two.fold(Slots::empty(), |all, slot| all | slot)
}

/// Words of the text.
fn words(bits: [u32; 4]) -> Operand {
    use crate::back::Language;
    Operand::new(Register::Param(Tgsi::constant(bits)))
}

/// The same word in all components.
fn word(bits: u32) -> Operand {
    words([bits; 4])
}

/// The same number in all components.
fn number(value: f32) -> Operand {
    Operand::constant([value; 4])
}
