//! The loops of a draw: over spans, and over the quads of each.
//!
//! The number of quads need not be a multiple of those of an iteration. Where pixels are only written, the last ones of a
//! span are shaded together, some of them again. Where pixels are read too that would be wrong: there, what would lie past
//! the end is the last quad, side by side with itself.

use attila_machine::QuadReg;
use attila_machine::pipeline::Span;
use rustc_hash::FxHashMap;
use wasm_encoder::BlockType;

use super::function::{COUNT, Emission, FIRST, at};
use super::locals::Local;
use crate::abi::{DrawField, DrawWord, FragmentField, Pixels, SpanField, SpanWord, SurfaceWord};
use crate::code::Failure;

/// Numbers that the code of a span keeps.
pub(super) struct SpanLocals {
    /// The span's address.
    span: Local,
    /// Column and row of its first pixel.
    position: [Local; 2],
    /// Quads.
    quads: Local,
    /// The address of the primitive's anchor.
    anchor: Local,
    /// The address of the primitive's planes.
    planes: Local,
    /// Its first quad's place in the batch.
    first: Local,
    /// For the samples of surfaces that are used, the addresses of the first pixels of both rows.
    rows: FxHashMap<(u8, u8), [Local; 2]>,
    /// The iteration's quads, from the span's first.
    indices: Vec<Local>,
    /// Their columns from the anchor, if they matter.
    columns: Vec<Local>,
}

impl SpanLocals {
    fn new(emission: &mut Emission<'_>) -> SpanLocals {
        let quads = emission.quads;
        let surfaces = emission.plan.surfaces.iter();
        let rows = surfaces.map(|pixels| {
            let rows = [(); 2].map(|()| emission.locals.kept(wasm_encoder::ValType::I32));
            ((pixels.surface, pixels.sample), rows)
        });
        let rows = rows.collect();
        let columns = if emission.plan.columns { quads } else { 0 };
        SpanLocals {
            span: emission.number(),
            position: [(); 2].map(|()| emission.number()),
            quads: emission.number(),
            anchor: emission.number(),
            planes: emission.number(),
            first: emission.number(),
            rows,
            indices: (0..quads).map(|_| emission.number()).collect(),
            columns: (0..columns).map(|_| emission.kept_vector()).collect(),
        }
    }
}

