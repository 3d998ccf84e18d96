//! The instructions that each ARB instruction becomes; arb.md has the decisions.

use attila_isa::{Component, Opcode, Remark, Slots};

use super::super::opcode::ArbOpcode;
use super::super::program::{Instruction, Select, Source};
use super::super::registers;
use super::{Current, Lowering, Operand, Place, Register};
use crate::back::ADDRESSES;

const XYZ: Slots = Slots::X.union(Slots::Y).union(Slots::Z);

/// Texture units of the base profile, which is all that ARB programs need.
const UNITS: u8 = attila_isa::Profile::Base.texture_units();

impl Lowering<'_> {
    pub(super) fn instruction(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        self.current = Current {
            result: None,
            saturate: instruction.saturate,
            texture: instruction.texture,
            span: instruction.span.clone(),
        };
        if let Some(destination) = instruction.result {
            let (place, clamped) = self.destination(destination);
            self.check_place(place)?;
            self.current.result = Some((place, destination.mask));
            self.current.saturate |= clamped;
        }
        if let Some(texture) = instruction.texture
            && texture.unit >= u32::from(UNITS)
        {
            return Err(self.remark(format!("there are {UNITS} texture units")));
        }
        let sources = &instruction.sources;
        // Absent operands are not used.
        let operand = |index| self.operand(sources.get(index).unwrap_or(&sources[0]));
        let operands = [operand(0)?, operand(1)?, operand(2)?];
        self.lower(instruction, operands);
        Ok(())
    }

    fn check_place(&self, place: Place) -> Result<(), Remark> {
        match place {
            Place::Temp(_) | Place::Predicate(_) | Place::Scratch(_) | Place::Storage => Ok(()),
            Place::Address(number) if number < ADDRESSES => Ok(()),
            Place::Address(_) => Err(self.remark(format!("there are {ADDRESSES} addresses"))),
            Place::Output(output) => match registers::output(output) {
                Some(_) => Ok(()),
                None => Err(self.remark("there is no output register for this")),
            },
        }
    }

    fn lower(&mut self, instruction: &Instruction, [a, b, c]: [Operand; 3]) {
        match instruction.opcode {
            ArbOpcode::Abs => self.finish(Opcode::Mov, [a.absolute()]),
            ArbOpcode::Add => self.finish(Opcode::Add, [a, b]),
            ArbOpcode::Arl => self.finish(Opcode::Arl, [a]),
            ArbOpcode::Cmp => self.finish(Opcode::Cmp, [a, b, c]),
            ArbOpcode::Cos => self.finish(Opcode::Cos, [a]),
            ArbOpcode::Dp3 => self.finish(Opcode::Dp3, [a, b]),
            ArbOpcode::Dp4 => self.finish(Opcode::Dp4, [a, b]),
            ArbOpcode::Dph => self.finish(Opcode::Dph, [a, b]),
            ArbOpcode::Dst => self.finish(Opcode::Dst, [a, b]),
            ArbOpcode::Ex2 => self.finish(Opcode::Ex2, [a]),
            ArbOpcode::Exp => self.finish(Opcode::Exp, [a]),
            ArbOpcode::Flr => self.finish(Opcode::Flr, [a]),
            ArbOpcode::Frc => self.finish(Opcode::Frc, [a]),
            ArbOpcode::Kil => self.finish(Opcode::Kil, [a]),
            ArbOpcode::Lg2 => self.finish(Opcode::Lg2, [a]),
            ArbOpcode::Lit => self.finish(Opcode::Lit, [a]),
            ArbOpcode::Log => self.finish(Opcode::Log, [a]),
            ArbOpcode::Lrp => self.mix(a, b, c),
            ArbOpcode::Mad => self.finish(Opcode::Mad, [a, b, c]),
            ArbOpcode::Max => self.finish(Opcode::Max, [a, b]),
            // For two NaNs or two zeros, ARB takes the first, ATTILA the second.
            ArbOpcode::Min => self.finish(Opcode::Min, [b, a]),
            ArbOpcode::Mov => self.finish(Opcode::Mov, [a]),
            ArbOpcode::Mul => self.finish(Opcode::Mul, [a, b]),
            ArbOpcode::Pow => self.power(a, b),
            ArbOpcode::Rcp => self.finish(Opcode::Rcp, [a]),
            ArbOpcode::Rsq => self.finish(Opcode::Rsq, [a]),
            ArbOpcode::Scs => self.cosine_and_sine(a),
            ArbOpcode::Sge => self.finish(Opcode::Sge, [a, b]),
            ArbOpcode::Sin => self.finish(Opcode::Sin, [a]),
            ArbOpcode::Slt => self.finish(Opcode::Slt, [a, b]),
            ArbOpcode::Sub => self.finish(Opcode::Add, [a, b.negated()]),
            ArbOpcode::Swz => self.select(a, &instruction.sources[0]),
            ArbOpcode::Tex => self.finish(Opcode::Tex, [a]),
            ArbOpcode::Txb => self.finish(Opcode::Txb, [a]),
            ArbOpcode::Txp => self.finish(Opcode::Txp, [a]),
            ArbOpcode::Xpd => self.cross_product(a, b),
        }
    }

    /// `2^(b * log2 a)`.
    fn power(&mut self, a: Operand, b: Operand) {
        let logarithm = self.scalar(Opcode::Lg2, [a]);
        let exponent = self.scalar(Opcode::Mul, [logarithm, b]);
        self.finish(Opcode::Ex2, [exponent]);
    }

    /// `a*b + (1 - a)*c`, spelled out: with fewer operations one of the ends would not be exact.
    pub(super) fn mix(&mut self, a: Operand, b: Operand, c: Operand) {
        let mask = self.mask();
        let one = Operand::constant([1.0; 4]);
        let rest = match (a.literal(), a.swizzle.as_broadcast()) {
            (Some(a), _) => Operand::constant(a.map(|a| 1.0 - a)),
            (None, Some(_)) => self.scalar(Opcode::Add, [a.negated(), one]),
            (None, None) => self.value(mask, Opcode::Add, [a.negated(), one]),
        };
        let rest = self.value(mask, Opcode::Mul, [rest, c]);
        self.finish(Opcode::Mad, [a, b, rest]);
    }

    /// In z and w, which ARB leaves undefined, 0.
    fn cosine_and_sine(&mut self, angle: Operand) {
        let temp = self.code.temp();
        self.write_masked(temp, Slots::X, Opcode::Cos, [angle]);
        self.write_masked(temp, Slots::Y, Opcode::Sin, [angle]);
        let zero = Operand::constant([0.0; 4]);
        self.write_masked(temp, Slots::Z | Slots::W, Opcode::Mov, [zero]);
        self.finish(Opcode::Mov, [Operand::new(Register::Temp(temp))]);
    }

    /// In w, which ARB leaves undefined, 0.
    fn cross_product(&mut self, a: Operand, b: Operand) {
        use Component::{W, X, Y, Z};
        let (to_yzx, to_zxy) = ([Y, Z, X, W], [Z, X, Y, W]);
        let mask = self.mask() & XYZ;
        let product = self.value(mask, Opcode::Mul, [a.swizzled(to_zxy), b.swizzled(to_yzx)]);
        let operands = [a.swizzled(to_yzx), b.swizzled(to_zxy), product.negated()];
        let temp = self.code.temp();
        self.write(temp, mask, Opcode::Mad, operands);
        self.write_masked(temp, Slots::W, Opcode::Mov, [Operand::constant([0.0; 4])]);
        self.finish(Opcode::Mov, [Operand::new(Register::Temp(temp))]);
    }

    /// SWZ: one copy each of what keeps its sign, what changes it, and what is 0 or 1.
    fn select(&mut self, a: Operand, source: &Source) {
        let (mut kept, mut changed, mut constant) = (Slots::empty(), Slots::empty(), [None; 4]);
        for (slot, select) in Component::ALL.into_iter().zip(source.select) {
            let negated = source.negate.has(slot);
            let value = match select {
                Select::Component(_) if negated => {
                    changed |= Slots::only(slot);
                    continue;
                }
                Select::Component(_) => {
                    kept |= Slots::only(slot);
                    continue;
                }
                Select::Zero => 0.0,
                Select::One => 1.0,
            };
            constant[slot.index()] = Some(if negated { -value } else { value });
        }
        let constants = Slots::all() - kept - changed;
        let constant = Operand::constant(constant.map(|value: Option<f32>| value.unwrap_or(0.0)));
        let mut plain = a;
        plain.modifiers.negate = false;
        let temp = self.code.temp();
        self.write_masked(temp, kept, Opcode::Mov, [plain]);
        self.write_masked(temp, changed, Opcode::Mov, [plain.negated()]);
        self.write_masked(temp, constants, Opcode::Mov, [constant]);
        self.finish(Opcode::Mov, [Operand::new(Register::Temp(temp))]);
    }

    /// Adds an instruction that writes those components of a temporary that the result has.
    fn write_masked<const N: usize>(
        &mut self,
        temp: usize,
        mask: Slots,
        op: Opcode,
        operands: [Operand; N],
    ) {
        let mask = mask & self.mask();
        self.write(temp, mask, op, operands);
    }

    /// The components of the result.
    fn mask(&self) -> Slots {
        self.current.result.map_or(Slots::empty(), |(_, mask)| mask)
    }
}
