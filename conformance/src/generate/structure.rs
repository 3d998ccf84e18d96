//! Programs with control flow: straight lines, ifs, loops, and jumps to anywhere.
//!
//! ```text
//!   if:      jmp !c, else      loop:  muli k, k, 0      or:    muli k, k, 0
//!            ...               top:   ...               top:   stplti p, k, n
//!            jmp true, end            addi k, k, 1             jmp !p, out
//!   else:    ...                      stplti p, k, n           ...
//!   end:                              jmp p, top               addi k, k, 1
//!                              out:                            jmp true, top
//!                                                       out:
//! ```
//!
//! Every loop counts in a component and a predicate of its own, which no other instruction
//! writes; so it ends, unless a jump to anywhere comes across. The loop budget ends those.

use attila_shader::isa::{
    Bank, BoolSrc, Component, Dst, Imm, Inst, Modifiers, OpFlags, Opcode, Operand, OperandKind,
    Pred, Reg, Slots, Src, Swizzle,
};

use super::instruction::{Instructions, RESERVED_PREDICATE, RESERVED_TEMP, Registers, reg};
use super::texture::Answers;
use super::{Options, Setting};
use crate::dice::Dice;

/// Makes the instructions of a program.
pub(super) fn program(
    dice: &mut Dice<'_>,
    options: &Options,
    setting: (Setting, Answers),
) -> (Vec<Inst>, Answers) {
    let registers = Registers::few(dice);
    let room = 2 + dice.below(options.length.saturating_sub(2));
    let mut builder = Builder {
        make: Instructions::new(dice, options, setting, registers),
        insts: Vec::new(),
        room,
        wild: Vec::new(),
        loops: Vec::new(),
    };
    while builder.room > 0 {
        builder.place(0);
    }
    builder.finish()
}

/// Makes the jump at `at` lead to `target`.
pub(super) fn set_target(insts: &mut [Inst], at: usize, target: usize) {
    insts[at].operands[1] = Operand::Offset(target as i32 - at as i32);
}

struct Builder<'a, 'd> {
    make: Instructions<'a, 'd>,
    insts: Vec<Inst>,
    /// Instructions that may still be added, about.
    room: usize,
    /// Jumps to anywhere, whose targets are chosen at the end.
    wild: Vec<usize>,
    /// The loops around the current place, outermost first.
    loops: Vec<Loop>,
}

/// The jumps of a loop whose targets are not known yet.
#[derive(Default)]
struct Loop {
    /// Jumps to behind the loop.
    breaks: Vec<usize>,
    /// Jumps to where the loop counts.
    continues: Vec<usize>,
}

/// A loop's counter and the condition made of it.
struct Counter {
    reg: Reg,
    component: Component,
    pred: Pred,
}

impl Builder<'_, '_> {
    /// Fills the next place, at nesting depth `depth`.
    fn place(&mut self, depth: usize) {
        let options = self.make.options;
        let nests = depth < options.depth.min(4) && self.room > 3;
        let loops = self.make.setting.scope.loops;
        let dice = &mut *self.make.dice;
        if nests && dice.percent(options.branch) {
            self.branch(depth);
        } else if nests && loops && dice.percent(options.repeat) {
            self.repeat(depth);
        } else if !self.loops.is_empty() && dice.percent(options.leave) {
            self.leave();
        } else if dice.percent(options.wild_jump) {
            let jump = self.jump(None);
            self.make.guard_if_certain(&mut self.insts[jump]);
            self.wild.push(jump);
        } else {
            self.straight(depth);
        }
    }

    fn block(&mut self, depth: usize) {
        let places = 1 + self.make.dice.below(5);
        for _ in 0..places {
            if self.room > 0 {
                self.place(depth);
            }
        }
    }

    fn push(&mut self, inst: Inst) -> usize {
        self.room = self.room.saturating_sub(1);
        self.insts.push(inst);
        self.insts.len() - 1
    }

    /// An instruction that goes on to the next, or one that ends the lanes of an if or loop.
    fn straight(&mut self, depth: usize) {
        let is_end = |op: Opcode| Inst::new(op).end;
        let jumps = |op: Opcode| op.operands().contains(&OperandKind::Offset);
        let op = self.make.opcode(|op| !is_end(op) && !jumps(op));
        let mut inst = self.make.instruction(op);
        inst.end = depth > 0 && self.make.dice.percent(self.make.options.early_end);
        self.push(inst);
    }

    /// A jump with the given condition, or a random one. Its target is set later.
    fn jump(&mut self, condition: Option<BoolSrc>) -> usize {
        let mut inst = self.make.instruction(Opcode::Jmp);
        if let Some(condition) = condition {
            inst = Inst::new(Opcode::Jmp);
            inst.operands[0] = Operand::Bool(condition);
            inst.operands[1] = Operand::Offset(0);
        }
        self.push(inst)
    }

