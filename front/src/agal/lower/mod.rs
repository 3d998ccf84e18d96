//! From [`AgalProgram`] to ATTILA instructions.

mod opcodes;
mod registers;

use std::ops::Range;

use attila_isa::{Component, Opcode, Profile, Remark, Slots, Stage};

use super::language::{Agal, Details, Input, Param};
use super::program::AgalProgram;
use super::sampler::Sampler;
use super::strict;
use super::translation::Translation;
use crate::back::{self, Frame, Layout, Lookup};
use registers::{Names, names};

type Code = back::Code<Agal>;
type Operand = back::Operand<Agal>;
type Operands = back::Operands<Agal>;
type Place = back::Place<Agal>;
type Register = back::Register<Agal>;
type Step = back::Step<Agal>;

/// The program in ATTILA instructions.
pub(super) fn lower(program: &AgalProgram) -> Result<Translation, Remark> {
    let end = program.end;
    let names = names(program);
    let mut layout = Layout::default();
    let named = names.constants.last().map_or(0, |last| last + 1);
    let constants = match names.computes_constants {
        true => strict::constants(program.version, program.stage).max(named),
        false => named,
    };
    layout.array((0..constants).map(Param::Constant), end)?;
    let details = Details {
        version: program.version,
        tokens: program.tokens.len(),
        attributes: names
            .attributes
            .iter()
            .map(|(number, slots)| (*number, *slots))
            .collect(),
        constants: names.constants.clone(),
        computes_constants: names.computes_constants,
    };
    let mut textures: Vec<Sampler> = Vec::new();
    for (sampler, _) in program
        .tokens
        .iter()
        .filter_map(|token| token.sampler.as_ref())
    {
        if !textures.contains(sampler) {
            textures.push(*sampler);
        }
    }
    let mut lowering = Lowering {
        stage: program.stage,
        code: Code::new(names.count(), program.tokens.len()),
        names,
        depth: None,
        instance: None,
        current: Current::default(),
    };
    lowering.before();
    for token in &program.tokens {
        lowering.token(token)?;
        lowering.code.check_limits()?;
    }
    lowering.after(end);
    let frame = Frame {
        stage: program.stage,
        profile: Profile::Extended,
        layout,
        textures,
        details,
        end,
    };
    back::finish(lowering.code, frame)
}

/// The instruction that is being lowered.
#[derive(Clone, Default)]
struct Current {
    result: Option<(Place, Slots)>,
    sampler: Option<Sampler>,
    span: Range<usize>,
}

struct Lowering {
    stage: Stage,
    code: Code,
    names: Names,
    /// The temporary that stands for the depth, if it is written.
    depth: Option<usize>,
    /// The temporary that holds the number of the instance as a float.
    instance: Option<usize>,
    current: Current,
}

impl Lowering {
    /// Adds an instruction that writes the result of the one in the program.
    fn finish<const N: usize>(&mut self, op: Opcode, operands: [Operand; N]) {
        let Current {
            result,
            sampler,
            span,
        } = self.current.clone();
        self.push(op, result, &operands, sampler, span);
    }

    /// Adds an instruction that writes components of a place.
    fn write<const N: usize>(
        &mut self,
        place: Place,
        mask: Slots,
        op: Opcode,
        operands: [Operand; N],
    ) {
        if !mask.is_empty() {
            let span = self.current.span.clone();
            self.push(op, Some((place, mask)), &operands, None, span);
        }
    }

    fn push(
        &mut self,
        op: Opcode,
        result: Option<(Place, Slots)>,
        operands: &[Operand],
        sampler: Option<Sampler>,
        span: Range<usize>,
    ) {
        self.code.push(Step {
            texture: sampler.map(Lookup::new),
            ..Step::new(op, result, operands, span)
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
        self.write(Place::Temp(temp), mask, op, operands);
        Operand::temp(temp)
    }

    /// The components of the result.
    fn mask(&self) -> Slots {
        self.current.result.map_or(Slots::empty(), |(_, mask)| mask)
    }

    /// The number of the instance is an integer for the machine.
    fn before(&mut self) {
        if !self.names.reads_instance {
            return;
        }
        let number = Operand::new(Register::Input(Input::Instance)).only(Component::X);
        let temp = self.code.temp();
        self.write(Place::Temp(temp), Slots::all(), Opcode::U2f, [number]);
        self.instance = Some(temp);
    }

    /// Writes what temporaries stand for.
    fn after(&mut self, end: usize) {
        self.current = Current {
            span: end..end,
            ..Current::default()
        };
        if let Some(depth) = self.depth.filter(|_| self.names.writes_depth) {
            let span = self.current.span.clone();
            let depth = Operand::temp(depth).only(Component::X);
            self.push(Opcode::Zxp, None, &[depth], None, span);
        }
        for (number, temp, mask) in self.names.read_varyings() {
            let place = Place::Output(super::language::Output::Varying(number));
            self.write(place, mask, Opcode::Mov, [Operand::temp(temp)]);
        }
    }
}
