//! Operations on floats: component by component, and across components.

use attila_shader::front::tgsi::{Dialect, TgsiOpcode as T};
use attila_shader::machine::approx;
use attila_shader::machine::arith::{self, HostLanes};

use super::rules::Rule::{self, Each, Vector};
use super::rules::Rules;

type Floats = [f32; 4];

/// Operations whose result has a component for each of their sources.
pub(super) const EACH: &[(T, Rule)] = &[
    (T::Add, Each(|_, [a, b, _]| a + b)),
    (T::Sub, Each(|_, [a, b, _]| a - b)),
    (T::Mul, Each(|r, [a, b, _]| r.product(a, b))),
    (T::Mad, Each(|r, [a, b, c]| r.product(a, b) + c)),
    (T::Fma, Each(|_, [a, b, c]| arith::fma(a, b, c))),
    (T::Div, Each(|_, [a, b, _]| a / b)),
    (T::Min, Each(min)),
    (T::Max, Each(max)),
    (T::Abs, Each(|_, [a, ..]| a.abs())),
    (T::Ssg, Each(|_, [a, ..]| truth(a > 0.0) - truth(a < 0.0))),
    (T::Frc, Each(|_, [a, ..]| a - a.floor())),
    (T::Flr, Each(|_, [a, ..]| a.floor())),
    (T::Ceil, Each(|_, [a, ..]| a.ceil())),
    (T::Round, Each(round)),
    (T::Trunc, Each(|_, [a, ..]| a.trunc())),
    (T::Clamp, Each(clamp)),
    (T::Cmp, Each(|_, [a, b, c]| if a < 0.0 { b } else { c })),
    (T::Cnd, Each(|_, [a, b, c]| if c > 0.5 { a } else { b })),
    (T::Lrp, Each(mix)),
    (T::Slt, Each(|_, [a, b, _]| truth(a < b))),
    (T::Sge, Each(|_, [a, b, _]| truth(a >= b))),
    (T::Seq, Each(|_, [a, b, _]| truth(a == b))),
    (T::Sne, Each(|_, [a, b, _]| truth(a != b))),
    (T::Sgt, Each(|_, [a, b, _]| truth(a > b))),
    (T::Sle, Each(|_, [a, b, _]| truth(a <= b))),
    (T::Sfl, Each(|_, _| 0.0)),
    (T::Str, Each(|_, _| 1.0)),
];

/// Operations whose components follow different rules, or are all the same.
pub(super) const VECTORS: &[(T, Rule)] = &[
    (T::Rcp, Vector(|_, [a, ..]| [1.0 / a[0]; 4])),
    (T::Rcc, Vector(|_, [a, ..]| [clamped_reciprocal(a[0]); 4])),
    (T::Rsq, Vector(|r, [a, ..]| [r.reciprocal_root(a[0]); 4])),
    (T::Sqrt, Vector(|_, [a, ..]| [a[0].sqrt(); 4])),
    (T::Ex2, Vector(|_, [a, ..]| [ex2(a[0]); 4])),
    (T::Lg2, Vector(|_, [a, ..]| [lg2(a[0]); 4])),
    (
        T::Pow,
        Vector(|_, [a, b, _]| [approx::pow(&mut HostLanes, [a[0]], [b[0]])[0]; 4]),
    ),
    (T::Sin, Vector(|_, [a, ..]| [sin(a[0]); 4])),
    (T::Cos, Vector(|_, [a, ..]| [cos(a[0]); 4])),
    (T::Dp2, Vector(|r, [a, b, _]| [r.dot(a, b, 2); 4])),
    (T::Dp2a, Vector(|r, [a, b, c]| [r.dot(a, b, 2) + c[0]; 4])),
    (T::Dp3, Vector(|r, [a, b, _]| [r.dot(a, b, 3); 4])),
    (T::Dp4, Vector(|r, [a, b, _]| [r.dot(a, b, 4); 4])),
    (T::Dph, Vector(|r, [a, b, _]| [r.dot(a, b, 3) + b[3]; 4])),
    (
        T::Lit,
        Vector(|r, [a, ..]| {
            if r.is_old() {
                selected_lit(r, a)
            } else {
                lit(a)
            }
        }),
    ),
    (
        T::Exp,
        Vector(|_, [a, ..]| [ex2(a[0].floor()), a[0] - a[0].floor(), ex2(a[0]), 1.0]),
    ),
    (T::Log, Vector(|_, [a, ..]| log(a[0]))),
    (
        T::Dst,
        Vector(|r, [a, b, _]| [1.0, r.product(a[1], b[1]), a[2], b[3]]),
    ),
    (T::Xpd, Vector(cross)),
    (T::Nrm, Vector(normal3)),
    (T::Nrm4, Vector(normal4)),
    (
        T::Scs,
        Vector(|_, [a, ..]| [cos(a[0]), sin(a[0]), 0.0, 1.0]),
    ),
    (T::Rfl, Vector(reflection)),
    (T::X2d, Vector(transform)),
];

