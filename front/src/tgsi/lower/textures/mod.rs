//! Lookups of textures.
//!
//! Plain lookups of shapes that the base profile has are its instructions. All others name their target.

mod plain;
mod query;
mod units;

use attila_isa::{Component, Opcode, Remark, Slots, Stage};
use smallvec::SmallVec;

use super::super::program::{Instruction, Source, Texture};
use super::super::table::TgsiOpcode;
use super::{Lowering, Operand, Register, Step, Tgsi, number};
use crate::back::Lookup;

pub(super) use units::{Units, samplers};

const XYZ: Slots = Slots::X.union(Slots::Y).union(Slots::Z);

/// The level of detail of a sample.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Level {
    /// The level of the derivatives between fragments.
    Implicit,
    /// The same, and slot x of a number.
    Biased(Operand),
    /// Slot x of a number.
    Given(Operand),
    /// 0.
    Zero,
    /// The level of derivatives along x and y.
    Gradients(Operand, Operand),
}

/// A sample.
struct Sample {
    coordinates: Operand,
    level: Level,
    /// The number that texels are compared with, if it is not among the coordinates.
    reference: Option<Operand>,
}

impl Sample {
    /// The sample of an opcode with these sources.
    fn new(opcode: TgsiOpcode, coordinates: Operand, others: &[Operand]) -> Sample {
        use TgsiOpcode as T;
        let is = |opcodes: &[T]| opcodes.contains(&opcode);
        let other = |index: usize| others.get(index).copied().unwrap_or(number(0.0));
        let level = if is(&[T::Txb]) {
            Level::Biased(coordinates.only(Component::W))
        } else if is(&[T::Txl]) {
            Level::Given(coordinates.only(Component::W))
        } else if is(&[T::Txb2, T::SampleB]) {
            Level::Biased(other(0))
        } else if is(&[T::Txl2, T::SampleL]) {
            Level::Given(other(0))
        } else if is(&[T::TexLz, T::SampleCLz]) {
            Level::Zero
        } else if is(&[T::Txd, T::SampleD]) {
            Level::Gradients(other(0), other(1))
        } else {
            Level::Implicit
        };
        let is_compared = is(&[T::Tex2, T::SampleC, T::SampleCLz]);
        Sample {
            coordinates,
            level,
            reference: is_compared.then(|| other(0).only(Component::X)),
        }
    }
}

impl Lowering<'_> {
    /// TEX and its relatives, with a sampler or with a view and a sampler.
    pub(super) fn sample(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        use TgsiOpcode as T;
        let texture = self.texture_of(instruction)?;
        let is = |opcodes: &[T]| opcodes.contains(&instruction.opcode);
        let sources = self.sources(instruction)?;
        if is(&[T::Tex, T::Txb, T::Txl, T::Txp]) && self.is_plain(instruction, texture) {
            return self.sample_plainly(instruction, sources[0]);
        }
        let mut sample = Sample::new(instruction.opcode, sources[0], &sources[1..]);
        if is(&[T::Txp]) {
            sample.coordinates = self.projected(sample.coordinates);
        }
        // Instructions with a view say themselves whether they compare.
        let target = if is(&[T::SampleC, T::SampleCLz]) {
            self.compared(texture.target)?
        } else if is(&[T::Sample, T::SampleB, T::SampleD, T::SampleL]) {
            units::without_comparison(texture.target)
        } else {
            texture.target
        };
        let offset = self.offset(texture.offsets.first())?;
        let lookup = self.lookup(instruction, texture, target)?;
        self.add_sample(lookup, sample, offset);
        Ok(())
    }

    /// Adds the instruction of a sample.
    fn add_sample(&mut self, mut lookup: Lookup<Tgsi>, sample: Sample, offset: Operand) {
        let Sample {
            coordinates,
            level,
            reference,
        } = sample;
        // Vertices have no derivatives: the level that they would give is 0.
        let level = match (level, self.stage == Stage::Fragment) {
            (Level::Implicit, false) => Level::Zero,
            (Level::Biased(bias), false) => Level::Given(bias),
            (level, _) => level,
        };
        let (op, second) = match level {
            Level::Implicit => (Opcode::Xtex, reference.unwrap_or(Operand::absent())),
            Level::Zero => {
                lookup.level_zero = true;
                (Opcode::Xtex, reference.unwrap_or(Operand::absent()))
            }
            Level::Biased(bias) => (Opcode::Xtxb, bias.only(Component::X)),
            Level::Given(level) => (Opcode::Xtxl, level.only(Component::X)),
            Level::Gradients(x, y) => {
                let pair = [x, y].map(|gradient| {
                    let temp = self.code.temp();
                    self.write(temp, XYZ, Opcode::Mov, [gradient]);
                    temp
                });
                (Opcode::Xtxd, Operand::new(Register::Pair(pair[0], pair[1])))
            }
        };
        self.look_up(lookup, op, &[coordinates, second, offset]);
    }

    /// Adds an instruction that looks at a texture and writes the result.
    fn look_up(&mut self, lookup: Lookup<Tgsi>, op: Opcode, operands: &[Operand]) {
        let span = self.current.span.clone();
        let mut step = Step::new(op, self.current.result, operands, span);
        step.texture = Some(lookup);
        self.code.push(step);
    }

    /// The texture of an instruction that has one, as checked ones do.
    fn texture_of<'a>(&self, instruction: &'a Instruction) -> Result<&'a Texture, Remark> {
        let texture = instruction.texture.as_ref();
        texture.ok_or_else(|| self.remark(format!("{} has no texture", instruction.opcode)))
    }

    /// The sources of an instruction, of which there is at least one.
    fn sources(&mut self, instruction: &Instruction) -> Result<SmallVec<[Operand; 4]>, Remark> {
        if instruction.sources.is_empty() {
            return Err(self.remark(format!("{} has no source", instruction.opcode)));
        }
        let sources = instruction.sources.iter();
        sources.map(|source| self.operand(source)).collect()
    }

    /// Slots x, y and z of an offset; absent if there is none.
    fn offset(&mut self, offset: Option<&Source>) -> Result<Operand, Remark> {
        match offset {
            Some(source) => self.operand(source),
            None => Ok(Operand::absent()),
        }
    }

    /// Coordinates, and what they are compared with, divided by w.
    fn projected(&mut self, coordinates: Operand) -> Operand {
        let divisor = coordinates.only(Component::W);
        self.value(XYZ, Opcode::Div, [coordinates, divisor])
    }
}
