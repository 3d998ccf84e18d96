//! The first difference between two runs.

use std::ops::Range;

use attila_scene::directives::Order;
use attila_shader::isa::{Bank, Profile, Reg};
use attila_shader::machine::{
    Lanes, Meaning, QuadRecord, QuadReg, QuadState, RunError, StateName, StateWord,
};

use super::player::Player;
use super::{Difference, Extent, Form, Request};
use crate::generate::Named;
use crate::nan_payload::NanFlow;

/// A word, a lane and the two values that it has.
type Found = (StateWord, usize, [u32; 2]);

/// The common part of two runs, and how they are compared.
pub(super) struct Compared<'a> {
    pub(super) flow: &'a NanFlow,
    pub(super) named: &'a Named,
    pub(super) order: Order,
    pub(super) form: Form,
    /// The quads that were run.
    pub(super) quads: Range<usize>,
    pub(super) extent: Extent,
}

impl Compared<'_> {
    /// The first difference between the last runs of two engines.
    pub(super) fn find(&self, [a, b]: [&Player; 2]) -> Option<Difference> {
        if a.result != b.result {
            return Some(Difference::End {
                quad: self.quads.start,
                results: [a.result.clone(), b.result.clone()],
            });
        }
        let complete = match &a.result {
            Ok(()) => self.quads.len(),
            Err(RunError::LoopBudget { quad, .. }) => *quad,
            // Nothing ran: what was there must still be there.
            Err(_) => self.quads.len(),
        };
        for quad in self.quads.clone().take(complete) {
            if let Some((word, lane, words)) = self.quad([a, b], quad) {
                return Some(Difference::Word {
                    quad,
                    lane,
                    word,
                    words,
                });
            }
        }
        if a.result.is_err() {
            // How far the quads after the failing one came is unspecified.
            return None;
        }
        let may_ask_again = self.form == Form::Columns && self.order == Order::Any;
        storage(a, b).or_else(|| match may_ask_again {
            true => None,
            false => self.request([&a.requests, &b.requests]),
        })
    }

    fn quad(&self, [a, b]: [&Player; 2], quad: usize) -> Option<Found> {
        match (self.form.is_stateful(), self.extent) {
            (true, Extent::All) => state(self.flow, a.state(quad), b.state(quad)),
            (true, Extent::Named) => named(self.flow, self.named, [a.state(quad), b.state(quad)]),
            (false, _) => a.record(
                b,
                quad,
                |a, b| record(self.flow, a, b),
                |a, b| record(self.flow, a, b),
            ),
        }
    }

    /// Quads that run together may ask in any order among each other. Where any order will do, the last of them may
    /// ask more than once, and questions of quads that are not there come up; only runs of whole vectors have none.
    fn request(&self, [a, b]: [&[Request]; 2]) -> Option<Difference> {
        let in_order = |requests: &[Request]| {
            let mut requests = requests.to_vec();
            if self.order == Order::Any || self.form != Form::OneByOne {
                requests.sort_unstable();
            }
            requests
        };
        if a == b {
            return None;
        }
        let (a, mut b) = (in_order(a), in_order(b));
        if self.order == Order::Any && !self.quads.len().is_multiple_of(MOST_QUADS_OF_A_VECTOR) {
            b = asked_by(&a, b);
        }
        let number = (0..a.len().max(b.len())).find(|&n| a.get(n) != b.get(n))?;
        Some(Difference::Request {
            number,
            requests: [a.get(number).cloned(), b.get(number).cloned()],
        })
    }
}

/// Quads of a vector, the most that there are.
const MOST_QUADS_OF_A_VECTOR: usize = 4;

/// The questions among `b` that are also among `a`, each as often at most. Both are sorted.
fn asked_by(a: &[Request], b: Vec<Request>) -> Vec<Request> {
    let mut wanted = a.iter().peekable();
    let mut kept = Vec::new();
    for request in b {
        while wanted.next_if(|next| **next < request).is_some() {}
        if wanted.next_if(|next| **next == request).is_some() {
            kept.push(request);
        }
    }
    kept
}

fn storage(a: &Player, b: &Player) -> Option<Difference> {
    let mut buffers = a.storage.iter().zip(&b.storage);
    buffers.find_map(|((buffer, a), (_, b))| {
        let index = (0..a.len()).find(|&index| a[index] != b[index])?;
        Some(Difference::Storage {
            buffer: *buffer,
            index,
            words: [a[index], b[index]],
        })
    })
}

/// The first word in which two states differ.
fn state(flow: &NanFlow, a: &QuadState, b: &QuadState) -> Option<Found> {
    if is_same(a, b) {
        return None;
    }
    StateWord::changed().find_map(|word| differs(flow, word, word.get(a), word.get(b)))
}

