//! Random queries for samples, and the samples of quads.

use attila_shader::isa::{Bank, Inst, Operand, ResultPath, Src};
use attila_shader::machine::{
    LANES, Lanes, NO_SAMPLE, QuadSamples, SAMPLE_RANGE, SAMPLES, SampleCount, SamplePositions,
    packed_offset,
};

use super::instruction::Instructions;
use crate::dice::Dice;

impl Instructions<'_, '_> {
    /// An input.
    pub(super) fn input(&mut self) -> Operand {
        Operand::Reg(Src {
            swizzle: self.swizzle(),
            ..Src::new(self.any_of(Bank::Input))
        })
    }

    /// The number of a sample that is in a register; most of them exist.
    pub(super) fn sample_register(&mut self) -> Operand {
        if self.dice.percent(35) {
            return Operand::None;
        }
        let Operand::Reg(src) = self.index_or_integer() else {
            unreachable!("a source is a register")
        };
        let modifiers = Default::default();
        Operand::Reg(Src { modifiers, ..src })
    }

    /// The number that is added to a register, or stands alone: any eight bits, mostly few of them.
    pub(super) fn sample_number(&mut self) -> Operand {
        Operand::Number(match self.dice.below(4) {
            0 => self.dice.word() as u8,
            1 => self.dice.between(-8, 8) as u8,
            _ => self.dice.below(SAMPLES + 2) as u8,
        })
    }

    /// Takes back what queries do not have.
    pub(super) fn fit_query(&mut self, inst: &mut Inst) {
        if !inst.op.is_sample_query() {
            return;
        }
        inst.path = ResultPath::Plain;
        if inst.op.info().results.also_predicate && self.dice.percent(50) {
            inst.dst.pred = Some(self.predicate());
        }
    }
}

/// The samples of a quad: covered in part, as a whole or not at all, and any bits beyond the last.
pub(super) fn samples(dice: &mut Dice<'_>) -> QuadSamples {
    let count = dice.pick(&SampleCount::ALL);
    let all = count.all();
    let mut coverage = || -> u32 {
        let any = dice.word();
        dice.pick(&[
            0,
            all,
            u32::MAX,
            any & all,
            any & all,
            any,
            any & all & 0x11,
        ])
    };
    let coverage: Lanes<u32> = std::array::from_fn(|_| coverage());
    let own = match dice.below(4) {
        0 | 1 => NO_SAMPLE,
        2 => dice.below(count.count()) as u32,
        _ => dice.below(SAMPLES) as u32,
    };
    QuadSamples {
        count: [count.count() as u32; LANES],
        coverage,
        own: [own; LANES],
        positions: positions(dice, count),
    }
}

/// The standard positions, or any; at times there are some past the last sample.
fn positions(dice: &mut Dice<'_>, count: SampleCount) -> [u32; SAMPLES] {
    if dice.percent(50) {
        return SamplePositions::standard(count).packed();
    }
    let beyond = dice.percent(20);
    let [least, greatest] = SAMPLE_RANGE.map(i32::from);
    std::array::from_fn(|sample| match sample < count.count() || beyond {
        true => packed_offset([0; 2].map(|_: i32| dice.between(least, greatest) as i16)),
        false => 0,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::{Options, generate};
    use super::*;
    use crate::dice::case_rng;

    #[test]
    fn programs_that_ask_for_samples_find_all_kinds_of_them() {
        let (mut counts, mut kinds) = (BTreeSet::new(), BTreeSet::new());
        for index in 0..3000 {
            let mut rng = case_rng(6, index);
            let case = generate(&mut Dice::new(&mut rng), &Options::EXTENDED);
            let asks = case.program.usage().samples;
            for quad in &case.quads {
                let samples = &quad.io.samples;
                if !asks {
                    assert_eq!(*samples, QuadSamples::default());
                    continue;
                }
                counts.insert(samples.count[0]);
                let all = (1 << samples.count[0]) - 1;
                kinds.extend(samples.coverage.map(|word| match word {
                    0 => "none",
                    word if word == all => "all",
                    word if word & !all != 0 => "beyond",
                    _ => "some",
                }));
                kinds.insert(match samples.own[0] {
                    NO_SAMPLE => "no sample",
                    _ => "own sample",
                });
            }
        }
        assert_eq!(counts.into_iter().collect::<Vec<_>>(), [1, 2, 4, 8, 16]);
        assert_eq!(kinds.len(), 6, "{kinds:?}");
    }
}
