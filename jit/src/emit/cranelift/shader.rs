//! The function around the operations: prologue, the loop over quads, blocks and their ends.

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{
    self as clif, AbiParam, BlockArg, InstBuilder, MemFlagsData, SourceLoc,
};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FuncInstBuilder, FunctionBuilder, FunctionBuilderContext};
use cranelift_module::Module as _;
use rustc_hash::FxHashMap;

use super::measured::LONG_PROLOGUE;
use super::memory::vector_type;
use super::spans::SpanValues;
use crate::abi::{ContextField, RecordLayout};
use crate::code::{Failure, Module};
use crate::convention;
use crate::emit::Source;
use crate::emit::plan::{Literals, Plan, Shape};
use crate::emit::registers::Registers;
use crate::ir::{Edge, Function, Op, Origin, Rate, Terminator, Value};
use crate::runtime::Entry;
use crate::target::Native;
use crate::work::is_long;

/// Addresses that emitted code keeps.
#[derive(Clone, Copy)]
pub(super) struct Bases {
    pub(super) context: clif::Value,
    pub(super) literals: clif::Value,
    pub(super) uniforms: clif::Value,
    pub(super) constants: clif::Value,
    pub(super) textures: clif::Value,
    pub(super) drawing: clif::Value,
}

/// A function on its way to Cranelift.
pub(super) struct Emission<'a, 'f> {
    pub(super) builder: FunctionBuilder<'f>,
    pub(super) module: &'a mut Module,
    pub(super) native: Native,
    pub(super) function: &'a Function,
    pub(super) plan: Plan,
    pub(super) layout: RecordLayout,
    pub(super) quads: usize,
    pub(super) pointer: clif::Type,
    pub(super) bases: Bases,
    /// Where the records begin.
    pub(super) first: clif::Value,
    /// The records of the iteration's quads, or what is known of its span.
    pub(super) records: Vec<clif::Value>,
    pub(super) span: Option<SpanValues>,
    pub(super) literals: Literals,
    /// The values that are computed and not in memory: a value's number times `quads`, plus the
    /// quad within the iteration, which is 0 for values that all quads share.
    computed: Vec<Option<clif::Value>>,
    /// Which of it is in registers, where that is decided here.
    pub(super) registers: Option<Registers>,
    /// The places that it has given out.
    pub(super) spill_slots: Vec<clif::StackSlot>,
    pub(super) imports: FxHashMap<Entry, clif::FuncRef>,
    /// Table entries that the current node has loaded, by address, type and offset.
    pub(super) loaded: Vec<((clif::Value, clif::Type, i32), clif::Value)>,
    /// Constants that it has loaded.
    pub(super) constants: Vec<([u8; 16], clif::Value)>,
    /// Whether there was a call that may have stopped the run, and no check since.
    pub(super) asked: bool,
    /// The block that returns after that.
    pub(super) stopped: Option<clif::Block>,
    pub(super) vectors: Option<clif::StackSlot>,
    /// Where the operands of questions lie.
    pub(super) arguments: Option<clif::StackSlot>,
    pub(super) accumulator: Option<clif::StackSlot>,
}

/// Emits `source` into `func`.
///
/// # Panics
///
/// If the function is not well formed, or is not straight but several quads are asked for.
pub(super) fn build(
    func: &mut clif::Function,
    module: &mut Module,
    native: Native,
    source: &Source<'_>,
) -> Shape {
    let &Source {
        function,
        layout,
        quads,
    } = source;
    assert!(
        quads == 1 || function.is_straight_line(),
        "{quads} quads at once"
    );
    let pointer = module.isa().pointer_type();
    func.signature = signature(module);
    let config = module.target_config();
    // Places are counted from the first that is set, and the one before it would be none.
    func.params.ensure_base_srcloc(SourceLoc::new(0));
    let mut builder_context = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(func, &mut builder_context);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let &[context, first, count] = builder.block_params(entry) else {
        unreachable!("the signature has three parameters");
    };
    let bases = load_bases(&mut builder, pointer, context);
    let mut emission = Emission {
        builder,
        module,
        native,
        function,
        plan: Plan::new(function, &native.vectors),
        layout,
        quads,
        pointer,
        bases,
        first,
        records: Vec::new(),
        span: None,
        literals: Literals::default(),
        computed: vec![None; function.nodes.len() * quads],
        registers: None,
        spill_slots: Vec::new(),
        imports: FxHashMap::default(),
        loaded: Vec::new(),
        constants: Vec::new(),
        asked: false,
        stopped: None,
        vectors: None,
        arguments: None,
        accumulator: None,
    };
    emission.prologue();
    emission.all_quads(first, count);
    emission.return_if_stopped();
    emission.finish(config)
}

