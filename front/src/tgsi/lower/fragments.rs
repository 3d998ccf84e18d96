//! Operations of fragments: derivatives, kills, and inputs that are interpolated anew.

use attila_isa::{Component, Opcode, Stage};

use super::super::dialect::Differences;
use super::{Lowering, Operand, number};

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
    }

    pub(super) fn kill_if(&mut self, [a]: [Operand; 1]) {
        self.add(Opcode::Kil, None, &[a]);
    }

    /// An input where it is interpolated anyway: pixels have one sample.
    pub(super) fn centre(&mut self, [a]: [Operand; 1]) {
        self.finish(Opcode::Mov, [a]);
    }

    pub(super) fn at_sample(&mut self, [a, _]: [Operand; 2]) {
        self.finish(Opcode::Mov, [a]);
    }

    /// An input at a distance in pixels: on its plane, as differences of fragments give it.
    pub(super) fn at_offset(&mut self, [a, offset]: [Operand; 2]) {
        let right = self.part(Opcode::Ddx, [a]);
        let down = self.part(Opcode::Ddy, [a]);
        let moved = self.part(Opcode::Mad, [right, offset.only(Component::X), a]);
        self.finish(Opcode::Mad, [down, offset.only(Component::Y), moved]);
    }
}