impl Emission<'_> {
    /// The loop over all spans.
    pub(super) fn spans(&mut self) {
        let size = size_of::<Span>() as i32;
        let locals = SpanLocals::new(self);
        let (span, end) = (locals.span, self.number());
        self.span = Some(locals);
        self.ins()
            .local_get(FIRST.0)
            .local_tee(span.0)
            .local_get(COUNT.0)
            .i32_const(size)
            .i32_mul()
            .i32_add()
            .local_set(end.0)
            .loop_(BlockType::Empty);
        self.begin_span();
        let function = self.function;
        self.shared_values(&function.row, 1);
        self.quads_of_span();
        self.ins()
            .local_get(span.0)
            .i32_const(size)
            .i32_add()
            .local_tee(span.0)
            .local_get(end.0)
            .i32_lt_u()
            .br_if(0)
            .end();
    }

    fn at_span(&self) -> &SpanLocals {
        self.span.as_ref().expect("it is the code of a draw")
    }

    fn begin_span(&mut self) {
        let &SpanLocals {
            span,
            position: [x, y],
            quads,
            anchor,
            planes,
            first,
            ..
        } = self.at_span();
        for (local, word) in [
            (x, SpanWord::X),
            (y, SpanWord::Y),
            (quads, SpanWord::Quads),
            (first, SpanWord::First),
        ] {
            self.load_number(span, word.offset());
            self.ins().local_set(local.0);
        }
        self.drawing(DrawWord::Anchors.offset());
        self.load_number(span, SpanWord::Primitive.offset());
        self.ins()
            .i32_const(SpanField::ANCHOR as i32)
            .i32_mul()
            .i32_add()
            .local_set(anchor.0);
        self.drawing(DrawWord::Planes.offset());
        self.load_number(span, SpanWord::Primitive.offset());
        self.drawing(DrawWord::PlaneStride.offset());
        self.ins().i32_mul().i32_add().local_set(planes.0);
        let plan = self.plan;
        for &pixels in &plan.surfaces {
            self.first_pixels(pixels, [x, y]);
        }
    }

    /// A number at an offset from an address.
    fn load_number(&mut self, base: Local, offset: usize) {
        self.push(base);
        self.ins().i32_load(at(offset));
    }

    /// A number of the draw, or an address: the lower half of eight bytes.
    fn drawing(&mut self, offset: usize) {
        let base = self.bases.drawing;
        self.load_number(base, offset);
    }

    /// The addresses of the span's first pixel and the one below it, to their locals.
    fn first_pixels(&mut self, pixels: Pixels, [x, y]: [Local; 2]) {
        let Pixels {
            surface, sample, ..
        } = pixels;
        let [upper, lower] = self.at_span().rows[&(surface, sample)];
        self.drawing(SurfaceWord::Pixels { sample }.offset(surface));
        self.push(x);
        self.drawing(SurfaceWord::Left.offset(surface));
        self.ins()
            .i32_sub()
            .i32_const(pixels.size() as i32)
            .i32_mul()
            .i32_add();
        self.push(y);
        self.drawing(SurfaceWord::Top.offset(surface));
        self.ins().i32_sub();
        self.drawing(SurfaceWord::Pitch.offset(surface));
        self.ins().i32_mul().i32_add().local_tee(upper.0);
        self.drawing(SurfaceWord::Pitch.offset(surface));
        self.ins().i32_add().local_set(lower.0);
    }

    /// The addresses of the upper and lower pixels of a quad, and how far from there the current quad's are. Quads that lie
    /// next to each other share the addresses.
    pub(super) fn pixels_of(&mut self, pixels: Pixels) -> ([Local; 2], usize) {
        let bytes = 2 * pixels.size();
        let (quad, offset) = match self.overlaps() {
            true => (0, bytes * self.quad),
            false => (self.quad, 0),
        };
        let span = self.at_span();
        let (rows, index) = (
            span.rows[&(pixels.surface, pixels.sample)],
            span.indices[quad],
        );
        let rows = rows.map(|row| {
            self.ins()
                .local_get(row.0)
                .local_get(index.0)
                .i32_const(bytes as i32)
                .i32_mul()
                .i32_add();
            self.address()
        });
        (rows, offset)
    }

    /// The loop over the span's quads.
    fn quads_of_span(&mut self) {
        let (span, count) = (self.at_span(), self.quads as i32);
        let (quad, quads, column) = (span.indices[0], span.quads, span.columns.first().copied());
        let overlaps = self.overlaps();
        // The last quad, or the last that an iteration may begin with.
        let back = if overlaps { count } else { 1 };
        let last = self.number();
        self.ins()
            .local_get(quads.0)
            .i32_const(back)
            .i32_sub()
            .local_set(last.0)
            .i32_const(0)
            .local_set(quad.0);
        let last_column = column.map(|column| self.first_and_last_column(column, last));
        self.ins().loop_(BlockType::Empty);
        self.choose_quads((!overlaps).then_some((last, last_column)));
        self.clear_accumulator();
        self.clear_scratch();
        self.blocks();
        let following = self.number();
        self.ins()
            .local_get(quad.0)
            .i32_const(count)
            .i32_add()
            .local_tee(following.0)
            .local_get(last.0)
            .i32_le_s()
            .if_(BlockType::Empty)
            .local_get(following.0)
            .local_set(quad.0);
        if let Some(column) = column {
            self.further(column, self.quads);
            self.ins().local_set(column.0);
        }
        self.ins().br(1).end();
        if overlaps {
            self.ins()
                .local_get(quad.0)
                .local_get(last.0)
                .i32_lt_s()
                .if_(BlockType::Empty)
                .local_get(last.0)
                .local_set(quad.0);
            if let (Some(column), Some(last)) = (column, last_column) {
                self.ins().local_get(last.0).local_set(column.0);
            }
            self.ins().br(1).end();
        }
        self.ins().end();
    }

    /// Whether the last quads of a span are shaded together, some of them again.
    pub(super) fn overlaps(&self) -> bool {
        self.quads > 1 && self.plan.repeatable
    }

    /// The columns of the first quad's pixels, from the anchor, to their local; and those of quad number `last`.
    fn first_and_last_column(&mut self, column: Local, last: Local) -> Local {
        let [x, _] = self.at_span().position;
        self.push(x);
        self.centres([0.5, 1.5, 0.5, 1.5]);
        self.span_field(SpanField::Anchor(0));
        self.ins().f32x4_sub().local_set(column.0);
        let of_last = self.kept_vector();
        self.push(column);
        self.push(last);
        self.ins().i32_const(1).i32_shl();
        self.centres([0.0; 4]);
        self.ins().f32x4_add().local_set(of_last.0);
        of_last
    }

    /// The whole number on the stack plus an offset for each lane.
    fn centres(&mut self, offsets: [f32; 4]) {
        self.ins().f32_convert_i32_s().f32x4_splat();
        self.words(offsets.map(f32::to_bits));
        self.ins().f32x4_add();
    }

    /// `quads` quads to the right.
    fn further(&mut self, column: Local, quads: usize) {
        self.push(column);
        self.literal((2.0 * quads as f32).to_bits());
        self.ins().f32x4_add();
    }

    /// The quads of an iteration behind its first; none after `last`.
    fn choose_quads(&mut self, last: Option<(Local, Option<Local>)>) {
        for quad in 1..self.quads {
            let span = self.at_span();
            let (first, index) = (span.indices[0], span.indices[quad]);
            let columns = span.columns.first().copied();
            let columns = columns.zip(span.columns.get(quad).copied());
            self.ins()
                .local_get(first.0)
                .i32_const(quad as i32)
                .i32_add()
                .local_set(index.0);
            if let Some((last, _)) = last {
                self.limit(index, last);
            }
            if let Some((first, column)) = columns {
                self.further(first, quad);
                if let Some((_, Some(last))) = last {
                    self.push(last);
                    self.ins().f32x4_pmin();
                }
                self.ins().local_set(column.0);
            }
        }
    }

    /// The place of the current quad, for a [`Failure`].
    pub(super) fn place_in_span(&mut self) {
        let span = self.at_span();
        let (span, quad) = (span.span, span.indices[0]);
        self.ins()
            .local_get(span.0)
            .local_get(FIRST.0)
            .i32_sub()
            .i64_extend_i32_u()
            .i64_const(Failure::QUAD_BITS)
            .i64_shl()
            .local_get(quad.0)
            .i64_extend_i32_u()
            .i64_or();
    }

    /// A number of the draw, in all lanes.
    pub(super) fn draw_field(&mut self, field: DrawField) {
        let base = self.bases.drawing;
        self.splat_word(base, field.offset());
    }

    /// A number of the span, in all lanes.
    pub(super) fn span_field(&mut self, field: SpanField) {
        let &SpanLocals {
            anchor,
            planes,
            position: [_, y],
            ..
        } = self.at_span();
        match field {
            SpanField::Y => {
                self.push(y);
                self.centres([0.5, 0.5, 1.5, 1.5]);
                self.splat_word(anchor, SpanField::anchor_offset(1));
                self.ins().f32x4_sub();
            }
            SpanField::Anchor(axis) => self.splat_word(anchor, SpanField::anchor_offset(axis)),
            SpanField::Plane(plane, number) => {
                self.splat_word(planes, SpanField::plane_offset(plane, number));
            }
        }
    }

    /// A vector of the quad.
    pub(super) fn fragment_field(&mut self, field: FragmentField) {
        match field {
            FragmentField::X => {
                let column = self.at_span().columns[self.quad];
                self.push(column);
            }
            FragmentField::Coverage => {
                self.of_quad(DrawWord::Coverage, size_of::<u8>());
                self.ins().i32_load8_u(at(0)).i32x4_splat();
                let bits = [1, 2, 4, 8];
                self.words(bits);
                self.ins().v128_and();
                self.words(bits);
                self.ins().i32x4_eq();
            }
            FragmentField::Samples => {
                self.of_quad(DrawWord::Coverage, size_of::<u64>());
                self.ins().v128_load16x4_u(at(0));
            }
            FragmentField::Input { reg, component } => {
                self.of_quad(DrawWord::Array(reg), size_of::<QuadReg>());
                let component = size_of::<[u32; 4]>() * usize::from(component);
                self.ins().v128_load(at(component));
            }
        }
    }

    /// The address of what a table of the draw has for the quad, in so many bytes.
    fn of_quad(&mut self, table: DrawWord, bytes: usize) {
        let span = self.at_span();
        let (first, index) = (span.first, span.indices[self.quad]);
        self.drawing(table.offset());
        self.ins()
            .local_get(first.0)
            .local_get(index.0)
            .i32_add()
            .i32_const(bytes as i32)
            .i32_mul()
            .i32_add();
    }
}
