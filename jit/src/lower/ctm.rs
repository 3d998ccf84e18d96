//! The result path of ATI's CTM (numerics.md 3).
//!
//! In its order it has one NaN, no denormals, a product, no denormals, and a clamp. One of the two flushes is
//! enough: what grows is normal after the first one, and what shrinks from a denormal is still one. The
//! NaN comes last, as nothing else looks at it.

use attila_isa::{Bank, Component, CtmModifier, Opcode, Reg, ValidProgram};
use attila_machine::arith::Arith;

use super::live::written;
use super::{Domain, Lower, Var};
use crate::ir::{Binary, Unary, Value};

/// The components of registers to which instructions write what may be a denormal, ascending: those that are not on the
/// path, or raw. Programs without the path need not know.
pub(super) fn unflushed(program: &ValidProgram) -> Vec<Var> {
    let insts = program.program().insts();
    let mut vars = Vec::new();
    if insts.iter().any(|inst| inst.path.flushes()) {
        let others = insts.iter().filter(|inst| !inst.path.flushes());
        others.for_each(|inst| written(inst, |var| vars.push(var)));
        vars.sort_unstable();
        vars.dedup();
    }
    vars
}

impl Lower<'_> {
    /// Whether a register may hold a denormal. A temporary that only the path writes holds none, as it is 0 before that,
    /// but in stateful runs.
    pub(super) fn may_be_denormal(&self, reg: Reg, component: Component) -> bool {
        let is_other = || {
            let var = Var::register(reg, component);
            self.unflushed.binary_search(&var).is_ok()
        };
        reg.bank() != Bank::Temp || matches!(self.domain, Domain::State) || is_other()
    }

    /// The value, with a zero of its sign for a denormal if `flushes`.
    pub(super) fn flushed_if(&mut self, flushes: bool, value: Value) -> Value {
        match flushes {
            true => self.b.unary(Unary::Flush, value),
            false => value,
        }
    }

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
        let flushed = self.flushed_if(!shrinks && !facts.is_flushed, value);
        let product = if factor == 1.0 {
            flushed
        } else if factor == 2.0 {
            // On processors that have a unit for sums apart from that for products, it is idle.
            self.b.add(flushed, flushed)
        } else {
            let factor = self.b.f32(factor);
            self.b.mul(flushed, factor)
        };
        let product = self.flushed_if(shrinks && !facts.is_normal, product);
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
    /// They are never denormals, as the operands are not of which they are one.
    is_flushed: bool,
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
        let is_compared = matches!(
            op,
            Opcode::Min | Opcode::Max | Opcode::Maxge | Opcode::Minn | Opcode::Maxn
        );
        let is_normal = is_truth || is_integer || is_whole;
        Facts {
            is_number: is_truth || is_integer,
            is_normal,
            is_flushed: is_normal || is_compared,
            is_fraction: is_truth || op == Opcode::Frc,
        }
    }
}
