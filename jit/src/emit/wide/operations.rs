//! Which instructions an operation takes: an arm for each.

use super::draw::CONTEXT;
use super::mir::Mem;
use super::values::Emission;
use crate::abi::ContextField;
use crate::ir::{Effect, Function, Op, Value};
use crate::runtime::{Entry, texture_site};

impl Emission<'_> {
    /// Selects a node for a copy, unless another does so.
    pub(super) fn operation(&mut self, value: Value, copy: usize) {
        if !self.merged.contains(value) && !self.covered.makes_needless(value) {
            self.selected(value, copy);
        }
    }

    /// Selects a node for a copy.
    pub(super) fn selected(&mut self, value: Value, copy: usize) {
        let node = *self.function.node(value);
        let of = &node.operands;
        self.set_origin(node.origin);
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
            Op::Transpose => {
                let rows = of.array::<4>().map(|row| self.value(row, copy));
                let columns = self.components_of(rows);
                return self.define_parts(value, copy, &columns);
            }
            Op::LevelPart(texture, part) => {
                return self.level_part(value, (texture, part), of[0], copy);
            }
            Op::LoadPixels(pixels) => return self.load_pixels(value, pixels, copy),
            Op::LoadColumn(column) => return self.load_column(value, column, copy),
            Op::StoreColumn(column) => return self.store_column(column, of, copy),
            Op::Texel(texture, storage) => {
                return self.texel(value, (texture, storage), of[0], copy);
            }
            Op::Gather(texture, storage, word, alike) => {
                let words = (texture, storage, word, alike);
                return self.four_texels(value, words, of.array(), copy);
            }
            Op::Blend(texture, storage, alike) | Op::BlendOnto(texture, storage, alike) => {
                return self.blend(value, (texture, storage, alike), of, copy);
            }
            Op::Store(slot) => return self.store_slot(slot, of[0], copy),
            Op::StoreScratch(array, component) => {
                return self.store_scratch((array, component), of.array());
            }
            Op::Keep(variable) => return self.keep(variable, of[0]),
            Op::StorePixels(pixels) => {
                return match **of {
                    // Pixels of one word are written with the first copy, those of all copies at once.
                    [word] if pixels.bytes == 4 && copy == 0 => match self.covered.get(word) {
                        Some(covered) => self.store_covered(pixels, covered),
                        None => self.store_words(pixels, word),
                    },
                    [_] if pixels.bytes == 4 => {}
                    _ => self.store_pixels(pixels, of, copy),
                };
            }
            Op::Argument(place) => return self.argument(place, of[0]),
            Op::Sample(kind, unit, stage) => {
                return self.sample(value, texture_site(kind, unit, stage), of);
            }
            Op::Ask(question) => return self.question(value, &question, of),
            Op::FixedMul(component) => return self.accumulate(Entry::FixedMul, component, of),
            Op::FixedMulAdd(component) => {
                return self.accumulate(Entry::FixedMulAdd, component, of);
            }
            Op::FixedResult(component) => self.fixed_result(component, of),
            Op::Attribute(attribute) => return self.attribute(value, attribute, of),
            Op::Storage(_)
            | Op::Evaluate(_)
            | Op::Output(_)
            | Op::EmitVertex(_)
            | Op::EndPrimitive(_) => unreachable!("`takes` has refused {:?}", node.op),
        };
        self.define(value, copy, result);
    }
}

/// Whether the emitter has instructions for everything that a function does: all but what has to be done quad after
/// quad because somebody may see the order.
pub(super) fn takes(function: &Function, any_order: bool) -> bool {
    // An iteration may be repeated, and an accumulator may be that of the record.
    let may_repeat = super::may_fail(function);
    let lists = function.blocks.iter().map(|block| &block.body);
    lists.flatten().all(|&value| {
        let op = function.node(value).op;
        match op.row().effect {
            Effect::Pure
            | Effect::ReadsSpan
            | Effect::ReadsQuad
            | Effect::Writes
            | Effect::Keeps => true,
            Effect::Own => !(may_repeat && op.accumulates()),
            Effect::Asks => any_order,
            Effect::Tells => false,
        }
    })
}
