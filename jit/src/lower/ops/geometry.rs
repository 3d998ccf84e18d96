//! Vertices that geometry programs make.

use attila_isa::{GeometryOp, Inst, Operand};

use crate::ir::{Op, Value};
use crate::lower::{Lower, Var};

impl Lower<'_> {
    /// Lowers an instruction of this section.
    pub(super) fn geometry_op(&mut self, op: GeometryOp, inst: &Inst) {
        let Operand::Stream(stream) = inst.operands[0] else {
            unreachable!("{} names a stream", inst.op)
        };
        let lanes = self.effective();
        match op {
            GeometryOp::Emit => self.emit(stream, lanes),
            GeometryOp::Endprim => {
                self.b.push(Op::EndPrimitive(stream), [lanes]);
            }
        }
    }

    /// Hands over all outputs that the program writes, as they are now.
    fn emit(&mut self, stream: u8, lanes: Value) {
        let written = self.program.usage().outputs;
        for (register, slots) in (0u8..).zip(&written) {
            if !slots.is_empty() {
                let value = [0, 1, 2, 3].map(|c| self.get(Var::output(register.into(), c)));
                self.b.push(Op::Output(register), value);
            }
        }
        self.b.push(Op::EmitVertex(stream), [lanes]);
    }
}
