//! Storage buffers. The lanes of a quad take turns in their order, and each does all of the instruction.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use attila_isa::{Component, StorageOp};
use attila_machine::{LANES, Lanes, QuadReg};

use crate::machine::Machine;
use crate::ops::Action;
use crate::prepare::Step;

/// Slots x and y, which addresses and values take.
const X: usize = 0;
const Y: usize = 1;
/// The operand that is a value.
const VALUE: usize = 2;
/// Bytes of a word.
const WORD: u32 = 4;

/// The function that carries out `op`.
pub(super) fn action(op: StorageOp) -> Action {
    match op {
        StorageOp::Ldb => ldb,
        StorageOp::Stb => stb,
        StorageOp::Atomadd => |m, s| atomic(m, s, |old, [a, _]| old.wrapping_add(a)),
        StorageOp::Atomxchg => |m, s| atomic(m, s, |_, [a, _]| a),
        StorageOp::Atomcas => |m, s| atomic(m, s, |old, [a, b]| if old == a { b } else { old }),
        StorageOp::Atomand => |m, s| atomic(m, s, |old, [a, _]| old & a),
        StorageOp::Atomor => |m, s| atomic(m, s, |old, [a, _]| old | a),
        StorageOp::Atomxor => |m, s| atomic(m, s, |old, [a, _]| old ^ a),
        StorageOp::Atomumin => |m, s| atomic(m, s, |old, [a, _]| old.min(a)),
        StorageOp::Atomumax => |m, s| atomic(m, s, |old, [a, _]| old.max(a)),
        StorageOp::Atomimin => |m, s| atomic(m, s, |old, [a, _]| signed(old, a, i32::min)),
        StorageOp::Atomimax => |m, s| atomic(m, s, |old, [a, _]| signed(old, a, i32::max)),
        StorageOp::Bufsize => bufsize,
    }
}

fn signed(a: u32, b: u32, op: fn(i32, i32) -> i32) -> u32 {
    op(a.cast_signed(), b.cast_signed()).cast_unsigned()
}

/// The word that a byte belongs to, or one after it.
fn word<'a>(
    machine: &'a Machine<'_>,
    step: &Step,
    byte: u32,
    after: usize,
) -> Option<&'a AtomicU32> {
    let words = machine.bindings.storage(usize::from(step.number));
    words.get((byte / WORD) as usize + after)
}

fn ldb(machine: &mut Machine<'_>, step: &Step) {
    let address = machine.int(step, 0, X);
    let mut loaded = QuadReg::default();
    for lane in 0..LANES {
        for (component, lanes) in loaded.iter_mut().enumerate() {
            let word = word(machine, step, address[lane], component);
            lanes[lane] = word.map_or(0, |word| word.load(Relaxed));
        }
    }
    machine.store(step, loaded);
}

fn stb(machine: &mut Machine<'_>, step: &Step) {
    let (address, values) = (machine.int(step, 0, X), machine.ints(step, VALUE));
    let enabled = machine.enabled(step);
    for lane in (0..LANES).filter(|&lane| enabled[lane] != 0) {
        for component in step.mask.components().map(Component::index) {
            if let Some(word) = word(machine, step, address[lane], component) {
                word.store(values[component][lane], Relaxed);
            }
        }
    }
}

/// Replaces a word by what `op` makes of it and the value's slots x and y, and gives the old one.
fn atomic(machine: &mut Machine<'_>, step: &Step, op: impl Fn(u32, [u32; 2]) -> u32) {
    let (address, values) = (machine.int(step, 0, X), machine.ints(step, VALUE));
    let enabled = machine.enabled(step);
    let mut old: Lanes<u32> = [0; LANES];
    for lane in (0..LANES).filter(|&lane| enabled[lane] != 0) {
        if let Some(word) = word(machine, step, address[lane], 0) {
            let operands = [values[X][lane], values[Y][lane]];
            let mut before = word.load(Relaxed);
            while let Err(now) =
                word.compare_exchange_weak(before, op(before, operands), Relaxed, Relaxed)
            {
                before = now;
            }
            old[lane] = before;
        }
    }
    machine.store(step, [old; 4]);
}

fn bufsize(machine: &mut Machine<'_>, step: &Step) {
    let words = machine.bindings.storage(usize::from(step.number)).len();
    machine.store(step, [[words as u32 * WORD; LANES]; 4]);
}
