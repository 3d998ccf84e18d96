//! Calls by code in a memory of its own.

use std::ptr;

use attila_machine::Fixed;

use super::{
    Accumulator, Context, Entry, Vectors, ask, attribute, double, fixed_mul, fixed_mul_add,
    fixed_result, floor, fma, inputs, nearest, slow, texture, vertices,
};
use crate::abi::Arguments;

impl Entry {
    /// Does what code calls the entry for. `memory` is a copy of the part that the entry works on.
    pub(crate) fn call(
        self,
        of: &Context<'_>,
        memory: &mut Arguments,
        site: u64,
        vectors: &mut Vectors,
    ) {
        match self {
            Entry::Fma => fma(of, ptr::null(), site, vectors),
            Entry::Floor => floor(of, ptr::null(), site, vectors),
            Entry::Nearest => nearest(of, ptr::null(), site, vectors),
            Entry::Double => double(of, ptr::null(), site, vectors),
            Entry::Slow => slow(of, ptr::null(), site, vectors),
            Entry::Texture => texture(of, ptr::null(), site, vectors),
            Entry::Ask => ask(of, memory, site, vectors),
            Entry::Attribute => attribute(of, ptr::null(), site, vectors),
            Entry::Evaluate => inputs::evaluate(of, ptr::null(), site, vectors),
            Entry::Output => vertices::output(of, ptr::null(), site, vectors),
            Entry::EmitVertex => vertices::emit_vertex(of, ptr::null(), site, vectors),
            Entry::EndPrimitive => vertices::end_primitive(of, ptr::null(), site, vectors),
            Entry::FixedMul => accumulate(memory, |at| fixed_mul(of, at, site, vectors)),
            Entry::FixedMulAdd => accumulate(memory, |at| fixed_mul_add(of, at, site, vectors)),
            Entry::FixedResult => accumulate(memory, |at| fixed_result(of, at, site, vectors)),
        }
    }
}

/// Works on a component of the accumulator, which has a vector of words for each lane.
fn accumulate(memory: &mut Arguments, work: impl FnOnce(&mut Accumulator)) {
    let long = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
    let mut accumulator = [0, 1, 2, 3].map(|lane| {
        let [a, b, c, d] = memory[lane];
        Fixed {
            magnitude: long(a, b),
            negative: long(c, d),
        }
    });
    work(&mut accumulator);
    for (words, number) in memory.iter_mut().zip(accumulator) {
        let Fixed {
            magnitude,
            negative,
        } = number;
        let halves = [magnitude, negative].map(|half| [half as u32, (half >> 32) as u32]);
        words.copy_from_slice(halves.as_flattened());
    }
}
