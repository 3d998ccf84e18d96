//! a * b + c, rounded once, with and without an instruction for it.
//!
//! Without one, it is computed in f64, in which products of f32 are exact. A sum that has lost bits is rounded twice,
//! which is wrong where it lies in the middle between two f32, or where the result is denormal, whose middles are others.
//! Rounding the sum to odd is right in every case ([`attila_machine::arith`] has the same steps for a lane).

use std::ops::Range;

use wasm_encoder::{BlockType, ValType};

use super::Wasm;
use super::calls::Callee;
use super::function::{Body, Emission};
use super::locals::Local;
use super::ops::{EVEN, LOW_HALVES};
use crate::abi::RecordLayout;
use crate::emit::plan::Plan;
use crate::ir::{Function, Value};

/// The bits of an f64 below the last of an f32.
const LOST: u32 = 0x1fff_ffff;
/// The first of them.
const MIDDLE: u32 = 0x1000_0000;
/// Lanes 2 and 3 as the first two.
const UPPER: [u8; 4] = [2, 3, 2, 3];

/// The parameters of [`Callee::Fused`]: a, b, c.
pub(super) const PARAMETERS: [ValType; 3] = [ValType::V128; 3];

/// The body of [`Callee::Fused`].
pub(super) fn body() -> Body {
    let function = Function::empty();
    let options = Wasm { fused: false };
    let plan = Plan::new(&function, &options.vectors());
    let (parameters, layout) = (PARAMETERS.len(), RecordLayout::Io);
    let mut emission = Emission::new(options, (&function, &plan), (parameters, layout), 1);
    emission.fused([0, 1, 2].map(Local));
    emission.ins().end();
    emission.finish()
}