fn truth(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

impl Rules {
    fn is_old(&self) -> bool {
        self.dialect == Dialect::T7
    }

    /// The product, by the rule of the text for factors of 0.
    pub(super) fn product(&self, a: f32, b: f32) -> f32 {
        match self.zero_wins && (a == 0.0 || b == 0.0) {
            true => 0.0,
            false => a * b,
        }
    }

    /// The sum of the first `count` products, from left to right.
    fn dot(&self, a: Floats, b: Floats, count: usize) -> f32 {
        let products = (1..count).map(|n| self.product(a[n], b[n]));
        products.fold(self.product(a[0], b[0]), |sum, product| sum + product)
    }

    fn reciprocal_root(&self, a: f32) -> f32 {
        match self.is_old() {
            true => (1.0 / a.abs()).sqrt(),
            false => 1.0 / a.sqrt(),
        }
    }
}

fn min(rules: &Rules, [a, b, _]: [f32; 3]) -> f32 {
    match a < b || rules.dialect == Dialect::T23 && b.is_nan() {
        true => a,
        false => b,
    }
}

fn max(rules: &Rules, [a, b, _]: [f32; 3]) -> f32 {
    match a > b || rules.dialect == Dialect::T23 && b.is_nan() {
        true => a,
        false => b,
    }
}

fn round(rules: &Rules, [a, ..]: [f32; 3]) -> f32 {
    match rules.dialect {
        Dialect::T7 | Dialect::T10 => (a + 0.5).floor(),
        Dialect::T23 => a.round_ties_even(),
    }
}

/// The document's selection: the lower limit first.
fn clamp(_: &Rules, [a, low, high]: [f32; 3]) -> f32 {
    if a < low {
        low
    } else if a > high {
        high
    } else {
        a
    }
}

fn mix(rules: &Rules, [a, b, c]: [f32; 3]) -> f32 {
    match rules.is_old() {
        true => rules.product(a, b) + rules.product(1.0 - a, c),
        false => rules.product(a, b - c) + c,
    }
}

/// The document's limits, which depend on the sign of the reciprocal. Its clamp keeps NaN.
fn clamped_reciprocal(a: f32) -> f32 {
    let (least, greatest) = (5.42101e-20, 1.884467e19);
    let value = 1.0 / a;
    match value > 0.0 {
        true => value.clamp(least, greatest),
        false => value.clamp(-greatest, -least),
    }
}

fn ex2(a: f32) -> f32 {
    approx::ex2(&mut HostLanes, [a])[0]
}

fn lg2(a: f32) -> f32 {
    approx::lg2(&mut HostLanes, [a])[0]
}

fn sin(a: f32) -> f32 {
    approx::sin(&mut HostLanes, [a])[0]
}

fn cos(a: f32) -> f32 {
    approx::cos(&mut HostLanes, [a])[0]
}

fn lit([x, y, _, w]: Floats) -> Floats {
    let positive = |a: f32| if a < 0.0 { 0.0 } else { a };
    // A NaN is the upper limit.
    let exponent = if w < 128.0 { w.max(-128.0) } else { 128.0 };
    let specular = match x > 0.0 {
        true => approx::lit_power(&mut HostLanes, [positive(y)], [exponent])[0],
        false => 0.0,
    };
    [1.0, positive(x), specular, 1.0]
}

/// The document's formula, with its own `max` and `clamp`.
fn selected_lit(rules: &Rules, [x, y, _, w]: Floats) -> Floats {
    let positive = |a: f32| if a > 0.0 { a } else { 0.0 };
    let exponent = clamp(rules, [w, -128.0, 128.0]);
    let power = approx::pow(&mut HostLanes, [positive(y)], [exponent])[0];
    [1.0, positive(x), if x > 0.0 { power } else { 0.0 }, 1.0]
}

fn log(a: f32) -> Floats {
    let a = a.abs();
    if a == 0.0 {
        return [f32::NEG_INFINITY, 1.0, f32::NEG_INFINITY, 1.0];
    }
    if a.is_nan() {
        return [a, a, a, 1.0];
    }
    if a.is_infinite() {
        return [a, 1.0, a, 1.0];
    }
    let exponent = f64::from(a).log2().floor();
    let mantissa = f64::from(a) / exponent.exp2();
    [exponent as f32, mantissa as f32, lg2(a), 1.0]
}

fn cross(rules: &Rules, [a, b, _]: [Floats; 3]) -> Floats {
    let minor = |m: usize, n: usize| rules.product(a[m], b[n]) - rules.product(a[n], b[m]);
    [minor(1, 2), minor(2, 0), minor(0, 1), 1.0]
}

fn normal3(rules: &Rules, [a, ..]: [Floats; 3]) -> Floats {
    let scale = rules.reciprocal_root(rules.dot(a, a, 3));
    let [x, y, z, _] = a.map(|a| rules.product(a, scale));
    [x, y, z, 1.0]
}

fn normal4(rules: &Rules, [a, ..]: [Floats; 3]) -> Floats {
    let scale = rules.reciprocal_root(rules.dot(a, a, 4));
    a.map(|a| rules.product(a, scale))
}

fn reflection(rules: &Rules, [a, b, _]: [Floats; 3]) -> Floats {
    let scale = 2.0 * rules.dot(a, b, 3) / rules.dot(a, a, 3);
    let moved = |n: usize| rules.product(scale, a[n]) - b[n];
    [moved(0), moved(1), moved(2), 1.0]
}

fn transform(rules: &Rules, [point, b, m]: [Floats; 3]) -> Floats {
    let moved = |n: usize| {
        let row = 2 * (n % 2);
        let first = point[n % 2] + rules.product(b[0], m[row]);
        first + rules.product(b[1], m[row + 1])
    };
    std::array::from_fn(moved)
}
