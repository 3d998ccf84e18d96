//! From instructions to bytes: encoding, labels, code out of the way, the table of literals.

use std::rc::Rc;

use iced_x86::{Code, Encoder, IcedError, Instruction, OpKind};

use super::allocate::{Out, Ways};
use super::mir::Label;
use crate::emit::Made;
use crate::ir::Origin;

/// Code that is being put together.
pub(super) struct Assembler {
    /// Has the bytes so far.
    encoder: Encoder,
    length: usize,
    /// Where each label is.
    labels: Vec<Option<usize>>,
    /// Places of 32 bits that say how far it is from behind them to a label.
    jumps: Vec<(usize, Label)>,
    /// Code that is put behind the rest.
    cold: Vec<Cold>,
    /// From which byte on code is there for which instruction of the program.
    origins: Vec<(usize, Origin)>,
}

/// Code out of the way.
struct Cold {
    /// Where it begins.
    away: Label,
    ways: Rc<Ways>,
    /// Where it jumps back to.
    back: Label,
    origin: Origin,
}

impl Assembler {
    /// No code, with so many labels.
    pub(super) fn new(labels: u32) -> Result<Assembler, IcedError> {
        Ok(Assembler {
            encoder: Encoder::try_new(64)?,
            length: 0,
            labels: vec![None; labels as usize],
            jumps: Vec::new(),
            cold: Vec::new(),
            origins: Vec::new(),
        })
    }

    /// A new label.
    pub(super) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    /// Puts an instruction behind the others.
    pub(super) fn instruction(&mut self, instruction: &Instruction) -> Result<(), IcedError> {
        let place = self.length;
        self.length += self.encoder.encode(instruction, place as u64)?;
        #[cfg(test)]
        {
            let bytes = self.encoder.take_buffer();
            super::tests::decode::assert_means(&bytes[place..], place as u64, instruction);
            self.encoder.set_buffer(bytes);
        }
        Ok(())
    }

    /// Puts instructions behind the others.
    pub(super) fn put<'a>(
        &mut self,
        out: impl IntoIterator<Item = &'a Out>,
    ) -> Result<(), IcedError> {
        for one in out {
            match one {
                Out::Inst(instruction) => self.instruction(instruction)?,
                Out::Jump(code, to) => self.jump(*code, *to)?,
                Out::Label(label) => self.place(*label),
                Out::Origin(origin) => self.origin(*origin),
                Out::Split(ways) => {
                    let (away, back) = (self.label(), self.label());
                    self.jump(ways.code, away)?;
                    self.put(&ways.hot)?;
                    self.place(back);
                    self.cold.push(Cold {
                        away,
                        ways: Rc::clone(ways),
                        back,
                        origin: self.origins.last().map_or(Origin::default(), |last| last.1),
                    });
                }
            }
        }
        Ok(())
    }

    /// A jump or call.
    pub(super) fn jump(&mut self, code: Code, to: Label) -> Result<(), IcedError> {
        let mut jump = Instruction::default();
        jump.set_code(code);
        jump.set_op_kind(0, OpKind::NearBranch64);
        // Any target that is near: it is filled in at the end.
        jump.set_near_branch64(self.length as u64);
        self.instruction(&jump)?;
        self.refers_to(to);
        Ok(())
    }

    /// From here on code is there for another instruction of the program.
    fn origin(&mut self, origin: Origin) {
        self.origins.push((self.length, origin));
    }

    /// A label is here.
    pub(super) fn place(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.length);
    }

    /// Puts the code that is out of the way behind the rest.
    pub(super) fn put_cold(&mut self) -> Result<(), IcedError> {
        while let Some(cold) = self.cold.pop() {
            self.origin(cold.origin);
            self.place(cold.away);
            self.put(&cold.ways.cold)?;
            self.jump(Code::Jmp_rel32_64, cold.back)?;
        }
        self.origin(Origin::default());
        Ok(())
    }

    /// The address, relative to the code, that the instruction before is to know as `label`: its
    /// displacement is filled in like that of a jump.
    pub(super) fn refers_to(&mut self, label: Label) {
        self.jumps.push((self.length - 4, label));
    }

    /// Ends the instructions, and fills up to a multiple of `alignment` bytes: with one byte at least, by
    /// which readers know the end.
    pub(super) fn end_instructions(&mut self, alignment: usize) {
        let length = (self.length + 1).next_multiple_of(alignment);
        self.data(&vec![0xcc; length - self.length]);
    }

    /// Puts bytes behind the rest.
    pub(super) fn data(&mut self, data: &[u8]) {
        let mut bytes = self.encoder.take_buffer();
        bytes.extend_from_slice(data);
        self.length = bytes.len();
        self.encoder.set_buffer(bytes);
    }

    /// The code, its jumps filled in.
    pub(super) fn finish(mut self) -> Made {
        let mut bytes = self.encoder.take_buffer();
        for (place, label) in self.jumps {
            let target = self.labels[label.0 as usize].expect("every label is somewhere");
            let distance = target as i64 - (place as i64 + 4);
            let distance = i32::try_from(distance).expect("code is shorter than 2 GB");
            bytes[place..place + 4].copy_from_slice(&distance.to_le_bytes());
        }
        Made {
            bytes,
            origins: self.origins,
        }
    }
}
