//! Component by component, dot products, differences within the quad.

use attila_isa::{Component, CtmModifier, Inst, VectorOp};
use attila_machine::arith::Arith;
use attila_machine::{DDX_LANES, DDY_LANES, Lanes};

use crate::ir::{Binary, Builder, Unary, Value};
use crate::lower::Lower;
use crate::lower::ops::scale;

use Component::{W, X, Y, Z};

/// The term that a dot product adds to the three products.
enum Last {
    /// Nothing: DP3.
    None,
    /// The product of the w components: DP4.
    Product,
    /// The second operand's w: DPH.
    Second,
}

/// `a - floor(a)`.
fn fraction(b: &mut Builder, a: Value) -> Value {
    let whole = b.floor(a);
    b.sub(a, whole)
}

/// `mask ? 1 : 0`.
fn one_if(b: &mut Builder, mask: Value) -> Value {
    let (one, zero) = (b.f32(1.0), b.f32(0.0));
    b.choose(mask, one, zero)
}

/// 1, -1, or +0 for zeros and NaN.
fn sign(b: &mut Builder, a: Value) -> Value {
    let (zero, minus_one) = (b.f32(0.0), b.f32(-1.0));
    let (below, above) = (b.lt(a, zero), b.lt(zero, a));
    let not_below = one_if(b, above);
    b.choose(below, minus_one, not_below)
}

/// `op` of two operands, or x where y is NaN.
fn of_numbers(b: &mut Builder, op: Binary, x: Value, y: Value) -> Value {
    let (chosen, is_number) = (b.binary(op, x, y), b.eq(y, y));
    b.choose(is_number, chosen, x)
}

/// An operand as comparisons have it: for raw results, too, denormals are zeros there.
fn compared(b: &mut Builder, inst: &Inst, operand: Value) -> Value {
    match inst.path.modifier() {
        Some(CtmModifier::Raw) => b.unary(Unary::Flush, operand),
        Some(_) | None => operand,
    }
}

