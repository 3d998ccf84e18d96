//! Textures and vertex attributes: requests to the runtime, and samples that are computed.

use attila_isa::{Component, Inst, TextureOp};
use attila_machine::arith::Arith;

use crate::abi::{QuestionKind, SampleKind};
use crate::ir::{Op, Value};
use crate::lower::Lower;
use crate::lower::sample::{LevelOfDetail, Request};

use Component::{W, X, Y, Z};

impl Lower<'_> {
    /// Lowers an instruction of this section.
    pub(super) fn texture_op(&mut self, op: TextureOp, inst: &Inst) {
        match op {
            TextureOp::Tex => self.texture(inst, SampleKind::Tex),
            TextureOp::Txb => self.texture(inst, SampleKind::Txb),
            TextureOp::Txl => self.texture(inst, SampleKind::Txl),
            TextureOp::Txp => self.texture(inst, SampleKind::Txp),
            TextureOp::Lda => self.lda(inst),
            TextureOp::Xtex if inst.texture.is_some_and(|texture| texture.level_zero) => {
                self.question(inst, QuestionKind::LevelZero);
            }
            TextureOp::Xtex => self.question(inst, QuestionKind::Implicit),
            TextureOp::Xtxb => self.question(inst, QuestionKind::Bias),
            TextureOp::Xtxl => self.question(inst, QuestionKind::Level),
            TextureOp::Xtxd => self.question(inst, QuestionKind::Gradients),
            TextureOp::Txf => self.question(inst, QuestionKind::Fetch),
            TextureOp::Txq => self.question(inst, QuestionKind::Size),
            TextureOp::Tg4 => self.question(inst, QuestionKind::Gather),
            TextureOp::Lodq => self.question(inst, QuestionKind::LevelOfDetail),
            TextureOp::Txqs => self.question(inst, QuestionKind::Samples),
        }
    }

    /// Samples with the coordinates of all lanes as they stand, regardless of the guard.
    fn texture(&mut self, inst: &Inst, kind: SampleKind) {
        self.all_lanes = true;
        let mut coords = [X, Y, Z].map(|c| self.float(inst, 0, c));
        let param = match kind {
            SampleKind::Tex => self.b.f32(0.0),
            SampleKind::Txb | SampleKind::Txl => self.float(inst, 0, W),
            SampleKind::Txp => {
                let divisor = self.float(inst, 0, W);
                coords = coords.map(|coord| self.b.div(coord, divisor));
                self.b.f32(0.0)
            }
        };
        self.all_lanes = false;
        let stage = self.program.program().stage();
        let ([s, t, r], q) = (coords, self.b.f32(0.0));
        if let Some(mut sample) = self.inlined(inst) {
            let colour = sample.colour(&Request {
                level: match kind {
                    SampleKind::Tex | SampleKind::Txb | SampleKind::Txp => {
                        LevelOfDetail::Implicit(param)
                    }
                    SampleKind::Txl => LevelOfDetail::Explicit(param),
                },
                stage,
                coords: [s, t, r, q],
                reference: Some(r),
                offset: None,
            });
            return self.write(inst, |_, c| colour[c.index()]);
        }
        let Some(unit) = inst.texture_unit() else {
            unreachable!("{} names a unit", inst.op)
        };
        let request = Op::Sample(kind, unit, stage);
        let result = self.b.push(request, [s, t, r, param, self.active]);
        self.write_parts(inst, result);
    }

    /// Fetches for the lanes whose guard is true.
    fn lda(&mut self, inst: &Inst) {
        let index = self.float(inst, 0, X);
        let index = self.b.as_i32(index);
        let wanted = self.effective();
        let Some(attribute) = inst.attribute() else {
            unreachable!("{} names an attribute", inst.op)
        };
        let request = Op::Attribute(attribute);
        let result = self.b.push(request, [index, wanted]);
        self.write_parts(inst, result);
    }

    pub(super) fn write_parts(&mut self, inst: &Inst, result: Value) {
        self.write(inst, |l, c| l.b.extract(result, c as u8));
    }
}
