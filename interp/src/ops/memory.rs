//! Memory: scratch vectors, which every lane has for itself, and constant buffers.

use attila_isa::{Component, MemoryOp};
use attila_machine::{LANES, from_lanes, to_floats};

use crate::lanes::each;
use crate::machine::Machine;
use crate::ops::Action;
use crate::prepare::Step;

/// Slot x, the one that indices take.
const X: usize = 0;

/// The function that carries out `op`.
pub(super) fn action(op: MemoryOp) -> Action {
    match op {
        MemoryOp::Ldt => ldt,
        MemoryOp::Stt => stt,
        MemoryOp::Ldc => ldc,
    }
}

/// The scratch vector that `index` names. `None` outside of the step's array.
fn scratch_vector(step: &Step, index: u32) -> Option<usize> {
    let within = index < u32::from(step.array.size);
    within.then(|| usize::from(step.array.base) + index as usize)
}

fn ldt(machine: &mut Machine<'_>, step: &Step) {
    let index = machine.int(step, 0, X);
    let vector = |lane: usize| match scratch_vector(step, index[lane]) {
        Some(place) => machine.scratch[place].map(|component| component[lane]),
        None => [0; 4],
    };
    let loaded = from_lanes(std::array::from_fn::<_, LANES, _>(vector));
    machine.write(step, to_floats(&loaded));
}

/// The bits are stored as they are.
fn stt(machine: &mut Machine<'_>, step: &Step) {
    let (index, value) = (machine.int(step, 0, X), machine.floats(step, 1));
    let enabled = machine.enabled(step);
    for lane in (0..LANES).filter(|&lane| enabled[lane] != 0) {
        let Some(place) = scratch_vector(step, index[lane]) else {
            continue;
        };
        for component in step.mask.components().map(Component::index) {
            machine.scratch[place][component][lane] = value[component][lane].to_bits();
        }
    }
}

fn ldc(machine: &mut Machine<'_>, step: &Step) {
    let buffer = machine.bindings.buffers()[usize::from(step.number)];
    let vector = |index: u32| buffer.get(index as usize).copied().unwrap_or_default();
    let loaded = from_lanes(each(machine.int(step, 0, X), vector));
    machine.write(step, to_floats(&loaded));
}