impl Emission<'_> {
    /// A value of some quads: where rounding twice may be wrong for any of them, which is rare, a function is called.
    pub(super) fn fma(&mut self, value: Value, quads: Range<usize>) {
        let of: [Value; 3] = self.function.node(value).operands.array();
        if self.options.fused {
            for quad in quads {
                self.quad = quad;
                of.into_iter().for_each(|value| self.get(value));
                self.ins().f32x4_relaxed_madd();
                self.set(value);
            }
            return;
        }
        let mut made = Vec::new();
        for quad in quads.clone() {
            self.quad = quad;
            let of = of.map(|value| self.local(value));
            let sums = [0, 1].map(|half| {
                self.sum(of, half);
                self.vector()
            });
            self.demoted(sums);
            let result = self.vector();
            self.may_be_wrong(sums, result);
            if !made.is_empty() {
                self.ins().v128_or();
            }
            made.push((of, result));
        }
        self.ins().v128_any_true().if_(BlockType::Empty);
        for (of, result) in &made {
            of.iter().for_each(|operand| self.push(*operand));
            self.call_function(Callee::Fused);
            self.ins().local_set(result.0);
        }
        self.ins().end();
        for (quad, (_, result)) in quads.zip(made) {
            self.quad = quad;
            self.push(result);
            self.set(value);
        }
    }

    /// The operation by the steps that are right in every case.
    fn fused(&mut self, of: [Local; 3]) {
        let sums = [0, 1].map(|half| {
            self.sum_to_odd(of, half);
            self.vector()
        });
        self.demoted(sums);
    }

    /// Products of vectors and weights, which are the same in all lanes, added one after the other, onto a vector if there is
    /// one. Each sum is rounded once. `are_bytes`: the vectors hold whole numbers of 8 bits.
    pub(super) fn weighted(
        &mut self,
        onto: Option<Local>,
        terms: [[Local; 2]; 4],
        are_bytes: bool,
    ) {
        if self.options.fused {
            return self.one_by_one(onto, terms, |it| {
                it.ins().f32x4_relaxed_madd();
            });
        }
        self.literal(0);
        let doubts = self.vector();
        let halves =
            [0, 1].map(|half| self.weighted_half((onto, half), terms, (doubts, are_bytes)));
        halves.into_iter().for_each(|half| self.push(half));
        self.shuffle_words(LOW_HALVES);
        let result = self.vector();
        self.push(doubts);
        self.ins().v128_any_true().if_(BlockType::Empty);
        self.one_by_one(onto, terms, |it| it.call_function(Callee::Fused));
        self.ins().local_set(result.0).end();
        self.push(result);
    }

    /// The same by an operation on three vectors.
    fn one_by_one(&mut self, onto: Option<Local>, terms: [[Local; 2]; 4], fma: impl Fn(&mut Self)) {
        for (number, term) in terms.into_iter().enumerate() {
            let sum = if number == 0 {
                onto
            } else {
                Some(self.vector())
            };
            term.into_iter().for_each(|it| self.push(it));
            match sum {
                Some(sum) => {
                    self.push(sum);
                    fma(self);
                }
                None => self.then(|i| i.f32x4_mul()),
            }
        }
    }

    /// Two lanes of the result, in f64 in between. Notes where some sum may be rounded twice.
    fn weighted_half(
        &mut self,
        (onto, half): (Option<Local>, usize),
        terms: [[Local; 2]; 4],
        (doubts, are_bytes): (Local, bool),
    ) -> Local {
        let mut rounded = onto.map(|onto| {
            self.promoted(onto, half);
            self.vector()
        });
        let mut narrow = None;
        for [of, weight] in terms {
            self.promoted(of, half);
            self.promoted(weight, 0);
            self.ins().f64x2_mul();
            // A product is exact.
            let mut exact = self.vector();
            if let Some(c) = rounded {
                let product = exact;
                self.push(product);
                self.push(c);
                self.ins().f64x2_add();
                exact = self.vector();
                match are_bytes {
                    true => self.if_inexact([product, c, exact]),
                    false => self.if_in_the_middle(exact),
                }
                self.note(doubts);
            }
            self.push(exact);
            self.ins().f32x4_demote_f64x2_zero();
            let result = self.vector();
            if rounded.is_some() && !are_bytes {
                self.if_denormal(result);
                self.note(doubts);
            }
            self.push(result);
            self.ins().f64x2_promote_low_f32x4();
            (rounded, narrow) = (Some(self.vector()), Some(result));
        }
        narrow.expect("there are terms")
    }

    /// Adds the bits on the stack to those in a local.
    fn note(&mut self, doubts: Local) {
        self.push(doubts);
        self.ins().v128_or().local_set(doubts.0);
    }

    /// Bits where a sum in f64 is not exact: where it less one of both operands is not the other.
    fn if_inexact(&mut self, [a, b, sum]: [Local; 3]) {
        for (one, other) in [(a, b), (b, a)] {
            self.push(sum);
            self.push(one);
            self.ins().f64x2_sub();
            self.push(other);
            self.ins().v128_xor();
        }
        self.ins().v128_or();
    }

    /// Whether sums in f64 are in the middle between two f32.
    fn if_in_the_middle(&mut self, sum: Local) {
        self.push(sum);
        self.words([LOST, 0, LOST, 0]);
        self.ins().v128_and();
        // The other half of a sum never equals its number.
        self.words([MIDDLE, 1, MIDDLE, 1]);
        self.ins().i32x4_eq();
    }

    /// Bits where a lane's sum is in the middle or its result denormal.
    fn may_be_wrong(&mut self, sums: [Local; 2], result: Local) {
        sums.into_iter().for_each(|sum| self.push(sum));
        self.shuffle_words(EVEN);
        self.literal(LOST);
        self.ins().v128_and();
        self.literal(MIDDLE);
        self.ins().i32x4_eq();
        self.if_denormal(result);
        self.ins().v128_or();
    }

    /// Whether lanes are denormal: their magnitudes less one are below the least normal number. A zero's is the greatest
    /// number.
    fn if_denormal(&mut self, result: Local) {
        self.push(result);
        self.ins().f32x4_abs();
        self.literal(1);
        self.ins().i32x4_sub();
        self.literal(1 << 23);
        self.ins().i32x4_lt_u();
    }

    /// Both halves as f32.
    fn demoted(&mut self, halves: [Local; 2]) {
        for half in halves {
            self.push(half);
            self.ins().f32x4_demote_f64x2_zero();
        }
        self.shuffle_words(LOW_HALVES);
    }

    /// The lanes of a half as f64.
    pub(super) fn promoted(&mut self, vector: Local, half: usize) {
        self.push(vector);
        if half > 0 {
            self.push(vector);
            self.shuffle_words(UPPER);
        }
        self.ins().f64x2_promote_low_f32x4();
    }

    fn product(&mut self, [a, b, _]: [Local; 3], half: usize) {
        self.promoted(a, half);
        self.promoted(b, half);
        self.ins().f64x2_mul();
    }

    fn sum(&mut self, of: [Local; 3], half: usize) {
        self.product(of, half);
        self.promoted(of[2], half);
        self.ins().f64x2_add();
    }

    /// A sum rounded to odd: the one with the odd last bit of the two f64 around an inexact sum.
    fn sum_to_odd(&mut self, of: [Local; 3], half: usize) {
        self.product(of, half);
        let product = self.vector();
        self.promoted(of[2], half);
        let c = self.vector();
        self.push(product);
        self.push(c);
        self.ins().f64x2_add();
        let sum = self.vector();
        self.lost(product, c, sum);
        let lost = self.vector();
        // Some was lost (not of a NaN), and the last bit is even: one up or down, by both signs.
        self.push(sum);
        self.push(lost);
        self.ins().f64x2_abs();
        self.literal(0);
        self.ins().f64x2_gt();
        self.push(sum);
        self.one();
        self.ins().v128_and();
        self.literal(0);
        self.ins().i64x2_eq().v128_and();
        self.push(lost);
        self.push(sum);
        self.ins().v128_xor().i32_const(63).i64x2_shr_s();
        self.one();
        self.ins().v128_or().v128_and().i64x2_add();
    }

    /// The part that a sum has lost, exactly (Knuth's TwoSum). NaN if the sum is infinite or NaN.
    fn lost(&mut self, product: Local, c: Local, sum: Local) {
        self.push(sum);
        self.push(product);
        self.ins().f64x2_sub();
        let part = self.vector();
        self.push(product);
        self.push(sum);
        self.push(part);
        self.ins().f64x2_sub().f64x2_sub();
        self.push(c);
        self.push(part);
        self.ins().f64x2_sub().f64x2_add();
    }

    /// 1 in both 64-bit lanes.
    fn one(&mut self) {
        self.words([1, 0, 1, 0]);
    }
}
