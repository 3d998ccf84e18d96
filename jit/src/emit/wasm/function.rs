//! The function around the operations: addresses, values, nodes.

use wasm_encoder::{InstructionSink, MemArg, MemArgTarget, ValType};

use super::Wasm;
use super::calls::Callee;
use super::locals::{Local, Locals};
use super::spans::SpanLocals;
use crate::abi::{ACCUMULATOR, Argument, ContextField, RecordLayout};
use crate::emit::Source;
use crate::emit::plan::Plan;
use crate::ir::{Function, Op, Origin, Value};
use crate::runtime::{Entry, Vector, Vectors};

/// The parameters: the context, the first record or span, and how many there are.
pub(super) const PARAMETERS: [ValType; 3] = [ValType::I32; 3];
const CONTEXT: Local = Local(0);
pub(super) const FIRST: Local = Local(1);
pub(super) const COUNT: Local = Local(2);

/// Tables that code reads and writes, by the local that has their address.
#[derive(Clone, Copy)]
pub(super) struct Bases {
    pub(super) context: Local,
    /// Variables, and behind them the [`Frame`].
    pub(super) uniforms: Local,
    pub(super) constants: Local,
    pub(super) textures: Local,
    pub(super) drawing: Local,
}

/// The places behind the variables in the table for values of the run, where calls find what they work on, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// Operands and results of calls.
    pub(super) vectors: usize,
    /// The operands of questions.
    pub(super) arguments: usize,
    /// The accumulator of quads whose records have none.
    pub(super) accumulator: usize,
    /// A word that nobody reads.
    pub(super) sink: usize,
}

impl Frame {
    /// How many vectors it takes.
    pub(super) const VECTORS: usize = size_of::<Vectors>() / Vector::SIZE
        + Argument::COUNT
        + ACCUMULATOR.div_ceil(Vector::SIZE)
        + 1;

    /// The frame behind so many vectors.
    fn behind(shared: usize) -> Frame {
        let vectors = shared * Vector::SIZE;
        let arguments = vectors + size_of::<Vectors>();
        let accumulator = arguments + Argument::COUNT * Vector::SIZE;
        Frame {
            vectors,
            arguments,
            accumulator,
            sink: accumulator + ACCUMULATOR,
        }
    }
}

/// A function on its way to WebAssembly. Methods named after what they compute leave it on the stack.
pub(super) struct Emission<'a> {
    pub(super) code: Vec<u8>,
    pub(super) options: Wasm,
    pub(super) function: &'a Function,
    pub(super) plan: &'a Plan,
    pub(super) layout: RecordLayout,
    pub(super) locals: Locals,
    /// Quads of an iteration, and the one that code is emitted for.
    pub(super) quads: usize,
    pub(super) quad: usize,
    pub(super) bases: Bases,
    pub(super) frame: Frame,
    /// The addresses of the records of the iteration's quads, or what is known of its span.
    pub(super) records: Vec<Local>,
    pub(super) span: Option<SpanLocals>,
    /// Whether there was a call that may have stopped the run, and no check since.
    pub(super) asked: bool,
    /// Where functions are called whose numbers are not known yet.
    pub(super) calls: Vec<(usize, Callee)>,
    /// Where code of a node begins, and the instruction that it is for.
    origins: Vec<(usize, Origin)>,
}

/// The body of a function.
pub(super) struct Body {
    /// The types of locals behind the parameters.
    pub(super) locals: Vec<ValType>,
    /// Instructions.
    pub(super) code: Vec<u8>,
    /// Where they call which function: the places of numbers that are left to be filled in.
    pub(super) calls: Vec<(usize, Callee)>,
    /// Where code of a node begins, and the instruction that it is for.
    pub(super) origins: Vec<(usize, Origin)>,
}

/// Emits a function.
///
/// # Panics
///
/// If it is not well formed, or is not straight but several quads are asked for.
pub(super) fn emit(options: Wasm, source: &Source<'_>, plan: &Plan) -> Body {
    let (function, quads) = (source.function, source.quads);
    assert!(
        quads == 1 || function.is_straight_line(),
        "{quads} quads at once"
    );
    let layout = (PARAMETERS.len(), source.layout);
    let mut emission = Emission::new(options, (function, plan), layout, quads);
    emission.load_bases();
    emission.shared_values(&function.uniform, 0);
    match source.layout {
        RecordLayout::Draw => emission.spans(),
        RecordLayout::Io
        | RecordLayout::ExtendedIo
        | RecordLayout::State
        | RecordLayout::Columns => emission.all_records(),
    }
    emission.ins().i64_const(0).end();
    emission.finish()
}

