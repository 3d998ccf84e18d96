//! The effects of the opcodes, in one file for each section of the opcode table.

mod bits;
mod convert;
mod double;
mod export;
mod fixed;
mod flow;
mod geometry;
mod integer;
mod mask;
mod memory;
mod predicate;
mod query;
mod samples;
mod scalar;
mod storage;
mod texture;
mod vector;

use attila_isa::{Inst, Section};

use crate::machine::Machine;
use crate::prepare::Step;

/// Carries out an instruction in the lanes that are active.
pub(crate) type Action = fn(&mut Machine<'_>, &Step);

/// The function that carries out an instruction.
pub(crate) fn action(inst: &Inst) -> Action {
    match inst.op.section() {
        Section::Vector(op) => vector::action(op, inst.zero_wins),
        Section::Scalar(op) => scalar::action(op),
        Section::Integer(op) => integer::action(op),
        Section::Mask(op) => mask::action(op),
        Section::Bits(op) => bits::action(op),
        Section::Convert(op) => convert::action(op),
        Section::Predicate(op) => predicate::action(op),
        Section::Texture(op) => texture::action(op),
        Section::Memory(op) => memory::action(op),
        Section::Storage(op) => storage::action(op),
        Section::Double(op) => double::action(op),
        Section::Samples(op) => samples::action(op),
        Section::Export(op) => export::action(op),
        Section::Geometry(op) => geometry::action(op),
        Section::Flow(op) => flow::action(op),
        Section::Fixed(op) => fixed::action(op),
    }
}

/// The largest integer that is not above `a`; -0, infinities and NaN stay.
///
/// `f32::floor` is a call on x86-64 without SSE4.1; this becomes a few vector instructions.
#[inline]
fn floor(a: f32) -> f32 {
    /// From here on every f32 is an integer; added to a smaller one, it leaves no room for a
    /// fraction.
    const TWO_TO_23: f32 = 8_388_608.0;
    let magnitude = a.abs();
    let nearest = (magnitude + TWO_TO_23 - TWO_TO_23).copysign(a);
    let floor = if nearest > a { nearest - 1.0 } else { nearest };
    if magnitude < TWO_TO_23 { floor } else { a }
}

#[cfg(test)]
mod tests {
    use super::floor;

    #[test]
    fn the_vector_floor_is_the_floor() {
        let halves = (-40..40).map(|n| n as f32 / 2.0);
        let near_the_limit = (0..64).map(|n| 8_388_592.0 + n as f32 / 2.0);
        let patterns = (0..1u32 << 16).map(|n| f32::from_bits(n << 16 | 0x5a5a));
        for a in halves
            .chain(near_the_limit)
            .chain(patterns)
            .chain([-0.0, 0.49999997])
        {
            for a in [a, -a] {
                let (ours, exact) = (floor(a), a.floor());
                assert!(
                    ours.to_bits() == exact.to_bits() || a.is_nan(),
                    "{a}: {ours}"
                );
            }
        }
    }
}
