//! The vertices of geometry programs, handed over to what users bind.

use attila_machine::VertexSink;

use super::{Context, Unused, Vectors};

/// Operands: x, y, z, w.
pub(super) fn output(context: &Context<'_>, _: Unused, site: u64, vectors: &mut Vectors) {
    let value = [0, 1, 2, 3].map(|component| vectors[component].0);
    hand_over(context, |to| to.output(site as u8, &value));
}

/// Operand: lanes.
pub(super) fn emit_vertex(context: &Context<'_>, _: Unused, site: u64, vectors: &mut Vectors) {
    hand_over(context, |to| to.emit(site as u8, vectors[0].mask()));
}

/// Operand: lanes.
pub(super) fn end_primitive(context: &Context<'_>, _: Unused, site: u64, vectors: &mut Vectors) {
    hand_over(context, |to| {
        to.end_primitive(site as u8, vectors[0].mask())
    });
}

/// Calls the sink for vertices, if there is one.
fn hand_over(context: &Context<'_>, call: impl FnOnce(&dyn VertexSink)) {
    if let Some(vertices) = context.bindings.vertices() {
        context.stop.catch(|| call(vertices));
    }
}
