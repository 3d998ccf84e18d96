//! A region over virtual registers: each operation's result is a number that its operands give.

use iced_x86::Code;

use super::read;
use super::regions::Made;
use crate::emit::wide::mir::{Arg, Edge, End, Fma, Inst, Under, Vreg};

/// Blocks that are run at most.
pub(super) const TURNS: usize = 40;

/// A number that depends on all of these and their order.
pub(super) fn mixed(words: impl IntoIterator<Item = u64>) -> u64 {
    let mix = |sum: u64, word: u64| {
        let sum = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        sum ^ sum >> 29
    };
    words.into_iter().fold(0x1234_5678, mix)
}

/// The result of an operation.
pub(super) fn result(code: Code, constants: &[u8], operands: &[u64]) -> u64 {
    let constants = constants.iter().map(|&it| it.into());
    let operands = operands.iter().copied();
    mixed([code as u64].into_iter().chain(constants).chain(operands))
}

/// The result of a product and a sum. The factors may come in either order.
pub(super) fn fma_result(signs: [bool; 2], [a, b, c]: [u64; 3]) -> u64 {
    let [product, sum] = signs.map(u64::from);
    mixed([product, sum, a.min(b), a.max(b), c])
}

/// What is at the place of a value that is in memory always.
pub(super) fn home_value(vreg: Vreg) -> u64 {
    mixed([u64::from(vreg.0), 0x4711])
}

/// Whether a choice goes the way that is seldom taken.
pub(super) fn is_cold(seed: u64, trace: &[u64]) -> bool {
    mixed([seed, trace.len() as u64]) & 4 != 0
}

struct Run<'a> {
    made: &'a Made,
    seed: u64,
    values: Vec<Option<u64>>,
    trace: Vec<u64>,
}

/// All results in their order.
pub(super) fn computed(made: &Made, seed: u64) -> Vec<u64> {
    let mut run = Run {
        made,
        seed,
        values: vec![None; made.vregs.len()],
        trace: Vec::new(),
    };
    for &home in &made.homes {
        run.values[home.index()] = Some(home_value(home));
    }
    let mut block = 0;
    for _ in 0..TURNS {
        let data = &made.region.blocks[block];
        data.insts.iter().for_each(|inst| run.inst(inst));
        let edge = match &data.end {
            End::Leave(_) => break,
            End::Jump(edge) => edge,
            End::Any { mask, then, other } => {
                let mask = run.get(*mask);
                run.trace.push(mask);
                if mask & 1 != 0 { then } else { other }
            }
        };
        run.follow(edge);
        block = edge.block;
    }
    run.trace
}

impl Run<'_> {
    fn get(&self, vreg: Vreg) -> u64 {
        self.values[vreg.index()].unwrap_or_else(|| panic!("v{} is not computed", vreg.0))
    }

    fn set(&mut self, vreg: Vreg, value: u64) {
        self.values[vreg.index()] = Some(value);
    }

    fn follow(&mut self, edge: &Edge) {
        let made = self.made;
        let values: Vec<u64> = edge.args.iter().map(|&arg| self.get(arg)).collect();
        let params = &made.region.blocks[edge.block].params;
        for (&param, value) in params.iter().zip(values) {
            self.set(param, value);
        }
    }

    fn inst(&mut self, inst: &Inst) {
        match inst {
            Inst::Op { code, args, under } => self.op(*code, args, *under),
            Inst::Fma(fma) => self.fma(fma),
            Inst::Split(split) => {
                for pin in &split.pins {
                    if let Arg::Tied(new, old) = *pin {
                        let old = self.get(old);
                        self.set(new, old);
                    }
                }
                let way = if is_cold(self.seed, &self.trace) {
                    &split.cold
                } else {
                    &split.hot
                };
                self.trace.push(7);
                way.iter().for_each(|inst| self.inst(inst));
            }
            Inst::Raw(_) | Inst::Jump { .. } | Inst::Label(_) => unreachable!("none are made"),
        }
    }

    fn op(&mut self, code: Code, args: &[Arg], under: Under) {
        let mut operands: Vec<u64> = read(args).map(|vreg| self.get(vreg)).collect();
        match under {
            Under::All | Under::Fixed(_) => {}
            Under::Mask(mask) | Under::Zeroing(mask) | Under::Consumed(_, mask) => {
                operands.push(self.get(mask));
            }
        }
        let constants: Vec<u8> = args.iter().filter_map(constant).collect();
        let result = result(code, &constants, &operands);
        self.trace.push(result);
        for arg in args {
            arg.vregs(&mut |vreg, role| {
                if !role.reads() {
                    self.set(vreg, result);
                }
            });
        }
        if let Under::Consumed(new, _) = under {
            self.set(new, 0);
        }
    }

    fn fma(&mut self, fma: &Fma) {
        let signs = [fma.negates_product, fma.negates_sum];
        let result = fma_result(signs, fma.of.map(|of| self.get(of)));
        self.trace.push(result);
        self.set(fma.result, result);
    }
}

fn constant(arg: &Arg) -> Option<u8> {
    if let Arg::Imm(value) = arg {
        Some(*value)
    } else {
        None
    }
}
