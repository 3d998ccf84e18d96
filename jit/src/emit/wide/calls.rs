//! Calls of the runtime, quad by quad, out of the way of the rest.

use attila_machine::arith::SlowPath;
use iced_x86::{Code, Register};

use super::allocate::slots::FRAME;
use super::draw::CONTEXT;
use super::forms::{Form, Width};
use super::instructions as make;
use super::mir::{Arg, Args, Class, Holds, Home, Inst, Label, Mem, Split, Under, Vreg};
use super::scalar;
use super::values::Emission;
use crate::ir::Value;
use crate::runtime::{Entry, slow_site};

/// General registers that calls do not keep, and that code keeps across them.
const KEPT: [Register; 4] = [Register::R8, Register::R9, Register::R10, Register::R11];

impl Emission<'_> {
    /// Per lane `mask ? path(x) : fast`, the call being skipped if no lane needs it.
    pub(super) fn slow_path(
        &mut self,
        path: SlowPath,
        [mask, x, fast]: [Value; 3],
        copy: usize,
    ) -> Vreg {
        let [mask, x, fast] = [mask, x, fast].map(|value| self.value(value, copy));
        let (result, lanes) = (self.vector(), self.vector());
        self.test(mask);
        let mut pins = vec![Arg::Tied(result, fast), Arg::Use(mask), Arg::Use(x)];
        let width = self.width.bytes() as i32;
        let areas = self.areas;
        let operand = |place: i32| Arg::Mem(Self::at_frame(areas.operands + place * width));
        let code = Form::MovapsTo.code(self.width);
        let store = |place, of| Inst::Op {
            code,
            args: Args::from_slice(&[operand(place), Arg::Use(of)]),
            under: Under::All,
        };
        let mut cold = vec![store(0, result), store(2, x)];
        match self.width {
            Width::V256 => cold.push(store(1, mask)),
            Width::V512 => {
                pins.push(Arg::DefEarly(lanes));
                cold.push(Inst::Op {
                    code: Code::EVEX_Vpmovm2d_zmm_kr,
                    args: Args::from_slice(&[Arg::Def(lanes), Arg::Use(mask)]),
                    under: Under::All,
                });
                cold.push(store(1, lanes));
            }
        }
        let known = self.stub;
        let stub = known.unwrap_or_else(|| self.label());
        self.stub = Some(stub);
        cold.extend([
            scalar::constant64(Register::RDX, slow_site(path)),
            scalar::jump(Code::Call_rel32_64, stub),
            Inst::Op {
                code: Form::Movaps.code(self.width),
                args: Args::from_slice(&[Arg::Def(result), operand(0)]),
                under: Under::All,
            },
        ]);
        self.insts.push(Inst::Split(Box::new(Split {
            code: Code::Jne_rel32_64,
            pins: pins.into(),
            hot: Vec::new(),
            cold,
        })));
        result
    }

    /// Flags: "not equal" if any lane of a mask is set.
    pub(super) fn test(&mut self, mask: Vreg) {
        self.form(Form::Test, &[Arg::Use(mask), Arg::Use(mask)]);
    }

    /// The routine that calls the entry for slow paths for each quad: the operands of all are in the
    /// frame, the result takes the place of the first. It keeps all registers but `rax`, `rcx`, `rdx`,
    /// `rsi` and `rdi`.
    pub(super) fn call_routine(&self, stub: Label) -> Vec<Inst> {
        let areas = self.areas;
        let mut insts = vec![
            Inst::Label(stub),
            // The stack was aligned before the call.
            scalar::sub_constant(Register::RSP, 56),
            scalar::store(Self::at_frame(areas.general), Register::RDX),
        ];
        for (place, register) in (1..).zip(KEPT) {
            let at = Self::at_frame(areas.general + 8 * place);
            insts.push(scalar::store(at, register));
        }
        insts.extend(
            self.all_registers(|class, home, number, width| {
                make::store(width, class, home, number)
            }),
        );
        insts.push(Inst::Raw(scalar::plain(Code::VEX_Vzeroupper)));
        for quad in 0..self.width.quads() as i32 {
            self.call_for(quad, &mut insts);
        }
        insts.extend(
            self.all_registers(|class, home, number, width| make::load(width, class, number, home)),
        );
        for (place, register) in (1..).zip(KEPT) {
            let at = Self::at_frame(areas.general + 8 * place);
            insts.push(scalar::load(register, at));
        }
        insts.push(scalar::add_constant(Register::RSP, 56));
        insts.push(Inst::Raw(scalar::plain(Code::Retnq)));
        insts
    }

    fn call_for(&self, quad: i32, insts: &mut Vec<Inst>) {
        let areas = self.areas;
        let width = self.width.bytes() as i32;
        let vector = |place: i32| Self::at_frame(areas.operands + place * width + 16 * quad);
        let of_call = |place: i32| Self::at_frame(areas.call + 16 * place);
        for place in 0..super::frame::OPERANDS as i32 {
            insts.extend(transfer(vector(place), of_call(place)));
        }
        insts.extend([
            scalar::mov(Register::RDI, CONTEXT),
            scalar::zero(Register::ESI),
            scalar::load(Register::RDX, Self::at_frame(areas.general)),
            scalar::lea(Register::RCX, of_call(0)),
            scalar::constant64(Register::RAX, Entry::Slow.address() as u64),
            scalar::on(Code::Call_rm64, Register::RAX),
        ]);
        insts.extend(transfer(of_call(0), vector(0)));
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
