//! Where the payload of a NaN that arithmetic made may be.
//!
//! Sign and payload of such a NaN are unspecified, so two engines may differ in them and both be
//! right: a word that may be one is compared by class. A program that feeds it to an integer
//! instruction has an unspecified result; no case may do that.
//!
//! The analysis takes a program as a bag of instructions: whatever writes a component may be what
//! was written last. Inputs, constants, integer results, sampled and fetched values are words that
//! every engine gets alike. Moving bits keeps them; every other float result may be a new NaN.

use attila_shader::isa::{
    ADDRESSES, Bank, Component, CtmModifier, DstReg, Inputs, Inst, OpFlags, Opcode, Operand,
    OperandKind, Outputs, Program, Reg, Slots, TEMPS,
};

/// The register components of a program that may hold a NaN made by arithmetic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NanFlow {
    inputs: Inputs<Slots>,
    /// Whether sampled values may hold one.
    samples: bool,
    outputs: Outputs<Slots>,
    temps: [Slots; TEMPS],
    addresses: [Slots; ADDRESSES],
}

impl NanFlow {
    /// Analyses `program`.
    pub fn new(program: &Program) -> NanFlow {
        NanFlow::from(program, Inputs::default(), false)
    }

    /// Analyses `program`, where arithmetic has made these components of inputs, and perhaps what
    /// textures answer.
    pub(crate) fn from(program: &Program, inputs: Inputs<Slots>, samples: bool) -> NanFlow {
        let mut flow = NanFlow {
            inputs,
            samples,
            outputs: Outputs::default(),
            temps: [Slots::empty(); _],
            addresses: [Slots::empty(); _],
        };
        loop {
            let before = flow.clone();
            for inst in program.insts() {
                flow.step(inst);
            }
            if flow == before {
                return flow;
            }
        }
    }

    /// The components of `reg` that may hold such a NaN.
    pub fn components(&self, reg: Reg) -> Slots {
        match reg.bank() {
            Bank::Output => self.outputs[reg.index()],
            Bank::Temp => self.temps[reg.index()],
            Bank::Address => self.addresses[reg.index()],
            Bank::Input => self.inputs[reg.index()],
            Bank::Constant => Slots::empty(),
        }
    }

    /// The first instruction whose result depends on the payload of such a NaN.
    pub fn first_dependent(&self, program: &Program) -> Option<usize> {
        program
            .insts()
            .iter()
            .position(|inst| self.is_dependent(inst))
    }

    fn is_dependent(&self, inst: &Inst) -> bool {
        let address = inst.relative.is_some_and(|relative| {
            let components = self.components(relative.reg);
            components.has(relative.component)
        });
        let mut operands = inst.op.operands().iter().zip(&inst.operands);
        address
            || operands.any(|(kind, operand)| match (kind, operand) {
                (
                    OperandKind::Int(_)
                    | OperandKind::Double(_)
                    | OperandKind::Raw(_)
                    | OperandKind::Texels,
                    Operand::Reg(src),
                ) => {
                    let reads = kind.reads(inst.written()).unwrap_or_default();
                    self.components(src.reg)
                        .intersects(src.swizzle.sources(reads))
                }
                _ => false,
            })
    }

    fn step(&mut self, inst: &Inst) {
        let Some(DstReg { reg, mask }) = inst.dst.reg else {
            return;
        };
        let made: Slots = mask
            .components()
            .filter(|c| self.may_make(inst, *c))
            .map(Slots::only)
            .collect();
        match reg.bank() {
            Bank::Output => self.outputs[reg.index()] |= made,
            Bank::Temp => self.temps[reg.index()] |= made,
            Bank::Address => self.addresses[reg.index()] |= made,
            Bank::Input | Bank::Constant => {}
        }
    }

    /// Whether component `c` of the result may be such a NaN.
    fn may_make(&self, inst: &Inst, c: Component) -> bool {
        let info = inst.op.info();
        if !info.results.is_float() {
            return false;
        }
        if inst.buffer().is_some() {
            return false;
        }
        // That path has one NaN.
        let modifier = inst.path.modifier();
        if modifier.is_some_and(|it| it != CtmModifier::Raw) {
            return false;
        }
        if is_fetch(inst.op) {
            return self.samples;
        }
        let is_moved = moves_bits(inst.op) || modifier.is_some();
        !is_moved
            || inst
                .sources()
                .any(|(src, _)| self.components(src.reg).has(src.swizzle.source(c)))
    }
}

/// Whether the result is an operand's bits.
pub(crate) fn moves_bits(op: Opcode) -> bool {
    matches!(op, Opcode::Mov | Opcode::Sel)
}

/// Whether the result comes from outside.
fn is_fetch(op: Opcode) -> bool {
    op.has(OpFlags::TEXTURE) || op.operands().contains(&OperandKind::Attribute)
}

#[cfg(test)]
mod tests {
    use super::*;
    use attila_shader::isa::{Dst, Src};

    fn reg(bank: Bank, index: u16) -> Reg {
        Reg::new(bank, index).expect("within the bank")
    }

    fn inst(op: Opcode, dst: Reg, mask: Slots, sources: &[Reg]) -> Inst {
        let mut inst = Inst::new(op);
        inst.dst = Dst::reg(dst, mask);
        for (operand, source) in inst.operands.iter_mut().zip(sources) {
            *operand = Operand::Reg(Src::new(*source));
        }
        inst
    }

    fn program(insts: Vec<Inst>) -> Program {
        Program::new(insts).expect("instructions fit their opcodes")
    }

    #[test]
    fn arithmetic_marks_what_it_writes_and_moves_carry_it_on() {
        let (r0, r1, o0) = (reg(Bank::Temp, 0), reg(Bank::Temp, 1), reg(Bank::Output, 0));
        let i0 = reg(Bank::Input, 0);
        let flow = NanFlow::new(&program(vec![
            inst(Opcode::Mov, o0, Slots::all(), &[r1]),
            inst(Opcode::Mov, r1, Slots::X | Slots::Y, &[r0]),
            inst(Opcode::Add, r0, Slots::X | Slots::Z, &[i0, i0]),
        ]));
        assert_eq!(flow.components(r0), Slots::X | Slots::Z);
        assert_eq!(flow.components(r1), Slots::X);
        assert_eq!(flow.components(o0), Slots::X);
    }

    #[test]
    fn integer_instructions_may_not_read_it() {
        let (r0, a0, i0) = (
            reg(Bank::Temp, 0),
            reg(Bank::Address, 0),
            reg(Bank::Input, 0),
        );
        let bad = program(vec![
            inst(Opcode::Mul, r0, Slots::X, &[i0, i0]),
            inst(Opcode::Addi, r0, Slots::Y, &[r0, r0]),
            inst(Opcode::Addi, r0, Slots::X, &[r0, r0]),
        ]);
        assert_eq!(NanFlow::new(&bad).first_dependent(&bad), Some(2));
        let converted = program(vec![
            inst(Opcode::Mul, r0, Slots::X, &[i0, i0]),
            inst(Opcode::Arl, a0, Slots::all(), &[r0]),
            inst(Opcode::Addi, r0, Slots::all(), &[a0, i0]),
        ]);
        assert_eq!(NanFlow::new(&converted).first_dependent(&converted), None);
    }
}
