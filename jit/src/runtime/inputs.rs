//! Inputs at other places than the pixels' centres, which users evaluate.

use attila_machine::{Bindings, Lanes, QuadReg, offset_of_packed};

use super::{Context, Unused, Vectors, put};

/// Operands: packed offsets, the components of the input as it stands, the number of the quad. Returns the
/// four components.
pub(super) fn evaluate(context: &Context<'_>, _: Unused, site: u64, vectors: &mut Vectors) {
    let [offset, x, y, z, w, [quad, ..]] = vectors.map(|vector| vector.0);
    let evaluate = || {
        let quad = quad as usize;
        let value = evaluated(context.bindings, quad, site as u8, offset, [x, y, z, w]);
        put(vectors, value);
    };
    context.stop.catch(evaluate);
}

/// Input `register` at packed offsets: as what is bound says, or as it stands.
pub(crate) fn evaluated(
    bindings: &Bindings<'_>,
    quad: usize,
    register: u8,
    offset: Lanes<u32>,
    input: QuadReg,
) -> QuadReg {
    match bindings.inputs() {
        Some(inputs) => inputs.evaluate(quad, register, offset.map(offset_of_packed)),
        None => input,
    }
}