/// The operand of an access to memory at an offset from an address.
pub(super) fn at(offset: usize) -> MemArg {
    MemArg {
        offset: offset as u64,
        align: 0,
        target: MemArgTarget::Memory(0),
        ordering: None,
    }
}

impl<'a> Emission<'a> {
    /// Begins a function with so many parameters.
    pub(super) fn new(
        options: Wasm,
        (function, plan): (&'a Function, &'a Plan),
        (parameters, layout): (usize, RecordLayout),
        quads: usize,
    ) -> Emission<'a> {
        let mut locals = Locals::new(function, parameters as u32, quads);
        let mut address = || locals.kept(ValType::I32);
        let bases = Bases {
            context: CONTEXT,
            uniforms: address(),
            constants: address(),
            textures: address(),
            drawing: address(),
        };
        Emission {
            code: Vec::new(),
            options,
            function,
            plan,
            layout,
            locals,
            quads,
            quad: 0,
            bases,
            frame: Frame::behind(plan.shared()),
            records: Vec::new(),
            span: None,
            asked: false,
            calls: Vec::new(),
            origins: Vec::new(),
        }
    }

    fn load_bases(&mut self) {
        let bases = self.bases;
        for (field, base) in [
            (ContextField::Uniforms, bases.uniforms),
            (ContextField::Constants, bases.constants),
            (ContextField::Textures, bases.textures),
            (ContextField::Drawing, bases.drawing),
        ] {
            self.context_address(field);
            self.ins().local_set(base.0);
        }
    }

    /// An address in the context.
    pub(super) fn context_address(&mut self, field: ContextField) {
        let context = self.bases.context;
        self.ins().local_get(context.0).i32_load(at(field.offset()));
    }

    /// Ends it.
    pub(super) fn finish(self) -> Body {
        Body {
            locals: self.locals.types().to_vec(),
            code: self.code,
            calls: self.calls,
            origins: self.origins,
        }
    }

    /// Appends instructions.
    pub(super) fn ins(&mut self) -> InstructionSink<'_> {
        InstructionSink::new(&mut self.code)
    }

    /// A local for a number, to be kept.
    pub(super) fn number(&mut self) -> Local {
        self.locals.kept(ValType::I32)
    }

    /// A local for a vector, to be kept.
    pub(super) fn kept_vector(&mut self) -> Local {
        self.locals.kept(ValType::V128)
    }

    /// The vector on the stack in a local of this node.
    pub(super) fn vector(&mut self) -> Local {
        let local = self.locals.scratch(ValType::V128);
        self.ins().local_set(local.0);
        local
    }

    /// The number on the stack in a local of this node.
    pub(super) fn address(&mut self) -> Local {
        let local = self.locals.scratch(ValType::I32);
        self.ins().local_set(local.0);
        local
    }

    /// Pushes a local.
    pub(super) fn push(&mut self, local: Local) {
        self.ins().local_get(local.0);
    }

    /// Pushes a vector with the same word in all lanes.
    pub(super) fn literal(&mut self, word: u32) {
        self.words([word; 4]);
    }

    /// Pushes a vector of words.
    pub(super) fn words(&mut self, words: [u32; 4]) {
        let bytes = words.map(u32::to_le_bytes);
        let bytes = bytes.as_flattened().try_into().expect("four words");
        self.ins().v128_const(i128::from_le_bytes(bytes));
    }

    /// Pushes a value for the current quad.
    pub(super) fn get(&mut self, value: Value) {
        if let Some(bits) = self.function.constant(value) {
            return self.literal(bits);
        }
        let local = self.locals.of(value, self.quad);
        self.push(local.expect("operands are computed before their users"));
    }

    /// The local with a value for the current quad.
    pub(super) fn local(&mut self, value: Value) -> Local {
        if let Some(local) = self.locals.of(value, self.quad) {
            return local;
        }
        self.get(value);
        self.vector()
    }

    /// Gives a value what is on the stack.
    pub(super) fn set(&mut self, value: Value) {
        let local = self.locals.define(value, self.quad);
        self.ins().local_set(local.0);
    }

    /// Computes values that all quads share.
    pub(super) fn shared_values(&mut self, values: &[Value], section: usize) {
        for (place, &value) in values.iter().enumerate() {
            self.begin_node(value);
            self.quad = 0;
            self.operation(value);
            self.end_node(value, section, place);
        }
    }

    /// A node, for all quads of the iteration.
    pub(super) fn node(&mut self, value: Value, section: usize, place: usize) {
        self.begin_node(value);
        let node = self.function.node(value);
        if matches!(
            node.op,
            Op::Store(..) | Op::StorePixels(..) | Op::StoreColumn(..)
        ) {
            self.leave_if_stopped();
        }
        if let Op::StorePixels(pixels) = node.op {
            self.store_pixels(pixels, &node.operands);
        } else if node.op == Op::Fma {
            self.fma(value, 0..self.quads);
        } else {
            for quad in 0..self.quads {
                self.quad = quad;
                self.operation(value);
            }
        }
        self.quad = 0;
        self.end_node(value, section, place);
    }

    fn begin_node(&mut self, value: Value) {
        let origin = self.function.node(value).origin;
        self.origins.push((self.code.len(), origin));
    }

    fn end_node(&mut self, value: Value, section: usize, place: usize) {
        self.origins.push((self.code.len(), Origin::default()));
        self.locals.end_node();
        let operands = self.function.node(value).operands;
        self.locals.retire(&operands, section, place);
        self.locals.retire(&[value], section, place);
    }

    /// Emits a node for the current quad, and gives its value, or its parts, what it computes.
    fn operation(&mut self, value: Value) {
        let node = self.function.node(value);
        let of = &node.operands;
        match node.op {
            // Literals are pushed where they are used, parameters and parts come with their block and their whole.
            Op::Const(_) | Op::Param | Op::Extract(_) => return,
            Op::Unary(op) => self.unary(op, of.array()),
            Op::Binary(op) => self.binary(op, of.array()),
            Op::Shift(op, bits) => self.shift(op, of.array(), bits),
            Op::Fma => return self.fma(value, self.quad..self.quad + 1),
            Op::Select => self.select(of.array()),
            Op::Shuffle(lanes) => self.shuffle(of.array(), lanes),
            Op::SlowPath(path) => self.slow_path(path, of.array()),
            Op::Narrow | Op::NarrowPixels => self.narrow(of.array()),
            Op::Pack => self.pack(of.array()),
            Op::PackPixels => self.pack_pixels(of.array()),
            Op::Uniform(constant) => self.constant(constant),
            Op::Indexed(component) => self.indexed(of.array(), component),
            Op::Load(slot) => self.load_slot(slot),
            Op::Position => self.sample_position(of.array()),
            Op::Recall(variable) => self.recall(variable),
            Op::Draw(field) => self.draw_field(field),
            Op::Span(field) => self.span_field(field),
            Op::Fragment(field) => self.fragment_field(field),
            Op::TextureField(texture, field) => self.texture_field(texture, field),
            Op::LevelField(texture, field) => self.level_field((texture, field), of.array()),
            Op::Buffer(buffer, component) => self.buffer((buffer, component), of.array()),
            Op::LoadScratch(array, component) => self.load_scratch((array, component), of.array()),
            Op::LoopBudget => self.loop_budget(),
            Op::FixedResult(component) => self.fixed_result(component, of),
            Op::Double(op) => self.double(op, of),
            Op::Transpose => return self.columns_of(value, of.array()),
            Op::LevelPart(texture, part) => {
                return self.level_part(value, (texture, part), of.array());
            }
            Op::LoadPixels(pixels) => return self.load_pixels(value, pixels),
            Op::LoadColumn(column) => return self.load_column(value, column),
            Op::StoreColumn(column) => return self.store_column(column, of),
            Op::Texel(texture, storage) => {
                return self.texel(value, (texture, storage), of.array());
            }
            Op::Gather(texture, storage, word, alike) => {
                return self.four_texels(value, (texture, storage, word, alike), of.array());
            }
            Op::Blend(texture, storage, alike) | Op::BlendOnto(texture, storage, alike) => {
                return self.blend(value, (texture, storage, alike), of);
            }
            Op::Sample(op, unit, stage) => return self.sample(value, (op, unit, stage), of),
            Op::Argument(place) => return self.argument(place, of.array()),
            Op::Storage(access) => return self.storage(value, access, of),
            Op::Ask(question) => return self.ask(value, &question, of.array()),
            Op::Attribute(n) => return self.ask_users(value, Entry::Attribute, n.into(), of),
            Op::Evaluate(number) => return self.evaluate(value, number, of),
            Op::Output(number) => return self.hand_over(Entry::Output, number, of),
            Op::EmitVertex(number) => return self.hand_over(Entry::EmitVertex, number, of),
            Op::EndPrimitive(number) => return self.hand_over(Entry::EndPrimitive, number, of),
            Op::Store(slot) => return self.store_slot(slot, of.array()),
            Op::Keep(variable) => return self.keep_variable(variable, of.array()),
            Op::StorePixels(_) => unreachable!("pixels are stored for all quads at once"),
            Op::StoreScratch(array, part) => return self.store_scratch((array, part), of.array()),
            Op::FixedMul(component) => return self.fixed(Entry::FixedMul, component, of),
            Op::FixedMulAdd(component) => return self.fixed(Entry::FixedMulAdd, component, of),
        }
        self.set(value);
    }
}
