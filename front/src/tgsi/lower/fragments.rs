//! Operations of fragments: derivatives and kills.

use attila_isa::{Component, Opcode, Slots, Stage};

use super::super::dialect::Differences;
use super::{Lowering, Operand, number, word};

impl Lowering<'_> {
    /// DDX and DDY. Lanes that are not fragments have no neighbours: they get 0.
    fn derivative(&mut self, op: Opcode, operand: Operand) {
        match self.stage {
            Stage::Fragment => self.finish(op, [operand]),
            Stage::Vertex | Stage::Geometry | Stage::Compute => {
                self.finish(Opcode::Mov, [number(0.0)])
            }
        }
    }

    pub(super) fn ddx(&mut self, [a]: [Operand; 1]) {
        let op = match self.rules.differences {
            Differences::Fine => Opcode::Ddx,
            Differences::Coarse => Opcode::Ddxc,
        };
        self.derivative(op, a);
    }

    pub(super) fn ddy(&mut self, [a]: [Operand; 1]) {
        let op = match self.rules.differences {
            Differences::Fine => Opcode::Ddy,
            Differences::Coarse => Opcode::Ddyc,
        };
        self.derivative(op, a);
    }

    pub(super) fn ddx_fine(&mut self, [a]: [Operand; 1]) {
        self.derivative(Opcode::Ddx, a);
    }

    pub(super) fn ddy_fine(&mut self, [a]: [Operand; 1]) {
        self.derivative(Opcode::Ddy, a);
    }

    /// KILL and DEMOTE. Killed lanes run on for their neighbours in any case.
    pub(super) fn kill(&mut self, []: [Operand; 0]) {
        self.add(Opcode::Kil, None, &[number(-1.0)]);
        self.note_helpers(word(u32::MAX));
    }

    pub(super) fn kill_if(&mut self, [a]: [Operand; 1]) {
        self.add(Opcode::Kil, None, &[a]);
        if self.helper.is_some() {
            let is_below = self.value(Slots::all(), Opcode::Fslt, [a, number(0.0)]);
            for component in Component::ALL {
                self.note_helpers(is_below.only(component));
            }
        }
    }
}