/// Whether two states are equal, of which most words are those of registers.
fn is_same(a: &QuadState, b: &QuadState) -> bool {
    words(&a.regs.temps) == words(&b.regs.temps)
        && words(&a.io.outputs) == words(&b.io.outputs)
        && words(&a.io.inputs) == words(&b.io.inputs)
        && words(&a.regs.addresses) == words(&b.regs.addresses)
        && has_same_rest(a, b)
}

/// Words without gaps: slices of words are compared as memory.
fn words(registers: &[QuadReg]) -> &[u32] {
    registers.as_flattened().as_flattened()
}

/// Whether what has no register's name is equal in two states.
fn has_same_rest(a: &QuadState, b: &QuadState) -> bool {
    a.regs.predicates == b.regs.predicates
        && a.regs.accumulator == b.regs.accumulator
        && a.regs.sample == b.regs.sample
        && a.io.kill == b.io.kill
        && a.io.depth == b.io.depth
}

/// The same of the registers that are named, and of what has no name.
fn named(flow: &NanFlow, named: &Named, [a, b]: [&QuadState; 2]) -> Option<Found> {
    let found = named.registers().find_map(|(bank, index)| {
        let [a, b] = [a, b].map(|state| Named::register(state, bank, index));
        register(flow, (bank, index), a, b)
    });
    found.or_else(|| match has_same_rest(a, b) {
        true => None,
        false => state(flow, a, b),
    })
}

/// The first word in which two records differ.
fn record<const I: usize, const O: usize>(
    flow: &NanFlow,
    a: &QuadRecord<I, O>,
    b: &QuadRecord<I, O>,
) -> Option<Found> {
    if a == b {
        return None;
    }
    let bank = |bank: Bank, a: &[QuadReg], b: &[QuadReg]| {
        let mut pairs = a.iter().zip(b).enumerate();
        pairs.find_map(|(index, (a, b))| register(flow, (bank, index), a, b))
    };
    let outputs = bank(Bank::Output, &a.outputs, &b.outputs);
    let depths = || {
        let mut pairs = (0..).zip(a.depth.iter().zip(&b.depth));
        pairs.find_map(|(sample, (a, b))| name(flow, StateName::Depth(sample), *a, *b))
    };
    outputs
        .or_else(|| name(flow, StateName::Kill, a.kill, b.kill))
        .or_else(depths)
        .or_else(|| bank(Bank::Input, &a.inputs, &b.inputs))
}

fn name(flow: &NanFlow, name: StateName, a: Lanes<u32>, b: Lanes<u32>) -> Option<Found> {
    name.words().find_map(|word| differs(flow, word, a, b))
}

fn register(
    flow: &NanFlow,
    (bank, index): (Bank, usize),
    a: &QuadReg,
    b: &QuadReg,
) -> Option<Found> {
    if a == b {
        return None;
    }
    let reg = Reg::within(Profile::Extended, bank, index as u16)?;
    let mut words = StateName::Register(reg).words().zip(a.iter().zip(b));
    words.find_map(|(word, (a, b))| differs(flow, word, *a, *b))
}

fn differs(flow: &NanFlow, word: StateWord, a: Lanes<u32>, b: Lanes<u32>) -> Option<Found> {
    let lane = (0..a.len()).find(|&lane| !same(flow, word, a[lane], b[lane]))?;
    Some((word, lane, [a[lane], b[lane]]))
}

/// Whether two values of a word count as the same.
pub(crate) fn same(flow: &NanFlow, word: StateWord, a: u32, b: u32) -> bool {
    let by_class = || match word.register() {
        Some((reg, c)) => flow.components(reg).has(c),
        None => word.name().meaning() == Meaning::Float,
    };
    a == b || (f32::from_bits(a).is_nan() && f32::from_bits(b).is_nan() && by_class())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(streams: &[u8]) -> Vec<Request> {
        let end = |&stream: &u8| Request::EndPrimitive { stream, lanes: 1 };
        streams.iter().map(end).collect()
    }

    #[test]
    fn questions_of_copies_of_quads_do_not_count() {
        let a = ends(&[0, 1, 1, 3]);
        for (b, kept) in [
            (&[0, 0, 1, 1, 2, 3, 4][..], &[0, 1, 1, 3][..]),
            (&[0, 1, 2, 3], &[0, 1, 3]),
            (&[2], &[]),
            (&[], &[]),
        ] {
            assert_eq!(asked_by(&a, ends(b)), ends(kept));
        }
    }
}
