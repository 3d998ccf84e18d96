//! Scratch memory: each quad of an iteration has its own, one after the other. For any index of a lane,
//! nothing else is read or written.

use attila_isa::{Component, ScratchArray};
use iced_x86::{Code, Register};

use super::forms::{Form, Width};
use super::gather::Words;
use super::mir::{Arg, Inst, Mem, Under, Vreg};
use super::scalar;
use super::values::Emission;
use crate::abi::{ContextField, Scratch};
use crate::ir::{Op, Value};
use crate::runtime::Vector;

/// Where scratch memory begins.
const SCRATCH: Register = Register::RCX;

/// The place of a component.
enum Place {
    /// All lanes name the same vector, so many bytes from the beginning of each quad's memory.
    Known(i32),
    /// All lanes name something outside of the array.
    Nowhere,
    /// Each lane names its own.
    Each {
        /// Bytes from the component of the array's first vector.
        offsets: Vreg,
        /// The lanes whose index is within the array.
        within: Vreg,
        /// Where that is.
        first: i32,
    },
}

impl Emission<'_> {
    /// Bytes of a quad's scratch memory.
    fn scratch_size(&self) -> usize {
        Scratch::vectors(self.plan.scratch) * Vector::SIZE
    }

    /// At the beginning of an iteration: its scratch memory is 0.
    pub(super) fn clear_scratch(&mut self) {
        let size = self.quads() * self.scratch_size();
        if size == 0 {
            return;
        }
        let head = self.label();
        self.of_context(SCRATCH, ContextField::Scratch);
        let zero = self.literal(0);
        let bytes = self.width.bytes() as i32;
        let end = Mem::at(SCRATCH, -bytes).plus(Register::RAX, 1);
        self.insts
            .push(scalar::constant(Register::EAX, size as u32));
        // A load of the literal does not belong into the loop.
        let vector = self.vector();
        self.form(Form::Movaps, &[Arg::Def(vector), Arg::Use(zero)]);
        let clear = [Arg::Mem(end), Arg::Use(vector)];
        let clear = Inst::op(Form::MovupsTo.code(self.width), &clear);
        self.insts.extend([
            Inst::Label(head),
            clear,
            scalar::sub_constant(Register::RAX, bytes),
            scalar::jump(Code::Jne_rel32_64, head),
        ]);
    }

    fn scratch_place(&mut self, array: ScratchArray, component: Component, index: Value) -> Place {
        self.of_context(SCRATCH, ContextField::Scratch);
        if let Op::Const(index) = self.function.node(index).op {
            let place = Scratch::place(array, index, component);
            return place.map_or(Place::Nowhere, |offset| Place::Known(offset as i32));
        }
        let ScratchArray { base, size } = array;
        let index = self.value(index, 0);
        let last = self.literal(u32::from(size) - 1);
        let limited = self.binary_form(Form::Pminud, index, last);
        let within = self.equal(limited, index);
        let vectors = self.unary_imm(Form::Pslld, limited, Scratch::SHIFT as u8);
        let of_quad = self.scratch_size();
        let lanes = (0..self.width.lanes()).map(|lane| (lane / 4 * of_quad + lane % 4 * 4) as u32);
        let lanes = self.pattern(&lanes.collect::<Vec<_>>());
        Place::Each {
            offsets: self.binary_form(Form::Paddd, vectors, lanes),
            within,
            first: Scratch::offset(u32::from(base), component) as i32,
        }
    }

    /// Component of the scratch vector that each lane names; 0 outside of the array.
    pub(super) fn load_scratch(
        &mut self,
        (array, component): (ScratchArray, Component),
        index: Value,
    ) -> Vreg {
        match self.scratch_place(array, component, index) {
            Place::Known(offset) => self.quads_of_scratch(offset),
            Place::Nowhere => self.literal(0),
            Place::Each {
                offsets,
                within,
                first,
            } => self.gather_under(within, Words::by_bytes(SCRATCH, first), offsets),
        }
    }

    fn quads_of_scratch(&mut self, offset: i32) -> Vreg {
        let of_quad = self.scratch_size() as i32;
        self.quads_apart(SCRATCH, offset, of_quad)
    }

    /// Writes a component of the scratch vector that each lane names, in the lanes of the mask.
    pub(super) fn store_scratch(
        &mut self,
        (array, component): (ScratchArray, Component),
        [index, value, mask]: [Value; 3],
    ) {
        let all = self.function.node(mask).op == Op::Const(u32::MAX);
        let place = self.scratch_place(array, component, index);
        let [value, mask] = [value, mask].map(|it| self.value(it, 0));
        match place {
            Place::Nowhere => {}
            Place::Known(offset) => {
                let stored = if all {
                    value
                } else {
                    let before = self.quads_of_scratch(offset);
                    self.choose(mask, value, before)
                };
                let of_quad = self.scratch_size() as i32;
                self.store_quads(stored, (SCRATCH, offset), of_quad);
            }
            Place::Each {
                offsets,
                within,
                first,
            } => self.scatter((offsets, first), (within, mask), value),
        }
    }

    fn scatter(&mut self, (offsets, first): (Vreg, i32), masks: (Vreg, Vreg), value: Vreg) {
        let mask = self.binary_form(Form::And, masks.0, masks.1);
        match self.width {
            Width::V512 => {
                let used_up = self.mask();
                let to = Arg::Lanes(SCRATCH, offsets, 1, first);
                let code = Code::EVEX_Vpscatterdd_vm32z_k1_zmm;
                self.push_under(code, &[to, Arg::Use(value)], Under::Consumed(used_up, mask));
            }
            Width::V256 => {
                // Lanes have words of their own, so that others can be written with what is there.
                let before = self.gather_words(Words::by_bytes(SCRATCH, first), offsets);
                let stored = self.choose(mask, value, before);
                let places = [offsets, stored].map(|vector| self.in_frame(vector));
                for lane in 0..self.width.lanes() as i32 {
                    let [offset, word] = places.map(|place| Self::at_frame(place + 4 * lane));
                    let to = Mem::at(SCRATCH, first).plus(Register::RAX, 1);
                    self.insts.extend([
                        scalar::load32(Register::EAX, offset),
                        scalar::load32(Register::EDX, word),
                        scalar::store32(to, Register::EDX),
                    ]);
                }
            }
        }
    }
}
