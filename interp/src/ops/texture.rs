//! Opcodes that ask what is bound: texture units and vertex attributes.

use std::array::from_fn;

use attila_isa::{TextureOp, TextureTarget};
use attila_machine::{
    DEFAULT_ATTRIBUTE, LANES, Lanes, LevelOfDetail, Lookup, TextureQuery, to_floats,
};

use crate::lanes::each;
use crate::machine::Machine;
use crate::ops::{Action, query};
use crate::prepare::Step;

/// The function that carries out `op`.
pub(super) fn action(op: TextureOp) -> Action {
    match op {
        TextureOp::Tex => tex,
        TextureOp::Txb => txb,
        TextureOp::Txl => txl,
        TextureOp::Txp => txp,
        TextureOp::Lda => lda,
        TextureOp::Xtex => query::xtex,
        TextureOp::Xtxb => query::xtxb,
        TextureOp::Xtxl => query::xtxl,
        TextureOp::Xtxd => query::xtxd,
        TextureOp::Txf => query::txf,
        TextureOp::Txq => query::txq,
        TextureOp::Tg4 => query::tg4,
        TextureOp::Lodq => query::lodq,
        TextureOp::Txqs => query::txqs,
    }
}

/// Queries the texture for all lanes, whether the guard is true or not: derivatives need the
/// coordinates.
fn sample(
    machine: &mut Machine<'_>,
    step: &Step,
    projected: bool,
    level: impl Fn(Lanes<f32>) -> LevelOfDetail,
) {
    let [s, t, r, q] = machine.floats(step, 0);
    let divided = |c: Lanes<f32>| from_fn(|lane| c[lane] / q[lane]);
    let coords = if projected {
        [s, t, r].map(divided)
    } else {
        [s, t, r]
    };
    let query = TextureQuery {
        unit: step.number,
        target: TextureTarget::Bound,
        lookup: Lookup::sample(coords, projected, level(q)),
        stage: machine.stage,
        active: machine.active_lanes(),
    };
    // A run does not begin before all units that the program names are bound.
    if let Some(textures) = machine.bindings.textures() {
        machine.write(step, to_floats(&textures.answer(&query)));
    }
}

fn tex(machine: &mut Machine<'_>, step: &Step) {
    sample(machine, step, false, |_| LevelOfDetail::Implicit);
}

fn txb(machine: &mut Machine<'_>, step: &Step) {
    sample(machine, step, false, LevelOfDetail::Bias);
}

fn txl(machine: &mut Machine<'_>, step: &Step) {
    sample(machine, step, false, LevelOfDetail::Explicit);
}

fn txp(machine: &mut Machine<'_>, step: &Step) {
    sample(machine, step, true, |_| LevelOfDetail::Implicit);
}

/// The index is the raw bits of slot x (D40).
fn lda(machine: &mut Machine<'_>, step: &Step) {
    let index = each(machine.float(step, 0, 0), f32::to_bits);
    let wanted = machine.enabled_lanes(step);
    let value = match machine.bindings.attributes() {
        Some(attributes) => attributes.fetch(step.number, index, wanted),
        None => DEFAULT_ATTRIBUTE.map(|component| [component; LANES]),
    };
    machine.write(step, value);
}
