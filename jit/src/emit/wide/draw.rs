//! What code reads of a draw: its numbers, its spans, its fragments.

use attila_machine::QuadReg;
use attila_machine::pipeline::Span;
use iced_x86::{Code, Register};

use super::allocate::slots::FRAME;
use super::forms::{Form, Width};
use super::mir::{Arg, Args, Class, Holds, Inst, Label, Mem, Split, Vreg};
use super::scalar;
use super::values::Emission;
use crate::abi::{
    ContextField, DrawField, DrawWord, FragmentField, SpanField, SpanWord, SurfaceWord,
};

/// The context.
pub(super) const CONTEXT: Register = Register::R14;
/// The numbers of the draw.
pub(super) const DRAWING: Register = Register::R12;
/// The span, or the end of the records.
pub(super) const SPAN: Register = Register::R13;
/// The first quad of the iteration, from the first of the span; or its record.
pub(super) const QUAD: Register = Register::RBX;
/// The quads of the iteration that are there.
pub(super) const HERE: Register = Register::R11;
/// Where the textures' descriptors are.
pub(super) const TEXTURES: Register = Register::R10;
/// The span's first pixels of the first surface, in both rows.
pub(super) const ROWS: [Register; 2] = [Register::R8, Register::R9];

/// The primitive's planes and its anchor, while values of the span are computed.
const PLANES: Register = Register::R11;
const ANCHOR: Register = Register::RBX;

/// Bytes of a quad's coverage of samples.
const SAMPLES: i32 = size_of::<u64>() as i32;

/// Columns of pixels, from the anchor.
#[derive(Default)]
pub(super) struct Columns {
    /// Those of the span's first quads, for each copy.
    first: Vec<Vreg>,
    /// Those of its last quad, which are the limit.
    last: Option<Vreg>,
}

