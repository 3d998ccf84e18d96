//! Questions to texture units that the code answers inline.

use attila_isa::{Component, Inst, Operand, TextureShape, TextureTarget};
use attila_machine::arith::Arith;

use crate::abi::QuestionKind;
use crate::ir::Value;
use crate::lower::Lower;
use crate::lower::sample::{Fetch, LevelOfDetail, Request, Sample};

use Component::{X, Y, Z};

/// A question with its operands.
enum Lookup {
    Sample(Request),
    Gather(Request),
    LevelOfDetail(Request),
    Fetch(Fetch),
    /// The level.
    Size(Value),
}

impl Lower<'_> {
    /// The texture that an instruction asks, if the code answers inline.
    pub(super) fn inlined(&mut self, inst: &Inst) -> Option<Sample<'_>> {
        let texture = self.samplings.iter().position(|how| how.answers(inst))?;
        Some(Sample {
            b: &mut self.b,
            texture: texture as u8,
            how: self.samplings[texture],
            fused: self.fused,
        })
    }

    /// The answer to a question with the operands of all lanes as they stand, regardless of the guard.
    /// `None` if the texture unit has to be called.
    pub(super) fn answer(&mut self, inst: &Inst, kind: QuestionKind) -> Option<[Value; 4]> {
        self.inlined(inst)?;
        self.all_lanes = true;
        let lookup = self.lookup(inst, kind);
        self.all_lanes = false;
        let (lookup, mut sample) = (lookup?, self.inlined(inst)?);
        Some(match lookup {
            Lookup::Sample(request) => sample.colour(&request),
            Lookup::Gather(request) => sample.gather(&request, inst.texture?.gather),
            Lookup::LevelOfDetail(request) => sample.levels_of(&request),
            Lookup::Fetch(fetch) => sample.fetch(&fetch),
            Lookup::Size(level) => sample.size(level),
        })
    }

    /// The operands of a question.
    fn lookup(&mut self, inst: &Inst, kind: QuestionKind) -> Option<Lookup> {
        let implicit = |lower: &mut Self| LevelOfDetail::Implicit(lower.b.f32(0.0));
        let (ask, level): (fn(Request) -> Lookup, _) = match kind {
            QuestionKind::Implicit => (Lookup::Sample, implicit(self)),
            QuestionKind::Gather => (Lookup::Gather, implicit(self)),
            QuestionKind::LevelOfDetail => (Lookup::LevelOfDetail, implicit(self)),
            QuestionKind::LevelZero => {
                let zero = self.b.f32(0.0);
                (Lookup::Sample, LevelOfDetail::Explicit(zero))
            }
            QuestionKind::Bias => {
                let bias = self.float(inst, 1, X);
                (Lookup::Sample, LevelOfDetail::Implicit(bias))
            }
            QuestionKind::Level => {
                let level = self.float(inst, 1, X);
                (Lookup::Sample, LevelOfDetail::Explicit(level))
            }
            QuestionKind::Gradients => {
                let gradients = inst.gradients()?;
                let of = |source| {
                    [X, Y, Z].map(|c| self.source_float(inst, &source, c, inst.flushes(1)))
                };
                let gradients = gradients.map(of);
                (Lookup::Sample, LevelOfDetail::Gradients(gradients))
            }
            QuestionKind::Fetch => {
                return Some(Lookup::Fetch(Fetch {
                    at: Component::ALL.map(|c| self.int(inst, 0, c)),
                    offset: self.offset(inst),
                }));
            }
            QuestionKind::Size => return Some(Lookup::Size(self.int(inst, 0, X))),
            QuestionKind::Samples => return None,
        };
        let coords = Component::ALL.map(|c| self.float(inst, 0, c));
        Some(ask(Request {
            level,
            stage: self.program.program().stage(),
            coords,
            reference: self.reference(inst, kind, coords),
            offset: self.offset(inst),
        }))
    }

    /// The value that texels are compared with, if the target says that they are: an operand, or a
    /// component of the coordinates.
    fn reference(&mut self, inst: &Inst, kind: QuestionKind, coords: [Value; 4]) -> Option<Value> {
        let texture = inst.texture?;
        let TextureTarget::Named {
            shape,
            shadow: true,
        } = texture.target
        else {
            return texture.target.is_compared().then_some(coords[2]);
        };
        let has_operand = matches!(
            kind,
            QuestionKind::Implicit | QuestionKind::LevelZero | QuestionKind::Gather
        );
        if has_operand && inst.operands[1] != Operand::None {
            return Some(self.float(inst, 1, X));
        }
        Some(match shape {
            TextureShape::D1 | TextureShape::D2 | TextureShape::Rect | TextureShape::D1Array => {
                coords[2]
            }
            TextureShape::D2Array | TextureShape::Cube | TextureShape::D3 => coords[3],
            TextureShape::CubeArray
            | TextureShape::Buffer
            | TextureShape::D2Ms
            | TextureShape::D2MsArray => self.b.f32(0.0),
        })
    }

    /// The offset in texels along s, t and r, if there is one.
    fn offset(&mut self, inst: &Inst) -> Option<[Value; 3]> {
        if inst.operands[2] == Operand::None {
            return None;
        }
        Some([X, Y, Z].map(|c| self.int(inst, 2, c)))
    }
}