/// The signature of a shader: context, first record or span, their number; the status.
fn signature(module: &Module) -> clif::Signature {
    let pointer = module.isa().pointer_type();
    let mut signature = clif::Signature::new(convention::of(module.isa()));
    signature.params.extend([pointer; 3].map(AbiParam::new));
    signature.returns.push(AbiParam::new(I64));
    signature
}

fn load_bases(
    builder: &mut FunctionBuilder<'_>,
    pointer: clif::Type,
    context: clif::Value,
) -> Bases {
    let mut load = |field: ContextField| {
        let flags = MemFlagsData::trusted().with_readonly();
        let offset = field.offset() as i32;
        builder.ins().load(pointer, flags, context, offset)
    };
    Bases {
        context,
        literals: load(ContextField::Literals),
        uniforms: load(ContextField::Uniforms),
        constants: load(ContextField::Constants),
        textures: load(ContextField::Textures),
        drawing: load(ContextField::Drawing),
    }
}

impl<'f> Emission<'_, 'f> {
    /// The loop over records or spans.
    fn all_quads(&mut self, first: clif::Value, count: clif::Value) {
        match self.layout {
            RecordLayout::Io
            | RecordLayout::ExtendedIo
            | RecordLayout::State
            | RecordLayout::Columns => self.records(first, count),
            RecordLayout::Draw => self.spans(first, count),
        }
    }

    /// Ends the function.
    fn finish(mut self, config: TargetFrontendConfig) -> Shape {
        let shortest = if self.overlaps() { self.quads } else { 1 };
        let shape = Shape {
            shortest: shortest as u32,
            ..Shape::new(&self.plan, self.layout, self.literals)
        };
        self.builder.seal_all_blocks();
        self.builder.finalize(config);
        shape
    }

    pub(super) fn ins(&mut self) -> FuncInstBuilder<'_, 'f> {
        self.builder.ins()
    }

    /// Computes the values of the whole run. The values that blocks use go to the table at once:
    /// there may be hundreds of them, too many for registers.
    fn prologue(&mut self) {
        self.shared_values(&self.function.uniform);
    }

    /// Computes values that all quads share.
    pub(super) fn shared_values(&mut self, values: &[Value]) {
        if values.len() >= LONG_PROLOGUE || self.plan.variables > 0 {
            self.choose_registers();
        }
        for (place, &value) in values.iter().enumerate() {
            self.next_node();
            self.begin_node(place, value);
            if let Some(result) = self.operation(value, 0) {
                self.define(value, 0, result);
            }
        }
        self.set_origin(Origin::default());
        self.registers = None;
    }

    /// The blocks of the function, from the one that is current on. A quad that is done goes to
    /// `next`.
    pub(super) fn blocks(&mut self, next: clif::Block) {
        let function = self.function;
        let blocks = self.declare_blocks();
        self.ins().jump(blocks[0], &[]);
        if function.is_straight_line() || self.plan.variables > 0 || is_long(function) {
            self.choose_registers();
        }
        for (data, &block) in function.blocks.iter().zip(&blocks) {
            self.builder.switch_to_block(block);
            self.begin_block();
            for (place, &value) in data.body.iter().enumerate() {
                self.next_node();
                self.begin_node(place, value);
                self.node(value);
            }
            self.begin_end(data.body.len());
            self.leave_if_stopped();
            self.terminator(&data.end, &blocks, next);
        }
    }

    /// Marks the code from here on as that of an instruction of the program, or of none.
    pub(super) fn set_origin(&mut self, origin: Origin) {
        let place = origin.pc().map(|pc| SourceLoc::new(pc as u32));
        self.builder.set_srcloc(place.unwrap_or_default());
    }

    /// A node, for all quads of the iteration.
    fn node(&mut self, value: Value) {
        self.leave_before_storing(value);
        let node = self.function.node(value);
        if let Op::StorePixels(pixels) = node.op {
            self.store_pixels(pixels, &node.operands);
            return;
        }
        for quad in 0..self.quads {
            self.begin_quad(quad);
            if let Some(result) = self.operation(value, quad) {
                self.define(value, quad, result);
            }
        }
    }

    /// Cranelift blocks for those of the function, with their parameters.
    fn declare_blocks(&mut self) -> Vec<clif::Block> {
        let function = self.function;
        let blocks = function.blocks.iter().map(|data| {
            let block = self.builder.create_block();
            for &param in &data.params {
                let ty = vector_type(function.node(param).ty);
                let value = self.builder.append_block_param(block, ty);
                self.define(param, 0, value);
            }
            block
        });
        blocks.collect()
    }

    /// Back to the caller: all is well.
    pub(super) fn succeed(&mut self) {
        let success = self.ins().iconst(I64, 0);
        self.ins().return_(&[success]);
    }

    fn terminator(&mut self, end: &Terminator, blocks: &[clif::Block], next: clif::Block) {
        match end {
            Terminator::Jump(target) => {
                let args = self.args(target);
                self.ins().jump(blocks[target.block.0 as usize], &args);
            }
            Terminator::Any { mask, then, other } => {
                let mask = self.value(*mask, 0);
                let any = self.any_lane(mask);
                let (then_args, other_args) = (self.args(then), self.args(other));
                let then = blocks[then.block.0 as usize];
                let other = blocks[other.block.0 as usize];
                self.ins().brif(any, then, &then_args, other, &other_args);
            }
            Terminator::Done => {
                self.ins().jump(next, &[]);
            }
            Terminator::Fail { pc } => {
                let place = self.place();
                let place = self.ins().ishl_imm_u(place, Failure::PC_BITS);
                let status = self.ins().iadd_imm_s(place, i64::from(*pc) + 1);
                self.ins().return_(&[status]);
            }
        }
    }

    fn args(&mut self, target: &Edge) -> Vec<BlockArg> {
        let args = target.args.iter();
        args.map(|&arg| BlockArg::Value(self.value(arg, 0)))
            .collect()
    }

    /// Takes note of a value that has been computed, or writes it to its place in the table.
    pub(super) fn define(&mut self, value: Value, quad: usize, result: clif::Value) {
        let place = self.plan.places.get(&value).copied();
        if let Some(place) = place {
            self.keep(result, place);
            // Quads, and long prologues, read it there.
            if self.function.node(value).rate == Rate::Uniform || self.registers.is_some() {
                return;
            }
        }
        *self.computed(value, quad) = Some(result);
        self.reside(value, quad);
    }

    /// A value that has been computed and is not in memory.
    pub(super) fn computed(&mut self, value: Value, quad: usize) -> &mut Option<clif::Value> {
        let quad = match self.function.node(value).rate {
            Rate::Quad => quad,
            Rate::Row | Rate::Uniform => 0,
        };
        &mut self.computed[value.0 as usize * self.quads + quad]
    }

    /// Emits a node for one quad of the iteration. `None` if it has no vector to show for it: literals
    /// are read where they are used, parameters and parts come with their block and their whole.
    pub(super) fn operation(&mut self, value: Value, quad: usize) -> Option<clif::Value> {
        let node = self.function.node(value);
        let (ty, of) = (node.ty, &node.operands);
        Some(match node.op {
            Op::Const(_) | Op::Param | Op::Extract(_) => return None,
            Op::Unary(_) if self.plan.absorbed.contains_key(&value) => return None,
            Op::Unary(op) => self.unary(op, of.array(), quad),
            Op::Binary(op) => self.binary(op, of.array(), quad),
            Op::Shift(op, bits) => self.shift(op, of.array(), bits, quad),
            Op::Fma => self.fma(of.array(), quad),
            Op::Select => self.select(of.array(), quad),
            Op::Shuffle(lanes) => self.shuffle(of.array(), lanes, quad),
            Op::SlowPath(path) => self.slow_path(path, of.array(), quad),
            Op::Narrow | Op::NarrowPixels => self.narrow(of.array(), quad),
            Op::Pack => self.pack(of.array(), quad),
            Op::PackPixels => self.pack_pixels(of.array(), quad),
            Op::Uniform(constant) => self.constant(constant, ty),
            Op::Indexed(component) => self.indexed(of.array(), component, ty, quad),
            Op::Load(slot) => self.load_slot(slot, ty, quad),
            Op::Position => self.position(of.array(), quad),
            Op::Recall(variable) => self.recall(variable, ty),
            Op::Draw(field) => self.draw_field(field, ty),
            Op::Span(field) => self.span_field(field),
            Op::Fragment(field) => self.fragment_field(field, quad),
            Op::TextureField(texture, field) => self.texture_field(texture, field),
            Op::LevelField(texture, field) => self.level_field((texture, field), of.array(), quad),
            Op::Buffer(buffer, component) => self.buffer((buffer, component), of.array(), quad),
            Op::LoadScratch(array, component) => self.load_scratch((array, component), of.array()),
            Op::LoopBudget => self.loop_budget(),
            Op::FixedResult(component) => self.fixed_result(component, of),
            Op::Double(op) => self.double(op, of, quad),
            Op::Transpose => return self.columns(value, of.array(), quad),
            Op::LevelPart(texture, part) => {
                return self.level_part(value, (texture, part), of.array(), quad);
            }
            Op::LoadPixels(pixels) => return self.load_pixels(value, pixels, quad),
            Op::LoadColumn(column) => return self.load_column(value, column, quad),
            Op::StoreColumn(column) => return self.store_column(column, of, quad),
            Op::Texel(texture, storage) => {
                return self.texel(value, (texture, storage), of.array(), quad);
            }
            Op::Gather(texture, storage, word, alike) => {
                let words = (texture, storage, word, alike);
                return self.four_texels(value, words, of.array(), quad);
            }
            Op::Blend(texture, storage, alike) | Op::BlendOnto(texture, storage, alike) => {
                return self.blend(value, (texture, storage, alike), of, quad);
            }
            Op::Sample(op, unit, stage) => return self.sample(value, (op, unit, stage), of),
            Op::Argument(place) => return self.argument(place, of.array(), quad),
            Op::Storage(access) => return self.storage(value, access, of),
            Op::Ask(question) => return self.ask(value, &question, of.array(), quad),
            Op::Attribute(n) => return self.fetch(value, Entry::Attribute, n.into(), of),
            Op::Evaluate(number) => return self.evaluate(value, number, of),
            Op::Output(number) => return self.hand_over(Entry::Output, number, of),
            Op::EmitVertex(number) => return self.hand_over(Entry::EmitVertex, number, of),
            Op::EndPrimitive(number) => return self.hand_over(Entry::EndPrimitive, number, of),
            Op::Store(slot) => return self.store_slot(slot, of.array(), quad),
            Op::Keep(variable) => return self.keep_variable(variable, of.array(), quad),
            Op::StorePixels(_) => unreachable!("pixels are stored for all quads at once"),
            Op::StoreScratch(array, part) => return self.store_scratch((array, part), of.array()),
            Op::FixedMul(component) => return self.fixed(Entry::FixedMul, component, of),
            Op::FixedMulAdd(component) => return self.fixed(Entry::FixedMulAdd, component, of),
        })
    }
}
