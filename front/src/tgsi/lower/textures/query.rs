//! Fetches, gathers, and questions about a texture.

use attila_isa::{Component, Opcode, Remark, Slots, Stage};

use super::super::super::program::{Instruction, Source};
use super::super::super::table::TgsiOpcode;
use super::super::super::words::{File, Target};
use super::super::{Lowering, Operand, Place, addresses, word};
use super::{XYZ, units};

impl Lowering<'_> {
    /// TXF and its relatives: w is the level or the sample.
    pub(in super::super) fn fetch(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        let texture = self.texture_of(instruction)?;
        // Only samples compare texels.
        let target = units::without_comparison(texture.target);
        let lookup = self.lookup(instruction, texture, target)?;
        let operands = self.sources(instruction)?;
        let opcode = instruction.opcode;
        let w = if opcode == TgsiOpcode::TxfLz {
            Some(word(0))
        } else if opcode == TgsiOpcode::SampleIMs {
            operands.get(1).map(|sample| sample.only(Component::X))
        } else {
            None
        };
        let coordinates = match w {
            None => operands[0],
            Some(w) => {
                let temp = self.code.temp();
                self.integers(temp, XYZ, operands[0]);
                self.integers(temp, Slots::W, w);
                Operand::temp(temp)
            }
        };
        let offset = self.offset(texture.offsets.first())?;
        self.look_up(
            lookup,
            Opcode::Txf,
            &[coordinates, Operand::absent(), offset],
        );
        Ok(())
    }

    /// Copies integers, whose signs wrap.
    fn integers(&mut self, temp: usize, mask: Slots, operand: Operand) {
        self.write(temp, mask, Opcode::Addi, [operand, word(0)]);
    }

    /// TXQ and its relatives: sizes and the number of levels.
    pub(in super::super) fn size(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        let texture = self.texture_of(instruction)?;
        let target = units::without_comparison(texture.target);
        let lookup = self.lookup(instruction, texture, target)?;
        let level = match instruction.sources.first() {
            Some(source) => self.operand(source)?.only(Component::X),
            None => word(0),
        };
        self.look_up(lookup, Opcode::Txq, &[level]);
        Ok(())
    }

    /// TXQS: the number of samples.
    pub(in super::super) fn samples(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        let texture = self.texture_of(instruction)?;
        let lookup = self.lookup(instruction, texture, texture.target)?;
        self.look_up(lookup, Opcode::Txqs, &[]);
        Ok(())
    }

    /// LODQ and LOD: the level of detail, limited and not.
    pub(in super::super) fn level(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        if self.stage != Stage::Fragment {
            let message = format!(
                "{} needs derivatives, which only fragments have",
                instruction.opcode
            );
            return Err(self.remark(message));
        }
        let texture = self.texture_of(instruction)?;
        let lookup = self.lookup(instruction, texture, texture.target)?;
        let coordinates = self.sources(instruction)?[0];
        self.look_up(lookup, Opcode::Lodq, &[coordinates]);
        Ok(())
    }

    /// TG4 and GATHER4. With four offsets, each chooses the first texel of four for its component.
    pub(in super::super) fn gather(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        let texture = self.texture_of(instruction)?;
        let is_view = instruction.opcode == TgsiOpcode::Gather4;
        let target = match is_view {
            true => units::without_comparison(texture.target),
            false => texture.target,
        };
        let mut lookup = self.lookup(instruction, texture, target)?;
        let operands = self.sources(instruction)?;
        let is_compared = units::without_comparison(target) != target;
        // The second source of an array of cubes is the number that it is compared with.
        let reference = match (target, operands.get(1)) {
            (Target::ShadowCubeArray, Some(reference)) => reference.only(Component::X),
            (_, _) => Operand::absent(),
        };
        if !is_view && !is_compared {
            lookup.gather = self.component(instruction.sources.get(1))?;
        }
        if let [_, _, _, _] = texture.offsets.as_slice() {
            let (result, mask) = match self.current.result {
                Some((_, mask)) => (self.code.temp(), mask),
                None => return Ok(()),
            };
            let destination = self.current.result;
            for (component, offset) in Component::ALL.into_iter().zip(&texture.offsets) {
                let offset = self.offset(Some(offset))?;
                let temp = self.code.temp();
                self.current.result = Some((Place::Temp(temp), Slots::W));
                self.look_up(lookup, Opcode::Tg4, &[operands[0], reference, offset]);
                let texel = Operand::temp(temp).only(Component::W);
                let only = mask & Slots::only(component);
                self.write(result, only, Opcode::Mov, [texel]);
            }
            self.current.result = destination;
            self.finish(Opcode::Mov, [Operand::temp(result)]);
            return Ok(());
        }
        let offset = self.offset(texture.offsets.first())?;
        self.look_up(lookup, Opcode::Tg4, &[operands[0], reference, offset]);
        Ok(())
    }

    /// The component that an immediate chooses.
    fn component(&self, source: Option<&Source>) -> Result<Component, Remark> {
        let chosen = source.and_then(|source| {
            let register = source.register;
            let number = register.index.fixed()?;
            if register.file != File::Immediate {
                return None;
            }
            let words = addresses::text(self.program, File::Immediate, number);
            let bits = words[source.swizzle.source(Component::X).index()];
            u8::try_from(bits).ok().filter(|bits| *bits < 4)
        });
        match chosen {
            Some(bits) => Ok(Component::from_bits(bits)),
            None => Err(self.remark("the gathered component is an immediate from 0 to 3")),
        }
    }
}
