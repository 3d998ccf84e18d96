//! Component by component, dot products, integers, differences within the quad.

use attila_isa::{Component, Inst};
use attila_machine::arith::Arith;
use attila_machine::{Lanes, approx};

use crate::ir::{Binary, Builder, Value};
use crate::lower::Lower;

use Component::{W, X, Y, Z};

/// What a dot product adds to the three products.
pub(in crate::lower) enum Last {
    /// Nothing: DP3.
    None,
    /// The product of the w components: DP4.
    Product,
    /// The second operand's w: DPH.
    Second,
}

/// `a - floor(a)`.
pub(in crate::lower) fn fraction(b: &mut Builder, a: Value) -> Value {
    let whole = b.floor(a);
    b.sub(a, whole)
}

impl Lower<'_> {
    /// `f` of each component of one operand.
    pub(in crate::lower) fn each1(
        &mut self,
        inst: &Inst,
        f: impl Fn(&mut Builder, Value) -> Value,
    ) {
        self.write(inst, |l, c| {
            let a = l.float(inst, 0, c);
            f(&mut l.b, a)
        });
    }

    /// `f` of each component of two operands.
    pub(in crate::lower) fn each2(
        &mut self,
        inst: &Inst,
        f: impl Fn(&mut Builder, Value, Value) -> Value,
    ) {
        self.write(inst, |l, c| {
            let (x, y) = (l.float(inst, 0, c), l.float(inst, 1, c));
            f(&mut l.b, x, y)
        });
    }

    /// `f` of each component of two integer operands.
    pub(in crate::lower) fn integers(
        &mut self,
        inst: &Inst,
        f: impl Fn(&mut Builder, Value, Value) -> Value,
    ) {
        self.write(inst, |l, c| {
            let (x, y) = (l.int(inst, 0, c), l.int(inst, 1, c));
            f(&mut l.b, x, y)
        });
    }

    /// Two roundings, as two instructions.
    pub(in crate::lower) fn mad(&mut self, inst: &Inst) {
        self.write(inst, |l, c| {
            let (x, y, z) = (
                l.float(inst, 0, c),
                l.float(inst, 1, c),
                l.float(inst, 2, c),
            );
            let product = l.b.mul(x, y);
            l.b.add(product, z)
        });
    }

    /// `a < b ? below : not_below`.
    pub(in crate::lower) fn step(&mut self, inst: &Inst, below: f32, not_below: f32) {
        self.each2(inst, |b, x, y| {
            let is_below = b.lt(x, y);
            let (below, not_below) = (b.f32(below), b.f32(not_below));
            b.choose(is_below, below, not_below)
        });
    }

    /// `a < 0 ? b : c` of one component.
    pub(in crate::lower) fn cmp_component(&mut self, inst: &Inst, c: Component) -> Value {
        let (x, y, z) = (
            self.float(inst, 0, c),
            self.float(inst, 1, c),
            self.float(inst, 2, c),
        );
        let zero = self.b.f32(0.0);
        let negative = self.b.lt(x, zero);
        self.b.choose(negative, y, z)
    }

    pub(in crate::lower) fn cmp(&mut self, inst: &Inst) {
        self.write(inst, |l, c| l.cmp_component(inst, c));
    }

    pub(in crate::lower) fn dst(&mut self, inst: &Inst) {
        self.write(inst, |l, c| match c {
            X => l.b.f32(1.0),
            Y => {
                let (x, y) = (l.float(inst, 0, Y), l.float(inst, 1, Y));
                l.b.mul(x, y)
            }
            Z => l.float(inst, 0, Z),
            W => l.float(inst, 1, W),
        });
    }

    pub(in crate::lower) fn lit(&mut self, inst: &Inst) {
        self.write(inst, |l, c| match c {
            X | W => l.b.f32(1.0),
            Y => l.not_negative(inst, X),
            Z => {
                let (x, y) = (l.not_negative(inst, X), l.not_negative(inst, Y));
                let exponent = l.float(inst, 0, W);
                let (low, high) = (l.b.f32(-128.0), l.b.f32(128.0));
                // A NaN exponent becomes 128: the operand orders matter (machine.md 4.8).
                let exponent = l.b.binary(Binary::Fmin, exponent, high);
                let exponent = l.b.binary(Binary::Fmax, low, exponent);
                let power = approx::lit_power(&mut l.b, y, exponent);
                let zero = l.b.f32(0.0);
                let lit = l.b.lt(zero, x);
                l.b.choose(lit, power, zero)
            }
        });
    }

    /// `a < 0 ? 0 : a`: NaN and -0 stay.
    fn not_negative(&mut self, inst: &Inst, c: Component) -> Value {
        let a = self.float(inst, 0, c);
        let zero = self.b.f32(0.0);
        self.b.binary(Binary::Fmax, zero, a)
    }

    /// Products added from left to right, the sum in all components.
    pub(in crate::lower) fn dot(&mut self, inst: &Inst, last: Last) {
        let mut sum = self.product(inst, X);
        for c in [Y, Z] {
            let product = self.product(inst, c);
            sum = self.b.add(sum, product);
        }
        let addend = match last {
            Last::None => None,
            Last::Product => Some(self.product(inst, W)),
            Last::Second => Some(self.float(inst, 1, W)),
        };
        if let Some(addend) = addend {
            sum = self.b.add(sum, addend);
        }
        self.write(inst, |_, _| sum);
    }

    fn product(&mut self, inst: &Inst, c: Component) -> Value {
        let (x, y) = (self.float(inst, 0, c), self.float(inst, 1, c));
        self.b.mul(x, y)
    }

    /// The difference that each lane's pair gives, of all lanes' registers as they stand.
    pub(in crate::lower) fn derivative(&mut self, inst: &Inst, pairs: Lanes<(usize, usize)>) {
        let from = pairs.map(|(from, _)| from as u8);
        let to = pairs.map(|(_, to)| to as u8);
        self.all_lanes = true;
        self.write(inst, |l, c| {
            let a = l.float(inst, 0, c);
            let (from, to) = (l.b.shuffle(a, from), l.b.shuffle(a, to));
            l.b.sub(to, from)
        });
        self.all_lanes = false;
    }

    pub(in crate::lower) fn arl(&mut self, inst: &Inst) {
        self.write(inst, |l, c| {
            let a = l.float(inst, 0, c);
            let floor = l.b.floor(a);
            l.b.trunc_to_i32(floor)
        });
    }
}
