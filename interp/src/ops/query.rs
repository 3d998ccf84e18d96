//! Questions to texture units that name a target.

use std::array::from_fn;

use attila_machine::{
    Gradients, LANES, LaneMask, Lanes, LevelOfDetail, Lookup, Offset, QuadReg, TextureQuery,
    to_floats,
};

use crate::lanes::{Floats, each};
use crate::machine::Machine;
use crate::prepare::Step;

/// The texture's answer for all lanes, whether the guard is true or not: derivatives need the
/// coordinates. A unit that is not bound gives 0.
fn ask(machine: &Machine<'_>, step: &Step, lookup: Lookup) -> QuadReg {
    let Some((texture, address)) = step.texture else {
        unreachable!("the instruction names a texture")
    };
    let answer = |unit: i64, active: LaneMask| {
        let textures = machine.bindings.textures();
        let unit = u8::try_from(unit).ok();
        let bound = textures.zip(unit.filter(|&unit| textures.is_some_and(|t| t.has_unit(unit))));
        let (textures, unit) = bound?;
        Some(textures.answer(&TextureQuery {
            unit,
            target: texture.target,
            lookup,
            stage: machine.stage,
            active,
        }))
    };
    let (first, active) = (i64::from(texture.unit), machine.active_lanes());
    let Some(address) = address else {
        return answer(first, active).unwrap_or_default();
    };
    // Each lane has its own unit; lanes that agree ask together.
    let units = machine
        .address(address)
        .map(|added| first + i64::from(added));
    let mut result = QuadReg::default();
    let mut waiting = active;
    while let Some(lane) = (0..LANES).find(|&lane| waiting.has(lane)) {
        let alike = LaneMask::from_lanes(from_fn(|other| units[other] == units[lane])) & waiting;
        let words = answer(units[lane], alike).unwrap_or_default();
        for lane in (0..LANES).filter(|&lane| alike.has(lane)) {
            for (slot, words) in result.iter_mut().zip(&words) {
                slot[lane] = words[lane];
            }
        }
        waiting -= alike;
    }
    result
}

fn write(machine: &mut Machine<'_>, step: &Step, lookup: Lookup) {
    let answer = ask(machine, step, lookup);
    machine.write(step, to_floats(&answer));
}

/// Operand 3, if it is there.
fn offset(machine: &Machine<'_>, step: &Step) -> Option<Offset> {
    let [x, y, z, _] = machine.ints(step, 2);
    step.present[2].then(|| [x, y, z].map(|axis| axis.map(u32::cast_signed)))
}

/// Slot x of operand 2, if it is there.
fn reference(machine: &Machine<'_>, step: &Step) -> Option<Lanes<f32>> {
    step.present[1].then(|| machine.float(step, 1, 0))
}

fn sample(
    machine: &mut Machine<'_>,
    step: &Step,
    level: LevelOfDetail,
    reference: Option<Lanes<f32>>,
) {
    let lookup = Lookup::Sample {
        coords: machine.floats(step, 0),
        projected: false,
        level,
        reference,
        offset: offset(machine, step),
    };
    write(machine, step, lookup);
}

pub(super) fn xtex(machine: &mut Machine<'_>, step: &Step) {
    let zero = step.texture.is_some_and(|(texture, _)| texture.level_zero);
    let level = match zero {
        true => LevelOfDetail::Explicit([0.0; LANES]),
        false => LevelOfDetail::Implicit,
    };
    let reference = reference(machine, step);
    sample(machine, step, level, reference);
}

pub(super) fn xtxb(machine: &mut Machine<'_>, step: &Step) {
    let bias = machine.float(step, 1, 0);
    sample(machine, step, LevelOfDetail::Bias(bias), None);
}

pub(super) fn xtxl(machine: &mut Machine<'_>, step: &Step) {
    let level = machine.float(step, 1, 0);
    sample(machine, step, LevelOfDetail::Explicit(level), None);
}

pub(super) fn xtxd(machine: &mut Machine<'_>, step: &Step) {
    let three = |[x, y, z, _]: Floats| [x, y, z];
    let gradients = Gradients {
        dx: three(machine.floats(step, 1)),
        dy: three(machine.floats_after(step, 1)),
    };
    sample(machine, step, LevelOfDetail::Gradients(gradients), None);
}

pub(super) fn txf(machine: &mut Machine<'_>, step: &Step) {
    let lookup = Lookup::Fetch {
        at: each(machine.ints(step, 0), |slot| slot.map(u32::cast_signed)),
        offset: offset(machine, step),
    };
    write(machine, step, lookup);
}

pub(super) fn txq(machine: &mut Machine<'_>, step: &Step) {
    let level = machine.int(step, 0, 0).map(u32::cast_signed);
    let answer = ask(machine, step, Lookup::Size { level });
    machine.store(step, answer);
}

pub(super) fn tg4(machine: &mut Machine<'_>, step: &Step) {
    let Some((texture, _)) = step.texture else {
        unreachable!("the instruction names a texture")
    };
    let lookup = Lookup::Gather {
        coords: machine.floats(step, 0),
        component: texture.gather,
        reference: reference(machine, step),
        offset: offset(machine, step),
    };
    write(machine, step, lookup);
}

pub(super) fn lodq(machine: &mut Machine<'_>, step: &Step) {
    let coords = machine.floats(step, 0);
    write(machine, step, Lookup::LevelOfDetail { coords });
}

pub(super) fn txqs(machine: &mut Machine<'_>, step: &Step) {
    let answer = ask(machine, step, Lookup::Samples);
    machine.store(step, answer);
}