impl Lower<'_> {
    /// Lowers an instruction of this section.
    pub(super) fn vector_op(&mut self, op: VectorOp, inst: &Inst) {
        match op {
            VectorOp::Mov => self.write(inst, |l, c| l.selected(inst, 0, c)),
            VectorOp::Add => self.each2(inst, |b, x, y| b.add(x, y)),
            VectorOp::Mul => self.write(inst, |l, c| l.product(inst, c)),
            VectorOp::Mad => self.mad(inst),
            VectorOp::Max => self.choice(inst, |b, x, y| b.lt(y, x), Some(Binary::Fmax)),
            VectorOp::Min => self.choice(inst, |b, x, y| b.lt(x, y), Some(Binary::Fmin)),
            VectorOp::Sge => self.step(inst, 0.0, 1.0),
            VectorOp::Slt => self.step(inst, 1.0, 0.0),
            VectorOp::Cmp => self.cmp(inst),
            VectorOp::Flr => self.each1(inst, |b, a| b.floor(a)),
            VectorOp::Frc => self.each1(inst, fraction),
            VectorOp::Dst => self.dst(inst),
            VectorOp::Dp3 => self.dot(inst, Last::None),
            VectorOp::Dp4 => self.dot(inst, Last::Product),
            VectorOp::Dph => self.dot(inst, Last::Second),
            VectorOp::Ddx => self.derivative(inst, DDX_LANES),
            VectorOp::Ddy => self.derivative(inst, DDY_LANES),
            VectorOp::Ddxc => self.derivative(inst, [(2, 3); 4]),
            VectorOp::Ddyc => self.derivative(inst, [(0, 2); 4]),
            VectorOp::Div => self.each2(inst, |b, x, y| b.div(x, y)),
            VectorOp::Seq => self.set(inst, |b, x, y| b.eq(x, y)),
            VectorOp::Sne => self.set(inst, |b, x, y| {
                let equal = b.eq(x, y);
                b.invert(equal)
            }),
            VectorOp::Sgeo => self.set(inst, |b, x, y| b.le(y, x)),
            VectorOp::Sgn => self.each1(inst, sign),
            VectorOp::Sel => self.sel(inst),
            VectorOp::Maxn => self.each2(inst, |b, x, y| of_numbers(b, Binary::Fmax, x, y)),
            VectorOp::Minn => self.each2(inst, |b, x, y| of_numbers(b, Binary::Fmin, x, y)),
            VectorOp::Fma => self.fma(inst),
            VectorOp::Ceil => self.each1(inst, |b, a| b.unary(Unary::Ceil, a)),
            VectorOp::Trunc => self.each1(inst, |b, a| b.unary(Unary::TowardZero, a)),
            VectorOp::Round => self.each1(inst, |b, a| b.nearest(a)),
            VectorOp::Ldexp => self.ldexp(inst),
            VectorOp::Cnd => self.choose_by(inst, |b, c| {
                let half = b.f32(0.5);
                b.lt(half, c)
            }),
            VectorOp::Cmpge => self.choose_by(inst, |b, c| {
                let c = compared(b, inst, c);
                let zero = b.f32(0.0);
                b.le(zero, c)
            }),
            VectorOp::Maxge => self.choice(inst, |b, x, y| b.le(y, x), None),
            VectorOp::D2a => self.dot2_add(inst),
            VectorOp::Mdh => self.mad_of_lanes(inst, 1),
            VectorOp::Mdv => self.mad_of_lanes(inst, 2),
        }
    }

    /// `f` of each component of one operand.
    pub(super) fn each1(&mut self, inst: &Inst, f: impl Fn(&mut Builder, Value) -> Value) {
        self.write(inst, |l, c| {
            let a = l.float(inst, 0, c);
            f(&mut l.b, a)
        });
    }

    /// `f` of each component of two operands.
    fn each2(&mut self, inst: &Inst, f: impl Fn(&mut Builder, Value, Value) -> Value) {
        self.write(inst, |l, c| {
            let (x, y) = (l.float(inst, 0, c), l.float(inst, 1, c));
            f(&mut l.b, x, y)
        });
    }

    /// The first operand where `holds`, else the second: `same` is that, if there is such an operation.
    fn choice(
        &mut self,
        inst: &Inst,
        holds: impl Fn(&mut Builder, Value, Value) -> Value,
        same: Option<Binary>,
    ) {
        self.each2(inst, |b, x, y| {
            let [seen_x, seen_y] = [x, y].map(|operand| compared(b, inst, operand));
            match same.filter(|_| [seen_x, seen_y] == [x, y]) {
                Some(same) => b.binary(same, x, y),
                None => {
                    let holds = holds(b, seen_x, seen_y);
                    b.choose(holds, x, y)
                }
            }
        });
    }

    /// 1 where `f` of two operands holds, else 0.
    fn set(&mut self, inst: &Inst, f: impl Fn(&mut Builder, Value, Value) -> Value) {
        self.each2(inst, |b, x, y| {
            let holds = f(b, x, y);
            one_if(b, holds)
        });
    }

    /// `a != 0 ? b : c`, where a is an integer.
    fn sel(&mut self, inst: &Inst) {
        self.write(inst, |l, c| {
            let condition = l.int(inst, 0, c);
            let (y, z) = (l.selected(inst, 1, c), l.selected(inst, 2, c));
            let zero = l.b.i32(0);
            let is_zero = l.b.ieq(condition, zero);
            l.b.choose(is_zero, z, y)
        });
    }

    /// The first operand where `f` of the third holds, else the second.
    fn choose_by(&mut self, inst: &Inst, f: impl Fn(&mut Builder, Value) -> Value) {
        self.write(inst, |l, c| {
            let (x, y) = (l.selected(inst, 0, c), l.selected(inst, 1, c));
            let z = l.float(inst, 2, c);
            let holds = f(&mut l.b, z);
            l.b.choose(holds, x, y)
        });
    }

    /// Two products, and the z of the third operand, in all components.
    fn dot2_add(&mut self, inst: &Inst) {
        let (x, y) = (self.product(inst, X), self.product(inst, Y));
        let z = self.float(inst, 2, Z);
        let sum = self.b.add(x, y);
        let sum = self.b.add(sum, z);
        self.write(inst, |_, _| sum);
    }

    /// `a*b + c` with the first lane's a and the c of another one, of registers as they stand.
    fn mad_of_lanes(&mut self, inst: &Inst, other: u8) {
        self.all_lanes = true;
        self.write(inst, |l, c| {
            let (x, y) = (l.float(inst, 0, c), l.float(inst, 1, c));
            let z = l.float(inst, 2, c);
            let (x, z) = (l.b.shuffle(x, [0; 4]), l.b.shuffle(z, [other; 4]));
            let product = l.product_of(inst, x, y);
            l.b.add(product, z)
        });
        self.all_lanes = false;
    }

    fn fma(&mut self, inst: &Inst) {
        self.write(inst, |l, c| {
            let (x, y) = (l.float(inst, 0, c), l.float(inst, 1, c));
            let z = l.float(inst, 2, c);
            l.b.fma(x, y, z)
        });
    }

    fn ldexp(&mut self, inst: &Inst) {
        self.write(inst, |l, c| {
            let (a, exponent) = (l.float(inst, 0, c), l.int(inst, 1, c));
            scale::by_power_of_two(&mut l.b, a, exponent)
        });
    }

    /// Two roundings, as two instructions.
    fn mad(&mut self, inst: &Inst) {
        self.write(inst, |l, c| {
            let product = l.product(inst, c);
            let z = l.float(inst, 2, c);
            l.b.add(product, z)
        });
    }

    /// `a < b ? below : not_below`.
    fn step(&mut self, inst: &Inst, below: f32, not_below: f32) {
        self.each2(inst, |b, x, y| {
            let is_below = b.lt(x, y);
            let (below, not_below) = (b.f32(below), b.f32(not_below));
            b.choose(is_below, below, not_below)
        });
    }

    /// `a < 0 ? b : c` of one component.
    pub(super) fn cmp_component(&mut self, inst: &Inst, c: Component, [y, z]: [Value; 2]) -> Value {
        let (x, zero) = (self.float(inst, 0, c), self.b.f32(0.0));
        let negative = self.b.lt(x, zero);
        self.b.choose(negative, y, z)
    }

    pub(super) fn cmp(&mut self, inst: &Inst) {
        self.write(inst, |l, c| {
            let choices = [1, 2].map(|number| l.selected(inst, number, c));
            l.cmp_component(inst, c, choices)
        });
    }

    fn dst(&mut self, inst: &Inst) {
        self.write(inst, |l, c| match c {
            X => l.b.f32(1.0),
            Y => l.product(inst, Y),
            Z => l.float(inst, 0, Z),
            W => l.float(inst, 1, W),
        });
    }

    /// Products added from left to right, the sum in all components.
    fn dot(&mut self, inst: &Inst, last: Last) {
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

    /// The product of the first two operands: +0 for a factor of 0 if the instruction says so.
    fn product(&mut self, inst: &Inst, c: Component) -> Value {
        let (x, y) = (self.float(inst, 0, c), self.float(inst, 1, c));
        self.product_of(inst, x, y)
    }

    /// The product of two values, as [`Self::product`] has it.
    fn product_of(&mut self, inst: &Inst, x: Value, y: Value) -> Value {
        let product = self.b.mul(x, y);
        if !inst.zero_wins {
            return product;
        }
        let zero = self.b.f32(0.0);
        let (no_x, no_y) = (self.b.eq(x, zero), self.b.eq(y, zero));
        let wins = self.b.either(no_x, no_y);
        self.b.choose(wins, zero, product)
    }

    /// The difference that each lane's pair gives, of all lanes' registers as they stand.
    fn derivative(&mut self, inst: &Inst, pairs: Lanes<(usize, usize)>) {
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
}