    /// A jump on a random condition, often one that was just computed.
    fn conditional_jump(&mut self) -> usize {
        if self.make.dice.percent(60) {
            let op = self
                .make
                .opcode(|op| op.info().results.predicate && op.has(OpFlags::IMM));
            let compare = self.make.instruction(op);
            let pred = compare.dst.pred;
            self.push(compare);
            if let Some(pred) = pred {
                let negate = self.make.dice.percent(50);
                return self.jump(Some(BoolSrc::Pred { pred, negate }));
            }
        }
        self.jump(None)
    }

    /// Makes all `jumps` lead to the next instruction.
    fn land(&mut self, jumps: &[usize]) {
        let here = self.insts.len();
        for &jump in jumps {
            set_target(&mut self.insts, jump, here);
        }
    }

    fn branch(&mut self, depth: usize) {
        let to_else = self.conditional_jump();
        self.block(depth + 1);
        if self.make.dice.percent(50) {
            let to_end = self.jump(Some(BoolSrc::Literal(true)));
            self.land(&[to_else]);
            self.block(depth + 1);
            self.land(&[to_end]);
        } else {
            self.land(&[to_else]);
        }
    }

    fn leave(&mut self) {
        let jump = self.conditional_jump();
        let breaks = self.make.dice.percent(60);
        if let Some(innermost) = self.loops.last_mut() {
            let list = if breaks {
                &mut innermost.breaks
            } else {
                &mut innermost.continues
            };
            list.push(jump);
        }
    }

    fn repeat(&mut self, depth: usize) {
        let counter = self.counter(depth);
        let rounds = 1 + self.make.dice.below(usize::from(self.make.options.rounds));
        let tests_first = self.make.dice.percent(50);
        self.push(counter.step(Opcode::Muli, 0));
        let top = self.insts.len();
        self.loops.push(Loop::default());
        if tests_first {
            self.push(counter.test(rounds as u32));
            let out = self.jump(Some(counter.condition(true)));
            self.loops.last_mut().expect("just pushed").breaks.push(out);
        }
        self.block(depth + 1);
        let Loop { breaks, continues } = self.loops.pop().expect("pushed above");
        self.land(&continues);
        self.push(counter.step(Opcode::Addi, 1));
        let back = if tests_first {
            self.jump(Some(BoolSrc::Literal(true)))
        } else {
            self.push(counter.test(rounds as u32));
            self.jump(Some(counter.condition(false)))
        };
        set_target(&mut self.insts, back, top);
        self.land(&breaks);
    }

    /// The counter of a loop at depth `depth`: no two loops that overlap share one.
    fn counter(&mut self, depth: usize) -> Counter {
        Counter {
            reg: reg(Bank::Temp, RESERVED_TEMP + depth as u16),
            component: self.make.component(),
            pred: Pred::new(RESERVED_PREDICATE + depth as u8).expect("at most 4 loops nest"),
        }
    }

    /// Ends the program, and chooses the targets of jumps to anywhere.
    fn finish(mut self) -> (Vec<Inst>, Answers) {
        if self.make.dice.percent(50) {
            self.straight(0);
            let last = self.insts.len() - 1;
            self.insts[last].end = true;
        } else {
            self.push(Inst::new(Opcode::End));
        }
        let length = self.insts.len();
        for jump in std::mem::take(&mut self.wild) {
            let first = match self.make.setting.scope.loops {
                true => 0,
                false => jump + 1,
            };
            let target = first + self.make.dice.below(length - first);
            set_target(&mut self.insts, jump, target);
        }
        (self.insts, self.make.answers)
    }
}

impl Counter {
    fn source(&self) -> Operand {
        Operand::Reg(Src {
            swizzle: Swizzle::broadcast(self.component),
            ..Src::new(self.reg)
        })
    }

    /// `op k, k, value`
    fn step(&self, op: Opcode, value: u32) -> Inst {
        let mut inst = Inst::new(op);
        inst.dst = Dst::reg(self.reg, Slots::only(self.component));
        inst.operands[0] = self.source();
        inst.operands[1] = immediate(value);
        inst
    }

    /// `stplti p, k, rounds`
    fn test(&self, rounds: u32) -> Inst {
        let mut inst = Inst::new(Opcode::Stplti);
        inst.dst = Dst::pred(self.pred);
        inst.operands[0] = self.source();
        inst.operands[1] = immediate(rounds);
        inst
    }

    fn condition(&self, negate: bool) -> BoolSrc {
        BoolSrc::Pred {
            pred: self.pred,
            negate,
        }
    }
}

fn immediate(bits: u32) -> Operand {
    Operand::Imm(Imm {
        bits,
        modifiers: Modifiers::default(),
    })
}
