//! Vertices that geometry programs make. Unless something takes them, they are dropped.

use attila_isa::GeometryOp;

use crate::machine::Machine;
use crate::ops::Action;
use crate::prepare::Step;

/// The function that carries out `op`.
pub(super) fn action(op: GeometryOp) -> Action {
    match op {
        GeometryOp::Emit => emit,
        GeometryOp::Endprim => endprim,
    }
}

/// The outputs keep their values: the next vertex begins with them.
fn emit(machine: &mut Machine<'_>, step: &Step) {
    let Some(vertices) = machine.bindings.vertices() else {
        return;
    };
    for (register, value) in machine.outputs() {
        vertices.output(register as u8, value);
    }
    vertices.emit(step.number, machine.enabled_lanes(step));
}

fn endprim(machine: &mut Machine<'_>, step: &Step) {
    if let Some(vertices) = machine.bindings.vertices() {
        vertices.end_primitive(step.number, machine.enabled_lanes(step));
    }
}
