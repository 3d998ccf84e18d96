//! The frame: what is where on the stack.

use super::forms::Width;
use crate::emit::plan::Plan;
use crate::runtime::Vectors;

/// Operands of a slow path, whose result takes the place of the first.
pub(super) const OPERANDS: usize = 3;

/// General registers that a call has in memory: those that it keeps, and its parameters.
pub(super) const GENERAL: usize = 8;

/// Parts of the frame that instructions name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Areas {
    /// The stack pointer of the caller.
    pub(super) caller: i32,
    /// The address behind the last span or record.
    pub(super) last: i32,
    /// The first span or record.
    pub(super) first: i32,
    /// Quads of the span.
    pub(super) quads: i32,
    /// The first quad's place in the batch.
    pub(super) batch: i32,
    /// Columns from the span's first pixel to that of the iteration, as f32.
    pub(super) column: i32,
    /// For each surface that is used, the addresses of the span's first pixels in both rows.
    pub(super) rows: i32,
    /// General registers during a call.
    pub(super) general: i32,
    /// Room for some quads of what is read, or is written, at the end of a span.
    pub(super) buffer: i32,
    /// Operands of a slow path, one vector after the other.
    pub(super) operands: i32,
    /// Operands and results of a call, quad by quad: those of slow paths have a quad's at a time.
    pub(super) call: i32,
    /// Vector and mask registers during a call.
    pub(super) saved: i32,
    end: usize,
}

impl Areas {
    /// The parts of the frame of a function.
    pub(super) fn new(width: Width, plan: &Plan) -> Areas {
        let mut end = 0;
        let mut take = |size| take(&mut end, size, 64);
        let words = take(64);
        Areas {
            caller: words,
            last: words + 8,
            first: words + 16,
            quads: words + 24,
            batch: words + 32,
            column: words + 40,
            rows: take(16 * plan.surfaces.len()),
            general: take(8 * GENERAL),
            buffer: take(256),
            operands: take(OPERANDS * width.bytes()),
            call: take(width.quads() * size_of::<Vectors>()),
            saved: take(usize::from(width.vectors()) * width.bytes() + 64),
            end,
        }
    }

    /// Bytes of all of them.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// So many bytes more.
    pub(super) fn take(&mut self, size: usize, alignment: usize) -> i32 {
        take(&mut self.end, size, alignment)
    }
}

fn take(end: &mut usize, size: usize, alignment: usize) -> i32 {
    let place = end.next_multiple_of(alignment);
    *end = place + size;
    place as i32
}
