//! The result path of ATI's CTM (numerics.md 3).
//!
//! In its order it has one NaN, no denormals, a product, no denormals, and a clamp. One of the two flushes is
//! enough: what grows is normal after the first one, and what shrinks from a denormal is still one. The
//! NaN comes last, as nothing else looks at it.

use attila_isa::{CtmModifier, Opcode};
use attila_machine::arith::Arith;

use super::Lower;
use crate::ir::{Binary, Unary, Value};

impl Lower<'_> {
    /// A float result of `op` as the path has it.
    pub(super) fn ctm_result(
        &mut self,
        op: Opcode,
        value: Value,
        modifier: CtmModifier,
        saturate: bool,
    ) -> Value {
        let Some(factor) = modifier.factor() else {
            return value;
        };
        let facts = Facts::of(op);
        let shrinks = factor < 1.0;
        let flushed = match shrinks || facts.is_normal {
            true => value,
            false => self.b.unary(Unary::Flush, value),
        };
        let product = if factor == 1.0 {
            flushed
        } else if factor == 2.0 {
            // On processors that have a unit for sums apart from that for products, it is idle.
            self.b.add(flushed, flushed)
        } else {
            let factor = self.b.f32(factor);
            self.b.mul(flushed, factor)
        };
        let product = match shrinks && !facts.is_normal {
            true => self.b.unary(Unary::Flush, product),
            false => product,
        };
        let is_within = facts.is_fraction && factor <= 1.0;
        let clamped = match saturate && !is_within {
            true => self.clamped_number(product),
            false => product,
        };
        match facts.is_number {
            true => clamped,
            false => self.b.unary(Unary::OneNan, clamped),
        }
    }

    /// Clamps to [0, 1]: NaN and -0 stay. With these operand orders the two selections say exactly that.
    fn clamped_number(&mut self, value: Value) -> Value {
        let (zero, one) = (self.b.f32(0.0), self.b.f32(1.0));
        let below_one = self.b.binary(Binary::Fmin, one, value);
        self.b.binary(Binary::Fmax, zero, below_one)
    }
}

/// Facts about the results of an opcode, whatever its operands are.
#[derive(Clone, Copy)]
struct Facts {
    /// They are never NaN.
    is_number: bool,
    /// They are never denormals, nor become ones when an eighth is taken of them.
    is_normal: bool,
    /// They are between 0 and 1, if they are numbers.
    is_fraction: bool,
}

impl Facts {
    fn of(op: Opcode) -> Facts {
        let is_truth = matches!(
            op,
            Opcode::Sge | Opcode::Slt | Opcode::Seq | Opcode::Sne | Opcode::Sgeo
        );
        let is_integer = matches!(op, Opcode::I2f | Opcode::U2f | Opcode::Sgn);
        let is_whole = matches!(
            op,
            Opcode::Flr | Opcode::Ceil | Opcode::Trunc | Opcode::Round
        );
        Facts {
            is_number: is_truth || is_integer,
            is_normal: is_truth || is_integer || is_whole,
            is_fraction: is_truth || op == Opcode::Frc,
        }
    }
}
