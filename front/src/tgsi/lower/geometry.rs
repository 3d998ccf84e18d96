//! Vertices that come into geometry programs, and those that go out.

use attila_isa::{self as isa, Component, Opcode, Remark, STREAMS, Slots, Stage};

use super::super::program::{Index, Instruction};
use super::super::registers;
use super::super::words::File;
use super::{Lowering, Operand, Register, addresses};

impl Lowering<'_> {
    /// `IN[vertex][number]`: the attribute that has the register of the vertex program's output.
    pub(super) fn attribute(&mut self, vertex: Index, number: Index) -> Result<Register, Remark> {
        let Some(number) = number.fixed() else {
            return Err(self.remark("inputs of vertices have fixed numbers"));
        };
        let mut inputs = self.program.inputs.iter();
        let declared = inputs.find(|it| it.register == number && it.per_vertex);
        let semantic = declared.and_then(|it| it.semantic);
        let register = semantic.and_then(|it| registers::output(it, Stage::Vertex));
        let Some(register) = register else {
            return Err(self.remark(format!("there is no register for `IN[][{number}]`")));
        };
        let vertex = self.number(vertex)?.only(Component::X);
        let attribute = Operand::new(Register::AsIs(isa::Operand::Attribute(
            register.index() as u8
        )));
        let temp = self.code.temp();
        self.write(temp, Slots::all(), Opcode::Lda, [vertex, attribute]);
        Ok(Register::Temp(temp))
    }

    /// EMIT and ENDPRIM. Outputs that temporaries stand for are written first.
    pub(super) fn emit(&mut self, op: Opcode, instruction: &Instruction) -> Result<(), Remark> {
        let stream = match instruction.sources.first() {
            None => Some(0),
            Some(source) => {
                let register = source.register;
                let number = register.index.fixed();
                let number = number.filter(|_| register.file == File::Immediate);
                let words = number.map(|it| addresses::text(self.program, File::Immediate, it));
                let word = words.map(|it| it[source.swizzle.source(Component::X).index()]);
                word.and_then(|word| u8::try_from(word).ok())
            }
        };
        let Some(stream) = stream.filter(|stream| *stream < STREAMS) else {
            let message = format!("the stream is an immediate from 0 to {}", STREAMS - 1);
            return Err(self.remark(message));
        };
        if op == Opcode::Emit {
            self.copy_outputs()?;
        }
        self.add(
            op,
            None,
            &[Operand::new(Register::AsIs(isa::Operand::Stream(stream)))],
        );
        Ok(())
    }
}
