//! The loops of a draw: over spans, and over the quads of each.
//!
//! ```text
//! span ◄─────┐   what is known of the span, and row values ─► table
//! quad ◄───┐ │   n quads
//! blocks   │ │
//! next ────┘ │   n quads further on
//! next span ─┘
//! ```
//!
//! The number of quads need not be a multiple of n. Where pixels are only written, the last n of a
//! span are shaded together, some of them again. Where pixels are read too that would be wrong:
//! there, what would lie past the end is the last quad, side by side with itself.

use attila_machine::QuadReg;
use attila_machine::pipeline::Span;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F32, F32X4, I32, I32X4, I64};
use cranelift_codegen::ir::{self as clif, BlockArg, InstBuilder, MemFlagsData};
use rustc_hash::FxHashMap;

use super::memory::{table_flags, vector_type};
use super::shader::Emission;
use crate::abi::{DrawField, DrawWord, FragmentField, Pixels, SpanField, SpanWord, SurfaceWord};
use crate::code::Failure;
use crate::ir::Type;

/// Values that the code of a span keeps.
pub(super) struct SpanValues {
    /// The span's address.
    span: clif::Value,
    /// Column and row of its first pixel.
    position: [clif::Value; 2],
    /// Quads.
    quads: clif::Value,
    /// The address of the primitive's anchor.
    anchor: clif::Value,
    /// The address of the primitive's planes.
    planes: clif::Value,
    /// Its first quad's place in the batch.
    first: clif::Value,
    /// For the samples of surfaces that are used, the addresses of the first pixels of both rows.
    pub(super) rows: FxHashMap<(u8, u8), [clif::Value; 2]>,
    /// The quad that the iteration begins with, from the span's first.
    quad: clif::Value,
    /// The iteration's quads.
    pub(super) indices: Vec<clif::Value>,
    /// Their columns from the anchor, if they matter.
    columns: Vec<clif::Value>,
}

impl Emission<'_, '_> {
    /// The loop over `count` spans, the first at `first`.
    pub(super) fn spans(&mut self, first: clif::Value, count: clif::Value) {
        let (pointer, size) = (self.pointer, size_of::<Span>() as i64);
        let bytes = self.ins().imul_imm_u(count, size);
        let end = self.ins().iadd(first, bytes);
        let head = self.builder.create_block();
        let next = self.builder.create_block();
        let span = self.builder.append_block_param(head, pointer);
        self.ins().jump(head, &[BlockArg::Value(first)]);

        self.builder.switch_to_block(head);
        self.begin_span(span);
        self.row_prologue();
        self.quads_of_span(next);

        self.builder.switch_to_block(next);
        let exit = self.builder.create_block();
        let following = self.ins().iadd_imm_s(span, size);
        let more = self.ins().icmp(IntCC::UnsignedLessThan, following, end);
        let following = [BlockArg::Value(following)];
        self.ins().brif(more, head, &following, exit, &[]);
        self.builder.switch_to_block(exit);
        self.succeed();
    }

    fn begin_span(&mut self, span: clif::Value) {
        let [x, y, quads, primitive, first] = [
            SpanWord::X,
            SpanWord::Y,
            SpanWord::Quads,
            SpanWord::Primitive,
            SpanWord::First,
        ]
        .map(|word| self.word(span, word.offset()));
        let anchors = self.drawing(DrawWord::Anchors.offset());
        let anchor = self.ins().imul_imm_u(primitive, SpanField::ANCHOR as i64);
        let anchor = self.ins().iadd(anchors, anchor);
        let planes = self.drawing(DrawWord::Planes.offset());
        let stride = self.drawing(DrawWord::PlaneStride.offset());
        let within = self.ins().imul(primitive, stride);
        let planes = self.ins().iadd(planes, within);
        let mut rows = FxHashMap::default();
        for pixels in self.plan.surfaces.clone() {
            let first = self.first_pixels(pixels, [x, y]);
            rows.insert((pixels.surface, pixels.sample), first);
        }
        self.span = Some(SpanValues {
            span,
            position: [x, y],
            quads,
            anchor,
            planes,
            first,
            rows,
            quad: first,
            indices: Vec::new(),
            columns: Vec::new(),
        });
    }

    /// A u32 at an offset from `base`.
    fn word(&mut self, base: clif::Value, offset: usize) -> clif::Value {
        let pointer = self.pointer;
        let word = self.ins().load(I32, table_flags(), base, offset as i32);
        self.ins().uextend(pointer, word)
    }

    /// A word of the draw as large as an address.
    fn drawing(&mut self, offset: usize) -> clif::Value {
        let (base, pointer) = (self.bases.drawing, self.pointer);
        self.ins().load(pointer, table_flags(), base, offset as i32)
    }