impl Emission<'_> {
    /// Quads of an iteration.
    pub(super) fn quads(&self) -> usize {
        self.copies * self.width.quads()
    }

    /// An address of the frame.
    pub(super) fn at_frame(place: i32) -> Mem {
        Mem::at(FRAME, place)
    }

    /// A word of the draw as large as an address.
    fn drawing(&mut self, into: Register, word: DrawWord) {
        let from = Mem::at(DRAWING, word.offset() as i32);
        self.insts.push(scalar::load(into, from));
    }

    /// A number of the draw, in all lanes.
    pub(super) fn draw_field(&mut self, field: DrawField) -> Vreg {
        self.broadcast(Mem::at(DRAWING, field.offset() as i32))
    }

    /// Where the span's pixels are, and other things that its quads ask for.
    pub(super) fn begin_span(&mut self) {
        let areas = self.areas;
        let span = |word: SpanWord| Mem::at(SPAN, word.offset() as i32);
        let mut insts = vec![
            scalar::load32(Register::EAX, span(SpanWord::Quads)),
            scalar::store(Self::at_frame(areas.quads), Register::RAX),
            scalar::load32(Register::EAX, span(SpanWord::First)),
            scalar::store(Self::at_frame(areas.batch), Register::RAX),
            scalar::zero(Register::EAX),
            scalar::store32(Self::at_frame(areas.column), Register::EAX),
        ];
        for (place, pixels) in self.plan.surfaces.iter().enumerate() {
            let word = |word: SurfaceWord| Mem::at(DRAWING, word.offset(pixels.surface) as i32);
            let sample = pixels.sample;
            let [upper, lower] = [Register::RAX, Register::RCX];
            insts.extend([
                scalar::load32(Register::EAX, span(SpanWord::X)),
                scalar::sub_memory32(Register::EAX, word(SurfaceWord::Left)),
                scalar::times(upper, upper, pixels.size() as i32),
                scalar::load32(Register::EDX, span(SpanWord::Y)),
                scalar::sub_memory32(Register::EDX, word(SurfaceWord::Top)),
                scalar::load(lower, word(SurfaceWord::Pitch)),
                scalar::multiply(Register::RDX, lower),
                scalar::add(upper, Register::RDX),
                scalar::add_memory(upper, word(SurfaceWord::Pixels { sample })),
                scalar::add(lower, upper),
            ]);
            if place == 0 {
                insts.push(scalar::mov(ROWS[0], upper));
                insts.push(scalar::mov(ROWS[1], lower));
            }
            let at = areas.rows + 16 * place as i32;
            insts.push(scalar::store(Self::at_frame(at), upper));
            insts.push(scalar::store(Self::at_frame(at + 8), lower));
        }
        self.insts.extend(insts);
    }

    /// The addresses of the primitive's anchor and planes, for the values of the span.
    pub(super) fn begin_row(&mut self) {
        let primitive = Mem::at(SPAN, SpanWord::Primitive.offset() as i32);
        self.insts.push(scalar::load32(Register::ESI, primitive));
        self.drawing(Register::RAX, DrawWord::PlaneStride);
        self.drawing(PLANES, DrawWord::Planes);
        self.drawing(ANCHOR, DrawWord::Anchors);
        self.insts.extend([
            scalar::multiply(Register::RAX, Register::RSI),
            scalar::add(PLANES, Register::RAX),
            scalar::times(Register::RSI, Register::RSI, SpanField::ANCHOR as i32),
            scalar::add(ANCHOR, Register::RSI),
        ]);
    }

    /// A number of the span.
    pub(super) fn span_field(&mut self, field: SpanField) -> Vreg {
        match field {
            SpanField::Y => {
                let y = Mem::at(SPAN, SpanWord::Y.offset() as i32);
                let row = self.broadcast(y);
                let row = self.unary_form(Form::Cvtdq2ps, row);
                let centres = [0.5f32, 0.5, 1.5, 1.5].map(f32::to_bits);
                let centres = self.pattern(&centres);
                let row = self.binary_form(Form::Addps, row, centres);
                let anchor = self.span_field(SpanField::Anchor(1));
                self.binary_form(Form::Subps, row, anchor)
            }
            SpanField::Anchor(axis) => {
                self.broadcast(Mem::at(ANCHOR, SpanField::anchor_offset(axis) as i32))
            }
            SpanField::Plane(plane, number) => {
                let offset = SpanField::plane_offset(plane, number);
                self.broadcast(Mem::at(PLANES, offset as i32))
            }
        }
    }

    /// The columns of the span's first quads, from the anchor, for each vector side by side.
    pub(super) fn first_columns(&mut self) {
        if !self.plan.columns {
            return;
        }
        let x = self.broadcast(Mem::at(SPAN, SpanWord::X.offset() as i32));
        let x = self.unary_form(Form::Cvtdq2ps, x);
        let anchor = self.span_field(SpanField::Anchor(0));
        let lanes = self.width.lanes();
        for copy in 0..self.copies {
            let centres = (0..lanes).map(|lane| {
                let quad = copy * self.width.quads() + lane / 4;
                let within = if lane % 2 == 0 { 0.5 } else { 1.5 };
                (2.0 * quad as f32 + within).to_bits()
            });
            let centres = self.pattern(&centres.collect::<Vec<_>>());
            let column = self.binary_form(Form::Addps, x, centres);
            let column = self.binary_form(Form::Subps, column, anchor);
            let home = self.keep_vector(column);
            self.columns.first.push(home);
        }
        if self.function.blocks.len() > 1 {
            self.last_columns(x, anchor);
        }
    }

    /// The columns of the span's last quad, in all quads: those past the end compute the same, so that
    /// no lane goes round a loop for nothing.
    fn last_columns(&mut self, x: Vreg, anchor: Vreg) {
        let quads = self.broadcast(Mem::at(SPAN, SpanWord::Quads.offset() as i32));
        let quads = self.unary_form(Form::Cvtdq2ps, quads);
        let twice = self.binary_form(Form::Addps, quads, quads);
        let last = self.binary_form(Form::Addps, x, twice);
        let centres = self.pattern(&[-1.5f32, -0.5, -1.5, -0.5].map(f32::to_bits));
        let last = self.binary_form(Form::Addps, last, centres);
        let last = self.binary_form(Form::Subps, last, anchor);
        self.columns.last = Some(self.keep_vector(last));
    }

    /// A vector in the frame.
    fn keep_vector(&mut self, vector: Vreg) -> Vreg {
        let home = self.frame_home(Holds::Vector);
        self.store_home(home, vector);
        self.vregs.at_home(Class::Vector, home)
    }

    /// A vector of the quads of a copy.
    pub(super) fn fragment_field(&mut self, field: FragmentField, copy: usize) -> Vreg {
        match field {
            FragmentField::X => self.column(copy),
            FragmentField::Coverage => self.coverage(copy),
            FragmentField::Samples => self.samples(copy),
            FragmentField::Input { reg, component } => {
                let stride = size_of::<QuadReg>() as i32;
                self.drawing(Register::RSI, DrawWord::Array(reg));
                self.address_of_quad(stride, copy);
                let offset = 16 * i32::from(component);
                self.insts.push(scalar::add_constant(Register::RSI, offset));
                self.quads_in_memory(Register::RSI, stride, copy)
            }
        }
    }

    fn column(&mut self, copy: usize) -> Vreg {
        let further = Mem::at(FRAME, self.areas.column);
        let first = self.columns.first[copy];
        let column = match self.width {
            Width::V256 => {
                let further = self.broadcast(further);
                self.binary_form(Form::Addps, further, first)
            }
            Width::V512 => {
                let further = Mem::word(FRAME, self.areas.column);
                let args = [Arg::Use(first), Arg::Mem(further)];
                self.vector_of(Form::Addps.code(self.width), args)
            }
        };
        match self.columns.last {
            Some(last) => self.binary_form(Form::Minps, column, last),
            None => column,
        }
    }

    /// Adds to `rsi` the place of a copy's first quad in the batch.
    fn address_of_quad(&mut self, stride: i32, copy: usize) {
        let first = (copy * self.width.quads()) as i32;
        let within = [
            scalar::load(Register::RAX, Self::at_frame(self.areas.batch)),
            scalar::add(Register::RAX, QUAD),
            scalar::times(Register::RAX, Register::RAX, stride),
            scalar::add(Register::RSI, Register::RAX),
            scalar::add_constant(Register::RSI, first * stride),
        ];
        self.insts.extend(within);
    }

    fn coverage(&mut self, copy: usize) -> Vreg {
        self.drawing(Register::RSI, DrawWord::Coverage);
        self.address_of_quad(1, copy);
        let at = Mem::at(Register::RSI, 0);
        let hot = match self.width {
            Width::V256 => scalar::load16(Register::EAX, at),
            Width::V512 => scalar::load32(Register::EAX, at),
        };
        let cold = self.bytes_that_are_there(copy);
        self.split_at_end(copy, Args::new(), vec![hot], cold);
        let bits = (0..self.width.lanes()).map(|lane| 1u32 << (8 * (lane / 4) + lane % 4));
        let bits = self.pattern(&bits.collect::<Vec<_>>());
        match self.width {
            Width::V256 => {
                let bytes = [Arg::Fixed(Register::EAX)];
                let bytes = self.vector_of(Code::VEX_Vmovd_xmm_rm32, bytes);
                let all = self.unary_form(Form::BroadcastssOf, bytes);
                let covered = self.binary_form(Form::And, all, bits);
                self.equal(covered, bits)
            }
            Width::V512 => {
                let bytes = [Arg::Fixed(Register::EAX)];
                let all = self.vector_of(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, bytes);
                let args = [Arg::Use(all), Arg::UseWhole(bits)];
                self.mask_of(Code::EVEX_Vptestmd_kr_k1_zmm_zmmm512b32, args)
            }
        }
    }

    /// Bytes at `rsi`, of quads that are there, as a number in `eax`.
    fn bytes_that_are_there(&mut self, copy: usize) -> Vec<Inst> {
        let (head, done) = (self.label(), self.label());
        let first = (copy * self.width.quads()) as i32;
        vec![
            scalar::zero(Register::EAX),
            scalar::mov(Register::RCX, HERE),
            scalar::sub_constant(Register::RCX, first),
            scalar::jump(Code::Jbe_rel32_64, done),
            Inst::Label(head),
            scalar::shift_left(Register::RAX, 8),
            scalar::load8(
                Register::EDX,
                Mem::at(Register::RSI, -1).plus(Register::RCX, 1),
            ),
            scalar::or(Register::RAX, Register::RDX),
            scalar::sub_constant(Register::RCX, 1),
            scalar::jump(Code::Jne_rel32_64, head),
            Inst::Label(done),
        ]
    }

    fn samples(&mut self, copy: usize) -> Vreg {
        self.drawing(Register::RSI, DrawWord::Coverage);
        self.address_of_quad(SAMPLES, copy);
        let result = self.vector();
        let code = Form::Pmovzxwd.code(self.width);
        let widened = |from| Inst::op(code, &[Arg::Def(result), Arg::Mem(from)]);
        let mut cold = self.quads_that_are_there(SAMPLES, SAMPLES, copy);
        cold.push(widened(Self::at_frame(self.areas.buffer)));
        let pins = Args::from_slice(&[Arg::DefEarly(result)]);
        let hot = vec![widened(Mem::at(Register::RSI, 0))];
        self.split_at_end(copy, pins, hot, cold);
        result
    }

    /// 16 bytes for each quad of a copy, the first of them at an address.
    fn quads_in_memory(&mut self, base: Register, stride: i32, copy: usize) -> Vreg {
        let result = self.vector();
        let hot = self.load_quads(result, base, 0, stride);
        let mut cold = self.quads_that_are_there(stride, 16, copy);
        cold.extend(self.load_quads(result, FRAME, self.areas.buffer, 16));
        let pins = Args::from_slice(&[Arg::DefEarly(result)]);
        self.split_at_end(copy, pins, hot, cold);
        result
    }

    /// Loads 16 bytes for each quad.
    pub(super) fn load_quads(
        &self,
        into: Vreg,
        base: Register,
        offset: i32,
        stride: i32,
    ) -> Vec<Inst> {
        let first = [Arg::Def(into), Arg::Mem(Mem::at(base, offset))];
        let first = Inst::op(Form::LoadQuad.code(self.width), &first);
        let others = (1..self.width.quads()).map(|quad| {
            let from = Mem::at(base, offset + quad as i32 * stride);
            let args = [
                Arg::Def(into),
                Arg::Use(into),
                Arg::Mem(from),
                Arg::Imm(quad as u8),
            ];
            Inst::op(Form::InsertQuad.code(self.width), &args)
        });
        std::iter::once(first).chain(others).collect()
    }

    /// Copies `bytes` bytes for each quad of a copy that is there, `stride` apart, the first at
    /// `rsi`, to the frame. Quads past the end have those of the last one.
    fn quads_that_are_there(&mut self, stride: i32, bytes: i32, copy: usize) -> Vec<Inst> {
        let quads = self.width.quads();
        let first = (copy * quads) as i32;
        let done = self.label();
        let mut insts = vec![
            scalar::mov(Register::RDX, HERE),
            scalar::sub_constant(Register::RDX, first + 1),
            scalar::jump(Code::Jb_rel32_64, done),
        ];
        for quad in 0..quads as i32 {
            insts.extend([
                scalar::constant(Register::EAX, quad as u32),
                scalar::compare(Register::RAX, Register::RDX),
                scalar::if_above(Register::RAX, Register::RDX),
                scalar::times(Register::RAX, Register::RAX, stride),
            ]);
            for word in (0..bytes).step_by(8) {
                let from = Mem::at(Register::RSI, word).plus(Register::RAX, 1);
                let to = Self::at_frame(self.areas.buffer + quad * bytes + word);
                insts.push(scalar::load(Register::RCX, from));
                insts.push(scalar::store(to, Register::RCX));
            }
        }
        insts.push(Inst::Label(done));
        insts
    }

    /// Whether the copy's quads are all there decides.
    pub(super) fn split_at_end(
        &mut self,
        copy: usize,
        pins: Args,
        hot: Vec<Inst>,
        cold: Vec<Inst>,
    ) {
        let last = ((copy + 1) * self.width.quads()) as i32;
        self.insts.push(scalar::compare_constant(HERE, last));
        self.insts.push(Inst::Split(Box::new(Split {
            code: Code::Jb_rel32_64,
            pins,
            hot,
            cold,
        })));
    }

    /// The number of the iteration's quads that are there, at its beginning.
    pub(super) fn begin_quads(&self) -> Vec<Inst> {
        let quads = self.quads() as u32;
        vec![
            scalar::load(HERE, Self::at_frame(self.areas.quads)),
            scalar::sub(HERE, QUAD),
            scalar::constant(Register::EAX, quads),
            scalar::compare(HERE, Register::RAX),
            scalar::if_above(HERE, Register::RAX),
        ]
    }

    /// On to the next quads, to `head` if there are some.
    pub(super) fn next_quads(&mut self, head: Label) -> Vec<Inst> {
        let quads = self.quads();
        let mut insts = vec![scalar::add_constant(QUAD, quads as i32)];
        if self.plan.columns {
            let column = Self::at_frame(self.areas.column);
            let more = self.literal((2.0 * quads as f32).to_bits());
            let more = self.vregs.home(more).expect("a literal has a home");
            let more = more.mem();
            let xmm = Register::XMM0;
            insts.extend([
                scalar::of_memory(Code::VEX_Vmovss_xmm_m32, xmm, column),
                three(Code::VEX_Vaddss_xmm_xmm_xmmm32, xmm, more),
                into_memory(Code::VEX_Vmovss_m32_xmm, column, xmm),
            ]);
        }
        let all = Self::at_frame(self.areas.quads);
        insts.push(scalar::compare_memory(QUAD, all));
        insts.push(scalar::jump(Code::Jb_rel32_64, head));
        insts
    }

    /// On to the next span, to `head` if there is one.
    pub(super) fn next_span(&self, head: Label) -> Vec<Inst> {
        let last = Self::at_frame(self.areas.last);
        vec![
            scalar::add_constant(SPAN, size_of::<Span>() as i32),
            scalar::compare_memory(SPAN, last),
            scalar::jump(Code::Jb_rel32_64, head),
        ]
    }

    /// An address that the context has.
    pub(super) fn of_context(&mut self, into: Register, field: ContextField) {
        let from = Mem::at(CONTEXT, field.offset() as i32);
        self.insts.push(scalar::load(into, from));
    }
}

/// An instruction whose first two operands are one register.
fn three(code: Code, register: Register, memory: Mem) -> Inst {
    let mut form = super::instructions::begin(code);
    Inst::Raw(
        form.register(register)
            .register(register)
            .memory(memory)
            .end(),
    )
}

/// A store.
fn into_memory(code: Code, memory: Mem, register: Register) -> Inst {
    let mut form = super::instructions::begin(code);
    Inst::Raw(form.memory(memory).register(register).end())
}
