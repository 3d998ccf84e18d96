//! One match: what each opcode computes.

use attila_isa::{Inst, Opcode};
use attila_machine::arith::Arith;
use attila_machine::{TextureOp, approx};

use super::Lower;
use crate::ir::Binary;

impl Lower<'_> {
    /// Lowers one instruction. A jump does nothing here: it ends its block.
    pub(super) fn instruction(&mut self, inst: &Inst) {
        self.guard = self.guard_mask(inst);
        match inst.op {
            Opcode::Nop | Opcode::End | Opcode::Jmp => {}
            Opcode::Mov => self.each1(inst, |_, a| a),
            Opcode::Add => self.each2(inst, |b, x, y| b.add(x, y)),
            Opcode::Mul => self.each2(inst, |b, x, y| b.mul(x, y)),
            Opcode::Mad => self.mad(inst),
            Opcode::Max => self.each2(inst, |b, x, y| b.binary(Binary::Fmax, x, y)),
            Opcode::Min => self.each2(inst, |b, x, y| b.binary(Binary::Fmin, x, y)),
            Opcode::Sge => self.step(inst, 0.0, 1.0),
            Opcode::Slt => self.step(inst, 1.0, 0.0),
            Opcode::Cmp => self.cmp(inst),
            Opcode::Flr => self.each1(inst, |b, a| b.floor(a)),
            Opcode::Frc => self.each1(inst, super::ops::fraction),
            Opcode::Dst => self.dst(inst),
            Opcode::Lit => self.lit(inst),
            Opcode::Dp3 => self.dot(inst, super::ops::Last::None),
            Opcode::Dp4 => self.dot(inst, super::ops::Last::Product),
            Opcode::Dph => self.dot(inst, super::ops::Last::Second),
            Opcode::Ddx => self.derivative(inst, attila_machine::DDX_LANES),
            Opcode::Ddy => self.derivative(inst, attila_machine::DDY_LANES),
            Opcode::Addi => self.integers(inst, |b, x, y| b.iadd(x, y)),
            Opcode::Muli => self.integers(inst, |b, x, y| b.imul(x, y)),
            Opcode::Arl => self.arl(inst),
            Opcode::Rcp => self.scalar(inst, super::ops::reciprocal),
            Opcode::Rsq => self.scalar(inst, super::ops::reciprocal_root),
            Opcode::Ex2 => self.scalar(inst, approx::ex2),
            Opcode::Lg2 => self.scalar(inst, approx::lg2),
            Opcode::Sin => self.scalar(inst, approx::sin),
            Opcode::Cos => self.scalar(inst, approx::cos),
            Opcode::Exp => self.exp(inst),
            Opcode::Log => self.log(inst),
            Opcode::Setpeq => self.compare(inst, |b, x, y| b.eq(x, y)),
            Opcode::Setpgt => self.compare(inst, |b, x, y| b.lt(y, x)),
            Opcode::Setplt => self.compare(inst, |b, x, y| b.lt(x, y)),
            Opcode::Stpeqi => self.compare_integers(inst, |b, x, y| b.ieq(x, y)),
            Opcode::Stpgti => self.compare_integers(inst, |b, x, y| b.ilt(y, x)),
            Opcode::Stplti => self.compare_integers(inst, |b, x, y| b.ilt(x, y)),
            Opcode::Andp => self.andp(inst),
            Opcode::Tex => self.texture(inst, TextureOp::Tex),
            Opcode::Txb => self.texture(inst, TextureOp::Txb),
            Opcode::Txl => self.texture(inst, TextureOp::Txl),
            Opcode::Txp => self.texture(inst, TextureOp::Txp),
            Opcode::Lda => self.lda(inst),
            Opcode::Kil => self.kil(inst),
            Opcode::Kls => self.kls(inst),
            Opcode::Cmpkil => self.cmpkil(inst),
            Opcode::Zxp => self.zxp(inst),
            Opcode::Zxs => self.zxs(inst),
            Opcode::Chs => self.chs(),
            Opcode::Fxmul => self.fxmul(inst),
            Opcode::Fxmad => self.fxmad(inst),
            Opcode::Fxmad2 => self.fxmad2(inst),
        }
    }
}