    /// The addresses of the pixel at `[x, y]` and the one below it.
    fn first_pixels(&mut self, pixels: Pixels, [x, y]: [clif::Value; 2]) -> [clif::Value; 2] {
        let sample = pixels.sample;
        let base = self.drawing(SurfaceWord::Pixels { sample }.offset(pixels.surface));
        let pitch = self.drawing(SurfaceWord::Pitch.offset(pixels.surface));
        let drawing = self.bases.drawing;
        let left = self.word(drawing, SurfaceWord::Left.offset(pixels.surface));
        let top = self.word(drawing, SurfaceWord::Top.offset(pixels.surface));
        let (column, row) = (self.ins().isub(x, left), self.ins().isub(y, top));
        let across = self.ins().imul_imm_u(column, pixels.size() as i64);
        let down = self.ins().imul(row, pitch);
        let within = self.ins().iadd(across, down);
        let upper = self.ins().iadd(base, within);
        [upper, self.ins().iadd(upper, pitch)]
    }

    /// Computes the values of the span. The values that quads use go to the table.
    fn row_prologue(&mut self) {
        let function = self.function;
        self.shared_values(&function.row);
        // From here on, those that quads use are read from the table.
        for &value in &function.row {
            if self.plan.places.contains_key(&value) {
                *self.computed(value, 0) = None;
            }
        }
    }

    /// The loop over the span's quads. Ends with going to `next`.
    fn quads_of_span(&mut self, next: clif::Block) {
        let start = self.columns_of_first();
        let pointer = self.pointer;
        let head = self.builder.create_block();
        let done = self.builder.create_block();
        let quad = self.builder.append_block_param(head, pointer);
        let column = start.map(|_| self.builder.append_block_param(head, F32X4));
        let zero = self.ins().iconst(pointer, 0);
        let again = Loop { quad, column };
        let overlaps = self.overlaps();
        // The last quad, or the last that an iteration may begin with.
        let back = if overlaps { self.quads as i64 } else { 1 };
        let quads = self.at_span().quads;
        let last = self.ins().iadd_imm_s(quads, -back);
        let last_column = self.columns_of(start, last);
        let entry = again.args(zero, start);
        self.ins().jump(head, &entry);

        self.builder.switch_to_block(head);
        self.choose_quads(&again, (!overlaps).then_some((last, last_column)));
        self.clear_accumulator();
        self.clear_scratch();
        self.blocks(done);

        self.builder.switch_to_block(done);
        let quads = self.quads;
        let following = self.ins().iadd_imm_s(quad, quads as i64);
        let column = column.map(|column| self.further(column, quads));
        let more = self
            .ins()
            .icmp(IntCC::SignedLessThanOrEqual, following, last);
        let further = again.args(following, column);
        if !overlaps {
            self.ins().brif(more, head, &further, next, &[]);
            return;
        }
        let rest = self.builder.create_block();
        self.ins().brif(more, head, &further, rest, &[]);
        self.builder.switch_to_block(rest);
        let some = self.ins().icmp(IntCC::SignedLessThan, quad, last);
        let finish = again.args(last, last_column);
        self.ins().brif(some, head, &finish, next, &[]);
    }

    /// Whether the last quads of a span are shaded together, some of them again.
    pub(super) fn overlaps(&self) -> bool {
        self.quads > 1 && self.plan.repeatable
    }

    /// The columns of the first quad's pixels, from the anchor, if the function asks for any.
    fn columns_of_first(&mut self) -> Option<clif::Value> {
        if !self.plan.columns {
            return None;
        }
        let [x, _] = self.at_span().position;
        let first = self.centres(x, [0.5, 1.5, 0.5, 1.5]);
        let anchor = self.span_field(SpanField::Anchor(0));
        Some(self.ins().fsub(first, anchor))
    }

    /// The columns of quad number `quad`.
    fn columns_of(&mut self, start: Option<clif::Value>, quad: clif::Value) -> Option<clif::Value> {
        let start = start?;
        let pixels = self.ins().ishl_imm_u(quad, 1);
        let offset = self.centres(pixels, [0.0; 4]);
        Some(self.ins().fadd(start, offset))
    }

    /// A whole number plus an offset for each lane.
    fn centres(&mut self, whole: clif::Value, offsets: [f32; 4]) -> clif::Value {
        let whole = self.ins().ireduce(I32, whole);
        let whole = self.ins().fcvt_from_sint(F32, whole);
        let whole = self.ins().splat(F32X4, whole);
        let offsets = self.lanes(offsets.map(f32::to_bits), F32X4);
        self.ins().fadd(whole, offsets)
    }

    /// A constant for each lane.
    fn lanes(&mut self, words: [u32; 4], ty: clif::Type) -> clif::Value {
        let bytes = words.map(u32::to_le_bytes);
        let bytes = bytes.as_flattened().try_into();
        self.constant_bytes(bytes.expect("four words"), ty)
    }

    /// `quads` quads to the right.
    fn further(&mut self, column: clif::Value, quads: usize) -> clif::Value {
        let offset = self.literal((2.0 * quads as f32).to_bits(), F32X4);
        self.ins().fadd(column, offset)
    }

