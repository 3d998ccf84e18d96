//! What each opcode does, in files by what it does it to.

mod export;
mod fixed;
mod flow;
mod integer;
mod predicate;
mod quad;
mod scalar;
mod texture;
mod vector;

use attila_isa::Opcode;

use crate::machine::Machine;
use crate::prepare::Step;

/// Carries out an instruction in the lanes that are active.
pub(crate) type Action = fn(&mut Machine<'_>, &Step);

/// The function that carries out `op`.
pub(crate) fn action(op: Opcode) -> Action {
    match op {
        Opcode::Nop | Opcode::End => flow::nothing,
        Opcode::Jmp => flow::jmp,
        Opcode::Add => vector::add,
        Opcode::Mul => vector::mul,
        Opcode::Mad => vector::mad,
        Opcode::Mov => vector::mov,
        Opcode::Min => vector::min,
        Opcode::Max => vector::max,
        Opcode::Sge => vector::sge,
        Opcode::Slt => vector::slt,
        Opcode::Cmp => vector::cmp,
        Opcode::Flr => vector::flr,
        Opcode::Frc => vector::frc,
        Opcode::Dst => vector::dst,
        Opcode::Dp3 => vector::dp3,
        Opcode::Dp4 => vector::dp4,
        Opcode::Dph => vector::dph,
        Opcode::Rcp => scalar::rcp,
        Opcode::Rsq => scalar::rsq,
        Opcode::Sin => scalar::sin,
        Opcode::Cos => scalar::cos,
        Opcode::Ex2 => scalar::ex2,
        Opcode::Lg2 => scalar::lg2,
        Opcode::Exp => scalar::exp,
        Opcode::Log => scalar::log,
        Opcode::Lit => scalar::lit,
        Opcode::Arl => integer::arl,
        Opcode::Addi => integer::addi,
        Opcode::Muli => integer::muli,
        Opcode::Setpeq => predicate::setpeq,
        Opcode::Setpgt => predicate::setpgt,
        Opcode::Setplt => predicate::setplt,
        Opcode::Stpeqi => predicate::stpeqi,
        Opcode::Stpgti => predicate::stpgti,
        Opcode::Stplti => predicate::stplti,
        Opcode::Andp => predicate::andp,
        Opcode::Ddx => quad::ddx,
        Opcode::Ddy => quad::ddy,
        Opcode::Tex => texture::tex,
        Opcode::Txb => texture::txb,
        Opcode::Txl => texture::txl,
        Opcode::Txp => texture::txp,
        Opcode::Lda => texture::lda,
        Opcode::Kil => export::kil,
        Opcode::Kls => export::kls,
        Opcode::Cmpkil => export::cmpkil,
        Opcode::Zxp => export::zxp,
        Opcode::Zxs => export::zxs,
        Opcode::Chs => export::chs,
        Opcode::Fxmul => fixed::fxmul,
        Opcode::Fxmad => fixed::fxmad,
        Opcode::Fxmad2 => fixed::fxmad2,
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
