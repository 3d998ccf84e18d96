//! Opcodes that ask what is bound: texture units and vertex attributes.

use std::array::from_fn;

use attila_isa::TextureOp as Asks;
use attila_machine::{DEFAULT_ATTRIBUTE, LANES, LaneMask, Lanes, TextureOp, TextureRequest};

use crate::lanes::each;
use crate::machine::Machine;
use crate::ops::Action;
use crate::prepare::Step;

/// The function that carries out `op`.
pub(super) fn action(op: Asks) -> Action {
    match op {
        Asks::Tex => tex,
        Asks::Txb => txb,
        Asks::Txl => txl,
        Asks::Txp => txp,
        Asks::Lda => lda,
    }
}

/// Whatever the guard, the request is made, for all lanes: derivatives need the coordinates.
fn sample(machine: &mut Machine<'_>, step: &Step, op: TextureOp) {
    let [s, t, r, q] = machine.floats(step, 0);
    let divided = |c: Lanes<f32>| from_fn(|lane| c[lane] / q[lane]);
    let (coords, param) = match op {
        TextureOp::Tex => ([s, t, r], [0.0; LANES]),
        TextureOp::Txb | TextureOp::Txl => ([s, t, r], q),
        TextureOp::Txp => ([s, t, r].map(divided), [0.0; LANES]),
    };
    let request = TextureRequest {
        op,
        unit: step.number,
        coords,
        param,
        stage: machine.stage,
        active: machine.active_lanes(),
    };
    // A run does not begin before all units that the program names are bound.
    if let Some(textures) = machine.bindings.textures() {
        machine.write(step, textures.sample(&request));
    }
}

fn tex(machine: &mut Machine<'_>, step: &Step) {
    sample(machine, step, TextureOp::Tex);
}

fn txb(machine: &mut Machine<'_>, step: &Step) {
    sample(machine, step, TextureOp::Txb);
}

fn txl(machine: &mut Machine<'_>, step: &Step) {
    sample(machine, step, TextureOp::Txl);
}

fn txp(machine: &mut Machine<'_>, step: &Step) {
    sample(machine, step, TextureOp::Txp);
}

/// The index is the raw bits of slot x (D40).
fn lda(machine: &mut Machine<'_>, step: &Step) {
    let index = each(machine.float(step, 0, 0), f32::to_bits);
    let wanted = LaneMask::from_lanes(each(machine.enabled(step), |lane| lane != 0));
    let value = match machine.bindings.attributes() {
        Some(attributes) => attributes.fetch(step.number, index, wanted),
        None => DEFAULT_ATTRIBUTE.map(|component| [component; LANES]),
    };
    machine.write(step, value);
}
