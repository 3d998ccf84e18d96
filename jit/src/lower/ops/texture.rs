//! Textures and vertex attributes: requests to the runtime, and samples that are computed.

use attila_isa::{Component, Inst, Operand, TextureOp as Asks};
use attila_machine::TextureOp;
use attila_machine::arith::Arith;

use crate::ir::{Op, Value};
use crate::lower::Lower;
use crate::lower::sample::{Request, Sample};

use Component::{W, X, Y, Z};

impl Lower<'_> {
    /// Lowers an instruction of this section.
    pub(super) fn texture_op(&mut self, op: Asks, inst: &Inst) {
        match op {
            Asks::Tex => self.texture(inst, TextureOp::Tex),
            Asks::Txb => self.texture(inst, TextureOp::Txb),
            Asks::Txl => self.texture(inst, TextureOp::Txl),
            Asks::Txp => self.texture(inst, TextureOp::Txp),
            Asks::Lda => self.lda(inst),
        }
    }

    /// Samples with the coordinates of all lanes as they stand, whatever the guard.
    fn texture(&mut self, inst: &Inst, op: TextureOp) {
        self.all_lanes = true;
        let mut coords = [X, Y, Z].map(|c| self.float(inst, 0, c));
        let param = match op {
            TextureOp::Tex => self.b.f32(0.0),
            TextureOp::Txb | TextureOp::Txl => self.float(inst, 0, W),
            TextureOp::Txp => {
                let divisor = self.float(inst, 0, W);
                coords = coords.map(|coord| self.b.div(coord, divisor));
                self.b.f32(0.0)
            }
        };
        self.all_lanes = false;
        let Operand::Unit { unit, .. } = inst.operands[1] else {
            unreachable!("{} names a unit", inst.op)
        };
        let stage = self.program.program().stage();
        let known = self.samplings.iter().position(|how| how.unit == unit);
        if let Some(texture) = known {
            let request = Request {
                op,
                stage,
                coords,
                param,
            };
            let mut sample = Sample {
                b: &mut self.b,
                texture: texture as u8,
                how: self.samplings[texture],
                fused: self.fused,
            };
            let colour = sample.colour(&request);
            return self.write(inst, |_, c| colour[c.index()]);
        }
        let [s, t, r] = coords;
        let request = Op::Sample(op, unit, stage);
        let result = self.b.push(request, [s, t, r, param, self.active]);
        self.write_parts(inst, result);
    }

    /// Fetches for the lanes whose guard is true.
    fn lda(&mut self, inst: &Inst) {
        let index = self.float(inst, 0, X);
        let index = self.b.as_i32(index);
        let wanted = self.effective();
        let Operand::Attribute(attribute) = inst.operands[1] else {
            unreachable!("{} names an attribute", inst.op)
        };
        let request = Op::Attribute(attribute);
        let result = self.b.push(request, [index, wanted]);
        self.write_parts(inst, result);
    }

    fn write_parts(&mut self, inst: &Inst, result: Value) {
        self.write(inst, |l, c| l.b.extract(result, c as u8));
    }
}
