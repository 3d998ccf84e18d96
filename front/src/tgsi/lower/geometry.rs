//! Vertices of primitives that come in, and those that go out.

use attila_isa::{Component, Opcode, Remark, Slots, Stage};

use super::super::program::{Index, Instruction};
use super::super::registers;
use super::{Lowering, Operand, Register, word};

impl Lowering<'_> {
    /// `IN[vertex][number]`: the attribute of a vertex of the primitive.
    pub(super) fn vertex_input(
        &mut self,
        vertex: Option<Index>,
        number: Index,
    ) -> Result<Register, Remark> {
        let vertex = match vertex {
            Some(vertex) => self.number(vertex)?.only(Component::X),
            None => word(0),
        };
        let Some(number) = number.fixed() else {
            return Err(self.remark("inputs of vertices have fixed numbers"));
        };
        let mut inputs = self.program.inputs.iter();
        let semantic = inputs
            .find(|it| it.register == number)
            .map(|it| it.semantic);
        let semantic = semantic.flatten();
        let attribute = semantic.and_then(|it| registers::output(it, Stage::Vertex));
        let Some(attribute) = attribute else {
            return Err(self.remark(format!("there is no attribute for `IN[][{number}]`")));
        };
        let attribute = Operand::new(Register::Attribute(attribute.index() as u8));
        let value = self.value(Slots::all(), Opcode::Lda, [vertex, attribute]);
        Ok(value.register)
    }

    /// EMIT: the outputs that temporaries stand for go out first.
    pub(super) fn emit(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        let stream = self.stream(instruction)?;
        self.copy_outputs()?;
        self.add(Opcode::Emit, None, &[stream]);
        Ok(())
    }

    /// ENDPRIM.
    pub(super) fn endprim(&mut self, instruction: &Instruction) -> Result<(), Remark> {
        let stream = self.stream(instruction)?;
        self.add(Opcode::Endprim, None, &[stream]);
        Ok(())
    }

    /// The stream that a source names; without one it is the first.
    fn stream(&mut self, instruction: &Instruction) -> Result<Operand, Remark> {
        let number = match instruction.sources.first() {
            None => Some(0),
            Some(source) => self.operand(source)?.literal().map(|it| it[0].to_bits()),
        };
        let known = number.and_then(|number| u8::try_from(number).ok());
        match known.filter(|number| *number < attila_isa::STREAMS) {
            Some(stream) => Ok(Operand::new(Register::Stream(stream))),
            None => Err(self.remark("the stream is an immediate from 0 to 3")),
        }
    }
}
