//! The samples of pixels: values that describe them, inputs at other places than centres, and masks of those that
//! are kept.

use attila_isa::{self as isa, Component, Opcode, Remark, Slots, Stage};

use super::super::program::{Instruction, Varying};
use super::super::words::{File, Interpolation, Location, SemanticName};
use super::ends::input_of;
use super::{Lowering, Operand, Register, number, word};

/// The most samples of a pixel.
const SAMPLES: u32 = 16;

const X: Slots = Slots::X;
const YZW: Slots = Slots::Y.union(Slots::Z).union(Slots::W);

/// The place of a pixel at which an input is evaluated.
#[derive(Clone, Copy)]
pub(super) enum Spot {
    Centre,
    /// The centroid of the covered samples.
    Centroid,
    /// The sample that slot x has the number of.
    Sample(Operand),
    /// At the packed offset in slot x.
    Offset(Operand),
}

impl Lowering<'_> {
    /// An input at a place of the pixel.
    pub(super) fn evaluated(&mut self, input: Operand, mask: Slots, at: Spot) -> Operand {
        match at {
            Spot::Centre => input,
            Spot::Centroid => self.value(mask, Opcode::Evalc, [input]),
            Spot::Sample(sample) => {
                self.value(mask, Opcode::Evals, [input, sample.only(Component::X)])
            }
            Spot::Offset(offset) => {
                self.value(mask, Opcode::Evalo, [input, offset.only(Component::X)])
            }
        }
    }

    /// The place at which a declaration has its input.
    pub(super) fn spot(&mut self, varying: &Varying) -> Spot {
        match varying.location {
            _ if self.stage != Stage::Fragment || !is_elsewhere(varying) => Spot::Centre,
            Location::Centroid => Spot::Centroid,
            Location::Sample => Spot::Sample(self.own_sample()),
            Location::Center => Spot::Centre,
        }
    }

    /// The number of the sample that the program runs for; 0 if it runs for the pixel.
    fn own_sample(&mut self) -> Operand {
        self.scalar(Opcode::PixldIndex, [])
    }

    /// INTERP_CENTROID, INTERP_SAMPLE and INTERP_OFFSET.
    pub(super) fn interpolated(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        let Some((source, rest)) = instruction.sources.split_first() else {
            return Ok(());
        };
        let program = self.program;
        let register = source.register.index.fixed();
        let Some(register) = register.filter(|_| source.register.file == File::Input) else {
            return Err(self.remark("an input at another place of the pixel has a fixed number"));
        };
        let at = match rest.first() {
            None => Spot::Centroid,
            Some(sample) if instruction.opcode == super::TgsiOpcode::InterpSample => {
                Spot::Sample(self.operand(sample)?)
            }
            Some(offset) => {
                let offset = self.operand(offset)?;
                Spot::Offset(self.packed_offset(offset))
            }
        };
        let temp = self.code.temp();
        for varying in program.inputs.iter().filter(|it| it.register == register) {
            self.fill(temp, (varying.mask, input_of(varying)), at, false);
        }
        let value = Operand {
            register: Register::Temp(temp),
            swizzle: source.swizzle,
            modifiers: source.modifiers,
        };
        self.finish(Opcode::Mov, [value]);
        Ok(())
    }

    /// An offset in pixels as EVALO takes it: to the nearest sixteenth, with x in the low half.
    fn packed_offset(&mut self, offset: Operand) -> Operand {
        let xy = X | Slots::Y;
        let sixteenths = self.value(xy, Opcode::Mad, [offset, number(16.0), number(0.5)]);
        let whole = self.value(xy, Opcode::Flr, [sixteenths]);
        let whole = self.value(xy, Opcode::F2i, [whole]);
        let low = self.scalar(Opcode::And, [whole, word(0xffff)]);
        let high = self.scalar(Opcode::Shl, [whole.only(Component::Y), word(16)]);
        self.scalar(Opcode::Or, [low, high])
    }

    /// Fills the temporary of a value that describes samples; false if `name` is not one.
    pub(super) fn fill_from_samples(&mut self, temp: usize, name: SemanticName) -> bool {
        if name == SemanticName::SamplePosition {
            self.sample_position(temp);
            return true;
        }
        let value = if name == SemanticName::SampleId {
            self.own_sample()
        } else if name == SemanticName::SampleMask {
            self.scalar(Opcode::PixldMask, [])
        } else if name == SemanticName::HelperInvocation {
            self.is_helper()
        } else {
            return false;
        };
        self.write(temp, X, Opcode::Mov, [value]);
        self.write(temp, YZW, Opcode::Mov, [word(0)]);
        true
    }

    /// The own sample's position, from 0 to 1 along the rows and down the columns.
    fn sample_position(&mut self, temp: usize) {
        let sample = self.own_sample();
        let first = Operand::new(Register::AsIs(isa::Operand::Number(0)));
        let packed = self.scalar(Opcode::PixldOffset, [sample, first]);
        let both = self.code.temp();
        self.write(both, X, Opcode::Shl, [packed, word(16)]);
        self.write(both, Slots::Y, Opcode::Mov, [packed]);
        let xy = X | Slots::Y;
        let sixteenths = self.value(xy, Opcode::Ishr, [Operand::temp(both), word(16)]);
        let sixteenths = self.value(xy, Opcode::I2f, [sixteenths]);
        let operands = [sixteenths, number(1.0 / 16.0), number(0.5)];
        self.write(temp, xy, Opcode::Mad, operands);
        self.write(temp, Slots::Z | Slots::W, Opcode::Mov, [word(0)]);
    }

    /// All bits if no sample of the fragment is covered, else 0.
    pub(super) fn is_helper(&mut self) -> Operand {
        let covered = self.scalar(Opcode::PixldMask, []);
        self.scalar(Opcode::Useq, [covered, word(0)])
    }

    /// READ_HELPER: killed fragments help, too.
    pub(super) fn read_helper(&mut self, []: [Operand; 0]) {
        let helper = self.helper.map_or_else(|| word(0), Operand::temp);
        self.finish(Opcode::Mov, [helper.only(Component::X)]);
    }

    /// Notes that lanes have become helpers where a word has all bits, if that is asked for.
    pub(super) fn note_helpers(&mut self, killed: Operand) {
        if let Some(helper) = self.helper {
            self.write(helper, X, Opcode::Or, [Operand::temp(helper), killed]);
        }
    }

    /// Kills the samples of which a mask has no bit, and the fragment if none is left.
    pub(super) fn keep_samples(&mut self, mask: Operand) {
        let mask = mask.only(Component::X);
        let dropped = self.scalar(Opcode::Not, [mask]);
        for first in (0..SAMPLES).step_by(Component::ALL.len()) {
            // The bit of each sample becomes a sign.
            let shifts = std::array::from_fn(|n| 31 - (first + n as u32));
            let signs = self.value(Slots::all(), Opcode::Shl, [dropped, super::words(shifts)]);
            let signs = self.value(Slots::all(), Opcode::I2f, [signs]);
            for (sample, component) in (first as u8..).zip(Component::ALL) {
                let sample = Operand::new(Register::AsIs(isa::Operand::Sample(sample)));
                self.add(Opcode::Kls, None, &[signs.only(component), sample]);
            }
        }
        let count = self.scalar(Opcode::PixldCount, []);
        let beyond = self.scalar(Opcode::Shl, [word(u32::MAX), count]);
        let all = self.scalar(Opcode::Not, [beyond]);
        let kept = self.scalar(Opcode::And, [mask, all]);
        let is_empty = self.scalar(Opcode::Useq, [kept, word(0)]);
        let sign = self.scalar(Opcode::I2f, [is_empty]);
        self.add(Opcode::Kil, None, &[sign]);
    }
}

/// Whether an input is evaluated at another place than the centre.
pub(super) fn is_elsewhere(varying: &Varying) -> bool {
    varying.location != Location::Center && varying.interpolation != Some(Interpolation::Constant)
}
