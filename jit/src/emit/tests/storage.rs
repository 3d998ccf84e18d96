//! Accesses to storage buffers, inside and outside of them, by lanes that meet at words.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use attila_isa::Slots;
use attila_machine::LaneMask;

use super::*;
use crate::abi::{StorageAccess, StorageKind};
use crate::ir::Binary;

const BUFFER: u8 = 2;

/// The words of the buffer.
const WORDS: [u32; 6] = [10, 0x8000_0001, 7, u32::MAX, 0, 12];

/// Addresses, values and which lanes are active, four at a time.
const LANES_OF_QUADS: [[u32; 3]; 12] = [
    [0, 5, 1],
    [4, 0x8000_0000, 1],
    [0, 7, 1],
    [3, u32::MAX, 1],
    // The end of the buffer, and past it.
    [20, 1, 1],
    [12, 2, 1],
    [24, 3, 1],
    [u32::MAX, 4, 1],
    [0, 9, 0],
    [1 << 31, 9, 1],
    [8, 10, 0],
    [16, 0, 1],
];

fn buffer() -> Arc<[AtomicU32]> {
    WORDS.map(AtomicU32::new).into()
}

fn words(buffer: &[AtomicU32]) -> Vec<u32> {
    buffer.iter().map(|word| word.load(Relaxed)).collect()
}

/// Input 0 is the address, input 1 the first value, of which the others are made; input 2 says which
/// lanes are active. The results go to outputs 0 to 3.
fn function(access: StorageAccess) -> Function {
    let mut maker = Maker::new();
    let (none, step) = (maker.bits(0, Type::I32), maker.bits(3, Type::I32));
    let address = maker.input(0, Type::I32);
    let value = maker.input(1, Type::I32);
    let active = maker.input(2, Type::I32);
    let mask = maker.push(Op::Binary(Binary::Ilt), [none, active]);
    let mut values = [value; 4];
    for n in 1..4 {
        values[n] = maker.push(Op::Binary(Binary::Iadd), [values[n - 1], step]);
    }
    let [a, b, c, d] = values;
    let whole = maker.push(Op::Storage(access), [address, mask, a, b, c, d]);
    for part in 0..4 {
        let result = maker.push(Op::Extract(part), [whole]);
        maker.output(part, result);
    }
    maker.function
}

/// The results of [`function`] for a quad, and what it does to words.
fn expected(access: StorageAccess, lanes: &[[u32; 3]], buffer: &[AtomicU32]) -> [[u32; 4]; 4] {
    let input = |n: usize| std::array::from_fn(|lane| lanes[lane][n]);
    let [address, first, active]: [[u32; 4]; 3] = [0, 1, 2].map(input);
    let values = [0, 3, 6, 9].map(|more: u32| first.map(|first| first.wrapping_add(more)));
    let mask = LaneMask::from_lanes(active.map(|active| active != 0));
    access.perform(buffer, mask, address, values)
}

#[test]
fn every_access_does_what_it_says_and_touches_nothing_else() {
    for (kind, name) in StorageKind::ALL {
        let access = StorageAccess {
            kind,
            buffer: BUFFER,
            written: Slots::X | Slots::Y | Slots::W,
        };
        let function = function(access);
        for machine in machines(&function) {
            let code = compile(&function, machine, 1);
            let buffers = [0, 1].map(|_| buffer());
            let [seen, reference] = &buffers;
            let neighbour = buffer();
            let bindings = Bindings::new()
                .with_storage(BUFFER.into(), Arc::clone(seen))
                .with_storage(usize::from(BUFFER) - 1, Arc::clone(&neighbour));
            let mut quads = quads_of(&LANES_OF_QUADS);
            assert_eq!(run(&*code, &bindings, &mut quads), Ok(()));
            for (quad, lanes) in quads.iter().zip(LANES_OF_QUADS.chunks(4)) {
                let results = [0, 1, 2, 3].map(|output: usize| quad.outputs[output][0]);
                let expected = expected(access, lanes, reference);
                assert_eq!(results, expected, "{name} on {machine:?} for {lanes:?}");
            }
            assert_eq!(words(seen), words(reference), "{name} on {machine:?}");
            assert_eq!(words(&neighbour), WORDS, "{name} on {machine:?}");
        }
    }
}

#[test]
fn a_buffer_that_is_not_bound_has_no_words() {
    for kind in [StorageKind::Load, StorageKind::Store, StorageKind::Add] {
        let access = StorageAccess {
            kind,
            buffer: BUFFER,
            written: Slots::X | Slots::Y,
        };
        let function = function(access);
        for machine in machines(&function) {
            let code = compile(&function, machine, 1);
            let mut quads = quads_of(&LANES_OF_QUADS);
            assert_eq!(run(&*code, &Bindings::new(), &mut quads), Ok(()));
            let outputs = quads.iter().map(|quad| quad.outputs[0][0]);
            assert!(
                outputs.flatten().all(|word| word == 0),
                "{kind:?} {machine:?}"
            );
        }
    }
}
