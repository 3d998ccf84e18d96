//! Approximations, recorded as lane IR, compute the same bits as on the host.

use attila_machine::Bindings;
use attila_machine::sweep::Function as Approximation;

use super::{compile, machines_for, results};
use crate::abi::Slot;
use crate::ir::{Builder, Function, Terminator};

/// The approximation of input 0, in output 0.
fn recorded(approximation: Approximation) -> Function {
    let [input, output] = [
        Slot::Input {
            reg: 0,
            component: 0,
        },
        Slot::Output {
            reg: 0,
            component: 0,
        },
    ];
    let mut b = Builder::new();
    let x = b.load(input);
    let result = approximation.apply(&mut b, x);
    b.store(output, result);
    b.close(Terminator::Done);
    b.finish()
}

/// Bits of every exponent and sign, and those of quarters of turns with their neighbours.
fn arguments() -> Vec<[u32; 1]> {
    let all = (0..=u32::MAX).step_by(400_009);
    let quarters = (0..=64u8).map(|k| (f32::from(k) / 4.0).to_bits());
    let beside = quarters.flat_map(|bits| [bits.wrapping_sub(1), bits, bits + 1]);
    let special = [f32::INFINITY, f32::MAX, f32::MIN_POSITIVE].map(f32::to_bits);
    let positive = beside.chain(special);
    let both = positive.flat_map(|bits| [bits, bits ^ 1 << 31]);
    all.chain(both).map(|bits| [bits]).collect()
}

#[test]
fn recorded_approximations_compute_the_bits_of_the_host() {
    let arguments = arguments();
    for approximation in Approximation::ALL {
        let function = recorded(approximation);
        for (machine, quads) in machines_for(&function, [1, 2]) {
            let code = compile(&function, machine, quads);
            let words = results(&*code, &Bindings::new(), &arguments).expect("nothing loops");
            for (&[bits], word) in arguments.iter().zip(words) {
                let [expected] = approximation.approximate([f32::from_bits(bits)]);
                let same = word == expected.to_bits()
                    || f32::from_bits(word).is_nan() && expected.is_nan();
                let name = approximation.name();
                assert!(
                    same,
                    "{name} of {bits:#010x}: {word:#010x}, {machine:?}, {quads} quads"
                );
            }
        }
    }
}
