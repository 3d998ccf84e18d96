//! Questions to texture units that name a target.

use attila_isa::{Component, Inst, Operand, TextureAccess};

use crate::abi::{Argument, Question, QuestionKind};
use crate::ir::{Op, Value};
use crate::lower::{Lower, Var};

use Component::{X, Y, Z};

impl Lower<'_> {
    /// Asks with the operands of all lanes as they stand, regardless of the guard.
    pub(super) fn question(&mut self, inst: &Inst, kind: QuestionKind) {
        if let Some(answer) = self.answer(inst, kind) {
            return self.write(inst, |_, c| answer[c.index()]);
        }
        let Some(texture) = inst.texture else {
            unreachable!("{} names a texture", inst.op)
        };
        self.all_lanes = true;
        let reference = self.question_operands(inst, kind);
        let offset = self.put_offset(inst);
        let relative = self.put_unit(inst);
        self.all_lanes = false;
        let question = Question {
            kind,
            texture: TextureAccess {
                level_zero: kind == QuestionKind::LevelZero,
                ..texture
            },
            reference,
            offset,
            relative,
            stage: self.program.program().stage(),
        };
        let result = self.b.push(Op::Ask(question), [self.active]);
        self.write_parts(inst, result);
    }

    /// Puts down coordinates and parameters. Returns whether there is a reference among them.
    fn question_operands(&mut self, inst: &Inst, kind: QuestionKind) -> bool {
        match kind {
            QuestionKind::Samples => false,
            QuestionKind::Size => {
                let level = self.int(inst, 0, X);
                self.put(Argument::COORDS, level);
                false
            }
            QuestionKind::Fetch => {
                for (place, component) in (Argument::COORDS..).zip(Component::ALL) {
                    let coordinate = self.int(inst, 0, component);
                    self.put(place, coordinate);
                }
                false
            }
            QuestionKind::LevelOfDetail => {
                self.put_coordinates(inst);
                false
            }
            QuestionKind::Implicit | QuestionKind::LevelZero | QuestionKind::Gather => {
                self.put_coordinates(inst);
                let reference = inst.operands[1] != Operand::None;
                if reference {
                    self.put_parameter(inst);
                }
                reference
            }
            QuestionKind::Bias | QuestionKind::Level => {
                self.put_coordinates(inst);
                self.put_parameter(inst);
                false
            }
            QuestionKind::Gradients => {
                self.put_coordinates(inst);
                let Some([along_x, along_y]) = inst.gradients() else {
                    unreachable!("{} has derivatives", inst.op)
                };
                for (first, source) in [(Argument::DX, along_x), (Argument::DY, along_y)] {
                    for (place, component) in (first..).zip([X, Y, Z]) {
                        let derivative =
                            self.source_float(inst, &source, component, inst.flushes(1));
                        self.put(place, derivative);
                    }
                }
                false
            }
        }
    }

    fn put_coordinates(&mut self, inst: &Inst) {
        for (place, component) in (Argument::COORDS..).zip(Component::ALL) {
            let coordinate = self.float(inst, 0, component);
            self.put(place, coordinate);
        }
    }

    fn put_parameter(&mut self, inst: &Inst) {
        let parameter = self.float(inst, 1, X);
        self.put(Argument::PARAM, parameter);
    }

    /// Puts down the offset in texels. Returns whether there is one.
    fn put_offset(&mut self, inst: &Inst) -> bool {
        if inst.operands[2] == Operand::None {
            return false;
        }
        for (place, component) in (Argument::OFFSET..).zip([X, Y, Z]) {
            let texels = self.int(inst, 2, component);
            self.put(place, texels);
        }
        true
    }

    /// Puts down what is added to the unit. Returns whether anything is.
    fn put_unit(&mut self, inst: &Inst) -> bool {
        let Some(address) = inst.relative else {
            return false;
        };
        let added = self.current(Var::register(address.reg, address.component));
        self.put(Argument::UNIT, added);
        true
    }

    fn put(&mut self, place: u8, value: Value) {
        self.b.push(Op::Argument(place), [value]);
    }
}
