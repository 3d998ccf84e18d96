//! Calls of the runtime, quad by quad.

use iced_x86::{Code, Register};

use super::allocate::slots::FRAME;
use super::draw::CONTEXT;
use super::forms::Width;
use super::frame::{GENERAL, OPERANDS};
use super::instructions as make;
use super::mir::{Class, Holds, Home, Inst, Label, Mem};
use super::scalar;
use super::values::Emission;
use crate::runtime::{Entry, Vector, Vectors};

/// General registers that calls do not keep, and that code keeps across them.
const KEPT: [Register; 4] = [Register::R8, Register::R9, Register::R10, Register::R11];

/// Registers with the parameters of the routine, whose places follow those of the registers that it keeps: the site, the
/// entry, the memory of the quad that is next, and the bytes to that of another.
const PARAMETERS: [Register; 4] = [Register::RDX, Register::RAX, Register::RSI, Register::RCX];
const SITE: i32 = 4;
const ENTRY: i32 = 5;
const MEMORY: i32 = 6;
const STRIDE: i32 = 7;

const _: () = assert!(KEPT.len() + PARAMETERS.len() == GENERAL);

/// A call of an entry for each quad.
pub(super) struct Call {
    pub(super) entry: Entry,
    pub(super) site: u64,
    /// The memory of the first quad that the entry works on, and how many bytes those of others are apart.
    pub(super) memory: Option<(Mem, i32)>,
}

/// Where the operands of a call are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operands {
    /// One vector after the other, which takes few instructions to store: those of slow paths, of which there may be
    /// many.
    Together,
    /// Quad by quad, as entries take them.
    Apart,
}

impl Operands {
    pub(super) const ALL: [Operands; 2] = [Operands::Together, Operands::Apart];
}

/// Where calls of the runtime go through, by the place of their operands, if there are any.
#[derive(Default)]
pub(super) struct Routines([Option<Label>; Operands::ALL.len()]);

impl Emission<'_> {
    /// Calls an entry, whose operands have been stored. All registers but scratch ones keep their values.
    pub(super) fn call(&mut self, call: &Call, operands: Operands) -> [Inst; 5] {
        let known = self.routines.0[operands as usize];
        let routine = known.unwrap_or_else(|| self.label());
        self.routines.0[operands as usize] = Some(routine);
        let [memory, stride] = match call.memory {
            Some((first, stride)) => [
                scalar::lea(Register::RSI, first),
                scalar::constant(Register::ECX, stride as u32),
            ],
            None => [Register::ESI, Register::ECX].map(scalar::zero),
        };
        [
            scalar::constant64(Register::RDX, call.site),
            scalar::constant64(Register::RAX, call.entry.address() as u64),
            memory,
            stride,
            scalar::jump(Code::Call_rel32_64, routine),
        ]
    }

    /// The routines that call an entry for each quad. They keep all registers but `rax`, `rcx`, `rdx`, `rsi` and `rdi`.
    pub(super) fn call_routines(&self) -> Vec<Inst> {
        let used = Operands::ALL.into_iter().zip(self.routines.0);
        let used = used.filter_map(|(operands, routine)| Some(self.routine(operands, routine?)));
        used.flatten().collect()
    }

    fn routine(&self, operands: Operands, label: Label) -> Vec<Inst> {
        let mut insts = vec![
            Inst::Label(label),
            // The stack was aligned before the call.
            scalar::sub_constant(Register::RSP, 56),
        ];
        for (place, register) in (0..).zip(KEPT.into_iter().chain(PARAMETERS)) {
            insts.push(scalar::store(self.general(place), register));
        }
        insts.extend(
            self.all_registers(|class, home, number, width| {
                make::store(width, class, home, number)
            }),
        );
        insts.push(Inst::Raw(scalar::plain(Code::VEX_Vzeroupper)));
        for quad in 0..self.width.quads() {
            match operands {
                Operands::Apart => insts.extend(self.call_for(quad)),
                Operands::Together => {
                    let place = |place: usize| self.together(place).after(16 * quad as i32);
                    for operand in 0..OPERANDS {
                        insts.extend(transfer(place(operand), self.apart(operand, 0)));
                    }
                    insts.extend(self.call_for(0));
                    insts.extend(transfer(self.apart(0, 0), place(0)));
                }
            }
        }
        insts.extend(
            self.all_registers(|class, home, number, width| make::load(width, class, number, home)),
        );
        for (place, register) in (0..).zip(KEPT) {
            insts.push(scalar::load(register, self.general(place)));
        }
        insts.push(scalar::add_constant(Register::RSP, 56));
        insts.push(Inst::Raw(scalar::plain(Code::Retnq)));
        insts
    }

    /// Where an operand of all quads is.
    pub(super) fn together(&self, place: usize) -> Mem {
        let width = self.width.bytes();
        Self::at_frame(self.areas.operands + (place * width) as i32)
    }

    /// Where an operand or result of a quad is.
    pub(super) fn apart(&self, place: usize, quad: usize) -> Mem {
        let within = quad * size_of::<Vectors>() + place * Vector::SIZE;
        Self::at_frame(self.areas.call + within as i32)
    }

    /// A general register's place during a call.
    fn general(&self, place: i32) -> Mem {
        Self::at_frame(self.areas.general + 8 * place)
    }

    /// Calls the entry with the operands at a quad's place, and goes on to the memory of the next.
    fn call_for(&self, quad: usize) -> [Inst; 9] {
        [
            scalar::mov(Register::RDI, CONTEXT),
            scalar::load(Register::RSI, self.general(MEMORY)),
            scalar::load(Register::RDX, self.general(SITE)),
            scalar::lea(Register::RCX, self.apart(0, quad)),
            scalar::load(Register::RAX, self.general(ENTRY)),
            scalar::on(Code::Call_rm64, Register::RAX),
            scalar::load(Register::RSI, self.general(MEMORY)),
            scalar::add_memory(Register::RSI, self.general(STRIDE)),
            scalar::store(self.general(MEMORY), Register::RSI),
        ]
    }

    /// An instruction for each vector and mask register, and its place during a call.
    fn all_registers(
        &self,
        f: impl Fn(Class, Home, u8, Width) -> iced_x86::Instruction,
    ) -> Vec<Inst> {
        let width = self.width;
        let bytes = width.bytes() as i32;
        let vectors = (0..width.vectors()).map(|number| {
            let home = Home {
                base: FRAME,
                displacement: self.areas.saved + i32::from(number) * bytes,
                holds: Holds::Vector,
            };
            f(Class::Vector, home, number, width)
        });
        let after = self.areas.saved + i32::from(width.vectors()) * bytes;
        let masks = if width.has_masks() { 1..8 } else { 0..0 };
        let masks = masks.map(|number| {
            let home = Home {
                base: FRAME,
                displacement: after + 8 * i32::from(number),
                holds: Holds::Bits,
            };
            f(Class::Mask, home, number, width)
        });
        vectors.chain(masks).map(Inst::Raw).collect()
    }
}

/// 16 bytes from one place to another.
fn transfer(from: Mem, to: Mem) -> [Inst; 2] {
    let mut load = make::begin(Code::VEX_Vmovups_xmm_xmmm128);
    let mut store = make::begin(Code::VEX_Vmovups_xmmm128_xmm);
    [
        Inst::Raw(load.register(Register::XMM0).memory(from).end()),
        Inst::Raw(store.memory(to).register(Register::XMM0).end()),
    ]
}
