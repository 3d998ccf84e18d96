//! Which instructions an operation takes: an arm for each.

use super::draw::CONTEXT;
use super::mir::Mem;
use super::values::Emission;
use crate::abi::ContextField;
use crate::ir::{Function, Op, Value};

impl Emission<'_> {
    /// Selects a node for a copy.
    pub(super) fn operation(&mut self, value: Value, copy: usize) {
        let node = *self.function.node(value);
        let of = &node.operands;
        let result = match node.op {
            Op::Const(_) | Op::Param | Op::Extract(_) => return,
            Op::Unary(_) if self.plan.absorbed.contains_key(&value) => return,
            Op::Unary(op) => self.unary(op, of[0], copy),
            Op::Binary(op) => self.binary(op, of.array(), copy),
            Op::Double(op) => self.double(op, of, copy),
            Op::LoadScratch(array, component) => self.load_scratch((array, component), of[0]),
            Op::Shift(op, bits) => self.shift(op, of[0], bits, copy),
            Op::Fma => self.fma(of.array(), copy),
            Op::Select => self.select(of.array(), copy),
            Op::Shuffle(lanes) => self.shuffle(of[0], lanes, copy),
            Op::SlowPath(path) => self.slow_path(path, of.array(), copy),
            Op::Narrow | Op::NarrowPixels => self.narrow(of.array(), copy),
            Op::Pack => self.pack(of.array(), copy),
            Op::PackPixels => self.pack_pixels(of.array(), copy),
            Op::Uniform(constant) => self.constant(constant),
            Op::Indexed(component) => self.indexed(of[0], component, copy),
            Op::Buffer(buffer, component) => self.buffer((buffer, component), of[0], copy),
            Op::Load(slot) => self.load_slot(slot, node.ty, copy),
            Op::Position => self.position(of[0], copy),
            Op::Recall(variable) => self.recall(variable, node.ty),
            Op::Draw(field) => self.draw_field(field),
            Op::Span(field) => self.span_field(field),
            Op::Fragment(field) => self.fragment_field(field, copy),
            Op::TextureField(texture, field) => self.texture_field(texture, field),
            Op::LevelField(texture, field) => self.level_field((texture, field), of[0], copy),
            Op::LoopBudget => {
                let offset = ContextField::LoopBudget.offset() as i32;
                self.broadcast(Mem::at(CONTEXT, offset))
            }
            Op::Transpose
            | Op::LevelPart(..)
            | Op::LoadPixels(_)
            | Op::Texel(..)
            | Op::Blend(..)
            | Op::BlendOnto(..)
            | Op::Store(_)
            | Op::Keep(_)
            | Op::StoreScratch(..)
            | Op::StorePixels(_) => return self.without_result(value, copy),
            Op::Sample(..)
            | Op::Argument(_)
            | Op::Storage(_)
            | Op::Ask(_)
            | Op::Attribute(_)
            | Op::Evaluate(_)
            | Op::Output(_)
            | Op::EmitVertex(_)
            | Op::EndPrimitive(_)
            | Op::FixedMul(_)
            | Op::FixedMulAdd(_)
            | Op::FixedResult(_)
            | Op::Export => unreachable!("`takes` has refused {:?}", node.op),
        };
        self.define(value, copy, result);
    }

    /// Selects a node that has several results, or none.
    fn without_result(&mut self, value: Value, copy: usize) {
        let node = *self.function.node(value);
        let of = &node.operands;
        match node.op {
            Op::Transpose => {
                let rows = of.array::<4>().map(|row| self.value(row, copy));
                let columns = self.components_of(rows);
                self.define_parts(value, copy, &columns);
            }
            Op::LevelPart(texture, part) => {
                self.level_part(value, (texture, part), of[0], copy);
            }
            Op::LoadPixels(pixels) => self.load_pixels(value, pixels, copy),
            Op::Texel(texture, storage) => {
                self.texel(value, (texture, storage), of[0], copy);
            }
            Op::Blend(texture, storage, alike) | Op::BlendOnto(texture, storage, alike) => {
                self.blend(value, (texture, storage, alike), of, copy);
            }
            Op::Store(slot) => self.store_slot(slot, of[0], copy),
            Op::StoreScratch(array, component) => {
                self.store_scratch((array, component), of.array());
            }
            Op::Keep(variable) => self.keep(variable, of[0]),
            Op::StorePixels(pixels) => self.store_pixels(pixels, of, copy),
            Op::Const(_)
            | Op::Param
            | Op::Extract(_)
            | Op::Unary(_)
            | Op::Binary(_)
            | Op::Shift(..)
            | Op::Fma
            | Op::Select
            | Op::Shuffle(_)
            | Op::SlowPath(_)
            | Op::Narrow
            | Op::NarrowPixels
            | Op::Pack
            | Op::PackPixels
            | Op::Uniform(_)
            | Op::Indexed(_)
            | Op::Buffer(..)
            | Op::Load(_)
            | Op::Position
            | Op::Recall(_)
            | Op::Draw(_)
            | Op::Span(_)
            | Op::Fragment(_)
            | Op::TextureField(..)
            | Op::LevelField(..)
            | Op::LoopBudget
            | Op::Double(_)
            | Op::Sample(..)
            | Op::Argument(_)
            | Op::Storage(_)
            | Op::Ask(_)
            | Op::Attribute(_)
            | Op::Evaluate(_)
            | Op::Output(_)
            | Op::EmitVertex(_)
            | Op::EndPrimitive(_)
            | Op::LoadScratch(..)
            | Op::FixedMul(_)
            | Op::FixedMulAdd(_)
            | Op::FixedResult(_)
            | Op::Export => unreachable!("{:?} has a result", node.op),
        }
    }
}

/// Whether the emitter has instructions for everything that a function does.
pub(super) fn takes(function: &Function) -> bool {
    let lists = function.blocks.iter().map(|block| &block.body);
    let lists = lists.chain([&function.uniform, &function.row]);
    lists.flatten().all(|&value| has(&function.node(value).op))
}

fn has(op: &Op) -> bool {
    match op {
        Op::Sample(..)
        | Op::Argument(_)
        | Op::Storage(_)
        | Op::Ask(_)
        | Op::Attribute(_)
        | Op::Evaluate(_)
        | Op::Output(_)
        | Op::EmitVertex(_)
        | Op::EndPrimitive(_)
        | Op::FixedMul(_)
        | Op::FixedMulAdd(_)
        | Op::FixedResult(_)
        | Op::Export => false,
        Op::Unary(_)
        | Op::LoadScratch(..)
        | Op::StoreScratch(..)
        | Op::Binary(_)
        | Op::Double(_)
        | Op::Shift(..)
        | Op::Const(_)
        | Op::Param
        | Op::Uniform(_)
        | Op::Indexed(_)
        | Op::Buffer(..)
        | Op::Load(_)
        | Op::Position
        | Op::Store(_)
        | Op::Recall(_)
        | Op::Keep(_)
        | Op::Draw(_)
        | Op::Span(_)
        | Op::Fragment(_)
        | Op::LoadPixels(_)
        | Op::StorePixels(_)
        | Op::Narrow
        | Op::NarrowPixels
        | Op::Pack
        | Op::PackPixels
        | Op::Fma
        | Op::Select
        | Op::Shuffle(_)
        | Op::SlowPath(_)
        | Op::TextureField(..)
        | Op::LevelField(..)
        | Op::LevelPart(..)
        | Op::Texel(..)
        | Op::Blend(..)
        | Op::BlendOnto(..)
        | Op::Transpose
        | Op::Extract(_)
        | Op::LoopBudget => true,
    }
}