    /// The quads of an iteration; none after `last`.
    fn choose_quads(&mut self, again: &Loop, last: Option<(clif::Value, Option<clif::Value>)>) {
        let mut indices = vec![again.quad];
        let mut columns: Vec<_> = again.column.into_iter().collect();
        for quad in 1..self.quads {
            let index = self.ins().iadd_imm_s(again.quad, quad as i64);
            let column = again.column.map(|column| self.further(column, quad));
            indices.push(match last {
                Some((last, _)) => self.ins().umin(index, last),
                None => index,
            });
            columns.extend(column.map(|column| match last.and_then(|(_, last)| last) {
                Some(last) => {
                    let less = self.ins().fcmp(FloatCC::LessThan, column, last);
                    let less = self.cast(less, F32X4);
                    self.ins().bitselect(less, column, last)
                }
                None => column,
            }));
        }
        let span = self.span.as_mut().expect("a span has begun");
        (span.quad, span.indices, span.columns) = (again.quad, indices, columns);
    }

    pub(super) fn at_span(&self) -> &SpanValues {
        self.span.as_ref().expect("a span has begun")
    }

    /// The place of the current quad, for a [`Failure`].
    pub(super) fn place_in_span(&mut self) -> clif::Value {
        let &SpanValues { span, quad, .. } = self.at_span();
        let first = self.first;
        let offset = self.ins().isub(span, first);
        let offset = self.ins().ishl_imm_u(offset, Failure::QUAD_BITS);
        self.ins().bor(offset, quad)
    }

    /// A number of the draw, in all lanes.
    pub(super) fn draw_field(&mut self, field: DrawField, ty: Type) -> clif::Value {
        let (base, ty) = (self.bases.drawing, vector_type(ty));
        let offset = field.offset() as i32;
        let number = self.ins().load(ty.lane_type(), table_flags(), base, offset);
        self.ins().splat(ty, number)
    }

    /// A number of the span.
    pub(super) fn span_field(&mut self, field: SpanField) -> clif::Value {
        let &SpanValues {
            anchor,
            planes,
            position: [_, y],
            ..
        } = self.at_span();
        let (base, offset) = match field {
            SpanField::Y => {
                let rows = self.centres(y, [0.5, 0.5, 1.5, 1.5]);
                let anchor = self.span_field(SpanField::Anchor(1));
                return self.ins().fsub(rows, anchor);
            }
            SpanField::Anchor(axis) => (anchor, SpanField::anchor_offset(axis)),
            SpanField::Plane(plane, number) => (planes, SpanField::plane_offset(plane, number)),
        };
        let number = self.ins().load(F32, table_flags(), base, offset as i32);
        self.ins().splat(F32X4, number)
    }

    /// A vector of a quad.
    pub(super) fn fragment_field(&mut self, field: FragmentField, quad: usize) -> clif::Value {
        let span = self.at_span();
        let (first, index) = (span.first, span.indices[quad]);
        match field {
            FragmentField::X => span.columns[quad],
            FragmentField::Coverage => {
                let pointer = self.pointer;
                let coverage = self.drawing(DrawWord::Coverage.offset());
                let coverage = self.ins().iadd(coverage, first);
                let byte = self.ins().iadd(coverage, index);
                let byte = self.ins().uload8(I64, table_flags(), byte, 0);
                debug_assert_eq!(pointer, I64, "all targets have 64 bits");
                let byte = self.ins().ireduce(I32, byte);
                let byte = self.ins().splat(I32X4, byte);
                let bits = self.lanes([1, 2, 4, 8], I32X4);
                let covered = self.ins().band(byte, bits);
                self.ins().icmp(IntCC::Equal, covered, bits)
            }
            FragmentField::Samples => {
                let coverage = self.drawing(DrawWord::Coverage.offset());
                let number = self.ins().iadd(first, index);
                let within = self.ins().imul_imm_u(number, size_of::<u64>() as i64);
                let word = self.ins().iadd(coverage, within);
                self.ins().uload16x4(table_flags(), word, 0)
            }
            FragmentField::Input { reg, component } => {
                let array = self.drawing(DrawWord::Array(reg).offset());
                let index = self.ins().iadd(first, index);
                let within = self.ins().imul_imm_u(index, size_of::<QuadReg>() as i64);
                let register = self.ins().iadd(array, within);
                let offset = i32::from(component) * F32X4.bytes() as i32;
                let flags = MemFlagsData::new().with_notrap().with_readonly();
                self.ins().load(F32X4, flags, register, offset)
            }
        }
    }
}

/// The loop over a span's quads.
struct Loop {
    /// The quad that an iteration begins with.
    quad: clif::Value,
    /// Its columns.
    column: Option<clif::Value>,
}

impl Loop {
    fn args(&self, quad: clif::Value, column: Option<clif::Value>) -> Vec<BlockArg> {
        let args = std::iter::once(quad).chain(column);
        args.map(BlockArg::Value).collect()
    }
}
